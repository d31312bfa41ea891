import * as z from 'zod/mini'
import type { RequestContext } from '../../context.ts'
import { mapped, type Query } from '../../db/query.ts'
import type { Page, Rows } from '../../http/lists.ts'
import type { Capability } from '../../lib/roles.ts'
import { filled } from '../../words/words.ts'
import type { Body } from '../forms/control.ts'
import { buttonForm } from '../forms/element.ts'
import { type FormState, renderForm } from '../forms/render.ts'
import type { WriteReply } from '../forms/requests.ts'
import { backLink, type Html, html } from '../html/html.ts'
import { section } from './account/parts.ts'
import type { Admin } from './admin.ts'
import { buttonsOf } from './buttons.ts'
import type { ShownResource } from './forms/resource.ts'
import { type FormPages, fieldsForm, saveButton } from './forms/routes.ts'
import type { AdminPage } from './layout.ts'
import { pageNumber, pages } from './lists.ts'
import type { Outcome } from './respond.ts'
import type { AdminRoute } from './route.ts'

// Sources, letters and webhooks: each has a list, a page with what it did and its buttons, and a page with its settings.

type ServiceRow = { id: number; version: number }

type Service<R extends ServiceRow> = Pick<
  FormPages<R>,
  'form' | 'initial' | 'suggested' | 'saved' | 'nameField'
> & {
  /** The first part of its addresses, here and in the API. */
  singular: 'source' | 'letter' | 'webhook'
  requires: Capability
  byId: (id: number) => Query<R | undefined>
  assert: (row: R | undefined) => R
  /** The row as a response of the API. */
  bodyOf: (row: R, context: RequestContext) => Body
  nameOf: (row: R) => string
  words: (language: string) => { title: string; add: string }
}

/** The address of the list, and the prefix of those of all pages. */
const listPath = (singular: string): string => `/admin/${singular}s/`

/** The address of the settings. @param id also `new`, and the pattern for any id */
export const settingsPath = (singular: string, id: number | string): string =>
  id === 'new' ? `${listPath(singular)}new/` : `${listPath(singular)}${id}/settings/`

/** The form of a service: for a new one, and as the settings of a stored one. */
export function serviceForm<R extends ServiceRow>(service: Service<R>): FormPages<R> {
  const { singular, requires, byId, assert, bodyOf, nameOf, words, ...given } = service
  const page = listPath(singular)
  const address = (id: number | string) => settingsPath(singular, id)
  return {
    ...given,
    collection: `/${singular}s`,
    requires,
    address,
    onward: id => `${page}${id}/`,
    stored: ({ context }, id) =>
      mapped(byId(id), row => () => {
        const known = assert(row)
        return { known, body: bodyOf(known, context), version: known.version, title: nameOf(known) }
      }),
    page: (admin, state, shown) => {
      const { title, add } = words(admin.language)
      return serviceSettings(
        admin,
        { form: service.form, address },
        {
          ...{ state, shown, title: add },
          back: shown ? backLink(`${page}${shown.id}/`, shown.title) : backLink(page, title),
        },
      )
    },
  }
}

type SettingsParts<R> = {
  state: FormState
  shown: ShownResource<R> | undefined
  /** The title of the page of a new one. */
  title: string
  back: Html
  /** Markup above the form. */
  before?: Html | undefined
  /** The label of the button that makes a new one. */
  save?: string
}

/** The page with the settings of a service. */
export function serviceSettings<R>(
  admin: Admin,
  { form, address }: Pick<FormPages<R>, 'form' | 'address'>,
  { state, shown, title, back, before, save = title }: SettingsParts<R>,
): AdminPage {
  const parts = renderForm(admin, form, state)
  const heading = shown ? admin.words.settings : title
  return {
    title: shown ? `${heading}: ${shown.title}` : heading,
    isNarrow: true,
    main: html`${back}<h1>${heading}</h1>
<div class="stack">${before}
${fieldsForm(admin, {
  action: address(shown?.id ?? 'new'),
  state,
  body: html`${parts.head}${parts.main}
<div class="actions">${saveButton(shown ? admin.words.save : save)}</div>`,
})}</div>`,
  }
}

type ServiceList = { title: string; lead: string; none: string; add: string; items: readonly Html[] }

