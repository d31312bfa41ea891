import { execFile } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { PROJECT_CONFIG } from '../../src/commands/wrangler.ts'
import { readConfiguration, remoteDatabaseIn, withDatabaseId } from '../../src/commands/wrangler-config.ts'
import { runNamed } from './commands.ts'
import { NODE, PROJECT, run as runScript, temporaryFolder } from './spawn.ts'

const ID = '11111111-2222-3333-4444-555555555555'

let folder: string
const path = (name: string) => join(folder, name)

beforeEach(async () => {
  folder = temporaryFolder(onTestFinished)
  cpSync(PROJECT_CONFIG, path('wrangler.toml'))
  // A checkout that was set up for real has its own ids and vars.
  const toml = readFileSync(path('wrangler.toml'), 'utf8')
  writeFileSync(
    path('wrangler.toml'),
    toml
      .replace(/(database_id = )".*"/g, '$1"00000000-0000-0000-0000-000000000000"')
      .replace(/^[A-Z][A-Z_]+ = .*\n/gm, ''),
  )
  writeFileSync(
    path('npm'),
    `#!/bin/sh\necho "npm $*" >> "$FAKE_ACCOUNT/log"\ntest "$2" != "$FAILING_CHECK"\n`,
  )
  chmodSync(path('npm'), 0o755)
})

/** The environment of an account of its own. */
const accountEnv = () => ({
  PATH: `${folder}:${process.env.PATH}`,
  FAKE_ACCOUNT: folder,
  WRANGLER_SCRIPT: join(import.meta.dirname, 'fake-wrangler.ts'),
  WORKERS_CI: '',
  CLOUDFLARE_API_TOKEN: '',
})

const logIn = () => writeFileSync(path('token'), '')

/** Runs a command in an account of its own, where `npm` too is only written down. */
async function run(script: string, args: string[], env: Record<string, string> = {}) {
  rmSync(path('log'), { force: true })
  const variables = { ...accountEnv(), ...env }
  const outcome = await runNamed(script, ['--config', path('wrangler.toml'), ...args], variables)
  const log = existsSync(path('log')) ? readFileSync(path('log'), 'utf8').trim().split('\n') : []
  return { ...outcome, log }
}

const config = () => readFileSync(path('wrangler.toml'), 'utf8')

/** Name and id of the database that a file configures. */
const databaseOf = (environment?: string, toml = config()) => {
  writeFileSync(path('read.toml'), toml)
  const target = { config: path('read.toml'), environment, remote: true, persistTo: undefined }
  return remoteDatabaseIn(readConfiguration(target))
}

