/**
 * What the HTML of the page always has, as far as a script can tell. Without it the script ends, and the page
 * goes on as it does without scripts.
 */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('The page lacks a part that this needs.')
  return value
}
