import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { toJsonSchemas } from '../../../src/kit/docs/schemas.ts'
import { documented, field } from '../../../src/kit/http/params.ts'
import { clockAt } from '../../../src/kit/lib/clock.ts'
import { settingsOf } from '../../../src/kit/settings.ts'

const CONTEXT = {
  api: 'https://example.org/api',
  clock: clockAt('2027-01-01 00:00:00'),
  settings: settingsOf({}),
}

const convert = (io: 'input' | 'output', ...schemas: z.ZodMiniType[]) => toJsonSchemas(schemas, io, CONTEXT)

describe('toJsonSchemas', () => {
  it('evaluates defaults, and names examples as JSON Schema does', () => {
    const parsed = field(raw => raw, {
      type: 'string',
      description: 'Words.',
      default: ({ api }) => api,
      example: 'x',
      isFile: true,
    })
    const described = { type: 'string', description: 'Words.', default: CONTEXT.api, examples: ['x'] }
    expect(convert('input', parsed, z.optional(parsed)).schemas).toEqual([described, described])
  })

  it('keeps the bounds of a field, and gives none to other whole numbers', () => {
    const bounded = field(raw => raw, { type: 'integer', description: 'Size.', minimum: 1, maximum: 9 })
    expect(convert('input', bounded).schemas).toMatchObject([{ minimum: 1, maximum: 9 }])
    expect(convert('output', z.int()).schemas).toEqual([{ type: 'integer' }])
  })

  it('prefers the description of a wrapper', () => {
    const inner = documented(z.string(), { description: 'Inner.', example: 'x' })
    const outer = documented(z.optional(inner), 'Outer.')
    expect(convert('output', outer).schemas).toEqual([
      { type: 'string', description: 'Outer.', examples: ['x'] },
    ])
  })

  it('requires fields of responses only, for those of requests depend on the route', () => {
    const pair = z.object({ one: z.string(), other: z.optional(z.int()) })
    const properties = { one: { type: 'string' }, other: { type: 'integer' } }
    expect(convert('input', pair).schemas).toEqual([{ type: 'object', properties }])
    expect(convert('output', pair).schemas).toEqual([
      { type: 'object', properties, required: ['one'], additionalProperties: false },
    ])
  })

  it('makes components of schemas with an id, and ends circles', () => {
    const node: z.ZodMiniType = z.object({
      get children() {
        return z.array(node)
      },
    })
    documented(node, { id: 'CircleNode' })
    const $ref = '#/components/schemas/CircleNode'
    expect(convert('input', node)).toEqual({
      schemas: [{ $ref }],
      components: {
        CircleNode: { type: 'object', properties: { children: { type: 'array', items: { $ref } } } },
      },
    })
  })

  it('refuses two schemas of one id', () => {
    const twice = [z.string(), z.int()].map(schema => documented(schema, { id: 'TwiceNamed' }))
    expect(() => convert('output', ...twice)).toThrow('TwiceNamed')
  })
})
