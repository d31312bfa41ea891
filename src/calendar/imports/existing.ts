import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../kit/context.ts'
import { inputValue, jsonBatches } from '../../kit/db/bulk.ts'
import {
  combineQueries,
  literal,
  many,
  mapQuery,
  orNull,
  type Query,
  readNumber,
  readText,
} from '../../kit/db/query.ts'
import { comparable } from '../../kit/lib/likeness.ts'
import { fold } from '../../kit/lib/text.ts'
import { CONTENT_TABLES } from '../content/resource.ts'
import { beginningWith, MIN_INDEXED_LENGTH } from '../content/search.ts'
import { publishedSql } from '../content/visibility.ts'
import type { ExistingOrganizer } from '../organizers/same-organizer.ts'
import type { ExistingVenue } from '../venues/same-venue.ts'
import { madeBySql, type RelatedKind, waitingVenueSql } from './mappings.ts'

/** The most rows with names of the same beginning that are compared, the shortest names first. */
const MAX_COMPARED = 100

/**
 * A query for the venues and organizers that have one of some names, regardless of case and accents, and of
 * venues regardless of punctuation as well. Names of less than three letters are in no index, and find none.
 * Both are in one statement, because an invocation of the cron has few.
 */
export function selectExisting(
  context: BaseContext,
  { source, ...names }: { source: string; venues: readonly string[]; organizers?: readonly string[] },
): Query<{ venues: ExistingVenue[]; organizers: ExistingOrganizer[] }> {
  const { venues: venueNames, organizers: organizerNames = [] } = names
  const isVenueWanted = nameMatcher(venueNames, comparable)
  const isOrganizerWanted = nameMatcher(organizerNames, fold)
  const phrases = [...phrasesOf('venue', venueNames), ...phrasesOf('organizer', organizerNames)]
  const queries = jsonBatches(phrases).map(json =>
    many(
      sql`SELECT 'venue' AS kind, venues.id, version, name, address, city, geo_lat, geo_lng, '' AS email,
          ${commonColumns(context, 'venue', source)}
        FROM ${candidates(context, { kind: 'venue', json, hiddenSql: waitingVenueSql })}
        UNION ALL SELECT 'organizer', organizers.id, version, name, '', '', NULL, NULL, email,
          ${commonColumns(context, 'organizer', source)}
        FROM ${candidates(context, { kind: 'organizer', json, hiddenSql: madeBySql('organizer', source) })}`,
      row => ({
        kind: readText(row.kind),
        id: readNumber(row.id),
        version: readNumber(row.version),
        events: readNumber(row.events),
        isPublic: row.is_public === 1,
        source: row.is_own === 1 ? source : '',
        name: readText(row.name),
        address: readText(row.address),
        city: readText(row.city),
        lat: orNull(readNumber)(row.geo_lat),
        lng: orNull(readNumber)(row.geo_lng),
        email: readText(row.email),
      }),
    ),
  )
  return mapQuery(combineQueries(queries), lists => {
    const rows = lists.flat()
    return {
      venues: rows.filter(({ kind, name }) => kind === 'venue' && isVenueWanted(name)),
      organizers: rows.filter(({ kind, name }) => kind === 'organizer' && isOrganizerWanted(name)),
    }
  })
}

/** Makes a function that says whether a name is one of some names, compared by their keys. */
function nameMatcher(names: readonly string[], keyOf: (name: string) => string): (name: string) => boolean {
  const keys = new Set(names.map(keyOf))
  return name => keys.has(keyOf(name))
}

/** MATCH expressions for names: the texts for searches begin with the name. */
const phrasesOf = (kind: RelatedKind, names: readonly string[]) =>
  [...new Set(names.map(fold))]
    .filter(name => [...name].length >= MIN_INDEXED_LENGTH)
    .map(name => ({ kind, phrase: beginningWith(name) }))

const commonColumns = ({ clock }: BaseContext, kind: RelatedKind, source: string): SQL =>
  sql`${publishedSql(CONTENT_TABLES[kind], clock.now())} AS is_public, ${madeBySql(kind, source)} AS is_own,
    (SELECT count(*) FROM events_of WHERE facet = ${kind} AND target_id = ${CONTENT_TABLES[kind].id}) AS events`

/** @param hiddenSql a condition for rows that are compared although they are not public */
function candidates(
  { clock }: BaseContext,
  { kind, json, hiddenSql }: { kind: RelatedKind; json: string; hiddenSql: SQL },
): SQL {
  const table = CONTENT_TABLES[kind]
  const search = sql.raw(`${kind}s_search`)
  return sql`json_each(${json}) AS input CROSS JOIN ${table} ON ${inputValue('kind')} = ${kind} AND ${table.id} IN (
    SELECT ${table.id} FROM ${search} CROSS JOIN ${table} ON ${table.id} = ${search}.rowid
    WHERE ${search} MATCH ${inputValue('phrase')} AND ${table.status} <> 'trash'
      AND (${publishedSql(table, clock.now())} OR ${hiddenSql})
    ORDER BY length(${table.name}), ${table.id} LIMIT ${literal(MAX_COMPARED)})`
}
