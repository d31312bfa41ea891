import { mapped } from '../../../db/query.ts'
import { SETTINGS_ID, selectSettings, serializeSettings } from '../../../resources/settings/routes.ts'
import type { SettingsResponse } from '../../../resources/settings/schema.ts'
import { wordsOfField } from '../../forms/control.ts'
import { entriesFor } from '../../forms/form.ts'
import { SETTINGS_FORM } from '../../forms/forms.ts'
import { loadChoices } from '../../forms/load.ts'
import { type FormState, renderForm } from '../../forms/render.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import { type FormResource, takeForm } from '../forms/resource.ts'
import { fieldsForm, freshState, saveButton, versionEntry } from '../forms/routes.ts'
import type { AdminPage } from '../layout.ts'
import { type Area, defineAction, defineAdminPage } from '../route.ts'

const requires = 'manage_settings'
const SETTINGS_PATH = '/admin/settings/'

const resource: FormResource<SettingsResponse> = {
  form: SETTINGS_FORM,
  collection: '/settings',
  isSingle: true,
  nameField: 'name',
  address: () => SETTINGS_PATH,
  stored: ({ context }) =>
    mapped(selectSettings(), stored => () => {
      const known = serializeSettings(stored, context)
      return { known, body: bodyOf(known), version: stored.version, title: known.name }
    }),
  page: (admin, state, shown) => settingsPage(admin, state, shown?.known),
}

/** The settings as the form takes them: a logo without a row in the library stays as it is deployed. */
const bodyOf = ({ image, ...settings }: SettingsResponse) => ({
  ...settings,
  image: image === 0 ? null : { id: image, url: settings.logo },
})

function settingsPage(admin: Admin, state: FormState, known: SettingsResponse | undefined): AdminPage {
  const words = admin.texts.settings
  const parts = renderForm(admin, SETTINGS_FORM, state)
  return {
    title: words.title,
    isNarrow: true,
    main: html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>
<div class="stack">${fieldsForm(admin, {
      action: SETTINGS_PATH,
      state,
      body: html`${parts.head}${parts.main}
<div class="actions">${saveButton(admin.words.save)}</div>`,
    })}
${known && defaults(admin, known)}</div>`,
  }
}

/** The settings as they are deployed, which hold where nothing is set here. */
function defaults(admin: Admin, { defaults, set }: SettingsResponse): Html {
  const words = admin.texts.settings
  const { logo, submissions, ...texts } = defaults
  const shown = [
    ...Object.entries(texts).map(([name, value]) => [name, String(value)] as const),
    ['image', logo] as const,
    ['submissions', submissions ? words.on : words.off] as const,
  ]
  return html`<details class="card"><summary>${words.defaults}</summary><p>${words.defaultsText}</p>
<dl class="changes">${shown.map(
    ([name, value]) =>
      html`<div><dt>${wordsOfField(admin.language, 'settings', name).label}</dt><dd>${value || html`<span class="nothing">${words.none}</span>`}${set.includes(name) && html` <span class="small">${words.replaced}</span>`}</dd></div>\n`,
  )}</dl></details>`
}

const page = defineAdminPage({
  path: SETTINGS_PATH,
  requires,
  load: selectSettings,
  respond: async (admin, { loaded: stored }) => {
    const { context } = admin
    const known = serializeSettings(stored, context)
    const entries = entriesFor(SETTINGS_FORM, bodyOf(known), context)
    // The settings have the id and the address of the logo only, so that the library is asked for the image of that id.
    const choices = await context.db.get(loadChoices(context, SETTINGS_FORM, { entries }))
    return settingsPage(
      admin,
      freshState(SETTINGS_FORM, entries, choices, versionEntry(stored.version)),
      known,
    )
  },
})

const action = defineAction({
  path: SETTINGS_PATH,
  requires,
  handle: (admin, { form }) => takeForm(admin, resource, { data: form, id: SETTINGS_ID }),
})

/** What the calendar is called, where and in which language it is, and how it looks. */
export const settingsArea: Area = {
  routes: [page, action],
  menu: [{ path: SETTINGS_PATH, label: texts => texts.settings.title, requires, group: 'settings' }],
}
