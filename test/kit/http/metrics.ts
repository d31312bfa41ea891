import { type Answer, type Sending, send } from '../../factories.ts'

type Metrics = { trips: number; statements: number; rows: number; written: number }

/** The round trips, statements, and rows read and written, in a response with `DEBUG_TIMING`. */
export function metricsOf({ headers }: Pick<Response, 'headers'>): Metrics {
  const timing = headers.get('server-timing') ?? ''
  const numberOf = (name: string) => Number(timing.match(`\\b${name};desc="(\\d+)"`)?.[1])
  return {
    trips: numberOf('trips'),
    statements: numberOf('statements'),
    rows: numberOf('rows-read'),
    written: numberOf('rows-written'),
  }
}

const TIMED = { DEBUG_TIMING: '1' }

/** Sends a request, as `send` does. @returns the response with what it cost */
export async function measure(
  method: string,
  path: string,
  sending: Sending = {},
): Promise<Answer & Metrics> {
  const answer = await send(method, path, { bindings: TIMED, ...sending })
  return { ...answer, ...metricsOf(answer) }
}
