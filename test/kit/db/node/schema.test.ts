import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { getTableName } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WITHOUT_ROWID } from '../../../../src/kit/db/tables.ts'
import { LONG, NODE, temporaryFolder } from '../../../commands/spawn.ts'
import { ROOT, readMigrations, readStatements, readTables } from '../../../schema.ts'

function databaseOf(statements: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const sql of statements) db.exec(sql)
  return db
}

type SchemaObject = { key: string; sql: string }

/** All objects of a database by kind and name, except those that SQLite makes by itself. */
const objectsOf = (db: DatabaseSync): SchemaObject[] =>
  db
    .prepare(
      `SELECT type || ' ' || name AS key, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY 1`,
    )
    .all()
    .map(({ key, sql }) => ({ key: String(key), sql: String(sql) }))

/** The columns of all tables: one that a migration adds is the last. */
const columnsOf = (db: DatabaseSync): unknown[] =>
  db
    .prepare(
      `SELECT tables.name AS "table", columns.name, lower(columns.type) AS type, "notnull", dflt_value, columns.pk, hidden
        FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*' ORDER BY 1, 2`,
    )
    .all()

const tablesWithoutRowid = (db: DatabaseSync): string[] =>
  db
    .prepare(`SELECT name FROM pragma_table_list WHERE type = 'table' AND wr ORDER BY 1`)
    .all()
    .map(({ name }) => String(name))

/** True for triggers, views and virtual tables, which a migration replaces as a whole. */
const isReplaced = ({ sql }: SchemaObject): boolean => /^CREATE (?:TRIGGER|VIEW|VIRTUAL)/.test(sql)

const META = join(ROOT, 'drizzle/meta')

/** The tables that the newest migration leaves, as drizzle-kit wrote them down. */
function newestSnapshot() {
  const name = readdirSync(META)
    .filter(name => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1)
  return JSON.parse(readFileSync(join(META, String(name)), 'utf8'))
}

const statements = await readStatements()
const declaredTables = await generateSQLiteDrizzleJson(await readTables())
const tableStatements = await generateSQLiteMigration(await generateSQLiteDrizzleJson({}), declaredTables)
const sources = databaseOf([...tableStatements, ...statements])
const migrated = databaseOf(readMigrations())

describe('a migrated database', () => {
  it('has the objects of the sources, and no others', () => {
    const keys = objectsOf(sources).map(({ key }) => key)
    for (const type of ['table', 'index', 'view', 'trigger'])
      expect(keys.filter(key => key.startsWith(`${type} `)).length, type).toBeGreaterThan(5)
    expect(objectsOf(migrated).map(({ key }) => key)).toEqual(keys)
  })

  it('has the tables that Drizzle declares', async () => {
    expect(await generateSQLiteMigration(newestSnapshot(), declaredTables)).toEqual([])
    expect(columnsOf(migrated)).toEqual(columnsOf(sources))
  })

  it('has every trigger, view and virtual table as it stands in its file', () => {
    const replaced = objectsOf(migrated).filter(isReplaced)
    expect(replaced.length).toBeGreaterThan(100)
    const texts = new Set(statements)
    expect(replaced.filter(({ sql }) => !texts.has(`${sql};`))).toEqual([])
  })

  it('has those tables without a rowid that are to have none', () => {
    const names = statements.flatMap(sql => /^CREATE TABLE (\w+).*WITHOUT ROWID;$/s.exec(sql)?.[1] ?? [])
    expect(tablesWithoutRowid(migrated)).toEqual([...names, ...WITHOUT_ROWID.map(getTableName)].sort())
  })
})

/**
 * Drizzle's way of changing a table. It drops the old one, and a cascade would empty the tables that refer to
 * it.
 */
const rebuildsTable = (sql: string): boolean =>
  /\bDROP\s+TABLE\b/i.test(sql) && /\bALTER\s+TABLE\b[^;]*\bRENAME\s+TO\b/i.test(sql)

it('no migration cascades, or drops a table to rename another', () => {
  const sql = readMigrations().join('\n')
  expect(sql).not.toMatch(/ON DELETE CASCADE/i)
  expect(rebuildsTable(sql)).toBe(false)
})

it('a rebuilt table is recognised', () => {
  const rebuilt = `CREATE TABLE __new_events (id integer);
    INSERT INTO __new_events SELECT id FROM events;
    drop table events;
    ALTER TABLE "__new_events" RENAME TO "events";`
  expect(rebuildsTable(rebuilt)).toBe(true)
  expect(rebuildsTable('ALTER TABLE events ADD color text; DROP TABLE scratch;')).toBe(false)
  expect(rebuildsTable('ALTER TABLE events RENAME COLUMN a TO b; DROP TABLE scratch;')).toBe(false)
})

describe('the next migrations', () => {
  const folder = temporaryFolder(afterAll)
  const at = (...names: string[]) => join(folder, ...names)

  beforeAll(() => {
    for (const name of ['drizzle.config.ts', 'drizzle', 'src/kit/db', 'src/kit/lib', 'src/features'])
      cpSync(join(ROOT, name), at(name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), at('node_modules'))
  })

  async function generate(...args: string[]): Promise<void> {
    const kit = join(ROOT, 'node_modules/drizzle-kit/bin.cjs')
    await promisify(execFile)(NODE, [kit, 'generate', ...args], { cwd: folder })
  }

  it('change tables by drizzle-kit and triggers by hand, and keep all rows', { timeout: LONG }, async () => {
    const content = at('src/kit/db/tables/content.ts')
    const text = readFileSync(content, 'utf8')
    writeFileSync(content, text.replace('geo_lat: real(),', 'geo_lat: real(),\n    floor: integer(),'))
    await generate('--name', 'floor')
    expect(readFileSync(at('drizzle/0001_floor.sql'), 'utf8')).toBe(
      'ALTER TABLE `venues` ADD `floor` integer;',
    )

    const trigger = statements.find(sql => sql.startsWith('CREATE TRIGGER venues_events_change'))
    await generate('--custom', '--name', 'floor_changes_events')
    writeFileSync(
      at('drizzle/0002_floor_changes_events.sql'),
      `DROP TRIGGER venues_events_change;\n--> statement-breakpoint\n${trigger?.replace('geo_lat', 'floor, geo_lat')}`,
    )

    const db = databaseOf(readMigrations())
    db.exec(`INSERT INTO users (id, login, role, created_utc) VALUES (1, 'ana', 'editor', '2027-01-01 10:00:00');
      INSERT INTO venues (id, author_id, status, slug, date, date_utc, modified, modified_utc, name)
        SELECT value, 1, 'publish', 'v-' || value, datetime(0), datetime(0), datetime(0), datetime(0), 'V ' || value
        FROM json_each('[1, 2, 3]')`)
    const before = db.prepare('SELECT * FROM venues').all()
    for (const sql of readMigrations(at('drizzle')).slice(readMigrations().length)) db.exec(sql)
    expect(db.prepare('SELECT * FROM venues').all()).toEqual(before.map(row => ({ ...row, floor: null })))
    expect(objectsOf(db).map(({ key }) => key)).toEqual(objectsOf(migrated).map(({ key }) => key))
    expect(objectsOf(db).find(({ key }) => key === 'trigger venues_events_change')?.sql).toContain('floor')
  })
})
