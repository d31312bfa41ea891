/** Text as it was written (literal `<` and entities included), or one tag. */
type Markup =
  | { kind: 'text'; text: string }
  | { kind: 'tag'; name: string; closing: boolean; attributes: string }

/** Block elements; all others are inline. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote caption center col colgroup dd details div dl dt figcaption figure ' +
    'footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

const HIDDEN = new Set('iframe noembed noframes noscript script style template textarea title xmp'.split(' '))
const TAG = /<(\/?)([a-z][^\s/>]*)/iy
const AUTOLINK = /<(?:[^\s<>@]*@|https?:\/\/)[^\s<>]*>/iy
const QUOTE_OR_END = /=\s*["']|>/g
const COMMENT_END = /--!?>/g
const CLOSING = /<\/([a-z]+)(?=[\s/>])/gi

const firstEnd = (html: string, pattern: RegExp, from: number) => {
  pattern.lastIndex = from
  return pattern.test(html) ? pattern.lastIndex : html.length
}

/** The end of the comment, CDATA section, doctype or processing instruction at `at`; 0 if none starts there. */
const asideEnd = (html: string, at: number) => {
  if (html.startsWith('<!--', at)) return firstEnd(html, COMMENT_END, at + 2)
  if (html.startsWith('<![CDATA[', at)) return firstEnd(html, /\]\]>/g, at)
  return html[at + 1] === '!' || html[at + 1] === '?' ? html.indexOf('>', at) + 1 : 0
}

/** The position of the `>` that no quoted attribute value holds, or -1. */
const tagEnd = (html: string, from: number) => {
  QUOTE_OR_END.lastIndex = from
  for (let found = QUOTE_OR_END.exec(html); found; found = QUOTE_OR_END.exec(html)) {
    const quote = found[0].at(-1) ?? ''
    if (quote === '>') return found.index
    const closed = html.indexOf(quote, QUOTE_OR_END.lastIndex)
    if (closed === -1) return -1
    QUOTE_OR_END.lastIndex = closed + 1
  }
  return -1
}

const hiddenEnd = (html: string, name: string, from: number) => {
  CLOSING.lastIndex = from
  for (let found = CLOSING.exec(html); found; found = CLOSING.exec(html)) {
    if (found[1]?.toLowerCase() === name) return firstEnd(html, />/g, CLOSING.lastIndex)
  }
  return html.length
}

/**
 * Splits HTML into text and tags, in one pass and linear time. Tags begin and end as in the tokenizer of the HTML
 * standard, with three exceptions that are text: `<me@example.org>`, `<https://…>` and a `<` without any `>` after it.
 * Comments, and elements such as script and style with their content, are left out. Control characters must have been
 * dropped before: `<scr\0ipt>` is no script here.
 *
 * @param onHidden is told of each element that is left out: its name, its attributes, and where its content begins and ends
 */
export function* markup(
  html: string,
  onHidden?: (name: string, attributes: string, from: number, to: number) => void,
): Generator<Markup, void> {
  const lastEnd = html.lastIndexOf('>')
  let from = 0
  // A quote that never closes would have every later tag scanned to the end again, in quadratic time.
  let quotesCount = true
  for (let at = html.indexOf('<'); at !== -1 && at < lastEnd; at = html.indexOf('<', at)) {
    TAG.lastIndex = AUTOLINK.lastIndex = at
    let end = asideEnd(html, at)
    const tag = end || AUTOLINK.test(html) ? null : TAG.exec(html)
    if (!end && !tag) {
      at += 1
      continue
    }
    if (at > from) yield { kind: 'text', text: html.slice(from, at) }
    if (tag) {
      const start = at + tag[0].length
      let close: number = quotesCount ? tagEnd(html, start) : -1
      quotesCount &&= close !== -1
      if (close === -1) close = html.indexOf('>', start)
      end = close + 1
      const name = (tag[2] ?? '').toLowerCase()
      const closing = tag[1] === '/'
      const attributes = html.slice(start, close)
      if (!HIDDEN.has(name)) yield { kind: 'tag', name, closing, attributes }
      else if (!closing && !attributes.endsWith('/')) {
        const content = end
        end = hiddenEnd(html, name, end)
        onHidden?.(name, attributes, content, end)
      }
    }
    from = at = end
  }
  if (from < html.length) yield { kind: 'text', text: html.slice(from) }
}

