import { combineQueries } from '../../../kit/db/query.ts'
import { defineRead } from '../../../kit/http/define-read.ts'
import { defineWrite } from '../../../kit/http/define-write.ts'
import { ok } from '../../../kit/http/reply.ts'
import type { Route } from '../../../kit/http/route.ts'
import { requireNewsMailer } from './limits.ts'
import {
  lookUpFields,
  numbersSchema,
  subscriberAskedSchema,
  subscriberErasedSchema,
  subscriberFields,
  subscriberFoundSchema,
} from './schema.ts'
import { checkAddress, checkChoice, selectKnownChoice, takeSubscriber } from './subscribe.ts'
import { eraseSubscriber, findSubscriber, selectNumbers } from './subscribers.ts'

const requires = 'manage_subscribers'
const mailErrors = ['rest_mail_unavailable'] as const

const signUp = defineWrite({
  methods: ['POST'],
  path: '/subscribers',
  summary: 'Sign up an e-mail address for news, which its owner confirms',
  requires: 'read',
  body: subscriberFields,
  complete: true,
  ignoresCaller: true,
  asksElsewhere: true,
  responses: { 202: subscriberAskedSchema },
  errors: mailErrors,
  load: (context, { body }) => combineQueries({ known: selectKnownChoice(context, body.choice ?? {}) }),
  prepare: (context, { known }, { body }, errors) => {
    requireNewsMailer(context)
    checkChoice(body.choice ?? {}, known, errors)
    checkAddress(context, body.email ?? '', errors)
  },
  handle: async (context, { body }) => {
    const { choice = {}, language = context.settings.website.language, ...asked } = body
    await takeSubscriber(context, { ...asked, choice, language })
    return { status: 202 as const, body: { state: 'asked' as const } }
  },
})

const numbers = defineRead({
  path: '/subscribers',
  summary: 'Read how many people get news',
  requires,
  isUncached: true,
  responses: { 200: numbersSchema },
  errors: mailErrors,
  load: context => selectNumbers(context),
  handle: (context, { prepared }) => {
    requireNewsMailer(context)
    return ok(
      prepared ?? { confirmed: 0, unconfirmed: 0, choices: 0, first_mails: 0, waiting: 0, left_out: 0 },
    )
  },
})

// Addresses are in bodies, because logs know the addresses of requests. Subscribers can be found and erased
// even after news is switched off.

const find = defineWrite({
  methods: ['POST'],
  path: '/subscribers/find',
  summary: 'Look up whether an e-mail address gets news',
  requires,
  body: lookUpFields,
  complete: true,
  responses: { 200: subscriberFoundSchema },
  handle: async (context, { body }) => ok(await findSubscriber(context, body.email)),
})

/** The route that erases an address, also while the feature is switched off. */
export const eraseSubscriberRoute = defineWrite({
  methods: ['POST'],
  path: '/subscribers/erase',
  summary: 'Erase an e-mail address that gets news',
  requires,
  body: lookUpFields,
  complete: true,
  responses: { 200: subscriberErasedSchema },
  handle: async (context, { body }) => ok({ erased: await eraseSubscriber(context, body.email) }),
})

export const newsRoutes: Route[] = [signUp, numbers, find, eraseSubscriberRoute]
