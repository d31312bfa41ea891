import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { countSamples, type Sample, samplesOf } from '../../../../src/cli/spam.ts'
import {
  digitsOf,
  learn,
  likenessToSpam,
  noCounts,
  SPAM_ABOVE,
  type SpamCounts,
  type SubmittedText,
} from '../../../../src/resources/submissions/spam.ts'

const EVENTS = samplesOf('events')
const SPAM = samplesOf('spam')

const taught = (events: readonly SubmittedText[], spam: readonly SubmittedText[]): SpamCounts => {
  const learned = events.reduce((counts, text) => learn(counts, text, false), noCounts())
  return spam.reduce((counts, text) => learn(counts, text, true), learned)
}

/** The texts that are taken for spam. */
const marked = (samples: readonly Sample[], base: SpamCounts) =>
  samples.filter(({ text }) => likenessToSpam(text, noCounts(), base) > SPAM_ABOVE)

it('there are at least 250 labelled texts of each kind, each once, in the same languages', () => {
  for (const samples of [EVENTS, SPAM]) {
    expect(samples.length).toBeGreaterThanOrEqual(250)
    expect(new Set(samples.map(({ text: { title, rest } }) => title + rest)).size).toBe(samples.length)
    expect([...new Set(samples.map(({ language }) => language))]).toEqual([
      'de',
      'en',
      'es',
      'fr',
      'it',
      'pl',
    ])
  }
})

it('the shipped counts are those of the labelled texts', () => {
  const counts = countSamples(EVENTS, SPAM)
  const shipped = JSON.parse(readFileSync('src/resources/submissions/spam-counts.json', 'utf8'))
  expect(shipped).toEqual({ events: counts.events, spam: counts.spam, counts: digitsOf(counts) })
})

it('trained on nine tenths, it marks most spam of the other tenth, and few true events', () => {
  const TENTHS = 10
  const part = (texts: readonly Sample[], tenth: number, isTried: boolean) =>
    texts.filter((_, i) => (i % TENTHS === tenth) === isTried)
  let wrong = 0
  let missed = 0
  for (let tenth = 0; tenth < TENTHS; tenth++) {
    const base = countSamples(part(EVENTS, tenth, false), part(SPAM, tenth, false))
    const [events, spam] = [part(EVENTS, tenth, true), part(SPAM, tenth, true)]
    wrong += marked(events, base).length
    missed += spam.length - marked(spam, base).length
  }
  expect(wrong / EVENTS.length).toBeLessThanOrEqual(0.03)
  expect(missed / SPAM.length).toBeLessThanOrEqual(0.15)
})

it('learns from the editors of a calendar', () => {
  const text = {
    title: 'Whisky raffle',
    rest: 'Fifty bottles, tickets at the door. Ring 0123 456789 for a table.',
  }
  const before = likenessToSpam(text, noCounts())
  const others = ['Whisky raffle in May', 'Whisky raffle again', 'Another whisky raffle'].map(title => ({
    ...text,
    title,
  }))
  expect(likenessToSpam(text, taught([], others))).toBeGreaterThan(before)
  expect(likenessToSpam(text, taught(others, []))).toBeLessThan(before)
})

it('sees through invisible characters, other forms of letters and capitals', () => {
  const plain = { title: 'Online casino bonus', rest: 'Free spins without deposit' }
  const likeness = likenessToSpam(plain, noCounts())
  for (const title of [
    'Onl\u200bine cas\u00adino bon\u200dus',
    'Ｏｎｌｉｎｅ ｃａｓｉｎｏ ｂｏｎｕｓ',
    'ONLINE CASINO BONUS',
  ])
    expect(likenessToSpam({ ...plain, title }, noCounts()), title).toBeCloseTo(likeness, 5)
})
