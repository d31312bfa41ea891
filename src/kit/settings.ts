import { parseColour } from './lib/colour.ts'
import { fnv1a } from './lib/hash.ts'
import type { StoredImage } from './lib/images/formats.ts'
import { currencyOf, LANGUAGES, languageOf } from './lib/languages.ts'
import { memoizeByObject } from './lib/memo.ts'
import { isPrivateHost, isWebPort, NO_WEB_PORT } from './lib/network.ts'
import { isMailAddress, withoutSlashes, withoutTrailingSlashes } from './lib/values.ts'
import { canonicalZone } from './lib/zones.ts'

/** The names of the vars of wrangler.toml, all optional; .github/OPERATING.md describes each. */
export const VAR_NAMES = [
  'SITE_URL',
  'SITE_NAME',
  'SITE_TAGLINE',
  'TIMEZONE',
  'PER_PAGE',
  'MAX_PER_PAGE',
  'EVENTS_PER_PAGE',
  'CURRENCY_SYMBOL',
  'CURRENCY_CODE',
  'CURRENCY_POSITION',
  'NAMESPACE_ALIASES',
  'CORE_PREFIX',
  'TEC',
  'TEC_EEA',
  'FEATURES',
  'IMAGE_SIZES',
  'CACHE_MAX_AGE',
  'CACHE_STALE',
  'DEBUG_TIMING',
  'ALLOWED_ORIGINS',
  'ALLOW_PRIVATE_HOSTS',
  'WEBSITE',
  'LANGUAGE',
  'SITE_LOGO',
  'HEADER_FOCUS',
  'ACCENT_COLOR',
  'TYPEFACE',
  'STYLESHEET',
  'FOOTER_TEXT',
  'MAP_TILES',
  'MAP_ATTRIBUTION',
  'CONTACT',
  'IMPRINT_URL',
  'PRIVACY_URL',
  'ACCESSIBILITY_URL',
  'FIRST_STEPS',
  'SUBMISSIONS',
  'SUBMISSIONS_AUTHOR',
  'INBOX',
  'INBOX_ADDRESS',
  'TURNSTILE_SITE_KEY',
  'TURNSTILE_SECRET',
  'GEOCODER',
  'AI_MODEL',
  'AI_URL',
  'AI_KEY',
  'AI_TEXTS',
  'MCP',
  'SETUP_CODE',
  'MAIL_FROM',
  'NEWS_FIRST_MAILS',
  'REGISTRATION_FIRST_MAILS',
  'REGISTRATION_DAYS',
  'PICKS_NEW_LISTS',
] as const

export type Vars = { [Name in (typeof VAR_NAMES)[number]]?: string }

type DeployedVars = Vars & { CF_VERSION_METADATA?: { id: string } }

/**
 * The settings from the vars. `stored` is the text of the settings in the database, '' for settings from the
 * vars alone.
 */
export type Settings = ReturnType<typeof settingsFromVars> & {
  stored: string
  /**
   * The image above the lists of events. The vars cannot name it, because the image library is in the
   * database.
   */
  header: StoredImage | null
  /**
   * True if somebody has chosen the language of the pages: in the stored settings, or by a var other than the
   * default.
   */
  isLanguageChosen: boolean
}

export type Website = Settings['website']

export const NAMESPACE = 'calendar/events/v1'

/** The version of the package, and of the documents of its API. */
export const VERSION = '1.0.0'

/**
 * Reads and checks the vars, once per set of bindings.
 *
 * @throws Error that names a var with an invalid value: a service should not run with guessed settings
 */
export const settingsOf = memoizeByObject((vars: DeployedVars): Settings => {
  const isLanguageChosen = (vars.LANGUAGE || DEFAULT_LANGUAGE) !== DEFAULT_LANGUAGE
  const settings = { ...settingsFromVars(vars), stored: '', header: null, isLanguageChosen }
  varsOf.set(settings, vars)
  return settings
})

const [DEFAULT_LANGUAGE] = LANGUAGES

