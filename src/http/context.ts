import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../env.ts'
import { formatInstant } from '../lib/time.ts'
import type { Settings } from '../settings.ts'
import { bucketOf } from './bucket.ts'
import { countWrites, networkOfRequest } from './limits.ts'

/**
 * Sets `context`. Links have the namespace of the request.
 *
 * @param namespace path of the API without slashes at either end
 */
export const requestContext = (namespace: string, settings: Settings) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { origin, host } = new URL(c.req.url)
    const site = settings.siteUrl ?? origin
    c.set('context', {
      db: c.get('db'),
      caller: c.get('caller'),
      epoch: c.get('epoch'),
      requestId: c.get('requestId'),
      network: networkOfRequest(c.req.raw),
      media: bucketOf(c.env.MEDIA),
      images: c.env.IMAGES,
      parts: c.get('parts'),
      dispatch: c.get('dispatch'),
      countWrites: count => countWrites(c, count),
      now: formatInstant(Date.now()),
      settings,
      ifMatch: c.req.header('if-match'),
      ifNoneMatch: c.req.header('if-none-match'),
      site,
      host: settings.siteUrl === undefined ? host : new URL(site).host,
      api: `${origin}/${namespace}`,
    })
    await next()
  })
