import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { columnList, decodeRow } from '../../../db/columns.ts'
import { first, inList, many, mapped, number, settled, string, together } from '../../../db/query.ts'
import { events, images, organizers, series, venues } from '../../../db/tables.ts'
import { ANONYMOUS, mayEdit } from '../../../lib/roles.ts'
import { pick } from '../../../lib/values.ts'
import { holdOf } from '../../../resources/content/dependents.ts'
import { isUsable } from '../../../resources/content/references.ts'
import { isReadable } from '../../../resources/content/visibility.ts'
import type { Scope } from '../../../resources/events/recurrence/fields.ts'
import { EVENTS } from '../../../resources/events/resource.ts'
import type { EventRow } from '../../../resources/events/rows.ts'
import { filled } from '../../../words/words.ts'
import { type Body, type Choices, wordsOfField } from '../../forms/control.ts'
import { buttonForm, form, textOf } from '../../forms/element.ts'
import { entry, withEntries } from '../../forms/entries.ts'
import { entriesFor } from '../../forms/form.ts'
import { EVENT_FORM } from '../../forms/forms.ts'
import { idsIn, withStored } from '../../forms/load.ts'
import { ALL_DATES, carried, changedValues, type SubmittedForm } from '../../forms/posted.ts'
import { type FormState, renderForm } from '../../forms/render.ts'
import { onlyLeavesOut, scopeIn } from '../../forms/repetition/control.ts'
import { KNOWN } from '../../forms/repetition/rule.ts'
import { ifVersion } from '../../forms/requests.ts'
import { backLink, type Html, html } from '../../html/html.ts'
import { linkTo } from '../../html/page-context.ts'
import { nameOf, plain } from '../../html/text.ts'
import type { EditorContext } from '../context.ts'
import { type CombinedEvent, combinedNotes, selectCombined } from '../duplicates/area.ts'
import { freshState, type ShownResource } from '../forms/resource.ts'
import { fieldsForm, formRoutes, newKey, statusButton } from '../forms/routes.ts'
import { historyPath } from '../history/page.ts'
import type { AdminPage } from '../layout.ts'
import { originNote } from '../origins.ts'
import { defineRequest } from '../pages-and-actions.ts'
import { followQuestion } from '../programme/follow.ts'
import { type Part, selectParts, selectWaitingParts } from '../programme/parts.ts'
import { changesProgramme, isOfProgramme, rowErrors } from '../programme/rows.ts'
import { programmeSection, saveProgramme } from '../programme/section.ts'
import { hasUnseen } from '../publish/description.ts'
import { publishPath, selectToPublish } from '../publish/page.ts'
import { describedTerms, detachedFields, parentToConfirm } from '../publish/queries.ts'
import { SHOWN, type ShownVersion, selectVersions, versionsValue } from '../publish/versions.ts'
import { selectSeriesDates, withinNext } from '../repetition/dates.ts'
import { scopeQuestion } from '../repetition/scope.ts'
import type { Outcome } from '../respond.ts'
import { noteView, type ReviewNote, selectReviewNotes } from '../review/notes.ts'
import { inTrashPage } from '../trash/area.ts'
import { freshAddress } from '../visit.ts'
import { reasonField } from './bulk.ts'
import { clashQuestion } from './clash.ts'
import { previewPage } from './preview.ts'
import { assertEditableEvent, badgesOf, editPath, eventById } from './rows.ts'
import { sharePath } from './share.ts'

/** An event in its form, with the rest of the page: the reviewer's note, and the events that are joined with it. */
type KnownEvent = {
  row: EventRow
  note: ReviewNote | undefined
  combined: readonly CombinedEvent[]
  /** The parent event whose programme doesn't show it until somebody confirms that. */
  unconfirmed: UnconfirmedParent | undefined
  parts: readonly Part[]
  /** True if its ticket availability follows from registrations. */
  isHeld: boolean
  whole: { id: number; name: string } | undefined
  /** The address of its public page. */
  url: string
}

/** A parent event that is not confirmed, and whether the user may do that. */
type UnconfirmedParent = { id: number; name: string; mayConfirm: boolean }

