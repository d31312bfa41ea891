import { together } from '../../db/query.ts'
import { EVENTS } from '../../events/kind.ts'
import { SCOPES } from '../../events/recurrence/fields.ts'
import type { EventRow } from '../../events/rows.ts'
import { keepFormKey, writtenByForm } from '../../http/idempotency.ts'
import { ApiError } from '../../lib/errors.ts'
import { isObject } from '../../lib/values.ts'
import { filled } from '../../lib/words.ts'
import { plain } from '../../site/text.ts'
import type { Admin } from '../admin.ts'
import { form } from '../form.ts'
import { conflictFields, conflictOf } from '../forms/conflict.ts'
import { type Entries, entry, withEntries } from '../forms/entries.ts'
import { errorsOf } from '../forms/errors.ts'
import { EVENT_FORM } from '../forms/forms.ts'
import { loadChoices } from '../forms/load.ts'
import {
  carried,
  changedValues,
  hiddenOf,
  type Posted,
  pendingSearches,
  readPosted,
  withUpload,
} from '../forms/posted.ts'
import { KNOWN } from '../repetition/controls.ts'
import { scopeQuestion } from '../repetition/scope.ts'
import type { Outcome } from '../respond.ts'
import { defineAction } from '../route.ts'
import { ifVersion, isDone, submitOne, type WriteReply } from '../submit.ts'
import { eventWords } from '../words/events.ts'
import { formWords } from '../words/forms.ts'
import { assertEditable, eventById, firstDate, idIn, knownEvent, withFirst, withShown } from './edit.ts'
import { eventFormPage, formPath, NEW_PATH } from './form-page.ts'
import { previewPage } from './preview.ts'
import { editPath } from './rows.ts'

/** Takes the form of a new event. */
export const createAction = defineAction({
  path: NEW_PATH,
  requires: 'edit_content',
  handle: (admin, { form: data }) => take(admin, data, undefined),
})

/** Takes the form of an event. */
export const updateAction = defineAction({
  path: '/admin/events/:id{[0-9]+}/',
  requires: 'edit_content',
  handle: (admin, { form: data, params }) => take(admin, data, idIn(params)),
})

async function take(admin: Admin, data: FormData, id: number | undefined): Promise<Outcome> {
  const words = formWords(admin.language)
  const posted = readPosted(EVENT_FORM, data)
  if (posted.action.startsWith('find:') || posted.action === 'edit') return again(admin, id, posted)
  const uploaded = await withUpload(admin.context, words, data, posted)
  const pending = pendingSearches(EVENT_FORM, words, uploaded)
  const errors = new Map([...uploaded.errors, ...pending])
  if (errors.size > 0) return again(admin, id, { ...uploaded, errors })
  if (posted.action !== 'preview') return save(admin, uploaded, id)
  const previewed = await previewPage(admin, uploaded, id)
  return previewed instanceof ApiError ? again(admin, id, refusedBy(admin, uploaded, previewed)) : previewed
}

const refusedBy = (admin: Admin, posted: Posted, { code, message, data }: ApiError): Posted => ({
  ...posted,
  errors: errorsOf(formWords(admin.language), { code, message, data }),
})

