import { getTableName } from 'drizzle-orm'
import { contentTables } from '../../src/calendar/content/resource.ts'
import { decodeEntities, fold, htmlToText } from '../../src/kit/lib/text.ts'

type Row = Record<string, unknown>

/** Runs one SELECT and answers its rows. */
type Select = (sql: string) => Promise<Row[]>

/** A stored value that could be computed from the base tables instead. */
type Derived = {
  name: string
  /** A SELECT of the stored values. */
  stored: string
  /** A SELECT from base tables alone, in the same order. */
  base: string
  /** The value for a row of `base`; the row itself if SQL computes it. */
  expect?: (row: Row) => Row
}

const folded = (...texts: unknown[]): string => fold(texts.filter(Boolean).join('\n'))

/** A title or a name, which are stored as HTML. */
const line = (value: unknown): string => decodeEntities(String(value ?? ''))

const text = (value: unknown): string => htmlToText(String(value ?? ''))

const ADDRESS = ['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip']
const VENUE_CONTACT = ['phone', 'website', 'accessibility']
const ORGANIZER_CONTACT = ['phone', 'website', 'email']

/** The text of a venue or organizer for searches: name, address, and what follows. */
const relatedText = (row: Row, contact: readonly string[]): string => {
  const linesOf = (columns: readonly string[]) => folded(...columns.map(column => line(row[column])))
  return `${linesOf(['name'])}\x1e${linesOf(ADDRESS)}\x1f${fold(`${linesOf(contact)} ${text(row.description)}`)}`
}

const resources = (isListed: boolean) =>
  [
    `SELECT 'events' AS kind, id FROM events ${isListed ? "WHERE status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL" : ''}`,
    `SELECT 'venues', id FROM venues ${isListed ? "WHERE status = 'publish'" : ''}`,
    `SELECT 'organizers', id FROM organizers ${isListed ? "WHERE status = 'publish'" : ''}`,
    `SELECT taxonomy, id FROM terms ${isListed ? 'WHERE standalone OR count > 0' : ''}`,
  ].join(' UNION ALL ')
const RESOURCES = resources(false)
const LISTED = resources(true)
/** Terms have their changes in their own rows. */
const CHANGES = `SELECT kind, id, change_number, public_change_number FROM changes WHERE kind NOT IN ('event_category', 'event_tag')
  UNION ALL SELECT kind, id, change_number, public_change_number FROM term_changes`

