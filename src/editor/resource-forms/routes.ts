import type { RequestContext } from '../../kit/context.ts'
import type { Capability } from '../../kit/lib/roles.ts'
import type { Body } from '../../site/forms/control.ts'
import { type Entries, entry } from '../../site/forms/entries.ts'
import { draftNotice, form, TOKEN } from '../../site/forms/field-html.ts'
import { entriesFor } from '../../site/forms/form.ts'
import { selectChoices, withStored } from '../../site/forms/load.ts'
import type { FormState } from '../../site/forms/render.ts'
import { type Html, html } from '../../site/html/html.ts'
import type { EditorContext } from '../context.ts'
import { defineEditorPage, type MountEditorPage } from '../pages-and-actions.ts'
import { type FormResource, freshState, handleForm, selectForm } from './resource.ts'

export type StoredForm<K> = FormResource<K> & {
  requires: Capability
}

export type FormPages<K> = StoredForm<K> & {
  /** The initial values of a new resource, which it also has if they are not sent. */
  initial?: (context: RequestContext) => Body
  /** Values of a new resource that are sent even if nobody changes them. */
  suggested?: Body
}

export const newKey = (key: string = crypto.randomUUID()): Entries => new Map([['key', [key]]])

/** The page of a stored resource's form. @param handle handles the form, by default like every other form */
export function storedPage<K>(
  resource: StoredForm<K>,
  handle = (editor: EditorContext, data: FormData, id: number) => handleForm(editor, resource, data, id),
): MountEditorPage {
  const { requires, address, page, inTrash } = resource
  return defineEditorPage({
    path: address(':id{[0-9]+}'),
    requires,
    load: (editor, { id }) => selectForm(editor, resource, id),
    respond: (editor, { loaded }) => {
      const { state, shown } = loaded()
      return inTrash?.(editor, shown.known) ?? page(editor, state, shown)
    },
    handle: (editor, { form: data, id }) => handle(editor, data, id),
  })
}

/** The pages of a resource's form, for a new and for a stored one. */
export function formRoutes<K>(resource: FormPages<K>): MountEditorPage[] {
  const { form, requires, address, initial, suggested, page } = resource
  return [
    defineEditorPage({
      path: address('new'),
      requires,
      load: ({ context }) => selectChoices(context, form),
      respond: (editor, { loaded: choices }) => {
        const initialValues = initial?.(editor.context) ?? {}
        const state = freshState(form, entriesFor(form, initialValues, editor.context), choices, newKey())
        const body = { ...initialValues, ...suggested }
        // The values differ from those of an empty form, so that they are sent.
        const entries = entriesFor(form, body, editor.context)
        return page(editor, { ...state, entries, choices: withStored(choices, body) }, undefined)
      },
      handle: (editor, { form: data }) => handleForm(editor, resource, data),
    }),
    storedPage(resource),
  ]
}

type FieldsForm = {
  action: string
  state: FormState
  body: Html
  /** True if Enter shows a preview, because saving would publish something new. */
  isPreviewed?: boolean
  /** True if the browser keeps what is typed until it is saved. */
  hasDrafts?: boolean
  opensTab?: boolean | undefined
}

/** A form element with fields, and with the button of {@link saveButton} as its first. */
export const fieldsForm = (
  editor: EditorContext,
  { action, state, body, isPreviewed = false, hasDrafts = false, opensTab }: FieldsForm,
): Html =>
  html`${hasDrafts && draftNotice(editor.language, { owner: editor.session.user.id, without: [TOKEN] })}${form(
    editor,
    {
      action,
      className: `editor-form${state.isUnsaved ? ' is-unsaved' : ''}`,
      id: 'editor-form',
      hasFiles: true,
      opensTab,
      // Enter presses the first button of a form.
      body: html`<button class="hidden" type="submit" name="do" value="${isPreviewed ? 'preview' : 'save'}" tabindex="-1"
 aria-hidden="true"${isPreviewed && html` formnovalidate`}>${isPreviewed ? editor.site.words.preview : editor.words.save}</button>
${body}`,
    },
  )}`

export const saveButton = (text: Html | string): Html =>
  html`<button class="button" type="submit" name="do" value="save">${text}</button>`

/**
 * The button that saves something with a status. It has a text for each status, which says what saving does;
 * styles show the text for the status that is chosen in the form.
 *
 * @param stored the stored status; undefined for a new one
 */
export function statusButton(
  { words }: EditorContext,
  { entries, choices }: FormState,
  stored?: string,
): Html {
  const initial = entry(entries, 'status') || (choices.mayPublish ? 'publish' : 'pending')
  const texts = {
    publish: stored === 'publish' ? words.saveChanges : words.publish,
    future: words.schedule,
    draft: words.saveDraft,
    pending: stored === 'pending' ? words.save : words.sendForReview,
    private: words.save,
  }
  return saveButton(
    html`${Object.entries(texts).map(([status, text]) => html`<span data-status="${status}"${status === initial && html` class="is-initial"`}>${text}</span>`)}`,
  )
}
