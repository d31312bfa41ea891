import { type SQL, sql } from 'drizzle-orm'
import { noDuplicateSql, readableSql } from '../../calendar/content/visibility.ts'
import type { Scope } from '../../calendar/events/recurrence-fields.ts'
import type { BaseContext } from '../../kit/context.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import { listings } from '../../kit/db/derived.ts'
import { eachOf, inList, literal, many, orNull, type RowOfQuery, readText } from '../../kit/db/query.ts'
import { events, eventVenues, venues } from '../../kit/db/tables.ts'
import { fold } from '../../kit/lib/text.ts'
import { endOfDay, laterByClock, msByClock, spanAt, startOfDay, toEpoch } from '../../kit/lib/time.ts'
import { compareTexts, pick } from '../../kit/lib/values.ts'
import { venueLinks } from '../../site/forms/controls/links.ts'
import { endMoment } from '../../site/forms/controls/moment.ts'
import { type Entries, entry, withEntries } from '../../site/forms/entries.ts'
import { form } from '../../site/forms/field-html.ts'
import { changedFields } from '../../site/forms/form.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { entriesToResend, type SubmittedForm } from '../../site/forms/posted.ts'
import { hiddenInputs } from '../../site/forms/render.ts'
import { formTimesIn, scopeIn } from '../../site/forms/repetition/control.ts'
import { repetitionIn } from '../../site/forms/repetition/rule.ts'
import { plannedStarts } from '../../site/forms/repetition/upcoming.ts'
import { html } from '../../site/html/html.ts'
import { inLine, nameOf } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { type OccupiedTime, type PlannedChange, readDatesAfter } from '../repetition/scope.ts'
import { notePage } from '../respond.ts'
import { editPath } from './rows.ts'

/** The fields that say where and when an event is. */
const WHERE_AND_WHEN = ['start_date', 'end_date', 'all_day', 'timezone', 'recurrence', 'venue', 'room']

/** The most dates of a series that are compared, and the most events that are found and named. */
const MAX_DATES = 200
const MAX_FOUND = 1_000
const MAX_NAMED = 10

/** The longest event that is compared, in seconds: an exhibition does not keep others out of a hall. */
const MAX_SECONDS = 86_400

/** The input with the ids of the events that the user knows of. */
const KNOWN_CLASHES_INPUT = 'clash_known'

/** The times that a change gives to several dates of a series, as they will be written. */
async function readIntervalsOfSeries(
  editor: EditorContext,
  change: SeriesChange,
): Promise<readonly OccupiedTime[] | undefined> {
  const datesAfter = await readDatesAfter(editor, change, change.scope)
  if (!datesAfter) return undefined
  const unmoved = await editor.context.db.read(
    many(
      sql`SELECT utc_start_date, utc_end_date FROM ${events} WHERE id IN ${inList(datesAfter.unmovedIds)}`,
      (row): OccupiedTime => [readText(row.utc_start_date), readText(row.utc_end_date)],
    ),
  )
  const now = editor.context.clock.now()
  return [...datesAfter.intervals, ...unmoved]
    .filter(([start, end]) => end >= now && toEpoch(end) - toEpoch(start) <= MAX_SECONDS * 1000)
    .sort(([a], [b]) => compareTexts(a, b))
    .slice(0, MAX_DATES)
}

/** The times that an event in a form will have from now on, in UTC. */
function intervalsIn({ context }: EditorContext, entries: Entries): OccupiedTime[] {
  const times = formTimesIn(entries, context)
  if (!times) return []
  const { start, all_day, timezone } = times
  const from = all_day ? startOfDay(start) : start
  const text = String(endMoment.value(entries, 'end_date', context))
  const wallEnd = /:\d\d:/.test(text) ? text : `${text}:00`
  const durationMs = Math.max(0, msByClock(from, all_day ? endOfDay(wallEnd) : wallEnd)) || 0
  if (durationMs > MAX_SECONDS * 1000) return []
  const scope = scopeIn(entries)
  const repetition = scope === 'this' ? undefined : repetitionIn(entries)
  const starts = plannedStarts(context, repetition, times)
  return starts
    .filter(date => scope !== 'following' || date >= from)
    .map((date): OccupiedTime => {
      const span = spanAt({ start: date, end: laterByClock(date, durationMs), all_day }, timezone)
      return [span.start.utc, span.end.utc]
    })
    .filter(([, until]) => until >= context.clock.now())
    .slice(0, MAX_DATES)
}

const COLUMNS = pick(events, 'id', 'title', 'slug', 'start_date', 'all_day', 'room')

type Occupancy = { id: number | undefined; venues: readonly number[]; intervals: readonly OccupiedTime[] }

/**
 * A query for other events that the caller may read at some venues in some intervals. Indexes find those that
 * start in an interval or up to a day before it: some ten rows for each interval, however many events the
 * venue has had.
 */
