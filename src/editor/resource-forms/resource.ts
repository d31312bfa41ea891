import type { BaseContext, WriteReply } from '../../kit/context.ts'
import { isTemporary } from '../../kit/db/failures.ts'
import { combineQueries, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { logCause, replyToError } from '../../kit/http/error-replies.ts'
import { findCreatedByForm, withFormKey } from '../../kit/http/idempotency.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { dayOf, isDateTime } from '../../kit/lib/time.ts'
import { isObject } from '../../kit/lib/values.ts'
import { asError } from '../../kit/work/error-log.ts'
import { bothVersions, conflictFields, conflictOf } from '../../site/forms/conflict.ts'
import type { Body, Choices, FieldResource } from '../../site/forms/control.ts'
import { locate, withPosition } from '../../site/forms/controls/position.ts'
import { type Entries, entry } from '../../site/forms/entries.ts'
import { form as formElement } from '../../site/forms/field-html.ts'
import { entriesFor, type Form, formDigests } from '../../site/forms/form.ts'
import { selectChoices, withSearches, withStored } from '../../site/forms/load.ts'
import {
  changedValues,
  emptyFields,
  entriesToResend,
  hiddenEntriesOf,
  isShownAgain,
  knownErrors,
  programmeEntries,
  readPosted,
  type SubmittedForm,
  uploadImages,
} from '../../site/forms/posted.ts'
import { type FormState, hiddenInputs } from '../../site/forms/render.ts'
import { errorsOf, ifVersion, isDone, submitOne } from '../../site/forms/requests.ts'
import { html } from '../../site/html/html.ts'
import { linkTo } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext, Notice } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import type { EditorResponse, Redirect } from '../respond.ts'
import { freshAddress, withNextLanguage } from '../visit.ts'

/** A stored resource with everything that its form needs. `known` is for the rest of its page. */
type StoredResource<K> = {
  known: K
  body: Body
  version: number
  title: string
  /** The versions of everything that the form shows besides the resource. */
  shown?: string
  /** The options that depend on the resource. */
  choices?: Choices
}

/** The resource that a form's page shows; without `known` it could not be read. */
export type ShownResource<K> = { id: number; title: string; known: K | undefined }

export type FormResource<K> = {
  form: Form<FieldResource>
  /** Its path in the API: `/events`. */
  collection: string
  nameField: string
  /** The address of its form and of the form's action. @param id also `new`, and the pattern for any id */
  address: (id: number | string) => string
  /**
   * A query for the stored resource, for a form as it was submitted if it is shown again. The function that
   * it returns throws ApiError if the caller may not change it.
   */
  selectStored: (editor: EditorContext, id: number, posted?: Entries) => Query<() => StoredResource<K>>
  /** The page of a submitted form. @param shown undefined for a new one */
  page: (editor: EditorContext, state: FormState, shown: ShownResource<K> | undefined) => EditorPage
  /** The page instead of the form for a resource in the trash, which can only be restored. */
  inTrash?: (editor: EditorContext, known: K) => EditorPage | undefined
  /** The page to go to after saving, if it is not the form. */
  onward?: (id: number) => string
  /** The response after saving; undefined for the next page with a notice. */
  saved?: (editor: EditorContext, reply: WriteReply) => EditorResponse | undefined
}

/**
 * The response once all fields of a form are stored. The outcome is `before` if another request had saved the
 * same input, and `unchanged` if nothing in the form differed from what it was made with.
 */
export type SavedForm = Redirect & {
  notice: Notice
  stored: { id: number; outcome: 'saved' | 'before' | 'unchanged' }
}

/** Handles a submitted form: checks it, and saves its changed values. */
export async function handleForm<K>(
  editor: EditorContext,
  resource: FormResource<K>,
  data: FormData,
  id?: number,
): Promise<EditorResponse> {
  const checked = await checkForm(editor, resource, data, { id })
  return 'posted' in checked
    ? saveForm(editor, resource, checked, changedValues(editor.context, resource.form, checked.posted))
    : checked
}

/**
 * The first step: runs a search, uploads images, and looks for errors and for an earlier submission.
 *
 * @param input.errors the errors of inputs that belong to none of the form's fields
 * @returns the form if it can be saved; otherwise the response
 */
