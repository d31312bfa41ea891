/** What each feature declares for the compiler, by its name: its error codes, capabilities, kinds of the audit, texts, and labels of fields. */
// biome-ignore lint/suspicious/noEmptyInterface: features merge their declarations into it.
export interface Features {}

/** A part of what features declare, of any of them. */
export type OfFeatures<K extends string> = {
  [F in keyof Features]: Features[F] extends Readonly<Record<K, infer T>> ? T : never
}[keyof Features]

/** The members of all types of a union together. */
export type All<T> = (T extends unknown ? (all: T) => void : never) extends (all: infer A) => void ? A : never
