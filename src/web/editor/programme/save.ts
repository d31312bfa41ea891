import type { RequestContext } from '../../../context.ts'
import { together } from '../../../db/query.ts'
import { EVENTS } from '../../../resources/events/resource.ts'
import type { EventRow } from '../../../resources/events/rows.ts'
import { itemsIn } from '../../forms/controls/links.ts'
import type { Entries } from '../../forms/entries.ts'
import { isDone, reasonsOf, submit } from '../../forms/requests.ts'
import type { Admin } from '../admin.ts'
import { eventById } from '../events/queries.ts'
import { followingIn } from './follow.ts'
import { selectParts } from './parts.ts'
import { changesProgramme, type NewPart, rowError, rowRequests, rowsOf } from './rows.ts'
import { changedMeanwhile, ONLY_HERE } from './section.ts'

/** What new parts share with the event: its place, categories and zone, and whether they are public. */
function newPartOf(context: RequestContext, whole: EventRow, isOnlyHere: boolean): NewPart {
  const { id, timezone, status, date, venue, categories } = EVENTS.serialize(whole, context)
  const idsOf = (value: unknown) => itemsIn(value).map(item => item.id)
  return {
    post_parent: id,
    timezone,
    status,
    ...(status === 'future' && { date }),
    venue: idsOf(venue),
    categories: idsOf(categories),
    ...(isOnlyHere && { hide_from_listings: true }),
  }
}

/**
 * Saves what was typed in the programme of an event that is stored: all of it, or nothing.
 *
 * @returns the errors of rows
 */
export async function saveProgramme(
  admin: Admin,
  { entries, id }: { entries: Entries; id: number },
): Promise<Map<string, string>> {
  const { context } = admin
  if (!changesProgramme(entries)) return new Map()
  const { parts, whole } = await context.db.get(
    together({ parts: selectParts(context, id), whole: eventById(context, id) }),
  )
  if (!whole) return new Map()
  const requests = rowRequests(
    rowsOf(parts, entries, context),
    { ofNew: newPartOf(context, whole, entries.has(ONLY_HERE)), following: followingIn(entries) },
    context,
  )
  const replies = await submit(
    admin,
    requests.map(({ request }) => request),
    { isWhole: true },
  )
  return new Map(
    requests.flatMap(({ row: { key, part } }, i): [string, string][] => {
      const reply = replies[i]
      if (!reply || isDone(reply)) return []
      const text = reply.status === 412 && part ? changedMeanwhile(admin, part) : reasonsOf(admin, reply)
      return [[rowError(key), text]]
    }),
  )
}
