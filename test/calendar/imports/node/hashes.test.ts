import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { hashOf, storedOf } from '../../../../src/calendar/imports/hashes.ts'
import type { RawRow } from '../../../../src/kit/db/query.ts'
import { series } from '../../../../src/kit/db/tables.ts'
import { fileItems } from '../../../../src/readers/files.ts'
import { CONTEXT, contentsOf, countsOf, importInto, makeDatabase, WINDOW } from '../../../readers/database.ts'
import { calendar, itemsOf, recordsOf } from '../../../readers/ics-calendar.ts'
import { event, venue } from '../../../readers/site-server.ts'

// Databases hold hashes of what was imported. If these changed, the next import would look at every record as
// new, and write all of them again. A new column must not change the hash of a record that lacks it.

it('records are recognised by the hashes of all versions', async () => {
  const db = await makeDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'import-hashes-'))
  try {
    const venues = [venue(10, { address: '1 High Street', geo_lat: 1.5, geo_lng: 2, description: 'Old.' })]
    const organizers = [{ id: 20, organizer: 'Guild', email: 'guild@town.example', phone: '1' }]
    const categories = [
      { id: 30, name: 'Music', slug: 'music', description: 'Loud' },
      { id: 31, name: 'Jazz', slug: 'jazz', parent: 30 },
    ]
    const events = [
      event(1, {
        venue: venues[0],
        organizer: organizers,
        categories,
        tags: [{ id: 40, name: 'late' }],
        image: { url: 'https://town.example/a.jpg', width: 4, height: 3 },
        cost: '$10',
        custom_fields: { size: 'L' },
        is_virtual: true,
        virtual_url: 'https://meet.example',
      }),
      event(2, { post_parent: 1, external_id: 'own-2' }),
    ]
    const pages = { events, venues, organizers, categories }
    for (const [name, items] of Object.entries(pages))
      await writeFile(
        join(folder, `${name}.json`),
        JSON.stringify({ [name]: items, rest_url: `https://town.example/api/v1/${name}/?page=1` }),
      )
    await importInto(db, fileItems([folder], WINDOW, CONTEXT))
    const lines = [
      [
        'UID:one',
        'DTSTART:20270301T190000Z',
        'SUMMARY:One',
        'LOCATION:Barn',
        'CATEGORIES:A,B',
        'URL:https://x.example',
      ],
      [
        'UID:many',
        'DTSTART;TZID=Europe/Rome:20270301T190000',
        'DURATION:PT1H',
        'RRULE:FREQ=WEEKLY;COUNT=2',
        'SUMMARY:Many',
      ],
      [
        ...['UID:many', 'RECURRENCE-ID;TZID=Europe/Rome:20270308T190000', 'SUMMARY:Other'],
        'DTSTART;TZID=Europe/Rome:20270308T200000',
      ],
    ]
    await importInto(db, await itemsOf(calendar(lines)))
    const rows = await db.query(
      `SELECT kind || ' ' || external_id || ' ' || hash || ' ' || ifnull(imported_version, '') AS line FROM imports ORDER BY source, kind, external_id`,
    )
    expect(rows.map(({ line }) => line)).toMatchInlineSnapshot(`
      [
        "category a 2.sTYdsm4epRGKfgw88BKQ4jM_hSe 1",
        "category b 2.NJpeNvt2j7s_RkfwaoTXlIQ2RLv 1",
        "event many#20270301T180000Z 2.SYk4NL_gBYISeIBcvedoH_VXsos 1",
        "event many#20270308T180000Z 2.0XOIPpgsfuUnZmMSnf6RBXani3t 1",
        "event one 2.xTeVumJxStn6xMN9hWy0ncdoHyi 1",
        "series many 2.0FyJdlIkqKRUfdSk8lO0Il7tsRZ 1lyLIZk_eK0uas-ooyRFgTPERBk",
        "venue Barn 2.QlLoLuIzx834fo8aKVjWcu-Mo51 1",
        "category 30 2.R2qgqzbKaAxa4BuGCB-V4Rl8kF0 1",
        "category 31 2.-_adVpi8ONc2DE5E9c1CN7HQ-3s 1",
        "event 1 2.p_qyPSn1FlQZzMxWuYjh_RGrBjQ 1",
        "event 2 2.1HNSj6UcNPMK95Iu8zfPkYhu1dn 1",
        "organizer 20 2.KCNDTN9uDmA6XP34O8G9kJLkdGV 1",
        "tag 40 2.dbOqNNjK2e7nVVVQiBi8auLXX9N 1",
        "venue 10 2.YuFn845b7yLPlOkniqk9qQUia8M 1",
      ]
    `)
  } finally {
    await rm(folder, { recursive: true })
    await db.close()
  }
})

it.each(['', null, false, undefined])('a later field that has the value %j changes no hash', async none => {
  const records = await recordsOf(calendar([['UID:one', 'DTSTART:20270301T190000Z', 'SUMMARY:One']]))
  expect(records).toHaveLength(1)
  const of = { isKnown: () => false, sourceLinks: { venue: [], organizer: [], categories: [], tags: [] } }
  const hashWith = (more: object) => Promise.all(records.map(record => hashOf({ ...record, ...more }, of)))
  const hashes = await hashWith({})
  for (const name of ['room', 'of_a_later_version']) {
    expect(await hashWith({ [name]: none }), name).toEqual(hashes)
    expect(await hashWith({ [name]: 'Cellar' }), name).not.toEqual(hashes)
  }
})

it('a change of a record that makes no difference here is not written', async () => {
  const db = await makeDatabase()
  try {
    const feed = (...more: string[]) =>
      itemsOf(calendar([['UID:one', 'DTSTART:20270301T190000Z', 'SUMMARY:One', 'LOCATION:Barn', ...more]]))
    await importInto(db, await feed())
    await db.query("UPDATE venues SET name = 'Hall', version = 2")
    const before = await contentsOf(db)
    // The event names its venue by the key of its source, whatever that is called here.
    expect(countsOf(await importInto(db, await feed()))).toEqual(['venue unchanged 1', 'event unchanged 1'])
    expect(countsOf(await importInto(db, await feed('GEO:')))).toEqual([
      'venue unchanged 1',
      'event unchanged 1',
    ])
    expect(await contentsOf(db)).toEqual(before)
  } finally {
    await db.close()
  }
})

it('every column of a series is part of what tells that it was changed here, or known not to be', async () => {
  const columns = Object.entries(getTableColumns(series))
  const rowWith = (n: 0 | 1): RawRow =>
    Object.fromEntries(
      columns.map(([name, { dataType, enumValues }]) => [
        name,
        dataType === 'string' ? (enumValues?.[n] ?? 'ab'[n] ?? '') : n,
      ]),
    )
  const revision = async (given: RawRow) => (await storedOf('series', { ...given, links: ';;' })).revision
  const row = rowWith(0)
  const other = rowWith(1)
  const unseen: string[] = []
  for (const [name] of columns)
    if ((await revision({ ...row, [name]: other[name] ?? null })) === (await revision(row))) unseen.push(name)
  expect(unseen.sort()).toEqual([
    ...['author_id', 'date', 'date_utc', 'exdate', 'extend_from', 'external_id', 'id', 'is_virtual'],
    // That somebody has confirmed its place in a programme changes nothing of what its source says.
    ...['modified', 'modified_utc', 'parent_confirmed_by', 'sequence_offset', 'uid', 'version'],
  ])
})
