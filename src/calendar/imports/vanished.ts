import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext, CalendarContext } from '../../kit/context.ts'
import { columnList } from '../../kit/db/columns.ts'
import {
  combineQueries,
  inList,
  literal,
  many,
  orNull,
  type RawRow,
  readNumber,
  readText,
  type Statement,
} from '../../kit/db/query.ts'
import {
  events,
  eventTerms,
  imports,
  organizers,
  series,
  seriesTerms,
  terms,
  venues,
} from '../../kit/db/tables.ts'
import { headOf, type Pattern, patternIn } from '../../kit/lib/recurrence/pattern.ts'
import { batchesWithin, pick, storedJson } from '../../kit/lib/values.ts'
import { eventQuestionStatements, protectionColumn } from '../content/dependents.ts'
import { RECORD_TABLES } from '../content/resource.ts'
import { trashColumns } from '../content/trash.ts'
import type { Numbered } from '../content/writes.ts'
import { columnsWith, selectSeries } from '../events/recurrence/queries.ts'
import type { PreparedSeries } from '../events/recurrence/statements.ts'
import { changedSeriesRow } from '../events/series-writes/start-and-end.ts'
import { writeStatements } from '../events/writes.ts'
import { selectTerms } from '../terms/queries.ts'
import { CATEGORIES, TAGS } from '../terms/resource.ts'
import { termRemovalStatements } from '../terms/writes.ts'
import {
  mappingRemovalStatements,
  mappingStatements,
  type RowToWrite,
  type TrashedContent,
  trashStatements,
} from './decisions.ts'
import { ownMappingSql, SPELLINGS } from './mappings.ts'
import { isProtectedRow, type ProtectedValues, protectionOf } from './protection.ts'
import {
  importKey,
  isOccurrenceIn,
  isTermRecordKind,
  type RecordKind,
  type SourceItem,
  seriesOf,
  type TermRecordKind,
} from './records.ts'

/**
 * The change that moves a row to the trash, as deleting it through the API would. A later import can restore
 * it.
 */
export function trashingOfRow(
  { kind, externalId }: { kind: TrashedContent['kind']; externalId: string | undefined },
  { id, slug, version }: { id: number; slug: string; version: number },
  context: CalendarContext,
): TrashedContent {
  const mapping = { target: id, hash: '', importedVersion: String(version + 1), storedTarget: id }
  return {
    kind,
    content: rowToTrash(id, version, trashColumns(context, slug)),
    mapped: externalId === undefined ? undefined : { kind, externalId, mapping },
  }
}

const trashAndMappingStatements = (
  context: BaseContext,
  source: string,
  rows: readonly TrashedContent[],
): Statement[] => [
  ...trashStatements(context, rows),
  ...mappingStatements(
    source,
    rows.flatMap(({ mapped }) => mapped ?? []),
  ),
]

/** The end of a series, which leaves its row to the occurrences in the trash. */
export const endOfRow = (id: number, version: number): RowToWrite =>
  rowToTrash(id, version, { status: 'trash', extend_from: null })

const rowToTrash = (id: number, version: number, columns: RowToWrite['columns']): RowToWrite => ({
  id,
  stored: { id, version },
  columns,
  action: 'trash',
  image: undefined,
  fields: [],
  relations: {},
  text: undefined,
})

export type CompleteItem = Extract<SourceItem, { type: 'complete' }>

/** The outcome for a row whose record has vanished. A series that keeps its earlier dates is updated. */
export type GoneRecord = { kind: RecordKind; outcome: 'trashed' | 'updated'; id: number }

/** An event that stays for now, because people depend on it. */
type KeptEvent = { id: number; title: string }

type ImportedRecordRow = {
  externalId: string
  /** All ids by which the source names the row. */
  spellings: readonly string[]
  id: number
  slug: string
  version: number
  title: string
  /** The start of an event, in UTC; '' for other kinds. */
  start: string
  isTrash: boolean
  /** True for an event that was changed since its import. */
  isEdited: boolean
  protection: ProtectedValues | undefined
}

