import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll } from 'vitest'
import { addUser } from '../src/calendar/users/users.ts'
import { makeAssets, makeTemplate } from '../src/commands/assets.ts'
import { loadSample } from '../src/commands/load-sample.ts'
import { PROJECT_CONFIG } from '../src/commands/wrangler.ts'
import { NAMESPACE, type Vars } from '../src/kit/settings.ts'
import { bundleWorker } from './bench/build.ts'
import { type Files, openMigrated, readFiles, writeFiles } from './migrated.ts'
import { makeOnce } from './once.ts'

// Tests that are not about `npm run dev` start the calendar here, which takes three seconds of CPU instead of
// some fifteen. The Worker, its configuration and its static files are those that wrangler deploys.

/** The service with its sample events, on a port and a database of its own. */
export type Service = {
  api: string
  /** The administrator's, whose login is admin. */
  password: string
  /** The folder of its data, as `--persist-to` takes it. */
  state: string
  /** Runs the cron as at some time. @param nowMs epoch milliseconds */
  cron: (nowMs: number) => Promise<void>
  /** The e-mails that it has sent, the latest last, where it sends any. */
  mails: () => Promise<ServiceMail[]>
  stop: () => Promise<void>
}

/** An e-mail as the stand-in of Miniflare keeps it. */
export type ServiceMail = {
  to: string[]
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** Where Miniflare says what its services have taken. */
const SENT = '/cdn-cgi/local/explorer/api/local/email/sending'

async function mailsOf(origin: string): Promise<ServiceMail[]> {
  // It responds in a format of its own.
  const read = async <T>(query: string): Promise<T> =>
    ((await (await fetch(`${origin}${SENT}?${query}`)).json()) as { result: T }).result
  const all = await read<{ messageId: string; sentAt: string }[]>('per_page=100')
  const sorted = all.sort((a, b) => (a.sentAt < b.sentAt ? -1 : 1))
  return Promise.all(
    sorted.map(({ messageId }) =>
      read<ServiceMail>(`email_id=${encodeURIComponent(messageId.replace(/^<|>$/g, ''))}`),
    ),
  )
}

/** Where the images of the sample are before a service has its port. */
const NOWHERE = 'http://sample.invalid/'

/**
 * Browsers ask with each page whether their copies of these are current. They are the same files as long as a
 * service runs.
 */
const UNCHANGING = '/_sample/*\n  Cache-Control: max-age=86400\n'

/** Makes a database with the sample in a folder, and a file with the administrator's password. */
async function makeSample(folder: string): Promise<void> {
  const db = await openMigrated(join(folder, 'data'))
  const { password } = await addUser(db.db, 'admin', 'administrator')
  const authorization = `Bearer ${password.replaceAll(' ', '')}`
  // Without the sample's settings: services have the vars that their tests give them.
  await loadSample(db, { authorization, images: NOWHERE, nowMs: Date.now() })
  await db.close()
  await writeFile(join(folder, 'password'), password)
}

/** The path of the file that is the database. Others are those in which Miniflare notes what it has. */
function databaseAmong(files: Files): string {
  const [path] = files.find(([path]) => /\/d1\/.*\/\w{64}\.sqlite$/.test(path)) ?? []
  if (path === undefined) throw new Error('no database')
  return path
}

/**
 * Makes the addresses of the sample's images those of the service. A service opens its database with its
 * first request, so nobody else has it yet. Asking Miniflare for it would start a thread and a few Workers:
 * a sixth of the computing of a start.
 */
function moveImages(database: string, address: string): void {
  const db = new DatabaseSync(database)
  db.prepare('UPDATE images SET url = replace(url, ?1, ?2) WHERE instr(url, ?1) = 1').run(NOWHERE, address)
  db.close()
}

/** Makes a database with nothing in it, not even a user. */
async function makeEmpty(folder: string): Promise<void> {
  const db = await openMigrated(join(folder, 'data'))
  await db.close()
  await writeFile(join(folder, 'password'), '')
}

/** Makes the static files, and the bindings of the project's configuration, with these files. */
async function makeBindings(folder: string): Promise<void> {
  const directory = join(folder, 'assets')
  await makeAssets(directory)
  await makeTemplate(directory)
  await cp(join(import.meta.dirname, '../src/commands/sample-images'), join(directory, '_sample'), {
    recursive: true,
  })
  await appendFile(join(directory, '_headers'), UNCHANGING)
  // Wrangler reads this when it is loaded; otherwise it prints notes.
  process.env.WRANGLER_LOG ??= 'error'
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler')
  const { modulesRules: _, ...bindings } = unstable_getMiniflareWorkerOptions(PROJECT_CONFIG, undefined, {
    overrides: { assets: { directory } },
  }).workerOptions
  await writeFile(join(folder, 'bindings.json'), JSON.stringify(bindings))
}

/**
 * @param vars all of them: others have their defaults
 * @param options `isEmpty` for a calendar without a user or an event, `sendsMail` for one with Miniflare's
 * service for e-mails,
 *   `takesMail` for one to which e-mails can be sent by HTTP
 */
export async function startService(
  vars: Vars = {},
  { isEmpty = false, sendsMail = false, takesMail = false } = {},
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-'))
  const sample = isEmpty ? await makeOnce('empty', makeEmpty) : await makeOnce('sample', makeSample)
  const files = await readFiles(join(sample, 'data'))
  await writeFiles(folder, files)
  const password = await readFile(join(sample, 'password'), 'utf8')
  const source = await readFile(await bundleWorker(), 'utf8')
  const bindings = JSON.parse(
    await readFile(join(await makeOnce('bindings', makeBindings), 'bindings.json'), 'utf8'),
  )
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...bindings,
      // Neither wrangler.toml nor .dev.vars says what tests run with.
      bindings: vars,
      ...(sendsMail && { email: { send_email: [{ name: 'EMAIL' }] }, unsafeLocalExplorer: true }),
      ...(takesMail && { unsafeTriggerHandlers: true }),
      name: 'service',
      modules: true,
      script: source,
      host: '127.0.0.1',
      // Every request is logged; nobody needs to read it here.
      handleStructuredLogs: () => {},
    }),
    resourcePersistencePath: join(folder, 'v3'),
  })
  const { origin } = await miniflare.ready
  moveImages(join(folder, databaseAmong(files)), `${origin}/_sample/`)
  const stop = async () => {
    await miniflare.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const cron = async (nowMs: number) => {
    const { outcome } = await (await miniflare.getWorker()).scheduled({ scheduledTime: new Date(nowMs) })
    if (outcome !== 'ok') throw new Error(`The cron ended as ${outcome}.`)
  }
  const mails = () => mailsOf(origin)
  return { api: `${origin}/${NAMESPACE}`, password, state: folder, cron, mails, stop }
}

/** Declares a service for the tests of a file or of a block. Its properties are known once these run. */
export function declareService(...given: Parameters<typeof startService>): Service {
  const service: Service = {
    api: '',
    password: '',
    state: '',
    cron: async () => {},
    mails: async () => [],
    stop: async () => {},
  }
  beforeAll(async () => {
    Object.assign(service, await startService(...given))
  })
  afterAll(() => service.stop())
  return service
}

/**
 * Asks the API of a service, as its administrator.
 * @returns the body of the response, which must be no error
 */
export const askAsOwner =
  ({ api, password }: Service) =>
  async <T>(method: string, path: string, json?: object): Promise<T> => {
    // The runtime now and then breaks a connection after a request whose body the Worker did not read, so
    // none is sent where there is nothing to say.
    const sent = json && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }
    const authorization = `Bearer ${password.replaceAll(' ', '')}`
    const response = await fetch(api + path, {
      ...sent,
      method,
      headers: { ...sent?.headers, authorization },
    })
    const body = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${body}`)
    // What the path responds with is up to the test.
    return JSON.parse(body) as T
  }

/** A day by the clock of services, which is the real one. @param n days from today */
export const dayFromNow = (n: number): string =>
  new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