// The Stream-Safe Text Format of UAX #15 allows 30 in a row. The two half-width signs of kana become marks.
const TOO_MANY_MARKS = /(?<![\p{M}\uff9e\uff9f])([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Normalises text in linear time: only the first 30 of a run of combining marks stay. `String.normalize` sorts the marks
 * of a run in quadratic time: 40,000 of them block an instance for seconds. So nothing else in this service calls it.
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(TOO_MANY_MARKS, '$1').normalize(form)

const STACKED_MARKS = /(?<!\p{M})\p{M}{101}/u

/** True for text with a run of more than 100 combining marks, which no language has. */
export const hasStackedMarks = (text: string): boolean => STACKED_MARKS.test(text)

/**
 * Drops control characters other than tab and newline, halves of surrogate pairs and byte order marks. CRLF and CR become
 * LF. Joiners of emoji and marks of direction stay.
 */
export const dropControls = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\p{Cs}\ufeff]|(?![\t\n])\p{Cc}/gu, '')

// Blanks, marks of direction, joiners, fillers and other characters that are invisible.
const INVISIBLE =
  /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}\u{13441}\u{13442}]*$/u
/** Browsers read these two without a `;` as well. */
const BLANK_ENTITIES = /&(?:nbsp|shy);?/g

/**
 * Text for titles, names and addresses: tags are removed, `&` and entities stay, and a `<` that is left becomes `&lt;`,
 * because clients insert titles as HTML. One line, trimmed; empty if a browser would show nothing.
 */
export const toPlain = (input: string): string => {
  let text = ''
  for (const piece of markup(dropControls(input))) if (piece.kind === 'text') text += piece.text
  const plain = text
    .replaceAll('<', '&lt;')
    .replace(/[\t\n]+/g, ' ')
    .trim()
  return INVISIBLE.test(decodeEntities(plain.replace(BLANK_ENTITIES, ' '))) ? '' : plain
}

// In the order of code points from U+00A0.
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 ' +
  'acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml ' +
  'Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde ' +
  'Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ' +
  'ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide ' +
  'oslash ugrave uacute ucirc uuml yacute thorn yuml'
const OTHERS =
  'amp& lt< gt> quot" apos\' colon: Tab\t NewLine\n hellip… ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” ' +
  'bdquo„ lsaquo‹ rsaquo› trade™ euro€ bull• dagger† prime′ minus− rarr→ larr← hearts♥ zwnj\u200c zwj\u200d ' +
  'lrm\u200e rlm\u200f thinsp\u2009 ensp\u2002 emsp\u2003 emsp13\u2004 emsp14\u2005 numsp\u2007 puncsp\u2008 ' +
  'hairsp\u200a ThinSpace\u2009 VeryThinSpace\u200a MediumSpace\u205f NonBreakingSpace\u00a0 NoBreak\u2060 ' +
  'ZeroWidthSpace\u200b NegativeVeryThinSpace\u200b NegativeThinSpace\u200b NegativeMediumSpace\u200b ' +
  'NegativeThickSpace\u200b ApplyFunction\u2061 af\u2061 InvisibleTimes\u2062 it\u2062 InvisibleComma\u2063 ' +
  'ic\u2063 OEligŒ oeligœ ScaronŠ scaronš YumlŸ'
// The standard reads &#128; to &#159; as Windows-1252, and old calendars are full of &#146;.
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'

let named: Map<string, string> | undefined
const namedEntities = () => {
  named ??= new Map([
    ...LATIN_1.split(' ').map((name, i): [string, string] => [name, String.fromCharCode(160 + i)]),
    ...OTHERS.split(' ').map((entry): [string, string] => [entry.slice(0, -1), entry.slice(-1)]),
  ])
  return named
}

const character = (code: number) => {
  if (code >= 128 && code < 160) return WINDOWS_1252[code - 128] ?? '\ufffd'
  const impossible = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
  return impossible ? '\ufffd' : String.fromCodePoint(code)
}

