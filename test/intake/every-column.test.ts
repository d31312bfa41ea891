import { getTableColumns } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  BACKUP,
  type BackedUpTable,
  type BackupTable,
  backedUp,
  backupTable,
} from '../../src/intake/columns.ts'
import { fileItems } from '../../src/intake/readers/files.ts'
import { readRow } from '../../src/intake/readers/read-row.ts'
import { storedOf } from '../../src/intake/sync/editions.ts'
import type { Row, Value } from '../../src/lib/connection.ts'
import { formatInstant } from '../../src/lib/time.ts'
import type { Connection } from '../connection.ts'
import { CONTEXT, exportTo, importInto, makeDatabases, makeFolder, NOW, WINDOW } from './database.ts'

let from: Connection
let to: Connection
const folder = makeFolder()

beforeAll(async () => {
  const [first, second] = await makeDatabases()
  from = first
  to = second
})
afterAll(async () => {
  await from.close()
})

/** What no made-up value would do for. Ids are the positions of tables here plus 100. */
const FIXED: Record<BackupTable, Row> = {
  users: { login: 'Zoe', role: 'administrator' },
  images: {
    url: 'https://x.example/a.png',
    author_id: 100,
    copied_id: 101,
    slug: 'a',
    title: 'Title',
    alt_text: 'Words',
    caption: 'Café',
    search_text: 'title words cafe',
    mime_type: 'image/png',
  },
  terms: {
    // A trigger keeps it.
    count: 0,
    taxonomy: 'event_category',
    parent: 0,
    name: 'Café',
    name_key: 'café',
    sort_name: 'cafe',
    slug: 's',
    path: 's',
  },
  venues: { author_id: 100, image_id: 101, status: 'private', website: 'https://x.example/v' },
  organizers: {
    author_id: 100,
    image_id: 101,
    status: 'pending',
    website: 'https://x.example/o',
    email: 'o@x.example',
  },
  series: {
    author_id: 100,
    image_id: 101,
    post_parent: 99,
    status: 'private',
    start_date: '2027-03-01 20:00:00',
    end_date: '2027-03-01 22:00:00',
    website: 'https://x.example/s',
    event_status: 'rescheduled',
    virtual_event_type: 'virtual',
    virtual_url: 'https://x.example/all',
    custom_fields: '{"key":{"label":"Key","value":"2"}}',
    timezone: 'Europe/Rome',
    rrule: 'FREQ=DAILY;COUNT=3',
    rdate: '["2027-03-09 20:00:00"]',
    exdate: '["2027-03-02 20:00:00"]',
    extend_from: '2029-01-01 00:00:00',
  },
  events: {
    author_id: 100,
    image_id: 101,
    post_parent: 99,
    series_id: 105,
    // What it stands for is worked out anew.
    duplicate_of: null,
    occurrence_date: '2027-03-01 20:00:00',
    detached: '["title","description"]',
    status: 'draft',
    timezone: 'Europe/Paris',
    start_date: '2027-03-01 20:00:00',
    end_date: '2027-03-01 22:00:00',
    utc_start_date: '2027-03-01 19:00:01',
    utc_end_date: '2027-03-01 21:00:01',
    website: 'https://x.example/e',
    event_status: 'postponed',
    virtual_event_type: 'hybrid',
    virtual_url: 'https://x.example/online',
    custom_fields: '{"key":{"label":"Key","value":"1"}}',
  },
  seriesVenues: { series_id: 105, target_id: 103, position: 0 },
  seriesOrganizers: { series_id: 105, target_id: 104, position: 0 },
  seriesTerms: { series_id: 105, target_id: 102 },
  eventVenues: { event_id: 106, target_id: 103, position: 0 },
  eventOrganizers: { event_id: 106, target_id: 104, position: 0 },
  eventTerms: { event_id: 106, target_id: 102 },
  imports: { kind: 'event', target_id: 106 },
}

// Object.keys forgets the keys' type.
const NAMES = Object.keys(FIXED) as BackupTable[]

let counter = 1000

/** A value that no other column has, and that the column does not get by itself. */
function madeUp(table: BackupTable, name: string, column: ReturnType<typeof columnsOf>[string]): Value {
  counter += 1
  if (name === 'id') return NAMES.indexOf(table) + 100
  if (column.dataType === 'boolean') return column.default === true ? 0 : 1
  if (name === 'description' || name === 'excerpt')
    return table === 'terms' ? `plain ${counter}` : `<p>${counter}</p>`
  if (name.startsWith('geo_')) return counter / 100
  if (/(?:^|_)(?:date|utc|modified)$/.test(name)) return formatInstant(counter * 1_000)
  if (column.dataType === 'number') return column.columnType === 'SQLiteReal' ? counter / 100 : counter
  return `${table}-${name}-${counter}`
}

