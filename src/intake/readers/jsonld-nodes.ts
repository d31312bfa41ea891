import { messageOf } from '../../lib/errors.ts'
import { isObject } from '../../lib/values.ts'
import type { Raw } from './fields.ts'
import { absolute, type JsonScript, MOST_LINKS, withoutFragment } from './html-page.ts'

/** The nodes of a page's JSON-LD. */
export type Nodes = {
  /** Events in the order of the page, each after the event that it is part of. */
  events: EventNode[]
  /** Addresses in lists of the page. */
  listed: string[]
  /** Nodes by `@id`, by which others refer to them. */
  byId: ReadonlyMap<string, Raw>
  /** Scripts that are not JSON: the line of the page, and the error. */
  failures: { line: number; reason: string }[]
  /** True if nodes are nested too deeply, or are too many, so that some were not read. */
  isCut: boolean
}

/** An event, and the event that it is part of. */
export type EventNode = { node: Raw; parent: Raw | undefined; line: number }

/** Far deeper than people nest, and far more than a calendar has on a page. */
const MOST_DEPTH = 40
const MOST_EVENTS = 10_000
const MOST_NODES = 200_000
/** Limits on the scripts of a page, and on their characters in all. */
const MOST_SCRIPTS = 1_000
const MOST_CHARACTERS = 5_000_000
const MOST_TYPES = 20

/** Parses the JSON of a script. Some programs wrap it in comments, or leave line breaks in texts. */
function parse({ text, line }: JsonScript): { json: unknown } | { line: number; reason: string } {
  const bare = text
    .replace(/^\s*(?:<!--|(?:(?:\/\/|\/\*)\s*)?<!\[CDATA\[(?:\s*\*\/)?)/, blank)
    .replace(/(?:-->|(?:\/\/|\/\*)?\s{0,9}\]\]>(?:\s{0,9}\*\/)?)\s{0,99}$/, blank)
  try {
    return { json: JSON.parse(bare) }
  } catch (error) {
    try {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that JSON does not allow within texts.
      return { json: JSON.parse(bare.replace(/[\u0000-\u001f]/g, ' ')) }
    } catch {
      const before = bare.slice(0, positionIn(messageOf(error), bare)).split('\n').length - 1
      return {
        line: line + before,
        reason: `its JSON-LD is no JSON: ${messageOf(error).replace(/\s+/g, ' ').slice(0, 200)}`,
      }
    }
  }
}

/**
 * The position at which JSON becomes invalid, according to V8's message: it names the position, or quotes the ten
 * characters before and after it.
 */
function positionIn(message: string, json: string): number {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  const [, quoted] = /\.\.\."([\s\S]+)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? []
  return quoted === undefined ? 0 : json.indexOf(quoted) + 10
}

/** Blanks in place of a text, so that the numbers of lines stay the same. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** A name of the vocabulary without its prefix: `http://schema.org/MusicEvent` is `MusicEvent`. */
export const localName = (raw: unknown): string =>
  typeof raw === 'string' ? raw.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '') : ''

function typesOf({ '@type': type }: Raw): string[] {
  const types: unknown[] = Array.isArray(type) ? type.slice(0, MOST_TYPES) : [type]
  return types.map(localName)
}

export const hasType = (node: Raw, name: string): boolean => typesOf(node).includes(name)

/** Types of events whose names don't say so, and types named like events that are something else. */
const NAMED_OTHERWISE = new Set(['Festival', 'Hackathon', 'CourseInstance', 'EventSeries'])
const NO_EVENTS = new Set(['PublicationEvent', 'BroadcastEvent', 'OnDemandEvent', 'DeliveryEvent'])

const isEvent = (node: Raw): boolean =>
  typesOf(node).some(type => NAMED_OTHERWISE.has(type) || (/Events?$/.test(type) && !NO_EVENTS.has(type)))

const PARTS = ['subEvent', 'subEvents'] as const

/** The address of another page, if an event only refers to it, because it has no date itself. */
function elsewhere(node: Raw, base: string): string | undefined {
  const given = [node.url, node['@id']].find(one => typeof one === 'string')
  const url = node.startDate === undefined && typeof given === 'string' ? absolute(given, base) : undefined
  return url && withoutFragment(url) !== withoutFragment(new URL(base)) ? url.href : undefined
}

/**
 * Finds the events of a page, wherever they are in its JSON-LD.
 *
 * @param base the page's address
 */
export function nodesOf(scripts: readonly JsonScript[], base: string): Nodes {
  const events: EventNode[] = []
  const listed: string[] = []
  const failures: Nodes['failures'] = []
  const byId = new Map<string, Raw>()
  /** The number of keys of the nodes in `byId`. */
  const lengths = new Map<string, number>()
  let isCut = scripts.length > MOST_SCRIPTS
  let [left, characters] = [MOST_NODES, 0]
  const list = (address: string) => {
    if (listed.length < MOST_LINKS) listed.push(address)
  }
  for (const script of scripts.slice(0, MOST_SCRIPTS)) {
    characters += script.text.length
    if (characters > MOST_CHARACTERS) {
      isCut = true
      break
    }
    const parsed = parse(script)
    if ('reason' in parsed) {
      failures.push(parsed)
      continue
    }
    // An explicit stack, because pages may nest deeper than calls can.
    const stack: { value: unknown; depth: number; parent: Raw | undefined }[] = [
      { value: parsed.json, depth: 0, parent: undefined },
    ]
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { value, depth, parent } = top
      if (typeof value !== 'object' || value === null) continue
      left -= 1
      if (depth > MOST_DEPTH || left < 0) {
        isCut = true
        continue
      }
      const push = (values: readonly unknown[], of: Raw | undefined) => {
        const most = Math.min(values.length, MOST_NODES)
        if (most < values.length) isCut = true
        for (let i = most - 1; i >= 0; i -= 1) stack.push({ value: values[i], depth: depth + 1, parent: of })
      }
      if (Array.isArray(value)) push(value, parent)
      // Breadcrumbs are not a list of events.
      if (isObject(value) && hasType(value, 'BreadcrumbList')) continue
      if (!isObject(value) || Array.isArray(value)) continue
      const id = value['@id']
      // The longest node with an id is the actual one; the others refer to it.
      const keys = Object.keys(value)
      if (typeof id === 'string' && keys.length > (lengths.get(id) ?? 0)) {
        byId.set(id, value)
        lengths.set(id, keys.length)
      }
      if (isEvent(value) && keys.some(key => !key.startsWith('@'))) {
        if (events.length === MOST_EVENTS) {
          isCut = true
          break
        }
        const link = elsewhere(value, base)
        // A series is not itself one of its dates.
        const isFrame = hasType(value, 'EventSeries') && PARTS.some(name => value[name] !== undefined)
        if (link !== undefined) list(link)
        else if (!isFrame) events.push({ node: value, parent, line: script.line })
        const own = isFrame || link !== undefined ? undefined : value
        push(
          PARTS.map(name => value[name]),
          own,
        )
        // Organizers and places that others refer to.
        push([value.location, value.organizer].flat().filter(isObject), undefined)
        continue
      }
      if (hasType(value, 'ListItem')) {
        const address = [value.url, value.item, isObject(value.item) ? value.item['@id'] : undefined]
        for (const one of address) if (typeof one === 'string') list(one)
      }
      push(
        Object.entries(value)
          .filter(([name]) => name !== 'superEvent')
          .map(([, one]) => one),
        parent,
      )
    }
  }
  return { events, listed, byId, failures, isCut }
}
