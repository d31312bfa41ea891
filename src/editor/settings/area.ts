import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { selectImageById, serializeLibraryImage } from '../../calendar/media/queries.ts'
import { isDecided, selectSettings, serializeSettings } from '../../calendar/settings/routes.ts'
import type { SettingsResponse } from '../../calendar/settings/schema.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { settings } from '../../kit/db/tables.ts'
import { line } from '../../kit/http/params.ts'
import { codeNamer, currencyOf, firstWeekday, LOCALES, languageOf } from '../../kit/lib/languages.ts'
import { canonicalZone, offeredZone } from '../../kit/lib/zones.ts'
import { isFeatureOn } from '../../kit/settings.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import { SETTINGS_FORM } from '../../site/forms/forms.ts'
import { type FormState, renderForm } from '../../site/forms/render.ts'
import { type Html, html } from '../../site/html/html.ts'
import { weekdayName } from '../../site/html/when.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { type Area, defineEditorPage } from '../pages-and-actions.ts'
import { fieldsForm, type StoredForm, saveButton, storedPage } from '../resource-forms/routes.ts'
import { json } from '../respond.ts'
import { hideFirstSteps, selectFirstSteps } from './first-steps.ts'

const requires = 'manage_settings'
const SETTINGS_PATH = '/admin/settings/'

const settingsResource: StoredForm<SettingsResponse> = {
  form: SETTINGS_FORM,
  collection: '/settings',
  nameField: 'name',
  requires,
  address: () => SETTINGS_PATH,
  selectStored: ({ context }) =>
    combineQueries(
      {
        stored: selectSettings(),
        logo: selectImageById(context, sql`(SELECT ${settings.logo_id} FROM ${settings})`),
        header: selectImageById(context, sql`(SELECT ${settings.header_image_id} FROM ${settings})`),
      },
      ({ stored, logo, header }) =>
        () => {
          const response = serializeSettings(stored, context)
          // A logo without a row in the library stays as it is deployed.
          const image = logo ? serializeLibraryImage(logo, context) : null
          const header_image = header ? serializeLibraryImage(header, context) : null
          return {
            known: response,
            body: { ...response, image, header_image },
            version: stored.version,
            title: response.name,
          }
        },
    ),
  page: (editor, state, shown) => settingsPage(editor, state, shown?.known),
}

/** Settings of features, which the page leaves out while these are switched off. */
const FEATURE_OF: Readonly<Record<string, string>> = {
  submissions: 'submissions',
  news_first_mails: 'letters',
}

/** The fields below each heading of the page. Fields that are not listed are below the last one. */
const SECTIONS = [
  ['sectionLook', ['name', 'tagline', 'image', 'header_image', 'header_focus', 'accent_color', 'typeface']],
  ['sectionPlace', ['timezone', 'language', 'currency']],
  ['sectionVisitors', ['submissions', 'news_first_mails']],
  ['sectionLegal', ['imprint', 'imprint_text', 'privacy', 'privacy_text', 'accessibility', 'contact']],
  ['sectionMap', ['map_tiles', 'map_attribution']],
  ['sectionOthers', undefined],
] as const

const LISTED_FIELDS = new Set<string>(SECTIONS.flatMap(([, names]) => names ?? []))

function settingsPage(
  editor: EditorContext,
  state: FormState,
  current: SettingsResponse | undefined,
): EditorPage {
  const words = editor.texts.settings
  const fields = SETTINGS_FORM.fields.filter(({ name }) => {
    const feature = FEATURE_OF[name]
    return feature === undefined || isFeatureOn(editor.context.settings, feature)
  })
  const renderFields = (shownFields: typeof fields) =>
    renderForm(editor, { ...SETTINGS_FORM, fields: shownFields }, state)
  const sections = SECTIONS.map(([heading, names]) => {
    const sectionFields = fields.filter(({ name }) =>
      names ? names.some(each => each === name) : !LISTED_FIELDS.has(name),
    )
    return sectionFields.length > 0 && html`<h2>${words[heading]}</h2>${renderFields(sectionFields).main}`
  })
  return {
    title: words.title,
    isNarrow: true,
    main: html`<h1>${words.title}</h1><p class="lead">${words.lead}</p>${inboxAddress(editor)}<div data-proposals="${PROPOSALS}" hidden></div>
<div class="stack">${fieldsForm(editor, {
      action: SETTINGS_PATH,
      state,
      body: html`${renderFields(fields).head}${sections}
<div class="actions in-sight">${saveButton(editor.words.save)}</div>`,
    })}
${current && defaultsHtml(editor, current)}</div>`,
  }
}

