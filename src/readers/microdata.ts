import {
  type Attribute,
  decodeEntities,
  type HiddenElement,
  readMarkup,
  type Tag,
  VOID_ELEMENTS,
} from '../kit/lib/text.ts'
import type { RawValues } from './fields.ts'

// Microdata (https://html.spec.whatwg.org/multipage/microdata.html) as nodes like those of JSON-LD, so that
// one reader reads both.

/** True if a page may have items of schema.org. */
export const hasMicrodata = (html: string): boolean =>
  /\sitemscope[\s>=]/i.test(html) &&
  /itemtype\s{0,9}=\s{0,9}["']?https?:\/\/(?:www\.)?schema\.org\//i.test(html)

/** An element that is open: the item that it begins, and the property whose value it is. */
type OpenElement = {
  name: string
  item: RawValues | undefined
  property: { names: readonly string[]; item: RawValues } | undefined
  /** The value, if an attribute has it; otherwise the value is the text within the element. */
  value: unknown
  text: string
}

/** The attributes that have the values of elements. */
const VALUE_ATTRIBUTES: Readonly<Record<string, string>> = {
  meta: 'content',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  a: 'href',
  area: 'href',
  link: 'href',
  object: 'data',
  data: 'value',
  meter: 'value',
  time: 'datetime',
}

/** Limits on values within values, on items, and on the text of a value. */
const MAX_NESTED = 50
const MAX_ITEMS = 20_000
const MAX_TEXT_LENGTH = 100_000

/** Elements that end where a sibling of the same name begins. */
const UNENDED = new Set('dd dt li option p td th tr'.split(' '))
/** The most open elements among which an end tag looks for its own. */
const MAX_UNENDED = 256

const wordsIn = (text = ''): string[] => text.split(/\s+/).filter(Boolean)

function add(node: RawValues, names: readonly string[], value: unknown): void {
  // Only this module has made the node.
  const properties = node as Record<string, unknown>
  for (const name of names) {
    const knownValue = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (Array.isArray(knownValue)) knownValue.push(value)
    else properties[name] = knownValue === undefined ? value : [knownValue, value]
  }
}

/** The items of a page that are not within another item, each with its line. */
export function microdataIn(html: string): { json: unknown; line: number }[] {
  const jsonItems: { json: unknown; line: number }[] = []
  const open: OpenElement[] = []
  // Pages nest deeper than their items do: these are the open items, and the open elements whose text is a
  // value.
  const owners: RawValues[] = []
  const waitingForText: OpenElement[] = []
  let items = 0
  let nested = 0
  let line = 1
  let countedTo = 0
  const lineAt = (position: number): number => {
    line += html.slice(countedTo, position).split('\n').length - 1
    countedTo = position
    return line
  }
  const begin = (name: string, attributes: ReadonlyMap<string, string>, position: number): void => {
    const owner = owners.at(-1)
    const names = wordsIn(attributes.get('itemprop'))
    const id = attributes.get('itemid')
    const item: RawValues | undefined =
      attributes.has('itemscope') && items < MAX_ITEMS
        ? { '@type': wordsIn(attributes.get('itemtype')), ...(id !== undefined && { '@id': id }) }
        : undefined
    if (item && (!owner || names.length === 0)) jsonItems.push({ json: item, line: lineAt(position) })
    const value = item ?? attributes.get('content') ?? attributes.get(VALUE_ATTRIBUTES[name] ?? '')
    const property = owner && names.length > 0 && nested < MAX_NESTED ? { names, item: owner } : undefined
    const element = { name, item, property, value, text: '' }
    open.push(element)
    if (item) {
      items++
      owners.push(item)
    }
    if (!property) return
    nested++
    if (value === undefined) waitingForText.push(element)
  }
  const end = (): void => {
    const element = open.pop()
    if (element?.item) owners.pop()
    if (element === waitingForText.at(-1)) waitingForText.pop()
    if (!element?.property) return
    nested--
    const { names, item: owner } = element.property
    add(owner, names, element.value ?? decodeEntities(element.text).replace(/\s+/g, ' ').trim())
  }
  const onTag = ({ name, isClosing, attributes }: Tag, position: number): void => {
    if (isClosing) {
      const from = Math.max(0, open.length - MAX_UNENDED)
      const ownIndex = open.slice(from).findLastIndex(element => element.name === name)
      while (ownIndex >= 0 && open.length > from + ownIndex) end()
      return
    }
    if (UNENDED.has(name) && open.at(-1)?.name === name) end()
    begin(name, attributeValues(attributes), position)
    if (VOID_ELEMENTS.has(name)) end()
  }
  const onText = (text: string): void => {
    for (const element of waitingForText) if (element.text.length < MAX_TEXT_LENGTH) element.text += text
  }
  const onHidden = ({ name, attributes, from, to }: HiddenElement): void => {
    begin(name, attributeValues(attributes), from)
    if (name === 'title') onText(html.slice(from, to))
    end()
  }
  readMarkup(html, { onTag, onText, onHidden })
  while (open.length > 0) end()
  return jsonItems
}

const attributeValues = (attributes: readonly Attribute[]): ReadonlyMap<string, string> =>
  new Map(attributes.toReversed().map(([name, value = '']) => [name, decodeEntities(value)]))
