import { settingsOf, type Vars } from '../kit/settings.ts'
import { command, DEPLOYMENT_OPTIONS, runCommand, targetOf } from './arguments.ts'
import { readConfiguration } from './wrangler-config.ts'

const HELP = `Prints the address of a calendar that has just been deployed: SITE_URL, or else the first address that
wrangler deployed to. Prints nothing if there is neither. The workflow that deploys asks it for /readyz.

  PRINTED="$(npx wrangler deploy)" node src/commands/deployed-address.ts [--env <name>]

  --env <name>       an environment of wrangler.toml
  --config <file>    another wrangler.toml`

/**
 * Finds the first address among the targets that `wrangler deploy` prints, a line each, such as
 * `calendar.example.org (custom domain)`, `https://calendar.example.workers.dev`, `example.org/events/*` or
 * `schedule: * * * * *`. Patterns of routes and schedules are no addresses.
 *
 * @param printed stdout of wrangler
 */
export function firstAddress(printed: string): string | undefined {
  const [, targets = ''] = printed.split(/^Deployed .* triggers.*$/m)
  const [, target] = /^ +(https?:\/\/\S+$|[\w.-]+(?= \(custom domain))/m.exec(targets) ?? []
  return target?.includes(':') ? target : target && `https://${target}`
}

const printAddress = command(HELP, DEPLOYMENT_OPTIONS, async values => {
  const { environmentSection } = readConfiguration(
    targetOf({ remote: true, env: values.env, config: values.config }),
  )
  // The settings check what they read of the file.
  const address =
    settingsOf(environmentSection.vars as Vars).siteUrl ?? firstAddress(process.env.PRINTED ?? '')
  if (address !== undefined) console.log(address)
})

if (import.meta.main) await runCommand(printAddress)
