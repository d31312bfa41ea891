import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../../src/readers/texts/drafts.ts'
import { type Case, type Expected, generate, reduce } from './compose.ts'

// Events that are said in many ways, by a generator that knows nothing of the reader. What was said must come
// out exactly or not at all.

const SENTENCES = 300
const SEED = 78
/**
 * The most false starts that these sentences may give. A rule of the reader that adds one is wrong; one that
 * removes some lowers this number.
 */
const MOST_FALSE = 0
const LEAST_FOUND = 0.94

const named = (names: readonly string[]) => names.map((name, i) => ({ id: i + 1, name }))
const startsOf = ({ start, dates = [] }: Expected) => [start, ...dates]

/** The starts that were found, and those that nobody said. A day without its time is neither. */
function startsIn({ text, now, timezone, known, expect: { events } }: Case) {
  const { drafts } = readAnnouncement(text, {
    venues: named(known.venues),
    organizers: named(known.organizers),
    today: now.slice(0, 10),
    timezone,
    currency: '€',
  })
  const starts = drafts.map(({ start_date }) => start_date.slice(0, 16))
  const isSaid = (start: string) =>
    events.some(event =>
      startsOf(event).some(one => one === start || (start.length === 10 && one.startsWith(start))),
    )
  return {
    found: events.filter(({ start }) => starts.includes(start)).length,
    wrong: starts.filter(start => !isSaid(start)),
  }
}

describe('events that are said in many ways', () => {
  it('are found when they begin, and never when they do not', () => {
    let found = 0
    let said = 0
    const failing: string[] = []
    for (let i = 0; i < SENTENCES; i++) {
      const one = generate(SEED, i)
      const result = startsIn(one)
      // A misread digit may be left out.
      if (!one.parts.includes('shape:ocr')) {
        found += result.found
        said += one.expect.events.length
      }
      if (result.wrong.length === 0) continue
      const least = reduce(SEED, i, other => startsIn(other).wrong.length > 0)
      failing.push(
        `${SEED}/${i} [${least.parts.join(' ')}] ${startsIn(least).wrong.join(', ')}: ${least.text}`,
      )
    }
    expect(failing.length, failing.join('\n\n')).toBeLessThanOrEqual(MOST_FALSE)
    expect(found / said).toBeGreaterThanOrEqual(LEAST_FOUND)
  })
})
