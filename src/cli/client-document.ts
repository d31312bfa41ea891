import { openApiDocument } from '../api/docs/openapi.ts'
import { ROUTES } from '../app.ts'
import { formatInstant } from '../lib/time.ts'
import type { Json } from '../lib/values.ts'
import { NAMESPACE, settingsOf } from '../settings.ts'

/** The document of a service with default settings at an address. */
export function documentAt(site: string): Json {
  return openApiDocument(ROUTES, {
    api: `${site}/${NAMESPACE}`,
    now: formatInstant(Date.now()),
    settings: settingsOf({}),
  })
}
