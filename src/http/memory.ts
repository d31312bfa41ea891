/** An answer that this instance of the Worker has given, with the state that it shows. */
export type Remembered = { state: string; body: string; headers: [name: string, value: string][] }

/** In characters; an instance has 128 MB for everything. */
const MOST = 4_000_000
const LARGEST = 400_000

const LIKELY_MS = 10_000

/**
 * Answers to keep in memory, by address, the least recently used forgotten first. Whoever takes one must make
 * sure that the database is still in its state.
 */
export class Memory {
  readonly #answers = new Map<string, Remembered>()
  readonly #confirmed = new Map<string, { writes: number; at: number }>()
  #size = 0
  #writes = 0

  /** Tells that this instance has changed something. */
  noteWrite(): void {
    this.#writes++
  }

  /** Tells that an answer showed the database's state a moment ago. @param now epoch milliseconds */
  confirm(address: string, now: number): void {
    this.#confirmed.set(address, { writes: this.#writes, at: now })
  }

  /**
   * Whether an answer most likely still shows the database's state: it did a moment ago, and this instance has
   * changed nothing since. Others may have.
   */
  isLikely(address: string, now: number): boolean {
    const last = this.#confirmed.get(address)
    return last !== undefined && last.writes === this.#writes && now - last.at < LIKELY_MS
  }

  recall(address: string): Remembered | undefined {
    const answer = this.#answers.get(address)
    if (!answer) return undefined
    this.#answers.delete(address)
    this.#answers.set(address, answer)
    return answer
  }

  keep(address: string, answer: Remembered): void {
    if (answer.body.length > LARGEST) return
    this.#forget(address)
    this.#answers.set(address, answer)
    this.#size += answer.body.length
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= MOST) break
      this.#forget(oldest)
    }
  }

  #forget(address: string): void {
    this.#size -= this.#answers.get(address)?.body.length ?? 0
    this.#answers.delete(address)
    this.#confirmed.delete(address)
  }
}
