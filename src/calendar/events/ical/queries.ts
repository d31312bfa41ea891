import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { BaseContext, SerializeContext } from '../../../kit/context.ts'
import {
  decodeList,
  logUnreadable,
  type RowOf,
  type UnionPart,
  unionAll,
  unionOf,
} from '../../../kit/db/columns.ts'
import { literal, mapQuery, type Query, type RowOfQuery } from '../../../kit/db/query.ts'
import { events, series } from '../../../kit/db/tables.ts'
import { abridgeHtml } from '../../../kit/lib/abridge.ts'
import { FEED_SIZE } from '../../../kit/lib/budgets.ts'
import type { StoredImage } from '../../../kit/lib/images/formats.ts'
import type { Pattern } from '../../../kit/lib/recurrence/pattern.ts'
import { readRule } from '../../../kit/lib/recurrence/rule.ts'
import { dayOf, daysLater, isDateTime } from '../../../kit/lib/time.ts'
import { pick, textsOf } from '../../../kit/lib/values.ts'
import { storedNames } from '../../content/fields.ts'
import { imageExpressions, imageJoin, readImage } from '../../content/images.ts'
import {
  beginningOfToday,
  defaultWindow,
  type Interval,
  intervalOf,
  OPEN_END,
  upperBoundOfStarts,
  withinBounds,
} from '../interval.ts'
import { eventPage, isGathered, pageStatement, type SelectedPage } from '../listing/page.ts'
import { byStart, fittingSql, previousColumns, seriesJoin, sharedTexts, timeColumns } from '../rows.ts'
import { EVENT_FIELDS, type EventListValues } from '../schema.ts'
import { type FeedRelations, linkColumns, relatedParts, relationsOf, wholeTableSelect } from './relations.ts'

const feedColumns = {
  ...pick(events, 'id', 'version', 'status', 'slug', 'date_utc', 'modified_utc', 'cost', 'image_id'),
  ...pick(events, ...storedNames(EVENT_FIELDS)),
  ...timeColumns,
  ...previousColumns,
  ...pick(events, 'is_virtual', 'series_id', 'uid', 'sequence_offset'),
}

type FeedRow = RowOf<typeof feedColumns>

const feedSeriesColumns = {
  ...pick(series, 'id', 'version', 'slug', 'date_utc', 'modified_utc', 'all_day', 'start_date', 'end_date'),
  ...pick(series, 'timezone', 'rrule', 'rdate', 'exdate', 'extend_from', 'uid', 'sequence_offset'),
}

/** The series, without a rule that cannot be read. Feeds then name its dates one by one. */
function soundSeries(row: RowOf<typeof feedSeriesColumns>): FeedSeries {
  const dates = { rdate: textsOf(row.rdate), exdate: textsOf(row.exdate) }
  const extend_from = row.extend_from !== null && isDateTime(row.extend_from) ? row.extend_from : null
  if (row.rrule === '' || readRule(row.rrule)) return { ...row, ...dates, extend_from }
  logUnreadable(row.id, 'series.rrule')
  return { ...row, ...dates, rrule: '', extend_from: null }
}

/** A series, with its dates read from JSON. */
export type FeedSeries = Omit<RowOf<typeof feedSeriesColumns>, 'rdate' | 'exdate'> &
  Pick<Pattern, 'rdate' | 'exdate'>

/** An event with everything that feeds need. */
export type FeedEvent = FeedRow &
  FeedRelations & {
    image: StoredImage | null
    /** Null for single events. */
    series: FeedSeries | null
    /** True if texts were cut, because the feed would be too large. */
    isCut: boolean
    /**
     * True if the description is only the beginning: it is whole HTML, and the address of the event follows.
     */
    isAbridged: boolean
  }

/** An event of a feed, before it is joined with its series and relations. */
type PlainFeedEvent = {
  row: FeedRow
  image: StoredImage | null
  isCut: boolean
  /** True if the end of the description was not read. */
  isUnread: boolean
  /** @see relationsOf */
  links: readonly unknown[]
}

/** Limit on the texts of all events of a feed, in bytes. */
const TEXT_BYTES = literal(FEED_SIZE.textBytes)

/**
 * Feeds of several events have the beginnings of long descriptions; a single calendar and a spreadsheet have
 * whole descriptions.
 */
