import { memoize } from '../../../kit/lib/memo.ts'
import { areInLine, hasAny, isOneOf, numberIn, startsLine, type Token } from '../words/tokens.ts'
import {
  ADMISSION,
  AND,
  AUDIENCE,
  anyOf,
  BUT,
  FOR,
  FREE,
  isKind,
  NOT_ADMISSION,
  NUMBER_WORDS,
  OCCASIONS,
  ORDINALS,
  SMALL,
  setOf,
  VEHICLES,
  VERBS,
  type WordSet,
  wordsFor,
} from '../words/words.ts'

// Not every amount is admission: there are raffles, cakes, donations and prizes. By the words on both sides
// of an amount, this decides what it is for, and from those of a part what its event costs.

/** What admission costs, as the API takes it: `12 - 15`, or `0` where it is free. */
type CostMention = { cost: string; from: number; to: number }

/**
 * What an amount is for, by the words around it: admission, because a word for it or one for those who pay it
 * stands there; bare, where no word says anything; unknown, where words say something that is not understood.
 */
type Purpose = 'admission' | 'audience' | 'bare' | 'unknown' | 'other'

/** An amount with a currency. */
type Price = {
  value: number
  from: number
  to: number
  purpose: Purpose
  /** True if a kind of event stands before it: “Konzert 28.–”. */
  isOfKind: boolean
}

type Amount = { value: number; to: number }

/** The signs and codes of currencies by the words for them. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', '€'],
  ['euro', '€'],
  ['euros', '€'],
  ['eur', '€'],
  ['$', '$'],
  ['dollars', '$'],
  ['£', '£'],
  ['pounds', '£'],
  ['chf', 'CHF'],
  ['fr', 'CHF'],
  ['franken', 'CHF'],
])

const CURRENCIES = setOf([...SYMBOLS.keys()].join(' '), 'dolares francs pesos pavos soles quetzales colones')
const COLLECTED = wordsFor('collected')
/** German compounds for what one pays: their first part says what for. */
const FEE = /^(.{3,}?)s?(?:gebuhr|gebuhren|eintritt|beitrag|preis|kosten|pauschale|geld|karten?)$/
const FEES = setOf('teilnahme teilnehmer kurs start melde einzel dauer vorverkauf abend regie festival tage')
/** With a colon it is what one pays, otherwise what one wins. */
const PRICES = setOf('cuota preis prix price precio beitrag valor tasa frais')
/** Words around an amount that do not tell what is paid for. */
const NEUTRAL = anyOf(
  SMALL,
  VERBS,
  setOf(
    'single otherwise sonst sinon only just per about nur je pro ca circa etwa oder or o ou ab bis jeweils kostet betragt costs cuesta coute pay desde cada chacun hors it its you get bitte nous wir seulement only solo plus event veranstaltung evento actividad activite evenement todo tout alles everything this ce cette este esta diese dieses totally completely entirely vollig komplett ganz absolut totalement entierement totalmente completamente',
  ),
)
const COSTS = setOf('kost kostet kosten costs cuesta coute')
/** Before what comes on top of the admission, or is taken off it. */
const SURCHARGES = setOf('+ add plus zzgl zuzuglich mas salvo except excepto sauf')
/** Right after it: “2 € mehr”. */
const MORE = setOf('mehr more extra dearer teurer aufpreis aufschlag zuschlag')
const ABOUT = setOf('about ca circa etwa rund environ approx unos aproximadamente')
/** Prizes are numbered up to there: “1. Preis: 100 €”, but “Plazas: 12. Precio: 20 €”. */
const MAX_PRIZES = 6
/** Nobody pays as much for an event that is announced like this, in these currencies. */
const MAX_AMOUNT = 1_000
/** As much is rather for a cake or a raffle, if no word says that it is admission. */
const SMALL_CHANGE = 3
const DEAR = setOf('€ £ euro euros eur chf fr francs franken')
/** Words before an amount that are looked at. */
const MAX_WORDS_BESIDE = 10
/** How many words beside an amount are searched for what is paid for. */
const MAX_IN_SENTENCE = 40
/** After which something else is in the price, or comes on top of it. */
const INCLUDING = setOf(
  '+ including incl inc includes inkl inklusive mit compris comprenant avec incluye incluido con sin sans ohne without',
)
const INCLUDED = setOf(
  'included inklusive inbegriffen comprises compris comprise incluses inclus incluida incluidas incluido incluidos',
)
const PER = setOf('a per pro im par al por l each /')
const YEARS = setOf('year annum jahr an annee ano')
const YEARLY = setOf('yearly annually jahrlich annuel annuels anual anuales')
/** “carte annuelle 25 €”, “annual card £25” */
const CARD_OF_YEAR = /(?:carte annuelle|tarjeta anual|carne anual|annual (?:card|pass|ticket)|jahreskarte)$/
const BEFORE_GOODS = setOf('of de des du del d')
/** Before who pays an amount. */
const AGES = setOf('+ ans jahre jahren years anos')
/** “8 € until midnight, then 10” */
/** “Gäste zahlen 19” */
const PERSONS = setOf('person personen people personnes personas')
const PAYING = setOf('zahlen zahlt bezahlen pay pays paient payent paie pagan paga')
/** Before the age of who pays an amount: “mayores de 65, 10 €”. */
const BEFORE_AGE = setOf('under over unter uber bis hasta moins plus menores mayores mas')
const LATER = setOf('sonst sinon danach spater then after afterwards later ensuite apres despues luego')
/** What members pay for a year or a month. */
const DUES = setOf(
  'subs dues membership subscription mitgliedsbeitrag mitgliedsbeitrage jahresbeitrag cotisation cotisations colegiatura mensualidad',
)
const STOPS = setOf(', ; • | )')
const JOINS = setOf('/ - bis to a o ou oder or')
/** Who pays nothing, but is no reason to say that admission may be free. */
const CHILDREN = setOf(
  'under unter bis moins menores kids kid children child kinder kind enfants enfant ninos ninas nino infants babies ans jahre jahren years anos',
)

