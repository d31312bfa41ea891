import type { SQL } from 'drizzle-orm'
import { inOrder, mapped, type Query } from '../../../db/query.ts'
import { Registry } from '../../../lib/registry.ts'

/** Who sent an event without having an account. */
export type Sender = {
  event: number
  name: string
  email: string
  sentUtc: string
  /** How the event was sent: by e-mail, or else '' for forms and programs. */
  via: '' | 'email'
  /** True if the address is surely the sender's. */
  isConfirmed: boolean
  /** The text of the e-mail; '' if it has been deleted, and for forms. */
  received: string
  /** The number of other waiting events from the same sender. */
  others: number
}

/** What a feature knows of those who send events by it, which the review shows, even for what they sent before it was switched off. */
export type Senders = {
  /** A query for the senders of some events. @param ids a SELECT of the ids of events */
  select: (ids: SQL) => Query<Sender[]>
  /** A query for the waiting events from the same sender as an event. */
  fromSame: (event: number) => Query<number[]>
}

const ofFeatures = new Registry<readonly Senders[]>('senders of events')
export const addSenders = (senders: readonly Senders[]): void => ofFeatures.set(senders)

const ofAll = <T>(queryOf: (senders: Senders) => Query<T[]>): Query<T[]> =>
  mapped(inOrder(ofFeatures.value.map(queryOf)), found => found.flat())

export const selectSenders = (ids: SQL): Query<Sender[]> => ofAll(({ select }) => select(ids))
export const selectFromSame = (event: number): Query<number[]> => ofAll(({ fromSame }) => fromSame(event))
