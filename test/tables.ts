import type { D1Migration } from '@cloudflare/vitest-plugin'
import { databaseOf, objectsOf } from '../src/cli/migration.ts'

/** A statement with its parameters. */
export type Made = [sql: string, ...values: (string | number | null)[]]

// As D1 notes them, under the name that it has for this table by default.
const NOTES = `CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

/**
 * The statements that make what all migrations make of an empty database, in a fifth of their time: tables with their rows, then
 * indexes, views and triggers, which these rows must not meet.
 */
export function statementsOf(migrations: readonly D1Migration[]): Made[] {
  const db = databaseOf([NOTES, ...migrations.flatMap(({ queries }) => queries)])
  for (const { name } of migrations) db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
  const objects = objectsOf(db)
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
  return [...tables.map(({ sql }): Made => [sql]), ...rows, ...others.map(({ sql }): Made => [sql])]
}
