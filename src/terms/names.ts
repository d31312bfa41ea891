import { normalizeText } from '../lib/text.ts'

/** The key of a term's name. Names that differ only in case are one term; accents make a difference, unlike in search. */
export const nameKey = (name: string): string => normalizeText(name, 'NFC').toLowerCase()
