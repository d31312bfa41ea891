import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { importsIn } from './imports.ts'

/** The texts of files by their paths. */
type Texts = ReadonlyMap<string, string>

const sources: Texts = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => [join('src', name), readFileSync(join('src', name), 'utf8')]),
)

const EXPORT = /^export (?:const|type|interface|class|(?:async )?function\*?) (\w+)/gm

/** The files that each file sees: itself, those that it imports, and those that these pass on, as an index does. */
function seenIn(texts: Texts): Map<string, Set<string>> {
  const imports = new Map([...texts].map(([file, text]) => [file, importsIn(file, text)]))
  const passedOn = (file: string): string[] =>
    (imports.get(file) ?? []).flatMap(({ name, isPassedOn }) => (isPassedOn ? [name, ...passedOn(name)] : []))
  return new Map(
    [...imports].map(([file, all]) => [
      file,
      new Set([file, ...all.flatMap(({ name }) => [name, ...passedOn(name)])]),
    ]),
  )
}

/** Exported names that stand for two things where somebody would meet both: in one folder, or in one file that sees both. */
function clashesIn(texts: Texts): string[] {
  const places = new Map<string, string[]>()
  for (const [file, text] of texts)
    for (const name of new Set([...text.matchAll(EXPORT)].map(([, exported = '']) => exported)))
      places.set(name, [...(places.get(name) ?? []), file])
  const seen = seenIn(texts)
  return [...places].flatMap(([name, files]) =>
    files.flatMap((one, i) =>
      files.slice(i + 1).flatMap(other => {
        const clash = `${name} in ${one} and ${other}`
        if (dirname(one) === dirname(other)) return [`${clash}: in one folder`]
        const reader = [...seen].find(([, all]) => all.has(one) && all.has(other))?.[0]
        return reader ? [`${clash}: ${reader} sees both`] : []
      }),
    ),
  )
}

it('an exported name stands for one thing wherever somebody would meet two', () => {
  expect(sources.size).toBeGreaterThan(400)
  expect(clashesIn(sources)).toEqual([])
})

it.each([
  ['in folders that never meet', {}, []],
  ['in one folder', { 'a/three.ts': 'export type Row = 3' }, ['a/one.ts and a/three.ts: in one folder']],
  [
    'in two files of which one imports the other',
    { 'b/two.ts': "import { other } from '../a/one.ts'\nexport type Row = 2" },
    ['a/one.ts and b/two.ts: b/two.ts sees both'],
  ],
  [
    'in two files that a third imports, whatever it takes from them',
    { 'c.ts': "import { other } from './a/one.ts'\nimport {\n  type Row,\n} from './b/two.ts'" },
    ['a/one.ts and b/two.ts: c.ts sees both'],
  ],
  [
    'in two files, one of which comes by way of an index',
    {
      'a/index.ts': "export { other } from './one.ts'",
      'c.ts': "import { other } from './a/index.ts'\nconst two = await import('./b/two.ts')",
    },
    ['a/one.ts and b/two.ts: c.ts sees both'],
  ],
])('a name that is exported twice, %s', (_, more, clashes) => {
  const files = {
    'a/one.ts': 'export type Row = 1\nexport const other = 1',
    'b/two.ts': 'export type Row = 2',
    'd.ts': "import { other } from './a/one.ts'",
    ...more,
  }
  expect(clashesIn(new Map(Object.entries(files)))).toEqual(clashes.map(clash => `Row in ${clash}`))
})

/** Names of types that say nothing of what they are. */
const VAGUE = (
  'Values Shown Stored Change Named Told Going Held There ' +
  'Found Written Given Made Known Wanted Asked Taken Sent Kept Loaded Read Reading Left Next More Moved Where'
).split(' ')

/** Files whose names nobody has gone through yet. */
const isLeft = (file: string) =>
  /^src\/intake\/readers\/text\/(?:days|moments|recurrences|times)\.ts$/.test(file)

it('types have names that say what they are', () => {
  const vague = [...sources]
    .filter(([file]) => !isLeft(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(/^\s*(?:export )?(?:type|interface|class) (\w+)/gm)]
        .filter(([, type = '']) => VAGUE.includes(type))
        .map(([, type]) => `${file}: ${type}`),
    )
  expect(vague).toEqual([])
})

it('limits are called MAX_… and MIN_…', () => {
  const others = [...sources]
    .filter(([file]) => !isLeft(file))
    .flatMap(([file, text]) =>
      [
        ...text.matchAll(
          /\b(?:const \[?|, )((?:MOST|LONGEST|LARGEST|LEAST|FEWEST|SHORTEST)(?:_[A-Z_]+)?)\b/g,
        ),
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
  const found = [...sources].flatMap(([file, text]) =>
    [...text.matchAll(EXPORT)].flatMap(([, name = '']) =>
      wordsOf(name).some(word => PRIVATE.includes(word)) ? [`${file}: ${name}`] : [],
    ),
  )
  expect(found).toEqual([])
  expect(wordsOf('selectTwinsOf')).toContain('twin')
})
