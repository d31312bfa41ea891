import type { Bundle } from './build.ts'

export type Outcome = {
  name: string
  /** Median of answers that had to be worked out, in milliseconds; not a number where there are none. */
  first: number
  /** Median of answers that had been given since the last write. */
  again: number
  p99: number
  trips: number
  rowsRead: number
  rowsWritten: number
  bytes: number
  budget: { trips: number; rows: number }
}

export type Result = {
  events: number
  seedSeconds: number
  bundle: Bundle
  floorP50: number
  /** Requests a second at 8 connections. */
  parallel: { floor: number; service: number }
  outcomes: Outcome[]
}

const HEADINGS = [
  'request',
  'first ms',
  '× floor',
  'again ms',
  '× floor',
  'p99 ms',
  'trips',
  'rows read',
  'written',
  'bytes',
]

const figure = (number: number): string => (Number.isNaN(number) ? '' : number.toFixed(2))

const row = (
  floor: number,
  { name, first, again, p99, trips, rowsRead, rowsWritten, bytes }: Outcome,
): string[] => [
  name,
  figure(first),
  figure(first / floor),
  figure(again),
  figure(again / floor),
  figure(p99),
  String(trips),
  String(rowsRead),
  String(rowsWritten),
  String(bytes),
]

/** A Markdown table, with what it was measured on. */
export function table({ events, seedSeconds, bundle, floorP50, parallel, outcomes }: Result): string {
  const rows = [HEADINGS, ...outcomes.map(outcome => row(floorP50, outcome))]
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map(cells => cells[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const share = ((100 * parallel.service) / parallel.floor).toFixed(0)
  return [
    `${events} events, seeded in ${seedSeconds.toFixed(1)} s`,
    `floor (a Worker with one D1 query): p50 ${floorP50.toFixed(2)} ms`,
    `8 connections: ${parallel.service.toFixed(0)} requests/s, ${share} % of the floor's ${parallel.floor.toFixed(0)}`,
    `bundle: ${(bundle.gzipBytes / 1024).toFixed(1)} KB gzipped, ${(bundle.bytes / 1024).toFixed(1)} KB, imported in ${bundle.importMs.toFixed(0)} ms`,
    '',
    line(rows[0] ?? []),
    rule,
    ...rows.slice(1).map(line),
  ].join('\n')
}

/** What costs more than it may. */
export const overBudget = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ name, trips, rowsRead, budget }) => [
    ...(trips > budget.trips ? [`${name}: ${trips} round trips, ${budget.trips} allowed`] : []),
    ...(rowsRead > budget.rows ? [`${name}: ${rowsRead} rows read, ${budget.rows} allowed`] : []),
  ])
