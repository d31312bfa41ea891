import type { BaseContext, RequestContext } from '../context.ts'
import { isConflict, isTemporary, retryConflicts } from '../db/failures.ts'
import type { Query } from '../db/query.ts'
import { ApiError } from '../lib/errors.ts'
import { asError } from '../work/error-log.ts'
import { replyToError } from './error-replies.ts'
import type { Reply } from './reply.ts'
import { OutdatedSettings } from './stored-settings.ts'

/** A name that a request uses, such as an external id, with its owner. */
export type UsedName = readonly [name: string, owner: unknown]

/**
 * Writes of a resource that several requests can share: rows are loaded for all of them, each request is
 * prepared separately, and all are written in one transaction.
 *
 * These are methods, whose parameters TypeScript compares loosely, so that a batch can treat all writes in
 * the same way. This is safe because requests only share a write if both have the same `SharedWrites` object,
 * so that the values have the types of that object.
 */
export type SharedWrites<Given = unknown, Loaded = unknown, Prepared = unknown, Result = unknown> = {
  /** True if a request must not share its write with others. */
  isAlone(input: Given): boolean
  load(context: RequestContext, inputs: readonly Given[]): Query<Loaded>
  /**
   * The names that a request uses: of rows that it changes, and of values that must be unique. Requests that
   * use the same name for different owners don't share a write, because the second has to see the result of
   * the first.
   */
  usedNames(input: Given, prepared: Prepared): Iterable<UsedName>
  /** Writes everything in one transaction. @returns the results, in order */
  write(context: RequestContext, prepared: readonly Prepared[]): Promise<readonly Result[]>
}

/** A parsed write, which can be done alone or together with others. */
export type PlannedWrite = {
  context: RequestContext
  /** How the write is loaded and written, together with others that have the same object here. */
  shared: SharedWrites
  input: unknown
  /** True if its fields are invalid, regardless of the stored rows. */
  isInvalid: boolean
  /** False if the route loads nothing, so that it checks the fields before any round trip. */
  loads: boolean
  /** True if it sends requests to other servers. */
  asksElsewhere: boolean
  /** True if its response has personal data. No batch may contain it. */
  isNeverBatched: boolean
  /** The headers of the reply about names in the request that mean nothing to its route. */
  headers: Readonly<Record<string, string>>
  /** @throws ApiError as the route does */
  prepare: (loaded: unknown) => unknown
  reply: (result: unknown, prepared: unknown) => Reply
}

/**
 * Does one write, and does it again if it conflicts with another one.
 *
 * @returns the reply, without the headers of the write
 */
export const writeAlone = ({ context, shared, input, loads, prepare, reply }: PlannedWrite) =>
  retryConflicts(async () => {
    const loaded = loads ? await context.db.read(shared.load(context, [input])) : undefined
    const prepared = prepare(loaded)
    const [result] = await shared.write(context, [prepared])
    return reply(result, prepared)
  })

// Writes of one batch. Successive writes of the same resource are a group: they share the query for their
// rows and a transaction, because the free plan allows 50 statements an invocation, and one event takes some
// 30.

/** A write with its position among the others. */
export type Job = { position: number; write: PlannedWrite }
type Group = readonly [Job, ...Job[]]
/** The reply to each request; null until there is one. */
export type Replies = (Reply | null)[]

/** The jobs at the beginning of a list that may be a group. */
function groupAt(first: Job, otherJobs: readonly Job[]): Group {
  const { shared, input } = first.write
  if (shared.isAlone(input)) return [first]
  const end = otherJobs.findIndex(({ write }) => write.shared !== shared || shared.isAlone(write.input))
  return [first, ...(end === -1 ? otherJobs : otherJobs.slice(0, end))]
}

/**
 * Makes a function that returns true if a write uses a name that an earlier one used for another owner, and
 * otherwise notes the names of the write.
 */
function nameClashes(): (write: PlannedWrite, prepared: unknown) => boolean {
  const owners = new Map<unknown, Map<string, unknown>>()
  return ({ shared, input }, prepared) => {
    const usedNames = [...shared.usedNames(input, prepared)]
    const ownerOf = owners.get(shared) ?? new Map<string, unknown>()
    if (usedNames.some(([name, owner]) => ownerOf.has(name) && ownerOf.get(name) !== owner)) return true
    for (const [name, owner] of usedNames) ownerOf.set(name, owner)
    owners.set(shared, ownerOf)
    return false
  }
}

/** Loads the rows of a whole group in one round trip. */
function readGroup(group: Group): Promise<unknown> {
  const { context, shared } = group[0].write
  const inputs = group.map(({ write }) => write.input)
  return context.db.read(shared.load(context, inputs))
}

type ReadyJob = { job: Job; prepared: unknown }
type PreparedJob = ReadyJob | { job: Job; error: Error }
/** The valid jobs of a group, and how all of it is written. */
type ReadyGroup = Pick<PlannedWrite, 'context' | 'shared'> & { ready: ReadyJob[] }

/** Works out one job from the rows of its group. */
function prepareJob(job: Job, loaded: unknown): PreparedJob {
  try {
    return { job, prepared: job.write.prepare(loaded) }
  } catch (error) {
    return { job, error: asError(error) }
  }
}

