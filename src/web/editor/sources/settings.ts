import { mapped } from '../../../db/query.ts'
import { assertSource, type SourceRow, sourceById } from '../../../resources/sources/queries.ts'
import { serializeSource } from '../../../resources/sources/serialize.ts'
import { sourceWords } from '../../../words/words.ts'
import type { Body } from '../../forms/control.ts'
import { entriesFor } from '../../forms/form.ts'
import { SOURCE_FORM } from '../../forms/forms.ts'
import { loadChoices } from '../../forms/load.ts'
import { type FormState, renderForm } from '../../forms/render.ts'
import { backLink } from '../../html/back-link.ts'
import { html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import type { FormResource, Shown } from '../forms/resource.ts'
import { fieldsForm, freshState, newKey, saveButton, versionEntry } from '../forms/routes.ts'
import type { AdminPage } from '../layout.ts'
import { foundCard, unpacked } from './add.ts'
import { sourceName } from './health.ts'
import { NEW_SOURCE, settingsPath, sourcePath } from './paths.ts'

/** The input that carries on what a look has found. */
export const FOUND = 'found'

/** What the API does where a field is absent. */
const DEFAULTS: Body = { every: 'day', status: 'publish' }

/** A calendar as forms show it: terms are things with ids there. */
function bodyOf(admin: Admin, row: SourceRow): Body {
  const { categories, tags, ...rest } = serializeSource(row, admin.context)
  const things = (ids: readonly number[]) => ids.map(id => ({ id }))
  return { ...rest, categories: things(categories), tags: things(tags) }
}

/** The page with the settings of a calendar. @param found what a look has found, of a new one */
function settingsPage(
  admin: Admin,
  state: FormState,
  { shown, found }: { shown?: Shown<SourceRow> | undefined; found?: string },
): AdminPage {
  const words = sourceWords(admin.language)
  const preview = found === undefined ? undefined : unpacked(found)
  const title = shown ? admin.words.settings : words.add
  // Sources get what is there already.
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

/** What the form of a calendar is sent to the API as. @param found what a look has found, of a new one */
export const sourceResource = (found?: string): FormResource<SourceRow> => ({
  form: SOURCE_FORM,
  collection: '/sources',
  kind: 'source',
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

type Opened = { row: SourceRow } | { values: Body; found: string }

/** The page with the settings before anything was typed: those of a calendar, or of a new one, of what was found. */
export async function openSettings(admin: Admin, opened: Opened): Promise<AdminPage> {
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
