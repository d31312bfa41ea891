import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import * as derived from '../../src/kit/db/derived.ts'
import { isConflict } from '../../src/kit/db/failures.ts'
import { readStatements } from '../schema.ts'
import { importsIn } from './imports.ts'
import { LAYERS, ROOMS, SHARED } from './layers.ts'
import { isNode, literalOf, nodesIn } from './syntax.ts'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => /\.(?:ts|cjs)$/.test(name))
  .map(name => join('src', name))

const textOf = (file: string): string => readFileSync(file, 'utf8')

/** What each file imports: files by their paths in the project, packages by their names. */
const imports = new Map(files.map(file => [file, importsIn(file, textOf(file)).map(({ name }) => name)]))

/** What the Worker contains: files of src, and packages. */
const inWorker = new Set(['src/index.ts'])
for (const file of inWorker) for (const name of imports.get(file) ?? []) inWorker.add(name)

/**
 * A room or file of src, a folder beside src, or a package. `zod/mini` is one of its own, which starts
 * sooner.
 */
const moduleOf = (name: string): string =>
  name === 'zod/mini' || name.startsWith('@')
    ? name
    : (/^src\/([^/]+)/.exec(name)?.[1] ?? name.replace(/[:/].*/, ''))

const PACKAGE: { [kind: string]: Record<string, string> } = JSON.parse(textOf('package.json'))

const order = Object.keys(LAYERS)

/** Imports of other files for which something holds. */
const importsWhere = (holds: (file: string, name: string) => boolean): string[] =>
  [...imports].flatMap(([file, names]) =>
    names.filter(name => holds(file, name)).map(name => `${file} imports ${name}`),
  )

describe('imports', () => {
  it('have a layer for each room and file of src', () => {
    expect(order.toSorted()).toEqual([...new Set(files.map(moduleOf))].sort())
  })

  it('lead to lower layers, and to the packages of their layer', () => {
    const isRefused = (file: string, name: string) => {
      const from = moduleOf(file)
      const to = moduleOf(name)
      const packages = [...(LAYERS[from] ?? []), ...(file.startsWith('src/kit/lib/') ? [] : SHARED)]
      return order.includes(to) ? order.indexOf(to) > order.indexOf(from) : !packages.includes(to)
    }
    expect(importsWhere(isRefused)).toEqual([])
  })

  it.each(Object.entries(ROOMS))('within %s run one way', (room, folders) => {
    const above = `src/${room}/`
    const partOf = (name: string) =>
      name.startsWith(above) ? name.slice(above.length).split('/')[0] : undefined
    expect(folders.toSorted()).toEqual([...new Set(files.flatMap(name => partOf(name) ?? []))].sort())
    const rank = (name: string) => folders.indexOf(partOf(name) ?? '')
    expect(importsWhere((file, name) => rank(file) !== -1 && rank(file) < rank(name))).toEqual([])
  })

  it('make no cycle of files', () => {
    const done = new Set<string>()
    const visit = (file: string, way: readonly string[]): string[] => {
      if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file].join(' → ')]
      if (done.has(file)) return []
      const cycles = (imports.get(file) ?? []).flatMap(next => visit(next, [...way, file]))
      done.add(file)
      return cycles
    }
    expect(files.flatMap(file => visit(file, []))).toEqual([])
  })

  it('of the Worker are of packages that it depends on', () => {
    const packages = [...inWorker].filter(name => !name.startsWith('src/') && !name.startsWith('drizzle/'))
    const nameOf = (name: string) => /^(?:@[^/]+\/)?[^/:]+/.exec(name)?.[0] ?? name
    const others = ['node', 'cloudflare', ...Object.keys(PACKAGE.dependencies ?? {})]
    expect(packages.filter(name => !others.includes(nameOf(name)))).toEqual([])
  })

  it('of the database are of no package for requests', () => {
    expect(
      importsWhere((file, name) => file.startsWith('src/kit/db/') && ['hono', 'zod/mini'].includes(name)),
    ).toEqual([])
  })

  it('of the editor lead to no public pages', () => {
    expect(
      importsWhere((file, name) => file.startsWith('src/editor/') && name.startsWith('src/site/pages/')),
    ).toEqual([])
  })

  it('of readers leave Node to the few files that only the command needs', () => {
    const others = importsWhere((file, name) => file.startsWith('src/readers/') && name.startsWith('node:'))
    expect([...new Set(others.map(text => text.split(' ')[0]))].sort()).toEqual([
      'src/readers/files.ts',
      'src/readers/node-transport.ts',
    ])
  })
})

