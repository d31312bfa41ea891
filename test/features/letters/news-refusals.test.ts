import { beforeEach, describe, expect, it } from 'vitest'
import { countRows, makeDatabaseAnew, makeEvent, makeUser, query } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { type Outbox, openOutbox, type SentMail } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'
import { addSubscribers, WITH_IMPRINT } from './subscribe.ts'

// News to a thousand people, of which the platform refuses some, on a clock that is set.

const PEOPLE = 1_000
const DUE = Date.parse('2026-11-26T07:00:00Z')
const MINUTES_OF_DAY = 24 * 60

let outbox: Outbox
let as: string

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox(WITH_IMPRINT)
  as = await makeUser('ada', 'administrator')
  await makeEvent(as, { title: 'Céilí', start_date: '2026-11-27 20:00:00' })
  await addSubscribers(PEOPLE)
})

const tick = (minute: number) => runCron(outbox, new Date(DUE + minute * 60_000).toISOString())

/** Has the platform refuse some e-mails. */
function refuse(code: string, isRefused: (mail: SentMail) => boolean): void {
  outbox.onSend = async mail => {
    if (isRefused(mail)) throw Object.assign(new Error('no'), { code })
  }
}

/**
 * Runs the cron each minute until some people have got their news.
 * @returns the minutes that this took; `most` if it didn't happen
 */
async function minutesUntil(sent: number, most: number): Promise<number> {
  let minute = 0
  while (minute < most && outbox.mails.length < sent) await tick(minute++)
  return minute
}

const recipients = () => new Set(outbox.mails.map(({ to }) => to))

const subscriberCounts = async () => (await sendWith(outbox.bindings)('GET', '/subscribers', { as })).body

/** True for some percent of calls, always the same ones. */
function sometimes(percent: number): () => boolean {
  let last = 1
  return () => {
    last = (last * 48_271) % 2_147_483_647
    return last % 100 < percent
  }
}

/** The minutes in which a thousand get their news if the platform takes all. */
const UNDISTURBED = 24

describe('news to a thousand', () => {
  it('take less than half an hour', async () => {
    expect(await minutesUntil(PEOPLE, 60)).toBeLessThanOrEqual(UNDISTURBED)
    expect(recipients().size).toBe(PEOPLE)
    expect(await subscriberCounts()).toMatchObject({ waiting: 0, left_out: 0 })
  })

  it.each([
    'E_RECIPIENT_SUPPRESSED',
    'E_DELIVERY_FAILED',
    'E_RECIPIENT_NOT_ALLOWED',
    'E_OF_TOMORROW',
    'E_RATE_LIMIT_EXCEEDED',
  ])('reach all others in time if the platform refuses one with %s', async code => {
    refuse(code, ({ to }) => to === 'p3@people.example')
    expect(await minutesUntil(PEOPLE - 1, 2 * UNDISTURBED)).toBeLessThanOrEqual(UNDISTURBED + 1)
    expect(await subscriberCounts()).toMatchObject({ waiting: 1, left_out: 0 })
    // Others can become due in between, and are not held up either.
    await query("UPDATE subscribers SET next_utc = '2026-11-26 20:00:00' WHERE id BETWEEN 11 AND 20")
    for (let minute = UNDISTURBED; minute < 15 * 60; minute += 60) await tick(minute)
    expect(outbox.mails).toHaveLength(PEOPLE - 1 + 10)
    expect(recipients().size).toBe(PEOPLE - 1)
  })

  it.each(['E_DELIVERY_FAILED', 'E_OF_TOMORROW'])(
    'reach all others in time if it refuses one of twenty with %s',
    async code => {
      refuse(code, ({ to }) => /\D(?:\d*[02468])?3@/.test(to))
      expect(await minutesUntil(PEOPLE - 50, 2 * UNDISTURBED)).toBeLessThanOrEqual(UNDISTURBED)
      expect(recipients().size).toBe(PEOPLE - 50)
      expect(await subscriberCounts()).toMatchObject({ waiting: 50, left_out: 0 })
    },
  )

  it('reach everybody on the same day if it refuses five percent with a code about the calendar', async () => {
    refuse('E_RATE_LIMIT_EXCEEDED', sometimes(5))
    expect(await minutesUntil(PEOPLE, MINUTES_OF_DAY)).toBeLessThan(MINUTES_OF_DAY)
    expect([outbox.mails.length, recipients().size]).toEqual([PEOPLE, PEOPLE])
    expect(await subscriberCounts()).toMatchObject({ waiting: 0, left_out: 0 })
    expect(await countRows('setbacks')).toBe(0)
  })

  it('go on a minute after an outage that the first success ends, whatever came before', async () => {
    let isDown = false
    refuse('E_RATE_LIMIT_EXCEEDED', () => isDown)
    for (let minute = 0; minute < 20; minute++) {
      isDown = minute % 4 === 0
      await tick(minute)
    }
    expect(outbox.mails.length).toBeGreaterThan(13 * 40)
  })

  it('count who was left out: given up after three days, for a week', async () => {
    refuse('E_DAILY_LIMIT_EXCEEDED', ({ to }) => to.startsWith('p1'))
    await query('DELETE FROM subscribers WHERE id > 12')
    const hours = async (from: number, to: number) => {
      for (let hour = from; hour < to; hour++) await tick(hour * 60)
    }
    await hours(0, 70)
    expect(outbox.mails).toHaveLength(8)
    expect(await subscriberCounts()).toMatchObject({ waiting: 4, left_out: 0 })
    await hours(70, 90)
    expect(await subscriberCounts()).toMatchObject({ waiting: 0, left_out: 4 })
    outbox.onSend = async () => {}
    await makeEvent(as, { title: 'Next', start_date: '2026-12-05 20:00:00' })
    await hours(7 * 24, 7 * 24 + 1)
    expect(outbox.mails).toHaveLength(8 + 12)
    expect(await subscriberCounts()).toMatchObject({ waiting: 0, left_out: 0 })
  })
})
