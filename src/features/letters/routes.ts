import { shownFields } from '../../calendar/content/fields.ts'
import { selectContact } from '../../calendar/users/email.ts'
import { type MailContext, type RequestContext, restUrl, type SerializeContext } from '../../kit/context.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { plainList } from '../../kit/http/lists.ts'
import { defineManaged } from '../../kit/http/managed-resource.ts'
import { ok } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError, tooOften } from '../../kit/lib/errors.ts'
import { selectUsedUp } from '../../kit/work/counts.ts'
import { requireMailer } from '../../kit/work/mail.ts'
import { composeLetter, filtersOfLetter } from './compose.ts'
import {
  type LetterDeliveryRow,
  type LetterRow,
  requireLetter,
  requireLetterDelivery,
  selectLetterById,
  selectLetterCount,
  selectLetterDeliveries,
  selectLetterDeliveryById,
  selectLetterPage,
} from './queries.ts'
import {
  LETTER_FIELDS,
  type LetterDeliveryResponse,
  type LetterResponse,
  letterDeliverySchema,
  letterFields,
  letterPreviewSchema,
  letterSchema,
} from './schema.ts'
import { LETTER_TESTS, retryLetter, sendTest } from './send.ts'
import { deliveryState, isConfirmed, letterState, nextSending } from './state.ts'
import { deleteLetter, MAX_LETTERS, prepareLetter, selectNeededForLetter, writeLetter } from './writes.ts'

const asShown = shownFields(LETTER_FIELDS)

function serializeLetter(row: LetterRow, context: SerializeContext): LetterResponse {
  const state = letterState(row)
  return {
    id: row.id,
    rest_url: restUrl(context, 'letters', row.id),
    ...asShown(row),
    to: row.to_email,
    filters: filtersOfLetter(row),
    state,
    ...(row.last_sent_utc !== null && { last_sent: row.last_sent_utc }),
    ...(state === 'active' && { next: nextSending(row, context.clock.now(), context.settings.timezone) }),
    date_utc: row.created_utc,
  }
}

const serializeLetterDelivery = (
  row: LetterDeliveryRow,
  { clock }: Pick<SerializeContext, 'clock'>,
): LetterDeliveryResponse => ({
  id: row.id,
  letter_id: row.letter_id,
  is_test: row.due_utc === null,
  ...(row.due_utc !== null && { due: row.due_utc }),
  state: deliveryState(row, clock.now()),
  tries: row.tries,
  date_utc: row.at_utc,
  ...(row.next_try_utc !== null && { next_try_utc: row.next_try_utc }),
  reason: row.reason,
  events: row.events,
})

export const managedLetters = defineManaged({
  singular: 'letter',
  id: 'Letter',
  item: letterSchema,
  fields: letterFields,
  requires: 'manage_letters',
  limit: MAX_LETTERS,
  tooMany: 'letters-are-too-many',
  notFound: 'rest-letter-not-found',
  noPage: 'letter-archive-page-not-found',
  summaries: { create: 'Create a letter, and send its address a link to confirm it' },
  assertAvailable: ({ mailer }) => void requireMailer(mailer),
  errors: ['rest_mail_unavailable'],
  asksElsewhere: true,
  selectCount: selectLetterCount,
  selectPage: selectLetterPage,
  selectById: selectLetterById,
  requireRow: requireLetter,
  serialize: serializeLetter,
  selectNeeded: selectNeededForLetter,
  prepare: prepareLetter,
  write: writeLetter,
  remove: deleteLetter,
})
const { routes, ofOne, listOfOne } = managedLetters

const withMailer = (context: RequestContext): MailContext => ({
  ...context,
  mailer: requireMailer(context.mailer),
})

const preview = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/letters/{id}/preview',
  summary: 'Show one letter as it would be sent now',
  responses: { 200: letterPreviewSchema },
  errors: [...ofOne.errors, 'rest_letter_cannot_be_sent'],
  handle: async (context, { prepared: row }) => ok(await composeLetter(context, row)),
})

const test = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/letters/{id}/test',
  summary: "Send one letter to the caller's own confirmed address",
  asksElsewhere: true,
  responses: { 200: letterDeliverySchema },
  errors: [...ofOne.errors, 'rest_own_address_not_confirmed'],
  load: (context, input) =>
    combineQueries({
      row: ofOne.load(context, input),
      contact: selectContact(context.caller.id),
      usedUp: selectUsedUp(context.clock, [LETTER_TESTS]),
    }),
  prepare: (_, { row, contact, usedUp }) => {
    const letter = requireLetter(row)
    if (!contact?.email)
      throw new ApiError(
        'rest_own_address_not_confirmed',
        'You have no confirmed e-mail address: add one on your account page in the editor.',
      )
    if (usedUp.length > 0) throw tooOften('Too many tests within an hour. Please try again later.')
    return { letter, to: contact.email }
  },
  handle: async (context, { prepared }) =>
    ok(serializeLetterDelivery(await sendTest(withMailer(context), prepared), context)),
})

const deliveries = listOfOne({
  id: 'LetterDeliveryList',
  plural: 'deliveries',
  summary: 'List the deliveries of one letter, the newest first',
  item: letterDeliverySchema,
  params: plainList,
  noPage: 'delivery-archive-page-not-found',
  select: (id, { page }) => selectLetterDeliveries(id, page),
  serialize: (context, rows) => rows.map(row => serializeLetterDelivery(row, context)),
})

const retry = defineWrite({
  ...ofOne,
  methods: ['POST'],
  path: '/letters/{id}/deliveries/{delivery}/retry',
  summary: 'Retry a delivery that failed or whose outcome is unknown',
  asksElsewhere: true,
  responses: { 200: letterDeliverySchema },
  errors: [...ofOne.errors, 'rest-delivery-not-found', 'rest_letter_cannot_be_sent'],
  load: (context, input) =>
    combineQueries({
      row: ofOne.load(context, input),
      delivery: selectLetterDeliveryById(input.id, input.partId),
    }),
  prepare: (_, { row, delivery }) => {
    const letter = requireLetter(row)
    const storedDelivery = requireLetterDelivery(delivery)
    if (!isConfirmed(letter))
      throw new ApiError('rest_letter_cannot_be_sent', 'The address of this letter is not confirmed.')
    return { letter, delivery: storedDelivery }
  },
  handle: async (context, { prepared }) =>
    ok(serializeLetterDelivery(await retryLetter(withMailer(context), prepared), context)),
})

export const letterRoutes: Route[] = [...routes, preview, test, deliveries, retry]
