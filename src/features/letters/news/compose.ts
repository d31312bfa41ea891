import { COPIED_EVENTS } from '../../../calendar/changes/events.ts'
import type { ListFilters } from '../../../calendar/changes/followed-lists.ts'
import { type Digest, moreText, renderDigest, selectDigest } from '../../../calendar/digest/digest.ts'
import { type DigestEntry, digestEntries, digestFrame } from '../../../calendar/digest/entries.ts'
import type { BaseContext } from '../../../kit/context.ts'
import { combineQueries, mapQuery, type Query } from '../../../kit/db/query.ts'
import { checkInput } from '../../../kit/http/input.ts'
import { randomHex } from '../../../kit/lib/hash.ts'
import { storedJson } from '../../../kit/lib/values.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { findFiltersForVisitors } from '../compose.ts'
import { type ChoiceRow, choiceIn, selectOnlyName } from './choices.ts'
import { NEWS_LINKS } from './subscribers.ts'

/** The days that news announce: from one e-mail to the next, and a weekend more. */
const NEWS_DAYS = 10

/**
 * A query for the events of a choice.
 *
 * @param limit the most of them; by default as many as an e-mail can have
 */
function selectNewsDigest(context: BaseContext, filters: ListFilters, limit?: number): Query<Digest> {
  const { values } = checkInput(COPIED_EVENTS.params, filters)
  return selectDigest(context, {
    values,
    days: NEWS_DAYS,
    from: context.clock.now(),
    ...(limit && { limit }),
  })
}

/** @param name of the only thing that was chosen; '' for all other choices */
const subjectOf = ({ settings }: BaseContext, language: string, days: string, name = ''): string =>
  filled(textsIn(language).news.subject, { name: name || settings.siteName, days })

/**
 * News of a choice: one composition, from which everybody who has chosen this gets a copy with links of their
 * own.
 */
export type ComposedNews = {
  subject: string
  textsFor: (token: string) => { html: string; text: string }
}

/**
 * Composes the news of a choice, as they would be sent at the time of the context.
 *
 * @returns undefined if there is nothing to send: no event is on, or visitors cannot see what was chosen
 */
export async function composeNews(
  context: BaseContext,
  { filters, language }: ChoiceRow,
): Promise<ComposedNews | undefined> {
  const words = textsIn(language).news
  // A random text, which nobody can write into an event.
  const placeholder = randomHex(16)
  const address = context.site + NEWS_LINKS.pathOf(placeholder)
  const visible = await findFiltersForVisitors(context, storedJson(filters))
  if (!visible) return undefined
  const { digest, name } = await context.db.read(
    combineQueries({
      digest: selectNewsDigest(context, visible),
      name: selectOnlyName(context, choiceIn(filters)),
    }),
  )
  const { html, text, shownCount, days } = renderDigest(context, digest, {
    language,
    links: [
      { text: words.change, address },
      { text: words.leave, address: `${address}#leave` },
    ],
  })
  if (shownCount === 0) return undefined
  return {
    subject: subjectOf(context, language, days, name),
    textsFor: token => ({
      html: html.replaceAll(placeholder, token),
      text: text.replaceAll(placeholder, token),
    }),
  }
}

const MAX_IN_SAMPLE = 5

/** How news about everything would begin now. */
export type NewsSample = {
  subject: string
  entries: readonly DigestEntry[]
  more: string
}

/** A query for a sample; undefined if no e-mail would come. */
export const selectSample = (context: BaseContext, language: string): Query<NewsSample | undefined> =>
  mapQuery(selectNewsDigest(context, {}, MAX_IN_SAMPLE), ({ events, total, days }) => {
    if (events.length === 0) return undefined
    const frame = digestFrame(context, { language, intro: '', days, isEmpty: false })
    return {
      subject: subjectOf(context, language, frame.days),
      entries: digestEntries(context, { events, days, language }),
      more: total > events.length ? moreText(language, total - events.length) : '',
    }
  })
