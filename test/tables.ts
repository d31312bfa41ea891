import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { D1Migration } from '@cloudflare/vitest-plugin'

/** A statement with its parameters. */
export type Made = [sql: string, ...values: (string | number | null)[]]

// As D1 notes them, under the name that it has for this table by default.
const NOTES = `CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

// All that was made, in that order, but for what SQLite makes by itself.
const OBJECTS = `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
  AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`

/**
 * The statements that make what all migrations make of an empty database, in a fifth of their time: tables with their rows, then
 * indexes, views and triggers, which these rows must not meet.
 */
export function statementsOf(migrations: readonly D1Migration[]): Made[] {
  const db = new DatabaseSync(':memory:')
  for (const sql of [NOTES, ...migrations.flatMap(({ queries }) => queries)]) db.exec(sql)
  for (const { name } of migrations) db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
  const objects = db.prepare(OBJECTS).all()
  const tables = objects.filter(({ type }) => type === 'table')
  const rows = tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row): Made => {
        const columns = Object.keys(row)
        return [
          `INSERT INTO "${name}" (${columns}) VALUES (${columns.map(() => '?')})`,
          ...Object.values(row).map(value =>
            typeof value === 'string' || value === null ? value : Number(value),
          ),
        ]
      }),
  )
  db.close()
  const others = objects.filter(({ type }) => type !== 'table')
  const making = ({ sql }: Record<string, SQLOutputValue>): Made => [String(sql)]
  return [...tables.map(making), ...rows, ...others.map(making)]
}