it('the Worker looks up no property of Unicode as it starts', () => {
  const PROPERTY = /\\p\{/i
  const own = files.filter(file => inWorker.has(file) && PROPERTY.test(textOf(file)))
  expect(own.length).toBeGreaterThan(20)
  const literals = own.flatMap(file =>
    [...nodesIn(file, textOf(file))].flatMap(node => {
      const { source = '', flags } = literalOf(node) ?? {}
      return PROPERTY.test(source) ? [`${file}: /${source}/${flags} should be a lazyPattern`] : []
    }),
  )
  expect(literals).toEqual([])
})

describe('features', () => {
  const featureOf = (name: string) => /^src\/features\/([^/]+)\//.exec(name)?.[1]

  it('import no other feature', () => {
    const others = importsWhere((file, name) => {
      const from = featureOf(file)
      const to = featureOf(name)
      return from !== undefined && to !== undefined && from !== to
    })
    expect(others).toEqual([])
  })

  it('are imported by nothing but the list', () => {
    const importing = importsWhere(
      (file, name) => featureOf(name) !== undefined && featureOf(file) === undefined,
    )
    expect(importing.filter(text => !text.startsWith('src/features.ts imports '))).toEqual([])
  })

  // Codes of the core's resources are made of their names, so the core contains only some of them.
  it('declare the codes of errors that they alone throw', () => {
    const CODES = 'src/kit/lib/error-codes.ts'
    const codes = [...textOf(CODES).matchAll(/^ {4}'?([\w-]+)'?:/gm)].flatMap(([, code = '']) =>
      /^(?:rest-)?(?:event|series|venue|organizer|category|tag|term|image|duplicate)-/.test(code)
        ? []
        : [code],
    )
    expect(codes.length).toBeGreaterThan(30)
    const core = files.filter(file => file !== CODES && featureOf(file) === undefined).map(textOf)
    expect(codes.filter(code => !core.some(text => text.includes(code)))).toEqual([])
  })

  it('are in the list, by the name of their folder', async () => {
    const { FEATURES } = await import('../../src/features.ts')
    const folders = [...new Set(files.flatMap(file => featureOf(file) ?? []))]
    expect(FEATURES.map(({ name }) => name).sort()).toEqual(folders.sort())
  })
})

describe('the rules', () => {
  const CONTENT =
    /^(?:events|series|venues|organizers|terms|images|(?:event|series)(?:Venues|Organizers|Terms))$/
  const WRITES = /^(?:rowInsertStatements|rowUpdateStatements|insert|update|delete)$/
  const INTO = String.raw`\b(?:INTO|UPDATE(?: OR [A-Z]+)?|DELETE FROM)\s+["\x60]?`
  const beforeName = new RegExp(`${INTO}$`)
  const withName = new RegExp(
    String.raw`${INTO}(?:events|series|venues|organizers|terms|images|(?:event|series)_(?:venues|organizers|terms))\b`,
  )

  const isContent = (node: unknown) =>
    isNode(node) && node.type === 'Identifier' && CONTENT.test(String(node.name))
  const nodesOfPart = (part: unknown) => (Array.isArray(part) ? part.filter(isNode) : [])

  /** True for a call or an SQL text that writes content. */
  function writesContent({ type, ...node }: Record<string, unknown>): boolean {
    if (type === 'CallExpression') {
      const { callee } = node
      const called = isNode(callee) ? (callee.name ?? (isNode(callee.property) && callee.property.name)) : ''
      return WRITES.test(String(called)) && isContent(nodesOfPart(node.arguments)[0])
    }
    if (type === 'Literal') return withName.test(String(node.value))
    if (type !== 'TemplateLiteral') return false
    const texts = nodesOfPart(node.quasis).map(({ value }) => (isNode(value) ? String(value.cooked) : ''))
    return (
      nodesOfPart(node.expressions).some((value, i) => isContent(value) && beforeName.test(texts[i] ?? '')) ||
      texts.some(text => withName.test(text))
    )
  }

  /** True for an import of a table of content. */
  const importsContent = ({ type, source, specifiers, importKind }: Record<string, unknown>): boolean =>
    type === 'ImportDeclaration' &&
    importKind === 'value' &&
    isNode(source) &&
    String(source.value).includes('kit/db/tables') &&
    nodesOfPart(specifiers).some(({ imported }) => isContent(imported))

  /** Files with a node for which something holds, of those with a text without which there is none. */
  const having = (holds: (node: Record<string, unknown>) => boolean, text: RegExp) =>
    files.filter(file => text.test(textOf(file)) && [...nodesIn(file, textOf(file))].some(holds))

  it.each([
    `sql\`UPDATE \${events} SET status = 1\``,
    `sql\`INSERT OR IGNORE INTO \${seriesTerms} (target_id)\``,
    `'UPDATE events SET status = 1'`,
    'sql`UPDATE OR IGNORE series SET uid = 1`',
    '`DELETE FROM event_venues WHERE event_id = 1`',
    '`INSERT INTO\n    "terms" (name) VALUES (1)`',
    'build.update(images).set({})',
    'build.delete(\n  eventOrganizers,\n)',
    'rowInsertStatements(series, rows)',
    'rowUpdateStatements(organizers, rows)',
    'build.insert(venues).values(row)',
  ])('a write of content is seen in %s', text => {
    expect([...nodesIn('a.ts', text)].some(writesContent)).toBe(true)
  })

  it('content is written by the calendar only, and not by its imports', () => {
    const writers = having(writesContent, /INTO|UPDATE|DELETE|insert|update|delete/)
    expect(writers.length).toBeGreaterThan(5)
    expect(
      writers.filter(file => !/^src\/(?:calendar\/(?!imports\/)|commands\/backup\/)/.test(file)),
    ).toEqual([])
  })

  it('readers import no table of content', () => {
    const importers = having(importsContent, /kit\/db\/tables/)
    expect(importers.length).toBeGreaterThan(5)
    expect(importers.filter(file => /^src\/readers\//.test(file))).toEqual([])
  })

  it('triggers keep derived tables and versions, and decide nothing', async () => {
    const objects = (await readStatements()).flatMap(sql => {
      const [, type = '', name = ''] = /^CREATE (TRIGGER|VIEW|VIRTUAL)(?: TABLE)? (\w+)/.exec(sql) ?? []
      return type ? [{ type, name, sql }] : []
    })
    const triggers = objects.filter(({ type }) => type === 'TRIGGER')
    const derivedTables = Object.values(derived).flatMap(value =>
      is(value, SQLiteTable) ? [getTableName(value)] : [],
    )
    const viewsAndSearched = objects.filter(({ type }) => type !== 'TRIGGER')
    const kept = [...derivedTables, ...viewsAndSearched.map(({ name }) => name)]
    const written = triggers.map(({ name, sql }) => [
      name,
      writesOf(sql).filter(write => !kept.includes(write.replace(/\..*/, ''))),
    ])
    expect(Object.fromEntries(written.filter(([, writes]) => writes?.length))).toEqual({
      // Columns that follow from links, and from what was public once.
      counted_terms_insert: [
        'terms.count',
        'terms.standalone',
        'terms.change_number',
        'terms.public_change_number',
      ],
      terms_change_insert: ['terms.change_number', 'terms.public_change_number'],
      terms_change_update: ['terms.change_number', 'terms.public_change_number'],
      term_ancestors_insert: ['terms.standalone'],
      term_ancestors_update: ['terms.standalone'],
      term_ancestors_shown: ['terms.standalone'],
      // Sums of the places of people, and the e-mail about each new state of them.
      registrants_sums_insert: ['registrations.taken', 'registrations.waiting'],
      registrants_sums_update: ['registrations.taken', 'registrations.waiting'],
      registrants_sums_delete: ['registrations.taken', 'registrations.waiting'],
      registrants_mail_update: ['registration_mails'],
      // These decide something: test/kit/db/decisions.test.ts holds each to the code that decides the same.
      events_uid: ['events.uid'],
      series_uid: ['series.uid'],
      released_twins_insert: ['events.duplicate_of', 'twins'],
      events_twins_release: ['audit'],
      events_twins_return: ['twins.trashed_from', 'events.duplicate_of'],
      events_twins_delete: ['audit', 'events.status', 'events.version', 'events.duplicate_of', 'twins'],
      events_review_note: ['review_notes'],
      events_review_note_delete: ['review_notes'],
      series_review_note: ['review_notes'],
      series_review_note_delete: ['review_notes'],
    })
    const refused = triggers.flatMap(({ sql }) => [...sql.matchAll(/RAISE\(ABORT, '([^']*)'\)/g)])
    expect(refused.length).toBeGreaterThan(5)
    for (const [, message] of refused) expect(isConflict(new Error(message)), message).toBe(true)
  })
})

/** Tables to which a trigger adds rows or from which it deletes some, and columns that it changes. */
function writesOf(trigger: string): string[] {
  const body = trigger.slice(trigger.indexOf('BEGIN')).replaceAll(/--.*/g, '')
  const writes = body.matchAll(
    /\b(?:INTO|DELETE FROM|(?<!DO )UPDATE) (\w+)(?:\s+SET\s+(.*?)(?=\bWHERE\b|\bFROM\b|;))?/gs,
  )
  const names = [...writes].flatMap(([, table, assignments]) =>
    assignments === undefined
      ? [`${table}`]
      : [...assignments.matchAll(/(?:^|,)\s*(\w+)\s*=/g)].map(([, column]) => `${table}.${column}`),
  )
  return [...new Set(names)]
}
