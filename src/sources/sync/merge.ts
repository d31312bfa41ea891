import {
  copiedColumns,
  FIELD_NAMES,
  type FieldName,
  isDetachedIn,
  isSharedField,
  TIMES,
} from '../../events/recurrence/shared.ts'
import { textsOf } from '../../events/recurrence/texts.ts'
import type { Row } from '../../lib/connection.ts'
import type { EventRecord } from '../records.ts'
import type { RowDraft } from './drafts.ts'
import type { EventTexts, Links, LoadedEvent, State } from './state.ts'
import { textsWith } from './texts.ts'

// An occurrence that was changed here keeps what was changed; all else is as the source says.

/** The columns of an event that a field sets, beside those that it copies from its series. */
const OWN_COLUMNS: Partial<Record<FieldName, readonly string[]>> = {
  status: ['status'],
  description: ['description'],
  excerpt: ['excerpt'],
  ...Object.fromEntries(
    TIMES.map(name => [
      name,
      ['start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone', 'timezone_abbr', 'all_day'],
    ]),
  ),
}

const columnsOf = (name: FieldName): readonly string[] =>
  OWN_COLUMNS[name] ?? [...copiedColumns([name]).keys()]

const RELATIONS = ['venue', 'organizer', 'categories', 'tags'] as const satisfies (keyof Links)[]

const isRelation = (name: FieldName): name is keyof Links => RELATIONS.some(relation => relation === name)

/** Fields of a single event that are its own, or come with another field. */
const NOT_COMPARED: readonly FieldName[] = [
  ...RELATIONS,
  'author',
  'date',
  'date_utc',
  'slug',
  'post_parent',
  'timezone',
  'is_virtual',
]

/** The fields, beside relations, by which an event that was a single one until now can differ from its series. */
const COMPARED = FIELD_NAMES.filter(name => isSharedField(name) && !NOT_COMPARED.includes(name))

/** Venues and organizers have an order. */
function isSameLinks(name: keyof Links, a: Links, b: Links): boolean {
  const idsOf = ({ [name]: ids }: Links) =>
    name === 'venue' || name === 'organizer' ? ids : ids.toSorted((x, y) => x - y)
  return idsOf(a).join() === idsOf(b).join()
}

type Merged = {
  draft: RowDraft
  texts: EventTexts | undefined
  /** The fields that differ from the source's. */
  kept: FieldName[]
  /** True if the stored row is as it must be. */
  isSame: boolean
}

/** The row of an occurrence that was changed here. */
export function merged(
  record: EventRecord,
  draft: RowDraft,
  { row, links }: LoadedEvent,
  state: State,
): Merged {
  const whole: Row = {
    ...draft.own,
    description: record.description,
    excerpt: record.excerpt,
    image_id: record.image ? (state.images.at(record.image.url) ?? null) : null,
  }
  const given = draft.relations?.links ?? { venue: [], organizer: [], categories: [], tags: [] }
  const differs = (name: FieldName) =>
    isRelation(name)
      ? !isSameLinks(name, links, given)
      : columnsOf(name).some(column => (row[column] ?? '') !== (whole[column] ?? ''))
  const before: readonly FieldName[] =
    row.series_id === null
      ? [...COMPARED, ...RELATIONS].filter(differs)
      : // Writes of occurrences store names of fields only.
        (textsOf(String(row.detached)) as FieldName[])
  const isKept = (name: FieldName) => isDetachedIn(before, name)
  const own: Row = {
    ...draft.own,
    detached: JSON.stringify([...new Set([...before, ...(record.occurrence?.detached ?? [])])]),
  }
  for (const name of before) for (const column of columnsOf(name)) own[column] = row[column] ?? null
  if (row.status === 'trash') own.status = 'trash'
  const merging = (name: keyof Links) => (isKept(name) ? links : given)[name]
  const ownLinks: Links = {
    venue: merging('venue'),
    organizer: merging('organizer'),
    categories: merging('categories'),
    tags: merging('tags'),
  }
  const relations = draft.relations && { ...draft.relations, links: ownLinks }
  const isSame =
    row.series_id === relations?.series &&
    Object.keys(own).every(name => /^(?:modified|date)/.test(name) || own[name] === row[name]) &&
    RELATIONS.every(name => isSameLinks(name, links, ownLinks))
  const texts = textsWith(own, {
    title: String(own.title),
    description: isKept('description') ? String(row.description) : record.description,
    excerpt: isKept('excerpt') ? String(row.excerpt) : record.excerpt,
  })
  const externalId = String(row.external_id ?? '') || draft.externalId
  const kept = before.filter(differs)
  return { draft: { ...draft, own, relations, externalId }, texts, kept, isSame }
}