type Descriptions = 'whole' | 'abridged'

/** The part of the description that is read, with one more character if there are more. */
const DESCRIPTION: Record<Descriptions, SQL> = {
  whole: sql`${sharedTexts.description}`,
  abridged: sql`substr(${sharedTexts.description}, 1, ${literal(FEED_SIZE.descriptionRead + 1)})`,
}

/** The bytes that the texts of one event may have if the texts of all events don't fit together. */
const share = sql`(${TEXT_BYTES} / page.size)`

/**
 * Limits on a line and on an address if texts don't fit. Longer addresses are left out, since they are
 * useless without their end.
 */
const LINE_CHARACTERS = literal(200)
const ADDRESS_BYTES = literal(500)
const shortLine = (column: SQLiteColumn): SQL => sql`substr(${column}, 1, ${LINE_CHARACTERS})`
const address = (column: SQLiteColumn): SQL =>
  sql`iif(octet_length(${column}) <= ${ADDRESS_BYTES}, ${column}, '')`

/** The columns of plain fields that hold any text. */
const plainTexts = storedNames(EVENT_FIELDS)
  .map(name => events[name])
  .filter(({ dataType, enumValues = [] }) => dataType === 'string' && enumValues.length === 0)

/** The texts of events, cut because they don't fit. */
const shortenedTexts = (description: SQL): Readonly<Record<string, SQL>> => ({
  ...Object.fromEntries(plainTexts.map(column => [column.name, shortLine(column)])),
  description: sql`substr(${description}, 1, ${share} * length(${description}) / max(octet_length(${description}), 1))`,
  excerpt: sql`''`,
  cost: shortLine(events.cost),
  website: address(events.website),
  virtual_url: address(events.virtual_url),
})

/** The values of the first column: the part of an event's texts that was read. */
const ALL_TEXTS = 1
const CUT_TEXTS = 2
const CUT_DESCRIPTION = 3

const columnsOfPart = (state: SQL, texts: Readonly<Record<string, SQL>>): SQL[] => [
  state,
  ...linkColumns,
  ...imageExpressions,
  ...Object.entries(feedColumns).map(([name, column]) => texts[name] ?? sql`${column}`),
]

function eventPart(descriptions: Descriptions): UnionPart<PlainFeedEvent> {
  const description = DESCRIPTION[descriptions]
  const { excerpt } = sharedTexts
  const texts = [
    description,
    excerpt,
    events.cost,
    ...plainTexts.filter(({ name }) => !Object.hasOwn(sharedTexts, name)),
  ].map(text => sql`${text}`)
  const cutTexts = sql`iif(octet_length(${description}) > ${share}, ${literal(CUT_DESCRIPTION)}, ${literal(CUT_TEXTS)})`
  return {
    columns: columnsOfPart(literal(ALL_TEXTS), { ...sharedTexts, description }),
    otherwise: {
      unless: fittingSql(texts, FEED_SIZE.textBytes),
      columns: columnsOfPart(cutTexts, shortenedTexts(description)),
    },
    from: sql`FROM page CROSS JOIN ${events} ON ${events.id} = page.id ${imageJoin(events.image_id)} ${seriesJoin}`,
    read: values => {
      const row = decodeList(feedColumns, values, 1 + linkColumns.length + imageExpressions.length)
      const isLong = descriptions === 'abridged' && row.description.length > FEED_SIZE.descriptionRead
      return {
        row,
        links: values.slice(1, 1 + linkColumns.length),
        image: row.image_id === null ? null : readImage(row.image_id, values.slice(1 + linkColumns.length)),
        isCut: values[0] !== ALL_TEXTS,
        isUnread: values[0] === CUT_DESCRIPTION || isLong,
      }
    },
  }
}

/** Limit on the named dates of all series of a feed, in bytes. */
const DATE_BYTES = literal(FEED_SIZE.dateBytes)

const dateBytes = sql`octet_length(${series.rdate}) + octet_length(${series.exdate})`
const datesFitSql = sql`${dateBytes} <= ${DATE_BYTES} / found.count`

// If the named dates don't fit, the feed names only the dates that it shows, without dates that the series
// adds later.
const DATES_THAT_FIT: Readonly<Record<string, SQL>> = {
  rdate: sql`iif(${datesFitSql}, ${series.rdate}, '[]')`,
  exdate: sql`iif(${datesFitSql}, ${series.exdate}, '[]')`,
  extend_from: sql`iif(${datesFitSql}, ${series.extend_from}, NULL)`,
}