function inboxAddress({ context: { settings }, texts }: EditorContext): Html | '' {
  const { isOn, address } = settings.inbox
  if (!isOn || address === undefined) return ''
  return html`<p>${texts.settings.inbox} <a href="mailto:${address}">${address}</a></p>`
}

/** The address of what the browser suggests for settings. */
export const PROPOSALS = `${SETTINGS_PATH}browser/`

const browserQuery = z.object({
  zone: z.optional(line({ description: 'The time zone of the browser.' })),
  language: z.optional(line({ description: 'The language of the browser, a tag of BCP 47.' })),
})

/** A language as the settings name it: without a region that does not matter. @param tag of BCP 47 */
function localeOf(tag: string): string | undefined {
  const language = languageOf(tag)
  if (!language) return undefined
  const { region } = new Intl.Locale(tag).maximize()
  return LOCALES.find(locale => locale === `${language}-${region}`) ?? language
}

/**
 * Suggestions from the browser for settings that nobody has set yet: the time zone, the language with its
 * first day of the week, and the currency of its region. A script offers them; saving the form stores them.
 */
const proposals = defineEditorPage({
  path: PROPOSALS,
  requires,
  query: browserQuery,
  load: () => selectSettings(),
  respond: (editor, { query: { zone = '', language: askedLanguage = '' }, loaded }) => {
    const { site, context, texts } = editor
    const settings = serializeSettings(loaded, context)
    const { timezone, language, currency } = settings
    const zoneOfBrowser = offeredZone(canonicalZone(zone) ?? '')
    const locale = localeOf(askedLanguage)
    const codeName = (type: 'language' | 'currency', code: string) => codeNamer(site.language, type)(code)
    const currencyCode = locale && currencyOf(askedLanguage).code
    const candidates = [
      zoneOfBrowser &&
        zoneOfBrowser !== timezone && {
          name: 'timezone' as const,
          value: zoneOfBrowser,
          text: zoneOfBrowser,
        },
      locale &&
        locale !== language && {
          name: 'language' as const,
          value: locale,
          text: filled(texts.settings.weeks, {
            language: codeName('language', locale),
            day: weekdayName(site, firstWeekday(locale) - 1),
          }),
        },
      currencyCode &&
        currencyCode !== currency && {
          name: 'currency' as const,
          value: currencyCode,
          text: codeName('currency', currencyCode),
        },
    ]
    return json(
      candidates.flatMap(proposal =>
        proposal && !isDecided(settings, proposal.name)
          ? [{ ...proposal, text: filled(texts.settings.propose, { value: proposal.text }) }]
          : [],
      ),
    )
  },
})

/** The settings as they are deployed, which apply where nothing is set here. */
function defaultsHtml(editor: EditorContext, { defaults, set }: SettingsResponse): Html {
  const words = editor.texts.settings
  const { logo, submissions, first_steps, ...texts } = defaults
  const shownEntries = [
    ...Object.entries(texts).map(([name, value]) => [name, String(value)] as const),
    ['image', logo] as const,
    ['submissions', submissions ? words.on : words.off] as const,
    ['first_steps', first_steps ? words.on : words.off] as const,
  ]
  return html`<details class="card"><summary>${words.defaults}</summary><p>${words.defaultsText}</p>
<dl class="changes">${shownEntries.map(
    ([name, value]) =>
      html`<div><dt>${wordsOfField(editor.language, 'settings', name).label}</dt><dd>${value || html`<span class="nothing">${words.none}</span>`}${set.includes(name) && html` <span class="small">${words.replaced}</span>`}</dd></div>\n`,
  )}</dl></details>`
}

/** The settings: the calendar's name, place and language, and its looks. */
export const settingsArea: Area = {
  routes: [storedPage(settingsResource), proposals, hideFirstSteps],
  menu: [{ path: SETTINGS_PATH, label: texts => texts.settings.title, requires, group: 'settings' }],
  start: [{ requires, position: 'first', selectCard: selectFirstSteps }],
}
