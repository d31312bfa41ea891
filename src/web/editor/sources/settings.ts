import { isMoment } from '../../../db/columns.ts'
import { mapped } from '../../../db/query.ts'
import { capitalized } from '../../../lib/text.ts'
import { isObject } from '../../../lib/values.ts'
import { assertSource, type SourceRow, sourceById } from '../../../resources/sources/queries.ts'
import type { PreviewResponse } from '../../../resources/sources/schema.ts'
import { serializeSource } from '../../../resources/sources/serialize.ts'
import { filled, sourceWords } from '../../../words/words.ts'
import type { Body } from '../../forms/control.ts'
import { form, inputField } from '../../forms/element.ts'
import { entriesFor } from '../../forms/form.ts'
import { SOURCE_FORM } from '../../forms/forms.ts'
import { loadChoices } from '../../forms/load.ts'
import { type FormState, renderForm } from '../../forms/render.ts'
import { backLink, type Html, html } from '../../html/html.ts'
import { counted } from '../../html/site.ts'
import type { Admin } from '../admin.ts'
import type { FormResource, ShownResource } from '../forms/resource.ts'
import { fieldsForm, freshState, newKey, saveButton, versionEntry } from '../forms/routes.ts'
import type { AdminPage } from '../layout.ts'
import { sourceName } from './health.ts'
import { NEW_SOURCE, SOURCES, settingsPath, sourcePath } from './queries.ts'

/** The page that asks for the address of a new source. */
export function addressPage(admin: Admin, { url = '', error }: { url?: string; error?: string } = {}) {
  const words = sourceWords(admin.language)
  return {
    title: words.add,
    ...(error !== undefined && { status: 422 as const }),
    isNarrow: true,
    main: html`${backLink(SOURCES, words.title)}<h1>${words.add}</h1><p class="lead">${words.steps}</p>
${form(admin, {
  action: NEW_SOURCE,
  look: 'stack card',
  body: html`${inputField(
    { id: 'url', label: words.address, help: words.addressHint, value: url, error },
    html` inputmode="url" maxlength="2048" required autocomplete="off" autocapitalize="none" spellcheck="false"${!error && html` autofocus`}`,
  )}
<button class="button" type="submit" name="do" value="look">${words.look}</button><p class="small">${words.lookNote}</p>`,
})}`,
  } satisfies AdminPage
}

/** The address that somebody typed, with a scheme. */
export const typedAddress = (text: string): string =>
  text === '' || /^(?:[a-z][a-z\d+.-]*:\/\/|webcals?:)/i.test(text) ? text : `https://${text}`

/** The most characters of a title that are shown. */
const LONGEST = 200

/** The result of a preview, as the settings form carries it. */
export const packed = ({ events, ...found }: PreviewResponse): string =>
  JSON.stringify({
    ...found,
    events: events.map(event => ({ ...event, title: event.title.slice(0, LONGEST).toWellFormed() })),
  })

type FoundCalendar = {
  total: number
  events: readonly Pick<PreviewResponse['events'][number], 'title' | 'start_date' | 'all_day'>[]
}

/** The result of a preview from a form. It is shown only to the sender. */
function unpacked(text: string): FoundCalendar | undefined {
  try {
    const found: unknown = JSON.parse(text)
    if (!isObject(found) || !Array.isArray(found.events)) return undefined
    const events = found.events.filter(isObject).map(event => ({
      title: String(event.title),
      start_date: String(event.start_date),
      all_day: event.all_day === true,
    }))
    const isWhole = events.every(({ start_date }) => isMoment(start_date))
    return isWhole ? { events, total: Number(found.total) } : undefined
  } catch {
    return undefined
  }
}

