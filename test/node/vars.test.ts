import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, it } from 'vitest'
import { VARS } from '../vars.ts'

type WithVars = { vars?: Record<string, unknown> }
type Config = WithVars & { env?: Record<string, WithVars> }

const text = readFileSync(join(import.meta.dirname, '../../wrangler.toml'), 'utf8')
// Wrangler checks the rest of the file; here only the names of vars count.
const config = parse(text) as Config
const places: [string, WithVars][] = [
  ['[vars]', config],
  ...Object.entries(config.env ?? {}).map(([name, env]): [string, WithVars] => [`[env.${name}.vars]`, env]),
]

it.each(places)('%s of wrangler.toml sets only what the tests set themselves', (_, { vars = {} }) => {
  expect(Object.keys(VARS)).toEqual(expect.arrayContaining(Object.keys(vars)))
})
