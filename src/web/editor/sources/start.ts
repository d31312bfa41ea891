import { and, eq, sql } from 'drizzle-orm'
import { countOf, many, mapped, type Query, together } from '../../../db/query.ts'
import { sources } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { selectDuplicateCount } from '../../../resources/duplicates/queries.ts'
import { filled, plural, sourceWords } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import { plain } from '../../html/text.ts'
import { type Admin, MOST_WAITING } from '../admin.ts'
import { countText } from '../menu.ts'
import { SOURCES } from './queries.ts'

/** A query of the number of pairs that wait, of which no more than the menu counts. */
export const selectAsked = selectDuplicateCount({}, MOST_WAITING)

/** A query of the number of what waits for a decision: calendars that ask, and events that may be the same. */
export const selectWaitingCount: Query<number> = mapped(
  together({
    asking: countOf(sql`${sources} WHERE state = 'asking' AND NOT is_ending`),
    twins: selectAsked,
  }),
  ({ asking, twins }) => asking + twins,
)

/** The place on the start page: what cannot be read, and what waits for a decision. */
export function sourcesCard(admin: Admin): Query<Html | ''> {
  const words = sourceWords(admin.language)
  return mapped(
    together({
      waiting: selectWaitingCount,
      failing: many(
        build
          .select({ name: sources.name })
          .from(sources)
          .where(and(eq(sources.state, 'failing'), eq(sources.is_ending, false)))
          .orderBy(sources.id)
          .limit(6),
      ),
    }),
    ({ waiting, failing: rows }) => {
      const failing = rows.map(({ name }) => plain(name))
      if (waiting === 0 && failing.length === 0) return ''
      return html`<h2>${words.title}</h2>
${waiting > 0 && html`<p>${filled(plural(admin.language, words, 'card', waiting), { n: countText(admin, waiting) })}</p>`}
${failing.length > 0 && html`<p>${filled(words.cardFailing, { names: failing.length > 5 ? `${failing.slice(0, 5).join(', ')} …` : failing.join(', ') })}</p>`}
<p><a class="button" href="${SOURCES}">${words.look}</a></p>`
    },
  )
}