/** Every derived value: one entry each. Used after random writes, and after a crash. */
export const DERIVED: readonly Derived[] = [
  {
    name: 'counts of terms',
    stored: 'SELECT id, count FROM terms ORDER BY id',
    base: `SELECT id, (SELECT count(*) FROM event_terms JOIN events ON events.id = event_id
        WHERE target_id = terms.id AND status = 'publish' AND duplicate_of IS NULL) AS count
      FROM terms ORDER BY id`,
  },
  {
    name: 'paths of terms',
    stored: 'SELECT id, path FROM terms ORDER BY id',
    base: `WITH RECURSIVE tree(id, path) AS (
        SELECT id, slug FROM terms WHERE parent = 0
        UNION ALL SELECT terms.id, tree.path || '/' || slug FROM terms JOIN tree ON parent = tree.id
      ) SELECT id, path FROM tree ORDER BY id`,
  },
  {
    name: 'names of terms, as they are looked up and sorted',
    stored: 'SELECT id, name_key, sort_name FROM terms ORDER BY id',
    base: 'SELECT id, name FROM terms ORDER BY id',
    expect: ({ id, name }) => ({ id, name_key: String(name).toLowerCase(), sort_name: fold(line(name)) }),
  },
  {
    name: 'ancestors of terms',
    stored: 'SELECT term_id, ancestor_id FROM term_ancestors ORDER BY 1, 2',
    base: 'SELECT term_id, ancestor_id FROM expected_term_ancestors ORDER BY 1, 2',
  },
  {
    name: 'listings',
    stored:
      'SELECT facet, target_id, utc_start_date, event_id, utc_end_date FROM listings ORDER BY facet, target_id, utc_start_date, event_id',
    base: 'SELECT * FROM expected_listings ORDER BY facet, target_id, utc_start_date, event_id',
  },
  {
    name: 'listings of events, by the rules of lists',
    stored: `SELECT event_id FROM listings WHERE facet = 'event' ORDER BY 1`,
    base: `SELECT id AS event_id FROM events
      WHERE status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL ORDER BY 1`,
  },
  {
    name: 'counts of listings',
    stored: 'SELECT facet, target_id, period, count FROM listing_counts WHERE count <> 0 ORDER BY 1, 2, 3',
    base: 'SELECT facet, target_id, period, count FROM expected_listing_counts ORDER BY 1, 2, 3',
  },
  {
    name: 'the next publication',
    stored: 'SELECT next_due_utc AS due FROM revision',
    base: `SELECT min(date_utc) AS due FROM (${contentTables
      .map(([, table]) => `SELECT date_utc FROM ${getTableName(table)} WHERE status = 'future'`)
      .join(' UNION ALL ')})`,
  },
  {
    name: 'changes of everything that is there',
    stored: `SELECT kind, id FROM (${CHANGES}) WHERE (kind, id) IN (${RESOURCES}) ORDER BY 1, 2`,
    base: `SELECT kind, id FROM (${RESOURCES}) ORDER BY 1, 2`,
  },
  {
    name: 'public changes of everything that lists show',
    stored: `SELECT kind, id FROM (${CHANGES}) WHERE public_change_number IS NOT NULL AND (kind, id) IN (${LISTED}) ORDER BY 1, 2`,
    base: `SELECT kind, id FROM (${LISTED}) ORDER BY 1, 2`,
  },
  {
    name: 'the number of the latest change, which no write has kept for those after it',
    stored: `SELECT write_state, first_new_id, change_number >= (SELECT max(change_number) FROM (${CHANGES})) AS is_latest,
        public_change_number >= (SELECT max(public_change_number) FROM (${CHANGES})) AS is_latest_public
      FROM revision WHERE EXISTS (SELECT 1 FROM changes WHERE public_change_number IS NOT NULL)`,
    base: `SELECT 0 AS write_state, NULL AS first_new_id, 1 AS is_latest, 1 AS is_latest_public FROM revision WHERE EXISTS (SELECT 1 FROM changes WHERE public_change_number IS NOT NULL)`,
  },
  {
    name: 'search index of events',
    stored: 'SELECT rowid AS key, listed, unlisted FROM events_search ORDER BY 1',
    base: `SELECT search_key AS key, events.listed AS shown, events.title,
        iif(series.id IS NULL OR instr(detached, '"description"'), events.description, series.description) AS description,
        iif(series.id IS NULL OR instr(detached, '"excerpt"'), events.excerpt, series.excerpt) AS excerpt,
        series.id IS NOT NULL AS repeats
      FROM events LEFT JOIN series ON series.id = series_id
      WHERE series.id IS NULL OR detached LIKE '%"title"%' OR detached LIKE '%"description"%' OR detached LIKE '%"excerpt"%'
      ORDER BY 1`,
    expect: ({ key, shown, title, description, excerpt, repeats }) => {
      const parts = [line(title), text(description), text(excerpt)]
      // Parts of an occurrence are kept apart, so that one can be replaced.
      const searched = repeats ? parts.map(part => fold(String(part))).join('\x1f') : folded(...parts)
      return { key, listed: shown ? searched : null, unlisted: shown ? null : searched }
    },
  },
  {
    name: 'search index of series',
    stored: 'SELECT rowid AS id, search_text FROM series_search ORDER BY 1',
    base: 'SELECT id, title, description, excerpt FROM series ORDER BY 1',
    expect: ({ id, title, description, excerpt }) => ({
      id,
      search_text: folded(line(title), text(description), text(excerpt)),
    }),
  },
  {
    name: 'fields of occurrences that are not detached',
    stored: `SELECT id, title, cost, website, image_id, author_id, featured, hide_from_listings, custom_fields
      FROM events WHERE series_id IS NOT NULL AND detached = '[]' AND status <> 'trash' ORDER BY 1`,
    base: `SELECT events.id, series.title, series.cost, series.website, series.image_id, series.author_id, series.featured,
        series.hide_from_listings, series.custom_fields
      FROM events JOIN series ON series.id = series_id
      WHERE detached = '[]' AND events.status <> 'trash' ORDER BY 1`,
  },
  {
    name: 'relations of occurrences that are not detached',
    stored: `SELECT event_id, target_id, position FROM event_venues JOIN events ON events.id = event_id
      WHERE series_id IS NOT NULL AND detached = '[]' ORDER BY 1, 3`,
    base: `SELECT events.id AS event_id, target_id, position FROM events JOIN series_venues USING (series_id)
      WHERE detached = '[]' ORDER BY 1, 3`,
  },
  {
    name: 'search index of venues',
    stored: 'SELECT rowid AS id, search_text FROM venues_search ORDER BY 1',
    base: 'SELECT * FROM venues ORDER BY 1',
    expect: row => ({ id: row.id, search_text: relatedText(row, VENUE_CONTACT) }),
  },
  {
    name: 'search index of organizers',
    stored: 'SELECT rowid AS id, search_text FROM organizers_search ORDER BY 1',
    base: 'SELECT * FROM organizers ORDER BY 1',
    expect: row => ({ id: row.id, search_text: relatedText(row, ORGANIZER_CONTACT) }),
  },
  {
    name: 'links, which must lead somewhere',
    stored: `SELECT 'venue' AS kind, event_id, target_id FROM event_venues
        WHERE event_id NOT IN (SELECT id FROM events) OR target_id NOT IN (SELECT id FROM venues)
      UNION ALL SELECT 'organizer', event_id, target_id FROM event_organizers
        WHERE event_id NOT IN (SELECT id FROM events) OR target_id NOT IN (SELECT id FROM organizers)
      UNION ALL SELECT 'term', event_id, target_id FROM event_terms
        WHERE event_id NOT IN (SELECT id FROM events) OR target_id NOT IN (SELECT id FROM terms)`,
    base: 'SELECT 0 WHERE 0',
  },
]

