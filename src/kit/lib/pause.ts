/** Waits. Even a pause of 0 lets other requests and timers run, which long work would block. */
export const pause = (ms = 0): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/**
 * The result of some work or, if that takes longer than a time, the result or error of `onTimeout`. The work
 * continues.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(limit.resolve, ms)
  try {
    return await Promise.race([work, limit.promise.then(onTimeout)])
  } finally {
    clearTimeout(timer)
  }
}

/** Characters after which other requests run: sanitising this many takes some milliseconds. */
const CHARACTERS_OF_TURN = 20_000

/** The time to read an item without its texts, expressed in characters. */
const CHARACTERS_OF_ITEM = 400

/** Levels of an item whose texts count. */
const DEPTH = 3

function textLength(value: unknown, depth = DEPTH): number {
  if (typeof value === 'string') return value.length
  if (depth === 0 || typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + textLength(one, depth - 1), 0)
}

/** Lets other requests run between items, more often if the items have long texts. */
export class Turns {
  #since = 0

  /** Call this before reading each item. */
  async take(item: unknown): Promise<void> {
    if (this.#since >= CHARACTERS_OF_TURN) {
      this.#since = 0
      await pause()
    }
    this.#since += CHARACTERS_OF_ITEM + textLength(item)
  }
}
