import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseYaml } from '@redocly/openapi-core'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { firstAddress } from '../../src/commands/deployed-address.ts'
import { withDatabaseId } from '../../src/commands/wrangler-config.ts'
import { listen } from '../listen.ts'
import { NODE, PROJECT, temporaryFolder } from './spawn.ts'

// Runs the steps of the workflow that deploys as GitHub does: shell commands in a shell, with the outputs of
// earlier steps in place of expressions. Only the action that runs wrangler is replaced by what wrangler
// prints.

const step = z.object({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.coerce.string()).default({}),
})
const workflow = z.object({ jobs: z.object({ deploy: z.object({ steps: z.array(step) }) }) })

const FILE = join(PROJECT, '.github/workflows/ci.yml')
const { steps } = workflow.parse(parseYaml(readFileSync(FILE, 'utf8'))).jobs.deploy

const ID = '11111111-2222-3333-4444-555555555555'

let folder: string

/** A checkout of the project, of which `npm` does nothing but run `deploy`. */
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
  for (const name of ['src', 'node_modules', 'package.json'])
    symlinkSync(join(PROJECT, name), join(folder, name))
  cpSync(join(PROJECT, 'wrangler.toml'), join(folder, 'wrangler.toml'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(
    join(folder, 'bin/npm'),
    '#!/bin/sh\n[ "$1" = ci ] && exit\nshift 3\nexec node src/commands/deploy.ts "$@"\n',
  )
  chmodSync(join(folder, 'bin/npm'), 0o755)
  symlinkSync(NODE, join(folder, 'bin/node'))
})

/** Gives production a database, and these vars instead of those of the checkout. */
function configure(vars = ''): void {
  const path = join(folder, 'wrangler.toml')
  const toml = readFileSync(path, 'utf8').replace(/^[A-Z][A-Z_]+ = .*\n/gm, '')
  const header = '[env.production.vars]\n'
  writeFileSync(path, withDatabaseId(toml, 'production', ID).replace(header, header + vars))
}

/** Runs a step's commands. @returns the exit status, what was printed, and the outputs that the step sets */
async function runStep(commands: string, variables: Record<string, string>) {
  const outputFile = join(folder, 'output')
  writeFileSync(outputFile, '')
  const child = spawn('bash', ['-e', '-c', commands], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      // Links of the folder are not followed, so that commands find its wrangler.toml and not the project's.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --preserve-symlinks --preserve-symlinks-main`,
      WORKERS_CI: '',
      GITHUB_OUTPUT: outputFile,
      GITHUB_REF: 'refs/heads/main',
      TARGET: 'production',
      ...variables,
    },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  const lines = readFileSync(outputFile, 'utf8').trim().split('\n')
  const outputs = lines.map(line => line.split('='))
  return { code, printed: stdout + stderr, outputs: Object.fromEntries(outputs) as Record<string, string> }
}

/**
 * Runs the job.
 * @param wrangler what wrangler prints.
 * @returns the status and the output of the last step that ran
 */
async function runJob(wrangler: string, secrets: Record<string, string> = { CLOUDFLARE_API_TOKEN: 'token' }) {
  const outputs: Record<string, Record<string, string>> = {}
  const evaluate = (expression: string): string => {
    const [scope = '', id = '', kind, name = ''] = expression.split('.')
    if (scope === 'secrets') return secrets[id] ?? ''
    expect([scope, kind], expression).toEqual(['steps', 'outputs'])
    return outputs[id]?.[name] ?? ''
  }
  let last = { code: 0, printed: '' }
  const ran: string[] = []
  for (const { id, if: condition, uses, run, env } of steps) {
    if (condition !== undefined && !evaluate(condition)) continue
    ran.push(run ?? uses ?? '')
    if (uses?.startsWith('cloudflare/wrangler-action@')) outputs[id ?? ''] = { 'command-output': wrangler }
    if (run === undefined) continue
    const variables = Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => evaluate(expression)),
    ])
    const outcome = await runStep(run, { ...Object.fromEntries(variables), RETRIES: '1' })
    last = outcome
    if (outcome.code !== 0) break
    outputs[id ?? ''] = outcome.outputs
  }
  return { ...last, ran }
}

