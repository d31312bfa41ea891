import * as z from 'zod/mini'
import { contentFields } from '../content/fields.ts'
import { contentResponse, imageSchema, jsonLdSchema } from '../content/response.ts'
import { email, LIMIT, line, name, url } from '../http/params.ts'

export const organizerFields = z
  .object({
    organizer: name({ description: 'Name of the organizer.', example: 'The Guild' }),
    phone: z.optional(line({ description: 'Telephone number.', example: '+353 1 234' })),
    website: z.optional(
      url({ description: 'Address of the website.', example: 'https://guild.example.org' }),
    ),
    email: z.optional(email({ description: 'E-mail address.', example: 'guild@example.org' })),
    ...contentFields(LIMIT.placeDescription),
  })
  .register(z.globalRegistry, { id: 'OrganizerFields' })

export type OrganizerFields = z.output<typeof organizerFields>

export const organizerSchema = z
  .object({
    ...contentResponse,
    organizer: z.string(),
    description: z.optional(z.string()),
    image: z.optional(imageSchema),
    phone: z.optional(z.string()),
    website: z.optional(z.string()),
    email: z.optional(z.string()),
    external_id: z.optional(z.string()),
    json_ld: z.optional(jsonLdSchema),
  })
  .register(z.globalRegistry, { id: 'Organizer' })

export type OrganizerResponse = z.output<typeof organizerSchema>
