import * as z from 'zod/mini'
import type { WriteRequest } from '../../../context.ts'
import { EDITOR_WORK } from '../../../lib/budgets.ts'
import { may } from '../../../lib/roles.ts'
import { filled } from '../../../words/words.ts'
import { form } from '../../forms/element.ts'
import { ifVersion, isDone, reasonsOf, submit, type WriteReply } from '../../forms/requests.ts'
import { type Html, html } from '../../html/html.ts'
import { counted } from '../../html/site.ts'
import type { Admin } from '../admin.ts'
import { kindName, timeOf } from '../history/page.ts'
import type { AdminPage } from '../layout.ts'
import { addressWith, cursor, cursorText, pages } from '../lists.ts'
import { notePage, type Outcome, refusedItemsPage } from '../respond.ts'
import { type ActionInput, type Area, defineAdminPage } from '../route.ts'
import {
  type AfterTrashed,
  type ChosenTrash,
  selectChosenTrashed,
  selectTrash,
  selectWays,
  TRASHED_KINDS,
  TRASHED_PER_PAGE,
  type TrashedItem,
  type TrashedKind,
  type TrashKey,
  type WayBack,
} from './queries.ts'

const TRASH = '/admin/trash/'

const nameOf = ({ kind, id, version }: TrashKey): string =>
  [kind, id, ...(version === undefined ? [] : [version])].join('-')

/** The items named in a form or an address. */
const namedIn = (text: unknown): TrashKey[] => {
  const [, kind, id, version] = /^([a-z]+)-(\d{1,15})(?:-(\d{1,15}))?$/.exec(String(text)) ?? []
  const known = TRASHED_KINDS.find(name => name === kind)
  return known ? [{ kind: known, id: Number(id), ...(version && { version: Number(version) }) }] : []
}

const trashQuery = z.object({ after: cursor })

function placeIn({ after }: Partial<z.output<typeof trashQuery>>): AfterTrashed | undefined {
  const [named] = namedIn(after?.name)
  return named && after && { ...named, at: after.at }
}

const page = defineAdminPage({
  path: TRASH,
  requires: 'edit_content',
  query: trashQuery,
  load: ({ context }, { query }) => selectTrash(context, placeIn(query)),
  respond: async (admin, { query, loaded }) => {
    const words = admin.texts.trash
    const things = loaded.slice(0, TRASHED_PER_PAGE)
    const wayOf = await admin.context.db.get(selectWays(admin.context, things))
    const last = loaded.length > TRASHED_PER_PAGE ? things.at(-1) : undefined
    const next = last && addressWith(TRASH, { after: cursorText({ at: last.at, name: nameOf(last) }) })
    return {
      title: words.trash,
      main: html`<h1>${words.trash}</h1><p class="lead">${words.lead}</p>
${
  things.length === 0
    ? html`<p class="empty">${words.empty}</p>`
    : form(admin, {
        action: TRASH,
        body: html`<ul class="rows">${things.map(thing => row(admin, thing, wayOf(thing)))}</ul>
<fieldset class="bulk"><legend>${admin.texts.review.several}</legend><div class="actions">
<button class="button button-quiet" type="submit" name="do" value="restore">${admin.words.restore}</button>
<button class="button button-quiet is-danger" type="submit" name="do" value="ask">${words.delete}</button></div></fieldset>`,
      })
}
${pages(admin, { first: query.after !== undefined && TRASH, next })}`,
    }
  },
  handle: act,
})

function row(admin: Admin, thing: TrashedItem, way: WayBack | undefined): Html {
  const words = admin.texts.trash
  const { kind, name, at, start } = thing
  const label = kind === 'series' ? filled(words.seriesOf, { name }) : name
  const text = way?.who ? filled(words.by, { login: way.who, when: '{{when}}' }) : words.at
  const [before = '', after = ''] = text.split('{{when}}')
  return html`<li class="row"><label class="row-box"><input type="checkbox" name="thing" value="${nameOf(thing)}" aria-label="${filled(words.choose, { name: label })}"></label>
<p class="row-title">${label}</p><p class="row-when">${before}${timeOf(admin, at)}${after}</p>
${start && html`<p class="row-where">${admin.site.dates.format('date', start)}</p>`}
<p class="row-badges"><span class="badge">${kindName(admin, kind)}</span></p></li>\n`
}

const PATHS = {
  event: 'events',
  series: 'events',
  venue: 'venues',
  organizer: 'organizers',
} as const satisfies Record<TrashedKind, string>

const scopeOf = (kind: TrashedKind) => (kind === 'series' ? { scope: 'all' } : {})

/** The request that restores an item with its former status, if that is known and the caller may give it. */
const restoration = ({ context }: Admin, thing: ChosenTrash, way: WayBack | undefined): WriteRequest => {
  const mayGive = way?.status === 'pending' || may(context.caller, 'publish_content')
  return {
    method: 'PATCH',
    path: `/${PATHS[thing.kind]}/${thing.id}`,
    // Only the version that is in the trash.
    headers: ifVersion(thing.version),
    body: { status: (mayGive && way?.status) || 'draft', ...scopeOf(thing.kind) },
  }
}

