import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { beginAtNoon } from '../../../clock.ts'
import { type Calendar, openCalendar } from '../../../node-calendar.ts'
import { makeReceiver, type Receiver, respondWithStatus } from '../../../receiver.ts'
import { notify } from '../notify.ts'

// Receivers that don't accept their messages. The tests set the clock, so none of them waits.

let calendar: Calendar
let receiver: Receiver
let webhook: number

beginAtNoon()
beforeAll(async () => {
  calendar = await openCalendar()
  await calendar.setUp()
})

afterAll(async () => {
  await calendar.stop()
})

beforeEach(async () => {
  receiver = await makeReceiver()
  const made = await calendar.must('POST', '/webhooks', {
    url: receiver.url,
    events: ['event.created', 'event.updated', 'event.deleted'],
  })
  webhook = made.id
  receiver.secret = made.secret
})

afterEach(async () => {
  await calendar.must('DELETE', `/webhooks/${webhook}`)
  await receiver.close()
})

const makeEvent = async (): Promise<number> =>
  (
    await calendar.must('POST', '/events', {
      title: 'Jazz',
      start_date: '2027-01-10',
      end_date: '2027-01-10',
    })
  ).id

const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const read = () => calendar.must('GET', `/webhooks/${webhook}`)
const deliveries = async () =>
  (await calendar.must('GET', `/webhooks/${webhook}/deliveries?per_page=100`)).deliveries

const HOUR = 3600
const PAUSES = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

