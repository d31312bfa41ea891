import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { FOR_EVERYBODY, MAX_JSON_DEPTH, readBody } from '../../../src/kit/http/body.ts'
import {
  MAX_FORM_PARTS,
  parseBrackets,
  parseForm,
  UploadedFile,
  withoutBoundary,
} from '../../../src/kit/http/form-data.ts'
import { statusOf } from '../../../src/kit/lib/error-codes.ts'
import { ApiError } from '../../../src/kit/lib/errors.ts'

const app = new Hono()
app.post('/', async c => c.json(await readBody(c)))
app.post('/file', async c => {
  const fields = await readBody(c, { fields: ['image'], whole: 'image', limits: FOR_EVERYBODY })
  return c.json(fields.image instanceof UploadedFile ? { size: fields.image.bytes.length } : fields)
})
app.onError(error => {
  if (!(error instanceof ApiError)) throw error
  const { code, message, data } = error
  return Response.json({ code, message, ...data }, { status: statusOf(code) })
})

type Outcome = { status: number; body: Record<string, unknown> }

async function post(body: BodyInit, type?: string, path = '/'): Promise<Outcome> {
  const request = new Request(`http://calendar.test${path}`, { method: 'POST', body })
  if (type === '') request.headers.delete('content-type')
  else if (type !== undefined) request.headers.set('content-type', type)
  const response = await app.request(request)
  return { status: response.status, body: await response.json() }
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

describe('a JSON body', () => {
  it.each([
    ['{"a":{"toString":1,"toJSON":2,"valueOf":3}}', { a: { toString: 1, toJSON: 2, valueOf: 3 } }],
    ['{"a":[[["b"]]]}', { a: [[['b']]] }],
    ['[1,2]', { 0: 1, 1: 2 }],
    ['"[[[[[[[[[[[[[[[[[[[[[[[[[["', { body: '[[[[[[[[[[[[[[[[[[[[[[[[[[' }],
    ['{"a":"\\\\","b":"]}\\"[[["}', { a: '\\', b: ']}"[[[' }],
    [' ', {}],
    ['null', {}],
    ['12', { body: 12 }],
    ['true', { body: true }],
  ])('%s is read', async (text, fields) => {
    expect(await post(text, JSON_TYPE)).toEqual({ status: 200, body: fields })
  })

  it('gives a field called __proto__ no power', async () => {
    const { body } = await post('{"__proto__":{"title":"x"}}', JSON_TYPE)
    expect(body.title).toBeUndefined()
  })

  it.each([5_000, 500_000])('of %i levels is refused', async levels => {
    for (const text of [
      `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`,
      `{"a":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
      '['.repeat(levels),
    ].filter(({ length }) => length < 2_000_000)) {
      const { status, body } = await post(text, JSON_TYPE)
      expect([status, body.code]).toEqual([400, 'rest_invalid_json'])
      expect(body.message).toContain(`${MAX_JSON_DEPTH} levels`)
    }
  })

  it(`may have ${MAX_JSON_DEPTH} levels`, async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect((await post(nested(MAX_JSON_DEPTH), JSON_TYPE)).status).toBe(200)
    expect((await post(nested(MAX_JSON_DEPTH + 1), JSON_TYPE)).status).toBe(400)
  })

  it.each([
    ['{"a":', 'end of JSON'],
    ['"a', 'Unterminated string'],
    ['{"a": "b\\"}', 'Unterminated string'],
    ['{"a": undefined}', 'undefined'],
    ['{\n  "a": [1],\n  "é😀": 2\n  "c": 3}', 'line 4 column 3'],
    ['{"a": "x\ny"}', 'line 1 column 9'],
    ['{"a": 1} // one', 'line 1 column 10'],
  ])('that is not JSON is refused, and the error names the place: %j', async (text, place) => {
    const { status, body } = await post(text, JSON_TYPE)
    expect([status, body.json_error_code]).toEqual([400, 4])
    expect(body.message).toMatch(/^The body is not valid JSON: .+\.$/)
    expect(body.message).toContain(place)
  })

  it('that is not UTF-8 is refused, not repaired', async () => {
    const bytes = Uint8Array.of(
      ...new TextEncoder().encode('{"a":"'),
      0xff,
      ...new TextEncoder().encode('"}'),
    )
    const { status, body } = await post(bytes, JSON_TYPE)
    expect([status, body.code]).toEqual([400, 'rest_invalid_json'])
    expect(body.message).toContain('UTF-8')
  })
})

describe('a form', () => {
  it.each([
    ['a=1&b=caf%C3%A9+x&c=100%&d=%zz', { a: '1', b: 'café x', c: '100%', d: '%zz' }],
    ['a[]=1&a[]=2&b[c][d]=3', { a: ['1', '2'], b: { c: { d: '3' } } }],
    ['a[length]=5&__proto__[x]=1&constructor=2&[__proto__]=3', { a: { length: '5' } }],
  ])('%s is read', async (text, fields) => {
    expect(await post(text, FORM_TYPE)).toEqual({ status: 200, body: fields })
  })

  it.each(['hasOwnProperty', '__proto__', 'constructor'])(
    'with a part called %s, which would be dropped without a word, is refused',
    async part => {
      for (const text of [`a[${part}]=1`, `a[b][${part}][c]=1`, `a%5B${part}%5D=1`]) {
        const { status, body } = await post(text, FORM_TYPE)
        expect([status, body.params], text).toEqual([400, { a: `must not have a part named ${part}` }])
      }
    },
  )

  it.each([
    ['a value', 'a=1&b[c]=%ff', { b: 'must be valid UTF-8' }],
    ['half a surrogate pair', 'a=%ed%a0%80', { a: 'must be valid UTF-8' }],
    ['an overlong slash', 'a=%c0%af', { a: 'must be valid UTF-8' }],
    ['a name', 'a=1&%ff=2', {}],
  ])('with %s that is no UTF-8 is refused', async (_, text, params) => {
    const { status, body } = await post(text, FORM_TYPE)
    expect({ status, code: body.code, params: body.params }).toEqual({
      status: 400,
      code: 'rest_invalid_param',
      params,
    })
    expect(body.message).toMatch(/UTF-8/)
  })

  it('with bytes that are not UTF-8 is refused', async () => {
    const { status, body } = await post(Uint8Array.of(0x61, 0x3d, 0xff), FORM_TYPE)
    expect([status, body.code]).toEqual([400, 'rest_invalid_param'])
  })
})

describe('a multipart form', () => {
  it('is read', async () => {
    const form = new FormData()
    form.append('venue[venue]', 'Café & Bar')
    form.append('tags[]', 'a+b')
    form.append('tags[]', '100%')
    form.append('organizer[0][organizer]', 'Ada')
    expect(await post(form)).toEqual({
      status: 200,
      body: {
        venue: { venue: 'Café & Bar' },
        tags: ['a+b', '100%'],
        organizer: [{ organizer: 'Ada' }],
      },
    })
  })

  it('with a file is refused by the name of the field', async () => {
    const form = new FormData()
    form.append('title', 'x')
    form.append('image', new File(['bytes'], 'poster.png', { type: 'image/png' }))
    const { status, body } = await post(form)
    expect({ status, code: body.code, params: body.params }).toEqual({
      status: 400,
      code: 'rest_invalid_param',
      params: { image: 'must not be a file' },
    })
  })

  it('that is not UTF-8 is refused', async () => {
    const text = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--x--\r\n'
    const { status, body } = await post(
      Uint8Array.from(text, c => c.charCodeAt(0)),
      'multipart/form-data; boundary=x',
    )
    expect([status, body.code]).toEqual([400, 'rest_invalid_param'])
    expect(body.message).toContain('UTF-8')
  })
})

describe('a body without a content type', () => {
  it.each(['', 'text/plain', 'application/octet-stream'])('is read if it is JSON: %j', async type => {
    expect(await post(new TextEncoder().encode('{"a":1}'), type)).toEqual({ status: 200, body: { a: 1 } })
    expect(await post(new TextEncoder().encode(' '), type)).toEqual({ status: 200, body: {} })
  })

  it.each(['', 'text/plain', 'application/xml', 'image/png'])('is 415 otherwise: %j', async type => {
    for (const text of ['title=x', '<a/>', '{"a":']) {
      const { status, body } = await post(new TextEncoder().encode(text), type)
      expect([status, body.code], text).toEqual([415, 'rest_unsupported_media_type'])
    }
  })

  it('is JSON under every media type of JSON', async () => {
    for (const type of ['text/json', 'application/ld+json; charset=utf-8', 'APPLICATION/JSON'])
      expect((await post('{"a":', type)).body.code, type).toBe('rest_invalid_json')
  })
})

describe('a body at its limit', () => {
  const MEGABYTES = 10 * 1024 * 1024
  const KILOBYTES = 256 * 1024
  const file = (size: number) => new Uint8Array(size)
  const inForm = (size: number) => {
    const form = new FormData()
    form.append('image', new File([file(size)], 'poster.png'))
    return form
  }
  const json = (values: number) => `{"a":[${Array.from({ length: values }, () => 1).join()}]}`
  const tags = (count: number) => `{"a":"${'<'.repeat(count)}"}`

  it.each([
    ['file', MEGABYTES, file, 'image/png', 'The file must be at most 10485760 bytes long.'],
    ['file in a form', MEGABYTES, inForm, undefined, 'The file must be at most 10485760 bytes long.'],
    ['size', KILOBYTES, size => `"${' '.repeat(size - 2)}"`, JSON_TYPE, 'at most 262144 bytes'],
    ['number of values', 2_000, json, JSON_TYPE, 'at most 2000 values'],
    ['number of tags', 100_000, tags, JSON_TYPE, 'at most 100000 tags'],
  ] satisfies [string, number, (n: number) => BodyInit, string | undefined, string][])(
    'is read, and refused beyond it: %s',
    async (_, most, made, type, message) => {
      const fits = await post(made(most), type, '/file')
      const exceeds = await post(made(most + 1), type, '/file')
      expect([fits.status, fits.body.size ?? most]).toEqual([200, most])
      expect([exceeds.status, exceeds.body.message]).toEqual([413, expect.stringContaining(message)])
    },
  )
})

describe('parameters beyond a limit', () => {
  const times = (count: number, part: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => part(i)).join('&')

  it.each([
    ['parameters', times(10_001, i => `a${i}=1`)],
    ['items with brackets', times(1_001, () => 'a[]=1')],
    ['items by repetition', times(1_001, () => 'a=1')],
    ['items by position', times(1_001, i => `a[${i}]=1`)],
    ['a position', 'a[1000]=1'],
    ['brackets', 'a[b][c][d][e][f]=1'],
    ['sparse lists', times(9_000, i => `a${i}[999][999][999]=1`)],
    ['sparse lists, escaped', times(9_000, i => `a${i}%5B999%5D=1`)],
  ])('are refused: %s', (_, text) => {
    expect(() => parseBrackets(text)).toThrow(ApiError)
    expect(() => parseBrackets(text)).toThrow(/at most 10000/)
  })

  it.each([
    [times(1_001, () => 'a[]=1'), { a: 'must have at most 1000 items' }],
    [times(1_001, () => 'a=1'), { a: 'must have at most 1000 items' }],
    ['b=1&a[b][c][d][e][f]=1', { a: 'must have at most 4 pairs of brackets' }],
    [times(10_001, i => `a${i}=1`), {}],
  ])('are named by the error', (text, params) => {
    expect(() => parseBrackets(text)).toThrow(expect.objectContaining({ data: { params } }))
  })

  it('are only counted by their names', () => {
    const text = '[999]'.repeat(5_000)
    expect(parseBrackets(`a=${text}`)).toEqual({ a: text })
  })

  it('are accepted up to the limit', () => {
    expect(Object.keys(parseBrackets(times(10_000, i => `a${i}=1`)))).toHaveLength(10_000)
    expect(parseBrackets(times(1_000, i => `a[${i}]=${i}`)).a).toHaveLength(1_000)
    expect(parseBrackets(times(1_000, () => 'a[]=1')).a).toHaveLength(1_000)
  })
})

describe('forms', () => {
  const bytesIn = (text: string) => new Uint8Array(new TextEncoder().encode(text))
  const multipart = (parts: number) => {
    const part = (_: unknown, i: number) => `--x\r\nContent-Disposition: form-data; name="a${i}"\r\n\r\n1\r\n`
    return bytesIn(`${Array.from({ length: parts }, part).join('')}--x--\r\n`)
  }
  const pairs = (count: number) => bytesIn(Array.from({ length: count }, (_, i) => `a${i}=1`).join('&'))

  it.each([
    ['multipart/form-data; boundary=x', multipart],
    ['application/x-www-form-urlencoded', pairs],
  ])('may have exactly as many fields as they may: %s', async (type, bytesOf) => {
    const limits = { fields: 3, typed: 100 }
    expect([...(await parseForm(bytesOf(3), type, limits)).keys()]).toEqual(['a0', 'a1', 'a2'])
    await expect(parseForm(bytesOf(4), type, limits)).rejects.toThrow('more than 3 fields')
  })

  it('have as many parts without their boundary', () => {
    const type = 'multipart/form-data; boundary=x'
    expect(withoutBoundary(multipart(MAX_FORM_PARTS), type)).toContain(`"a${MAX_FORM_PARTS - 1}"`)
    expect(() => withoutBoundary(multipart(MAX_FORM_PARTS + 1), type)).toThrow(
      `more than ${MAX_FORM_PARTS} fields`,
    )
  })

  it('may have exactly as many characters as they may', async () => {
    const type = 'application/x-www-form-urlencoded'
    await parseForm(pairs(3), type, { fields: 3, typed: 3 })
    await expect(parseForm(pairs(3), type, { fields: 3, typed: 2 })).rejects.toThrow('at most 2 bytes')
  })
})
