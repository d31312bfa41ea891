import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { selectEventPage } from '../../calendar/events/queries.ts'
import { first, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { findCreatedByForm, withFormKey } from '../../kit/http/idempotency.ts'
import { oneOf, search } from '../../kit/http/params.ts'
import { parseFields } from '../../kit/http/requested-fields.ts'
import { toHtml } from '../../kit/lib/html.ts'
import { may } from '../../kit/lib/roles.ts'
import { decodeEntities } from '../../kit/lib/text.ts'
import {
  DAY_MS,
  formatInstant,
  laterByClock,
  msByClock,
  toEpoch,
  toWall,
  type Wall,
} from '../../kit/lib/time.ts'
import { blank, entriesOf } from '../../site/forms/entries.ts'
import { formText } from '../../site/forms/field-html.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { LINK_FIELDS, selectLinkedChoices, selectRecentLinked } from '../../site/forms/load.ts'
import { freshRepetition } from '../../site/forms/render.ts'
import { replyValue } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { nameOf } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { pageAt } from '../lists.ts'
import { type Area, defineAction, defineEditorPage, defineRequest } from '../pages-and-actions.ts'
import { deletionQuestion } from '../repetition/scope.ts'
import { type EditorResponse, json } from '../respond.ts'
import { askBeforehandPage, bulkAction, selectConcernedParts, selectDateCountInScope } from './bulk.ts'
import { confirmPartAction, eventForm } from './edit.ts'
import { listAddress, listPage } from './list.ts'
import { badgesOf, editPath, linkedTitle, venuesText, whenText } from './rows.ts'
import { sharePage } from './share.ts'
import { selectAllViewCounts, viewPage } from './views.ts'

const WEEK_MS = 7 * DAY_MS
/**
 * The weeks after which events are usually held again, from the shortest: the next week, four weeks later,
 * the next year.
 */
const WEEKS_BETWEEN = [1, 4, 52]
const WEEKS_IN_YEAR = 365.2425 / 7

/**
 * The next plausible start of a copy, on the weekday of the event: a week or four weeks later if that is
 * still to come, otherwise in as many years as it takes.
 *
 * @param now in the same zone
 */
function nextStart(start: Wall, now: Wall): Wall {
  const after = (weeks: number): Wall => laterByClock(start, weeks * WEEK_MS)
  const soon = WEEKS_BETWEEN.map(after).find(moment => moment > now)
  if (soon) return soon
  const years = Math.floor(msByClock(start, now) / (WEEKS_IN_YEAR * WEEK_MS)) + 1
  const next = after(Math.round(years * WEEKS_IN_YEAR))
  return next > now ? next : after(Math.round((years + 1) * WEEKS_IN_YEAR))
}

/** A title with the year of the copy in place of the year of the event. The address is made from it. */
const titleIn = (title: string, from: Wall, to: Wall): string =>
  title.replaceAll(new RegExp(`(?<!\\d)${from.slice(0, 4)}(?!\\d)`, 'g'), to.slice(0, 4))

/** The values that a copy should have of its own; none if the event has gone. */
async function proposeValues({ context }: EditorContext, id: number) {
  const storedEvent = await context.db.read(
    first(
      build
        .select({ title: events.title, start: events.start_date, timezone: events.timezone })
        .from(events)
        .where(eq(events.id, id)),
    ),
  )
  if (!storedEvent) return {}
  const start_date = nextStart(storedEvent.start, toWall(context.clock.now(), storedEvent.timezone))
  const title = titleIn(storedEvent.title, storedEvent.start, start_date)
  return { start_date, ...(title !== storedEvent.title && { title: decodeEntities(title) }) }
}

const copyResponse = (editor: EditorContext, copyId: unknown): EditorResponse => ({
  to: editPath(Number(copyId)),
  notice: { text: editor.texts.event.duplicated },
})

/** Copies an event, once for each page that asks for it, and opens the copy's form. */
const duplicateAction = defineRequest({
  path: `${editPath(':id{[0-9]+}')}duplicate/`,
  requires: 'edit_content',
  request: async (editor, { id, form }) => {
    const key = formText(form, 'key')
    if (key) {
      const copy = await findCreatedByForm(editor.context, { key, kind: 'event' })
      if (copy !== undefined) return copyResponse(editor, copy)
    }
    const before = key ? withFormKey(editor.context, key) : undefined
    return { method: 'POST', path: `/events/${id}/duplicate`, body: await proposeValues(editor, id), before }
  },
  onDone: (editor, reply) => copyResponse(editor, replyValue(reply, 'id')),
  backPath: editPath,
})

/**
 * The fields of a repetition, updated for the current input: texts based on the start, and the next dates.
 * Scripts request it while somebody types. It reads and writes nothing.
 */
const repetitionAction = defineAction({
  path: '/admin/repetition/',
  requires: 'edit_content',
  handle: (editor, { form }) => ({
    body: freshRepetition(editor, EVENT_FORM, entriesOf(form)),
    type: 'text/html; charset=utf-8',
  }),
})

/** A written text as it would be stored, for the visual editor. It reads and writes nothing. */
const textAction = defineAction({
  path: '/admin/text/',
  requires: 'edit_content',
  handle: async (_, { form }) => ({
    body: toHtml(formText(form, 'text')),
    type: 'text/html; charset=utf-8',
  }),
})

/** The most events on the start page. */
const MAX_SHOWN = 12
/** The number of later events on the start page if the coming week has none. */
const MAX_LATER_SHOWN = 3

const SHOWN_FIELDS = parseFields('id,title,slug,series,venue')

/** The events of the coming week, by day, or the next ones. */
function selectComingCard(editor: EditorContext): Query<Html> {
  const { context, site, texts } = editor
  const words = texts.event
  const page = pageAt(1, MAX_SHOWN)
  const end = formatInstant(toEpoch(context.clock.now()) + 7 * DAY_MS)
  return mapQuery(
    selectEventPage(context, viewPage(context, { view: 'coming', values: {}, page }), SHOWN_FIELDS),
    ({ rows, total }) => {
      const soon = rows.filter(row => row.utc_start_date < end)
      const shownRows = soon.length > 0 ? soon : rows.slice(0, MAX_LATER_SHOWN)
      return html`<h2>${soon.length > 0 || rows.length === 0 ? words.thisWeek : words.next}</h2>
${
  shownRows.length === 0
    ? html`<p class="small">${may(context.caller, 'edit_others_content') ? words.nothingNext : words.nothingNextOwn}</p>`
    : html`<ul class="coming">${shownRows.map(
        row => html`<li class="${row.event_status === 'canceled' && 'is-off'}"><span class="coming-when">${whenText(editor, row)}</span>
<span class="coming-what">${linkedTitle(editor, row)} ${badgesOf(editor, row)}<span class="small">${venuesText(row)}</span></span></li>\n`,
      )}</ul>`
}
${total > shownRows.length && html`<p><a href="/admin/events/">${filled(words.allComing, { n: site.dates.number(total) })}</a></p>`}`
    },
  )
}

/** The unpublished events of the caller, or of everybody. */
function selectUnpublishedCard({ context, texts, site }: EditorContext): Query<Html | ''> {
  const words = texts.event
  const views = [
    ['draft', words.waitingDraft],
    ['future', words.waitingFuture],
    // Editors see pending events in the review instead.
    ...(may(context.caller, 'edit_others_content') ? [] : ([['pending', words.waitingPending]] as const)),
  ] as const
  return mapQuery(selectAllViewCounts(context), counts => {
    const viewsWithEvents = views.filter(([view]) => (counts[view] ?? 0) > 0)
    return viewsWithEvents.length === 0
      ? ''
      : html`<ul class="card-list">${viewsWithEvents.map(([view, text]) => html`<li><a href="${listAddress({ view })}">${filled(text, { n: site.dates.number(counts[view] ?? 0) })}</a></li>`)}</ul>`
  })
}

/** Moves an event to the trash, or the chosen dates of a series. */
const trashAction = defineRequest({
  path: `${editPath(':id{[0-9]+}')}trash/`,
  requires: 'edit_content',
  request: async (editor, { id, form }) => {
    const scope = form.get('scope')
    const deletion = { id, action: `${editPath(id)}trash/`, back: editPath(id) }
    const question = scope === null ? await deletionQuestion(editor, deletion) : undefined
    if (question) return question
    const sharedScope = (['following', 'all'] as const).find(each => each === scope)
    const series = sharedScope && { ids: [id], scope: sharedScope }
    const { db } = editor.context
    const parts = await db.read(selectConcernedParts(editor, [id], 'toTrash', series))
    if (parts.length > 0) {
      const dates = sharedScope ? [`${id}-${await db.read(selectDateCountInScope(id, sharedScope))}`] : []
      const entries = new Map([
        ['id', [String(id)]],
        ['dates', dates],
        ['scope', sharedScope ? [sharedScope] : []],
      ])
      return askBeforehandPage(editor, entries, 'toTrash', { parts: parts.length })
    }
    return { method: 'DELETE', path: `/events/${id}`, body: scope === null ? {} : { scope } }
  },
  onDone: (editor, reply) => {
    const title = nameOf(String(replyValue(reply, 'title')), String(replyValue(reply, 'slug')))
    const text = filled(editor.texts.event.trashed, { title })
    return { to: '/admin/events/', notice: { text } }
  },
  backPath: editPath,
})

const findQuery = z.object({
  field: z.optional(oneOf(LINK_FIELDS, { description: 'The field of the form.' })),
  search: blank(search({ description: 'Words in the name.' })),
})

/**
 * The suggestions for a field that links to other items, while somebody types a name: a list of
 * `{id, name, detail}`. Before anything is typed, they are the venues and organizers of the newest events.
 */
const findPage = defineEditorPage({
  path: '/admin/find/',
  requires: 'edit_content',
  query: findQuery,
  load: ({ context }, { query: { field, search } }) => {
    if (field === undefined) return resolvedQuery([])
    return search === undefined && (field === 'venue' || field === 'organizer')
      ? selectRecentLinked(context, field)
      : selectLinkedChoices(context, field, search ?? '')
  },
  respond: (_, { loaded }) => json(loaded),
})

/** Events: the list, the form, and bulk actions. */
export const eventsArea: Area = {
  routes: [
    listPage,
    bulkAction,
    findPage,
    ...eventForm,
    confirmPartAction,
    duplicateAction,
    trashAction,
    repetitionAction,
    textAction,
    sharePage,
  ],
  menu: [{ path: '/admin/events/', label: texts => texts.pages.events, requires: 'edit_content' }],
  start: [
    { requires: 'edit_content', selectCard: selectComingCard, position: 'coming' },
    { requires: 'edit_content', selectCard: selectUnpublishedCard },
  ],
}
