import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { getTableName } from 'drizzle-orm'
import * as core from '../kit/db/tables.ts'
import { repeatedTriggers } from '../kit/db/triggers/repeated.ts'
import { mergedFields } from '../kit/lib/values.ts'
import { command, runCommand } from './arguments.ts'
import { featureFiles } from './feature-files.ts'
import { databaseOf, differencesOf, migrationTo, objectsOf, type SchemaObject } from './schema-objects.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS = join(ROOT, 'drizzle')
const TRIGGERS = join(ROOT, 'src/kit/db/triggers')
const DRIZZLE_KIT = join(dirname(createRequire(import.meta.filename).resolve('drizzle-kit')), 'bin.cjs')

/** All tables: those of the core and those of features. Only the file `tables.ts` of each feature is read. */
export async function readTables(): Promise<Record<string, unknown>> {
  const modules = await Promise.all(featureFiles('tables.ts').map(file => import(file)))
  return mergedFields<unknown>([core, ...modules])
}

const sqlFilesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort()

const readSql = (folder: string): string[] =>
  sqlFilesIn(folder).map(name => readFileSync(join(folder, name), 'utf8'))

const STATEMENT_ORDER = ['TABLE', 'VIRTUAL', 'INDEX', 'VIEW', 'TRIGGER']

/**
 * The statements of files, with all tables first. Each statement begins with CREATE at the start of a line.
 */
function statementsOf(files: readonly string[]): string[] {
  const statements = files.flatMap(text =>
    text.split(/^(?=CREATE )/m).filter(part => part.startsWith('CREATE')),
  )
  const rank = (sql: string) => STATEMENT_ORDER.indexOf(String(sql.split(' ', 2)[1]))
  return statements.sort((a, b) => rank(a) - rank(b))
}

/**
 * The texts of `kit/db/triggers` and of features: every trigger and view in its present form, and the tables
 * that only they need.
 */
const triggerFiles = async (): Promise<string[]> => [
  ...readSql(TRIGGERS),
  ...featureFiles('triggers.sql').map(file => readFileSync(file, 'utf8')),
  repeatedTriggers(Object.values(await readTables())),
]

/** All migrations, the oldest first. */
export const readMigrations = (): string[] => readSql(MIGRATIONS)

const NAMES_WITHOUT_ROWID = core.WITHOUT_ROWID.map(getTableName)

/** Adds WITHOUT ROWID to Drizzle's statements, because Drizzle can't express it. */
const withoutRowid = (sql: string): string =>
  sql.replaceAll(/^(CREATE TABLE `(\w+)` \([^;]*\));?$/gm, (statement, body, name) =>
    NAMES_WITHOUT_ROWID.includes(name) ? `${body} WITHOUT ROWID;` : statement,
  )

/** The objects of a database with all tables and the objects of `kit/db/triggers`. */
export async function buildWantedObjects(): Promise<SchemaObject[]> {
  // The package takes a second to load, and --print and --help don't need it.
  const { generateSQLiteDrizzleJson, generateSQLiteMigration } = await import('drizzle-kit/api')
  const emptySchema = await generateSQLiteDrizzleJson({})
  const wholeSchema = await generateSQLiteDrizzleJson(await readTables())
  const tables = (await generateSQLiteMigration(emptySchema, wholeSchema)).map(withoutRowid)
  return objectsOf(databaseOf([...tables, ...statementsOf(await triggerFiles())]))
}

/**
 * Lets drizzle-kit write the next migration into a folder, on this terminal: it asks whether a column was
 * renamed. It only accepts paths relative to its working directory.
 */
async function runDrizzleKit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const before = sqlFilesIn(folder)
  const pathArguments = [
    '--dialect',
    'sqlite',
    '--schema',
    join(ROOT, 'src/{kit/db,features/*}/tables.ts'),
    '--out',
    relative(ROOT, folder),
  ]
  const commandLine = [DRIZZLE_KIT, 'generate', ...pathArguments, ...args]
  const [code] = await once(spawn(process.execPath, commandLine, { stdio: 'inherit', cwd: ROOT }), 'exit')
  if (code !== 0) throw new Error('drizzle-kit generate failed.')
  return sqlFilesIn(folder).find(name => !before.includes(name))
}

