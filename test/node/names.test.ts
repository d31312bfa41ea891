import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.includes('node_modules'))
    .map(name => [join(folder, name), readFileSync(join(folder, name), 'utf8')] as const)
const sources = filesIn('src')

const EXPORT = /^export (?:const|type|interface|class|(?:async )?function\*?) (\w+)/gm
const exported = sources.flatMap(([file, text]) =>
  [...new Set([...text.matchAll(EXPORT)].map(([, name = '']) => name))].map(name => ({ name, file })),
)

it('no two files export the same name', () => {
  expect(exported.length).toBeGreaterThan(1_000)
  const places = Map.groupBy(exported, ({ name }) => name).values()
  const twice = [...places].filter(found => found.length > 1)
  expect(twice.map(found => [found[0]?.name, ...found.map(({ file }) => file)].join(' '))).toEqual([])
})

const IN_BRACES = /^(?:import|export)\b[^'"{]*\{([^}]*)\} from|const \{([^}]*)\} = await import\(/gm

/** The names that a file imports, and those that it takes from a whole module: `p.text`. */
function importedBy(text: string): string[] {
  const modules = [...text.matchAll(/^import \* as (\w+)/gm)].map(([, module]) => module)
  const ofModules = new RegExp(`\\b(?:${modules.join('|')})\\.(\\w+)`, 'g')
  return [IN_BRACES, ...(modules.length > 0 ? [ofModules] : [])].flatMap(pattern =>
    [...text.matchAll(pattern)].flatMap(([names]) => names.match(/\w+/g) ?? []),
  )
}

it('what a file exports is imported by another one', () => {
  const imported = new Set([...sources, ...filesIn('test')].flatMap(([, text]) => importedBy(text)))
  // Drizzle reads all tables of a file, and features add their types to the interface.
  const others = exported.filter(
    ({ name, file }) => !imported.has(name) && !file.includes('tables') && name !== 'Features',
  )
  expect(others).toEqual([])
})

it('every class of errors says its name, which the small script of the Worker loses otherwise', () => {
  const classes = sources.flatMap(([file, text]) =>
    [
      ...text.matchAll(
        /class (\w+) extends \w*Error \{(?:\n {2}override readonly name(?:: string)? = '(\w+)')?/g,
      ),
    ].map(([, name, said]) => ({ file, name, said })),
  )
  expect(classes.length).toBeGreaterThan(10)
  expect(classes.filter(({ name, said }) => name !== said)).toEqual([])
})
