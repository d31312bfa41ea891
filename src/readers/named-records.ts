import type { OrganizerRecord, TermRecord, TermRecordKind } from '../calendar/imports/records.ts'
import { nameKey } from '../calendar/terms/resource.ts'
import { FIELD_LIMITS } from '../kit/lib/values.ts'
import { type FieldReading, noteAbout } from './fields.ts'

// Venues, organizers and terms that a source names without an id: their texts are their external ids.

/** A text as an external id: case counts, the width of spaces does not. */
export const textKey = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ')

/** The fields of a venue or organizer that has little more than a name. */
export const bareRecord = ({ source }: FieldReading, externalId: string) => ({
  source,
  externalId,
  slug: '',
  description: '',
  status: 'publish' as const,
})

/** An organizer without an id, who is known by name and e-mail address. */
export const organizerNamed = (
  reading: FieldReading,
  { name, email = '', website = '' }: { name: string; email?: string; website?: string },
): OrganizerRecord => ({
  ...bareRecord(reading, textKey([name, email].filter(Boolean).join(' ') || website)),
  kind: 'organizer',
  name: name || email || website,
  email,
  website,
})

/** Categories or tags of some names, each once. */
export function termsNamed(
  kind: TermRecordKind,
  names: readonly string[],
  reading: FieldReading,
): TermRecord[] {
  const byKey = new Map(names.map(name => [textKey(nameKey(name)), name]))
  const plural = kind === 'category' ? 'categories' : 'tags'
  return linkableRecords([...byKey], plural, reading).map(([externalId, name]) => ({
    source: reading.source,
    externalId,
    kind,
    name,
    slug: '',
    description: '',
    standalone: false,
  }))
}

/**
 * The first of the records that an event refers to, as many as a request may name: thousands would slow down
 * every read of the event.
 */
export function linkableRecords<T>(links: readonly T[], name: string, reading: FieldReading): T[] {
  if (links.length > FIELD_LIMITS.links)
    noteAbout(reading, `it names more than ${FIELD_LIMITS.links} ${name}, of which the first are kept`)
  return links.slice(0, FIELD_LIMITS.links)
}
