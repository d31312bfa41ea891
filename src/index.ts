import { createApp } from './app.ts'
import { runCron } from './cron.ts'
import type { Bindings } from './env.ts'
import { type Settings, settingsOf } from './settings.ts'

const apps = new WeakMap<Settings, ReturnType<typeof createApp>>()

function appOf(settings: Settings): ReturnType<typeof createApp> {
  const app = apps.get(settings) ?? createApp(settings)
  apps.set(settings, app)
  return app
}

export default {
  fetch: (request, env, context) => appOf(settingsOf(env)).fetch(request, env, context),
  scheduled: (controller, env, context?: ExecutionContext) =>
    runCron(env, controller.scheduledTime, context?.cache),
} satisfies ExportedHandler<Bindings>
