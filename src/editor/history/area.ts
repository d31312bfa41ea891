import * as z from 'zod/mini'
import { DUPLICATES_REQUEST } from '../../calendar/duplicates/writes.ts'
import { CALENDAR_REQUEST, SUBMITTED_KINDS, sourceOfRequest } from '../../kit/db/audit.ts'
import type { AuditedKind } from '../../kit/db/tables.ts'
import { field, integer, search } from '../../kit/http/params.ts'
import { may } from '../../kit/lib/roles.ts'
import { type DateTime, isoUtc } from '../../kit/lib/time.ts'
import { isFeatureOn, type Settings } from '../../kit/settings.ts'
import { blank } from '../../site/forms/entries.ts'
import { type Html, html } from '../../site/html/html.ts'
import { plain } from '../../site/html/text.ts'
import { type Catalogue, filled } from '../../words/words.ts'
import { type EditorContext, momentOf } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { addressWith, findChoice, findInput, listFinder, pageLinks } from '../lists.ts'
import { type Area, defineEditorPage } from '../pages-and-actions.ts'
import { SOURCES_PATH } from '../source-paths.ts'
import {
  featureKinds,
  type HistoryEntry,
  type HistoryPage,
  kindsFor,
  selectHistory,
  toKind,
} from './queries.ts'
import { changesHtml, changingSourceId, labelOf, type NameLookup, selectNameLookup } from './values.ts'

const HISTORY = '/admin/history/'

const historyQuery = z.object({
  kind: blank(field(toKind, { type: 'string', description: 'Only entries of this resource.' })),
  id: blank(integer({ description: 'Only entries of the one of this id.' })),
  user: blank(search({ description: 'Only entries of the users of this login or name.' })),
  before: blank(integer({ description: 'Only entries before this one.' })),
})

type HistoryQuery = Partial<z.output<typeof historyQuery>>

export const historyPath = (query: Readonly<Record<string, unknown>>): string => addressWith(HISTORY, query)

const historyRoute = defineEditorPage({
  path: HISTORY,
  requires: 'edit_content',
  query: historyQuery,
  load: (editor, { query: { id, ...query } }) =>
    selectHistory(editor.context, { ...query, kind: query.kind, id: query.kind && id }),
  respond: async (editor, { query, loaded }) => {
    const { kind, id } = query
    const subject = kind && id ? [{ kind, object_id: id, changed: {}, request_id: null }] : []
    const names = await editor.context.db.read(
      selectNameLookup(editor.context, [...loaded.entries, ...subject]),
    )
    return historyPage(editor, query, loaded, names)
  },
})

function historyPage(
  editor: EditorContext,
  query: HistoryQuery,
  { entries, next }: HistoryPage,
  names: NameLookup,
): EditorPage {
  const words = editor.texts.history
  const { kind, id } = query
  const title =
    kind && id
      ? filled(words.ofThing, { name: names(kind, id) ?? unnamedLabel(editor, kind, id) })
      : words.history
  const maySeeAll = may(editor.context.caller, 'edit_others_content')
  const isFiltered = Object.entries(query).some(([name, value]) => name !== 'before' && value !== undefined)
  return {
    title,
    main: html`<h1>${title}</h1>
<p class="lead">${maySeeAll ? words.lead : words.leadOwn}</p>
${kind && id ? html`<p><a href="${HISTORY}">${words.all}</a></p>` : findForm(editor, query, isFiltered)}
${
  entries.length === 0
    ? html`<div class="empty"><h2>${words.none}</h2><p>${next === undefined ? words.noneText : words.noneYet}</p></div>`
    : entryList(editor, entries, names, kind !== undefined && id !== undefined)
}
${pageLinks(editor, { first: query.before !== undefined && historyPath({ ...query, before: undefined }), next: next !== undefined && historyPath({ ...query, before: next }) })}`,
  }
}

function findForm(editor: EditorContext, { kind, user }: HistoryQuery, isFiltered: boolean): Html {
  const words = editor.texts.history
  const kinds = kindsFor(editor.context).map(name => [name, kindName(editor, name)] as const)
  return html`<search class="find">${listFinder(editor, {
    action: HISTORY,
    fields: html`${findChoice('kind', words.kind, [['', words.any], ...kinds], kind)}
${findInput('user', words.user, user)}`,
    clear: isFiltered && HISTORY,
  })}</search>`
}

export const kindName = ({ texts }: EditorContext, kind: AuditedKind): string =>
  // Entries may be of a feature that this calendar no longer has.
  texts.history[kind === 'user' ? 'userKind' : kind] ?? kind

/** The name of a resource without one. There is only one row of settings, and none of a sender. */
const unnamedLabel = (editor: EditorContext, kind: AuditedKind, id: number): string =>
  kind === 'settings' || kind === 'sender' ? kindName(editor, kind) : `${kindName(editor, kind)} ${id}`

/** The paths of forms by resource, where there is a form. */
const FORM_PATH_PARTS: Partial<Record<AuditedKind, string>> = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
}

