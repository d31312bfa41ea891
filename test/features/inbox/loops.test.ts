import { describe, expect, it } from 'vitest'
import { countRows, declareUser } from '../../factories.ts'
import { openInbox } from './mail.ts'

declareUser('administrator')
const TEXT = 'Barn dance, Friday 19 February 2027, 8 pm'

describe('an e-mail that no person sends', () => {
  it.each([
    { 'Auto-Submitted': 'auto-replied' },
    { 'Auto-Submitted': 'auto-generated (rejected)' },
    { Precedence: 'bulk' },
    { Precedence: 'list' },
    { 'X-Autoreply': 'yes' },
    { 'X-Autorespond': 'Away' },
    { 'X-Failed-Recipients': 'nobody@town.example' },
    { 'Return-Path': '<>' },
    { 'List-Id': 'The club <news.club.example>' },
    { 'List-ID': '<letter-3.town.example>' },
  ])('with %j is refused for good, and gets no answer', async headers => {
    const inbox = openInbox()
    expect(await inbox.send({ text: TEXT, headers })).toMatch(
      /^This calendar does not accept (e-mails from mailing lists|automated e-mails)/,
    )
    expect(inbox.mails).toEqual([])
    expect(await countRows('submissions')).toBe(0)
  })

  it('is refused if it is a bounce', async () => {
    const inbox = openInbox()
    for (const [from, envelope] of [
      ['ann@club.example', ''],
      ['ann@club.example', '<>'],
      ['MAILER-DAEMON@club.example', 'ann@club.example'],
      ['postmaster@club.example', 'postmaster@club.example'],
    ] as const)
      expect(await inbox.send({ from, text: TEXT }, undefined, envelope), envelope).toContain(
        'automated e-mails',
      )
  })

  it('is taken if its headers say that a person wrote it', async () => {
    const headers = {
      'Auto-Submitted': 'no',
      Precedence: 'first-class',
      'List-Unsubscribe': '<mailto:leave@club.example>',
    }
    expect(await openInbox().send({ text: TEXT, headers })).toBe('taken')
  })
})
