import { sql } from 'drizzle-orm'
import { many, orNull, type Query, readNumber, readText } from '../../kit/db/query.ts'
import { events, sources } from '../../kit/db/tables.ts'
import { may } from '../../kit/lib/roles.ts'
import { buttonForm } from '../../site/forms/field-html.ts'
import { filledHtml, type Html, html } from '../../site/html/html.ts'
import { nameOf, plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { editPath } from '../events/rows.ts'

// The notes on the page of an event about the events that are joined with it.

/** Another event that is joined with an event. */
export type CombinedEvent = {
  id: number
  title: string
  source: string
  isShown: boolean
  /** True if the event that lists show is in the trash, which hides both events. */
  isInTrash: boolean
}

/** A query for the event that is shown instead of an event, or for those that it hides. */
export const selectCombined = (id: number): Query<CombinedEvent[]> =>
  many(
    sql`SELECT other.id AS id, other.title AS title, other.slug AS slug, other.duplicate_of IS NULL AS is_shown, other.status = 'trash' AS is_in_trash,
        (SELECT name FROM event_sources CROSS JOIN ${sources} ON ${sources.id} = source_id
          WHERE event_id = other.id AND NOT is_other LIMIT 1) AS source
      FROM (SELECT duplicate_of AS id FROM ${events} WHERE id = ${id} AND duplicate_of IS NOT NULL
        UNION ALL SELECT id FROM ${events} INDEXED BY events_duplicates WHERE duplicate_of = ${id} LIMIT 20) AS of
      CROSS JOIN ${events} AS other ON other.id = of.id WHERE other.status <> 'trash' OR other.duplicate_of IS NULL`,
    ({ id, title, slug, source, is_shown, is_in_trash }) => ({
      id: readNumber(id),
      title: nameOf(readText(title), readText(slug)),
      source: plain(orNull(readText)(source) ?? ''),
      isShown: is_shown === 1,
      isInTrash: is_in_trash === 1,
    }),
  )

/**
 * The events that are joined with an event, each with a button to separate it.
 * @param id the event whose page it is
 */
export function combinedNotes(
  editor: EditorContext,
  id: number,
  combinedEvents: readonly CombinedEvent[],
): Html {
  const { context, texts } = editor
  const words = texts.duplicates
  const notes = combinedEvents.map(combinedEvent => {
    const title = html`<a href="${editPath(combinedEvent.id)}" dir="auto">${combinedEvent.source ? filled(words.from, { title: combinedEvent.title, source: combinedEvent.source }) : combinedEvent.title}</a>`
    return html`<div class="notice duplicate-note"><p>${combinedEvent.isInTrash ? html`${words.shownInTrash} (${title})` : filledHtml(combinedEvent.isShown ? words.hiddenBy : words.stands, { title })}</p>${
      may(context.caller, 'manage_sources') &&
      buttonForm(editor, {
        action: `${editPath(combinedEvent.isShown ? id : combinedEvent.id)}separate/`,
        text: words.separate,
        label: `${words.separate}${editor.site.words.colon}${combinedEvent.title}`,
        hidden: html`<input type="hidden" name="back" value="${id}">`,
      })
    }</div>\n`
  })
  return html`${notes}`
}
