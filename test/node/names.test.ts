import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => [join('src', name), readFileSync(join('src', name), 'utf8')] as const)

const EXPORT = /^export (?:const|type|interface|class|(?:async )?function\*?) (\w+)/gm

it('no two files export the same name', () => {
  const exported = sources.flatMap(([file, text]) =>
    [...new Set([...text.matchAll(EXPORT)].map(([, name = '']) => name))].map(name => ({ name, file })),
  )
  expect(exported.length).toBeGreaterThan(1_000)
  const places = Map.groupBy(exported, ({ name }) => name).values()
  const twice = [...places].filter(found => found.length > 1)
  expect(twice.map(found => [found[0]?.name, ...found.map(({ file }) => file)].join(' '))).toEqual([])
})
