import { parse } from 'smol-toml'
import { z } from 'zod'

// Changes wrangler.toml as text: a parser would lose its comments.

/** The placeholder for the id in wrangler.toml until there is a database. */
const NO_ID = /^0{8}-(0{4}-){3}0{12}$/

/** A D1 database in wrangler.toml; the id is undefined until the database has been created. */
export type ConfiguredDatabase = { name: string; id: string | undefined }

const ID_LINE = /^(\s*database_id\s*=\s*)"([^"]*)"/
const NAME_LINE = /^\s*database_name\s*=\s*"([^"]*)"/

/**
 * The range of lines of the table that binds `DB`: the first one, and the one after the last.
 *
 * @throws Error if there is none
 */
function databaseLines(lines: readonly string[], environment: string | undefined): [number, number] {
  const header = environment === undefined ? '[[d1_databases]]' : `[[env.${environment}.d1_databases]]`
  for (const [i, line] of lines.entries()) {
    if (line.trim() !== header) continue
    const length = lines.slice(i + 1).findIndex(next => next.trimStart().startsWith('['))
    const end = length === -1 ? lines.length : i + 1 + length
    if (lines.slice(i, end).some(entry => /^\s*binding\s*=\s*"DB"/.test(entry))) return [i, end]
  }
  throw new Error(`wrangler.toml has no ${header} with the binding DB.`)
}

/** Finds the database with the binding `DB`. @throws Error if the environment has none, or it has no name */
export function configuredDatabase(toml: string, environment: string | undefined): ConfiguredDatabase {
  const lines = toml.split('\n')
  const table = lines.slice(...databaseLines(lines, environment))
  const find = (pattern: RegExp, group: number) =>
    table.flatMap(line => line.match(pattern)?.[group] ?? []).at(0)
  const name = find(NAME_LINE, 1)
  const id = find(ID_LINE, 2)
  if (!name) throw new Error('wrangler.toml gives the database with the binding DB no database_name.')
  return { name, id: id && !NO_ID.test(id) ? id : undefined }
}

/** Sets the id of the database, and leaves comments and everything else as they are. */
export function withDatabaseId(toml: string, environment: string | undefined, id: string): string {
  const lines = toml.split('\n')
  const [start, end] = databaseLines(lines, environment)
  const at = lines.findIndex((line, i) => i > start && i < end && ID_LINE.test(line))
  if (at === -1) return lines.toSpliced(start + 1, 0, `database_id = "${id}"`).join('\n')
  return lines.with(at, (lines[at] ?? '').replace(ID_LINE, `$1"${id}"`)).join('\n')
}

const buckets = z.object({
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })).optional(),
})
const withBuckets = buckets.extend({ env: z.record(z.string(), buckets).optional() })

/** The name of the bucket with the binding `MEDIA`; undefined for a calendar without pictures of its own. */
export function configuredBucket(toml: string, environment: string | undefined): string | undefined {
  const all = withBuckets.parse(parse(toml))
  const { r2_buckets = [] } = (environment === undefined ? all : all.env?.[environment]) ?? {}
  return r2_buckets.find(({ binding }) => binding === 'MEDIA')?.bucket_name
}
