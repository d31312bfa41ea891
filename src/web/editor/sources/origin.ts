import { sql } from 'drizzle-orm'
import { many, type Query } from '../../../db/query.ts'
import { events, sources } from '../../../db/schema.ts'
import { may } from '../../../lib/roles.ts'
import type { EventRow } from '../../../resources/events/rows.ts'
import { filled } from '../../../words/words.ts'
import { buttonForm } from '../../forms/element.ts'
import { type Html, html } from '../../html/html.ts'
import { nameOf, plain } from '../../html/text.ts'
import type { Admin } from '../admin.ts'
import { editPath } from '../events/rows.ts'
import { sourcePath } from './queries.ts'

/** A note about the source of an event, and what happens to changes made here; '' for the calendar's own events. */
export function originNote({ context, texts }: Admin, { origin: { source } }: EventRow): Html | '' {
  if (!source) return ''
  const words = texts.source
  const name = plain(source.name)
  const isKnown = may(context.caller, 'manage_sources')
  return html`<p class="from-source">${words.from} ${isKnown ? html`<a href="${sourcePath(source.id)}">${name}</a>` : name}. ${source.mirror ? words.undone : words.stays}</p>`
}

/** Another event that is joined with an event. */
export type JoinedTwin = { id: number; title: string; source: string; isShown: boolean }

/** A query of the event that is shown instead of an event, or of those that it hides. */
export const selectTwins = (id: number): Query<JoinedTwin[]> =>
  many(
    sql`SELECT twin.id AS id, twin.title AS title, twin.slug AS slug, twin.duplicate_of IS NULL AS is_shown,
        (SELECT name FROM event_sources CROSS JOIN ${sources} ON ${sources.id} = source_id
          WHERE event_id = twin.id AND NOT is_other LIMIT 1) AS source
      FROM (SELECT duplicate_of AS id FROM ${events} WHERE id = ${id} AND duplicate_of IS NOT NULL
        UNION ALL SELECT id FROM ${events} INDEXED BY events_duplicates WHERE duplicate_of = ${id} LIMIT 20) AS of
      CROSS JOIN ${events} AS twin ON twin.id = of.id WHERE twin.status <> 'trash'`,
    ({ id, title, slug, source, is_shown }) => ({
      id: Number(id),
      title: nameOf(String(title), String(slug)),
      source: plain(String(source ?? '')),
      isShown: is_shown === 1,
    }),
  )

/** The events that are joined with an event, each with a button to separate it. @param id the event whose page it is */
export function twinNotes(admin: Admin, id: number, twins: readonly JoinedTwin[]): Html {
  const { context, texts } = admin
  const words = texts.twin
  const notes = twins.map(twin => {
    const [before = '', after = ''] = (twin.isShown ? words.hiddenBy : words.stands).split('{{title}}')
    const title = html`<a href="${editPath(twin.id)}" dir="auto">${twin.source ? filled(words.from, { title: twin.title, source: twin.source }) : twin.title}</a>`
    return html`<div class="notice twin-note"><p>${before}${title}${after}</p>${
      may(context.caller, 'manage_sources') &&
      buttonForm(admin, {
        action: `${editPath(twin.isShown ? id : twin.id)}separate/`,
        text: words.separate,
        label: `${words.separate}: ${twin.title}`,
        hidden: html`<input type="hidden" name="back" value="${id}">`,
      })
    }</div>\n`
  })
  return html`${notes}`
}
