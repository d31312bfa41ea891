import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { command, DEPLOYMENT_OPTIONS, runCommand, targetOf } from './arguments.ts'
import { describeVars } from './deployed-vars.ts'
import { applyMigrations, logIn, runWrangler } from './wrangler.ts'
import { readConfiguration, remoteDatabaseIn } from './wrangler-config.ts'

const HELP = `Checks the code, applies migrations at Cloudflare and deploys the Worker.

  npm run deploy -- [--env <name>] [--skip-checks | --dry-run]

  --env <name>       an environment of wrangler.toml
  --dry-run          only show the vars; fail if the environment lacks one, or a database
  --skip-checks      deploy without linting, types and tests
  --config <file>    another wrangler.toml`

const OPTIONS = {
  ...DEPLOYMENT_OPTIONS,
  'skip-checks': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

const CHECKS = ['lint', 'types', 'test']

/** @throws Error if a check fails */
async function runChecks(): Promise<void> {
  for (const name of CHECKS) {
    const [code] = await once(spawn('npm', ['run', name], { stdio: 'inherit' }), 'exit')
    if (code !== 0) throw new Error(`Not deployed: npm run ${name} failed.`)
  }
}

/** Checks the code, migrates the database at Cloudflare and deploys the Worker. */
export const deploy = command(HELP, OPTIONS, async values => {
  const target = readConfiguration(targetOf({ remote: true, env: values.env, config: values.config }))
  console.log(describeVars(target))
  const { name, id } = remoteDatabaseIn(target)
  if (!id)
    throw new Error(
      `wrangler.toml has no id for the database ${name}. npm run setup${values.env ? ` -- --env ${values.env}` : ''} creates it and enters its id.`,
    )
  if (values['dry-run']) return
  await logIn()
  // Cloudflare's own builds, which the button of OPERATING.md starts, deploy checked code.
  if (!values['skip-checks'] && !process.env.WORKERS_CI) await runChecks()
  // Migrations come first, because the new Worker needs them.
  await applyMigrations(target)
  await runWrangler(['deploy', '--config', target.config, '--env', target.environment ?? ''])
})

if (import.meta.main) await runCommand(deploy)
