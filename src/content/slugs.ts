import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { freeSlugSql } from '../db/slugs.ts'
import { slugify, trashedSlug, untrashedSlug } from '../lib/slug.ts'
import type { Status } from '../lib/statuses.ts'
import type { ContentTable } from './visibility.ts'

type Sluggable = ContentTable & { slug: SQLiteColumn }
type Naming = {
  slug?: string | undefined
  name: string
  status: Status
  fallback: string
  /** Makes a condition for slugs that no row of the table has, and that are taken all the same. */
  takenElsewhere?: (slug: SQL) => SQL
}

/** The base of a slug: the one that the request names, else the name, else the kind. */
const slugBase = ({ slug, name, fallback }: Naming): string => slug || slugify(name) || fallback

/** The slug of new content. */
export const newSlug = (table: Sluggable, naming: Naming): SQL =>
  freeSlugSql(table, naming.status === 'trash' ? trashedSlug(slugBase(naming)) : slugBase(naming), {
    takenElsewhere: naming.takenElsewhere,
  })

/**
 * The slug of content after an update; undefined if it stays, as it does when the name changes. Content in the trash
 * leaves its slug free for others, and gets it back when restored, if it is still free.
 */
export function changedSlug(
  table: Sluggable,
  naming: Naming,
  stored: { id: number; slug: string; status: Status },
): SQL | undefined {
  const trashing = naming.status === 'trash'
  const moved = trashing !== (stored.status === 'trash')
  if (!moved && (naming.slug === undefined || naming.slug === stored.slug)) return undefined
  const base = naming.slug === undefined ? untrashedSlug(stored.slug) : slugBase(naming)
  const { takenElsewhere } = naming
  return freeSlugSql(table, trashing ? trashedSlug(base) : base, { except: stored.id, takenElsewhere })
}
