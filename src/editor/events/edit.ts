import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { protectionColumn } from '../../calendar/content/dependents.ts'
import { usableSql } from '../../calendar/content/known-references.ts'
import { readableSql } from '../../calendar/content/visibility.ts'
import type { Scope } from '../../calendar/events/recurrence-fields.ts'
import { EVENTS } from '../../calendar/events/resource.ts'
import type { BaseContext } from '../../kit/context.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import {
  combineQueries,
  countOf,
  first,
  inList,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { events, images, organizers, series, venues } from '../../kit/db/tables.ts'
import { integer } from '../../kit/http/params.ts'
import { ANONYMOUS, may, mayEdit } from '../../kit/lib/roles.ts'
import { isPublicStatus } from '../../kit/lib/statuses.ts'
import { dayOf } from '../../kit/lib/time.ts'
import { pick } from '../../kit/lib/values.ts'
import { type Entries, entriesOf, entry, withEntries } from '../../site/forms/entries.ts'
import { formText } from '../../site/forms/field-html.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { idsInEntries, selectChoices } from '../../site/forms/load.ts'
import {
  ALL_DATES,
  changedValues,
  entriesToResend,
  programmeEntries,
  type SubmittedForm,
} from '../../site/forms/posted.ts'
import { isOnlyExclusion, scopeIn } from '../../site/forms/repetition/control.ts'
import { KNOWN_INPUT } from '../../site/forms/repetition/rule.ts'
import { errorsOf, ifVersion } from '../../site/forms/requests.ts'
import { nameOf } from '../../site/html/text.ts'
import type { EditorContext } from '../context.ts'
import { selectCombined } from '../duplicates/combined.ts'
import { defineEditorPage, defineRequest } from '../pages-and-actions.ts'
import { followQuestion } from '../programme/follow.ts'
import { selectParts, selectWaitingParts } from '../programme/parts.ts'
import { changesProgramme, rowErrors } from '../programme/rows.ts'
import { saveProgramme } from '../programme/section.ts'
import { publishPath, selectToPublish } from '../publish/area.ts'
import { hasUnseen } from '../publish/description.ts'
import { describedTerms, detachedFields, parentToConfirm } from '../publish/queries.ts'
import { SHOWN_INPUT, type ShownVersion, selectVersions, versionsValue } from '../publish/versions.ts'
import { selectSeriesDates } from '../repetition/dates.ts'
import { scopeQuestion } from '../repetition/scope.ts'
import {
  checkForm,
  refusedForm,
  runOrRefuse,
  type SavedForm,
  saveForm,
  selectForm,
} from '../resource-forms/resource.ts'
import { type StoredForm, storedPage } from '../resource-forms/routes.ts'
import type { EditorResponse } from '../respond.ts'
import { selectReviewNotes } from '../review/notes.ts'
import { inTrashPage } from '../trash/area.ts'
import { clashQuestion } from './clash.ts'
import { confirmPath, eventFormPage, filledEventForm, type KnownEvent } from './form-page.ts'
import { previewPage } from './preview.ts'
import { editPath, requireEditableEvent, selectEventById } from './rows.ts'

/** The versions of everything that the form shows except the event itself, which has its own version. */
const relatedVersions = (shown: readonly ShownVersion[]) => shown.filter(([kind]) => kind !== 'event')

/**
 * A function that returns the address of the page that confirms the publication, for the id of the saved
 * event. Undefined unless publishing also makes public what the form does not show (dates, venues,
 * descriptions of categories), or a text by another author in which something is easily missed.
 */
