import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type * as z from 'zod/mini'
import type { RequestContext } from '../context.ts'
import type { Query } from '../db/query.ts'
import type { AppEnv } from '../env.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import { isObject } from '../lib/values.ts'
import { cachedRead, fixedRead, statefulRead, type WithRevision } from './caching.ts'
import type { NamesIn, ReadInput } from './input.ts'
import type { Reply } from './reply.ts'
import { projectBody } from './requested-fields.ts'
import { contentTag, quotedTag } from './revision.ts'
import {
  contentOfBody,
  JSON_TYPE,
  type NoFields,
  type ParsedRequest,
  type ReplyOf,
  type Responses,
  type Route,
  type RouteDeclaration,
  routeOf,
  senderOfReplies,
} from './route.ts'

/**
 * Declares a route that reads (GET): documentation, checks and handler in one place, typed by its schemas.
 * Its functions are listed in the order in which they run. With `load`, responses are cached by the
 * database's revision.
 *
 * @example
 * defineRead({
 *   path: '/tags/{id}', summary: 'Read one tag', requires: 'read',
 *   responses: { 200: termSchema }, errors: ['rest-tag-not-found'],
 *   load: (context, { id }) => selectTermById(context, TAGS, id),
 *   prepare: (_, row) => requireTerm(TAGS, row),
 *   handle: (context, { prepared: row }) => okVersioned(termBody(row, context)),
 * })
 */
export function defineRead<
  Declared extends Responses,
  Loaded = undefined,
  Prepared = Loaded,
  Params = NoFields,
  Path extends string = string,
>(
  declaration: RouteDeclaration<Params, Declared> & {
    path: Path
    /** The media type of successful responses, if it is not that of JSON. Errors are always JSON. */
    produces?: string
    /** The description of the page that browsers get at the same address. */
    page?: string
    /** The name of the list in the response, if it is one. */
    collection?: string
    /** What `handle` itself applies `fields` to, if it does. */
    selectsFields?: z.ZodMiniType
    /** True if changes of the data do not raise the database's revision: the response is never kept. */
    isUncached?: boolean
    /** True if `handle` returns the same object until its content changes. There is no `load` then. */
    isFixed?: boolean
    /**
     * For responses that also depend on a row outside the database's revision: a query for that row, and for
     * a text that changes with it. Clients with the response for this text and revision get a 304; nothing
     * else keeps the response. Without a text, the response is computed, and has no entity tag.
     */
    state?: (
      context: RequestContext,
      input: ReadInput<Params, NamesIn<Path>>,
    ) => Query<string | undefined> | Promise<Query<string | undefined>>
    /** Adds the errors (400) that depend on several parameters, or on the caller, and on no row. */
    check?: (
      context: RequestContext,
      input: ReadInput<Params, NamesIn<Path>>,
      errors: ValidationErrors,
    ) => void
    /**
     * Makes a query for the rows that the route needs from the valid parameters, which runs in one round
     * trip. `hasErrors` is true if there are errors already: then the query needs to read only the rows that
     * further errors depend on.
     */
    load?: (
      context: RequestContext,
      input: ReadInput<Params, NamesIn<Path>>,
      hasErrors: boolean,
    ) => Query<Loaded> | Promise<Query<Loaded>>
    /**
     * First throws if the resource does not exist (404), or the caller may not read it (403); then adds
     * errors (400) that depend on rows. All errors are thrown at its end. Its result becomes `prepared`;
     * without this function, what was loaded does.
     */
    prepare?: (
      context: RequestContext,
      loaded: Loaded,
      input: ReadInput<Params, NamesIn<Path>>,
      errors: ValidationErrors,
    ) => Prepared
    /** Makes the reply from valid parameters. */
    handle: (
      context: RequestContext,
      input: ReadInput<Params, NamesIn<Path>> & { prepared: Prepared },
    ) => ReplyOf<Declared> | Promise<ReplyOf<Declared>>
  },
): Route {
  async function workOut(
    context: RequestContext,
    parsed: ParsedRequest<Params, NoFields>,
    get: WithRevision,
  ): Promise<Reply> {
    const { check, load, prepare, handle, selectsFields, collection } = declaration
    const input: ReadInput<Params, NamesIn<Path>> = parsed.input
    const errors = parsed.errors.copy()
    check?.(context, input, errors)
    // `Loaded` is undefined where nothing is loaded, and `Prepared` is `Loaded` where nothing is prepared.
    const loaded = load ? await get(await load(context, input, errors.hasAny)) : (undefined as Loaded)
    const prepared = prepare ? prepare(context, loaded, input, errors) : (loaded as Loaded & Prepared)
    errors.throwIfAny()
    const reply = await handle(context, { ...input, prepared })
    if (!input.fields || selectsFields) return reply
    return { ...reply, body: projectBody(reply.body, input.fields, collection) }
  }

  async function respondTo(c: Context<AppEnv>, parsed: ParsedRequest<Params, NoFields>): Promise<Response> {
    const { produces, headers = {}, state, load, isUncached, isFixed } = declaration
    const context = c.get('context')
    const send = senderOfReplies(c, produces)
    if (load && !isUncached) {
      // One address may have responses of several types.
      const requestKey = `${produces ?? ''} ${parsed.address}`
      const description = {
        requestKey,
        declaredHeaders: Object.keys(headers),
        content: (body: unknown) => contentOfBody(body, produces),
      }
      const workOutWith = (get: WithRevision) => workOut(context, parsed, get)
      const stateQuery = await state?.(context, parsed.input)
      return stateQuery
        ? statefulRead(c, { ...description, state: stateQuery }, workOutWith, send)
        : cachedRead(c, description, workOutWith, send)
    }
    const reply = await workOut(context, parsed, query => context.db.read(query))
    const { body, version } = reply
    if (isFixed && isObject(body)) return fixedRead(c, parsed.address, { ...reply, body }, send)
    // A client that changes the resource afterwards may name the version that it has read.
    if (version !== undefined)
      c.header('ETag', quotedTag(await contentTag(body, parsed.address), version, context.databaseSecret))
    return send(reply)
  }

  const { produces, selectsFields, load } = declaration
  return routeOf(declaration, {
    methods: ['GET'],
    takesFields: selectsFields !== undefined || produces === undefined,
    loads: load !== undefined,
    respondTo,
  })
}

/** True if a client prefers a media type to JSON, which is the default. */
export const prefers = (c: Context, type: string): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: [JSON_TYPE, type],
    default: JSON_TYPE,
  }) === type
