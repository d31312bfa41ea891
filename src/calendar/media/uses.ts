import { eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, literal, many, type Query, readNumber, readText } from '../../kit/db/query.ts'
import { events, images, organizers, series, settings, venues } from '../../kit/db/tables.ts'
import { typedKeys } from '../../kit/lib/values.ts'
import { ILLUSTRATED_TABLES } from '../content/resource.ts'
import { UPLOADS } from '../content/uploads.ts'
import { readableSql } from '../content/visibility.ts'

// What shows an image: content with its id, logo and header of the calendar, and texts that have its address.

type UseKind = keyof typeof ILLUSTRATED_TABLES | 'settings'

/** The columns with ids of images, and those with texts that may show uploaded ones. */
const USES: Record<UseKind, { ids: readonly SQLiteColumn[]; texts: readonly SQLiteColumn[] }> = {
  event: { ids: [events.image_id], texts: [events.description, events.excerpt] },
  venue: { ids: [venues.image_id], texts: [venues.description] },
  organizer: { ids: [organizers.image_id], texts: [organizers.description] },
  series: { ids: [series.image_id], texts: [series.description, series.excerpt] },
  settings: {
    ids: [settings.logo_id, settings.header_image_id],
    texts: [settings.imprint_text, settings.privacy_text],
  },
}

const TABLES = { ...ILLUSTRATED_TABLES, settings }

const anySql = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` OR `)})`

const wholeText = (texts: readonly SQLiteColumn[]): SQL => sql`(${sql.join([...texts], sql` || `)})`

/** The characters of an uploaded image's name that the names of its sizes share. */
const NAME_LENGTH = 64

/** A SELECT of the names of images in the texts of a table, all of which it reads. */
function namesInTexts(kind: UseKind): SQL {
  const text = wholeText(USES[kind].texts)
  const placeOf = (whole: SQL) => sql`instr(${whole}, ${UPLOADS})`
  const after = (whole: SQL) => sql`substr(${whole}, ${placeOf(whole)} + ${literal(UPLOADS.length)})`
  return sql`WITH RECURSIVE rests (rest) AS (
      SELECT ${after(text)} FROM ${TABLES[kind]} WHERE ${placeOf(text)}
      UNION ALL SELECT ${after(sql`rest`)} FROM rests WHERE ${placeOf(sql`rest`)}
    ) SELECT substr(rest, 1, ${literal(NAME_LENGTH)}) FROM rests`
}

/** A condition for images that something shows, including content in the trash. */
export const usedImageSql = (): SQL =>
  anySql(
    typedKeys(USES).flatMap(kind => [
      ...USES[kind].ids.map(
        column => sql`EXISTS (SELECT 1 FROM ${TABLES[kind]} WHERE ${column} = ${images.id})`,
      ),
      sql`substr(${images.url}, ${literal(UPLOADS.length + 1)}, ${literal(NAME_LENGTH)}) IN (${namesInTexts(kind)})`,
    ]),
  )

/** Something that shows an image. Settings have no name. */
export type ImageUse = { kind: UseKind; id: number; name: string; slug: string }

type Uses = {
  /** What the caller may read: everybody sees what the settings show. */
  uses: ImageUse[]
  /** True if anything shows the image, such as content in the trash. */
  isUsed: boolean
}

/** A query for what shows an image, the newest first. @param maxUses of each kind */
export function selectUses(context: BaseContext, id: number, maxUses: number): Query<Uses> {
  const address = sql`(SELECT substr(${images.url}, 1, ${literal(UPLOADS.length + NAME_LENGTH)}) FROM ${images}
    WHERE ${images.id} = ${id} AND ${images.url} GLOB ${`${UPLOADS}*`})`
  return combineQueries(
    typedKeys(USES).map(kind => {
      const { ids, texts } = USES[kind]
      const usesSql = anySql([
        ...ids.map(column => eq(column, id)),
        sql`instr(${wholeText(texts)}, ${address})`,
      ])
      return many(
        sql`SELECT id, ${namesOf(context, kind)} FROM ${TABLES[kind]} WHERE ${usesSql}
          ORDER BY is_readable DESC, id DESC LIMIT ${literal(maxUses)}`,
        row => ({
          isReadable: row.is_readable === 1,
          use: { kind, id: readNumber(row.id), name: readText(row.name), slug: readText(row.slug) },
        }),
      )
    }),
    rows => ({
      uses: rows.flat().flatMap(({ isReadable, use }) => (isReadable ? [use] : [])),
      isUsed: rows.some(ofKind => ofKind.length > 0),
    }),
  )
}

/** The columns of rows of a kind by which they are named, and whether the caller may read them. */
function namesOf(context: BaseContext, kind: UseKind): SQL {
  if (kind === 'settings') return sql`'' AS name, '' AS slug, 1 AS is_readable`
  const table = ILLUSTRATED_TABLES[kind]
  const name = 'title' in table ? table.title : table.name
  return sql`${name} AS name, slug, ${readableSql(table, context)} AS is_readable`
}
