import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repeatedTriggers } from '../src/kit/db/triggers/repeated.ts'

// The sources of the schema: tables that Drizzle declares, and the SQL of what it can't express.

export const ROOT = join(import.meta.dirname, '..')

const filesAt = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT })
    .sort()
    .map(file => join(ROOT, file))

/** All tables that Drizzle declares, of the core and of features. */
export async function readTables(): Promise<Record<string, unknown>> {
  const modules = await Promise.all(
    filesAt('src/{kit/db,features/*}/tables.ts').map((file): Promise<object> => import(file)),
  )
  return Object.assign({}, ...modules)
}

const STATEMENT_ORDER = ['TABLE', 'VIRTUAL', 'INDEX', 'VIEW', 'TRIGGER', 'INTO']

/**
 * The statements of the SQL files of the core and of features, in an order in which they can be executed:
 * what triggers and views need, then these, then the first rows. Each begins at the start of a line, and the
 * comments above it are left out.
 */
export async function readStatements(): Promise<string[]> {
  const files = filesAt('src/{kit/db/triggers/*,features/*/triggers}.sql')
  const texts = files.map(file => readFileSync(file, 'utf8'))
  const statements = [...texts, repeatedTriggers(Object.values(await readTables()))].flatMap(text =>
    text
      .split(/^(?=CREATE |INSERT )/m)
      .filter(part => /^(?:CREATE|INSERT) /.test(part))
      .map(part => part.replace(/(?:\n(?:--.*)?)*$/, '')),
  )
  const rank = (sql: string) => STATEMENT_ORDER.indexOf(String(sql.split(' ', 2)[1]))
  return statements.sort((a, b) => rank(a) - rank(b))
}

/** The statements of all migrations, in their order. */
export const readMigrations = (folder = join(ROOT, 'drizzle')): string[] =>
  globSync('*.sql', { cwd: folder })
    .sort()
    .flatMap(name => readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint'))
