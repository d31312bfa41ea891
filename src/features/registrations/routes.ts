import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { RequestContext } from '../../context.ts'
import { type Query, settled, together } from '../../db/query.ts'
import { idOf, type Key } from '../../http/input.ts'
import { LIST_HEADERS, pageOf, positionOf } from '../../http/lists.ts'
import { lazyObject } from '../../http/params.ts'
import { created, LOCATION, ok } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { csvRow } from '../../lib/csv.ts'
import { ApiError } from '../../lib/errors.ts'
import { mayEdit } from '../../lib/roles.ts'
import { statusAt } from '../../lib/statuses.ts'
import { readable } from '../../resources/content/visibility.ts'
import { EVENTS } from '../../resources/events/resource.ts'
import type { RegistrantRow } from './links.ts'
import {
  assertRegistration,
  type Occasion,
  type OpenOccasion,
  occasionByEvent,
  occasionById,
  registrationOf,
} from './occasion.ts'
import {
  assertPerson,
  changePerson,
  checkRegistration,
  countAsked,
  enter,
  eraseAddress,
  findAddress,
  register,
  removePerson,
  selectPeople,
  selectPerson,
  selectSheet,
  sendLink,
} from './people.ts'
import { assertRegistrationOn } from './requirements.ts'
import * as schema from './schema.ts'
import { type OrganizerDetails, serializePerson, serializeRegistration } from './serialize.ts'
import { endRegistration, followPlaces, prepareSettings, writeSettings } from './settings.ts'
import { answer, selectQuestions } from './source-questions.ts'
import { registrants } from './tables.ts'

const NO_STORE = { 'Cache-Control': 'private, no-store' }
const NOT_FOUND = 'rest-registration-not-found'
const NO_PERSON = 'rest-registrant-not-found'
const ONE = '/events/{id}/registration'
const ALL = '/events/{id}/registrations'
const requires = 'edit_content'
const errors = [
  NOT_FOUND,
  'rest-event-not-found',
  'event-not-accessible',
  'event-no-longer-available',
] as const

/** An event that the caller may see, with its registration. @throws ApiError */
function shown(context: RequestContext, occasion: Occasion | undefined, key?: Key): OpenOccasion {
  readable(context, { resource: EVENTS, row: occasion?.event, key })
  if (!occasion) throw new ApiError('rest-event-not-found', 'There is no event of this id.')
  return assertRegistration(occasion)
}

/** Tells whether the caller may read who has registered for an event: whoever may change it. */
export const isOrganizer = ({ caller, now }: RequestContext, { event }: Occasion): boolean =>
  mayEdit(caller, { ...event, status: statusAt(event, now) })

/** An event that the caller may change. @throws ApiError */
export function owned(context: RequestContext, occasion: Occasion | undefined): Occasion {
  if (!occasion) throw new ApiError('rest-event-not-found', 'There is no event of this id.')
  if (!isOrganizer(context, occasion))
    throw new ApiError('rest_forbidden', `The role ${context.caller.role} may not change this event.`)
  return occasion
}

const ownedOpen = (context: RequestContext, occasion: Occasion | undefined): OpenOccasion =>
  assertRegistration(owned(context, occasion))

/** A query of what organizers read besides. */
const selectOwn = (event: number): Query<OrganizerDetails> => {
  const id = registrationOf(sql`${event}`)
  return together({ unconfirmed: countAsked(id), questions: selectQuestions(id) })
}

/** The registration of an event as those see it who may change the event. */
async function shownToOwner(context: RequestContext, id: number) {
  const { occasion, own } = await context.db.read(
    together({ occasion: occasionByEvent(id), own: selectOwn(id) }),
  )
  return ok(serializeRegistration(context, ownedOpen(context, occasion), own), NO_STORE)
}

const read = defineRoute({
  methods: ['GET'],
  path: ONE,
  summary: 'Read whether people can register for an event',
  requires: 'read',
  isUncached: true,
  responses: { 200: schema.registrationSchema },
  errors,
  load: (context, { key }) =>
    together({
      occasion: occasionByEvent(idOf(key)),
      own: context.caller.id === 0 ? settled(undefined) : selectOwn(idOf(key)),
    }),
  prepare: (context, { occasion, own }, { key }) => ({ occasion: shown(context, occasion, key), own }),
  handle: (context, { prepared: { occasion, own } }) =>
    ok(serializeRegistration(context, occasion, isOrganizer(context, occasion) ? own : undefined), NO_STORE),
})

const change = defineRoute({
  methods: ['PUT', 'PATCH', 'POST'],
  path: ONE,
  summary: 'Let people register for an event, or change how',
  requires,
  body: schema.settingFields,
  responses: { 200: schema.registrationSchema },
  errors: [...errors, 'rest_mail_unavailable'],
  load: (_, { key }) => occasionByEvent(idOf(key)),
  prepare: (context, loaded, { body }, found) => {
    const occasion = owned(context, loaded)
    assertRegistrationOn(context)
    return { occasion, columns: prepareSettings(occasion, body, found) }
  },
  handle: async (context, { prepared: { occasion, columns } }) => {
    await writeSettings(context, occasion, columns)
    const { id } = occasion.event
    await followPlaces(context, ownedOpen(context, await context.db.read(occasionByEvent(id))))
    return shownToOwner(context, id)
  },
})

