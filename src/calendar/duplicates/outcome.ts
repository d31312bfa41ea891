import { type Pair, pairAmong, type Regrouping } from './groups.ts'
import { type Judgement, judgePair } from './judge.ts'
import type { EventToCompare, NearbyEvents } from './nearby.ts'
import { type DuplicateChanges, type NewPair, pairKey, pairOfIds } from './writes.ts'

/** Two events, by their ids, and how alike they are. */
export type JudgedPair = Judgement & { a: number; b: number }

/**
 * The result of a comparison: the events that are joined and separated, and the questions. It never undoes a
 * decision of an editor.
 */
export class DuplicateOutcome {
  readonly #regrouping: Regrouping
  readonly #pairs = new Map<string, NewPair>()
  readonly #forgotten: number[] = []

  constructor(regrouping: Regrouping) {
    this.#regrouping = regrouping
  }

  /**
   * Reviews a known pair.
   *
   * @param judgement how alike they are now; undefined if one of them is not compared any more
   */
  review(pair: Pair, judgement: JudgedPair | undefined): void {
    const { first_id: a, second_id: b, state } = pair
    if (state === 'joined') this.#reviewJoined(pair, judgement)
    else if (this.#regrouping.areTogether(a, b)) this.#remember({ ...pair, state: 'joined', user_id: null })
    else if (!judgement || judgement.verdict === 'different') this.#forgotten.push(pair.id)
    else if (judgement.verdict === 'same') this.#join(judgement)
  }

  #reviewJoined(pair: Pair, judgement: JudgedPair | undefined): void {
    const { first_id: a, second_id: b } = pair
    // A group behind an event that is not public, such as one in the trash, stays as it is.
    if (!judgement || this.#regrouping.isBehindNonPublic(a) || this.#regrouping.isBehindNonPublic(b)) return
    const [first, second] = [a, b].map(id => this.#regrouping.groups.members.get(id))
    const isConfirmed =
      judgement.verdict !== 'different' || (pair.user_id !== null && judgement.likeness >= pair.likeness)
    if (!this.#regrouping.areTogether(a, b)) {
      // A change of one of the two events took the pair apart, so it may be joined again.
      if (isConfirmed && (pair.user_id !== null || judgement.verdict === 'same')) this.#join(judgement, pair)
      else this.#askAgain(pair, judgement)
      return
    }
    if (isConfirmed) return
    const hiddenId = first?.duplicate_of === b ? a : second?.duplicate_of === a ? b : undefined
    if (hiddenId === undefined) return
    this.#regrouping.leave(hiddenId)
    this.#askAgain(pair, judgement)
  }

  /** Asks again about a pair that an editor has judged, if the two are alike at all; forgets other pairs. */
  #askAgain(pair: Pair, { likeness, verdict }: JudgedPair): void {
    const isAsked = verdict === 'ask' || (pair.user_id !== null && likeness > 0)
    if (isAsked) this.#remember({ ...pair, state: 'asked', likeness, user_id: null })
    else this.#forgotten.push(pair.id)
  }

  /** Adds a pair that is not known yet. */
  add(pair: JudgedPair): void {
    const { a, b, verdict } = pair
    if (this.#regrouping.areTogether(a, b)) return
    if (verdict === 'same') this.#join(pair)
    // Questions are only about events that are shown.
    else if (this.#isShown(a) && this.#isShown(b)) this.#ask(pair)
  }

  #isShown = (id: number): boolean => this.#regrouping.groups.members.get(id)?.duplicate_of === null

  /** @param knownPair the pair, if it was judged before */
  #join({ a, b, likeness }: JudgedPair, knownPair?: Pair): void {
    const isDecided = knownPair !== undefined && knownPair.user_id !== null
    const members = [...this.#regrouping.membersOf(a), ...this.#regrouping.membersOf(b)]
    if (!this.#regrouping.mayJoin(a, b, isDecided)) {
      // Two public events stay public, and editors are asked; others wait until they are public.
      const arePublic = members.filter(({ isPublic }) => isPublic).length > 1
      if (!isDecided && arePublic && this.#isShown(a) && this.#isShown(b))
        this.#ask({ a, b, likeness, verdict: 'ask' })
      return
    }
    this.#regrouping.join(a, b)
    if (!isDecided) this.#remember({ ...pairOfIds(a, b), state: 'joined', likeness, user_id: null })
  }

  #ask({ a, b, likeness }: JudgedPair): void {
    if (pairAmong(this.#regrouping.groups.pairs, a, b)?.state === 'asked') return
    this.#remember({ ...pairOfIds(a, b), state: 'asked', likeness, user_id: null })
  }

  #remember({ first_id, second_id, state, likeness, user_id }: NewPair): void {
    this.#pairs.set(pairKey({ first_id, second_id }), { first_id, second_id, state, likeness, user_id })
  }

  changes(): DuplicateChanges {
    return { regrouping: this.#regrouping, pairs: [...this.#pairs.values()], forgottenPairs: this.#forgotten }
  }

  /** How many events of each source were joined, and how many pairs are asked about. */
  counts(): [source: number, joined: number, asked: number][] {
    const counts = new Map<number, [number, number, number]>()
    const countsFor = (source: number) => {
      const count = counts.get(source) ?? [source, 0, 0]
      counts.set(source, count)
      return count
    }
    const { members } = this.#regrouping.groups
    for (const [id, to] of this.#regrouping.targets()) {
      const hiddenMember = members.get(id)
      const shownMember = to === null ? undefined : members.get(to)
      if (hiddenMember && shownMember && hiddenMember.duplicate_of === null)
        countsFor(hiddenMember.rank || shownMember.rank)[1]++
    }
    for (const { state, first_id, second_id } of this.#pairs.values())
      if (state === 'asked')
        countsFor(Math.max(...[first_id, second_id].map(id => members.get(id)?.rank ?? 0)))[2]++
    return [...counts.values()].filter(([source]) => source > 0)
  }
}

/** Two events that are the same, or may be the same: then editors are asked. */
type PairVerdict = Omit<Judgement, 'verdict'> & {
  a: EventToCompare
  b: EventToCompare
  verdict: Exclude<Judgement['verdict'], 'different'>
}

/** The most questions about one event. */
const MAX_QUESTIONS_OF_EVENT = 3

/**
 * Judges events and those near them, the likeliest pairs first. An event has at most one duplicate in each
 * source, and one of any other origin: of tours that begin each half hour, its duplicate is the one with the
 * same minute, and nobody is asked about the tours before and after.
 */
export function verdictsOf(nearby: readonly NearbyEvents[]): PairVerdict[] {
  const verdicts: PairVerdict[] = []
  for (const { event: a, others } of nearby)
    for (const b of others) {
      const { verdict, likeness } = judgePair(a, b)
      if (verdict !== 'different') verdicts.push({ a, b, verdict, likeness })
    }
  const rank = ({ verdict, likeness }: PairVerdict): number => (verdict === 'same' ? 1 : 0) + likeness
  verdicts.sort((x, y) => rank(y) - rank(x) || x.a.id - y.a.id || x.b.id - y.b.id)
  const joinedEnds = new Set<string>()
  const questionCounts = new Map<number, number>()
  return verdicts.filter(({ a, b, verdict }) => {
    const ends = [`${a.id} ${b.source}`, `${b.id} ${a.source}`]
    if (ends.some(end => joinedEnds.has(end))) return false
    if (verdict === 'same') for (const end of ends) joinedEnds.add(end)
    else
      for (const { id } of [a, b]) {
        const questions = (questionCounts.get(id) ?? 0) + 1
        questionCounts.set(id, questions)
        if (questions > MAX_QUESTIONS_OF_EVENT) return false
      }
    return true
  })
}
