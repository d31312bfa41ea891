import * as z from 'zod/mini'
import { documented, field, html, idOrNone } from '../../kit/http/params.ts'
import { parseColour } from '../../kit/lib/colour.ts'
import { currencyOf, LANGUAGES, LOCALES, languageOf } from '../../kit/lib/languages.ts'
import { codedReason, NO_ZONE, type Reason } from '../../kit/lib/reasons.ts'
import { cleanPlain, fold } from '../../kit/lib/text.ts'
import {
  asText,
  FIELD_LIMITS,
  isEmpty,
  isMailAddress,
  parseBoolean,
  refuse,
  requireLength,
  scalarText,
  toHttpUrl,
  toInteger,
  typedKeys,
} from '../../kit/lib/values.ts'
import { canonicalZone, citiesOf, zonesFor } from '../../kit/lib/zones.ts'
import { pointIn, TYPEFACES, tilesIn, type Vars } from '../../kit/settings.ts'

/** The most characters of the calendar's name, which stands above every page. */
const MAX_NAME_LENGTH = 200
const MAX_TAGLINE_LENGTH = 120
const MAX_EVENTS_PER_PAGE = 100
const MAX_FIRST_MAILS = 10_000

/** A field whose value is stored as the text of a var. An empty one leaves the var as it is deployed. */
const setting = (
  parse: (raw: unknown) => string,
  docs: { description: string; example?: unknown; type?: string },
) => z.optional(field(raw => (isEmpty(raw) ? '' : parse(raw)), { type: 'string', ...docs }))

const onOrOff = (description: string) =>
  setting(raw => ((parseBoolean(scalarText(raw)) ?? refuse('must be true or false')) ? 'on' : 'off'), {
    type: 'boolean',
    description,
  })

/** An http(s) address, or a path of this calendar. */
const addressSetting = (raw: unknown, otherwise?: Reason): string => {
  const text = requireLength(asText(raw), FIELD_LIMITS.url).trim()
  return /^\/(?!\/)[^\s\\]*$/.test(text) ? text : toHttpUrl(text, otherwise)
}

const NO_CONTACT = codedReason(
  'no_contact',
  'must be an e-mail address or the http or https address of a page',
)

