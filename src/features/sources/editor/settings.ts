import { sql } from 'drizzle-orm'
import { paramsOf } from '../../../calendar/content/fields.ts'
import type { SourceRow } from '../../../calendar/imports/source.ts'
import { type PreviewResponse, SOURCE_FIELDS } from '../../../calendar/imports/source-schema.ts'
import type { EditorContext } from '../../../editor/context.ts'
import type { EditorPage } from '../../../editor/layout.ts'
import { managedForm, managedSettingsPage } from '../../../editor/managed.ts'
import { freshState } from '../../../editor/resource-forms/resource.ts'
import { type FormPages, newKey } from '../../../editor/resource-forms/routes.ts'
import { SOURCES_PATH, sourcePath } from '../../../editor/source-paths.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { combineQueries, first } from '../../../kit/db/query.ts'
import { sources } from '../../../kit/db/tables.ts'
import { capitalized } from '../../../kit/lib/text.ts'
import { isDateTime } from '../../../kit/lib/time.ts'
import { isObject, withoutUndefined } from '../../../kit/lib/values.ts'
import { type Body, wordsOfField } from '../../../site/forms/control.ts'
import { radiosControl, rightsControl } from '../../../site/forms/controls/choice.ts'
import { oneLink, tagLinks } from '../../../site/forms/controls/links.ts'
import { urlControl } from '../../../site/forms/controls/text.ts'
import { categoryTree } from '../../../site/forms/controls/tree.ts'
import { form, inputField } from '../../../site/forms/field-html.ts'
import { defineForm, entriesFor, inDetails, inFirst } from '../../../site/forms/form.ts'
import { selectChoices, selectLinkedNames } from '../../../site/forms/load.ts'
import { backLink, type Html, html } from '../../../site/html/html.ts'
import { countedText } from '../../../site/html/page-context.ts'
import { plain } from '../../../site/html/text.ts'
import { filled } from '../../../words/words.ts'
import { managedSources } from '../routes.ts'
import { serializeSource } from '../serialize.ts'
import { hiddenBadge, sourceName } from './health.ts'
import { guessList } from './page.ts'
import { NEW_SOURCE } from './queries.ts'

/** The form of sources. Their kind is detected. */
const SOURCE_FORM = defineForm('source', paramsOf(SOURCE_FIELDS), {
  name: inFirst(),
  url: inFirst(urlControl),
  every: inFirst(),
  status: { ...inFirst(radiosControl(['publish', 'pending', 'draft'])), isRequired: true },
  categories: inFirst(categoryTree),
  tags: inDetails(tagLinks),
  venue: inDetails(oneLink),
  organizer: inDetails(oneLink),
  search: inDetails(),
  mirror: {},
  rights: { control: rightsControl },
  reading: null,
  kind: null,
  state: null,
})

export function addressPage(
  editor: EditorContext,
  { url = '', error }: { url?: string; error?: string } = {},
) {
  const words = editor.texts.source
  return {
    title: words.add,
    ...(error !== undefined && { status: 422 as const }),
    isNarrow: true,
    main: html`${backLink(SOURCES_PATH, words.title)}<h1>${words.add}</h1><p class="lead">${words.steps}</p>
${form(editor, {
  action: NEW_SOURCE,
  className: 'stack card',
  body: html`${inputField(
    { id: 'url', label: words.address, help: words.addressHint, value: url, error },
    html` inputmode="url" maxlength="2048" required autocomplete="off" autocapitalize="none" spellcheck="false"${!error && html` autofocus`}`,
  )}
<button class="button" type="submit" name="do" value="look">${words.look}</button><p class="small">${words.lookNote}</p>`,
})}`,
  } satisfies EditorPage
}

/** The result of a preview, as the settings form carries it. */
export const packPreview = ({ events, ...otherParts }: PreviewResponse): string =>
  JSON.stringify({
    ...otherParts,
    events: events.map(({ title, start_date, all_day, status }) => ({ title, start_date, all_day, status })),
  })

type PreviewedCalendar = {
  total: number
  filters: readonly (readonly [name: string, value: string])[]
  events: readonly Pick<PreviewResponse['events'][number], 'title' | 'start_date' | 'all_day' | 'status'>[]
  guesses: PreviewResponse['guesses']
}

/** The result of a preview from a form. It is shown only to the sender. */
function unpackPreview(text: string): PreviewedCalendar | undefined {
  try {
    const parsedJson: unknown = JSON.parse(text)
    if (!isObject(parsedJson) || !Array.isArray(parsedJson.events)) return undefined
    const events = parsedJson.events.filter(isObject).map((event): PreviewedCalendar['events'][number] => ({
      title: String(event.title),
      start_date: String(event.start_date),
      all_day: event.all_day === true,
      status: event.status === 'private' || event.status === 'pending' ? event.status : 'publish',
    }))
    const isWhole = events.every(({ start_date }) => isDateTime(start_date))
    const filters = Object.entries(isObject(parsedJson.filters) ? parsedJson.filters : {}).map(
      ([name, value]) => [name, String(value)] as const,
    )
    const guesses = (Array.isArray(parsedJson.guesses) ? parsedJson.guesses : [])
      .filter(isObject)
      .map(({ why, code, values }) => ({
        what: '',
        why: String(why),
        code: String(code),
        values: Object.fromEntries(
          Object.entries(isObject(values) ? values : {}).map(([name, value]) => [name, String(value)]),
        ),
      }))
    return isWhole ? { events, filters, guesses, total: Number(parsedJson.total) } : undefined
  } catch {
    return undefined
  }
}