/**
 * Decodes numeric entities (with or without `;`) and the named ones that calendars use (with `;`, because `&copy=2` in an
 * address is none), once: `&amp;lt;` gives `&lt;`. Unknown names stay.
 */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|([a-z][a-z\d]*)(?=;));?/gi, (whole, decimal, hex, name) => {
    if (name) return namedEntities().get(name) ?? whole
    return character(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })

// Latin letters with a stroke, ligatures and the like, which Unicode does not decompose.
const LETTERS = new Map(
  'ßss æae œoe øo łl đd ðd þth ħh ŧt ŋn ıi ĸk ɓb ƀb ƈc ɗd ɖd ǥg ɠg ƙk ɲn ƥp ƭt ʋv ƴy ƶz ɨi ʉu ɇe ɉj ɍr ɏy'
    .split(' ')
    .map(entry => [entry.slice(0, 1), entry.slice(1)]),
)

/** Replaces lower-case Latin letters that have no decomposition with plain letters: ø with o. */
export const plainLatin = (text: string): string =>
  text.replace(/[ß-ʯ]/g, letter => LETTERS.get(letter) ?? letter)

// Accents of European scripts, points and cantillation of Hebrew, vowels and elongation of Arabic, and invisible
// characters. Vowel signs of Indic scripts, Thai marks and the voicing of kana make other letters and stay.
const ACCENTS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]|\p{Default_Ignorable_Code_Point}/gu

const foldLetters = (text: string): string =>
  plainLatin(text.replace(ACCENTS, '').toUpperCase().toLowerCase())
    .replaceAll('ς', 'σ')
    .replace(/[‘’ʹʻʼʽ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‒–—]/g, '-')

const foldFully = (text: string, longest: number): string | undefined => {
  const decomposed = normalizeText(text, 'NFKD')
  // Letters of Hangul and Vietnamese decompose into three, and are composed again below.
  if (decomposed.length > 2 * longest) return undefined
  const folded = normalizeText(foldLetters(decomposed), 'NFC')
  return folded.length > longest ? undefined : folded
}

/**
 * Folds text for search without regard to case and accents, in any script: Café, CAFE and café become one. Typographic
 * quotes and hyphens become those of a keyboard. Idempotent.
 *
 * The result is at most twice as long as the text, or 20,000 UTF-16 units: ligatures of whole sentences are decomposed
 * (U+FDFA has 18 letters), but a long description of them would not fit into a row of the database.
 */
export const fold = (text: string): string =>
  (foldFully(text, 2 * Math.max(text.length, 10_000)) ?? foldLetters(text)).replace(/\s+/g, ' ').trim()

/** The text of an HTML fragment: `<b>need</b>le` is one word, and blocks are separated by blanks. */
export const htmlToText = (html: string): string => {
  let text = ''
  for (const piece of markup(html)) {
    if (piece.kind === 'text') text += decodeEntities(piece.text)
    else if (piece.name === 'br' || BLOCKS.has(piece.name)) text += ' '
  }
  return text.replace(BLANKS, ' ').trim()
}

/** Blanks that are not one space already: replacing these as well took half of the time of a text, and a sixth of what a page of a list allocates. */
const BLANKS = /[^\S ]\s*| \s+/g

/** The words of a query, folded, each once. */
export const searchWords = (query: string): string[] => [
  ...new Set(
    fold(query)
      .split(' ')
      .filter(word => word !== ''),
  ),
]

/** A text whose first letter is a capital. */
export const capitalized = (text: string): string => text.replace(/^./u, first => first.toUpperCase())

/** True if one word becomes the other by so few letters added, left out, replaced, or swapped with the next. */
export function isNearly(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let before: number[] = []
  let last = Array.from({ length: b.length - start + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length - start; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length - start; j++) {
      const [x, y] = [a[start + i - 1], b[start + j - 1]]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (x === y ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && x === b[start + j - 2] && a[start + i - 2] === y
      if (isSwapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return false
    before = last
    last = row
  }
  return (last.at(-1) ?? 0) <= most
}
