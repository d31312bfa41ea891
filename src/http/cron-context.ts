import type { RequestContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { ANONYMOUS } from '../lib/roles.ts'
import { formatInstant } from '../lib/time.ts'
import type { Settings } from '../settings.ts'

/** A context of the cron, which has no request. @param api the start of addresses, as a request had it */
export function contextOfCron(
  { api }: { api: string },
  { db, settings, nowMs }: { db: Database; settings: Settings; nowMs: number },
): RequestContext {
  const { origin } = new URL(api)
  const site = settings.siteUrl ?? origin
  const { host } = new URL(site)
  return {
    db,
    caller: ANONYMOUS,
    requestId: '',
    media: undefined,
    images: undefined,
    now: formatInstant(nowMs),
    settings,
    ifMatch: undefined,
    ifNoneMatch: undefined,
    site,
    host,
    api,
  }
}
