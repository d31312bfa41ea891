import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const FIRST = '.github/CONTRIBUTING.md'
const FOLDER = '.github/mechanisms'
const INDEX = `${FOLDER}/README.md`

/** The pages for people who change the code, by path. */
const pages = [FIRST, ...readdirSync(FOLDER).map(name => join(FOLDER, name))]
const textOf = (path: string): string => readFileSync(path, 'utf8')

/** Every file of the project that a page may speak of. */
const files = ['src', 'test', 'drizzle', '.ci']
  .flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(path => !path.includes('node_modules'))
  .concat(['package.json', 'wrangler.toml', 'vitest.config.ts', 'README.md'])
const known = new Set(files)

/** Paths may leave `src/` out, but for the names of folders at the top. */
const isPath = (path: string): boolean => known.has(path) || known.has(join('src', path)) || existsSync(path)

const NAMED = /`([^`\n]+)`/g
const namesIn = (text: string): string[] =>
  [...text.replace(/^```.*?^```$/gms, '').matchAll(NAMED)].map(([, name = '']) => name)

/** A path rather than a name or an address of the API: it has a slash or ends like a file. */
const looksLikePath = (name: string): boolean =>
  /^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(name) &&
  (name.includes('/') || /\.(ts|js|cjs|mjs|sql|json|toml|md)$/.test(name))

const NOT_HERE = [
  // Packages, not paths.
  'zod/mini',
  '@modelcontextprotocol/server',
  '@simplewebauthn/server',
  'ical.js',
  // Made by npm run docs:assets.
  'dist/assets',
  // The path of the plugin's API.
  'tribe/events/v1',
]

describe.each(pages)('%s', page => {
  const text = textOf(page)

  it('names only files that exist', () => {
    const paths = namesIn(text).filter(name => looksLikePath(name) && !NOT_HERE.includes(name))
    const bare = (name: string) => !name.includes('/') && files.some(path => path.endsWith(`/${name}`))
    expect(paths.filter(name => !isPath(name.replace(/\/$/, '')) && !bare(name))).toEqual([])
  })

  it('links to pages that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)/g)]
    const anchorsOf = (path: string) =>
      [...textOf(path).matchAll(/^##* (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      )
    const lost = links.filter(([, file = '', anchor]) => {
      const target = file ? normalize(join(dirname(page), file)) : page
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
    expect(lost.map(([link]) => link)).toEqual([])
  })
})

it('the index leads to every page', () => {
  const linked = textOf(INDEX)
  const others = readdirSync(FOLDER).filter(name => name !== basename(INDEX))
  expect(others.filter(name => !linked.includes(`](${name})`))).toEqual([])
})

it('the first page says of names in which file they are, and they are there', () => {
  const said = [...textOf(FIRST).matchAll(/`(\w+)` \(`([\w./-]+\.(?:ts|sql))`\)/g)]
  const fileOf = (path: string) => [path, join('src', path)].find(name => known.has(name))
  expect(said.length).toBeGreaterThan(10)
  expect(
    said.flatMap(([, name = '', path = '']) => {
      const file = fileOf(path)
      return file && new RegExp(`\\b${name}\\b`).test(textOf(file)) ? [] : [`${name} (${path})`]
    }),
  ).toEqual([])
})

// A path in a comment leads nowhere once its file has moved, and the compiler doesn't notice.
const CODE = [
  ...files.filter(path => /^(?:src|test)\/.*\.(?:ts|sql|css|js)$/.test(path)),
  'vitest.config.ts',
  'biome.json',
]
// Not of packages, nor of what a command makes.
const IN_CODE =
  /(?<![\w./@$:-])(?!vite\/|dist\/)\w[\w.-]*\/[\w./-]*\w\.(?:ts|sql|css|js|json)\b(?!['"`]\s*[,)\]}])/g

/** Comments may leave out the folders that a path begins with. */
const endsPath = (name: string): boolean => files.some(path => path.endsWith(`/${name}`))

it('comments name only files that exist', () => {
  const dead = CODE.filter(path => !/\/conformance\//.test(path)).flatMap(path => {
    const comments = textOf(path).match(/(?:^|\s)(?:\/\/|\/?\*|--).*$/gm) ?? []
    const named = comments.flatMap(line => line.match(IN_CODE) ?? [])
    return named.filter(name => !known.has(name) && !endsPath(name)).map(name => `${path}: ${name}`)
  })
  expect(dead).toEqual([])
})
