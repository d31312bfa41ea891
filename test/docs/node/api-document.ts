import { ROUTES } from '../../../src/app.ts'
import { openApiDocument } from '../../../src/docs/openapi.ts'
import type { Json } from '../../../src/docs/schemas.ts'
import { ANONYMOUS } from '../../../src/lib/roles.ts'
import { NAMESPACE, settingsOf } from '../../../src/settings.ts'

const SITE = 'https://calendar.example.org'

/** The document that a service with default settings serves. */
export const apiDocument = (): Json =>
  openApiDocument(ROUTES, {
    caller: ANONYMOUS,
    now: '2026-11-20 12:00:00',
    settings: settingsOf({}),
    site: SITE,
    api: `${SITE}/${NAMESPACE}`,
  })
