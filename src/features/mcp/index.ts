import type { Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { defineFeature } from '../../feature.ts'
import type { BaseContext } from '../../kit/context.ts'
import type { AppEnv } from '../../kit/env.ts'
import { asAnonymous, authenticate, confirmCaller } from '../../kit/http/auth.ts'
import { FOR_EVERYBODY, FOR_WRITERS, readJsonObject } from '../../kit/http/body.ts'
import { replyToError } from '../../kit/http/error-replies.ts'
import { newApp, requestContext } from '../../kit/http/request-context.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { isLocalHost } from '../../kit/lib/network.ts'
import { may } from '../../kit/lib/roles.ts'
import { asObject } from '../../kit/lib/values.ts'
import { NAMESPACE, type Settings, VERSION } from '../../kit/settings.ts'
import type { HeadLink } from '../../site/html/slots.ts'
import { serve } from './server.ts'

const PATH = '/mcp'

/**
 * Refuses requests from pages of other origins, as the protocol demands. In an attack by DNS rebinding, a
 * host name that points to this service makes its pages same-origin, so only origins in the settings and the
 * local machine count.
 */
const checkOrigin = ({ siteUrl, allowedOrigins }: Settings) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const origin = c.req.header('origin')
    if (origin === undefined || allowedOrigins.includes(origin)) return next()
    const isSameOrigin = siteUrl !== undefined && origin === new URL(siteUrl).origin
    const isLocal = URL.canParse(origin) && isLocalHost(new URL(origin).hostname)
    if (isSameOrigin || isLocal) return next()
    throw new ApiError('rest_forbidden', 'Pages from this origin may not call tools here.')
  })

/** Error codes of JSON-RPC 2.0, and one of our own for other errors. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const OTHER_ERROR = -32000

const jsonRpcError = (code: number, message: string) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
})

/** An error of the API in the form of the protocol. */
function respondToError(error: Error, c: Context<AppEnv>): Response {
  const { status, headers, body } = replyToError(error, c.get('requestId'))
  for (const [name, value] of Object.entries(headers ?? {})) c.header(name, value)
  const { code, message } = asObject(body)
  return c.json(
    jsonRpcError(code === 'rest_invalid_json' ? PARSE_ERROR : OTHER_ERROR, String(message)),
    status,
  )
}

/** Responds to other methods: a server without sessions has no streams to open or end. */
const methodNotAllowed = (c: Context<AppEnv>): Response =>
  c.json(jsonRpcError(OTHER_ERROR, 'Method not allowed: send POST.'), 405, {
    Allow: 'POST',
    'Cache-Control': 'no-store',
  })

async function respond(c: Context<AppEnv>): Promise<Response> {
  // The list of tools depends on the role, and tools send requests of their own.
  await confirmCaller(c)
  const isJson = /^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '')
  const mayWrite = may(c.get('caller'), 'edit_content')
  const limits = mayWrite ? FOR_WRITERS : { ...FOR_WRITERS, values: FOR_EVERYBODY.values }
  const body = isJson ? await readJsonObject(c.req.raw, limits) : undefined
  // Revisions since June 2025 have no batches: one request cannot make many writes.
  if (isJson && !body) return c.json(jsonRpcError(INVALID_REQUEST, 'The body must be one message.'), 400)
  return serve(c, body)
}

const CARD_TYPE = 'application/mcp-server-card+json'
const CARD_PATH = `${PATH}/server-card`

/**
 * The server card (https://github.com/modelcontextprotocol/experimental-ext-server-card, a draft in November
 * 2026).
 */
const card = ({ site, host, settings }: BaseContext) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: `${reversedHost(host)}/event-calendar`,
  version: VERSION,
  title: settings.siteName.slice(0, 100),
  description: 'Search the events of this calendar; with a password, draft and change them.',
  websiteUrl: `${site}/`,
  remotes: [{ type: 'streamable-http', url: `${site}${PATH}` }],
})

const withoutPort = (host: string): string => host.replace(/:\d+$/, '')

/** `cal.example.org` → `org.example.cal`. */
const reversedHost = (host: string): string =>
  withoutPort(host)
    .replace(/[^\w.-]/g, '')
    .split('.')
    .reverse()
    .join('.')

const cardLink = ({ settings }: BaseContext): HeadLink[] =>
  settings.mcp ? [{ rel: 'service-desc', type: CARD_TYPE, href: CARD_PATH }] : []

/** Mounts the Model Context Protocol on an app, and the documents through which clients find it. */
function mountMcp(app: Hono<AppEnv>, settings: Settings): void {
  if (!settings.mcp) return
  const setContext = requestContext(NAMESPACE)
  const server = newApp()
  server.onError(respondToError)
  server.use(checkOrigin(settings), authenticate, setContext)
  server.post('/', respond)
  server.all('/', methodNotAllowed)
  app.route(PATH, server)
  for (const path of [CARD_PATH, '/.well-known/mcp/server-card.json'])
    app.get(path, asAnonymous, setContext, c =>
      c.body(JSON.stringify(card(c.get('context'))), 200, { 'Content-Type': CARD_TYPE }),
    )
  app.get('/.well-known/ai-catalog.json', asAnonymous, setContext, c => {
    const { site, host } = c.get('context')
    const entry = {
      identifier: `urn:air:${withoutPort(host)}:mcp:event-calendar`,
      type: CARD_TYPE,
      url: `${site}${CARD_PATH}`,
    }
    return c.body(JSON.stringify({ specVersion: '1.0', entries: [entry] }), 200, {
      'Content-Type': 'application/ai-catalog+json',
    })
  })
}

/** Tools for agents, by the Model Context Protocol. */
export const mcpFeature = defineFeature({ name: 'mcp', mount: mountMcp, headLinks: cardLink })
