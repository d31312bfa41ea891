/**
 * What the HTML of the page always has, as far as a script can tell. Without it the script ends, and the page
 * goes on as it does without scripts.
 */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('A part of the page is missing')
  return value
}
