import cliProgress from 'cli-progress'
import { FREE_PLAN, ROWS_WRITTEN } from '../lib/budgets.ts'

/** A progress bar on stderr, if that is a terminal. */
export function progressBar(): { show: (done: number, expected: number) => void; stop: () => void } {
  const bar = new cliProgress.SingleBar(
    {
      format: '{bar} {value} of {total} records, {eta_formatted} left',
      hideCursor: true,
      noTTYOutput: false,
    },
    cliProgress.Presets.shades_classic,
  )
  let started = false
  return {
    show: (done, expected) => {
      if (!process.stderr.isTTY) return
      if (!started) bar.start(expected, done)
      started = true
      bar.setTotal(expected)
      bar.update(done)
    },
    stop: () => {
      if (started) bar.stop()
      started = false
    },
  }
}

/** The notice before a command writes many rows to a database at Cloudflare. @param records the expected number */
export function rowsNotice(records: number): string {
  const rows = records * ROWS_WRITTEN.event
  const written = (n: number) => n.toLocaleString('en')
  const days = Math.ceil(rows / FREE_PLAN.rowsWrittenADay)
  return (
    `${written(records)} records are expected: about ${written(rows)} rows written if all are new events, and ${ROWS_WRITTEN.date} for each date of a series. ` +
    `D1's free plan has ${written(FREE_PLAN.rowsWrittenADay)} a day${
      days > 1
        ? `, so that this takes ${days} days there: each time it ends, run the same command again after midnight UTC`
        : ''
    }.`
  )
}
