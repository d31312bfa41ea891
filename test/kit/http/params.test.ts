import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import * as p from '../../../src/kit/http/params.ts'
import { parseDate } from '../../../src/kit/lib/parse-date.ts'
import { atWall } from '../../../src/kit/lib/time.ts'
import { FIELD_LIMITS } from '../../../src/kit/lib/values.ts'

const words = { description: 'A field.' }

const KINDS: Record<string, z.ZodMiniType> = {
  line: p.line(words),
  name: p.name(words),
  html: p.html({ ...words, limit: FIELD_LIMITS.excerpt }),
  slug: p.slug(words),
  search: p.search(words),
  url: p.url(words),
  email: p.email(words),
  flag: p.flag(words),
  integer: p.integer(words),
  decimal: p.decimal({ ...words, minimum: -90, maximum: 90 }),
  ids: p.ids(words),
  texts: p.texts(words),
  oneOf: p.oneOf(['publish', 'draft'], words),
  someOf: p.someOf(['publish', 'draft'], words),
  date: p.date(words),
  zone: p.zone(words),
}
const TEXTS = [
  'line',
  'name',
  'html',
  'slug',
  'search',
  'url',
  'email',
  'texts',
  'oneOf',
  'someOf',
  'date',
  'zone',
]

/** The resulting value, or the reason why there is none. */
function read(kind: string, raw: unknown): { value: unknown } | { reason: string } {
  const schema = KINDS[kind]
  if (!schema) throw new Error(`There is no kind ${kind}.`)
  const result = z.safeParse(schema, raw)
  return result.success ? { value: result.data } : { reason: result.error.issues[0]?.message ?? '' }
}

const REASON = /^must /

describe('every kind', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1
    for (let i = 0; i < levels; i += 1) value = i % 2 ? [value] : { a: value }
    return value
  }
  const HOSTILE: [string, unknown][] = [
    ['an object without a text', { toString: 1, valueOf: 1 }],
    ['an object that would speak for itself', JSON.parse('{"toString":{},"toJSON":"x","length":5}')],
    ['an own __proto__', JSON.parse('{"__proto__":{"toString":1}}')],
    ['an object without a prototype', Object.create(null)],
    ['an object in a list', [{ toString: 1 }]],
    ['a list in a list', [[[]]]],
    ['a list without a prototype in it', [[Object.create(null)]]],
    ['5,000 levels', nested(5_000)],
    ['infinity', JSON.parse('1e400')],
    ['minus infinity', JSON.parse('-1e400')],
    ['not a number', Number.NaN],
  ]

  it.each(HOSTILE)('refuses %s with a reason', (_, raw) => {
    for (const kind of Object.keys(KINDS)) {
      const result = read(kind, raw)
      expect(result, kind).toHaveProperty('reason')
      expect(result, kind).toEqual({ reason: expect.stringMatching(REASON) })
    }
  })

  it('never throws for any JSON', () => {
    const key = fc.constantFrom(
      'toString',
      'valueOf',
      'toJSON',
      'length',
      '__proto__',
      'constructor',
      'then',
      '0',
      'id',
    )
    // `fc.string` makes a table of all there are, which takes seconds.
    const codePoint = fc.integer({ min: 0, max: 0x10_ffff })
    const scalar = fc.oneof(
      fc.constantFrom<unknown>(
        true,
        false,
        null,
        '',
        '0',
        '-0',
        '1e21',
        '0x10',
        'now',
        'publish',
        '\u200b',
        '\ud800',
      ),
      fc.constantFrom<unknown>(
        0,
        -0,
        1,
        -1,
        1.5,
        1e21,
        1e308,
        5e-324,
        Number.MAX_SAFE_INTEGER,
        2 ** 53,
        Infinity,
      ),
      key,
      fc.array(codePoint, { maxLength: 30 }).map(codes => String.fromCodePoint(...codes)),
    )
    const { value } = fc.letrec<{ value: unknown }>(tie => ({
      value: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map(entries => Object.fromEntries(entries)),
      ),
    }))
    fc.assert(
      fc.property(value, raw => {
        for (const kind of Object.keys(KINDS)) {
          const result = read(kind, raw)
          if ('reason' in result) expect(result.reason, kind).toMatch(REASON)
          else expect(() => JSON.stringify(result.value), kind).not.toThrow()
        }
      }),
      { seed: 20_261_120, numRuns: 300 },
    )
  })

  it.each(TEXTS)('of text refuses stacks of combining marks: %s', kind => {
    const raw = `a${'\u0301\u0323\u0334'.repeat(4_000)}`
    expect(read(kind, raw)).toEqual({ reason: expect.stringMatching(REASON) })
    const isFree = ['line', 'name', 'html', 'slug', 'search'].includes(kind)
    const reason = isFree ? 'must not stack so many combining marks' : expect.stringMatching(REASON)
    expect(read(kind, `a${'\u0301'.repeat(101)}`)).toEqual({ reason })
  })

  const lists = ['texts', 'someOf']
  it.each([...TEXTS.filter(kind => !lists.includes(kind)), 'flag', 'integer'])(
    'refuses 300,000 characters: %s',
    kind => {
      for (const raw of ['a'.repeat(300_000), '1'.repeat(300_000), ' .'.repeat(150_000)])
        expect(read(kind, raw), raw).toEqual({ reason: expect.stringMatching(REASON) })
    },
  )
})

