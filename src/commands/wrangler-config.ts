import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { closestTo } from '../kit/lib/likeness.ts'
import { mergedFields } from '../kit/lib/values.ts'
import type { Target } from './wrangler.ts'

const section = z.object({
  main: z.string().optional(),
  vars: z.record(z.string(), z.unknown()).default({}),
  d1_databases: z
    .array(
      z.object({
        binding: z.string(),
        database_name: z.string().optional(),
        database_id: z.string().optional(),
        preview_database_id: z.string().optional(),
        migrations_dir: z.string().default('migrations'),
      }),
    )
    .default([]),
  r2_buckets: z
    .array(
      z.object({ binding: z.string(), bucket_name: z.string(), preview_bucket_name: z.string().optional() }),
    )
    .default([]),
})
const configuration = section.extend({ env: z.record(z.string(), section).optional() })

type Section = z.output<typeof section>

/**
 * A target with the vars, databases and buckets of its environment, and of the top level, which the
 * environment doesn't inherit.
 */
export type ConfiguredTarget = Target & { environmentSection: Section; common: Section }

/** @throws Error if wrangler.toml is not TOML, or has no such environment */
export function readConfiguration(target: Target): ConfiguredTarget {
  const { config, environment } = target
  const common = configuration.parse(parse(readFileSync(config, 'utf8')))
  const ownSection = environment === undefined ? common : common.env?.[environment]
  if (ownSection) return { ...target, environmentSection: ownSection, common }
  const names = Object.keys(common.env ?? {})
  const meant = closestTo(environment ?? '', names)
  throw new Error(
    `--env: there is no [env.${environment}] in ${config}, only ${names.join(', ') || 'none'}.${meant ? ` Did you mean ${meant}?` : ''}`,
  )
}

/**
 * The vars in the files next to a configuration, which replace its own vars on this machine: `.dev.vars`,
 * else `.env`.
 */
export function localVars({ config, environment }: Target): NodeJS.Dict<string> {
  const files = (...names: string[]) =>
    [
      ...names,
      ...(environment === undefined
        ? []
        : names.map(name => name.replace(/^\.(env|dev\.vars)/, `$&.${environment}`))),
    ]
      .map(name => join(dirname(config), name))
      .filter(existsSync)
  const ownFile = files('.dev.vars').at(-1)
  const wantedFiles = ownFile === undefined ? files('.env', '.env.local') : [ownFile]
  return mergedFields(wantedFiles.map(path => parseEnv(readFileSync(path, 'utf8'))))
}

/** The database with the binding `DB`. @throws Error if there is none */
export function databaseIn({ config, environmentSection }: ConfiguredTarget) {
  const database = environmentSection.d1_databases.find(({ binding }) => binding === 'DB')
  if (!database) throw new Error(`${config} has no D1 database with the binding DB.`)
  return database
}

/**
 * The path of the Worker's own module; undefined if wrangler.toml names no existing module, which wrangler
 * reports.
 */
export function mainIn({ config, environmentSection, common }: ConfiguredTarget): string | undefined {
  const main = environmentSection.main ?? common.main
  const path = main === undefined ? undefined : join(dirname(resolve(config)), main)
  return path !== undefined && existsSync(path) ? path : undefined
}

/** The bucket with the binding `MEDIA`; undefined for a calendar without images of its own. */
export const bucketIn = ({ environmentSection }: ConfiguredTarget) =>
  environmentSection.r2_buckets.find(({ binding }) => binding === 'MEDIA')

/** The placeholder for the id in wrangler.toml until the database exists. */
const NO_ID = /^0{8}-(0{4}-){3}0{12}$/

/**
 * Name and id of the database `DB` at Cloudflare; the id is undefined until it has been created.
 * @throws Error if it has no name
 */
export function remoteDatabaseIn(configured: ConfiguredTarget): { name: string; id: string | undefined } {
  const { database_name: name, database_id: id } = databaseIn(configured)
  if (!name) throw new Error('wrangler.toml gives the database with the binding DB no database_name.')
  return { name, id: id && !NO_ID.test(id) ? id : undefined }
}

/**
 * The text of wrangler.toml with another id of the database `DB`. Comments and all other lines stay
 * unchanged; a parser would lose comments.
 *
 * @throws Error if there is no such database
 */
export function withDatabaseId(toml: string, environment: string | undefined, id: string): string {
  const header = environment === undefined ? '[[d1_databases]]' : `[[env.${environment}.d1_databases]]`
  const tables = toml.split(/^(?=[ \t]*\[)/m)
  const tableIndex = tables.findIndex(
    text => text.split('\n', 1)[0]?.trim() === header && /^\s*binding\s*=\s*"DB"/m.test(text),
  )
  const table = tables[tableIndex]
  if (table === undefined) throw new Error(`wrangler.toml has no ${header} with the binding DB.`)
  const line = /^(\s*database_id\s*=\s*)"[^"]*"/m
  const changedTable = line.test(table)
    ? table.replace(line, `$1"${id}"`)
    : table.replace('\n', `\ndatabase_id = "${id}"\n`)
  return tables.with(tableIndex, changedTable).join('')
}
