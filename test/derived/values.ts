import { getTableName } from 'drizzle-orm'
import { contentTables } from '../../src/content/tables.ts'
import { fold, htmlToText } from '../../src/lib/text.ts'

type Row = Record<string, unknown>

/** Runs one SELECT and answers its rows. */
export type Select = (sql: string) => Promise<Row[]>

/** What is stored and could be computed from the base tables instead. */
type Derived = {
  name: string
  /** A SELECT of what is stored. */
  stored: string
  /** A SELECT from base tables alone, in the same order. */
  base: string
  /** What must be stored for a row of `base`; the row itself if SQL can say it all. */
  expect?: (row: Row) => Row
}

const folded = (...texts: unknown[]): string => fold(texts.filter(Boolean).join('\n'))

const text = (value: unknown): string => htmlToText(String(value ?? ''))

const VENUE_TEXTS = 'address, city, country, province, state, stateprovince, zip, phone, website'

/** Every derived value: one entry each. Used after random writes, and after a crash. */
export const DERIVED: readonly Derived[] = [
  {
    name: 'counts of terms',
    stored: 'SELECT id, count FROM terms ORDER BY id',
    base: `SELECT id, (SELECT count(*) FROM event_terms JOIN events ON events.id = event_id
        WHERE target_id = terms.id AND status = 'publish') AS count
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
    expect: ({ id, name }) => ({ id, name_key: String(name).toLowerCase(), sort_name: fold(String(name)) }),
  },
  {
    name: 'ancestors of terms',
    stored: 'SELECT term_id, ancestor_id FROM term_ancestors ORDER BY 1, 2',
    base: 'SELECT term_id, ancestor_id FROM expected_term_ancestors ORDER BY 1, 2',
  },
  {
    name: 'listings',
    stored: 'SELECT * FROM listings ORDER BY facet, target_id, utc_start_date, event_id',
    base: 'SELECT * FROM expected_listings ORDER BY facet, target_id, utc_start_date, event_id',
  },
  {
    name: 'listings of events, by the rules of lists',
    stored: `SELECT event_id FROM listings WHERE facet = 'event' ORDER BY 1`,
    base: `SELECT id AS event_id FROM events
      WHERE status = 'publish' AND hide_from_listings = 0 ORDER BY 1`,
  },
  {
    name: 'counts of listings',
    stored: `SELECT facet, target_id, grain, period, starts, ends FROM listing_counts
      WHERE starts <> 0 OR ends <> 0 ORDER BY 1, 2, 3, 4`,
    base: 'SELECT facet, target_id, grain, period, starts, ends FROM expected_listing_counts ORDER BY 1, 2, 3, 4',
  },
  {
    name: 'the next publication',
    stored: 'SELECT next_due_utc AS due FROM revision',
    base: `SELECT min(date_utc) AS due FROM (${contentTables
      .map(([, table]) => `SELECT date_utc FROM ${getTableName(table)} WHERE status = 'future'`)
      .join(' UNION ALL ')})`,
  },
  {
    name: 'search index of events',
    stored: 'SELECT rowid AS key, listed, unlisted FROM events_search ORDER BY 1',
    base: `SELECT search_key AS key, listed AS shown, title, description, excerpt
      FROM events ORDER BY 1`,
    expect: ({ key, shown, title, description, excerpt }) => {
      const searched = folded(title, text(description), text(excerpt))
      return { key, listed: shown ? searched : null, unlisted: shown ? null : searched }
    },
  },
  {
    name: 'search index of venues',
    stored: 'SELECT rowid AS id, search_text FROM venues_search ORDER BY 1',
    base: `SELECT id, name, description, ${VENUE_TEXTS} FROM venues ORDER BY 1`,
    expect: ({ id, name, description, ...texts }) => ({
      id,
      search_text: folded(name, text(description), ...Object.values(texts)),
    }),
  },
  {
    name: 'search index of organizers',
    stored: 'SELECT rowid AS id, search_text FROM organizers_search ORDER BY 1',
    base: 'SELECT id, name, description, phone, website, email FROM organizers ORDER BY 1',
    expect: ({ id, name, description, ...texts }) => ({
      id,
      search_text: folded(name, text(description), ...Object.values(texts)),
    }),
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

/** Derived values that are not what the base tables say, by name, each with its first difference. */
export async function findDrift(select: Select): Promise<string[]> {
  const drifts: string[] = []
  for (const { name, stored, base, expect = (row: Row) => row } of DERIVED) {
    const kept = (await select(stored)).map(row => JSON.stringify(row))
    const expected = (await select(base)).map(row => JSON.stringify(expect(row)))
    const extra = kept.find(row => !expected.includes(row))
    const missing = expected.find(row => !kept.includes(row))
    if (kept.length !== expected.length || extra || missing)
      drifts.push(`${name}: stored ${extra ?? '—'}, expected ${missing ?? '—'}`)
  }
  return drifts
}
