import type { EventRow } from '../../calendar/events/rows.ts'
import { type Body, type Choices, wordsOfField } from '../../site/forms/control.ts'
import { entry, withEntries } from '../../site/forms/entries.ts'
import { buttonForm, form } from '../../site/forms/field-html.ts'
import { entriesFor } from '../../site/forms/form.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { withStored } from '../../site/forms/load.ts'
import { type FormState, renderForm } from '../../site/forms/render.ts'
import { backLink, type Html, html } from '../../site/html/html.ts'
import { linkTo } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { type CombinedEvent, combinedNotes } from '../duplicates/combined.ts'
import { historyPath } from '../history/area.ts'
import type { EditorPage } from '../layout.ts'
import type { Part } from '../programme/parts.ts'
import { programmeSection } from '../programme/section.ts'
import { freshState, type ShownResource } from '../resource-forms/resource.ts'
import { fieldsForm, newKey, statusButton } from '../resource-forms/routes.ts'
import { noteView, type ReviewNote } from '../review/notes.ts'
import { originNote } from '../source-paths.ts'
import { freshAddress } from '../visit.ts'
import { reasonField } from './bulk.ts'
import { badgesOf, editPath } from './rows.ts'
import { sharePath } from './share.ts'

/**
 * An event in its form, with the rest of the page: the reviewer's note, and the events that are joined with
 * it.
 */
export type KnownEvent = {
  row: EventRow
  note: ReviewNote | undefined
  combined: readonly CombinedEvent[]
  /** The parent event whose programme doesn't show this event until somebody confirms the parent. */
  unconfirmed: UnconfirmedParent | undefined
  parts: readonly Part[]
  /** True if its ticket availability follows from registrations. */
  hasDerivedTickets: boolean
  parent: { id: number; name: string } | undefined
  /** The address of its public page. */
  url: string
}

/** A parent event that is not confirmed, and whether the user may confirm it. */
type UnconfirmedParent = { id: number; name: string; mayConfirm: boolean }

/** The path of the action that confirms the parent of an event. */
export const confirmPath = (id: number | string): string => `${editPath(id)}part/`

/** The note that the parent's programme doesn't show the event yet, with the button that changes that. */
function unconfirmedNote(
  editor: EditorContext,
  { id, version }: EventRow,
  { id: parent, name, mayConfirm }: UnconfirmedParent,
): Html {
  const words = editor.texts.event
  return html`<div class="notice"><p>${filled(words.partUnconfirmed, { name })}${!mayConfirm && html` ${words.partNeedsEditor}`}</p>${
    mayConfirm &&
    buttonForm(editor, {
      action: confirmPath(id),
      text: words.partConfirm,
      hidden: html`<input type="hidden" name="parent" value="${parent}"><input type="hidden" name="version" value="${version}">`,
    })
  }</div>`
}

/** The page with the form of an event. @param event undefined for a new one */
export function eventFormPage(
  editor: EditorContext,
  formState: FormState,
  event: ShownResource<KnownEvent> | undefined,
  { opensTab }: Pick<FilledForm, 'opensTab'> = {},
): EditorPage {
  const words = editor.texts.event
  const knownEvent = event?.known
  const { row, note, combined } = knownEvent ?? {}
  // Whoever corrects what an editor has sent back wants to send it again, unless another status is chosen.
  const isReturned = note !== undefined && row?.status === 'draft' && !formState.choices.mayPublish
  const state =
    isReturned && !formState.isUnsaved
      ? { ...formState, entries: withEntries(formState.entries, [['status', ['pending']]]) }
      : formState
  const heading = event ? event.title : words.newEvent
  const parentId = event ? '' : entry(state.entries, 'post_parent')
  const parent = state.choices.chosen?.post_parent?.find(({ id }) => String(id) === parentId)
  const programme = programmeSection(editor, { state, id: event?.id, parts: knownEvent?.parts ?? [] })
  const instead = knownEvent?.hasDerivedTickets ? ticketNotes(editor) : undefined
  const parts = renderForm(
    editor,
    EVENT_FORM,
    { ...state, ...(instead && { replacements: instead }) },
    programme,
  )
  return {
    title: event ? `${words.editEvent}${editor.site.words.colon}${event.title}` : words.newEvent,
    main: html`${backLink('/admin/events/', editor.site.words.events)}
<div class="page-head"><div><h1>${heading}</h1>
${row && html`<p class="row-badges">${badgesOf(editor, row, row.series_id !== null && words.repeats)}</p>`}
${parent && html`<p class="small">${filled(editor.site.words.partOf, { name: parent.name })}</p>`}
${knownEvent?.parent && html`<p class="small">${filled(editor.site.words.partOf, { name: '' })}<a href="${editPath(knownEvent.parent.id)}">${plain(knownEvent.parent.name)}</a></p>`}</div>
${event?.known && otherActions(editor, event.known)}</div>
${knownEvent?.hasDerivedTickets && html`<p class="small">${words.peopleTold}</p>`}
${row && event?.known?.unconfirmed && unconfirmedNote(editor, row, event.known.unconfirmed)}
${row && html`${originNote(editor, row)}${combinedNotes(editor, row.id, combined ?? [])}`}
${note && noteView(editor, note)}${isReturned && html`<p>${editor.texts.review.noteSendAgain}</p>`}
${fieldsForm(editor, {
  action: editPath(event?.id),
  state,
  isPreviewed: event === undefined,
  hasDrafts: true,
  opensTab,
  body: html`${parts.head}
<div class="editor-columns"><div class="editor-main">${parts.main}</div>
<section class="editor-side" aria-label="${editor.texts.form.publication}"><div class="publication">${parts.publication}</div>
<div class="actions in-sight">${statusButton(editor, state, row?.status)}
<button class="button button-quiet" type="submit" name="do" value="preview" formnovalidate>${editor.site.words.preview}</button></div>
</section></div>`,
})}`,
  }
}