function selectClashes(context: BaseContext, { id = 0, venues: ids, intervals }: Occupancy) {
  const nearSql = (start: SQL): SQL =>
    sql`${start} >= datetime(wanted.start, '-1 day') AND ${start} <= wanted.until`
  const listedEvents = sql`SELECT event_id, wanted.start, wanted.until FROM wanted
    CROSS JOIN ${eachOf(ids)} AS place CROSS JOIN ${listings} ON facet = 'venue' AND target_id = place.value
      AND ${nearSql(sql`${listings.utc_start_date}`)}`
  const otherEvents = (
    index: SQL,
    condition: SQL,
  ): SQL => sql`SELECT events.id, wanted.start, wanted.until FROM wanted
    CROSS JOIN ${events} INDEXED BY ${index} ON ${condition} AND ${nearSql(sql`${events.utc_start_date}`)}
    WHERE EXISTS (SELECT 1 FROM ${eventVenues} WHERE event_id = events.id AND target_id IN ${inList(ids)})`
  const sameStartSql = sql`${events.utc_start_date} = found.start`
  return many(
    sql`WITH wanted(start, until) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM ${eachOf(intervals)}),
        own(series, whole) AS MATERIALIZED (SELECT series_id, post_parent FROM ${events} WHERE id = ${id}),
        found(id, start, until) AS MATERIALIZED (${listedEvents}
          UNION ${otherEvents(
            sql`events_unpublished`,
            sql`${events.status} <> 'publish'
            AND ${events.status} IN ('draft', 'pending', 'private', 'future')`,
          )}
          UNION ${otherEvents(sql`events_hidden`, sql`${events.hide_from_listings} = 1`)})
      SELECT ${columnList(COLUMNS)}, (SELECT name FROM ${eventVenues} CROSS JOIN ${venues} ON ${venues.id} = target_id
          WHERE event_id = events.id AND target_id IN ${inList(ids)} LIMIT 1) AS venue
      FROM found CROSS JOIN ${events} ON ${events.id} = found.id
      WHERE ${events.id} <> ${id} AND (${events.utc_start_date} < found.until OR ${sameStartSql})
      AND (${events.utc_end_date} > found.start OR ${sameStartSql})
        AND unixepoch(${events.utc_end_date}) - unixepoch(${events.utc_start_date}) <= ${literal(MAX_SECONDS)}
        AND ${events.status} <> 'trash' AND ${events.event_status} <> 'canceled' AND ${noDuplicateSql}
        AND ${readableSql(events, context)}
        AND ${events.series_id} IS NOT coalesce((SELECT series FROM own), 0)
        AND ${events.id} IS NOT (SELECT whole FROM own) AND ${events.post_parent} IS NOT ${id === 0 ? -1 : id}
      GROUP BY ${events.id} ORDER BY ${events.utc_start_date}, ${events.id} LIMIT ${literal(MAX_FOUND)}`,
    raw => ({ ...decodeRow(COLUMNS, raw), venue: orNull(readText)(raw.venue) ?? '' }),
  )
}

/** An event in the same place at the same time. */
type Clash = RowOfQuery<typeof selectClashes>

type SeriesChange = PlannedChange & { scope: Scope }

type ClashInput = {
  posted: SubmittedForm
  id: number | undefined
  action: string
  /** The request, if it is about several dates of a series. */
  change: SeriesChange | undefined
}

/**
 * The page that names other events in the same hall at the same time, before an event is saved there;
 * undefined if there are none, or the user knows of them. Different rooms of a venue are different halls.
 */
export async function clashQuestion(
  editor: EditorContext,
  { posted, id, action, change }: ClashInput,
): Promise<EditorPage | undefined> {
  const { entries } = posted
  const isMoved =
    id === undefined || changedFields(EVENT_FORM, entries).some(({ name }) => WHERE_AND_WHEN.includes(name))
  const chosenVenues = [venueLinks.value(entries, 'venue', editor.context)].flat()
  const places = chosenVenues.flatMap(venue => (/^\d{1,15}$/.test(String(venue)) ? [Number(venue)] : []))
  if (!isMoved || places.length === 0 || entry(entries, 'event_status') === 'canceled') return undefined
  const intervals = (change && (await readIntervalsOfSeries(editor, change))) ?? intervalsIn(editor, entries)
  if (intervals.length === 0) return undefined
  const foundClashes = await editor.context.db.read(
    selectClashes(editor.context, { id, venues: places, intervals }),
  )
  const room = fold(entry(entries, 'room').trim())
  const parent = entry(entries, 'post_parent')
  const clashes = foundClashes
    .filter(other => String(other.id) !== parent)
    .filter(other => room === '' || other.room === '' || fold(inLine([other.room])) === room)
  const knownClashes = entry(entries, KNOWN_CLASHES_INPUT).split(',')
  if (clashes.every(other => knownClashes.includes(String(other.id)))) return undefined
  return clashPage(editor, clashes, { posted, action })
}

function clashPage(
  editor: EditorContext,
  clashes: readonly Clash[],
  { posted, action }: { posted: SubmittedForm; action: string },
): EditorPage {
  const words = editor.texts.event
  const more = clashes.length - MAX_NAMED
  const ids = clashes.map(({ id }) => id).join()
  const keptEntries = withEntries(entriesToResend(posted), [[KNOWN_CLASHES_INPUT, [ids]]])
  return notePage({
    title: words.clash,
    text: words.clashText,
    body: html`<ul class="clashes">${clashes
      .slice(0, MAX_NAMED)
      .map(
        ({ id, title, slug, start_date, all_day, venue, room }) =>
          html`<li><a href="${editPath(id)}" target="_blank">${nameOf(title, slug)}</a> <span class="small">${[editor.site.dates.moment('day', start_date, all_day), inLine([venue, room])].join(' · ')}</span></li>\n`,
      )}${more > 0 && html`<li>${filled(editor.texts.scope.more, { n: editor.site.dates.number(more) })}</li>`}</ul>
${form(editor, {
  action,
  className: 'stack',
  hasFiles: true,
  body: html`${hiddenInputs(keptEntries)}<div class="actions"><button class="button" type="submit" name="do" value="save">${words.saveAnyway}</button>
<button class="button button-quiet" type="submit" name="do" value="edit">${words.backToForm}</button></div>`,
})}`,
  })
}