/** What wrangler prints once it has deployed to these targets. */
const printedFor = (...targets: string[]): string =>
  [
    'Total Upload: 4000.00 KiB / gzip: 900.00 KiB',
    'Uploaded event-calendar-production (5.12 sec)',
    'Deployed event-calendar-production triggers (1.30 sec)',
    ...targets.map(target => `  ${target}`),
    'Current Version ID: 6f1c2f4e-9d0c-4d43-8f7c-0c1b8a3f0f11\n',
  ].join('\n')

const DOMAIN = 'calendar.example.org (custom domain)'
const SCHEDULE = 'schedule: * * * * *'

/** A calendar that answers `/readyz`. @returns its address, and the paths that were asked */
async function serve(status = 200) {
  const asked: string[] = []
  const { address, close } = await listen(() => (request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status).end()
  })
  onTestFinished(close)
  return { address, asked }
}

describe('the workflow that deploys', () => {
  it('asks SITE_URL where the first target is a custom domain', async () => {
    const { address, asked } = await serve()
    configure(`SITE_URL = "${address}/"\n`)
    expect(await runJob(printedFor(DOMAIN, SCHEDULE))).toMatchObject({ code: 0 })
    expect(asked).toEqual(['/readyz'])
  })

  it('asks the first target that is an address without SITE_URL', async () => {
    const { address, asked } = await serve()
    configure()
    expect(await runJob(printedFor('example.org/events/*', SCHEDULE, address))).toMatchObject({ code: 0 })
    expect(asked).toEqual(['/readyz'])
  })

  it('fails where the calendar is not ready, after another try', async () => {
    const { address, asked } = await serve(503)
    configure(`SITE_URL = "${address}"\n`)
    const { code, printed } = await runJob(printedFor(DOMAIN))
    expect([code, printed]).toEqual([22, expect.stringContaining('503')])
    expect(asked).toEqual(['/readyz', '/readyz'])
  })

  it('fails if the address does not respond', async () => {
    const { address, close } = await listen(() => (_, response) => response.end())
    await close()
    configure()
    expect((await runJob(printedFor(address))).code).not.toBe(0)
  })

  it('passes where no target is an address, and says that nothing was asked', async () => {
    configure()
    const { code, printed } = await runJob(printedFor('example.org/*', SCHEDULE))
    expect([code, printed]).toEqual([0, expect.stringContaining('Not asked')])
  })

  it('deploys nothing without the secrets, and nothing that lacks a var or a database', async () => {
    expect((await runJob('', {})).ran).toHaveLength(2)
    const { code, printed, ran } = await runJob('')
    expect([code, printed]).toEqual([1, expect.stringContaining('npm run setup')])
    expect(ran.at(-1)).toContain('--dry-run')
  })
})

it.each([
  [['https://event-calendar.example.workers.dev', SCHEDULE], 'https://event-calendar.example.workers.dev'],
  [[DOMAIN, 'https://event-calendar.example.workers.dev'], 'https://calendar.example.org'],
  [['calendar.example.org (custom domain - zone id: 12)'], 'https://calendar.example.org'],
  [['calendar.example.org (custom domain) (production: enabled)'], 'https://calendar.example.org'],
  [['*.example.org/* (zone name: example.org)', SCHEDULE], undefined],
  [[SCHEDULE], undefined],
])('the first address of the targets %j is %s', (targets, address) => {
  expect(firstAddress(printedFor(...targets))).toBe(address)
})

it('text that wrangler prints before its targets is not taken for an address', () => {
  expect(
    firstAddress('  https://developers.cloudflare.com\nNo targets deployed for event-calendar (1.30 sec)'),
  ).toBe(undefined)
})
