/** Lets waiting requests and timers run, which uninterrupted work would block. */
export const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))

/** Characters after which others get their turn: sanitising this many takes some milliseconds. */
const TURN = 20_000

/** The time to read an item apart from its texts, expressed in characters. */
const OF_ITEM = 400

/** Levels of an item that are read. */
const DEPTH = 3

/** The characters of all texts in a value. */
function textLength(value: unknown, depth = DEPTH): number {
  if (typeof value === 'string') return value.length
  if (depth === 0 || typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + textLength(one, depth - 1), 0)
}

/** Lets others run between items, the sooner the longer their texts are. */
export class Turns {
  #since = 0

  /** Call this before reading each item. */
  async take(item: unknown): Promise<void> {
    if (this.#since >= TURN) {
      this.#since = 0
      await pause()
    }
    this.#since += OF_ITEM + textLength(item)
  }
}
