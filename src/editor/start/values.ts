import * as z from 'zod/mini'
import { isDecided, type serializeSettings } from '../../calendar/settings/routes.ts'
import { SETTINGS, settingsFields } from '../../calendar/settings/schema.ts'
import { ACCENT_COLOURS, parseColour } from '../../kit/lib/colour.ts'
import { currencyOf } from '../../kit/lib/languages.ts'
import { codedReason, type Reason } from '../../kit/lib/reasons.ts'
import { isObject } from '../../kit/lib/values.ts'
import type { Vars } from '../../kit/settings.ts'
import { formText } from '../../site/forms/field-html.ts'
import type { EditorContext } from '../context.ts'
import { hasSources } from '../origins.ts'

/** The path of the setup of a new calendar. */
export const SETUP_PREVIEW_PATH = '/admin/start/'

/** The settings that are chosen at the start. */
export const CHOSEN = ['name', 'timezone', 'language', 'currency', 'accent_color'] as const

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
export type StartValues = Record<(typeof CHOSEN)[number], string> & {
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
export function firstValues(editor: EditorContext, known: ReturnType<typeof serializeSettings>): StartValues {
  const { language } = editor
  return {
    name: isDecided(known, 'name') ? known.name : '',
    timezone: known.timezone,
    language: isDecided(known, 'language') ? known.language : language,
    currency: isDecided(known, 'currency') ? known.currency : currencyOf(language).code,
    accent_color: parseColour(known.accent_color) ? known.accent_color : ACCENT_COLOURS.green,
    image: known.header_image,
    where: hasSources(editor) ? 'address' : 'none',
    url: '',
    source: 0,
  }
}

/** The chosen settings as vars, and the reasons why some of them can't be. */
export function checked(values: StartValues): { vars: Vars; errors: Map<string, Reason> } {
  const given = Object.fromEntries(CHOSEN.map(name => [name, values[name]]))
  const parsed = z.safeParse(settingsFields, given)
  const errors = new Map<string, Reason>(
    (parsed.error?.issues ?? []).map(({ path: [name = ''], message, ...issue }) => {
      const { params } = { params: undefined, ...issue }
      // From `field` of kit/http/params.ts.
      return [String(name), isObject(params) ? (params.reason as Reason) : message]
    }),
  )
  if (values.name === '') errors.set('name', codedReason('missing', 'must not be empty'))
  const vars: Vars = {}
  for (const name of CHOSEN) {
    const text = parsed.data?.[name]
    if (text) vars[SETTINGS[name].name] = text
  }
  return { vars, errors }
}
