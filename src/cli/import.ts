import { runCommand, targetOf } from './arguments.ts'
import { checkOperands, HELP, instant, parse, politeness, windowOf } from './import-options.ts'

await runCommand(async () => {
  const { values, positionals } = parse(process.argv.slice(2))
  if (values.help) return console.log(HELP)
  checkOperands(positionals, values)
  // Checked before the database is opened.
  windowOf(values, 'UTC')
  politeness(values)
  instant(values, 'since', 'UTC')
  const target = targetOf(values)
  const { importAll } = await import('./import-run.ts')
  await importAll(positionals, values, target)
})
