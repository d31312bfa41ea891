import { FREE_PLAN, ROWS_WRITTEN } from '../kit/lib/budgets.ts'

const formattedCount = (n: number): string => n.toLocaleString('en')

/** A count of records on stderr, with the expected number if it is known; nothing if stderr is not a terminal. */
export function progressLine(): { show: (done: number, expected?: number) => void; stop: () => void } {
  const write = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  }
  return {
    show: (done, expected) =>
      write(
        expected === undefined
          ? `${formattedCount(done)} records`
          : `${formattedCount(done)} of ${formattedCount(expected)} records`,
      ),
    stop: () => write(''),
  }
}

/** The notice before a command writes many rows to a database at Cloudflare. @param records the expected number */
export function rowsNotice(records: number): string {
  const rows = records * ROWS_WRITTEN.event
  const days = Math.ceil(rows / FREE_PLAN.rowsWrittenADay)
  return (
    `${formattedCount(records)} records are expected: about ${formattedCount(rows)} rows written if all are new events, and ${ROWS_WRITTEN.date} for each date of a series. ` +
    `D1's free plan has ${formattedCount(FREE_PLAN.rowsWrittenADay)} a day${
      days > 1
        ? `, so that this takes ${days} days there: each time it ends, run the same command again after midnight UTC`
        : ''
    }.`
  )
}
