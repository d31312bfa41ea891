import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { quantile, type Sample, throughput } from './measure.ts'
import { type Outcome, overBudget, table } from './report.ts'
import { type BenchRequest, REQUESTS } from './requests.ts'
import { API, measureRounds, type Samples } from './rounds.ts'
import { seed } from './seed.ts'
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

const progress = (done: number, what: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${(done * 100).toFixed(0).padStart(3)} % ${what}\u001b[K`)
}

/** A figure of the `Server-Timing` header. */
const timing = ({ headers }: Sample, name: string): number =>
  Number(String(headers['server-timing']).match(new RegExp(`${name};(?:desc="|dur=)([\\d.]+)`))?.[1])

const median = (samples: readonly Sample[]): number =>
  quantile(
    samples.map(({ ms }) => ms),
    0.5,
  )

function outcomeOf(request: BenchRequest, { first, again }: Samples): Outcome {
  const all = [...first, ...again]
  const failed = all.find(({ status }) => status >= 400)
  if (failed) throw new Error(`${request.name}: ${failed.status} ${failed.text.slice(0, 300)}`)
  const most = (name: string) => Math.max(...all.map(sample => timing(sample, name)))
  return {
    name: request.name,
    first: median(first),
    again: median(again),
    p99: quantile(
      all.map(({ ms }) => ms),
      0.99,
    ),
    // Checking credentials is one more.
    trips: most('trips') - (request.method ? 1 : 0),
    rowsRead: most('rows-read'),
    rowsWritten: most('rows-written'),
    bytes: all.at(-1)?.bytes ?? 0,
    budget: { trips: request.trips, rows: request.rows(events) },
  }
}

async function run(): Promise<void> {
  const requests = REQUESTS.filter(({ minEvents = 0 }) => events >= minEvents)
  const bundle = buildWorker()
  const floor = startFloor()
  const service = startService(bundle.path)
  const started = performance.now()
  await seed(await service.getD1Database('DB'), events, progress)
  const seedSeconds = (performance.now() - started) / 1000
  const [base, floorUrl] = await Promise.all([service.ready, floor.ready])
  const { samples, floorMs } = await measureRounds(base, floorUrl, requests, rounds, done =>
    progress(done, 'measuring'),
  )
  const outcomes = requests.map(request =>
    outcomeOf(request, samples.get(request.name) ?? { first: [], again: [] }),
  )
  const list = new URL(`${API}/events`, base)
  const parallel = { floor: await throughput(floorUrl, 8, 3_000), service: await throughput(list, 8, 3_000) }
  const result = { events, seedSeconds, bundle, floorP50: quantile(floorMs, 0.5), parallel, outcomes }
  progress(1, '\n')
  console.log(table(result))
  if (options.json) writeFileSync(options.json, JSON.stringify(result, null, 2))
  await Promise.all([service.dispose(), floor.dispose()])
  const over = overBudget(outcomes)
  for (const line of over) console.error(line)
  if (options.check && over.length > 0) process.exitCode = 1
}

await run()
