import type { RequestContext, WriteRequest } from '../../../context.ts'
import { may } from '../../../lib/roles.ts'
import type { Status } from '../../../lib/statuses.ts'
import { contentWords, filled, trashWords } from '../../../words/words.ts'
import { buttonForm, form, textOf } from '../../forms/element.ts'
import { ask, ifVersion, isDone, valueIn } from '../../forms/requests.ts'
import { type Html, html } from '../../html/html.ts'
import { plain } from '../../html/text.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { refusedPage } from '../respond.ts'
import { type AdminRoute, defineAction, defineAdminPage } from '../route.ts'
import { selectWays, TRASHED_KINDS } from '../trash/queries.ts'
import { eventsLabel } from './list.ts'
import { assertEditable, type EditedResource, type LoadedContent, nameFieldOf, pathOf } from './resources.ts'

/** A hidden input with the version on which a button's page is based. */
const versionInput = (version: number): Html => html`<input type="hidden" name="version" value="${version}">`

/** The page of a venue or organizer in the trash, which can only be restored or deleted for good. */
export function inTrash(
  admin: Admin,
  resource: EditedResource,
  { id, name, version }: LoadedContent,
): AdminPage {
  const words = contentWords(admin.language)
  const path = pathOf(resource, id)
  return {
    title: name,
    isNarrow: true,
    main: html`<h1>${name}</h1><p class="lead">${words.inTrash}</p>
${buttonForm(admin, { action: `${path}restore/`, text: admin.words.restore, look: 'button', hidden: versionInput(version) })}
${form(admin, {
  action: `${path}delete/`,
  look: 'trash-form',
  body: html`${versionInput(version)}<button class="link-button is-danger" type="submit" aria-describedby="for-good">${admin.words.forGood}</button> <span class="small" id="for-good">${trashWords(admin.language).sureText}</span>`,
})}`,
  }
}

/** The page that asks whether to delete a term, which cannot be undone. */
function confirmPage(
  admin: Admin,
  resource: EditedResource,
  { id, name, events, version }: LoadedContent,
): AdminPage {
  const words = contentWords(admin.language)
  return {
    title: filled(admin.words.deleteTitle, { name }),
    isNarrow: true,
    main: html`<h1>${filled(admin.words.deleteTitle, { name })}</h1>
<p class="lead">${filled(words.deleteText, { events: eventsLabel(admin, events) })}${resource.name === 'categories' && ` ${words.deleteChildren}`}</p>
${form(admin, {
  action: `${pathOf(resource, id)}delete/`,
  body: html`${versionInput(version)}<div class="actions"><button class="button" type="submit">${admin.words.delete}</button> <a class="button button-quiet" href="${pathOf(resource, id)}">${admin.words.keep}</a></div>`,
})}`,
  }
}

type RemovalRequest = Pick<WriteRequest, 'method' | 'body'> & {
  query?: string
  said: 'trashed' | 'restored' | 'gone'
}

/** An action with one button: a request of the API, and where it leads. @param part the last part of its path */
const button = (
  resource: EditedResource,
  part: string,
  request: (admin: Admin, id: number) => RemovalRequest | Promise<RemovalRequest>,
): AdminRoute =>
  defineAction({
    path: `${pathOf(resource)}:id{[0-9]+}/${part}/`,
    requires: resource.hasTrash ? resource.requires : 'manage_terms',
    handle: async (admin, { id, form: posted }) => {
      const version = textOf(posted, 'version')
      const { query = '', said, ...asked } = await request(admin, id)
      const reply = await ask(admin, {
        ...asked,
        path: `/${resource.name}/${id}${query}`,
        ...(version && { headers: ifVersion(version) }),
      })
      if (!isDone(reply)) return refusedPage(admin, reply, pathOf(resource, id))
      const name = plain(String(valueIn(reply, nameFieldOf(resource))))
      const words = { ...contentWords(admin.language), gone: admin.words.deleted }
      const text = filled(words[said], { name })
      return { to: said === 'restored' ? pathOf(resource, id) : pathOf(resource), notice: { text } }
    },
  })

/** The status before the move to the trash. A page that shows only its name must not make anything else public. */
async function statusBefore(
  context: RequestContext,
  { singular }: EditedResource,
  id: number,
): Promise<Status> {
  const kind = TRASHED_KINDS.find(name => name === singular)
  if (!kind || !may(context.caller, 'publish_content')) return 'draft'
  const thing = { kind, id, series_id: null }
  const wayOf = await context.db.get(selectWays(context, [thing]))
  return wayOf(thing)?.status ?? 'draft'
}

/** The routes that move to the trash, restore and delete, as far as the API offers them. */
export const removalRoutes = (resource: EditedResource): AdminRoute[] =>
  resource.hasTrash
    ? [
        // Only from the trash, because otherwise it may be in use.
        button(resource, 'delete', () => ({ method: 'DELETE', query: '?force=true', said: 'gone' })),
        button(resource, 'trash', () => ({ method: 'DELETE', said: 'trashed' })),
        button(resource, 'restore', async ({ context }, id) => ({
          method: 'PATCH',
          body: { status: await statusBefore(context, resource, id) },
          said: 'restored',
        })),
      ]
    : [
        button(resource, 'delete', () => ({ method: 'DELETE', said: 'gone' })),
        defineAdminPage({
          path: `${pathOf(resource)}:id{[0-9]+}/delete/`,
          requires: 'manage_terms',
          load: ({ context }, { id }) => resource.find(context, id),
          respond: (admin, { loaded }) =>
            confirmPage(admin, resource, assertEditable(admin.context, resource, loaded)),
        }),
      ]
