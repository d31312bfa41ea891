import { type SQL, sql, type Table } from 'drizzle-orm'
import type { OrganizerRow, VenueRow } from '../../calendar/content/related/resource.ts'
import { isRowReadable, readableSql } from '../../calendar/content/visibility.ts'
import { ownValuesSql, publishedWithSeriesSql } from '../../calendar/events/recurrence/queries.ts'
import type { Scope } from '../../calendar/events/recurrence-fields.ts'
import { type NewLinks, selectNewLinks } from '../../calendar/events/relations/links.ts'
import { EVENTS } from '../../calendar/events/resource.ts'
import type { EventRow } from '../../calendar/events/rows.ts'
import { selectSharedRows } from '../../calendar/events/series-route.ts'
import { displayName } from '../../calendar/users/records.ts'
import type { BaseContext } from '../../kit/context.ts'
import { termAncestors } from '../../kit/db/derived.ts'
import {
  combineQueries,
  literal,
  many,
  mapQuery,
  orNull,
  type Query,
  type RowOfQuery,
  readNumber,
  readText,
} from '../../kit/db/query.ts'
import {
  eventOrganizers,
  events,
  eventTerms,
  eventVenues,
  images,
  organizers,
  series,
  seriesOrganizers,
  seriesTerms,
  seriesVenues,
  terms,
  users,
  venues,
} from '../../kit/db/tables.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { compareTexts, storedJson, textsOf } from '../../kit/lib/values.ts'
import { plain } from '../../site/html/text.ts'
import { type ShownVersion, versionText } from './versions.ts'

/** A venue or organizer that becomes public with an event. */
export type NewVenueOrOrganizer = { kind: 'venue'; row: VenueRow } | { kind: 'organizer'; row: OrganizerRow }

/**
 * A category or tag that becomes public with an event: one that the event has, or an ancestor. `usedTerm` is
 * the id of the one that the event has.
 */
type NewTerm = { usedTerm: number; id: number; name: string; description: string; version: number }

/** The dates of a series that become public together. */
type PublishedDates = {
  count: number
  first: DateTime
  last: DateTime
  /** Their starts as JSON, which is parsed only where they are listed. */
  starts: string
  /** The ids of dates with values of their own. */
  ownDateIds: readonly number[]
  /** The number of other dates of the series, which have a status of their own. */
  otherCount: number
  /** The version of all dates of the series. @see ShownVersion */
  version: string
}

/** An event, or dates of a series, that become public. */
type PublishedParts = {
  /** The event, or the date that represents the others. */
  row: EventRow
  scope: Scope
  author: string
  /** The series with the shared values of its dates; undefined for a single event. */
  shared: EventRow | undefined
  /** The dates that are published together; undefined if only one event is published. */
  dates: PublishedDates | undefined
  /** The dates that differ from the series, as many as one page shows. */
  ownDates: readonly EventRow[]
}

/** Events, or dates of a series, with everything else that becomes public with them. */
export type PublishableEvent = PublishedParts & {
  newLinks: readonly NewVenueOrOrganizer[]
  newTerms: readonly NewTerm[]
  /** The names of linked venues and organizers that stay hidden. */
  hiddenNames: readonly string[]
  /** The titles of parents by their ids, for all events of the page. */
  parents: ReadonlyMap<number, string>
  /** Titles and captions by the id of an image, for all events of the page. */
  imageTexts: ReadonlyMap<number, { title: string; caption: string }>
  /** False if something is left out because it is too large for the page. */
  isComplete: boolean
}

/** The most venues and organizers of a page whose texts are complete. @see boundedTexts */
const MAX_LINKS = 40

/** The names of the fields in which a date differs from its series, except its status. */
export const detachedFields = ({ detached }: EventRow): string[] =>
  textsOf(detached).filter(name => name !== 'status')

/** The fields that an import fills in automatically, which nobody judges. */
const FILLED_BY_IMPORTS = ['external_id', 'show_map', 'show_map_link']

/** The fields of an event that nobody judges, because its source fills them in. */
export const unjudgedFields = ({ origin }: EventRow): readonly string[] =>
  origin.source ? FILLED_BY_IMPORTS : []

/**
 * The names of the fields in which a date differs from its series and that somebody judges, with the external
 * id, which is different for each date.
 */
export const ownFields = (row: EventRow): string[] =>
  [...detachedFields(row), ...(row.external_id === '' ? [] : ['external_id'])].filter(
    name => !unjudgedFields(row).includes(name),
  )

type PublishableQuery = {
  /** A SELECT of the ids of events. */
  ids: SQL
  /** A condition for events that represent other dates of their series. */
  seriesWideSql: SQL
  scope: Scope
  /** The most dates with values of their own. */
  maxDates: number
  /** The longest description that counts as complete, in characters. */
  maxText?: number
}

