import * as z from 'zod/mini'
import * as p from '../../kit/http/params.ts'
import { humanFields } from '../../kit/http/turnstile.ts'
import { toSimpleHtml } from '../../kit/lib/html.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import { paramsOf } from '../content/fields.ts'
import { linkChoices, termChoices } from '../events/relations/fields.ts'
import { eventFields } from '../events/schema.ts'
import { ORGANIZERS } from '../organizers/resource.ts'
import { VENUES } from '../venues/resource.ts'

/**
 * Limit on the venues of a submission, and on its organizers and categories: each is three rows for every
 * date, and some fifteen more if it is new.
 */
const MAX_LINKED = 3

/**
 * Fields that visitors cannot set for a venue or organizer: its publication, display and access, its id in
 * other systems, and images.
 */
const NOT_FOR_VISITORS = [
  'author',
  'date',
  'date_utc',
  'status',
  'slug',
  'image',
  'external_id',
  'show_map',
  'show_map_link',
  'wheelchair',
  'accessibility',
  'hide_contact',
]

/** Limit on a visitor's description, in UTF-16 units of HTML. */
export const MAX_TEXT = 20_000

/**
 * Limit on the tags and line breaks in a visitor's description. A submission has up to seven descriptions,
 * and a thousand tags take some three milliseconds.
 */
const MAX_MARKS = 1_000

/** A visitor's description. @param limit in characters */
const description = (limit: number) =>
  z.optional(
    p.html({
      limit,
      marks: MAX_MARKS,
      clean: toSimpleHtml,
      description: 'Description, HTML or plain text. Simple elements and links are kept, images are not.',
      example: '<p>Doors open at eight.</p>',
    }),
  )

/** A field for venues or organizers, in which visitors can describe new ones. */
function linkField({ singular, declared, fields: documented, validate }: typeof VENUES | typeof ORGANIZERS) {
  const fields = Object.entries(paramsOf(declared)).filter(([name]) => !NOT_FOR_VISITORS.includes(name))
  return z.optional(
    linkChoices(
      {
        singular,
        fields: z.object({
          ...Object.fromEntries(fields),
          description: description(FIELD_LIMITS.placeDescription),
        }),
        documented,
        ...(validate && { validate }),
      },
      `The ${singular}, by id if it is public, or with the data of a new one, of which fields for editors, such as status, slug and image, are ignored.`,
      MAX_LINKED,
    ),
  )
}

/** The fields of an event that visitors fill in. Editors decide how the calendar shows it. */
export const visitorFields = {
  ...z.pick(eventFields, {
    title: true,
    start_date: true,
    end_date: true,
    all_day: true,
    timezone: true,
    cost: true,
    website: true,
    is_virtual: true,
    virtual_event_type: true,
    virtual_url: true,
    recurrence: true,
  }).shape,
  description: description(MAX_TEXT),
  categories: z.optional(termChoices('Categories of the calendar, by id.', MAX_LINKED)),
  venue: linkField(VENUES),
  organizer: linkField(ORGANIZERS),
}

export const contactFields = {
  name: z.optional(
    p.line({ description: 'Name of the sender. Only editors see it.', example: 'Ann Example', limit: 200 }),
  ),
  email: p.mailAddress(
    {
      description: 'For questions from editors. Only they see it, until 90 days after the decision.',
      example: 'ann@example.org',
    },
    false,
  ),
}

export const submissionFields = p.documented(
  z.object({
    ...visitorFields,
    ...contactFields,
    ...humanFields,
  }),
  { id: 'SubmissionFields' },
)

export type SubmissionFields = z.output<typeof submissionFields>
