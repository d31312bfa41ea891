import type { Span } from '../words/plain.ts'
import { endOn } from './schedules.ts'

// An answer such as “It starts at 8, not at 7” has no event of its own. With the times that it says and
// denies, this decides which hours of the e-mail that it repeats still hold.

/** What an answer says about the time of the e-mail that it repeats. */
export type Correction = {
  /** The times that it says, and where. */
  said: { start: string; end: string | undefined; evidence: Span }[]
  /** Those that it says to be false. */
  denied: readonly string[]
  /** True if it says that something begins. */
  isBeginning: boolean
}

type Dates = {
  start_date: string
  end_date?: string
  evidence: { start_date?: Span; end_date?: Span }
}

/**
 * When an event takes place by the answer to the e-mail that announces it: “Wir beginnen um 19 Uhr, nicht um
 * 20 Uhr.” It is undefined if the answer does not correct the start.
 */
export function correctedDates(start: string, { said, denied, isBeginning }: Correction): Dates | undefined {
  const [day, time] = [start.slice(0, 10), start.slice(11, 16)]
  if (time === '' || said.some(one => one.start === time)) return undefined
  if (!denied.includes(time) && !isBeginning) return undefined
  const [right, ...more] = said
  // Of several times nobody knows which one is right.
  if (!right || more.length > 0) return { start_date: day, evidence: {} }
  const dates = { start_date: `${day} ${right.start}:00`, evidence: { start_date: right.evidence } }
  return right.end === undefined
    ? dates
    : {
        ...dates,
        end_date: `${endOn(day, right.start, right.end)}:00`,
        evidence: { ...dates.evidence, end_date: right.evidence },
      }
}