/** The list of all services of a kind. */
export const serviceList = (singular: string, { title, lead, none, add, items }: ServiceList): AdminPage => ({
  title,
  isNarrow: true,
  main: html`<div class="page-head"><h1>${title}</h1><a class="button" href="${settingsPath(singular, 'new')}">${add}</a></div>
<p class="lead">${lead}</p>
${items.length > 0 ? html`<ul class="items card">${items}</ul>` : html`<p class="empty">${none}</p>`}`,
})

/** A label with the state of something. */
export const stateLabel = (text: string, isBad: boolean): Html =>
  html`<span class="badge${isBad ? ' badge-alert' : ' badge-quiet'}">${text}</span>`

type ServiceButton = { title: string; text: string; button?: string; look?: string }

/** A section with one button. @param address of the service's page @param part the last part of the action's path */
export const buttonSection = (
  admin: Admin,
  address: string,
  part: string,
  { title, text, button = title, look = 'button-quiet' }: ServiceButton,
): Html =>
  section(
    part,
    title,
    html`<p>${text}</p>${buttonForm(admin, { action: `${address}${part}/`, text: button, look: `button ${look}` })}`,
  )

/** The parameters of the page of a service: the page of what it did. */
export const doneQuery = z.object({ page: pageNumber })

/** A page of what a service did. */
export const donePage = (page: number, perPage: number): Page => ({
  page,
  perPage,
  offset: (page - 1) * perPage,
})

type DoneSection<T> = {
  id: string
  title: string
  none: string
  /** The address of the service's page. */
  address: string
  done: Rows<T>
  page: Page
  item: (row: T) => Html
}

/** The section with what a service did, the newest first. */
export function doneSection<T>(
  admin: Admin,
  { id, title, none, address, done: { rows, total }, page: { page, perPage }, item }: DoneSection<T>,
): Html {
  const at = (number: number) => `${address}?page=${number}#${id}`
  return section(
    id,
    title,
    rows.length === 0
      ? html`<p class="small">${none}</p>`
      : html`<ul class="items">${rows.map(item)}</ul>
${pages(admin, { previous: page > 1 && at(page - 1), next: page * perPage < total && at(page + 1) })}`,
  )
}

type Try = {
  name: string
  facts: readonly (string | number | false | null)[]
  state: Html
  more?: Html | false | ''
}

/** An item of that list. */
export const tryItem = ({ name, facts, state, more }: Try): Html => html`<li class="delivery">
<div><strong>${name}</strong> <span class="small">${facts.filter(Boolean).join(' · ')}</span></div>
${state}
${more}</li>\n`

/** The button that repeats a try. @param texts those of the service */
export const retryButton = (
  admin: Admin,
  action: string,
  texts: { retry: string; retryNamed: string; name: string },
): Html =>
  buttonForm(admin, {
    action,
    text: texts.retry,
    label: filled<string>(texts.retryNamed, { name: texts.name }),
  })

type SendingPlace = {
  singular: 'letter' | 'webhook'
  requires: Capability
  words: (language: string) => { wasPaused: string; resumed: string; removed: string }
  /** The notice about what was sent: a test, or a message once more. */
  sentText: (admin: Admin, reply: WriteReply, done: 'tested' | 'retried') => string
}

/** The actions of something that sends messages: a test, another try, a pause and its end, and the removal. */
export function sendingButtons({ singular, requires, words, sentText }: SendingPlace): AdminRoute[] {
  const page = listPath(singular)
  const button = buttonsOf({ page, routes: `/${singular}s`, requires })
  const sent =
    (done: 'tested' | 'retried') =>
    (admin: Admin, reply: WriteReply, id: number): Outcome => ({
      to: `${page}${id}/#deliveries`,
      notice: { text: sentText(admin, reply, done) },
    })
  const switched =
    (word: 'wasPaused' | 'resumed') =>
    ({ language }: Admin, _: WriteReply, id: number): Outcome => ({
      to: `${page}${id}/`,
      notice: { text: words(language)[word] },
    })
  return [
    button('test', { method: 'POST', path: () => '/test' }, sent('tested')),
    button(
      'deliveries/:delivery{[0-9]+}/retry',
      { method: 'POST', path: ({ delivery }) => `/deliveries/${delivery}/retry` },
      sent('retried'),
    ),
    button('pause', { method: 'PATCH', body: { active: false } }, switched('wasPaused')),
    button('resume', { method: 'PATCH', body: { active: true } }, switched('resumed')),
    button('delete', { method: 'DELETE' }, ({ language }) => ({
      to: page,
      notice: { text: words(language).removed },
    })),
  ]
}
