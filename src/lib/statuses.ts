import { type Caller, may } from './roles.ts'
import type { DateTime } from './time.ts'

export const STATUSES = ['publish', 'draft', 'pending', 'private', 'future', 'trash'] as const
export type Status = (typeof STATUSES)[number]

/**
 * The status that a post has at an instant: a scheduled one counts as published from its time on, whether
 * the cron trigger has stored that yet or not.
 *
 * @param now UTC
 */
export const statusAt = (post: { status: Status; date_utc: DateTime }, now: DateTime): Status =>
  post.status === 'future' && post.date_utc <= now ? 'publish' : post.status

/**
 * The status to store when a caller asks for one: publishing later means `future`, a `future`
 * whose time has come means `publish`, and callers who may not publish get `pending` instead of either.
 *
 * @param wanted what the request or, failing that, the stored post says
 * @param dateUtc publication date, UTC
 * @param now UTC
 */
export function statusToStore(wanted: Status, dateUtc: DateTime, now: DateTime, caller: Caller): Status {
  const public_ = wanted === 'publish' || wanted === 'future' || wanted === 'private'
  if (public_ && !may(caller, 'publish_posts')) return 'pending'
  if (wanted === 'publish' && dateUtc > now) return 'future'
  if (wanted === 'future' && dateUtc <= now) return 'publish'
  return wanted
}

/** The status of a new post whose request names none. */
export const initialStatus = (caller: Caller): Status => (may(caller, 'publish_posts') ? 'publish' : 'draft')
