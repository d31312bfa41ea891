// The package lru-cache does the same, but makes the Worker's start 2.4 ms longer, on top of 55 (CPU of
// workerd, median of 150 pairs of starts).

type Limits<V> = {
  /** The largest sum of the sizes of all values. */
  maxSize: number
  /** The largest size of one value; larger ones are not kept. By default, there is no such limit. */
  maxValueSize?: number
  /** The size of a value with its key, in the unit of the limits. By default, each value counts as one. */
  sizeOf?: (value: V, key: string) => number
}

/** Values by key, up to a total size. The least recently used values make room for others. */
export class LruCache<V> {
  /** Values in order of use, the most recent last: a Map keeps the order in which keys were added. */
  readonly #values = new Map<string, { value: V; size: number }>()
  readonly #limits: Limits<V>
  #total = 0

  constructor(limits: Limits<V>) {
    this.#limits = limits
  }

  /** The value of a key. Getting it counts as a use. */
  get(key: string): V | undefined {
    const entry = this.#values.get(key)
    if (!entry) return undefined
    this.#values.delete(key)
    this.#values.set(key, entry)
    return entry.value
  }

  /** Replaces the value of a key. If the new value is too large, the key has no value afterwards. */
  set(key: string, value: V): void {
    const { maxSize, maxValueSize = maxSize, sizeOf = () => 1 } = this.#limits
    this.delete(key)
    const size = sizeOf(value, key)
    if (size > Math.min(maxSize, maxValueSize)) return
    this.#values.set(key, { value, size })
    this.#total += size
    for (const oldest of this.#values.keys()) {
      if (this.#total <= maxSize) return
      this.delete(oldest)
    }
  }

  /** Keys and values, from the least to the most recently used. */
  entries(): [key: string, value: V][] {
    return [...this.#values].map(([key, { value }]) => [key, value])
  }

  clear(): void {
    this.#values.clear()
    this.#total = 0
  }

  delete(key: string): void {
    this.#total -= this.#values.get(key)?.size ?? 0
    this.#values.delete(key)
  }
}

/** A part of a key. Texts and numbers are compared by value, objects by identity. */
type KeyPart = string | number | boolean | undefined | object

const objectNumbers = new WeakMap<object, number>()
let lastNumber = 0

function memoKey(part: KeyPart): string {
  // The length shows where a text ends, even if the text has commas.
  if (typeof part === 'string') return `${part.length}:${part}`
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null) return String(part)
  if (!objectNumbers.has(part)) objectNumbers.set(part, ++lastNumber)
  return `#${objectNumbers.get(part)}`
}

/**
 * Makes a function that computes each result once for an object, and keeps it as long as the object lives.
 *
 * @param work must depend on nothing but the object, and on values that are always the same for that object
 */
export function memoizeByObject<
  K extends object,
  A extends readonly unknown[],
  V extends string | number | object,
>(work: (key: K, ...others: A) => V): typeof work {
  const results = new WeakMap<K, V>()
  return (key, ...otherArguments) => {
    const knownResult = results.get(key)
    if (knownResult !== undefined) return knownResult
    const result = work(key, ...otherArguments)
    results.set(key, result)
    return result
  }
}

const MAX_RESULTS = 500

/**
 * Makes a function that computes each result once, and keeps the most recently used ones.
 *
 * @param work must depend on nothing but the key
 * @param options.most number of results to keep
 * @param options.by makes the parts of the key; by default, they are the arguments
 */
export function memoize<const A extends readonly unknown[], V>(
  work: (...args: A) => V,
  { most = MAX_RESULTS, by }: { most?: number; by?: (...args: A) => readonly KeyPart[] } = {},
): (...args: A) => V {
  let results: LruCache<{ result: V }> | undefined
  let soleResult: { result: V } | undefined
  return (...args) => {
    // Functions with any other arguments are memoized with `by`.
    const parts = by ? by(...args) : (args as readonly KeyPart[])
    if (parts.length === 0) {
      soleResult ??= { result: work(...args) }
      return soleResult.result
    }
    results ??= new LruCache({ maxSize: most })
    const key = parts.map(memoKey).join()
    const storedResult = results.get(key)
    if (storedResult) return storedResult.result
    const result = work(...args)
    results.set(key, { result })
    return result
  }
}
