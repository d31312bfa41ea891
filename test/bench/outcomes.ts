import { quantile, type Sample } from './measure.ts'
import type { Outcome } from './report.ts'
import type { BenchRequest } from './requests.ts'
import type { Samples } from './rounds.ts'

/** A figure of the `Server-Timing` header. */
const timing = ({ headers }: Sample, name: string): number =>
  Number(String(headers['server-timing']).match(new RegExp(`${name};(?:desc="|dur=)([\\d.]+)`))?.[1])

export const median = (samples: readonly Sample[]): number =>
  quantile(
    samples.map(({ ms }) => ms),
    0.5,
  )

/** The lower quartile of their CPU, since other work of the machine only adds to it; not a number where the system does not say. */
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
  const failed = all.find(({ status }) => status >= 400)
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
