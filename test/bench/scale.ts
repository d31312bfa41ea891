// How far one deployment carries: readers in several places ask for a calendar's pages and lists, shared
// caches and the memory of Workers give what they have, and one database does the rest. `npx node
// test/bench/scale.ts` prints the tables of .github/SCALE.md. What a request costs is measured by `npm run
// bench`; prices are Cloudflare's of November 2026.

/** The parameters of a simulation. Times are in seconds. */
type Load = {
  readsPerSecond: number
  places: number
  addresses: number
  maxAge: number
  secondsPerEdit: number
  /** False if shared caches are never purged, so that they keep everything for `maxAge` only. */
  isPurged: boolean
}

/** @property fromCache, again, anew which part of the reads was answered how */
type Outcome = { fromCache: number; again: number; anew: number }

type Cost = { rows: number; cpuMs: number; sqlMs: number }

/**
 * Rows read, and milliseconds of CPU in the Worker and in D1's one thread: for unchanged and for computed
 * responses.
 */
type Costs = { again: Cost; anew: Cost }

const AGAIN: Cost = { rows: 1, cpuMs: 1, sqlMs: 0.2 }
const LIST: Costs = { again: AGAIN, anew: { rows: 300, cpuMs: 3, sqlMs: 1 } }
/** Of 1,000 events, with the rows that its budget allows. */
const FEED: Costs = { again: AGAIN, anew: { rows: 18_000, cpuMs: 25, sqlMs: 7 } }
const DOLLARS = { request: 0.3e-6, cpuMs: 0.02e-6, row: 0.001e-6 }
/** The least; an edit comes at least once. */
const SIMULATED_SECONDS = 1_800
const SECONDS_PER_DAY = 86_400
const SECONDS_PER_CRON = 60

/** Numbers from 0 to 1 that are the same in each run. */
function* random(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

/**
 * How shared caches are at a moment: how often they have been purged by then, at each edit and by the two
 * runs of the cron after it, and for how long they keep what they get now. Edits come between two runs.
 */
function purgesAt(at: number, { secondsPerEdit, maxAge, isPurged }: Load): { purges: number; keeps: number } {
  if (!isPurged) return { purges: 0, keeps: maxAge }
  const edit = Math.floor(at / secondsPerEdit)
  const editedAt = edit * secondsPerEdit
  const runs = Math.min(2, Math.floor((at - editedAt + SECONDS_PER_CRON / 2) / SECONDS_PER_CRON))
  return { purges: 3 * edit + runs, keeps: runs < 2 ? maxAge : SECONDS_PER_DAY }
}

/**
 * Reads at random moments, of addresses of which few are asked for often. Each place has a cache and one
 * Worker.
 */
function simulate(load: Load): Outcome {
  const { readsPerSecond, places, addresses, secondsPerEdit } = load
  const numbers = random()
  const next = () => numbers.next().value
  const cached = new Map<number, { until: number; purges: number }>()
  const inMemory = new Map<number, number>()
  const reads = readsPerSecond * Math.max(SIMULATED_SECONDS, secondsPerEdit)
  const counts = { fromCache: 0, again: 0, anew: 0 }
  for (let read = 0; read < reads; read++) {
    const at = read / readsPerSecond
    const key = Math.floor(next() * places) * addresses + Math.floor(addresses ** next()) - 1
    const { purges, keeps } = purgesAt(at, load)
    const entry = cached.get(key)
    if (entry && entry.until > at && entry.purges === purges) {
      counts.fromCache += 1
      continue
    }
    const revision = Math.floor(at / secondsPerEdit)
    counts[inMemory.get(key) === revision ? 'again' : 'anew'] += 1
    inMemory.set(key, revision)
    cached.set(key, { until: at + keeps, purges })
  }
  return { fromCache: counts.fromCache / reads, again: counts.again / reads, anew: counts.anew / reads }
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

/** The cost of an average read. */
const meanOf = ({ again, anew }: Outcome, costs: Costs, cost: keyof Cost): number =>
  again * costs.again[cost] + anew * costs.anew[cost]

/** Every read counts as a request, though some that a cache answers may not. */
const dollarsPerMillion = (outcome: Outcome, costs: Costs): number =>
  1e6 *
  (DOLLARS.request +
    meanOf(outcome, costs, 'cpuMs') * DOLLARS.cpuMs +
    meanOf(outcome, costs, 'rows') * DOLLARS.row)

function row(label: string, load: Load, costs = LIST): string {
  const outcome = simulate(load)
  const rowsPerDay = meanOf(outcome, costs, 'rows') * load.readsPerSecond * 86_400
  return [
    label,
    load.places,
    percent(outcome.fromCache),
    percent(outcome.anew),
    percent((meanOf(outcome, costs, 'sqlMs') * load.readsPerSecond) / 1_000),
    `${(rowsPerDay / 1e6).toFixed(1)} M`,
    `$ ${dollarsPerMillion(outcome, costs).toFixed(2)}`,
  ].join(' | ')
}

const BUSY = { addresses: 500, maxAge: 60, secondsPerEdit: 300, isPurged: true }
const CALM = { ...BUSY, secondsPerEdit: 6 * 3_600 }

console.log('| reads a second | places | from caches | computed | D1 busy | rows a day | a million reads |')
console.log('|---|--:|--:|--:|--:|--:|--:|')
for (const readsPerSecond of [0.1, 1, 10, 100, 1_000])
  for (const places of [1, 20, 200])
    console.log(`| ${row(String(readsPerSecond), { ...BUSY, readsPerSecond, places })} |`)
for (const readsPerSecond of [0.1, 1, 10, 100, 1_000])
  console.log(`| ${row(`${readsPerSecond}, four changes a day`, { ...CALM, readsPerSecond, places: 200 })} |`)
console.log(
  `| ${row('1000, the same, never purged', { ...CALM, readsPerSecond: 1_000, places: 200, isPurged: false })} |`,
)

// Calendar programs ask from the few places of who makes them.
const hourly = { addresses: 1, readsPerSecond: 10_000 / 3_600, places: 5 }
console.log(`| ${row('feed, 10,000 subscribers', { ...BUSY, ...hourly }, FEED)} |`)
console.log(`| ${row('the same, four changes a day', { ...CALM, ...hourly }, FEED)} |`)
