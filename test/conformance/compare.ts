import { TODAY } from '../setup.ts'

// Compares responses with those of test/conformance/cases.json and cases-tec.json, which have placeholders
// for values that differ between servers.

/** Ids in the responses of a suite: saved ones by name, others by kind and order. */
export type Names = Map<string, number>

type Context = { site: string; api: string; names: Names }

const HOUR = 3_600_000
const SOON = 49 * HOUR
const IGNORED = new Set(['message', 'details', 'taxonomy', 'custom_fields', 'additional_data'])
const ADDRESSES = new Set([
  'rest_url',
  'next_rest_url',
  'previous_rest_url',
  'url',
  'self',
  'collection',
  'up',
  'website',
  'link',
])
const TEXTS = new Set([
  'title',
  'venue',
  'organizer',
  'name',
  'description',
  'excerpt',
  'cost',
  'rendered',
  'organizer_names',
])

const ENTITIES: [RegExp, string][] = [
  [/&#0*38;|&amp;/g, '&'],
  [/&#0?39;|&apos;|&#821[67];|[‘’]/g, "'"],
  [/&quot;|&#0*34;|&#822[01];|[“”]/g, '"'],
  [/&#8211;|–/g, '-'],
  [/&#8230;|…/g, '...'],
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
]
const decode = (text: string): string =>
  ENTITIES.reduce((decoded, [entity, char]) => decoded.replace(entity, char), text).trim()

/** All differences between a recorded response and the actual one, which may have further fields. */
export function differences(want: unknown, got: unknown, context: Context, at = '$', key = ''): string[] {
  if (want === '<any>' || want === got) return []
  if (key === 'params') return sameNames(want, got) ? [] : [`${at}: wanted ${show(want)}, got ${show(got)}`]
  if (Array.isArray(want)) return arrayDifferences(want, got, context, at, key)
  if (isObject(want)) return objectDifferences(want, got, context, at)
  return matches(want, got, context, key) ? [] : [`${at}: wanted ${show(want)}, got ${show(got)}`]
}

function arrayDifferences(
  want: unknown[],
  got: unknown,
  context: Context,
  at: string,
  key: string,
): string[] {
  if (!Array.isArray(got) || got.length !== want.length)
    return [`${at}: wanted ${show(want)}, got ${show(got)}`]
  return want.flatMap((item, i) => differences(item, got[i], context, `${at}[${i}]`, key))
}

function objectDifferences(
  want: Record<string, unknown>,
  got: unknown,
  context: Context,
  at: string,
): string[] {
  if (!isObject(got)) return [`${at}: wanted an object, got ${show(got)}`]
  return Object.entries(want).flatMap(([key, value]) => {
    if (IGNORED.has(key)) return []
    return key in got ? differences(value, got[key], context, `${at}.${key}`, key) : [`${at}.${key}: missing`]
  })
}

/** Tells whether two errors name the same parameters. */
const sameNames = (want: unknown, got: unknown): boolean => {
  const names = (value: unknown) =>
    (Array.isArray(value) ? value : Object.keys(Object(value))).map(String).sort()
  return show(names(want)) === show(names(got))
}

function matches(want: unknown, got: unknown, context: Context, key: string): boolean {
  if (typeof want !== 'string') return false
  if (/^<[a-z]+[:#][^<>]+>$/.test(want)) return isNamed(want, got, context)
  if (typeof got !== 'string') return false
  if (want.startsWith('<~now')) return isNear(want, got)
  if (want.startsWith('{host}')) return isGlobalId(want, got, context)
  if (ADDRESSES.has(key) && want.startsWith('{')) return isAddress(want, got, context)
  return TEXTS.has(key) && decode(want) === decode(got)
}

/**
 * `<venue:a>` is an id that a step has saved; `<venue#1>` stands for one that was not saved, always the same
 * one. An id within an address is a text.
 */
function isNamed(name: string, got: unknown, { names }: Context): boolean {
  if (!/^[1-9]\d*$/.test(String(got))) return false
  const id = Number(got)
  const known = names.get(name)
  if (known !== undefined) return known === id
  const kind = name.match(/\w+/)?.[0]
  if ([...names].some(([other, otherId]) => otherId === id && other.startsWith(`<${kind}`))) return false
  names.set(name, id)
  return true
}

function isNear(want: string, got: string): boolean {
  const center = new Date(TODAY)
  if (want.includes('+24m')) center.setUTCFullYear(center.getUTCFullYear() + 2)
  return Math.abs(Date.parse(`${got.replace(' ', 'T')}Z`) - center.getTime()) < SOON
}

function isGlobalId(want: string, got: string, context: Context): boolean {
  const [host, id] = got.split('?id=')
  return host === new URL(context.site).host && isNamed(want.replace('{host}?id=', ''), id, context)
}

/** Addresses are compared by path and page number. */
function isAddress(want: string, got: string, context: Context): boolean {
  if (!got.startsWith(context.site)) return false
  const [wantPath = '', wantQuery] = want.split('?')
  const page = new URL(got).searchParams.get('page')
  if ((new URLSearchParams(wantQuery).get('page') ?? null) !== page) return false
  const path = got.split('?')[0]?.replace(/\/$/, '') ?? ''
  const [base, name] = wantPath
    .replace('{ns}', context.api)
    .replace('{site}', context.site)
    .split(/\/(?=<)/)
  if (name === undefined) return path === base
  return path.startsWith(`${base}/`) && isNamed(name, path.slice(`${base}/`.length), context)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300)
