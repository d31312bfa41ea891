import type { RequestContext } from '../context.ts'
import type { Query } from '../db/query.ts'
import type { Reply } from './reply.ts'

/** A name that a request takes, such as an external id, with its owner. */
export type Taken = readonly [name: string, owner: unknown]

/**
 * Writes of a resource that several requests can share: rows are loaded for all of them, each is prepared by itself, and
 * all are written in one transaction. `I` is what a request asks for, `L` are the loaded rows, `P` is what is to be written
 * of a request, and `W` what was written.
 */
export type SharedWrites<I, L, P, W> = {
  /** Tells if a request shares its write with no other. */
  isAlone(item: I): boolean
  load(context: RequestContext, items: readonly I[]): Query<L>
  /**
   * The names that a request takes: of rows that it changes, and of what must be there once. Requests that take one name for
   * different owners don't share a write, because the second is to see what the first has done.
   */
  taken(item: I, prepared: P): Iterable<Taken>
  /** Writes everything in one transaction. @returns what was written, in order */
  write(context: RequestContext, prepared: readonly P[]): Promise<readonly W[]>
}

/** What a route makes of the shared writes of its resource. The types are those of these writes. */
export type Sharing = {
  writes: SharedWrites<unknown, unknown, unknown, unknown>
  item(input: unknown): unknown
  reply(context: RequestContext, written: unknown, prepared: unknown): Reply<number, unknown>
}

type WritePart<Input, I, P, W, R> = {
  item: (input: Input) => I
  reply: (context: RequestContext, written: W | undefined, prepared: P) => R
}

/** The part of a route that loads and writes, by writes that requests of its resource share. */
export const sharing = <Input, I, L, P, W, R extends Reply<number, unknown>>(
  writes: SharedWrites<I, L, P, W>,
  { item, reply }: WritePart<Input, I, P, W, R>,
) => ({
  load: (context: RequestContext, input: Input): Query<L> => writes.load(context, [item(input)]),
  handle: async (context: RequestContext, { prepared }: { prepared: P }): Promise<R> => {
    const [written] = await writes.write(context, [prepared])
    return reply(context, written, prepared)
  },
  // Its functions are methods, which TypeScript lets take less than they are declared to take: requests share writes only
  // if these are the same object, so that the values have its types.
  sharing: { writes, item, reply } as Sharing,
})

/** A write that was read, and can be done by itself or together with others. */
export type PlannedWrite = Pick<Sharing, 'writes'> & {
  context: RequestContext
  item: unknown
  /** True if its fields are bad, whatever rows there are. */
  isBad: boolean
  /** True if it asks other servers. */
  asksElsewhere: boolean
  /** @throws ApiError as the route does */
  prepare: (loaded: unknown) => unknown
  reply: (written: unknown, prepared: unknown) => Reply<number, unknown>
}
