import { messageOf } from '../../kit/lib/errors.ts'
import { isObject } from '../../kit/lib/values.ts'
import type { RawValues } from '../fields.ts'
import { absoluteUrl, MAX_LINKS, type StructuredData, withoutFragment } from '../html-page.ts'
import { microdataIn } from '../microdata.ts'
import { mendedJson, mendKeys } from './slips.ts'

/** The nodes of a page's JSON-LD. */
export type Nodes = {
  /** Events in the order of the page, each after the event that it is part of. */
  events: EventNode[]
  /** Addresses in lists of the page. */
  listed: string[]
  /** Nodes by `@id`, by which others refer to them. */
  byId: ReadonlyMap<string, RawValues>
  /** Scripts that are not JSON: the line of the page, and the error. */
  failures: { line: number; reason: string }[]
  /** The lines of scripts with slips that were repaired. */
  mended: number[]
  /** Keys that were read as others. */
  slips: { line: number; text: string; correction: string }[]
  /** True if nodes are nested too deeply, or are too many, so that some were not read. */
  isCut: boolean
}

/**
 * An event, the event that it is part of, and the one around it, which may be a series and no event of its
 * own.
 */
export type EventNode = {
  node: RawValues
  parent: RawValues | undefined
  around?: RawValues | undefined
  line: number
}

/**
 * Limits on the depth of nodes, on events, and on nodes: far deeper than people nest, and far more than a
 * calendar has on a page.
 */
const MAX_DEPTH = 40
const MAX_EVENTS = 10_000
const MAX_NODES = 200_000
/** Limits on the scripts of a page, and on their characters in all. */
const MAX_SCRIPTS = 1_000
const MAX_CHARACTERS = 5_000_000
const MAX_TYPES = 20
/**
 * The most slips that are reported, and the most failures, after which nodes like events are no longer
 * reported.
 */
const MAX_REPORTED = 100

type JsonText = Extract<StructuredData, { text: string }>

/** Parses the JSON of a script. Some programs wrap it in comments, or leave line breaks in texts. */
function parse({
  text,
  line,
}: JsonText): { json: unknown; isMended?: true } | { line: number; reason: string } {
  const bareJson = text
    .replace(/^\s*(?:<!--|(?:(?:\/\/|\/\*)\s*)?<!\[CDATA\[(?:\s*\*\/)?)/, blankedOut)
    .replace(/(?:-->|(?:\/\/|\/\*)?\s{0,9}\]\]>(?:\s{0,9}\*\/)?)\s{0,99}$/, blankedOut)
  // An empty script says nothing.
  if (bareJson.trim() === '') return { json: null }
  try {
    return { json: JSON.parse(bareJson) }
  } catch (error) {
    try {
      return { json: JSON.parse(mendedJson(bareJson)), isMended: true }
    } catch {
      const before = bareJson.slice(0, positionIn(messageOf(error), bareJson)).split('\n').length - 1
      return {
        line: line + before,
        reason: `its JSON-LD is not JSON: ${messageOf(error).replace(/\s+/g, ' ').slice(0, 200)}`,
      }
    }
  }
}

/**
 * The position at which JSON becomes invalid, according to V8's message: it names the position, or quotes the
 * ten characters before and after it.
 */
function positionIn(message: string, json: string): number {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  const [, quoted] = /\.\.\."([\s\S]+)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? []
  return quoted === undefined ? 0 : json.indexOf(quoted) + 10
}

/** Replaces a text by spaces, so that line numbers stay the same. */
const blankedOut = (text: string): string => text.replace(/[^\n]/g, ' ')

/** A name of the vocabulary without its prefix: `http://schema.org/MusicEvent` is `MusicEvent`. */
export const localName = (raw: unknown): string =>
  typeof raw === 'string' ? raw.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '') : ''

function typesOf({ '@type': type }: RawValues): string[] {
  const types: unknown[] = Array.isArray(type) ? type.slice(0, MAX_TYPES) : [type]
  return types.map(localName)
}

export const hasType = (node: RawValues, name: string): boolean => typesOf(node).includes(name)

/**
 * Types of events whose names don't say so, and types named like events that are something else, in lower
 * case.
 */
const NAMED_OTHERWISE = new Set(['festival', 'hackathon', 'courseinstance', 'eventseries'])
const NOT_EVENTS = new Set(['publicationevent', 'broadcastevent', 'ondemandevent', 'deliveryevent'])

const isEvent = (node: RawValues): boolean =>
  typesOf(node)
    .map(type => type.toLowerCase())
    .some(type => NAMED_OTHERWISE.has(type) || (/events?$/.test(type) && !NOT_EVENTS.has(type)))

/** True if a node of another type has what an event has: its type may be misspelt, or missing. */
const isLikeEvent = (node: RawValues): boolean =>
  ['name', 'startDate', 'location'].every(key => node[key] !== undefined) &&
  !typesOf(node).some(type => NOT_EVENTS.has(type.toLowerCase()))

const SUB_EVENT_KEYS = ['subEvent', 'subEvents'] as const

/**
 * The address of the page to which an event only refers, because it has no date itself; undefined for others.
 */
function otherPage(node: RawValues, base: string): string | undefined {
  const givenAddress = [node.url, node['@id']].find(one => typeof one === 'string')
  const isDated = node.startDate !== undefined || node.endDate !== undefined
  const url = !isDated && typeof givenAddress === 'string' ? absoluteUrl(givenAddress, base) : undefined
  return url && withoutFragment(url) !== withoutFragment(new URL(base)) ? url.href : undefined
}

