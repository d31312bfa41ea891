import type { Token } from './tokens.ts'
import {
  ADMISSION,
  AND,
  AUDIENCE,
  anyOf,
  BUT,
  FREE,
  isKind,
  NOT_ADMISSION,
  SMALL,
  setOf,
  VERBS,
  type WordSet,
  wordsFor,
} from './words.ts'

/** What admission costs, as the API takes it: `12 - 15`, or `0` where it is free. */
export type CostMention = { cost: string; from: number; to: number }

/**
 * What an amount is for, by the words around it: admission, because a word for it or one for those who pay it stands there; bare, where no
 * word says anything; unknown, where words say something that is not understood.
 */
type Purpose = 'admission' | 'audience' | 'bare' | 'unknown' | 'other'

/** An amount with a currency. */
export type Price = { value: number; from: number; to: number; purpose: Purpose }

/** The signs and codes of currencies by the words for them. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', '€'],
  ['euro', '€'],
  ['euros', '€'],
  ['eur', '€'],
  ['$', '$'],
  ['£', '£'],
  ['chf', 'CHF'],
])

const CURRENCIES = anyOf(SYMBOLS, setOf('fr francs franken pesos dollars pounds pavos'))
const UNPRICED = wordsFor('unpriced')
const COLLECTED = wordsFor('collected')
/** Ends of German compounds for what one pays. */
const FEES = /(?:gebuhr|eintritt|beitrag|preis|kosten|karten?)$/
/** With a colon it is what one pays, otherwise what one wins. */
const PRICES = setOf('preis prix price precio beitrag')
/** Words around an amount that say nothing of what it is for. */
const NEUTRAL = anyOf(
  SMALL,
  VERBS,
  setOf(
    'only just per about nur je pro ca circa etwa oder or o ou ab bis jeweils kostet betragt costs desde cada chacun hors it its you get bitte nous wir seulement only solo plus',
  ),
)
/** Before what comes on top of the admission, or out of which it takes something. */
const SURCHARGES = setOf('+ add plus zzgl zuzuglich mas salvo except excepto sauf')
/** Of fees on top of the admission: «plus booking fee of €1.50» */
const ON_TOP = setOf('add plus zzgl zuzuglich')
/** German compounds for what one pays for something else. */
const LENT = /^(?:leih|park|stand|miet|tisch|mahn)(?:gebuhr|preis|kosten)/
/** Nobody pays as much for an event that is announced like this, in these currencies. */
const MAX_AMOUNT = 1_000
const DEAR = setOf('€ £ euro euros eur chf')
/** Words before an amount that are looked at. */
const BEFORE = 10
/** Tokens of a list of prices. */
const MAX_LIST = 40
/** After which something else is in the price, or comes on top of it. */
const INCLUDING = setOf(
  '+ including incl includes inkl inklusive mit compris comprenant avec incluye incluido con sin sans ohne without',
)
const STOPS = setOf(', ; • | )')
const FOR = setOf('para for fur pour')
const JOINS = setOf('/ - bis to o ou oder or')
/** Who pays nothing, but is no reason to say that admission may be free. */
const CHILDREN = setOf(
  'under unter bis moins menores kids kid children child kinder kind enfants enfant ninos ninas nino infants babies',
)
const AGES = setOf('bis hasta under unter moins menores sub u over mayores')
const VISITORS = setOf('visitors visiteurs visitantes besucher buyers acheteurs compradores kaufer')
/** Units of numbers that are no amounts: «AK 8 / ab 16 Jahren». */
const UNITS = setOf('jahre jahren years yrs ans anos j km m std h min')

/** Tells if a set has a word, or that of which it is the plural. */
const hasWord = (words: WordSet, low: string): boolean =>
  words.has(low) || (low.length > 4 && low.endsWith('s') && words.has(low.slice(0, -1)))

/**
 * The amounts with a currency that a text names.
 *
 * @param isTaken whether a token belongs to a day or a time
 */
