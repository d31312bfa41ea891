import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { swallowedOptions } from '../../src/commands/arguments.ts'
import { runNamed } from './commands.ts'
import { PROJECT, temporaryFolder } from './spawn.ts'

/** Runs a script through npm, as people do, without the variables that npm has set for this run. */
async function npm(args: string, cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  return promisify(execFile)('npm', ['run', '--silent', ...args.split(' ')], { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

const GIVEN =
  '--dry-run --remote --to 2027-01-01 -o /no/such/folder --env=production -c other.toml --skip-checks --admin anna ' +
  '--password-id 3 --json --no-imports --limit 5 --ip 0.0.0.0 --persist-to /no/such/folder --port 9000 --check --seconds 2'

/** The variables that npm sets for these arguments, in the environment of any script. */
let kept: NodeJS.ProcessEnv
const folder = temporaryFolder(afterAll)

beforeAll(async () => {
  const scripts = { show: 'node -p "JSON.stringify(process.env)"' }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }))
  const environment: Record<string, string> = JSON.parse((await npm(`show ${GIVEN}`, folder)).stdout)
  kept = Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('npm_config_')))
})

const MESSAGE = 'Options come after two dashes:\n  npm run'

test('npm run import -- was meant, and nothing is done', async () => {
  const { code, stderr } = await npm('import no-such-file.ics --dry-run --remote --to 2027-01-01', PROJECT)
  expect(code).toBe(2)
  expect(stderr).toContain(`${MESSAGE} import -- … --remote --to … --dry-run\n`)
})

test.each([
  ['import', '--remote --persist-to … --env … --config … --to … --dry-run'],
  ['export', '--remote --persist-to … --env … --config … --out …'],
  ['deploy', '--env … --config … --skip-checks --dry-run'],
  ['setup', '--env … --config … --admin …'],
  ['user', '--remote --persist-to … --env … --config … --json --password-id …'],
  ['audit', '--remote --persist-to … --env … --config … --no-imports --limit … --json'],
  ['client:types', '--out …'],
  ['dev', '--remote --persist-to … --env … --config … --port … --ip …'],
  ['bench', '--check --json …'],
  ['words', '--out …'],
  ['soak', '--seconds … --port …'],
])('npm run %s does nothing and says how to write it', async (script, written) => {
  const { code, stderr } = await runNamed(script, [], { ...kept, npm_lifecycle_event: script })
  expect(code).toBe(2)
  expect(stderr).toContain(`${MESSAGE} ${script} -- … ${written}\n`)
})

test.each<[string[], NodeJS.ProcessEnv]>([
  [[], {}],
  [[], { npm_config_json: '', npm_config_dry_run: 'false' }],
  [['--json', '--out=x'], { npm_config_json: 'true', npm_config_out: 'true' }],
  [['-o', 'x'], { npm_config_out: 'true' }],
])('no option is missing from the arguments %j where npm set %j', (args, environment) => {
  const options = {
    json: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    out: { type: 'string', short: 'o' },
  } as const
  expect(swallowedOptions(args, options, environment)).toEqual([])
})
