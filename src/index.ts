import { createApp } from './app.ts'
import { publishDue } from './content/schedule.ts'
import { Database } from './db/database.ts'
import type { Bindings } from './env.ts'
import { logError } from './http/log.ts'
import { type Settings, settingsOf } from './settings.ts'

const apps = new WeakMap<Settings, ReturnType<typeof createApp>>()

function appOf(settings: Settings): ReturnType<typeof createApp> {
  const app = apps.get(settings) ?? createApp(settings)
  apps.set(settings, app)
  return app
}

export default {
  fetch: (request, env, context) => appOf(settingsOf(env)).fetch(request, env, context),
  // What is due stays due: after a failure the next minute publishes it.
  scheduled: async (controller, env) =>
    publishDue(new Database(env.DB), controller.scheduledTime).catch(error => logError('cron', error)),
} satisfies ExportedHandler<Bindings>
