import { sql } from 'drizzle-orm'
import { many, mapped, type Query } from '../../db/query.ts'
import { sources } from '../../db/schema.ts'
import { filled } from '../../lib/words.ts'
import { type Html, html } from '../../site/html.ts'
import { plain } from '../../site/text.ts'
import type { Admin } from '../admin.ts'
import { sourceWords } from '../words/sources.ts'
import { SOURCES } from './paths.ts'

/** The place on the start page: what cannot be read, and what waits for a decision. */
export function sourcesCard({ language, site: { dates } }: Admin): Query<Html | ''> {
  const words = sourceWords(language)
  return mapped(
    many(
      sql`SELECT name, state FROM ${sources} WHERE state IN ('failing', 'asking') AND NOT is_ending ORDER BY id`,
      ({ name, state }) => ({ name: plain(String(name)), isFailing: state === 'failing' }),
    ),
    found => {
      if (found.length === 0) return ''
      const failing = found.filter(({ isFailing }) => isFailing)
      const asking = found.length - failing.length
      return html`<h2>${words.title}</h2>
${asking > 0 && html`<p>${filled(dates.plural(asking) === 'one' ? words.cardOne : words.cardOther, { n: dates.number(asking) })}</p>`}
${failing.length > 0 && html`<p>${filled(words.cardFailing, { names: failing.map(({ name }) => name).join(', ') })}</p>`}
<p><a class="button" href="${SOURCES}">${words.look}</a></p>`
    },
  )
}
