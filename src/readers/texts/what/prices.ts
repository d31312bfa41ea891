import {
  areInLine,
  hasAny,
  isOneOf,
  type MarkedText,
  numberIn,
  startsLine,
  TokenReader,
} from '../words/tokens.ts'
import { AND, anyOf, isKind, ORDINALS, setOf, WORDS } from '../words/words.ts'
import {
  CURRENCIES,
  isFee,
  isOtherExpense,
  isPayer,
  MAX_IN_SENTENCE,
  MAX_WORDS_BESIDE,
  NEUTRAL,
  type PricePurpose,
} from './price-words.ts'

// Not every amount is admission: there are raffles, cakes, donations and prizes. The words on both sides of
// an amount say what it is for.

/** An amount with a currency. */
export type Price = {
  value: number
  from: number
  to: number
  purpose: PricePurpose
  /** True if a kind of event comes before it: “Konzert 28.–”. */
  isOfKind: boolean
}

type Amount = { value: number; to: number }

/** Words and signs before what comes on top of the admission, or is taken off it. */
const SURCHARGES = anyOf(WORDS.beforeSurcharges, setOf('+'))

/** The highest number that a prize has: “1. Preis: 100 €”, but “Plazas: 12. Precio: 20 €”. */
const MAX_PRIZES = 6

/** In {@link STRONG_CURRENCIES}, nobody pays as much for an event that is announced like this. */
const MAX_AMOUNT = 1_000

/** Currencies in which {@link MAX_AMOUNT} is too much for admission. */
const STRONG_CURRENCIES = anyOf(WORDS.dearCurrencies, setOf('€ £ eur chf'))

/** Words before something else that is in the price, or comes on top of it. */
const INCLUDING = anyOf(WORDS.including, setOf('+'))

/** Words and signs before the unit of a price. */
const PER = anyOf(WORDS.perUnit, setOf('/'))

/** What one pays for a year: “carte annuelle 25 €”, “annual card £25”. */
const ANNUAL_CARD = /(?:carte annuelle|tarjeta anual|carne anual|annual (?:card|pass|ticket)|jahreskarte)$/

/** Before who pays an amount. */
const AGES = anyOf(WORDS.yearsOfAge, setOf('+'))

/** Signs at which an amount of a list ends. */
const LIST_MARKS = setOf(', ; • | )')

/** Words and signs between two amounts of a list. */
const RANGE_MARKS = anyOf(WORDS.betweenPrices, setOf('/ -'))

/**
 * Reads the amounts of a text, one after the other, since what an amount is for depends on the one before it.
 */
export class PriceReader extends TokenReader {
  readonly prices: Price[] = []
  readonly #isTaken: (token: number) => boolean

