import type { DocsContext } from '../../../kit/context.ts'
import { FEED_SIZE } from '../../../kit/lib/budgets.ts'
import { foldLines } from '../../../kit/lib/ical/lines.ts'
import { toUtf8 } from '../../../kit/lib/streams.ts'
import { type DateTime, toEpoch } from '../../../kit/lib/time.ts'
import { beginningOfToday } from '../interval.ts'
import type { FeedEvent } from './queries.ts'
import type { IncludedTexts } from './vevent.ts'

const TEXTS: readonly IncludedTexts[] = ['all', 'plain', 'none']

/** A feed in UTF-8, and whether anything was left out. */
export type Feed = { body: Uint8Array<ArrayBuffer>; isShortened: boolean }

class TooLong extends Error {
  override readonly name = 'TooLong'
}

/** The texts of a feed, encoded one by one, so that a feed makes no more texts than fit. */
export class FeedBody {
  readonly #texts: Uint8Array[] = []
  #left: number
  readonly #isFolded: boolean

  /** @param isFolded true for lines of iCalendar */
  constructor({
    maxBytes = Number.POSITIVE_INFINITY,
    isFolded = false,
  }: { maxBytes?: number; isFolded?: boolean } = {}) {
    this.#left = maxBytes
    this.#isFolded = isFolded
  }

  get count(): number {
    return this.#texts.length
  }

  /** Adds a text to the feed. @throws TooLong */
  add(text: string): void {
    const bytes = this.#encoded(text)
    this.#left -= bytes.length
    if (this.#left < 0) throw new TooLong()
    this.#texts.push(bytes)
  }

  between(head: string, end: string): Uint8Array<ArrayBuffer> {
    return Buffer.concat([this.#encoded(head), ...this.#texts, this.#encoded(end)])
  }

  #encoded(text: string): Uint8Array {
    return this.#isFolded ? foldLines(text) : toUtf8(text)
  }
}

export type FeedFrame = [head: string, end: string]

/**
 * Writes a feed that is not too long. If the feed would be too long, it is written without the HTML of
 * descriptions, then without descriptions and with few names, then with as many of the events nearest to the
 * beginning of today as fit.
 *
 * @param isFolded true for lines of iCalendar
 */
export function withinLimit<E extends FeedEvent>(
  events: readonly E[],
  context: DocsContext,
  write: (events: readonly E[], texts: IncludedTexts, room: FeedBody) => FeedFrame,
  isFolded = false,
): Feed {
  let fittingCount = 0
  for (const texts of TEXTS) {
    const room = new FeedBody({ maxBytes: FEED_SIZE.bytes, isFolded })
    try {
      const frame = write(events, texts, room)
      return {
        body: room.between(...frame),
        isShortened: texts !== 'all' || events.some(({ isCut }) => isCut),
      }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
      fittingCount = room.count
    }
  }
  const fewer = nearestTo(
    beginningOfToday(context),
    events,
    Math.min(fittingCount, Math.floor(events.length / 2)),
  )
  return { ...withinLimit(fewer, context, write, isFolded), isShortened: true }
}

/** The events whose starts are nearest to a moment, in their original order. @param time UTC */
function nearestTo<E extends FeedEvent>(time: DateTime, events: readonly E[], count: number): E[] {
  const moment = toEpoch(time)
  const distance = ({ utc_start_date }: FeedEvent) => Math.abs(toEpoch(utc_start_date) - moment)
  const keptEvents = new Set([...events].sort((a, b) => distance(a) - distance(b)).slice(0, count))
  return events.filter(event => keptEvents.has(event))
}