/**
 * Rows of series are large: with more than one for ten events, it is cheaper to look up the series of the
 * page.
 */
const MAX_SERIES_PER_EVENT = 0.1

const fewSeries = sql`(SELECT iif(is_read, (SELECT coalesce(sum(${dateBytes}), 0) FROM ${series}) <= ${DATE_BYTES}, 0) AS is_read
  FROM ${wholeTableSelect(series, MAX_SERIES_PER_EVENT)})`

/**
 * The series of the page's occurrences, each once, since they may have many dates. If there are few, and all
 * of their dates fit, the table is read as a whole, which reads two rows fewer for each event of the page.
 */
const seriesPart: UnionPart<FeedSeries> = {
  columns: Object.entries(feedSeriesColumns).map(([name, column]) => DATES_THAT_FIT[name] ?? sql`${column}`),
  from: sql`FROM (SELECT id, 1 AS count FROM ${fewSeries} CROSS JOIN ${series} WHERE is_read
        UNION ALL SELECT id, count(*) OVER () FROM (SELECT DISTINCT ${events.series_id} AS id FROM ${fewSeries} CROSS JOIN page
          CROSS JOIN ${events} ON ${events.id} = page.id WHERE NOT is_read AND coalesce(${events.series_id}, 0) <> 0)
      ) AS found CROSS JOIN ${series} ON ${series.id} = found.id`,
  read: values => soundSeries(decodeList(feedSeriesColumns, values)),
}

/** The events of a feed, and every row that they may refer to, once. */
const partsWith = (descriptions: Descriptions) =>
  unionOf({ events: eventPart(descriptions), ...relatedParts, series: seriesPart })

const FEED_PARTS = { whole: partsWith('whole'), abridged: partsWith('abridged') }

/** Feeds without dates begin this many days ago, so that subscribers keep past events for a while. */
const DAYS_BACK = 90

/**
 * The parameters of a feed, with its window. By default a list begins yesterday and has the events that end
 * within its window, but a feed has whatever is on from 90 days ago on: an event that somebody has subscribed
 * to does not disappear while it is on.
 */
function feedWindow(context: BaseContext, values: EventListValues): EventListValues {
  const isGiven =
    values.start_date !== undefined || intervalOf(context, values).resolved.start_date === undefined
  if (isGiven) return values
  const { start_date: yesterday, end_date } = defaultWindow(context)
  const first = daysLater(yesterday, 1 - DAYS_BACK)
  const last = values.end_date === undefined ? dayOf(end_date) : OPEN_END
  return { ...values, happening: `${first}/${last}` }
}

/** The events of a feed, by start, and the number of all matching events. */
export type FoundEvents = { events: FeedEvent[]; total: number }

export const selectFeed = (
  context: BaseContext,
  values: EventListValues,
  descriptions: Descriptions = 'abridged',
): Query<FoundEvents> =>
  selectFeedEvents(context, { ...nearestEvents(context, feedWindow(context, values)), descriptions })

/** @property shared parts of a WITH clause that both `ids` and `total` may read */
type Selection = { shared?: SQL; ids: SQL; total?: SQL; descriptions: Descriptions }

/** A query for events as feeds show them. @param ids a SELECT of `id` @param total an expression */
export function selectFeedEvents(
  context: SerializeContext,
  { shared, ids, total = sql`0`, descriptions }: Selection,
): Query<FoundEvents> {
  // The size is counted once, because finding the length of a JSON list means reading it. In the order of
  // ids, reading events and links takes half the time. A list is used because rows of a subquery would each
  // count as a row read.
  const page = sql`${shared ? sql`${shared}, ` : sql``}ids(list, size) AS MATERIALIZED (
    SELECT json_group_array(id ORDER BY id), count(*) FROM (${ids})),
    page(id, size) AS NOT MATERIALIZED (SELECT value, size FROM ids CROSS JOIN json_each(ids.list))`
  return mapQuery(FEED_PARTS[descriptions](sql`WITH ${page}`, total), parts => ({
    events: withRelations(context, parts, descriptions),
    total: parts.head,
  }))
}

