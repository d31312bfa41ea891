/** Round trips and rows of a response of an app with `DEBUG_TIMING`. */
export function metricsOf({ headers }: Pick<Response, 'headers'>): { trips: number; rows: number } {
  const [, trips, rows] =
    headers.get('server-timing')?.match(/trips;desc="(\d+)".*rows-read;desc="(\d+)"/) ?? []
  return { trips: Number(trips), rows: Number(rows) }
}