/** Does writes in order, each as if it had been sent alone. */
export async function writeInOrder(jobs: readonly Job[], replies: Replies): Promise<void> {
  // Limits a group, so that rows are not loaded for all of the rest each time if many writes depend on the
  // one before: sixty changes of one event read 7,900 rows instead of 17,500.
  let maxGroupSize = jobs.length
  for (let remainingJobs = jobs; remainingJobs[0]; ) {
    const group = groupAt(remainingJobs[0], remainingJobs.slice(1, maxGroupSize))
    const writtenCount = await writeGroup(group, replies)
    remainingJobs = remainingJobs.slice(writtenCount)
    maxGroupSize = writtenCount < group.length ? 2 * writtenCount : jobs.length
  }
}

/** @returns the number of finished jobs, from the first on */
async function writeGroup(group: Group, replies: Replies): Promise<number> {
  const { context } = group[0].write
  try {
    if (group.length === 1) return await retryConflicts(() => writeReadyJobs(group, replies))
    return await writeReadyJobs(group, replies)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rest_idempotency_conflict') throw error
    // Nothing was written: the whole request begins once more.
    if (error instanceof OutdatedSettings) throw error
    const isForAll = error instanceof ApiError || isTemporary(error)
    if (group.length === 1 || isForAll) {
      const reply = replyToError(asError(error), context.requestId)
      // Jobs that are not valid already have their errors.
      for (const { position } of group) replies[position] ??= reply
    } else {
      // Nothing was written. The database has refused a value of one of the jobs, somebody else has changed a
      // row, or one of the jobs meets a bug. Halving finds that job: its reply has the error, which is
      // logged. The others are done as if they had been sent alone.
      const half = Math.ceil(group.length / 2)
      await writeInOrder(group.slice(0, half), replies)
      await writeInOrder(group.slice(half), replies)
    }
    return group.length
  }
}

/** @returns the number of finished jobs; it stops before a job that depends on earlier ones */
async function writeReadyJobs(group: Group, replies: Replies): Promise<number> {
  const { context, shared } = group[0].write
  const loaded = await readGroup(group)
  const clashes = nameClashes()
  const ready: ReadyJob[] = []
  let jobCount = 0
  for (const job of group) {
    const attempt = prepareJob(job, loaded)
    // An earlier job may be about to write a row that this one lacks, or would overwrite.
    const mustWait = 'error' in attempt ? !job.write.isInvalid : clashes(job.write, attempt.prepared)
    if (mustWait && ready.length > 0) break
    // An earlier attempt may have found the job not valid.
    replies[job.position] = 'error' in attempt ? replyToError(attempt.error, context.requestId) : null
    if (!('error' in attempt)) ready.push(attempt)
    jobCount++
  }
  if (ready.length === 0) return jobCount
  const results = await writeReady({ context, shared, ready })
  for (const [i, preparedJob] of ready.entries())
    replies[preparedJob.job.position] = replyTo(preparedJob, results[i])
  return jobCount
}

const writeReady = ({ context, shared, ready }: ReadyGroup): Promise<readonly unknown[]> =>
  shared.write(
    context,
    ready.map(({ prepared }) => prepared),
  )

function replyTo({ job: { write }, prepared }: ReadyJob, result: unknown) {
  try {
    const reply = write.reply(result, prepared)
    return { ...reply, headers: { ...write.headers, ...reply.headers } }
  } catch (error) {
    return replyToError(asError(error), write.context.requestId)
  }
}

const ATTEMPTS = 3

const batchConflict = (positions: string) =>
  new ApiError(
    'rest_batch_conflict',
    `${positions} cannot be written in one transaction: some depend on others, or somebody else is changing the same things. Send them one after the other.`,
  )

/**
 * Does all writes in one transaction, or none.
 *
 * @returns false if some are invalid; then `replies` has their errors
 * @throws ApiError `rest_batch_conflict` if one depends on the result of another
 */
export async function writeAllOrNone(
  context: BaseContext,
  jobs: readonly Job[],
  replies: Replies,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const groups = await prepareAll(context, jobs, replies)
    if (replies.some(reply => reply !== null)) return false
    try {
      const results = await context.db.writeTogether(groups.map(group => () => writeReady(group)))
      for (const [i, { ready }] of groups.entries())
        for (const [j, preparedJob] of ready.entries())
          replies[preparedJob.job.position] = replyTo(preparedJob, results[i]?.[j])
      return true
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt >= ATTEMPTS) throw batchConflict('These requests')
    }
  }
}

async function prepareAll(
  context: BaseContext,
  jobs: readonly Job[],
  replies: Replies,
): Promise<ReadyGroup[]> {
  const clashes = nameClashes()
  const groups: ReadyGroup[] = []
  for (let remainingJobs = jobs; remainingJobs[0]; ) {
    const group = groupAt(remainingJobs[0], remainingJobs.slice(1))
    remainingJobs = remainingJobs.slice(group.length)
    const { shared, context: groupContext } = group[0].write
    const loaded = await readGroup(group)
    const ready: ReadyJob[] = []
    for (const job of group) {
      const attempt = prepareJob(job, loaded)
      if ('error' in attempt) replies[job.position] = replyToError(attempt.error, context.requestId)
      else if (clashes(job.write, attempt.prepared))
        throw batchConflict(`requests[${job.position}] and one before it`)
      else ready.push(attempt)
    }
    groups.push({ context: groupContext, shared, ready })
  }
  return groups
}