export async function checkForm<K>(
  editor: EditorContext,
  resource: FormResource<K>,
  data: FormData,
  { id, errors: otherErrors = new Map() }: { id: number | undefined; errors?: ReadonlyMap<string, string> },
): Promise<FormPost | EditorResponse | SavedForm> {
  const { form } = resource
  const posted = readPosted(data)
  const isAgain = isShownAgain(posted)
  const searchedForm = await withSearches(editor, form, posted)
  const locatedForm = isAgain
    ? searchedForm
    : { ...searchedForm, entries: withPosition(searchedForm.entries) }
  // A chosen file is uploaded before a search as well: browsers don't choose it again.
  const upload = await runOrRefuse(editor.context, () =>
    uploadImages(editor.context, editor.texts, data, locatedForm),
  )
  if ('refusal' in upload) return refusedForm(editor, resource, { posted, id, reply: upload.refusal })
  const uploaded = upload.value
  if (isAgain) return formAgain(editor, resource, { posted: uploaded, id })
  if (posted.action === 'locate')
    return formAgain(editor, resource, { posted: uploaded, id, choices: await locate(editor, uploaded) })
  const errors = new Map([
    ...emptyFields(editor.context, form, { texts: editor.texts, posted: uploaded, isNew: id === undefined }),
    ...knownErrors(form, editor.texts.form, uploaded),
    ...otherErrors,
  ])
  if (errors.size > 0) return formAgain(editor, resource, { posted: { ...uploaded, errors }, id })
  // This comes before any question, so that what an earlier request saved does not count as another event at
  // that time.
  const isNewSubmission = id === undefined && uploaded.action !== 'preview'
  return (
    (isNewSubmission ? await savedBefore(editor, resource, uploaded) : undefined) ?? { posted: uploaded, id }
  )
}

/**
 * A submitted form. `reply` is the API's, if there was a request; `choices` are the rows that were looked up.
 */
type FormPost = {
  posted: SubmittedForm
  id: number | undefined
  reply?: WriteReply
  choices?: Choices
}

/** The second step: saves values of a checked form, or shows a conflict or errors. */
export async function saveForm<K>(
  editor: EditorContext,
  resource: FormResource<K>,
  { posted, id }: FormPost,
  values: Body,
): Promise<EditorResponse | SavedForm> {
  const { context } = editor
  const { collection } = resource
  if (id !== undefined && Object.keys(values).length === 0)
    return savedForm(
      resource,
      { posted, id },
      { id, outcome: 'unchanged' },
      { text: editor.texts.form.unchanged },
    )
  const before = id === undefined && posted.key !== '' ? withFormKey(context, posted.key) : undefined
  // The address of the settings has no id, so theirs is 0.
  const path = id ? `${collection}/${id}` : collection
  const submission = await runOrRefuse(context, () =>
    submitOne(
      editor,
      id === undefined
        ? { method: 'POST', path, body: values }
        : { method: 'PATCH', path, body: values, headers: ifVersion(posted.version) },
      before,
    ),
  )
  const reply = 'refusal' in submission ? submission.refusal : submission.value
  if (isDone(reply) && isObject(reply.body)) {
    const ownResponse = resource.saved?.(editor, reply)
    if (ownResponse) return ownResponse
    // If the settings were saved, the next page may be in another language.
    const isOtherLanguage = resource.form.resource === 'settings' && 'language' in values
    const shownEditor = isOtherLanguage ? await withNextLanguage(editor) : editor
    const notice = savedNotice(shownEditor, resource, { posted, id, changed: values }, reply.body)
    const saved = savedForm(resource, { posted, id }, { id: Number(reply.body.id), outcome: 'saved' }, notice)
    return isOtherLanguage ? { ...saved, undoText: shownEditor.texts.history.undo } : saved
  }
  // Another request with the same key was faster.
  const earlier = reply.status === 409 ? await savedBefore(editor, resource, posted) : undefined
  if (earlier) return earlier
  if (reply.status === 412 && id !== undefined)
    return resolveConflict(editor, resource, { posted, id, isOwn: false })
  // A short outage is an error of the form like any other; the end of the daily limit is not.
  const isDailyLimitReached = isObject(reply.body) && reply.body.code === 'rest_daily_limit_reached'
  const shownReply = reply.status === 503 && !isDailyLimitReached ? { ...reply, status: 422 } : reply
  return refusedForm(editor, resource, { posted, id, reply: shownReply })
}

/**
 * A query for a stored resource with the state of its form before any input. The function that it returns
 * throws as `selectStored` does.
 */
