import { beforeEach, describe, expect, it, vi } from 'vitest'
import { declareUser, make, makeVenue, query } from '../../factories.ts'
import { answering, answerOf } from '../../model.ts'
import { FAILED, openInbox } from './mail.ts'

const admin = declareUser('administrator')
// Each test has a day of its own, so that limits count nothing of the others.
let day = 0
beforeEach(() => {
  day += 3
  vi.setSystemTime(Date.UTC(2027, 0, day, 10))
})

/** A mail whose day no reader without a model finds, and what a model answers about it. */
const vague = (n: number, from = 'ann@club.example') => ({
  from,
  subject: `Pottery ${day}.${n}`,
  text: 'Pottery for all, the first Friday in June 2027, 8 pm.',
})
const POTTERY = {
  title: 'Pottery for all',
  date: ['first Friday in June 2027', '2027-06-04'],
  time: ['8 pm', '20:00'],
} as const
const answers = (n = 9) =>
  Object.fromEntries(
    Array.from({ length: n }, (_, i) => [
      `Pottery ${day}.${i}`,
      answerOf({ ...POTTERY, title: `Pottery ${day}.${i}` }),
    ]),
  )

const latest = async () =>
  (
    await query(
      'SELECT title, start_date, event_status, mail_text FROM submissions JOIN events ON events.id = event_id ORDER BY submissions.id DESC LIMIT 1',
    )
  )[0]

describe('the language model', () => {
  it('reads two texts a mailbox and day; with the next the other side tries again, unless its day is plain', async () => {
    const { AI, asked } = answering(answers())
    const inbox = openInbox({ AI })
    expect(await inbox.send(vague(0))).toBe('taken')
    expect(await latest()).toMatchObject({ start_date: '2027-06-04 20:00:00' })
    expect(await inbox.send(vague(1, 'Ann <a.nn+x@club.example>'))).toBe('taken')
    expect(await inbox.send(vague(2))).toBe('taken')
    expect(await inbox.send(vague(3))).toBe('again')
    expect(asked).toHaveLength(3)
    expect(await inbox.send({ ...vague(4), text: 'Pottery on 11 June 2027 at 8 pm' })).toBe('taken')
    expect(await latest()).toMatchObject({ title: `Pottery ${day}.4`, start_date: '2027-06-11 20:00:00' })
    vi.setSystemTime(Date.UTC(2027, 0, day + 1, 10, 1))
    expect(await inbox.send(vague(3))).toBe('taken')
    expect(asked).toHaveLength(4)
  })

  it('reads mails with at most half of the texts of a day, also of many at once', async () => {
    const { AI, asked } = answering(answers())
    const inbox = openInbox({ AI, AI_TEXTS: '5' })
    const sent = await Promise.all(
      Array.from({ length: 5 }, (_, n) => inbox.send(vague(n, `n${n}@club.example`))),
    )
    expect(sent.sort()).toEqual(['again', 'again', 'again', 'taken', 'taken'])
    expect(asked).toHaveLength(2)
  })

  it('reads nothing of senders who are not certain', async () => {
    const { AI, asked } = answering(answers())
    expect(await openInbox({ AI }).send(vague(0), FAILED)).toContain('No event was found in this e-mail')
    expect(asked).toEqual([])
  })

  it('that fails has the other side try again, unless the day is plain', async () => {
    const AI = { run: async () => ({ response: 'Sorry' }) }
    expect(await openInbox({ AI }).send(vague(0))).toBe('again')
    const plain = { ...vague(1), text: 'Pottery on 12 June 2027 at 8 pm' }
    expect(await openInbox({ AI }).send(plain)).toBe('taken')
  })

  it('gets a mail whole, and only the names that everybody may see', async () => {
    await makeVenue(admin, 'Pottery Barn')
    await make(admin, 'venues', { venue: 'Pottery Cellar', status: 'private' })
    const { AI, asked } = answering(answers())
    const text = `${vague(0).text}\n\nOn Monday, Bob wrote:\n> At 7 or at 8?\n\n-- \nAnn`
    expect(await openInbox({ AI }).send({ ...vague(0), text })).toBe('taken')
    expect(asked[0]).toContain(`Known venues: Pottery Barn\n`)
    expect(asked[0]).toContain(text)
  })

  it('may find that an event is called off, which the review says beside the one in the calendar', async () => {
    const title = `Carol singing ${day}`
    const start = '2027-06-04 20:00:00'
    await make(admin, 'events', { title, status: 'publish', start_date: start, end_date: start })
    const { AI } = answering({
      [title]: answerOf({ ...POTTERY, title, status: ['cancelled', 'canceled'] }, { title: 'Tea' }),
    })
    const text = `The ${title} on the first Friday in June 2027, 8 pm, is cancelled. Tea as always.`
    expect(await openInbox({ AI }).send({ subject: 'Sorry', text })).toBe('taken')
    const row = await latest()
    expect(row).toMatchObject({ title, event_status: 'canceled', start_date: start })
    expect(String(row?.mail_text).split('\n\n', 1)[0]).toBe(
      [
        'Sorry',
        `In the calendar on that day: ${title} (June 4, 2027).`,
        `Called off or postponed according to its text: ${title}.`,
        'Left out, because the text does not say the day for certain: Tea.',
      ].join('\n'),
    )
    expect(await query('SELECT event_status FROM events WHERE title = ? ORDER BY id LIMIT 1', title)).toEqual(
      [{ event_status: 'scheduled' }],
    )
  })

  it('has what is not believed of its answer named in the review', async () => {
    const { AI } = answering({
      Jazz: answerOf({ title: 'Jazz', date: ['Monday 4 June 2027', '2027-06-04'], cost: ['€5', 6] }),
    })
    expect(await openInbox({ AI }).send({ subject: 'Jazz', text: 'Jazz, Monday 4 June 2027, €5' })).toBe(
      'taken',
    )
    expect(String((await latest())?.mail_text).split('\n\n', 1)[0]).toBe(
      'Jazz\nPlease check what the text says: 2027-06-04.\nLeft out, because the text does not say it for certain: 6.',
    )
  })
})
