import { describe, expect, it } from 'vitest'
import { textsIn } from '../../../src/words/words.ts'
import { EVENT } from '../../calendar/intake/submit.ts'
import { Browser, signIn, signInAs } from '../../editor/session.ts'
import { countRows, declareUser, makeEvent, send } from '../../factories.ts'
import { openInbox } from './mail.ts'

// Who has the events that others submit.
const as = declareUser('administrator')

const OWN = ['inbox@town.example', 'Inbox@TOWN.example', 'inbox+x@town.example', 'events@town.example']
const TEXT = 'Barn dance in the town hall, Friday 19 March 2027, 8 pm. Callers and fiddles.'

describe('the addresses of the calendar', () => {
  it('send it no e-mails', async () => {
    const inbox = openInbox()
    for (const from of OWN)
      expect(await inbox.send({ from, text: TEXT })).toBe('This e-mail is from the calendar itself.')
    // Where nobody has set the address of the inbox, the e-mail names it.
    const unset = openInbox({ INBOX_ADDRESS: '' })
    expect(await unset.send({ from: 'inbox@town.example', text: TEXT })).toBe(
      'This e-mail is from the calendar itself.',
    )
    expect(inbox.mails).toEqual([])
  })

  it('send no submissions', async () => {
    const { bindings } = openInbox()
    for (const email of OWN) {
      const event = await send('POST', '/submissions', { json: { ...EVENT, email }, bindings })
      expect([event.status, event.text]).toEqual([400, expect.stringContaining('own_address')])
    }
    expect(await countRows('submissions')).toBe(0)
  })

  it('send no remarks', async () => {
    const { bindings } = openInbox()
    const { id } = await makeEvent(as, { title: 'Jazz night' })
    const remark = (email: string) =>
      send('POST', '/submissions', { json: { about: id, text: 'It begins at nine.', email }, bindings })
    for (const email of OWN) {
      const { status, text } = await remark(email)
      expect([status, text]).toEqual([400, expect.stringContaining('own_address')])
    }
    expect(await countRows('remarks')).toBe(0)
    expect((await remark('ann@club.example')).status).toBe(201)
  })

  it('belong to no user', async () => {
    const { bindings, mails } = openInbox()
    const browser = new Browser(bindings)
    await signInAs(await signIn('editor', 'ella'), 'ella', browser)
    for (const email of OWN) {
      const page = await browser.submit('/admin/account/email/', { email })
      expect(page.text).toContain(textsIn('en').reason.own_address)
    }
    expect([mails.length, await countRows("users WHERE email <> ''")]).toEqual([0, 0])
    expect(await countRows('email_links')).toBe(0)
    await browser.submit('/admin/account/email/', { email: 'ella@club.example' })
    expect(mails).toMatchObject([{ to: 'ella@club.example' }])
  })
})
