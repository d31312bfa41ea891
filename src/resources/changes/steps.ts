import { sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import type { Fields } from '../../http/fields.ts'
import { audienceOf, EDITORS, PUBLIC } from '../../http/revision.ts'
import type { ChangePage, Latest } from './queries.ts'
import type { Source } from './source.ts'
import type { ChangesPosition } from './token.ts'

/** A number above all ids: after everything that has the number of a change. */
const LAST_ID = Number.MAX_SAFE_INTEGER

/** Tells if the numbers of a caller's tokens count what the caller may not see. */
export const isSealed = (caller: RequestContext['caller']): boolean =>
  ![PUBLIC, EDITORS].includes(audienceOf(caller))

/** The place of a first copy before its first row: whatever changes from now on comes after it. */
export function firstPosition({ caller }: RequestContext, latest: Latest | undefined): ChangesPosition {
  const publicN = latest?.publicN ?? 0
  const n = audienceOf(caller) === PUBLIC ? publicN : (latest?.n ?? 0)
  return { n, id: LAST_ID, publicN, from: n, cursor: [] }
}

/** The content of a response: rows, ids of what is gone, the last step that they cover, and whether that is the last of all. */
type Taken<R> = { rows: R[]; deleted: number[]; last: { n: number; id: number } | undefined; isEnd: boolean }

/** Takes the steps whose rows are there, in order, up to the limit. */
function take<R extends { id: number }>(
  { steps, rows }: ChangePage<R>,
  { limit, isShortened }: { limit: number; isShortened: ((row: R) => boolean | undefined) | undefined },
): Taken<R> {
  const byId = new Map(rows.map(row => [row.id, row]))
  const taken: Taken<R> = { rows: [], deleted: [], last: undefined, isEnd: false }
  for (const step of steps.slice(0, limit)) {
    const row = byId.get(step.id)
    // Texts or relations that don't fit into this response come with the next one.
    if (step.isListed && (!row || (taken.rows.length > 0 && isShortened?.(row)))) return taken
    if (row && step.isListed) taken.rows.push(row)
    else taken.deleted.push(step.id)
    taken.last = { n: step.n, id: step.id }
  }
  return { ...taken, isEnd: steps.length <= limit }
}

type Reading<R> = { part: ChangePage<R>; limit: number; fields: Fields | undefined }

/** Takes the rows of a part. One that is shortened because of those beside it is read once more, by itself. */
export async function wholeRows<P, R extends { id: number }, Item>(
  context: RequestContext,
  source: Source<P, R, Item>,
  { part, limit, fields }: Reading<R>,
): Promise<Taken<R>> {
  const { isShortened } = source
  const taken = take(part, { limit, isShortened })
  const [only, ...more] = taken.rows
  if (!only || more.length > 0 || part.rows.length < 2 || !isShortened?.(only)) return taken
  const [alone] = await context.db.get(source.select(context, idOnly(only.id), fields))
  return { ...taken, rows: [alone ?? only] }
}

const idOnly = (id: number) => sql`SELECT ${id} AS id`

/** The place after a response. */
export function nextPosition<R>(
  { caller }: RequestContext,
  {
    rows,
    last,
    isEnd,
    place,
    latest,
    cursorOf,
  }: Taken<R> & {
    place: ChangesPosition
    latest: Latest | undefined
    cursorOf: (row: R) => readonly (string | number)[]
  },
): { place: ChangesPosition; more: boolean } {
  const n = (audienceOf(caller) === PUBLIC ? latest?.publicN : latest?.n) ?? 0
  if (place.cursor !== null) {
    const lastRow = rows.at(-1)
    if (!isEnd && lastRow) return { place: { ...place, cursor: cursorOf(lastRow) }, more: true }
    // Changes that were made while it was copied follow. Whether there were any is not told where others may have made them.
    const isCopied = place.cursor.length === 0
    return { place: { ...place, cursor: null }, more: isSealed(caller) ? !isCopied : n > place.n }
  }
  if (!isEnd && last) return { place: { ...place, ...last }, more: true }
  return { place: { n, id: LAST_ID, publicN: latest?.publicN ?? 0, from: n, cursor: null }, more: false }
}
