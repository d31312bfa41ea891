import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { termAncestors } from '../../../db/derived.ts'
import { literal, many, mapped, type Query, type RowOfQuery, together } from '../../../db/query.ts'
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
} from '../../../db/schema.ts'
import { ANONYMOUS } from '../../../lib/roles.ts'
import type { DateTime } from '../../../lib/time.ts'
import { textsOf } from '../../../lib/values.ts'
import type { OrganizerRow, VenueRow } from '../../../resources/content/related/resource.ts'
import { isRowReadable } from '../../../resources/content/visibility.ts'
import type { Scope } from '../../../resources/events/recurrence/fields.ts'
import { selectSharedRows } from '../../../resources/events/recurrence/series.ts'
import { isDetachedSql } from '../../../resources/events/recurrence/shared-fields.ts'
import { type Along, selectAlong } from '../../../resources/events/relations/along.ts'
import { EVENTS } from '../../../resources/events/resource.ts'
import type { EventRow } from '../../../resources/events/rows.ts'
import { displayName } from '../../../resources/users/records.ts'
import { plain } from '../../html/text.ts'
import { type ShownVersion, versionText } from './versions.ts'

/** A venue or organizer that becomes public along with an event. */
export type NewVenueOrOrganizer = { kind: 'venue'; row: VenueRow } | { kind: 'organizer'; row: OrganizerRow }

/** A category or tag that becomes public with an event: its own, or one above that. `of` is the id of its own. */
type NewTerm = { of: number; id: number; name: string; description: string; version: number }

/** The texts of an image other than its alternative text. */
type ImageTexts = { title: string; caption: string }

/** The dates of a series that become public together. */
type PublishedDates = {
  count: number
  first: DateTime
  last: DateTime
  /** Their starts as JSON, which is parsed only where they are listed. */
  starts: string
  /** The ids of dates with values of their own. */
  own: readonly number[]
  /** The number of other dates of the series, which have a status of their own. */
  otherCount: number
  /** The version of all dates of the series. @see ShownVersion */
  version: string
}

/** An event or dates of a series, with everything that becomes public with them. */
export type Publishable = {
  /** The event, or the date that stands for the others. */
  row: EventRow
  scope: Scope
  author: string
  /** The series with the shared values of its dates; undefined for a single event. */
  shared: EventRow | undefined
  /** Undefined if only one event is published. */
  dates: PublishedDates | undefined
  /** The dates that differ from the series, as many as one page shows. */
  ownDates: readonly EventRow[]
  newLinks: readonly NewVenueOrOrganizer[]
  newTerms: readonly NewTerm[]
  /** The names of linked venues and organizers that stay hidden. */
  hidden: readonly string[]
  /** Titles and captions by the id of an image, for all events of the page. */
  imageTexts: ReadonlyMap<number, ImageTexts>
  /** False if a part is not shown, because it is too much for the page. */
  isComplete: boolean
}

/** The number of venues and organizers of a page up to which their texts are complete. @see boundedTexts */
const MOST_LINKS = 40

/** A condition for dates that become public with their series, including those that come back from the trash. */
const isPublishedAlong = sql`(NOT ${isDetachedSql('status')} AND ${events.status} NOT IN ('publish', 'future')
  AND (${events.status} <> 'trash' OR instr((SELECT exdate FROM ${series} WHERE id = ${events.series_id}), ${events.occurrence_date}) = 0))`

/** A condition for dates with values of their own. */
const hasOwn = sql`(${events.detached} NOT IN ('[]', '["status"]') OR ${events.external_id} <> '')`

/** The names of the fields in which a date differs from its series, except its status. */
export const detachedFields = ({ detached }: EventRow): string[] =>
  textsOf(detached).filter(name => name !== 'status')

/** The same with the external id, which is different for each date. */
export const ownFields = (row: EventRow): string[] => [
  ...detachedFields(row),
  ...(row.external_id === '' ? [] : ['external_id']),
]

/** What is published, without what becomes public along with it. */
type PublishedParts = Pick<Publishable, 'row' | 'scope' | 'author' | 'shared' | 'dates' | 'ownDates'>

