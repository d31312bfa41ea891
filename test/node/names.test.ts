import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isNode, nodesIn } from './syntax.ts'

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

/** Names in braces before `from` or `await import`, and those of a whole module: `p.text`. */
const IMPORTED =
  /^(?:import|export)\b[^'"{]*\{([^}]*)\} from|const \{([^}]*)\} = await import\(|\b[a-z]\w*\.(\w+)/gm

it('what a file exports is imported by another one', () => {
  const imported = new Set(
    [...sources, ...filesIn('test')].flatMap(([, text]) =>
      [...text.matchAll(IMPORTED)].flatMap(([names]) => names.match(/\w+/g) ?? []),
    ),
  )
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

/** Functions of Drizzle that make a condition. Ours end in `Sql`. */
const MAKES_CONDITION =
  /^(?:and|eq|gte|inArray|isNotNull|isNull|lte|not|notExists|or|allOf|exists|gt|lt|ne|sql)$|Sql$/

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value ?? '') : '')

/** True for an expression that is SQL, for a function that returns some, and for an object that has some. */
function isSqlValue(node: unknown): boolean {
  if (!isNode(node)) return false
  switch (node.type) {
    case 'ArrowFunctionExpression':
      return isSqlValue(node.body)
    case 'ObjectExpression':
      return Array.isArray(node.properties) && node.properties.some(({ value }) => isSqlValue(value))
    case 'MemberExpression':
      return nameOf(node.object) === 'sql'
    case 'TaggedTemplateExpression':
    case 'CallExpression': {
      const called = node.tag ?? node.callee
      return MAKES_CONDITION.test(nameOf(called)) || isSqlValue(called)
    }
    default:
      return false
  }
}

/** True for the type of SQL, of a function that returns some, or of a record of some. */
function isSqlType(node: unknown, text: string): boolean {
  if (!isNode(node)) return false
  if (node.type === 'TSTypeAnnotation') return isSqlType(node.typeAnnotation, text)
  if (node.type === 'TSFunctionType') return isSqlType(node.returnType, text)
  return /\bSQL\b/.test(text.slice(Number(node.start), Number(node.end)))
}

/** The names that a file gives to SQL, in declarations, parameters and properties. */
function namesOfSql(file: string, text: string): string[] {
  if (!/\bsql\b|SQL\b|Sql\b/.test(text)) return []
  return [...nodesIn(file, text)].flatMap(node => {
    const name = nameOf(node.type === 'Identifier' ? node : (node.id ?? node.key))
    const value = isNode(node.init) ? node.init : node.value
    const returns = isNode(value) ? value.returnType : node.returnType
    const isSql =
      [node.typeAnnotation, returns].some(type => isSqlType(type, text)) || isSqlValue(value ?? node.init)
    return name && isSql ? [name] : []
  })
}

const LIKE_BOOLEAN = /^(?:(?:is|are|was|has|have|can|may)[A-Z]|(?:IS|ARE|WAS|HAS|HAVE|CAN|MAY)_)/

it('no SQL is named like a boolean', () => {
  const samples = [
    'const isA = sql`1`',
    'const isB: Record<Kind, SQL> = {}',
    'const HAS_C = { a: b => sql.raw(b) }',
    'const mayD = (a: string) => and(eq(a, 1))',
    'function wasE(): SQL | undefined {}',
    'type F = { canF?: (a: number) => SQL }',
    'const g = (isG: SQL) => ({ hasH: publishedSql(isG) })',
  ].join('\n')
  const likeBooleans = (file: string, text: string) =>
    namesOfSql(file, text).filter(name => LIKE_BOOLEAN.test(name))
  expect(likeBooleans('a.ts', samples)).toEqual([
    'isA',
    'isB',
    'HAS_C',
    'mayD',
    'wasE',
    'canF',
    'isG',
    'hasH',
  ])
  expect(namesOfSql('a.ts', 'const isSql = (value: SQL): boolean => is(value, SQL)')).toEqual(['value'])
  expect(sources.flatMap(([file, text]) => likeBooleans(file, text).map(name => `${file}: ${name}`))).toEqual(
    [],
  )
})