const answerRoute = defineRoute({
  methods: ['POST'],
  path: `${ONE}/answer`,
  summary: 'Answer what the source of an event with people asks',
  requires,
  body: schema.answerFields,
  complete: true,
  responses: { 200: schema.registrationSchema },
  errors,
  load: (_, { key }) => occasionByEvent(idOf(key)),
  prepare: ownedOpen,
  handle: async (context, { prepared: occasion, body: { follow } }) => {
    await answer(context, occasion, follow)
    return shownToOwner(context, occasion.event.id)
  },
})

const end = defineRoute({
  methods: ['DELETE'],
  path: ONE,
  summary: 'End the registration for an event: people are told, and erased',
  requires,
  query: schema.confirmParam,
  responses: { 200: schema.removedSchema },
  errors: [...errors, 'rest_registration_people'],
  load: (_, { key }) =>
    together({
      occasion: occasionByEvent(idOf(key)),
      people: selectPeople(registrationOf(sql`${idOf(key)}`), { page: 1, perPage: 0, offset: 0 }),
    }),
  prepare: (context, { occasion, people }, { query: { confirm = 0 } }) => {
    const open = ownedOpen(context, occasion)
    if (people.total !== confirm)
      throw new ApiError(
        'rest_registration_people',
        `People have registered: \`confirm=${people.total}\` tells and erases them.`,
        {
          people: people.total,
        },
      )
    return open
  },
  handle: async (context, { prepared: occasion, query: { confirm = 0 } }) => {
    await endRegistration(context, occasion, confirm)
    return ok({ removed: confirm }, NO_STORE)
  },
})

const ask = defineRoute({
  methods: ['POST'],
  path: ALL,
  summary: 'Register for an event, which the person confirms',
  requires: 'read',
  body: schema.registrationFields,
  complete: true,
  readsAsAnonymous: true,
  asksElsewhere: true,
  namesPeople: true,
  responses: { 202: schema.askedSchema },
  errors: [
    ...errors,
    'rest_registration_full',
    'rest_registration_closed',
    'rest_registration_mail_failed',
    'rest_registration_mails_used_up',
    'rest_mail_unavailable',
  ],
  load: (_, { key }) => occasionByEvent(idOf(key)),
  prepare: (context, loaded, { body, key }, found) => {
    assertRegistrationOn(context)
    const occasion = shown(context, loaded, key)
    return { occasion, asked: checkRegistration(context, occasion, body, found) }
  },
  handle: async (context, { prepared: { occasion, asked } }) => {
    await register(context, occasion, asked)
    return { status: 202 as const, body: { state: 'asked' as const }, headers: NO_STORE }
  },
})

const link = defineRoute({
  methods: ['POST'],
  path: `${ALL}/link`,
  summary: 'Send somebody who has registered the link to their page again',
  requires: 'read',
  body: schema.addressFields,
  complete: true,
  readsAsAnonymous: true,
  asksElsewhere: true,
  namesPeople: true,
  responses: { 202: schema.askedSchema },
  errors: [...errors, 'rest_mail_unavailable'],
  load: (_, { key }) => occasionByEvent(idOf(key)),
  prepare: (context, loaded, { key }) => {
    assertRegistrationOn(context)
    return shown(context, loaded, key)
  },
  handle: async (context, { prepared: occasion, body: { email } }) => {
    await sendLink(context, occasion, email)
    return { status: 202 as const, body: { state: 'asked' as const }, headers: NO_STORE }
  },
})

const listBody = lazyObject('RegistrantList', () => ({
  registrations: z.array(schema.registrantSchema),
  rest_url: z.string(),
  next_rest_url: z.exactOptional(z.string()),
  previous_rest_url: z.exactOptional(z.string()),
  total: z.int(),
  total_pages: z.int(),
}))

const list = defineRoute({
  methods: ['GET'],
  path: ALL,
  collection: 'registrations',
  summary: 'List the people who have registered for an event',
  requires,
  isUncached: true,
  query: schema.registrantList,
  responses: { 200: listBody },
  headers: LIST_HEADERS,
  errors: [...errors, 'registrant-archive-page-not-found'],
  load: (context, { key, query }) =>
    together({
      occasion: occasionByEvent(idOf(key)),
      page: selectPeople(registrationOf(sql`${idOf(key)}`), pageOf(query, context)),
    }),
  prepare: (context, { occasion, page }) => {
    ownedOpen(context, occasion)
    return page
  },
  handle: (context, input) => {
    const path = ALL.replace('{id}', String(idOf(input.key)))
    const { position, headers } = positionOf(
      context,
      { path, noPage: 'registrant-archive-page-not-found' },
      input,
    )
    return ok(
      { registrations: input.prepared.rows.map(serializePerson), ...position },
      { ...headers, ...NO_STORE },
    )
  },
})

