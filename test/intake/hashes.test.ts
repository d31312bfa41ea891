import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableColumns } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { series } from '../../src/db/schema.ts'
import { fileItems } from '../../src/intake/readers/files.ts'
import { hashed, storedOf } from '../../src/intake/sync/editions.ts'
import type { Row } from '../../src/lib/connection.ts'
import { CONTEXT, importInto, makeDatabase, WINDOW } from './database.ts'
import { calendar, itemsOf } from './ics-calendar.ts'
import { event, venue } from './site-server.ts'

// Databases hold hashes of what was imported. If these changed, the next import would look at every record as new, and write
// all of them again. A new column must not change the hash of a record that lacks it.

it('what was imported is recognised by the hash that it had in all versions', async () => {
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
    await importInto(db, itemsOf(calendar(lines)))
    const rows = await db.query(
      `SELECT kind || ' ' || external_id || ' ' || hash || ' ' || ifnull(imported_version, '') AS line FROM imports ORDER BY source, kind, external_id`,
    )
    expect(rows.map(({ line }) => line)).toMatchInlineSnapshot(`
      [
        "category a SbBm3p_BQFjnzLNYUcjE5GavxzQ 1",
        "category b 0FeQqYefAQAU4Ra8O-RoO2lthav 1",
        "event many#20270301T180000Z VciwmB0VhBnp0CTnhDt783UGQzw 1",
        "event many#20270308T180000Z kK2UFUDY8tUgiz_7bW0NGIxfT-1 1",
        "event one uMN_sREfimbMKbKwdbsjQFEbn3F 1",
        "series many P5nfZccwtX4H8K9xjRuKFKWhP7z 1lyLIZk_eK0uas-ooyRFgTPERBk",
        "venue Barn sKQNjuKAJq6T4-hyLFX_6jOe4Zs 1",
        "category 30 Qw3ycys1E2bRo4Xa9iUYDS46XFx 1",
        "category 31 qsWJfPoDowCutPspKEhyJkWmda3 1",
        "event 1 YPvdJnIPAl4DJ8ncfndrtrnDoY5 1",
        "event 2 eRm4Y0GKiBLOd_Gj6iT_XB75xCT 1",
        "organizer 20 kQgJEsqKXMDYNBDbZZuX563r7b6 1",
        "tag 40 aZHcZQdysu9w0UoG48qazc7mkyY 1",
        "venue 10 GM_UQXS5nvIZGhjgJy_tVOolxX7 1",
      ]
    `)
  } finally {
    await rm(folder, { recursive: true })
    await db.close()
  }
})

it('a column that came later counts where it says something, whatever its place is', () => {
  const unknown = { later: '', title: '', cost: '' }
  const known = JSON.stringify({ title: 'a', cost: '1' })
  const hashOf = (own: Row) => JSON.stringify(hashed(own, unknown))
  expect(hashOf({ later: '', cost: '1', title: 'a' })).toBe(known)
  expect(hashOf({ later: 'b', cost: '1', title: 'a' })).not.toBe(known)
})

it('every column of a series is part of what tells that it was changed here, or known not to be', async () => {
  const columns = Object.entries(getTableColumns(series))
  const rowWith = (n: 0 | 1): Row =>
    Object.fromEntries(
      columns.map(([name, { dataType, enumValues }]) => [
        name,
        dataType === 'string' ? (enumValues?.[n] ?? 'ab'[n] ?? '') : n,
      ]),
    )
  const edition = async (given: Row) => (await storedOf('series', { ...given, links: ';;' })).edition
  const [row, other] = [rowWith(0), rowWith(1)]
  const unseen: string[] = []
  for (const [name] of columns)
    if ((await edition({ ...row, [name]: other[name] ?? null })) === (await edition(row))) unseen.push(name)
  expect(unseen.sort()).toEqual([
    ...['author_id', 'date', 'date_utc', 'exdate', 'extend_from', 'external_id', 'id', 'is_virtual'],
    ...['modified', 'modified_utc', 'sequence', 'uid', 'version'],
  ])
})
