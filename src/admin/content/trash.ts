import { may } from '../../lib/roles.ts'
import { filled } from '../../lib/words.ts'
import { html } from '../../site/html.ts'
import type { Admin } from '../admin.ts'
import { form } from '../form.ts'
import { errorsOf } from '../forms/errors.ts'
import type { AdminPage } from '../layout.ts'
import type { Outcome } from '../respond.ts'
import { type AdminRoute, defineAction, defineAdminPage } from '../route.ts'
import { isDone, submitOne, type WriteReply } from '../submit.ts'
import { contentWords } from '../words/content.ts'
import { formWords } from '../words/forms.ts'
import { eventsLabel } from './list.ts'
import { assertEditable, type Found, idIn, pathOf, type Resource } from './resource.ts'

/** The page of something in the trash, which can only come back or go for good. */
export function inTrash(admin: Admin, resource: Resource, { id, name }: Found): AdminPage {
  const words = contentWords(admin.language)
  const path = pathOf(resource, id)
  return {
    title: name,
    isNarrow: true,
    main: html`<h1>${name}</h1><p class="lead">${words.inTrash}</p>
${form(admin, { action: `${path}restore/`, body: html`<button class="button" type="submit">${words.restore}</button>` })}
${form(admin, {
  action: `${path}delete/`,
  look: 'trash-form',
  body: html`<button class="link-button is-danger" type="submit" aria-describedby="for-good">${words.forGood}</button> <span class="small" id="for-good">${words.forGoodNote}</span>`,
})}`,
  }
}

/** The page that asks whether a term is to be deleted, which happens at once. */
function confirmPage(admin: Admin, resource: Resource, { id, name, events }: Found): AdminPage {
  const words = contentWords(admin.language)
  return {
    title: filled(words.deleteTerm, { name }),
    isNarrow: true,
    main: html`<h1>${filled(words.deleteTerm, { name })}</h1>
<p class="lead">${filled(words.deleteText, { events: eventsLabel(admin, events) })}${resource.name === 'categories' && ` ${words.deleteChildren}`}</p>
${form(admin, {
  action: `${pathOf(resource, id)}delete/`,
  body: html`<div class="actions"><button class="button" type="submit">${words.deleteNow}</button> <a class="button button-quiet" href="${pathOf(resource, id)}">${words.keep}</a></div>`,
})}`,
  }
}

/** The page that says why something was not done. */
function refused(admin: Admin, resource: Resource, id: number, reply: WriteReply): Outcome {
  const words = contentWords(admin.language)
  const reasons = [...errorsOf(formWords(admin.language), reply.body).values()]
  return {
    title: words.refused,
    status: 409,
    isNarrow: true,
    main: html`<h1>${words.refused}</h1><p class="lead">${reasons.join(' ')}</p><p><a class="button" href="${pathOf(resource, id)}">${admin.words.back}</a></p>`,
  }
}

type Words = 'trashed' | 'restored' | 'gone'

/** Makes a request of the API for something, and leads on if that is done. */
async function ask(
  admin: Admin,
  resource: Resource,
  {
    id,
    method,
    query = '',
    body,
    text,
  }: { id: number; method: string; query?: string; body?: object; text: Words },
): Promise<Outcome> {
  const { context, language } = admin
  const found = assertEditable(context, resource, await context.db.get(resource.find(context, id)))
  const reply = await submitOne(admin, { method, path: `/${resource.name}/${id}${query}`, body })
  if (!isDone(reply)) return refused(admin, resource, id, reply)
  const notice = { text: filled(contentWords(language)[text], { name: found.name }) }
  return { to: text === 'restored' ? pathOf(resource, id) : pathOf(resource), notice }
}

/** The routes by which something goes and comes back, as the API allows it. */
export function removalRoutes(resource: Resource): AdminRoute[] {
  const path = `${pathOf(resource)}:id{[0-9]+}/`
  const { requires, hasTrash } = resource
  const remove = defineAction({
    path: `${path}delete/`,
    requires: hasTrash ? requires : 'manage_terms',
    handle: (admin, { params }) =>
      ask(admin, resource, {
        id: idIn(params),
        method: 'DELETE',
        // Only from the trash: otherwise, it would be in use.
        query: hasTrash ? '?force=true' : '',
        text: 'gone',
      }),
  })
  if (!hasTrash)
    return [
      remove,
      defineAdminPage({
        path: `${path}delete/`,
        requires: 'manage_terms',
        load: ({ context }, { params }) => resource.find(context, idIn(params)),
        respond: (admin, { loaded }) =>
          confirmPage(admin, resource, assertEditable(admin.context, resource, loaded)),
      }),
    ]
  return [
    remove,
    defineAction({
      path: `${path}trash/`,
      requires,
      handle: (admin, { params }) =>
        ask(admin, resource, { id: idIn(params), method: 'DELETE', text: 'trashed' }),
    }),
    defineAction({
      path: `${path}restore/`,
      requires,
      handle: (admin, { params }) =>
        ask(admin, resource, {
          id: idIn(params),
          method: 'PATCH',
          body: { status: may(admin.context.caller, 'publish_content') ? 'publish' : 'draft' },
          text: 'restored',
        }),
    }),
  ]
}
