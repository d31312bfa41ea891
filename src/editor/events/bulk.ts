import { type SQL, sql } from 'drizzle-orm'
import { serializeImage } from '../../calendar/content/images.ts'
import { isRowReadable, ownedByCallerSql } from '../../calendar/content/visibility.ts'
import { selectPlainEvents } from '../../calendar/events/queries.ts'
import type { Scope } from '../../calendar/events/recurrence-fields.ts'
import type { EventRow, PlainEventRow } from '../../calendar/events/rows.ts'
import { CATEGORIES } from '../../calendar/terms/resource.ts'
import type { WriteRequest } from '../../kit/context.ts'
import { countOf, eachOf, inList, literal, many, type Query, readNumber } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { may, mayReadUnpublished } from '../../kit/lib/roles.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import type { Choice } from '../../site/forms/control.ts'
import { type Entries, entriesOf, entry } from '../../site/forms/entries.ts'
import { form, formText, inputField } from '../../site/forms/field-html.ts'
import { hiddenInputs } from '../../site/forms/render.ts'
import { ifVersion, isDone, reasonsOf, submit } from '../../site/forms/requests.ts'
import { type Html, html, imageAttributes } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import { nameOf, plain } from '../../site/html/text.ts'
import { storedCostWords } from '../../words/cost.ts'
import { type Catalogue, filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { defineAction } from '../pages-and-actions.ts'
import { FOLLOW_INPUT, followPage } from '../programme/follow.ts'
import { MAX_PARTS } from '../programme/parts.ts'
import { publishPath } from '../publish/area.ts'
import { notePage, refusedItemsPage } from '../respond.ts'
import { noteView, type ReviewNote } from '../review/notes.ts'
import { badgesOf, editPath, isEditable, linkedTitle, venuesText, whenText } from './rows.ts'
import type { EventView } from './views.ts'

const MAX_EVENTS = 100

const ACTIONS = {
  cancel: (id: number, reason: string) => ({
    method: 'PATCH',
    path: `/events/${id}`,
    body: { event_status: 'canceled', ...(reason && { event_status_reason: reason }) },
  }),
  reinstate: (id: number) => ({
    method: 'PATCH',
    path: `/events/${id}`,
    body: { event_status: 'scheduled', event_status_reason: '' },
  }),
  // A PATCH rather than a DELETE, because changes share a transaction and deletions do not.
  toTrash: (id: number) => ({ method: 'PATCH', path: `/events/${id}`, body: { status: 'trash' } }),
  restore: (id: number) => ({ method: 'PATCH', path: `/events/${id}`, body: { status: 'draft' } }),
} as const satisfies Record<string, (id: number, reason: string) => WriteRequest>

/**
 * A bulk action. Publishing has a page of its own, since the list does not show everything that becomes
 * public.
 */
type Action = keyof typeof ACTIONS | 'publish'

function actionsIn({ context }: EditorContext, view: EventView): Action[] {
  if (view === 'trash') return ['restore']
  const isPublic = view === 'coming' || view === 'past' || view === 'future'
  return [
    ...(!isPublic && may(context.caller, 'publish_content') ? (['publish'] as const) : []),
    'cancel',
    'toTrash',
  ]
}

/** A page of the list. */
type BulkList = {
  rows: readonly EventRow[]
  /** The reviewers' notes of events that were returned. */
  notes: readonly ReviewNote[]
  /** The users who may write, if the caller may see whose events they are. */
  authors: readonly Choice[]
  /** The titles of parent events, by the ids of their parts. */
  parentTitles: ReadonlyMap<number, string>
  /** The numbers of dates, by the ids of their series. */
  dates: ReadonlyMap<number, number> | undefined
  view: EventView
  backPath: string
}

/**
 * The events of a page, with a checkbox for each one that the caller may change, and the actions for the
 * selection above them.
 */
export function bulkForm(
  editor: EditorContext,
  { rows, notes, parentTitles, authors, dates, view, backPath }: BulkList,
): Html {
  const words = editor.texts.event
  const list = html`<ul class="rows events-rows">${rows.map(row =>
    bulkItem(editor, row, {
      note: notes.find(({ event }) => event === row.id),
      parentTitle: parentTitles.get(row.id),
      // If one person writes everything, the author's name is left out.
      author: authors.length > 1 ? authors.find(({ id }) => id === row.author_id)?.name : undefined,
      dates: dates?.get(row.series_id ?? 0) ?? 1,
    }),
  )}</ul>`
  if (!rows.some(row => isEditable(editor, row))) return list
  const actions = actionsIn(editor, view)
  const { publish, toTrash } = editor.words
  const labels = { ...words, publish, toTrash, cancel: words.cancelEvents }
  const button = (action: Action) =>
    html`<button class="button button-quiet" type="submit" name="do" value="${action}">${labels[action]}</button>`
  return form(editor, {
    action: '/admin/events/bulk/',
    className: 'bulk-form',
    body: html`<input type="hidden" name="back" value="${backPath}">
<fieldset class="bulk"><legend class="hidden">${words.withSelected}</legend>
<div class="form-check" hidden data-all="${words.selected}" data-dates="${words.dates_other}"><input id="bulk-all" type="checkbox"><label for="bulk-all">${words.selectAll}</label> <output for="bulk-all"></output></div>
<p class="small bulk-hint">${words.selectHint}</p>
<div class="actions">${actions.map(action =>
      action === 'cancel'
        ? html`<details class="menu-button" name="menu"><summary class="button button-quiet">${filled(editor.words.asks, { action: labels.cancel })}</summary><div class="menu-items cancel-form">
${reasonField('bulk-reason', words)}${button(action)}</div></details>`
        : button(action),
    )}</div></fieldset>
${list}`,
  })
}

/** The input for the reason why events are cancelled. */
export const reasonField = (id: string, { reason, cancelHelp }: Catalogue['event']): Html =>
  inputField(
    { id, name: 'reason', label: reason, help: cancelHelp },
    html` maxlength="${FIELD_LIMITS.text}" autocomplete="off"`,
  )

const THUMBNAIL = { sizes: '56px', isCut: true } as const

/** Further facts about an event in the list. */
type ItemDetails = {
  note: ReviewNote | undefined
  parentTitle: string | undefined
  author: string | undefined
  /** The number of dates of its series that the row represents. Actions apply to all of them. */
  dates: number
}

function bulkItem(
  editor: EditorContext,
  row: EventRow,
  { note, parentTitle, author, dates }: ItemDetails,
): Html {
  const words = editor.texts.event
  const { id, version, series_id, image } = row
  const title = nameOf(row.title, row.slug)
  const isSingle = dates === 1
  const datesText = countedText(editor, words, 'dates', dates)
  const when = whenText(editor, row)
  // Dates of a series have the same title.
  const select = `${filled(words.select, { title })}${editor.site.words.colon}${isSingle ? when : datesText}`
  const cost = storedCostWords(editor.site.language, row.cost, editor.site.context.settings.currency)
  const badges = badgesOf(editor, row, isSingle && series_id !== null && words.repeats)
  const box = html`<input type="checkbox" name="id" value="${id}" aria-label="${select}"${!isSingle && html` data-dates="${dates}"`}>
<input type="hidden" name="version" value="${id}-${version}">
${!isSingle && html`<input type="hidden" name="dates" value="${id}-${dates}">`}`
  const attributes = image && imageAttributes(serializeImage(image, editor.context), THUMBNAIL)
  const categories = row.terms.filter(({ taxonomy }) => taxonomy === CATEGORIES.taxonomy)
  const part = parentTitle === undefined ? '' : filled(editor.site.words.partOf, { name: plain(parentTitle) })
  const details = [part, ...categories.map(({ name }) => plain(name)), author].filter(Boolean).join(' · ')
  // The status of the next date says nothing about the others.
  return html`<li class="row${isSingle && row.event_status === 'canceled' && ' is-off'}">
${isEditable(editor, row) ? html`<label class="row-box">${box}</label>` : html`<div class="row-box"></div>`}
<div class="row-image">${attributes && html`<img ${attributes} loading="lazy" decoding="async" width="56" height="42">`}</div>
<p class="row-title">${linkedTitle(editor, row)}</p>
<p class="row-when">${when}${!isSingle && html` ${badges}<br><a href="/admin/events/?series=${series_id}">${datesText}</a>`}</p>
<p class="row-where">${venuesText(row)}${cost && html` <span class="row-cost">${cost}</span>`}</p>
<p class="row-badges">${isSingle && badges}${details && html` <span class="small">${details}</span>`}</p>
${note && html`<div class="row-note">${noteView(editor, note)}</div>`}</li>`
}

const isAction = (value: unknown): value is keyof typeof ACTIONS =>
  typeof value === 'string' && Object.hasOwn(ACTIONS, value)

/** The address of the list to return to; the list itself for any other address. */
const listPathOf = (value: unknown): string =>
  typeof value === 'string' && /^\/admin\/events\/(?:\d{1,15}\/)?(?:\?[\x20-\x7e]*)?$/.test(value)
    ? value
    : '/admin/events/'

/** Carries out a bulk action. Refused events are listed with the reason; the others are done. */
export const bulkAction = defineAction({
  path: '/admin/events/bulk/',
  requires: 'edit_content',
  handle: async (editor, { form: formData }) => {
    const words = editor.texts.event
    const listPath = listPathOf(formData.get('back'))
    const action = formData.get('do')
    const givenIds = formData.getAll('id').map(Number).filter(Number.isSafeInteger)
    const ids = [...new Set(givenIds)].slice(0, MAX_EVENTS)
    // For each event in the list its version, and for a row of a series the number of its dates.
    const versions = valuesById(formData, 'version')
    const dates = valuesById(formData, 'dates')
    if (action === 'publish' && ids.length > 0)
      return { to: publishPath({ events: ids, scope: 'this', backPath: listPath }) }
    if (!isAction(action) || ids.length === 0)
      return { to: listPath, notice: { text: words.noneSelected, isWarning: true } }
    const reason = formText(formData, 'reason')
    // A row of a series stands for its coming dates, and the form of a date may apply to the whole series.
    const scope = formData.get('scope') === 'all' ? 'all' : 'following'
    const askingAction = action === 'restore' ? undefined : action
    const countDates = (eventIds: readonly number[]) =>
      eventIds.reduce((sum, id) => sum + Number(dates.get(id) ?? 1), 0)
    const parts = askingAction
      ? await editor.context.db.read(
          selectConcernedParts(editor, ids, askingAction, { ids: ids.filter(id => dates.has(id)), scope }),
        )
      : []
    const isAsked = formData.has(FOLLOW_INPUT)
    const hasMoreDates = countDates(ids) > ids.length && !formData.has('scope')
    if (askingAction && !isAsked && (parts.length > 0 || hasMoreDates)) {
      const asked = { parts: parts.length, dates: hasMoreDates ? countDates(ids) : 0 }
      return askBeforehandPage(editor, entriesOf(formData), askingAction, asked)
    }
    const allIds = formData.get(FOLLOW_INPUT) === '1' ? [...ids, ...parts] : ids
    const replies = await submit(
      editor,
      allIds.map(id => {
        const { body, ...request } = ACTIONS[action](id, reason)
        const version = versions.get(id)
        return {
          ...request,
          // `spread` reaches all dates of the series, even if the first one has the value already.
          body: { ...body, ...(dates.has(id) && { scope, spread: Object.keys(body) }) },
          ...(version && { headers: ifVersion(version) }),
        }
      }),
    )
    const refusals = allIds.flatMap((id, i) => {
      const reply = replies[i]
      return reply && !isDone(reply) ? [{ id, reply }] : []
    })
    const doneIds = allIds.filter(id => !refusals.some(refusal => refusal.id === id))
    const text = countedText(editor, words, `did_${action}`, countDates(doneIds))
    if (refusals.length === 0) return { to: listPath, notice: { text } }
    const rows = await editor.context.db.read(
      selectPlainEvents(sql`${events.id} IN ${inList(refusals.map(({ id }) => id))}`),
    )
    return refusedItemsPage(editor, {
      doneText: doneIds.length > 0 ? text : undefined,
      items: refusals.map(
        ({ id, reply }) =>
          html`${rowTitle(editor, rows, id)}${editor.site.words.colon}${reasonsOf(editor, reply)}`,
      ),
      back: { href: listPath, text: words.backToList },
    })
  },
})

/** The bulk actions that ask about the parts. */
type AskingAction = Exclude<keyof typeof ACTIONS, 'restore'>

/** The scopes that have several dates. */
type SharedScope = Exclude<Scope, 'this'>

/** The condition for the dates (`date`) that a scope has, given the date that a request names (`first`). */
const inScopeSql = (scope: SharedScope): SQL =>
  sql`date.series_id = coalesce(first.series_id, 0) AND (${literal(Number(scope === 'all'))} OR date.occurrence_date >= first.occurrence_date)`

/** A query for the number of dates in a scope, without those in the trash. */
export const selectDateCountInScope = (id: number, scope: SharedScope): Query<number> =>
  countOf(
    sql`${events} AS first CROSS JOIN ${events} AS date ON ${inScopeSql(scope)} WHERE first.id = ${id} AND date.status <> 'trash'`,
  )

/** The parts that an action concerns. */
const CONCERNED_PARTS_SQL: Readonly<Record<AskingAction, SQL>> = {
  cancel: sql`${events.event_status} <> 'canceled'`,
  reinstate: sql`${events.event_status} = 'canceled'`,
  toTrash: sql`1`,
}

/**
 * A query for the parts of some events that the caller may cancel, restore or move to the trash along with
 * them.
 *
 * @param series the ids among them that represent all dates of their series, or themselves and all later
 *   dates
 */
export const selectConcernedParts = (
  { context }: EditorContext,
  ids: readonly number[],
  action: AskingAction,
  series: { ids: readonly number[]; scope: SharedScope } = { ids: [], scope: 'following' },
): Query<number[]> =>
  many(
    sql`SELECT ${events.id} AS id FROM ${events} WHERE ${events.post_parent} IN (
        SELECT value FROM ${eachOf(ids)} UNION
        SELECT date.id FROM ${eachOf(series.ids)} AS input CROSS JOIN ${events} AS first ON first.id = input.value
          CROSS JOIN ${events} AS date ON ${inScopeSql(series.scope)})
      AND ${events.id} NOT IN ${inList(ids)}
      AND ${events.status} <> 'trash' AND ${CONCERNED_PARTS_SQL[action]}
      AND ${ownedByCallerSql(events, context)} ORDER BY ${events.id} LIMIT ${literal(MAX_PARTS)}`,
    row => readNumber(row.id),
  )

/**
 * The page that asks if an action applies to the parts as well, and to more dates than there are ticked rows,
 * with the action as it was sent.
 */
export function askBeforehandPage(
  editor: EditorContext,
  entries: Entries,
  action: AskingAction,
  { parts, dates = 0 }: { parts: number; dates?: number },
): EditorPage {
  const { event, programme } = editor.texts
  const { label, button } = {
    cancel: { label: programme.cancelToo, button: event.cancelEvents },
    reinstate: { label: programme.reinstateToo, button: event.reinstate },
    toTrash: { label: programme.trashToo, button: editor.words.toTrash },
  }[action]
  const datesText = dates > 0 ? countedText(editor, event, 'standsFor', dates) : ''
  const question = {
    action: '/admin/events/bulk/',
    carried: new Map([...entries].filter(([name]) => name !== 'do')),
    buttons: html`<button class="button" type="submit" name="do" value="${action}">${button}</button>
<a class="button button-quiet" href="${listPathOf(entry(entries, 'back'))}">${editor.words.back}</a>`,
  }
  if (parts > 0) return followPage(editor, { ...question, count: parts, label, datesText })
  return notePage({
    title: event.forAllDates,
    text: datesText,
    body: form(editor, {
      action: question.action,
      className: 'stack',
      body: html`${hiddenInputs(new Map([...question.carried, ['scope', ['following']]]))}
<div class="actions">${question.buttons}</div>`,
    }),
  })
}

/** The second numbers in the inputs with a name, by the first numbers, which are ids: `12-3` is 3 for 12. */
const valuesById = (formData: FormData, name: string): ReadonlyMap<number, string> =>
  new Map(
    formData.getAll(name).flatMap(value => {
      const [, id, text] = /^(\d{1,15})-(\d{1,15})$/.exec(String(value)) ?? []
      return id && text ? [[Number(id), text] as const] : []
    }),
  )

/** A link to an event with its title, also in the trash; only its number if the caller may not read it. */
function rowTitle(editor: EditorContext, rows: readonly PlainEventRow[], id: number): Html {
  const row = rows.find(each => each.id === id)
  const { context } = editor
  return row && (isRowReadable(row, context) || mayReadUnpublished(context.caller, row))
    ? html`<a href="${editPath(id)}">${nameOf(row.title, row.slug)}</a>`
    : html`#${id}`
}