const readImportedRow = (row: RawRow): ImportedRecordRow => ({
  externalId: readText(row.external_id),
  spellings: row.spellings === null ? [readText(row.external_id)] : storedJson(readText(row.spellings)),
  id: readNumber(row.id),
  slug: readText(row.slug),
  version: readNumber(row.version),
  title: readText(row.title),
  start: readText(row.start),
  isTrash: row.status === 'trash',
  isEdited: row.is_edited === 1,
  protection: protectionOf(row),
})

/** Texts before and after all times, for periods that have no limit. */
const FIRST_TIME = '0'
const LAST_TIME = '9'

/** The most mappings that are read together. */
const PAGE_ROWS = 10_000

/**
 * Records of a kind that were imported before and whose rows are still there, a page at a time.
 * @param options.withTrash true for events in the trash as well
 */
export async function* importedPages(
  { db }: BaseContext,
  { source, kind, from = FIRST_TIME, to = LAST_TIME }: CompleteItem,
  { withTrash = false } = {},
): AsyncGenerator<ImportedRecordRow[]> {
  // A linked term was not made by an import, and is not deleted by one.
  const unusedSql = sql`${imports.imported_version} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM events_of AS link CROSS JOIN ${events} ON ${events.id} = link.event_id
      WHERE link.facet = 'term' AND link.target_id = ${terms.id} AND ${events.status} <> 'trash' AND EXISTS (
        SELECT 1 FROM ${eventTerms} WHERE ${eventTerms.event_id} = ${events.id} AND ${eventTerms.target_id} = ${terms.id}))
    AND NOT EXISTS (SELECT 1 FROM ${seriesTerms} CROSS JOIN ${series} ON ${series.id} = ${seriesTerms.series_id}
      WHERE ${seriesTerms.target_id} = ${terms.id} AND ${series.status} <> 'trash')`
  const inPeriodSql = sql`${events.status} <> 'trash' AND ${events.utc_start_date} BETWEEN ${from} AND ${to}`
  const removableSql: Record<RecordKind, SQL> = {
    category: unusedSql,
    tag: unusedSql,
    // A row that the calendar had before, or that another source names as well, stays.
    venue: sql`${venues.status} <> 'trash' AND ${ownMappingSql}`,
    organizer: sql`${organizers.status} <> 'trash' AND ${ownMappingSql}`,
    event: withTrash ? sql`${events.utc_start_date} BETWEEN ${from} AND ${to}` : inPeriodSql,
    series: sql`${series.status} <> 'trash'
      AND EXISTS (SELECT 1 FROM ${events} WHERE ${events.series_id} = ${series.id} AND ${inPeriodSql})`,
  }
  const table = RECORD_TABLES[kind]
  const eventColumns =
    kind === 'event'
      ? sql`${events.title}, ${events.utc_start_date} AS start, ${events.status},
          ${imports.imported_version} <> ${events.version} AS is_edited, ${protectionColumn(sql`${events}`)}`
      : sql`'' AS title, '' AS start`
  const spellings = kind === 'venue' || kind === 'organizer' ? SPELLINGS : sql`NULL`
  for (let after: string | undefined = ''; after !== undefined; ) {
    const records: (Pick<ImportedRecordRow, 'externalId'> & { row: ImportedRecordRow | undefined })[] =
      await db.read(
        many(
          sql`SELECT ${imports.external_id}, ${table.id}, ${table.slug}, ${table.version}, ${eventColumns},
            ${spellings} AS spellings
          FROM ${imports} LEFT JOIN ${table} ON ${table.id} = ${imports.target_id} AND ${removableSql[kind]}
          WHERE ${imports.source} = ${source} AND ${imports.kind} = ${kind} AND ${imports.external_id} > ${after}
          ORDER BY ${imports.external_id} LIMIT ${literal(PAGE_ROWS)}`,
          row => ({
            externalId: readText(row.external_id),
            row: row.id === null ? undefined : readImportedRow(row),
          }),
        ),
      )
    yield records.flatMap(({ row }) => row ?? [])
    after = records.at(-1)?.externalId
  }
}

