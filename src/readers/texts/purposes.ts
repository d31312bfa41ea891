import { sentenceOf } from './clauses.ts'
import type { EventMoments } from './moments.ts'
import type { Token } from './tokens.ts'
import { isKind, OTHER_HEADINGS, setOf, type WordSet, wordsFor } from './words.ts'

// Not every text with a day and a time announces an event: minutes, vacancies and rules have both. No single word tells them apart, so words
// are counted that each kind of text is full of, against what announcements have.

/** The least points with which a text announces nothing. */
const MIN_POINTS = 3
/** The most words of invitations that count: a vacancy may say «Come and join our team». */
const MAX_INVITING = 2
/** What a sentence takes off that names an event with its day and time: a vacancy may stand below it. Any other with both takes one off. */
const POINTS_OF_EVENT = 4
/** Tokens of a heading that are looked at. */
const MAX_OF_HEADING = 12
/** «À vendre»: further on, such a word may belong to the title of an event. */
const FIRST_OF_HEADING = 4

const PURPOSES: readonly WordSet[] = [wordsFor('vacancies'), wordsFor('minutes'), wordsFor('rules')]
/** Of headings: «Platzordnung» ends in a word of its own. */
const RULES = setOf(
  'menus speiseplan rules regulations bylaws satzung hausregeln reglement reglamento normas ordenanza',
)
const INVITING = wordsFor('inviting')

/** True if a text is no announcement, by its heading or by its words. Days and times are those that may be of an event. */
export function announcesNothing(
  tokens: readonly Token[],
  { days, times }: Pick<EventMoments, 'days' | 'times'>,
): boolean {
  const heading = tokens.slice(0, MAX_OF_HEADING).filter(({ line }) => line === tokens[0]?.line)
  if (
    heading.some(({ low }) => RULES.has(low) || /(?<!tages|neu)ordnung$/.test(low)) ||
    heading.slice(0, FIRST_OF_HEADING).some(({ low }) => OTHER_HEADINGS.has(low))
  )
    return true
  const words = [...new Set(tokens.map(({ low }) => low))]
  const countOf = (some: WordSet): number => words.filter(word => some.has(word)).length
  const points = Math.max(...PURPOSES.map(countOf))
  if (points < MIN_POINTS) return false
  const timed = new Set(times.map(({ from }) => tokens[from]?.sentence))
  const dated = new Map(days.map(({ from }) => [tokens[from]?.sentence, from]))
  let against = Math.min(MAX_INVITING, countOf(INVITING))
  for (const [number, from] of dated) {
    if (!timed.has(number)) continue
    const sentence = sentenceOf(tokens, from)
    const isOfEvent =
      sentence.some(({ low }) => isKind(low)) &&
      !sentence.some(({ low }) => PURPOSES.some(some => some.has(low)))
    against += isOfEvent ? POINTS_OF_EVENT : 1
  }
  return points - against >= MIN_POINTS
}
