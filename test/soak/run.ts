import { command, positiveInteger, runCommand } from '../../src/commands/arguments.ts'

const HELP = 'npm run soak -- [--seconds 60] [--port 8799]'

const OPTIONS = {
  seconds: { type: 'string', default: '60' },
  port: { type: 'string', default: '8799' },
} as const

const run = command(HELP, OPTIONS, async values => {
  const seconds = positiveInteger('--seconds', values.seconds)
  const port = positiveInteger('--port', values.port)
  // Loads a bundler and a server, which help and wrong options have no use for.
  const { soak } = await import('./soak.ts')
  const { problems, ...figures } = await soak(seconds, port)
  console.table(figures)
  for (const problem of problems.slice(0, 50)) console.error(problem)
  console.log(problems.length === 0 ? 'Nothing lost, nothing half there.' : `Problems: ${problems.length}`)
  process.exitCode = problems.length === 0 ? 0 : 1
})

await runCommand(run)
