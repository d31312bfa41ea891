import { sql } from 'drizzle-orm'
import { usableSql } from '../../calendar/content/references.ts'
import { inList, many, readNumber, settled, together } from '../../kit/db/query.ts'
import { events, images, organizers, venues } from '../../kit/db/tables.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import { entry } from '../../site/forms/entries.ts'
import { idsInEntries } from '../../site/forms/load.ts'
import type { SubmittedForm } from '../../site/forms/posted.ts'
import { scopeIn } from '../../site/forms/repetition/control.ts'
import type { EditorContext } from '../context.ts'
import { selectWaitingParts } from '../programme/parts.ts'
import { hasUnseen } from '../publish/description.ts'
import { publishPath, selectToPublish } from '../publish/page.ts'
import { describedTerms, detachedFields, parentToConfirm } from '../publish/queries.ts'
import { SHOWN_INPUT, type ShownVersion, selectVersions, versionsValue } from '../publish/versions.ts'
import { editPath } from './rows.ts'

/** The versions of everything that the form shows except the event itself, which has its own version. */
export const relatedVersions = (shown: readonly ShownVersion[]) => shown.filter(([kind]) => kind !== 'event')

/**
 * The page that confirms the publication, if dates, venues or descriptions of categories become public that the form does not show,
 * or a text by another author in which something is easily missed.
 */
export async function confirmPublication(
  { context }: EditorContext,
  { entries }: SubmittedForm,
  id: number | undefined,
) {
  const scope = scopeIn(entries) ?? 'this'
  const unpublished = (table: typeof venues | typeof organizers, name: 'venue' | 'organizer') =>
    many(
      sql`SELECT id FROM ${table} WHERE id IN ${inList(idsInEntries(entries, name))} AND status IN ('draft', 'pending')`,
      row => readNumber(row.id),
    )
  const {
    items: [item],
    parts,
    shown,
    images: [image],
    ...chosen
  } = await context.db.read(
    together({
      items: id === undefined ? settled([]) : selectToPublish(context, { events: [id], scope }),
      parts: id === undefined ? settled([]) : selectWaitingParts(context, id),
      shown: id === undefined ? settled([]) : selectVersions('event', id),
      images: many(
        sql`SELECT id FROM ${images} WHERE id IN ${inList(idsInEntries(entries, 'image'))} AND author_id IS NOT ${context.caller.id}
          AND ${usableSql({ ...context, caller: ANONYMOUS })} IS NOT 1
          AND id IS NOT (SELECT image_id FROM ${events} WHERE id = ${id ?? 0})`,
        row => readNumber(row.id),
      ),
      venues: unpublished(venues, 'venue'),
      organizers: unpublished(organizers, 'organizer'),
    }),
  )
  const isLinked = (kind: 'venues' | 'organizers', id: number) =>
    item?.row[kind].some(row => row.id === id) ?? false
  const hasNew = (['venues', 'organizers'] as const).some(kind =>
    chosen[kind].some(chosenId => !isLinked(kind, chosenId)),
  )
  const isMore =
    item !== undefined &&
    (item.dates !== undefined ||
      item.newLinks.length + describedTerms(item).length > 0 ||
      parentToConfirm(item) !== undefined ||
      detachedFields(item.row).length > 0 ||
      (item.row.author_id !== context.caller.id && hasUnseen(item.row.description)))
  // Something changed after the form was made, or was chosen without being shown in full.
  const isOther = image !== undefined || versionsValue(relatedVersions(shown)) !== entry(entries, SHOWN_INPUT)
  if (!hasNew && !isMore && !isOther && parts.length === 0) return undefined
  // Parts that are typed in the form are saved by then.
  return async (saved: number) => {
    const waiting = await context.db.read(selectWaitingParts(context, saved))
    return publishPath({ events: [saved, ...waiting], scope, back: editPath(saved) })
  }
}
