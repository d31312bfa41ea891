import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NAMESPACE } from '../../../src/settings.ts'

const PATIENCE_MS = 60_000

/** The service as `npm run dev` serves it, with its sample events, on a port and a database of its own. */
export type Server = { api: string; stop: () => Promise<void> }

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return address.port
}

export async function startServer(): Promise<Server> {
  const port = await freePort()
  const data = await mkdtemp(join(tmpdir(), 'calendar-'))
  const script = join(import.meta.dirname, '../../../src/cli/dev.ts')
  const args = ['--port', String(port), '--inspector-port', '0', '--persist-to', data]
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      printed += chunk
    })
  const stop = async () => {
    await end(child)
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  }
  const api = `http://localhost:${port}/${NAMESPACE}`
  const answers = () =>
    fetch(api).then(
      response => response.ok,
      () => false,
    )
  for (const start = Date.now(); !(await answers()); await sleep(200)) {
    if (child.exitCode === null && Date.now() - start < PATIENCE_MS) continue
    await stop()
    throw new Error(`The server did not start:\n${printed}`)
  }
  return { api, stop }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
