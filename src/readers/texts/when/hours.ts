import { areInLine, skipBack, type Token } from '../words/tokens.ts'
import { setOf, VEHICLES, type WordSet } from '../words/words.ts'
import { ClockReader, FIRST_DEPARTURE, type WrittenClock } from './clocks.ts'

// Whether “8” is in the morning or in the evening: by the words of its line, or left open.

/** What takes place in the morning as often as in the evening: nobody knows which eight o’clock is meant. */
export const EITHER = setOf(
  'market markets boot walk walks ramble mass messe culte grenier greniers brocante balade mercado mercadillo rastro misa caminata ruta senderismo excursion krabbelgruppe spaziergang',
)

/** What goes on until the morning. */
export const NIGHTLIFE = setOf('disco rave dj djs')

/** What takes place in the morning if it may be in the evening as well. */
export const OF_MORNINGS = setOf(
  'toddler toddlers baby babies playgroup preschool story storytime rhyme rhymetime market jumble coffee parkrun',
)

/** Before the time at which an outing leaves, in the morning. */
export const DEPARTURES = setOf(
  'leaves leave leaving departs departing departure salida salimos abfahrt abmarsch depart partons',
)

/** After what leaves. */
export const LEAVING = setOf(
  'from leaves leaving departs departing ab fahrt desde sale salen part au depuis place',
)

/** Tokens around a time in which a part of the day may stand. */
export const NEAR = 12

/** The same around “7:30 to 11”, which is as often in the morning as in the evening. */
export const FAR = 30

/** Parts of the day in the line of a time: “tonight 7.30”, “coffee morning, 10”. */
const BY_DAY = setOf(
  'morning mornings vormittag morgens vormittags matin brunch breakfast fruhstuck desayuno dejeuner amanecer aube dawn sunrise sonnenaufgang',
)

/** Ends of compounds that say so: “Sonntagsbrunch”, “Samstagvormittag”. */
const BY_DAY_AT_END = /(?:fruhstuck|brunch|vormittag|tagmorgen|fruhschoppen)$/

const BY_NIGHT = setOf(
  'night evening tonight afternoon abend abends nachmittag soir apero noche tarde tardes',
)

/** Ends of compounds for the same, but not of “Nachtwanderung”: “Familiengottesdienst”. */
const EITHER_AT_END = /^(?!nacht|abend).*(?:markt|borse|basar|gottesdienst|messe|wanderung|ausflug)$/

const ofEither = { has: (low: string): boolean => EITHER.has(low) || EITHER_AT_END.test(low) }
const LAST_OF_EITHER = 9

const LIVELY = setOf(
  'gig gigs band bands music dj disco club late bar pub session dance party live rave karaoke trad folk blues jazz ceilidh quiz comedy konzert concierto bal baile tanz fiesta verbena soiree cena diner souper repas kino cine pelicula teatro kneipe',
)

/** What begins in the morning from eight o’clock on: “8.00 Holy Communion”. */
const EARLY = setOf('communion eucharist matins parkrun')

const FIRST_EARLY = 8

const OF_MOUNTAINS = setOf(
  'mountain mountains hill hills hike hikers climb climbing summit marcher marche rando randonnee kilometres',
)

/** Tokens between a half of the day and its hour. */
const MAX_TO_HOUR = 3

/** Tells by the words around a time which half of the day it is in. */
export class HourReader extends ClockReader {
  hourIn24({ hour, half }: Pick<WrittenClock, 'hour' | 'half'>): number {
    if (half === 'pm') return hour < 12 ? hour + 12 : hour
    return half === 'am' && hour === 12 ? 0 : hour
  }

