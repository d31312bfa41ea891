import { lazyPattern } from '../../../kit/lib/pattern.ts'
import type { Span } from '../words/plain.ts'

// Addresses of the web and of mail, telephone numbers and postcodes: they have digits and points that are
// neither days nor times.

const WORD = /\S+/g
const MARKS_BEFORE = new Set('(<[«„“"\'')
const MARKS_AFTER = new Set(')>]»”“"\'.,;:!?')
const DOMAIN = lazyPattern(String.raw`^(?:[\p{L}\d-]+\.)+([a-z]{2,})(?:[:/?#]|$)`, 'u')
const NAME_OF_DOMAIN = lazyPattern(String.raw`^[\p{L}\d-]{3,}\.`, 'u')
const GENERIC_DOMAINS = new Set(
  'com org net info app events example test page live team club shop studio'.split(' '),
)

const TELEPHONE =
  /(?!\d{1,2}[/-]\d{1,2}[/-](?:20)?\d\d\b)(?<!\d[/-])(?:\+|\b0|\b1-[2-9])\d(?:[ /()-]{0,2}\d){5,14}|\b\d{3} \d{3} \d{3}\b/g

/** British postcodes, so that the end of `LE15 7PM` is not read as a time. */
const POSTCODE = /\b[A-Z]{1,2}\d{1,2}[A-Z]?[ \n]?\d[A-Z]{2}\b/g

const MAX_WORD_LENGTH = 500

/** A web address in a text. */
export type WebAddress = { url: string; span: Span }

/**
 * The web addresses of a text, and other stretches that are no words of sentences: e-mail addresses,
 * telephone numbers and postcodes.
 */
export function addressesIn(text: string): { web: WebAddress[]; others: Span[] } {
  const web: WebAddress[] = []
  const others: Span[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (word.length > MAX_WORD_LENGTH) continue
    let [from, to] = [0, word.length]
    while (from < to && MARKS_BEFORE.has(word[from] ?? '')) from++
    while (to > from && MARKS_AFTER.has(word[to - 1] ?? '')) to--
    const inner = word.slice(from, to)
    const span: Span = [index + from, index + to]
    const at = inner.indexOf('@')
    // “February@2pm” and “Quiz @ the Anchor” are no addresses.
    if ((at === 0 && inner.length > 1) || (at > 0 && inner.includes('.', at))) others.push(span)
    else if (isWebAddress(inner)) web.push({ url: inner, span })
  }
  for (const pattern of [TELEPHONE, POSTCODE])
    for (const { 0: number, index } of text.matchAll(pattern)) others.push([index, index + number.length])
  return { web, others }
}

function isWebAddress(word: string): boolean {
  if (/^(?:https?:\/\/|www\.)\S/i.test(word)) return true
  // “RUSTYGATE.COM” on a poster
  if (
    word === word.toUpperCase() &&
    GENERIC_DOMAINS.has(/\.([A-Z]{3,})$/.exec(word)?.[1]?.toLowerCase() ?? '')
  )
    return isWebAddress(word.toLowerCase())
  const top = DOMAIN().exec(word)?.[1]
  if (top === undefined || word.length < 7 || word !== word.toLowerCase()) return false
  return top.length === 2 ? NAME_OF_DOMAIN().test(word) : GENERIC_DOMAINS.has(top)
}

const UNSUBSCRIBE =
  /.(?:[/?=-](?:unsubscribe|opt-?out|abmeld(?:en|ung)|abbestellen|austragen|desabonnement|desabonner|desinscription|desinscrire|desuscribir(?:se)?)|\/baja)(?:$|[/?#&=.-])/i

/** True if a web address is for leaving a newsletter. */
export const isUnsubscribeLink = (url: string): boolean => UNSUBSCRIBE.test(url)

/** A text with some stretches replaced by spaces, so that the offsets of all others stay. */
export function blanked(text: string, spans: readonly Span[]): string {
  let result = ''
  let at = 0
  for (const [start, to] of [...spans].sort(([a], [b]) => a - b)) {
    const from = Math.max(start, at)
    if (to <= from) continue
    result += text.slice(at, from) + ' '.repeat(to - from)
    at = to
  }
  return result + text.slice(at)
}
