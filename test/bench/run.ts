import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyMigrations, PROJECT_CONFIG } from '../../src/commands/wrangler.ts'
import { ADMINISTRATOR, API } from './api.ts'
import type { BenchOptions } from './arguments.ts'
import { bundleWorker } from './build.ts'
import { assertCallgrind } from './callgrind.ts'
import { measureCron } from './cron.ts'
import { countInstructions, countStart, instructionTable, overInstructions } from './instructions.ts'
import { costTable, invocationTable, isTabled } from './invocations.ts'
import { countMatching } from './matching.ts'
import { cpuOf, runtimeIds, type Sample, throughput } from './measure.ts'
import { Random } from './random.ts'
import {
  cpuOfMost,
  median,
  type Outcome,
  outcomeOf,
  overBudget,
  type Pass,
  type Result,
  table as resultTable,
  startLine,
} from './report.ts'
import { type BenchRequest, REQUESTS } from './requests.ts'
import { type Clocks, measureRounds } from './rounds.ts'
import { measureImport, partsOf, seed } from './seed.ts'
import { startFloor, startService } from './servers.ts'
import { sizes } from './sizes.ts'
import { measureStart } from './start.ts'
import { postSeries, scheduleEvents } from './writers.ts'

// Rows and round trips are the same each time: when only they are of interest, few rounds do.
const FEW_ROUNDS = 2

