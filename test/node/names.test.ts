import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isNode, nodesIn } from './syntax.ts'

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

/** Declarations named like a boolean whose type is SQL, or whose value is a template, a builder of Drizzle or another condition, or a record of these. */
const SQL_LIKE_BOOLEAN = new RegExp(
  [
    String.raw`\??(?: =)?(?: ?\((?:[^=?]|\?:)*?\))?: (?:\([^=]*?\) => )?SQL\b`,
    String.raw`(?: =|:)(?: \([^=]*?\) =>)?\s+(?:sql[.\`]|(?:and|eq|notExists|gte|inArray|isNotNull|isNull|lte|or|allOf|\w+Sql)\()`,
    String.raw`: (?:Readonly<)?Record<[^=;]*?\bSQL\b`,
    String.raw` = \{\s+\w+: (?:(?:\w+|\([^=]*?\)) => )?(?:sql[.\`]|\w+Sql\()`,
  ]
    .map(
      rest =>
        String.raw`\b(?:(?:is|are|was|has|have|can|may)[A-Z]|(?:IS|ARE|WAS|HAS|HAVE|CAN|MAY)_)\w*${rest}`,
    )
    .join('|'),
  'g',
)
const likeBooleans = (text: string): string[] => [...text.matchAll(SQL_LIKE_BOOLEAN)].map(([found]) => found)

it('no SQL is named like a boolean', () => {
  const all = sources.map(([, text]) => text).join('\n')
  // The same declarations, under names of booleans.
  expect(likeBooleans(all.replace(/\b([a-z])(\w*)Sql\b/g, 'isX$1$2')).length).toBeGreaterThan(150)
  expect(
    likeBooleans(
      'const IS_A = sql`1`; const isB: Record<Kind, SQL> = {}; const HAS_C = {\n  a: b => sql`1` }',
    ),
  ).toHaveLength(3)
  expect(sources.flatMap(([file, text]) => likeBooleans(text).map(found => `${file}: ${found}`))).toEqual([])
})

const VERBS =
  'add|change|claim|clear|close|confirm|copy|create|delete|drop|end|erase|find|forget|get|give|insert|join|keep|leave|load|mark|move|note|read|record|release|remove|rename|replace|restore|save|send|settle|show|store|suspend|take|tell|trash|undo|unlink|update|write'

/** True for a type of statements, or of a query. A single SQL may as well be an expression. */
const makesStatements = (type: string): boolean => /^(?:readonly )?(?:Statement\b|SQL\[\]|Query<)/.test(type)
const saysItRuns = new RegExp(`^(?:${VERBS})(?!Of|[a-z])(?!.*(?:Statements?|Query)$)`)

/** The names of functions of a file that only make statements or a query, by their declared types. */
function namesOfMakers(file: string, text: string): string[] {
  if (!/Statement|SQL\[\]|Query</.test(text)) return []
  return [...nodesIn(file, text)].flatMap(node => {
    const { name, made } =
      node.type === 'VariableDeclarator' ? { name: node.id, made: node.init } : { name: node.id, made: node }
    if (!(isNode(name) && isNode(made) && isNode(made.returnType))) return []
    const { typeAnnotation: type } = made.returnType
    return isNode(type) && makesStatements(text.slice(Number(type.start), Number(type.end)))
      ? [String(name.name)]
      : []
  })
}

it('no function that only makes statements or a query is named as if it ran them', () => {
  const makers = sources.flatMap(([file, text]) => namesOfMakers(file, text).map(name => ({ name, file })))
  expect(makers.length).toBeGreaterThan(300)
  expect(makers.filter(({ name }) => saysItRuns.test(name))).toEqual([])
})
