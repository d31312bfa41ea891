import type { Context, Hono } from 'hono'
import { accepts } from 'hono/accepts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as z from 'zod/mini'
import type { RequestContext } from '../context.ts'
import { type Query, settled } from '../db/query.ts'
import type { AppEnv } from '../env.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import { ANONYMOUS, type Capability, may } from '../lib/roles.ts'
import { isObject } from '../lib/values.ts'
import { assertMay, confirmCaller, OutdatedCaller } from './auth.ts'
import { FOR_EVERYBODY, FOR_WRITERS } from './body.ts'
import { cachedRead, fixedRead, statefulRead, type WithRevision } from './caching.ts'
import { parseRequest, projectBody, type RouteInput } from './input.ts'
import { isBytes, type Reply } from './reply.ts'
import { contentTag, quotedTag } from './revision.ts'
import { type PlannedWrite, type SharedHandler, writeAlone } from './shared-writes.ts'
import { withSettings } from './stored-settings.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Responses = Readonly<Record<number, z.ZodMiniType>>

/**
 * A reply with a status that the route declares, and the body that belongs to it: of texts, also in UTF-8.
 */
type ReplyOf<Declared extends Responses> = {
  [S in keyof Declared & number]: Reply<
    S,
    z.output<Declared[S]> | (z.output<Declared[S]> extends string ? Uint8Array<ArrayBuffer> : never)
  >
}[keyof Declared & number]

/** A schema of fields or parameters with its output type. */
export type FieldsSchema<T> = z.ZodMiniObject & z.ZodMiniType<T>

type NoFields = Record<never, never>

/** The body that a handler gets: without `complete`, fields may be absent. */
type Body<Fields, IsComplete> = IsComplete extends true ? Fields : Partial<Fields>

/** What documents say of a route. */
type RouteDocumentation = {
  methods: readonly Method[]
  /** Below the namespace, with `{id}`, `{slug}` or `{external_id}` for the part that names a resource. */
  path: string
  summary: string
  /** The subject in documents; by default the first part of the path. */
  subject?: string
  /** The capability that the caller's role needs, which is checked first. */
  requires: Capability
  responses: Responses
  /** Headers of successful responses, with their descriptions. */
  headers?: Readonly<Record<string, string>>
  /** Errors of this route alone, besides the errors that every route of its form can have. */
  errors?: readonly ErrorCode[]
  /** The media type of successful responses, if it is another one than JSON's. Errors are still JSON. */
  produces?: string
  /** The description of the page that browsers get at the same address. */
  page?: string
}

/** Switches of routes that read. */
type ReadSwitches = {
  /** True if the handler itself heeds which fields the client asks for. */
  selectsFields?: boolean
  /** The name of the list in the response, if it is one. */
  collection?: string
  /** True for responses that are the same for all callers, as for anonymous ones. */
  readsAsAnonymous?: boolean
  /**
   * True for reads that are worked out each time, because changes of their data do not raise the database's
   * revision.
   */
  isUncached?: boolean
  /** True for reads that return the same object until its content changes. They have no `load`. */
  isFixed?: boolean
}

/** Switches of routes that write. */
type WriteSwitches = {
  /**
   * True for writes that send requests to other servers. A single one may take seconds, and most of the
   * requests that an invocation may make.
   */
  asksElsewhere?: boolean
  /**
   * The field, such as `file`, that gets the whole body if the body is not a form. The body may then have any
   * other type.
   */
  wholeBody?: string
  /**
   * True for writes whose responses name people who have registered. No batch may contain them, because the
   * stored response of a batch, which answers a repeated request, would keep these names.
   */
  isNeverBatched?: boolean
}

type RouteDescription = RouteDocumentation & ReadSwitches & WriteSwitches

type Declaration<
  Params,
  Fields,
  IsComplete extends boolean,
  Loaded,
  Prepared,
  Declared extends Responses,
  Result,
> = RouteDescription & {
  query?: FieldsSchema<Params>
  body?: FieldsSchema<Fields>
  /** True if required body fields must be present. Updates name only the fields that they change. */
  complete?: IsComplete
  responses: Declared
  /** Adds the errors that depend on several fields, or on the caller, and on no row. */
  check?: (
    context: RequestContext,
    input: RouteInput<Partial<Params>, Partial<Fields>>,
    errors: ValidationErrors,
  ) => void
  /**
   * Works out everything that the handler needs, once. First it throws if the named resource does not exist
   * (404), or the caller may not do this to it (403); then it adds errors (400) that depend on several
   * fields, or on the loaded rows, to the errors of single fields. Code that needs valid values comes after
   * `errors.throwIfAny()`, which runs at the end in any case. Without this function, the handler gets the
   * loaded rows.
   */
  prepare?: (
    context: RequestContext,
    loaded: Loaded,
    input: RouteInput<Partial<Params>, Partial<Fields>>,
    errors: ValidationErrors,
  ) => Prepared
} & (
    | OwnHandler<Params, Fields, IsComplete, Loaded, Prepared, Declared>
    | (SharedHandler<
        RouteInput<Partial<Params>, Partial<Fields>>,
        Loaded,
        Prepared,
        Result,
        ReplyOf<Declared>
      > & {
        load?: undefined
        state?: undefined
      })
  )

