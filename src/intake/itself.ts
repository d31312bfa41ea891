import { sql } from 'drizzle-orm'
import type { RequestContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { first } from '../db/query.ts'
import { calendarId } from '../http/revision.ts'
import { isOwnUid } from '../lib/ical/lines.ts'
import { type CalendarPlace, isOwnAddress } from '../resources/sources/own-address.ts'
import type { Settings } from '../settings.ts'
import type { AnyRecord } from './records.ts'

// A calendar that reads itself doubles all events with each run.

/** The id that this calendar sends with its responses. */
export async function ownId(db: Database, { siteUrl }: Settings): Promise<string | undefined> {
  const epoch = await db.get(first(sql`SELECT epoch FROM ${revision}`, row => String(row.epoch)))
  return epoch === undefined ? undefined : calendarId({ epoch }, siteUrl)
}

const withoutScheme = (address: string | null): string => (address ?? '').replace(/^https?:/, '')

/**
 * Tells if a record is an event of this calendar, or was taken from it: by its UID, by the address of its page, or by the calendars
 * that it names. A calendar that reads this one lists it among its own. That an event names the home page says nothing: a club may have this calendar there.
 */
export function isOwnEvent(here: CalendarPlace & Pick<RequestContext, 'host'>, record: AnyRecord): boolean {
  if (!('website' in record && 'venues' in record)) return false
  const { site, host } = here
  const { externalId, website, origins = [] } = record
  if (origins.some(origin => isOwnAddress(here, origin))) return true
  const page = externalId.replace(/#\d{8}T\d{6}Z$/, '')
  const pages = withoutScheme(`${site}/event/`)
  return isOwnUid(page, host) || [website, page].some(address => withoutScheme(address).startsWith(pages))
}
