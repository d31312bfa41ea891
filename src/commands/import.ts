import { dirname } from 'node:path'
import { command, runCommand, targetOf, UsageError } from './arguments.ts'
import {
  checkBackup,
  checkOperands,
  dayOrderOf,
  HELP,
  instantOption,
  OPTIONS,
  politenessOf,
  windowOf,
} from './import-options.ts'

export const importCommand = command(
  HELP,
  OPTIONS,
  async (values, operands) => {
    checkOperands(operands, values)
    // Options are checked before the database is opened.
    windowOf(values, 'UTC')
    politenessOf(values)
    dayOrderOf(values)
    instantOption(values, 'since', 'UTC')
    const target = targetOf(values)
    // Backups contain the tables of features.
    await import('../features.ts')
    const { isBackup } = await import('./backup/manifest.ts')
    const part = operands.find(operand => operand.endsWith('.jsonl') && isBackup(dirname(operand)))
    if (part !== undefined)
      throw new UsageError(
        `${part} is part of a backup, which is restored whole: npm run import -- ${dirname(part)}`,
      )
    const backup = operands.find(isBackup)
    if (backup !== undefined) checkBackup(operands, values)
    const { importAll, restoreBackup } = await import('./import-run.ts')
    if (backup !== undefined) await restoreBackup(backup, values['dry-run'] ?? false, target)
    else await importAll(operands, values, target)
  },
  { takesOperands: true },
)

if (import.meta.main) await runCommand(importCommand)
