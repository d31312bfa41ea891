import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => join('src', name))

const IMPORT = /^(?:import|export)\b[^'"]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms

/** What each file imports: files by their paths in the project, packages by their names. */
const imports = new Map(
  files.map(file => [
    file,
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare, later]) => {
      const name = from ?? bare ?? later ?? ''
      return name.startsWith('.') ? normalize(join(dirname(file), name)) : name
    }),
  ]),
)

/** A folder or file of src, a folder beside it, or a package. `zod/mini` is one of its own, which starts sooner. */
const moduleOf = (name: string): string =>
  name === 'zod/mini' || name.startsWith('@') ? name : name.replace(/^src\//, '').replace(/[:/].*/, '')

const PACKAGE: { [kind: string]: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))
const OTHERS = [
  'node',
  'drizzle',
  'zod/mini',
  ...Object.keys({ ...PACKAGE.dependencies, ...PACKAGE.devDependencies }),
]

const section = /^## How it is laid out\n.*?(?=^## )/ms.exec(readFileSync('.github/CONTRIBUTING.md', 'utf8'))
const ROW = /^\| `([^`]+)` \|.*\|([^|]*)\|$/gm

/** What each folder and file of src may import, as the table in CONTRIBUTING.md has it. */
const table = new Map(
  [...(section?.[0] ?? '').matchAll(ROW)].map(([, module = '', names = '']) => [
    module,
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  ]),
)

describe('imports', () => {
  it('have a row for each folder and file of src', () => {
    expect([...table.keys()].sort()).toEqual([...new Set(files.map(moduleOf))].sort())
  })

  it('are those that the row of their file allows', () => {
    const refused = [...imports].flatMap(([file, names]) => {
      const allowed = [moduleOf(file), ...(table.get(moduleOf(file)) ?? [])]
      return names.filter(name => !allowed.includes(moduleOf(name))).map(name => `${file} imports ${name}`)
    })
    expect(refused).toEqual([])
  })

  it('run one way: rows name only those above them, and packages', () => {
    const order = [...table.keys()]
    const wrong = [...table].map(([module, names], at) => [
      module,
      names.filter(name => !order.slice(0, at).includes(name) && !OTHERS.includes(name)),
    ])
    expect(Object.fromEntries(wrong.filter(([, names]) => names?.length))).toEqual({})
  })

  it('of sources run from readers to records to sync', () => {
    const wrong = [...imports].filter(
      ([file, names]) =>
        file.startsWith('src/sources/sync/') && names.some(name => name.startsWith('src/sources/readers/')),
    )
    expect(wrong.map(([file]) => file)).toEqual([])
  })

  it('of sources leave Node to the few files that only the command needs', () => {
    const others = [...imports].filter(
      ([file, names]) => file.startsWith('src/sources/') && names.some(name => name.startsWith('node:')),
    )
    expect(others.map(([file]) => file.slice('src/sources/'.length)).sort()).toEqual([
      'readers/complete.ts',
      'readers/files.ts',
      'readers/node-transport.ts',
      'remote-database.ts',
    ])
  })

  it('make no circle of files', () => {
    const done = new Set<string>()
    const visit = (file: string, way: readonly string[]): string[] => {
      if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file].join(' → ')]
      if (done.has(file)) return []
      const found = (imports.get(file) ?? []).flatMap(next => visit(next, [...way, file]))
      done.add(file)
      return found
    }
    expect(files.flatMap(file => visit(file, []))).toEqual([])
  })
})