const varsOf = new WeakMap<Settings, DeployedVars>()

/**
 * Settings in which values that administrators have stored in the database replace some vars.
 *
 * @param settings from the vars alone
 * @param text the stored text, which identifies the result
 * @throws Error that names a var with an invalid value
 */
export function settingsWith(
  settings: Settings,
  { vars: replaced, header }: { vars: Vars; header: StoredImage | null },
  text: string,
): Settings {
  const vars = { ...varsOf.get(settings), ...replaced }
  // The symbol and its position in the vars belong to the currency that is replaced.
  if (replaced.CURRENCY_CODE !== undefined) {
    delete vars.CURRENCY_SYMBOL
    delete vars.CURRENCY_POSITION
  }
  const isLanguageChosen = settings.isLanguageChosen || replaced.LANGUAGE !== undefined
  const merged = { ...settingsFromVars(vars), stored: text, header, isLanguageChosen }
  varSettingsByMerged.set(merged, settings)
  return merged
}

const varSettingsByMerged = new WeakMap<Settings, Settings>()

/** The settings from the vars alone, without stored settings. */
export const varSettingsOf = (settings: Settings): Settings => varSettingsByMerged.get(settings) ?? settings

/** The path of the same API in WordPress with The Events Calendar. */
const PLUGIN_NAMESPACE = 'wp-json/tribe/events/v1'

function settingsFromVars(vars: DeployedVars) {
  const timezone = canonicalZone(vars.TIMEZONE || 'UTC')
  if (!timezone)
    throw new Error(
      `TIMEZONE: ${vars.TIMEZONE} is neither an IANA zone such as Europe/Dublin nor of the form UTC±n`,
    )
  // Other settings that depend on the language come after its check.
  const website = readWebsite(vars)
  const allowsPrivateHosts = readSwitch(vars, 'ALLOW_PRIVATE_HOSTS', 'off')
  const features = readFeatures(vars)
  const submissions = readSubmissions(vars, { features })
  return {
    /** The start of permalinks, without a trailing slash; undefined for the request's own origin. */
    siteUrl: readSiteUrl(vars.SITE_URL),
    siteName: vars.SITE_NAME || 'Events',
    /** A line about the calendar; '' for none. */
    tagline: vars.SITE_TAGLINE ?? '',
    /** IANA name or `UTC±n`. */
    timezone,
    perPage: readCount(vars, 'PER_PAGE', 6),
    maxPerPage: readCount(vars, 'MAX_PER_PAGE', 100),
    currency: readCurrency(vars),
    /** The paths of the API, without slashes at either end: its own, then the aliases. */
    namespaces: [NAMESPACE, ...readList(vars.NAMESPACE_ALIASES ?? PLUGIN_NAMESPACE).map(withoutSlashes)],
    /** The path of the routes of WordPress, without slashes at either end; '' for none. */
    corePrefix: readPrefix(vars.CORE_PREFIX),
    /** The path below which clients of WordPress look for APIs, without slashes at either end. */
    wordpressRoot: rootOf(vars),
    features,
    tec: readTec(vars, { features }),
    imageSizes: readList(vars.IMAGE_SIZES).map(readImageSize),
    cache: {
      /** The seconds for which browsers may keep responses to anonymous callers. */
      maxAge: readCount(vars, 'CACHE_MAX_AGE', 60, 0),
      /**
       * The seconds for which shared caches may serve stale responses that depend on the clock while
       * revalidating.
       */
      staleWhileRevalidate: readCount(vars, 'CACHE_STALE', 600, 0),
    },
    debugTiming: !['', '0', 'false'].includes(vars.DEBUG_TIMING ?? ''),
    /** A hash of the vars, because responses depend on them. */
    fingerprint: fingerprintOf(vars),
    /** The version of the deployed Worker; '' if it is unknown. */
    build: vars.CF_VERSION_METADATA?.id ?? '',
    /** The origins whose pages may sign in and write from a browser. */
    allowedOrigins: readList(vars.ALLOWED_ORIGINS).map(readOrigin),
    /** True if the service may make requests to private networks. */
    allowsPrivateHosts,
    geocoder: readGeocoder(vars, allowsPrivateHosts),
    ai: readModel(vars),
    /** True if agents may use the calendar by the Model Context Protocol. */
    mcp: readSwitch(vars, 'MCP'),
    website,
    /** True if the start page of the editor lists the first steps of an administrator until they are done. */
    firstSteps: readSwitch(vars, 'FIRST_STEPS'),
    turnstile: readTurnstile(vars),
    submissions,
    inbox: readInbox(vars, { features, submissions }),
    setupCode: readSetupCode(vars.SETUP_CODE),
    mailFrom: readMailFrom(vars.MAIL_FROM),
    /** The most first e-mails a day to people who sign up to news; 0 if nobody can. */
    newsFirstMails: readCount(vars, 'NEWS_FIRST_MAILS', 500, 0),
    registrations: {
      /** The most first e-mails a day to people who register; 0 if nobody can. */
      firstMails: readCount(vars, 'REGISTRATION_FIRST_MAILS', 500, 0),
      /** The days after its end for which an event's registrations are kept. */
      days: readCount(vars, 'REGISTRATION_DAYS', 30, 1),
    },
    /** The most new lists of picks a day; 0 for none. */
    picksNewLists: readCount(vars, 'PICKS_NEW_LISTS', 2_000, 0),
  }
}

