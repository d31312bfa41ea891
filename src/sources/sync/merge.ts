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
import type { Links, RowDraft } from './drafts.ts'
import type { LoadedEvent, State, Texts } from './state.ts'
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

const RELATIONS = {
  venue: 'venues',
  organizer: 'organizers',
  categories: 'terms',
  tags: 'terms',
} as const satisfies Partial<Record<FieldName, keyof Links>>

type Relation = keyof typeof RELATIONS
// Object.keys forgets the keys' type.
const RELATION_NAMES = Object.keys(RELATIONS) as Relation[]

/** Fields of a single event that are its own, or come with another field. */
const NOT_COMPARED: readonly FieldName[] = [
  ...RELATION_NAMES,
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

/** The links of a field. Those of categories and tags are in one table. */
function linksOf(links: Links, name: Relation, state: State): Row[] {
  const rows = links[RELATIONS[name]]
  if (name === 'venue' || name === 'organizer') return rows
  const taxonomy = name === 'categories' ? 'event_category' : 'event_tag'
  return rows.filter(({ target_id }) => state.terms.rows.get(Number(target_id))?.taxonomy === taxonomy)
}

const targets = (rows: readonly Row[]): string => rows.map(row => row.target_id).join()
const sorted = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(a.target_id) - Number(b.target_id))

const isSameLinks = (name: Relation, a: readonly Row[], b: readonly Row[]): boolean =>
  name === 'venue' || name === 'organizer'
    ? targets(a) === targets(b)
    : targets(sorted(a)) === targets(sorted(b))

type Merged = {
  draft: RowDraft
  texts: Texts | undefined
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
    image_id: record.image ? (state.imageAt(record.image.url) ?? null) : null,
  }
  const given = draft.relations?.links ?? { venues: [], organizers: [], terms: [] }
  const differs = (name: FieldName) =>
    isRelation(name)
      ? !isSameLinks(name, linksOf(links, name, state), linksOf(given, name, state))
      : columnsOf(name).some(column => (row[column] ?? '') !== (whole[column] ?? ''))
  const before: readonly FieldName[] =
    row.series_id === null
      ? [...COMPARED, ...RELATION_NAMES].filter(differs)
      : // Writes of occurrences store names of fields only.
        (textsOf(String(row.detached)) as FieldName[])
  const isKept = (name: FieldName) => isDetachedIn(before, name)
  const own: Row = {
    ...draft.own,
    detached: JSON.stringify([...new Set([...before, ...(record.occurrence?.detached ?? [])])]),
  }
  for (const name of before) for (const column of columnsOf(name)) own[column] = row[column] ?? null
  if (row.status === 'trash') own.status = 'trash'
  const merging = (name: Relation) => linksOf(isKept(name) ? links : given, name, state)
  const ownLinks: Links = {
    venues: merging('venue'),
    organizers: merging('organizer'),
    terms: [...merging('categories'), ...merging('tags')],
  }
  const relations = draft.relations && { ...draft.relations, links: ownLinks }
  const isSame =
    row.series_id === relations?.series &&
    Object.keys(own).every(name => /^(?:modified|date)/.test(name) || own[name] === row[name]) &&
    RELATION_NAMES.every(name =>
      isSameLinks(name, linksOf(links, name, state), linksOf(ownLinks, name, state)),
    )
  const texts = textsWith(own, {
    title: String(own.title),
    description: isKept('description') ? String(row.description) : record.description,
    excerpt: isKept('excerpt') ? String(row.excerpt) : record.excerpt,
  })
  const externalId = String(row.external_id ?? '') || draft.externalId
  const kept = before.filter(differs)
  return { draft: { ...draft, own, relations, externalId }, texts, kept, isSame }
}

const isRelation = (name: FieldName): name is Relation => name in RELATIONS