async function findConfirmation(
  { context }: EditorContext,
  { entries }: SubmittedForm,
  id: number | undefined,
) {
  const scope = scopeIn(entries) ?? 'this'
  const selectUnpublished = (table: typeof venues | typeof organizers, name: 'venue' | 'organizer') =>
    many(
      sql`SELECT id FROM ${table} WHERE id IN ${inList(idsInEntries(entries, name))} AND status IN ('draft', 'pending')`,
      row => readNumber(row.id),
    )
  const {
    items: [item],
    parts,
    shown,
    images: [image],
    ...chosen
  } = await context.db.read(
    combineQueries({
      items: id === undefined ? resolvedQuery([]) : selectToPublish(context, { events: [id], scope }),
      parts: id === undefined ? resolvedQuery([]) : selectWaitingParts(context, id),
      shown: id === undefined ? resolvedQuery([]) : selectVersions('event', id),
      images: many(
        sql`SELECT id FROM ${images} WHERE id IN ${inList(idsInEntries(entries, 'image'))} AND author_id IS NOT ${context.caller.id}
          AND ${usableSql({ ...context, caller: ANONYMOUS })} IS NOT 1
          AND id IS NOT (SELECT image_id FROM ${events} WHERE id = ${id ?? 0})`,
        row => readNumber(row.id),
      ),
      venues: selectUnpublished(venues, 'venue'),
      organizers: selectUnpublished(organizers, 'organizer'),
    }),
  )
  const isLinked = (kind: 'venues' | 'organizers', linkedId: number) =>
    item?.row[kind].some(row => row.id === linkedId) ?? false
  const linksOthers = (['venues', 'organizers'] as const).some(kind =>
    chosen[kind].some(chosenId => !isLinked(kind, chosenId)),
  )
  const hasMoreToPublish =
    item !== undefined &&
    (item.dates !== undefined ||
      item.newLinks.length + describedTerms(item).length > 0 ||
      parentToConfirm(item) !== undefined ||
      detachedFields(item.row).length > 0 ||
      (item.row.author_id !== context.caller.id && hasUnseen(item.row.description)))
  // Something changed after the form was made, or was chosen without being shown in full.
  const hasUnshown =
    image !== undefined || versionsValue(relatedVersions(shown)) !== entry(entries, SHOWN_INPUT)
  if (!linksOthers && !hasMoreToPublish && !hasUnshown && parts.length === 0) return undefined
  // Parts that are typed in the form are already saved when this is called.
  return async (savedId: number) => {
    const waiting = await context.db.read(selectWaitingParts(context, savedId))
    return publishPath({ events: [savedId, ...waiting], scope, backPath: editPath(savedId) })
  }
}

/** The changed values for a request about some dates of a series. */
const bodyFor = (context: BaseContext, { entries }: SubmittedForm, scope: Scope) =>
  changedValues(context, EVENT_FORM, { entries: withEntries(entries, [['scope', [scope]]]) })

/**
 * The preview, or a question: about the dates of a series, about other events in the same hall, or about the
 * parts.
 */
async function previewOrQuestion(
  editor: EditorContext,
  posted: SubmittedForm,
  id: number | undefined,
): Promise<EditorResponse | undefined> {
  if (posted.action === 'preview') return previewPage(editor, posted, id)
  const action = editPath(id)
  return (
    (await askForScope(editor, posted, id)) ??
    (await clashQuestion(editor, { posted, id, action, change: seriesChange(editor, posted, id) })) ??
    (id === undefined ? undefined : await followQuestion(editor, { entries: posted.entries, id, action }))
  )
}

/** The scope of a change. A change that only leaves out dates is about all of them, without a question. */
const scopeOf = ({ context }: EditorContext, posted: SubmittedForm): Scope | undefined =>
  scopeIn(posted.entries) ?? (isOnlyExclusion(bodyFor(context, posted, 'all')) ? 'all' : undefined)

/** The request about several dates of a series; undefined for any other. */
function seriesChange(editor: EditorContext, posted: SubmittedForm, id: number | undefined) {
  const scope = id === undefined ? undefined : scopeOf(editor, posted)
  if (id === undefined || scope === undefined || scope === 'this') return undefined
  const bodyOf = (each: Scope) => bodyFor(editor.context, posted, each)
  return { id, version: posted.version, bodyOf, scope }
}

async function askForScope(editor: EditorContext, posted: SubmittedForm, id: number | undefined) {
  const { entries, version } = posted
  if (id === undefined || scopeIn(entries) || !entries.has(KNOWN_INPUT)) return undefined
  if (isOnlyExclusion(bodyFor(editor.context, posted, 'all'))) return undefined
  return scopeQuestion(editor, {
    id,
    version,
    bodyOf: scope => bodyFor(editor.context, posted, scope),
    action: editPath(id),
    carried: entriesToResend(posted),
  })
}

const selectFirstDate = (id: number): Query<string | undefined> =>
  first(
    sql`SELECT start_date FROM ${series} WHERE id = (SELECT series_id FROM ${events} WHERE id = ${id})`,
    row => readText(row.start_date),
  )

