import { serializeImage } from '../content/images.ts'
import type { OrganizerRow } from '../content/related/rows.ts'
import { contentHead, globalIds, omitEmpty, permalink } from '../content/serialize.ts'
import type { SerializeContext } from '../context.ts'
import { jsonLd, node } from '../lib/json-ld.ts'
import { htmlToText } from '../lib/text.ts'
import type { OrganizerResponse } from './schema.ts'

/** @param data JSON-LD, on single reads */
export const serializeOrganizer = (
  row: OrganizerRow,
  context: SerializeContext,
  data?: OrganizerResponse['json_ld'],
): OrganizerResponse => ({
  id: row.id,
  ...contentHead(row, context),
  url: permalink(row, 'organizer', context),
  organizer: row.name,
  ...omitEmpty({ description: row.description }),
  slug: row.slug,
  ...(row.image && { image: serializeImage(row.image, context) }),
  ...omitEmpty({ phone: row.phone, website: row.website, email: row.email }),
  ...(data && { json_ld: data }),
  ...globalIds(context, row.id),
})

/** https://schema.org/Person: the interface does not say what an organizer is, and consumers expect a person (recorded). */
export const personNode = (row: OrganizerRow, context: SerializeContext) =>
  node('Person', {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image?.url,
    url: permalink(row, 'organizer', context),
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  })

export const serializeSingleOrganizer = (row: OrganizerRow, context: SerializeContext): OrganizerResponse =>
  serializeOrganizer(row, context, jsonLd(personNode(row, context)))