/**
 * The keys of the records that a source has, of those that could not be read, and of those that are new here.
 * `keptEvents` are the ids of events that stay whether or not the source has them.
 */
export type SourceKeys = {
  read: ReadonlySet<string>
  unread: ReadonlySet<string>
  created?: ReadonlySet<string>
  keptEvents?: ReadonlySet<number>
}

/**
 * True if a source still has a record: the record was read or could not be read, or it is a date of an event
 * that could not be read.
 */
export function isStillThere(
  { read, unread }: SourceKeys,
  { source, kind }: CompleteItem,
  externalId: string,
): boolean {
  const key = importKey(source, kind, externalId)
  const uid = kind === 'series' ? externalId : (seriesOf(externalId) ?? '')
  return read.has(key) || unread.has(key) || unread.has(importKey(source, 'event', uid))
}

/** The most titles that a question names. */
const MAX_TITLES = 5

/**
 * Counts the records of a list that were here before, and those that have vanished from their source. A
 * series that moves gets new ids for all of its dates, so no more dates of a series count as vanished than it
 * has lost in number. `titles` are some of those that have vanished, each once.
 */
export async function countVanished(
  context: BaseContext,
  { complete, presentKeys }: Pick<VanishedInput, 'complete' | 'presentKeys'>,
): Promise<{ live: number; gone: number; titles: string[] }> {
  // Events that are no dates of a series count as one group of their own.
  const counts = new Map([['', { live: 0, gone: 0, titles: new Set<string>() }]])
  for await (const page of importedPages(context, complete))
    for (const { externalId, title } of page) {
      if (presentKeys.created?.has(importKey(complete.source, complete.kind, externalId))) continue
      const uid = seriesOf(externalId) ?? ''
      const { live, gone, titles } = counts.get(uid) ?? { live: 0, gone: 0, titles: new Set<string>() }
      const isGone = !isStillThere(presentKeys, complete, externalId)
      if (isGone && titles.size < MAX_TITLES) titles.add(title)
      counts.set(uid, { live: live + 1, gone: gone + Number(isGone), titles })
    }
  const present = presentDates(presentKeys, complete)
  let live = 0
  let gone = 0
  const titles = new Set<string>()
  for (const [uid, ofSeries] of counts) {
    live += ofSeries.live
    const lostCount = uid === '' ? ofSeries.gone : Math.max(0, ofSeries.live - (present.get(uid) ?? 0))
    gone += Math.min(ofSeries.gone, lostCount)
    if (lostCount > 0) for (const title of ofSeries.titles) titles.add(title)
  }
  return { live, gone, titles: [...titles].slice(0, MAX_TITLES) }
}

/** The numbers of dates that a source has in a period, by the UID of their series. */
function presentDates(
  { read }: SourceKeys,
  { source, kind, from = FIRST_TIME, to = LAST_TIME }: CompleteItem,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const keyPrefix = importKey(source, kind, '')
  for (const key of read) {
    const externalId = key.slice(keyPrefix.length)
    if (!key.startsWith(keyPrefix) || !isOccurrenceIn(externalId, { from, to })) continue
    const uid = seriesOf(externalId) ?? ''
    counts.set(uid, (counts.get(uid) ?? 0) + 1)
  }
  return counts
}

/** Fewer rows than this may vanish without a question, where nothing else calls for one. */
export const MIN_QUESTIONABLE = 4

/** True if half or more has vanished: somebody has to agree before it goes to the trash. */
export const isHalfOrMore = ({ live, gone }: { live: number; gone: number }): boolean =>
  gone > 0 && gone * 2 >= live

type VanishedInput = {
  /** The list that was read completely. */
  complete: CompleteItem
  presentKeys: SourceKeys
  /** Rows that one transaction writes. */
  size: number
}

/**
 * Moves imported content that has vanished from its source to the trash, one transaction at a time. Terms
 * have no trash: unused terms are deleted.
 */
