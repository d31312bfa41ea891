import { areInLine, skipBack, type Token } from '../words/tokens.ts'
import { WORDS, type WordSet } from '../words/words.ts'
import { ClockReader, FIRST_DEPARTURE, type WrittenClock } from './clocks.ts'

// Whether “8” is in the morning or in the evening: by the words of its line, or left open.

/** The number of tokens around a time among which a part of the day may be. */
export const NEAR_TOKENS = 12

/** The same number for a span such as “7:30 to 11”, which is in the morning as often as in the evening. */
export const FAR_TOKENS = 30

/** Ends of compounds for the morning: “Sonntagsbrunch”, “Samstagvormittag”. */
const MORNING_ENDS = /(?:fruhstuck|brunch|vormittag|tagmorgen|fruhschoppen)$/

/** Ends of compounds for what is as often in the morning: “Familiengottesdienst”, not “Nachtwanderung”. */
const EITHER_ENDS = /^(?!nacht|abend).*(?:markt|borse|basar|gottesdienst|messe|wanderung|ausflug)$/

const morningOrEvening = {
  has: (word: string): boolean => WORDS.kindsAtAnyEight.has(word) || EITHER_ENDS.test(word),
}
const LAST_EITHER_HOUR = 9

const FIRST_EARLY = 8

/** The most tokens between a half of the day and its hour. */
const MAX_TO_HOUR = 3

/** Decides by the words around a time which half of the day it is in. */
export class HourReader extends ClockReader {
  hourIn24({ hour, half }: Pick<WrittenClock, 'hour' | 'half'>): number {
    if (half === 'pm') return hour < 12 ? hour + 12 : hour
    return half === 'am' && hour === 12 ? 0 : hour
  }

  /** The hour by the 24-hour clock; undefined where it may be in the morning or in the evening. */
  hourOf({ hour, half, isSure, isSpoken }: WrittenClock, i: number, near = NEAR_TOKENS): number | undefined {
    if (half !== undefined) return this.hourIn24({ hour, half })
    // “08:14”
    const hasLeadingZero = this.tokens[i]?.text.startsWith('0')
    if (isSure && !isSpoken && (hasLeadingZero || !(this.isEnglish && hour < 12))) return hour
    if (hour >= 12 || hour === 0) return hour
    const part = this.partOfDay(i, near)
    if (part !== undefined && (part === 'pm' || hour > 5)) return this.hourIn24({ hour, half: part })
    // “Coach leaves the car park at 8.30”
    if (this.#isDeparture(i) || this.isNear(i, WORDS.wordsOfMountains))
      return hour >= FIRST_DEPARTURE ? hour : undefined
    if (hour >= FIRST_EARLY && (this.isNear(i, WORDS.kindsOfEarlyMornings) || this.#isWorkingParty(i)))
      return hour
    // “Registration 8:00 to 9:00 a.m., we pair at 9:10”, “Signing on from 8.15, first group away at 9am”
    const [before = 13, after = 0] = [this.#morningHour(i, -1), this.#morningHour(i, 1)]
    if (before <= hour || hour < after) return hour
    if (hour >= FIRST_EARLY && hour <= LAST_EITHER_HOUR && this.isNear(i, morningOrEvening)) return undefined
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
    for (let at = i + step; Math.abs(at - i) < FAR_TOKENS && areInLine(this.tokens, at, i); at += step) {
      const { half } = this.halfOfDayAt(at)
      if (half === undefined) continue
      const digits = skipBack(at - 1, n => n > at - MAX_TO_HOUR && this.tokens[n]?.kind !== 'number')
      const hasMinutes = [':', '.'].includes(this.foldedAt(digits - 1))
      return half === 'am' ? this.number(hasMinutes ? digits - 2 : digits, 12) : undefined
    }
    return undefined
  }

  #isDeparture(i: number): boolean {
    const before = this.#lineAround(i, NEAR_TOKENS).filter(({ to }) => to <= (this.tokens[i]?.from ?? 0))
    return before.some(
      ({ folded }, n) =>
        // “Coach from Market Square at 8.30”, but “Coach trip to Ely, concert at 7.30”
        WORDS.departures.has(folded) ||
        (WORDS.vehicles.has(folded) && WORDS.afterVehicle.has(before[n + 1]?.folded ?? '')),
    )
  }

  /** The part of the day that the line of a time names; undefined if it names both. */
  partOfDay(i: number, near: number): 'am' | 'pm' | undefined {
    // “el sábado por la mañana, a las 9”, but “mañana a las 9”
    const isMorningWord = (word: string, before = ''): boolean =>
      WORDS.partsOfMorning.has(word) || MORNING_ENDS.test(word) || (word === 'manana' && before === 'la')
    const parts = this.#lineAround(i, near).map(({ folded }, n, line) =>
      isMorningWord(folded, line[n - 1]?.folded) ? 'am' : WORDS.partsOfEvening.has(folded) ? 'pm' : undefined,
    )
    const [part, ...others] = new Set(parts.filter(one => one !== undefined))
    return others.length > 0 ? undefined : part
  }

  #isLively(i: number): boolean {
    return this.isNear(i, WORDS.livelyKinds)
  }

  /** True for the time of a working party, which is in the morning: “9.30 Churchyard working party”. */
  #isWorkingParty(i: number): boolean {
    return this.#lineAround(i, NEAR_TOKENS).some(
      ({ folded }, n, line) => folded === 'party' && line[n - 1]?.folded === 'working',
    )
  }

  /** True if one of some words is near a time in its line. */
  isNear(i: number, words: Pick<WordSet, 'has'>): boolean {
    return this.#lineAround(i, NEAR_TOKENS).some(({ folded }) => words.has(folded))
  }

  /** The tokens of a token's line that are at most `near` tokens away from it. */
  #lineAround(i: number, near: number): Token[] {
    return this.tokens
      .slice(Math.max(0, i - near), i + near)
      .filter(({ line }) => line === this.tokens[i]?.line)
  }
}
