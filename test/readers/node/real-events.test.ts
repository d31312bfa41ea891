import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../../src/calendar/imports/report.ts'
import type { RawRow } from '../../../src/kit/db/query.ts'
import { fileItems } from '../../../src/readers/files.ts'
import type { Connection } from '../../connection.ts'
import { CONTEXT, importInto, makeDatabase, WINDOW } from '../database.ts'

// Answers of real sites, captured by others; see SOURCES.md beside them. They are no part of the project.
const FOLDER = join(import.meta.dirname, '../../../../shared/data/events-api')

if (!existsSync(FOLDER)) console.warn(`Skipped: there are no captured answers in ${FOLDER}.`)

type Json = Record<string, unknown>

/** Every object of a kind in the files, embedded ones included. */
async function sourceObjects(): Promise<Record<'events' | 'venues' | 'organizers', Json[]>> {
  const found = { events: [] as Json[], venues: [] as Json[], organizers: [] as Json[] }
  for (const file of await readdir(FOLDER)) {
    const json = JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as Json // Objects, all of them.
    const events = (json.events ?? ('start_date' in json ? [json] : [])) as Json[] // Likewise.
    found.events.push(...events)
    found.venues.push(...((json.venues ?? []) as Json[]), ...events.flatMap(event => list(event.venue)))
    found.organizers.push(
      ...((json.organizers ?? []) as Json[]),
      ...events.flatMap(event => list(event.organizer)),
    )
  }
  return found
}

const list = (raw: unknown): Json[] => (Array.isArray(raw) ? raw : raw ? [raw as Json] : [])

