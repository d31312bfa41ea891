import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { command, runCommand } from './arguments.ts'

const HELP = `Writes the OpenAPI document and its TypeScript types, for clients made with openapi-fetch.

  npm run client:types -- [--out <dir>]

  --out <dir>   the folder for openapi.json and api.d.ts; dist/client by default`

const OPTIONS = {
  out: { type: 'string', short: 'o' },
} as const

const ROOT = join(import.meta.dirname, '../..')

// The generator is in its own workspace because it needs another version of TypeScript than the service. It
// is started by its path, because npm would take half a second.
const GENERATOR = createRequire(join(ROOT, 'test/client/package.json')).resolve(
  'openapi-typescript/package.json',
)

/** Makes types of a document. @throws Error if that fails */
async function writeTypes(document: string, types: string): Promise<void> {
  // Clients may omit fields with a default.
  const options = [document, '--default-non-nullable=false', '--output', types]
  const args = [join(dirname(GENERATOR), 'bin/cli.js'), ...options]
  const [code] = await once(spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`openapi-typescript ended with ${code}.`)
}

const run = command(HELP, OPTIONS, async values => {
  // Loaded late, so that help and wrong options don't wait for the app.
  const { documentAt } = await import('../app.ts')
  const folder = values.out === undefined ? join(ROOT, 'dist/client') : resolve(values.out)
  const document = join(folder, 'openapi.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(document, JSON.stringify(documentAt('http://localhost:8787'), null, 2))
  await writeTypes(document, join(folder, 'api.d.ts'))
})

await runCommand(run)
