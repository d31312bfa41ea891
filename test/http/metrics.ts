import { sendTo } from './worker.ts'

const TIMED = { DEBUG_TIMING: '1' }

/** Sends a request whose response says what it cost. @param path below the namespace, or a whole address */
export const timed = (path: string, init: RequestInit = {}): Promise<Response> => sendTo(TIMED, path, init)

/** Round trips, statements and rows of a response with `DEBUG_TIMING`, as {@link timed} gets it. */
export function metricsOf({ headers }: Pick<Response, 'headers'>): {
  trips: number
  statements: number
  rows: number
} {
  const [, trips, statements, rows] =
    headers
      .get('server-timing')
      ?.match(/trips;desc="(\d+)".*statements;desc="(\d+)".*rows-read;desc="(\d+)"/) ?? []
  return { trips: Number(trips), statements: Number(statements), rows: Number(rows) }
}