export const settingsFields = documented(
  z.object({
    name: setting(raw => requireLength(cleanPlain(asText(raw)).trim(), MAX_NAME_LENGTH), {
      description: 'The name of the calendar.',
      example: 'What’s on in Kilkenny',
    }),
    tagline: setting(raw => requireLength(cleanPlain(asText(raw)).trim(), MAX_TAGLINE_LENGTH), {
      description: 'A line about the calendar, below its name.',
      example: 'Concerts, markets and courses in town and around',
    }),
    timezone: setting(
      raw => canonicalZone(asText(raw).trim()) ?? zoneOfCity(asText(raw)) ?? refuse(NO_ZONE),
      {
        description:
          'The time zone of the calendar, or the city that it is named after. Existing events keep theirs; new ones get this one, and it decides what “today” is.',
        example: 'Europe/Dublin',
      },
    ),
    language: setting(
      raw => {
        const tag = asText(raw).trim()
        if (languageOf(tag)) return tag
        return (
          languageNamed(tag) ?? refuse(`must be one of ${LANGUAGES.join(', ')}, with or without a region`)
        )
      },
      { description: 'The language of the pages, optionally with a region, or its name.', example: 'en-IE' },
    ),
    currency: setting(
      raw => {
        const code = asText(raw).trim().toUpperCase()
        if (Intl.supportedValuesOf('currency').includes(code)) return code
        return currencyNamed(asText(raw)) ?? refuse('must be a code of ISO 4217 such as EUR')
      },
      {
        description:
          'The currency of prices that are plain numbers, by its code or name. Its symbol and where that stands follow from the language.',
        example: 'EUR',
      },
    ),
    image: z.optional(
      idOrNone({
        description: 'The id of the image in the library that is the logo; 0 for the one that is deployed.',
      }),
    ),
    header_image: z.optional(
      idOrNone({
        description: 'The id of the image in the library that stands above the lists of events; 0 for none.',
      }),
    ),
    header_focus: setting(
      raw => pointIn(asText(raw)) ?? refuse('must be a point in percent, such as 50 30'),
      {
        description:
          'The point of the header image that stays visible where there is no room for all of it: percent of its width, and of its height.',
        example: '50 30',
      },
    ),
    accent_color: setting(
      raw => {
        const text = asText(raw).trim().toLowerCase()
        return parseColour(text) ? text : refuse('must be a colour such as #1a6b54')
      },
      {
        description: 'The colour of links and buttons; darkened or lightened where it would be hard to read.',
        example: '#1a6b54',
      },
    ),
    typeface: setting(
      raw => {
        const text = asText(raw).trim()
        return TYPEFACES.some(name => name === text) ? text : refuse(`must be one of ${TYPEFACES.join(', ')}`)
      },
      {
        description: "The typeface of the pages, `sans` or `serif`, as the reader's system has it.",
        example: 'serif',
      },
    ),
    imprint: setting(addressSetting, {
      description: 'The address of the imprint, for the footer; `/imprint/` if its text is written here.',
    }),
    imprint_text: z.optional(
      html({ limit: FIELD_LIMITS.legalText, description: 'The imprint at `/imprint/`, HTML or plain text.' }),
    ),
    privacy: setting(addressSetting, {
      description:
        'The address of the privacy policy, for the footer and the form for visitors; `/privacy/` if its text is written here.',
    }),
    privacy_text: z.optional(
      html({
        limit: FIELD_LIMITS.legalText,
        description: 'The privacy policy at `/privacy/`, HTML or plain text.',
      }),
    ),
    accessibility: setting(addressSetting, {
      description: 'The address of the accessibility statement, for the footer.',
    }),
    contact: setting(
      raw => (isMailAddress(asText(raw).trim()) ? asText(raw).trim() : addressSetting(raw, NO_CONTACT)),
      {
        description: 'An e-mail address, or the address of a page, for the footer.',
        example: 'events@example.org',
      },
    ),
    map_tiles: setting(
      raw =>
        tilesIn(asText(raw)) ??
        refuse(codedReason('no_tiles', 'must be an https address with {z}, {x} and {y} in its path')),
      {
        description:
          'Where the tiles of maps come from: an https address with `{z}`, `{x}` and `{y}`. Without it there are no maps.',
        example: 'https://tiles.example.org/{z}/{x}/{y}.png',
      },
    ),
    map_attribution: setting(raw => requireLength(cleanPlain(asText(raw)).trim(), FIELD_LIMITS.url), {
      description: 'The credit of the map: a text, optionally followed by an address that it links to.',
      example: '© OpenStreetMap contributors https://www.openstreetmap.org/copyright',
    }),
    events_per_page: setting(raw => String(toInteger(raw, 1, MAX_EVENTS_PER_PAGE)), {
      type: 'integer',
      description: `Events on a page of the website's lists, at most ${MAX_EVENTS_PER_PAGE}.`,
      example: 24,
    }),
    submissions: onOrOff('True if visitors may submit events.'),
    news_first_mails: setting(raw => String(toInteger(raw, 0, MAX_FIRST_MAILS)), {
      type: 'integer',
      description: `How many people can be sent a confirmation e-mail for news each day, at most ${MAX_FIRST_MAILS}; 0 if nobody can sign up.`,
      example: 500,
    }),
    first_steps: onOrOff('True if the editor lists the first steps of an administrator until they are done.'),
  }),
  { id: 'SettingsFields' },
)

export type SettingsValues = z.output<typeof settingsFields>

export const PAGE_SETTINGS = ['imprint', 'privacy'] as const
type PageText = `${(typeof PAGE_SETTINGS)[number]}_text`

/** The path of a page whose text is written here. */
export const pagePath = (name: (typeof PAGE_SETTINGS)[number]): string => `/${name}/`

/** The settings that are stored as texts of vars: all but the images and the texts of pages. */
type VarSetting = Exclude<keyof SettingsValues, 'image' | 'header_image' | PageText>

