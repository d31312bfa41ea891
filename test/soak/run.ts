import { command, runCommand, UsageError } from '../../src/cli/arguments.ts'

const HELP = 'npm run soak -- [--seconds 60] [--port 8799]'

const OPTIONS = {
  seconds: { type: 'string', default: '60' },
  port: { type: 'string', default: '8799' },
} as const

/** @throws UsageError unless the text is a whole number of at least `minimum` */
function wholeNumber(name: string, text: string, minimum: number, maximum: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < minimum || number > maximum)
    throw new UsageError(
      `${name} must be a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(text)}.`,
    )
  return number
}

const run = command(HELP, OPTIONS, async values => {
  const seconds = wholeNumber('--seconds', values.seconds, 2, 86_400)
  const port = wholeNumber('--port', values.port, 1, 65_535)
  // Loads a bundler and a server, which help and wrong options have no use for.
  const { soak } = await import('./soak.ts')
  const { problems, ...figures } = await soak(seconds, port)
  console.table(figures)
  for (const problem of problems.slice(0, 50)) console.error(problem)
  console.log(problems.length === 0 ? 'Nothing lost, nothing half there.' : `Problems: ${problems.length}`)
  process.exitCode = problems.length === 0 ? 0 : 1
})

await runCommand(run)
