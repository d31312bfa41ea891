import { parseDate } from '../lib/parse-date.ts'
import { initialStatus, type Status, statusToStore } from '../lib/statuses.ts'
import { type DateTime, toEpoch, toWall } from '../lib/time.ts'
import type { View } from '../view.ts'

type Given = { date?: string | undefined; date_utc?: string | undefined; status?: Status | undefined }
type Stored = { status: Status; date: DateTime; date_utc: DateTime }

export type Publication = {
  status: Status
  date: DateTime
  date_utc: DateTime
  modified: DateTime
  modified_utc: DateTime
}

/** Publication and modification dates and the status that follow from a request. */
export function publicationOf(given: Given, stored: Stored | undefined, view: View): Publication {
  const zone = view.settings.timezone
  const { date, date_utc } = publicationDate(given, view) ??
    stored ?? { date: toWall(view.now, zone), date_utc: view.now }
  const wanted = given.status ?? stored?.status ?? initialStatus(view.caller)
  // A new post was last changed when it was published, also if that was said to be long ago (recorded).
  const modified = stored
    ? { modified: toWall(view.now, zone), modified_utc: view.now }
    : { modified: date, modified_utc: date_utc }
  const status =
    given.status || !stored || given.date || given.date_utc
      ? statusToStore(wanted, date_utc, view.now, view.caller)
      : stored.status
  return { date, date_utc, ...modified, status }
}

/** `date` is meant in the site's zone, `date_utc` in UTC. */
function publicationDate(
  { date, date_utc }: Given,
  view: View,
): { date: DateTime; date_utc: DateTime } | undefined {
  const zone = view.settings.timezone
  const now = toEpoch(view.now)
  if (date !== undefined) {
    const parsed = parseDate(date, zone, now)
    return parsed && { date: parsed.wall, date_utc: parsed.utc }
  }
  const parsed = date_utc === undefined ? undefined : parseDate(date_utc, 'UTC', now)
  return parsed && { date: toWall(parsed.utc, zone), date_utc: parsed.utc }
}
