import { createApp } from '../src/app.ts'
import { startDatabases } from '../src/commands/local-d1.ts'
import worker from '../src/index.ts'
import { passwordDigest } from '../src/kit/lib/hash.ts'
import { settingsOf, type Vars } from '../src/kit/settings.ts'
import { freshDatabase, migrate } from './migrated.ts'

// The service over a database of its own in Node, from where receivers on this machine can be reached.

const SITE = 'https://town.example'
export const API = `${SITE}/calendar/events/v1`

const VARS: Vars = { SITE_URL: SITE, TIMEZONE: 'UTC', ALLOW_PRIVATE_HOSTS: 'on' }

type Json = ReturnType<typeof JSON.parse>

/** A response. */
export type Answer = { status: number; body: Record<string, Json> }

const inMemory = async () => ({ DB: await freshDatabase(), stop: async () => {} })

async function inFolder(folder: string) {
  const { d1, stop } = await startDatabases(['calendar'], folder)
  const [DB] = d1
  if (!DB) throw new Error('no database')
  return { DB, stop }
}

/** The tables with the content of sources, each before those to which it refers. */
const BROUGHT = [
  ...['twins', 'event_venues', 'event_organizers', 'event_terms', 'events'],
  ...['series_venues', 'series_organizers', 'series_terms', 'series', 'venues', 'organizers'],
  ...['imports', 'source_runs', 'source_pages', 'source_documents', 'sources'],
]

/**
 * The service over a database, which may be in a folder that outlives it: then `setUp` makes its tables.
 *
 * @param site its address
 * @param more vars besides those of every calendar here
 */
export async function openCalendar(folder?: string, site = SITE, more: Vars = {}) {
  const vars = { ...VARS, ...more, SITE_URL: site }
  const { DB, stop } = folder === undefined ? await inMemory() : await inFolder(folder)
  const app = createApp(settingsOf(vars))
  const env = { ...vars, DB }
  // Work after a response finds no database, so that messages are only sent when a test wants them.
  const session = { withSession: (start: string) => DB.withSession(start) } as unknown as D1Database
  const waiting: Promise<unknown>[] = []
  const context = {
    waitUntil: (work: Promise<unknown>) => void waiting.push(work),
    passThroughOnException: () => {},
    props: {},
  }
  const request = (method: string, path: string, json: object | undefined, DB: D1Database) =>
    app.request(
      `${API}${path}`,
      {
        method,
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        ...(json && { body: JSON.stringify(json) }),
      },
      { ...env, DB },
      context,
    )
  const read = async (path: string): Promise<Answer['body']> => {
    const response = await app.request(`${API}${path}`, {}, { ...env, DB }, context)
    return JSON.parse(await response.text())
  }
  const send = async (method: string, path: string, json?: object): Promise<Answer> => {
    const response = await request(method, path, json, session)
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return {
    DB,
    send,
    /** The response to an anonymous request. */
    ask: (address: string): Promise<Response> | Response => app.request(address, {}, env, context),
    /** Reads anonymously. @returns the body */
    read,
    /** Sends a request, and waits for the work after the response. */
    sendAndFinish: async (method: string, path: string, json?: object) => {
      waiting.length = 0
      const { status } = await request(method, path, json, DB)
      await Promise.all(waiting)
      return status
    },
    stop,
    /** Makes the missing tables, and the administrator who makes the requests. */
    setUp: async () => {
      if (folder !== undefined) await migrate(DB)
      await DB.batch([
        DB.prepare(
          `INSERT INTO users (login, role, created_utc) VALUES ('ada', 'administrator', '2026-01-01 00:00:00')`,
        ),
        DB.prepare(
          `INSERT INTO passwords (user_id, digest, created_utc) VALUES (1, ?, '2026-01-01 00:00:00')`,
        ).bind(await passwordDigest('secret')),
      ])
    },
    /** Deletes sources and their content. */
    clear: () => DB.batch(BROUGHT.map(table => DB.prepare(`DELETE FROM ${table}`))),
    /** Sends a request that must not fail. @returns the body */
    must: async (method: string, path: string, json?: object): Promise<Answer['body']> => {
      const { status, body } = await send(method, path, json)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
      return body
    },
    /** The work of the cron, at the time of the clock. @param other vars that differ */
    tick: (other: Vars = {}) =>
      worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, { ...env, ...other }),
    settings: settingsOf(vars),
    rows: async (sql: string): Promise<Record<string, Json>[]> => {
      const [result] = await DB.batch<Record<string, Json>>([DB.prepare(sql)])
      return result?.results ?? []
    },
  }
}

export type Calendar = Awaited<ReturnType<typeof openCalendar>>