/** The part of a declaration that loads and handles requests one by one. */
type OwnHandler<Params, Fields, IsComplete extends boolean, Loaded, Prepared, Declared extends Responses> = {
  /**
   * Makes a query of the rows that the route needs from the valid values, which runs in one round trip. Only
   * reads may return a promise of it. `isBad` is true for a read that is known to end with an error. It then
   * needs only the rows that other errors depend on.
   */
  load?: (
    context: RequestContext,
    input: RouteInput<Partial<Params>, Partial<Fields>>,
    isBad: boolean,
  ) => Query<Loaded> | Promise<Query<Loaded>>
  /**
   * For reads that depend on a row which changes without the database's revision: a query of one row, and of
   * the text that changes with it. Clients that have the response of this text and revision get a 304.
   * Nothing else keeps the response. Without a text, it is worked out, and has no entity tag.
   */
  state?: (
    context: RequestContext,
    input: RouteInput<Partial<Params>, Partial<Fields>>,
  ) => Query<string | undefined> | Promise<Query<string | undefined>>
  handle: (
    context: RequestContext,
    input: RouteInput<Params, Body<Fields, IsComplete>> & { prepared: Prepared },
  ) => ReplyOf<Declared> | Promise<ReplyOf<Declared>>
  shared?: undefined
}

/** A declared route, to be documented and mounted on an app. */
export type Route = RouteDescription & {
  query?: z.ZodMiniObject
  body?: z.ZodMiniObject
  complete?: boolean
  mount: (app: Hono<AppEnv>) => void
  /** Responds to a request of this route, at whatever address it came. */
  respond: (c: Context<AppEnv>) => Promise<Response>
  /**
   * Checks the fields of a request, which must not be large, and does nothing.
   *
   * @throws ApiError with all errors at once
   */
  checkFields: (c: Context<AppEnv>) => Promise<void>
  /**
   * Reads a request that writes, without carrying it out.
   *
   * @throws ApiError `rest_forbidden` if the caller's role may not send it
   */
  plan: (context: RequestContext, c: Pick<Context, 'req'>) => Promise<PlannedWrite>
}

/** True if the clients of a route may ask for some fields of its response. */
export const takesFields = ({
  methods,
  produces,
  selectsFields = produces === undefined,
}: Pick<RouteDescription, 'methods' | 'produces' | 'selectsFields'>): boolean =>
  methods.includes('GET') && selectsFields

const JSON_TYPE = 'application/json'

/** True if a client prefers a media type to JSON, which is the default. */
export const prefers = (c: Context, type: string): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: [JSON_TYPE, type],
    default: JSON_TYPE,
  }) === type

/**
 * A route that gives clients which prefer another media type the response of another route. The other route
 * takes the same parameters, and documents describe it at its own address: clients that are made from a
 * document know one type for each address.
 */
export const negotiated = (route: Route, { produces = JSON_TYPE, path, respond }: Route): Route => ({
  ...route,
  headers: {
    ...route.headers,
    Vary: `\`Accept\`: \`${produces}\` gives what \`${path}\` does.`,
  },
  mount: app => {
    app.on([...route.methods], honoPath(route.path), (c, next) => {
      c.header('Vary', 'Accept', { append: true })
      return prefers(c, produces) ? respond(c) : next()
    })
    route.mount(app)
  },
})

/** A declared path in Hono's notation. */
export const honoPath = (path: string): string =>
  path
    .replace(/\{token\}(\.\w+)?/, (_, ending = '') => `:token{[0-9a-f]+${ending.replace('.', '\\.')}}`)
    // A pattern takes up its whole part of the path, an ending included.
    .replace(/\{id\}(\.\w+)?/, (_, ending = '') => `:id{[0-9]+${ending.replace('.', '\\.')}}`)
    .replace(/\{slug\}(\.\w+)/, (_, ending) => `:slug{.+${ending.replace('.', '\\.')}}`)
    .replace('{slug}', ':slug')
    // Ids of other systems have slashes, which some proxies decode.
    .replace('{external_id}', ':external_id{[\\s\\S]+}')
    .replace(/\{(\w+)\}/, ':$1{[0-9]+}') || '/'

