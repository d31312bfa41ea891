import type { Nearby, StoredTwin } from './candidates.ts'
import { type Judgement, judge } from './judge.ts'

/** Two events that are the same, or may be: then somebody is asked. */
type TwinVerdict = Omit<Judgement, 'verdict'> & {
  a: StoredTwin
  b: StoredTwin
  verdict: Exclude<Judgement['verdict'], 'different'>
}

/** Questions about one event. */
const MOST_ASKED = 3

/**
 * Judges events and their candidates, the likeliest pairs first. An event has one twin in each source, and one of other origin,
 * at most: of a tour each half hour it is the one at its minute, and nobody is asked about those before and after.
 */
export function verdictsOf(nearby: readonly Nearby[]): TwinVerdict[] {
  const found: TwinVerdict[] = []
  for (const { event: a, candidates } of nearby)
    for (const b of candidates) {
      const { verdict, likeness } = judge(a, b)
      if (verdict !== 'different') found.push({ a, b, verdict, likeness })
    }
  const rank = ({ verdict, likeness }: TwinVerdict): number => (verdict === 'same' ? 1 : 0) + likeness
  found.sort((x, y) => rank(y) - rank(x) || x.a.id - y.a.id || x.b.id - y.b.id)
  const joined = new Set<string>()
  const asked = new Map<number, number>()
  return found.filter(({ a, b, verdict }) => {
    const ends = [`${a.id} ${b.source}`, `${b.id} ${a.source}`]
    if (ends.some(end => joined.has(end))) return false
    if (verdict === 'same') for (const end of ends) joined.add(end)
    else
      for (const { id } of [a, b]) {
        const questions = (asked.get(id) ?? 0) + 1
        asked.set(id, questions)
        if (questions > MOST_ASKED) return false
      }
    return true
  })
}