/** A query for events with everything that becomes public with them, earliest first. */
export const selectPublishable = (
  context: BaseContext,
  { maxText = Number.POSITIVE_INFINITY, ...query }: PublishableQuery,
): Query<PublishableEvent[]> =>
  mapQuery(selectRows(context, query), rows => {
    // Each query shortens texts by the number of its own rows.
    const hasAllLinks = [rows.rows, rows.shared].every(
      list => new Set(list.flatMap(row => [...row.venues, ...row.organizers])).size <= MAX_LINKS,
    )
    const limits = { maxText, hasAllLinks }
    return publishedPartsOf(context, query.scope, rows)
      .map(parts => toPublishable(context, parts, rows, limits))
      .sort(({ row: a }, { row: b }) => compareTexts(a.utc_start_date, b.utc_start_date) || a.id - b.id)
  })

function selectRows(context: BaseContext, { ids, seriesWideSql, scope, maxDates }: PublishableQuery) {
  const eventsRequested = sql`FROM requested CROSS JOIN ${events} ON ${events.id} = requested.id`
  // Materialized in each statement: finding the waiting events reads every date of a series.
  const requestedClause = sql`requested(id) AS MATERIALIZED (${ids}),
    requested_series(id, first_date) AS MATERIALIZED (SELECT ${events.series_id}, min(${events.occurrence_date}) ${eventsRequested}
      WHERE coalesce(${events.series_id}, 0) <> 0 AND ${seriesWideSql} GROUP BY 1)`
  const datesOfSeries = sql`FROM requested_series CROSS JOIN ${events} ON ${events.series_id} = requested_series.id`
  const inScopeSql =
    scope === 'following' ? sql`${events.occurrence_date} >= requested_series.first_date` : sql`1`
  const becomesPublicSql = sql`(${publishedWithSeriesSql} AND ${inScopeSql})`
  const ownDates = sql`own_dates(id) AS MATERIALIZED (SELECT ${events.id} ${datesOfSeries} WHERE ${becomesPublicSql} AND ${ownValuesSql}
    ORDER BY ${events.series_id}, ${events.occurrence_date} LIMIT ${literal(maxDates)})`
  const shownIds = sql`WITH ${requestedClause}, ${ownDates} SELECT id FROM requested UNION SELECT id FROM own_dates`
  return combineQueries({
    rows: EVENTS.select(context, sql`${events.id} IN (${shownIds})`),
    requested: many(
      sql`WITH ${requestedClause} SELECT ${events.id} AS id, ${displayName} AS author,
          ${events.series_id} IN (SELECT id FROM requested_series) AND ${seriesWideSql} AS is_series_wide
        ${eventsRequested} LEFT JOIN ${users} ON ${users.id} = ${events.author_id}`,
      ({ id, is_series_wide, author }) =>
        [
          readNumber(id),
          { isSeriesWide: is_series_wide === 1, author: orNull(readText)(author) ?? '–' },
        ] as const,
    ),
    dates: selectDates({ requested: requestedClause, datesOfSeries, becomesPublicSql }),
    newIds: selectNewLinks(shownIds),
    texts: selectTexts(context, shownIds),
    shared: selectSharedRows(
      context,
      sql`WITH ${requestedClause} SELECT DISTINCT ${events.series_id} AS id ${eventsRequested} WHERE coalesce(${events.series_id}, 0) <> 0`,
    ),
  })
}

type RequestedRows = RowOfQuery<typeof selectRows>

/** The requested events with their dates, without those of which the caller may not read every date. */
function publishedPartsOf(context: BaseContext, scope: Scope, rows: RequestedRows): PublishedParts[] {
  const requestedDates = new Map(rows.requested)
  const datesOf = new Map(rows.dates)
  const sharedOf = new Map(rows.shared.filter(row => isRowReadable(row, context)).map(row => [row.id, row]))
  return rows.rows.flatMap((row): PublishedParts[] => {
    const request = requestedDates.get(row.id)
    if (!request) return []
    const { isSeriesWide, author } = request
    const sharedRow = sharedOf.get(row.series_id ?? 0)
    const dates = isSeriesWide ? datesOf.get(row.series_id ?? 0) : undefined
    const ownDates = rows.rows.filter(({ id }) => dates?.ownDateIds.includes(id))
    const isReadable = !dates || (sharedRow && ownDates.every(date => isRowReadable(date, context)))
    return isReadable
      ? [{ row, scope: isSeriesWide ? scope : 'this', author, shared: sharedRow, dates, ownDates }]
      : []
  })
}

