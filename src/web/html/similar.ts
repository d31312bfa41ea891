import type { RequestContext } from '../../context.ts'
import { type Query, settled, together } from '../../db/query.ts'
import { similarQuery } from '../../resources/events/listing/similar.ts'
import { filled } from '../../words/words.ts'
import { type Html, html } from './html.ts'
import type { Site } from './site.ts'

// Lists of events that have nothing show those of words that are written like the ones that were typed, or others, and say so.

/** The parameters of a list that can be searched. `exact` keeps it to the words that were typed. */
type Searchable = { search?: string | undefined; exact?: boolean | undefined; page?: number | undefined }

/** A list as it was read. `typed` is there if the search of the query is another one, `near` if the list has nothing. */
type Read<Q, L, N> = { query: Q; loaded: L; typed?: string; near?: N | undefined }

type Reading<Q, L, N> = {
  read: (query: Q) => Promise<L>
  isEmpty: (loaded: L) => boolean
  /** Makes a query of something else to show. Making it takes time, which a list with events saves. */
  near?: () => Query<N | undefined>
}

/**
 * The list as it was read or, if it has nothing, that of words that are similar to those of its search; else something else. All
 * of these take one round trip together, and the list of similar words another one: its statement is made of them.
 */
export async function orSimilar<Q extends Searchable, L, N = never>(
  context: RequestContext,
  { query, loaded }: Read<Q, L, N>,
  { read, isEmpty, near = () => settled(undefined) }: Reading<Q, L, N>,
): Promise<Read<Q, L, N>> {
  if (!isEmpty(loaded)) return { query, loaded }
  const { search: typed, exact } = query
  const instead = await context.db.get(
    together({
      search: typed === undefined || exact ? settled(undefined) : similarQuery(context, typed),
      near: near(),
    }),
  )
  if (typed !== undefined && instead.search !== undefined) {
    const similar = { ...query, page: 1, search: instead.search }
    const found = await read(similar)
    if (!isEmpty(found)) return { query: similar, loaded: found, typed }
  }
  return { query, loaded, near: instead.near }
}

/** What was typed, the words that are shown instead, and the address of a list that looks for nothing else. */
export type Similar = { typed: string; shown: string; literal: string }

/** A note that a list shows other words than those that were typed. */
export function similarNotice({ words }: Pick<Site, 'words'>, { typed, shown, literal }: Similar): Html {
  const quoted = filled(words.quoted, { text: typed })
  return html`<p class="notice" role="status">${filled(words.insteadOf, { typed: quoted, shown })}
<a href="${literal}">${filled(words.literally, { typed: quoted })}</a></p>`
}
