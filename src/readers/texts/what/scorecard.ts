import { memoize } from '../../../kit/lib/memo.ts'

// Choices among passages or drafts by points for what can be seen of them: none of these decides alone.

/** Rows of points: what counts, as a reader would say it, how much, and when it is true. */
export type Scorecard<T> = Readonly<
  Record<string, readonly [points: number, applies: (subject: T) => unknown]>
>

/**
 * Returns a function that adds up the points of all rows that are true of a value.
 *
 * @param card builds the rows at the first call; a `function`, so that V8 only skims it at the start
 */
export function pointsBy<T>(card: () => Scorecard<T>): (subject: T) => number {
  const rows = memoize(() => Object.values(card()))
  return subject => {
    let sum = 0
    for (const [points, applies] of rows()) if (applies(subject)) sum += points
    return sum
  }
}

type Choice<C> = {
  pointsOf: (candidate: C) => number
  /** The number of points that the best candidate must have at least. */
  minPoints: number
  /** How many more points than any other candidate the best one must have. */
  margin: number
  /** True if two candidates are different answers. */
  isOther: (a: C, b: C) => boolean
}

/** The best of some candidates, unless another one is nearly as good. */
export function clearlyBest<C>(
  candidates: readonly C[],
  { pointsOf, minPoints, margin, isOther }: Choice<C>,
): C | undefined {
  const ranked = candidates
    .map(candidate => ({ candidate, points: pointsOf(candidate) }))
    .sort((a, b) => b.points - a.points)
  const [best] = ranked
  if (!best || best.points < minPoints) return undefined
  const rival = ranked.find(({ candidate }) => isOther(candidate, best.candidate))
  return rival && best.points - rival.points < margin ? undefined : best.candidate
}
