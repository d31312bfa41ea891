import * as z from 'zod'
import { email, line, name, url } from '../http/params.ts'
import { imageSchema, jsonLdSchema, postAnswer } from '../posts/answer.ts'
import { postFields } from '../posts/fields.ts'

export const organizerFields = z
  .object({
    organizer: name({ description: 'Name of the organizer.', example: 'The Guild' }),
    phone: line({ description: 'Telephone number.', example: '+353 1 234' }).optional(),
    website: url({ description: 'Address of the website.', example: 'https://guild.example.org' }).optional(),
    email: email({ description: 'E-mail address.', example: 'guild@example.org' }).optional(),
    ...postFields,
  })
  .meta({ id: 'OrganizerFields' })

export const organizerSchema = z
  .object({
    ...postAnswer,
    organizer: z.string(),
    description: z.string().optional(),
    image: imageSchema.optional(),
    phone: z.string().optional(),
    website: z.string().optional(),
    email: z.string().optional(),
    json_ld: jsonLdSchema.optional(),
  })
  .meta({ id: 'Organizer' })

export type OrganizerAnswer = z.output<typeof organizerSchema>
