import * as z from 'zod/mini'
import { isDecided, type serializeSettings } from '../../calendar/settings/routes.ts'
import { settingsFields, VAR_OF } from '../../calendar/settings/schema.ts'
import { ACCENT_COLOURS, parseColour } from '../../kit/lib/colour.ts'
import { currencyOf } from '../../kit/lib/languages.ts'
import { MISSING, type Reason } from '../../kit/lib/reasons.ts'
import { asObject, isObject } from '../../kit/lib/values.ts'
import type { Vars } from '../../kit/settings.ts'
import { formText } from '../../site/forms/field-html.ts'
import type { EditorContext } from '../context.ts'
import { hasSources } from '../source-paths.ts'

/** The path of the setup of a new calendar. */
export const SETUP_PREVIEW_PATH = '/admin/start/'

/** The settings that are chosen at the start. */
export const CHOSEN_SETTINGS = ['name', 'timezone', 'language', 'currency', 'accent_color'] as const

/** Where the events are so far: at an address, in a file, or nowhere. */
export const PLACES = ['address', 'file', 'none'] as const
export type Place = (typeof PLACES)[number]

/**
 * What an owner has chosen so far. The form carries all of it, so that nothing is stored before it is
 * confirmed.
 *
 * @property image the id of the uploaded header image; 0 for none
 * @property source the id of the source of an uploaded file, which waits for a day; 0 for none
 */
export type StartValues = Record<(typeof CHOSEN_SETTINGS)[number], string> & {
  image: number
  where: Place
  url: string
  source: number
}

const idIn = (form: FormData, name: string): number => {
  const text = formText(form, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

export const valuesIn = (form: FormData): StartValues => ({
  name: formText(form, 'name'),
  timezone: formText(form, 'timezone'),
  language: formText(form, 'language'),
  currency: formText(form, 'currency'),
  accent_color: formText(form, 'accent_color'),
  image: idIn(form, 'image'),
  where: PLACES.find(place => place === formText(form, 'where')) ?? 'none',
  url: formText(form, 'url'),
  source: idIn(form, 'source'),
})

/**
 * The values before any input: the settings as they are and, where nothing is set yet, the defaults for the
 * browser's language.
 */
export function firstValues(
  editor: EditorContext,
  settings: ReturnType<typeof serializeSettings>,
): StartValues {
  const { language } = editor
  return {
    name: isDecided(settings, 'name') ? settings.name : '',
    timezone: settings.timezone,
    language: isDecided(settings, 'language') ? settings.language : language,
    currency: isDecided(settings, 'currency') ? settings.currency : currencyOf(language).code,
    accent_color: parseColour(settings.accent_color) ? settings.accent_color : ACCENT_COLOURS.green,
    image: settings.header_image,
    where: hasSources(editor) ? 'address' : 'none',
    url: '',
    source: 0,
  }
}

/** The chosen settings as vars, and the reasons why some of them are refused. */
export function checkValues(values: StartValues): { vars: Vars; errors: Map<string, Reason> } {
  const chosenValues = Object.fromEntries(CHOSEN_SETTINGS.map(name => [name, values[name]]))
  const result = z.safeParse(settingsFields, chosenValues)
  const errors = new Map<string, Reason>(
    (result.error?.issues ?? []).map(({ path: [name = ''], message, ...issue }) => {
      const { params } = asObject(issue)
      // The params come from `field` of kit/http/params.ts.
      return [String(name), isObject(params) ? (params.reason as Reason) : message]
    }),
  )
  if (values.name === '') errors.set('name', MISSING)
  const vars: Vars = {}
  for (const name of CHOSEN_SETTINGS) {
    const text = result.data?.[name]
    if (text) vars[VAR_OF[name]] = text
  }
  return { vars, errors }
}