/** True if a set has a word, or that of which it is the plural. */
const isWordOrPlural = (words: WordSet, low: string): boolean =>
  words.has(low) || (low.length > 4 && low.endsWith('s') && words.has(low.slice(0, -1)))

/** True if one pays for something else: “Rents (£48 full plot)”. */
const isOfOther = (low: string): boolean =>
  NOT_ADMISSION.has(low) || (isWordOrPlural(NOT_ADMISSION, low) && !isPayer(low))

const isFee = (low: string): boolean => {
  const [, first = ''] = FEE.exec(low) ?? []
  return (
    isWordOrPlural(ADMISSION, low) || (first !== '' && (FEES.has(first) || isPayer(first) || isKind(first)))
  )
}
const isPayer = (low: string): boolean => isWordOrPlural(ADMISSION, low) || isWordOrPlural(AUDIENCE, low)

/**
 * What the events of a text cost. It is read once, since what an amount is for depends on the one before it.
 */
export class Costs {
  readonly #tokens: readonly Token[]
  readonly #isTaken: (token: number) => boolean
  readonly #currency: string
  readonly #prices: Price[] = []
  readonly #free: readonly FreeMention[]

  /**
   * @param isTaken whether a token belongs to a day or a time
   * @param currency the sign of the calendar's own
   */
  constructor(tokens: readonly Token[], isTaken: (token: number) => boolean, currency: string) {
    this.#tokens = tokens
    this.#isTaken = isTaken
    // “Fr.” or “CHF”
    this.#currency = SYMBOLS.get(currency.toLowerCase().replace('.', '')) ?? currency
    this.#free = freeIn(tokens)
    for (let i = 0; i < tokens.length; i++) {
      const amount = this.#amountAt(i)
      if (!amount) continue
      // What was collected or is planned
      const isDear =
        amount.value >= MAX_AMOUNT &&
        [this.#low(this.#beforeAmount(i)), this.#low(amount.to)].some(sign => DEAR.has(sign))
      i = (isDear ? amount.to : this.#addPrice(i, amount)) - 1
    }
  }

  /**
   * The admission in a part of the text: its lowest and highest amount, and none where an amount of the same
   * list is not understood, or where one that is admission contradicts “free”. `isSaid` is true if the part
   * has an amount at all.
   *
   * @param isOwn whether what stands at a token is said of the event
   * @param isOfAll whether it stands above or below several events: an amount of one kind of them is not that
   * of all
   */
  in(
    [start, end]: readonly [from: number, to: number],
    isOwn: (token: number) => boolean,
    isOfAll = false,
  ): { cost?: CostMention; isSaid: boolean } {
    const isIn = ({ from, to }: { from: number; to: number }): boolean =>
      from >= start && to <= end && isOwn(from)
    const [prices, free] = [this.#prices.filter(isIn), this.#free.filter(isIn)]
    if (isOfAll && prices.some(({ isOfKind }) => isOfKind) && !prices.every(({ isOfKind }) => isOfKind))
      return { isSaid: true }
    const cost = this.#costOf(prices, free)
    return { ...(cost && { cost }), isSaid: prices.length + free.length > 0 }
  }

  #costOf(prices: readonly Price[], free: readonly FreeMention[]): CostMention | undefined {
    const known = prices.filter(({ purpose }) => purpose !== 'unknown' && purpose !== 'other')
    const unknown = prices.filter(({ purpose }) => purpose === 'unknown')
    const isBare = known.every(({ purpose }) => purpose === 'bare')
    const isBeside = (all: readonly Price[], { from }: { from: number }) =>
      all.some(one => this.#tokens[one.from]?.sentence === this.#tokens[from]?.sentence)
    const whole = free.find(
      one =>
        ['admission', 'bare', 'collected'].includes(one.purpose) &&
        // “Free entry, hardbacks £2”
        !isBeside(
          one.purpose === 'collected' ? prices : one.purpose === 'admission' ? known : [...known, ...unknown],
          one,
        ) &&
        // “Primer equipo: 6 €, jubilados 3 €. El resto, gratis.”
        // “Gratis. La miel, a 9 € el kilo.”
        (one.purpose !== 'bare' ||
          prices.every(({ from, purpose }) => from > one.from && purpose === 'other')),
    )
    if (whole && known.length === 0) return { cost: '0', from: whole.from, to: whole.to }
    // “Entry free. Tasting 5 €”, “Teilnahme kostenlos, Führung 12 €”
    const isForAll = known.every(({ purpose }) => purpose !== 'audience')
    if (isForAll && free.some(({ purpose }) => purpose === 'admission')) return undefined
    const [first] = known
    const last = known.at(-1)
    const isSmall = isBare && known.every(({ value }) => value <= SMALL_CHANGE)
    const isUnclear = isBare
      ? unknown.length > 0
      : known.some(one => isBeside(unknown, one) || unknown.some(other => this.#areListed(one, other)))
    if (!first || !last || isUnclear || isSmall || this.#areOfSeveral(known)) return undefined
    const contradicts = (one: FreeMention) =>
      !['audience', 'collected'].includes(one.purpose) && one.from < first.from && isBeside(known, one)
    if (free.some(contradicts)) return undefined
    const isFreeForSome = free.some(one => one.purpose === 'audience')
    const values = [...known.map(({ value }) => value), ...(isFreeForSome ? [0] : [])].sort((a, b) => a - b)
    const range = new Set([values[0] ?? 0, values.at(-1) ?? 0])
    const signs = this.#tokens.slice(first.from, last.to).filter(({ low }) => SYMBOLS.has(low))
    // “Do 10, Fr 12 €”
    const sign = signs.find(({ low }) => low !== 'fr') ?? signs[0]
    const symbol = SYMBOLS.get(sign?.low ?? '')
    return {
      cost: formatAmounts([...range], symbol === this.#currency ? undefined : symbol),
      from: first.from,
      to: last.to,
    }
  }

  /** True if amounts of several sentences may be for several things, unlike “VVK 8 €. Abendkasse 10 €.” */
  #areOfSeveral(known: readonly Price[]): boolean {
    const sentences = new Set(known.map(({ from }) => this.#tokens[from]?.sentence))
    const [first, second] = known.map(({ value }) => value).sort((a, b) => a - b)
    const areAlike = known.length === 2 && (second ?? 0) <= 2 * (first ?? 0)
    return sentences.size > 1 && !(areAlike && known.every(({ purpose }) => purpose === 'admission'))
  }

  /** True if two amounts end lines, one below the other: “Early entry: $25”, “Regular: $30”. */
  #areListed(a: Price, b: Price): boolean {
    const [first, second] = [a, b].map(({ from }) => this.#tokens[from]?.line ?? 0)
    const endsLine = ({ from, to }: Price) => !areInLine(this.#tokens, to, from)
    return Math.abs((first ?? 0) - (second ?? 0)) === 1 && endsLine(a) && endsLine(b)
  }

  /** Adds an amount if it has a currency, or stands for one without. Gives its end. */
  #addPrice(i: number, amount: Amount): number {
    const before = this.#beforeAmount(i)
    // “05 FR 19.30 Kabale und Liebe”
    const isFriday =
      this.#low(before) === 'fr' &&
      (this.#isTaken(before) || this.#isAttached(i) || this.#isHours(i, amount.to))
    const isAfterCurrency =
      (CURRENCIES.has(this.#low(before)) || this.#isSoles(i)) &&
      !isFriday &&
      before >= (this.#prices.at(-1)?.to ?? 0)
    const currency = this.#currencyAt(amount.to)
    const from = isAfterCurrency ? before : i
    const end = currency ?? amount.to
    // 6€50
    const cents = this.#isAttached(amount.to) && this.#isAttached(end) ? this.#tokens[end]?.text : undefined
    const hasCents = currency !== undefined && /^\d\d$/.test(cents ?? '')
    const to = hasCents ? end + 1 : end
    const hasCurrency = isAfterCurrency || currency !== undefined
    if (hasCurrency || this.#isBareAmount(i, amount.to))
      this.#prices.push({
        value: amount.value + (hasCents ? Number(cents) / 100 : 0),
        from,
        to,
        purpose: this.#purposeOf(from, to, hasCurrency),
        isOfKind: isKind(this.#low(from - 1)),
      })
    return to
  }

  /** “Fr 15-20” on a Friday, but “Eintritt Fr 15-20” */
  #isHours(i: number, to: number): boolean {
    const isRange = this.#low(to) === '-' && this.#tokens[to + 1]?.kind === 'number'
    const label = this.#low(this.#low(i - 2) === ':' ? i - 3 : i - 2)
    return isRange && this.#low(i - 1) !== '.' && !isFee(label)
  }

  /** Where the currency before an amount would stand: “Fr. 15.–”. */
  #beforeAmount(i: number): number {
    return this.#low(i - 1) === '.' && this.#low(i - 2) === 'fr' ? i - 2 : this.#isSoles(i) ? i - 2 : i - 1
  }

  /** “S/ 10” */
  #isSoles(i: number): boolean {
    return this.#low(i - 1) === '/' && this.#tokens[i - 2]?.text === 'S' && this.#isAttached(i - 1)
  }

  #low(i: number): string {
    return this.#tokens[i]?.low ?? ''
  }

  #isAttached(i: number): boolean {
    return this.#tokens[i]?.isSpaced === false
  }

  #amountAt(i: number): Amount | undefined {
    // “U18 € 8”
    const isCode =
      this.#isAttached(i) && this.#tokens[i - 1]?.kind === 'word' && !CURRENCIES.has(this.#low(i - 1))
    // “Fr. 12.–” is no Friday
    const isFrancs = this.#low(this.#beforeAmount(i)) === 'fr' && this.#hasDashAt(i + 1)
    // “fourteen pounds”
    const word = this.#tokens[i]?.kind === 'word' ? numberIn(this.#tokens, i) : undefined
    if (word && CURRENCIES.has(this.#low(word.to)) && areInLine(this.#tokens, i, word.to))
      return { value: word.number, to: word.to }
    if (isCode || this.#tokens[i]?.kind !== 'number' || (this.#isTaken(i) && !isFrancs)) return undefined
    let text = this.#tokens[i]?.text ?? ''
    let to = i + 1
    while (['.', ',', "'", '’'].includes(this.#low(to)) && this.#tokens[to + 1]?.kind === 'number') {
      if (!this.#isAttached(to) || !this.#isAttached(to + 1)) break
      const digits = this.#tokens[to + 1]?.text ?? ''
      text += digits.length === 3 ? digits : `.${digits}`
      to += 2
      if (digits.length !== 3) break
    }
    return { value: Number(text), to }
  }

  /** The end of a currency after an amount. */
  #currencyAt(i: number): number | undefined {
    // “kids 5-12 $4”
    if (/^[$£]$/.test(this.#low(i)) && this.#isAttached(i + 1) && this.#tokens[i + 1]?.kind === 'number')
      return undefined
    // “€ 26 / 19, Jugendliche bis 19 € 10”
    const isBefore = this.#prices
      .slice(-2)
      .some(
        ({ from }) =>
          this.#low(from) === this.#low(i) && this.#tokens[from]?.sentence === this.#tokens[i]?.sentence,
      )
    if (isBefore && this.#isNumberOfLine(i + 1, i)) return undefined
    if (CURRENCIES.has(this.#low(i)) && !startsLine(this.#tokens, i)) return i + 1
    // 14,- and 14.-- and 25.–
    if (!this.#hasDashAt(i)) return undefined
    return this.#low(i + 2) === '-' && this.#isAttached(i + 2) ? i + 3 : i + 2
  }

  #isNumberOfLine(i: number, other: number): boolean {
    return this.#tokens[i]?.kind === 'number' && areInLine(this.#tokens, i, other)
  }

  #hasDashAt(i: number): boolean {
    // “3.-Klass-Kinder”
    const isWord = this.#tokens[i + 2]?.kind === 'word' && this.#isAttached(i + 2)
    return /^[,.]$/.test(this.#low(i)) && this.#low(i + 1) === '-' && this.#isAttached(i + 1) && !isWord
  }

  #isJoint(i: number): boolean {
    return JOINS.has(this.#low(i)) || AND.has(this.#low(i))
  }

  /**
   * True if a number without a currency is an amount, because it counts nothing and stands after a word for a
   * price or for who pays it, or beside another amount: `VVK 12 / AK 15`, `12 / 8 / erm. 5 €`, `2 € for
   * members, 3 for others`.
   */
  #isBareAmount(i: number, to: number): boolean {
    const label = this.#low([':', '.', ','].includes(this.#low(i - 1)) ? i - 2 : i - 1)
    const next = this.#tokens[to]
    if (isOneOf(next, OF_SEATS) || this.#isCount(i, to)) return false
    if (this.#isEndOfRange(i) && !isOneOf(next, AGES)) return true
    const isEnd = next?.line !== this.#tokens[i]?.line || next?.low === '.' || isOneOf(next, STOPS)
    // “meet at Gate 3”, but “gate 3”
    const isPlace = label === 'gate' && this.#tokens[i - 1]?.text !== label
    if (ADMISSION.has(label) && !isPlace && (isEnd || next?.low === '/')) return true
    const last = this.#prices.at(-1)
    const isPaid = PAYING.has(label)
    const isNear =
      last &&
      // “40 € el curso completo (socios, 25)”
      i - last.to <= (isPaid || AUDIENCE.has(label) ? MAX_WORDS_BESIDE : 5) &&
      this.#tokens[last.to]?.sentence === this.#tokens[i]?.sentence
    const between = isNear ? this.#tokens.slice(last.to, i) : []
    // “-12 ans”, “18+”
    const isOfOther = between.some(({ kind }) => kind === 'number')
    const isAge = ['-', '+'].includes(this.#low(i - 1)) || isOneOf(next, AGES)
    const isForSome = isOneOf(next, FOR) || this.#isForPayer(to)
    const isListed =
      between.some(({ low }) => low === '/') ||
      AUDIENCE.has(label) ||
      // “35 € (socios del club, 25)”
      (this.#low(i - 1) === ',' && hasAny(between, AUDIENCE)) ||
      LATER.has(label) ||
      isPaid ||
      // “7 € (5,50 für Mitglieder)”, “£12 in advance, 15 on the door”
      (isForSome && (this.#isJoint(i - 1) || ['(', ','].includes(this.#low(i - 1))))
    if (isNear && !isAge && !isOfOther && (isEnd || isForSome || next?.low === '/') && isListed) return true
    const isOfAge = BEFORE_AGE.has(this.#low(this.#low(i - 1) === 'de' ? i - 2 : i - 1))
    return !isOfAge && this.#isJoint(to) && this.#hasPriceAt(to + 1)
  }

  /** The second of “£14–22” */
  #isEndOfRange(i: number): boolean {
    const first = this.#prices.at(-1)
    return (
      first?.to === i - 1 &&
      this.#low(i - 1) === '-' &&
      this.#isAttached(i - 1) &&
      this.#isAttached(i) &&
      Number(this.#tokens[i]?.text) > first.value
    )
  }

  /** True for a number of tickets: “£1 a card, 6 for £5”, «10 € les 3». */
  #isCount(i: number, to: number): boolean {
    const isOfPrice = CURRENCIES.has(this.#low(to + 1)) || this.#hasPriceAt(to + 1)
    return ['les', 'los', 'las'].includes(this.#low(i - 1)) || (FOR.has(this.#low(to)) && isOfPrice)
  }

  /** True if words right after an amount say who pays it: “15 on the door”, but not “12-18 ans”. */
  #isForPayer(to: number): boolean {
    // “12 personnes au maximum”
    if (PERSONS.has(this.#low(to))) return false
    const near = this.#tokens.slice(to, to + 3)
    const end = near.findIndex(({ kind, clause }) => kind !== 'word' || clause !== near[0]?.clause)
    // “1 carton 4 € / 3 cartons 10 €”
    if (near[end]?.kind === 'number' && this.#currencyAt(to + end + 1) !== undefined) return false
    return near.slice(0, end < 0 ? near.length : end).some(({ low }) => isPayer(low))
  }

  /** True if another amount of a list has the currency. */
  #hasPriceAt(from: number, more = 3): boolean {
    const i = !AUDIENCE.has(this.#low(from)) ? from : this.#low(from + 1) === '.' ? from + 2 : from + 1
    const { to } = this.#amountAt(i) ?? {}
    if (to === undefined) return false
    return (
      this.#currencyAt(to) !== undefined ||
      (more > 0 && this.#isJoint(to) && this.#hasPriceAt(to + 1, more - 1))
    )
  }

  /** What an amount is for: those of one list are for the same, unless words say that one is admission. */
  #purposeOf(from: number, to: number, hasCurrency: boolean): Purpose {
    const first = this.#saidBefore(from)
    const second = this.#saidAfter(to, first === 'admission')
    const said = second === 'other' || first === 'bare' || first === 'unknown' ? (second ?? first) : first
    const last = this.#prices.at(-1)
    if (said === 'bare' && this.#isBesideOther(from)) return 'other'
    // “Subs are due on the night, £32 full and £12 associate”
    const before = this.#tokens.slice(Math.max(0, from - MAX_IN_SENTENCE), from)
    if (before.some(({ low, sentence }) => DUES.has(low) && sentence === this.#tokens[from]?.sentence))
      return 'other'
    // “Bus leaves at 12.45, €8 a seat”
    if (first === 'bare' && this.#isBesideOther(from, VEHICLES)) return 'other'
    // “12 h 30 : repas champêtre – adultes 15 €”
    if (said === 'audience' && this.#startsWithTime(from) && this.#isBesideOther(from)) return 'other'
    const isFurther = last && this.#tokens[last.from]?.sentence === this.#tokens[from]?.sentence
    if (said === 'admission' || said === 'other' || !isFurther) return said
    if (last.purpose === 'other') return 'other'
    const isAlike = !hasCurrency || (said === 'bare' && JOINS.has(this.#low(from - 1)))
    return isAlike ? last.purpose : said
  }

  /** What the words after an amount say, in the same clause: “£2 off”, “2 € de réduction”. */
  #saidAfter(to: number, isAdmission: boolean): Purpose | undefined {
    if (this.#isMoreAt(to)) return 'other'
    // “3 €/pers.”
    if (this.#low(to) === '/' && isPayer(this.#low(to + 1))) return 'audience'
    // “£38 a year”
    if (
      YEARLY.has(this.#low(to)) ||
      (PER.has(this.#low(to)) && [1, 2].some(ahead => YEARS.has(this.#low(to + ahead))))
    )
      return 'other'
    if (PER.has(this.#low(to)) && this.#low(to + 1) === 'head') return 'admission'
    let said: Purpose | undefined
    for (let i = to; i < to + 4; i++) {
      const { kind, clause } = this.#tokens[i] ?? {}
      // “$3 drafts and half price wings”
      if (this.#low(i) === 'half') break
      if (clause !== this.#tokens[to - 1]?.clause || kind === 'number' || INCLUDING.has(this.#low(i))) break
      // “Price: £38 for coach and lunch”
      if (isAdmission && FOR.has(this.#low(i))) break
      // “22 €, boissons comprises”
      if (NOT_ADMISSION.has(this.#low(i))) return INCLUDED.has(this.#low(i + 1)) ? said : 'other'
      if (isWordOrPlural(ADMISSION, this.#low(i))) said ??= 'admission'
      if (isWordOrPlural(AUDIENCE, this.#low(i))) said ??= 'audience'
    }
    return said
  }

  /** True if an amount comes on top of another: “£2 more on the door”, «2 € de plus sur place», «2 € más en taquilla». */
  #isMoreAt(i: number): boolean {
    const [low, next] = [this.#low(i), this.#low(i + 1)]
    return (
      MORE.has(low) ||
      (['en', 'de'].includes(low) && ['plus', 'sus', 'mas'].includes(next)) ||
      // “5 € más gastos”
      (low === 'mas' && SMALL.has(next))
    )
  }

  /** What the words before an amount say, up to a mark or the amount before it. */
  #saidBefore(from: number): Purpose {
    // “plus about £5 for paper”
    const isAbout = ABOUT.has(this.#low(from - 1))
    if (SURCHARGES.has(this.#low(isAbout ? from - 2 : from - 1))) return 'other'
    let [isUnknown, isSaid] = [false, false]
    for (let i = from - 1; i >= from - MAX_WORDS_BESIDE; i--) {
      const { kind, low = '', sentence, isSpaced } = this.#tokens[i] ?? {}
      if (sentence !== this.#tokens[from]?.sentence || this.#isTaken(i)) break
      // “Premios: 300, 150 y 75 €”
      const isOfList = low === ',' && [i - 1, i + 1].every(at => this.#tokens[at]?.kind === 'number')
      // “Ein Stand (2 m) kostet 8 €”
      const opening = low === ')' ? this.#openingOf(i, from - MAX_WORDS_BESIDE) : undefined
      if (opening !== undefined) {
        i = opening
        continue
      }
      if ((STOPS.has(low) && !isOfList) || (['-', '/'].includes(low) && isSpaced) || CURRENCIES.has(low))
        break
      // “Prix : 12 €”, but “1er prix : 800 €”
      if (PRICES.has(low) && this.#isLabel(i, from)) return this.#isNumbered(i - 1) ? 'other' : 'admission'
      if (isOfOther(low) || CARD_OF_YEAR.test(`${this.#low(i - 1)} ${low}`)) return 'other'
      // “plus booking fee of €1.50”
      const isOnTop = [i - 1, i - 2].some(at => /^(?:add|plus|zzgl|zuzuglich)$/.test(this.#low(at)))
      // “Offrande de messe : 18 €”, “Assiette les jours de concert (12 €)”
      if (isKind(low) && BEFORE_GOODS.has(this.#low(i - 1))) continue
      // “Livres en vente à la sortie (19 €)”
      if (low === 'sortie' && this.#low(i - 1) === 'la') continue
      if (isFee(low) || (isKind(low) && !isUnknown)) {
        // “Raffle tickets £1”, “Repas (tickets 9 €)”
        const noun = BEFORE_GOODS.has(this.#low(i - 1)) ? i - 2 : i - 1
        const isOfMeal = this.#low(i - 1) === '(' && this.#isBesideOther(i - 1)
        return isOnTop || isOfMeal || NOT_ADMISSION.has(this.#low(noun)) ? 'other' : 'admission'
      }
      // “6 €, mit Leseausweis 4 €”
      const isCard = /(?:ausweis|card|carte|carnet|carne)$/.test(low) && WITH.has(this.#low(i - 1))
      if (isWordOrPlural(AUDIENCE, low) || PAYING.has(low) || isCard) return 'audience'
      // “under-16s £4”, “hasta 12 años 4 €”
      if (BEFORE_AGE.has(low) && [i + 1, i + 2].some(at => at < from && this.#tokens[at]?.kind === 'number'))
        return 'audience'
      // “Weekend £40, day £15”
      isSaid ||= COSTS.has(low) || OCCASIONS.has(low)
      isUnknown ||= kind === 'word' && low.length > 1 && !NEUTRAL.has(low) && !OCCASIONS.has(low)
    }
    return isUnknown ? 'unknown' : isSaid ? 'admission' : 'bare'
  }

  /**
   * True if the nearest noun in the sentence, or in a question right before the amount, is of something else:
   * “raffle, £2”, “Fancy a table? £12”.
   */
  #isBesideOther(from: number, others = NOT_ADMISSION): boolean {
    const { sentence: own } = this.#tokens[this.#low(from - 1) === '?' ? from - 1 : from] ?? {}
    for (let i = from - 1; i >= from - MAX_IN_SENTENCE; i--) {
      const { low = '', sentence } = this.#tokens[i] ?? {}
      if (sentence !== own || CURRENCIES.has(low) || isWordOrPlural(ADMISSION, low)) return false
      if (others.has(low)) return true
      if (isKind(low) || NOT_ADMISSION.has(low)) return false
    }
    return false
  }

  /** True if the line of an amount begins with a time, as a point of a programme does. */
  #startsWithTime(from: number): boolean {
    let first = from
    while (first > 0 && areInLine(this.#tokens, first - 1, from)) first--
    return this.#tokens[first]?.kind === 'number' && this.#isTaken(first)
  }

  /** The bracket that a closing one belongs to, unless it stands before a token. */
  #openingOf(closing: number, least: number): number | undefined {
    for (let i = closing - 1; i >= least; i--) if (this.#low(i) === '(') return i
    return undefined
  }

  /** True if an ordinal stands there: “1er”, “1.”, “primer”. */
  #isNumbered(i: number): boolean {
    const isPoint = this.#low(i) === '.' && Number(this.#low(i - 1)) < MAX_PRIZES
    return (ORDINALS.get(this.#low(i)) ?? 0) > 0 || isPoint || /^(?:er|º|st|nd|rd|\d)$/.test(this.#low(i))
  }

  /** True if a colon follows, also behind dots: “Prix.......: 15 EUR”. */
  #isLabel(i: number, from: number): boolean {
    let at = i + 1
    while (this.#low(at) === '.' && at < i + MAX_WORDS_BESIDE) at++
    // “Prix du cours complet : 150 €”
    return (
      this.#low(at) === ':' || (startsLine(this.#tokens, i) && this.#low(this.#beforeAmount(from)) === ':')
    )
  }
}

/**
 * Where a text says that something costs nothing: admission, because a word for it stands there; perhaps
 * admission, because nothing else is named; admission for those who are named; or something that is not
 * understood.
 */
type FreeMention = { from: number; to: number; purpose: Exclude<Purpose, 'other'> | 'collected' }

/** Words of what was collected, or of blood. */
const NOT_NOW = setOf(
  'letzte letzten last derniere ultima muss must blut blood sang sangre ascendio raised ergab erbrachte brachte recaudo rapporte',
)
/** By their first words. “No entry fee”, but “no entry after 8” */
const FREE_PHRASES = memoize(() =>
  Map.groupBy(
    'no charge|no cover|no cost|no fee|no entry fee|no entrance fee|no admission fee|no admission charge|pay what|kein eintritt|keinen eintritt|ohne eintritt|hut geht|sans frais|sin cover|sin coste|sin costo|no se cobra entrada|no se cobra nada|no se paga entrada|no se paga nada|la gorra|a la voluntad|: la voluntad|donne ce qu|donnez ce que'
      .split('|')
      .map(phrase => phrase.split(' ')),
    ([first = '']) => first,
  ),
)
/** “al aire libre”, “quelques places libres” */
const OF_SEATS = setOf('aire plazas places placement platze platz')
/** “Free to play”, but “free to park” */
const TAKING_PART = setOf('attend enter join play watch come all everyone')
/** What those pay who pay nothing: “members nothing”. */
const NOTHING = setOf('nothing nichts nix rien nada')
/** What people show who pay nothing: “7 € / mit Kurkarte frei”. */
const CARDS = setOf(
  'kurkarte gastekarte ehrenamtskarte mitgliedsausweis card pass carte carnet tarjeta membership ausweis',
)
const WITH = setOf('with mit avec con')
/** Forms that stand before their noun. */
const BEFORE_NOUN = setOf('free freier freie freien freiem kostenloser kostenlose')

/** Where a clause begins, with who pays nothing if that stands before its mark: “3 €; socios, gratis”. */
function payersBefore(tokens: readonly Token[], from: number): number {
  let at = from
  while (at > 0 && tokens[at - 1]?.kind === 'sign' && ',:('.includes(tokens[at - 1]?.low ?? '')) at--
  if (at === from || !isWordOrPlural(AUDIENCE, tokens[at - 1]?.low ?? '')) return from
  const { sentence } = tokens[from] ?? {}
  const near = tokens.slice(Math.max(0, from - MAX_IN_SENTENCE), from + MAX_IN_SENTENCE)
  return near.some(one => one.sentence === sentence && CURRENCIES.has(one.low)) ? at - 1 : from
}

function freeIn(tokens: readonly Token[]): FreeMention[] {
  return tokens.flatMap(({ low: word, clause, isSpaced }, i): FreeMention[] => {
    const isPhrase =
      FREE_PHRASES()
        .get(word)
        ?.some(phrase => phrase.every((one, n) => tokens[i + n]?.low === one)) ||
      (word === 'free' && tokens[i + 1]?.low === 'to' && isOneOf(tokens[i + 2], TAKING_PART))
    const isNothing = NOTHING.has(word) || (word === 'pagan' && tokens[i - 1]?.low === 'no')
    if (!isPhrase && !FREE.has(word) && !COLLECTED.has(word) && !isNothing) return []
    // “Peat-free and proud”
    const isJoined = tokens[i - 1]?.low === '-' && !isSpaced
    if (isJoined && !isOneOf(tokens[i - 2], ADMISSION)) return []
    // “Are you free on Saturday?”, “feel free to ask”
    if (word === 'free' && ['you', 'feel'].includes(tokens[i - 1]?.low ?? '')) return []
    let [from, to] = [i, i + 1]
    while (from > i - MAX_WORDS_BESIDE && tokens[from - 1]?.clause === clause) from--
    while (to < i + MAX_WORDS_BESIDE && tokens[to]?.clause === clause) to++
    if (from === i) from = payersBefore(tokens, from)
    const words = tokens.slice(from, to).filter(({ kind }) => kind === 'word')
    const before = words.filter(one => one.to <= (tokens[i]?.from ?? 0))
    const isSaid = ({ low }: Token) => NEUTRAL.has(low) || BUT.has(low) || low.length < 2
    const after = words.slice(before.length + 1)
    // “Free to attend”, but “free vintage bus”, “freie Platzwahl”, and “al aire libre”
    const isBeforeNoun = BEFORE_NOUN.has(word) && after[0] !== undefined && !isSaid(after[0])
    const nouns = isBeforeNoun ? after.slice(0, 2) : before.filter(one => !isSaid(one)).slice(-3)
    const isPlain = nouns.length === 0
    const isOfEvent = nouns.some(({ low }) => isKind(low)) && !hasAny(nouns, OF_SEATS)
    const has = (is: (low: string) => boolean) => words.some(({ low }) => is(low))
    if (has(low => CHILDREN.has(low))) return []
    // “Se aceptan donativos de ropa”
    const isOfThings = isOneOf(tokens[i + 1], BEFORE_GOODS) && tokens[i + 2]?.kind === 'word'
    // “Délai entre deux dons”
    const isCounted = tokens[i - 1]?.kind === 'number' || isOneOf(tokens[i - 1], NUMBER_WORDS)
    if (COLLECTED.has(word) && (isOfThings || isCounted || has(low => NOT_NOW.has(low)))) return []
    const isWithCard = words.some(({ low }, n) => WITH.has(low) && hasAny(words.slice(n, n + 4), CARDS))
    const isOfSome = has(low => isWordOrPlural(AUDIENCE, low)) || isWithCard
    // “Kostet nichts”, “no cuesta nada”, but “Kaffee kostet nichts”
    const isOfCost =
      isNothing && has(low => COSTS.has(low) || low === 'cost') && !hasAny(before, NOT_ADMISSION)
    if (isNothing && !isOfSome) return isOfCost ? [{ from: i, to: i + 1, purpose: 'bare' }] : []
    const purpose = isOfSome
      ? 'audience'
      : isPhrase || isOfEvent || has(low => isWordOrPlural(ADMISSION, low))
        ? 'admission'
        : COLLECTED.has(word)
          ? 'collected'
          : isPlain
            ? 'bare'
            : 'unknown'
    return [{ from: i, to: i + (isPhrase ? 2 : 1), purpose }]
  })
}

/** Amounts, with their currency if it is not the calendar's own. */
function formatAmounts(values: readonly number[], symbol: string | undefined): string {
  // “12,50 €”
  const amounts = values.map(value => (Number.isInteger(value) ? String(value) : value.toFixed(2)))
  if (symbol === undefined) return amounts.join(' - ')
  if (symbol === '€') return `${amounts.join(' - ')} €`
  const before = symbol.length > 1 ? `${symbol} ` : symbol
  return amounts.map(amount => before + amount).join(' - ')
}
