import { eq } from 'drizzle-orm'
import { requireEditableRow } from '../../calendar/content/visibility.ts'
import { EVENTS, eventLink } from '../../calendar/events/resource.ts'
import type { EventRow } from '../../calendar/events/rows.ts'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import { first, type Query } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import { statusAt } from '../../kit/lib/statuses.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { lastExpectedDay, siteTimes } from '../../kit/lib/time.ts'
import { optionName } from '../../site/forms/control.ts'
import { type Html, html } from '../../site/html/html.ts'
import { linkTo } from '../../site/html/page-context.ts'
import { inLine, nameOf } from '../../site/html/text.ts'
import type { EditorContext } from '../context.ts'

/** The path of an event's form and of its action. @param id also the pattern for any id */
export const editPath = (id: number | string = 'new'): string => `/admin/events/${id}/`

/** True if the caller may change an event. */
export const isEditable = ({ context }: EditorContext, row: EventRow): boolean =>
  mayEdit(context.caller, { ...row, status: statusAt(row, context.clock.now()) })

/**
 * When an event is, in one line and in the site's zone: its day and time, or its days. The year is named
 * unless it is the current one.
 */
export function whenText({ site }: EditorContext, row: EventRow): string {
  const times = siteTimes(row, site.context.settings.timezone)
  const { start, firstDay } = times
  const lastDay = lastExpectedDay(times)
  const dayText = (day: string): string => {
    const text = capitalized(site.dates.format('shortDay', day))
    return day.slice(0, 4) === site.today.slice(0, 4) ? text : `${text} ${day.slice(0, 4)}`
  }
  if (lastDay > firstDay) return `${dayText(firstDay)} – ${dayText(lastDay)}`
  return row.all_day ? dayText(firstDay) : `${dayText(firstDay)}, ${site.dates.clock(start)}`
}

export const venuesText = ({ venues }: EventRow): string =>
  venues.map(({ name, city }) => inLine([name, city])).join(' · ')

/**
 * The title of an event, as a link to its form if the caller may change it, and otherwise to its public page,
 * where anybody can tell the editors of a change.
 */
export const linkedTitle = (editor: EditorContext, row: EventRow): Html => {
  const { context, site } = editor
  const title = nameOf(row.title, row.slug)
  const isPublic = site.settings.isOn && statusAt(row, context.clock.now()) === 'publish'
  const href = isEditable(editor, row) ? editPath(row.id) : isPublic && linkTo(site, eventLink(row, context))
  return href ? html`<a href="${href}">${title}</a>` : html`${title}`
}

/** The labels of an event in a list: its status, its cancellation, and one more text. */
export const badgesOf = (
  { language }: Pick<EditorContext, 'language'>,
  { status, event_status }: Pick<EventRow, 'status' | 'event_status'>,
  extraBadge: string | false = false,
): Html =>
  html`${status !== 'publish' && html`<span class="badge">${optionName(language, 'event', 'status', status)}</span>`}
${event_status !== 'scheduled' && html`<span class="badge badge-alert">${optionName(language, 'event', 'event_status', event_status)}</span>`}
${extraBadge && html`<span class="badge badge-quiet">${extraBadge}</span>`}`

export const selectEventById = (context: BaseContext, id: number): Query<EventRow | undefined> =>
  first(EVENTS.select(context, eq(events.id, id)))

/**
 * The event, if the caller may change it.
 *
 * @throws ApiError of 403 and 404, and `rest_payload_too_large` for one that was not read in full
 */
export function requireEditableEvent(context: ContentContext, row: EventRow | undefined): EventRow {
  const storedEvent = requireEditableRow(
    { ...context, ifMatch: undefined, ifNoneMatch: undefined },
    {
      resource: EVENTS,
      row,
    },
  )
  if (storedEvent.isShortened)
    throw new ApiError('rest_payload_too_large', 'This event is too large to be edited in a form.')
  return storedEvent
}