const columnsOf = (table: BackupTable) => getTableColumns(backupTable(table))

/** One row of each table with a value in every column but the generated ones. */
async function fill(db: Connection): Promise<void> {
  for (const table of NAMES) {
    if (table === 'series') await insert(db, 'events', parent())
    await insert(db, table, rowOf(table))
  }
}

/** An event that others belong to. */
const parent = (): Row => ({
  ...rowOf('events'),
  ...{ id: 99, post_parent: null, series_id: null, occurrence_date: null, detached: '[]' },
})

function rowOf(table: BackupTable): Row {
  const given = Object.entries(columnsOf(table)).filter(([, { generated }]) => !generated)
  return Object.fromEntries(
    given.map(([name, column]) => [
      column.name,
      name in FIXED[table] ? (FIXED[table][name] ?? null) : madeUp(table, name, column),
    ]),
  )
}

async function insert(db: Connection, table: BackupTable, row: Row): Promise<void> {
  const names = Object.keys(row)
  const marks = names.map(() => '?').join(', ')
  await db.query(
    `INSERT INTO ${sqlName(table)} (${names.join(', ')}) VALUES (${marks})`,
    ...Object.values(row),
  )
}

const sqlName = (table: BackupTable): string => table.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

it('a backup restores every column of every table that it holds', async () => {
  await fill(from)
  await exportTo(from, folder)
  const report = await importInto(to, fileItems([folder], WINDOW, CONTEXT))
  expect(report.reasons).toEqual([])
  for (const table of NAMES) {
    const all = `SELECT * FROM ${sqlName(table)} ${table === 'imports' ? "WHERE source NOT LIKE 'backup:%'" : ''} ORDER BY rowid`
    const stored = await from.query(all)
    expect(await to.query(all), table).toEqual(stored)
    for (const [name, column] of Object.entries(columnsOf(table)))
      if (!column.generated) expect(stored[0], table).toHaveProperty(name)
  }
})

it('columns that mean something else in another calendar are known: ids, slugs and whatever refers to a row', () => {
  for (const table of NAMES) {
    const { placed, derived = [] }: BackedUpTable = BACKUP[table]
    const { foreignKeys } = getTableConfig(backupTable(table))
    const referring = foreignKeys.flatMap(key => key.reference().columns.map(({ name }) => name))
    const known = ['id', 'slug', 'external_id'].filter(
      name => name in columnsOf(table) && table !== 'imports',
    )
    expect([...placed, ...derived], table).toEqual(expect.arrayContaining([...referring, ...known]))
    expect(Object.keys(columnsOf(table)), table).toEqual(expect.arrayContaining([...placed, ...derived]))
    expect(Object.keys(backedUp(table)), table).toEqual(expect.not.arrayContaining([...derived, 'listed']))
  }
})

it('every column of a series is part of what tells that it was changed here, or known not to be', async () => {
  const row = rowOf('series')
  const edition = async (given: Row) => (await storedOf('series', { ...given, links: ';;' })).edition
  const unseen: string[] = []
  for (const [name, column] of Object.entries(columnsOf('series'))) {
    const other = column.dataType === 'boolean' ? 1 - Number(row[name]) : madeUp('series', name, column)
    if ((await edition({ ...row, [name]: other })) === (await edition(row))) unseen.push(name)
  }
  expect(unseen.sort()).toEqual([
    ...['author_id', 'date', 'date_utc', 'exdate', 'extend_from', 'external_id', 'id', 'is_virtual'],
    ...['modified', 'modified_utc', 'sequence', 'uid', 'version'],
  ])
})

it('a row of an older backup gets the defaults of columns that it does not know', () => {
  const {
    description: _,
    image_id: __,
    ...older
  } = {
    ...FIXED.organizers,
    id: 1,
    version: 1,
    slug: 'a',
    name: 'A',
    date: NOW,
    date_utc: NOW,
    modified: NOW,
    modified_utc: NOW,
    description: '',
    image_id: null,
  }
  expect(readRow('organizers', older)).toMatchObject({ description: '', image_id: null })
  const { name: ___, ...nameless } = older
  expect(() => readRow('organizers', nameless)).toThrow('name of organizers cannot be undefined')
})

it('a row of a backup is cleaned, and refused where it holds what no column takes', () => {
  const image = { id: 1, url: 'https://x.example/a.png', width: 1, height: 1 }
  expect(readRow('images', { ...image, width: 'wide' })).toMatchObject({ width: null, height: 1 })
  expect(() => readRow('users', { id: 1, login: 'x', role: 'king', created_utc: NOW })).toThrow(
    'role of users',
  )
  const term = { id: 1, version: 1, taxonomy: 'event_tag', parent: 0, slug: 's', description: '' }
  expect(readRow('terms', { ...term, name: 'a<script>b</script>' }).name).not.toContain('<script>')
})
