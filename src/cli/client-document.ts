import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ROUTES } from '../app.ts'
import { openApiDocument } from '../docs/openapi.ts'
import type { Json } from '../docs/schemas.ts'
import { formatInstant } from '../lib/time.ts'
import { NAMESPACE, settingsOf } from '../settings.ts'

// Writes the OpenAPI document to a file, for tools such as generators of typed clients.

const FILE = join(import.meta.dirname, '../../dist/client/openapi.json')

/** The document that a service with default settings would serve at this address. */
export const documentAt = (site: string): Json =>
  openApiDocument(ROUTES, {
    api: `${site}/${NAMESPACE}`,
    now: formatInstant(Date.now()),
    settings: settingsOf({}),
  })

if (import.meta.main) {
  await mkdir(dirname(FILE), { recursive: true })
  await writeFile(FILE, JSON.stringify(documentAt('http://localhost:8787'), null, 2))
}
