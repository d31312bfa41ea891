import type { SerializeContext } from '../../context.ts'
import { jsonLd, node } from '../../lib/escape.ts'
import { htmlToText } from '../../lib/text.ts'
import { shownFields } from '../content/field-table.ts'
import { imageUrl, serializeImage } from '../content/images.ts'
import type { OrganizerRow } from '../content/related/rows.ts'
import { contentHead, globalIds, permalink } from '../content/response.ts'
import { ORGANIZER_FIELDS, type OrganizerResponse } from './schema.ts'

const asShown = shownFields(ORGANIZER_FIELDS)

/** An organizer in its serialized form. @param json_ld for single reads */
export const serializeOrganizer = (
  row: OrganizerRow,
  context: SerializeContext,
  json_ld?: OrganizerResponse['json_ld'],
): OrganizerResponse => ({
  id: row.id,
  ...contentHead(row, context),
  url: permalink(row, 'organizer', context),
  organizer: row.name,
  ...asShown(row),
  slug: row.slug,
  ...(row.image && { image: serializeImage(row.image, context) }),
  ...(json_ld && { json_ld }),
  ...globalIds(context, row.id),
})

/** JSON-LD of an organizer: https://schema.org/Person, which consumers expect although it may be an organization (recorded). */
export const personNode = (row: OrganizerRow, context: SerializeContext) =>
  node('Person', {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image ? imageUrl(row.image, context) : undefined,
    url: permalink(row, 'organizer', context),
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  })

export const serializeSingleOrganizer = (row: OrganizerRow, context: SerializeContext): OrganizerResponse =>
  serializeOrganizer(row, context, jsonLd(personNode(row, context)))
