import { decodeHTML } from 'entities/decode'
import { Tokenizer } from 'htmlparser2'
import { dropInvisible, hasInvisible } from './invisible.ts'
import { lazyPattern } from './pattern.ts'

/** An attribute as written, with its entities, and with its name in lower case. */
export type Attribute = readonly [name: string, value: string | undefined]

/** A tag. Its name is in lower case. */
export type Tag = {
  name: string
  isClosing: boolean
  /** True for a tag that ends with a slash, such as `<br />`. */
  isSelfClosing: boolean
  attributes: readonly Attribute[]
}

/**
 * An element such as a script, which browsers don't show, and the positions at which its content begins and
 * ends.
 */
export type HiddenElement = Pick<Tag, 'name' | 'attributes'> & { from: number; to: number }

/** Callbacks for the parts of a piece of HTML, in their order. */
type MarkupReader = {
  /** Takes text as written, with its entities, in one call or in several. @param at its position */
  onText?: (text: string, at: number) => void
  /** Takes a tag. @param at its position @returns false to end the reading */
  onTag?: (tag: Tag, at: number) => unknown
  /** Takes a hidden element, at its end. The other two callbacks don't get its content. */
  onHidden?: (element: HiddenElement) => void
}

/** Block elements; all others are inline. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote caption center col colgroup dd details div dl dt figcaption figure ' +
    'footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

/** Elements without an end (https://html.spec.whatwg.org/multipage/syntax.html#void-elements). */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
)

const HIDDEN_ELEMENTS = new Set(
  'iframe noembed noframes noscript script style template textarea title xmp'.split(' '),
)

/** A `<` that begins no tag: without a name after it, or in `<me@example.org>` and `<https://…>`. */
const LITERAL_BRACKET = /<(?![a-z!?]|\/[a-z])|<(?=(?![!?])(?:[^\s<>@]*@|https?:\/\/)[^\s<>]*>)/gi

/** Other elements of HTML, present and former. One text, because a set would be built at each start. */
const OTHER_ELEMENTS =
  ' a abbr acronym applet audio b basefont bdi bdo big blink body button canvas cite code data datalist del dfn ' +
  'dialog dir em fieldset font form frame frameset head hgroup html i ins kbd label legend listing map mark ' +
  'marquee math menu meter nobr object optgroup option output param picture plaintext progress q rb rp rt rtc ' +
  'ruby s samp search select slot small spacer span strike strong sub sup svg time tt u var video '

const isElement = (name: string): boolean =>
  [BLOCKS, VOID_ELEMENTS, HIDDEN_ELEMENTS].some(names => names.has(name)) ||
  OTHER_ELEMENTS.includes(` ${name} `)

/** A `<` before what may be words rather than a tag, because it has no attribute with a value. */
const BEFORE_WORDS = lazyPattern(String.raw`<(?=([a-z][\p{L}\d'’-]*)(?:[\s/,.!?&][^<>=]*)?(?<!/)>)`, 'giu')
/** A word such as `Big` or `Main`: tags are written in small letters or, in old pages, in capitals. */
const CAPITALISED = /^[A-Z][a-z]{2}/
const CLOSED = /<\/([a-z][^\s<>/]*)/gi

/**
 * A text in which words that people have put into angle brackets, such as `<Salsa> night`, are text and not
 * tags. A tag stays if it has the name of an element of HTML, or may be an element of some other program,
 * because it is closed somewhere, or its name has a hyphen and no capital.
 */
export function keepWords(text: string): string {
  if (!text.includes('<')) return text
  let closedNames: Set<string> | undefined
  return text.replace(BEFORE_WORDS(), (bracket, written: string) => {
    const name = written.toLowerCase()
    if ((isElement(name) && !CAPITALISED.test(written)) || (name === written && name.includes('-')))
      return bracket
    closedNames ??= new Set(Array.from(text.matchAll(CLOSED), ([, closed = '']) => closed.toLowerCase()))
    return closedNames.has(name) ? bracket : '&lt;'
  })
}

/**
 * A replacement for characters that the tokenizer must not see. The tokenizer reports only positions; texts
 * come from the original.
 */
const MASK = '_'

/** The most attributes that one tag may have, since a hostile page may have millions. Others are ignored. */
const MAX_ATTRIBUTES = 1_000

/**
 * Splits HTML into text and tags, in linear time. Tags begin and end as in the HTML standard, with three
 * exceptions that count as text: `<me@example.org>`, `<https://…>` and a `<` without any `>` after it.
 * Comments, and elements such as script and style with their content, are left out. Callers drop control
 * characters first: `<scr\0ipt>` is not a script here.
 */
