import { showAudit } from '../../src/commands/audit.ts'
import { deploy } from '../../src/commands/deploy.ts'
import { serveLocally } from '../../src/commands/dev.ts'
import { exportCommand } from '../../src/commands/export.ts'
import { importCommand } from '../../src/commands/import.ts'
import { setUp } from '../../src/commands/setup.ts'
import { manageUsers } from '../../src/commands/user.ts'
import { run, runHere } from './spawn.ts'

const COMMANDS = new Map(
  Object.entries({
    audit: showAudit,
    deploy,
    dev: serveLocally,
    export: exportCommand,
    import: importCommand,
    setup: setUp,
    user: manageUsers,
  }),
)

/** Runs what `npm run` does to its end, in this process if it can. */
export function runNamed(name: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const command = COMMANDS.get(name)
  return command ? runHere(command, args, variables) : run(name, args, variables)
}
