import { createApp, dispatchWith } from './app.ts'
import { runCron } from './cron.ts'
import { type IncomingMail, NO_MAILS, switchedOn } from './feature.ts'
import { FEATURES } from './features.ts'
import { contextAt, type RequestContext } from './kit/context.ts'
import { primaryDatabase } from './kit/db/database.ts'
import { assertNotRestoring, findRestoreProgress } from './kit/db/readiness.ts'
import type { Bindings } from './kit/env.ts'
import { type LoggedMail, logMail } from './kit/http/log.ts'
import { partsOfBindings, workAfterResponse } from './kit/http/request-context.ts'
import { readSettings } from './kit/http/stored-settings.ts'
import { Clock } from './kit/lib/clock.ts'
import { ApiError } from './kit/lib/errors.ts'
import { memoizeByObject } from './kit/lib/memo.ts'
import { ANONYMOUS } from './kit/lib/roles.ts'
import { NAMESPACE, settingsOf } from './kit/settings.ts'
import { asError, logError } from './kit/work/error-log.ts'

const appOf = memoizeByObject(createApp)

/**
 * The response if a var is invalid. Only the log names the var: a calendar should not run with guessed
 * settings.
 */
function misconfiguredResponse(error: unknown): Response {
  console.error(JSON.stringify({ id: 'settings', error: String(error) }))
  const message = 'A setting of this calendar is wrong. Its log says which one, and what would be right.'
  const body = { code: 'rest_internal_error', message, data: { status: 500 } }
  return Response.json(body, { status: 500, headers: { 'Cache-Control': 'no-store' } })
}

export default {
  fetch: (request, env, context) => {
    let app: ReturnType<typeof createApp>
    try {
      app = appOf(settingsOf(env))
    } catch (error) {
      return misconfiguredResponse(error)
    }
    return app.fetch(request, env, context)
  },
  scheduled: (controller, env, context?: ExecutionContext) =>
    runCron(env, controller.scheduledTime, context?.cache),
  email: (message, env, context?: ExecutionContext) => takeMail(message, env, context),
} satisfies ExportedHandler<Bindings>

/**
 * The start of addresses where `SITE_URL` is not set. Replies to senders first check whether it is set, and
 * if not, name no address (features/inbox/reply.ts).
 */
const NOWHERE = 'https://localhost'

/**
 * Takes an e-mail that Email Routing leads to the Worker. Its sender has no account here, and may do what
 * visitors may do.
 *
 * @throws Error for a failure after which another attempt may succeed: the platform then asks the other side
 *   to try again. The error's message reveals nothing about the e-mail
 */
async function takeMail(message: IncomingMail, env: Bindings, execution?: ExecutionContext): Promise<void> {
  const id = crypto.randomUUID()
  const startMs = performance.now()
  let context: RequestContext | undefined
  const log = (outcome: Pick<LoggedMail, 'outcome' | 'reason' | 'events'>) =>
    logMail({
      id,
      bytes: message.rawSize,
      ms: performance.now() - startMs,
      metrics: context?.db.metrics,
      ...outcome,
    })
  try {
    context = await contextOf(env, id, execution)
    const take = switchedOn(FEATURES, context.settings).find(({ email }) => email)?.email
    if (!take) message.setReject(NO_MAILS)
    const taken = take ? await take(context, message) : { refused: 'switched_off' }
    log(
      'events' in taken
        ? { outcome: 'taken', events: taken.events }
        : { outcome: 'refused', reason: taken.refused },
    )
  } catch (thrown) {
    const error = asError(thrown)
    logError(id, error)
    log({ outcome: 'again', reason: error instanceof ApiError ? error.code : error.name })
    throw new Error('This e-mail could not be accepted. Please send it again later.')
  }
}

/** @throws ApiError while the calendar is being restored; Error for settings that are wrong */
async function contextOf(
  env: Bindings,
  requestId: string,
  execution?: ExecutionContext,
): Promise<RequestContext> {
  const db = primaryDatabase(env.DB)
  assertNotRestoring({ restoring: await findRestoreProgress(db) })
  const settings = await readSettings(db, settingsOf(env))
  return {
    ...contextAt(settings, `${settings.siteUrl ?? NOWHERE}/${NAMESPACE}`),
    ...partsOfBindings(env, settings),
    db,
    caller: ANONYMOUS,
    requestId,
    dispatch: dispatchWith(settings),
    clock: new Clock(Date.now()),
    countWrites: async () => {},
    afterResponse: work => workAfterResponse(execution, requestId, work),
    databaseSecret: undefined,
    network: undefined,
    files: undefined,
    ifMatch: undefined,
    ifNoneMatch: undefined,
  }
}