type PublishableQuery = {
  /** A SELECT of the ids of events. */
  ids: SQL
  /** A condition for events that stand for other dates of their series. */
  isSeriesWide: SQL
  /** The scope for these events. */
  scope: Scope
  /** The most dates with values of their own. */
  mostDates: number
  /** The longest description that counts as complete, in characters. */
  mostText?: number
}

/** A query of events with everything that becomes public with them, earliest first. */
export const selectPublishable = (
  context: RequestContext,
  { mostText = Number.POSITIVE_INFINITY, ...query }: PublishableQuery,
): Query<Publishable[]> =>
  mapped(selectRows(context, query), found => {
    const linked = [...found.rows, ...found.shared].flatMap(row => [...row.venues, ...row.organizers])
    const limits = { mostText, hasAllLinks: new Set(linked).size <= MOST_LINKS }
    return partsOf(context, query.scope, found)
      .map(parts => completed(context, parts, found, limits))
      .sort(({ row: a }, { row: b }) => a.utc_start_date.localeCompare(b.utc_start_date) || a.id - b.id)
  })

/** The rows of events, of their dates and series, and of what these refer to. */
function selectRows(context: RequestContext, query: Omit<PublishableQuery, 'mostText'>) {
  const { ids, isSeriesWide, scope, mostDates } = query
  // Materialized in each statement: finding the waiting events reads every date of a series.
  const asked = sql`asked(id) AS MATERIALIZED (${ids}),
    wide(series_id, first) AS MATERIALIZED (SELECT ${events.series_id}, min(${events.occurrence_date}) FROM asked CROSS JOIN ${events} ON ${events.id} = asked.id
      WHERE ${events.series_id} IS NOT NULL AND ${isSeriesWide} GROUP BY 1)`
  const isFollowing = scope === 'following' ? sql`${events.occurrence_date} >= wide.first` : sql`1`
  const goes = sql`(${isPublishedAlong} AND ${isFollowing})`
  const datesOfSeries = sql`FROM wide CROSS JOIN ${events} ON ${events.series_id} = wide.series_id`
  const ownDates = sql`own(id) AS MATERIALIZED (SELECT ${events.id} ${datesOfSeries} WHERE ${goes} AND ${hasOwn}
    ORDER BY ${events.series_id}, ${events.occurrence_date} LIMIT ${literal(mostDates)})`
  const all = sql`WITH ${asked}, ${ownDates} SELECT id FROM asked UNION SELECT id FROM own`
  return together({
    rows: EVENTS.select(context, sql`${events.id} IN (${all})`),
    named: many(
      sql`WITH ${asked} SELECT ${events.id} AS id, ${events.series_id} IN (SELECT series_id FROM wide) AND ${isSeriesWide} AS is_wide, ${displayName} AS author
        FROM asked CROSS JOIN ${events} ON ${events.id} = asked.id LEFT JOIN ${users} ON ${users.id} = ${events.author_id}`,
      ({ id, is_wide, author }) =>
        [Number(id), { isSeriesWide: is_wide === 1, author: String(author ?? '–') }] as const,
    ),
    dates: selectDates({ asked, datesOfSeries, goes }),
    along: selectAlong(all),
    said: selectSaid(all),
    shared: selectSharedRows(
      context,
      sql`WITH ${asked} SELECT DISTINCT ${events.series_id} AS id FROM asked CROSS JOIN ${events} ON ${events.id} = asked.id
        WHERE ${events.series_id} IS NOT NULL`,
    ),
  })
}

type FoundRows = RowOfQuery<typeof selectRows>

/** The events that were asked for, with their dates, unless there are some among these that the caller may not see. */
function partsOf(
  context: RequestContext,
  scope: Scope,
  { rows, named, dates, shared }: FoundRows,
): PublishedParts[] {
  const known = new Map(named)
  const datesOf = new Map(dates)
  const sharedOf = new Map(shared.filter(row => isRowReadable(row, context)).map(row => [row.id, row]))
  return rows.flatMap((row): PublishedParts[] => {
    const one = known.get(row.id)
    if (!one) return []
    const series = row.series_id ?? 0
    const dates = one.isSeriesWide ? datesOf.get(series) : undefined
    const parts = {
      row,
      scope: one.isSeriesWide ? scope : 'this',
      author: one.author,
      shared: sharedOf.get(series),
      dates,
      ownDates: rows.filter(({ id }) => dates?.own.includes(id)),
    }
    // The caller may neither see nor publish other people's dates.
    return !dates || (parts.shared && parts.ownDates.every(date => isRowReadable(date, context)))
      ? [parts]
      : []
  })
}

