import type { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { honoPath, type Route } from '../../http/route.ts'
import { describePath, pathsOf } from './index-route.ts'
import { memoised } from './memo.ts'

/** The `Allow` header: HEAD comes with GET, and OPTIONS always. */
const allowed = (methods: readonly string[]): string =>
  [...methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')

/** Mounts OPTIONS on every path, which lists its methods and describes them as the index does. */
export function mountOptions(app: Hono<AppEnv>, routes: readonly Route[]): void {
  for (const path of pathsOf(routes)) {
    const describe = memoised(context => describePath(path, routes, context))
    app.options(honoPath(path), c => {
      const description = describe(c.get('context'))
      return c.json(description, 200, { Allow: allowed(description.methods) })
    })
  }
}
