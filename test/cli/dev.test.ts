import { afterAll, beforeAll, expect, test } from 'vitest'
import { datesOf } from '../../src/cli/load-sample.ts'
import { EVENTS } from '../../src/cli/sample.ts'
import { addDays } from '../../src/lib/time.ts'
import { NAMESPACE } from '../../src/settings.ts'
import { ended, freePort, type Running, start, temporaryFolder } from './spawn.ts'

const START_MS = 60_000

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
})

afterAll(() => folder.remove())

/** Starts the service on the test's folder, and waits until it answers. */
async function serve() {
  const port = await freePort()
  const running = start('dev.ts', ['--port', String(port), '--persist-to', folder.path])
  const base = `http://localhost:${port}/${NAMESPACE}`
  await answers(base, running)
  return { running, base }
}

async function answers(base: string, running: Running): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; ) {
    if (running.process.exitCode !== null) break
    const response = await fetch(`${base}/tags`).catch(() => undefined)
    if (response?.ok) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`The service did not start:\n${running.stdout}\n${running.stderr}`)
}

async function stop(running: Running): Promise<void> {
  running.process.kill('SIGTERM')
  await ended(running)
}

type List = { total: number; [resource: string]: unknown }

const list = async (address: string, authorization?: string): Promise<List> => {
  const response = await fetch(address, { headers: authorization ? { authorization } : {} })
  expect(response.status).toBe(200)
  // Every list has a total and its resource.
  return (await response.json()) as List
}

/** Everything that the sample consists of; addresses differ between starts, for each has its port. */
async function everything(base: string, authorization: string) {
  const resources = ['events', 'venues', 'organizers', 'categories', 'tags']
  const lists = resources.map(name => list(`${base}/${name}?per_page=50&hide_empty=false`, authorization))
  return JSON.stringify(await Promise.all(lists)).replaceAll(new URL(base).host, 'host')
}

test('the first start makes an administrator and a calendar, the second changes nothing', async () => {
  const first = await serve()
  const [, password] = first.running.stdout.match(/^Password +((?:\w{5} ?){8})/m) ?? []
  expect(password).toBeDefined()
  const authorization = `Basic ${btoa(`admin:${password?.trim()}`)}`

  const shown = await list(`${first.base}/events?per_page=50`)
  expect(shown.total).toBe(EVENTS.length - 1)
  expect((await list(`${first.base}/events?per_page=50`, authorization)).total).toBe(EVENTS.length)
  expect((await list(`${first.base}/venues`)).total).toBe(4)
  expect((await list(`${first.base}/organizers`)).total).toBe(3)
  const before = await everything(first.base, authorization)
  await stop(first.running)

  const second = await serve()
  expect(second.running.stdout).toContain('npm run user -- password admin')
  expect(second.running.stdout).not.toContain(password)
  expect(await everything(second.base, authorization)).toBe(before)
  await stop(second.running)
}, 180_000)

const DAY_MS = 86_400_000

test.each([0, 1, 2, 3, 4, 5, 6])('sample events lie ahead, on their weekday (%i)', offset => {
  const now = addDays('2026-12-28 23:30:00', offset)
  const { start_date, end_date } = datesOf({ weekday: 6, week: 1, days: 2, from: '10:00', to: '12:30' }, now)
  expect([start_date.slice(11), end_date.slice(11)]).toEqual(['10:00', '12:30'])
  expect([weekday(start_date), weekday(end_date)]).toEqual([6, 0])
  const ahead = (Date.parse(start_date.slice(0, 10)) - Date.parse(now.slice(0, 10))) / DAY_MS
  expect(ahead).toBeGreaterThanOrEqual(8)
  expect(ahead).toBeLessThanOrEqual(14)
})

const weekday = (date: string) => new Date(date.slice(0, 10)).getUTCDay()