const COLUMNS = ['name', 'email', 'places', 'state', 'answer', 'came', 'created'] as const

const spreadsheet = defineRoute({
  methods: ['GET'],
  path: `${ALL}.csv`,
  summary: 'Export the people who have registered for an event as a spreadsheet',
  requires,
  isUncached: true,
  produces: 'text/csv; charset=utf-8',
  responses: { 200: z.string() },
  errors,
  load: (_, { key }) =>
    together({
      occasion: occasionByEvent(idOf(key)),
      people: selectSheet(registrationOf(sql`${idOf(key)}`)),
    }),
  prepare: (context, { occasion, people }) => {
    ownedOpen(context, occasion)
    return people
  },
  handle: (_, { prepared: people }) => {
    const row = (person: RegistrantRow) => csvRow(COLUMNS.map(name => String(serializePerson(person)[name])))
    // The mark of UTF-8, without which Excel reads the encoding of Windows.
    return ok(`\uFEFF${csvRow([...COLUMNS])}${people.map(row).join('')}`, {
      ...NO_STORE,
      'Content-Disposition': 'attachment; filename="registrations.csv"',
    })
  },
})

const byHand = defineRoute({
  methods: ['POST'],
  path: `${ALL}/by-hand`,
  summary: 'Enter somebody who has registered by telephone',
  requires,
  body: schema.byHandFields,
  complete: true,
  namesPeople: true,
  responses: { 201: schema.enteredSchema },
  headers: LOCATION,
  errors: [...errors, 'rest_registration_full'],
  load: (_, { key }) => occasionByEvent(idOf(key)),
  prepare: ownedOpen,
  handle: async (context, { prepared: occasion, body }) => {
    const entered = await enter(context, occasion, { ...body, language: context.settings.website.language })
    return created(
      { body: entered, version: 1, headers: NO_STORE },
      `${context.api}/registrations/${entered.id}`,
    )
  },
})

const PERSON = '/registrations/{id}'

const ofPerson = {
  path: PERSON,
  requires,
  namesPeople: true,
  responses: { 200: schema.registrantSchema },
  errors: [NO_PERSON],
  load: (context: RequestContext, { key }: { key: Key }) =>
    together({
      person: selectPerson(idOf(key)),
      occasion: occasionById(
        context,
        sql`(SELECT registration_id FROM ${registrants} WHERE ${registrants.id} = ${idOf(key)})`,
      ),
    }),
  prepare: (
    context: RequestContext,
    { person, occasion }: { person: RegistrantRow | undefined; occasion: Occasion | undefined },
  ) => {
    const found = assertPerson(person)
    return { person: found, occasion: ownedOpen(context, occasion) }
  },
} as const

const changeOne = defineRoute({
  ...ofPerson,
  // No POST, whose response an `Idempotency-Key` would keep.
  methods: ['PATCH', 'PUT'],
  summary: 'Change somebody who has registered',
  body: schema.registrantFields,
  errors: [NO_PERSON, 'rest_registration_full'],
  handle: async (context, { prepared: { person, occasion }, body }) =>
    ok(serializePerson(await changePerson(context, occasion, person, body)), NO_STORE),
})

const removeOne = defineRoute({
  ...ofPerson,
  methods: ['DELETE'],
  summary: 'Remove somebody who has registered, and say so by e-mail',
  handle: async (context, { prepared: { person, occasion } }) => {
    await removePerson(context, occasion, person)
    return ok(serializePerson(person), NO_STORE)
  },
})

const find = defineRoute({
  methods: ['POST'],
  path: '/registrations/find',
  summary: 'Look up for which events an e-mail address has registered',
  requires: 'manage_registrants',
  body: schema.addressFields,
  complete: true,
  namesPeople: true,
  responses: { 200: schema.foundSchema },
  handle: async (context, { body }) => ok({ events: await findAddress(context, body.email) }, NO_STORE),
})

/** The route that erases an address, also while the feature is switched off. */
export const eraseRoute = defineRoute({
  methods: ['POST'],
  path: '/registrations/erase',
  summary: 'Erase an e-mail address from all registrations',
  requires: 'manage_registrants',
  body: schema.addressFields,
  complete: true,
  namesPeople: true,
  responses: { 200: schema.erasedSchema },
  handle: async (context, { body }) => ok({ erased: await eraseAddress(context, body.email) }, NO_STORE),
})

/** The routes of registrations. Addresses with an ending come first. */
export const registrationRoutes: Route[] = [
  spreadsheet,
  read,
  change,
  answerRoute,
  end,
  list,
  link,
  byHand,
  ask,
  find,
  eraseRoute,
  changeOne,
  removeOne,
]
