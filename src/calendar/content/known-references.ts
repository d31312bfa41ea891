import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { BaseContext } from '../../kit/context.ts'
import {
  combineQueries,
  inList,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { images, imageUploaders, users } from '../../kit/db/tables.ts'
import { ApiError, type ValidationErrors } from '../../kit/lib/errors.ts'
import { codedReason } from '../../kit/lib/reasons.ts'
import { may } from '../../kit/lib/roles.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import { uploadedPath } from './images.ts'
import { contentTables, type Singular, type VersionedTable } from './resource.ts'
import type { ImageChoice } from './uploads.ts'
import { readableSql, readStatus } from './visibility.ts'

type ReferenceValues = { author?: number | undefined; image?: ImageChoice | undefined }

/** The users and images that values name, if they exist and the caller may refer to them. */
export type KnownReferences = {
  users: ReadonlySet<number>
  images: ReadonlySet<number>
  /**
   * The uploaded images whose addresses the values have, by path: true for images that the caller may use.
   */
  uploads: ReadonlyMap<string, boolean>
}

/** A query for the authors and images that values name. */
export function selectReferences(
  context: BaseContext,
  values: readonly ReferenceValues[],
): Query<KnownReferences> {
  const authors = values.flatMap(({ author }) => (isOtherAuthor(context, author) ? [author] : []))
  const ids = values.flatMap(({ image }) => (image && 'id' in image ? [image.id] : []))
  const paths = values.flatMap(({ image }) => uploadPath(image) ?? [])
  return combineQueries({
    users: selectKnownAmong(users, authors),
    images: selectKnownAmong(images, ids, () => usableSql(context)),
    uploads: paths.length === 0 ? resolvedQuery(new Map()) : selectUploads(context, paths),
  })
}

/** The path of the uploaded image whose address a request names. */
const uploadPath = (image: ImageChoice | undefined): string | undefined =>
  image && 'url' in image && !image.upload ? uploadedPath(image.url) : undefined

const selectUploads = (context: BaseContext, paths: readonly string[]): Query<ReadonlyMap<string, boolean>> =>
  mapQuery(
    many(
      sql`SELECT ${images.url} AS url, ${usableSql(context)} AS usable FROM ${images} WHERE ${images.url} IN ${inList(paths)}`,
      ({ url, usable }) => [readText(url), usable === 1] as const,
    ),
    rows => new Map(rows),
  )

/** A query for the ids whose rows exist and meet a condition. */
export const selectKnownAmong = (
  table: SQLiteTable & { id: SQLiteColumn },
  ids: readonly number[],
  condition: () => SQL = () => sql`1`,
): Query<ReadonlySet<number>> =>
  ids.length === 0
    ? resolvedQuery(new Set())
    : mapQuery(
        many(
          sql`SELECT ${table.id} FROM ${table} WHERE ${table.id} IN ${inList(ids)} AND ${condition()}`,
          row => readNumber(row.id),
        ),
        known => new Set(known),
      )

const isOtherAuthor = ({ caller }: BaseContext, author: number | undefined): author is number =>
  author !== undefined && author !== caller.id

/**
 * Adds an error for an author or image that is unknown.
 *
 * @param parameter the field that errors name, if the values are nested in it
 */
export function checkReferences(
  context: BaseContext,
  { values: { author, image }, known }: { values: ReferenceValues; known: KnownReferences },
  errors: ValidationErrors,
  parameter?: string,
): void {
  const addUnknown = (field: string, what: string) => {
    const reason = `there is no ${what}`
    errors.add(parameter ?? field, codedReason('unknown', parameter ? `${field}: ${reason}` : reason))
  }
  if (isOtherAuthor(context, author) && !known.users.has(author)) addUnknown('author', `user ${author}`)
  if (image && 'id' in image && !known.images.has(image.id)) addUnknown('image', `image ${image.id}`)
  // An image that the caller may not use is as unknown as one that was never uploaded here.
  const path = uploadPath(image)
  const isHere = image && 'url' in image && new URL(image.url).origin === new URL(context.api).origin
  if (path !== undefined && !(known.uploads.get(path) ?? !isHere)) addUnknown('image', `image at ${path}`)
}

/**
 * A condition for images that the caller may use. Editors may use all images. Other callers may use images
 * that they have uploaded and images of content that they may read, so that guessed ids reveal nothing else.
 */
export function usableSql(context: BaseContext): SQL {
  if (may(context.caller, 'edit_others_content')) return sql`1`
  const uses = sql.join(
    contentTables.map(
      ([, table]) =>
        sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.image_id} = ${images.id} AND ${readableSql(table, context)})`,
    ),
    sql` OR `,
  )
  return sql`(${uploaderSql(context)} OR ${uses})`
}

const uploaderSql = ({ caller }: BaseContext): SQL =>
  sql`(${images.author_id} = ${caller.id} OR EXISTS (SELECT 1 FROM ${imageUploaders}
    WHERE image_id = ${images.id} AND user_id = ${caller.id}))`

/**
 * Checks the author that a request names.
 *
 * @param owner the present author, which anybody may send back unchanged
 * @throws ApiError `rest_forbidden` if the caller may not give content to this author
 */
export function assertAuthor(
  { caller }: BaseContext,
  { author, owner = caller.id }: { author?: number | undefined; owner?: number },
): void {
  if (author === undefined || author === caller.id || author === owner || may(caller, 'edit_others_content'))
    return
  throw new ApiError('rest_forbidden', 'Only editors may name another author.')
}

export type RowsByExternalId = ReadonlyMap<string, { id: number; status: Status; isReadable: boolean }>

type ExternalIdValue = { external_id?: string | undefined }

/** A query for the rows that have the external ids in some values. */
export function selectByExternalId(
  context: BaseContext,
  { table }: { table: VersionedTable },
  values: readonly ExternalIdValue[],
): Query<RowsByExternalId> {
  const ids = values.flatMap(({ external_id: id }) => (id ? [id] : []))
  if (ids.length === 0) return resolvedQuery(new Map())
  return mapQuery(
    many(
      // Repeats the condition of the index, so that SQLite uses it.
      sql`SELECT ${table.external_id} AS external_id, ${table.id} AS id, ${table.status} AS status,
        ${readableSql(table, context)} AS readable
        FROM ${table} WHERE ${table.external_id} IN ${inList(ids)} AND ${table.external_id} <> ''`,
      ({ external_id, id, status, readable }) =>
        [
          readText(external_id),
          { id: readNumber(id), status: readStatus(status), isReadable: readable === 1 },
        ] as const,
    ),
    byExternalId => new Map(byExternalId),
  )
}

/**
 * The error for an external id that another row has. It doesn't mention the other row, which the caller may
 * not be allowed to see.
 */
export const takenIdReason = ({ singular }: { singular: Singular }, id: string): string =>
  `${id} cannot be the external id of this ${singular}: choose another`

/**
 * Adds an error if another row has the external id.
 * @param ownId the id of the row that the request changes or uses
 */
export function checkExternalId(
  { singular }: { singular: Singular },
  { external_id: id = '' }: ExternalIdValue,
  { byExternalId, own: ownId }: { byExternalId: RowsByExternalId; own: number | undefined },
  errors: ValidationErrors,
  parameter = 'external_id',
): void {
  const holder = byExternalId.get(id)
  if (holder && holder.id !== ownId)
    errors.add(parameter, codedReason('taken', takenIdReason({ singular }, id)))
}
