import { Parser } from 'htmlparser2'
import type { Raw } from './fields.ts'

// Microdata (https://html.spec.whatwg.org/multipage/microdata.html) as nodes like those of JSON-LD, so that one reader reads both.

/** Tells whether a page may have items of schema.org. */
export const hasMicrodata = (html: string): boolean =>
  /\sitemscope[\s>=]/i.test(html) &&
  /itemtype\s{0,9}=\s{0,9}["']?https?:\/\/(?:www\.)?schema\.org\//i.test(html)

/** An element that is open: the item that it begins, and the property whose value it is. */
type Open = {
  item: Raw | undefined
  property: { names: readonly string[]; of: Raw } | undefined
  /** The value, if attributes have it; otherwise the text within is. */
  value: unknown
  text: string
}

/** The attributes that have the values of elements. */
const VALUES: Readonly<Record<string, string>> = {
  meta: 'content',
  ...{ audio: 'src', embed: 'src', iframe: 'src', img: 'src', source: 'src', track: 'src', video: 'src' },
  ...{ a: 'href', area: 'href', link: 'href' },
  object: 'data',
  ...{ data: 'value', meter: 'value' },
  time: 'datetime',
}

/** Limits on values within values, on items, and on the text of a value. */
const MOST_NESTED = 50
const MOST_ITEMS = 20_000
const LONGEST_TEXT = 100_000

const wordsIn = (text = ''): string[] => text.split(/\s+/).filter(Boolean)

function add(node: Raw, names: readonly string[], value: unknown): void {
  // Only this module has made the node.
  const own = node as Record<string, unknown>
  for (const name of names) {
    const known = own[name]
    own[name] = known === undefined ? value : [known, value].flat()
  }
}

/** The items of a page that belong to no other, each with its line. */
export function microdataIn(html: string): { json: unknown; line: number }[] {
  const found: { json: unknown; line: number }[] = []
  const open: Open[] = []
  let [items, nested, line, counted] = [0, 0, 1, 0]
  const lineAt = (at: number): number => {
    line += html.slice(counted, at).split('\n').length - 1
    counted = at
    return line
  }
  const parser: Parser = new Parser(
    {
      onopentag(name, attributes) {
        const isItem = 'itemscope' in attributes && items < MOST_ITEMS
        const owner = open.findLast(({ item }) => item !== undefined)?.item
        const names = wordsIn(attributes.itemprop)
        const item: Raw | undefined = isItem
          ? {
              '@type': wordsIn(attributes.itemtype),
              ...(attributes.itemid !== undefined && { '@id': attributes.itemid }),
            }
          : undefined
        if (item) items++
        if (item && (!owner || names.length === 0))
          found.push({ json: item, line: lineAt(parser.startIndex) })
        const value = item ?? attributes.content ?? attributes[VALUES[name] ?? '']
        const property = owner && names.length > 0 && nested < MOST_NESTED ? { names, of: owner } : undefined
        if (property) nested++
        open.push({ item, property, value: property && value, text: '' })
      },
      ontext(text) {
        for (const element of open)
          if (element.property && element.value === undefined && element.text.length < LONGEST_TEXT)
            element.text += text
      },
      onclosetag() {
        const element = open.pop()
        if (!element?.property) return
        nested--
        const { names, of } = element.property
        add(of, names, element.value ?? element.text.replace(/\s+/g, ' ').trim())
      },
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
  )
  parser.end(html)
  return found
}
