import { EVENTS } from '../../calendar/events/resource.ts'
import type { EventRow } from '../../calendar/events/rows.ts'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { isAlreadySavedError, withFormKey } from '../../kit/http/idempotency.ts'
import { shortDigest } from '../../kit/lib/hash.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import { itemsIn } from '../../site/forms/controls/links.ts'
import { type Entries, entry } from '../../site/forms/entries.ts'
import { ADD_ROW } from '../../site/forms/posted.ts'
import type { FormState } from '../../site/forms/render.ts'
import { isDone, reasonsOf, submit } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import { inLine, nameOf, plain } from '../../site/html/text.ts'
import { shortMoment } from '../../site/html/when.ts'
import type { EditorContext } from '../context.ts'
import { badgesOf, editPath, selectEventById } from '../events/rows.ts'
import { publishPath } from '../publish/area.ts'
import { followingIn } from './follow.ts'
import { MAX_PARTS, type Part, selectParts } from './parts.ts'
import {
  changesProgramme,
  furtherRow,
  type NewPartValues,
  nextKey,
  type PartRow,
  partRows,
  rowErrorName,
  rowInputName,
  rowRequests,
} from './rows.ts'

/**
 * The input with a key of the form. Because of the key, new parts are made once even if the form is sent
 * again.
 */
const KEY_INPUT = 'parts_key'
/** The input that keeps new parts out of lists. */
const ONLY_HERE_INPUT = 'parts_only_here'

/** The most characters of the parts in a form, because the form is sent back: each part may have 23,000. */
const MAX_TEXT = 500_000

/**
 * The parts that the form shows: the first ones, and those that it already had when it was sent. Titles count
 * four times, because controls are named after them.
 */
function firstParts(parts: readonly Part[], entries: Entries): Part[] {
  let textLength = 0
  return parts.filter(({ id, title, room, excerpt }, i) => {
    textLength += 4 * title.length + 2 * room.length + excerpt.length
    return (i < MAX_PARTS && textLength <= MAX_TEXT) || entries.has(rowInputName(String(id), 'version'))
  })
}

type Programme = { state: FormState; id: number | undefined; parts: readonly Part[] }

/**
 * The programme of an event in its form: its parts as a timetable that can be changed, and a button for
 * another.
 */
export function programmeSection(editor: EditorContext, { state, id, parts }: Programme): Html {
  const { site, texts } = editor
  const words = texts.programme
  const { entries, errors } = state
  const shownParts = firstParts(parts, entries)
  const knownRows = partRows(shownParts, entries, site.context)
  const next = nextKey(entries)
  const day = entry(entries, 'start_date')
  const isAdding = entry(entries, 'do') === ADD_ROW
  const rows = isAdding ? [...knownRows, furtherRow(knownRows, next, day)] : knownRows
  const waitingParts = shownParts.filter(
    ({ status, isEditable }) => isEditable && ['draft', 'pending'].includes(status),
  )
  const isOnlyHere = state.isUnsaved
    ? entries.has(ONLY_HERE_INPUT)
    : shownParts.length > 0 && shownParts.every(({ hide_from_listings }) => hide_from_listings)
  const rooms = new Set(rows.map(row => entry(row.entries, 'room').trim()).filter(Boolean))
  const rowHtml = (row: PartRow, isFocused: boolean) =>
    html`<li>${row.part?.isEditable === false ? fixedRow(editor, row.part) : rowInputs(editor, { row, error: errors.get(rowErrorName(row.key)), isFocused })}</li>\n`
  return html`<details class="form-fold programme" id="programme"${(rows.length > 0 || isAdding) && html` open`}><summary><span class="fold-name">${site.words.programme}</span> <span class="small">${rows.length > 0 ? countedText(editor, words, 'items', rows.length) : words.what}</span></summary>
<p class="field-help">${words.help}</p>
<input type="hidden" name="${KEY_INPUT}" value="${entry(entries, KEY_INPUT) || crypto.randomUUID()}">
<ol class="programme-rows" data-next="${next + (isAdding ? 1 : 0)}" data-day="${day}">${rows.map((row, i) => rowHtml(row, isAdding && i === rows.length - 1))}</ol>
<template>${rowHtml({ ...furtherRow([], 0, ''), key: 'n0' }, false)}</template>
<datalist id="programme-rooms">${[...rooms].map(room => html`<option value="${room}"></option>`)}</datalist>
${parts.length > shownParts.length && html`<p class="small">${countedText(editor, words, 'onlyFirst', shownParts.length)}</p>`}
<p><button class="button button-quiet" type="submit" name="do" value="${ADD_ROW}" formnovalidate>${words.add}</button></p>
<p class="form-check"><input id="${ONLY_HERE_INPUT}" type="checkbox" name="${ONLY_HERE_INPUT}" value="1"${isOnlyHere && html` checked`}><label for="${ONLY_HERE_INPUT}">${words.onlyHere}</label></p>
${id !== undefined && waitingParts.length > 0 && html`<p class="small">${countedText(editor, words, 'waiting', waitingParts.length)} <a href="${publishPath({ events: waitingParts.map(({ id }) => id), scope: 'this', backPath: editPath(id) })}">${words.publishWaiting}</a></p>`}
</details>`
}

/** The labels of a part: whether it is public, takes place, and is shown. */
const partBadges = (editor: EditorContext, part: Part): Html =>
  badgesOf(editor, part, part.parent_confirmed_by === null && editor.texts.programme.unconfirmed)