const rootOf = (vars: Vars): string => readPrefix(vars.CORE_PREFIX) || 'wp-json'

/** The word in `FEATURES` that switches all features off. */
const NO_FEATURES = 'none'

/**
 * The names of the features that are switched on, undefined for all. {@link assertKnownFeatures} checks them.
 */
function readFeatures({ FEATURES }: Vars): readonly string[] | undefined {
  const names = readList(FEATURES?.toLowerCase())
  if (names.length === 0) return undefined
  return names.length === 1 && names[0] === NO_FEATURES ? [] : names
}

type ChosenFeatures = { features: ReturnType<typeof readFeatures> }

/** @throws Error for a name in `FEATURES` that no feature has */
export function assertKnownFeatures({ features }: ChosenFeatures, names: readonly string[]): void {
  const unknownFeature = features?.find(name => !names.includes(name))
  if (unknownFeature !== undefined)
    throw new Error(
      `FEATURES: ${unknownFeature} is none of ${names.join(', ')}; ${NO_FEATURES} switches all of them off`,
    )
}

export const isFeatureOn = ({ features }: ChosenFeatures, name: string): boolean =>
  features === undefined || features.includes(name)

/** The namespace of the plugin's second API. */
export const TEC_V1 = 'tec/v1'

/** The settings of the API `tec/v1`. */
const readTec = (vars: Vars, chosen: ChosenFeatures) => ({
  /** Its path, without slashes at either end; '' if it is switched off. */
  path: readSwitch(vars, 'TEC') && isFeatureOn(chosen, 'tec') ? `${rootOf(vars)}/${TEC_V1}` : '',
  /** True if clients must send the sentence that accepts the plugin's API as experimental. */
  asksAcknowledgement: readSwitch(vars, 'TEC_EEA', 'off'),
})

/** The typefaces of the pages, which operating systems provide: without serifs, and with serifs. */
export const TYPEFACES = ['sans', 'serif'] as const