export function pricesIn(tokens: readonly Token[], isTaken: (token: number) => boolean): Price[] {
  const low = (i: number): string => tokens[i]?.low ?? ''
  const isAttached = (i: number): boolean => tokens[i]?.isSpaced === false
  const prices: Price[] = []

  const amountAt = (i: number): { value: number; to: number } | undefined => {
    // «U18 € 8»
    const isCode = isAttached(i) && tokens[i - 1]?.kind === 'word' && !CURRENCIES.has(low(i - 1))
    if (isCode || tokens[i]?.kind !== 'number' || isTaken(i) || (tokens[i]?.text.length ?? 9) > 6)
      return undefined
    let text = tokens[i]?.text ?? ''
    let to = i + 1
    while (
      ['.', ',', "'", '’'].includes(low(to)) &&
      isAttached(to) &&
      tokens[to + 1]?.kind === 'number' &&
      isAttached(to + 1)
    ) {
      const digits = tokens[to + 1]?.text ?? ''
      text += digits.length === 3 ? digits : `.${digits}`
      to += 2
      if (digits.length !== 3) break
    }
    return { value: Number(text), to }
  }
  /** The end of a currency after an amount. */
  const currencyAt = (i: number): number | undefined => {
    // «kids 5-12 $4»
    if (/^[$£]$/.test(low(i)) && tokens[i]?.isSpaced && isAttached(i + 1)) return undefined
    if (CURRENCIES.has(low(i)) && !isTaken(i) && tokens[i]?.line === tokens[i - 1]?.line) return i + 1
    // 14,- and 14.-- and 25.–
    if ((low(i) === ',' || low(i) === '.') && isAttached(i) && low(i + 1) === '-' && isAttached(i + 1))
      return low(i + 2) === '-' && isAttached(i + 2) ? i + 3 : i + 2
    return undefined
  }
  /** Tells if a colon follows, also behind dots: «Prix.......: 15 EUR». */
  const isLabel = (i: number): boolean => {
    let at = i + 1
    while (low(at) === '.' && at < i + BEFORE) at++
    return low(at) === ':'
  }
  /** What the words around an amount say, up to the amount before it. */
  const saidOf = (from: number, to: number): Purpose => {
    if (SURCHARGES.has(low(from - 1))) return 'other'
    // «£2 off», «2 € de réduction», in the same clause
    let after: Purpose | undefined
    for (let i = to; i < to + 4; i++) {
      if (
        tokens[i]?.clause !== tokens[to - 1]?.clause ||
        tokens[i]?.kind === 'number' ||
        INCLUDING.has(low(i))
      )
        break
      if (NOT_ADMISSION.has(low(i))) return 'other'
      if (hasWord(ADMISSION, low(i))) after ??= 'admission'
      if (hasWord(AUDIENCE, low(i))) after ??= 'audience'
    }
    // «3 €/m», «3 € en plus»
    if (low(to) === '/' && isAttached(to) && UNITS.has(low(to + 1))) return 'other'
    if (low(to) === 'en' && ['plus', 'sus', 'mas'].includes(low(to + 1))) return 'other'
    let unknown = 0
    for (let i = from - 1; i >= from - BEFORE; i--) {
      const { kind = 'sign', sentence } = tokens[i] ?? {}
      if (sentence !== tokens[from]?.sentence || isTaken(i)) break
      // «Premios: 300, 150 y 75 €»
      if (
        STOPS.has(low(i)) &&
        !(low(i) === ',' && tokens[i - 1]?.kind === 'number' && tokens[i + 1]?.kind === 'number')
      )
        break
      if (['-', '/'].includes(low(i)) && tokens[i]?.isSpaced) break
      if (PRICES.has(low(i)) && isLabel(i)) return 'admission'
      if (NOT_ADMISSION.has(low(i)) || ON_TOP.has(low(i)) || LENT.test(low(i))) return 'other'
      const isPaying = hasWord(ADMISSION, low(i)) || FEES.test(low(i))
      // «under 26: £5», but «under £5»
      const isAge = AGES.has(low(i)) && tokens.slice(i + 1, from).some(token => token.kind === 'number')
      const isPayer = isAge || hasWord(AUDIENCE, low(i))
      // «team entry»
      if (
        (isPaying || isPayer) &&
        NOT_ADMISSION.has(low(i - 1)) &&
        tokens[i - 1]?.clause === tokens[i]?.clause
      )
        return 'other'
      if (isPaying && [low(i - 1), low(i - 2)].some(word => ON_TOP.has(word))) return 'other'
      if (isPaying || (isKind(low(i)) && unknown === 0)) return 'admission'
      if (isPayer) return 'audience'
      if (CURRENCIES.has(low(i))) break
      if (kind === 'word' && low(i).length > 1 && !NEUTRAL.has(low(i))) unknown++
    }
    return after ?? (unknown > 0 ? 'unknown' : 'bare')
  }
  /** What an amount is for: those of one list are for the same, unless words say that one is admission. */
  const purposeOf = (from: number, to: number): Purpose => {
    const said = saidOf(from, to)
    const before = prices.at(-1)
    const isFurther = before !== undefined && tokens[before.from]?.sentence === tokens[from]?.sentence
    if (said === 'admission' || said === 'other' || !isFurther) return said
    if (before.purpose === 'other' && low(from - 1) !== ';') return 'other'
    const continues = said === 'bare' ? JOINS.has(low(from - 1)) : said === 'unknown' && isBelowLabel(from)
    return continues ? before.purpose : said
  }
  /** «Eintritt: maskiert 5 Euro, unmaskiert 8 Euro» */
  const isBelowLabel = (from: number): boolean => {
    for (let i = from - 1; i > from - MAX_LIST && tokens[i]?.sentence === tokens[from]?.sentence; i--)
      if (low(i) === ':') return hasWord(ADMISSION, low(i - 1)) || PRICES.has(low(i - 1))
    return false
  }
  /** `VVK 12 / AK 15`: a number alone after a word for a price. */
  const isLabelled = (i: number, to: number): boolean => {
    const label = low(i - 1) === ':' ? low(i - 2) : low(i - 1)
    const isEnd =
      tokens[to] === undefined ||
      tokens[to]?.line !== tokens[i]?.line ||
      ['/', ',', '.', ';', ')', '|'].includes(low(to))
    return ADMISSION.has(label) && isEnd && tokens[i]?.isSpaced === true
  }
  /** `AK 8 / 6 erm. / Soli 12`: a number after such a one. */
  const isNextLabelled = (i: number, to: number): boolean => {
    const before = prices.at(-1)
    const isBeside = before && i - before.to <= 3 && tokens[before.to]?.line === tokens[i]?.line
    return (
      isBeside === true &&
      tokens.slice(before.to, i).some(token => token.low === '/') &&
      !UNITS.has(low(to)) &&
      !tokens.slice(before.from, before.to).some(token => CURRENCIES.has(token.low))
    )
  }
  /** «5 euros, y 3 para los socios» */
  const isShared = (i: number, to: number): boolean => {
    const before = prices.at(-1)
    return (
      FOR.has(low(to)) &&
      before !== undefined &&
      i > before.to &&
      i - before.to < 3 &&
      tokens.slice(before.to, i).every(token => AND.has(token.low))
    )
  }
  /** Tells if a number is the end of one that is written with a blank. */
  const isThousands = (i: number): boolean =>
    tokens[i]?.text.length === 3 &&
    tokens[i - 1]?.kind === 'number' &&
    tokens[i]?.line === tokens[i - 1]?.line
  /** `12 / 8 / 5 €`: the currency stands once. */
  const hasPriceAfter = (i: number, more = 3): boolean => {
    const { to } = amountAt(i) ?? {}
    if (to === undefined) return false
    return (
      currencyAt(to) !== undefined ||
      (more > 0 && (JOINS.has(low(to)) || AND.has(low(to))) && hasPriceAfter(to + 1, more - 1))
    )
  }
  for (let i = 0; i < tokens.length; i++) {
    const amount = amountAt(i)
    if (!amount || Number.isNaN(amount.value)) continue
    // «42 600 €», and what was collected or is planned
    const isDear = amount.value >= MAX_AMOUNT && [low(i - 1), low(amount.to)].some(sign => DEAR.has(sign))
    if (isDear || isThousands(i)) {
      i = amount.to - 1
      continue
    }
    const before = low(i - 1) === '.' && low(i - 2) === 'fr' ? i - 2 : i - 1
    const isBefore =
      CURRENCIES.has(low(before)) &&
      !(low(before) === 'fr' && isAttached(i)) &&
      tokens[before]?.line === tokens[i]?.line &&
      before >= (prices.at(-1)?.to ?? 0)
    const after = currencyAt(amount.to)
    const cents =
      after !== undefined && isAttached(after) && isAttached(amount.to) ? tokens[after]?.text : undefined
    // 6€50
    const hasCents = cents !== undefined && /^\d\d$/.test(cents)
    if (hasCents) amount.value += Number(cents) / 100
    const to = (after ?? amount.to) + (hasCents ? 1 : 0)
    // «14, 18 und 22 Euro», but «Saal 2, 5 Euro»
    const isListed =
      AND.has(low(to)) &&
      (low(to) !== ',' ||
        amountAt(to + 1) === undefined ||
        currencyAt(amountAt(to + 1)?.to ?? 0) === undefined)
    const shares = (JOINS.has(low(to)) || isListed) && hasPriceAfter(to + 1)
    const from = isBefore ? before : i
    const list = isNextLabelled(i, amount.to) || isShared(i, amount.to) ? prices.at(-1)?.purpose : undefined
    if (isBefore || after !== undefined || shares || list || isLabelled(i, amount.to))
      prices.push({ value: amount.value, from, to, purpose: list ?? purposeOf(from, to) })
    i = to - 1
  }
  return prices
}

