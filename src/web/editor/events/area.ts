import * as z from 'zod/mini'
import { mapped, type Query, settled, together } from '../../../db/query.ts'
import { keepFormKey, writtenByForm } from '../../../http/idempotency.ts'
import { parseFields } from '../../../http/input.ts'
import { pageOf } from '../../../http/lists.ts'
import { oneOf, search } from '../../../http/params.ts'
import { isObject } from '../../../lib/values.ts'
import { selectEventPage } from '../../../resources/events/queries.ts'
import { eventWords, filled, wordsOf } from '../../../words/words.ts'
import { textOf } from '../../forms/element.ts'
import { blank, entriesOf } from '../../forms/entries.ts'
import { EVENT_FORM } from '../../forms/forms.ts'
import { findLinked, LINKED, recentLinked } from '../../forms/load.ts'
import { freshField } from '../../forms/render.ts'
import { FIELDS_PATH } from '../../forms/repetition/control.ts'
import { isDone, submitOne } from '../../forms/requests.ts'
import { type Html, html } from '../../html/html.ts'
import { nameOf } from '../../html/text.ts'
import type { Admin } from '../admin.ts'
import { deletionQuestion } from '../repetition/scope.ts'
import { json, type Outcome, refusedPage } from '../respond.ts'
import { type Area, defineAction, defineAdminPage } from '../route.ts'
import { bulkAction } from './bulk.ts'
import { eventForm } from './edit.ts'
import { addressOf, listPage } from './list.ts'
import { editPath, startText, titleOf } from './rows.ts'
import { countViews, viewPage } from './views.ts'

/**
 * The fields of a repetition, updated for the current input: texts based on the start, and the next dates. For scripts, while
 * somebody types. It reads and writes nothing.
 */
const repetitionAction = defineAction({
  path: `/admin${FIELDS_PATH}`,
  requires: 'edit_content',
  handle: (admin, { form }) => ({
    body: freshField(admin, EVENT_FORM, 'recurrence', entriesOf(form)),
    type: 'text/html; charset=utf-8',
  }),
})

/** The most events on the start page. */
const MOST = 5

const SHOWN = parseFields('id,title')

/** The card of events on the start page: waiting events, the next events, and a button for a new one. */
function startCard(admin: Admin): Query<Html> {
  const { context } = admin
  const words = eventWords(admin.language)
  const page = pageOf({ per_page: MOST }, context)
  return mapped(
    together({
      counts: countViews(context),
      next: selectEventPage(context, viewPage(context, { view: 'coming', values: {}, page }), SHOWN),
    }),
    ({ counts, next: { rows } }) => {
      const waiting = (
        [
          ['pending', words.waitingPending],
          ['draft', words.waitingDraft],
          ['future', words.waitingFuture],
        ] as const
      ).filter(([view]) => (counts[view] ?? 0) > 0)
      return html`<h2>${words.next}</h2>
${
  rows.length === 0
    ? html`<p class="small">${words.nothingNext}</p>`
    : html`<ul class="card-list">${rows.map(row => html`<li>${titleOf(admin, row)} <span class="small">${startText(admin, row)}</span></li>`)}</ul>`
}
<p class="actions"><a class="button" href="/admin/events/new/">${words.newEvent}</a></p>
<h3>${words.waiting}</h3>
${
  waiting.length === 0
    ? html`<p class="small">${words.nothingWaits}</p>`
    : html`<ul class="card-list">${waiting.map(([view, text]) => html`<li><a href="${addressOf({ view })}">${filled(text, { n: admin.site.dates.number(counts[view] ?? 0) })}</a></li>`)}</ul>`
}`
    },
  )
}

/** Copies an event, once for each page that asks for it, and opens the copy's form. */
const duplicateAction = defineAction({
  path: '/admin/events/:id{[0-9]+}/duplicate/',
  requires: 'edit_content',
  handle: async (admin, { id, form }) => {
    const key = textOf(form, 'key')
    const words = eventWords(admin.language)
    const copied = (copy: number): Outcome => ({ to: editPath(copy), notice: { text: words.duplicated } })
    if (key) {
      const written = await writtenByForm(admin.context, key)
      const copy = written?.find(({ action, kind }) => action === 'create' && kind === 'event')
      if (copy) return copied(Number(copy.id))
      keepFormKey(admin.context, key)
    }
    const reply = await submitOne(admin, { method: 'POST', path: `/events/${id}/duplicate` })
    return isDone(reply) && isObject(reply.body)
      ? copied(Number(reply.body.id))
      : refusedPage(admin, reply, editPath(id))
  },
})

/** Moves an event to the trash, or the chosen dates of a series. */
const trashAction = defineAction({
  path: '/admin/events/:id{[0-9]+}/trash/',
  requires: 'edit_content',
  handle: async (admin, { id, form }) => {
    const scope = form.get('scope')
    if (scope === null) {
      const asked = { id, action: `${editPath(id)}trash/`, back: editPath(id) }
      const question = await deletionQuestion(admin, asked)
      if (question) return question
    }
    const body = typeof scope === 'string' ? { scope } : {}
    const reply = await submitOne(admin, { method: 'DELETE', path: `/events/${id}`, body })
    if (!isDone(reply) || !isObject(reply.body)) return refusedPage(admin, reply, editPath(id))
    const title = nameOf(String(reply.body.title), String(reply.body.slug))
    return {
      to: '/admin/events/',
      notice: { text: filled(eventWords(admin.language).trashed, { title }) },
    }
  },
})

const findQuery = z.object({
  field: z.optional(oneOf(LINKED, { description: 'The field of the form.' })),
  search: blank(search({ description: 'Words in the name.' })),
})

/**
 * The suggestions for a field that links to others while somebody types a name: a list of `{id, name, detail}`. Before that, those
 * of the newest events.
 */
const findPage = defineAdminPage({
  path: '/admin/find/',
  requires: 'edit_content',
  query: findQuery,
  load: ({ context }, { query: { field, search } }) => {
    if (field === undefined) return settled([])
    return search === undefined && field !== 'tags'
      ? recentLinked(context, field)
      : findLinked(context, field, search ?? '')
  },
  respond: (_, { loaded }) => json(loaded),
})

/** Events: the list, the form, and bulk actions. */
export const eventsArea: Area = {
  routes: [listPage, bulkAction, findPage, ...eventForm, duplicateAction, trashAction, repetitionAction],
  menu: [
    {
      path: '/admin/events/',
      label: language => wordsOf(language).events,
      requires: 'edit_content',
    },
  ],
  start: [{ requires: 'edit_content', query: startCard }],
}