/** The settings of the public pages. Texts are '' by default. */
function readWebsite(vars: Vars) {
  const language = vars.LANGUAGE || DEFAULT_LANGUAGE
  if (!languageOf(language))
    throw new Error(
      `LANGUAGE: ${language} is none of ${LANGUAGES.join(', ')}, with or without a region such as en-IE`,
    )
  if (vars.ACCENT_COLOR && !parseColour(vars.ACCENT_COLOR))
    throw new Error(`ACCENT_COLOR: ${vars.ACCENT_COLOR} is not of the form #1a6b54`)
  const typeface = TYPEFACES.find(name => name === (vars.TYPEFACE || 'sans'))
  if (!typeface) throw new Error(`TYPEFACE: ${vars.TYPEFACE} is none of ${TYPEFACES.join(', ')}`)
  return {
    isOn: readSwitch(vars, 'WEBSITE'),
    /** A tag of BCP 47 with a catalogue: `de`, `en-IE`. */
    language,
    logo: readAddress(vars, 'SITE_LOGO'),
    /**
     * The point of the header image that stays visible, `x y` in percent of its width and height; '' for its
     * middle.
     */
    headerFocus: readFocus(vars.HEADER_FOCUS),
    /** `#rgb` or `#rrggbb`. */
    accent: vars.ACCENT_COLOR ?? '',
    typeface,
    stylesheet: readAddress(vars, 'STYLESHEET'),
    footer: vars.FOOTER_TEXT ?? '',
    /** Where maps come from; undefined without maps. */
    map: readMap(vars),
    /** The link to the people who run the calendar: an address, or `mailto:` with an e-mail address. */
    contact: readContact(vars),
    /** The pages that the footer links to. Forms for visitors' addresses also link to the privacy page. */
    links: {
      imprint: readAddress(vars, 'IMPRINT_URL'),
      privacy: readAddress(vars, 'PRIVACY_URL'),
      accessibility: readAddress(vars, 'ACCESSIBILITY_URL'),
    },
    eventsPerPage: readCount(vars, 'EVENTS_PER_PAGE', 24),
  }
}

/** The keys of Cloudflare Turnstile; undefined if there are none. */
function readTurnstile({ TURNSTILE_SITE_KEY: siteKey = '', TURNSTILE_SECRET: secret = '' }: Vars) {
  if ((siteKey === '') !== (secret === ''))
    throw new Error('TURNSTILE_SITE_KEY and TURNSTILE_SECRET: one of them is missing')
  return siteKey === '' ? undefined : { siteKey, secret }
}

/** The settings of visitors' submissions, which have no effect while the feature is switched off. */
const readSubmissions = (vars: Vars, chosen: ChosenFeatures) => ({
  isOn: readSwitch(vars, 'SUBMISSIONS', 'off') && isFeatureOn(chosen, 'submissions'),
  /** The login of the user who owns submissions; '' for the first administrator. */
  author: vars.SUBMISSIONS_AUTHOR ?? '',
})

/**
 * The address of the search of a server with Nominatim's API, which finds addresses on the map; undefined for
 * none. No message repeats it, because it may contain a key.
 */
function readGeocoder({ GEOCODER: text = '' }: Vars, allowsPrivateHosts: boolean): URL | undefined {
  if (text === '') return undefined
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new Error('GEOCODER: not an http(s) address such as https://nominatim.openstreetmap.org/search')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new Error(
      'GEOCODER: the address must not contain a login; a key may be a part of its path or query',
    )
  if (!isWebPort(url)) throw new Error(`GEOCODER: the address ${NO_WEB_PORT}`)
  if (!allowsPrivateHosts && isPrivateHost(url.hostname))
    throw new Error(
      `GEOCODER: ${url.hostname} is in a private network, which ALLOW_PRIVATE_HOSTS has to allow`,
    )
  return url
}

/**
 * The model of Workers AI that is asked unless `AI_MODEL` names another: the largest that the documentation
 * of JSON Mode lists (developers.cloudflare.com/workers-ai/features/json-mode/, read in December 2026).
 */
const DEFAULT_MODEL = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'

/**
 * The language model that reads announcements, and the most texts that it reads a day. `url` is the base of a
 * server with OpenAI's API, which may be on the same machine; undefined for Workers AI.
 */
function readModel(vars: Vars) {
  const { AI_URL: text = '', AI_MODEL: model = '', AI_KEY: key = '' } = vars
  const isAddress = URL.canParse(text) && /^https?:/.test(text) && new URL(text).username === ''
  // No message repeats the address, because it may contain a key.
  if (text !== '' && !isAddress)
    throw new Error('AI_URL: not an http(s) address without a login, such as http://localhost:11434/v1')
  if (text !== '' && model === '')
    throw new Error('AI_MODEL: missing; the server that AI_URL names needs the name of a model')
  return {
    model: model || DEFAULT_MODEL,
    url: text === '' ? undefined : withoutTrailingSlashes(text),
    key,
    textsPerDay: readCount(vars, 'AI_TEXTS', 100, 0),
  }
}

