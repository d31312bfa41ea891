/** Gives way to what waits, as other requests and timers, which cannot fire while there is work in one go. */
export const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

/** Characters after which others have their turn: sanitising them takes some milliseconds. */
const TURN = 20_000

/** What reading an item takes beside its texts, in characters of these. */
const OF_ITEM = 400

/** Levels of what is read of an item. */
const DEPTH = 3

/** The characters of all texts in a value. */
function textLength(value: unknown, depth = DEPTH): number {
  if (typeof value === 'string') return value.length
  if (depth === 0 || typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + textLength(one, depth - 1), 0)
}

/** Gives way to others between items, the sooner the longer their texts are. */
export class Turns {
  #since = 0

  /** To be called before each item is read. */
  async take(item: unknown): Promise<void> {
    if (this.#since >= TURN) {
      this.#since = 0
      await pause()
    }
    this.#since += OF_ITEM + textLength(item)
  }
}
