import { eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { CONTACT_FIELDS } from '../../calendar/content/related/hidden-contact.ts'
import { ILLUSTRATED_TABLES } from '../../calendar/content/resource.ts'
import { displayName } from '../../calendar/users/records.ts'
import type { BaseContext, CallerContext } from '../../kit/context.ts'
import { type ChangedFields, UNDO_MS } from '../../kit/db/audit.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import {
  allOf,
  combineQueries,
  first,
  literal,
  many,
  orNull,
  type Query,
  type RawRow,
  readNumber,
  readText,
} from '../../kit/db/query.ts'
import {
  AUDITED_KINDS,
  type AuditedKind,
  audit,
  events,
  type FeatureKind,
  images,
  organizers,
  undoRequests,
  users,
} from '../../kit/db/tables.ts'
import { type Caller, type Capability, may } from '../../kit/lib/roles.ts'
import { fromFeatures } from '../../kit/lib/started-features.ts'
import { formatInstant, toEpoch } from '../../kit/lib/time.ts'
import { pick, refuse, storedJson } from '../../kit/lib/values.ts'

export type HistoryKind = {
  table: SQLiteTable
  name?: SQL
  /** The capability without which nobody sees its entries and names. */
  requires: Capability
  /** The prefix of the addresses of its forms: `/admin/letters/`. */
  path?: string
}

type ShownKind = HistoryKind & { feature: string }

// Object.entries and Object.fromEntries forget the type of the keys.
const shownKinds = fromFeatures(
  features =>
    Object.fromEntries(
      features.flatMap(({ name: feature, declares }) =>
        Object.entries(declares?.history ?? {}).map(([kind, shown]) => [kind, { ...shown, feature }]),
      ),
    ) as Readonly<Record<FeatureKind, ShownKind>>,
)

export const featureKind = (kind: FeatureKind): HistoryKind => shownKinds()[kind]

export const featureKinds = () => Object.entries(shownKinds()) as [FeatureKind, ShownKind][]

/** All resources that the audit knows. */
const auditedKinds = (): AuditedKind[] => [...AUDITED_KINDS, ...featureKinds().map(([name]) => name)]

/** Reads the name of a resource. @throws InvalidValue for an unknown one */
export const toKind = (raw: unknown): AuditedKind =>
  auditedKinds().find(kind => kind === raw) ?? refuse(`must be one of ${auditedKinds().join(', ')}`)

/** The filters of a page of the history; `before` is the id of the last entry on the page before. */
type HistoryFilter = {
  kind: AuditedKind | undefined
  id: number | undefined
  /** A login, or a name that users have given themselves. */
  user?: string | undefined
  before?: number | undefined
}

const PER_PAGE = 40
/** The entries that a page scans for filters without an index; the next page continues from there. */
const MAX_SCANNED = 10_000

/** Resources of which only administrators may read entries. */
const ADMIN_KINDS: readonly AuditedKind[] = ['user', 'settings']

/** Resources of which the caller may read no entries. */
const hiddenKinds = (caller: Caller): AuditedKind[] => [
  ...ADMIN_KINDS,
  ...featureKinds().flatMap(([kind, { requires }]) => (may(caller, requires) ? [] : [kind])),
]

/** The tables of content that has authors, who may read its entries. */
const OWNED_TABLES = { ...ILLUSTRATED_TABLES, image: images }

/** The values of the filter `kind` for a caller. */
export const kindsFor = ({ caller }: Pick<BaseContext, 'caller'>): readonly AuditedKind[] =>
  may(caller, 'manage_users')
    ? auditedKinds()
    : may(caller, 'edit_others_content')
      ? auditedKinds().filter(kind => !hiddenKinds(caller).includes(kind))
      : auditedKinds().filter(kind => kind in OWNED_TABLES)

/**
 * A condition for entries that the caller may read. Callers other than editors see what they themselves did to
 * content that is still theirs.
 */
export function visibleSql({ caller }: Pick<BaseContext, 'caller'>): SQL {
  if (may(caller, 'manage_users')) return sql`1`
  if (may(caller, 'edit_others_content'))
    return sql`${audit.kind} NOT IN (${sql.join(
      hiddenKinds(caller).map(kind => sql`${kind}`),
      sql`, `,
    )})`
  const owned = Object.entries(OWNED_TABLES).map(
    ([kind, table]) =>
      sql`WHEN ${kind} THEN EXISTS (SELECT 1 FROM ${table} WHERE id = ${audit.object_id} AND author_id = ${caller.id})`,
  )
  return sql`${audit.user_id} = ${caller.id} AND CASE ${audit.kind} ${sql.join(owned, sql` `)} ELSE 0 END`
}

/**
 * The values of entries, as far as the caller may read them: only administrators see the contact data that an
 * organizer hides, or that a deleted organizer may have hidden.
 */
