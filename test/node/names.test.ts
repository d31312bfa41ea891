import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const EXPORT = /^export (?:const|type|interface|class|(?:async )?function\*?) (\w+)/gm

/** Names that stand in several files. */
const SHARED = [
  // cli/assets.ts has the text of web/html/assets.ts, which it writes.
  'ASSETS',
]

it('every export has a name of its own', () => {
  const places = new Map<string, Set<string>>()
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    for (const [, exported = ''] of readFileSync(join('src', name), 'utf8').matchAll(EXPORT))
      places.set(exported, (places.get(exported) ?? new Set()).add(name))
  }
  const double = [...places].filter(([name, files]) => files.size > 1 && !SHARED.includes(name))
  expect(Object.fromEntries(double.map(([name, files]) => [name, [...files]]))).toEqual({})
})

/** Names of types that say nothing of what they are. */
const VAGUE = ['Values', 'Shown', 'Stored', 'Change', 'Named', 'Told', 'Going', 'Held', 'There']

it('types in the doors have names that say what they are', () => {
  const isDone = (name: string) => /^(?:api|web|words)\/|^\w+\.ts$/.test(name)
  const vague = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && isDone(name))
    .flatMap(name =>
      [
        ...readFileSync(join('src', name), 'utf8').matchAll(
          /^\s*(?:export )?(?:type|interface|class) (\w+)/gm,
        ),
      ]
        .filter(([, type = '']) => VAGUE.includes(type))
        .map(([, type]) => `${name}: ${type}`),
    )
  expect(vague).toEqual([])
})
