import { createMiddleware } from 'hono/factory'
import { Database } from '../db/client.ts'
import type { AppEnv } from '../env.ts'

/** Sets `db`: one for the whole request, which counts all that D1 does for it. */
export const openDatabase = createMiddleware<AppEnv>(async (c, next) => {
  c.set('db', new Database(c.env.DB))
  await next()
})
