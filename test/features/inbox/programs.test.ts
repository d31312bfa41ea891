import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SPAM_ABOVE } from '../../../src/calendar/intake/spam.ts'
import { countRows, declareUser, query } from '../../factories.ts'
import { answeredEvent, answering } from '../../model.ts'
import { openInbox } from './mail.ts'
import { ANNOUNCED, type Language, PROGRAMS } from './programs.ts'

declareUser('administrator')

// The same event each time: submissions of earlier tests would keep it away, and count.
beforeEach(async () => {
  vi.setSystemTime('2027-01-14T10:00:00Z')
  for (const table of ['submissions', 'event_venues', 'events', 'limit_counts'])
    await query(`DELETE FROM ${table}`)
})

const languages = Object.keys(ANNOUNCED) as Language[]
const cases = Object.entries(PROGRAMS).flatMap(([program, [owed, shape]]) =>
  languages.map(language => ({ program, owed, shape, language })),
)

describe('an e-mail', () => {
  it.each(cases)('of $program ($language) has the outcome: $owed', async ({ owed, shape, language }) => {
    const announced = ANNOUNCED[language]
    const { title, text, date, time, free } = announced
    const event = answeredEvent(
      { title, date: [date, '2027-03-12'], time: [time, '20:00'], cost: [free, 0] },
      { description: text.replaceAll('\n', ' ') },
    )
    const { AI } = answering({ [date]: { events: [event], more: false }, '': { events: [], more: false } })
    const inbox = openInbox({ LANGUAGE: language, AI })
    const outcome = await inbox.send(shape(announced))
    if (owed === 'refused') {
      expect(outcome).not.toMatch(/^(taken|again)$/)
      expect([await countRows('submissions'), inbox.mails.length]).toEqual([0, 0])
      return
    }
    expect(outcome).toBe('taken')
    const [row, ...others] = await query(
      'SELECT title, start_date, cost, description, likeness FROM submissions JOIN events ON events.id = submissions.event_id',
    )
    expect(others).toEqual([])
    expect(row).toMatchObject({ title, start_date: '2027-03-12 20:00:00', cost: '0' })
    expect(row?.description).not.toMatch(/2 May|1999|iPhone/)
    // What looks like spam gets no reply.
    expect(inbox.mails).toHaveLength(Number(row?.likeness) > SPAM_ABOVE ? 0 : 1)
  })
})