const PARENT_COLUMNS = pick(events, 'id', 'title', 'author_id', 'status')

/** A query for the parent of an event, if the caller may read it. */
const selectParent = (context: BaseContext, id: number) =>
  first(
    sql`SELECT ${columnList(PARENT_COLUMNS)} FROM ${events}
      WHERE ${events.id} = (SELECT part.post_parent FROM ${events} AS part WHERE part.id = ${id}) AND ${readableSql(events, context)}`,
    raw => {
      const { id, title: name, ...owned } = decodeRow(PARENT_COLUMNS, raw)
      return { id, name, mayConfirm: mayEdit(context.caller, owned) }
    },
  )

/**
 * A query for a stored event with the rest of its page, and for a function that checks that the caller may
 * change it.
 */
function selectForForm(editor: EditorContext, id: number, entries: Entries | undefined) {
  const { context } = editor
  const hasAllDates =
    entries?.has(ALL_DATES) === true || (entries !== undefined && entry(entries, 'do') === ALL_DATES)
  return combineQueries(
    {
      eventRow: selectEventById(context, id),
      firstDate: selectFirstDate(id),
      notes: selectReviewNotes(context, sql`SELECT ${id}`),
      combined: selectCombined(id),
      parts: selectParts(context, id),
      hasDerivedTickets: mapQuery(
        countOf(
          sql`(SELECT ${protectionColumn(sql`events`)} FROM ${events} WHERE id = ${id}) WHERE protection IS NOT NULL`,
        ),
        count => count > 0,
      ),
      dates: selectSeriesDates(editor, id, hasAllDates),
      shown: selectVersions('event', id),
      parent: selectParent(context, id),
    },
    ({ eventRow, firstDate, notes: [note], combined, parts, hasDerivedTickets, dates, shown, parent }) =>
      () => {
        const row = requireEditableEvent(context, eventRow)
        const { version } = row
        const post_parent = parent ?? row.post_parent
        const body = EVENTS.serialize(row, context)
        return {
          // The values of the response, of the parent event, and of the first date of the series.
          body: {
            ...body,
            post_parent,
            ...(body.series && { series: { ...body.series, first_date: firstDate } }),
          },
          version,
          shown: versionsValue(relatedVersions(shown)),
          // Without all dates, there may be past ones as well.
          ...(row.series_id !== null && { choices: { dates: { dates, hasMore: !hasAllDates } } }),
          title: nameOf(row.title, row.slug),
          known: {
            row,
            note,
            combined,
            parts,
            hasDerivedTickets,
            parent,
            unconfirmed: row.parent_confirmed_by === null ? parent : undefined,
            url: body.url,
          },
        }
      },
  )
}

/** A query for the values that a new event gets as a part of another. */
const selectPartValues = (context: BaseContext, id: number) =>
  mapQuery(EVENTS.select(context, sql`${events.id} = ${id} AND ${readableSql(events, context)}`), ([row]) => {
    if (!row) return {}
    const { title, timezone } = row
    // Whole days say nothing about the time of a part.
    const start_date = row.all_day ? dayOf(row.start_date) : row.start_date
    const { venue } = EVENTS.serialize(row, context)
    return { post_parent: { id, name: title }, start_date, timezone, venue }
  })

const eventResource: StoredForm<KnownEvent> = {
  form: EVENT_FORM,
  collection: '/events',
  nameField: 'title',
  requires: 'edit_content',
  address: editPath,
  selectStored: selectForForm,
  page: eventFormPage,
  inTrash: (editor, { row: { id, version, title, slug, status } }) =>
    status === 'trash'
      ? inTrashPage(
          editor,
          { kind: 'event', id, version, name: nameOf(title, slug) },
          editor.texts.event.inTrash,
        )
      : undefined,
}

/**
 * Handles the form of an event. There may be a preview or a question instead of saving it. If more becomes
 * public than the form shows, it is saved without its status, and a page that confirms the publication comes
 * next.
 */