/** The var that each setting replaces. */
export const VAR_OF = {
  name: 'SITE_NAME',
  tagline: 'SITE_TAGLINE',
  timezone: 'TIMEZONE',
  language: 'LANGUAGE',
  currency: 'CURRENCY_CODE',
  header_focus: 'HEADER_FOCUS',
  accent_color: 'ACCENT_COLOR',
  typeface: 'TYPEFACE',
  imprint: 'IMPRINT_URL',
  privacy: 'PRIVACY_URL',
  accessibility: 'ACCESSIBILITY_URL',
  contact: 'CONTACT',
  map_tiles: 'MAP_TILES',
  map_attribution: 'MAP_ATTRIBUTION',
  events_per_page: 'EVENTS_PER_PAGE',
  submissions: 'SUBMISSIONS',
  news_first_mails: 'NEWS_FIRST_MAILS',
  first_steps: 'FIRST_STEPS',
} as const satisfies Record<VarSetting, keyof Vars>

export const VAR_SETTINGS = typedKeys(VAR_OF)

const settingShape = {
  name: z.string(),
  tagline: z.string(),
  timezone: z.string(),
  language: z.string(),
  currency: z.string(),
  logo: documented(z.string(), 'The address of the logo; empty without one.'),
  header_focus: z.string(),
  accent_color: z.string(),
  typeface: z.string(),
  imprint: z.string(),
  privacy: z.string(),
  accessibility: z.string(),
  contact: z.string(),
  map_tiles: z.string(),
  map_attribution: z.string(),
  events_per_page: z.int(),
  submissions: z.boolean(),
  news_first_mails: z.int(),
  first_steps: z.boolean(),
}

export const settingsSchema = z.lazy(() =>
  documented(
    z.object({
      id: z.int(),
      ...settingShape,
      imprint_text: z.string(),
      privacy_text: z.string(),
      image: documented(z.int(), "The id of the logo's image; 0 if none is set here."),
      header_image: documented(z.int(), 'The id of the image above the lists of events; 0 if there is none.'),
      set: documented(
        z.array(z.string()),
        'The names of the settings that are set here. All others are as they are deployed.',
      ),
      defaults: documented(z.object(settingShape), 'The settings as they are deployed.'),
    }),
    { id: 'Settings' },
  ),
)

export type SettingsResponse = z.output<typeof settingsSchema>

// Settings are codes, but people also give them by name: “Berlin”, “Deutsch”, “Euro”.

/** The only code that has a name; undefined if none has it, or several do. */
function codeNamed(
  text: string,
  codes: readonly string[],
  namesOf: (code: string) => readonly (string | undefined)[],
): string | undefined {
  const name = fold(text.trim())
  const matchingCodes = codes.filter(code =>
    namesOf(code).some(each => each !== undefined && fold(each) === name),
  )
  return matchingCodes.length === 1 ? matchingCodes[0] : undefined
}

/** The time zone of a city, by its name of today or an older one: `Berlin`, `New York`, `Kiev`. */
const zoneOfCity = (text: string): string | undefined => codeNamed(text, zonesFor('en'), citiesOf)

/** The language of a name in any language of the pages: `Deutsch`, `German`, `Deutsch (Schweiz)`. */
function languageNamed(text: string): string | undefined {
  const names = LANGUAGES.flatMap(tag =>
    (['standard', 'dialect'] as const).map(
      languageDisplay => new Intl.DisplayNames(tag, { type: 'language', languageDisplay }),
    ),
  )
  return codeNamed(text, LOCALES, code => names.map(each => each.of(code)))
}

/**
 * The currency of a name in any language of the pages, or of a sign that only one of their regions uses:
 * `Euro`, `£`.
 */
function currencyNamed(text: string): string | undefined {
  const signs = LOCALES.map(tag => currencyOf(tag)).filter(({ symbol }) => symbol === text.trim())
  const [{ code: ownCode } = { code: undefined }] = signs
  if (ownCode !== undefined && signs.every(({ code }) => code === ownCode)) return ownCode
  const names = LANGUAGES.map(tag => new Intl.DisplayNames(tag, { type: 'currency' }))
  return codeNamed(text, Intl.supportedValuesOf('currency'), code => names.map(each => each.of(code)))
}
