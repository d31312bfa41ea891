import type { RequestContext } from '../../context.ts'
import { restUrl } from '../../context.ts'
import { settled, together } from '../../db/query.ts'
import { idOf, type Key } from '../../http/input.ts'
import { defineList } from '../../http/lists.ts'
import { assertMailer } from '../../http/mail.ts'
import { created, LOCATION, ok, one } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { assertConditions } from '../../lib/precondition.ts'
import { contactOf, hasTooManyLinks } from '../users/email.ts'
import { checkFilters } from '../webhooks/filters.ts'
import { composeLetter } from './compose.ts'
import {
  assertLetter,
  assertLetterDelivery,
  letterById,
  letterCount,
  letterDelivery,
  selectLetterDeliveries,
  selectLetterPage,
} from './queries.ts'
import {
  type LetterFields,
  letterDeliverySchema,
  letterFields,
  letterList,
  letterPreviewSchema,
  letterSchema,
} from './schema.ts'
import { retryLetter, sendTest } from './send.ts'
import { isConfirmed, serializeLetter, serializeLetterDelivery } from './serialize.ts'
import { deleteLetter, type PreparedLetter, prepareLetter, writeLetter } from './writes.ts'

const requires = 'manage_letters'
const NO_LETTER = 'rest-letter-not-found'
const NO_MAIL = 'rest_mail_unavailable'
const DELIVERIES = '/letters/{id}/deliveries'

/** A query of one letter. @throws ApiError if no e-mails can be sent */
function letterOf({ mailer }: RequestContext, { key }: { key: Key }) {
  assertMailer(mailer)
  return letterById(idOf(key))
}

const list = defineList({
  id: 'LetterList',
  plural: 'letters',
  item: letterSchema,
  params: letterList,
  requires,
  isUncached: true,
  noPage: 'letter-archive-page-not-found',
  errors: [NO_MAIL],
  select: ({ mailer }, { page }) => {
    assertMailer(mailer)
    return selectLetterPage(page)
  },
  serialize: (context, rows) => rows.map(row => serializeLetter(row, context)),
})

const written = async (context: RequestContext, prepared: PreparedLetter) => {
  const { row, linkSent } = await writeLetter(context, prepared)
  return { body: serializeLetter(row, context, linkSent), version: row.version }
}

/** Queries of what a write of a letter depends on. */
const neededBy = (context: RequestContext, { filters, to = '' }: Partial<LetterFields>) => ({
  // Stored filters were checked when they were set.
  checkFilters: filters ? checkFilters(context, filters) : settled(() => {}),
  contact: contactOf(context.caller.id),
  hasTooManyLinks: hasTooManyLinks(context, to),
})

const create = defineRoute({
  methods: ['POST'],
  path: '/letters',
  summary: 'Create a letter, whose address gets a link that confirms it',
  requires,
  asksElsewhere: true,
  body: letterFields,
  complete: true,
  responses: { 201: letterSchema },
  headers: LOCATION,
  errors: ['letters-are-too-many', NO_MAIL],
  load: (context, { body }) => {
    assertMailer(context.mailer)
    return together({ count: letterCount, ...neededBy(context, body) })
  },
  prepare: (context, loaded, { body: values }, errors) =>
    prepareLetter(context, { values, ...loaded }, errors),
  handle: async (context, { prepared }) => {
    const letter = await written(context, prepared)
    return created(letter, restUrl(context, 'letters', letter.body.id))
  },
})

const read = defineRoute({
  methods: ['GET'],
  path: '/letters/{id}',
  summary: 'Read one letter',
  requires,
  isUncached: true,
  responses: { 200: letterSchema },
  errors: [NO_LETTER, NO_MAIL],
  load: letterOf,
  prepare: (_, row) => assertLetter(row),
  handle: (context, { prepared: row }) => one({ body: serializeLetter(row, context), version: row.version }),
})

