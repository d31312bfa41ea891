import { sql } from 'drizzle-orm'
import { recordImage } from '../content/images.ts'
import { changeTexts, storePicture } from '../content/pictures.ts'
import type { RequestContext } from '../context.ts'
import { mapped } from '../db/query.ts'
import { images } from '../db/schema.ts'
import { ApiError } from '../lib/errors.ts'
import { may } from '../lib/roles.ts'
import { assertMedium, mediumById, selectMedia } from './queries.ts'
import type { MediaTexts, MediaUpload } from './schema.ts'
import type { MediumRow } from './serialize.ts'

/** Stores a picture. The same bytes again are the same picture, which keeps its texts unless others are given. */
export async function createMedium(
  context: RequestContext,
  { file, ...texts }: MediaUpload,
): Promise<MediumRow> {
  const stored = await storePicture(context, { ...file, ...texts })
  const [row] = await context.db.change(
    recordImage(context, stored),
    selectMedia(context, sql`${images.url} = ${stored.url}`),
  )
  const medium = assertMedium(row)
  const isSaid = Object.entries(texts).every(
    ([name, text]) => text === undefined || medium[name as keyof MediaTexts] === text,
  )
  return isSaid ? medium : updateMedium(context, { values: texts, stored: medium })
}

/** Changes the named texts of a picture. */
export async function updateMedium(
  context: RequestContext,
  { values, stored }: { values: Partial<MediaTexts>; stored: MediumRow },
): Promise<MediumRow> {
  const statements = changeTexts(context, stored, values)
  return context.db.change(statements, mapped(mediumById(context, stored.id), assertMedium))
}

/** Refuses changes of the pictures of others. @throws ApiError `rest_forbidden` */
export function assertMayChange({ caller }: RequestContext, { isUploader }: MediumRow): void {
  if (!isUploader && !may(caller, 'edit_others_content'))
    throw new ApiError('rest_forbidden', `The role ${caller.role} may not change this one.`)
}

/** Refuses the deletion of pictures that somebody else has uploaded as well, and before. @throws ApiError `rest_forbidden` */
export function assertMayDelete({ caller }: RequestContext, { author_id }: MediumRow): void {
  if (author_id !== caller.id && !may(caller, 'edit_others_content'))
    throw new ApiError('rest_forbidden', `The role ${caller.role} may not delete this one.`)
}
