import { DatabaseSync } from 'node:sqlite'

// Compares the objects of databases, and makes migrations from one database to another. All databases are in
// memory and without rows.

/** Kinds of objects, in the order in which they are made. */
const KINDS = ['table', 'index', 'view', 'trigger'] as const

/** A table, an index, a stored query or a trigger. */
export type SchemaObject = {
  type: (typeof KINDS)[number]
  name: string
  sql: string
  /** A normal form of the statement, which is equal for equal objects, however they were created. */
  meaning: string
}

/** An empty database after some statements. */
export function databaseOf(statements: readonly string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const sql of statements) db.exec(sql)
  return db
}

/**
 * The words and signs of a statement, without comments, spaces, quotes around names, and differences of case.
 */
function tokensOf(sql: string): string[] {
  const tokens = sql.match(/--.*|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\w+|\S/g) ?? []
  return tokens
    .filter(token => !token.startsWith('--'))
    .map(token => (token.startsWith("'") ? token : token.replaceAll(/["`]/g, '').toLowerCase()))
}

/** The expressions in a CREATE TABLE, which no pragma returns: generated columns and checks. */
function expressionsOf(sql: string): string[] {
  const parts: string[][] = [[]]
  let depth = 0
  for (const token of tokensOf(sql)) {
    if (token === ')') depth--
    if (depth === 1 && token === ',') parts.push([])
    else if (depth > 0) parts.at(-1)?.push(token)
    if (token === '(') depth++
  }
  const exceptions = parts.filter(words => words.includes('generated') || words.includes('check'))
  return exceptions.map(words => words.join(' ')).sort()
}

/**
 * The normal form of a table, without the order of its parts, because a column that was added later is the
 * last, and its reference is not at the end.
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
    const name = String(row.name)
    const sql = String(row.sql)
    const isPlain = type === 'table' && !/^CREATE VIRTUAL/i.test(sql)
    return { type, name, sql, meaning: isPlain ? meaningOfTable(db, name, sql) : tokensOf(sql).join(' ') }
  })
}

/** The key of an object. It contains the type, because an index and a trigger may have the same name. */
const schemaObjectKey = ({ type, name }: SchemaObject): string => `${type} ${name}`

/** The objects of the first list that the second list lacks or has in another form. */
function missingFrom(
  objects: readonly SchemaObject[],
  otherObjects: readonly SchemaObject[],
): SchemaObject[] {
  const known = new Map(otherObjects.map(object => [schemaObjectKey(object), object.meaning]))
  return objects.filter(object => known.get(schemaObjectKey(object)) !== object.meaning)
}

/** The differences between a database and the wanted database, one line for each object. */
export function differencesOf(
  actual: readonly SchemaObject[],
  wantedObjects: readonly SchemaObject[],
): string[] {
  const surplus = missingFrom(actual, wantedObjects).map(schemaObjectKey)
  const missing = missingFrom(wantedObjects, actual).map(schemaObjectKey)
  return [
    ...missing.map(key => `${surplus.includes(key) ? 'different' : 'missing'}: ${key}`),
    ...surplus.filter(key => !missing.includes(key)).map(key => `extra: ${key}`),
  ]
}

const isDerived = ({ type }: SchemaObject): boolean => type === 'view' || type === 'trigger'
/**
 * The order in which views and triggers are dropped: triggers first, because dropping a view drops its
 * triggers.
 */
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
 * The views and triggers that can't stay while tables change: changed ones, ones that name a dropped table or
 * column, directly or through a view, and triggers of changed views, which SQLite drops with the views.
 */
function objectsToDrop(
  derived: readonly SchemaObject[],
  wantedObjects: readonly SchemaObject[],
  droppedNames: readonly string[],
): SchemaObject[] {
  const views = derived.filter(({ type }) => type === 'view')
  const names = new Set(droppedNames)
  // A view may name other views, created before it or after.
  for (let knownSize = -1; knownSize < names.size; ) {
    knownSize = names.size
    for (const view of views) if (namesAny(view, names)) names.add(view.name)
  }
  const changedObjects = missingFrom(derived, wantedObjects)
  const isOfChangedView = ({ sql }: SchemaObject): boolean =>
    changedObjects.some(
      ({ type, name }) =>
        type === 'view' && new RegExp(`\\bINSTEAD OF\\b[^]*?\\bON "?${name}\\b`, 'i').test(sql),
    )
  return derived.filter(
    object => changedObjects.includes(object) || isOfChangedView(object) || namesAny(object, names),
  )
}

/**
 * The statements of a migration that changes tables, and all objects that Drizzle can't express. Changed
 * views and triggers are dropped before the tables change and created again afterwards, and so are views and
 * triggers that name a dropped table or column, and the indexes of such a column. If a table changes that
 * only triggers write, a person has to decide about its rows, and the migration has a comment there.
 *
 * @param migrations the existing migrations, the oldest first
 * @param tables statements that change Drizzle's tables, '' for none
 * @param wantedObjects all objects of the wanted database
 */
export function migrationTo(
  migrations: readonly string[],
  tables: string,
  wantedObjects: readonly SchemaObject[],
): string[] {
  const db = databaseOf(migrations)
  const existing = objectsOf(db)
  const derived = existing.filter(isDerived).sort(triggersFirst)
  const columns = droppedBy(tables, 'COLUMN ')
  const indexes = existing.filter(
    object =>
      object.type === 'index' &&
      namesAny(object, new Set(columns)) &&
      // Drizzle drops the other indexes itself.
      !tokensOf(tables).includes(object.name),
  )
  const dropStatements = [...derived, ...indexes].map(dropOf)

  // The database after its tables have changed, without any view or trigger.
  for (const sql of [...dropStatements, tables]) db.exec(sql)
  const bareObjects = objectsOf(db)
  const surplus = missingFrom(bareObjects, wantedObjects)
  const manualTables = surplus.filter(({ type }) => type === 'table').map(({ name }) => name)

  // Triggers are dropped with their table, and views of a dropped table stop working.
  const names = [...droppedBy(tables, 'TABLE (?:IF EXISTS )?'), ...columns, ...manualTables]
  const droppedObjects = objectsToDrop(derived, wantedObjects, names)
  const keptObjects = derived.filter(object => !droppedObjects.includes(object))
  const madeObjects = missingFrom(wantedObjects, [...bareObjects, ...keptObjects]).filter(
    ({ name }) => !manualTables.includes(name),
  )
  return [
    ...[...droppedObjects, ...indexes, ...surplus.filter(({ type }) => type === 'index')].map(dropOf),
    ...(tables.trim() ? [tables.trim()] : []),
    ...manualTables.map(
      name => `-- By hand: the table ${name} has been replaced. What should happen to its rows?`,
    ),
    ...madeObjects.toSorted((a, b) => KINDS.indexOf(a.type) - KINDS.indexOf(b.type)).map(createOf),
  ]
}
