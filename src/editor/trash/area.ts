import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { ownedBy } from '../../calendar/content/visibility.ts'
import { displayName } from '../../calendar/users/records.ts'
import type { RequestContext, WriteRequest } from '../../kit/context.ts'
import {
  among,
  literal,
  many,
  mapped,
  orNull,
  type Query,
  readNumber,
  readText,
  settled,
} from '../../kit/db/query.ts'
import { audit, events, organizers, series, users, venues } from '../../kit/db/tables.ts'
import { EDITOR_WORK } from '../../kit/lib/budgets.ts'
import { may } from '../../kit/lib/roles.ts'
import { STATUSES, type Status } from '../../kit/lib/statuses.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { form } from '../../site/forms/field-html.ts'
import { ifVersion, isDone, reasonsOf, submit, type WriteReply } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { counted } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { kindName, timeOf } from '../history/page.ts'
import { visibleSql } from '../history/queries.ts'
import type { EditorPage } from '../layout.ts'
import { addressWith, cursor, cursorText, pageLinks } from '../lists.ts'
import { type ActionInput, type Area, defineEditorPage } from '../pages-and-actions.ts'
import { notePage, type Outcome, refusedItemsPage } from '../respond.ts'

const TRASH = '/admin/trash/'

/** The resources in the trash. A series that is there as a whole is one item, with the id of its first date. */
export const TRASHED_KINDS = ['event', 'series', 'venue', 'organizer'] as const
type TrashedKind = (typeof TRASHED_KINDS)[number]

type TrashedItem = {
  kind: TrashedKind
  id: number
  series_id: number | null
  name: string
  /** The last change, UTC. */
  at: DateTime
  /** The start of an event, in its own zone. */
  start: DateTime | undefined
}

/** An item in a form, with the version that the form was made for if that matters. */
type TrashKey = Pick<TrashedItem, 'kind' | 'id'> & { version?: number }

type TrashCursor = Pick<TrashedItem, 'kind' | 'id' | 'at'>

const TRASHED_PER_PAGE = 50

/** A query of the trash that the caller may change, one item more than a page if there are more. */
function selectTrash(context: RequestContext, after?: TrashCursor): Query<TrashedItem[]> {
  const own = (table: typeof events | typeof venues | typeof organizers) =>
    sql`${table.status} = 'trash' AND ${ownedBy(table, context)}
      ${after ? sql`AND ${table.modified_utc} <= ${after.at}` : sql``}`
  // All dates of a series that is in the trash as a whole are one item.
  const firstOfSeriesSql = sql`(${events.series_id} IS NULL
    OR (SELECT status FROM ${series} WHERE ${series.id} = ${events.series_id}) <> 'trash'
    OR ${events.id} = (SELECT min(dates.id) FROM ${events} AS dates WHERE dates.series_id = ${events.series_id}))`
  const kind = sql`iif((SELECT status FROM ${series} WHERE ${series.id} = ${events.series_id}) = 'trash', 'series', 'event')`
  const place = after ? sql`WHERE (at, kind, id) < (${after.at}, ${after.kind}, ${after.id})` : sql``
  return many(
    sql`SELECT kind, id, series_id, name, at, start FROM (
        SELECT ${kind} AS kind, ${events.id} AS id, ${events.series_id} AS series_id, ${events.title} AS name,
          ${events.modified_utc} AS at, ${events.start_date} AS start FROM ${events} INDEXED BY events_trashed
          WHERE ${own(events)} AND ${firstOfSeriesSql}
        UNION ALL SELECT 'venue', ${venues.id}, NULL, ${venues.name}, ${venues.modified_utc}, NULL
        FROM ${venues} WHERE ${own(venues)}
        UNION ALL SELECT 'organizer', ${organizers.id}, NULL, ${organizers.name}, ${organizers.modified_utc}, NULL
          FROM ${organizers} WHERE ${own(organizers)}
      ) ${place} ORDER BY at DESC, kind DESC, id DESC LIMIT ${literal(TRASHED_PER_PAGE + 1)}`,
    row => ({
      kind: among(TRASHED_KINDS)(row.kind),
      id: readNumber(row.id),
      series_id: orNull(readNumber)(row.series_id),
      name: plain(readText(row.name)),
      at: readText(row.at),
      start: orNull(readText)(row.start) ?? undefined,
    }),
  )
}

/** The audit's record of how an item came into the trash. */
type TrashRecord = {
  who: string | null
  /** The former status; `draft` if the item was public and has changed in the trash, where nobody has reviewed it. */
  status: Status | undefined
  isRestoredAsDraft: boolean
}