  /** The hour by 24; undefined where it may be in the morning or in the evening. */
  hourOf({ hour, half, isSure, isSpoken }: WrittenClock, i: number, near = NEAR): number | undefined {
    if (half !== undefined) return this.hourIn24({ hour, half })
    // “08:14”
    const is24 = this.tokens[i]?.text.startsWith('0')
    if (isSure && !isSpoken && (is24 || !(this.isEnglish && hour < 12))) return hour
    if (hour >= 12 || hour === 0) return hour
    const part = this.partOfDay(i, near)
    if (part !== undefined && (part === 'pm' || hour > 5)) return this.hourIn24({ hour, half: part })
    // “Coach leaves the car park at 8.30”
    if (this.#isDeparture(i) || this.isNear(i, OF_MOUNTAINS))
      return hour >= FIRST_DEPARTURE ? hour : undefined
    if (hour >= FIRST_EARLY && (this.isNear(i, EARLY) || this.#isWorkingParty(i))) return hour
    // “Registration 8:00 to 9:00 a.m., we pair at 9:10”, “Signing on from 8.15, first group away at 9am”
    const [before = 13, after = 0] = [this.#morningHour(i, -1), this.#morningHour(i, 1)]
    if (before <= hour || hour < after) return hour
    if (hour >= FIRST_EARLY && hour <= LAST_OF_EITHER && this.isNear(i, ofEither)) return undefined
    // “10.30” is in the morning, unless there is music
    if (hour >= 10 && (!this.isEnglish || (isSure && !this.#isLively(i)))) return hour
    // “Atelier à neuf heures et demie”
    return hour <= (this.#isLively(i) ? 9 : 8) ? hour + 12 : undefined
  }

  /**
   * The hour of the nearest half of a day that the line of a time names before or after it, if that is the
   * morning.
   */
  #morningHour(i: number, step: 1 | -1): number | undefined {
    for (let at = i + step; Math.abs(at - i) < FAR && areInLine(this.tokens, at, i); at += step) {
      const { half } = this.afterHalf(at)
      if (half === undefined) continue
      const digits = skipBack(at - 1, n => n > at - MAX_TO_HOUR && this.tokens[n]?.kind !== 'number')
      const hasMinutes = [':', '.'].includes(this.low(digits - 1))
      return half === 'am' ? this.number(hasMinutes ? digits - 2 : digits, 12) : undefined
    }
    return undefined
  }

  #isDeparture(i: number): boolean {
    const before = this.#lineAround(i, NEAR).filter(({ to }) => to <= (this.tokens[i]?.from ?? 0))
    return before.some(
      ({ low }, n) =>
        // “Coach from Market Square at 8.30”, but “Coach trip to Ely, concert at 7.30”
        DEPARTURES.has(low) || (VEHICLES.has(low) && LEAVING.has(before[n + 1]?.low ?? '')),
    )
  }

  /** The part of the day that the line of a time names; undefined if it names both. */
  partOfDay(i: number, near: number): 'am' | 'pm' | undefined {
    // “el sábado por la mañana, a las 9”, but “mañana a las 9”
    const isByDay = (low: string, before = ''): boolean =>
      BY_DAY.has(low) || BY_DAY_AT_END.test(low) || (low === 'manana' && before === 'la')
    const parts = this.#lineAround(i, near).map(({ low }, n, line) =>
      isByDay(low, line[n - 1]?.low) ? 'am' : BY_NIGHT.has(low) ? 'pm' : undefined,
    )
    const [part, ...others] = new Set(parts.filter(one => one !== undefined))
    return others.length > 0 ? undefined : part
  }

  #isLively(i: number): boolean {
    return this.isNear(i, LIVELY)
  }

  /** True beside a working party, which is in the morning: “9.30 Churchyard working party”. */
  #isWorkingParty(i: number): boolean {
    return this.#lineAround(i, NEAR).some(
      ({ low }, n, line) => low === 'party' && line[n - 1]?.low === 'working',
    )
  }

  /** True if one of some words stands near a time in its line. */
  isNear(i: number, words: Pick<WordSet, 'has'>): boolean {
    return this.#lineAround(i, NEAR).some(({ low }) => words.has(low))
  }

  /** The tokens of a line up to so many before and after one. */
  #lineAround(i: number, near: number): Token[] {
    return this.tokens
      .slice(Math.max(0, i - near), i + near)
      .filter(({ line }) => line === this.tokens[i]?.line)
  }
}
