import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startDatabases } from '../../../../src/cli/local-d1.ts'
import { beginAtNoon } from '../../../clock.ts'
import { connectionTo } from '../../../connection.ts'
import { responseFrom, startApp, workerOver } from '../../../intake/worker.ts'
import { migrate } from '../../../migrated.ts'
import { Copy, type Read, sorted } from '../copy.ts'

// A copy outlives the server that it began with, but not ninety days without a request.

let folder: string

beginAtNoon()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restart-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

/** The service over the data in the folder. */
async function start() {
  const { d1, stop } = await startDatabases(['calendar'], folder)
  const [first] = d1
  if (!first) throw new Error('no database')
  const db = { ...connectionTo(first, stop), d1: first }
  return { d1: first, db, app: startApp(), stop }
}

type Server = Awaited<ReturnType<typeof start>>

/** Reads that go to the server that runs, and what they gave. */
function readerOf(current: () => Server) {
  const answers: Awaited<ReturnType<Read>>[] = []
  const read: Read = async path => {
    const response = await responseFrom(current().db, path.slice(1), current().app)
    const answer = { status: response.status, body: JSON.parse(await response.text()) }
    answers.push(answer)
    return answer
  }
  return { read, answers }
}

const event = (n: number) => ({
  title: `Event ${n}`,
  start_date: `2027-01-${String(1 + (n % 28)).padStart(2, '0')} 20:00`,
  end_date: '2027-02-01 22:00',
  categories: [n % 2 === 0 ? 'Even' : 'Odd'],
})

it('a copy goes on after a restart, and begins anew once its token has expired', async () => {
  let server = await start()
  await migrate(server.d1)
  let send = await workerOver(server.db, server.app)
  const write = async (method: string, path: string, fields?: object) => {
    const { status, body } = await send(method, path, fields)
    expect(status, `${method} ${path}: ${JSON.stringify(body)}`).toBeLessThan(300)
  }
  for (let n = 1; n <= 12; n++) await write('POST', 'events', event(n))
  const { read, answers } = readerOf(() => server)
  const half = new Copy('events', '', read)
  const whole = new Copy('events', 'categories=1', read)
  const equalLists = async () => {
    for (const copy of [half, whole]) {
      await copy.sync(4)
      expect(sorted(copy.rows.values())).toEqual(sorted(await copy.list()))
    }
  }
  // One restart comes in the middle of a first copy.
  expect(await half.step(5)).toBe(true)
  expect(half.rows.size).toBe(5)
  await whole.sync()
  expect(whole.rows.size).toBe(6)
  await write('DELETE', 'events/1')
  await write('PATCH', 'events/2', { categories: ['Odd'] })

  const restart = async () => {
    await server.stop()
    server = await start()
    send = await workerOver(server.db, server.app)
  }
  await restart()
  await write('PATCH', 'events/4', { title: 'After the restart' })
  await write('POST', 'events', { ...event(13), recurrence: 'FREQ=DAILY;COUNT=3' })
  await write('DELETE', 'events/6?force=true')
  await equalLists()
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(half.rows.size).toBe(13)

  // Nothing is sent again.
  answers.length = 0
  await restart()
  expect([await half.step(), await whole.step()]).toEqual([false, false])
  expect(answers.map(({ body }) => [body.events, body.deleted])).toEqual([
    [[], []],
    [[], []],
  ])

  vi.setSystemTime('2027-02-19T12:00:00Z')
  await restart()
  await write('PATCH', 'events/8', { title: 'Long after' })
  await write('DELETE', 'events/10')
  answers.length = 0
  await equalLists()
  expect(answers.map(({ status }) => status).filter(status => status !== 200)).toEqual([410, 410])
  await server.stop()
})
