import fc from 'fast-check'
import { FREQUENCIES, type Frequency, WEEKDAYS } from '../../../../../src/kit/lib/recurrence/rule.ts'
import { formatInstant } from '../../../../../src/kit/lib/time.ts'

/** Options for random rules. */
type Options = {
  freqs?: readonly Frequency[]
  /** Parts to leave out. */
  without?: readonly string[]
  /** Starts from the first to the last of these years. */
  years?: readonly [number, number]
}

export type Sample = { text: string; start: string }

const list = <T>(value: fc.Arbitrary<T>, maxLength = 4) =>
  fc.uniqueArray(value, { minLength: 1, maxLength }).map(values => values.join())

/** A text, or, in two out of three cases, none. */
const sometimes = (text: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: text })

const signed = (max: number) => fc.integer({ min: -max, max }).filter(number => number !== 0)

const days = list(fc.constantFrom(...WEEKDAYS), 5)
const numberedDays = list(
  fc
    .tuple(fc.constantFrom('', 1, 2, 3, 4, 5, -1, -2, -5), fc.constantFrom(...WEEKDAYS))
    .map(day => day.join('')),
)

/** The BY parts that a rule may have with a frequency, each as its values. */
function partsFor(freq: Frequency): Record<string, fc.Arbitrary<string>> {
  return {
    BYMONTH: list(fc.integer({ min: 1, max: 12 })),
    ...(freq !== 'WEEKLY' && { BYMONTHDAY: list(signed(31), 6) }),
    BYDAY: freq === 'MONTHLY' || freq === 'YEARLY' ? fc.oneof(days, numberedDays) : days,
  }
}

const start = ([first, last]: readonly [number, number]) =>
  fc
    .integer({ min: Date.UTC(first, 0, 1) / 1000, max: Date.UTC(last + 1, 0, 1) / 1000 - 1 })
    .map(seconds => formatInstant(seconds * 1000))

/** Random rules, and starts for them. */
export function samples({ freqs = FREQUENCIES, without = [], years = [2023, 2028] }: Options = {}) {
  const written = (freq: Frequency) => {
    const by = Object.entries(partsFor(freq)).filter(([name]) => !without.includes(name))
    // Real rules rarely have more than three parts, and rules with many match nothing.
    const parts = by.map(([name, values]) => sometimes(values.map(text => `${name}=${text}`)))
    const setPos = without.includes('BYSETPOS')
      ? fc.constant('')
      : list(signed(6), 3).map(text => `BYSETPOS=${text}`)
    return fc
      .record({
        interval: fc.constantFrom(
          '',
          '',
          'INTERVAL=2',
          'INTERVAL=3',
          'INTERVAL=5',
          'INTERVAL=7',
          'INTERVAL=12',
        ),
        parts: fc.tuple(...parts).map(texts => texts.filter(Boolean)),
        setPos: sometimes(setPos),
        weekStart: sometimes(fc.constantFrom(...WEEKDAYS).map(day => `WKST=${day}`)),
        end: fc.constantFrom('', '', 'COUNT=1', 'COUNT=7', 'COUNT=30', 'UNTIL=20281231T120000'),
        start: start(years),
      })
      .map(({ interval, parts, setPos, weekStart, end, start }): Sample => {
        const isNumbered = parts.some(part => /^BYDAY=.*\d/.test(part))
        const hasMonths = parts.some(part => part.startsWith('BYMONTH='))
        const months = freq === 'YEARLY' && isNumbered && !hasMonths ? ['BYMONTH=2,7'] : []
        const allowed = [...months, ...parts]
        const position = allowed.length > 0 ? setPos : ''
        const all = [`FREQ=${freq}`, interval, ...allowed, position, weekStart, end]
        return { text: all.filter(Boolean).join(';'), start }
      })
  }
  return fc.constantFrom(...freqs).chain(written)
}
