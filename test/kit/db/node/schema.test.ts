import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { describe, expect, it } from 'vitest'
import { buildWantedObjects, readMigrations, readTables } from '../../../../src/commands/migration.ts'
import { databaseOf, differencesOf, migrationTo, objectsOf } from '../../../../src/commands/schema-objects.ts'

const META = join(import.meta.dirname, '../../../../drizzle/meta')

type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>

const snapshots = readdirSync(META).filter(name => name.endsWith('_snapshot.json'))

/** The schema that the newest migration leaves, as drizzle-kit wrote it down. */
const lastSnapshot = (): Snapshot => JSON.parse(readFileSync(join(META, String(snapshots.at(-1))), 'utf8'))

it('only the newest migration has a snapshot of the schema', () => {
  const { entries } = JSON.parse(readFileSync(join(META, '_journal.json'), 'utf8'))
  const newest = String(entries.at(-1).tag).slice(0, 4)
  expect(snapshots).toEqual([`${newest}_snapshot.json`])
})

const wanted = await buildWantedObjects()
const db = databaseOf(readMigrations())
const migrated = objectsOf(db)
/** The statements that create the same as the migrations, in a fifth of the time. */
const schemaStatements = migrated.map(({ sql }) => sql)

/** How the database differs from the files while these statements have been executed after all migrations. */
function differencesAfter(...statements: string[]): string[] {
  db.exec('BEGIN')
  try {
    for (const sql of statements) db.exec(sql)
    return differencesOf(objectsOf(db), wanted)
  } finally {
    db.exec('ROLLBACK')
  }
}

it('the migrations cover the whole schema', async () => {
  const current = await generateSQLiteDrizzleJson(await readTables())
  expect(await generateSQLiteMigration(lastSnapshot(), current)).toEqual([])
})

it('a migrated database has what tables.ts and the files of kit/db/triggers describe, and no more', () => {
  for (const type of ['table', 'index', 'view', 'trigger'])
    expect(wanted.filter(object => object.type === type).length, type).toBeGreaterThan(5)
  expect(differencesOf(migrated, wanted)).toEqual([])
  expect(differencesOf(objectsOf(databaseOf(schemaStatements)), wanted)).toEqual([])
})

/** Changes that somebody could make to a database by hand, and the differences that they cause. */
const DAMAGES: [sql: string, ...differences: string[]][] = [
  ['DROP TRIGGER events_version', 'missing: trigger events_version'],
  ['DROP VIEW scheduled', 'missing: view scheduled'],
  ['DROP INDEX events_title', 'missing: index events_title'],
  ['DROP TABLE venues_search', 'missing: table venues_search'],
  ['CREATE TRIGGER audited AFTER INSERT ON audit BEGIN DELETE FROM audit; END', 'extra: trigger audited'],
  ['CREATE VIEW authors AS SELECT author_id FROM events', 'extra: view authors'],
  [
    `DROP VIEW scheduled; CREATE VIEW scheduled (date_utc) AS SELECT date_utc FROM events`,
    'different: view scheduled',
  ],
  [
    `DROP TRIGGER terms_version; CREATE TRIGGER terms_version BEFORE UPDATE OF version ON terms
      WHEN NEW.version <> OLD.version + 1 BEGIN SELECT RAISE(ABORT, 'Version Conflict'); END`,
    'different: trigger terms_version',
  ],
  ['DROP INDEX events_title; CREATE INDEX events_title ON events (title)', 'different: index events_title'],
]

describe.each(DAMAGES)('%s', (sql, ...differences) => {
  it('is noticed', () => {
    expect(differencesAfter(sql)).toEqual(differences)
  })

  it('is repaired by the next migration, which touches nothing else', () => {
    const repair = migrationTo([...schemaStatements, sql], '', wanted)
    expect(differencesAfter(sql, ...repair)).toEqual([])
    const name = String(differences[0]?.split(' ').at(-1))
    for (const statement of repair) expect(statement).toMatch(new RegExp(`^\\w+ [\\w ]*\\b${name}\\b`))
  })
})

