import { runCommand } from '../../src/commands/arguments.ts'
import { HELP, readArguments } from './arguments.ts'

await runCommand(async args => {
  const options = readArguments(args)
  if (options === 'help') return console.log(HELP)
  // Loads the app and a server, which help and wrong options have no use for.
  const { bench } = await import('./run.ts')
  await bench(options)
})