/**
 * Where a text says that something costs nothing: admission, because a word for it stands there; perhaps admission, because nothing else is
 * named; admission for those who are named; or something that is not understood.
 */
type FreeMention = { from: number; to: number; purpose: Exclude<Purpose, 'other'> }

function freeIn(tokens: readonly Token[]): FreeMention[] {
  const low = (i: number): string => tokens[i]?.low ?? ''
  return tokens.flatMap(({ low: word, clause }, i): FreeMention[] => {
    const isPhrase =
      (word === 'no' && low(i + 1) === 'charge') || (word === 'kein' && low(i + 1) === 'eintritt')
    const isFree = FREE.has(word) && !UNPRICED.has(low(i + 1)) && !UNPRICED.has(low(i - 1))
    if (!isPhrase && !isFree && !COLLECTED.has(word)) return []
    let [from, to] = [i, i + 1]
    while (from > i - BEFORE && tokens[from - 1]?.clause === clause) from--
    while (to < i + BEFORE && tokens[to]?.clause === clause) to++
    const words = tokens.slice(from, to).filter(({ kind }) => kind === 'word')
    const has = (set: WordSet) => words.some(one => hasWord(set, one.low))
    const isNamed = isPhrase || has(ADMISSION) || words.some(one => isKind(one.low) || FEES.test(one.low))
    const at = words.indexOf(tokens[i] as Token)
    const next = words[at + 1]?.low ?? ''
    // «Free to attend», but «free vintage bus»
    const isNoun = word === 'free' && next !== '' && ![SMALL, VERBS, BUT].some(set => set.has(next))
    const isPlain = !isNoun && words.slice(0, at).every(one => NEUTRAL.has(one.low) || one.low.length < 2)
    // «-12 ans gratuit», but «femmes et -16 ans gratuit»
    const isYoung =
      !words.some(one => AND.has(one.low)) &&
      tokens
        .slice(from, to)
        .some(
          ({ kind, text }, n) =>
            kind === 'number' &&
            Number(text) < 18 &&
            (UNITS.has(low(from + n + 1)) || low(from + n - 1) === '-'),
        )
    const purpose =
      has(CHILDREN) || isYoung
        ? 'unknown'
        : has(AUDIENCE) && !has(VISITORS)
          ? 'audience'
          : isNamed || has(VISITORS)
            ? 'admission'
            : isPlain || COLLECTED.has(word)
              ? 'bare'
              : 'unknown'
    return [{ from: i, to: i + (isPhrase ? 2 : 1), purpose }]
  })
}