describe('tries', () => {
  it('come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and no more', async () => {
    receiver.respond = respondWithStatus(500, 'Out of order')
    const id = await makeEvent()
    await notify(calendar)
    for (const pause of PAUSES) {
      expect(receiver.take()).toEqual([`event.created ${id}`])
      passSeconds(pause - 1)
      await notify(calendar)
      expect(receiver.take(), `before ${pause} s`).toEqual([])
      passSeconds(1)
      await notify(calendar)
    }
    expect(receiver.take()).toEqual([`event.created ${id}`])
    passSeconds(40 * HOUR)
    await notify(calendar)
    expect(receiver.take()).toEqual([])
    const [delivery, ...more] = await deliveries()
    expect(more).toEqual([])
    expect(delivery).toMatchObject({
      type: 'event.created',
      state: 'failed',
      tries: 10,
      status: 500,
      response: 'Out of order',
      message: 'The receiver responded with 500.',
    })
    expect(delivery).not.toHaveProperty('next_try_utc')
    // The next change sends the message that was never accepted, and has all tries again.
    await calendar.must('PATCH', `/events/${id}`, { title: 'Blues' })
    await notify(calendar)
    expect(receiver.take()).toEqual([`event.created ${id}`])
    receiver.respond = respondWithStatus(200)
    passSeconds(5)
    await notify(calendar)
    expect(receiver.take()).toEqual([`event.created ${id}`])
  })

  it('are told how many changes are still to come', async () => {
    await makeEvent()
    await notify(calendar)
    expect(await read()).toMatchObject({ behind: 0 })
    const first = await makeEvent()
    await makeEvent()
    await makeEvent()
    expect(await read()).toMatchObject({ state: 'ok', behind: 3 })
    // Two changes of one event are one.
    await calendar.must('PATCH', `/events/${first}`, { title: 'Later' })
    expect(await read()).toMatchObject({ behind: 3 })
    await notify(calendar)
    expect(await read()).toMatchObject({ behind: 0 })
  })

  it('repeat the message, unless the event has changed: then they only send the new state', async () => {
    receiver.respond = respondWithStatus(503)
    const id = await makeEvent()
    await notify(calendar)
    passSeconds(5)
    await notify(calendar)
    const [first, second] = receiver.received.splice(0)
    expect(second).toEqual(first)
    await calendar.must('DELETE', `/events/${id}`)
    receiver.respond = respondWithStatus(200)
    // It waits for the next try, when the event doesn't exist any more.
    await notify(calendar)
    passSeconds(300)
    await notify(calendar)
    expect(receiver.take()).toEqual([])
    expect(await read()).toMatchObject({ waiting: 0 })
  })

  it('keep the order of an event’s messages, without delaying other events', async () => {
    const poison = await makeEvent()
    const other = await makeEvent()
    await notify(calendar)
    receiver.take()
    receiver.respond = ({ data }, response) => void response.writeHead(data.id === poison ? 400 : 200).end()
    for (const title of ['One', 'Two', 'Three']) {
      for (const id of [poison, other]) await calendar.must('PATCH', `/events/${id}`, { title })
      await notify(calendar)
    }
    expect(receiver.take()).toEqual([poison, other, other, other].map(id => `event.updated ${id}`))
    expect(await read()).toMatchObject({ state: 'ok', waiting: 1 })
    receiver.respond = respondWithStatus(200)
    passSeconds(5)
    // A due event causes one message, about its present state.
    await calendar.must('PATCH', `/events/${poison}`, { title: 'Four' })
    await notify(calendar)
    expect(receiver.received.map(({ data }) => data)).toMatchObject([{ id: poison, changed: ['title'] }])
    expect((await deliveries()).map(({ state }: { state: string }) => state).sort()).toEqual(
      ['delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'replaced'].sort(),
    )
    expect(await read()).toMatchObject({ state: 'ok', waiting: 0 })
  })

  it('for one event skip no change of another', async () => {
    receiver.respond = respondWithStatus(500)
    const first = await makeEvent()
    await notify(calendar)
    const second = await makeEvent()
    await calendar.must('PATCH', `/events/${first}`, { title: 'Newer than the second' })
    receiver.respond = respondWithStatus(200)
    receiver.take()
    passSeconds(5)
    for (const id of [first, second]) {
      await notify(calendar, { messages: 1 })
      expect(receiver.take()).toEqual([`event.created ${id}`])
    }
  })

  it('by hand, or for a webhook that is switched on again, don’t affect other webhooks', async () => {
    const other = await makeReceiver()
    const made = await calendar.must('POST', '/webhooks', { url: other.url })
    other.secret = made.secret
    receiver.respond = respondWithStatus(500)
    other.respond = respondWithStatus(500)
    const both = [await makeEvent(), await makeEvent()].map(id => `event.created ${id}`)
    const taken = () => [receiver.take().sort(), other.take().sort()]
    await notify(calendar)
    expect(taken()).toEqual([both, both])
    const [{ id, payload }] = await deliveries()
    const retry = () => calendar.must('POST', `/webhooks/${webhook}/deliveries/${id}/retry`)
    await retry()
    expect(taken()).toEqual([[`event.created ${payload.data.id}`], []])
    passSeconds(5)
    await retry()
    expect(taken()).toEqual([both, []])
    await notify(calendar)
    expect(taken()).toEqual([[], both])
    for (const active of [false, true]) await calendar.must('PATCH', `/webhooks/${webhook}`, { active })
    await notify(calendar)
    expect(taken()).toEqual([both, []])
    await calendar.must('DELETE', `/webhooks/${made.id}`)
    await other.close()
  })

  it('by hand send what is there now, and not the message that it replaces', async () => {
    receiver.respond = respondWithStatus(500)
    const id = await makeEvent()
    await notify(calendar)
    const [first] = await deliveries()
    await calendar.must('PATCH', `/events/${id}`, { title: 'Newer' })
    receiver.respond = respondWithStatus(200)
    receiver.take()
    const path = `/webhooks/${webhook}/deliveries/${first.id}/retry`
    expect(await calendar.must('POST', path)).toMatchObject({ id: first.id, state: 'replaced', tries: 1 })
    expect(receiver.take()).toEqual([`event.created ${id}`])
    expect((await deliveries()).map(({ state }: { state: string }) => state).sort()).toEqual([
      'delivered',
      'replaced',
    ])
  })

  it('are made at once by hand', async () => {
    receiver.respond = respondWithStatus(500)
    await makeEvent()
    await notify(calendar)
    const [{ id, message_id }] = await deliveries()
    receiver.respond = respondWithStatus(200, 'Thanks')
    const retried = await calendar.must('POST', `/webhooks/${webhook}/deliveries/${id}/retry`)
    expect(retried).toMatchObject({ id, message_id, state: 'delivered', tries: 2, response: 'Thanks' })
    expect(await read()).toMatchObject({ state: 'ok', waiting: 0 })
    // The same id again: receivers recognise the repeated message.
    const again = await calendar.must('POST', `/webhooks/${webhook}/deliveries/${id}/retry`)
    expect(again).toMatchObject({ id, message_id, tries: 3 })
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    passSeconds(24 * HOUR)
    await notify(calendar)
    expect(receiver.received).toHaveLength(3)
  })
})

describe('receivers in trouble', () => {
  it('a receiver that is gone gets nothing more, until somebody switches it on', async () => {
    receiver.respond = respondWithStatus(410)
    const ids = [await makeEvent(), await makeEvent()]
    await notify(calendar)
    expect(receiver.take()).toEqual([`event.created ${ids[0]}`])
    expect(await read()).toMatchObject({ active: false, state: 'gone' })
    passSeconds(HOUR)
    await notify(calendar)
    expect(receiver.take()).toEqual([])
    receiver.respond = respondWithStatus(200)
    expect(await calendar.must('PATCH', `/webhooks/${webhook}`, { active: true })).toMatchObject({
      state: 'ok',
    })
    await notify(calendar)
    expect(receiver.take().sort()).toEqual(ids.map(id => `event.created ${id}`).sort())
  })

  it('a receiver that fails for five days is switched off, and gets everything afterwards', async () => {
    receiver.respond = respondWithStatus(500)
    const ids: number[] = []
    for (let day = 0; day < 5; day++) {
      ids.push(await makeEvent())
      await notify(calendar)
      expect((await read()).active, `day ${day}`).toBe(true)
      passSeconds(24 * HOUR)
    }
    ids.push(await makeEvent())
    await notify(calendar)
    expect(await read()).toMatchObject({
      active: false,
      state: 'failing',
      failing_since_utc: '2026-11-20 12:00:00',
    })
    receiver.respond = respondWithStatus(200)
    receiver.take()
    await calendar.must('PATCH', `/webhooks/${webhook}`, { active: true })
    await notify(calendar)
    expect(receiver.take().sort()).toEqual(ids.map(id => `event.created ${id}`).sort())
  })

  it('a redirect to another address is not followed', async () => {
    const other = await makeReceiver()
    for (const code of [301, 302, 303, 307, 308]) {
      receiver.respond = (_, response) =>
        void response.writeHead(code, { location: `${other.url}&moved` }).end()
      expect(await calendar.must('POST', `/webhooks/${webhook}/test`)).toMatchObject({
        state: 'failed',
        status: code,
      })
    }
    expect([...other.received, ...other.bad]).toEqual([])
    await other.close()
  })

  it('a receiver that responds at length is not read beyond 1,000 characters', async () => {
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    receiver.respond = async (_, response) => {
      response.writeHead(200)
      response.on('close', end)
      // More than the buffers on the way hold.
      for (let sent = 0; sent < 50_000 && !response.destroyed; sent++)
        if (!response.write('é\u0000'.repeat(1_000))) await new Promise(resolve => setImmediate(resolve))
    }
    const { response, state } = await calendar.must('POST', `/webhooks/${webhook}/test`)
    expect(state).toBe('delivered')
    expect(response).toMatch(/^é{300,1000}$/)
    await ended
  })

  it('a receiver that gives a wrong length, or breaks off, still counts by its status', async () => {
    receiver.respond = (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('Short')
      setImmediate(() => response.destroy())
    }
    const lying = await calendar.must('POST', `/webhooks/${webhook}/test`)
    expect(lying).toMatchObject({ state: 'delivered', status: 200 })
    receiver.respond = (_, response) => void response.destroy()
    const broken = await calendar.must('POST', `/webhooks/${webhook}/test`)
    expect(broken).toMatchObject({ state: 'failed', message: 'The connection failed or was interrupted.' })
    expect(broken).not.toHaveProperty('status')
  })

  it('a receiver that doesn’t speak HTTP, or doesn’t exist, has failed', async () => {
    const server = createServer(socket => {
      socket.on('error', () => {})
      socket.write('220 mail.example.org\r\n', () => socket.destroy())
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    await calendar.must('PATCH', `/webhooks/${webhook}`, { url: `http://127.0.0.1:${port}/` })
    const mail = await calendar.must('POST', `/webhooks/${webhook}/test`)
    await new Promise(resolve => server.close(resolve))
    const nobody = await calendar.must('POST', `/webhooks/${webhook}/test`)
    for (const delivery of [mail, nobody])
      expect(delivery).toMatchObject({
        state: 'failed',
        message: 'The connection failed or was interrupted.',
        response: '',
      })
  })

  it('a receiver that hangs doesn’t delay others, and is tried once', async () => {
    // Long enough for the other receiver on a busy machine.
    const PATIENCE_MS = 2_000
    const quick = await makeReceiver()
    const made = await calendar.must('POST', '/webhooks', { url: quick.url, events: ['event.created'] })
    quick.secret = made.secret
    const ids = [await makeEvent(), await makeEvent(), await makeEvent()]
    const takenMeanwhile = Promise.withResolvers<number>()
    receiver.respond = (_, response) =>
      void response.on('close', () => takenMeanwhile.resolve(quick.received.length))
    await notify(calendar, { patienceMs: PATIENCE_MS })
    expect(await takenMeanwhile.promise).toBe(ids.length)
    expect(quick.take()).toEqual(ids.map(id => `event.created ${id}`))
    expect(receiver.take()).toEqual([`event.created ${ids[0]}`])
    expect((await deliveries())[0]).toMatchObject({
      state: 'waiting',
      message: 'There was no response within 15 seconds.',
    })
    // Messages that another receiver has accepted don't count for this one.
    await calendar.must('PATCH', `/webhooks/${made.id}`, { events: ['event.updated'] })
    await calendar.must('PATCH', `/events/${ids[0]}`, { title: 'Blues' })
    await notify(calendar, { patienceMs: PATIENCE_MS })
    expect(quick.take()).toEqual([`event.updated ${ids[0]}`])
    expect((await deliveries()).at(-1)).toMatchObject({ payload: { data: { id: ids[0] } }, state: 'waiting' })
    await calendar.must('DELETE', `/webhooks/${made.id}`)
    await quick.close()
  })

  it('a receiver that is slow gets as much as fits into a run, and the rest later', async () => {
    const ids: number[] = []
    for (let i = 0; i < 6; i++) ids.push(await makeEvent())
    receiver.respond = (message, response, request) => {
      passSeconds(21)
      respondWithStatus(200)(message, response, request)
    }
    await notify(calendar)
    // One in each round of a run.
    expect(receiver.take()).toEqual(ids.slice(0, 4).map(id => `event.created ${id}`))
    await notify(calendar)
    expect(receiver.take()).toEqual(ids.slice(4).map(id => `event.created ${id}`))
  })

  it('a receiver that is slower than a run gets its messages in the next one, whose result counts', async () => {
    const id = await makeEvent()
    receiver.respond = async (message, response, request) => {
      receiver.respond = respondWithStatus(200)
      passSeconds(61)
      await notify(calendar)
      respondWithStatus(500)(message, response, request)
    }
    await notify(calendar)
    expect(receiver.take()).toEqual([`event.created ${id}`, `event.created ${id}`])
    expect(await read()).toMatchObject({ state: 'ok', waiting: 0 })
  })

  it('a receiver that refuses every other message still gets all of them', async () => {
    const ids: number[] = []
    for (let i = 0; i < 12; i++) ids.push(await makeEvent())
    receiver.respond = ({ data }, response) => void response.writeHead(data.id % 2 ? 400 : 200).end()
    await notify(calendar)
    expect(receiver.take()).toEqual(ids.map(id => `event.created ${id}`))
  })

  it('a receiver that accepts nothing has few waiting messages, and changes stay where they are', async () => {
    receiver.respond = respondWithStatus(500)
    const ids: number[] = []
    for (let i = 0; i < 30; i++) ids.push(await makeEvent())
    for (let i = 0; i < 12; i++) {
      await notify(calendar)
      passSeconds(1)
    }
    const { waiting } = await read()
    expect(waiting).toBeGreaterThanOrEqual(20)
    expect(waiting).toBeLessThan(25)
    expect(new Set(receiver.take()).size).toBe(waiting)
    receiver.respond = respondWithStatus(200)
    for (let i = 0; i < 4; i++) {
      passSeconds(300)
      await notify(calendar)
    }
    expect(new Set(receiver.take())).toEqual(new Set(ids.map(id => `event.created ${id}`)))
    expect(await read()).toMatchObject({ state: 'ok', waiting: 0 })
  })
})

describe('a webhook', () => {
  /** Another webhook, which works, and its messages. */
  async function other(): Promise<{ told: () => number; end: () => Promise<void> }> {
    const second = await makeReceiver()
    const { id, secret } = await calendar.must('POST', '/webhooks', {
      url: second.url,
      events: ['event.created'],
    })
    second.secret = secret
    const end = async () => {
      await calendar.must('DELETE', `/webhooks/${id}`)
      await second.close()
    }
    return { told: () => second.received.length, end }
  }

  it.each([
    [
      'whose types cannot be read',
      "UPDATE webhooks SET events = '['",
      'UPDATE webhooks SET events = \'["event.created"]\'',
    ],
    [
      'whose filters cannot be read',
      "UPDATE webhooks SET filters = '{'",
      "UPDATE webhooks SET filters = '{}'",
    ],
    [
      'whose API has no valid address',
      "UPDATE webhooks SET api = 'x'",
      "UPDATE webhooks SET api = 'https://town.example/calendar/events/v1'",
    ],
    [
      'that cannot be reserved',
      "CREATE TRIGGER refused BEFORE UPDATE ON webhooks WHEN OLD.id = $id BEGIN SELECT RAISE(ABORT, 'refused'); END",
      'DROP TRIGGER refused',
    ],
    [
      'whose messages cannot be stored',
      "CREATE TRIGGER refused BEFORE INSERT ON webhook_deliveries WHEN NEW.webhook_id = $id BEGIN SELECT RAISE(ABORT, 'refused'); END",
      'DROP TRIGGER refused',
    ],
  ])('%s delays no other, is left alone for longer and longer, and then goes on', async (_, bad, good) => {
    const second = await other()
    const rows = (sql: string) => {
      const text = sql.replace('$id', String(webhook))
      return calendar.rows(/^UPDATE/.test(text) ? `${text} WHERE id = ${webhook}` : text)
    }
    await rows(bad)
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const asked: number[] = []
    try {
      for (let minute = 0; minute < 40; minute++) {
        if (minute % 10 === 0) await makeEvent()
        const before = errors.mock.calls.length
        await calendar.tick()
        asked.push(errors.mock.calls.length - before)
        passSeconds(60)
      }
      expect(second.told()).toBe(4)
      // Each pause is some minutes, then twice as long.
      expect(asked.slice(10).filter(count => count > 0).length).toBeLessThan(6)
    } finally {
      errors.mockRestore()
      await rows(good)
    }
    passSeconds(2 * HOUR)
    receiver.received.length = 0
    await calendar.tick()
    expect(receiver.received.length).toBeGreaterThan(0)
    await second.end()
  })
})