/** Adds everything else that becomes public, and whether the page shows all of it. */
function toPublishable(
  context: BaseContext,
  parts: PublishedParts,
  { newIds, texts }: RequestedRows,
  { maxText, hasAllLinks }: { maxText: number; hasAllLinks: boolean },
): PublishableEvent {
  const published = publishedRows(parts)
  const ids = [parts.row, ...parts.ownDates].map(({ id }) => id)
  const newLinks = newLinksOf(
    published,
    ids.flatMap(id => newIds.get(id) ?? []),
  )
  return {
    ...parts,
    newLinks,
    newTerms: newTermsOf(published, texts.newTerms),
    hiddenNames: hiddenIn(context, published, newLinks),
    parents: texts.parents,
    imageTexts: texts.imageTexts,
    isComplete:
      parts.ownDates.length === (parts.dates?.ownDateIds.length ?? 0) &&
      !published.some(({ isShortened, description }) => isShortened || description.length > maxText) &&
      (newLinks.length === 0 || hasAllLinks),
  }
}

/**
 * A query for the dates that become public together, by the ids of their series.
 *
 * @param requested common table expressions of the series
 * @param datesOfSeries a FROM clause of all their dates
 * @param becomesPublicSql a condition for those that become public
 */
const selectDates = ({
  requested,
  datesOfSeries,
  becomesPublicSql,
}: Record<'requested' | 'datesOfSeries' | 'becomesPublicSql', SQL>) =>
  many(
    sql`WITH ${requested} SELECT requested_series.id AS series, count(*) || '.' || sum(${events.version}) AS version,
        sum(${becomesPublicSql}) AS published, sum(${events.status} <> 'trash' AND NOT ${becomesPublicSql}) AS other_count,
        json_group_array(${events.start_date}) FILTER (WHERE ${becomesPublicSql}) AS starts,
        json_group_array(${events.id}) FILTER (WHERE ${becomesPublicSql} AND ${ownValuesSql}) AS own,
        min(${events.start_date}) FILTER (WHERE ${becomesPublicSql}) AS first,
        max(${events.start_date}) FILTER (WHERE ${becomesPublicSql}) AS last
      ${datesOfSeries} GROUP BY requested_series.id`,
    ({ series, version, published, other_count, starts, own, first, last }): [number, PublishedDates] => [
      readNumber(series),
      {
        count: readNumber(published),
        first: orNull(readText)(first) ?? '',
        last: orNull(readText)(last) ?? '',
        starts: readText(starts),
        // Made by json_group_array() above.
        ownDateIds: storedJson<number[]>(readText(own)),
        otherCount: readNumber(other_count),
        version: readText(version),
      },
    ],
  )

/**
 * The parent that publishing an event confirms, because its title was shown. Undefined if there is none, or
 * if confirming it needs another request: it would detach a single date from its series.
 */
export function parentToConfirm(item: PublishableEvent): number | undefined {
  const { post_parent: parent, parent_confirmed_by } = mainRow(item)
  const isApart = item.row.series_id !== null && item.dates === undefined
  return parent === null || parent_confirmed_by !== null || isApart || !item.parents.has(parent)
    ? undefined
    : parent
}

/**
 * The terms that make public more than the name of a term that the event has: those with a description, and
 * ancestors.
 */
export const describedTerms = (item: PublishableEvent): readonly NewTerm[] =>
  item.newTerms.filter(
    ({ id, description }) => description !== '' || !mainRow(item).terms.some(term => term.id === id),
  )

/** The row that is shown first: the series for several dates, since it has their shared values. */
export const mainRow = ({ row, shared, dates }: PublishedParts): EventRow => (dates && shared ? shared : row)

/** The rows that become public: for several dates, the series and the dates that differ from it. */
const publishedRows = (item: PublishedParts): EventRow[] => [mainRow(item), ...item.ownDates]

/**
 * A query for texts that are shown before events are published: those of their images and of the images of
 * their venues and organizers, those of categories and tags that are not public yet (with the categories
 * above), and the titles of parents that the caller may read.
 *
 * @param ids a SELECT of events
 */
