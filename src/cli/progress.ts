import cliProgress from 'cli-progress'

/** A progress bar on stderr; none where that is not a terminal. */
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
