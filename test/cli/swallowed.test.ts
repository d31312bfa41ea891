import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { swallowedOptions } from '../../src/cli/arguments.ts'

const PROJECT = join(import.meta.dirname, '../..')

/** Runs a script through npm, as people do, without what this run was told by npm itself. */
async function npm(args: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  return promisify(execFile)('npm', ['run', ...args.split(' ')], { cwd: PROJECT, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

// npm keeps each of them for itself, whatever others there are.
test.each([
  ['import no-such-file.ics --dry-run --remote --to 2027-01-01', '--remote --to … --dry-run'],
  ['export -o /no/such/folder', '--out …'],
  ['deploy --env=production -c other.toml --skip-checks', '--env … --config … --skip-checks'],
  ['setup --admin anna --env production', '--env … --admin …'],
  ['user revoke anna --password-id 3 --json', '--json --password-id …'],
  ['audit --no-imports --limit 5', '--no-imports --limit …'],
  ['client:types --out /no/such/folder', '--out …'],
  ['dev --ip 0.0.0.0 --persist-to /no/such/folder --port 9000', '--persist-to … --port … --ip …'],
  ['bench --check', '--check'],
  ['soak --seconds 1', '--seconds …'],
])('npm run %s does nothing and says how to write it', async (args, written) => {
  const { code, stderr } = await npm(args)
  expect(code).toBe(2)
  const [script] = args.split(' ')
  expect(stderr).toContain(`Options come after two dashes:\n  npm run ${script} -- … ${written}\n`)
})

test.each<[string[], NodeJS.ProcessEnv]>([
  [[], {}],
  [[], { npm_config_json: '', npm_config_dry_run: 'false' }],
  [['--json', '--out=x'], { npm_config_json: 'true', npm_config_out: 'true' }],
  [['-o', 'x'], { npm_config_out: 'true' }],
])('%j is what was meant where npm was told %j', (args, environment) => {
  const options = {
    json: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    out: { type: 'string', short: 'o' },
  } as const
  expect(swallowedOptions(args, options, environment)).toEqual([])
})