function selectTexts(context: BaseContext, ids: SQL) {
  const targetsOf = (links: Table, seriesLinks: Table) =>
    sql`SELECT target_id FROM ${links} WHERE event_id IN (SELECT id FROM shown)
      UNION SELECT target_id FROM ${seriesLinks} WHERE series_id IN (SELECT series_id FROM shown)`
  const imageIds = sql`SELECT image_id FROM shown
    UNION ALL SELECT image_id FROM ${series} WHERE id IN (SELECT series_id FROM shown)
    UNION ALL SELECT image_id FROM ${venues} WHERE id IN (${targetsOf(eventVenues, seriesVenues)})
    UNION ALL SELECT image_id FROM ${organizers} WHERE id IN (${targetsOf(eventOrganizers, seriesOrganizers)})`
  const newTerms = sql`SELECT 'term', term_id, ${terms.id}, ${terms.name}, ${terms.description}, ${terms.version}
    FROM (${targetsOf(eventTerms, seriesTerms)}) AS own CROSS JOIN ${termAncestors} ON term_id = own.target_id
    CROSS JOIN ${terms} ON ${terms.id} = ancestor_id WHERE NOT ${terms.standalone} AND ${terms.count} = 0`
  const parents = sql`SELECT 'parent', 0, id, title, '', 0 FROM ${events} WHERE ${readableSql(events, context)} AND id IN (
    SELECT post_parent FROM shown UNION ALL SELECT post_parent FROM ${series} WHERE id IN (SELECT series_id FROM shown))`
  return mapQuery(
    many(
      sql`WITH shown(id, series_id, image_id, post_parent) AS MATERIALIZED (
          SELECT id, series_id, image_id, post_parent FROM ${events} WHERE id IN (${ids}))
        SELECT 'image' AS kind, 0 AS used_term, id, title AS name, caption AS text, version FROM ${images}
        WHERE id IN (${imageIds})
        UNION ALL ${newTerms} UNION ALL ${parents}`,
      {
        kind: readText,
        used_term: readNumber,
        id: readNumber,
        name: readText,
        text: readText,
        version: readNumber,
      },
    ),
    rows => {
      const rowsOfKind = (wanted: 'image' | 'term' | 'parent') => rows.filter(({ kind }) => kind === wanted)
      return {
        imageTexts: new Map(
          rowsOfKind('image').map(({ id, name, text }) => [id, { title: name, caption: text }]),
        ),
        newTerms: rowsOfKind('term').map(({ used_term, id, name, text, version }) => ({
          usedTerm: used_term,
          id,
          name: plain(name),
          description: text,
          version,
        })),
        parents: new Map(rowsOfKind('parent').map(({ id, name }) => [id, name])),
      }
    },
  )
}

/** The categories and tags that become public with events, without repetition. */
function newTermsOf(rows: readonly EventRow[], newTerms: readonly NewTerm[]): NewTerm[] {
  const linkedIds = new Set(rows.flatMap(({ terms }) => terms.map(({ id }) => id)))
  return [
    ...new Map(
      newTerms.filter(({ usedTerm }) => linkedIds.has(usedTerm)).map(term => [term.id, term]),
    ).values(),
  ]
}

const linkedTo = (rows: readonly EventRow[]): NewVenueOrOrganizer[] =>
  rows.flatMap(({ venues, organizers }): NewVenueOrOrganizer[] => [
    ...venues.map(row => ({ kind: 'venue' as const, row })),
    ...organizers.map(row => ({ kind: 'organizer' as const, row })),
  ])

/** The names of linked venues and organizers that neither are public nor become so. */
function hiddenIn(
  context: BaseContext,
  rows: readonly EventRow[],
  newLinks: readonly NewVenueOrOrganizer[],
): string[] {
  const hiddenLinks = linkedTo(rows).filter(
    ({ kind, row }) =>
      !isRowReadable(row, { ...context, caller: ANONYMOUS }) &&
      !newLinks.some(link => link.kind === kind && link.row.id === row.id),
  )
  return [...new Set(hiddenLinks.map(({ row }) => plain(row.name)))]
}

function newLinksOf(rows: readonly EventRow[], newIds: readonly NewLinks[]): NewVenueOrOrganizer[] {
  const wanted = linkedTo(rows).filter(({ kind, row }) => newIds.some(ids => ids[kind].has(row.id)))
  return [...new Map(wanted.map(link => [`${link.kind} ${link.row.id}`, link])).values()]
}

/** The versions of everything that becomes public with an event. */
export function versionsOf(item: PublishableEvent): ShownVersion[] {
  const { row, shared, dates, ownDates, newLinks, newTerms } = item
  const rows = publishedRows(item)
  const images = [...rows, ...newLinks.map(({ row }) => row)].flatMap(({ image }) => image ?? [])
  const versions: ShownVersion[] = [
    ['event', row.id, `${row.version}`],
    ...(shared ? [['series', shared.id, `${shared.version}`] as const] : []),
    ...(shared && dates ? [['dates', shared.id, dates.version] as const] : []),
    ...ownDates.flatMap(({ id, version }) => (id === row.id ? [] : [['event', id, `${version}`] as const])),
    ...newLinks.map(({ kind, row: { id, version } }) => [kind, id, `${version}`] as const),
    ...[...rows.flatMap(({ terms }) => terms), ...newTerms].map(
      ({ id, version }) => ['term', id, `${version}`] as const,
    ),
    ...images.map(({ id, version }) => ['image', id, `${version}`] as const),
  ]
  return [...new Map(versions.map(shown => [versionText(shown), shown])).values()]
}
