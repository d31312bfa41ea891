import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDatabases } from '../../src/commands/local-d1.ts'
import { passwordDigest } from '../../src/kit/lib/hash.ts'
import { NAMESPACE } from '../../src/kit/settings.ts'
import { bundleWorker } from '../bench/build.ts'
import { migrate } from '../migrated.ts'
import { checkDerived, checkFields, checkMade, checkOrphans } from './checks.ts'
import { Client } from './client.ts'
import { FIELDS } from './fields.ts'
import { ServerProcess } from './process.ts'
import { DATABASE, LOGIN, openWorker } from './worker.ts'

const SHARED_EVENTS = 12

export type Report = {
  seconds: number
  reads: number
  writes: number
  /** Requests that the crash left without an answer. */
  unanswered: number
  restartMs: number
  medianMs: number
  p99Ms: number
  problems: string[]
}

/**
 * Eight clients read and write, the server is killed half-way and started again, and in the end what is there
 * is compared with what the clients were told.
 *
 * @param seconds how long the clients work, the restart included
 */
export async function soak(seconds: number, port: number): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-'))
  const script = await bundleWorker()
  const server = new ServerProcess(script, folder, port)
  try {
    await prepare(folder)
    await server.start()
    const base = `http://127.0.0.1:${port}/${NAMESPACE}`
    const shared = await makeShared(base)
    const clients = FIELDS.map((_, number) => new Client(base, number, shared))
    const restartMs = await work(clients, server, seconds)
    await server.kill()
    const problems = [
      ...clients.flatMap(client => client.problems),
      ...(await check(clients, script, folder)),
    ]
    return { seconds, ...figures(clients), restartMs: Math.round(restartMs), problems }
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Makes a database with tables, and an editor to log in as. */
async function prepare(folder: string): Promise<void> {
  const { d1, stop } = await startDatabases([DATABASE], folder)
  for (const db of d1) {
    await migrate(db)
    await db.batch([
      db.prepare(`INSERT INTO users (login, role, created_utc) VALUES (?, 'editor', '')`).bind(LOGIN.login),
      db
        .prepare(`INSERT INTO passwords (user_id, digest, created_utc) VALUES (1, ?, '')`)
        .bind(await passwordDigest(LOGIN.password)),
    ])
  }
  await stop()
}

/** Makes the events that all clients write to. @returns their ids */
async function makeShared(base: string): Promise<number[]> {
  const fields = Object.assign({}, ...FIELDS.map(field => field.write(0)))
  const ids: number[] = []
  for (let i = 0; i < SHARED_EVENTS; i++) {
    const response = await fetch(`${base}/events`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${LOGIN.login}:${LOGIN.password}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(fields),
    })
    // Every response to a write has an id.
    const { id } = (await response.json()) as { id: number }
    ids.push(id)
  }
  return ids
}

/**
 * The writes without which a crash would prove nothing, half of them before it. A slow machine takes longer
 * for them.
 */
const MIN_WRITES = 22

/** @returns milliseconds that the restart took */
async function work(clients: readonly Client[], server: ServerProcess, seconds: number): Promise<number> {
  const begin = performance.now()
  const hasWorked = (part: number) =>
    performance.now() - begin > part * seconds * 1000 && figures(clients).writes >= part * MIN_WRITES
  const working = Promise.all(clients.map(client => client.run(() => hasWorked(1))))
  while (!hasWorked(0.5)) await new Promise(resolve => setTimeout(resolve, 20))
  await server.kill()
  const restartMs = await server.start()
  await working
  return restartMs
}

/** Reads what the killed server left, with another. */
async function check(clients: readonly Client[], script: string, folder: string): Promise<string[]> {
  const worker = openWorker(script, folder)
  try {
    const db = await worker.getD1Database('DB')
    const read = async (path: string) => {
      const response = await worker.dispatchFetch(`http://localhost/${NAMESPACE}${path}`)
      return (await response.json()) as Record<string, unknown>
    }
    return [
      ...(await checkFields(clients, read)),
      ...(await checkMade(clients, db)),
      ...(await checkOrphans(clients, db)),
      ...(await checkDerived(db, read)),
    ]
  } finally {
    await worker.dispose()
  }
}

function figures(clients: readonly Client[]) {
  const sum = (name: 'reads' | 'writes' | 'unanswered') =>
    clients.reduce((total, client) => total + client.counts[name], 0)
  const sorted = clients.flatMap(client => client.milliseconds).sort((a, b) => a - b)
  const quantile = (part: number) => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10
  return {
    reads: sum('reads'),
    writes: sum('writes'),
    unanswered: sum('unanswered'),
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
  }
}