it.each([
  ['ALTER TABLE venues ADD color text', 'venues'],
  [`ALTER TABLE venues ADD letter text AS (substr(name, 1, 1))`, 'venues'],
  [`ALTER TABLE users ADD boss integer REFERENCES users (id)`, 'users'],
  ['ALTER TABLE revision ADD COLUMN day text', 'revision'],
])('%s is noticed, and left to be made right by hand', (sql, table) => {
  expect(differencesAfter(sql)).toEqual([`different: table ${table}`])
  const repair = migrationTo([...schemaStatements, sql], '', wanted)
  expect(repair.join('\n')).toMatch(new RegExp(`^-- By hand: the table ${table} `, 'm'))
  expect(differencesAfter(sql, ...repair)).toEqual([`different: table ${table}`])
})

it('spaces, comments, quotes and case do not make a trigger different, but texts do', () => {
  const trigger = `DROP TRIGGER terms_version; create trigger "terms_version" BEFORE UPDATE OF version ON \`terms\`
    -- It rises by one.
    WHEN new.version<>old.version+1 BEGIN SELECT raise( ABORT, 'version conflict' ); END`
  expect(differencesAfter(trigger)).toEqual([])
  expect(differencesAfter(trigger.replace('version conflict', 'version  conflict'))).not.toEqual([])
})

describe('a migration that changes tables', () => {
  it('drops changed triggers before it changes tables, and creates them afterwards', () => {
    const tables = `ALTER TABLE venues ADD color text;
      DROP INDEX venues_latitude;
      ALTER TABLE venues DROP COLUMN geo_lat;`
    const change = `DROP TRIGGER venues_events_change;
      ${tables}
      CREATE TRIGGER venues_events_change AFTER UPDATE OF color ON venues BEGIN DELETE FROM changes; END;`
    const target = objectsOf(databaseOf([...schemaStatements, change]))
    const statements = migrationTo(schemaStatements, tables, target)
    expect(differencesOf(objectsOf(databaseOf([...schemaStatements, ...statements])), target)).toEqual([])
    expect(statements).toEqual([
      'DROP TRIGGER venues_events_change;',
      tables,
      expect.stringMatching(/^CREATE TRIGGER venues_events_change .*END;$/),
    ])
  })

  it('creates the triggers and views of a rebuilt table again', () => {
    const columns = objectsOf(databaseOf(schemaStatements)).find(({ name }) => name === 'imports')
    const rebuilt = `${columns?.sql.replace('`imports`', '`__new_imports`')};
      INSERT INTO __new_imports SELECT * FROM imports; DROP TABLE \`imports\`;
      ALTER TABLE __new_imports RENAME TO imports;
      CREATE INDEX imports_target ON imports (kind, target_id);`
    const own = [
      'CREATE TRIGGER imports_delete AFTER DELETE ON imports BEGIN DELETE FROM audit; END',
      'CREATE TRIGGER audit_delete AFTER DELETE ON audit BEGIN DELETE FROM imports; END',
      'CREATE VIEW imported AS SELECT target_id FROM imports',
    ]
    const target = objectsOf(databaseOf([...schemaStatements, ...own]))
    const statements = migrationTo([...schemaStatements, ...own], rebuilt, target)
    expect(
      differencesOf(objectsOf(databaseOf([...schemaStatements, ...own, ...statements])), target),
    ).toEqual([])
    const made = statements.flatMap(sql => /^CREATE (?:VIEW|TRIGGER) (\w+)/.exec(sql)?.[1] ?? [])
    expect(made).toEqual(
      expect.arrayContaining(['imports_delete', 'audit_delete', 'imported', 'hidden_twins']),
    )
  })

  it('drops everything that names a column before the column, and creates it again', () => {
    const tables = `ALTER TABLE events DROP COLUMN listed;
      ALTER TABLE events ADD listed integer GENERATED ALWAYS AS (status = 'publish') VIRTUAL;`
    const change = wanted.filter(({ sql }) => /\blisted\b/.test(sql) && !/^CREATE (VIRTUAL )?TABLE/.test(sql))
    const statements = migrationTo(schemaStatements, tables, wanted)
    const after = databaseOf([...schemaStatements, ...statements])
    expect(change.length).toBeGreaterThan(20)
    expect(differencesOf(objectsOf(after), wanted)).toEqual(['different: table events'])
  })
})
