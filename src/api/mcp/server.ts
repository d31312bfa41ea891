import type { Context } from 'hono'
import type { AppEnv } from '../../env.ts'
import { replyToError } from '../../http/errors.ts'
import { ApiError } from '../../lib/errors.ts'
import { may } from '../../lib/roles.ts'
import type { Json } from '../../lib/values.ts'
import { apiFor } from './api.ts'
import { library } from './library.ts'
import { object, type Tool, ToolError } from './tool.ts'
import { getEvent } from './tools/get-event.ts'
import { listCategories, listVenues } from './tools/lists.ts'
import { searchEvents } from './tools/search-events.ts'
import { createDraft, updateEvent } from './tools/writes.ts'
import { NOTICE } from './words.ts'

const TOOLS: readonly Tool[] = [searchEvents, getEvent, listVenues, listCategories, createDraft, updateEvent]

export const VERSION = '1.0.0'

/** A tool as the protocol describes it. */
const described = ({ name, title, description, requires, args, required = [], fields }: Tool) => {
  const reads = requires === 'read'
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
    outputSchema: { ...object(fields), type: 'object' as const },
    annotations: {
      title,
      readOnlyHint: reads,
      destructiveHint: name === updateEvent.name,
      idempotentHint: reads || name === updateEvent.name,
      openWorldHint: false,
    },
  }
}

const failed = (message: string) => ({ content: [{ type: 'text' as const, text: message }], isError: true })

/** Calls a tool. What is wrong with the call is an answer, because the model is to repair it. */
async function call(c: Context<AppEnv>, tool: Tool, args: Json) {
  const context = c.get('context')
  if (!may(context.caller, tool.requires))
    return failed(
      context.caller.id === 0
        ? `${tool.name} needs a login: an Authorization header with an application password, Basic or Bearer.`
        : `The role ${context.caller.role} may not do this.`,
    )
  const unknown = Object.keys(args).filter(name => !Object.hasOwn(tool.args, name))
  const known = Object.keys(tool.args).join(', ')
  if (unknown.length > 0)
    return failed(`Unknown arguments: ${unknown.slice(0, 10).join(', ').slice(0, 200)}. There are ${known}.`)
  try {
    const { structured, text } = await tool.run({ context, api: apiFor(c) }, args)
    return { content: [{ type: 'text' as const, text }], structuredContent: structured }
  } catch (error) {
    if (error instanceof ToolError || error instanceof ApiError) return failed(error.message)
    const { body } = replyToError(
      error instanceof Error ? error : new Error(String(error)),
      context.requestId,
    )
    return failed(String(Object(body).message))
  }
}

/** Serves one request of the protocol. @param body the JSON of the request */
export async function serve(c: Context<AppEnv>, body: unknown): Promise<Response> {
  const { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } = await library()
  const { settings, caller, site } = c.get('context')
  const tools = TOOLS.filter(({ requires }) => may(caller, requires))
  const make = () => {
    const server = new Server(
      { name: 'event-calendar', title: settings.siteName, version: VERSION, websiteUrl: `${site}/` },
      {
        capabilities: { tools: {} },
        instructions: `The public calendar «${settings.siteName}». Its time zone is ${settings.timezone}. Begin with search_events; give people the addresses of events. ${NOTICE}`,
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: tools.map(described) }))
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
      const tool = TOOLS.find(tool => tool.name === name)
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool of this name.`)
      return call(c, tool, args)
    })
    return server
  }
  const handler = createMcpHandler(make, { keepAliveMs: 0, maxSubscriptions: 0 })
  return handler.fetch(c.req.raw, { parsedBody: body })
}