function foundCard(editor: EditorContext, calendar: PreviewedCalendar): Html {
  const words = editor.texts.source
  const { dates } = editor.site
  const isOver = calendar.events.every(({ start_date }) => start_date < editor.site.today)
  const text =
    isOver && calendar.total > 1
      ? filled(words.foundOver, { n: dates.number(calendar.total) })
      : countedText(editor, words, 'found', calendar.total)
  return html`<section class="card" aria-labelledby="found"><h2 id="found">${words.found}</h2>
<p>${calendar.total === 0 ? words.foundNone : text}</p>
${calendar.filters.length > 0 && html`<p class="small">${filled(words.foundFilters, { filters: calendar.filters.map(([name, value]) => `${wordsOfField(editor.language, name === 'search' ? 'source' : 'event', name).label}${editor.site.words.colon}${value}`).join('; ') })}</p>`}
<ul class="card-list found-events">${calendar.events.map(
    ({ title, start_date, all_day, status }) =>
      html`<li><span class="strong" dir="auto">${plain(title)}</span> <span class="small">${capitalized(dates.moment('day', start_date, all_day))}</span>${hiddenBadge(editor, status)}</li>\n`,
  )}</ul>${guessList(editor, calendar.guesses)}</section>`
}

/** The name of the hidden input with the result of a preview. */
export const FOUND_INPUT = 'found'

/** The defaults of the API that the form shows. */
const API_DEFAULTS: Body = { every: 'day' }
/**
 * The initial values of a new source: until somebody says that the calendar is their own, its events wait for
 * review.
 */
const NEW_SOURCE_VALUES: Body = { ...API_DEFAULTS, status: 'pending' }

/** A source as forms show it, with categories as objects. */
function sourceBody(row: SourceRow, context: BaseContext): Body {
  const body = serializeSource(row, context)
  return { ...body, categories: body.categories.map(id => ({ id })) }
}

/** A query for the tags, the venue and the organizer that a source gives to its events, with their names. */
function selectLinked(context: BaseContext, id: number) {
  const selectLinkedName = (name: 'venue' | 'organizer') =>
    first(
      selectLinkedNames(
        context,
        name,
        sql`(SELECT ${sources[name]} FROM ${sources} WHERE ${sources.id} = ${id})`,
      ),
    )
  const tags = sql`(SELECT value FROM ${sources} CROSS JOIN json_each(${sources.tags}) WHERE ${sources.id} = ${id})`
  return combineQueries({
    tags: selectLinkedNames(context, 'tags', tags),
    venue: selectLinkedName('venue'),
    organizer: selectLinkedName('organizer'),
  })
}

/**
 * The forms for the settings of a stored source, and of a new one.
 * @param packedPreview the result of the preview, for a new source
 */
export function sourceForm(packedPreview?: string): FormPages<SourceRow> {
  const managed = { ...managedSources, serialize: sourceBody }
  const source = managedForm(managed, { form: SOURCE_FORM, nameField: 'name', nameOf: sourceName })
  return {
    ...source,
    selectStored: (editor, id) =>
      combineQueries(
        { base: source.selectStored(editor, id), linked: selectLinked(editor.context, id) },
        ({ base, linked }) =>
          () => {
            const stored = base()
            return { ...stored, body: { ...stored.body, ...withoutUndefined(linked) } }
          },
      ),
    page: (editor, state, shownSource) => {
      const words = editor.texts.source
      const preview = packedPreview === undefined ? undefined : unpackPreview(packedPreview)
      return managedSettingsPage(editor, source, {
        state: {
          ...state,
          // Sources only get existing terms.
          choices: { ...state.choices, mayCreateTerms: false },
          hidden:
            packedPreview === undefined
              ? state.hidden
              : new Map([...state.hidden, [FOUND_INPUT, [packedPreview]]]),
        },
        shownResource: shownSource,
        title: words.add,
        backLink: shownSource
          ? backLink(sourcePath(shownSource.id), shownSource.title)
          : backLink(NEW_SOURCE, words.anotherAddress),
        before: html`${preview && foundCard(editor, preview)}${!shownSource && html`<h2>${words.settingsNew}</h2>`}`,
        save: words.addNow,
      })
    },
  }
}

/** The settings of a new source before any input, with the values of a preview. */
export async function newSettings(
  editor: EditorContext,
  values: Body,
  packedPreview: string,
): Promise<EditorPage> {
  const { context } = editor
  const blankEntries = entriesFor(SOURCE_FORM, API_DEFAULTS, context)
  const entries = entriesFor(SOURCE_FORM, { ...NEW_SOURCE_VALUES, ...values }, context)
  const choices = await context.db.read(selectChoices(context, SOURCE_FORM, entries))
  const state = { ...freshState(SOURCE_FORM, blankEntries, choices, newKey()), entries }
  return sourceForm(packedPreview).page(editor, state, undefined)
}