/**
 * Declares a route: documentation, checks and handler in one place, typed by its schemas. Checks run in the
 * order of The Events Calendar: credentials, role (`requires`), existence, rights, fields and references
 * (`query`, `body`, `prepare`). Then `handle` runs, with complete and valid values. Reads with `load` are
 * cached by the database's revision; writes that conflict with another are run again, from `load` on.
 *
 * @example
 * defineRoute({
 *   methods: ['GET'], path: '/tags/{id}', summary: 'Read one tag', requires: 'read',
 *   responses: { 200: termSchema }, errors: ['rest-tag-not-found'],
 *   load: (context, { key }) => termById(context, TAGS, idOf(key)),
 *   prepare: (_, row) => assertTerm(TAGS, row),
 *   handle: (context, { prepared: row }) => one(serializeTerm(row, context)),
 * })
 */
export function defineRoute<
  Declared extends Responses,
  Loaded = undefined,
  Prepared = Loaded,
  Params = NoFields,
  Fields = NoFields,
  IsComplete extends boolean = false,
  Result = unknown,
>(declaration: Declaration<Params, Fields, IsComplete, Loaded, Prepared, Declared, Result>): Route {
  const { check, prepare, produces, load } = declaration
  const declared = Object.keys(declaration.headers ?? {})
  const loads = (load ?? declaration.shared) !== undefined
  const { shared, reply }: SharedHandler = declaration.shared ? declaration : sharedByNone(declaration)

  function withChecks(
    context: RequestContext,
    input: ParsedRequest<Params, Fields>['input'],
    parsingErrors: ValidationErrors,
  ) {
    const errors = parsingErrors.copy()
    check?.(context, input, errors)
    return errors
  }

  /** Works out the input of the handler. @throws ApiError with all errors at once */
  function completeInput(
    context: RequestContext,
    { input, errors: parsingErrors }: ParsedRequest<Params, Fields>,
    loaded: Loaded,
  ) {
    const errors = withChecks(context, input, parsingErrors)
    // `Prepared` is `Loaded` where nothing is prepared.
    const prepared = prepare ? prepare(context, loaded, input, errors) : (loaded as Loaded & Prepared)
    errors.throwIfAny()
    // No errors: every required field is there, and each value was made by the schema of its name.
    return { ...(input as RouteInput<Params, Body<Fields, IsComplete>>), prepared }
  }

  async function read(
    { load: loadRows, handle }: OwnHandler<Params, Fields, IsComplete, Loaded, Prepared, Declared>,
    context: RequestContext,
    parsed: ParsedRequest<Params, Fields>,
    get: WithRevision,
  ): Promise<ReplyOf<Declared>> {
    const { input, errors } = parsed
    const isBad = withChecks(context, input, errors).any
    // `Loaded` is undefined where nothing is loaded.
    const loaded = loadRows ? await get(await loadRows(context, input, isBad)) : (undefined as Loaded)
    const reply = await handle(context, completeInput(context, parsed, loaded))
    if (!input.fields || declaration.selectsFields) return reply
    // The client has asked for less than the schema has.
    return {
      ...reply,
      body: projectBody(reply.body, input.fields, declaration.collection),
    } as ReplyOf<Declared>
  }

  // Strangers may use routes that need no role.
  const usual = declaration.requires === 'read' ? FOR_EVERYBODY : FOR_WRITERS
  const parse = (c: Pick<Context, 'req'>, limits = usual) =>
    parseRequest<Params, Fields>(c, {
      ...declaration,
      limits,
      takesFields: takesFields(declaration),
      ending: /\}(\.\w+)$/.exec(declaration.path)?.[1] ?? '',
    })

  function assertCallerMay(c: Context<AppEnv>): void {
    if (declaration.readsAsAnonymous) c.set('context', { ...c.get('context'), caller: ANONYMOUS })
    assertMay(c.get('context').caller, declaration.requires)
  }

  async function respond(c: Context<AppEnv>): Promise<Response> {
    // The first batch belongs to `load`, which asks for the caller first.
    if (!loads || !may(c.get('context').caller, declaration.requires)) await confirmCaller(c)
    assertCallerMay(c)
    const parsed = await parse(c)
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

  async function respondTo(c: Context<AppEnv>, parsed: ParsedRequest<Params, Fields>): Promise<Response> {
    const context = c.get('context')
    for (const [name, value] of Object.entries(ignoredHeader(parsed))) c.header(name, value)
    const content = contentOf(produces)
    const send = sender(c, produces)
    if (declaration.shared || !declaration.methods.includes('GET'))
      return send(await writeAlone(planned(context, parsed)))
    if (load && !declaration.isUncached) {
      // One address may have responses of several types.
      const address = `${produces ?? ''} ${parsed.address}`
      const about = { address, declared, content }
      const workOut = (get: WithRevision) => read(declaration, context, parsed, get)
      const state = await declaration.state?.(context, parsed.input)
      return state ? statefulRead(c, { ...about, state }, workOut, send) : cachedRead(c, about, workOut, send)
    }
    const reply = await read(declaration, context, parsed, query => context.db.read(query))
    const { body, version } = reply
    if (declaration.isFixed && isObject(body)) return fixedRead(c, parsed.address, { ...reply, body }, send)
    // A client that changes the resource afterwards may name the version that it has read.
    if (version !== undefined)
      c.header('ETag', quotedTag(await contentTag(body, parsed.address), version, context.epoch))
    return send(reply)
  }

  function planned(context: RequestContext, parsed: ParsedRequest<Params, Fields>): PlannedWrite {
    const { input, errors } = parsed
    return {
      context,
      shared,
      input,
      isBad: errors.any,
      loads,
      asksElsewhere: declaration.asksElsewhere ?? false,
      isNeverBatched: declaration.isNeverBatched ?? false,
      headers: ignoredHeader(parsed),
      prepare: loaded => {
        // The same object has loaded it.
        const complete = completeInput(context, parsed, loaded as Loaded)
        return declaration.shared ? complete.prepared : complete
      },
      reply: (result, prepared) => reply(context, result, prepared),
    }
  }

  return {
    ...declaration,
    mount: app => void app.on([...declaration.methods], honoPath(declaration.path), respond),
    respond,
    checkFields: async c => (await parse(c, FOR_EVERYBODY)).errors.throwIfAny(),
    plan: async (context, c) => {
      assertMay(context.caller, declaration.requires)
      return planned(context, await parse(c))
    },
  }
}

