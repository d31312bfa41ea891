import * as z from 'zod/mini'
import { settled } from '../../../db/query.ts'
import { keepFormKey, writtenByForm } from '../../../http/idempotency.ts'
import { oneOf, search } from '../../../http/params.ts'
import { isObject } from '../../../lib/values.ts'
import { eventWords, filled, wordsOf } from '../../../words/words.ts'
import { textOf } from '../../forms/form-body.ts'
import { findLinked, LINKED } from '../../forms/load.ts'
import { isDone, submitOne } from '../../forms/requests.ts'
import { nameOf } from '../../html/text.ts'
import type { Area } from '../area.ts'
import { refusedPage } from '../notice.ts'
import { deletionQuestion } from '../repetition/scope.ts'
import { json, type Outcome } from '../respond.ts'
import { defineAction, defineAdminPage } from '../route.ts'
import { bulkAction } from './bulk.ts'
import { eventForm } from './edit.ts'
import { listPage } from './list.ts'
import { editPath } from './rows.ts'
import { startCard } from './start.ts'

/** Makes a copy of an event, once for each page that asks for it, and leads to its form. */
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

/** Moves an event to the trash; of a series, the dates that were chosen. */
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
  search: z.optional(search({ description: 'Words in the name.' })),
})

/** What a field of a form can be linked to, as one types its name: a list of `{id, name, detail}`. */
const findPage = defineAdminPage({
  path: '/admin/find/',
  requires: 'edit_content',
  query: findQuery,
  load: ({ context }, { query: { field, search = '' } }) =>
    field ? findLinked(context, field, search) : settled([]),
  respond: (_, { loaded }) => json(loaded),
})

/** Events: their list, their form, and what is done with several of them. */
export const eventsArea: Area = {
  routes: [listPage, bulkAction, findPage, ...eventForm, duplicateAction, trashAction],
  menu: [
    {
      path: '/admin/events/',
      label: language => wordsOf(language).events,
      requires: 'edit_content',
    },
  ],
  start: [{ requires: 'edit_content', query: startCard }],
}