/** The nodes found on a page. */
type Search = Pick<Nodes, 'failures' | 'slips'> & {
  base: string
  events: EventNode[]
  listed: string[]
  byId: Map<string, RawValues>
  /** The number of keys of the nodes in `byId`. */
  lengths: Map<string, number>
  /** The number of nodes that may still be read. */
  left: number
  isCut: boolean
}

/**
 * Finds the events of a page, wherever they are in its JSON-LD.
 *
 * @param base the page's address
 */
export function nodesOf(scripts: readonly StructuredData[], base: string): Nodes {
  const failures: Nodes['failures'] = []
  const mendedLines: number[] = []
  const search: Search = {
    base,
    failures,
    slips: [],
    events: [],
    listed: [],
    byId: new Map(),
    lengths: new Map(),
    left: MAX_NODES,
    isCut: scripts.length > MAX_SCRIPTS,
  }
  let characters = 0
  const texts = scripts.filter(script => 'text' in script)
  for (const script of texts.slice(0, MAX_SCRIPTS)) {
    characters += script.text.length
    if (characters > MAX_CHARACTERS) {
      search.isCut = true
      break
    }
    const parsedJson = parse(script)
    if ('reason' in parsedJson) failures.push(parsedJson)
    else {
      if (parsedJson.isMended || script.isMisspelt) mendedLines.push(script.line)
      readAll(search, parsedJson.json, { parent: undefined, depth: 0, line: script.line })
    }
  }
  // Pages with events in JSON-LD and in microdata say the same twice. JSON-LD that is only about a site, or
  // its breadcrumbs, says nothing of its events.
  if (search.events.length === 0)
    for (const script of scripts)
      if ('html' in script)
        for (const { json, line } of microdataIn(script.html))
          readAll(search, json, { parent: undefined, depth: 0, line })
  const { events, listed, byId, slips, isCut } = search
  return { events, listed, byId, failures, mended: mendedLines, slips, isCut }
}

/**
 * The place of a value in a script: the events that it is within, how deep it is nested, and the line of the
 * script.
 */
type NodePosition = Pick<EventNode, 'parent' | 'around'> & { depth: number; line: number }

/** Reads the nodes in a value, down to a limited depth, because pages may nest deeper than calls can. */
function readAll(search: Search, value: unknown, position: NodePosition): void {
  if (typeof value !== 'object' || value === null) return
  search.left -= 1
  if (position.depth > MAX_DEPTH || search.left < 0) {
    search.isCut = true
    return
  }
  const itemPosition = { ...position, depth: position.depth + 1 }
  if (isObject(value)) readNode(search, value, itemPosition)
  if (!Array.isArray(value)) return
  for (const item of value.slice(0, MAX_NODES)) readAll(search, item, itemPosition)
  if (value.length > MAX_NODES) search.isCut = true
}

/** Stores the event, links and id of a node, and reads the values within it. */
function readNode(search: Search, node: RawValues, position: NodePosition): void {
  // Breadcrumbs are not a list of events.
  if (hasType(node, 'BreadcrumbList')) return
  const keys = Object.keys(node)
  const { '@id': id } = node
  // The longest node with an id is the actual one; the others refer to it.
  if (typeof id === 'string' && keys.length > (search.lengths.get(id) ?? 0)) {
    search.byId.set(id, node)
    search.lengths.set(id, keys.length)
  }
  if (isEvent(node) && keys.some(key => !key.startsWith('@'))) {
    readEvent(search, node, position)
    return
  }
  if (isLikeEvent(node) && search.failures.length < MAX_REPORTED) {
    const type = typesOf(node).join(', ').slice(0, 50)
    search.failures.push({
      line: position.line,
      reason: `it has the dates of an event, but not its @type: ${JSON.stringify(type)}`,
    })
  }
  if (hasType(node, 'ListItem'))
    keepLinks(search, [node.url, node.item, isObject(node.item) ? node.item['@id'] : undefined])
  for (const name of keys) if (name !== 'superEvent') readAll(search, node[name], position)
}

function readEvent(search: Search, node: RawValues, position: NodePosition): void {
  if (search.events.length === MAX_EVENTS) {
    search.isCut = true
    return
  }
  mendKeys(node, (text, correction) => {
    if (search.slips.length < MAX_REPORTED) search.slips.push({ line: position.line, text, correction })
  })
  const link = otherPage(node, search.base)
  // A series is not itself one of its dates.
  const isSeriesOnly = hasType(node, 'EventSeries') && SUB_EVENT_KEYS.some(name => node[name] !== undefined)
  const isOwn = link === undefined && !isSeriesOnly
  keepLinks(search, [link, ...SUB_EVENT_KEYS.flatMap(name => node[name])])
  const { parent, around, line } = position
  if (isOwn) search.events.push({ node, parent, around, line })
  // These are organizers and places to which others refer.
  for (const part of [node.location, node.organizer].flat().filter(isObject))
    readAll(search, part, { ...position, parent: undefined, around: undefined })
  for (const name of SUB_EVENT_KEYS)
    readAll(search, node[name], { ...position, parent: isOwn ? node : undefined, around: node })
}

function keepLinks({ listed }: Search, addresses: readonly unknown[]): void {
  for (const address of addresses)
    if (typeof address === 'string' && listed.length < MAX_LINKS) listed.push(address)
}
