import { eq, getTableColumns, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { type BaseContext, restUrl, type SerializeContext } from '../../kit/context.ts'
import { columnList, decodeRow, type RowOf } from '../../kit/db/columns.ts'
import { allOf, countOf, inList, literal, many, mapQuery, type Query, rowLimit } from '../../kit/db/query.ts'
import { formerSlugs, images } from '../../kit/db/tables.ts'
import {
  conditionsOf,
  type FilterMap,
  type ListSlice,
  type PageParams,
  type Rows,
  withTotal,
} from '../../kit/http/lists.ts'
import { foundOrThrow } from '../../kit/lib/errors.ts'
import { searchWords } from '../../kit/lib/text.ts'
import { toWall } from '../../kit/lib/time.ts'
import { omit } from '../../kit/lib/values.ts'
import { serializeImage } from '../content/images.ts'
import { usableSql } from '../content/known-references.ts'
import { containsAllSql } from '../content/search.ts'
import { NAMELESS } from '../content/uploads.ts'
import type { LibraryImage, MediaListParams } from './schema.ts'
import { usedImageSql } from './uses.ts'

const imageRowColumns = omit(getTableColumns(images), 'search_text', 'copied_id')
export type ImageRow = RowOf<typeof imageRowColumns>

const slugOf = ({ id, slug }: ImageRow): string => slug || `media-${id}`

/** The id in the slug of an image without a name; 0, which no image has, for other slugs. */
const idOfSlug = (slug: string): number => Number(NAMELESS.exec(slug)?.[1] ?? 0)

export function serializeLibraryImage(row: ImageRow, context: SerializeContext): LibraryImage {
  const { id, title, alt_text, caption, mime_type, filesize, date_utc } = row
  return {
    ...serializeImage(row, context),
    rest_url: restUrl(context, 'media', id),
    author: String(row.author_id ?? 0),
    ...(date_utc !== null && { date: toWall(date_utc, context.settings.timezone), date_utc }),
    slug: slugOf(row),
    title,
    alt_text,
    caption,
    mime_type,
    ...(filesize !== null && { filesize }),
  }
}

/** Selects images that the caller may use. @param tail ORDER BY and further clauses */
export const selectMedia = (context: BaseContext, condition: SQL, tail: SQL = sql``): Query<ImageRow[]> =>
  many(
    sql`SELECT ${columnList(imageRowColumns)} FROM ${images} WHERE ${usableSql(context)} AND ${condition} ${tail}`,
    row => decodeRow(imageRowColumns, row),
  )

export const selectImageById = (context: BaseContext, id: number | SQL): Query<ImageRow | undefined> =>
  mapQuery(selectMedia(context, eq(images.id, id)), ([row]) => row)

export const requireImage = foundOrThrow('rest-image-not-found', 'There is no image with this id.')

/** A SELECT of the ids of images by slugs of other files with the same bytes. */
export const imageIdsByAlias = (slugs: readonly string[]): SQL =>
  sql`SELECT target_id AS id FROM ${formerSlugs} WHERE kind = 'image' AND slug IN ${inList(slugs)}`

const FILTERS: FilterMap<MediaListParams, keyof PageParams> = {
  search: query => containsAllSql(images.search_text, searchWords(query)),
  include: ids => inArray(images.id, inList(ids)),
  slug: texts => {
    const slugs = texts.map(text => text.toLowerCase())
    const namelessSql = sql`${images.slug} = '' AND ${images.id} IN ${inList(slugs.map(idOfSlug))}`
    return sql`(${images.slug} IN ${inList(slugs)} OR ${images.id} IN (${imageIdsByAlias(slugs)}) OR (${namelessSql}))`
  },
  unused: wanted => (wanted ? sql`NOT ${usedImageSql()}` : usedImageSql()),
}

/** A query for a page of images, the newest first, and their number. */
export function selectMediaPage(
  context: BaseContext,
  { values, page }: { values: Partial<MediaListParams>; page: ListSlice },
): Query<Rows<ImageRow>> {
  // The list shows only the copy of a copied image.
  const wantedSql = allOf([isNull(images.copied_id), ...conditionsOf(FILTERS, context, values)])
  const tail = sql`ORDER BY ${images.id} DESC LIMIT ${rowLimit(page.perPage)} OFFSET ${page.offset}`
  return withTotal(
    selectMedia(context, wantedSql, tail),
    countOf(sql`${images} WHERE ${usableSql(context)} AND ${wantedSql}`),
  )
}

type Newest = { search: string; limit: number; id?: number | undefined; before?: number | undefined }

/**
 * A query for the newest images, without a total, which would make the query slow. It has only the copy of a
 * copied image.
 *
 * @param id the id of an image to include in any case
 * @param before only images that are older than this one
 */
export function selectNewestMedia(
  context: BaseContext,
  { search, limit, id, before }: Newest,
): Query<ImageRow[]> {
  const conditions = [
    usableSql(context),
    isNull(images.copied_id),
    ...(search.trim() === '' ? [] : [containsAllSql(images.search_text, searchWords(search))]),
    ...(before === undefined ? [] : [lt(images.id, before)]),
  ]
  const newestSql = sql`${images.id} IN (SELECT ${images.id} FROM ${images} WHERE ${allOf(conditions)}
    ORDER BY ${images.id} DESC LIMIT ${literal(limit)})`
  return selectMedia(
    context,
    id === undefined ? newestSql : sql`(${images.id} = ${id} OR ${newestSql})`,
    sql`ORDER BY ${images.id} DESC`,
  )
}
