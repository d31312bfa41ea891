import type { PartReply, RequestParts } from '../context.ts'
import type { Database } from '../db/database.ts'
import { ApiError } from '../lib/errors.ts'
import { replyToError } from './errors.ts'

// The parts of a batch with a key. Each transaction notes which parts it does, so that a batch that was interrupted or
// only partly done can be sent again: then the missing parts are done, and none twice.

/** The finished parts, by position: the reply in JSON, or 0 if it is unknown. */
export type StoredParts = Readonly<Record<string, string | 0>>

/** Tells whether the same request may get another response next time. */
export const mayPassNextTime = (status: number): boolean => status >= 500 || status === 401 || status === 429

/** The reply for a finished part whose own reply is lost. @param written the resources written by the request that did it */
const lostReply = (written: unknown): PartReply =>
  replyToError(
    new ApiError(
      'rest_idempotency_response_lost',
      'This was done before, and is not done again, but its response is not kept: data.written says what was written with it.',
      { written },
    ),
    '',
  )

/** The parts of a request with a key: those that are done, and what is to be stored of the others. */
export class KeyedParts implements RequestParts {
  readonly known: Map<number, PartReply>
  readonly #db: Database
  readonly #note: (parts: StoredParts) => void
  readonly #lost: StoredParts
  #replies: readonly (PartReply | null)[] = []

  /**
   * @param earlier the parts that are done already, and the resources that they wrote
   * @param note makes the next write store parts along with those stored already
   */
  constructor(
    db: Database,
    { stored, written }: { stored: StoredParts; written: unknown },
    note: (parts: StoredParts) => void,
  ) {
    this.#db = db
    this.#note = note
    const lost = JSON.stringify(lostReply(written))
    const entries = Object.entries(stored)
    this.#lost = Object.fromEntries(entries.flatMap(([at, reply]) => (reply === 0 ? [[at, lost]] : [])))
    // The texts were made from replies, here or by `done`.
    this.known = new Map(entries.map(([at, reply]) => [Number(at), JSON.parse(reply || lost) as PartReply]))
  }

  begin(positions: readonly number[]): void {
    this.#note({ ...this.#lost, ...Object.fromEntries(positions.map(position => [position, 0])) })
  }

  end(replies: readonly (PartReply | null)[]): void {
    this.#replies = replies
    // Another write must not note parts that were begun and failed.
    this.#db.precede([])
  }

  /** True if some parts may get another reply next time. */
  get isIncomplete(): boolean {
    return this.#replies.some(reply => reply !== null && mayPassNextTime(reply.status))
  }

  /** The replies of the finished parts; none if they are too long. @param most the most characters */
  done(most: number): StoredParts {
    const done = this.#replies.flatMap((reply, at) =>
      reply && (reply.status < 400 || this.known.has(at))
        ? [[String(at), JSON.stringify(reply)] as const]
        : [],
    )
    const size = done.reduce((sum, [, text]) => sum + text.length, 0)
    return size > most ? {} : Object.fromEntries(done)
  }
}