describe('setup', () => {
  it('makes database, tables and administrator, and changes nothing the second time', async () => {
    logIn()
    const before = config()
    const first = await run('setup', ['--env', 'production', '--admin', 'anna'])
    expect(first).toMatchObject({ code: 0 })
    expect(first.log.slice(0, 6)).toEqual([
      'whoami --json',
      'd1 list --json',
      'd1 create event-calendar-production',
      'd1 list --json',
      'r2 bucket info event-calendar-media-production --json',
      'r2 bucket create event-calendar-media-production',
    ])
    expect(first.stdout).toMatch(/Administrator anna\. Password, shown only once: ([a-z0-9]{5} ?){8}/)
    expect(first.stdout).toContain('npm run deploy -- --env production')
    expect(databaseOf('production').id).toBe(ID)
    // All else, other environments and comments included, is as it was.
    const changed = config()
      .split('\n')
      .filter((line, i) => line !== before.split('\n')[i])
    expect(changed).toEqual([`database_id = "${ID}"`])

    const written = config()
    const second = await run('setup', ['--env', 'production', '--admin', 'anna'])
    expect(second).toMatchObject({ code: 0 })
    expect(second.log).not.toContain('login')
    expect(second.log.join('\n')).not.toMatch(/(d1|bucket) create/)
    expect(second.stdout).toContain('Bucket event-calendar-media-production: exists already.')
    expect(second.stdout).toContain('Administrator anna: exists already.')
    expect(second.stdout).not.toContain('Password')
    expect(config()).toBe(written)
  })

  it('makes the code for the first visit, and no other once there is a user', async () => {
    logIn()
    const { code, stdout } = await run('setup', ['--env', 'production'])
    const [, secret] = stdout.match(/\/admin\/setup\/.*: ([a-z0-9-]{47})\n/) ?? []
    expect({ code, secret }).toEqual({ code: 0, secret: readFileSync(path('secret-SETUP_CODE'), 'utf8') })
    const again = await run('setup', ['--env', 'production', '--admin', 'anna'])
    expect(again.stdout).toContain('Administrator anna. Password')
    const third = await run('setup', ['--env', 'production'])
    expect(third.stdout).toContain('Administrator anna: exists already.')
    expect(third.log.join('\n')).not.toContain('secret put')
  })

  it('says how to do without images where no bucket can be made, and goes on without one', async () => {
    logIn()
    writeFileSync(path('fail'), 'r2 bucket create')
    const failed = await run('setup', [])
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(/event-calendar-media.*\n.*R2.*remove \[\[r2_buckets\]\]/s)
    writeFileSync(path('wrangler.toml'), config().replace(/^\[\[(env\.\w+\.)?r2_buckets\]\]\n.*\n.*\n/gm, ''))
    const without = await run('setup', [])
    expect({
      code: without.code,
      ofBuckets: without.log.filter(command => command.startsWith('r2 ')),
    }).toEqual({ code: 0, ofBuckets: [] })
    expect(without.stdout).toContain('Images: none')
  })

  it('stops with an explanation if nobody is logged in and there is no terminal', async () => {
    const { code, stderr, log } = await run('setup', [])
    expect({ code, log }).toEqual({ code: 1, log: ['whoami --json'] })
    expect(stderr).toContain('CLOUDFLARE_API_TOKEN')
  })

  it('does not ask anybody to log in if there is a token', async () => {
    const { code, log } = await run('setup', [], { CLOUDFLARE_API_TOKEN: 'token' })
    expect(code).toBe(0)
    expect(log[0]).toBe('d1 list --json')
  })

  it.skipIf(!existsSync('/usr/bin/script'))('asks for a log-in on a terminal', async () => {
    const setup = join(PROJECT, 'src/commands/setup.ts')
    await promisify(execFile)(
      '/usr/bin/script',
      ['-q', '-e', '-c', `'${NODE}' '${setup}' --config '${path('wrangler.toml')}'`, path('typescript')],
      { cwd: PROJECT, env: { ...process.env, ...accountEnv() } },
    )
    expect(readFileSync(path('log'), 'utf8')).toMatch(/^whoami --json\nlogin\nd1 list --json\n/)
  })

  it('finds a database that was made before, and stops where wrangler fails', async () => {
    logIn()
    writeFileSync(path('databases'), JSON.stringify([{ uuid: ID, name: 'event-calendar' }]))
    writeFileSync(path('fail'), 'd1 migrations')
    const { code, stdout, stderr, log } = await run('setup', [])
    expect(code).toBe(1)
    expect(stdout).toContain('found')
    expect(stderr).toContain('migrations')
    expect(log.at(-1)).toContain('d1 migrations apply DB')
    expect(databaseOf().id).toBe(ID)
  })
})

describe('deploy', () => {
  const setUp = () => {
    logIn()
    writeFileSync(path('wrangler.toml'), withDatabaseId(config(), 'staging', ID))
  }

  it('checks, then brings tables up to date, then deploys', async () => {
    setUp()
    const { code, log } = await run('deploy', ['--env', 'staging'])
    expect(code).toBe(0)
    expect(log).toEqual([
      'whoami --json',
      'npm run lint',
      'npm run types',
      'npm run test',
      `d1 migrations apply DB --config ${path('wrangler.toml')} --env staging --remote`,
      `deploy --config ${path('wrangler.toml')} --env staging`,
    ])
  })

  it('stops at a check that fails', async () => {
    setUp()
    const variables = { ...accountEnv(), FAILING_CHECK: 'types' }
    const args = ['--config', path('wrangler.toml'), '--env', 'staging']
    const { code, stderr } = await runScript('deploy', args, variables)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Not deployed: npm run types failed.\n' })
    expect(readFileSync(path('log'), 'utf8')).toBe('whoami --json\nnpm run lint\nnpm run types\n')
  })

  it('stops at a migration that fails', async () => {
    setUp()
    writeFileSync(path('fail'), 'd1 migrations')
    const { code, log } = await run('deploy', ['--env', 'staging', '--skip-checks'])
    expect(code).toBe(1)
    expect(log.at(-1)).toContain('d1 migrations apply DB')
  })

  it.each([[[]], [['--dry-run']]])('asks for the set-up where there is no database: %j', async options => {
    const { code, stderr, log } = await run('deploy', ['--env', 'production', ...options])
    expect({ code, log }).toEqual({ code: 1, log: [] })
    expect(stderr).toContain('npm run setup -- --env production creates it')
  })

  it.each(['setup', 'deploy', 'user', 'audit', 'export', 'import'])(
    'npm run %s knows no environment that wrangler.toml lacks',
    async script => {
      const operands = script === 'user' ? ['list'] : script === 'import' ? ['package.json'] : []
      const { code, stderr, log } = await run(script, [...operands, '--env', 'prod'])
      expect({ code, log }).toEqual({ code: 1, log: [] })
      expect(stderr).toMatch(
        /^--env: there is no \[env\.prod\] in .*, only staging, production\. Did you mean production\?\n$/,
      )
    },
  )
})