const sinceThen = sql`later.id > ${audit.id} AND NOT (later.request_id IS ${audit.request_id} AND later.at_utc = ${audit.at_utc})`

/** A condition for items that changed after they were moved to the trash. Changes of dates count for their series, and vice versa. */
const changedSinceSql = sql`(EXISTS (SELECT 1 FROM ${audit} AS later INDEXED BY audit_object
    WHERE later.kind = ${audit.kind} AND later.object_id = ${audit.object_id} AND ${sinceThen})
  OR ${audit.kind} = 'event' AND EXISTS (SELECT 1 FROM ${audit} AS later INDEXED BY audit_object
    WHERE later.kind = 'series'
    AND later.object_id = (SELECT series_id FROM ${events} WHERE id = ${audit.object_id}) AND ${sinceThen})
  OR ${audit.kind} = 'series' AND EXISTS (SELECT 1 FROM ${events} CROSS JOIN ${audit} AS later INDEXED BY audit_object
    ON later.kind = 'event' AND later.object_id = ${events.id} WHERE ${events.series_id} = ${audit.object_id} AND ${sinceThen}))`

const isPublicStatus = (status: Status | undefined): boolean => status === 'publish' || status === 'future'

const trashedItemKey = (kind: string, id: number) => `${kind} ${id}`

/** A query of how items came into the trash, as far as the audit has it and the caller may read it. */
function selectTrashRecords(
  context: RequestContext,
  things: readonly Pick<TrashedItem, 'kind' | 'id' | 'series_id'>[],
): Query<(thing: Pick<TrashedItem, 'kind' | 'id' | 'series_id'>) => TrashRecord | undefined> {
  const objectOf = ({ kind, id, series_id }: Pick<TrashedItem, 'kind' | 'id' | 'series_id'>) =>
    kind === 'series' ? (series_id ?? 0) : id
  if (things.length === 0) return settled(() => undefined)
  const json = JSON.stringify(things.map(thing => [thing.kind, objectOf(thing)]))
  return mapped(
    many(
      sql`SELECT ${audit.kind} AS kind, ${audit.object_id} AS id, ${displayName} AS who,
        ${audit.changed} ->> '$.status[0]' AS status,
          ${changedSinceSql} AS is_changed
        FROM json_each(${json}) AS input CROSS JOIN ${audit} INDEXED BY audit_object
          ON ${audit.kind} = input.value ->> 0 AND ${audit.object_id} = input.value ->> 1
        LEFT JOIN ${users} ON ${users.id} = ${audit.user_id}
        WHERE ${audit.changed} ->> '$.status[1]' = 'trash' AND ${visibleSql(context)} ORDER BY ${audit.id}`,
      (row): [string, TrashRecord] => {
        const status = STATUSES.find(each => each === row.status)
        const isRestoredAsDraft = row.is_changed === 1 && isPublicStatus(status)
        return [
          trashedItemKey(readText(row.kind), readNumber(row.id)),
          {
            who: orNull(readText)(row.who),
            status: isRestoredAsDraft ? 'draft' : status,
            isRestoredAsDraft,
          },
        ]
      },
    ),
    found => {
      const records = new Map<string, TrashRecord>(found)
      return thing => records.get(trashedItemKey(thing.kind, objectOf(thing)))
    },
  )
}

/** An item chosen in a form, with the version that it must have. */
type ChosenTrash = Omit<TrashedItem, 'at' | 'start'> & { version: number }

/** A query of items that are still in the trash and that the caller may change. */
function selectChosenTrashed(context: RequestContext, things: readonly TrashKey[]): Query<ChosenTrash[]> {
  const idsOf = (...kinds: TrashedKind[]) =>
    JSON.stringify(things.flatMap(({ kind, id }) => (kinds.includes(kind) ? [id] : [])))
  const chosenSql = (table: typeof events | typeof venues | typeof organizers, ids: string) =>
    sql`${table.id} IN (SELECT value FROM json_each(${ids})) AND ${table.status} = 'trash' AND ${ownedBy(table, context)}`
  return mapped(
    many(
      sql`SELECT 'event' AS kind, ${events.id} AS id, ${events.version} AS version, ${events.series_id} AS series_id,
          ${events.title} AS name FROM ${events} WHERE ${chosenSql(events, idsOf('event', 'series'))}
        UNION ALL SELECT 'venue', ${venues.id}, ${venues.version}, NULL, ${venues.name} FROM ${venues}
          WHERE ${chosenSql(venues, idsOf('venue'))}
        UNION ALL SELECT 'organizer', ${organizers.id}, ${organizers.version}, NULL, ${organizers.name} FROM ${organizers}
          WHERE ${chosenSql(organizers, idsOf('organizer'))}`,
      row => ({
        kind: readText(row.kind),
        id: readNumber(row.id),
        version: readNumber(row.version),
        series_id: orNull(readNumber)(row.series_id),
        name: plain(readText(row.name)),
      }),
    ),
    found =>
      things.flatMap(({ kind, id, version }): ChosenTrash[] => {
        const item = found.find(row => row.id === id && row.kind === (kind === 'series' ? 'event' : kind))
        return item ? [{ ...item, kind, version: version ?? item.version }] : []
      }),
  )
}

