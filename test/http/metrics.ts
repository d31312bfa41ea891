import { sendTo } from './worker.ts'

const TIMED = { DEBUG_TIMING: '1' }

/** Sends a request whose response names its costs. @param path below the namespace, or a whole address */
export const timed = (path: string, init: RequestInit = {}): Promise<Response> => sendTo(TIMED, path, init)

/** The round trips, statements and rows in a response with `DEBUG_TIMING`, from {@link timed}. */
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