export async function* trashingsOfVanished(
  context: BaseContext,
  { complete, presentKeys, size }: VanishedInput,
): AsyncGenerator<{ statements: Statement[]; gone: GoneRecord[]; keptEvents?: KeptEvent[] }> {
  const { kind, source } = complete
  for await (const page of importedPages(context, complete)) {
    const present: ImportedRecordRow[] = []
    const missing: ImportedRecordRow[] = []
    for (const row of page)
      (row.spellings.some(id => isStillThere(presentKeys, complete, id)) ? present : missing).push(row)
    // The question whether an event may go is withdrawn once its source has the event again.
    const returnedRows = present.filter(({ protection }) => protection?.proposal?.what === 'trash')
    if (returnedRows.length > 0)
      yield {
        statements: eventQuestionStatements(returnedRows.map(({ id }) => ({ id, change: null }))),
        gone: [],
      }
    const protectedRows = missing.filter(isProtectedRow)
    if (protectedRows.length > 0) yield questionsAbout(protectedRows)
    const isKept = (id: number) => kind === 'event' && presentKeys.keptEvents?.has(id) === true
    const vanished = missing.filter(row => !isProtectedRow(row) && !isKept(row.id))
    for (const batch of batchesWithin(vanished, size, () => 1)) {
      if (isTermRecordKind(kind)) yield await planRemovalOfTerms(context, { source, kind }, batch)
      else if (kind === 'series') yield await planEndOfSeries(context, { complete, presentKeys }, batch)
      else {
        // A later import makes a venue of several spellings anew: only one of them could bring it back.
        const contents = batch.map(({ externalId, spellings, ...row }) =>
          trashingOfRow({ kind, externalId: spellings.length > 1 ? undefined : externalId }, row, context),
        )
        const forgotten = batch.flatMap(({ spellings }) =>
          spellings.length > 1 ? spellings.map(id => [kind, id] as const) : [],
        )
        const statements = [
          ...trashAndMappingStatements(context, source, contents),
          ...mappingRemovalStatements(source, forgotten),
        ]
        yield { statements, gone: goneOf(contents) }
      }
    }
  }
}

type RowToAskAbout = Pick<ImportedRecordRow, 'id' | 'title' | 'protection'>

/** The questions about events that have vanished, which are asked once. */
function questionsAbout(rows: readonly RowToAskAbout[]) {
  const unaskedRows = rows.filter(({ protection }) => protection?.proposal?.what !== 'trash')
  const keptEvents = unaskedRows.map(({ id, title }) => ({ id, title }))
  return {
    statements: eventQuestionStatements(keptEvents.map(({ id }) => ({ id, change: { what: 'trash' } }))),
    gone: [],
    keptEvents,
  }
}

const goneOf = (contents: readonly TrashedContent[]): GoneRecord[] =>
  contents.map(({ kind, content: { id } }) => ({ kind, outcome: 'trashed', id }))

/** The deletion of terms whose records have vanished, and of the mappings of these records. */
async function planRemovalOfTerms(
  context: BaseContext,
  { source, kind }: { source: string; kind: TermRecordKind },
  vanished: readonly ImportedRecordRow[],
) {
  const taxonomy = kind === 'category' ? CATEGORIES : TAGS
  const unusedTerms = await context.db.read(
    selectTerms(taxonomy, sql`${terms.id} IN ${inList(vanished.map(({ id }) => id))}`),
  )
  const gone: GoneRecord[] = unusedTerms.map(({ id }) => ({ kind, outcome: 'trashed', id }))
  const names = vanished.map(({ externalId }) => [kind, externalId] as const)
  return {
    statements: [
      ...termRemovalStatements(context, taxonomy, unusedTerms),
      ...mappingRemovalStatements(source, names),
    ],
    gone,
  }
}

const OCCURRENCE_COLUMNS = pick(
  events,
  'id',
  'series_id',
  'slug',
  'version',
  'occurrence_date',
  'utc_start_date',
  'title',
)