const change = defineRoute({
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/letters/{id}',
  summary: 'Update one letter',
  requires,
  asksElsewhere: true,
  body: letterFields,
  responses: { 200: letterSchema },
  errors: [NO_LETTER, NO_MAIL],
  load: (context, input) => together({ row: letterOf(context, input), ...neededBy(context, input.body) }),
  prepare: (context, { row, ...loaded }, { body: values }, errors) => {
    const stored = assertConditions(context, assertLetter(row))
    return prepareLetter(context, { values, stored, count: 0, ...loaded }, errors)
  },
  handle: async (context, { prepared }) => one(await written(context, prepared)),
})

const remove = defineRoute({
  methods: ['DELETE'],
  path: '/letters/{id}',
  summary: 'Delete one letter',
  requires,
  responses: { 200: letterSchema },
  errors: [NO_LETTER, NO_MAIL],
  load: letterOf,
  prepare: (context, row) => assertConditions(context, assertLetter(row)),
  handle: async (context, { prepared: row }) => {
    await deleteLetter(context, row)
    return one({ body: serializeLetter(row, context), version: row.version })
  },
})

const preview = defineRoute({
  methods: ['POST'],
  path: '/letters/{id}/preview',
  summary: 'Show one letter as it would be sent now',
  requires,
  responses: { 200: letterPreviewSchema },
  errors: [NO_LETTER, NO_MAIL],
  load: letterOf,
  prepare: (_, row) => assertLetter(row),
  handle: async (context, { prepared: row }) => ok(await context.db.get(composeLetter(context, row))),
})

const test = defineRoute({
  methods: ['POST'],
  path: '/letters/{id}/test',
  summary: 'Send one letter to the caller’s own confirmed address',
  requires,
  asksElsewhere: true,
  responses: { 200: letterDeliverySchema },
  errors: [NO_LETTER, NO_MAIL, 'own-address-not-confirmed'],
  load: (context, input) =>
    together({ row: letterOf(context, input), contact: contactOf(context.caller.id) }),
  prepare: (_, { row, contact }) => {
    const letter = assertLetter(row)
    if (!contact?.email)
      throw new ApiError(
        'own-address-not-confirmed',
        'You have no confirmed e-mail address: give one on the page of your account in the editor.',
      )
    return { letter, to: contact.email }
  },
  handle: async (context, { prepared }) =>
    ok(serializeLetterDelivery(await sendTest(context, prepared), context)),
})

const deliveries = defineList({
  id: 'LetterDeliveryList',
  plural: 'deliveries',
  path: DELIVERIES,
  summary: 'List what became of one letter, the newest first',
  item: letterDeliverySchema,
  params: letterList,
  requires,
  isUncached: true,
  noPage: 'delivery-archive-page-not-found',
  errors: [NO_LETTER, NO_MAIL],
  of: { byId: letterById, assert: assertLetter },
  select: ({ mailer }, { key, page }) => {
    assertMailer(mailer)
    return selectLetterDeliveries(idOf(key), page)
  },
  serialize: (context, rows) => rows.map(row => serializeLetterDelivery(row, context)),
})

const retry = defineRoute({
  methods: ['POST'],
  path: `${DELIVERIES}/{delivery}/retry`,
  summary: 'Send a letter again that was not sent, or of which nobody knows',
  requires,
  asksElsewhere: true,
  responses: { 200: letterDeliverySchema },
  errors: [NO_LETTER, NO_MAIL, 'rest-delivery-not-found', 'letter-cannot-be-sent'],
  load: (context, input) =>
    together({
      row: letterOf(context, input),
      delivery: letterDelivery(idOf(input.key), input.partId),
    }),
  prepare: (_, { row, delivery }) => {
    const letter = assertLetter(row)
    const found = assertLetterDelivery(delivery)
    if (!isConfirmed(letter))
      throw new ApiError('letter-cannot-be-sent', 'The address of this letter is not confirmed.')
    return { letter, delivery: found }
  },
  handle: async (context, { prepared }) =>
    ok(serializeLetterDelivery(await retryLetter(context, prepared), context)),
})

/** The routes of letters. */
export const letterRoutes: Route[] = [list, create, read, change, remove, preview, test, deliveries, retry]
