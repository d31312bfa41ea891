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

/** Names of types that say nothing of what they are. */
const VAGUE = (
  'Values Shown Stored Change Named Told Going Held There ' +
  'Found Written Given Made Known Wanted Asked Taken Sent Kept Loaded Read Reading Left Next More Moved Where'
).split(' ')

it('types have names that say what they are', () => {
  const vague = sources.flatMap(([file, text]) =>
    [...text.matchAll(/^\s*(?:export )?(?:type|interface|class) (\w+)/gm)]
      .filter(([, type = '']) => VAGUE.includes(type))
      .map(([, type]) => `${file}: ${type}`),
  )
  expect(vague).toEqual([])
})

it('limits are called MAX_… and MIN_…', () => {
  const others = sources.flatMap(([file, text]) =>
    [
      ...text.matchAll(/\b(?:const \[?|, )((?:MOST|LONGEST|LARGEST|LEAST|FEWEST|SHORTEST)(?:_[A-Z_]+)?)\b/g),
    ].map(([, name]) => `${file}: ${name}`),
  )
  expect(others).toEqual([])
})

/** Words that once had a meaning only here, such as a wave for a batch and a twin for a duplicate. */
const PRIVATE =
  'arm driver facet twin piece wave door taken along told held adopt adopted given edition'.split(' ')

/** The words of a name in camel case, in the singular. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/)
    .map(word => word.replace(/s$/, ''))

it('exported names have no words that need a glossary', () => {
  const found = sources.flatMap(([file, text]) =>
    [...text.matchAll(EXPORT)].flatMap(([, name = '']) =>
      wordsOf(name).some(word => PRIVATE.includes(word)) ? [`${file}: ${name}`] : [],
    ),
  )
  expect(found).toEqual([])
  expect(wordsOf('selectTwinsOf')).toContain('twin')
})
