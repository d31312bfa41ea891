import { BETWEEN_WORDS } from '../../lib/pattern.ts'
import { decodeEntities } from '../../lib/text.ts'

/** A stored title or name as plain text. It is stored with entities, because clients of the API insert it as HTML. */
export const plain = (stored: string): string => decodeEntities(stored)

/** The name of a resource. Imported ones may have none, in which case it is the slug. */
export const nameOf = (stored: string, slug: string): string => plain(stored).trim() || slug

/** Stored texts in one line, without empty ones. */
export const inLine = (texts: readonly (string | undefined)[]): string =>
  texts.flatMap(text => (text ? [plain(text)] : [])).join(', ')

/**
 * A stored description for a page. It was sanitized when it was written; a page also needs it without inline styles, which the
 * policy forbids, without classes, which may have a meaning on the page (one of them stretches a link over a whole box), with a
 * text for each image, and with headings that come right below the page's title.
 */
export function richText(html: string): string {
  const highest = Math.min(...[...html.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level)))
  const shownAs = (name: string) =>
    /^h[1-6]$/.test(name) ? `h${Math.min(6, Number(name[1]) - highest + 2)}` : name
  return html.replace(
    /<(\/?)([a-z][a-z\d]*)(?![a-z\d])([^<>]*)>/g,
    (_, slash: string, name: string, attributes: string) => {
      if (slash) return `</${shownAs(name)}>`
      const kept = attributes.replace(ATTRIBUTE, (whole, key: string) => (DROPPED.includes(key) ? '' : whole))
      const isBare = name === 'img' && !/ alt(?:=|\s|$)/.test(kept)
      return `<${shownAs(name)}${isBare ? ' alt=""' : ''}${name === 'img' ? lazy(kept) : kept}>`
    },
  )
}

/** An attribute in sanitized HTML, matched as a whole, so that nothing inside a value is taken for another one. */
const ATTRIBUTE = / ([^\s="]+)(?:="[^"]*")?/g

const DROPPED: readonly string[] = ['class', 'style']

const lazy = (attributes: string): string =>
  / loading=/.test(attributes) ? attributes : ` loading="lazy"${attributes}`

/** The words of a text, in lower case, each between blanks. */
const wordsOf = (text: string): string => ` ${text.toLocaleLowerCase().replace(BETWEEN_WORDS(), ' ').trim()} `

/** The name of a venue with its city, unless the name has it: never «City Theatre Kilkenny, Kilkenny». */
export function placeLine({ name, city }: { name: string; city: string }): string {
  const isNamed = city !== '' && wordsOf(plain(name)).includes(wordsOf(plain(city)))
  return inLine(isNamed ? [name] : [name, city])
}
