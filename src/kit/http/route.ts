import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod/mini'
import type { RequestContext } from '../context.ts'
import type { AppEnv } from '../env.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import { ANONYMOUS, type Capability, may } from '../lib/roles.ts'
import { assertMay, confirmCaller, OutdatedCaller } from './auth.ts'
import { FOR_EVERYBODY, FOR_WRITERS } from './body.ts'
import { type DeclaredInput, parseRequest } from './input.ts'
import { isBytes, type Reply } from './reply.ts'
import type { PlannedWrite } from './shared-writes.ts'
import { withSettings } from './stored-settings.ts'

// What reads (`define-read.ts`) and writes (`define-write.ts`) have in common.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The schemas of successful responses, by status. */
export type Responses = Readonly<Record<number, z.ZodMiniType>>

/**
 * A reply with one of the declared statuses, and the body of that status. Texts may also be bytes of UTF-8.
 */
export type ReplyOf<Declared extends Responses> = {
  [S in keyof Declared & number]: Reply<
    S,
    z.output<Declared[S]> | (z.output<Declared[S]> extends string ? Uint8Array<ArrayBuffer> : never)
  >
}[keyof Declared & number]

/** A schema of fields or parameters with its output type. */
export type FieldsSchema<T> = z.ZodMiniObject & z.ZodMiniType<T>

export type NoFields = Record<never, never>

export type RouteDeclaration<Params = unknown, Declared extends Responses = Responses> = {
  /** Below the namespace, with `{id}`, `{slug}` or `{external_id}` for the part that names a resource. */
  path: string
  summary: string
  /** The subject in documents; by default the first part of the path. */
  subject?: string
  /** The capability that the caller's role needs, which is checked first. */
  requires: Capability
  /** True if every caller counts as an anonymous one, once the credentials are checked. */
  ignoresCaller?: boolean
  query?: FieldsSchema<Params>
  responses: Declared
  /** Headers of successful responses, with their descriptions. */
  headers?: Readonly<Record<string, string>>
  /** Errors of this route alone, besides the errors that every route of its form can have. */
  errors?: readonly ErrorCode[]
}

/** A declared route, to be documented and mounted on an app. */
export type Route = RouteDeclaration & {
  methods: readonly Method[]
  /** The media type of successful responses, if it is not that of JSON. */
  produces?: string
  /** The description of the page that browsers get at the same address. */
  page?: string
  /** The name of the list in the response, if it is one. */
  collection?: string
  /** True if clients may ask for some fields of the response. */
  takesFields?: boolean
  /** True if it responds with the same object until its content changes. */
  isFixed?: boolean
  body?: z.ZodMiniObject
  /** True if required fields of the body must be present. */
  complete?: boolean
  /** The field that gets the whole body if the body is not a form. */
  wholeBody?: string
  mount: (app: Hono<AppEnv>) => void
  /** Responds to a request of this route, at whatever address it came. */
  respond: (c: Context<AppEnv>) => Promise<Response>
  /**
   * Reads a request that writes, without carrying it out. Routes that read have no plan.
   *
   * @throws ApiError `rest_forbidden` if the caller's role may not send it
   */
  plan?: (context: RequestContext, c: Pick<Context, 'req'>) => Promise<PlannedWrite>
}

/** The ending of a path in a pattern. */
const escapedEnding = (ending = ''): string => ending.replace('.', '\\.')

/** A declared path in Hono's notation. */
export const honoPath = (path: string): string =>
  path
    .replace(/\{token\}(\.\w+)?/, (_, ending) => `:token{[0-9a-f]+${escapedEnding(ending)}}`)
    // A pattern takes up its whole part of the path, an ending included.
    .replace(/\{id\}(\.\w+)?/, (_, ending) => `:id{[0-9]+${escapedEnding(ending)}}`)
    .replace(/\{slug\}(\.\w+)/, (_, ending) => `:slug{.+${escapedEnding(ending)}}`)
    .replace('{slug}', ':slug')
    // Ids of other systems have slashes, which some proxies decode.
    .replace('{external_id}', ':external_id{[\\s\\S]+}')
    .replace(/\{(\w+)\}/, ':$1{[0-9]+}') || '/'