/** The events found by a preview. */
function foundCard(admin: Admin, found: FoundCalendar): Html {
  const words = sourceWords(admin.language)
  const { dates } = admin.site
  const isOver = found.events.every(({ start_date }) => start_date < admin.site.today)
  const text =
    isOver && found.total > 1
      ? filled(words.foundOver, { n: dates.number(found.total) })
      : counted(admin, words, 'found', found.total)
  return html`<section class="card" aria-labelledby="found"><h2 id="found">${words.found}</h2>
<p>${found.total === 0 ? words.foundNone : text}</p>
<ul class="card-list found-events">${found.events.map(
    ({ title, start_date, all_day }) =>
      html`<li><span class="strong" dir="auto">${title}</span> <span class="small">${capitalized(dates.format('day', start_date))}${!all_day && `, ${dates.clock(start_date)}`}</span></li>\n`,
  )}</ul></section>`
}

/** The name of the hidden input with the result of a preview. */
export const FOUND = 'found'

/** The defaults of the API. */
const DEFAULTS: Body = { every: 'day', status: 'publish' }

/** A source as forms show it, with terms as objects. */
function bodyOf(admin: Admin, row: SourceRow): Body {
  const { categories, tags, ...rest } = serializeSource(row, admin.context)
  const things = (ids: readonly number[]) => ids.map(id => ({ id }))
  return { ...rest, categories: things(categories), tags: things(tags) }
}

/** The settings page of a source. @param found the result of the preview, for a new one */
function settingsPage(
  admin: Admin,
  state: FormState,
  { shown, found }: { shown?: ShownResource<SourceRow> | undefined; found?: string },
): AdminPage {
  const words = sourceWords(admin.language)
  const preview = found === undefined ? undefined : unpacked(found)
  const title = shown ? admin.words.settings : words.add
  // Sources only get existing terms.
  const choices = { ...state.choices, mayCreateTerms: false }
  const hidden = found === undefined ? state.hidden : new Map([...state.hidden, [FOUND, [found]]])
  const parts = renderForm(admin, SOURCE_FORM, { ...state, choices, hidden })
  return {
    title: shown ? `${admin.words.settings}: ${shown.title}` : title,
    isNarrow: true,
    main: html`${shown ? backLink(sourcePath(shown.id), shown.title) : backLink(NEW_SOURCE, words.anotherAddress)}
<h1>${title}</h1>
<div class="stack">${preview && foundCard(admin, preview)}${!shown && html`<h2>${words.settingsNew}</h2>`}
${fieldsForm(admin, {
  action: settingsPath(shown?.id ?? 'new'),
  state,
  body: html`${parts.head}${parts.main}
<div class="actions">${saveButton(shown ? admin.words.save : words.addNow)}</div>`,
})}</div>`,
  }
}

/** The form of a source. @param found the result of the preview, for a new one */
export const sourceResource = (found?: string): FormResource<SourceRow> => ({
  form: SOURCE_FORM,
  collection: '/sources',
  nameField: 'name',
  address: settingsPath,
  onward: sourcePath,
  stored: (admin, id) =>
    mapped(sourceById(id), row => () => {
      const known = assertSource(row)
      return { body: bodyOf(admin, known), version: known.version, title: sourceName(known), known }
    }),
  page: (admin, state, shown) => settingsPage(admin, state, { shown, ...(found !== undefined && { found }) }),
})

type NewOrStored = { row: SourceRow } | { values: Body; found: string }

/** The settings page before any input: for a stored source, or for a new one with the values of a preview. */
export async function openSettings(admin: Admin, opened: NewOrStored): Promise<AdminPage> {
  const { context } = admin
  const isNew = !('row' in opened)
  const stored = isNew ? DEFAULTS : bodyOf(admin, opened.row)
  const before = entriesFor(SOURCE_FORM, stored, context)
  const entries = isNew ? entriesFor(SOURCE_FORM, { ...stored, ...opened.values }, context) : before
  const choices = await context.db.get(loadChoices(context, SOURCE_FORM, { entries }))
  const own = isNew ? newKey() : versionEntry(opened.row.version)
  const state = { ...freshState(SOURCE_FORM, before, choices, own), entries }
  return isNew
    ? settingsPage(admin, state, { found: opened.found })
    : settingsPage(admin, state, {
        shown: { id: opened.row.id, title: sourceName(opened.row), known: opened.row },
      })
}