/** A query for the dates of series that are not in the trash, with the records that they are. */
const selectLive = (source: string, ids: readonly number[]) =>
  many(
    sql`SELECT ${columnList(OCCURRENCE_COLUMNS)}, ${protectionColumn(sql`${events}`)}, (
        SELECT min(${imports.external_id}) FROM ${imports} INDEXED BY imports_target WHERE ${imports.kind} = 'event'
          AND ${imports.target_id} = ${events.id} AND ${imports.source} = ${source}) AS record_id
      FROM ${events} WHERE ${events.series_id} IN ${inList(ids)} AND ${events.status} <> 'trash'`,
    row => ({
      row: { id: readNumber(row.id), slug: readText(row.slug), version: readNumber(row.version) },
      protection: protectionOf(row),
      title: readText(row.title),
      series: readNumber(row.series_id),
      date: readText(row.occurrence_date),
      start: readText(row.utc_start_date),
      externalId: orNull(readText)(row.record_id) ?? undefined,
    }),
  )

/**
 * The end of series that have vanished: their occurrences from the start of the period on go to the trash,
 * even those after the end of the period, because nothing would ever update these. A series ends before these
 * occurrences, or as a whole if it has none before them.
 */
async function planEndOfSeries(
  context: BaseContext,
  {
    complete: { source, from = FIRST_TIME },
    presentKeys: { keptEvents: kept },
  }: Pick<VanishedInput, 'complete' | 'presentKeys'>,
  vanished: readonly ImportedRecordRow[],
) {
  const ids = vanished.map(({ id }) => id)
  const { rows, live } = await context.db.read(
    combineQueries({
      rows: selectSeries(sql`${series.id} IN ${inList(ids)}`),
      live: selectLive(source, ids),
    }),
  )
  const endedSeries: Numbered<PreparedSeries>[] = []
  const gone: GoneRecord[] = []
  const trashedDates: TrashedContent[] = []
  const protectedDates: RowToAskAbout[] = []
  for (const storedSeries of rows) {
    const { id, version } = storedSeries
    const occurrences = live.filter(occurrence => occurrence.series === id)
    const vanishedDates = occurrences.filter(({ start }) => start >= from)
    const [first] = vanishedDates.map(({ date }) => date).sort()
    const isWhole = vanishedDates.length === occurrences.length || first === undefined
    const keptDates = vanishedDates.filter(date => isProtectedRow(date) || kept?.has(date.row.id))
    for (const { row, title, protection } of vanishedDates.filter(isProtectedRow))
      protectedDates.push({ id: row.id, title, protection })
    for (const { row, externalId } of vanishedDates.filter(occurrence => !keptDates.includes(occurrence)))
      trashedDates.push(trashingOfRow({ kind: 'event', externalId }, row, context))
    const head = patternOfRest(patternIn(storedSeries), isWhole ? undefined : first, keptDates)
    endedSeries.push(
      head ? { ...changedSeriesRow(storedSeries, columnsWith(context, head)), id } : endOfRow(id, version),
    )
    gone.push({ kind: 'series', outcome: head ? 'updated' : 'trashed', id })
  }
  const names = vanished.map(({ externalId }) => ['series', externalId] as const)
  const { statements: questions, keptEvents } = questionsAbout(protectedDates)
  return {
    statements: [
      ...writeStatements(context, { series: endedSeries }),
      ...mappingRemovalStatements(source, names),
      ...trashAndMappingStatements(context, source, trashedDates),
      ...questions,
    ],
    gone: [...gone, ...goneOf(trashedDates)],
    keptEvents,
  }
}

/**
 * The pattern of what is left of a series: the dates before `end`, and later dates that stay; undefined if no
 * date is left.
 *
 * @param end the first date that has vanished; undefined if all have
 */
function patternOfRest(
  pattern: Pattern,
  end: string | undefined,
  keptRows: readonly { date: string }[],
): Pattern | undefined {
  const dates = keptRows.map(({ date }) => date)
  if (end !== undefined) {
    const head = headOf(pattern, end)
    return { ...head, rdate: [...head.rdate, ...dates].sort() }
  }
  const { start_date: start } = pattern
  return dates.length === 0
    ? undefined
    : {
        ...pattern,
        rrule: '',
        rdate: dates.filter(date => date !== start).sort(),
        exdate: dates.includes(start) ? [] : [start],
      }
}
