import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { retryConflicts } from '../../kit/db/failures.ts'
import { combineQueries, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { defineList, plainList } from '../../kit/http/lists.ts'
import { createdReply, LOCATION, ok } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { requireRegistrationMailer } from './limits.ts'
import { type RegistrantRow, selectOccasionOfPerson } from './links.ts'
import {
  mayManage,
  type Occasion,
  registrationOf,
  requireEditableOccasion,
  requireManagedOccasion,
  requireReadableOccasion,
  selectOccasionByEvent,
} from './occasion.ts'
import * as people from './people.ts'
import { checkRegistration, registerPerson, resendLink } from './register.ts'
import * as schema from './schema.ts'
import {
  type OrganizerDetails,
  SHEET_FILE,
  SHEET_TYPE,
  serializePerson,
  serializeRegistration,
  serializeSheet,
} from './serialize.ts'
import { prepareSettings, writeSettings } from './settings.ts'
import { answerSource, selectQuestions } from './source-questions.ts'
import { endRegistration, updateTickets } from './tickets.ts'

/** The header of reads, which depend on people and on the session of the editor. Writes have it anyway. */
const NO_STORE = { 'Cache-Control': 'private, no-store' }
const REGISTRATION = '/events/{id}/registration'
const PEOPLE = '/events/{id}/registrations'
const requires = 'edit_content'
const routeErrors = [
  'rest-registration-not-found',
  'rest-event-not-found',
  'event-not-accessible',
  'event-no-longer-available',
] as const

const selectDetails = (event: number): Query<OrganizerDetails> => {
  const id = registrationOf(sql`${event}`)
  return combineQueries({ unconfirmed: people.selectUnconfirmedCount(id), questions: selectQuestions(id) })
}

const load = (_: BaseContext, { id }: { id: number }) => selectOccasionByEvent(id)

/** What the routes for managing a registration share. */
const managedRoute = {
  path: REGISTRATION,
  requires,
  errors: routeErrors,
  load,
  prepare: requireManagedOccasion,
  responses: { 200: schema.registrationSchema },
} as const

async function registrationReply(context: BaseContext, { event: { id } }: Occasion) {
  const { occasion, details } = await context.db.read(
    combineQueries({ occasion: selectOccasionByEvent(id), details: selectDetails(id) }),
  )
  return ok(serializeRegistration(context, requireManagedOccasion(context, occasion), details))
}

const readRegistration = defineRead({
  ...managedRoute,
  summary: 'Read whether people can register for an event',
  requires: 'read',
  isUncached: true,
  load: (context, { id }) =>
    combineQueries({
      occasion: selectOccasionByEvent(id),
      details: context.caller.id === 0 ? resolvedQuery(undefined) : selectDetails(id),
    }),
  prepare: (context, { occasion, details }, { key }) => ({
    occasion: requireReadableOccasion(context, occasion, key),
    details,
  }),
  handle: (context, { prepared: { occasion, details } }) =>
    ok(
      serializeRegistration(context, occasion, mayManage(context, occasion) ? details : undefined),
      NO_STORE,
    ),
})

const changeRegistration = defineWrite({
  ...managedRoute,
  methods: ['PUT', 'PATCH', 'POST'],
  summary: 'Let people register for an event, or change the settings for it',
  body: schema.settingFields,
  errors: [...routeErrors, 'rest_mail_unavailable'],
  prepare: (context, loaded, { body }, errors) => {
    const occasion = requireEditableOccasion(context, loaded)
    requireRegistrationMailer(context)
    return { occasion, columns: prepareSettings(context, occasion, body, errors) }
  },
  handle: async (context, { prepared: { occasion, columns } }) => {
    await writeSettings(context, occasion, columns)
    // The settings are already written: only this is repeated.
    await retryConflicts(async () => {
      const written = await context.db.read(selectOccasionByEvent(occasion.event.id))
      await updateTickets(context, requireManagedOccasion(context, written))
    })
    return registrationReply(context, occasion)
  },
})

const answerQuestions = defineWrite({
  ...managedRoute,
  methods: ['POST'],
  path: `${REGISTRATION}/answer`,
  summary: 'Answer what the source of an event with registrations asks',
  body: schema.sourceAnswerFields,
  complete: true,
  errors: [...routeErrors, 'rest_registration_asked'],
  handle: async (context, { prepared: occasion, body }) => {
    await answerSource(context, occasion, body)
    return registrationReply(context, occasion)
  },
})

const deleteRegistration = defineWrite({
  ...managedRoute,
  methods: ['DELETE'],
  summary: 'End registration for an event: the people are told and erased',
  query: schema.confirmParam,
  responses: { 200: schema.removedSchema },
  errors: [...routeErrors, 'rest_registration_people'],
  load: (_, { id }) =>
    combineQueries({
      occasion: selectOccasionByEvent(id),
      count: people.selectPeopleCount(registrationOf(sql`${id}`)),
      unconfirmed: people.selectUnconfirmedCount(registrationOf(sql`${id}`)),
    }),
  prepare: (context, { occasion, count, unconfirmed }, { query: { confirm = 0 } }) => {
    const managedOccasion = requireManagedOccasion(context, occasion)
    if (count !== confirm)
      throw new ApiError(
        'rest_registration_people',
        `People have registered: \`confirm=${count}\` notifies and erases them.${unconfirmed > 0 ? ` It also erases those who have not confirmed: ${unconfirmed}.` : ''}`,
        { people: count, unconfirmed },
      )
    return managedOccasion
  },
  handle: async (context, { prepared: occasion, query: { confirm = 0 } }) => {
    await endRegistration(context, occasion, confirm)
    return ok({ removed: confirm })
  },
})

/** The common part of the routes that send anybody an e-mail. The response is the same for every address. */
const firstMailRoute = {
  methods: ['POST'],
  requires: 'read',
  complete: true,
  ignoresCaller: true,
  asksElsewhere: true,
  isNeverBatched: true,
  responses: { 202: schema.askedSchema },
  load,
} as const
const FIRST_MAIL_REPLY = { status: 202, body: { state: 'asked' } } as const

const register = defineWrite({
  ...firstMailRoute,
  path: PEOPLE,
  summary: 'Register for an event; the person confirms by e-mail',
  body: schema.registrationFields,
  errors: [
    ...routeErrors,
    'rest_registration_full',
    'rest_registration_closed',
    'rest_registration_mails_used_up',
    'rest_mail_unavailable',
  ],
  prepare: (context, loaded, { body, key }, errors) => {
    requireRegistrationMailer(context)
    const occasion = requireReadableOccasion(context, loaded, key)
    return { occasion, registration: checkRegistration(context, occasion, body, errors) }
  },
  handle: async (context, { prepared: { occasion, registration } }) => {
    await registerPerson(context, occasion, registration)
    return FIRST_MAIL_REPLY
  },
})

const sendLink = defineWrite({
  ...firstMailRoute,
  path: `${PEOPLE}/link`,
  summary: 'Send a registrant the link to their page again',
  body: schema.emailFields,
  errors: [...routeErrors, 'rest_registration_mails_used_up', 'rest_mail_unavailable'],
  prepare: (context, loaded, { key }) => {
    requireRegistrationMailer(context)
    return requireReadableOccasion(context, loaded, key)
  },
  handle: async (context, { prepared: occasion, body: { email } }) => {
    await resendLink(context, occasion, email)
    return FIRST_MAIL_REPLY
  },
})

const listPeople = defineList({
  id: 'RegistrantList',
  plural: 'registrations',
  path: PEOPLE,
  summary: 'List the people who have registered for an event',
  requires,
  isUncached: true,
  item: schema.registrantSchema,
  params: plainList,
  noPage: 'registrant-archive-page-not-found',
  errors: routeErrors,
  owner: {
    selectById: selectOccasionByEvent,
    requireRow: (occasion, context) => requireManagedOccasion(context, occasion),
  },
  select: (_, { id, page }) =>
    mapQuery(people.selectPeople(registrationOf(sql`${id}`), page), rows => ({
      ...rows,
      headers: NO_STORE,
    })),
  serialize: (_, rows) => rows.map(serializePerson),
})

const exportPeople = defineRead({
  path: `${PEOPLE}.csv`,
  summary: 'Export the people who have registered for an event as a spreadsheet',
  requires,
  isUncached: true,
  produces: SHEET_TYPE,
  query: schema.sheetParams,
  responses: { 200: z.string() },
  errors: routeErrors,
  load: (_, { id }) => people.selectSheet(id),
  prepare: (context, { occasion, rows }) => ({ occasion: requireManagedOccasion(context, occasion), rows }),
  handle: (context, { prepared: { occasion, rows }, query: { language } }) =>
    ok(serializeSheet(context, occasion, rows, language), {
      ...NO_STORE,
      'Content-Disposition': `attachment; filename="${SHEET_FILE}"`,
    }),
})

const enterPerson = defineWrite({
  ...managedRoute,
  methods: ['POST'],
  path: `${PEOPLE}/by-hand`,
  summary: 'Enter somebody who has registered by telephone',
  body: schema.byHandFields,
  complete: true,
  isNeverBatched: true,
  responses: { 201: schema.enteredSchema },
  headers: LOCATION,
  errors: [...routeErrors, 'rest_registration_full'],
  handle: async (context, { prepared: occasion, body }) => {
    const { language } = context.settings.website
    const entered = await people.enterPerson(context, occasion, { ...body, language })
    return createdReply({ body: entered, version: 1 }, `${context.api}/registrations/${entered.id}`)
  },
})

const personRoute = {
  path: '/registrations/{id}',
  requires,
  isNeverBatched: true,
  responses: { 200: schema.registrantSchema },
  errors: ['rest-registrant-not-found'],
  load: (context: BaseContext, { id }: { id: number }) =>
    combineQueries({
      person: people.selectPerson(id),
      occasion: selectOccasionOfPerson(context, id),
    }),
  prepare: (
    context: BaseContext,
    { person, occasion }: { person: RegistrantRow | undefined; occasion: Occasion | undefined },
  ) => ({ person: people.requirePerson(person), occasion: requireManagedOccasion(context, occasion) }),
} as const

const changePerson = defineWrite({
  ...personRoute,
  // Not POST, because an `Idempotency-Key` would keep its response.
  methods: ['PATCH', 'PUT'],
  summary: 'Change a registrant',
  body: schema.registrantFields,
  errors: [...personRoute.errors, 'rest_registration_full'],
  handle: async (context, { prepared: { person, occasion }, body }) =>
    ok(serializePerson(await people.changePerson(context, occasion, person, body))),
})

const removePerson = defineWrite({
  ...personRoute,
  methods: ['DELETE'],
  summary: 'Remove a registrant, and tell them by e-mail',
  handle: async (context, { prepared: { person, occasion } }) => {
    await people.removePerson(context, occasion, person)
    return ok(serializePerson(person))
  },
})

const emailRoute = {
  methods: ['POST'],
  requires: 'manage_registrants',
  body: schema.emailFields,
  complete: true,
  isNeverBatched: true,
} as const

const findEmail = defineWrite({
  ...emailRoute,
  path: '/registrations/find',
  summary: 'Look up which events an e-mail address is registered for',
  responses: { 200: schema.foundSchema },
  handle: async (context, { body }) => ok({ events: await people.findEmail(context, body.email) }),
})

/** The route that erases an address, also while the feature is switched off. */
export const eraseRegistrantRoute = defineWrite({
  ...emailRoute,
  path: '/registrations/erase',
  summary: 'Erase an e-mail address from all registrations',
  responses: { 200: schema.erasedSchema },
  handle: async (context, { body }) => ok({ erased: await people.eraseEmail(context, body.email) }),
})

/** The routes of registrations. Addresses with an ending come first. */
export const registrationRoutes: Route[] = [
  exportPeople,
  readRegistration,
  changeRegistration,
  answerQuestions,
  deleteRegistration,
  listPeople,
  sendLink,
  enterPerson,
  register,
  findEmail,
  eraseRegistrantRoute,
  changePerson,
  removePerson,
]
