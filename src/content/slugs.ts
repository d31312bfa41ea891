import { MAX_SLUG, slugify, trashedSlug, untrashedSlug } from '../lib/slug.ts'
import type { Status } from '../lib/statuses.ts'

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

/** The base that a slug has in common with its numbered forms, as far as these are not cut. */
const rootOf = (slug: string): string => slug.slice(0, MAX_SLUG - 10).replace(/-\d+$/, '')

/**
 * Rows that one statement may write, in order: those that want the same slug say how many of these come before, and none
 * wants what another one may get by a number.
 */
export function inWaves<R>(
  rows: readonly R[],
  slugOf: (row: R) => string | undefined,
): { row: R; rank: number }[][] {
  const waves: { row: R; rank: number }[][] = []
  let wanted = new Map<string, { slug: string; rows: number }>()
  for (const row of rows) {
    const slug = slugOf(row)
    const root = slug === undefined ? undefined : rootOf(slug)
    const known = root === undefined ? undefined : wanted.get(root)
    if (waves.length === 0 || (known && known.slug !== slug)) {
      waves.push([])
      wanted = new Map()
    }
    const rank = known?.slug === slug ? (known?.rows ?? 0) : 0
    waves.at(-1)?.push({ row, rank })
    if (slug !== undefined && root !== undefined) wanted.set(root, { slug, rows: rank + 1 })
  }
  return waves
}
