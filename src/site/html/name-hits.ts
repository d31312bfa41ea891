import { type SQL, sql } from 'drizzle-orm'
import { inNameSql, matchConditions } from '../../calendar/content/search.ts'
import { readableSql } from '../../calendar/content/visibility.ts'
import type { BaseContext } from '../../kit/context.ts'
import { eachOf, literal, many, type Query, readNumber, readOneOf, readText } from '../../kit/db/query.ts'
import { organizers, venues } from '../../kit/db/tables.ts'
import { fold, searchWords } from '../../kit/lib/text.ts'
import { categoryPath } from './addresses.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'
import { initialTile } from './picture.ts'
import type { Category } from './queries.ts'
import { inLine, markWords, nameOf, plain } from './text.ts'

// The first hits of a search, above the events: venues, organizers and categories with all of its words in
// their names.

export type NamedRow = { kind: 'venue' | 'organizer'; id: number; slug: string; name: string; city: string }

/** The most hits of each kind. */
const MAX_HITS = 3

/**
 * A query for the venues and organizers with all words of a search in their names, the shortest names first.
 */
export function selectNamed(context: BaseContext, search: string): Query<NamedRow[]> {
  const words = eachOf(searchWords(search))
  const namedRows = (kind: NamedRow['kind'], table: typeof venues | typeof organizers, city: SQL) => {
    const index = sql.raw(`${kind}s_search`)
    const conditions = [
      ...matchConditions(index, sql`${index}.search_text`, search),
      sql`NOT EXISTS (SELECT 1 FROM ${words} AS word
        WHERE NOT ${inNameSql(sql`${index}.search_text`, sql.raw('word.value'))})`,
      readableSql(table, context),
    ]
    return sql`SELECT * FROM (SELECT ${literal(kind)} AS kind, ${table.id} AS id,
      ${table.slug} AS slug, ${table.name} AS name, ${city} AS city
      FROM ${index} CROSS JOIN ${table} ON ${table.id} = ${index}.rowid
      WHERE ${sql.join(conditions, sql` AND `)} ORDER BY length(${table.name}), ${table.id} LIMIT ${literal(MAX_HITS)})`
  }
  return many(
    sql`${namedRows('venue', venues, sql`${venues.city}`)} UNION ALL ${namedRows('organizer', organizers, sql`''`)}`,
    {
      kind: readOneOf(['venue', 'organizer']),
      id: readNumber,
      slug: readText,
      name: readText,
      city: readText,
    },
  )
}

/** The first hits of a search, with links to their pages; '' without any. */
export function namedHits(
  { words }: PageContext,
  search: string,
  { rows, categories }: { rows: readonly NamedRow[]; categories: readonly Category[] },
): Html | '' {
  const searched = searchWords(search)
  const kinds = { venue: words.isVenue, organizer: words.isOrganizer }
  const hits: { id: number; name: string; address: string; note: string }[] = [
    ...rows.map(({ kind, id, slug, name, city }) => ({
      id,
      name: nameOf(name, slug),
      address: `/${kind}/${encodeURIComponent(slug)}/`,
      note: inLine([kinds[kind], city]),
    })),
    ...categories
      .map(({ id, name, path }) => ({
        id,
        name: plain(name),
        address: categoryPath(path),
        note: words.category,
      }))
      .filter(({ name }) => searched.every(word => fold(name).includes(word)))
      .slice(0, MAX_HITS),
  ]
  if (hits.length === 0 || searched.length === 0) return ''
  return html`<ul class="directory hits">${hits.map(
    ({ id, name, address, note }) =>
      html`<li><div class="directory-tile">${initialTile({ id, category: { id } }, name)}</div><div><h2><a href="${address}">${markWords(name, searched)}</a></h2>
<p class="small">${note}</p></div></li>`,
  )}</ul>`
}
