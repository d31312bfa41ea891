import * as z from 'zod/mini'
import { globalId, type SerializeContext } from '../../context.ts'
import { STATUSES, type Status, statusAt } from '../../lib/statuses.ts'
import type { ContentRow, Singular } from './kind.ts'

/** A date and time, "YYYY-MM-DD HH:MM:SS". */
export const dateTime = z.string().register(z.globalRegistry, { example: '2027-06-10 15:00:00' })

export const imageSchema = z
  .object({
    url: z.string(),
    id: z.int(),
    extension: z.string(),
    width: z.optional(z.int()),
    height: z.optional(z.int()),
    alt_text: z
      .optional(z.string())
      .register(z.globalRegistry, { description: 'What the image shows, in words.' }),
    sizes: z
      .record(
        z.string(),
        z.object({
          width: z.int(),
          height: z.optional(z.int()),
          'mime-type': z.optional(z.string()),
          url: z.string(),
        }),
      )
      .register(z.globalRegistry, {
        description:
          'Smaller ones of an uploaded image: `thumbnail` (150 × 150, cut), `medium` (300) and `large` (1,024), as far as it is larger.',
      }),
  })
  .register(z.globalRegistry, { id: 'Image' })

export type ImageResponse = z.output<typeof imageSchema>

/** Fields that the responses for events, venues and organizers share. */
export const contentResponse = {
  id: z.int(),
  global_id: z.string(),
  global_id_lineage: z.array(z.string()),
  author: z.string().register(z.globalRegistry, { description: "The author's id, as text." }),
  status: z.enum(STATUSES),
  date: dateTime
    .clone()
    .register(z.globalRegistry, { description: "Publication date, in the site's time zone." }),
  date_utc: dateTime,
  modified: dateTime,
  modified_utc: dateTime,
  url: z.string().register(z.globalRegistry, { description: 'Permalink.' }),
  slug: z.string(),
}

export const jsonLdSchema = z
  .looseObject({ '@context': z.literal('https://schema.org'), '@type': z.string() })
  .register(z.globalRegistry, { description: 'Schema.org data; single reads only.' })

/** The global id of a resource, `host?id=N`, and its lineage, which has no other id. */
export const globalIds = (context: SerializeContext, id: number) => ({
  global_id: globalId(context, id),
  global_id_lineage: [globalId(context, id)],
})

/** The first fields of events, venues and organizers. `author` is a string, as clients expect. */
export const contentHead = (row: ContentRow, context: SerializeContext) => ({
  author: String(row.author_id),
  status: statusAt(row, context.now),
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
})

/** Statuses with a permanent address. */
const ADDRESSED: readonly Status[] = ['publish', 'private']

/**
 * The address of content on the site: `{site}/venue/{slug}/`, or by id while the slug may still change.
 *
 * @param slugs the parts of the path after the kind
 */
export const permalink = (
  row: Pick<ContentRow, 'id' | 'status' | 'date_utc' | 'slug'>,
  kind: Singular,
  context: SerializeContext,
  slugs: readonly string[] = [row.slug],
): string =>
  ADDRESSED.includes(statusAt(row, context.now))
    ? `${context.site}/${[kind, ...slugs.map(encodeURIComponent)].join('/')}/`
    : `${context.site}/?post_type=${kind}&p=${row.id}`
