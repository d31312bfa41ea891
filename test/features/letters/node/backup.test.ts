import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportCalendar } from '../../../../src/commands/backup/export.ts'
import { digestOfFile } from '../../../../src/commands/backup/manifest.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { beginAtNoon } from '../../../clock.ts'
import { type Calendar, restoreInto } from '../../../commands/backup/rich.ts'
import { makeDatabase, makeFolder, makeStore, NOW } from '../../../readers/database.ts'
import { lettersPart } from '../part.ts'

const folder = makeFolder()
const out = join(folder, 'out')
let from: Calendar

beginAtNoon()
beforeAll(async () => {
  from = await makeDatabase()
  const must = () => Promise.reject(new Error('Letters are rows only.'))
  await lettersPart.fill?.({ must, rows: sql => from.query(sql) })
  await exportCalendar(new Database(from.d1), {
    folder: out,
    store: makeStore(),
    now: NOW,
    progress: () => {},
  })
})
afterAll(() => from.close())

/** Restores a copy of the backup in which fields of letters are others. */
async function restoredWith(fields: object): Promise<Calendar> {
  const path = await mkdtemp(join(folder, 'changed-'))
  await cp(out, path, { recursive: true })
  const file = join(path, 'letters.jsonl')
  const rows = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  await writeFile(file, rows.map(row => `${JSON.stringify({ ...JSON.parse(row), ...fields })}\n`).join(''))
  const manifest = JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))
  manifest.tables.letters.sha256 = await digestOfFile(file)
  await writeFile(join(path, 'backup.json'), JSON.stringify(manifest))
  const to = await makeDatabase()
  await restoreInto(to, path)
  return to
}

it('a restored letter is not sent until it is switched on, and its address confirmed again', async () => {
  const to = await restoredWith({})
  const [letter] = await to.query('SELECT * FROM letters')
  expect(letter).toMatchObject({ active: 0, next_utc: null, zone: '', confirmed_email: '' })
  expect(await from.query('SELECT confirmed_email FROM letters')).toEqual([
    { confirmed_email: 'week@lists.example' },
  ])
})

it('nobody confirms an address by changing a backup', async () => {
  const email = 'stranger@evil.example'
  const to = await restoredWith({ confirmed_email: email, to: email })
  expect(await to.query('SELECT confirmed_email, active FROM letters')).toEqual([
    { confirmed_email: '', active: 0 },
  ])
})

it('a letter to two addresses is not taken', async () => {
  await expect(restoredWith({ to: 'a@b.example, c@d.example' })).rejects.toThrow(
    'letters.jsonl, line 1: to: must be one e-mail address',
  )
})
