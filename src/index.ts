import { forgetExpired } from './admin/sessions/cleaning.ts'
import { createApp } from './app.ts'
import { publishDue } from './content/schedule.ts'
import { forgetValues } from './db/audit-cleaning.ts'
import { Database } from './db/database.ts'
import { isDailyLimit } from './db/failures.ts'
import { isTimeToOptimize, optimize } from './db/optimize.ts'
import type { Bindings } from './env.ts'
import { extendSeries } from './events/recurrence/extend.ts'
import { forgetKeys } from './http/idempotency.ts'
import { attempt, logError } from './http/log.ts'
import { cleanMedia } from './media/cleaning.ts'
import { type Settings, settingsOf } from './settings.ts'
import { selectChangedEvents } from './sources/twins/due.ts'
import { findTwins } from './sources/twins/find.ts'
import { hasSourceDue, readSources } from './sources/work/run.ts'
import { cleanSubmissions } from './submissions/cleaning.ts'
import { forgetDeliveries, isTimeToForget } from './webhooks/cleaning.ts'
import { tellWebhooks } from './webhooks/run.ts'

const apps = new WeakMap<Settings, ReturnType<typeof createApp>>()

function appOf(settings: Settings): ReturnType<typeof createApp> {
  const app = apps.get(settings) ?? createApp(settings)
  apps.set(settings, app)
  return app
}

/** Messages to webhooks that a run of the cron may send: the free plan allows 50 subrequests and 10 ms of CPU. */
const MESSAGES_A_MINUTE = 30
const MOST_REQUESTS = 48

/** Compares what was written since with what there is. */
async function findDueTwins(db: Database, settings: Settings, nowMs: number): Promise<void> {
  const [due] = await db.get(selectChangedEvents(1))
  if (due) await findTwins({ db, settings, nowMs })
}

/** Cleaning up: what is not done in this minute is done in the next one. */
async function tidy(db: Database, { MEDIA }: Bindings, nowMs: number): Promise<void> {
  await attempt('kept responses', () => forgetKeys(db, nowMs))
  await attempt('sessions', () => forgetExpired(db, nowMs))
  await attempt('submissions', () => cleanSubmissions(db, nowMs))
  await attempt('values of the audit', () => forgetValues(db, nowMs))
  await attempt('series', () => extendSeries(db, nowMs))
  if (isTimeToOptimize(nowMs)) await attempt('statistics', () => optimize(db))
  await cleanMedia(db, MEDIA, nowMs)
  if (isTimeToForget(nowMs)) await attempt('old deliveries', () => forgetDeliveries(db, nowMs))
}

/** The work of the cron trigger. What fails stays due, and is done the next time; it keeps nothing else from being done. */
async function scheduled(env: Bindings, nowMs: number): Promise<void> {
  const db = new Database(env.DB)
  const settings = settingsOf(env)
  await publishDue(db, nowMs)
  // A piece of a calendar takes most of the statements that an invocation may make, so that has every second minute.
  const isForSources = new Date(nowMs).getUTCMinutes() % 2 === 0
  let requests = 0
  if (isForSources && (await hasSourceDue(db, nowMs).catch(() => false)))
    await attempt('sources', async () => {
      requests = await readSources({ db, settings, nowMs })
    })
  else {
    await attempt('twins', () => findDueTwins(db, settings, nowMs))
    await tidy(db, env, nowMs)
  }
  const messages = Math.min(MESSAGES_A_MINUTE, MOST_REQUESTS - requests)
  // The last, since it waits for others.
  await attempt('webhooks', () => tellWebhooks({ db, settings, nowMs, messages }))
}

/** The run of a minute, which ends with one line in the log if the database does no more today. */
async function runMinute(env: Bindings, nowMs: number): Promise<void> {
  try {
    await scheduled(env, nowMs)
  } catch (error) {
    if (!(error instanceof Error) || !isDailyLimit(error)) throw error
    logError('cron', error)
  }
}

export default {
  fetch: (request, env, context) => appOf(settingsOf(env)).fetch(request, env, context),
  scheduled: (controller, env) => runMinute(env, controller.scheduledTime),
} satisfies ExportedHandler<Bindings>