function formPath(settings: Settings, kind: AuditedKind): string | undefined {
  if (FORM_PATH_PARTS[kind]) return `/admin/${FORM_PATH_PARTS[kind]}/`
  if (kind === 'source') return isFeatureOn(settings, 'sources') ? SOURCES_PATH : undefined
  const [, kindOfFeature] = featureKinds().find(([name]) => name === kind) ?? []
  return kindOfFeature && isFeatureOn(settings, kindOfFeature.feature) ? kindOfFeature.path : undefined
}

/** The address of a resource's form; undefined if it has none. */
export function formAddress(settings: Settings, kind: AuditedKind, id: number): string | undefined {
  if (kind === 'settings') return '/admin/settings/'
  const path = formPath(settings, kind)
  return path && `${path}${id}/`
}

/** The name of a resource, or the one it had before it was deleted. */
function resourceName({ kind, object_id, changed }: HistoryEntry, names: NameLookup): string {
  const field =
    kind === 'event' || kind === 'series' ? 'title' : kind === 'venue' || kind === 'organizer' ? kind : 'name'
  const formerValue = changed[field]?.[0]
  return names(kind, object_id) ?? (formerValue ? plain(String(formerValue)) : `${object_id}`)
}

function authorName(
  { texts }: EditorContext,
  { who, user_id, request_id, action, kind, object_id }: HistoryEntry,
  names: NameLookup,
): string {
  const words = texts.history
  if (who !== null) return who
  if (user_id !== null) return filled(words.formerUser, { id: user_id })
  // On the first visit, nobody is signed in yet: the first administrator makes the account.
  if (kind === 'user' && request_id !== null) return names('user', object_id) ?? words.userKind
  const sourceId = changingSourceId(request_id)
  if (sourceId !== undefined)
    return filled(words.fromCalendar, { name: names('source', sourceId) ?? words.source })
  if (request_id === CALENDAR_REQUEST) return words.thisCalendar
  if (request_id === DUPLICATES_REQUEST) return texts.source.title
  const source = request_id === null ? undefined : sourceOfRequest(request_id)
  if (source !== undefined) return filled(words.import, { source })
  if (request_id !== null && SUBMITTED_KINDS.includes(kind)) return words.visitor
  return action === 'publish' || kind === 'image' ? words.clock : words.commandLine
}

export const timeHtml = (editor: EditorContext, utc: DateTime): Html =>
  html`<time datetime="${isoUtc(utc)}">${momentOf(editor, utc)}</time>`

/** A list of entries. @param isOfOneResource true if all concern the same resource */
export const entryList = (
  editor: EditorContext,
  entries: readonly HistoryEntry[],
  names: NameLookup,
  isOfOneResource = false,
): Html =>
  html`<ol class="history">${entries.map(entry => entryItem(editor, entry, names, isOfOneResource))}</ol>`

function entryItem(
  editor: EditorContext,
  entry: HistoryEntry,
  names: NameLookup,
  isOfOneResource: boolean,
): Html {
  const words = editor.texts.history
  const { id, kind, object_id, action, fields, canUndo } = entry
  const isSettings = kind === 'settings'
  const name = isSettings ? kindName(editor, kind) : resourceName(entry, names)
  const address =
    action === 'delete' || action === 'merge'
      ? undefined
      : formAddress(editor.context.settings, kind, object_id)
  const isKnown = names(kind, object_id) !== undefined
  const changes = changesHtml(editor, entry, names)
  // The scope belongs to the request, not to the dates.
  const changeTexts = [
    ...new Set(
      fields
        .filter(field => field !== 'scope' && field !== 'spread')
        .map(name => labelOf(editor, kind, name)),
    ),
  ]
  const actionText = action === 'revoke' && kind === 'user' ? revokedText(words, fields) : words[action]
  const kindHtml = !isSettings && html`<span class="history-kind">${kindName(editor, kind)}</span> `
  const nameHtml =
    address && (isKnown || isSettings)
      ? html`<a href="${address}">${name}</a>`
      : html`<strong>${name}</strong>`
  const historyLabel = filled(words.ofThing, { name })
  const historyLink = html` · <a href="${historyPath({ kind, id: object_id })}" aria-label="${historyLabel}">${words.history}</a>`
  return html`<li class="card" id="entry-${id}"><p class="history-what">${kindHtml}${nameHtml} ${actionText}</p>
<p class="history-who">${authorName(editor, entry, names)}, ${timeHtml(editor, entry.at_utc)}${!isOfOneResource && historyLink}</p>
${changes || (changeTexts.length > 0 && action === 'update' && html`<p class="history-fields">${filled(words.fields, { fields: changeTexts.join(', ') })}</p>`)}
${canUndo && entry.request_id !== CALENDAR_REQUEST && html`<p><a class="button button-quiet" href="/admin/undo/?entry=${id}">${words.undo}</a></p>`}</li>\n`
}

/** What was taken from a user: the sessions, or a password. */
const revokedText = (words: Catalogue['history'], fields: readonly string[]): string =>
  fields.includes('session') ? words.signedOut : words.passwordRevoked

export const historyArea: Area = {
  routes: [historyRoute],
  menu: [{ path: HISTORY, label: texts => texts.history.history, requires: 'edit_content', group: 'more' }],
}
