import { memoize } from './memo.ts'

// Invisible characters can hide messages that only programs read. A text keeps invisible characters that
// change its look: at most one for each visible character, or two in a row for direction marks.

/** Scripts with connected letters, whose shapes writers choose by joiners. */
const SCRIPTS_WITH_JOINERS =
  'Adlam Arabic Balinese Bengali Chakma Devanagari Gujarati Gurmukhi Hanifi_Rohingya Javanese Kannada Khmer Malayalam ' +
  'Mandaic Mongolian Myanmar Nko Oriya Phags_Pa Sinhala Sundanese Syriac Tamil Telugu Tibetan'

/** Scripts without spaces between words, whose lines may break at U+200B. */
const SCRIPTS_WITHOUT_BLANKS = 'Khmer Lao Myanmar Thai'

const scriptClass = (names: string): string =>
  names
    .split(' ')
    .map(name => `\\p{Script=${name}}`)
    .join('')

const JAMO = '\\u1100-\\u115e\\u1161-\\u11ff\\ua960-\\ua97c\\ud7b0-\\ud7fb'

/** Marks that set the direction of text. */
const DIRECTION = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb'

/** A lookbehind for a visible character of some kind. */
const lookbehindFor = (kind: string): string => `(?<=[${kind}])(?<![${INVISIBLE}])`

/**
 * Invisible characters that have a meaning at their position, each with the characters before and after it.
 */
const MEANINGFUL = [
  `[${DIRECTION}]`,
  // Joiners within or after a word, and between emoji.
  `${lookbehindFor(scriptClass(SCRIPTS_WITH_JOINERS))}[\\u200c\\u200d]`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
  // Selectors of emoji in colour or in black and white, and of keys: 1️⃣.
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]|(?<=[#*0-9])\\ufe0f(?=\\u20e3)',
  // Forms of ideographs, of symbols and of letters.
  `${lookbehindFor('\\p{Script=Han}\\u3000-\\u303f\\uff00-\\uff60')}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]`,
  `${lookbehindFor('\\p{Sm}\\p{Script=Myanmar}\\p{Script=Phags_Pa}')}\\ufe00`,
  `${lookbehindFor('\\p{Script=Mongolian}')}[\\u180b-\\u180f]`,
  // Fillers of Korean letters: one for each letter.
  `(?<=[${JAMO}])\\u1160|\\u115f(?=[${JAMO}](?!\\u1160))`,
  // Possible line breaks, and the order of Hebrew marks.
  `${lookbehindFor('\\p{L}\\p{M}')}\\u00ad(?=\\p{L})(?![${INVISIBLE}])`,
  `${lookbehindFor(scriptClass(SCRIPTS_WITHOUT_BLANKS))}\\u200b(?=[${scriptClass(SCRIPTS_WITHOUT_BLANKS)}])(?![${INVISIBLE}])`,
  '(?<=[\\u05b0-\\u05c7])\\u034f',
].join('|')

/** The flag of a part of a country: a black flag, the part's code in tags, and a closing tag. */
const FLAG = '\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{2}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{1,3}\\u{e007f}'

// Made at first use: looking up the characters of all these scripts took a twentieth of the instructions at
// the Worker's start.
const anyInvisible = memoize(() => new RegExp(`[${INVISIBLE}]`, 'u'))
const invisibleOrKept = memoize(() => new RegExp(`(${FLAG}|${MEANINGFUL})|[${INVISIBLE}]`, 'gu'))
const MANY_MARKS = new RegExp(`([${DIRECTION}]{2})[${DIRECTION}]+`, 'gu')

/** Drops invisible characters that neither scripts nor emoji need. */
export const dropInvisible = (text: string): string =>
  anyInvisible().test(text) ? text.replace(invisibleOrKept(), '$1').replace(MANY_MARKS, '$1') : text

export const hasInvisible = (text: string): boolean => anyInvisible().test(text)
