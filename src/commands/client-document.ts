import { ROUTES } from '../app.ts'
import { openApiDocument } from '../kit/docs/openapi.ts'
import { Clock } from '../kit/lib/clock.ts'
import type { Json } from '../kit/lib/values.ts'
import { NAMESPACE, settingsOf } from '../kit/settings.ts'

/** The document of a service with default settings at an address. */
export function documentAt(site: string): Json {
  return openApiDocument(ROUTES, {
    api: `${site}/${NAMESPACE}`,
    clock: new Clock(Date.now()),
    settings: settingsOf({}),
  })
}
