import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { COMPATIBILITY_DATE } from '../../src/commands/wrangler.ts'
import type { Bindings } from '../../src/kit/env.ts'
import { settingsOf, type Vars } from '../../src/kit/settings.ts'
import { VARS } from '../vars.ts'

type WithVars = { vars?: Record<string, unknown> }
type Bound = WithVars & {
  d1_databases?: { binding: string }[]
  r2_buckets?: { binding: string }[]
  ratelimits?: { name: string }[]
  version_metadata?: { binding: string }
  images?: { binding: string }
}
type Config = Bound & { compatibility_date: string; env?: Record<string, Bound> }

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')
const text = read('wrangler.toml')
// Wrangler checks the rest of the file; here only names count.
const config = parse(text) as Config
const places: [string, Bound][] = [
  ['[vars]', config],
  ...Object.entries(config.env ?? {}).map(([name, env]): [string, Bound] => [`[env.${name}.vars]`, env]),
]

it('the compatibility date of wrangler.toml is that of the other Workers', () => {
  expect(COMPATIBILITY_DATE).toBe(config.compatibility_date)
})

it.each(places)('%s of wrangler.toml sets only what the tests set themselves', (_, { vars = {} }) => {
  expect(Object.keys(VARS)).toEqual(expect.arrayContaining(Object.keys(vars)))
})

/**
 * Every binding that the Worker takes, but for the sender of e-mails, which needs a domain, Workers AI, which
 * needs an account even in local work, and the static files, which environments inherit; the compiler demands
 * an entry for each.
 */
const BINDINGS: Record<Exclude<keyof Bindings, keyof Vars | 'EMAIL' | 'AI' | 'ASSETS'>, true> = {
  DB: true,
  MEDIA: true,
  IMAGES: true,
  CF_VERSION_METADATA: true,
  WRITE_LIMIT: true,
  LOGIN_LIMIT: true,
  NETWORK_LIMIT: true,
}

it.each(places)(
  'the environment of %s of wrangler.toml binds all that the Worker takes',
  (_, environment) => {
    const { d1_databases = [], r2_buckets = [], ratelimits = [], version_metadata, images } = environment
    const bound = [
      ...d1_databases.map(({ binding }) => binding),
      ...r2_buckets.map(({ binding }) => binding),
      ...ratelimits.map(({ name }) => name),
      version_metadata?.binding,
      images?.binding,
    ]
    expect(bound.sort()).toEqual(Object.keys(BINDINGS).sort())
  },
)

describe('the table of settings', () => {
  /** Names and defaults, as the table gives them. */
  const rows = [...read('.github/OPERATING.md').matchAll(/^\| `([A-Z_]+)` \|([^|]*)\| [^|]+\|$/gm)].map(
    ([, name = '', fallback = '']): [string, string] => [name, fallback.trim().replaceAll('`', '')],
  )

  it('has every var, and no other', () => {
    expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(VARS).sort())
  })

  it('lists their defaults', () => {
    // The only one that is no value.
    const told = { ...Object.fromEntries(rows), SITE_URL: '' }
    const { fingerprint: _, ...settings } = settingsOf(told)
    expect(settingsOf({})).toMatchObject(settings)
    const { fingerprint: __, ...tested } = settingsOf(VARS)
    // Tests of the alias switch it on.
    expect({ ...tested, namespaces: settings.namespaces }).toEqual(settings)
  })
})
