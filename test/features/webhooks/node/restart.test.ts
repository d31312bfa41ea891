import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { Random } from '../../../bench/random.ts'
import { beginAtNoon } from '../../../clock.ts'
import { temporaryFolder } from '../../../commands/spawn.ts'
import { type Calendar, openCalendar } from '../../../node-calendar.ts'
import { makeReceiver, type Receiver, respondWithStatus } from '../../../receiver.ts'
import { dyingAt } from '../../../watched-d1.ts'
import { notify } from '../notify.ts'

// Nothing is lost and nothing overtakes, whoever dies: the receiver, a run between sending and writing down,
// the whole service.

let folder: string
let calendar: Calendar
let receiver: Receiver

beginAtNoon()
beforeEach(async () => {
  folder = temporaryFolder(onTestFinished)
  calendar = await openCalendar(folder)
  await calendar.setUp()
  receiver = await makeReceiver()
})

afterEach(async () => {
  await calendar.stop()
  await receiver.close()
})

const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** The first statement by which a run writes down what it has sent. */
const isRecord = (text: string) => /INSERT INTO [`]?conflicts[`]?/.test(text)

/** A run that is killed after it has sent something. */
const kill = () =>
  notify(calendar, { DB: dyingAt(calendar.DB, isRecord), messages: 60 }).catch(() => undefined)

const post = (path: string, body: object) => ({ method: 'POST', path, body })

async function batch(requests: object[]): Promise<void> {
  const { responses } = await calendar.must('POST', '/batch', { requests })
  for (const { status, body } of responses) if (status >= 300) throw new Error(JSON.stringify(body))
}

const JAZZ = { title: 'Jazz', start_date: '2027-01-10', end_date: '2027-01-10' }
const EVENTS = 40
const ROUNDS = 10

it('hundreds of changes arrive, none before an older one of the same event', async () => {
  const random = new Random(26)
  await batch(Array.from({ length: EVENTS }, () => post('/events', JAZZ)))
  const { id: webhook, secret } = await calendar.must('POST', '/webhooks', { url: receiver.url })
  receiver.secret = secret
  const taken = new Set<string>()
  const latest = new Map<number, number>()
  const exists = new Set(Array.from({ length: EVENTS }, (_, i) => i + 1))
  receiver.respond = (message, response, request) => {
    const { id } = message.data
    const n = Number(message.id.split('_')[4])
    expect(n).toBeGreaterThanOrEqual(latest.get(id) ?? 0)
    latest.set(id, n)
    const isTaken = random.below(20) > 0
    if (isTaken) {
      taken.add(`${id} ${n}`)
      if (message.type === 'event.created') exists.add(id)
      if (message.type === 'event.deleted') exists.delete(id)
    }
    // It may die after it has taken something, too.
    if (random.below(80) === 0) response.destroy()
    else respondWithStatus(isTaken ? 200 : 500)(message, response, request)
  }
  const numbers = () =>
    calendar.rows(`SELECT id, change_number FROM changes WHERE kind = 'events' ORDER BY id`)
  const waits = async () => {
    const [found] = await calendar.rows(
      `SELECT (SELECT count(*) FROM webhook_resources WHERE next_try_utc IS NOT NULL)
        + (SELECT count(*) FROM webhook_places AS p JOIN changes AS c USING (kind)
          WHERE c.change_number > p.n OR (c.change_number = p.n AND c.id > p.id)) AS n`,
    )
    return found?.n > 0
  }
  const trashed = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const requests = Array.from({ length: EVENTS }, (_, i) => {
      const isTrashed = !trashed.has(i + 1) && random.below(5) === 0
      if (isTrashed) trashed.add(i + 1)
      else trashed.delete(i + 1)
      const body = { status: isTrashed ? 'trash' : 'publish', title: `Round ${round}` }
      return { method: 'PATCH', path: `/events/${i + 1}`, body }
    })
    await batch(requests)
    const changed = await numbers()
    if (round === 4) {
      // The service ends in the middle of it.
      await kill()
      await calendar.stop()
      calendar = await openCalendar(folder)
    }
    for (let run = 0; await waits(); run++) {
      expect(run).toBeLessThan(200)
      const isKilled = random.below(8) === 0
      await (isKilled ? kill() : notify(calendar, { messages: 60 }))
      // A run that was killed leaves its webhooks to others after a minute; tries come later and later.
      passSeconds(61 * (1 + run))
    }
    expect(changed.filter(({ id, change_number: n }) => !taken.has(`${id} ${n}`))).toEqual([])
  }
  expect(receiver.bad).toEqual([])
  const { events } = await calendar.must('GET', '/events?per_page=100&status=publish')
  expect([...exists].sort()).toEqual(events.map(({ id }: { id: number }) => id).sort())
  expect(await calendar.must('GET', `/webhooks/${webhook}`)).toMatchObject({ active: true, waiting: 0 })
})

it('two runs at once send nothing twice, and stay within the limits of the free plan', async () => {
  const secret = `whsec_${btoa('s'.repeat(32))}`
  receiver.secret = secret
  for (let i = 0; i < 10; i++) await calendar.must('POST', '/webhooks', { url: receiver.url, secret })
  const event = { ...JAZZ, venue: { venue: 'Hall' } }
  await batch(Array.from({ length: 5 }, () => post('/events', event)))
  for (let run = 0; run < 20; run++) {
    const before = receiver.received.length
    const all = await Promise.all([notify(calendar), notify(calendar)])
    for (const { statements } of all) expect(statements).toBeLessThanOrEqual(45)
    expect(receiver.received.length - before).toBeLessThanOrEqual(2 * 40)
    passSeconds(1)
  }
  // Each message is for another webhook, which its id names.
  const seen = receiver.received.map(({ id }) => id)
  expect(receiver.bad).toEqual([])
  expect(new Set(seen).size).toBe(seen.length)
  // Of five events two messages each, and one of their venue.
  expect(seen).toHaveLength(10 * 11)
  // Where nothing has changed, each costs a look at its places.
  const idle = await notify(calendar)
  expect(idle.statements).toBe(2)
  expect(idle.rowsRead).toBeLessThan(10 * 25)
})

it('messages are on their way right after the response', async () => {
  const { secret } = await calendar.must('POST', '/webhooks', {
    url: receiver.url,
    events: ['event.published'],
  })
  receiver.secret = secret
  expect(await calendar.sendAndFinish('POST', '/events', JAZZ)).toBe(201)
  expect(receiver.take()).toEqual(['event.published 1'])
  expect(await calendar.sendAndFinish('GET', '/events/1')).toBe(200)
  expect(receiver.take()).toEqual([])
})

it('old messages are deleted, and what waits is not', async () => {
  const { id, secret } = await calendar.must('POST', '/webhooks', {
    url: receiver.url,
    events: ['event.published'],
  })
  receiver.secret = secret
  await batch([post('/events', JAZZ), post('/events', JAZZ)])
  receiver.respond = ({ data }, response) => void response.writeHead(data.id === 1 ? 500 : 200).end()
  await notify(calendar)
  expect((await calendar.must('GET', `/webhooks/${id}/deliveries`)).total).toBe(2)
  vi.setSystemTime('2026-12-21T12:07:00Z')
  receiver.respond = respondWithStatus(200)
  receiver.take()
  await calendar.tick()
  expect(receiver.take()).toEqual(['event.published 1'])
  expect((await calendar.must('GET', `/webhooks/${id}/deliveries`)).total).toBe(1)
})
