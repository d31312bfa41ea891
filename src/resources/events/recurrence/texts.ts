/** The texts in a JSON array, as columns of series and occurrences hold it. */
export function textsOf(json: string): string[] {
  try {
    const texts: unknown = JSON.parse(json)
    return Array.isArray(texts) ? texts.filter(text => typeof text === 'string') : []
  } catch {
    // The service writes these columns itself. What others wrote there must not keep it from reading all else.
    return []
  }
}
