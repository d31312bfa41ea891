import * as z from 'zod/mini'
import { type FollowedKind, toFilters } from '../../calendar/changes/followed-lists.ts'
import { pageParams } from '../../kit/http/lists.ts'
import { documented, field, flag, lazyObject, someOf } from '../../kit/http/params.ts'
import { asText, FIELD_LIMITS } from '../../kit/lib/values.ts'
import { MAX_BEHIND } from './scan.ts'
import { checkSecret, newWebhookSecret, toWebhookUrl } from './send.ts'
import { DELIVERY_STATES } from './tables.ts'

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

export const TEST_TYPE = 'webhook.test'

/** The kind of resource that a message of a type is about. */
export const kindOfType = (type: string): FollowedKind =>
  type.startsWith('venue.') ? 'venues' : type.startsWith('organizer.') ? 'organizers' : 'events'

/** A type without its kind: `created`. */
export type ChangeWord = 'created' | 'updated' | 'deleted' | 'published' | 'canceled'

/** The type of a message. Venues and organizers have no `published` and `canceled`. */
export const typeOf = (kind: FollowedKind, word: ChangeWord): string => `${kind.slice(0, -1)}.${word}`

/** The kinds of resources that messages of some types are about. */
export const kindsOf = (types: readonly string[]): FollowedKind[] => [...new Set(types.map(kindOfType))]

/** The value of `secret` that asks for a new secret. */
const NEW_SECRET = 'new'

export const webhookFields = lazyObject('WebhookFields', () => ({
  url: field(toWebhookUrl, {
    type: 'string',
    maxLength: FIELD_LIMITS.url,
    description: 'The http(s) URL that messages are posted to. It must not lead into a private network.',
    example: 'https://chat.example.org/hooks/calendar',
  }),
  events: z.optional(
    someOf(WEBHOOK_EVENTS, {
      description:
        'The types of messages to send; all if absent. Each change is one of `created`, `updated` and `deleted`, as seen by the list that `filters` selects; `published` and `canceled` follow it.',
      example: ['event.published', 'event.canceled'],
    }),
  ),
  filters: z.optional(
    field(toFilters, {
      type: 'object',
      additionalProperties: true,
      description:
        'Parameters of the lists whose changes are sent, like those of `GET /events/changes`, as an object or a query string. Each applies to the lists that have it. Without `status`, only what everybody can see.',
      example: { categories: ['music'] },
    }),
  ),
  active: z.optional(
    flag({
      description:
        'False to pause. Once it is true again, changes made in the meantime are sent, and so are messages that have failed.',
      default: true,
    }),
  ),
  secret: z.optional(
    field(raw => (raw === NEW_SECRET ? newWebhookSecret() : checkSecret(asText(raw))), {
      type: 'string',
      description: `The key that signs messages: \`whsec_\` and 24 to 64 bytes in base64, or \`${NEW_SECRET}\` to have one generated. The previous key keeps signing for 24 hours. If the key changes again within that time, up to ten previous ones keep signing for 24 hours from then.`,
      example: NEW_SECRET,
    }),
  ),
}))

export type WebhookFields = z.output<typeof webhookFields>

/**
 * States of webhooks: the service itself has switched off `gone` webhooks, and `failing` webhooks that are
 * not active.
 */
const WEBHOOK_STATES = ['new', 'ok', 'filters', 'failing', 'paused', 'gone'] as const

export const webhookSchema = lazyObject('Webhook', () => ({
  id: z.int(),
  rest_url: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  filters: z.record(z.string(), z.unknown()),
  active: z.boolean(),
  state: documented(
    z.enum(WEBHOOK_STATES),
    '`filters`: visitors can see none of the things that one of the filters names, so nothing about events is sent; `failing`: the last message was not accepted; `gone`: the receiver answered 410. If `active` is false, this is why.',
  ),
  failing_since_utc: z.exactOptional(z.string()),
  waiting: documented(
    z.int(),
    'The number of resources whose message was not accepted and will be sent again.',
  ),
  behind: documented(
    z.int(),
    `The number of changes that it has not come to yet, up to ${MAX_BEHIND}, whether or not they lead to a message.`,
  ),
  date_utc: documented(z.string(), 'When it was created.'),
  secret: documented(
    z.exactOptional(z.string()),
    'The key that signs messages, only in the response to the request that sets it.',
  ),
}))

export type WebhookResponse = z.output<typeof webhookSchema>

export const deliverySchema = lazyObject('WebhookDelivery', () => ({
  id: z.int(),
  webhook_id: z.int(),
  message_id: documented(z.string(), 'The `webhook-id` header, the same in every try.'),
  type: z.string(),
  payload: documented(z.unknown(), 'The body that was sent.'),
  state: documented(
    z.enum(DELIVERY_STATES),
    '`waiting` for its next try; `failed` after the last; `replaced` by a message about a newer change.',
  ),
  tries: z.int(),
  date_utc: documented(z.string(), 'When it was last attempted.'),
  next_try_utc: z.exactOptional(z.string()),
  status: documented(z.exactOptional(z.int()), 'The status of the response; absent if there was none.'),
  response: documented(z.string(), 'The first 1,000 characters of the response.'),
  reason: documented(
    z.exactOptional(z.string()),
    'Why there was no response: `timeout`, `connection`, `private` for a private network, or `internal` for an error in the calendar.',
  ),
  message: documented(z.string(), 'Why it was not accepted; empty if it was.'),
}))

export type DeliveryResponse = z.output<typeof deliverySchema>

export const deliveryList = lazyObject('WebhookDeliveryParams', () => ({
  ...pageParams,
  state: z.optional(
    someOf(DELIVERY_STATES, { description: 'Only messages in one of these states.', example: ['failed'] }),
  ),
}))

export type DeliveryListParams = z.output<typeof deliveryList>
