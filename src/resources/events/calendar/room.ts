import type { SerializeContext } from '../../../context.ts'
import { FEED_SIZE } from '../../../lib/budgets.ts'
import { MOST_FOLDED, writeFolded } from '../../../lib/ical/lines.ts'
import { type DateTime, toEpoch } from '../../../lib/time.ts'
import type { FeedEvent } from './queries.ts'
import type { Texts } from './vevent.ts'

const TEXTS: readonly Texts[] = ['all', 'plain', 'none']

/** A feed in UTF-8, and whether anything was left out. */
export type Feed = { body: Uint8Array<ArrayBuffer>; isShortened: boolean }

/** Thrown when a feed gets too long. */
class TooLong extends Error {}

const encoder = new TextEncoder()
/** The most bytes that a text may take for each of its UTF-16 units. */
const MOST_UTF8 = 3

/**
 * The buffer of a feed, and the space left in it. Each text is encoded straight into the buffer, so that no more texts
 * are made than fit, and none stays in memory. Joining all texts and encoding the result took a seventh of a calendar's
 * time.
 */
export class Room {
  #bytes = new Uint8Array(2 ** 16)
  #length = 0
  readonly #most: number
  readonly #isFolded: boolean
  /** The number of texts added. */
  count = 0

  /** @param isFolded true for lines of iCalendar */
  constructor({
    most = Number.POSITIVE_INFINITY,
    isFolded = false,
  }: { most?: number; isFolded?: boolean } = {}) {
    this.#most = most
    this.#isFolded = isFolded
  }

  /** Adds a text to the feed. @throws TooLong */
  add(text: string): void {
    const needed = this.#length + this.#mostOf(text)
    if (needed > this.#bytes.length)
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.max(needed, 2 * this.#bytes.length)))
    this.#length = this.#write(text, this.#bytes, this.#length)
    if (this.#length > this.#most) throw new TooLong()
    this.count++
  }

  /** All texts, between two others. */
  between(head: string, end: string): Uint8Array<ArrayBuffer> {
    return Buffer.concat([this.#encoded(head), this.#bytes.subarray(0, this.#length), this.#encoded(end)])
  }

  #encoded(text: string): Uint8Array {
    const bytes = new Uint8Array(this.#mostOf(text))
    return bytes.subarray(0, this.#write(text, bytes, 0))
  }

  #mostOf(text: string): number {
    return (this.#isFolded ? MOST_FOLDED : MOST_UTF8) * text.length
  }

  /** @returns the position after the text */
  #write(text: string, bytes: Uint8Array, at: number): number {
    return this.#isFolded
      ? writeFolded(text, bytes, at)
      : at + encoder.encodeInto(text, bytes.subarray(at)).written
  }
}

/** The texts before and after those of a feed's events. */
export type FeedFrame = [head: string, end: string]

/**
 * Writes a feed that is not too long. If it would be, it is written without the HTML of descriptions, then without
 * descriptions and with few names, then with as many of the events nearest to now as fit.
 *
 * @param isFolded true for lines of iCalendar
 */
export function withinLimit<E extends FeedEvent>(
  events: readonly E[],
  { now }: Pick<SerializeContext, 'now'>,
  write: (events: readonly E[], texts: Texts, room: Room) => FeedFrame,
  isFolded = false,
): Feed {
  let fitting = 0
  for (const texts of TEXTS) {
    const room = new Room({ most: FEED_SIZE.bytes, isFolded })
    try {
      const frame = write(events, texts, room)
      return {
        body: room.between(...frame),
        isShortened: texts !== 'all' || events.some(({ isCut }) => isCut),
      }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
      fitting = room.count
    }
  }
  const fewer = nearestTo(now, events, Math.min(fitting, Math.floor(events.length / 2)))
  return { ...withinLimit(fewer, { now }, write, isFolded), isShortened: true }
}

/** The events whose starts are nearest to a moment, in their original order. @param now UTC */
function nearestTo<E extends FeedEvent>(now: DateTime, events: readonly E[], count: number): E[] {
  const moment = toEpoch(now)
  const distance = ({ utc_start_date }: FeedEvent) => Math.abs(toEpoch(utc_start_date) - moment)
  const kept = new Set([...events].sort((a, b) => distance(a) - distance(b)).slice(0, count))
  return events.filter(event => kept.has(event))
}