describe('vars', () => {
  /** Sets vars under headers of wrangler.toml, which are there without any. */
  const setVars = (vars: Record<string, string>) => {
    const toml = Object.entries(vars).reduce(
      (text, [header, lines]) => text.replace(`\n${header}\n`, `\n${header}\n${lines}\n`),
      withDatabaseId(config(), 'production', ID),
    )
    writeFileSync(path('wrangler.toml'), toml)
  }

  it.each(['setup', 'deploy'])(
    'npm run %s does nothing where an environment lacks what [vars] sets',
    async script => {
      logIn()
      setVars({
        '[vars]': 'TIMEZONE = "Europe/Berlin"\nCURRENCY_CODE = "EUR"\nSITE_NAME = "Berlin"',
        '[env.production.vars]': 'SITE_NAME = "Berlin"',
      })
      const before = config()
      const { code, stderr, log } = await run(script, ['--env', 'production'])
      expect({ code, log }).toEqual({ code: 1, log: [] })
      expect(stderr).toContain('[env.production.vars]')
      expect(stderr).toMatch(/\n {2}TIMEZONE = "Europe\/Berlin"\n {2}CURRENCY_CODE = "EUR"\n$/)
      expect(config()).toBe(before)
    },
  )

  it('that are deployed are shown before anything else, with those that differ', async () => {
    setVars({
      '[vars]': 'TIMEZONE = "Europe/Berlin"',
      '[env.production.vars]': 'TIMEZONE = "Europe/Vienna"\nSITE_NAME = "Wien"',
    })
    const { code, stdout, log } = await run('deploy', ['--env', 'production', '--dry-run'])
    expect({ code, log }).toEqual({ code: 0, log: [] })
    expect(stdout).toBe(
      [
        'Vars, from [env.production.vars] of wrangler.toml:',
        '  TIMEZONE = "Europe/Vienna" (under [vars]: "Europe/Berlin")',
        '  SITE_NAME = "Wien"',
        "  SITE_URL is not set: the request's origin",
        '',
      ].join('\n'),
    )
  })

  it.each(['setup', 'deploy'])(
    'npm run %s names misspelt vars, and suggests the right ones',
    async script => {
      logIn()
      setVars({ '[env.production.vars]': 'SITENAME = "Wien"' })
      const { code, stderr, log } = await run(script, ['--env', 'production'])
      expect({ code, log }).toEqual({ code: 1, log: [] })
      expect(stderr).toBe(
        'There is no setting SITENAME, which wrangler.toml has under [env.production.vars]: did you mean SITE_NAME?\n',
      )
    },
  )

  it('that are unknown are named, and stop nothing', async () => {
    setVars({ '[env.production.vars]': 'WEATHER_KEY = "1"' })
    const { code, stdout } = await run('deploy', ['--env', 'production', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toContain('\n  WEATHER_KEY is not a setting of the calendar\n')
  })

  it('that would keep the service from starting are refused', async () => {
    setVars({ '[env.production.vars]': 'TIMEZONE = "Berlin"' })
    const { code, stderr, log } = await run('deploy', ['--env', 'production'])
    expect({ code, log }).toEqual({ code: 1, log: [] })
    expect(stderr).toContain('TIMEZONE: Berlin')
  })
})

describe('wrangler.toml', () => {
  it('keeps its comments, its other ids and its line ends', () => {
    const toml = [
      '# top',
      '[[d1_databases]]',
      'binding = "OTHER"',
      'database_id = "other"',
      '',
      '[[d1_databases]] ',
      '  binding = "DB" # bound',
      '  database_name = "calendar"',
      '  database_id = "00000000-0000-0000-0000-000000000000" # by hand',
      '[vars]',
      'database_id = "not this"',
    ].join('\n')
    expect(databaseOf(undefined, toml)).toEqual({ name: 'calendar', id: undefined })
    const changed = withDatabaseId(toml, undefined, ID)
    expect(changed).toBe(toml.replace('00000000-0000-0000-0000-000000000000', ID))
    expect(databaseOf(undefined, changed)).toEqual({ name: 'calendar', id: ID })
  })

  it('gets an id if it has none, and its command fails if it has no database', () => {
    const toml = '[[env.a.d1_databases]]\nbinding = "DB"\ndatabase_name = "calendar"'
    expect(databaseOf('a', withDatabaseId(toml, 'a', ID)).id).toBe(ID)
    expect(() => withDatabaseId(toml, 'b', ID)).toThrow('[[env.b.d1_databases]]')
  })
})
