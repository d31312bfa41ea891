import { selectSimilarQuery } from '../../calendar/events/listing/similar-query.ts'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { filled } from '../../words/words.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'

// If a search finds nothing, the list is read again with words of a similar spelling. If it is still empty,
// other events are shown below it.

/** The parameters of a list that can be searched. `exact` allows no other words than the typed ones. */
type Searchable = { search?: string | undefined; exact?: boolean | undefined; page?: number | undefined }

/**
 * A list that was read. `typed` is what was typed, if the query has other words; `suggestions` is set if the
 * list is empty.
 */
type ReadList<Q, L, N> = { query: Q; loaded: L; typed?: string; suggestions?: N | undefined }

type ListReading<Q, L, N> = {
  read: (query: Q) => Promise<L>
  isEmpty: (loaded: L) => boolean
  /** Makes a query for other events. Making it takes time, so only empty lists do. */
  selectSuggestions?: () => Query<N | undefined>
}

/**
 * Returns the list that was read or, if it is empty, the list of similar words; if that is empty too, the
 * list with other events. Similar words and other events take one round trip together. The list for the
 * similar words takes another, because it depends on them.
 */
export async function readListOrSimilar<Q extends Searchable, L, N = never>(
  context: BaseContext,
  { query, loaded }: ReadList<Q, L, N>,
  { read, isEmpty, selectSuggestions = () => resolvedQuery(undefined) }: ListReading<Q, L, N>,
): Promise<ReadList<Q, L, N>> {
  if (!isEmpty(loaded)) return { query, loaded }
  const { search: typedSearch, exact } = query
  const alternatives = await context.db.read(
    combineQueries({
      search:
        typedSearch === undefined || exact
          ? resolvedQuery(undefined)
          : selectSimilarQuery(context, typedSearch),
      suggestions: selectSuggestions(),
    }),
  )
  if (typedSearch !== undefined && alternatives.search !== undefined) {
    const similar = { ...query, page: 1, search: alternatives.search }
    const similarList = await read(similar)
    if (!isEmpty(similarList)) return { query: similar, loaded: similarList, typed: typedSearch }
  }
  return { query, loaded, suggestions: alternatives.suggestions }
}

/**
 * The typed words, the words that were searched for instead, and the address of the list for the typed words
 * alone.
 */
export type SimilarSearch = { typed: string; shown: string; literalAddress: string }

/**
 * The note that a list was searched for other words than the typed ones. Nothing else on the page contains
 * the typed words.
 */
export function similarNotice({ words }: PageContext, { typed, shown, literalAddress }: SimilarSearch): Html {
  const quoted = (text: string): string => filled(words.quoted, { text })
  return html`<p class="notice" role="status">${filled(words.shownFor, { shown: quoted(shown) })}
<a href="${literalAddress}">${filled(words.literally, { typed: quoted(typed) })}</a></p>`
}
