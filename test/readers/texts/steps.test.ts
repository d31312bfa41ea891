import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

// Anybody may send a text by e-mail, so the steps of reading must only grow in proportion to its length. They
// are counted, because the time depends on the machine.

/** Functions that copy or go through all of what they are called on. */
const COUNTED = [
  [
    String.prototype,
    ['slice', 'substring', 'replace', 'replaceAll', 'split', 'trim', 'toLowerCase', 'normalize'],
  ],
  [Array.prototype, ['slice', 'filter', 'map', 'flatMap', 'join', 'concat', 'sort']],
] as const

/** The characters and elements that these functions return or go through. */
function stepsOf(work: () => unknown): number {
  let steps = 0
  const restore = COUNTED.flatMap(([prototype, names]) =>
    names.map(name => {
      const original: (...args: unknown[]) => unknown = Reflect.get(prototype, name)
      const isPart = name === 'slice' || name === 'substring'
      Reflect.set(prototype, name, function counted(this: { length: number }, ...args: unknown[]) {
        const result = Reflect.apply(original, this, args)
        steps += 1 + (isPart ? Object(result).length : this.length)
        return result
      })
      return () => Reflect.set(prototype, name, original)
    }),
  )
  try {
    work()
  } finally {
    for (const undo of restore) undo()
  }
  return steps
}

const LONGEST = 20_000
/** Going through the whole text for each of its 200 days would take more. */
const MAX_STEPS_PER_CHARACTER = 1_000
const KNOWN = {
  venues: [{ id: 1, name: 'Stadthalle Obertal' }],
  organizers: [{ id: 2, name: 'Kulturverein Obertal' }],
  today: '2027-01-14',
  timezone: 'Europe/Berlin',
  currency: '€',
}
const EVENT = 'Concert on Saturday 6 March 2027 at 8 pm, Stadthalle'

const stepsFor = (text: string): number => stepsOf(() => readAnnouncement(text, KNOWN))

describe('readAnnouncement', () => {
  it.each([
    'a ',
    'der ',
    'der. ',
    'Abcd! ',
    'Abcdef ghijkl. ',
    'x\n',
    '„a“ ',
    '«Abc def» ',
    'ABCDEF GHI ',
    '(a) ',
    ', ',
    '- ',
    '* ',
    '10 ',
    '5 € ',
    '20 h ',
    '5. März ',
    '1.3.2027 ',
    '1.3. 20 Uhr ',
    'Montag ',
    'bis ',
    'Halle ',
    'Stadthalle ',
    'Verein ',
    'http://a.example ',
    'a.example\n',
    '<b>a</b> ',
    '&amp; ',
    'Konzert am 5. März um 20 Uhr. ',
    'Concert, 5 March, 8 pm\n\n',
    'Ann: Friday at 8?\nBen: no\n',
    'Hi Ann, on Friday? Ben\nHi Ben, no. Ann\n',
    '– Friday?\n',
  ])('takes steps in proportion to the length of a text full of %j', piece => {
    const of = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    for (const text of [
      (length: number) => `${of(length)}${EVENT}`,
      (length: number) => `${EVENT}. ${of(length)}`,
      (length: number) => `${EVENT}\n${of(length)}\n${EVENT}`,
    ]) {
      // What is memoized is so from then on.
      stepsFor(text(100))
      const steps = stepsFor(text(LONGEST))
      expect(steps).toBeLessThan(5 * stepsFor(text(LONGEST / 4)) + 20_000)
      expect(steps).toBeLessThan(MAX_STEPS_PER_CHARACTER * LONGEST)
    }
  })
})
