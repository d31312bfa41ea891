import { sql } from 'drizzle-orm'
import type { BaseContext, CalendarContext } from '../../kit/context.ts'
import { auditEntriesStatement } from '../../kit/db/audit.ts'
import type { Database } from '../../kit/db/database.ts'
import { many } from '../../kit/db/query.ts'
import { asOneChange, build } from '../../kit/db/statements.ts'
import { ROWS_PER_RUN } from '../../kit/lib/budgets.ts'
import { Clock } from '../../kit/lib/clock.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { initialStatus, type Status, statusToStore } from '../../kit/lib/statuses.ts'
import { type DateTime, formatInstant, toEpoch, toWall } from '../../kit/lib/time.ts'
import { anyDueSql, changeAll, type DueRows } from '../../kit/work/due-rows.ts'
import { runLogged } from '../../kit/work/error-log.ts'
import { contentTables } from './resource.ts'

type PublicationValues = {
  date?: string | undefined
  date_utc?: string | undefined
  status?: Status | undefined
}

/**
 * The publication of imported content in its source. Each date comes both in the site's zone and in UTC, or
 * not at all.
 */
type ImportedPublication = PublicationValues & {
  status: Status
  modified: string | undefined
  modified_utc: string | undefined
}
type StoredPublication = { status: Status; date: DateTime; date_utc: DateTime }

/**
 * What a new venue or organizer gets while it waits for its event, unless the request gives it a status. It
 * belongs to the event's author, who must see it to keep it in the event and to publish it.
 */
export type WaitingPublication = PublicationValues & { status: Status; author: number }

export type Publication = {
  status: Status
  date: DateTime
  date_utc: DateTime
  modified: DateTime
  modified_utc: DateTime
}

/**
 * The dates of publication and modification, and the status, after a request.
 *
 * @param stored the row before the request, for an update
 */
export function publicationOf(
  context: BaseContext,
  { values, stored }: { values: PublicationValues; stored?: StoredPublication | undefined },
): Publication {
  const { clock, caller, settings, isDraft } = context
  const local = toWall(clock.now(), settings.timezone)
  // A local time may occur twice. If the client sends it back unchanged, the stored instant stays.
  const isSentBack = stored !== undefined && values.date === stored.date
  const namedDate = isSentBack ? stored : publicationDate(values, context)
  const { date, date_utc } = namedDate ?? stored ?? { date: local, date_utc: clock.now() }
  const wantedStatus = isDraft ? 'draft' : (values.status ?? stored?.status ?? initialStatus(caller))
  // As in The Events Calendar, new content counts as changed when it is published, even if the date is long
  // ago.
  const modified = stored
    ? { modified: local, modified_utc: clock.now() }
    : { modified: date, modified_utc: date_utc }
  const status =
    values.status || !stored || values.date || values.date_utc
      ? statusToStore(wantedStatus, date_utc, clock.now(), caller)
      : stored.status
  return { date, date_utc, ...modified, status }
}

/** The columns with the time of a change that happens now. */
export const modifiedNow = ({ clock, settings }: CalendarContext) => ({
  modified: toWall(clock.now(), settings.timezone),
  modified_utc: clock.now(),
})

/**
 * The dates and the status of imported content. If the source doesn't say when the content was changed, new
 * content was changed when it was published, and stored content is changed now. If the source doesn't say
 * when the content was published, new content is published now, and stored content keeps its date.
 */
export function importedPublication(
  context: CalendarContext,
  { status, date, date_utc, modified, modified_utc }: ImportedPublication,
  isNew: boolean,
): Partial<Publication> & { status: Status } {
  const now = modifiedNow(context)
  const importedChange = modified && modified_utc ? { modified, modified_utc } : undefined
  if (date && date_utc)
    return {
      date,
      date_utc,
      ...(importedChange ?? (isNew ? { modified: date, modified_utc: date_utc } : now)),
      status,
    }
  const published = isNew ? { date: now.modified, date_utc: now.modified_utc } : {}
  return { ...published, ...(importedChange ?? now), status }
}

/** Reads the publication date: `date` is local to the site's zone, `date_utc` in UTC. */
function publicationDate(
  { date, date_utc }: PublicationValues,
  { clock, settings }: BaseContext,
): { date: DateTime; date_utc: DateTime } | undefined {
  const zone = settings.timezone
  if (date !== undefined) {
    const parsed = parseDate(date, zone, toEpoch(clock.now()))
    return parsed && { date: parsed.wall, date_utc: parsed.utc }
  }
  const parsed = date_utc === undefined ? undefined : parseDate(date_utc, 'UTC', toEpoch(clock.now()))
  return parsed && { date: toWall(parsed.utc, zone), date_utc: parsed.utc }
}

/**
 * Publishes every scheduled event, venue and organizer whose time has come. Reads show them from that time on
 * anyway, but listings and counts need the stored status. Can run twice at the same time.
 *
 * @param nowMs epoch milliseconds
 * @returns the tables in which the database refused to publish some rows: the caller publishes these rows one
 *   by one
 */
export async function publishDue(db: Database, nowMs: number): Promise<DueRows[]> {
  const now = formatInstant(nowMs)
  const dueSql = sql`status = 'future' AND date_utc <= ${now}`
  const kinds = contentTables.map(
    ([kind, table]): DueRows => ({
      name: `publication of ${kind}s`,
      rowName: `publication of ${kind}`,
      table,
      dueSql,
      limit: ROWS_PER_RUN.publications,
      changeStatements: chosen =>
        asOneChange([
          auditEntriesStatement(
            { caller: { id: 0 }, requestId: '', clock: new Clock(nowMs) },
            { action: 'publish', kind, fields: ['status'] },
            sql`SELECT id FROM ${table} WHERE ${chosen}`,
          ),
          build.update(table).set({ status: 'publish', version: sql`version + 1` }).where(chosen),
        ]),
    }),
  )
  // Usually nothing is due: this takes one statement instead of twelve, of the fifty that an invocation of
  // the cron may make on the free plan.
  const dueSelects = kinds.map(rows => sql`SELECT ${rows.name} AS name WHERE ${anyDueSql(rows, nowMs)}`)
  const dueNames = await runLogged('publication', () =>
    db.read(many(sql.join(dueSelects, sql` UNION ALL `), row => row.name)),
  )
  const failedKinds: DueRows[] = []
  for (const rows of kinds)
    if (dueNames?.includes(rows.name) && (await changeAll(db, rows, nowMs))) failedKinds.push(rows)
  return failedKinds
}