function shownValues({ caller }: Pick<BaseContext, 'caller'>): SQL {
  if (may(caller, 'manage_users')) return sql`${audit.changed}`
  const contact = sql.raw(CONTACT_FIELDS.map(field => `'$.${field}'`).join(', '))
  return sql`iif(${hidesContactSql}, json_remove(${audit.changed}, ${contact}), ${audit.changed})`
}

/** A condition for entries of an organizer that hides its contact data now, or that has been deleted. */
const hidesContactSql = sql`(${audit.kind} = 'organizer' AND NOT EXISTS (
  SELECT 1 FROM ${organizers} WHERE ${organizers.id} = ${audit.object_id} AND NOT ${organizers.hide_contact}))`

/** A SELECT of the ids of entries to scan, newest first, by the best index. */
function scannedIds({ kind, id, before }: HistoryFilter): SQL {
  const bounds = before === undefined ? [] : [sql`id < ${before}`]
  const scan = (index: SQL, condition: SQL) =>
    sql`SELECT id FROM ${audit} ${index} WHERE ${allOf([condition, ...bounds])} ORDER BY id DESC LIMIT ${literal(MAX_SCANNED)}`
  const byObject = (ofKind: AuditedKind, object: SQL) =>
    scan(sql`INDEXED BY audit_object`, sql`kind = ${ofKind} AND object_id = ${object}`)
  if (kind === 'event' && id !== undefined)
    return sql`SELECT id FROM (SELECT id FROM (${byObject('event', sql`${id}`)}) UNION ALL
      SELECT id FROM (${byObject('series', sql`(SELECT series_id FROM ${events} WHERE ${events.id} = ${id})`)}))
      ORDER BY id DESC LIMIT ${literal(MAX_SCANNED)}`
  if (kind !== undefined && id !== undefined) return byObject(kind, sql`${id}`)
  if (kind !== undefined && kind !== 'event')
    return scan(sql`INDEXED BY audit_kind`, sql`kind = ${kind} AND kind <> 'event'`)
  return scan(sql`NOT INDEXED`, sql`1`)
}

export type HistoryPage = { entries: HistoryEntry[]; next: number | undefined }

/** A query for a page of the history, as far as the caller may read it. */
export function selectHistory(context: BaseContext, filter: HistoryFilter): Query<HistoryPage> {
  const { kind, id, user } = filter
  const scan = scannedIds(filter)
  const conditions = [
    visibleSql(context),
    // The history of an event includes the history of its series.
    ...(kind === undefined || (kind === 'event' && id !== undefined) ? [] : [eq(audit.kind, kind)]),
    ...(user === undefined ? [] : [sql`${user} COLLATE NOCASE IN (${users.login}, ${users.name})`]),
  ]
  return combineQueries(
    {
      entries: many(
        sql`SELECT ${entryColumns(context)} FROM (${scan}) AS scanned CROSS JOIN ${audit} ON ${audit.id} = scanned.id ${ENTRY_JOINS}
          WHERE ${allOf(conditions)} ORDER BY ${audit.id} DESC LIMIT ${literal(PER_PAGE + 1)}`,
        readEntry,
      ),
      end: first(sql`SELECT min(id) AS id, count(*) AS n FROM (${scan})`, {
        id: orNull(readNumber),
        n: readNumber,
      }),
    },
    ({ entries: rows, end }) => {
      const entries = rows.slice(0, PER_PAGE)
      const nextId = end && end.n >= MAX_SCANNED ? (end.id ?? undefined) : undefined
      return { entries, next: rows.length > PER_PAGE ? entries.at(-1)?.id : nextId }
    },
  )
}

/** The joins for {@link entryColumns}. */
export const ENTRY_JOINS = sql`LEFT JOIN ${users} ON ${users.id} = ${audit.user_id}
  LEFT JOIN ${undoRequests} ON ${undoRequests.audit_id} = ${audit.id}`

const COLUMNS = pick(audit, 'id', 'at_utc', 'user_id', 'request_id', 'action', 'kind', 'object_id')

export const entryColumns = (context: CallerContext): SQL =>
  sql`${columnList(COLUMNS)}, ${displayName} AS who, ${audit.fields} AS fields, ${shownValues(context)} AS changed,
    coalesce(${undoRequests.request} <> 'null'
    AND ${undoRequests.at_utc} >= ${formatInstant(toEpoch(context.clock.now()) - UNDO_MS)}, 0) AS can_undo`

export const readEntry = (raw: RawRow) => ({
  ...decodeRow(COLUMNS, raw),
  /** The name of the user; null once the user is deleted. */
  who: orNull(readText)(raw.who),
  // The JSON that was recorded.
  fields: storedJson<readonly string[]>(readText(raw.fields)),
  changed: storedJson<ChangedFields>(orNull(readText)(raw.changed) ?? '{}'),
  /** True if the data for undoing it is still available. */
  canUndo: raw.can_undo === 1,
})

export type HistoryEntry = ReturnType<typeof readEntry>
