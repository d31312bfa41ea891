import * as z from 'zod/mini'
import type { SerializeContext } from '../../kit/context.ts'
import { eventOrganizers, organizers, seriesOrganizers } from '../../kit/db/tables.ts'
import * as p from '../../kit/http/params.ts'
import { node } from '../../kit/lib/json-ld.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import {
  computedField,
  contentRows,
  fieldTable,
  paramsOf,
  plainField,
  responsesOf,
  shownFields,
  storedColumns,
} from '../content/fields.ts'
import { imageUrl } from '../content/images.ts'
import {
  defineRelated,
  type OrganizerRow,
  relatedList,
  selectOrganizers,
} from '../content/related/resource.ts'
import { relatedRoutes } from '../content/related/routes.ts'
import { contentResponse, imageSchema, jsonLdSchema, permalink } from '../content/resource.ts'

const text = z.optional(z.string())

/** The fields of organizers. A new plain field needs a row here, a column and a migration. */
export const ORGANIZER_FIELDS = fieldTable({
  organizer: computedField(p.name({ description: 'Name of the organizer.', example: 'The Guild' }), ['name']),
  phone: plainField(z.optional(p.line({ description: 'Telephone number.', example: '+353 1 234' })), text),
  website: plainField(
    z.optional(p.url({ description: 'Address of the website.', example: 'https://guild.example.org' })),
    text,
  ),
  email: plainField(
    z.optional(p.email({ description: 'E-mail address.', example: 'guild@example.org' })),
    text,
  ),
  // The resource works out the column, so that sources, which don't know of the field, leave it as it is.
  hide_contact: computedField(
    z.optional(
      p.flag({
        description:
          'Hides `phone` and `email` from everybody who may not edit the organizer, wherever they would be shown.',
        default: false,
      }),
    ),
    ['hide_contact'],
  ),
  ...contentRows(FIELD_LIMITS.placeDescription, text),
})

const storedFields = storedColumns(ORGANIZER_FIELDS, organizers)
const shownFieldsOf = shownFields(ORGANIZER_FIELDS)

export const organizerFields = p.documented(z.object(paramsOf(ORGANIZER_FIELDS)), { id: 'OrganizerFields' })

export type OrganizerFields = z.output<typeof organizerFields>

export const organizerSchema = p.documented(
  z.object({
    ...contentResponse,
    organizer: p.escapedName,
    ...responsesOf(ORGANIZER_FIELDS),
    hide_contact: p.documented(
      z.optional(z.boolean()),
      "True for those who may edit it, if others don't see `phone` and `email`.",
    ),
    image: z.optional(imageSchema),
    json_ld: z.optional(jsonLdSchema),
  }),
  { id: 'Organizer' },
)

export type OrganizerResponse = z.output<typeof organizerSchema>

/**
 * JSON-LD of an organizer: https://schema.org/Organization where an event names it. The organizer itself is a
 * https://schema.org/Person, which consumers expect although it may be an organization (recorded).
 */
export const organizerNode = (
  row: OrganizerRow,
  context: SerializeContext,
  type: 'Person' | 'Organization' = 'Organization',
) =>
  node(type, {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image ? imageUrl(row.image, context) : undefined,
    url: permalink(row, 'organizer', context),
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  })

export const ORGANIZERS = defineRelated<OrganizerRow, OrganizerResponse>({
  singular: 'organizer',
  table: organizers,
  links: eventOrganizers,
  seriesLinks: seriesOrganizers,
  listParams: relatedList,
  fields: organizerFields,
  declared: ORGANIZER_FIELDS,
  addressColumns: [],
  columnsOf: values => ({ ...storedFields(values), hide_contact: values.hide_contact }),
  selectRows: selectOrganizers,
  response: organizerSchema,
  serializeShown: row => ({ ...shownFieldsOf(row), ...(row.hide_contact && { hide_contact: true }) }),
  node: (row, context) => organizerNode(row, context, 'Person'),
})

export const organizerRoutes = relatedRoutes(ORGANIZERS, organizerFields)