/** Adds what else becomes public, and whether that is all of it. */
function completed(
  context: RequestContext,
  parts: PublishedParts,
  { along, said }: FoundRows,
  { mostText, hasAllLinks }: { mostText: number; hasAllLinks: boolean },
): Publishable {
  const published = publishedRows(parts)
  const ids = [parts.row, ...parts.ownDates].map(({ id }) => id)
  const newLinks = newLinksOf(
    published,
    ids.flatMap(id => along.get(id) ?? []),
  )
  return {
    ...parts,
    newLinks,
    newTerms: newTermsOf(published, said.newTerms),
    hidden: hiddenIn(context, published, newLinks),
    imageTexts: said.imageTexts,
    isComplete:
      parts.ownDates.length === (parts.dates?.own.length ?? 0) &&
      !published.some(({ isShortened, description }) => isShortened || description.length > mostText) &&
      (newLinks.length === 0 || hasAllLinks),
  }
}

/**
 * A query of the dates that become public together, by the ids of their series.
 *
 * @param asked common table expressions of the series @param datesOfSeries their dates @param goes a condition for those dates
 */
const selectDates = ({ asked, datesOfSeries, goes }: Record<'asked' | 'datesOfSeries' | 'goes', SQL>) =>
  many(
    sql`WITH ${asked} SELECT wide.series_id AS series, count(*) || '.' || sum(${events.version}) AS version, sum(${goes}) AS n,
        json_group_array(${events.start_date}) FILTER (WHERE ${goes}) AS starts,
        json_group_array(${events.id}) FILTER (WHERE ${goes} AND ${hasOwn}) AS own, sum(${events.status} <> 'trash' AND NOT ${goes}) AS other,
        min(iif(${goes}, ${events.start_date}, NULL)) AS first, max(iif(${goes}, ${events.start_date}, NULL)) AS last
      ${datesOfSeries} GROUP BY wide.series_id`,
    ({ series, version, n, starts, own, other, first, last }): [number, PublishedDates] => [
      Number(series),
      {
        count: Number(n),
        starts: String(starts),
        // Made by json_group_array() above.
        own: JSON.parse(String(own)),
        otherCount: Number(other),
        first: String(first ?? ''),
        last: String(last ?? ''),
        version: String(version),
      },
    ],
  )

/** The terms of which more than the name of an event's own term becomes public: descriptions, and terms above. */
export const describedTerms = (item: Publishable): readonly NewTerm[] =>
  item.newTerms.filter(
    ({ id, description }) => description !== '' || !mainRow(item).terms.some(term => term.id === id),
  )

/** The row that is shown first: the series for several dates, since it has their shared values. */
export const mainRow = ({ row, shared, dates }: Pick<Publishable, 'row' | 'shared' | 'dates'>): EventRow =>
  dates && shared ? shared : row

/** The rows that become public: for several dates, the series and the dates that differ from it. */
const publishedRows = (item: Pick<Publishable, 'row' | 'shared' | 'dates' | 'ownDates'>): EventRow[] => [
  mainRow(item),
  ...item.ownDates,
]

/**
 * A query of the texts of images of events and of their venues and organizers, and of the categories and tags, including those
 * above, that are not public yet.
 *
 * @param ids a SELECT of events
 */