const keyTextOf = ({ kind, id, version }: TrashKey): string =>
  [kind, id, ...(version === undefined ? [] : [version])].join('-')

/** The items named in a form or an address. */
const trashKeysIn = (text: unknown): TrashKey[] => {
  const [, kind, id, version] = /^([a-z]+)-(\d{1,15})(?:-(\d{1,15}))?$/.exec(String(text)) ?? []
  const known = TRASHED_KINDS.find(name => name === kind)
  return known ? [{ kind: known, id: Number(id), ...(version && { version: Number(version) }) }] : []
}

const trashQuery = z.object({ after: cursor })

function cursorIn({ after }: Partial<z.output<typeof trashQuery>>): TrashCursor | undefined {
  const [named] = trashKeysIn(after?.name)
  return named && after && { ...named, at: after.at }
}

const page = defineEditorPage({
  path: TRASH,
  requires: 'edit_content',
  query: trashQuery,
  load: ({ context }, { query }) => selectTrash(context, cursorIn(query)),
  respond: async (editor, { query, loaded }) => {
    const words = editor.texts.trash
    const things = loaded.slice(0, TRASHED_PER_PAGE)
    const recordOf = await editor.context.db.read(selectTrashRecords(editor.context, things))
    const last = loaded.length > TRASHED_PER_PAGE ? things.at(-1) : undefined
    const next = last && addressWith(TRASH, { after: cursorText({ at: last.at, name: keyTextOf(last) }) })
    return {
      title: words.trash,
      main: html`<h1>${words.trash}</h1><p class="lead">${words.lead}</p>
${
  things.length === 0
    ? html`<p class="empty">${words.empty}</p>`
    : form(editor, {
        action: TRASH,
        body: html`<ul class="rows">${things.map(thing => trashRow(editor, thing, recordOf(thing)))}</ul>
<fieldset class="bulk"><legend>${editor.texts.review.several}</legend><div class="actions">
<button class="button button-quiet" type="submit" name="do" value="restore">${editor.words.restore}</button>
<button class="button button-quiet is-danger" type="submit" name="do" value="ask">${words.delete}</button></div></fieldset>`,
      })
}
${pageLinks(editor, { first: query.after !== undefined && TRASH, next })}`,
    }
  },
  handle: changeTrash,
})

function trashRow(editor: EditorContext, thing: TrashedItem, record: TrashRecord | undefined): Html {
  const words = editor.texts.trash
  const { kind, name, at, start } = thing
  const label = kind === 'series' ? filled(words.seriesOf, { name }) : name
  const text = record?.who ? filled(words.by, { login: record.who, when: '{{when}}' }) : words.at
  const [before = '', after = ''] = text.split('{{when}}')
  return html`<li class="row"><label class="row-box"><input type="checkbox" name="thing" value="${keyTextOf(thing)}" aria-label="${filled(words.choose, { name: label })}"></label>
<p class="row-title">${label}</p><p class="row-when">${before}${timeOf(editor, at)}${after}</p>
${start && html`<p class="row-where">${editor.site.dates.format('date', start)}</p>`}
<p class="row-badges"><span class="badge">${kindName(editor, kind)}</span></p></li>\n`
}

const PATHS_OF_KINDS = {
  event: 'events',
  series: 'events',
  venue: 'venues',
  organizer: 'organizers',
} as const satisfies Record<TrashedKind, string>

const scopeOf = (kind: TrashedKind) => (kind === 'series' ? { scope: 'all' } : {})

/** The request that restores an item with its former status, if that is known and the caller may give it. */
const restoration = (
  { context }: EditorContext,
  thing: ChosenTrash,
  record: TrashRecord | undefined,
): WriteRequest => {
  const mayGive = record?.status === 'pending' || may(context.caller, 'publish_content')
  return {
    method: 'PATCH',
    path: `/${PATHS_OF_KINDS[thing.kind]}/${thing.id}`,
    // Only the version that is in the trash.
    headers: ifVersion(thing.version),
    body: { status: (mayGive && record?.status) || 'draft', ...scopeOf(thing.kind) },
  }
}

