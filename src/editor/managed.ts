import * as z from 'zod/mini'
import type { BaseContext, WriteReply, WriteRequest } from '../kit/context.ts'
import { mapQuery, type Query } from '../kit/db/query.ts'
import type { ListSlice, Rows } from '../kit/http/lists.ts'
import type { ManagedRow } from '../kit/http/managed-resource.ts'
import type { Capability } from '../kit/lib/roles.ts'
import type { Body } from '../site/forms/control.ts'
import { type FormState, renderForm } from '../site/forms/render.ts'
import { reasonsOf } from '../site/forms/requests.ts'
import { backLink, type Html, html } from '../site/html/html.ts'
import type { Catalogue } from '../words/words.ts'
import type { EditorContext, Notice } from './context.ts'
import { type EditorPage, section } from './layout.ts'
import { pageLinks, pageNumber } from './lists.ts'
import { type ActionInput, defineRequest, type MountEditorPage } from './pages-and-actions.ts'
import type { ShownResource } from './resource-forms/resource.ts'
import { type FormPages, fieldsForm, saveButton } from './resource-forms/routes.ts'
import type { EditorResponse } from './respond.ts'

// Managed resources: sources, letters and webhooks. Each has a list, a page with its log and its buttons, and
// a page with its settings.

type ManagedTexts = { title: string; lead: string; none: string; add: string }

/** The names of areas of the catalogue that have texts like `T`. */
export type AreaWith<T> = { [K in keyof Catalogue]: Catalogue[K] extends T ? K : never }[keyof Catalogue]

/** The part of what `defineManaged` returns that pages need. */
export type Managed<R extends ManagedRow> = {
  /** The first part of its addresses, here and in the API, and the area of its texts. */
  singular: AreaWith<ManagedTexts>
  requires: Capability
  limit: number
  selectPage: (page: ListSlice, context: BaseContext) => Query<Rows<R>>
  selectById: (id: number, context: BaseContext) => Query<R | undefined>
  requireRow: (row: R | undefined) => R
  serialize: (row: R, context: BaseContext) => Body
}

export type ManagedSettings<R extends ManagedRow> = Pick<
  FormPages<R>,
  'form' | 'initial' | 'suggested' | 'saved' | 'nameField'
> & { nameOf: (row: R) => string }

/** The address of the list, which is also the prefix of the addresses of all pages. */
export const listPath = (singular: string): string => `/admin/${singular}s/`

/** The address of the settings. @param id also `new`, and the pattern for any id */
export const settingsPath = (singular: string, id: number | string): string =>
  id === 'new' ? `${listPath(singular)}new/` : `${listPath(singular)}${id}/settings/`

/** The form of a managed resource: for a new one, and as the settings of a stored one. */
export function managedForm<R extends ManagedRow>(
  { singular, requires, selectById, requireRow, serialize }: Managed<R>,
  { nameOf, ...settings }: ManagedSettings<R>,
): FormPages<R> {
  const path = listPath(singular)
  const address = (id: number | string) => settingsPath(singular, id)
  return {
    ...settings,
    collection: `/${singular}s`,
    requires,
    address,
    onward: id => `${path}${id}/`,
    selectStored: ({ context }, id) =>
      mapQuery(selectById(id, context), row => () => {
        const known = requireRow(row)
        return { known, body: serialize(known, context), version: known.version, title: nameOf(known) }
      }),
    page: (editor, state, shownResource) => {
      const { title, add } = editor.texts[singular]
      return managedSettingsPage(
        editor,
        { form: settings.form, address },
        {
          state,
          shownResource,
          title: add,
          backLink: shownResource
            ? backLink(`${path}${shownResource.id}/`, shownResource.title)
            : backLink(path, title),
        },
      )
    },
  }
}

type SettingsParts<R> = {
  state: FormState
  shownResource: ShownResource<R> | undefined
  title: string
  backLink: Html
  /** Markup above the form. */
  before?: Html | undefined
  /** The label of the button that makes a new one. */
  save?: string
}

export function managedSettingsPage<R>(
  editor: EditorContext,
  { form, address }: Pick<FormPages<R>, 'form' | 'address'>,
  { state, shownResource, title, backLink, before, save = editor.words.save }: SettingsParts<R>,
): EditorPage {
  const parts = renderForm(editor, form, state)
  const heading = shownResource ? editor.words.settings : title
  return {
    title: shownResource ? `${heading}${editor.site.words.colon}${shownResource.title}` : heading,
    isNarrow: true,
    main: html`${backLink}<h1>${heading}</h1>
<div class="stack">${before}
${fieldsForm(editor, {
  action: address(shownResource?.id ?? 'new'),
  state,
  body: html`${parts.head}${parts.main}
<div class="actions">${saveButton(shownResource ? editor.words.save : save)}</div>`,
})}</div>`,
  }
}

type ButtonRequest = Pick<WriteRequest, 'method' | 'body'> & {
  /** The path below the path of the resource. */
  path?: (params: ActionInput['params']) => string
}

/**
 * Makes a function that declares the action of a button on the page of a managed resource, where a
 * refusal is a notice. Its `show` returns the notice after a success, or another response.
 */
export function managedButtons({ singular, requires }: Pick<Managed<ManagedRow>, 'singular' | 'requires'>) {
  const address = (id: number | string) => `${listPath(singular)}${id}/`
  const noticeOn = (id: number, notice: Notice): EditorResponse => ({ to: address(id), notice })
  return (
    part: string,
    { path, ...request }: ButtonRequest,
    show: (editor: EditorContext, reply: WriteReply, id: number) => string | EditorResponse,
  ): MountEditorPage =>
    defineRequest({
      path: `${address(':id{[0-9]+}')}${part}/`,
      requires,
      request: (_, { id, params }) => ({ ...request, path: `/${singular}s/${id}${path?.(params) ?? ''}` }),
      onDone: (editor, reply, { id }) => {
        const shown = show(editor, reply, id)
        return typeof shown === 'string' ? noticeOn(id, { text: shown }) : shown
      },
      backPath: address,
      refused: (editor, reply, { id }) => noticeOn(id, { text: reasonsOf(editor, reply), isWarning: true }),
    })
}

export const stateLabel = (text: string, isBad: boolean): Html =>
  html`<span class="badge${isBad ? ' badge-alert' : ' badge-quiet'}">${text}</span>`

/** The parameters of the page of a managed resource: a page of its log. */
export const logQuery = z.object({ page: pageNumber })

type LogSection<T> = {
  id: string
  title: string
  none: string
  /** The address of the resource's page. */
  address: string
  log: Rows<T>
  page: ListSlice
  item: (row: T) => Html
}

/** The section with the log of a managed resource, newest first. */
export function logSection<T>(
  editor: EditorContext,
  { id, title, none, address, log: { rows, total }, page: { page, perPage }, item }: LogSection<T>,
): Html {
  const addressOfPage = (n: number) => `${address}?page=${n}#${id}`
  return section(
    id,
    title,
    rows.length === 0
      ? html`<p class="small">${none}</p>`
      : html`<ul class="items">${rows.map(item)}</ul>
${pageLinks(editor, { previous: page > 1 && addressOfPage(page - 1), next: page * perPage < total && addressOfPage(page + 1) })}`,
  )
}
