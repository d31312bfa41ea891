import type { RequestContext } from '../context.ts'
import { type Query, resolvedQuery } from '../db/query.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import { assertMay } from './auth.ts'
import type { NamesIn, WriteInput } from './input.ts'
import type { Reply } from './reply.ts'
import {
  type FieldsSchema,
  ignoredHeader,
  type Method,
  type NoFields,
  type ParsedRequest,
  parseForRoute,
  type ReplyOf,
  type Responses,
  type Route,
  type RouteDeclaration,
  routeOf,
  senderOfReplies,
} from './route.ts'
import { type PlannedWrite, type SharedWrites, writeAlone } from './shared-writes.ts'

export type WriteMethod = Exclude<Method, 'GET'>

type WriteDeclaration<Params, Fields, Declared extends Responses = Responses> = RouteDeclaration<
  Params,
  Declared
> & {
  methods: readonly WriteMethod[]
  body?: FieldsSchema<Fields>
  /** True if required body fields must be present. Updates name only the fields that they change. */
  complete?: boolean
  /**
   * The field, such as `file`, that gets the whole body if the body is not a form. The body may then have any
   * other type.
   */
  wholeBody?: string
  /**
   * True for writes that send requests to other servers. A single one may take seconds, and most of the
   * requests that an invocation may make.
   */
  asksElsewhere?: boolean
  /**
   * True for writes whose responses have personal data. No batch may contain them, because the stored
   * response of a batch, which answers a repeated request, would keep it.
   */
  isNeverBatched?: boolean
}

/** The body that `handle` gets: without `complete`, fields may be absent. */
type Given<Fields, IsComplete> = IsComplete extends true ? Fields : Partial<Fields>

/**
 * Declares a route that writes: documentation, checks and handler in one place, typed by its schemas. Checks
 * run in the order of The Events Calendar: credentials, role (`requires`), existence, rights, fields and
 * references. Its functions are listed in the order in which they run.
 */
export function defineWrite<
  Declared extends Responses,
  Loaded = undefined,
  Prepared = Loaded,
  Params = NoFields,
  Fields = NoFields,
  IsComplete extends boolean = false,
  Path extends string = string,
>(
  declaration: WriteDeclaration<Params, Fields, Declared> & {
    path: Path
    complete?: IsComplete
    /** Makes a query for the rows that the route needs from the valid values, run in one round trip. */
    load?: (
      context: RequestContext,
      input: WriteInput<Params, Partial<Fields>, NamesIn<Path>>,
    ) => Query<Loaded>
    /**
     * Works out everything that `handle` needs, and writes nothing. First it throws if the resource does not
     * exist (404), or the caller may not do this to it (403); then it adds errors (400) that depend on
     * several fields, or on rows, to those of single fields. Code that needs valid values comes after
     * `errors.throwIfAny()`, which runs at the end in any case. Its result becomes `prepared`; without this
     * function, what was loaded does.
     */
    prepare?: (
      context: RequestContext,
      loaded: Loaded,
      input: WriteInput<Params, Partial<Fields>, NamesIn<Path>>,
      errors: ValidationErrors,
    ) => Prepared
    /**
     * Writes, with complete and valid values, and makes the reply. If its transaction conflicts with another
     * one, everything runs again, from `load` on.
     */
    handle: (
      context: RequestContext,
      input: WriteInput<Params, Given<Fields, IsComplete>, NamesIn<Path>> & { prepared: Prepared },
    ) => ReplyOf<Declared> | Promise<ReplyOf<Declared>>
  },
): Route {
  const { load, prepare, handle } = declaration
  // `write` runs after invalid requests have been refused, and so has all required fields.
  const shared: SharedWrites<
    WriteInput<Params, Partial<Fields>, NamesIn<Path>>,
    Loaded | undefined,
    Parameters<typeof handle>[1],
    ReplyOf<Declared>
  > = {
    isAlone: () => true,
    load: (context, [input]) => (load && input ? load(context, input) : resolvedQuery(undefined)),
    usedNames: () => [],
    write: (context, all) => Promise.all(all.map(input => handle(context, input))),
  }
  return writeRoute(declaration, {
    loads: load !== undefined,
    shared,
    prepare: (context, loaded: Loaded, input, errors) => ({
      ...input,
      prepared: prepare ? prepare(context, loaded, input, errors) : loaded,
    }),
    reply: (_, result: ReplyOf<Declared>) => result,
  })
}

/**
 * Declares a route that writes. Requests to it in the same batch share the query for rows, and a transaction.
 */
export const defineSharedWrite = <
  Declared extends Responses,
  Loaded,
  Prepared,
  Result,
  Params = NoFields,
  Fields = NoFields,
>(
  declaration: WriteDeclaration<Params, Fields, Declared> & {
    /** How rows are loaded for several requests, and written in one transaction. */
    shared: SharedWrites<WriteInput<Params, Partial<Fields>>, Loaded, Prepared, Result>
    /** Runs once for each request, like `prepare` of `defineWrite`. `shared` writes what it returns. */
    prepare: (
      context: RequestContext,
      loaded: Loaded,
      input: WriteInput<Params, Partial<Fields>>,
      errors: ValidationErrors,
    ) => Prepared
    /**
     * Makes the reply once the transaction is over. An error that it throws is the answer to this one
     * request.
     * @param result what `shared` returned for the request
     */
    reply: (context: RequestContext, result: Result, prepared: Prepared) => ReplyOf<Declared>
  },
): Route => writeRoute(declaration, { ...declaration, loads: true })

/** How a kind of write is done. Its functions are methods for the same reason as those of `SharedWrites`. */
type WriteSteps<Params, Fields> = {
  /** False if nothing is loaded, so that the fields are checked before any round trip. */
  loads: boolean
  shared: SharedWrites
  prepare(
    context: RequestContext,
    loaded: unknown,
    input: WriteInput<Params, Partial<Fields>>,
    errors: ValidationErrors,
  ): unknown
  reply(context: RequestContext, result: unknown, prepared: unknown): Reply
}

/** Makes a route whose requests are planned first, so that batches can do several together. */
function writeRoute<Params, Fields>(
  declaration: WriteDeclaration<Params, Fields>,
  { loads, shared, prepare, reply }: WriteSteps<Params, Fields>,
): Route {
  const planWrite = (context: RequestContext, parsed: ParsedRequest<Params, Fields>): PlannedWrite => ({
    context,
    shared,
    input: parsed.input,
    isInvalid: parsed.errors.hasAny,
    loads,
    asksElsewhere: declaration.asksElsewhere ?? false,
    isNeverBatched: declaration.isNeverBatched ?? false,
    headers: ignoredHeader(parsed),
    prepare: loaded => {
      const errors = parsed.errors.copy()
      const prepared = prepare(context, loaded, parsed.input, errors)
      errors.throwIfAny()
      return prepared
    },
    reply: (result, prepared) => reply(context, result, prepared),
  })

  return routeOf(declaration, {
    methods: declaration.methods,
    loads,
    respondTo: async (c, parsed) => senderOfReplies(c)(await writeAlone(planWrite(c.get('context'), parsed))),
    plan: async (context, c) => {
      assertMay(context.caller, declaration.requires)
      return planWrite(context, await parseForRoute<Params, Fields>(c, declaration))
    },
  })
}
