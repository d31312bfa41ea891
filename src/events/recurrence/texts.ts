/** The texts in a JSON array, as columns of series and occurrences hold it. */
// The service writes these columns itself, as arrays of texts.
export const textsOf = (json: string): string[] => JSON.parse(json) as string[]
