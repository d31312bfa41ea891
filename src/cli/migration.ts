import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getTableName } from 'drizzle-orm'
import * as schema from '../db/schema.ts'
import { repeatedTriggers } from '../db/triggers/repeated.ts'
import { command, runCommand } from './arguments.ts'

// Compares the objects of databases, and makes migrations from one to another. All databases are in memory and without
// rows.

/** Kinds of objects, in the order in which they are made. */
const KINDS = ['table', 'index', 'view', 'trigger'] as const

/** A table, an index, a stored query or a trigger. */
type SchemaObject = {
  type: (typeof KINDS)[number]
  name: string
  /** The statement that made it. */
  sql: string
  /** A normal form of the statement: equal objects have equal ones, whichever statements made them. */
  meaning: string
}

/** An empty database in which statements were executed. */
export function databaseOf(statements: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const sql of statements) db.exec(sql)
  return db
}

/** The words and signs of a statement, without comments, spaces, quotes around names, and differences of case. */
function tokensOf(sql: string): string[] {
  const tokens = sql.match(/--.*|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\w+|\S/g) ?? []
  return tokens
    .filter(token => !token.startsWith('--'))
    .map(token => (token.startsWith("'") ? token : token.replaceAll(/["`]/g, '').toLowerCase()))
}

/** The parts of a CREATE TABLE with expressions, which no pragma returns: generated columns and checks. */
function expressionsOf(sql: string): string[] {
  const parts: string[][] = [[]]
  let depth = 0
  for (const token of tokensOf(sql)) {
    if (token === ')') depth--
    if (depth === 1 && token === ',') parts.push([])
    else if (depth > 0) parts.at(-1)?.push(token)
    if (token === '(') depth++
  }
  const said = parts.filter(words => words.includes('generated') || words.includes('check'))
  return said.map(words => words.join(' ')).sort()
}

/**
 * The normal form of a table, without the order of its parts: a column that was added later stands last, and its
 * reference is not at the end.
 */
function meaningOfTable(db: DatabaseSync, name: string, sql: string): string {
  const columns = `SELECT name, lower(type) AS type, "notnull", dflt_value, pk, hidden
    FROM pragma_table_xinfo(?) ORDER BY name`
  const references = `SELECT "from", "table", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY "from"`
  const options = 'SELECT wr, strict FROM pragma_table_list(?)'
  const rows = [columns, references, options].map(query => db.prepare(query).all(name))
  return JSON.stringify([...rows, expressionsOf(sql)])
}

/** All objects of a database in the order of their creation, except those that SQLite makes on its own. */
export function objectsOf(db: DatabaseSync): SchemaObject[] {
  const rows = db
    .prepare(
      `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`,
    )
    .all()
  return rows.map(row => {
    // sqlite_master has only these types.
    const type = row.type as SchemaObject['type']
    const [name, sql] = [String(row.name), String(row.sql)]
    const isPlain = type === 'table' && !/^CREATE VIRTUAL/i.test(sql)
    return { type, name, sql, meaning: isPlain ? meaningOfTable(db, name, sql) : tokensOf(sql).join(' ') }
  })
}

/** An index and a trigger may have the same name. */
const keyOf = ({ type, name }: SchemaObject): string => `${type} ${name}`

/** The objects of the first list that the second lacks, or has in another form. */
function missingFrom(objects: readonly SchemaObject[], others: readonly SchemaObject[]): SchemaObject[] {
  const known = new Map(others.map(object => [keyOf(object), object.meaning]))
  return objects.filter(object => known.get(keyOf(object)) !== object.meaning)
}

/** The differences between a database and the wanted one, a line for each object. */
export function differencesOf(actual: readonly SchemaObject[], wanted: readonly SchemaObject[]): string[] {
  const surplus = missingFrom(actual, wanted).map(keyOf)
  const missing = missingFrom(wanted, actual).map(keyOf)
  return [
    ...missing.map(key => `${surplus.includes(key) ? 'different' : 'missing'}: ${key}`),
    ...surplus.filter(key => !missing.includes(key)).map(key => `extra: ${key}`),
  ]
}

const isDerived = ({ type }: SchemaObject): boolean => type === 'view' || type === 'trigger'
/** The order in which views and triggers are dropped: triggers first, because dropping a view drops its triggers. */
const triggersFirst = (a: SchemaObject, b: SchemaObject): number =>
  Number(a.type !== 'trigger') - Number(b.type !== 'trigger')
const dropOf = ({ type, name }: SchemaObject): string => `DROP ${type.toUpperCase()} ${name};`
const createOf = ({ sql }: SchemaObject): string => `${sql};`

/** The names after `DROP TABLE` or `DROP COLUMN` in statements. */
const droppedBy = (sql: string, what: 'TABLE (?:IF EXISTS )?' | 'COLUMN '): string[] =>
  [...sql.matchAll(new RegExp(`\\bDROP ${what}[\`"]?(\\w+)`, 'gi'))].map(([, name = '']) => name)

const namesAny = ({ sql }: SchemaObject, names: ReadonlySet<string>): boolean =>
  tokensOf(sql).some(token => names.has(token))

/**
 * The views and triggers that can't stay while tables change: those that are to be different, those that name something
 * that is dropped, itself or in a view, and triggers of changed views, which SQLite drops with them.
 */
function toDrop(
  derived: readonly SchemaObject[],
  wanted: readonly SchemaObject[],
  dropped: readonly string[],
): SchemaObject[] {
  const views = derived.filter(({ type }) => type === 'view')
  const names = new Set(dropped)
  // A view may name other views, created before it or after.
  for (let known = -1; known < names.size; ) {
    known = names.size
    for (const view of views) if (namesAny(view, names)) names.add(view.name)
  }
  const changed = missingFrom(derived, wanted)
  const isOfChangedView = ({ sql }: SchemaObject): boolean =>
    changed.some(
      ({ type, name }) =>
        type === 'view' && new RegExp(`\\bINSTEAD OF\\b[^]*?\\bON "?${name}\\b`, 'i').test(sql),
    )
  return derived.filter(
    object => changed.includes(object) || isOfChangedView(object) || namesAny(object, names),
  )
}

/**
 * The statements of a migration that changes tables, and all objects that Drizzle can't express. Changed views and
 * triggers are dropped before the tables change and created again afterwards, and so are those that name a dropped
 * table or column, and the indexes of such a column. If a table that only triggers write changes, a person has to
 * decide about its rows: a comment holds the place.
 *
 * @param migrations the existing ones, the oldest first
 * @param tables statements that change Drizzle's tables, '' for none
 * @param wanted all objects of the wanted database
 */
export function migrationTo(
  migrations: readonly string[],
  tables: string,
  wanted: readonly SchemaObject[],
): string[] {
  const existing = objectsOf(databaseOf(migrations))
  const derived = existing.filter(isDerived).sort(triggersFirst)
  const columns = droppedBy(tables, 'COLUMN ')
  const indexes = existing.filter(
    object =>
      object.type === 'index' &&
      namesAny(object, new Set(columns)) &&
      // Those that Drizzle does not drop itself.
      !tokensOf(tables).includes(object.name),
  )
  const cleared = [...derived, ...indexes].map(dropOf)

  // The database once its tables have changed, without any view or trigger.
  const bare = objectsOf(databaseOf([...migrations, ...cleared, tables]))
  const surplus = missingFrom(bare, wanted)
  const byHand = surplus.filter(({ type }) => type === 'table').map(({ name }) => name)

  // Triggers are dropped with their table, and views of it stop working.
  const names = [...droppedBy(tables, 'TABLE (?:IF EXISTS )?'), ...columns, ...byHand]
  const dropped = toDrop(derived, wanted, names)
  const kept = derived.filter(object => !dropped.includes(object))
  const made = missingFrom(wanted, [...bare, ...kept]).filter(({ name }) => !byHand.includes(name))
  return [
    ...[...dropped, ...indexes, ...surplus.filter(({ type }) => type === 'index')].map(dropOf),
    ...(tables.trim() ? [tables.trim()] : []),
    ...byHand.map(name => `-- By hand: the table ${name} is another one now. What becomes of its rows?`),
    ...made.toSorted((a, b) => KINDS.indexOf(a.type) - KINDS.indexOf(b.type)).map(createOf),
  ]
}

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = join(ROOT, 'drizzle')
const TRIGGERS = join(ROOT, 'src/db/triggers')
const DRIZZLE_KIT = join(dirname(createRequire(import.meta.filename).resolve('drizzle-kit')), 'bin.cjs')

const sqlFilesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort()

const readSql = (folder: string): string[] =>
  sqlFilesIn(folder).map(name => readFileSync(join(folder, name), 'utf8'))

const ORDER = ['TABLE', 'VIRTUAL', 'INDEX', 'VIEW', 'TRIGGER']

/** The statements of files, each of which begins with CREATE at the start of a line: tables first, whichever file they are in. */
function statementsOf(files: readonly string[]): string[] {
  const statements = files.flatMap(text =>
    text.split(/^(?=CREATE )/m).filter(part => part.startsWith('CREATE')),
  )
  const rank = (sql: string) => ORDER.indexOf(String(sql.split(' ', 2)[1]))
  return statements.sort((a, b) => rank(a) - rank(b))
}

/** The texts of `db/triggers`: every trigger and view in its present form, and the tables that only they need. */
const triggerFiles = (): string[] => [...readSql(TRIGGERS), repeatedTriggers]

/** All migrations, the oldest first. */
export const readMigrations = (): string[] => readSql(MIGRATIONS)

const LEAN = schema.WITHOUT_ROWID.map(getTableName)

/** Adds WITHOUT ROWID, which Drizzle can't express, to its statements. */
const withoutRowid = (sql: string): string =>
  sql.replaceAll(/^(CREATE TABLE `(\w+)` \([^;]*\));?$/gm, (statement, body, name) =>
    LEAN.includes(name) ? `${body} WITHOUT ROWID;` : statement,
  )

/** The objects of a database with the tables of `db/schema.ts` and the objects of `db/triggers`. */
export async function wantedObjects(): Promise<SchemaObject[]> {
  // It takes a second to load, which --print and --help don't need.
  const { generateSQLiteDrizzleJson, generateSQLiteMigration } = await import('drizzle-kit/api')
  const [nothing, all] = [await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson(schema)]
  const tables = (await generateSQLiteMigration(nothing, all)).map(withoutRowid)
  return objectsOf(databaseOf([...tables, ...statementsOf(triggerFiles())]))
}

/**
 * Lets drizzle-kit write the next migration into a folder, on this terminal: it asks whether a column was renamed. It
 * only takes paths relative to its working directory.
 */
async function generate(folder: string, args: readonly string[]): Promise<string | undefined> {
  const before = sqlFilesIn(folder)
  const place = [
    '--dialect',
    'sqlite',
    '--schema',
    join(ROOT, 'src/db/schema.ts'),
    '--out',
    relative(ROOT, folder),
  ]
  const command = [DRIZZLE_KIT, 'generate', ...place, ...args]
  const [code] = await once(spawn(process.execPath, command, { stdio: 'inherit', cwd: ROOT }), 'exit')
  if (code !== 0) throw new Error('drizzle-kit generate failed.')
  return sqlFilesIn(folder).find(name => !before.includes(name))
}

const HELP = `Creates the migration in drizzle that brings databases to the state of src/db/schema.ts and src/db/triggers.

  npm run migration -- --name what_it_does
  npm run --silent migration -- --print > triggers.sql

  --name <name>  the end of the file's name
  --custom       makes one even if they are there already, to be written by hand: data, for example
  --print        writes no migration, but prints the present form of all triggers and views`

const OPTIONS = {
  name: { type: 'string' },
  custom: { type: 'boolean' },
  print: { type: 'boolean' },
} as const

/** The line that drizzle-kit writes into a migration that a person completes. */
const PLACEHOLDER = /^-- Custom SQL migration file.*\n?/

/** Makes the next migration in a folder that has all others. @returns the name of its file, if there is anything to migrate */
async function makeMigration(
  folder: string,
  name: readonly string[],
  isCustom: boolean,
): Promise<string | undefined> {
  const [migrations, wanted] = [readSql(folder), await wantedObjects()]
  const findDifferences = () => differencesOf(objectsOf(databaseOf(readSql(folder))), wanted)
  const custom = [...name, '--custom']
  const tables = await generate(folder, isCustom ? custom : name)
  if (tables === undefined && findDifferences().length === 0) return undefined
  const file = tables ?? (await generate(folder, custom))
  if (file === undefined) throw new Error('drizzle-kit made no migration.')
  const changes = withoutRowid(readFileSync(join(folder, file), 'utf8').replace(PLACEHOLDER, ''))
  const statements = migrationTo(migrations, changes, wanted)
  writeFileSync(join(folder, file), `${statements.join('\n--> statement-breakpoint\n')}\n`)
  for (const line of findDifferences()) console.log(`Left to be written by hand: ${line}`)
  return file
}

/**
 * Adds the result of {@link makeMigration} to the other migrations once it is complete, because npm run dev applies
 * every file that appears there.
 */
async function addMigration(name: readonly string[], isCustom: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-'))
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    const file = await makeMigration(folder, name, isCustom)
    const parts = file ? ['meta/_journal.json', `meta/${file.slice(0, 4)}_snapshot.json`, file] : []
    for (const part of parts) await copyFile(join(folder, part), join(MIGRATIONS, part))
    if (file) console.log(`Created drizzle/${file}.`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (import.meta.main)
  await runCommand(
    command(HELP, OPTIONS, async ({ name, custom = false, print = false }) =>
      print
        ? console.log(triggerFiles().join('\n'))
        : addMigration(name === undefined ? [] : ['--name', name], custom),
    ),
  )
