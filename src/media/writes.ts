import { sql } from 'drizzle-orm'
import { recordImages } from '../content/images.ts'
import { changeTexts, storePicture } from '../content/pictures.ts'
import type { RequestContext } from '../context.ts'
import { mapped } from '../db/query.ts'
import { images } from '../db/schema.ts'
import { ApiError } from '../lib/errors.ts'
import { may } from '../lib/roles.ts'
import { assertMedium, mediumById, selectMedia } from './queries.ts'
import type { MediaTexts, MediaUpload } from './schema.ts'
import type { MediumRow } from './serialize.ts'

/**
 * Stores a picture. The same bytes again are the same picture, which keeps its texts, unless others are given by somebody
 * who may change them.
 */
export async function createMedium(
  context: RequestContext,
  { file, ...texts }: MediaUpload,
): Promise<MediumRow> {
  const stored = await storePicture(context, { ...file, ...texts }, 'file')
  const [row] = await context.db.change(
    recordImages(context, [stored]),
    selectMedia(context, sql`${images.url} = ${stored.url}`),
  )
  const medium = assertMedium(row)
  const isSaid = Object.entries(texts).every(
    ([name, text]) => text === undefined || medium[name as keyof MediaTexts] === text,
  )
  return isSaid || !mayChangeMedium(context, medium)
    ? medium
    : updateMedium(context, { values: texts, stored: medium })
}

/** Changes the named texts of a picture. */
export async function updateMedium(
  context: RequestContext,
  { values, stored }: { values: Partial<MediaTexts>; stored: MediumRow },
): Promise<MediumRow> {
  const statements = changeTexts(context, stored, values)
  return context.db.change(statements, mapped(mediumById(context, stored.id), assertMedium))
}

/**
 * Tells if the caller may change or delete a picture. Somebody who has uploaded it as well may use it, but its texts are
 * seen wherever others show it.
 */
export const mayChangeMedium = ({ caller }: RequestContext, { author_id }: MediumRow): boolean =>
  author_id === caller.id || may(caller, 'edit_others_content')

/** Refuses changes and deletions of pictures that somebody else has uploaded first. @throws ApiError `rest_forbidden` */
export function assertMayChange(context: RequestContext, row: MediumRow): void {
  if (!mayChangeMedium(context, row))
    throw new ApiError('rest_forbidden', `The role ${context.caller.role} may not change this one.`)
}
