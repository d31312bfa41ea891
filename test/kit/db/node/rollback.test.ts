import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { readMigrations } from '../../../../src/commands/migration.ts'
import { databaseOf } from '../../../../src/commands/schema-objects.ts'

// A migration is applied before the Worker that needs it, and a deployment may be rolled back. So a migration
// removes no object that the previous Worker uses, and adds no constraint on the rows that it writes.

const NAMES = readdirSync(join(import.meta.dirname, '../../../../drizzle'))
  .filter(name => name.endsWith('.sql'))
  .sort()

/** Objects that a migration may remove because an earlier version stopped using them. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {}

/** Tables, columns, views and indexes. An index may be named by `INDEXED BY`. */
const namesIn = (db: DatabaseSync): string[] =>
  db
    .prepare(
      `SELECT type || ' ' || name AS name FROM sqlite_master WHERE type <> 'trigger' AND name NOT GLOB 'sqlite_*'
      UNION ALL SELECT 'column ' || objects.name || '.' || info.name
        FROM sqlite_master AS objects JOIN pragma_table_xinfo(objects.name) AS info WHERE objects.type IN ('table', 'view')`,
    )
    .all()
    .map(({ name }) => String(name))

/** Columns that a row must be given, and unique indexes. */
const demandsIn = (db: DatabaseSync): string[] =>
  db
    .prepare(
      `SELECT 'value for ' || objects.name || '.' || info.name AS name
        FROM sqlite_master AS objects JOIN pragma_table_xinfo(objects.name) AS info
        WHERE objects.type = 'table' AND "notnull" AND dflt_value IS NULL AND NOT pk AND NOT hidden
      UNION ALL SELECT 'unique ' || indexes.name FROM sqlite_master AS objects JOIN pragma_index_list(objects.name) AS indexes
        WHERE objects.type = 'table' AND "unique"`,
    )
    .all()
    .map(({ name }) => String(name))

/** Executes a migration. @returns its changes that break the Worker before it */
function breaksOf(migration: string, db: DatabaseSync): string[] {
  const namesBefore = namesIn(db)
  const asked = demandsIn(db)
  db.exec(migration)
  const namesAfter = namesIn(db)
  // Rows of new tables are written by the new Worker alone.
  const isOld = (demand: string) =>
    namesBefore.some(name => name.startsWith('table ') && demand.includes(` ${name.slice(6)}`))
  return [
    ...namesBefore.filter(name => !namesAfter.includes(name)),
    ...demandsIn(db).filter(demand => !asked.includes(demand) && isOld(demand)),
  ]
}

const migrations = readMigrations()

it('the Worker before a migration works after it', () => {
  const db = databaseOf(migrations.slice(0, 1))
  for (const [i, name] of NAMES.entries()) {
    if (i === 0) continue
    expect(
      breaksOf(String(migrations[i]), db).filter(broken => !UNUSED[name]?.includes(broken)),
      name,
    ).toEqual([])
  }
})

const migrated = databaseOf(migrations)

it.each([
  ['ALTER TABLE venues ADD color text', []],
  ["ALTER TABLE venues ADD color text NOT NULL DEFAULT ''", []],
  ['CREATE TABLE colors (name text NOT NULL UNIQUE)', []],
  ['CREATE INDEX venues_city ON venues (city)', []],
  ['DROP TRIGGER venues_version', []],
  ['DROP TABLE setbacks', expect.arrayContaining(['table setbacks', 'column setbacks.task'])],
  ['ALTER TABLE submissions RENAME COLUMN note TO remark', ['column submissions.note']],
  ['ALTER TABLE submissions DROP COLUMN note', ['column submissions.note']],
  ['DROP INDEX events_long', ['index events_long']],
  ['DROP VIEW term_changes', expect.arrayContaining(['view term_changes'])],
  ['CREATE UNIQUE INDEX venues_phone ON venues (phone)', ['unique venues_phone']],
])('%s breaks the Worker before it by %j', (sql, broken) => {
  migrated.exec('BEGIN')
  onTestFinished(() => migrated.exec('ROLLBACK'))
  expect(breaksOf(sql, migrated)).toEqual(broken)
})

it.each(NAMES)('%s neither cascades nor drops a table to rename another', name => {
  const sql = String(migrations[NAMES.indexOf(name)])
  expect(sql).not.toMatch(/ON DELETE CASCADE/i)
  expect(rebuildsTable(sql)).toBe(false)
})

/**
 * Drizzle's way of changing a table. It drops the old one, and a cascade would empty the tables that refer to
 * it.
 */
const rebuildsTable = (sql: string): boolean =>
  /\bDROP\s+TABLE\b/i.test(sql) && /\bALTER\s+TABLE\b[^;]*\bRENAME\s+TO\b/i.test(sql)

it('a rebuilt table is recognised', () => {
  const rebuilt = `CREATE TABLE __new_events (id integer);
    INSERT INTO __new_events SELECT id FROM events;
    drop table events;
    ALTER TABLE "__new_events" RENAME TO "events";`
  expect(rebuildsTable(rebuilt)).toBe(true)
  expect(rebuildsTable('ALTER TABLE events ADD color text; DROP TABLE scratch;')).toBe(false)
  expect(rebuildsTable('ALTER TABLE events RENAME COLUMN a TO b; DROP TABLE scratch;')).toBe(false)
})
