import { type ChildProcess, spawn } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { NAMESPACE } from '../../src/settings.ts'
import { freePort, killGroup, LONG, NODE, PROJECT, temporaryFolder } from './spawn.ts'

const COPIED = ['src', 'drizzle', 'package.json', 'tsconfig.json', 'wrangler.toml']

// The process that starts the service has a clock that stands two seconds before a minute: nobody waits for the real one.
const CLOCK = 'const at = Math.ceil(Date.now() / 60_000) * 60_000 - 2_000; Date.now = () => at'
const AT_A_MINUTE = `--import=data:text/javascript,${encodeURIComponent(CLOCK)}`

let running: ChildProcess | undefined
const folder = await temporaryFolder()

afterAll(async () => {
  if (running) killGroup(running)
  await folder.remove()
})

it('the service runs its cron, and a change of the source is served without a restart', {
  timeout: LONG,
}, async () => {
  for (const name of COPIED) await cp(join(PROJECT, name), join(folder.path, name), { recursive: true })
  await symlink(join(PROJECT, 'node_modules'), join(folder.path, 'node_modules'))
  const port = await freePort()
  const child = spawn(NODE, [AT_A_MINUTE, 'src/cli/dev.ts', '--port', String(port)], {
    cwd: folder.path,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const served = (text: string) =>
    vi.waitFor(
      async () => {
        const response = await fetch(`http://localhost:${port}/${NAMESPACE}/nothing`)
        expect(await response.text()).toContain(text)
      },
      { timeout: LONG, interval: 200 },
    )
  const before = 'No route matches this address and method.'
  await served(before)
  await vi.waitFor(() => expect(printed).toContain('"id":"cron"'), { timeout: LONG, interval: 500 })
  expect(printed).not.toContain('not automatically triggered')
  expect(printed).not.toContain('Request.cf')
  const file = join(folder.path, 'src/http/errors.ts')
  const source = await readFile(file, 'utf8')
  expect(source).toContain(before)
  await writeFile(file, source.replace(before, 'There is nothing here.'))
  await served('There is nothing here.')
})
