import type { Taxonomy } from '../../db/schema.ts'
import { normalizeText } from '../../lib/text.ts'

/** What follows the path of a category in addresses: its feed, the ways to show it, pages of its list. */
const RESERVED =
  /^(?:all|day|feed|ical|list|map|month|page|past|photo|summary|today|upcoming|week|\d{4}-\d{2}(?:-\d{2})?)$/

/** Tells if a category must not have a slug, because the address of another one may end with it. */
export const isReserved = (taxonomy: Taxonomy, slug: string): boolean =>
  taxonomy === 'event_category' && RESERVED.test(slug)

/** The key of a term's name. Names that differ only in case are one term; accents make a difference, unlike in search. */
export const nameKey = (name: string): string => normalizeText(name, 'NFC').toLowerCase()
