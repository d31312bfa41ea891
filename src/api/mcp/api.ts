import type { Context, Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { respondToError } from '../../http/errors.ts'
import { dispatch } from '../../http/many-writes.ts'
import { newApp } from '../../http/routing.ts'
import type { Json } from '../../lib/values.ts'
import { isObject, scalarText } from '../../lib/values.ts'
import { eventRoutes } from '../../resources/events/routes.ts'
import { categoryRoutes } from '../../resources/terms/routes.ts'
import { venueRoutes } from '../../resources/venues/routes.ts'
import { type Api, type ParameterNames, ToolError } from './tool.ts'

/** Routes that tools read by. */
const ROUTES = [...eventRoutes, ...venueRoutes, ...categoryRoutes].filter(({ methods }) =>
  methods.includes('GET'),
)

/** The request of an agent that a request of the API is made for. */
const origins = new WeakMap<Request, Context<AppEnv>>()

/** An app of the routes that read, for requests that share what is known of the agent's. */
function makeReader(): Hono<AppEnv> {
  const app = newApp()
  app.onError(respondToError)
  app.use((c, next) => {
    const from = origins.get(c.req.raw)
    if (from)
      for (const name of ['db', 'caller', 'context', 'requestId'] as const) c.set(name, from.get(name))
    return next()
  })
  for (const route of ROUTES) route.mount(app)
  return app
}

let reader: Hono<AppEnv> | undefined

/** The requests of the API that tools make for an agent. */
export function apiFor(c: Context<AppEnv>): Api {
  const context = c.get('context')
  const { origin } = new URL(context.api)
  return {
    read: async (path, query, names = {}) => {
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined || value === null ? [] : [[name, scalar(name, value, names)]],
      )
      const fetched = async (address: string): Promise<Response> => {
        const request = new Request(address)
        origins.set(request, c)
        reader ??= makeReader()
        return reader.fetch(request, c.env)
      }
      const first = await fetched(`${origin}${path}?${new URLSearchParams(given)}`)
      // Agents want what is there in its place.
      const next = first.headers.get('location')
      const response = next === null ? first : await fetched(next.replace(context.api, origin))
      return told(response.status, await response.json(), names)
    },
    write: async (request, options) => {
      await context.countWrites?.(1)
      const { replies } = await dispatch({ ...context, ...options }, [request])
      const [reply] = replies
      return told(reply?.status ?? 500, reply?.body, {})
    },
  }
}

/** The text of an argument in a query. @throws ToolError */
function scalar(name: string, value: unknown, names: ParameterNames): string {
  const text = Array.isArray(value) ? undefined : scalarText(value)
  if (text === undefined)
    throw new ToolError(`${names[name] ?? name} must be a text, a number or true or false`)
  return text
}

/** The body of a response. @throws ToolError for one that tells of an error, with the names of arguments */
function told(status: number, body: unknown, names: ParameterNames): Json {
  if (status < 300 && isObject(body)) return body
  const { message, data } = isObject(body) ? body : {}
  const params = isObject(data) ? data.params : undefined
  if (Array.isArray(params))
    throw new ToolError(`Missing: ${params.map(name => names[name] ?? name).join(', ')}`)
  const reasons = Object.entries(isObject(params) ? params : {}).map(
    ([name, reason]) => `${names[name] ?? name}: ${reason}`,
  )
  throw new ToolError(reasons.length > 0 ? reasons.join('\n') : String(message ?? 'Something went wrong.'))
}
