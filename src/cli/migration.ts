import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import * as schema from '../db/schema.ts'
import { command, runCommand } from './arguments.ts'
import { databaseOf, differencesOf, migrationTo, objectsOf, type SchemaObject } from './schema-objects.ts'

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

/** The statements of files, each of which begins a line with CREATE: tables first, whichever file they are in. */
function statementsOf(files: readonly string[]): string[] {
  const statements = files.flatMap(text =>
    text.split(/^(?=CREATE )/m).filter(part => part.startsWith('CREATE')),
  )
  const rank = (sql: string) => ORDER.indexOf(String(sql.split(' ', 2)[1]))
  return statements.sort((a, b) => rank(a) - rank(b))
}

/** All migrations, the oldest first. */
export const readMigrations = (): string[] => readSql(MIGRATIONS)

/** The objects of a database that has the tables of `db/schema.ts`, and what the files of `db/triggers` add to them. */
export async function wantedObjects(): Promise<SchemaObject[]> {
  const [nothing, all] = [await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson(schema)]
  const tables = await generateSQLiteMigration(nothing, all)
  return objectsOf(databaseOf([...tables, ...statementsOf(readSql(TRIGGERS))]))
}

/**
 * Lets drizzle-kit write the next migration into a folder, on this terminal: it asks if a column was renamed. It takes
 * folders only by paths from where it runs.
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

const HELP = `Makes the migration that brings databases to src/db/schema.ts and src/db/triggers, in drizzle.

  npm run migration -- --name what_it_does

  --name <name>  the end of the file's name
  --custom       makes one even if they are there already, to be written by hand: data, for example`

const OPTIONS = {
  name: { type: 'string' },
  custom: { type: 'boolean' },
} as const

/** The line that drizzle-kit writes into a migration by hand. */
const PLACEHOLDER = /^-- Custom SQL migration file.*\n?/

/** Makes the next migration in a folder that has all others. @returns the name of its file, if there is one to make */
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
  const changes = readFileSync(join(folder, file), 'utf8').replace(PLACEHOLDER, '')
  const statements = migrationTo(migrations, changes, wanted)
  writeFileSync(join(folder, file), `${statements.join('\n--> statement-breakpoint\n')}\n`)
  for (const line of findDifferences()) console.log(`Left to be written by hand: ${line}`)
  return file
}

/** Puts what {@link makeMigration} made beside the other migrations, whole: npm run dev applies what appears there. */
async function addMigration(name: readonly string[], isCustom: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-'))
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    const file = await makeMigration(folder, name, isCustom)
    const parts = file ? ['meta/_journal.json', `meta/${file.slice(0, 4)}_snapshot.json`, file] : []
    for (const part of parts) await copyFile(join(folder, part), join(MIGRATIONS, part))
    if (file) console.log(`drizzle/${file} is there.`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (import.meta.main)
  await runCommand(
    command(HELP, OPTIONS, ({ name, custom = false }) =>
      addMigration(name === undefined ? [] : ['--name', name], custom),
    ),
  )
