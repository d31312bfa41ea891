import type { PartReply, RequestParts } from '../context.ts'
import type { Database } from '../db/database.ts'
import { statusOf } from '../lib/errors.ts'

// The parts of a batch with a key. Each transaction notes which parts it does, so that a batch can be sent again that was killed,
// or of which the database did some parts only: what is missing is done then, and nothing twice.

/** The parts that are done, by position: the reply in JSON, or 0 where it is not known. */
export type StoredParts = Readonly<Record<string, string | 0>>

/** Tells if the same request may have another response the next time. */
export const mayPassNextTime = (status: number): boolean => status >= 500 || status === 401 || status === 429

/** The reply of a part that was done, and whose reply is lost. @param written by the request that did it */
function lostReply(written: unknown): PartReply {
  const code = 'rest_idempotency_response_lost'
  const message =
    'This was done before, and is not done again, but its response is not kept: data.written says what was written with it.'
  return {
    status: statusOf(code),
    headers: {},
    body: { code, message, data: { status: statusOf(code), written } },
  }
}

export class KeyedParts implements RequestParts {
  readonly known: Map<number, PartReply>
  readonly #db: Database
  readonly #note: (parts: StoredParts) => void
  readonly #lost: StoredParts
  #replies: readonly (PartReply | null)[] = []

  /**
   * @param earlier the parts that are done already, and what they have written
   * @param note has the next write store parts along with those that are stored
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
    // Texts were made of replies, here or by `done`.
    this.known = new Map(entries.map(([at, reply]) => [Number(at), JSON.parse(reply || lost) as PartReply]))
  }

  begin(positions: readonly number[]): void {
    this.#note({ ...this.#lost, ...Object.fromEntries(positions.map(position => [position, 0])) })
  }

  end(replies: readonly (PartReply | null)[]): void {
    this.#replies = replies
    // What was begun and failed is not to be noted by another write.
    this.#db.precede([])
  }

  /** True if some parts may have another reply the next time. */
  get isIncomplete(): boolean {
    return this.#replies.some(reply => reply !== null && mayPassNextTime(reply.status))
  }

  /** The replies of the parts that are done; none if they are longer than they may be. @param most characters */
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
