import type { FollowedKind } from '../../resources/changes/filters.ts'

/** The types of messages that a webhook may ask for. */
export const WEBHOOK_EVENTS = [
  'event.created',
  'event.updated',
  'event.deleted',
  'event.published',
  'event.canceled',
  'venue.created',
  'venue.updated',
  'venue.deleted',
  'organizer.created',
  'organizer.updated',
  'organizer.deleted',
] as const

/** The type of a test message. */
export const TEST = 'webhook.test'

/** The kind of resource that a message of a type is about. */
export const kindOfType = (type: string): FollowedKind =>
  type.startsWith('venue.') ? 'venues' : type.startsWith('organizer.') ? 'organizers' : 'events'

/** A type without its kind: `created`. */
export type Word = 'created' | 'updated' | 'deleted' | 'published' | 'canceled'

/** The type of a message. Venues and organizers have no `published` and `canceled`. */
export const typeOf = (kind: FollowedKind, word: Word): string => `${kind.slice(0, -1)}.${word}`

/** The kinds of resources that messages of some types are about. */
export const kindsOf = (types: readonly string[]): FollowedKind[] => [...new Set(types.map(kindOfType))]
