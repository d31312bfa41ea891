import { isoUtc } from '../../lib/time.ts'
import { typeOf, type WebhookKind, type Word } from './types.ts'

/** What a webhook was told of a resource, or what there is to tell. */
export type Told = {
  /** True if it is in the webhook's list. */
  isListed: boolean
  isPublic: boolean
  isCanceled: boolean
  /** The number of its last change. */
  n: number
}

/** A message that is to be sent, and what the webhook knows once it has it. */
type MessageStep = { word: Word; after: Told }

/**
 * The messages that tell a webhook what has become of a resource, in order. One of `created`, `updated` and `deleted` says what
 * happened to it in the list; `published` and `canceled` come after it.
 */
export function stepsBetween(told: Told, now: Told): MessageStep[] {
  if (!now.isListed) return told.isListed ? [{ word: 'deleted', after: now }] : []
  const known = { ...told, isListed: true, n: now.n }
  const steps: MessageStep[] = []
  if (!told.isListed) steps.push({ word: 'created', after: known })
  else if (now.n > told.n) steps.push({ word: 'updated', after: known })
  if (now.isPublic && !told.isPublic) steps.push({ word: 'published', after: { ...known, isPublic: true } })
  if (now.isCanceled && !told.isCanceled) steps.push({ word: 'canceled', after: now })
  return steps
}

/** What a message is about. */
export type Subject = {
  kind: WebhookKind
  id: number
  n: number
  /** The time of the change, UTC. */
  at: string
  /** Names of fields that requests have changed. */
  changed: readonly string[]
}

/** The id of a message: the same whenever it is sent again, so that a receiver can tell that it has it. */
export const messageId = (webhook: number, { kind, id, n }: Subject, word: Word): string =>
  `msg_${webhook}_${kind}_${id}_${n}_${word}`

/** The body of a message. @param api the start of the resource's address */
export const messageBody = (
  { kind, id, at, changed }: Subject,
  { api, word }: { api: string; word: Word },
): string =>
  JSON.stringify({
    type: typeOf(kind, word),
    timestamp: isoUtc(at),
    data: { id, rest_url: `${api}/${kind}/${id}`, changed: word === 'deleted' ? [] : changed },
  })