/** The minimum length of a code that is hard to guess, in characters. */
const MIN_SETUP_CODE_LENGTH = 20

/** The secret that makes the first administrator; undefined if it is missing or easy to guess. */
const readSetupCode = (text = ''): string | undefined =>
  text.trim().length < MIN_SETUP_CODE_LENGTH ? undefined : text.trim()

/**
 * The sender of e-mails: an address, or a name and an address in angle brackets; undefined if there is none.
 */
function readMailFrom(text = '') {
  if (text.trim() === '') return undefined
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>\s*$/.exec(text) ?? []
  const email = (inBrackets ?? text).trim()
  if (!isMailAddress(email))
    throw new Error(
      `MAIL_FROM: ${text} is neither an address such as events@example.org nor a name with one: What's on <events@example.org>`,
    )
  return { email, name: name.replaceAll('"', '').trim() }
}

/** The inbox, which takes e-mails as submissions where the calendar accepts these. */
function readInbox(
  vars: Vars,
  { features, submissions }: ChosenFeatures & { submissions: { isOn: boolean } },
) {
  const inboxAddress = vars.INBOX_ADDRESS?.trim() ?? ''
  if (inboxAddress !== '' && !isMailAddress(inboxAddress))
    throw new Error(`INBOX_ADDRESS: ${inboxAddress} is not an address such as events@example.org`)
  return {
    isOn: readSwitch(vars, 'INBOX', 'off') && submissions.isOn && isFeatureOn({ features }, 'inbox'),
    /** The address that Email Routing leads to the Worker; undefined if nobody has set it. */
    address: inboxAddress === '' ? undefined : inboxAddress,
  }
}

function readSwitch(vars: Vars, name: keyof Vars, fallback = 'on'): boolean {
  const word = (vars[name] || fallback).toLowerCase()
  if (word !== 'on' && word !== 'off') throw new Error(`${name}: ${vars[name]} is neither on nor off`)
  return word === 'on'
}

/**
 * The settings of maps. The address of the tiles is a template, in which a zoom and two numbers are filled in
 * for each tile.
 */
function readMap({ MAP_TILES: text = '', MAP_ATTRIBUTION: attribution = '' }: Vars) {
  if (text === '') return undefined
  const tiles = tilesIn(text)
  if (!tiles)
    throw new Error(
      `MAP_TILES: ${text} is not an https address with {z}, {x} and {y} in its path, such as https://tiles.example.org/{z}/{x}/{y}.png`,
    )
  return { tiles, host: new URL(tiles).host, attribution }
}

const TILE_PLACEHOLDERS = ['{z}', '{x}', '{y}'] as const

/** A template of the addresses of tiles, as browsers write it; undefined for anything else. */
export function tilesIn(text: string): string | undefined {
  const plain = text.trim().replace(/\{([zxy])\}/g, '~$1~')
  if (!URL.canParse(plain)) return undefined
  const { protocol, host, username, password, href } = new URL(plain)
  const tiles = href.replace(/~([zxy])~/g, '{$1}')
  const isTemplate =
    TILE_PLACEHOLDERS.every(placeholder => tiles.includes(placeholder)) && !/~[zxy]~/.test(host)
  return protocol === 'https:' && isTemplate && username === '' && password === '' ? tiles : undefined
}

/**
 * An http(s) address, or a path of this service. @param kinds what else is allowed, as words for the error
 */
function readAddress(vars: Vars, name: keyof Vars, kinds = 'neither'): string {
  const text = vars[name] ?? ''
  const isValid = /^\/(?!\/)/.test(text) || (URL.canParse(text) && /^https?:/.test(text))
  if (text !== '' && !isValid) throw new Error(`${name}: ${text} is ${kinds} an http(s) address nor a path`)
  return text
}

