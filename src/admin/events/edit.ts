import { eq, sql } from 'drizzle-orm'
import { editable } from '../../content/single.ts'
import type { RequestContext } from '../../context.ts'
import { first, firstOf, type Query, together } from '../../db/query.ts'
import { events, series } from '../../db/schema.ts'
import { EVENTS } from '../../events/kind.ts'
import type { EventRow } from '../../events/rows.ts'
import type { EventResponse } from '../../events/schema.ts'
import { ApiError } from '../../lib/errors.ts'
import { html } from '../../site/html.ts'
import { linkTo } from '../../site/site.ts'
import { nameOf } from '../../site/text.ts'
import type { Admin } from '../admin.ts'
import { idIn } from '../content/resource.ts'
import { form } from '../form.ts'
import type { Choices, OfferedImage } from '../forms/choices.ts'
import type { Body } from '../forms/control.ts'
import { linkedIn } from '../forms/controls/links.ts'
import { entriesFor, wasEntries } from '../forms/form.ts'
import { EVENT_FORM } from '../forms/forms.ts'
import { LINKED, loadChoices, offeredImage } from '../forms/load.ts'
import type { AdminPage } from '../layout.ts'
import { noteView } from '../review/note.ts'
import { selectReviewNotes } from '../review/notes.ts'
import { defineAdminPage } from '../route.ts'
import { originNote, selectTwins, twinNotes } from '../sources/origin.ts'
import { eventWords } from '../words/events.ts'
import { eventFormPage, type KnownEvent, NEW_PATH } from './form-page.ts'
import { badgesOf } from './rows.ts'

/** The form of a new event. */
export const newPage = defineAdminPage({
  path: NEW_PATH,
  requires: 'edit_content',
  load: ({ context }) => loadChoices(context, EVENT_FORM, { entries: new Map(), chosen: {} }),
  respond: (admin, { loaded: choices }) => {
    const { context } = admin
    const entries = entriesFor(EVENT_FORM, { timezone: context.settings.timezone }, context)
    const hidden = new Map([...wasEntries(EVENT_FORM, entries), ['key', [crypto.randomUUID()]]])
    return eventFormPage(admin, { entries, hidden, errors: new Map(), choices })
  },
})

/** A query of an event with its relations. */
export const eventById = (context: RequestContext, id: number): Query<EventRow | undefined> =>
  firstOf(EVENTS.select(context, eq(events.id, id)))

/**
 * The event, if the caller may change it here.
 *
 * @throws ApiError of 403 and 404, and `rest_payload_too_large` for one that is not read as a whole
 */
export function assertEditableEvent(context: RequestContext, row: EventRow | undefined): EventRow {
  const { ifMatch: _, ifNoneMatch: __, ...rest } = context
  const stored = editable({ ...rest, ifMatch: undefined, ifNoneMatch: undefined }, { kind: EVENTS, row })
  if (stored.isShortened)
    throw new ApiError('rest_payload_too_large', 'This event is too large to be edited in a form.')
  return stored
}

/** A query of the first date of the series of an event, by its rule. */
export const seriesStart = (id: number): Query<string | undefined> =>
  first(
    sql`SELECT ${series.start_date} AS start_date FROM ${events} CROSS JOIN ${series}
      ON ${series.id} = ${events.series_id} WHERE ${events.id} = ${id}`,
    row => String(row.start_date),
  )

/** What a form needs of an event: what responses show, the event that it belongs to, and the first date of its series. */
export const formBody = (
  body: EventResponse,
  { post_parent }: EventRow,
  first_date: string | undefined,
): Body => ({ ...body, post_parent, ...(body.series && { series: { ...body.series, first_date } }) })

/** The form of an event that is stored. */
export const editPage = defineAdminPage({
  path: '/admin/events/:id{[0-9]+}/',
  requires: 'edit_content',
  load: ({ context }, { params }) =>
    together({
      row: eventById(context, idIn(params)),
      first: seriesStart(idIn(params)),
      notes: selectReviewNotes(context, sql`SELECT ${idIn(params)}`),
      twins: selectTwins(idIn(params)),
      choices: loadChoices(context, EVENT_FORM, { entries: new Map(), chosen: {} }),
    }),
  respond: (admin, { loaded: { row: found, first: firstStart, notes, twins, choices } }) => {
    const { context } = admin
    const row = assertEditableEvent(context, found)
    if (row.status === 'trash') return inTrash(admin, row)
    const body = EVENTS.serialize(row, context)
    const entries = entriesFor(EVENT_FORM, formBody(body, row, firstStart), context)
    const hidden = new Map([...wasEntries(EVENT_FORM, entries), ['version', [String(row.version)]]])
    const state = { entries, hidden, errors: new Map(), choices: withShown(choices, body) }
    const [note] = notes
    return eventFormPage(admin, state, {
      ...knownEvent(admin, row),
      origin: html`${originNote(admin, row)}${twinNotes(admin, row.id, twins)}`,
      ...(note && { note: noteView(admin, note) }),
    })
  },
})

/** What forms offer, with what an event shows of what it has. */
export function withShown(choices: Choices, body: EventResponse): Choices {
  const { images } = choices
  const chosen = Object.fromEntries(
    LINKED.map(name => [name, [...linkedIn(body, name), ...(choices.chosen?.[name] ?? [])]]),
  )
  const shown = imageIn(body)
  return {
    ...choices,
    chosen,
    ...(images && { images: { ...images, chosen: images.chosen ?? shown } }),
  }
}

function imageIn({ image }: EventResponse): OfferedImage | undefined {
  return image === false ? undefined : offeredImage(image)
}

/** What the page of the form says of an event beside its fields. */
export function knownEvent(admin: Admin, row: EventRow): KnownEvent {
  const { url } = EVENTS.serialize(row, admin.context)
  return {
    id: row.id,
    title: nameOf(row.title, row.slug),
    badges: badgesOf(admin, row, eventWords(admin.language).repeats),
    origin: originNote(admin, row),
    ...(row.status === 'publish' && { url: linkTo(admin.site, url) }),
  }
}

/** The page of an event in the trash, which can only come back. */
function inTrash(admin: Admin, row: EventRow): AdminPage {
  const words = eventWords(admin.language)
  return {
    title: nameOf(row.title, row.slug),
    isNarrow: true,
    main: html`<h1>${nameOf(row.title, row.slug)}</h1><p class="lead">${words.inTrash}</p>
${form(admin, {
  action: '/admin/events/bulk/',
  body: html`<input type="hidden" name="id" value="${row.id}"><button class="button" type="submit" name="do" value="restore">${words.restore}</button>`,
})}`,
  }
}