export const selectForm = <K>(
  editor: EditorContext,
  { form, selectStored }: FormResource<K>,
  id: number,
): Query<() => { state: FormState; shown: ShownResource<K> & { known: K } }> =>
  combineQueries(
    { readStored: selectStored(editor, id), choices: selectChoices(editor.context, form, undefined, id) },
    ({ readStored, choices }) =>
      () => {
        const { known, body, version, title, shown, choices: own } = readStored()
        const versions: Entries = new Map([
          ['version', [String(version)]],
          ...(shown ? [['shown', [shown]] as const] : []),
        ])
        const entries = entriesFor(form, body, editor.context)
        const state = freshState(form, entries, { ...withStored(choices, body), ...own }, versions)
        return { state, shown: { id, title, known } }
      },
  )

/**
 * The state of a form before any input.
 * @param ownEntries hidden inputs: the version of a stored resource, or the key of a new one
 */
export const freshState = (
  form: Form,
  entries: Entries,
  choices: Choices,
  ownEntries: Entries,
): FormState => ({
  entries,
  hidden: new Map([...formDigests(form, entries), ...ownEntries]),
  errors: new Map(),
  choices,
})

/** The notice after saving. @param body the response of the API */
function savedNotice<K>(
  { context, site, texts }: EditorContext,
  { form, nameField }: FormResource<K>,
  { posted, id, changed }: FormPost & { changed: Body },
  body: Readonly<Record<string, unknown>>,
) {
  const words = texts.form
  const { url, start_date, end_date, utc_end_date, date, date_utc, series, [nameField]: name } = body
  // The field `status` of a source is the status that its events get.
  const hasStatus = form.fields.some(field => field.name === 'status' && field.group === 'publication')
  const status = hasStatus && body.status
  const isNewInPublic = id === undefined && status === 'publish' && typeof url === 'string'
  const hasNewDate = 'start_date' in changed || 'end_date' in changed
  // For a time that clocks skip, the API takes the hour that follows.
  const start = String(start_date)
  const sentStart = `${changed.start_date}:00`
  const isStartSkipped = isDateTime(sentStart) && sentStart.startsWith(dayOf(start)) && sentStart !== start
  const saved = filled(words.saved, { title: plain(String(name ?? '')) })
  const sentences = [
    posted.isEndMoved && filled(words.endMoved, { end: site.dates.moment('date', String(end_date)) }),
    isStartSkipped && filled(words.startSkipped, { start: site.dates.moment('date', start) }),
    status === 'draft' && words.savedDraft,
    status === 'pending' && words.savedPending,
    status === 'publish' && id !== undefined && 'status' in changed && words.savedPublic,
    status === 'future' && filled(texts.publish.planned, { when: site.dates.moment('date', String(date)) }),
    status === 'future' && !series && String(utc_end_date) < String(date_utc) && texts.publish.overByThen,
    hasNewDate && String(utc_end_date) < context.clock.now() && words.savedPast,
  ].filter(Boolean)
  const isSentence = sentences.length === 0 || /[.!?…]$/.test(saved)
  return {
    text: [isSentence ? saved : `${saved}.`, ...sentences].join(' '),
    ...(isNewInPublic && {
      link: { href: freshAddress(linkTo(site, url)), text: texts.event.view },
    }),
  }
}

/** The next page with a notice, once all input is stored. */
function savedForm<K>(
  { address, onward = address }: FormResource<K>,
  { posted, id }: FormPost,
  stored: SavedForm['stored'],
  notice: Notice,
): SavedForm {
  // The name of the draft that the browser keeps of the form (`assets/drafts.browser.ts`).
  const saved =
    id === undefined && posted.key !== '' ? `${address('new')}#${posted.key}` : address(id ?? 'new')
  return { to: onward(stored.id), notice: { ...notice, saved }, stored }
}

/** The result of some work, or the API's reply to the error that it threw. */
type Attempt<T> = { value: T } | { refusal: WriteReply }

/** Turns an error into a refusal, which the form shows, so that no input is lost. */
export async function runOrRefuse<T>(
  { requestId }: BaseContext,
  work: () => Promise<T>,
): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { refusal: replyToError(error, requestId) }
  }
}

export const refusedForm = <K>(
  editor: EditorContext,
  resource: FormResource<K>,
  { posted, id, reply }: FormPost & { reply: WriteReply },
): Promise<EditorResponse> =>
  formAgain(editor, resource, {
    posted: { ...posted, errors: errorsOf(editor.texts, reply.body) },
    id,
    reply,
  })

