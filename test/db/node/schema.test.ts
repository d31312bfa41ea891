import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { expect, it } from 'vitest'
import * as schema from '../../../src/db/schema.ts'

const META = join(import.meta.dirname, '../../../drizzle/meta')

type Snapshot = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>

/** The schema that the newest migration leaves, as drizzle-kit wrote it down. */
function lastSnapshot(): Snapshot {
  const last = readdirSync(META)
    .filter(name => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1)
  return JSON.parse(readFileSync(join(META, String(last)), 'utf8'))
}

it('nothing of the schema is left for another migration', async () => {
  const current = await generateSQLiteDrizzleJson(schema)
  expect(await generateSQLiteMigration(lastSnapshot(), current)).toEqual([])
})

it('a column that no migration adds is noticed', async () => {
  const { terms, ...others } = schema
  const before = await generateSQLiteDrizzleJson(others)
  const statements = await generateSQLiteMigration(
    before,
    await generateSQLiteDrizzleJson({ ...others, terms }),
  )
  expect(statements.join()).toContain('CREATE TABLE `terms`')
})
