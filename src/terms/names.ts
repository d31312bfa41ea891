/** What makes two names one term: letters alike but for case. Accents do matter here, unlike in search. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()
