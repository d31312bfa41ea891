import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'drizzle-kit'

// For `npx drizzle-kit check`, and for `npx drizzle-kit studio` on the local database of `npm run dev`, after
// `npm install --no-save @libsql/client`.

if (process.argv[2] === 'generate')
  throw new Error(
    'drizzle-kit knows tables only. npm run migration -- --name what_it_does also makes triggers and views.',
  )

const FOLDER = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject'
const files = existsSync(FOLDER) ? readdirSync(FOLDER) : []
const file = files.find(name => name.endsWith('.sqlite') && name !== 'metadata.sqlite')

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/kit/db/tables.ts', './src/features/*/tables.ts'],
  out: './drizzle',
  dbCredentials: { url: file ? `file:${join(FOLDER, file)}` : ':memory:' },
})
