import type { Context, Hono } from 'hono'
import { eventRoutes } from '../../calendar/events/routes.ts'
import { categoryRoutes } from '../../calendar/terms/routes.ts'
import { venueRoutes } from '../../calendar/venues/resource.ts'
import type { AppEnv } from '../../kit/env.ts'
import { dispatch } from '../../kit/http/dispatch.ts'
import { replyToError, respondToError } from '../../kit/http/error-replies.ts'
import { newApp } from '../../kit/http/request-context.ts'
import { OutdatedSettings, updateSettings, withSettings } from '../../kit/http/stored-settings.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { may } from '../../kit/lib/roles.ts'
import { asObject, isObject, type Json, scalarText } from '../../kit/lib/values.ts'
import { type Settings, VERSION } from '../../kit/settings.ts'
import { asError } from '../../kit/work/error-log.ts'
import { NOTICE } from './results.ts'
import { type Api, objectSchema, type ParameterNames, type Tool, ToolError } from './tool.ts'
import { createDraft, getEvent, updateEvent } from './tools/event.ts'
import { listCategories, listVenues, searchEvents } from './tools/lists.ts'

/**
 * The library of the protocol, evaluated at the first call of an agent: evaluated with the Worker, it would
 * make each start 36 ms longer instead of 5 (CPU of workerd). The first call takes some 50 ms of CPU, every
 * later call less than 3.
 */
const importLibrary = () => import('@modelcontextprotocol/server')

/** The read routes that tools use. */
const ROUTES = [...eventRoutes, ...venueRoutes, ...categoryRoutes].filter(({ methods }) =>
  methods.includes('GET'),
)

/**
 * An app of the read routes, whose requests reuse the agent's context.
 *
 * @param note gets the settings that were finally used for a request
 */
function readerFor(agent: Context<AppEnv>, note: (settings: Settings) => void): Hono<AppEnv> {
  const app = newApp()
  app.onError(respondToError)
  app.use(async (c, next) => {
    for (const name of ['db', 'caller', 'context', 'requestId', 'settings'] as const)
      c.set(name, agent.get(name))
    await next()
    note(c.get('settings'))
  })
  for (const route of ROUTES) route.mount(app)
  return app
}

/** The requests of the API that tools make for an agent. */
function apiFor(c: Context<AppEnv>): Api {
  const context = c.get('context')
  const { origin } = new URL(context.api)
  let { settings } = context
  const reader = readerFor(c, last => {
    settings = last
  })
  return {
    read: async (path, query, names = {}) => {
      const givenParams = Object.entries(query).flatMap(([name, value]) =>
        value === undefined || value === null ? [] : [[name, argumentText(name, value, names)]],
      )
      const fetchFrom = async (address: string): Promise<Response> => {
        const response = await reader.fetch(new Request(address), c.env)
        // The tool started with outdated settings, and would show them in its text.
        if (settings !== c.get('settings')) throw new OutdatedSettings(settings)
        return response
      }
      const firstResponse = await fetchFrom(`${origin}${path}?${new URLSearchParams(givenParams)}`)
      // Agents want the resource that replaced the requested one.
      const movedTo = firstResponse.headers.get('location')
      const response =
        movedTo === null ? firstResponse : await fetchFrom(movedTo.replace(context.api, origin))
      return toolBody(response.status, await response.json(), names)
    },
    write: async (request, options) => {
      await context.countWrites(1)
      // People look through what agents have changed, and take some of it back.
      const { replies } = await dispatch({ ...context, ...options, keepsUndo: true }, [request])
      const [reply] = replies
      return toolBody(reply?.status ?? 500, reply?.body, {})
    },
  }
}

/** The value of an argument as text for a query. @throws ToolError */
function argumentText(name: string, value: unknown, names: ParameterNames): string {
  const text = Array.isArray(value) ? undefined : scalarText(value)
  if (text === undefined)
    throw new ToolError(`${names[name] ?? name} must be a text, a number, true or false`)
  return text
}

/** The body of a response. @throws ToolError for an error response, with the names of the arguments */
function toolBody(status: number, body: unknown, names: ParameterNames): Json {
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

const TOOLS: readonly Tool[] = [searchEvents, getEvent, listVenues, listCategories, createDraft, updateEvent]

const toolDescription = ({ name, title, description, requires, args, required = [], fields }: Tool) => {
  const isReadOnly = requires === 'read'
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: args,
      ...(required.length > 0 && { required: [...required] }),
      additionalProperties: false,
    },
    outputSchema: { ...objectSchema(fields), type: 'object' as const },
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: name === updateEvent.name,
      idempotentHint: isReadOnly || name === updateEvent.name,
      openWorldHint: false,
    },
  }
}

const failedResult = (message: string) => ({
  content: [{ type: 'text' as const, text: message }],
  isError: true,
})

/**
 * Calls a tool. A mistake in the call is a normal result, so that the model can correct it. The settings come
 * from the database: reads load them along with their rows.
 */
async function callTool(c: Context<AppEnv>, tool: Tool, args: Json) {
  if (tool.requires !== 'read') await updateSettings(c)
  const context = c.get('context')
  if (!may(context.caller, tool.requires))
    return failedResult(
      context.caller.id === 0
        ? `${tool.name} needs a login: an Authorization header with an application password, Basic or Bearer.`
        : `The role ${context.caller.role} may not do this.`,
    )
  const unknownNames = Object.keys(args).filter(name => !Object.hasOwn(tool.args, name))
  const knownNames = Object.keys(tool.args).join(', ')
  if (unknownNames.length > 0)
    return failedResult(
      `Unknown arguments: ${unknownNames.slice(0, 10).join(', ').slice(0, 200)}. Known arguments: ${knownNames}.`,
    )
  try {
    const { structured, text } = await withSettings(c, () =>
      tool.run({ context: c.get('context'), api: apiFor(c) }, args),
    )
    return { content: [{ type: 'text' as const, text }], structuredContent: structured }
  } catch (error) {
    if (error instanceof ToolError || error instanceof ApiError) return failedResult(error.message)
    const { body } = replyToError(asError(error), context.requestId)
    return failedResult(String(asObject(body).message))
  }
}

/** Serves one request of the protocol. @param body the JSON of the request */
export async function serve(c: Context<AppEnv>, body: unknown): Promise<Response> {
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } = await importLibrary()
  if (asObject(body).method !== 'tools/call') await updateSettings(c)
  const { settings, caller, site } = c.get('context')
  const tools = TOOLS.filter(({ requires }) => may(caller, requires))
  const makeServer = () => {
    const server = new Server(
      { name: 'event-calendar', title: settings.siteName, version: VERSION, websiteUrl: `${site}/` },
      {
        capabilities: { tools: {} },
        instructions: `The public calendar “${settings.siteName}”. Its time zone is ${settings.timezone}. Start with search_events, and give people the addresses of events. ${NOTICE}`,
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: tools.map(toolDescription) }))
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
      const tool = TOOLS.find(each => each.name === name)
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}.`)
      return callTool(c, tool, args)
    })
    return server
  }
  const handler = createMcpHandler(makeServer, { keepAliveMs: 0, maxSubscriptions: 0 })
  return handler.fetch(c.req.raw, { parsedBody: body })
}