function selectSaid(
  ids: SQL,
): Query<{ imageTexts: ReadonlyMap<number, ImageTexts>; newTerms: readonly NewTerm[] }> {
  const linked = (
    [
      [venues, eventVenues, seriesVenues],
      [organizers, eventOrganizers, seriesOrganizers],
    ] as const
  ).map(
    ([table, links, seriesLinks]) => sql`SELECT image_id FROM ${table} WHERE id IN (
      SELECT target_id FROM ${links} WHERE event_id IN (SELECT id FROM shown)
      UNION ALL SELECT target_id FROM ${seriesLinks} WHERE series_id IN (SELECT series_id FROM shown))`,
  )
  const used = [
    sql`SELECT image_id FROM shown`,
    sql`SELECT image_id FROM ${series} WHERE id IN (SELECT series_id FROM shown)`,
    ...linked,
  ]
  const named = sql`SELECT target_id FROM ${eventTerms} WHERE event_id IN (SELECT id FROM shown)
    UNION SELECT target_id FROM ${seriesTerms} WHERE series_id IN (SELECT series_id FROM shown)`
  return mapped(
    many(
      sql`WITH shown(id, series_id, image_id) AS MATERIALIZED (
          SELECT id, series_id, image_id FROM ${events} WHERE id IN (${ids}))
        SELECT NULL AS of, id, title AS name, caption AS text, version FROM ${images} WHERE id IN (${sql.join(used, sql` UNION ALL `)})
        UNION ALL SELECT term_id, ${terms.id}, ${terms.name}, ${terms.description}, ${terms.version}
          FROM (${named}) AS named CROSS JOIN ${termAncestors} ON term_id = named.target_id
          CROSS JOIN ${terms} ON ${terms.id} = ancestor_id WHERE NOT ${terms.standalone} AND ${terms.count} = 0`,
      ({ of, id, name, text, version }) => ({
        of: of === null ? undefined : Number(of),
        ...{ id: Number(id), name: String(name), text: String(text), version: Number(version) },
      }),
    ),
    rows => ({
      imageTexts: new Map(
        rows.flatMap(({ of, id, name, text }): [number, ImageTexts][] =>
          of === undefined ? [[id, { title: name, caption: text }]] : [],
        ),
      ),
      newTerms: rows.flatMap(({ of, id, name, text, version }) =>
        of === undefined ? [] : [{ of, id, name: plain(name), description: text, version }],
      ),
    }),
  )
}

/** The categories and tags that become public with events, without repetition. */
function newTermsOf(rows: readonly EventRow[], found: readonly NewTerm[]): NewTerm[] {
  const named = new Set(rows.flatMap(({ terms }) => terms.map(({ id }) => id)))
  return [...new Map(found.filter(({ of }) => named.has(of)).map(term => [term.id, term])).values()]
}

const linkedTo = (rows: readonly EventRow[]): NewVenueOrOrganizer[] =>
  rows.flatMap(({ venues, organizers }): NewVenueOrOrganizer[] => [
    ...venues.map(row => ({ kind: 'venue' as const, row })),
    ...organizers.map(row => ({ kind: 'organizer' as const, row })),
  ])

/** The names of linked venues and organizers that neither are public nor become so. */
function hiddenIn(
  context: RequestContext,
  rows: readonly EventRow[],
  newLinks: readonly NewVenueOrOrganizer[],
): string[] {
  const hidden = linkedTo(rows).filter(
    ({ kind, row }) =>
      !isRowReadable(row, { ...context, caller: ANONYMOUS }) &&
      !newLinks.some(link => link.kind === kind && link.row.id === row.id),
  )
  return [...new Set(hidden.map(({ row }) => plain(row.name)))]
}

/** The venues and organizers that are published along with some events. */
function newLinksOf(rows: readonly EventRow[], along: readonly Along[]): NewVenueOrOrganizer[] {
  const wanted = linkedTo(rows).filter(({ kind, row }) => along.some(ids => ids[kind].has(row.id)))
  return [...new Map(wanted.map(link => [`${link.kind} ${link.row.id}`, link])).values()]
}

/** The versions of everything that becomes public with an event. */
export function versionsOf(item: Publishable): ShownVersion[] {
  const { row, shared, dates, ownDates, newLinks, newTerms } = item
  const rows = publishedRows(item)
  const images = [...rows, ...newLinks.map(({ row }) => row)].flatMap(({ image }) => image ?? [])
  const all: ShownVersion[] = [
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
  return [...new Map(all.map(shown => [versionText(shown), shown])).values()]
}
