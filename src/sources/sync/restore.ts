import type { SQL } from 'drizzle-orm'
import { imageText } from '../../content/pictures.ts'
import { insertRows } from '../../db/bulk.ts'
import { images as imagesTable, users as usersTable } from '../../db/schema.ts'
import type { Row } from '../../lib/connection.ts'
import type { RecordKind } from '../records.ts'
import { mappingStatements } from './apply.ts'
import type { State } from './state.ts'

// Restores the tables that only backups hold.

/** The statements that make the users whose logins are not there yet. Backups hold no passwords. */
export function restoreUsers(users: readonly Row[], state: State): SQL[] {
  const taken = new Set(state.users.values())
  const rows = users.flatMap((user): Row[] => {
    const key = String(user.login).toLowerCase()
    if (state.users.has(key)) return []
    const wanted = Number(user.id)
    const id = wanted > 0 && !taken.has(wanted) ? wanted : Math.max(0, ...taken) + 1
    taken.add(id)
    state.users.set(key, id)
    if (user.role === 'administrator') state.firstAdministrator ??= id
    return [{ ...user, id }]
  })
  return insertRows(usersTable, rows)
}

type BackedUpImages = { rows: readonly Row[]; logins: ReadonlyMap<number, string> }

/** The statements that store images, used or not. Their files are stored by pictures.ts. */
export function restoreImages({ rows: images, logins }: BackedUpImages, state: State): SQL[] {
  const ids = new Map<number, number>()
  const missing = images.filter(image => {
    const url = String(image.url)
    const known = state.imageIds.get(url)
    const id = known ?? state.images.freeId(Number(image.id))
    ids.set(Number(image.id), id)
    if (known !== undefined) return false
    state.images.set(id, { slug: url, sized: image.width !== null })
    state.imageIds.set(url, id)
    return true
  })
  const rows = missing.map((image): Row => {
    const copy = image.copied_id === null ? undefined : ids.get(Number(image.copied_id))
    const id = ids.get(Number(image.id)) ?? 0
    if (copy !== undefined) state.copies.set(id, copy)
    const slug = image.slug ? state.imageSlugs.freeSlug(String(image.slug)) : ''
    if (slug) state.imageSlugs.set(id, { slug })
    return {
      ...image,
      id,
      slug,
      author_id: state.users.get(logins.get(Number(image.author_id))?.toLowerCase() ?? '') ?? null,
      copied_id: copy ?? null,
      search_text: imageText(image),
    }
  })
  return insertRows(imagesTable, rows)
}

/**
 * The statements that restore mappings of other sources, so that imports from these can be repeated.
 *
 * @param source the backup: the targets of the mappings are its ids
 */
export function restoreMappings(source: string, mappings: readonly Row[], state: State): SQL[] {
  const mapped = mappings.flatMap(row => {
    // Reading the backup has checked that the value is one of the column's.
    const kind = row.kind as RecordKind
    const [from, externalId, hash] = [String(row.source), String(row.external_id), String(row.hash)]
    const target = state.mappingOf(source, kind, String(row.target_id))?.target
    if (target === undefined || state.mappingOf(from, kind, externalId)) return []
    const mapping = {
      target,
      hash,
      importedVersion: row.imported_version == null ? null : String(row.imported_version),
    }
    state.setMapping(from, kind, externalId, mapping)
    return [{ source: from, kind, externalId, mapping }]
  })
  return mappingStatements(mapped)
}
