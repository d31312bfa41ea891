import * as z from 'zod/mini'
import * as p from '../../http/params.ts'
import { contentRows, fieldTable, paramsOf, plainField, responsesOf, workedOut } from '../content/fields.ts'
import { contentResponse, imageSchema, jsonLdSchema } from '../content/resource.ts'

const text = z.optional(z.string())

/** The fields of organizers. A new one that is stored and shown as it is needs its row here, its column and a migration. */
export const ORGANIZER_FIELDS = fieldTable({
  organizer: workedOut(p.name({ description: 'Name of the organizer.', example: 'The Guild' }), ['name']),
  phone: plainField(z.optional(p.line({ description: 'Telephone number.', example: '+353 1 234' })), text),
  website: plainField(
    z.optional(p.url({ description: 'Address of the website.', example: 'https://guild.example.org' })),
    text,
  ),
  email: plainField(
    z.optional(p.email({ description: 'E-mail address.', example: 'guild@example.org' })),
    text,
  ),
  ...contentRows(p.LIMIT.placeDescription, text),
})

export const organizerFields = z
  .object(paramsOf(ORGANIZER_FIELDS))
  .register(z.globalRegistry, { id: 'OrganizerFields' })

export type OrganizerFields = z.output<typeof organizerFields>

export const organizerSchema = z
  .object({
    ...contentResponse,
    organizer: z.string(),
    ...responsesOf(ORGANIZER_FIELDS),
    image: z.optional(imageSchema),
    json_ld: z.optional(jsonLdSchema),
  })
  .register(z.globalRegistry, { id: 'Organizer' })

export type OrganizerResponse = z.output<typeof organizerSchema>
