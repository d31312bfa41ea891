/**
 * The features of this calendar, for the compiler: `feature` is any of them, `each` is the union of their
 * types. The core imports no feature, so `src/feature.ts` and `src/features.ts` merge the types into this.
 */
// biome-ignore lint/suspicious/noEmptyInterface: see above.
export interface Features {}

type Feature = Features['feature']

let started: readonly Feature[] | undefined

/**
 * Hands features down to the parts of the core. `src/features.ts` does so with its list when it is loaded.
 */
export function startFeatures(features: readonly Feature[]): void {
  started = features
}

/**
 * A value that a part of the core derives from the features, once, when it is first needed.
 *
 * @throws Error before the start
 */
export function fromFeatures<T>(make: (features: readonly Feature[]) => T): () => T {
  let memo: { features: readonly Feature[]; value: T } | undefined
  return () => {
    if (!started) throw new Error('The features are not known yet: import src/features.ts first.')
    if (memo?.features !== started) memo = { features: started, value: make(started) }
    return memo.value
  }
}

type Declared<F> = F extends { readonly declares?: infer D } ? D : never

type DeclaredPart<D, K extends string> = D extends Readonly<Record<K, infer T>> ? T : never

/** One part of what features declare: the union of all features' types for it. */
export type OfFeatures<K extends string> = DeclaredPart<Declared<Features['each']>, K>

/** The intersection of the types in a union. */
export type UnionToIntersection<T> = (T extends unknown ? (all: T) => void : never) extends (
  all: infer A,
) => void
  ? A
  : never
