import { sendTo } from './worker.ts'

const TIMED = { DEBUG_TIMING: '1' }

/** Sends a request whose response names its costs. @param path below the namespace, or a whole address */
export const timed = (path: string, init: RequestInit = {}): Promise<Response> => sendTo(TIMED, path, init)

/** The round trips, statements, and rows read and written, in a response with `DEBUG_TIMING`, from {@link timed}. */
export function metricsOf({ headers }: Pick<Response, 'headers'>): {
  trips: number
  statements: number
  rows: number
  written: number
} {
  const timing = headers.get('server-timing') ?? ''
  const numberOf = (name: string) => Number(timing.match(`\\b${name};desc="(\\d+)"`)?.[1])
  return {
    ...{ trips: numberOf('trips'), statements: numberOf('statements') },
    ...{ rows: numberOf('rows-read'), written: numberOf('rows-written') },
  }
}