/** What a browser shows of a title; not by the importer's functions. */
const shown = (raw: unknown): string =>
  String(raw ?? '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|quot|nbsp);/g, (_, name) => ({ amp: '&', quot: '"', nbsp: '\u00a0' })[String(name)] ?? '')
    .trim()

/** The instant at which clocks of a zone show a time, found by trying; in UTC. */
function instantOf(wall: string, zone: string): string {
  const offset = /^UTC([+-]\d+)$/.exec(zone)
  const at = Date.parse(`${wall.replace(' ', 'T')}Z`)
  if (offset) return text(at - Number(offset[1]) * 3_600_000)
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const hours = Array.from({ length: 53 }, (_, i) => i / 2 - 13)
  const found = hours.map(hour => at - hour * 3_600_000).find(ms => format.format(ms) === wall)
  return found === undefined ? '' : text(found)
}

const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

describe.skipIf(!existsSync(FOLDER))('answers of real sites', () => {
  let db: Connection
  let report: Report
  let rows: Map<string, RawRow>
  let source: Awaited<ReturnType<typeof sourceObjects>>

  beforeAll(async () => {
    db = await makeDatabase()
    report = await importInto(db, fileItems([FOLDER], WINDOW, CONTEXT))
    source = await sourceObjects()
    const events = await db.query(
      `SELECT events.*, imports.external_id AS imported_id, source,
        (SELECT json_group_array(name) FROM event_venues JOIN venues ON venues.id = target_id WHERE event_id = events.id) AS venues,
        (SELECT json_group_array(name) FROM (SELECT name FROM event_organizers JOIN organizers ON organizers.id = target_id WHERE event_id = events.id ORDER BY position)) AS organizers,
        (SELECT json_group_array(taxonomy || ' ' || name) FROM event_terms JOIN terms ON terms.id = target_id WHERE event_id = events.id) AS terms
       FROM events JOIN imports ON kind = 'event' AND target_id = events.id`,
    )
    // Of one site by its host, for ids of different sites are the same.
    rows = new Map(events.map(row => [`${String(row.source).split('/')[0]} ${row.imported_id}`, row]))
  })
  afterAll(() => db.close())

  const rowOf = (event: Json): RawRow => {
    const row = rows.get(`${new URL(String(event.rest_url)).host} ${event.id}`)
    if (!row) throw new Error(`${event.rest_url} was not imported`)
    return row
  }

  it('are imported without a failure', () => {
    expect(report.reasons).toEqual([])
    expect(report.countOf('event', 'created')).toBe(new Set(source.events.map(event => event.rest_url)).size)
  })

  it('keep titles, texts and addresses', () => {
    for (const event of source.events) {
      const row = rowOf(event)
      expect(row.title).toBe(shown(event.title))
      expect(row.cost).toBe(shown(event.cost))
      expect(row.status).toBe('publish')
      if (event.website !== event.url) expect(row.website).toBe(shown(event.website))
    }
  })

  it('keep instants, wall times and zones', () => {
    for (const event of source.events) {
      const row = rowOf(event)
      expect({ start_date: row.start_date, end_date: row.end_date, timezone: row.timezone }).toEqual({
        start_date: event.start_date,
        end_date: event.end_date,
        timezone: event.timezone,
      })
      expect(row.utc_start_date).toBe(event.utc_start_date)
      // Six events of one site end years before they start, in UTC only.
      const end = String(event.utc_end_date)
      expect(row.utc_end_date).toBe(
        end < String(event.utc_start_date) ? instantOf(String(event.end_date), String(event.timezone)) : end,
      )
      expect(row.utc_start_date).toBe(instantOf(String(event.start_date), String(event.timezone)))
      expect({
        date: row.date,
        date_utc: row.date_utc,
        modified: row.modified,
        modified_utc: row.modified_utc,
      }).toEqual({
        date: event.date,
        date_utc: event.date_utc,
        modified: event.modified,
        modified_utc: event.modified_utc,
      })
      expect(row.all_day).toBe(event.all_day ? 1 : 0)
    }
  })

  it('keep the venues, organizers and terms of events', () => {
    for (const event of source.events) {
      const row = rowOf(event)
      expect(JSON.parse(String(row.venues))).toEqual(list(event.venue).map(venue => shown(venue.venue)))
      expect(JSON.parse(String(row.organizers))).toEqual(
        list(event.organizer).map(organizer => shown(organizer.organizer)),
      )
      const terms = [
        ...list(event.categories).map(term => `event_category ${shown(term.name)}`),
        ...list(event.tags).map(term => `event_tag ${shown(term.name)}`),
      ]
      expect((JSON.parse(String(row.terms)) as string[]).sort()).toEqual(terms.sort())
    }
  })

  it('keep images by their addresses and sizes', async () => {
    const images = new Map(
      (await db.query('SELECT id, url, width, height FROM images')).map(({ id, ...image }) => [id, image]),
    )
    for (const event of source.events) {
      // An object, where it is not false.
      const { url, width, height } = (event.image || {}) as Json
      const expected = url === undefined ? undefined : { url, width, height }
      expect(images.get(rowOf(event).image_id ?? 0)).toEqual(expected)
    }
  })

  it('keep venues and organizers', async () => {
    const venues = await db.query(
      `SELECT venues.*, imports.external_id AS imported_id, source FROM venues JOIN imports ON kind = 'venue' AND target_id = id`,
    )
    const organizers = await db.query(
      `SELECT organizers.*, imports.external_id AS imported_id, source FROM organizers JOIN imports ON kind = 'organizer' AND target_id = id`,
    )
    const find = (all: RawRow[], raw: Json) =>
      all.find(
        row =>
          String(raw.global_id).startsWith(String(row.source).split('/')[0] ?? '?') &&
          row.imported_id === String(raw.id),
      )
    for (const venue of source.venues) {
      const row = find(venues, venue)
      for (const field of ['address', 'city', 'country', 'province', 'state', 'zip', 'phone']) {
        expect(row?.[field], `${venue.global_id} ${field}`).toBe(shown(venue[field]))
      }
      expect(row?.name).toBe(shown(venue.venue))
      expect([row?.geo_lat, row?.geo_lng]).toEqual([venue.geo_lat ?? null, venue.geo_lng ?? null])
    }
    for (const organizer of source.organizers) {
      const row = find(organizers, organizer)
      expect({ name: row?.name, email: row?.email, phone: row?.phone }).toEqual({
        name: shown(organizer.organizer),
        email: shown(organizer.email),
        phone: shown(organizer.phone),
      })
    }
  })

  it('change nothing when imported again', async () => {
    const second = await importInto(db, fileItems([FOLDER], WINDOW, CONTEXT))
    expect({
      created: second.total('created'),
      updated: second.total('updated'),
      skipped: second.total('skipped'),
    }).toEqual({ created: 0, updated: 0, skipped: 0 })
    expect(await db.query('SELECT max(version) AS version FROM events')).toEqual([{ version: 1 }])
  })
})
