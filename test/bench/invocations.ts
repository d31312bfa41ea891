import { FREE_PLAN } from '../../src/kit/lib/budgets.ts'
import { PARTS } from '../features.ts'
import type { Taken } from './cron.ts'
import { markdown, type Outcome } from './report.ts'
import { IMPORTED_DATES, type ImportedRows } from './seed.ts'

// Tables of the free plan's limits that each invocation uses, and of the cost of some days.

/** Requests of each kind, by their names in the benchmark. */
const KINDS = [
  'default list',
  'list of 100',
  'single by id',
  'calendar of a category',
  'calendar of 1,000 events',
  'copy, first page',
  'page: list',
  'page: month',
  'page: event',
  'editor: events',
  'editor: event',
  'create',
  'update',
  'update, all of it sent again',
  'another title',
  'moved by an hour',
  'publish, and back to draft',
  'trash, and back',
  'delete',
  'batch of 100',
  'publish 100, and back to draft',
  'create a series of 52',
  'time of all occurrences',
] as const

/** Tells whether the tables need a request. */
export const isTabled = (name: string): boolean => (KINDS as readonly string[]).includes(name)

/** After a write, features send messages, and shared caches are purged. */
const AFTER_WRITE = PARTS.reduce((sum, { requestsAfterWrite = 0 }) => sum + requestsAfterWrite, 1)

const takenBy = ({ name, statements, cpu, rowsWritten }: Outcome): Taken => ({
  name,
  cpu,
  rowsWritten,
  // One more looks credentials up.
  statements: statements + Number(rowsWritten > 0),
  requests: rowsWritten > 0 ? AFTER_WRITE : 0,
})

const number = (n: number): string =>
  Number.isNaN(n) ? '' : n.toLocaleString('en', { maximumFractionDigits: 0 })

const ms = (n: number): string => (Number.isNaN(n) ? '' : n.toFixed(1))

const most = (minutes: readonly Taken[], of: (taken: Taken) => number): number => Math.max(...minutes.map(of))

/** The worst of each figure, of different minutes perhaps. */
const worst = (minutes: readonly Taken[]): Taken => ({
  name: 'a minute of the cron, with everything due at once',
  statements: most(minutes, ({ statements }) => statements),
  requests: most(minutes, ({ requests }) => requests),
  cpu: most(minutes, ({ cpu }) => cpu),
  rowsWritten: most(minutes, ({ rowsWritten }) => rowsWritten),
})

/** A table of what invocations take. */
export function invocationTable(outcomes: readonly Outcome[], minutes: readonly Taken[]): string {
  const row = ({ name, statements, requests, cpu, rowsWritten }: Taken) => [
    name,
    number(statements),
    number(requests),
    ms(cpu),
    number(rowsWritten),
  ]
  const { statements, requests, cpuMs, rowsWrittenADay } = FREE_PLAN
  return markdown([
    ['invocation', 'statements', 'requests', 'CPU ms', 'rows written'],
    [
      'the free plan allows',
      number(statements),
      number(requests),
      ms(cpuMs),
      `${number(rowsWrittenADay)} a day`,
    ],
    ...outcomes.filter(({ name }) => isTabled(name)).map(outcome => row(takenBy(outcome))),
    row(worst(minutes)),
  ])
}

/**
 * Prices of the paid plan beyond what it includes, in dollars.
 * https://developers.cloudflare.com/d1/platform/pricing
 */
const PRICES = { rowWritten: 1e-6, rowRead: 1e-9, request: 3e-7 } as const
/** The daily limits of the free plan. */
const DAY = { requests: 100_000, rowsRead: 5_000_000, rowsWritten: FREE_PLAN.rowsWrittenADay } as const

type Amount = Record<keyof typeof DAY, number>

const NOTHING: Amount = { requests: 0, rowsRead: 0, rowsWritten: 0 }

const plus = (a: Amount, b: Amount): Amount => ({
  requests: a.requests + b.requests,
  rowsRead: a.rowsRead + b.rowsRead,
  rowsWritten: a.rowsWritten + b.rowsWritten,
})

/** Numbers of requests by their names in the benchmark. */
type Work = Partial<Record<(typeof KINDS)[number], number>>

/** A response that is in memory, or unchanged, still takes a request and a row. */
const UNCHANGED: Amount = { requests: 1, rowsRead: 1, rowsWritten: 0 }

const times = (n: number, { requests, rowsRead, rowsWritten }: Amount): Amount => ({
  requests: n * requests,
  rowsRead: n * rowsRead,
  rowsWritten: n * rowsWritten,
})

/** The work of editors on a day. */
const EDITING: Work = {
  create: 30,
  'another title': 20,
  'moved by an hour': 10,
  'update, all of it sent again': 30,
  'publish, and back to draft': 20,
  'trash, and back': 5,
  'create a series of 52': 2,
  'editor: events': 100,
  'editor: event': 100,
}

/**
 * A table of what some days cost.
 *
 * @param imported what an import of one event takes, and of one series
 */
export function costTable(
  outcomes: readonly Outcome[],
  imported: Readonly<Record<'event' | 'series', ImportedRows>>,
): string {
  const amountOf = (name: string): Amount => {
    const outcome = outcomes.find(one => one.name === name)
    if (!outcome) throw new Error(`The table lacks ${name}.`)
    return { requests: 1, rowsRead: outcome.rowsRead, rowsWritten: outcome.rowsWritten }
  }
  const sum = (work: Work): Amount =>
    Object.entries(work).reduce((all, [name, n]) => plus(all, times(n, amountOf(name))), NOTHING)
  const imports = (n: number, of: keyof typeof imported) => times(n, { requests: 0, ...imported[of] })
  const row = (name: string, amount: Amount) => {
    const days = Math.max(
      ...(['requests', 'rowsRead', 'rowsWritten'] as const).map(of => amount[of] / DAY[of]),
    )
    const dollars =
      amount.rowsWritten * PRICES.rowWritten +
      amount.rowsRead * PRICES.rowRead +
      amount.requests * PRICES.request
    return [
      name,
      number(amount.requests),
      number(amount.rowsRead),
      number(amount.rowsWritten),
      days > 1 ? `${days.toFixed(1)} days` : `${Math.ceil(100 * days)} % of a day`,
      `$ ${dollars.toFixed(2)}`,
    ]
  }
  const busy = plus(
    times(80_000, UNCHANGED),
    sum({ 'default list': 8_000, 'page: list': 4_000, 'page: month': 4_000, 'page: event': 4_000 }),
  )
  return markdown([
    ['what', 'requests', 'rows read', 'rows written', 'of the free plan', 'paid plan'],
    row('moving in with 10,000 events', imports(10_000, 'event')),
    row(`moving in with 1,000 series of ${IMPORTED_DATES} dates`, imports(1_000, 'series')),
    row('a day of editing: 30 new events, 85 changes, 2 weekly series of a year', sum(EDITING)),
    row('a feed of 1,000 events, read for the first time', imports(1_000, 'event')),
    row('a day on which it changes 50 of them', sum({ 'update, all of it sent again': 50 })),
    row('a busy day: 100,000 reads, of which 20,000 are computed', busy),
  ])
}
