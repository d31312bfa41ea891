import type { RequestContext } from '../../../context.ts'
import { mapped, type Query } from '../../../db/query.ts'
import { check } from '../../../http/input.ts'
import { randomHex } from '../../../lib/digest.ts'
import { EVENT_SOURCE } from '../../../resources/changes/events.ts'
import { readDigest, renderDigest } from '../../../resources/digest/digest.ts'
import { filled, textsIn } from '../../../words/words.ts'
import type { ChoiceRow } from './choices.ts'
import { ownPath } from './links.ts'

/** The days that news announce: from one e-mail to the next, and a weekend more. */
const NEWS_DAYS = 10

type Texts = { html: string; text: string }

/** News of a choice: one composition, from which everybody who has chosen this gets a copy with links of their own. */
export type ComposedNews = {
  subject: string
  events: number
  textsFor: (token: string) => Texts
}

/** A query of the news of a choice, as they would be sent at the time of the context. */
export function composeNews(
  context: RequestContext,
  { filters, language }: Pick<ChoiceRow, 'filters' | 'language'>,
): Query<ComposedNews> {
  const { values } = check(EVENT_SOURCE.params, JSON.parse(filters))
  const words = textsIn(language).news
  // Nobody can write this into an event.
  const blank = randomHex(16)
  const address = context.site + ownPath(blank)
  return mapped(readDigest(context, { values, days: NEWS_DAYS, from: context.now }), digest => {
    const { html, text, shown, days } = renderDigest(context, digest, {
      language,
      links: [
        { text: words.change, address },
        { text: words.leave, address: `${address}#leave` },
      ],
    })
    return {
      subject: filled(words.subject, { site: context.settings.siteName, days }),
      events: shown,
      textsFor: token => ({ html: html.replaceAll(blank, token), text: text.replaceAll(blank, token) }),
    }
  })
}
