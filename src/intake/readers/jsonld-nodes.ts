import { messageOf } from '../../lib/errors.ts'
import { isObject } from '../../lib/values.ts'
import type { Raw } from './fields.ts'
import { absolute, type JsonScript, MOST_LINKS, withoutFragment } from './html-page.ts'

/** The nodes of a page's JSON-LD. */
export type Nodes = {
  /** Events in the order of the page, each after the one that it is a part of. */
  events: EventNode[]
  /** Addresses that lists of the page name. */
  listed: string[]
  /** Nodes by their `@id`, to which others refer. */
  byId: ReadonlyMap<string, Raw>
  /** Scripts that are no JSON: the line of the page, and what is wrong. */
  failures: { line: number; reason: string }[]
  /** True if something lies deeper, or there is more of it, than is looked at. */
  isCut: boolean
}

/** An event, and the one that it is a part of. */
export type EventNode = { node: Raw; parent: Raw | undefined; line: number }

/** Far more than people nest, and than a calendar has on a page. */
const MOST_DEPTH = 40
const MOST_EVENTS = 10_000
const MOST_NODES = 200_000
/** Scripts of a page, and their characters in all. */
const MOST_SCRIPTS = 1_000
const MOST_CHARACTERS = 5_000_000
const MOST_TYPES = 20

/** The JSON of a script. Some programs wrap it in comments, or leave line breaks in its texts. */
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

/** Where JSON stops to be some, by the message of V8: it names a position, or quotes the ten characters before and after. */
function positionIn(message: string, json: string): number {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  const [, quoted] = /\.\.\."([\s\S]+)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? []
  return quoted === undefined ? 0 : json.indexOf(quoted) + 10
}

/** Blanks in place of a text, so that lines stay where they are. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** A name of the vocabulary without its prefix: `http://schema.org/MusicEvent` is `MusicEvent`. */
export const localName = (raw: unknown): string =>
  typeof raw === 'string' ? raw.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '') : ''

function typesOf({ '@type': type }: Raw): string[] {
  const types: unknown[] = Array.isArray(type) ? type.slice(0, MOST_TYPES) : [type]
  return types.map(localName)
}

export const hasType = (node: Raw, name: string): boolean => typesOf(node).includes(name)

/** Types of events that are not named so, and those that are named so but are something else that happens. */
const NAMED_OTHERWISE = new Set(['Festival', 'Hackathon', 'CourseInstance', 'EventSeries'])
const NO_EVENTS = new Set(['PublicationEvent', 'BroadcastEvent', 'OnDemandEvent', 'DeliveryEvent'])

const isEvent = (node: Raw): boolean =>
  typesOf(node).some(type => NAMED_OTHERWISE.has(type) || (/Events?$/.test(type) && !NO_EVENTS.has(type)))

const PARTS = ['subEvent', 'subEvents'] as const

/** The address of another page that an event only refers to, because it does not say when it is. */
function elsewhere(node: Raw, base: string): string | undefined {
  const given = [node.url, node['@id']].find(one => typeof one === 'string')
  const url = node.startDate === undefined && typeof given === 'string' ? absolute(given, base) : undefined
  return url && withoutFragment(url) !== withoutFragment(new URL(base)) ? url.href : undefined
}

/**
 * Finds the events of a page, wherever they stand in its JSON-LD.
 *
 * @param base the page's address
 */
export function nodesOf(scripts: readonly JsonScript[], base: string): Nodes {
  const events: EventNode[] = []
  const listed: string[] = []
  const failures: Nodes['failures'] = []
  const byId = new Map<string, Raw>()
  /** How much the nodes say that others refer to. */
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
    // A stack of its own: pages may nest deeper than calls can.
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
      // The way to a page is no list of events.
      if (isObject(value) && hasType(value, 'BreadcrumbList')) continue
      if (!isObject(value) || Array.isArray(value)) continue
      const id = value['@id']
      // The longest node of an id is the one that says something; others refer to it.
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
        // A series is none of the dates that it consists of.
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