const progress = (done: number, what: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${(done * 100).toFixed(0).padStart(3)} % ${what}\u001b[K`)
}

type Service = { db: D1Database; base: URL; floor: URL; state: string; trashed: number; clocks: Clocks }

/** Seconds that it took to fill the database; undefined if it was filled before. */
async function fill(
  service: Pick<Service, 'db' | 'base' | 'state'>,
  { events, series }: BenchOptions,
): Promise<number | undefined> {
  if (await service.db.prepare('SELECT 1 FROM users').first()) return undefined
  const started = performance.now()
  const occurrences = Math.round((events * series) / 100)
  await seed(service, events - occurrences, progress)
  const random = new Random(3)
  await postSeries(service.base, { occurrences, random }, done => progress(done, 'series through POST'))
  return (performance.now() - started) / 1000
}

const countScheduled = async (db: D1Database): Promise<number> =>
  (await db.prepare(`SELECT count(*) AS n FROM events WHERE status = 'future'`).first<number>('n')) ?? 0

const countEvents = async (db: D1Database): Promise<number> =>
  (await db.prepare(`SELECT count(*) AS n FROM events WHERE status <> 'trash'`).first<number>('n')) ?? 0

async function budgetOf({ db }: Service, request: BenchRequest, events: number) {
  const matching: number[] = []
  for (const one of request.matching ?? []) matching.push(await countMatching(db, one, request.period))
  const { trips, statements, written } = request
  return { trips, statements, written, rows: request.rows(events, ...matching) }
}

/**
 * The number of events that earlier runs on the same data have deleted: from id 501 on, one after the other.
 */
const countTrashed = async (db: D1Database, { events, series }: BenchOptions): Promise<number> => {
  const { imported } = partsOf(events - Math.round((events * series) / 100))
  const last = db.prepare(`SELECT max(id) AS id FROM events WHERE status = 'trash' AND id <= ?`)
  return Math.max(0, ((await last.bind(imported).first<number>('id')) ?? 0) - 500)
}

/**
 * Measures all requests with a number of scheduled events, or with as many as there are if these are more.
 */
async function measure(
  service: Service,
  { events, writes, only, table }: BenchOptions,
  scheduled: number,
  rounds: number,
): Promise<Pass & { floor: Sample[] }> {
  const missing = scheduled - (await countScheduled(service.db))
  if (missing > 0) await scheduleEvents(service.base, ADMINISTRATOR, missing, new Random(2))
  const present = scheduled - Math.min(missing, 0)
  const requests = REQUESTS.filter(
    ({ name, minEvents = 0, method }) =>
      events >= minEvents &&
      (!writes || method !== undefined) &&
      name.includes(only) &&
      (!table || isTabled(name)),
  )
  const { samples, floor } = await measureRounds(service, requests, rounds, done =>
    progress(done, `measuring, ${present} scheduled`),
  )
  // Beside the events that were asked for there are those of some series, and those that the requests made.
  const all = await countEvents(service.db)
  const outcomes: Outcome[] = []
  for (const request of requests)
    outcomes.push(outcomeOf(request, samples.get(request.name), await budgetOf(service, request, all)))
  return { scheduled: present, outcomes, floor }
}

async function measureAll(service: Service, options: BenchOptions): Promise<Omit<Result, 'starts'>> {
  const { events, rounds, scheduled } = options
  const seedSeconds = await fill(service, options)
  const [first, ...others] = scheduled
  const main = await measure(service, options, first, rounds)
  const list = new URL(`${API}/events`, service.base)
  const parallel = {
    floor: await throughput(service.floor, 8, 3_000),
    service: await throughput(list, 8, 3_000),
  }
  const more: Pass[] = []
  for (const number of others)
    more.push(await measure(service, options, number, Math.min(rounds, FEW_ROUNDS)))
  progress(1, '\n')
  const floorP50 = median(main.floor)
  const floorCpu = cpuOfMost(main.floor)
  return { events, seedSeconds, floorP50, floorCpu, parallel, passes: [main, ...more] }
}

async function run(options: BenchOptions, state: string): Promise<void> {
  const script = await bundleWorker()
  const starts = options.table ? undefined : await measureStart(script)
  await applyMigrations({ remote: false, persistTo: state, environment: undefined, config: PROJECT_CONFIG })
  const service = startService(script, state)
  const base = await service.ready
  const floor = await startFloor()
  const floorUrl = await floor.ready
  // The service was started first.
  const [first, second] = runtimeIds().map(pid => () => cpuOf(pid))
  const clocks = { service: first, floor: second }
  const db = await service.getD1Database('DB')
  const trashed = await countTrashed(db, options)
  const measured = await measureAll({ db, base, floor: floorUrl, state, trashed, clocks }, options).finally(
    () => Promise.all([service.dispose(), floor.dispose()]),
  )
  const result: Result = { ...measured, starts }
  console.log(options.table ? await tablesOf(script, result) : resultTable(result))
  if (options.sizes) console.log(`\n${sizes(state)}`)
  if (options.json) writeFileSync(options.json, JSON.stringify(result, null, 2))
  tell(overBudget(result), options)
}

/** The tables of invocations and of costs. */
async function tablesOf(script: string, { passes: [{ outcomes }] }: Result): Promise<string> {
  const minutes = await measureCron(script)
  return `${invocationTable(outcomes, minutes)}\n\n${costTable(outcomes, await measureImport())}`
}

/** Prints what exceeds its budget. */
function tell(over: readonly string[], { check }: BenchOptions): void {
  for (const line of over) console.error(line)
  if (check && over.length > 0) process.exitCode = 1
}

/** Measures starts only. */
async function runStarts(): Promise<void> {
  const starts = await measureStart(await bundleWorker())
  if (!starts) throw new Error('This system does not report what a process uses.')
  console.log(startLine(starts))
}

/** Counts instructions only. The database is filled without Valgrind, in which that would take an hour. */
async function runInstructions(options: BenchOptions, state: string): Promise<void> {
  assertCallgrind()
  const script = await bundleWorker()
  const counted = await countStart(script)
  if (!options.start) {
    await applyMigrations({ remote: false, persistTo: state, environment: undefined, config: PROJECT_CONFIG })
    const { only, events } = options
    const service = startService(script, state)
    const base = await service.ready
    const db = await service.getD1Database('DB')
    await fill({ db, base, state }, options)
    const trashed = await countTrashed(db, options)
    await service.dispose()
    counted.push(...(await countInstructions(script, { state, trashed, only, events }, progress)))
    progress(1, '\n')
  }
  console.log(instructionTable(counted))
  if (options.json) writeFileSync(options.json, JSON.stringify(counted, null, 2))
  tell(overInstructions(counted), options)
}

/** Measures what is asked for, and prints it. */
export async function bench(options: BenchOptions): Promise<void> {
  const { instructions, start, data } = options
  if (start && !instructions) return runStarts()
  const runIn = (folder: string) => (instructions ? runInstructions : run)(options, folder)
  if (data !== undefined) {
    await mkdir(data, { recursive: true })
    return runIn(data)
  }
  const folder = await mkdtemp(join(tmpdir(), 'bench-data-'))
  await runIn(folder).finally(() => rm(folder, { recursive: true }))
}
