import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportCalendar } from '../../../../src/commands/backup/export.ts'
import { databaseOver } from '../../../connection.ts'
import { makeDatabase, makeFolder, makeStore, NOW } from '../../../readers/database.ts'
import type { Calendar } from '../rich.ts'

// Tables that keep no numbers of their changes may be large, too.

const ROWS = 3_000
const folder = makeFolder()
let db: Calendar

beforeAll(async () => {
  db = await makeDatabase()
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})`
  for (const insert of [
    `INSERT INTO images (url, title, caption) SELECT 'https://x.example/' || n, 'Image ' || n, hex(zeroblob(300)) FROM numbers`,
    `INSERT INTO imports (source, kind, external_id, target_id, hash) SELECT 'https://x.example', 'event', 'é' || n, n, 'hash' || n FROM numbers`,
    `INSERT INTO former_slugs (kind, slug, target_id) SELECT 'image', 'image-' || n, n FROM numbers`,
    `INSERT INTO review_notes (kind, object_id, note, user_id, at_utc) SELECT 'event', n, 'Please', 1 + n % 2, '2027-01-01 00:00:00' FROM numbers`,
  ])
    await db.query(`${numbers} ${insert}`)
})
afterAll(() => db.close())

/**
 * Exports what is there.
 * @param before work before each request
 * @returns the bytes of the largest response, and of all files
 */
async function exported(name: string, before?: () => Promise<unknown>) {
  let largest = 0
  const batch: Calendar['batch'] = async statements => {
    await before?.()
    const rows = await db.batch(statements)
    largest = Math.max(largest, JSON.stringify(rows).length)
    return rows
  }
  const path = join(folder, name)
  await exportCalendar(databaseOver({ ...db, batch }), {
    folder: path,
    store: makeStore(),
    now: NOW,
    progress: () => {},
  })
  const files = ['images', 'imports', 'formerSlugs', 'reviewNotes', 'backup']
  const texts = await Promise.all(
    files.map(file => readFile(join(path, `${file}.json${file === 'backup' ? '' : 'l'}`), 'utf8')),
  )
  return { largest, texts, size: texts.join('').length }
}

it('a large calendar is read in small responses, as of one moment, while somebody writes all the time', async () => {
  let requests = 0
  let writes = 0
  const write = async () => {
    if (requests++ % 3 > 0) return
    const n = ++writes
    // In pages that are read, and in those that are not; of the same length, and swapped.
    await db.batch(
      [
        `UPDATE images SET title = printf('Other%05d', ${n}), copied_id = ${n} WHERE id = ${1 + ((n * 37) % ROWS)}`,
        `UPDATE imports SET hash = printf('new%05d', ${n}) WHERE external_id = 'é${1 + ((n * 53) % ROWS)}'`,
        `DELETE FROM former_slugs WHERE slug = 'image-${1 + ((n * 71) % ROWS)}'`,
        `INSERT INTO images (url) VALUES ('https://y.example/${n}')`,
        `UPDATE review_notes SET user_id = 3 - user_id WHERE object_id IN (${2 * n}, ${2 * n + 1})`,
      ].map((text): [string] => [text]),
    )
  }
  const busy = await exported('busy', write)
  expect(writes).toBeGreaterThan(8)
  const quiet = await exported('quiet')
  expect(busy.texts).toEqual(quiet.texts)
  expect(quiet.size).toBeGreaterThan(2_000_000)
  for (const { largest, size } of [busy, quiet]) expect(largest).toBeLessThan(size / 3)
})

it('a large table is written page by page in the order of its key, each row once', async () => {
  const { texts } = await exported('order')
  const slugs = (texts[2] ?? '')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line).slug)
  expect(slugs).toEqual(
    (await db.query('SELECT slug FROM former_slugs ORDER BY kind, slug')).map(({ slug }) => slug),
  )
})
