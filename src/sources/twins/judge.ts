import { fold } from '../../lib/text.ts'

/** A place at which an event is, as its venue has it. Texts are '' and coordinates null where they are not known. */
export type TwinPlace = {
  id: number
  name: string
  address: string
  city: string
  /** Degrees, WGS 84. */
  lat: number | null
  lng: number | null
}

/** What is looked at of an event, by the names of its fields. */
export type TwinEvent = {
  title: string
  start_date: string
  end_date: string
  utc_start_date: string
  utc_end_date: string
  all_day: boolean
  is_virtual: boolean
  /** '' for none. */
  website: string
  /** The beginning of its excerpt or description, HTML or not; '' if it has neither. */
  text: string
  venues: readonly TwinPlace[]
}

/** `same`: joined without asking. `likeness` is from 0 to 1, for the order of what is asked. */
export type Judgement = { verdict: 'same' | 'ask' | 'different'; likeness: number }

/** Says if two events of different origin are the same. Symmetric: the order of the two doesn't matter. */
export function judge(a: TwinEvent, b: TwinEvent): Judgement {
  const isSame =
    fold(a.title) === fold(b.title) &&
    a.utc_start_date === b.utc_start_date &&
    a.all_day === b.all_day &&
    a.venues.some(({ id }) => b.venues.some(other => other.id === id))
  return isSame ? { verdict: 'same', likeness: 1 } : { verdict: 'different', likeness: 0 }
}
