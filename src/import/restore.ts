import type { Statement } from '../lib/connection.ts'
import { mappingStatements } from './apply.ts'
import { insertRows } from './bulk.ts'
import type { ImageRecord, MappingRecord, UserRecord } from './records.ts'
import type { Columns } from './rows.ts'
import type { State } from './state.ts'

// What only backups of ours hold.

/** The statements that make users who aren't there, by login; passwords are not in backups. */
export function restoreUsers(users: readonly UserRecord[], state: State, maxBytes: number): Statement[] {
  const taken = new Set(state.users.values())
  const rows = users.flatMap(({ id: wanted, login, role, created_utc }): Columns[] => {
    const key = login.toLowerCase()
    if (state.users.has(key)) return []
    const id = wanted !== undefined && !taken.has(wanted) ? wanted : Math.max(0, ...taken) + 1
    taken.add(id)
    state.users.set(key, id)
    if (role === 'administrator') state.firstAdministrator ??= id
    return [{ id, login, role, created_utc }]
  })
  return insertRows('users', rows, maxBytes)
}

/** The statements that record images, also those that nothing shows. */
export function restoreImages(images: readonly ImageRecord[], state: State, maxBytes: number): Statement[] {
  const rows = images.flatMap(({ id: wanted, url, width = null, height = null }): Columns[] => {
    if (state.imageIds.has(url)) return []
    const id = state.images.freeId(wanted)
    state.images.set(id, { slug: url })
    state.imageIds.set(url, id)
    return [{ id, url, width, height }]
  })
  return insertRows('images', rows, maxBytes)
}

/**
 * The statements that restore what was known of other sources, so that importing from these goes on here.
 *
 * @param source the backup, whose ids the mappings' targets are
 */
export function restoreMappings(
  source: string,
  mappings: readonly MappingRecord[],
  state: State,
  maxBytes: number,
): Statement[] {
  const mapped = mappings.flatMap(({ source: from, kind, externalId, target, hash, importedVersion }) => {
    const here = state.mappingOf(source, kind, target)?.target
    if (here === undefined || state.mappingOf(from, kind, externalId)) return []
    const mapping = { target: here, hash, importedVersion }
    state.setMapping(from, kind, externalId, mapping)
    return [{ source: from, kind, externalId, mapping }]
  })
  return mappingStatements(mapped, maxBytes)
}
