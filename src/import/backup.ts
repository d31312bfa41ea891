import { z } from 'zod'
import { ROLES } from '../lib/roles.ts'
import { KINDS } from './documents.ts'
import type { Place } from './read-posts.ts'
import type { Item } from './records.ts'

/** The file that makes a folder of pages a backup, with what no page has. */
export const MANIFEST = 'backup.json'
export const FORMAT = 'event-calendar backup'

const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  /** The address of the calendar that was exported. */
  site: z.string(),
  exported_utc: z.string(),
  users: z.array(z.object({ id: z.int(), login: z.string(), role: z.enum(ROLES), created_utc: z.string() })),
  images: z.array(
    z.object({ id: z.int(), url: z.url(), width: z.int().nullable(), height: z.int().nullable() }),
  ),
  imports: z.array(
    z.object({
      source: z.string(),
      kind: z.enum(KINDS),
      foreign_id: z.string(),
      target_id: z.int(),
      hash: z.string(),
      stamp: z.string().nullable(),
    }),
  ),
})

export type Backup = z.output<typeof manifest>

/** @throws Error that says what is wrong with it */
export function backupOf(json: unknown): Backup {
  const { success, data, error } = manifest.safeParse(json)
  if (!success) throw new Error(`${MANIFEST} is no manifest of a backup: ${z.prettifyError(error)}`)
  return data
}

/** What mappings of a restored backup are kept under; they are not part of the next backup. */
export const BACKUP_SOURCE = 'backup:'

/** A backup's users and images, then its records, then what was known of other sources. */
export async function* backupItems(
  backup: Backup,
  records: (place: Place) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const source = BACKUP_SOURCE + backup.site
  yield { type: 'users', users: backup.users }
  const images = backup.images.map(({ id, url, width, height }) => ({
    id,
    url,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
  }))
  yield { type: 'images', images }
  const logins = new Map(backup.users.map(({ id, login }) => [String(id), login]))
  yield* records({ source, own: true, logins })
  const mappings = backup.imports.map(({ source, kind, foreign_id, target_id, hash, stamp }) => ({
    source,
    kind,
    externalId: foreign_id,
    target: String(target_id),
    hash,
    importedVersion: stamp,
  }))
  yield { type: 'mappings', source, mappings }
}