const HELP = `Creates the migration in drizzle that brings databases to the state of src/kit/db/tables.ts, the tables of
features (src/features/*/tables.ts) and the triggers of both (src/kit/db/triggers, src/features/*/triggers.sql).

Unlike drizzle-kit generate, which knows tables only, it also makes triggers and views.

  npm run migration -- --name what_it_does
  npm run --silent migration -- --print > triggers.sql

  --name <name>  the end of the file's name
  --yes          makes one even if it drops tables or columns with their rows
  --custom       makes one even if they are there already, to be written by hand: data, for example
  --print        writes no migration, but prints the present form of all triggers and views`

const OPTIONS = {
  name: { type: 'string' },
  yes: { type: 'boolean' },
  custom: { type: 'boolean' },
  print: { type: 'boolean' },
} as const

/** The line that drizzle-kit writes into a migration that a person completes. */
const PLACEHOLDER = /^-- Custom SQL migration file.*\n?/

/**
 * Makes the next migration in a folder with all earlier migrations.
 * @returns the name of its file, if anything has changed
 */
async function makeMigration(
  folder: string,
  nameOption: readonly string[],
  isCustom: boolean,
): Promise<string | undefined> {
  const migrations = readSql(folder)
  const wantedSchema = await buildWantedObjects()
  const findDifferences = () => differencesOf(objectsOf(databaseOf(readSql(folder))), wantedSchema)
  const customArguments = [...nameOption, '--custom']
  const generatedFile = await runDrizzleKit(folder, isCustom ? customArguments : nameOption)
  if (generatedFile === undefined && findDifferences().length === 0) return undefined
  const file = generatedFile ?? (await runDrizzleKit(folder, customArguments))
  if (file === undefined) throw new Error('drizzle-kit made no migration.')
  const changes = withoutRowid(readFileSync(join(folder, file), 'utf8').replace(PLACEHOLDER, ''))
  const statements = migrationTo(migrations, changes, wantedSchema)
  writeFileSync(join(folder, file), `${statements.join('\n--> statement-breakpoint\n')}\n`)
  for (const line of findDifferences()) console.log(`Left to be written by hand: ${line}`)
  return file
}

/** The tables and columns that a migration drops, with their data: `table letters`. */
function dropsIn(sql: string, tables: ReadonlySet<string>): string[] {
  const changes = sql.matchAll(/^(?:DROP|ALTER) TABLE [`"]?(\w+)(.*)/gim)
  return [...changes].flatMap(([whole, table = '', clause = '']) => {
    const [, column] = /^[`"]? DROP COLUMN [`"]?(\w+)/i.exec(clause) ?? []
    if (column !== undefined) return [`column ${table}.${column}`]
    return /^DROP/i.test(whole) && !tables.has(table) ? [`table ${table}`] : []
  })
}

/**
 * Adds the result of {@link makeMigration} to the other migrations once it is complete, because npm run dev
 * applies every file that appears there.
 *
 * @throws Error for a migration that drops rows, unless `mayDrop`
 */
async function addMigration(
  nameOption: readonly string[],
  { isCustom, mayDrop }: { isCustom: boolean; mayDrop: boolean },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-'))
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    const file = await makeMigration(folder, nameOption, isCustom)
    const tables = new Set((await buildWantedObjects()).map(({ name }) => name))
    const drops = file ? dropsIn(readFileSync(join(folder, file), 'utf8'), tables) : []
    if (drops.length > 0 && !mayDrop)
      throw new Error(`This drops ${drops.join(', ')}, with all rows. Add --yes if that is what you want.`)
    if (!file) return
    // drizzle-kit compares with the newest snapshot alone, and each is as large as the schema.
    const formerSnapshots = readdirSync(join(MIGRATIONS, 'meta')).filter(name =>
      name.endsWith('_snapshot.json'),
    )
    for (const part of ['meta/_journal.json', `meta/${file.slice(0, 4)}_snapshot.json`, file])
      await copyFile(join(folder, part), join(MIGRATIONS, part))
    for (const name of formerSnapshots) await rm(join(MIGRATIONS, 'meta', name))
    console.log(`Created drizzle/${file}.`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (import.meta.main)
  await runCommand(
    command(HELP, OPTIONS, async ({ name, yes = false, custom = false, print = false }) =>
      print
        ? console.log((await triggerFiles()).join('\n'))
        : addMigration(name === undefined ? [] : ['--name', name], { isCustom: custom, mayDrop: yes }),
    ),
  )
