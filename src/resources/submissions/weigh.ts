import { fold } from '../../lib/text.ts'
import { KINDS, type SpamKind } from './spam-words.ts'

/** What a visitor wrote, as plain text. Texts are empty where nothing was written. */
export type Written = {
  title: string
  description: string
  venue: string
  organizer: string
  website: string
  /** All else that would be public: the price, what is said of venues, organizers and the image, and where texts lead to. */
  others: string
  name: string
  email: string
  /** True if the event takes place at a venue of the calendar. */
  isAtKnownVenue: boolean
  /** How many others have sent in the same description for another event. */
  repeats: number
}

/** The weight from which on something is refused. */
export const REFUSED_FROM = 5

/** Addresses in running text: with a scheme, with www, or of a bare host with a path. */
const LINK = /https?:\/\/\S+|www\.\S+|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[a-z]{2,}\/\S+/giu
const MARKUP = /\[url[\]=]|\[link[\]=]|<a\s|&lt;a\s/iu
const SHORTENED =
  /\b(?:bit\.ly|tinyurl\.com|t\.me|wa\.me|goo\.gl|cutt\.ly|is\.gd|rb\.gy|shorturl\.at|t\.co|chat\.whatsapp\.com)\b/giu
const PHONE =
  /(?:\+|\b00|\b1[-–. ]?8\d\d|\(\d{3}\))[\d\s().–-]{6,}\d|\b\d{3}[-–.]\d{3}[-–.]\d{4}\b|\b\d{10,}\b/gu

/** Characters whose words are looked at, at the beginning; half of that at the end. All of the longest text takes too long. */
const MOST_READ = 6_000

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Letters that stand for others in words that are to be hidden: `v1agra`, `c@sino`. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  $: 's',
  '5': 's',
}

/** Texts as their words are looked for: folded, without invisible characters; and with digits inside of words as letters. */
function wordsIn(text: string): string {
  // Before they are folded, which makes one of the blanks on both sides of such a character.
  const seen = fold(text.replace(/[\p{Cf}\p{Mn}]/gu, ''))
  const unmasked = seen.replace(/[\p{L}\d@$]+/gu, word =>
    /^\p{L}.*[\d@$].*\p{L}$/u.test(word) ? word.replace(/[\d@$]/g, sign => STANDS_FOR[sign] ?? sign) : word,
  )
  const spaced = seen.replace(/(?<![\p{L}\d])(?:\p{L}[ ._*-]){4,}\p{L}(?![\p{L}\d])/gu, word =>
    word.replace(/[ ._*-]/g, ''),
  )
  return [...new Set([seen, unmasked, spaced])].join(' \n ')
}

/** The weight of the words of one kind; the same word counts once. */
const weightOfKind = (text: string, { words, each, most }: SpamKind): number =>
  Math.min(new Set(text.match(words)).size * each, most)

/** Tells if a word looks as if it had been typed by rolling over the keys. */
const isNoise = (word: string): boolean =>
  word.length >= 7 &&
  /^[a-z]+$/.test(word) &&
  (/[bcdfghjklmnpqrstvwxz]{6}/.test(word) || !/[aeiouy]/.test(word)) &&
  !/sch|tsch|ngst/.test(word)

/** Tells if a name mixes capitals as generated ones do: `xKdTqWzPb`. */
const isGenerated = (name: string): boolean =>
  /^[A-Za-z]{8,}$/.test(name.trim()) && count(name, /[a-z][A-Z]/g) >= 3

/** The parts of a text whose words are looked at. */
const ends = (text: string): string =>
  text.length > MOST_READ ? `${text.slice(0, MOST_READ)} ${text.slice(-MOST_READ / 2)}` : text

/** The weight of what makes spam likely in something that was sent in: from 0 on, refused from {@link REFUSED_FROM} on. */
export function weigh(written: Written): number {
  const { title, description, venue, organizer, website, others, name, email, isAtKnownVenue, repeats } =
    written
  const own = [title, description, venue, organizer, name].join(' \n ')
  const all = [own, website, others].join(' \n ')
  const words = wordsIn(`${ends(own)} \n ${website} \n ${ends(others)}`)
  const titleWords = wordsIn(title)
  const links = count(all, LINK)
  const kinds = KINDS.map(kind => weightOfKind(words, kind))
  const letters = title.replace(/[^\p{L}]/gu, '')
  const noise = fold(`${title} ${description} ${name}`)
    .split(/[^a-z]+/)
    .filter(isNoise).length
  const isForeign =
    count(all, /[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Thai}\p{Script=Hangul}]/gu) > all.length / 4
  const isNowhere = !isAtKnownVenue && venue.trim() === '' && organizer.trim() === ''
  const weights = [
    ...kinds,
    // Events take place somewhere, or somebody is behind them.
    isNowhere ? 1 : 0,
    isNowhere && links > 0 ? 1 : 0,
    // What is advertised in the title is what it is about.
    ...KINDS.map(kind => weightOfKind(titleWords, kind) / 2),
    links > 2 ? Math.min((links - 2) * 1.5, 6) : 0,
    count(`${title} ${name} ${organizer}`, LINK) > 0 ? 4 : 0,
    title.replace(LINK, '').trim() === '' ? 2 : 0,
    MARKUP.test(description) ? 4 : 0,
    Math.min(count(all, SHORTENED) * 2, 4),
    count(`${title} ${venue}`, PHONE) > 0 ? 4 : 0,
    kinds.some(weight => weight > 0) ? Math.min(count(description, PHONE), 2) * 1.5 : 0,
    letters.length > 12 && letters === letters.toUpperCase() && letters !== letters.toLowerCase() ? 1 : 0,
    count(title, /[!$€%*★➤✅🔥💰]|\p{Extended_Pictographic}/gu) >= 3 ? 1.5 : 0,
    Math.min(noise * 2, 6),
    isGenerated(name) ? 3 : 0,
    title.split(/\s+/).some(isGenerated) ? 3 : 0,
    isForeign && links > 0 ? 2.5 : 0,
    /\d{5,}@|@(?:mail\.ru|bk\.ru|list\.ru|yopmail\.com|mailinator\.com|guerrillamail\.\w+|temp-?mail\.\w+|10minutemail\.\w+)$/i.test(
      email,
    )
      ? 1.5
      : 0,
    Math.min(repeats, 3) * 1.5,
  ]
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return Math.max(0, isAtKnownVenue ? sum - 1.5 : sum)
}
