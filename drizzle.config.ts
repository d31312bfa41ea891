import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'drizzle-kit'

// `npx drizzle-kit studio` shows the local database of `npm run dev`, after
// `npm install --no-save @libsql/client`.
const FOLDER = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject'
const files = existsSync(FOLDER) ? readdirSync(FOLDER) : []
const file = files.find(name => name.endsWith('.sqlite') && name !== 'metadata.sqlite')

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/kit/db/tables.ts', './src/features/*/tables.ts'],
  out: './drizzle',
  dbCredentials: { url: file ? `file:${join(FOLDER, file)}` : ':memory:' },
})
