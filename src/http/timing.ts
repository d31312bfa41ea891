import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../env.ts'
import type { Settings } from '../settings.ts'

/** Adds `Server-Timing` with the metrics of D1 if the var `DEBUG_TIMING` is set. Times are milliseconds. */
export const serverTiming = ({ debugTiming }: Settings) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (!debugTiming) return
    const { roundTrips, statements, rowsRead, rowsWritten, sqlMs } = c.get('db').metrics
    const entries = [
      `d1;dur=${sqlMs}`,
      `trips;desc="${roundTrips}"`,
      `statements;desc="${statements}"`,
      `rows-read;desc="${rowsRead}"`,
      `rows-written;desc="${rowsWritten}"`,
    ]
    c.res.headers.set('Server-Timing', entries.join(', '))
  })