/** Amounts with a currency that is not the calendar's own. */
function written(amounts: readonly number[], symbol: string | undefined): string {
  if (symbol === undefined) return amounts.join(' - ')
  return symbol === '€' ? `${amounts.join(' - ')} €` : amounts.map(amount => `${symbol}${amount}`).join(' - ')
}

/**
 * The admission: its lowest and highest amount. There is none where an amount of the same list is not understood, or where one that is
 * admission contradicts «free».
 *
 * @param prices those of {@link pricesIn}
 * @param currency the sign of the calendar's own
 */
export function costOf(
  tokens: readonly Token[],
  prices: readonly Price[],
  currency: string,
): CostMention | undefined {
  const known = prices.filter(({ purpose }) => purpose !== 'unknown' && purpose !== 'other')
  const unknown = prices.filter(({ purpose }) => purpose === 'unknown')
  const isBare = known.every(({ purpose }) => purpose === 'bare')
  const isBeside = (all: readonly Price[], { from }: { from: number }) =>
    all.some(one => tokens[one.from]?.sentence === tokens[from]?.sentence)
  const collections = (one: FreeMention) =>
    COLLECTED.has(tokens[one.from]?.low ?? '') && (known.length > 0 || isBeside(prices, one))
  const free = freeIn(tokens).filter(one => !collections(one))
  const whole = free.find(
    one =>
      (one.purpose === 'admission' || one.purpose === 'bare') &&
      ![known, unknown].some(all => isBeside(all, one)),
  )
  if (whole && (known.length === 0 || (isBare && whole.purpose === 'admission')))
    return { cost: '0', from: whole.from, to: whole.to }
  const [first] = known
  const last = known.at(-1)
  const isUnclear = isBare ? unknown.length > 0 : known.some(one => isBeside(unknown, one))
  if (!first || !last || isUnclear) return undefined
  const contradicts = ({ purpose, from }: FreeMention) =>
    purpose === 'admission' || (purpose !== 'audience' && from < first.from)
  if (free.some(one => contradicts(one) && (one === whole || isBeside(known, one)))) return undefined
  const isFreeForSome = free.some(one => one.purpose === 'audience')
  const values = [...known.map(({ value }) => value), ...(isFreeForSome ? [0] : [])].sort((a, b) => a - b)
  const range = new Set([values[0] ?? 0, values.at(-1) ?? 0])
  const symbol = tokens
    .slice(first.from, last.to)
    .map(({ low }) => SYMBOLS.get(low))
    .find(one => one !== undefined)
  return {
    cost: written([...range], symbol === currency ? undefined : symbol),
    from: first.from,
    to: last.to,
  }
}
