import { toWall } from '../../lib/time.ts'
import type { Holder, Planned, PlanOptions } from './decisions.ts'
import type { Compared } from './relations.ts'
import type { State } from './state.ts'

/**
 * The decision to take what was edited here out of public view, because its source has made it private since. What was edited
 * stays, and so does the status if an editor publishes it again.
 *
 * @param holder what was edited
 * @returns undefined if its source does not say so, or nobody sees it anyway
 */
export function withdrawal(
  { draft: { kind, source, externalId, record, own }, known, stored, hash }: Compared,
  holder: Holder | undefined,
  state: State,
  { now, timezone }: PlanOptions,
): Planned | undefined {
  if (!known || !stored || own.status !== 'private' || hash === known.hash) return undefined
  if (stored.status === 'private' || stored.status === 'trash') return undefined
  const { target: id } = known
  const version = stored.version + 1
  // The edition of a series is a digest: that of before is another one than the imported one as well.
  const edition = kind === 'series' ? stored.edition : String(version)
  state.content[kind].set(id, { ...stored, version, edition, status: 'private' })
  const mapping = { ...known, hash }
  state.setMapping(source, kind, externalId, mapping)
  const columns = { status: 'private', modified: toWall(now, timezone), modified_utc: now } as const
  return {
    ...{ action: 'update', record, id, mapping, holder, incomplete: false },
    content: {
      ...{ id, stored: { id, version: stored.version }, columns, fields: ['status'] },
      ...{ image: undefined, relations: {}, text: undefined },
    },
  }
}
