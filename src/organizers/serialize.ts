import { columnsWithout } from '../db/rows.ts'
import { eventOrganizers, organizers } from '../db/schema.ts'
import { jsonLd, node } from '../lib/json-ld.ts'
import { htmlToText } from '../lib/text.ts'
import { linkedRows } from '../linked/rows.ts'
import { imageAnswer } from '../posts/images.ts'
import { globalIds, permalink, postHead, stated } from '../posts/serialize.ts'
import type { View } from '../view.ts'
import type { OrganizerAnswer } from './schema.ts'

export const organizerRows = linkedRows(organizers, eventOrganizers, columnsWithout(organizers))
export type OrganizerRow = ReturnType<typeof organizerRows.readJson>[number]

/** @param data JSON-LD, on single reads */
export const organizerAnswer = (
  row: OrganizerRow,
  view: View,
  data?: OrganizerAnswer['json_ld'],
): OrganizerAnswer => ({
  id: row.id,
  ...postHead(row, view),
  url: permalink(row, 'organizer', view),
  organizer: row.name,
  ...stated({ description: row.description }),
  slug: row.slug,
  ...(row.image && { image: imageAnswer(row.image, view) }),
  ...stated({ phone: row.phone, website: row.website, email: row.email }),
  ...(data && { json_ld: data }),
  ...globalIds(view, row.id),
})

/** https://schema.org/Person: what an organizer is, the interface does not say; consumers expect a person (recorded). */
export const personNode = (row: OrganizerRow, view: View) =>
  node('Person', {
    name: row.name,
    description: htmlToText(row.description),
    image: row.image?.url,
    url: permalink(row, 'organizer', view),
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  })

export const singleOrganizerAnswer = (row: OrganizerRow, view: View): OrganizerAnswer =>
  organizerAnswer(row, view, jsonLd(personNode(row, view)))