/** A part that belongs to somebody else, as text. */
function fixedRow(editor: EditorContext, part: Part): Html {
  const when = shortMoment(editor.site, part.start_date, part.all_day)
  return html`<p class="fixed-row">${when} <strong>${nameOf(part.title, part.slug)}</strong> ${inLine([part.room])} ${partBadges(editor, part)}</p>`
}

type RowView = { row: PartRow; error: string | undefined; isFocused: boolean }

/** The inputs of a row. Each has a label, which wide screens show above the first row only. */
function rowInputs(
  editor: EditorContext,
  { row: { key, part, entries, isRemoved }, error, isFocused }: RowView,
): Html {
  const { texts, language } = editor
  const words = texts.programme
  const id = `part-${key}`
  const labelOf = (fieldName: string): string => wordsOfField(language, 'event', fieldName).label
  const attributes = (input: string): Html =>
    html` id="${id}-${input}" name="${rowInputName(key, input)}"${error !== undefined && html` aria-describedby="${id}-error"`}`
  const field = (input: string, label: string, more: Html): Html =>
    html`<div class="part-${input}"><label for="${id}-${input}">${label}</label><input${attributes(input)} value="${entry(entries, input)}"${more} autocomplete="off"></div>`
  const hiddenEntries = ['version', 'was', 'end_date', 'end_date_was', 'all_day'].flatMap(name =>
    entries.has(name)
      ? [html`<input type="hidden" name="${rowInputName(key, name)}" value="${entry(entries, name)}">`]
      : [],
  )
  const name = part ? nameOf(part.title, part.slug) : entry(entries, 'title') || words.newItem
  const isAllDay = entries.has('all_day')
  return html`<fieldset class="part${error !== undefined && ' has-error'}"><legend class="hidden">${name}</legend>${hiddenEntries}
${error !== undefined && html`<p class="field-error" id="${id}-error">${error}</p>`}
<div class="part-inputs">${field('start_date', texts.form.day, html` type="date"`)}
${
  isAllDay
    ? html`<p class="part-all-day">${labelOf('all_day')}</p>`
    : html`${field('start_date_time', texts.form.from, html` type="time"${isFocused && html` autofocus`}`)}
${field('end_date_time', texts.form.until, html` type="time"`)}`
}
${field('title', labelOf('title'), html` maxlength="2000"`)}
${field('room', labelOf('room'), html` maxlength="${FIELD_LIMITS.text}" list="programme-rooms"`)}
<div class="part-excerpt"><label for="${id}-excerpt">${words.text}</label><textarea${attributes('excerpt')} rows="1">
${entry(entries, 'excerpt')}</textarea></div></div>
<div class="part-more"><span class="form-check"><input id="${id}-remove" type="checkbox" name="${rowInputName(key, 'remove')}" value="1"${isRemoved && html` checked`}><label for="${id}-remove">${words.remove}<span class="hidden">${editor.site.words.colon}${name}</span></label></span>
${part && html`${partBadges(editor, part)} <a href="${editPath(part.id)}">${words.allOfIt}<span class="hidden">${editor.site.words.colon}${name}</span></a>`}</div></fieldset>`
}

/** The error of a row that somebody else has changed in the meantime, with what is stored. */
const changedMeanwhile = (
  { site, texts }: EditorContext,
  { start_date, all_day, title, room }: Part,
): string =>
  `${texts.programme.changed} ${[shortMoment(site, start_date, all_day), plain(title), plain(room)].filter(Boolean).join(', ')}`

/** The values that new parts share with the event: its venue, categories, zone and status. */
function valuesForNewParts(context: BaseContext, parent: EventRow, isOnlyHere: boolean): NewPartValues {
  const { id, timezone, status, date, venue, categories } = EVENTS.serialize(parent, context)
  const idsOf = (value: unknown) => itemsIn(value).map(item => item.id)
  return {
    post_parent: id,
    timezone,
    status,
    ...(status === 'future' && { date }),
    venue: idsOf(venue),
    categories: idsOf(categories),
    ...(isOnlyHere && { hide_from_listings: true }),
  }
}

/**
 * Saves what was typed in the programme of a stored event: all of it, or nothing.
 *
 * @returns the errors of rows
 */
export async function saveProgramme(
  editor: EditorContext,
  { entries, id }: { entries: Entries; id: number },
): Promise<Map<string, string>> {
  const { context } = editor
  if (!changesProgramme(entries)) return new Map()
  const { parts, parent } = await context.db.read(
    combineQueries({ parts: selectParts(context, id), parent: selectEventById(context, id) }),
  )
  if (!parent) return new Map()
  const requests = rowRequests(
    partRows(parts, entries, context),
    {
      newPartValues: valuesForNewParts(context, parent, entries.has(ONLY_HERE_INPUT)),
      following: followingIn(entries),
    },
    context,
  )
  const key = entry(entries, KEY_INPUT)
  // Somebody who goes back and types another row sends the same key with other rows.
  const rowsDigest = await shortDigest(JSON.stringify(requests.map(({ request }) => request)))
  const replies = await submit(
    editor,
    requests.map(({ request }) => request),
    { isWhole: true, before: key === '' ? undefined : withFormKey(context, `${key} ${rowsDigest}`) },
  ).catch((error: unknown) => {
    // These rows were saved when the form was sent before.
    if (isAlreadySavedError(error)) return []
    throw error
  })
  return new Map(
    requests.flatMap(({ row: { key, part } }, i): [string, string][] => {
      const reply = replies[i]
      if (!reply || isDone(reply)) return []
      const text = reply.status === 412 && part ? changedMeanwhile(editor, part) : reasonsOf(editor, reply)
      return [[rowErrorName(key), text]]
    }),
  )
}
