import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import {
  nameInValues,
  publicOrganizerColumns,
  selectOrganizers,
  selectVenues,
} from '../../calendar/content/related/resource.ts'
import { readableSql } from '../../calendar/content/visibility.ts'
import type { PreparedEventRow } from '../../calendar/events/prepare.ts'
import { serializeEvent } from '../../calendar/events/resource.ts'
import { type EventRow, eventColumns } from '../../calendar/events/rows.ts'
import { type EventFields, eventFields } from '../../calendar/events/schema.ts'
import { eventWrites } from '../../calendar/events/writes.ts'
import { selectImageById } from '../../calendar/media/queries.ts'
import { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { selectTerms, termReadableSql } from '../../calendar/terms/queries.ts'
import { CATEGORIES, TAGS, termColumns } from '../../calendar/terms/resource.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import type { BaseContext, ContentContext } from '../../kit/context.ts'
import type { Columns, RowOf } from '../../kit/db/columns.ts'
import { combineQueries, inList, resolvedQuery } from '../../kit/db/query.ts'
import { events, organizers, type Taxonomy, terms, venues } from '../../kit/db/tables.ts'
import { checkInput, missingFields } from '../../kit/http/input.ts'
import { withoutUndefined } from '../../kit/lib/values.ts'
import type { Entries } from '../../site/forms/entries.ts'
import { form } from '../../site/forms/field-html.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { idsInEntries } from '../../site/forms/load.ts'
import { changedValues, entriesToResend, type SubmittedForm } from '../../site/forms/posted.ts'
import { hiddenInputs } from '../../site/forms/render.ts'
import { eventArticle } from '../../site/html/event-article.ts'
import { html } from '../../site/html/html.ts'
import { nameOf } from '../../site/html/text.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { editPath, requireEditableEvent, selectEventById } from './rows.ts'

/**
 * The page of an event as it would look with the submitted values. It prepares a write and shows the result,
 * but writes nothing.
 *
 * @throws ApiError like a write
 */
export async function previewPage(
  editor: EditorContext,
  posted: SubmittedForm,
  id: number | undefined,
): Promise<EditorPage> {
  const words = editor.texts.event
  const event = serializeEvent(await readPreviewedRow(editor.context, posted, id), editor.context)
  return {
    title: `${editor.site.words.preview}${editor.site.words.colon}${nameOf(event.title, event.slug)}`,
    main: html`${form(editor, {
      action: editPath(id),
      className: 'preview-bar',
      id: 'preview-form',
      hasFiles: true,
      body: html`${hiddenInputs(entriesToResend(posted))}<p><strong>${editor.site.words.preview}</strong> ${words.previewText}</p>
<div class="actions"><button class="button button-quiet" type="submit" name="do" value="edit">${words.backToForm}</button>
<button class="button" type="submit" name="do" value="save">${editor.words.save}</button></div>`,
    })}
<div class="preview" inert>${eventArticle(editor.site, event, [])}</div>`,
  }
}

/** The row that a write would store. @throws ApiError like a write */
async function readPreviewedRow(
  context: ContentContext,
  posted: SubmittedForm,
  id: number | undefined,
): Promise<EventRow> {
  // The rule of a series concerns other dates, which the page of one event does not show.
  const { recurrence: _, ...raw } = changedValues(context, EVENT_FORM, posted)
  const missing = id === undefined && missingFields(eventFields, raw)
  if (missing) throw missing
  const { values, errors } = checkInput(eventFields, raw)
  const { row, stored, referencedRows, ...related } = await context.db.read(
    combineQueries({
      row: id === undefined ? resolvedQuery(undefined) : selectEventById(context, id),
      stored:
        id === undefined ? resolvedQuery([]) : eventWrites.selectStored(context, eq(events.id, id), [values]),
      referencedRows: eventWrites.selectReferencedRows(context, [values]),
      ...relatedTo(context, posted.entries),
    }),
  )
  const shownRow = id === undefined ? blankEvent() : requireEditableEvent(context, row)
  const preparedEvent = eventWrites.prepare(context, { values, referencedRows, stored: stored[0] }, errors)
  errors.throwIfAny()
  if (preparedEvent.type !== 'event') return shownRow
  const newRows = newRowsOf(values)
  return {
    ...shownRow,
    ...plainColumns(preparedEvent),
    venues: [...inOrderOf(posted.entries, 'venue', related.venues), ...newRows.venues],
    organizers: [...inOrderOf(posted.entries, 'organizer', related.organizers), ...newRows.organizers],
    terms: [...related.categories, ...related.tags, ...newRows.terms],
    image: related.image ?? null,
  }
}

/** Queries for everything that the form refers to and the caller may read. */
function relatedTo(context: BaseContext, entries: Entries) {
  const chosenSql = (id: SQLiteColumn, name: string) => sql`${id} IN ${inList(idsInEntries(entries, name))}`
  const selectChosenTerms = (name: 'categories' | 'tags') =>
    selectTerms(
      name === 'tags' ? TAGS : CATEGORIES,
      sql`${chosenSql(terms.id, name)} AND ${termReadableSql(context)}`,
      sql`ORDER BY sort_name, id`,
    )
  const [image] = idsInEntries(entries, 'image')
  return {
    venues: selectVenues(sql`${chosenSql(venues.id, 'venue')} AND ${readableSql(venues, context)}`),
    organizers: selectOrganizers(
      sql`${chosenSql(organizers.id, 'organizer')} AND ${readableSql(organizers, context)}`,
    ),
    categories: selectChosenTerms('categories'),
    tags: selectChosenTerms('tags'),
    image: image ? selectImageById(context, image) : resolvedQuery(undefined),
  }
}

const inOrderOf = <R extends { id: number }>(entries: Entries, name: string, rows: readonly R[]): R[] =>
  idsInEntries(entries, name).flatMap(id => rows.find(row => row.id === id) ?? [])

/** The columns of a write whose values are known in advance, such as texts and times. */
const plainColumns = ({ columns }: PreparedEventRow): Partial<EventRow> =>
  // A slug that must be unique is an expression, which the database evaluates.
  Object.fromEntries(
    Object.entries(columns).filter(
      ([, value]) => value !== undefined && (value === null || typeof value !== 'object'),
    ),
  )

/**
 * A row with the default values of its columns. A column without a default is NULL or, if it must have a
 * value, 0, false or ''.
 */
function blankRow<C extends Columns>(columns: C): RowOf<C> {
  const empty: Readonly<Record<string, unknown>> = { number: 0, boolean: false, string: '' }
  const values = Object.entries(columns).map(([name, { default: value, notNull, dataType }]) => [
    name,
    value ?? (notNull ? empty[dataType] : null),
  ])
  // Each column has a value of its type.
  return Object.fromEntries(values) as RowOf<C>
}

const blankEvent = (): EventRow => ({
  ...blankRow(eventColumns),
  image: null,
  series: null,
  venues: [],
  organizers: [],
  terms: [],
  origin: { source: undefined, others: [] },
})

/** The venues, organizers and terms that the form describes and that do not exist yet. */
function newRowsOf({
  venue = [],
  organizer = [],
  categories = [],
  tags = [],
}: Partial<EventFields>): Pick<EventRow, 'venues' | 'organizers' | 'terms'> {
  const described = <V>(choices: readonly { values?: V | undefined }[]) =>
    choices.flatMap(({ values }) => values ?? [])
  const newTerms = (taxonomy: Taxonomy, choices: NonNullable<EventFields['categories']>) =>
    choices.flatMap(({ name = '' }) =>
      name ? [{ ...blankRow(termColumns), image: null, taxonomy, name }] : [],
    )
  return {
    venues: described(venue).map(values => ({
      ...blankRow(getTableColumns(venues)),
      ...withoutUndefined(values),
      name: nameInValues(VENUES, values),
      image: null,
    })),
    organizers: described(organizer).map(values => ({
      ...blankRow(publicOrganizerColumns),
      ...withoutUndefined(values),
      name: nameInValues(ORGANIZERS, values),
      image: null,
    })),
    terms: [...newTerms('event_category', categories), ...newTerms('event_tag', tags)],
  }
}