  constructor({ tokens, isTaken }: MarkedText) {
    super(tokens)
    this.#isTaken = isTaken
    for (let i = 0; i < tokens.length; i++) {
      const amount = this.#amountAt(i)
      if (!amount) continue
      // What was collected or is planned
      const isDear =
        amount.value >= MAX_AMOUNT &&
        [this.foldedAt(this.#beforeAmount(i)), this.foldedAt(amount.to)].some(sign =>
          STRONG_CURRENCIES.has(sign),
        )
      i = (isDear ? amount.to : this.#addPrice(i, amount)) - 1
    }
  }

  /** Adds an amount if it has a currency, or may go without. @returns the index after it */
  #addPrice(i: number, amount: Amount): number {
    const before = this.#beforeAmount(i)
    // “05 FR 19.30 Kabale und Liebe”
    const isFriday =
      this.foldedAt(before) === 'fr' &&
      (this.#isTaken(before) || this.isAttached(i) || this.#isHours(i, amount.to))
    const isAfterCurrency =
      (CURRENCIES.has(this.foldedAt(before)) || this.#isSoles(i)) &&
      !isFriday &&
      before >= (this.prices.at(-1)?.to ?? 0)
    const currency = this.#currencyAt(amount.to)
    const from = isAfterCurrency ? before : i
    const end = currency ?? amount.to
    // 6€50
    const cents = this.isAttached(amount.to) && this.isAttached(end) ? this.tokens[end]?.text : undefined
    const hasCents = currency !== undefined && /^\d\d$/.test(cents ?? '')
    const to = hasCents ? end + 1 : end
    const hasCurrency = isAfterCurrency || currency !== undefined
    if (hasCurrency || this.#isBareAmount(i, amount.to))
      this.prices.push({
        value: amount.value + (hasCents ? Number(cents) / 100 : 0),
        from,
        to,
        purpose: this.#purposeOf(from, to, hasCurrency),
        isOfKind: isKind(this.foldedAt(from - 1)),
      })
    return to
  }

  /** “Fr 15-20” on a Friday, but “Eintritt Fr 15-20” */
  #isHours(i: number, to: number): boolean {
    const isRange = this.foldedAt(to) === '-' && this.tokens[to + 1]?.kind === 'number'
    const label = this.foldedAt(this.foldedAt(i - 2) === ':' ? i - 3 : i - 2)
    return isRange && this.foldedAt(i - 1) !== '.' && !isFee(label)
  }

  /** The index at which the currency before an amount would be: “Fr. 15.–”. */
  #beforeAmount(i: number): number {
    return this.foldedAt(i - 1) === '.' && this.foldedAt(i - 2) === 'fr'
      ? i - 2
      : this.#isSoles(i)
        ? i - 2
        : i - 1
  }

  /** “S/ 10” */
  #isSoles(i: number): boolean {
    return this.foldedAt(i - 1) === '/' && this.tokens[i - 2]?.text === 'S' && this.isAttached(i - 1)
  }

  #amountAt(i: number): Amount | undefined {
    // “U18 € 8”
    const isCode =
      this.isAttached(i) && this.tokens[i - 1]?.kind === 'word' && !CURRENCIES.has(this.foldedAt(i - 1))
    // “Fr. 12.–” is no Friday
    const isFrancs = this.foldedAt(this.#beforeAmount(i)) === 'fr' && this.#hasDashAt(i + 1)
    // “fourteen pounds”
    const word = this.tokens[i]?.kind === 'word' ? numberIn(this.tokens, i) : undefined
    if (word && CURRENCIES.has(this.foldedAt(word.to)) && areInLine(this.tokens, i, word.to))
      return { value: word.number, to: word.to }
    if (isCode || this.tokens[i]?.kind !== 'number' || (this.#isTaken(i) && !isFrancs)) return undefined
    let text = this.tokens[i]?.text ?? ''
    let to = i + 1
    while (['.', ',', "'", '’'].includes(this.foldedAt(to)) && this.tokens[to + 1]?.kind === 'number') {
      if (!this.isAttached(to) || !this.isAttached(to + 1)) break
      const digits = this.tokens[to + 1]?.text ?? ''
      text += digits.length === 3 ? digits : `.${digits}`
      to += 2
      if (digits.length !== 3) break
    }
    return { value: Number(text), to }
  }

  /** The end of a currency after an amount. */
  #currencyAt(i: number): number | undefined {
    // “kids 5-12 $4”
    if (/^[$£]$/.test(this.foldedAt(i)) && this.isAttached(i + 1) && this.tokens[i + 1]?.kind === 'number')
      return undefined
    // “€ 26 / 19, Jugendliche bis 19 € 10”
    const isBefore = this.prices
      .slice(-2)
      .some(
        ({ from }) =>
          this.foldedAt(from) === this.foldedAt(i) &&
          this.tokens[from]?.sentence === this.tokens[i]?.sentence,
      )
    if (isBefore && this.#isNumberOfLine(i + 1, i)) return undefined
    if (CURRENCIES.has(this.foldedAt(i)) && !startsLine(this.tokens, i)) return i + 1
    // 14,- and 14.-- and 25.–
    if (!this.#hasDashAt(i)) return undefined
    return this.foldedAt(i + 2) === '-' && this.isAttached(i + 2) ? i + 3 : i + 2
  }

  #isNumberOfLine(i: number, other: number): boolean {
    return this.tokens[i]?.kind === 'number' && areInLine(this.tokens, i, other)
  }

  #hasDashAt(i: number): boolean {
    // “3.-Klass-Kinder”
    const isWord = this.tokens[i + 2]?.kind === 'word' && this.isAttached(i + 2)
    return (
      /^[,.]$/.test(this.foldedAt(i)) && this.foldedAt(i + 1) === '-' && this.isAttached(i + 1) && !isWord
    )
  }

  #isJoint(i: number): boolean {
    return RANGE_MARKS.has(this.foldedAt(i)) || AND.has(this.foldedAt(i))
  }

  /**
   * True if a number without a currency is an amount, because it counts nothing and comes after a word for a
   * price or for those who pay it, or is next to another amount: `VVK 12 / AK 15`, `12 / 8 / erm. 5 €`, `2 €
   * for members, 3 for others`.
   */
  #isBareAmount(i: number, to: number): boolean {
    const label = this.foldedAt([':', '.', ','].includes(this.foldedAt(i - 1)) ? i - 2 : i - 1)
    const next = this.tokens[to]
    if (isOneOf(next, WORDS.freeButNotOfCharge) || this.#isCount(i, to)) return false
    if (this.#isEndOfRange(i) && !isOneOf(next, AGES)) return true
    const isEnd = next?.line !== this.tokens[i]?.line || next?.folded === '.' || isOneOf(next, LIST_MARKS)
    // “meet at Gate 3”, but “gate 3”
    const isPlace = label === 'gate' && this.tokens[i - 1]?.text !== label
    if (WORDS.admission.has(label) && !isPlace && (isEnd || next?.folded === '/')) return true
    const last = this.prices.at(-1)
    const isPaid = WORDS.paying.has(label)
    const isNear =
      last &&
      // “40 € el curso completo (socios, 25)”
      i - last.to <= (isPaid || WORDS.audience.has(label) ? MAX_WORDS_BESIDE : 5) &&
      this.tokens[last.to]?.sentence === this.tokens[i]?.sentence
    const between = isNear ? this.tokens.slice(last.to, i) : []
    // “-12 ans”, “18+”
    const isOfOther = between.some(({ kind }) => kind === 'number')
    const isAge = ['-', '+'].includes(this.foldedAt(i - 1)) || isOneOf(next, AGES)
    const isForSome = isOneOf(next, WORDS.for) || this.#isForPayer(to)
    const isListed =
      between.some(({ folded }) => folded === '/') ||
      WORDS.audience.has(label) ||
      // “35 € (socios del club, 25)”
      (this.foldedAt(i - 1) === ',' && hasAny(between, WORDS.audience)) ||
      WORDS.beforeLaterPrices.has(label) ||
      isPaid ||
      // “7 € (5,50 für Mitglieder)”, “£12 in advance, 15 on the door”
      (isForSome && (this.#isJoint(i - 1) || ['(', ','].includes(this.foldedAt(i - 1))))
    if (isNear && !isAge && !isOfOther && (isEnd || isForSome || next?.folded === '/') && isListed)
      return true
    const isOfAge = WORDS.beforeAgeOfPayers.has(this.foldedAt(this.foldedAt(i - 1) === 'de' ? i - 2 : i - 1))
    return !isOfAge && this.#isJoint(to) && this.#hasPriceAt(to + 1)
  }

  /** The second of “£14–22” */
  #isEndOfRange(i: number): boolean {
    const first = this.prices.at(-1)
    return (
      first?.to === i - 1 &&
      this.foldedAt(i - 1) === '-' &&
      this.isAttached(i - 1) &&
      this.isAttached(i) &&
      Number(this.tokens[i]?.text) > first.value
    )
  }

  /** True for a number of tickets: “£1 a card, 6 for £5”, «10 € les 3». */
  #isCount(i: number, to: number): boolean {
    const isOfPrice = CURRENCIES.has(this.foldedAt(to + 1)) || this.#hasPriceAt(to + 1)
    return (
      ['les', 'los', 'las'].includes(this.foldedAt(i - 1)) || (WORDS.for.has(this.foldedAt(to)) && isOfPrice)
    )
  }

  /** True if words right after an amount say who pays it: “15 on the door”, but not “12-18 ans”. */
  #isForPayer(to: number): boolean {
    // “12 personnes au maximum”
    if (WORDS.personsCounted.has(this.foldedAt(to))) return false
    const near = this.tokens.slice(to, to + 3)
    const end = near.findIndex(({ kind, clause }) => kind !== 'word' || clause !== near[0]?.clause)
    // “1 carton 4 € / 3 cartons 10 €”
    if (near[end]?.kind === 'number' && this.#currencyAt(to + end + 1) !== undefined) return false
    return near.slice(0, end < 0 ? near.length : end).some(({ folded }) => isPayer(folded))
  }

  /** True if another amount of a list has the currency. */
  #hasPriceAt(from: number, more = 3): boolean {
    const i = !WORDS.audience.has(this.foldedAt(from))
      ? from
      : this.foldedAt(from + 1) === '.'
        ? from + 2
        : from + 1
    const { to } = this.#amountAt(i) ?? {}
    if (to === undefined) return false
    return (
      this.#currencyAt(to) !== undefined ||
      (more > 0 && this.#isJoint(to) && this.#hasPriceAt(to + 1, more - 1))
    )
  }

  /** What an amount is for: amounts of one list are for the same, unless words say that one is admission. */
  #purposeOf(from: number, to: number, hasCurrency: boolean): PricePurpose {
    const first = this.#saidBefore(from)
    const second = this.#saidAfter(to, first === 'admission')
    const purpose = second === 'other' || first === 'bare' || first === 'unknown' ? (second ?? first) : first
    const last = this.prices.at(-1)
    if (purpose === 'bare' && this.#isBesideOther(from)) return 'other'
    // “Subs are due on the night, £32 full and £12 associate”
    const before = this.tokens.slice(Math.max(0, from - MAX_IN_SENTENCE), from)
    if (
      before.some(
        ({ folded, sentence }) => WORDS.dues.has(folded) && sentence === this.tokens[from]?.sentence,
      )
    )
      return 'other'
    // “Bus leaves at 12.45, €8 a seat”
    if (first === 'bare' && this.#isBesideOther(from, WORDS.vehicles)) return 'other'
    // “12 h 30 : repas champêtre – adultes 15 €”
    if (purpose === 'audience' && this.#startsWithTime(from) && this.#isBesideOther(from)) return 'other'
    const isFurther = last && this.tokens[last.from]?.sentence === this.tokens[from]?.sentence
    if (purpose === 'admission' || purpose === 'other' || !isFurther) return purpose
    if (last.purpose === 'other') return 'other'
    const isAlike = !hasCurrency || (purpose === 'bare' && RANGE_MARKS.has(this.foldedAt(from - 1)))
    return isAlike ? last.purpose : purpose
  }

  /** What the words after an amount say, in the same clause: “£2 off”, “2 € de réduction”. */
  #saidAfter(to: number, isAdmission: boolean): PricePurpose | undefined {
    if (this.#isMoreAt(to)) return 'other'
    // “3 €/pers.”
    if (this.foldedAt(to) === '/' && isPayer(this.foldedAt(to + 1))) return 'audience'
    // “£38 a year”
    if (
      WORDS.yearly.has(this.foldedAt(to)) ||
      (PER.has(this.foldedAt(to)) && [1, 2].some(ahead => WORDS.yearsOfDues.has(this.foldedAt(to + ahead))))
    )
      return 'other'
    if (PER.has(this.foldedAt(to)) && this.foldedAt(to + 1) === 'head') return 'admission'
    let purpose: PricePurpose | undefined
    for (let i = to; i < to + 4; i++) {
      const { kind, clause } = this.tokens[i] ?? {}
      // “$3 drafts and half price wings”
      if (this.foldedAt(i) === 'half') break
      if (clause !== this.tokens[to - 1]?.clause || kind === 'number' || INCLUDING.has(this.foldedAt(i)))
        break
      // “Price: £38 for coach and lunch”
      if (isAdmission && WORDS.for.has(this.foldedAt(i))) break
      // “22 €, boissons comprises”
      if (WORDS.notAdmission.has(this.foldedAt(i)))
        return WORDS.included.has(this.foldedAt(i + 1)) ? purpose : 'other'
      if (WORDS.admission.hasWordOrPlural(this.foldedAt(i))) purpose ??= 'admission'
      if (WORDS.audience.hasWordOrPlural(this.foldedAt(i))) purpose ??= 'audience'
    }
    return purpose
  }

  /**
   * True if an amount comes on top of another: “£2 more on the door”, «2 € de plus sur place», «2 € más en
   * taquilla».
   */
  #isMoreAt(i: number): boolean {
    const [folded, next] = [this.foldedAt(i), this.foldedAt(i + 1)]
    return (
      WORDS.afterSurcharges.has(folded) ||
      (['en', 'de'].includes(folded) && ['plus', 'sus', 'mas'].includes(next)) ||
      // “5 € más gastos”
      (folded === 'mas' && WORDS.small.has(next))
    )
  }

  /** What the words before an amount say, up to a mark or the amount before it. */
  #saidBefore(from: number): PricePurpose {
    // “plus about £5 for paper”
    const isAbout = WORDS.aboutPrices.has(this.foldedAt(from - 1))
    if (SURCHARGES.has(this.foldedAt(isAbout ? from - 2 : from - 1))) return 'other'
    let [isUnknown, isSaid] = [false, false]
    for (let i = from - 1; i >= from - MAX_WORDS_BESIDE; i--) {
      const { kind, folded = '', sentence, isSpaced } = this.tokens[i] ?? {}
      if (sentence !== this.tokens[from]?.sentence || this.#isTaken(i)) break
      // “Premios: 300, 150 y 75 €”
      const isOfList = folded === ',' && [i - 1, i + 1].every(at => this.tokens[at]?.kind === 'number')
      // “Ein Stand (2 m) kostet 8 €”
      const opening = folded === ')' ? this.#openingOf(i, from - MAX_WORDS_BESIDE) : undefined
      if (opening !== undefined) {
        i = opening
        continue
      }
      if (
        (LIST_MARKS.has(folded) && !isOfList) ||
        (['-', '/'].includes(folded) && isSpaced) ||
        CURRENCIES.has(folded)
      )
        break
      // “Prix : 12 €”, but “1er prix : 800 €”
      if (WORDS.labelsOfPrices.has(folded) && this.#isLabel(i, from))
        return this.#isNumbered(i - 1) ? 'other' : 'admission'
      if (isOtherExpense(folded) || ANNUAL_CARD.test(`${this.foldedAt(i - 1)} ${folded}`)) return 'other'
      // “plus booking fee of €1.50”
      const isOnTop = [i - 1, i - 2].some(at => /^(?:add|plus|zzgl|zuzuglich)$/.test(this.foldedAt(at)))
      // “Offrande de messe : 18 €”, “Assiette les jours de concert (12 €)”
      if (isKind(folded) && WORDS.belongingTo.has(this.foldedAt(i - 1))) continue
      // “Livres en vente à la sortie (19 €)”
      if (folded === 'sortie' && this.foldedAt(i - 1) === 'la') continue
      if (isFee(folded) || (isKind(folded) && !isUnknown)) {
        // “Raffle tickets £1”, “Repas (tickets 9 €)”
        const noun = WORDS.belongingTo.has(this.foldedAt(i - 1)) ? i - 2 : i - 1
        const isOfMeal = this.foldedAt(i - 1) === '(' && this.#isBesideOther(i - 1)
        return isOnTop || isOfMeal || WORDS.notAdmission.has(this.foldedAt(noun)) ? 'other' : 'admission'
      }
      // “6 €, mit Leseausweis 4 €”
      const isCard =
        /(?:ausweis|card|carte|carnet|carne)$/.test(folded) && WORDS.with.has(this.foldedAt(i - 1))
      if (WORDS.audience.hasWordOrPlural(folded) || WORDS.paying.has(folded) || isCard) {
        // “Premio del público: 200 €”
        const isOfOther = WORDS.belongingTo.has(this.foldedAt(i - 1)) && isOtherExpense(this.foldedAt(i - 2))
        return isOfOther ? 'other' : 'audience'
      }
      // “under-16s £4”, “hasta 12 años 4 €”
      if (
        WORDS.beforeAgeOfPayers.has(folded) &&
        [i + 1, i + 2].some(at => at < from && this.tokens[at]?.kind === 'number')
      )
        return 'audience'
      // “Weekend £40, day £15”
      isSaid ||= WORDS.costs.has(folded) || WORDS.occasions.has(folded)
      isUnknown ||=
        kind === 'word' && folded.length > 1 && !NEUTRAL.has(folded) && !WORDS.occasions.has(folded)
    }
    return isUnknown ? 'unknown' : isSaid ? 'admission' : 'bare'
  }

  /**
   * True if the nearest noun in the sentence, or in a question right before the amount, is of something else:
   * “raffle, £2”, “Fancy a table? £12”.
   */
  #isBesideOther(from: number, others = WORDS.notAdmission): boolean {
    const { sentence: ownSentence } = this.tokens[this.foldedAt(from - 1) === '?' ? from - 1 : from] ?? {}
    for (let i = from - 1; i >= from - MAX_IN_SENTENCE; i--) {
      const { folded = '', sentence } = this.tokens[i] ?? {}
      if (sentence !== ownSentence || CURRENCIES.has(folded) || WORDS.admission.hasWordOrPlural(folded))
        return false
      if (others.has(folded)) return true
      if (isKind(folded) || WORDS.notAdmission.has(folded)) return false
    }
    return false
  }

  /** True if the line of an amount begins with a time, as a point of a programme does. */
  #startsWithTime(from: number): boolean {
    let first = from
    while (first > 0 && areInLine(this.tokens, first - 1, from)) first--
    return this.tokens[first]?.kind === 'number' && this.#isTaken(first)
  }

  /** The index of the bracket that a closing one belongs to, unless that bracket is before a given token. */
  #openingOf(closing: number, least: number): number | undefined {
    for (let i = closing - 1; i >= least; i--) if (this.foldedAt(i) === '(') return i
    return undefined
  }

  /** True if a token ends an ordinal number: “1er”, “1.”, “primer”. */
  #isNumbered(i: number): boolean {
    const isPoint = this.foldedAt(i) === '.' && Number(this.foldedAt(i - 1)) < MAX_PRIZES
    return (
      (ORDINALS.get(this.foldedAt(i)) ?? 0) > 0 || isPoint || /^(?:er|º|st|nd|rd|\d)$/.test(this.foldedAt(i))
    )
  }

  /** True if a colon follows a word, perhaps after dots: “Prix.......: 15 EUR”. */
  #isLabel(i: number, from: number): boolean {
    let at = i + 1
    while (this.foldedAt(at) === '.' && at < i + MAX_WORDS_BESIDE) at++
    // “Prix du cours complet : 150 €”
    return (
      this.foldedAt(at) === ':' ||
      (startsLine(this.tokens, i) && this.foldedAt(this.#beforeAmount(from)) === ':')
    )
  }
}
