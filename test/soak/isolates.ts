import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { COMPATIBILITY_DATE } from '../../src/commands/wrangler.ts'
import { DATABASE } from './worker.ts'

/** The header that names the isolate which responds. */
export const ISOLATE = 'x-isolate'
export const ISOLATES = ['a', 'b'] as const

const WORKER = {
  modules: true,
  compatibilityDate: COMPATIBILITY_DATE,
} as const

/** Sends a request to the isolate that it names. */
const ROUTER = `export default { fetch: (request, env) => env[request.headers.get('${ISOLATE}') ?? 'a'].fetch(request) }`

/**
 * The Worker in two isolates on one database that outlives them, in a folder of local data. E-mails go
 * nowhere.
 */
const openIsolates = (script: string, folder: string, port: number): Miniflare => {
  const text = readFileSync(script, 'utf8')
  return new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(folder, 'v3'),
      host: '127.0.0.1',
      port,
      handleStructuredLogs: () => {},
      workers: [
        { ...WORKER, name: 'router', script: ROUTER, serviceBindings: { a: 'a', b: 'b' } },
        ...ISOLATES.map(name => ({
          ...WORKER,
          name,
          script: text,
          d1Databases: { DB: DATABASE },
          email: { send_email: [{ name: 'EMAIL' }] },
          bindings: {
            MAIL_FROM: 'Mill <events@town.example>',
            IMPRINT_URL: 'https://town.example/imprint',
            PRIVACY_URL: 'https://town.example/privacy',
            TIMEZONE: 'UTC',
          },
        })),
      ],
    }),
  )
}

// The process that the race kills: node isolates.ts SCRIPT FOLDER PORT.
if (import.meta.main) {
  const [script = '', folder = '', port = ''] = process.argv.slice(2)
  await openIsolates(script, folder, Number(port)).ready
  console.log('ready')
}
