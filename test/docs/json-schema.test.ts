import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { Converter, type Json } from '../../src/docs/json-schema.ts'
import { field } from '../../src/http/params.ts'
import { settingsOf } from '../../src/settings.ts'

const CONTEXT = { api: 'https://example.org/api', now: '2027-01-01 00:00:00', settings: settingsOf({}) }

type Io = 'input' | 'output'

const make = (io: Io) => new Converter(io, CONTEXT)

/** What zod's own converter makes of a schema, without what ours leaves out on purpose. */
function byZod(schema: z.ZodMiniType, io: Io): Json {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'input') delete jsonSchema.required
      if (jsonSchema.type !== 'integer') return
      delete jsonSchema.minimum
      delete jsonSchema.maximum
    },
  })
  return converted
}

let ids = 0

/** Schemas of all kinds that ours are of. */
const { schema: anySchema } = fc.letrec<{ schema: z.ZodMiniType }>(tie => {
  const shape = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tie('schema'), { maxKeys: 4 })
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      fc
        .constantFrom(z.string, z.boolean, z.number, z.int, z.null, z.never, z.unknown)
        .map(make => make() as z.ZodMiniType),
      fc.constantFrom('a', 1, true).map(value => z.literal(value)),
      fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }).map(words => z.enum(words)),
      tie('schema').map(inner => z.array(inner)),
      tie('schema').map(inner => z.record(z.string(), inner)),
      tie('schema').map(inner => z.optional(inner)),
      tie('schema').map(inner => z.exactOptional(inner)),
      tie('schema').map(inner => z.nullable(z.array(inner))),
      tie('schema').map(inner => z.union([z.array(inner), z.looseObject({ inner })])),
      tie('schema').map(inner => inner.clone().register(z.globalRegistry, { description: 'Words.' })),
      shape.map(shape => z.object(shape)),
      shape.map(shape => z.looseObject(shape)),
      shape.map(shape => z.object(shape).register(z.globalRegistry, { id: `Thing${ids++}` })),
    ),
  }
})

describe('Converter', () => {
  it.each<Io>(['input', 'output'])('makes of every schema what zod does, for %s', io => {
    fc.assert(
      fc.property(anySchema, schema => {
        // An object of it: zod has the schema itself at the top, even if that has an id.
        const { $defs = {}, ...theirs } = byZod(z.object({ schema }), io)
        const converter = make(io)
        const ours = converter.convert(z.object({ schema }))
        const text = JSON.stringify(ours)
        expect(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))).toEqual({
          ...theirs,
        })
        const components = JSON.stringify(converter.components)
        expect(JSON.parse(components.replaceAll('#/components/schemas/', '#/$defs/'))).toEqual($defs)
      }),
      { seed: 20261120, numRuns: 300 },
    )
  })

  it('evaluates defaults, and names examples as JSON Schema does', () => {
    const parsed = field(raw => raw, {
      type: 'string',
      description: 'Words.',
      default: ({ api }) => api,
      example: 'x',
      isFile: true,
      dependsOnClock: () => true,
    })
    const described = { type: 'string', description: 'Words.', default: CONTEXT.api, examples: ['x'] }
    expect(make('input').convert(parsed)).toEqual(described)
    expect(make('input').convert(z.optional(parsed))).toEqual(described)
  })

  it('lets a wrapper say it better', () => {
    const inner = z.string().register(z.globalRegistry, { description: 'Inner.', example: 'x' })
    const outer = z.optional(inner).register(z.globalRegistry, { description: 'Outer.' })
    expect(make('output').convert(outer)).toEqual({
      type: 'string',
      description: 'Outer.',
      examples: ['x'],
    })
  })

  it('ends circles', () => {
    const node: z.ZodMiniType = z.object({
      get children() {
        return z.array(node)
      },
    })
    node.register(z.globalRegistry, { id: 'CircleNode' })
    const converter = make('input')
    const $ref = '#/components/schemas/CircleNode'
    expect(converter.convert(node)).toEqual({ $ref })
    expect(converter.components).toEqual({
      CircleNode: { type: 'object', properties: { children: { type: 'array', items: { $ref } } } },
    })
  })

  it.each<[string, z.ZodMiniType]>([
    ['date', z.date()],
    ['tuple', z.tuple([z.string()])],
    ['checks', z.string().check(z.minLength(1))],
    ['checks', z.email()],
    ['checks', z.int32()],
    ['literal', z.literal(['a', 'b'])],
  ])('refuses what it would not tell of: %s', (word, schema) => {
    expect(() => make('output').convert(z.object({ schema }))).toThrow(word)
  })

  it('refuses two schemas of one id', () => {
    const [one, other] = [z.string(), z.int()].map(schema =>
      schema.register(z.globalRegistry, { id: 'TwiceNamed' }),
    )
    expect(() => make('output').convert(z.object({ one, other }))).toThrow('TwiceNamed')
  })
})
