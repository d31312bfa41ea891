import { normalizeText } from '../lib/text.ts'

/** The key by which two names are one term: letters alike but for case. Accents do matter here, unlike in search. */
export const nameKey = (name: string): string => normalizeText(name, 'NFC').toLowerCase()
