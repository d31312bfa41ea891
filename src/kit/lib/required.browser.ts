/**
 * Returns a part of the page that its HTML should always have. If it is missing, the script ends, and the
 * page works as it does without scripts.
 *
 * @throws TypeError if it is missing
 */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('A part of the page is missing')
  return value
}
