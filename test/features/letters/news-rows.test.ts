import { beforeAll, describe, expect, it } from 'vitest'
import { invitationQuery } from '../../../src/features/letters/news/pages/new.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser } from '../../editor/session.ts'
import { countRows, makeEvent, makeOrganizer, makeUser, makeVenue, query } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { openOutbox } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'
import { newsLinkIn, WITH_IMPRINT } from './subscribe.ts'

// Rows that strangers can have read, in a calendar in which people have chosen 5,000 different things.

const CHOICES = 5_000

const outbox = openOutbox({ ...WITH_IMPRINT, DEBUG_TIMING: '1' })
let venue: number

beforeAll(async () => {
  const as = await makeUser('ada', 'administrator')
  venue = (await makeVenue(as, 'Hall')).id
  const { id: organizer } = await makeOrganizer(as, 'Club')
  for (let day = 21; day < 30; day++)
    await makeEvent(as, {
      title: `Day ${day}`,
      start_date: `2026-11-${day} 20:00:00`,
      venue: [venue],
      organizer: [organizer],
    })
  await query(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${CHOICES})
    INSERT INTO news_choices (filters, language, api) SELECT '{"venue":[' || (1000000 + n) || ']}', 'en', 'https://x.example/a' FROM n`)
  await query(`INSERT INTO subscribers (email, choice_id, weekday, asked_utc, consented_utc, next_utc)
    SELECT 'c' || id || '@people.example', id, 'thursday', '2026-11-01 12:00:00', '2026-11-01 12:00:00', '2026-11-26 07:00:00' FROM news_choices`)
})

const browser = new Browser(outbox.bindings)

const rowsOf = (response: { headers: Headers }): number => metricsOf(response).rows

const signUp = (fields: object) =>
  browser.post('/news/', { email: 'ann@people.example', weekday: 'friday', ...fields })

/** A list that is too long, in one text. */
const tooMany = (count: number): string => Array.from({ length: count }, () => venue).join(',')

describe('a list that is too long', () => {
  it('is refused by the form, which reads what it shows and nothing else', async () => {
    const shown = await browser.get(`/news/?venues=${venue}`)
    const wrong = await signUp({ venues: tooMany(120_000) })
    expect([wrong.status, wrong.text]).toEqual([
      422,
      expect.stringContaining('That is too many: at most 10.'),
    ])
    expect(rowsOf(wrong)).toBeLessThan(rowsOf(shown) + 20)
    expect(await countRows('subscribers WHERE email LIKE ?', 'ann@%')).toBe(0)
  })

  it.each(['categories', 'venues', 'organizers'])(
    'is refused in the query, before anything is read: %s',
    async name => {
      const { status, headers } = await browser.get(`/news/?${name}=${tooMany(11)}`)
      expect([status, rowsOf({ headers })]).toEqual([400, 0])
      expect((await browser.get(`/news/?${name}=${tooMany(10)}`)).status).toBe(200)
    },
  )

  it('is refused by the API', async () => {
    const json = { email: 'ann@people.example', weekday: 'friday', choice: { venues: tooMany(120_000) } }
    const refused = await sendWith(outbox.bindings)('POST', '/subscribers', { json })
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['choice']])
    expect(rowsOf(refused)).toBeLessThan(5)
  })

  it('is in no link of ours', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => venue + i)
    expect(invitationQuery({ venue: ids })).toBe(`?venues=${ids.slice(0, 10).join(',')}`)
  })
})

describe('whoever gets news', () => {
  it('has no other choice read, from signing up to leaving', async () => {
    const asked = await signUp({ venues: String(venue) })
    expect([asked.status, rowsOf(asked) < 100]).toEqual([303, true])
    const link = newsLinkIn(outbox.last())
    await browser.post(link, { ...fieldsIn((await browser.get(link)).html), do: 'confirm' })
    const saved = await browser.post(link, { do: 'save', weekday: 'monday' })
    expect([saved.status, rowsOf(saved) < 50]).toEqual([303, true])
    const wrong = await browser.post(link, { do: 'save', weekday: 'monday', venues: tooMany(120_000) })
    expect([wrong.status, rowsOf(wrong) < rowsOf(await browser.get(link)) + 20]).toEqual([422, true])
    const left = await browser.post(link, { do: 'leave' })
    expect([left.status, rowsOf(left) < 20]).toEqual([200, true])
    expect(await countRows('news_choices')).toBe(CHOICES)
  })

  it('has no other choice read at the end of three days without an answer', async () => {
    await signUp({ email: 'bob@people.example', venues: String(venue) })
    expect(await countRows('news_choices')).toBe(CHOICES + 1)
    await query("UPDATE subscribers SET next_utc = '2027-01-01 07:00:00' WHERE next_utc IS NOT NULL")
    const { rows_read } = await runCron(outbox, '2026-11-24T12:00:00Z')
    expect(await countRows('news_choices')).toBe(CHOICES)
    expect(rows_read).toBeLessThan(500)
  })

  it('is limited on the own page, but not in leaving', async () => {
    await signUp({ email: 'cyd@people.example' })
    const link = newsLinkIn(outbox.last())
    const full = browser.with({
      ...outbox.bindings,
      LOGIN_LIMIT: { limit: async () => ({ success: false }) },
    })
    const headers = { 'cf-connecting-ip': '198.51.100.7' }
    expect((await full.post(link, { do: 'confirm' }, { headers })).status).toBe(429)
    expect((await full.post(link, { 'List-Unsubscribe': 'One-Click' }, { headers })).status).toBe(200)
    expect(await countRows('subscribers WHERE email LIKE ?', 'cyd@%')).toBe(0)
  })
})
