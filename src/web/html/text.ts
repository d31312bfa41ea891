import { decodeEntities, htmlToText } from '../../lib/text.ts'

/** A stored title or name as text: without entities, which clients of the API insert as HTML. */
export const plain = (stored: string): string => decodeEntities(stored)

/** The name of something. What was imported may have none, and is then known by the last part of its address. */
export const nameOf = (stored: string, slug: string): string => plain(stored).trim() || slug

/** Stored texts in one line, without those that are empty. */
export const inLine = (texts: readonly (string | undefined)[]): string =>
  texts.flatMap(text => (text ? [plain(text)] : [])).join(', ')

/** Characters of HTML that are enough for a summary; descriptions may have 200,000. */
export const READ = 4_000

/** The beginning of an HTML text as plain text, cut between words. @param most characters */
export function summary(html: string, most: number): string {
  const head = html.length > READ ? html.slice(0, READ).replace(/<[^>]*$/, '') : html
  const text = htmlToText(head)
  if (text.length <= most && head === html) return text
  const cut = text.slice(0, most - 1)
  // The end may be half of a character.
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2)).replace(/[\s,;:.–\ud800-\udbff-]+$/, '')}…`
}

/**
 * A stored description as a part of a page. It was sanitised when it was written; what is left to do is what a page of
 * its own asks for: no inline styles, which the policy refuses, no classes, which may be the page's (that of a link over a
 * whole box would lay a link over the whole page), a text for every image, and no second title.
 */
export const richText = (html: string): string =>
  html.replace(/<(\/?)([a-z][a-z\d]*)([^<>]*)>/g, (_, slash: string, name: string, attributes: string) => {
    if (slash) return `</${HEADINGS[name] ?? name}>`
    const kept = attributes.replace(ATTRIBUTE, (whole, key: string) => (DROPPED.includes(key) ? '' : whole))
    const isBare = name === 'img' && !/ alt(?:=|\s|$)/.test(kept)
    return `<${HEADINGS[name] ?? name}${isBare ? ' alt=""' : ''}${name === 'img' ? lazy(kept) : kept}>`
  })

/** An attribute as sanitised HTML has it. Each is matched as a whole, so that no value is taken for another one. */
const ATTRIBUTE = / ([^\s="]+)(?:="[^"]*")?/g

const DROPPED: readonly string[] = ['class', 'style']

const HEADINGS: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }

const lazy = (attributes: string): string =>
  / loading=/.test(attributes) ? attributes : ` loading="lazy"${attributes}`
