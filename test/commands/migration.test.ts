import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LONG, NODE, PROJECT, SCRIPTS, temporaryFolder } from './spawn.ts'

const folder = temporaryFolder(afterAll)
const at = (...names: string[]) => join(folder, ...names)

// What the command writes, it writes into a copy of the project.
beforeAll(async () => {
  for (const name of [
    'package.json',
    'drizzle.config.ts',
    'drizzle',
    'src/kit/db',
    'src/features',
    'src/kit/lib',
    'src/commands',
  ])
    await cp(join(PROJECT, name), at(name), { recursive: true })
  await symlink(join(PROJECT, 'node_modules'), at('node_modules'))
})

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(at(file), 'utf8')
  expect(text).toContain(from)
  await writeFile(at(file), text.replace(from, to))
}

/** Runs the command. @returns the migrations that are new, and what they say */
async function makeMigration(...args: string[]): Promise<{ names: string[]; text: string; printed: string }> {
  const before = await readdir(at('drizzle'))
  const command = SCRIPTS.get('migration') ?? []
  const { stdout } = await promisify(execFile)(NODE, [...command, ...args], { cwd: at() })
  const names = (await readdir(at('drizzle'))).filter(name => !before.includes(name))
  const texts = await Promise.all(names.map(name => readFile(at('drizzle', name), 'utf8')))
  return { names, text: texts.join('\n'), printed: stdout }
}

/** How the statements of a migration begin. */
const beginnings = (text: string): string[] =>
  text.split('\n--> statement-breakpoint\n').map(sql => sql.split(' ', 3).join(' '))

it('puts a column and the trigger that uses it into one migration', { timeout: LONG }, async () => {
  await edit('src/kit/db/tables/content.ts', 'geo_lat: real(),', 'geo_lat: real(),\n    floor: integer(),')
  await edit('src/kit/db/triggers/changes-of-events.sql', 'OF status, geo_lat,', 'OF status, floor, geo_lat,')
  const { names, text } = await makeMigration('--name', 'floor')
  expect(names).toEqual([expect.stringMatching(/^\d{4}_floor\.sql$/)])
  expect(beginnings(text)).toEqual([
    'DROP TRIGGER venues_events_change;',
    'ALTER TABLE `venues`',
    'CREATE TRIGGER venues_events_change',
  ])
})

it('makes a migration of triggers and views alone, and says what has to be written by hand', {
  timeout: LONG,
}, async () => {
  await edit(
    'src/kit/db/triggers/listings.sql',
    '  event_id INTEGER NOT NULL,',
    '  event_id INTEGER NOT NULL,\n  place TEXT,',
  )
  await edit('src/kit/db/triggers/repeated.ts', 'SELECT date_utc FROM', 'SELECT date FROM')
  const { names, text, printed } = await makeMigration('--name', 'places')
  expect(names).toEqual([expect.stringMatching(/^\d{4}_places\.sql$/)])
  const listing = 'TRIGGER events_listing_update'
  const view = 'VIEW scheduled'
  const line = /-- By hand: the table listings /
  expect(text.search(line)).toBeGreaterThan(text.indexOf(`DROP ${listing};`))
  expect(text.indexOf(`CREATE ${listing}`)).toBeGreaterThan(text.search(line))
  expect(text.indexOf(`CREATE ${view}`)).toBeGreaterThan(text.indexOf(`DROP ${view};`))
  expect(text).not.toContain('terms_version')
  expect(printed).toContain('Left to be written by hand: different: table listings')
})

it('leaves drizzle-kit its check, and names itself where that would make tables only', async () => {
  const kit = (command: string) =>
    promisify(execFile)(NODE, [at('node_modules/drizzle-kit/bin.cjs'), command], { cwd: at() }).catch(
      error => error,
    )
  expect((await kit('check')).stdout).toContain('fine')
  const before = await readdir(at('drizzle'))
  expect(await kit('generate')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm run migration'),
  })
  expect(await readdir(at('drizzle'))).toEqual(before)
})

it('prints all triggers and views, and makes no migration', async () => {
  const { names, printed } = await makeMigration('--print')
  expect(names).toEqual([])
  for (const name of ['TRIGGER venues_scheduled_update', 'TRIGGER events_uid', 'VIEW event_facets'])
    expect(printed).toContain(`\nCREATE ${name} `)
})

it('drops a table with its rows only with --yes', { timeout: LONG }, async () => {
  await mkdir(at('src/features/shoes'))
  const table = at('src/features/shoes/tables.ts')
  await writeFile(
    table,
    `import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'\nexport const shoes = sqliteTable('shoes', { id: integer().primaryKey() })\n`,
  )
  expect((await makeMigration('--name', 'shoes')).text).toContain('CREATE TABLE `shoes`')
  await rm(table)
  const before = await readdir(at('drizzle'))
  await expect(makeMigration('--name', 'barefoot')).rejects.toThrow(
    'This drops table shoes, with all rows. Add --yes',
  )
  expect(await readdir(at('drizzle'))).toEqual(before)
  expect((await makeMigration('--name', 'barefoot', '--yes')).text).toMatch(/^DROP TABLE `shoes`;$/m)
})
