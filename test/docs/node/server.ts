import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NAMESPACE } from '../../../src/settings.ts'
import { freePort, temporaryFolder } from '../../cli/spawn.ts'

const PROJECT = join(import.meta.dirname, '../../..')
const NODE = join(PROJECT, 'node_modules/.bin/node')
/** A little less than a hook may take, so that it can still tell what the server printed. */
const PATIENCE_MS = 280_000

/** The service as `npm run dev` serves it, with its sample events, on a port and a database of its own. */
export type Server = {
  api: string
  /** The administrator's, whose login is admin. */
  password: string
  /** The folder of its data, as `--persist-to` takes it. */
  state: string
  stop: () => Promise<void>
}

export async function startServer(): Promise<Server> {
  const port = await freePort()
  const folder = await temporaryFolder()
  const args = ['--port', String(port), '--inspector-port', '0', '--persist-to', folder.path]
  // A group of its own, so that nothing it starts is left behind.
  const child = spawn(NODE, ['src/cli/dev.ts', ...args], {
    cwd: PROJECT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      printed += chunk
    })
  const stop = async () => {
    await end(child)
    await folder.remove()
  }
  const api = `http://localhost:${port}/${NAMESPACE}`
  const start = Date.now()
  // The password is the last thing that is printed.
  const password = () => printed.match(/^Password +((?:\w{5} ?){8})/m)?.[1]?.trim()
  while (!(password() && (await answers(api)))) {
    if (child.exitCode !== null || Date.now() - start > PATIENCE_MS) {
      await stop()
      throw new Error(`The server did not start:\n${printed}`)
    }
    await sleep(200)
  }
  return { api, password: password() ?? '', state: folder.path, stop }
}

const answers = (address: string): Promise<boolean> =>
  fetch(address).then(
    response => response.ok,
    () => false,
  )

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) {
    child.kill('SIGTERM')
    await Promise.race([once(child, 'exit'), sleep(10_000, undefined, { ref: false })])
  }
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of it has ended, as it should.
  }
}
