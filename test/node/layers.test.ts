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

describe('imports', () => {
  it('no two files import each other, directly or around others', () => {
    expect(circles(imports)).toEqual([])
  })

  it('no two folders import each other, directly or around others', () => {
    expect(circles(rooms)).toEqual([])
  })

  it('the linter has a rule for every folder', () => {
    const { overrides }: { overrides: { includes: string[]; linter?: object }[] } = JSON.parse(
      readFileSync('biome.json', 'utf8'),
    )
    const ruled = overrides
      .filter(override => JSON.stringify(override).includes('noRestrictedImports'))
      .flatMap(({ includes }) => includes)
    const folders = [...rooms.keys()].filter(room => !room.endsWith('.ts'))
    expect(folders.filter(folder => !ruled.includes(`src/${folder}/**`))).toEqual([])
  })
})