/** A note in place of the ticket fields, for an event that takes registrations. */
const ticketNotes = ({ texts, language }: EditorContext): ReadonlyMap<string, Html> =>
  new Map([
    ['ticketed', html``],
    [
      'ticket_availability',
      html`<p class="form-field"><strong>${wordsOfField(language, 'event', 'ticket_availability').label}</strong> <span class="small">${texts.reason.tickets_held}</span></p>\n`,
    ],
  ])

function otherActions(editor: EditorContext, { row, url }: KnownEvent): Html {
  const words = editor.texts.event
  const { id } = row
  const isPublished = row.status === 'publish'
  return html`<div class="actions event-actions">
${buttonForm(editor, {
  action: `${editPath(id)}duplicate/`,
  text: words.duplicate,
  hidden: html`<input type="hidden" name="key" value="${crypto.randomUUID()}">`,
})}
${cancelForm(editor, row)}
<details class="menu-button" name="menu"><summary class="button button-quiet">${editor.words.more}</summary><ul class="menu-items">
${isPublished && html`<li><a href="${freshAddress(linkTo(editor.site, url))}">${words.view}</a></li>`}
${!isPublished && html`<li><a href="${sharePath(id)}">${words.share}</a></li>`}
<li><a href="/admin/events/new/?part_of=${id}">${words.addPart}</a></li>
${editor.shell.eventPages
  .filter(({ isShown }) => isShown?.(editor) ?? true)
  .map(({ path, label }) => html`<li><a href="${path}${id}/">${label(editor.texts)}</a></li>\n`)}
<li><a href="${historyPath({ kind: 'event', id })}">${editor.texts.history.history}</a></li>
<li>${form(editor, {
    action: `${editPath(id)}trash/`,
    className: 'trash-form',
    body: html`<button class="link-button is-danger" type="submit">${editor.words.toTrash}</button>`,
  })}</li></ul></details></div>`
}

/** The button that cancels an event or one date of a series, with a reason, or reinstates it. */
function cancelForm(editor: EditorContext, { id, version, series_id, event_status }: EventRow): Html {
  const words = editor.texts.event
  const send = (action: string, label: string, extraFields: Html | '' = '') =>
    form(editor, {
      action: '/admin/events/bulk/',
      className: 'cancel-form',
      body: html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="version" value="${id}-${version}"><input type="hidden" name="back" value="${editPath(id)}">${extraFields}
<button class="button${action !== 'cancel' && ' button-quiet'}" type="submit" name="do" value="${action}">${label}</button>`,
    })
  if (event_status === 'canceled') return send('reinstate', words.reinstate)
  const text = series_id === null ? words.cancelEvent : words.cancelDate
  return html`<details class="menu-button" name="menu"><summary class="button button-quiet">${filled(editor.words.asks, { action: text })}</summary><div class="menu-items">${send(
    'cancel',
    text,
    reasonField('cancel-reason', words),
  )}</div></details>`
}

type FilledForm = {
  choices: Choices
  /** The values, as a response has them. */
  body: Body
  /** Inputs that differ from what the values show. */
  entries: Iterable<readonly [string, readonly string[]]>
  /** The key of the form, by default a new one. */
  key?: string | undefined
  /** True if the event opens in a tab of its own once it is saved. */
  opensTab?: boolean
  /** What stands below the inputs of fields, by their names. @see FormState */
  offers?: FormState['offers']
}

/** The form of a new event, filled with values that were found elsewhere. */
export function filledEventForm(
  editor: EditorContext,
  { choices, body, entries, key, opensTab = false, offers }: FilledForm,
): EditorPage {
  const { context } = editor
  const initial = { timezone: context.settings.timezone }
  const state = freshState(EVENT_FORM, entriesFor(EVENT_FORM, initial, context), choices, newKey(key))
  const values = { ...initial, ...body }
  return eventFormPage(
    editor,
    {
      ...state,
      entries: withEntries(entriesFor(EVENT_FORM, values, context), entries),
      choices: withStored(choices, values),
      offers,
    },
    undefined,
    { opensTab },
  )
}
