import type { SerializeContext } from '../context.ts'
import { type DateTime, toEpoch } from '../lib/time.ts'
import type { FeedEvent } from './rows.ts'
import type { Texts } from './vevent.ts'

/** The longest feed. */
const MOST_BYTES = 9_000_000

const TEXTS: readonly Texts[] = ['all', 'plain', 'none']

/** A feed, and whether something was left out of it. */
export type Feed = { text: string; isShortened: boolean }

/** Thrown where a feed gets too long. */
class TooLong extends Error {}

/** The bytes that a feed may still have. Texts are counted as they are made, so that no more are made than fit. */
export class Room {
  #left: number
  /** The number of texts that were counted. */
  count = 0

  constructor(bytes: number = Number.POSITIVE_INFINITY) {
    this.#left = bytes
  }

  /** Counts a text of a feed. @returns the text @throws TooLong */
  take(text: string): string {
    this.#left -= Buffer.byteLength(text)
    if (this.#left < 0) throw new TooLong()
    this.count++
    return text
  }
}

/**
 * A feed that is not too long: without the HTML of descriptions if it is, then without descriptions and with few names, then
 * with as many of the events nearest to now as fit.
 */
export function withinLimit(
  events: readonly FeedEvent[],
  { now }: Pick<SerializeContext, 'now'>,
  write: (events: readonly FeedEvent[], texts: Texts, room: Room) => string,
): Feed {
  let fitting = 0
  for (const texts of TEXTS) {
    const room = new Room(MOST_BYTES)
    try {
      const text = write(events, texts, room)
      return { text, isShortened: texts !== 'all' || events.some(({ isCut }) => isCut) }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
      fitting = room.count
    }
  }
  const fewer = nearestTo(now, events, Math.min(fitting, Math.floor(events.length / 2)))
  return { ...withinLimit(fewer, { now }, write), isShortened: true }
}

/** The events with the starts nearest to a moment, in their order. @param now UTC */
function nearestTo(now: DateTime, events: readonly FeedEvent[], count: number): FeedEvent[] {
  const moment = toEpoch(now)
  const distance = ({ utc_start_date }: FeedEvent) => Math.abs(toEpoch(utc_start_date) - moment)
  const kept = new Set([...events].sort((a, b) => distance(a) - distance(b)).slice(0, count))
  return events.filter(event => kept.has(event))
}
