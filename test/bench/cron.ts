import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyMigrations, PROJECT_CONFIG } from '../../src/commands/wrangler.ts'
import { DAY_MS, formatInstant } from '../../src/kit/lib/time.ts'
import { isObject } from '../../src/kit/lib/values.ts'
import { FEEDS, makeEverythingDue } from '../everything-due.ts'
import { listen } from '../listen.ts'
import { makeReceiver, respondWithStatus } from '../receiver.ts'
import { ADMINISTRATOR, API, authorizationOf } from './api.ts'
import { cpuOf, hasCpu, runtimeIds } from './measure.ts'
import { addUsers } from './seed.ts'
import { startService } from './servers.ts'

/** The resources that an invocation has used. */
export type Taken = {
  name: string
  statements: number
  /** Requests to other servers. */
  requests: number
  /** Milliseconds of CPU, with those of the local database; not a number where the system does not tell. */
  cpu: number
  rowsWritten: number
}

/** The most minutes that are measured. Measuring stops earlier once no work is left. */
const MAX_MINUTES = 40

/** The line that the cron logs about a run. */
const lineOf = (lines: readonly string[]) => {
  const said = lines.flatMap(line => {
    try {
      const value: unknown = JSON.parse(line)
      return isObject(value) && value.id === 'cron' && 'statements' in value ? [value] : []
    } catch {
      return []
    }
  })
  return said.at(-1)
}

/** Makes all work of the cron due at once. @returns the resources that each minute has used */
export async function measureCron(script: string): Promise<Taken[]> {
  const state = await mkdtemp(join(tmpdir(), 'bench-cron-'))
  await applyMigrations({ remote: false, persistTo: state, environment: undefined, config: PROJECT_CONFIG })
  const lines: string[] = []
  let fetched = 0
  const server = await listen(() => (request, response) => {
    fetched++
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(FEEDS[request.url ?? ''] ?? '')
  })
  const receiver = await makeReceiver()
  const service = startService(script, state, {
    bindings: { ALLOW_PRIVATE_HOSTS: 'on', SITE_URL: 'https://town.example', TIMEZONE: 'UTC' },
    log: line => lines.push(line),
  })
  try {
    const base = await service.ready
    const db = await service.getD1Database('DB')
    await addUsers(db)
    const rows = async (sql: string) => (await db.prepare(sql).all()).results
    const must = async (method: string, path: string, json?: object) => {
      const response = await fetch(new URL(API + path, base), {
        method,
        headers: { authorization: authorizationOf(ADMINISTRATOR), 'content-type': 'application/json' },
        ...(json && { body: JSON.stringify(json) }),
      })
      const body: unknown = await response.json()
      if (!response.ok || !isObject(body))
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(body)}`)
      return body
    }
    // Messages wait for the cron.
    receiver.respond = respondWithStatus(503)
    await makeEverythingDue(
      { must, rows },
      { feeds: server.address, receiver, soon: formatInstant(Date.now() + 600_000) },
    )
    receiver.respond = respondWithStatus(204)
    // Otherwise they would have failed for a month by then.
    await rows('UPDATE webhooks SET failing_since_utc = NULL')
    // A month later, in the minute in which the daily tasks run.
    const start = Math.ceil(Date.now() / DAY_MS + 30) * DAY_MS + 190 * 60_000
    const [pid] = runtimeIds().slice(-1)
    const cpuNow = () => (hasCpu && pid !== undefined ? cpuOf(pid) : Number.NaN)
    const worker = await service.getWorker()
    const minutes: Taken[] = []
    for (let n = 0; n < MAX_MINUTES && minutes.at(-1)?.rowsWritten !== 0; n++) {
      lines.length = 0
      fetched = 0
      receiver.received.length = 0
      const before = cpuNow()
      await worker.scheduled({ scheduledTime: new Date(start + n * 60_000), cron: '* * * * *' })
      const after = cpuNow()
      // Logs come by another way than results.
      for (let tries = 0; tries < 50 && !lineOf(lines); tries++) await sleep(20)
      const line = lineOf(lines)
      if (!line) throw new Error('The cron logged no summary.')
      minutes.push({
        name: `minute ${n + 1}`,
        statements: Number(line.statements),
        requests: fetched + receiver.received.length,
        cpu: after - before,
        rowsWritten: Number(line.rows_written),
      })
    }
    return minutes
  } finally {
    await service.dispose()
    await server.close()
    await receiver.close()
    await rm(state, { recursive: true, force: true })
  }
}
