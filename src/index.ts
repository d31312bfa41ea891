import { createApp } from './app.ts'
import { publishDue } from './content/schedule.ts'
import { Database } from './db/database.ts'
import { isTimeToOptimize, optimize } from './db/optimize.ts'
import type { Bindings } from './env.ts'
import { extendSeries } from './events/recurrence/extend.ts'
import { logError } from './http/log.ts'
import { type Settings, settingsOf } from './settings.ts'

const apps = new WeakMap<Settings, ReturnType<typeof createApp>>()

function appOf(settings: Settings): ReturnType<typeof createApp> {
  const app = apps.get(settings) ?? createApp(settings)
  apps.set(settings, app)
  return app
}

/** The work of the cron trigger. What fails stays due, and is done the next time. */
async function scheduled(db: Database, nowMs: number): Promise<void> {
  await publishDue(db, nowMs)
  await extendSeries(db, nowMs)
  if (isTimeToOptimize(nowMs)) await optimize(db)
}

export default {
  fetch: (request, env, context) => appOf(settingsOf(env)).fetch(request, env, context),
  scheduled: async (controller, env) =>
    scheduled(new Database(env.DB), controller.scheduledTime).catch(error => logError('cron', error)),
} satisfies ExportedHandler<Bindings>