async function handleEvent(editor: EditorContext, data: FormData, id?: number): Promise<EditorResponse> {
  const { context, texts } = editor
  const programme = programmeEntries(entriesOf(data))
  const errors = rowErrors(programme, texts)
  const checked = await checkForm(editor, eventResource, data, { id, errors })
  if (!('posted' in checked)) return saveProgrammeAfter(editor, programme, checked)
  const { posted } = checked
  const asked = await runOrRefuse(context, () => previewOrQuestion(editor, posted, id))
  if ('refusal' in asked) return refusedForm(editor, eventResource, { posted, id, reply: asked.refusal })
  if (asked.value) return asked.value
  const changed = changedValues(context, EVENT_FORM, posted)
  const { status, ...others } = changed
  const confirmation =
    isPublicStatus(status) && may(context.caller, 'publish_content')
      ? await findConfirmation(editor, posted, id)
      : undefined
  // New events are public by default, unless they have a status.
  const values = confirmation ? { ...others, ...(id === undefined && { status: 'draft' }) } : changed
  const scope = id !== undefined && Object.keys(values).length > 0 && scopeOf(editor, posted)
  const response = await saveForm(editor, eventResource, checked, { ...values, ...(scope && { scope }) })
  return saveProgrammeAfter(editor, programme, response, confirmation)
}

/**
 * Saves the programme once its event is stored. If a row is refused, the form is shown again, with what was
 * typed in all rows.
 *
 * @param confirmation the address of the next page, if that is not the form
 */
async function saveProgrammeAfter(
  editor: EditorContext,
  programme: Entries,
  response: EditorResponse | SavedForm,
  confirmation?: (id: number) => Promise<string>,
): Promise<EditorResponse> {
  if (!('stored' in response)) return response
  const { context, texts } = editor
  const { id, outcome } = response.stored
  const programmeResult = await runOrRefuse(context, () => saveProgramme(editor, { entries: programme, id }))
  const errors =
    'refusal' in programmeResult ? errorsOf(texts, programmeResult.refusal.body) : programmeResult.value
  if (errors.size > 0) {
    const { state, shown } = (await context.db.read(selectForm(editor, eventResource, id)))()
    const entries = withEntries(state.entries, programme)
    const saved = outcome === 'saved' && { saved: texts.programme.onlyEventSaved }
    return {
      ...eventFormPage(editor, { ...state, entries, errors, isUnsaved: true, ...saved }, shown),
      status: 422,
    }
  }
  // If a page asks for the publication next, the notice must not say that nothing has changed.
  const unchangedText = confirmation ? '' : response.notice.text
  const text =
    outcome !== 'unchanged'
      ? response.notice.text
      : changesProgramme(programme)
        ? texts.programme.saved
        : unchangedText
  const to = confirmation && outcome !== 'before' ? await confirmation(id) : response.to
  return { ...response, to, notice: { ...response.notice, text } }
}

const newEventPage = defineEditorPage({
  path: editPath('new'),
  requires: 'edit_content',
  query: z.object({
    part_of: z.optional(integer({ description: 'The event of which the new one is a part.' })),
  }),
  load: ({ context }, { query: { part_of } }) =>
    combineQueries({
      choices: selectChoices(context, EVENT_FORM),
      body: part_of === undefined ? resolvedQuery({}) : selectPartValues(context, part_of),
    }),
  respond: (editor, { loaded: { choices, body } }) =>
    filledEventForm(editor, { choices, body, entries: [], key: undefined }),
  handle: (editor, { form: data }) => handleEvent(editor, data),
})

export const eventForm = [newEventPage, storedPage(eventResource, handleEvent)]

/**
 * Confirms that an event is a part of its parent, as its form has shown it. For a series, this includes all
 * dates with the same parent.
 */
export const confirmPartAction = defineRequest({
  path: confirmPath(':id{[0-9]+}'),
  requires: 'edit_content',
  request: async ({ context }, { id, form }) => {
    const row = requireEditableEvent(context, await context.db.read(selectEventById(context, id)))
    const isShared = row.series_id !== null && !detachedFields(row).includes('post_parent')
    return {
      method: 'PATCH',
      path: `/events/${id}${isShared ? '?scope=all' : ''}`,
      headers: ifVersion(formText(form, 'version')),
      body: { post_parent: formText(form, 'parent') },
    }
  },
  onDone: ({ texts }, _, { id }) => ({ to: editPath(id), notice: { text: texts.event.partConfirmed } }),
  backPath: editPath,
})
