import { createApp } from './app.ts'
import { runCron } from './cron.ts'
import { takeMail } from './email.ts'
import type { Bindings } from './kit/env.ts'
import { type Settings, settingsOf } from './kit/settings.ts'

const apps = new WeakMap<Settings, ReturnType<typeof createApp>>()

function appOf(settings: Settings): ReturnType<typeof createApp> {
  const app = apps.get(settings) ?? createApp(settings)
  apps.set(settings, app)
  return app
}

/** The response of a calendar with a wrong var, which only its log names: it should not run with guessed settings. */
function misconfigured(error: unknown): Response {
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
      return misconfigured(error)
    }
    return app.fetch(request, env, context)
  },
  scheduled: (controller, env, context?: ExecutionContext) =>
    runCron(env, controller.scheduledTime, context?.cache),
  email: (message, env) => takeMail(message, env),
} satisfies ExportedHandler<Bindings>