async function save(admin: Admin, posted: Posted, id: number | undefined): Promise<Outcome> {
  const { context } = admin
  const words = eventWords(admin.language)
  const valuesFor = (entries: Entries) => changedValues(context, EVENT_FORM, { entries })
  const scope = SCOPES.find(name => name === entry(posted.entries, 'scope'))
  if (id !== undefined && !scope && posted.entries.has(KNOWN)) {
    const question = await scopeQuestion(admin, {
      id,
      version: posted.version,
      bodyOf: scope => valuesFor(withEntries(posted.entries, [['scope', [scope]]])),
      action: formPath(id),
      carried: carried(posted),
    })
    if (question) return question
  }
  const body = { ...valuesFor(posted.entries), ...(id !== undefined && scope && { scope }) }
  if (id === undefined && posted.key !== '') {
    const earlier = await savedBefore(admin, posted)
    if (earlier) return earlier
    keepFormKey(context, posted.key)
  }
  const reply = await replyTo(() =>
    submitOne(
      admin,
      id === undefined
        ? { method: 'POST', path: '/events', body }
        : { method: 'PATCH', path: `/events/${id}`, body, headers: ifVersion(posted.version) },
    ),
  )
  if (isDone(reply) && isObject(reply.body))
    return {
      to: editPath(Number(reply.body.id)),
      notice: { text: filled(words.saved, { title: plain(String(reply.body.title)) }) },
    }
  // Of two requests with one key, the other one was first.
  if (reply.status === 409)
    return (await savedBefore(admin, posted)) ?? again(admin, id, refused(admin, posted, reply))
  if (reply.status === 412 && id !== undefined) return resolve(admin, posted, { id, isOwn: false })
  return again(admin, id, refused(admin, posted, reply))
}

/** The reply to a write. One that could not be made is told at the form, so that nothing that was typed is lost. */
async function replyTo(write: () => Promise<WriteReply>): Promise<WriteReply> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, data } = error
    return { status: code === 'rest_idempotency_conflict' ? 409 : 400, body: { code, message, data } }
  }
}

const refused = (admin: Admin, posted: Posted, { body }: WriteReply): Posted => ({
  ...posted,
  errors: errorsOf(formWords(admin.language), body),
})

/** The way on if the form of a new event came before, and its event was made; what was typed since is compared with that. */
async function savedBefore(admin: Admin, posted: Posted): Promise<Outcome | undefined> {
  if (posted.key === '') return undefined
  const written = await writtenByForm(admin.context, posted.key)
  const event = written?.find(({ action, kind }) => action === 'create' && kind === 'event')
  return event && resolve(admin, posted, { id: Number(event.id), isOwn: true })
}

/** The form again, with all that was typed, what was found, and what is wrong. */
async function again(admin: Admin, id: number | undefined, posted: Posted): Promise<Outcome> {
  const { context } = admin
  const { entries, errors } = posted
  // What was typed matters more than what could be offered beside it.
  const choices = await context.db.get(loadChoices(context, EVENT_FORM, { entries })).catch(() => ({}))
  const title = plain(entry(entries, 'title')) || eventWords(admin.language).editEvent
  return eventFormPage(
    admin,
    { entries, hidden: hiddenOf(EVENT_FORM, posted), errors, choices },
    id === undefined ? undefined : { id, title },
    true,
  )
}

/** The page on which one chooses between what was typed and what is stored; the way on if that is the same. */
async function resolve(
  admin: Admin,
  posted: Posted,
  { id, isOwn }: { id: number; isOwn: boolean },
): Promise<Outcome> {
  const { context } = admin
  const { entries } = posted
  const found = await context.db.get(
    together({
      row: eventById(context, id),
      first: firstDate(id),
      offered: loadChoices(context, EVENT_FORM, { entries }),
    }),
  )
  const row = assertEditable(context, found.row)
  const shown = EVENTS.serialize(row, context)
  const body = withFirst(shown, found.first)
  const choices = withShown(found.offered, shown)
  const conflict = conflictOf(admin, context, { form: EVENT_FORM, posted: entries, body, choices })
  const { title } = knownEvent(admin, row)
  if (!conflict)
    return {
      to: editPath(id),
      notice: { text: filled(eventWords(admin.language).savedAlready, { title }) },
    }
  return {
    title: formWords(admin.language)[isOwn ? 'conflictNew' : 'conflict'],
    status: 412,
    isNarrow: true,
    main: form(admin, {
      action: formPath(id),
      look: 'stack',
      hasFiles: true,
      body: conflictFields(admin, {
        form: EVENT_FORM,
        conflict,
        choices,
        version: versionOf(row),
        isOwn,
      }),
    }),
  }
}

const versionOf = ({ version }: EventRow): number => version
