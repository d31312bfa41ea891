/** Round trips, statements and rows of a response of an app with `DEBUG_TIMING`. */
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
