/**
 * What features add to a part of the core. The core imports no feature, so the start hands it down (`startFeatures` of `src/feature.ts`);
 * whoever asks before that gets an error instead of half of it.
 */
export class Registry<T> {
  readonly #name: string
  #value: T | undefined

  /** @param name in the plural, for the message of the error */
  constructor(name: string) {
    this.#name = name
  }

  set(value: T): void {
    this.#value = value
  }

  /** @throws Error before the start */
  get value(): T {
    if (this.#value === undefined)
      throw new Error(`The ${this.#name} of features are not known yet: call startFeatures(FEATURES) first.`)
    return this.#value
  }
}

/** What each feature declares for the compiler, by its name: its error codes, capabilities, kinds of the audit, texts, and labels of fields. */
// biome-ignore lint/suspicious/noEmptyInterface: features merge their declarations into it.
export interface Features {}

/** A part of what features declare, of any of them. */
export type OfFeatures<K extends string> = {
  [F in keyof Features]: Features[F] extends Readonly<Record<K, infer T>> ? T : never
}[keyof Features]

/** The members of all types of a union together. */
export type All<T> = (T extends unknown ? (all: T) => void : never) extends (all: infer A) => void ? A : never