/**
 * An http(s) address, a path of this service, or an e-mail address, which becomes a link for mail programs.
 */
function readContact(vars: Vars): string {
  const text = vars.CONTACT?.trim() ?? ''
  return isMailAddress(text)
    ? `mailto:${text}`
    : readAddress(vars, 'CONTACT', 'neither an e-mail address nor')
}

/** A point in percent, such as `50 30`, without needless signs. */
function readFocus(text = ''): string {
  if (text === '') return ''
  const point = pointIn(text)
  if (!point)
    throw new Error(`HEADER_FOCUS: ${text} is not of the form 50 30, in percent of width and height`)
  return point
}

/** The point in a text such as `50 30` or `50% 30%`; undefined if it has none, or one outside the image. */
export function pointIn(text: string): string | undefined {
  const [, x, y] = /^(\d{1,3})%? (\d{1,3})%?$/.exec(text.trim()) ?? []
  return Number(x) <= 100 && Number(y) <= 100 ? `${Number(x)} ${Number(y)}` : undefined
}

const readList = (text = ''): string[] =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)

/** A path for the routes of WordPress, or ''. Their index has this path, so the path must not be the root. */
function readPrefix(text = ''): string {
  const path = withoutSlashes(text.trim())
  if (!/^(|[\w-][\w.-]*(\/[\w-][\w.-]*)*)$/.test(path))
    throw new Error(`CORE_PREFIX: ${text} is not a path such as wp-json`)
  return path
}

function readSiteUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new Error(`SITE_URL: ${text} is not an http(s) address such as https://www.example.org`)
  return withoutTrailingSlashes(text)
}

function readCount(vars: Vars, name: keyof Vars, fallback: number, minimum = 1): number {
  const text = vars[name]
  if (!text) return fallback
  const number = Number(text)
  if (!Number.isInteger(number) || number < minimum)
    throw new Error(`${name}: ${text} is not a whole number of at least ${minimum}`)
  return number
}

/**
 * The currency of the vars. Missing values follow from the code, and a missing code follows from the language
 * and its region.
 */
function readCurrency(vars: Vars) {
  const position = readCurrencyPosition(vars.CURRENCY_POSITION)
  const { CURRENCY_CODE: code, CURRENCY_SYMBOL: symbol } = vars
  if (code !== undefined && symbol !== undefined && position) return { code, symbol, position }
  const usual = currencyOf(vars.LANGUAGE || DEFAULT_LANGUAGE, code)
  return {
    code: usual.code,
    symbol: symbol ?? usual.symbol,
    position: position ?? usual.position,
  }
}

function readCurrencyPosition(text: string | undefined): 'prefix' | 'postfix' | undefined {
  if (!text) return undefined
  if (text !== 'prefix' && text !== 'postfix')
    throw new Error(`CURRENCY_POSITION: ${text} is neither prefix nor postfix`)
  return text
}

/** At most seven characters of a hash of all vars with text values, including their names. */
const fingerprintOf = (vars: Vars): string =>
  fnv1a(
    Object.entries(vars)
      .filter(([, value]) => typeof value === 'string')
      .map(([name, value]) => `${name}=${value}`)
      // The order of vars differs between runtimes.
      .sort()
      .join('\n'),
  ).toString(36)

/** `medium:300` → name and width in pixels. */
function readImageSize(text: string) {
  const [, name, width] = text.match(/^([\w-]+):(\d+)$/) ?? []
  if (!name || !width)
    throw new Error(`IMAGE_SIZES: ${text} is not of the form name:width, such as large:1024`)
  return { name, width: Number(width) }
}

function readOrigin(text: string): string {
  // A pattern is an origin to `URL`, but no browser sends one.
  if (!URL.canParse(text) || new URL(text).origin !== text || text.includes('*'))
    throw new Error(`ALLOWED_ORIGINS: ${text} is not an origin such as https://admin.example.org`)
  return text
}
