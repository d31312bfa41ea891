import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { connections, quantile, type Sample, send, throughput } from './measure.ts'
import { type Outcome, overBudget, table } from './report.ts'
import { REQUESTS as ALL_REQUESTS, type BenchRequest } from './requests.ts'
import { PASSWORD, seed } from './seed.ts'
import { startFloor, startService } from './servers.ts'

// npm run bench -- [--events 10000] [--rounds 40] [--json FILE] [--check]

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '40' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
})
const events = Number(options.events)
const rounds = Number(options.rounds)
if (!Number.isInteger(events) || events < 1_000)
  throw new Error('--events must be a whole number of at least 1000')

const REQUESTS = ALL_REQUESTS.filter(({ minEvents = 0 }) => events >= minEvents)

const AUTHORIZATION = `Basic ${Buffer.from(`bench:${PASSWORD}`).toString('base64')}`
const API = '/calendar/events/v1'
// One connection; every round measures each request once or more, so that all see the same machine.
const PER_ROUND = 5

const progress = (done: number, what: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${(done * 100).toFixed(0).padStart(3)} % ${what}\u001b[K`)
}

/** A figure of the `Server-Timing` header. */
const timing = ({ headers }: Sample, name: string): number =>
  Number(String(headers['server-timing']).match(new RegExp(`${name};(?:desc="|dur=)([\\d.]+)`))?.[1])

type Shot = () => Promise<Sample>

async function shooter(base: URL, { method, path, body, conditional }: BenchRequest): Promise<Shot> {
  const agent = connections(1)
  const [event] = JSON.parse((await send(agent, new URL(`${API}/events`, base))).text).events
  const url = new URL(API + path.replace('{slug}', event.slug), base)
  const headers: Record<string, string> = method
    ? { authorization: AUTHORIZATION, 'content-type': 'application/json' }
    : {}
  let n = 0
  // The writes of each round make older tags stale.
  if (conditional)
    return async () => {
      const { headers: known } = await send(agent, url)
      return send(agent, url, { headers: { 'if-none-match': String(known.etag) } })
    }
  return () => send(agent, url, { method: method ?? 'GET', headers, body: body && JSON.stringify(body(n++)) })
}

async function run(): Promise<void> {
  const bundle = buildWorker()
  const floor = startFloor()
  const service = startService(bundle.path)
  const started = performance.now()
  await seed(await service.getD1Database('DB'), events, progress)
  const seedSeconds = (performance.now() - started) / 1000
  const [base, floorUrl] = await Promise.all([service.ready, floor.ready])
  const floorAgent = connections(1)

  const shots = new Map<string, Shot>()
  for (const request of REQUESTS) shots.set(request.name, await shooter(base, request))
  const samples = new Map<string, Sample[]>(REQUESTS.map(({ name }) => [name, []]))
  const floorMs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const [name, shoot] of shots) {
      for (let i = 0; i < PER_ROUND; i++) {
        const floorSample = await send(floorAgent, floorUrl)
        const sample = await shoot()
        // The first round warms up.
        if (round === 0) continue
        floorMs.push(floorSample.ms)
        samples.get(name)?.push(sample)
      }
    }
    progress(round / rounds, 'measuring')
  }
  const floorP50 = quantile(floorMs, 0.5)
  const outcomes: Outcome[] = REQUESTS.map(request => {
    const taken = samples.get(request.name) ?? []
    const failed = taken.find(({ status }) => status >= 400)
    if (failed) throw new Error(`${request.name}: ${failed.status} ${failed.text.slice(0, 300)}`)
    const of = (name: string) => Math.max(...taken.map(sample => timing(sample, name)))
    const p50 = quantile(
      taken.map(({ ms }) => ms),
      0.5,
    )
    return {
      name: request.name,
      p50,
      p99: quantile(
        taken.map(({ ms }) => ms),
        0.99,
      ),
      ratio: p50 / floorP50,
      sqlMs: quantile(
        taken.map(sample => timing(sample, 'd1')),
        0.5,
      ),
      trips: of('trips') - (request.method ? 1 : 0),
      rowsRead: of('rows-read'),
      rowsWritten: of('rows-written'),
      bytes: taken.at(-1)?.bytes ?? 0,
      budget: { trips: request.trips, rows: request.rows(events) },
    }
  })
  const list = new URL(`${API}/events`, base)
  const parallel = { floor: await throughput(floorUrl, 8, 3_000), service: await throughput(list, 8, 3_000) }
  const result = { events, seedSeconds, bundle, floorP50, parallel, outcomes }
  progress(1, '\n')
  console.log(table(result))
  if (options.json) writeFileSync(options.json, JSON.stringify(result, null, 2))
  await Promise.all([service.dispose(), floor.dispose()])
  const over = overBudget(outcomes)
  for (const line of over) console.error(line)
  if (options.check && over.length > 0) process.exitCode = 1
}

await run()