export type ParsedRequest<Params, Fields> = Awaited<ReturnType<typeof parseRequest<Params, Fields>>>

/** Parses a request of a route. Errors of its fields are in what it returns. */
export function parseForRoute<Params, Fields>(
  c: Pick<Context, 'req'>,
  route: Pick<Route, 'path' | 'requires'> & DeclaredInput,
  // Strangers may use routes that need no role.
  limits = route.requires === 'read' ? FOR_EVERYBODY : FOR_WRITERS,
): Promise<ParsedRequest<Params, Fields>> {
  const ending = /\}(\.\w+)$/.exec(route.path)?.[1] ?? ''
  return parseRequest(c, { ...route, limits, ending })
}

/** Checks the fields of a request, which must not be large. @throws ApiError with all errors at once */
export async function checkFields(c: Context<AppEnv>, route: Route): Promise<void> {
  const { errors } = await parseForRoute(c, route, FOR_EVERYBODY)
  errors.throwIfAny()
}

/** The parts of a route in which reads and writes differ. */
type RouteKind<Params, Fields> = Pick<Route, 'methods' | 'takesFields' | 'plan'> & {
  /** True if the route begins with a query, whose round trip also confirms the caller. */
  loads: boolean
  /** Responds to a request whose caller has the role. Runs again if caller or settings have changed. */
  respondTo: (c: Context<AppEnv>, parsed: ParsedRequest<Params, Fields>) => Promise<Response>
}

/** Makes a route: for each request, it checks the role, and then parses the fields. */
export function routeOf<Params, Fields>(
  declaration: RouteDeclaration,
  { loads, respondTo, ...kind }: RouteKind<Params, Fields>,
): Route {
  function assertCallerMay(c: Context<AppEnv>): void {
    if (declaration.ignoresCaller) c.set('context', { ...c.get('context'), caller: ANONYMOUS })
    assertMay(c.get('context').caller, declaration.requires)
  }

  async function respond(c: Context<AppEnv>): Promise<Response> {
    // The first batch is that of `load`, which also confirms the caller.
    if (!loads || !may(c.get('context').caller, declaration.requires)) await confirmCaller(c)
    assertCallerMay(c)
    const parsed = await parseForRoute<Params, Fields>(c, route)
    for (const [name, value] of Object.entries(ignoredHeader(parsed))) c.header(name, value)
    const respondOnce = () => withSettings(c, () => respondTo(c, parsed))
    try {
      return await respondOnce()
    } catch (error) {
      if (!(error instanceof OutdatedCaller)) throw error
      await confirmCaller(c)
      assertCallerMay(c)
      return respondOnce()
    }
  }

  const route: Route = {
    ...declaration,
    ...kind,
    mount: app => void app.on([...kind.methods], honoPath(declaration.path), respond),
    respond,
  }
  return route
}

const IGNORED_HEADER = 'X-Ignored-Fields'

/** The headers about names that mean nothing to a route. */
export const ignoredHeader = ({ ignored, meant }: { ignored: readonly string[]; meant: string }) => ({
  ...(ignored.length > 0 && { [IGNORED_HEADER]: ignored.join(', ') }),
  ...(meant !== '' && { 'X-Did-You-Mean': meant }),
})

export const JSON_TYPE = 'application/json'

/** The content of a body: JSON, unless it is bytes, or a text of another media type. */
export const contentOfBody = (body: unknown, produces?: string): string | Uint8Array<ArrayBuffer> =>
  isBytes(body) || (produces !== undefined && typeof body === 'string') ? body : JSON.stringify(body)

/**
 * Makes a function that sends replies. @param produces the media type of the replies, if it is not that of
 * JSON
 */
export const senderOfReplies =
  (c: Context<AppEnv>, produces?: string) =>
  ({ body, status, headers = {} }: Reply, bytes?: Uint8Array<ArrayBuffer>): Response => {
    // A handler that dispatches to another route also says which names that route has ignored.
    for (const [name, value] of Object.entries(headers))
      c.header(name, value, { append: name === IGNORED_HEADER })
    // No route declares a status whose responses have no body, such as 204.
    return c.body(bytes ?? contentOfBody(body, produces), status as ContentfulStatusCode, {
      'Content-Type': produces ?? JSON_TYPE,
    })
  }
