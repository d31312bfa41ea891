import * as z from 'zod'
import { contentFields } from '../content/fields.ts'
import { contentResponse, imageSchema, jsonLdSchema } from '../content/response.ts'
import { email, LIMIT, line, name, url } from '../http/params.ts'

export const organizerFields = z
  .object({
    organizer: name({ description: 'Name of the organizer.', example: 'The Guild' }),
    phone: line({ description: 'Telephone number.', example: '+353 1 234' }).optional(),
    website: url({ description: 'Address of the website.', example: 'https://guild.example.org' }).optional(),
    email: email({ description: 'E-mail address.', example: 'guild@example.org' }).optional(),
    ...contentFields(LIMIT.placeDescription),
  })
  .meta({ id: 'OrganizerFields' })

export type OrganizerFields = z.output<typeof organizerFields>

export const organizerSchema = z
  .object({
    ...contentResponse,
    organizer: z.string(),
    description: z.string().optional(),
    image: imageSchema.optional(),
    phone: z.string().optional(),
    website: z.string().optional(),
    email: z.string().optional(),
    external_id: z.string().optional(),
    json_ld: jsonLdSchema.optional(),
  })
  .meta({ id: 'Organizer' })

export type OrganizerResponse = z.output<typeof organizerSchema>