export function readMarkup(html: string, { onText, onTag, onHidden }: MarkupReader): void {
  if (!html.includes('<')) {
    if (html !== '') onText?.(html, 0)
    return
  }
  let hiddenElement: HiddenElement | undefined
  let hasEnded = false

  /**
   * Reads from a position on.
   *
   * @returns the position of the last tag if a quote in it is never closed, so that the tag does not end
   */
  function readFrom(start: number, tags: string): number | undefined {
    const slice = (from: number, to: number) => html.slice(start + from, start + to)
    let tag: { start: number; name: string; attributes: Attribute[] } | undefined
    let attribute = ''
    let value: string | undefined
    const report = (read: Tag, position: number) => {
      if (onTag?.(read, start + position) !== false) return
      hasEnded = true
      tokenizer.pause()
    }
    const open = (tagEnd: number, isSelfClosing: boolean) => {
      if (!tag || hiddenElement) {
        tag = undefined
        return
      }
      const { start: at, name, attributes } = tag
      tag = undefined
      if (!HIDDEN_ELEMENTS.has(name)) report({ name, isClosing: false, isSelfClosing, attributes }, at)
      else if (!isSelfClosing) hiddenElement = { name, attributes, from: start + tagEnd + 1, to: html.length }
    }
    const tokenizer = new Tokenizer(
      { decodeEntities: false, recognizeSelfClosing: true },
      {
        ontext: (from, to) => {
          if (!hiddenElement) onText?.(slice(from, to), start + from)
        },
        onopentagname: (from, to) => {
          tag = { start: start + from - 1, name: slice(from, to).toLowerCase(), attributes: [] }
        },
        onattribname: (from, to) => {
          attribute = slice(from, to).toLowerCase()
          value = undefined
        },
        onattribdata: (from, to) => {
          value = slice(from, to)
        },
        onattribend: () => {
          if (tag && tag.attributes.length < MAX_ATTRIBUTES) tag.attributes.push([attribute, value])
        },
        onopentagend: tagEnd => open(tagEnd, false),
        onselfclosingtag: tagEnd => open(tagEnd, true),
        onclosetag: (from, to) => {
          const name = slice(from, to).toLowerCase()
          if (!hiddenElement && !HIDDEN_ELEMENTS.has(name))
            report({ name, isClosing: true, isSelfClosing: false, attributes: [] }, from - 2)
          if (hiddenElement?.name !== name) return
          onHidden?.({ ...hiddenElement, to: start + from - 2 })
          hiddenElement = undefined
        },
        onattribentity: noop,
        oncdata: noop,
        oncomment: noop,
        ondeclaration: noop,
        onend: noop,
        onprocessinginstruction: noop,
        ontextentity: noop,
      },
    )
    tokenizer.write(tags)
    tokenizer.end()
    return tag?.start
  }

  const end = html.lastIndexOf('>') + 1
  const source = html.slice(0, end).replace(LITERAL_BRACKET, MASK) + html.slice(end).replaceAll('<', MASK)
  const unclosed = readFrom(0, source)
  // From the unclosed tag on, quotes are ignored: every tag ends at its first `>`.
  if (unclosed !== undefined && !hasEnded) readFrom(unclosed, source.slice(unclosed).replace(/["']/g, MASK))
  if (hiddenElement && !hasEnded) onHidden?.(hiddenElement)
}

const noop = () => {}

/** The text of HTML as written, without tags, but with its entities. */
export function withoutTags(html: string): string {
  let text = ''
  readMarkup(html, {
    onText: piece => {
      text += piece
    },
  })
  return text
}

// The Stream-Safe Text Format of UAX #15 allows 30 combining marks in a row. The two half-width voicing signs
// of kana become such marks.
const TOO_MANY_MARKS = lazyPattern(
  String.raw`(?<![\p{M}\uff9e\uff9f])([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+`,
  'gu',
)

/**
 * Normalises text in linear time: only the first 30 combining marks in a row stay. `String.normalize` sorts
 * marks in quadratic time: 40,000 in a row block an instance for seconds. So no other code may call it.
 */
export const normalizeText = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(TOO_MANY_MARKS(), '$1').normalize(form)

const STACKED_MARKS = lazyPattern(String.raw`(?<!\p{M})\p{M}{101}`, 'u')

/** True for text with more than 100 combining marks in a row, which no language has. */
export const hasStackedMarks = (text: string): boolean => STACKED_MARKS().test(text)

const CONTROLS = lazyPattern(String.raw`[\p{Cs}\ufeff]|(?![\t\n])\p{Cc}`, 'gu')

/**
 * Drops control characters other than tab and newline, lone surrogates and byte order marks. CRLF and CR
 * become LF.
 */
export const dropControls = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROLS(), '')

/** Cleans a text that is never read as HTML: drops control characters, and unneeded invisible characters. */
export const cleanPlain = (text: string): string => dropInvisible(dropControls(text))

const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*(?=;));?/gi
const ENTITIES = new RegExp(`(?:${ENTITY.source})+`, 'gi')

const OUTSIDE_ASCII = lazyPattern(String.raw`^[^\p{ASCII}\p{Cc}]+$`, 'u')

/** Replaces entities of invisible characters, and adjacent entities, with the characters. */
const decodeInvisible = (text: string): string =>
  text.replace(ENTITIES, run =>
    hasInvisible(decodeEntities(run))
      ? run.replace(ENTITY, entity => {
          const char = decodeEntities(entity)
          return OUTSIDE_ASCII().test(char) ? char : entity
        })
      : run,
  )

/**
 * Cleans a text that people write: drops control characters, and invisible characters that neither scripts
 * nor emoji need, whether they are written as characters or as entities. The text around a dropped character
 * may then form a new entity, so this happens twice; entities that appear after that stay text.
 */
export function cleanText(text: string): string {
  const cleaned = cleanPlain(text)
  if (!cleaned.includes('&')) return cleaned
  return dropInvisible(decodeInvisible(dropInvisible(decodeInvisible(cleaned)))).replace(ENTITIES, run =>
    hasInvisible(decodeEntities(run)) ? run.replaceAll('&', '&amp;') : run,
  )
}

// Spaces, direction marks, joiners, fillers and other invisible characters.
const INVISIBLE = lazyPattern(
  String.raw`^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}\u{13441}\u{13442}]*$`,
  'u',
)
/** Entities of a no-break space and a soft hyphen: browsers read these two without a `;` as well. */
const BLANK_ENTITIES = /&(?:nbsp|shy);?/g

/** Escapes `<`, and `&` where a reader of HTML would see an entity. {@link decodeEntities} undoes it. */
const escapeMarkup = (text: string): string =>
  text
    .replace(ENTITY, entity => (decodeHTML(entity) === entity ? entity : `&amp;${entity.slice(1)}`))
    .replaceAll('<', '&lt;')

/**
 * Text for titles, names and addresses: tags are removed, and entities become their characters, because
 * WordPress sends `Rock &#038; Roll`, while calendar files, feeds and searches need `Rock & Roll`. A
 * remaining `<` becomes `&lt;`, and `&` becomes `&amp;` before what would be an entity, because clients
 * insert titles as HTML. One line, trimmed; empty if a browser would show nothing.
 */
export const toPlain = (input: string): string => {
  const text = cleanPlain(decodeEntities(withoutTags(keepWords(cleanText(input)))))
  const plain = escapeMarkup(text)
    .replace(/[\t\n]+/g, ' ')
    .trim()
  return isInvisible(plain) ? '' : plain
}

/** True if a browser would show nothing of a text, with or without entities. */
export const isInvisible = (text: string): boolean =>
  INVISIBLE().test(decodeEntities(text.replace(BLANK_ENTITIES, ' ')))

/**
 * Decodes numeric entities (with or without `;`) and named entities (with `;`, because `&copy=2` in an
 * address is not an entity), once: `&amp;lt;` gives `&lt;`. Unknown names stay.
 */
export const decodeEntities = (text: string): string =>
  text.includes('&') ? text.replace(ENTITY, entity => decodeHTML(entity)) : text

// Latin letters with a stroke, ligatures and the like, which Unicode does not decompose.
const PLAIN_LETTERS = new Map(
  'ßss æae œoe øo łl đd ðd þth ħh ŧt ŋn ıi ĸk ɓb ƀb ƈc ɗd ɖd ǥg ɠg ƙk ɲn ƥp ƭt ʋv ƴy ƶz ɨi ʉu ɇe ɉj ɍr ɏy'
    .split(' ')
    .map(entry => [entry.slice(0, 1), entry.slice(1)]),
)

/** Replaces lower-case Latin letters that have no decomposition with plain letters: ø with o. */
export const plainLatin = (text: string): string =>
  text.replace(/[ß-ʯ]/g, letter => PLAIN_LETTERS.get(letter) ?? letter)

// Accents of European scripts, points and cantillation of Hebrew, vowels and elongation of Arabic, and
// invisible characters. Vowel signs of Indic scripts, Thai marks and the voicing of kana make different
// letters, and stay.
const ACCENTS = lazyPattern(
  String.raw`[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]|\p{Default_Ignorable_Code_Point}`,
  'gu',
)

const foldLetters = (text: string): string =>
  plainLatin(text.replace(ACCENTS(), '').toUpperCase().toLowerCase())
    .replaceAll('ς', 'σ')
    .replace(/[‘’ʹʻʼʽ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‒–—]/g, '-')

const foldFully = (text: string, maxLength: number): string | undefined => {
  const decomposed = normalizeText(text, 'NFKD')
  // Letters of Hangul and Vietnamese decompose into up to three, and are composed again below.
  if (decomposed.length > 2 * maxLength) return undefined
  const folded = normalizeText(foldLetters(decomposed), 'NFC')
  return folded.length > maxLength ? undefined : folded
}

/**
 * Folds text for search, ignoring case and accents, in any script: Café, CAFE and café become equal.
 * Typographic quotes and hyphens become plain ones. Idempotent.
 *
 * The result is at most twice as long as the text, or 20,000 UTF-16 units if that is more. Ligatures of whole
 * phrases are decomposed (U+FDFA has 18 letters), except in a long text that consists of them, because the
 * result would be too long for a row of the database.
 */
export const fold = (text: string): string =>
  // Most texts and words are plain, and have nothing to decompose.
  (PLAIN_TEXT.test(text)
    ? text.toLowerCase()
    : (foldFully(text, 2 * Math.max(text.length, 10_000)) ?? foldLetters(text))
  )
    .replace(/\s+/g, ' ')
    .trim()

const PLAIN_TEXT = /^[\t\n\r -~]*$/

/** The text of an HTML fragment: `<b>need</b>le` is one word, and blocks are separated by spaces. */
export const htmlToText = (html: string): string => {
  let text = ''
  readMarkup(html, {
    onText: piece => {
      text += decodeEntities(piece)
    },
    onTag: ({ name }) => {
      if (name === 'br' || BLOCKS.has(name)) text += ' '
    },
  })
  return text.replace(BLANKS, ' ').trim()
}

/**
 * White space other than a single space. Replacing single spaces as well took half of the time for a text,
 * and a sixth of the memory that a page of a list allocates.
 */
const BLANKS = /[^\S ]\s*| \s+/g

/** The number of UTF-16 units of an HTML text that a summary reads; descriptions may have 200,000. */
export const SUMMARY_UNITS = 4_000

/**
 * The beginning of an HTML text as plain text, cut between words.
 *
 * @param maxLength the length of the result
 * @param unitsRead the length read
 */
export function summary(html: string, maxLength: number, unitsRead = SUMMARY_UNITS): string {
  const head = html.length > unitsRead ? html.slice(0, unitsRead).replace(/<[^<>]*$/, '') : html
  const text = htmlToText(head)
  if (text.length <= maxLength && head === html) return text
  const cut = text.slice(0, maxLength - 1)
  // The end may be half of a surrogate pair.
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxLength / 2)).replace(/(?<![\s,;:.–\ud800-\udbff-])[\s,;:.–\ud800-\udbff-]+$/, '')}…`
}

/** White space, line breaks and controls, and marks that set the direction of the text after them. */
const NOT_IN_LINE = lazyPattern(String.raw`[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+`, 'gu')

/**
 * Plain text as one line for mail. It cannot add lines or headers, or change the direction of the text after
 * it.
 */
export const inOneLine = (text: string): string => text.replace(NOT_IN_LINE(), ' ').trim()

/**
 * A stored title or name, with its entities decoded, as one line for mail.
 * @param maxLength the most characters
 */
export function mailLine(storedText: string, maxLength: number): string {
  const line = inOneLine(decodeEntities(storedText))
  // The end may be half of a surrogate pair.
  return line.length <= maxLength
    ? line
    : `${line.slice(0, maxLength - 1).replace(/(?<![\s\ud800-\udbff])[\s\ud800-\udbff]+$/, '')}…`
}

/** The folded text of a row for searches: its stored name, its description in HTML, and other texts. */
export const searchText = (name: string, description: string, others: readonly string[]): string =>
  fold([decodeEntities(name), htmlToText(description), ...others].filter(Boolean).join('\n'))

/** The words of a query, folded, each once. */
export const searchWords = (query: string): string[] => [
  ...new Set(
    fold(query)
      .split(' ')
      .filter(word => word !== ''),
  ),
]

export const capitalized = (text: string): string => text.replace(/^./u, first => first.toUpperCase())