/** Derived values that differ from the base tables, by name, each with its first difference. */
export const findDrift = (select: Select): Promise<string[]> =>
  driftOf(async queries => {
    const found: Row[][] = []
    for (const sql of queries) found.push(await select(sql))
    return found
  })

/** The same of a D1 database, in one round trip. */
export const findDriftIn = (db: D1Database): Promise<string[]> =>
  driftOf(async queries => {
    const found = await db.batch<Row>(queries.map(sql => db.prepare(sql)))
    return found.map(({ results }) => results)
  })

async function driftOf(select: (queries: readonly string[]) => Promise<Row[][]>): Promise<string[]> {
  const found = await select(DERIVED.flatMap(({ stored, base }) => [stored, base]))
  return DERIVED.flatMap(({ name, expect = (row: Row) => row }, i) => {
    const kept = (found[2 * i] ?? []).map(row => JSON.stringify(row))
    const expected = (found[2 * i + 1] ?? []).map(row => JSON.stringify(expect(row)))
    const stored = new Set(kept)
    const owed = new Set(expected)
    const extra = kept.find(row => !owed.has(row))
    const missing = expected.find(row => !stored.has(row))
    if (kept.length === expected.length && extra === undefined && missing === undefined) return []
    return [`${name}: stored ${extra ?? '—'}, expected ${missing ?? '—'}`]
  })
}