/**
 * The next page if an earlier submission of the same form has made the resource. Input that has changed since
 * is compared with it.
 */
async function savedBefore<K>(
  editor: EditorContext,
  resource: FormResource<K>,
  posted: SubmittedForm,
): Promise<EditorResponse | SavedForm | undefined> {
  if (posted.key === '') return undefined
  const id = await findCreatedByForm(editor.context, { key: posted.key, kind: resource.form.resource })
  return id === undefined ? undefined : resolveConflict(editor, resource, { posted, id, isOwn: true })
}

/** The form again, with the input, the search results and the errors. */
async function formAgain<K>(
  editor: EditorContext,
  resource: FormResource<K>,
  { posted, id, reply, choices: lookedUp }: FormPost,
): Promise<EditorResponse> {
  const { context } = editor
  const { form, nameField } = resource
  const { entries, errors } = posted
  // The input is shown even if the rest of the page can't be read.
  const { stored, choices = {} } = await context.db
    .read(
      combineQueries({
        stored: id === undefined ? resolvedQuery(undefined) : resource.selectStored(editor, id, entries),
        choices: selectChoices(context, form, entries, id),
      }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof ApiError || isTemporary(error))) throw error
      logCause(context.requestId, asError(error))
      return { stored: undefined, choices: undefined }
    })
  const knownResource = stored && ifAllowed(stored)
  const state = {
    entries,
    hidden: hiddenEntriesOf(posted),
    errors,
    choices: {
      ...(knownResource ? { ...withStored(choices, knownResource.body), ...knownResource.choices } : choices),
      ...lookedUp,
    },
    isUnsaved: true,
  }
  const title = knownResource?.title || entry(entries, nameField) || editor.texts.form.nameless
  const page = resource.page(
    editor,
    state,
    id === undefined ? undefined : { id, title, known: knownResource?.known },
  )
  const { status, headers } = reply ?? {}
  if (status === 403 || status === 404) return { ...page, status }
  if (status === 503) return { ...page, status, retryAfter: headers?.['Retry-After'] }
  return errors.size > 0 ? { ...page, status: 422 } : page
}

/** The stored resource; undefined if the caller may no longer change it. */
function ifAllowed<T>(stored: () => T): T | undefined {
  try {
    return stored()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The page with the input and what is stored; the next page if both are the same. */
async function resolveConflict<K>(
  editor: EditorContext,
  resource: FormResource<K>,
  { posted, id, isOwn }: { posted: SubmittedForm; id: number; isOwn: boolean },
): Promise<EditorResponse | SavedForm> {
  const { context, texts } = editor
  const { form } = resource
  const { entries } = posted
  const address = resource.address(id)
  const { stored, offered } = await context.db.read(
    combineQueries({
      stored: resource.selectStored(editor, id),
      offered: selectChoices(context, form, entries, id),
    }),
  )
  const { body, version, title, known } = stored()
  const choices = withStored(offered, body)
  const conflict = conflictOf(editor, context, { form, posted: entries, body, choices })
  const words = texts.form
  if (!conflict)
    return savedForm(
      resource,
      { posted, id: isOwn ? undefined : id },
      { id, outcome: 'before' },
      { text: filled(words.savedAlready, { title }) },
    )
  if (resource.inTrash?.(editor, known))
    return {
      title: words.conflictTrashed,
      status: 412,
      isNarrow: true,
      // The form has the version that it was made from, so nothing is saved before somebody has restored the
      // resource.
      main: html`<h1>${words.conflictTrashed}</h1><p class="lead">${words.conflictTrashedText}</p>
<p><a href="${address}" target="_blank">${title}</a></p>
${formElement(editor, {
  action: address,
  className: 'stack',
  hasFiles: true,
  body: html`${hiddenInputs(entriesToResend(posted))}${bothVersions(editor, conflict)}
<div class="actions"><button class="button" type="submit" name="do" value="save">${words.keepMine}</button>
<a class="button button-quiet" href="${address}" data-gives-up>${words.takeTheirs}</a>
<button class="button button-quiet" type="submit" name="do" value="edit">${texts.event.backToForm}</button></div>`,
})}`,
    }
  return {
    title: isOwn ? words.conflictNew : words.conflict,
    status: 412,
    isNarrow: true,
    main: formElement(editor, {
      action: address,
      className: 'stack',
      hasFiles: true,
      body: html`${hiddenInputs(programmeEntries(entries))}${conflictFields(editor, conflict, { version, isOwn, address })}`,
    }),
  }
}