/**
 * SELECTs of the ids of the events nearest to the beginning of today, and of the number of all events: a feed
 * stays the same all day.
 */
function nearestEvents(context: BaseContext, values: EventListValues): Omit<Selection, 'descriptions'> {
  if (isGathered(context, values)) {
    const page = { page: 1, perPage: Number.MAX_SAFE_INTEGER, offset: 0 }
    const wholeList = { values: { ...values, order: 'asc', orderby: 'start_date' }, page } as const
    const { shared, ...gatheredPage } = eventPage(context, wholeList)
    return { ...(shared && { shared }), ids: nearestOf(context, [gatheredPage]), total: gatheredPage.total }
  }
  const parts = splitInterval(context, values).map(({ interval, order }) =>
    eventPage(context, {
      values: { ...values, order, orderby: 'start_date' },
      page: { page: 1, perPage: FEED_SIZE.events, offset: 0 },
      interval,
    }),
  )
  // A subquery in FROM does not add to the depth of an expression, which totals of filters nearly exhaust.
  const totals = parts.map(
    part => sql`SELECT n FROM (${pageStatement(part, sql`SELECT ${part.total} AS n`)})`,
  )
  const total = sql`(SELECT sum(n) FROM (${unionAll(totals)}))`
  const [firstPart, ...otherParts] = parts
  if (firstPart && otherParts.length === 0) return { ids: pageStatement(firstPart), total }
  return { ids: nearestOf(context, parts), total }
}

function nearestOf(context: BaseContext, parts: readonly SelectedPage[]): SQL {
  const rows = sql.join(parts.map(startsOfPart), sql` UNION ALL `)
  return sql`SELECT id FROM (${rows})
    ORDER BY abs(julianday(start) - julianday(${beginningOfToday(context)})), id LIMIT ${literal(FEED_SIZE.events)}`
}

/**
 * A SELECT of `id` and `start` of a page. It avoids reading the events themselves, because it considers twice
 * as many events as the feed shows.
 */
const startsOfPart = (part: SelectedPage): SQL =>
  part.starts
    ? sql`SELECT id, start FROM (${pageStatement(part, part.starts)})`
    : sql`SELECT found.id, utc_start_date AS start FROM (${pageStatement(part)}) AS found
        CROSS JOIN ${events} ON ${events.id} = found.id`

type IntervalPart = { interval: Interval; order: 'asc' | 'desc' }

/** The interval of a feed, split at the beginning of today, so that each part is read from there on. */
function splitInterval(context: BaseContext, values: EventListValues): IntervalPart[] {
  const today = beginningOfToday(context)
  const { interval } = intervalOf(context, values)
  if (values.include || interval.startFrom >= today) return [{ interval, order: 'asc' }]
  if (upperBoundOfStarts(interval) <= today) return [{ interval, order: 'desc' }]
  return [
    { interval: withinBounds(interval, { startFrom: today }), order: 'asc' },
    { interval: withinBounds(interval, { startBefore: today }), order: 'desc' },
  ]
}

/** Joins events with their series, and with the related rows that the caller may read. */
function withRelations(
  context: SerializeContext,
  feedRows: RowOfQuery<ReturnType<typeof partsWith>>,
  descriptions: Descriptions,
): FeedEvent[] {
  const series = new Map<number, FeedSeries>(feedRows.series.map(row => [row.id, row]))
  const relations = relationsOf(context, feedRows)
  const maxLength = descriptions === 'whole' ? Number.POSITIVE_INFINITY : FEED_SIZE.description
  // The dates of a series share their description.
  const beginnings = new Map<string, string | undefined>()
  const beginningOf = (html: string, isUnread: boolean): string | undefined => {
    if (!isUnread && html.length <= maxLength) return undefined
    const key = `${isUnread} ${html}`
    if (!beginnings.has(key)) beginnings.set(key, abridgeHtml(html, maxLength, isUnread))
    return beginnings.get(key)
  }
  return feedRows.events
    .map(({ row, links, isUnread, ...others }) => {
      const beginning = beginningOf(row.description, isUnread)
      return {
        ...row,
        description: beginning ?? row.description,
        ...relations(links),
        ...others,
        isAbridged: beginning !== undefined,
        series: row.series_id === null ? null : (series.get(row.series_id) ?? null),
      }
    })
    .sort(byStart)
}
