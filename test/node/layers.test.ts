import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

// The direction of imports: the linter refuses wrong ones, and this is sure that it knows every folder and every circle.

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => join('src', name))

const IMPORT = /^(?:import|export)\b[^'"]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'/gms

const imports = new Map(
  files.map(file => [
    file,
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare]) =>
      normalize(join(dirname(file), from ?? bare ?? '')),
    ),
  ]),
)

/** Circles of a graph, each as the names on its way. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node)
    if (at !== -1) found.push([...way.slice(at), node].join(' → '))
    if (at !== -1 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...way, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}

/** The first folder of a path below src; the files beside the folders stand for themselves. */
const roomOf = (file: string): string => relative('src', file).split('/')[0] ?? ''

const rooms = new Map(
  [...new Set(files.map(roomOf))].map(room => [
    room,
    [
      ...new Set(
        [...imports]
          .filter(([file]) => roomOf(file) === room)
          .flatMap(([, to]) => to.map(roomOf))
          .filter(other => other !== room && !other.startsWith('..')),
      ),
    ],
  ]),
)

const folders = [...rooms.keys()].filter(room => !room.endsWith('.ts'))

type Override = {
  includes: string[]
  linter?: { rules?: { style?: { noRestrictedImports?: { options: { patterns: { group: string[] }[] } } } } }
}
const { overrides }: { overrides: Override[] } = JSON.parse(readFileSync('biome.json', 'utf8'))

/** An import of a package of which the Worker has a smaller form or a part, and would have all. */
const WHOLE = /^import (?!type\b).* from '(?:hono|qs|zod)'$/gm

/** The files that a file imports, directly or around others. */
function reachable(start: string): Set<string> {
  const found = new Set([start])
  for (const file of found) for (const next of imports.get(file) ?? []) found.add(next)
  return found
}

/** The imports that the linter refuses to each folder. */
const rules = new Map(
  overrides.flatMap(({ includes, linter }) => {
    const rule = linter?.rules?.style?.noRestrictedImports
    const refused = rule?.options.patterns.flatMap(({ group }) => group)
    return refused ? includes.map(path => [path.replace(/^src\/|\/\*\*$/g, ''), refused] as const) : []
  }),
)

describe('imports', () => {
  it('no two files import each other, directly or around others', () => {
    expect(circles(imports)).toEqual([])
  })

  it('no two folders import each other, directly or around others', () => {
    expect(circles(rooms)).toEqual([])
  })

  it('the Worker imports no package of which it has a smaller form', () => {
    const worker = [...reachable('src/index.ts')].filter(file => file.endsWith('.ts'))
    expect(worker.length).toBeGreaterThan(100)
    expect(worker.flatMap(file => readFileSync(file, 'utf8').match(WHOLE) ?? [])).toEqual([])
  })

  it.each(folders)(
    'the linter has a rule for %s, which passes over no folder that it does not import',
    folder => {
      const refused = rules.get(folder)
      expect(refused).toBeDefined()
      const known = [folder, ...(rooms.get(folder) ?? [])]
      const open = folders.filter(other => !known.includes(other) && !refused?.includes(`**/${other}/**`))
      // Commands may use everything.
      expect(folder === 'cli' ? [] : open).toEqual([])
    },
  )
})
