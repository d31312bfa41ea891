import { type AreaTexts, filled, type PluralIn, plural } from '../../words/words.ts'
import type { Site } from './site.ts'

/** The text for a count, which it names as `{{n}}`. */
export const counted = <A extends AreaTexts>(
  { site }: { site: Pick<Site, 'language' | 'dates'> },
  texts: A,
  key: PluralIn<A>,
  n: number,
): string => filled(plural(site.language, texts, key, n), { n: site.dates.number(n) })
