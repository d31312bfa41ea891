import { runCommand, targetOf } from './arguments.ts'
import { checkOperands, HELP, instant, parse, politeness, windowOf } from './import-options.ts'

/** Brings in what operands name. @param args options and operands, as a shell gives them */
export async function importCommand(args: string[]): Promise<void> {
  const { values, positionals } = parse(args)
  if (values.help) return console.log(HELP)
  checkOperands(positionals, values)
  // Checked before the database is opened.
  windowOf(values, 'UTC')
  politeness(values)
  instant(values, 'since', 'UTC')
  const target = targetOf(values)
  const { importAll } = await import('./import-run.ts')
  await importAll(positionals, values, target)
}

if (import.meta.main) await runCommand(importCommand)