/**
 * Turns a handler into writes that no other request shares. They get whole inputs, and their result is the
 * reply.
 */
const sharedByNone = <
  Params,
  Fields,
  IsComplete extends boolean,
  Loaded,
  Prepared,
  Declared extends Responses,
>({
  load,
  handle,
}: OwnHandler<Params, Fields, IsComplete, Loaded, Prepared, Declared>): SharedHandler<
  RouteInput<Partial<Params>, Partial<Fields>>,
  Loaded | undefined,
  RouteInput<Params, Body<Fields, IsComplete>> & { prepared: Prepared },
  ReplyOf<Declared>
> => ({
  shared: {
    isAlone: () => true,
    load: (context, [input]) => {
      const query = load && input ? load(context, input, false) : settled(undefined)
      if (query instanceof Promise) throw new Error('The query of a write is made at once.')
      return query
    },
    usedNames: () => [],
    write: (context, all) => Promise.all(all.map(input => handle(context, input))),
  },
  reply: (_, result) => result,
})

const IGNORED = 'X-Ignored-Fields'

/** Makes the content of a body: JSON, unless it is bytes, or a text of another media type. */
const contentOf =
  (produces: string | undefined) =>
  (body: unknown): string | Uint8Array<ArrayBuffer> =>
    isBytes(body) || (produces !== undefined && typeof body === 'string') ? body : JSON.stringify(body)

/** Makes a function that sends replies. @param produces their media type, if it is not JSON's */
const sender =
  (c: Context<AppEnv>, produces: string | undefined) =>
  ({ body, status, headers = {} }: Reply, bytes?: Uint8Array<ArrayBuffer>): Response => {
    // A handler that dispatches to another route also says which names that route has ignored.
    for (const [name, value] of Object.entries(headers)) c.header(name, value, { append: name === IGNORED })
    // Declared responses carry content.
    return c.body(bytes ?? contentOf(produces)(body), status as ContentfulStatusCode, {
      'Content-Type': produces ?? JSON_TYPE,
    })
  }

/** The headers about names that mean nothing to a route. */
const ignoredHeader = ({ ignored, meant }: { ignored: readonly string[]; meant: string }) => ({
  ...(ignored.length > 0 && { [IGNORED]: ignored.join(', ') }),
  ...(meant !== '' && { 'X-Did-You-Mean': meant }),
})

type ParsedRequest<Params, Fields> = Awaited<ReturnType<typeof parseRequest<Params, Fields>>>
