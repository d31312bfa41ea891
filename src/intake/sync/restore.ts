import { type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { given, insertRows, jsonPieces } from '../../db/bulk.ts'
import { literal, many } from '../../db/query.ts'
import { images as imagesTable, imports, users as usersTable } from '../../db/schema.ts'
import { freeSlugSql } from '../../db/slugs.ts'
import type { Row } from '../../lib/connection.ts'
import type { DateTime } from '../../lib/time.ts'
import { inWaves } from '../../resources/content/publication.ts'
import { imageText } from '../../resources/content/uploads.ts'
import type { TwinIds } from '../records.ts'
import { selectOf } from './lists.ts'
import { KnownRows } from './state.ts'

// Restores the tables that only backups hold.

/** The statements that make the users whose logins are not there yet. Backups hold no passwords. */
export async function restoreUsers({ db }: RequestContext, users: readonly Row[]): Promise<SQL[]> {
  const stored = await db.get(many(sql`SELECT id, login FROM users`, row => row))
  const logins = new Set(stored.map(({ login }) => String(login).toLowerCase()))
  const ids = new KnownRows<true>()
  for (const { id } of stored) ids.set(Number(id), true)
  const rows = users.flatMap((user): Row[] => {
    const login = String(user.login).toLowerCase()
    if (logins.has(login)) return []
    logins.add(login)
    const id = ids.freeId(Number(user.id) || undefined)
    ids.set(id, true)
    return [{ ...user, id }]
  })
  return insertRows(usersTable, rows)
}

type BackedUpImages = { rows: readonly Row[]; logins: ReadonlyMap<number, string> }

/** The statements that store images, used or not. Their files are stored by images.ts. */
export async function restoreImages(
  { db }: RequestContext,
  { rows: images, logins }: BackedUpImages,
): Promise<SQL[]> {
  const stored = await db.get(
    selectOf(
      images.flatMap(({ id, url }) => [Number(id), String(url)]),
      list => sql`SELECT id, url FROM images WHERE id IN (
        SELECT id FROM images WHERE id IN ${list} UNION ALL SELECT id FROM images WHERE url IN ${list})`,
    ),
  )
  const [highest] = await db.get(
    many(sql`SELECT seq FROM sqlite_sequence WHERE name = 'images'`, row => Number(row.seq)),
  )
  const ids = new KnownRows<true>()
  ids.reserve(highest ?? 0)
  for (const { id } of stored) ids.set(Number(id), true)
  const known = new Map(stored.map(({ id, url }) => [String(url), Number(id)]))
  const missing = images.filter(({ url }) => !known.has(String(url)))
  for (const { id, url } of missing) {
    const own = ids.freeId(Number(id))
    ids.set(own, true)
    known.set(String(url), own)
  }
  const idOf = new Map(images.map(({ id, url }) => [Number(id), known.get(String(url)) ?? null]))
  const rows = missing.map(image => ({
    ...image,
    id: known.get(String(image.url)) ?? null,
    author_id: logins.get(Number(image.author_id)) ?? null,
    copied_id: idOf.get(Number(image.copied_id)) ?? null,
    search_text: imageText(image),
  }))
  return inWaves(rows, ({ slug }: Row) => (slug ? String(slug) : undefined)).flatMap(wave =>
    insertRows(
      imagesTable,
      wave.map(({ row, rank }) => ({ ...row, slug: [(row as Row).slug ?? '', rank] })),
      COMPUTED,
    ),
  )
}

/**
 * The statements that join events again which were joined in a backup, unless somebody has decided about them here. What was
 * in the trash with the one that is shown stays there.
 */
export const restoreTwins = (source: string, pairs: readonly TwinIds[], now: DateTime): SQL[] => {
  if (pairs.length === 0) return []
  const own = (
    name: string,
    n: number,
  ) => sql`CROSS JOIN ${imports} AS ${sql.raw(name)} ON ${sql.raw(name)}.source = ${source}
    AND ${sql.raw(name)}.kind = 'event' AND ${sql.raw(name)}.external_id = CAST(given.value ->> ${literal(n)} AS TEXT)`
  const found = sql`SELECT hidden.target_id AS id, shown.target_id AS shown, events.listed AS is_listed, events.status = 'trash' AS is_gone
    FROM json_each(${JSON.stringify(pairs)}) AS given ${own('hidden', 0)} ${own('shown', 1)}
    CROSS JOIN events ON events.id = shown.target_id
    WHERE NOT EXISTS (SELECT 1 FROM events AS other WHERE other.duplicate_of = hidden.target_id)
      AND NOT EXISTS (SELECT 1 FROM twins WHERE first_id = min(hidden.target_id, shown.target_id)
        AND second_id = max(hidden.target_id, shown.target_id))`
  return [
    sql`UPDATE events SET duplicate_of = found.shown FROM (${found}) AS found WHERE events.id = found.id AND found.is_listed`,
    sql`UPDATE events SET status = 'trash', version = version + 1 FROM (${found}) AS found
      WHERE events.id = found.id AND found.is_gone AND events.status <> 'trash'`,
    sql`INSERT INTO twins (first_id, second_id, state, likeness, at_utc)
      SELECT min(found.id, shown), max(found.id, shown), 'joined', 1, ${now} FROM (${found}) AS found
      CROSS JOIN events ON events.id = found.id AND duplicate_of = shown`,
  ]
}

const wanted = (n: number) => sql`(given.value ->> ${sql.raw(`'$.slug[${n}]'`)})`

const COMPUTED = {
  author_id: (login: SQL) => sql`(SELECT id FROM users WHERE login = ${login} COLLATE NOCASE)`,
  slug: () => sql`iif(${wanted(0)} = '', '',
    ${freeSlugSql(imagesTable, wanted(0), { scope: sql`${imagesTable.slug} <> ''`, rank: wanted(1) })})`,
}

/**
 * The statements that restore mappings of other sources, so that imports from these can be repeated.
 *
 * @param source the backup: the targets of the mappings are its ids
 */
export const restoreMappings = (source: string, mappings: readonly Row[]): SQL[] =>
  jsonPieces(mappings).map(
    json => sql`INSERT INTO ${imports} (source, kind, external_id, target_id, hash, imported_version)
      SELECT ${given('source')}, own.kind, ${given('external_id')}, own.target_id, ${given('hash')}, ${given('imported_version')}
      FROM json_each(${json}) AS given CROSS JOIN ${imports} AS own ON own.source = ${source}
        AND own.kind = ${given('kind')} AND own.external_id = CAST(${given('target_id')} AS TEXT)
      WHERE true ON CONFLICT DO NOTHING`,
  )