describe('text', () => {
  it('accepts numbers in their usual notation', () => {
    expect(read('line', -0)).toEqual({ value: '0' })
    expect(read('line', 1e21)).toEqual({ value: '1e+21' })
  })

  it.each(['\u200b\u200e', ' \u00a0 ', '&nbsp;&#8203;', '\u3164', '\u2800'])(
    'of nothing visible is no name: %j',
    raw => {
      expect(read('name', raw)).toEqual({ reason: 'must not be empty' })
    },
  )

  it('has the limit of its field', () => {
    const schema = p.html({ ...words, limit: FIELD_LIMITS.termDescription })
    expect(z.safeParse(schema, 'x'.repeat(4_990)).success).toBe(true)
    expect(z.safeParse(schema, 'x'.repeat(5_001)).success).toBe(false)
    expect(z.globalRegistry.get(schema)).toMatchObject({ maxLength: 5_000 })
  })

  it('measures an address as it is stored', () => {
    expect(read('url', `https://example.org/${'<'.repeat(2_000)}`)).toEqual({
      reason: 'must be at most 2048 characters long',
    })
  })
})

describe('decimal', () => {
  it.each([
    ['16', 16],
    ['+1.5', 1.5],
    [' -0.25 ', -0.25],
    ['.5', 0.5],
    [12.5, 12.5],
  ])('%j is %d', (raw, value) => {
    expect(read('decimal', raw)).toEqual({ value })
  })

  it('has no minus zero', () => {
    expect(read('decimal', -0)).toEqual({ value: 0 })
    expect(read('decimal', '-0.0')).toEqual({ value: 0 })
  })

  it.each([
    ...['0x10', '0b1', '0o7', '1e1', '1e400', 'Infinity', 'NaN', '1_0', '1,5', '1.2.3', '', ' '],
    ...['--1', '--5', '+-5', '.', '5°', '١', '１２', '90.0000001', -91, 1e308],
  ])('refuses %j', raw => {
    expect(read('decimal', raw)).toEqual({ reason: 'must be a number from -90 to 90' })
  })

  it.each([[true], [{}], [[[1]]], [{ toString: 1 }]])('is not %j', raw => {
    expect(read('decimal', raw)).toEqual({ reason: expect.stringMatching(REASON) })
  })
})

describe('lists', () => {
  it('contain each item once', () => {
    expect(read('ids', [3, '1', 3, '3,1'])).toEqual({ value: [3, 1] })
    expect(read('texts', 'b,a,b')).toEqual({ value: ['b', 'a'] })
    expect(read('someOf', Array(95).fill('publish'))).toEqual({ value: ['publish'] })
    expect(read('someOf', 'draft,publish,DRAFT')).toEqual({ value: ['draft', 'publish'] })
  })

  it('refuse unknown items, and too many', () => {
    const unknown = Array.from({ length: 95 }, (_, i) => `status${i}`)
    expect(read('someOf', ['publish', ...unknown])).toEqual({ reason: 'must be one of publish, draft' })
    expect(
      read(
        'ids',
        Array.from({ length: 501 }, (_, i) => i + 1),
      ),
    ).toEqual({ reason: 'must have at most 500 items' })
  })
})

describe('an accepted date', () => {
  it('has a meaning in every zone', () => {
    const dates = [
      '0001-01-01',
      '0001-01-01T00:00:00Z',
      '9999-12-31 23:59:59',
      '9999-12-31T23:59:59Z',
      'tomorrow 9am',
    ]
    for (const text of dates) {
      expect(read('date', text)).toEqual({ value: text })
      for (const zone of ['UTC+14', 'UTC-12', 'America/New_York', 'Asia/Tokyo', 'UTC']) {
        const parsed = parseDate(text, zone, Date.now())
        expect(parsed, zone).toBeDefined()
        expect(atWall(parsed?.wall ?? '', zone).wall, zone).toBe(parsed?.wall)
      }
    }
  })
})