const deletion = ({ kind, id, version }: ChosenTrash): WriteRequest => ({
  method: 'DELETE',
  path: `/${PATHS_OF_KINDS[kind]}/${id}?force=true`,
  // Somebody may have restored it.
  headers: ifVersion(version),
  body: scopeOf(kind),
})

/** Items as hidden inputs. */
const hiddenInputs = (things: readonly TrashKey[]) =>
  things.map(thing => html`<input type="hidden" name="thing" value="${keyTextOf(thing)}">`)

/** Restores or deletes the chosen items. */
async function changeTrash(editor: EditorContext, { form: posted }: ActionInput): Promise<Outcome> {
  const words = editor.texts.trash
  const named = new Map(
    posted
      .getAll('thing')
      .flatMap(trashKeysIn)
      .map(thing => [`${thing.kind} ${thing.id}`, thing]),
  )
  const wanted = [...named.values()].slice(0, TRASHED_PER_PAGE)
  const things = await editor.context.db.read(selectChosenTrashed(editor.context, wanted))
  if (things.length === 0) return { to: TRASH, notice: { text: words.none } }
  if (posted.get('do') === 'restore') {
    const recordOf = await editor.context.db.read(selectTrashRecords(editor.context, things))
    const replies = await submit(
      editor,
      things.map(thing => restoration(editor, thing, recordOf(thing))),
    )
    const done = replies.filter(isDone).length
    if (done < replies.length) return refusedPage(editor, things, replies)
    const text = counted(editor, words, 'restored', done)
    const isRestoredAsDraft = things.some(thing => recordOf(thing)?.isRestoredAsDraft)
    const [first, ...others] = things
    const to = first && others.length === 0 ? `/admin/${PATHS_OF_KINDS[first.kind]}/${first.id}/` : TRASH
    return { to, notice: { text: isRestoredAsDraft ? `${text} ${words.restoredAsDrafts}` : text } }
  }
  if (posted.get('do') !== 'delete') return askToDelete(editor, things)
  const replies = await submit(editor, things.slice(0, EDITOR_WORK.deleted).map(deletion))
  if (!replies.every(isDone)) return refusedPage(editor, things, replies)
  const rest = things.slice(EDITOR_WORK.deleted)
  const text = counted(editor, words, 'deleted', replies.length)
  return rest.length === 0 ? { to: TRASH, notice: { text } } : askToDelete(editor, rest, text)
}

/** The page of one thing in the trash, which can only be restored or deleted for good. @param text says where it is */
export const inTrashPage = (
  editor: EditorContext,
  thing: TrashKey & { name: string },
  text: string,
): EditorPage =>
  notePage({
    title: thing.name,
    text,
    body: form(editor, {
      action: TRASH,
      className: 'trash-form',
      id: 'in-trash',
      body: html`${hiddenInputs([thing])}<p><button class="button" type="submit" name="do" value="restore">${editor.words.restore}</button></p>
<button class="link-button is-danger" type="submit" name="do" value="delete" aria-describedby="for-good">${editor.words.forGood}</button> <span class="small" id="for-good">${editor.texts.trash.sureText}</span>`,
    }),
  })

/** The page that asks whether to delete items for good. @param done a note about those already deleted */
function askToDelete(editor: EditorContext, things: readonly ChosenTrash[], done?: string): EditorPage {
  const words = editor.texts.trash
  const button = done
    ? filled(words.goOn, { n: editor.site.dates.number(things.length) })
    : editor.words.forGood
  return {
    title: words.sure,
    isNarrow: true,
    main: html`<h1>${words.sure}</h1>${done && html`<p role="status">${done}</p>`}<p class="lead">${words.sureText}</p>
<ul>${things.map(({ kind, name }) => html`<li>${kindName(editor, kind)}: ${name}</li>`)}</ul>
${form(editor, {
  action: TRASH,
  body: html`${hiddenInputs(things)}<div class="actions"><button class="button" type="submit" name="do" value="delete">${button}</button> <a class="button button-quiet" href="${TRASH}">${words.keep}</a></div>`,
})}`,
  }
}

function refusedPage(
  editor: EditorContext,
  things: readonly ChosenTrash[],
  replies: readonly WriteReply[],
): EditorPage {
  const words = editor.texts.trash
  const items = replies.flatMap((reply, i) => {
    const thing = things[i]
    return thing && !isDone(reply)
      ? [html`${kindName(editor, thing.kind)} ${thing.name}: ${reasonsOf(editor, reply)}`]
      : []
  })
  return refusedItemsPage(editor, { title: words.refused, items, back: { href: TRASH, text: words.back } })
}

export const trashArea: Area = {
  routes: [page],
  menu: [{ path: TRASH, label: texts => texts.trash.trash, requires: 'edit_content', group: 'more' }],
}