/** The path of the action that confirms the parent of an event. */
const confirmPath = (id: number | string): string => `${editPath(id)}part/`

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
function eventFormPage(
  editor: EditorContext,
  state: FormState,
  event: ShownResource<KnownEvent> | undefined,
  { opensTab }: Pick<FilledForm, 'opensTab'> = {},
): AdminPage {
  const words = editor.texts.event
  const known = event?.known
  const { row, note, combined } = known ?? {}
  const heading = event ? event.title : words.newEvent
  const wholeId = event ? '' : entry(state.entries, 'post_parent')
  const whole = state.choices.chosen?.post_parent?.find(({ id }) => String(id) === wholeId)
  const programme = programmeSection(editor, { state, id: event?.id, parts: known?.parts ?? [] })
  const instead = known?.isHeld ? ticketsHeld(editor) : undefined
  const parts = renderForm(editor, EVENT_FORM, { ...state, ...(instead && { instead }) }, programme)
  return {
    title: event ? `${words.editEvent}: ${event.title}` : words.newEvent,
    main: html`${backLink('/admin/events/', editor.site.words.events)}
<div class="page-head"><div><h1>${heading}</h1>
${row && html`<p class="row-badges">${badgesOf(editor, row, row.series_id !== null && words.repeats)}</p>`}
${whole && html`<p class="small">${filled(editor.site.words.partOf, { name: whole.name })}</p>`}
${known?.whole && html`<p class="small">${filled(editor.site.words.partOf, { name: '' })}<a href="${editPath(known.whole.id)}">${plain(known.whole.name)}</a></p>`}</div>
${event?.known && otherActions(editor, event.known)}</div>
${row && event?.known?.unconfirmed && unconfirmedNote(editor, row, event.known.unconfirmed)}
${row && html`${originNote(editor, row)}${combinedNotes(editor, row.id, combined ?? [])}`}
${note && noteView(editor, note)}
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
const ticketsHeld = ({ texts, language }: EditorContext): ReadonlyMap<string, Html> =>
  new Map([
    ['ticketed', html``],
    [
      'ticket_availability',
      html`<p class="form-field"><strong>${wordsOfField(language, 'event', 'ticket_availability').label}</strong> <span class="small">${texts.reason.tickets_held}</span></p>\n`,
    ],
  ])

/** The links and buttons for the stored event. */
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
${cancellation(editor, row)}
<details class="menu-button" name="menu"><summary class="button button-quiet">${editor.words.more}</summary><ul class="menu-items">
${isPublished && html`<li><a href="${freshAddress(linkTo(editor.site, url))}">${words.view}</a></li>`}
${!isPublished && html`<li><a href="${sharePath(id)}">${words.share}</a></li>`}
<li><a href="/admin/events/new/?part_of=${id}">${words.addPart}</a></li>
${editor.shell.ofEvent
  .filter(({ isShown }) => isShown?.(editor) ?? true)
  .map(({ path, label }) => html`<li><a href="${path}${id}/">${label(editor.texts)}</a></li>\n`)}
<li><a href="${historyPath({ kind: 'event', id })}">${editor.texts.history.history}</a></li>
<li>${form(editor, {
    action: `${editPath(id)}trash/`,
    look: 'trash-form',
    body: html`<button class="link-button is-danger" type="submit">${editor.words.toTrash}</button>`,
  })}</li></ul></details></div>`
}

/** The button that cancels an event or one date of a series, with a reason, or reinstates it. */
function cancellation(editor: EditorContext, { id, version, series_id, event_status }: EventRow): Html {
  const words = editor.texts.event
  const send = (action: string, text: string, more: Html | '' = '') =>
    form(editor, {
      action: '/admin/events/bulk/',
      look: 'cancel-form',
      body: html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="version" value="${id}-${version}"><input type="hidden" name="back" value="${editPath(id)}">${more}
<button class="button${action !== 'cancel' && ' button-quiet'}" type="submit" name="do" value="${action}">${text}</button>`,
    })
  if (event_status === 'canceled') return send('reinstate', words.reinstate)
  const text = series_id === null ? words.cancelEvent : words.cancelDate
  return html`<details class="menu-button" name="menu"><summary class="button button-quiet">${filled(editor.words.asks, { action: text })}</summary><div class="menu-items">${send(
    'cancel',
    text,
    reasonField('cancel-reason', words),
  )}</div></details>`
}

/** The versions of everything that the form shows except the event itself, which has its own version. */
const alongside = (shown: readonly ShownVersion[]) => shown.filter(([kind]) => kind !== 'event')

/** The changed values for a request about some dates of a series. */
const bodyFor = (context: RequestContext, { entries }: SubmittedForm, scope: Scope) =>
  changedValues(context, EVENT_FORM, { entries: withEntries(entries, [['scope', [scope]]]) })

/** The preview, or a question: about the dates of a series, about other events in the same hall, or about the parts. */
async function instead(
  editor: EditorContext,
  posted: SubmittedForm,
  id: number | undefined,
): Promise<Outcome | undefined> {
  if (posted.action === 'preview') return previewPage(editor, posted, id)
  const action = editPath(id)
  return (
    (await scopeAsked(editor, posted, id)) ??
    (await clashQuestion(editor, { posted, id, action })) ??
    (id === undefined ? undefined : await followQuestion(editor, { entries: posted.entries, id, action }))
  )
}

async function scopeAsked(editor: EditorContext, posted: SubmittedForm, id: number | undefined) {
  const { entries, version } = posted
  if (id === undefined || scopeIn(entries) || !entries.has(KNOWN)) return undefined
  if (onlyLeavesOut(bodyFor(editor.context, posted, 'all'))) return undefined
  return scopeQuestion(editor, {
    id,
    version,
    bodyOf: scope => bodyFor(editor.context, posted, scope),
    action: editPath(id),
    carried: carried(posted),
  })
}

/**
 * The page that confirms the publication, if dates, venues or descriptions of categories become public that the form does not show,
 * or a text by another author in which something is easily missed.
 */
async function publishing({ context }: EditorContext, { entries }: SubmittedForm, id: number | undefined) {
  const scope = scopeIn(entries) ?? 'this'
  const unpublished = (table: typeof venues | typeof organizers, name: 'venue' | 'organizer') =>
    many(
      sql`SELECT id FROM ${table} WHERE id IN ${inList(idsIn(entries, name))} AND status IN ('draft', 'pending')`,
      row => number(row.id),
    )
  const {
    items: [item],
    parts,
    shown,
    images: [image],
    ...chosen
  } = await context.db.read(
    together({
      items: id === undefined ? settled([]) : selectToPublish(context, { events: [id], scope }),
      parts: id === undefined ? settled([]) : selectWaitingParts(context, id),
      shown: id === undefined ? settled([]) : selectVersions('event', id),
      images: many(
        sql`SELECT id FROM ${images} WHERE id IN ${inList(idsIn(entries, 'image'))} AND author_id IS NOT ${context.caller.id}
          AND ${isUsable({ ...context, caller: ANONYMOUS })} IS NOT 1 AND id IS NOT (SELECT image_id FROM ${events} WHERE id = ${id ?? 0})`,
        row => number(row.id),
      ),
      venues: unpublished(venues, 'venue'),
      organizers: unpublished(organizers, 'organizer'),
    }),
  )
  const isLinked = (kind: 'venues' | 'organizers', id: number) =>
    item?.row[kind].some(row => row.id === id) ?? false
  const hasNew = (['venues', 'organizers'] as const).some(kind =>
    chosen[kind].some(id => !isLinked(kind, id)),
  )
  const isMore =
    item !== undefined &&
    (item.dates !== undefined ||
      item.newLinks.length + describedTerms(item).length > 0 ||
      parentToConfirm(item) !== undefined ||
      detachedFields(item.row).length > 0 ||
      (item.row.author_id !== context.caller.id && hasUnseen(item.row.description)))
  // Something changed after the form was made, or was chosen without being shown in full.
  const isOther = image !== undefined || versionsValue(alongside(shown)) !== entry(entries, SHOWN)
  if (!hasNew && !isMore && !isOther && parts.length === 0) return undefined
  // Parts that are typed in the form are saved by then.
  return async (saved: number) => {
    const waiting = await context.db.read(selectWaitingParts(context, saved))
    return publishPath({ events: [saved, ...waiting], scope, back: editPath(saved) })
  }
}

const PARENT = pick(events, 'id', 'title', 'author_id', 'status')

/** The pages and actions of the form of events. */
const initialEvent = ({ settings }: RequestContext): Body => ({ timezone: settings.timezone })

type FilledForm = {
  choices: Choices
  body: Body
  entries: Iterable<readonly [string, readonly string[]]>
  /** True if the event opens in a tab of its own once it is saved. */
  opensTab?: boolean
  /** Marks of fields, by their names. @see FormState */
  marks?: FormState['marks']
}

/**
 * The form of a new event, filled with values that were found elsewhere.
 *
 * @param filled the values as a response has them, and inputs that differ from what these show
 */
export function filledEventForm(
  editor: EditorContext,
  { choices, body, entries, opensTab = false, marks }: FilledForm,
): AdminPage {
  const { context } = editor
  const initial = initialEvent(context)
  const state = freshState(EVENT_FORM, entriesFor(EVENT_FORM, initial, context), choices, newKey())
  const found = { ...initial, ...body }
  return eventFormPage(
    editor,
    {
      ...state,
      entries: withEntries(entriesFor(EVENT_FORM, found, context), entries),
      choices: withStored(choices, found),
      marks,
    },
    undefined,
    { opensTab },
  )
}

export const eventForm = formRoutes<KnownEvent>({
  form: EVENT_FORM,
  collection: '/events',
  nameField: 'title',
  requires: 'edit_content',
  address: editPath,
  initial: initialEvent,
  stored: (editor, id, posted) => {
    const { context } = editor
    const isAll =
      posted?.has(ALL_DATES) === true || (posted !== undefined && entry(posted, 'do') === ALL_DATES)
    return together(
      {
        found: eventById(context, id),
        first_date: first(
          sql`SELECT start_date FROM ${series} WHERE id = (SELECT series_id FROM ${events} WHERE id = ${id})`,
          row => string(row.start_date),
        ),
        notes: selectReviewNotes(context, sql`SELECT ${id}`),
        combined: selectCombined(id),
        parts: selectParts(context, id),
        held: many(
          sql`SELECT ${holdOf(sql`events`)} FROM ${events} WHERE id = ${id} AND held IS NOT NULL`,
          () => true,
        ),
        dates: selectSeriesDates(editor, id, isAll),
        shown: selectVersions('event', id),
        parent: many(
          sql`SELECT ${columnList(PARENT)} FROM ${events}
            WHERE id = (SELECT post_parent FROM events WHERE id = ${id}) AND ${isReadable(events, context)}`,
          raw => {
            const { id, title: name, ...owned } = decodeRow(PARENT, raw)
            return { id, name, mayConfirm: mayEdit(context.caller, owned) }
          },
        ),
      },
      ({ found, first_date, notes: [note], combined, parts, held, dates, shown, parent: [parent] }) =>
        () => {
          const row = assertEditableEvent(context, found)
          const { version } = row
          const post_parent = parent ?? row.post_parent
          const body = EVENTS.serialize(row, context)
          return {
            // The response, the parent event, and the first date of the series.
            body: { ...body, post_parent, ...(body.series && { series: { ...body.series, first_date } }) },
            version,
            shown: versionsValue(alongside(shown)),
            ...(row.series_id !== null && { choices: { dates: withinNext(dates, isAll) } }),
            title: nameOf(row.title, row.slug),
            known: {
              row,
              note,
              combined,
              parts,
              isHeld: held.length > 0,
              whole: parent,
              unconfirmed: row.parent_confirmed_by === null ? parent : undefined,
              url: body.url,
            },
          }
        },
    )
  },
  asPartOf: (context, id) =>
    mapped(EVENTS.select(context, sql`${events.id} = ${id} AND ${isReadable(events, context)}`), ([row]) => {
      if (!row) return {}
      const { title, timezone } = row
      // Whole days say nothing about the time of a part.
      const start_date = row.all_day ? row.start_date.slice(0, 10) : row.start_date
      const { venue } = EVENTS.serialize(row, context)
      return { post_parent: { id, name: title }, start_date, timezone, venue }
    }),
  page: (editor, state, event) => eventFormPage(editor, state, event),
  inTrash: (editor, { row: { id, version, title, slug, status } }) =>
    status === 'trash'
      ? inTrashPage(
          editor,
          { kind: 'event', id, version, name: nameOf(title, slug) },
          editor.texts.event.inTrash,
        )
      : undefined,
  instead,
  publishing,
  rows: {
    isOwn: isOfProgramme,
    isChanged: changesProgramme,
    check: ({ texts }, entries) => rowErrors(entries, texts),
    save: saveProgramme,
  },
  more: ({ context }, posted, id) => {
    const scope =
      scopeIn(posted.entries) ?? (onlyLeavesOut(bodyFor(context, posted, 'all')) ? 'all' : undefined)
    return id !== undefined && scope ? { scope } : {}
  },
})

/** Confirms that an event is a part of its parent, as its form has shown it. For a series, this includes all dates with the same parent. */
export const confirmPartAction = defineRequest({
  path: confirmPath(':id{[0-9]+}'),
  requires: 'edit_content',
  request: async ({ context }, { id, form }) => {
    const row = assertEditableEvent(context, await context.db.read(eventById(context, id)))
    const isShared = row.series_id !== null && !detachedFields(row).includes('post_parent')
    return {
      method: 'PATCH',
      path: `/events/${id}${isShared ? '?scope=all' : ''}`,
      headers: ifVersion(textOf(form, 'version')),
      body: { post_parent: textOf(form, 'parent') },
    }
  },
  done: ({ texts }, _, { id }) => ({ to: editPath(id), notice: { text: texts.event.partConfirmed } }),
  back: editPath,
})
