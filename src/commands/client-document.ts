import { ROUTES } from '../app.ts'
import { openApiDocument } from '../kit/docs/openapi.ts'
import { formatInstant } from '../kit/lib/time.ts'
import type { Json } from '../kit/lib/values.ts'
import { NAMESPACE, settingsOf } from '../kit/settings.ts'

/** The document of a service with default settings at an address. */
export function documentAt(site: string): Json {
  return openApiDocument(ROUTES, {
    api: `${site}/${NAMESPACE}`,
    now: formatInstant(Date.now()),
    settings: settingsOf({}),
  })
}
