import { MAX_SLUG, slugify, trashedSlug, untrashedSlug } from '../../lib/slug.ts'
import type { Status } from '../../lib/statuses.ts'

type Naming = { slug?: string | undefined; name: string; status: Status; fallback: string }

/** The base of a slug: the one that the request names, else the name, else the kind. */
const slugBase = ({ slug, name, fallback }: Naming): string => slug || slugify(name) || fallback

/** The slug that new content gets if it is free. */
export const newSlug = (naming: Naming): string =>
  naming.status === 'trash' ? trashedSlug(slugBase(naming)) : slugBase(naming)

/**
 * The slug that content gets by an update if it is free; undefined if it stays, as it does when the name changes. Content
 * in the trash leaves its slug free for others, and gets it back when restored, if it is still free.
 */
export function changedSlug(naming: Naming, stored: { slug: string; status: Status }): string | undefined {
  const trashing = naming.status === 'trash'
  const moved = trashing !== (stored.status === 'trash')
  if (!moved && (naming.slug === undefined || naming.slug === stored.slug)) return undefined
  const base = naming.slug === undefined ? untrashedSlug(stored.slug) : slugBase(naming)
  return trashing ? trashedSlug(base) : base
}

/** Length of the part of a slug that no number cuts off. */
const UNCUT = MAX_SLUG - 10

/** The slug without its number: another one could get it from this by a number. */
const unnumbered = (slug: string): string => slug.replace(/-\d+$/, '')

/**
 * Rows that one statement may write, in order: those that want the same slug say how many of these come before, and none
 * wants what another one may get by a number.
 */
export function inWaves<R>(
  rows: readonly R[],
  slugOf: (row: R) => string | undefined,
): { row: R; rank: number }[][] {
  const waves: { row: R; rank: number }[][] = [[]]
  let wanted = new Map<string, number>()
  let bases = new Set<string>()
  const mayMeet = (slug: string): boolean =>
    !wanted.has(slug) &&
    (bases.has(slug) ||
      wanted.has(unnumbered(slug)) ||
      (slug.length > UNCUT && bases.has(slug.slice(0, UNCUT))))
  for (const row of rows) {
    const slug = slugOf(row)
    if (slug === undefined) {
      waves.at(-1)?.push({ row, rank: 0 })
      continue
    }
    if (mayMeet(slug)) {
      waves.push([])
      wanted = new Map()
      bases = new Set()
    }
    const rank = wanted.get(slug) ?? 0
    waves.at(-1)?.push({ row, rank })
    wanted.set(slug, rank + 1)
    if (unnumbered(slug) !== slug) bases.add(unnumbered(slug))
    if (slug.length > UNCUT) bases.add(slug.slice(0, UNCUT))
  }
  return waves.filter(wave => wave.length > 0)
}