const deletion = ({ kind, id, version }: ChosenTrash): WriteRequest => ({
  method: 'DELETE',
  path: `/${PATHS[kind]}/${id}?force=true`,
  // Somebody may have restored it.
  headers: ifVersion(version),
  body: scopeOf(kind),
})

/** Items as hidden inputs. */
const carried = (things: readonly TrashKey[]) =>
  things.map(thing => html`<input type="hidden" name="thing" value="${nameOf(thing)}">`)

/** Restores or deletes the chosen items. */
async function act(admin: Admin, { form: posted }: ActionInput): Promise<Outcome> {
  const words = admin.texts.trash
  const named = new Map(
    posted
      .getAll('thing')
      .flatMap(namedIn)
      .map(thing => [`${thing.kind} ${thing.id}`, thing]),
  )
  const wanted = [...named.values()].slice(0, TRASHED_PER_PAGE)
  const things = await admin.context.db.get(selectChosenTrashed(admin.context, wanted))
  if (things.length === 0) return { to: TRASH, notice: { text: words.none } }
  if (posted.get('do') === 'restore') {
    const wayOf = await admin.context.db.get(selectWays(admin.context, things))
    const replies = await submit(
      admin,
      things.map(thing => restoration(admin, thing, wayOf(thing))),
    )
    const done = replies.filter(isDone).length
    if (done < replies.length) return refused(admin, things, replies)
    const text = counted(admin, words, 'restored', done)
    const isRestoredAsDraft = things.some(thing => wayOf(thing)?.isRestoredAsDraft)
    const [one, ...others] = things
    const to = one && others.length === 0 ? `/admin/${PATHS[one.kind]}/${one.id}/` : TRASH
    return { to, notice: { text: isRestoredAsDraft ? `${text} ${words.restoredAsDrafts}` : text } }
  }
  if (posted.get('do') !== 'delete') return sure(admin, things)
  const replies = await submit(admin, things.slice(0, EDITOR_WORK.deleted).map(deletion))
  if (!replies.every(isDone)) return refused(admin, things, replies)
  const rest = things.slice(EDITOR_WORK.deleted)
  const text = counted(admin, words, 'deleted', replies.length)
  return rest.length === 0 ? { to: TRASH, notice: { text } } : sure(admin, rest, text)
}

/** The page of one thing in the trash, which can only be restored or deleted for good. @param text says where it is */
export const inTrashPage = (admin: Admin, thing: TrashKey & { name: string }, text: string): AdminPage =>
  notePage({
    title: thing.name,
    text,
    body: form(admin, {
      action: TRASH,
      look: 'trash-form',
      id: 'in-trash',
      body: html`${carried([thing])}<p><button class="button" type="submit" name="do" value="restore">${admin.words.restore}</button></p>
<button class="link-button is-danger" type="submit" name="do" value="delete" aria-describedby="for-good">${admin.words.forGood}</button> <span class="small" id="for-good">${admin.texts.trash.sureText}</span>`,
    }),
  })

/** The page that asks whether to delete items for good. @param done a note about those already deleted */
function sure(admin: Admin, things: readonly ChosenTrash[], done?: string): AdminPage {
  const words = admin.texts.trash
  const button = done
    ? filled(words.goOn, { n: admin.site.dates.number(things.length) })
    : admin.words.forGood
  return {
    title: words.sure,
    isNarrow: true,
    main: html`<h1>${words.sure}</h1>${done && html`<p role="status">${done}</p>`}<p class="lead">${words.sureText}</p>
<ul>${things.map(({ kind, name }) => html`<li>${kindName(admin, kind)}: ${name}</li>`)}</ul>
${form(admin, {
  action: TRASH,
  body: html`${carried(things)}<div class="actions"><button class="button" type="submit" name="do" value="delete">${button}</button> <a class="button button-quiet" href="${TRASH}">${words.keep}</a></div>`,
})}`,
  }
}

function refused(admin: Admin, things: readonly ChosenTrash[], replies: readonly WriteReply[]): AdminPage {
  const words = admin.texts.trash
  const items = replies.flatMap((reply, i) => {
    const thing = things[i]
    return thing && !isDone(reply)
      ? [html`${kindName(admin, thing.kind)} ${thing.name}: ${reasonsOf(admin, reply)}`]
      : []
  })
  return refusedItemsPage(admin, { title: words.refused, items, back: { href: TRASH, text: words.back } })
}

/** The trash: restoring, and deleting for good. */
export const trashArea: Area = {
  routes: [page],
  menu: [{ path: TRASH, label: texts => texts.trash.trash, requires: 'edit_content', group: 'more' }],
}
