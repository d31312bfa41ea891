import { INVOCATION } from '../../src/kit/lib/budgets.ts'
import { isFailed, quantile, type Sample } from './measure.ts'
import type { BenchRequest } from './requests.ts'
import type { Samples } from './rounds.ts'
import type { Starts } from './start.ts'

export type Outcome = {
  name: string
  /** Median of responses that had to be worked out, in milliseconds; not a number where there are none. */
  first: number
  /** Median of responses to a request that was sent before since the last write. */
  again: number
  /**
   * Milliseconds of CPU of responses that had to be worked out, in all threads of the runtime: their lower
   * quartile.
   */
  cpu: number
  p99: number
  trips: number
  statements: number
  rowsRead: number
  rowsWritten: number
  bytes: number
  budget: {
    trips: number
    statements?: number | undefined
    rows: number
    written?: number | undefined
  }
}

/** The outcomes with a number of scheduled events in the calendar. */
export type Pass = { scheduled: number; outcomes: Outcome[] }

export type Result = {
  events: number
  /** Undefined if the database was there before. */
  seedSeconds: number | undefined
  /** Undefined where the system does not tell. */
  starts: Starts | undefined
  floorP50: number
  /** Milliseconds of CPU of one request of the floor; not a number where the system does not tell. */
  floorCpu: number
  /** Requests a second at 8 connections. */
  parallel: { floor: number; service: number }
  /** The first has the times. */
  passes: readonly [Pass, ...Pass[]]
}

const headings = (passes: readonly Pass[]): string[] => [
  'request',
  'first ms',
  '× floor',
  'again ms',
  '× floor',
  'CPU ms',
  '× floor',
  'p99 ms',
  'trips',
  ...passes.map(({ scheduled }, i) => (i === 0 ? 'rows read' : `with ${scheduled} scheduled`)),
  'allowed',
  'written',
  'allowed',
  'bytes',
]

const figure = (number: number): string => (Number.isNaN(number) ? '' : number.toFixed(2))

const row = (
  { floorP50: floor, floorCpu, passes }: Pick<Result, 'floorP50' | 'floorCpu' | 'passes'>,
  outcome: Outcome,
): string[] => [
  outcome.name,
  figure(outcome.first),
  figure(outcome.first / floor),
  figure(outcome.again),
  figure(outcome.again / floor),
  figure(outcome.cpu),
  figure(outcome.cpu / floorCpu),
  figure(outcome.p99),
  String(outcome.trips),
  ...passes.map(({ outcomes }) => String(outcomes.find(({ name }) => name === outcome.name)?.rowsRead ?? '')),
  String(Math.floor(outcome.budget.rows)),
  String(outcome.rowsWritten),
  String(outcome.budget.written ?? ''),
  String(outcome.bytes),
]

/** A Markdown table of rows, the first of which has the headings. All columns but the first are figures. */
export function markdown(rows: readonly (readonly string[])[]): string {
  const [headings = [], ...others] = rows
  const widths = headings.map((_, i) => Math.max(...rows.map(cells => cells[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(headings), rule, ...others.map(line)].join('\n')
}

/** How long the Worker takes to start. */
export function startLine(starts: Starts): string {
  const { service, floor } = starts
  const figures = (what: keyof Starts['service']) =>
    `${service[what].toFixed(1)} ms of CPU (${(service[what] / floor[what]).toFixed(2)} × floor)`
  return `start: evaluated in ${figures('evaluated')}, first response after ${figures('responded')}`
}

/** The table, with what it was measured on. */
export function table(result: Result): string {
  const { events, seedSeconds, starts, floorP50, floorCpu, parallel, passes } = result
  const share = ((100 * parallel.service) / parallel.floor).toFixed(0)
  const seeded = seedSeconds === undefined ? 'seeded before' : `seeded in ${seedSeconds.toFixed(1)} s`
  return [
    `${events} events, ${passes[0].scheduled} scheduled, ${seeded}`,
    `floor (a Worker that reads one row by its id): p50 ${floorP50.toFixed(2)} ms, ${floorCpu.toFixed(2)} ms of CPU`,
    `8 connections: ${parallel.service.toFixed(0)} requests/s, ${share} % of the floor's ${parallel.floor.toFixed(0)}`,
    ...(starts ? [startLine(starts)] : []),
    '',
    markdown([headings(passes), ...passes[0].outcomes.map(outcome => row(result, outcome))]),
  ].join('\n')
}

/** A line for each figure that exceeds its budget. */
export const overBudget = ({ passes }: Pick<Result, 'passes'>): string[] =>
  passes.flatMap(({ scheduled, outcomes }) =>
    outcomes.flatMap(({ name, trips, statements, rowsRead, rowsWritten, budget }) => {
      const what = `${name}, ${scheduled} scheduled`
      return [
        ...(trips > budget.trips ? [`${what}: ${trips} round trips, ${budget.trips} allowed`] : []),
        ...(statements > (budget.statements ?? INVOCATION.statements)
          ? [`${what}: ${statements} statements, ${budget.statements ?? INVOCATION.statements} allowed`]
          : []),
        ...(rowsRead > budget.rows
          ? [`${what}: ${rowsRead} rows read, ${Math.floor(budget.rows)} allowed`]
          : []),
        ...(rowsWritten > (budget.written ?? Number.POSITIVE_INFINITY)
          ? [`${what}: ${rowsWritten} rows written, ${budget.written} allowed`]
          : []),
      ]
    }),
  )

/** A figure of the `Server-Timing` header. */
const timing = ({ headers }: Sample, name: string): number =>
  Number(String(headers['server-timing']).match(new RegExp(`${name};(?:desc="|dur=)([\\d.]+)`))?.[1])

export const median = (samples: readonly Sample[]): number =>
  quantile(
    samples.map(({ ms }) => ms),
    0.5,
  )

/**
 * The lower quartile of their CPU, since other work of the machine only adds to it; not a number where the
 * system does not say.
 */
export const cpuOfMost = (samples: readonly Sample[]): number =>
  quantile(
    samples.flatMap(({ cpu }) => cpu ?? []),
    0.25,
  )

/** Sums up the samples of a request. @throws Error if one of them failed */
export function outcomeOf(
  request: BenchRequest,
  { first, again }: Samples = { first: [], again: [] },
  budget: Outcome['budget'] = { trips: 0, rows: 0 },
): Outcome {
  const all = [...first, ...again]
  const failed = all.find(isFailed)
  if (failed) throw new Error(`${request.name}: ${failed.status} ${failed.text.slice(0, 300)}`)
  const most = (name: string) => Math.max(...all.map(sample => timing(sample, name)))
  return {
    name: request.name,
    first: median(first),
    again: median(again),
    cpu: cpuOfMost(first),
    p99: quantile(
      all.map(({ ms }) => ms),
      0.99,
    ),
    trips: most('trips'),
    // Checking credentials is one more.
    statements: most('statements') - (request.method || request.credentials ? 1 : 0),
    rowsRead: most('rows-read'),
    rowsWritten: most('rows-written'),
    bytes: all.at(-1)?.bytes ?? 0,
    budget,
  }
}
