import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import {
  badNames,
  create,
  exchange,
  expectRefused,
  jsonText,
  least,
  NAMED_BY,
  PLURALS,
  WHEN,
} from './requests.ts'

// What must not be stored as something else than was meant: bytes that are no text, names that nobody
// sees, numbers in odd notations, half of a pair of coordinates.

const people = everyRole()

const FORM = 'application/x-www-form-urlencoded'
const post = (path: string, body: BodyInit, type: string) =>
  exchange(path, {
    method: 'POST',
    headers: { authorization: people.administrator.as, 'content-type': type },
    body,
  })

const when = new URLSearchParams(WHEN).toString()

describe('bytes that are no UTF-8', () => {
  const around = (before: string, bytes: number[], after: string) =>
    Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
  const INVALID = [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]

  it.each(INVALID.map(bytes => [bytes]))('(%j) are refused in JSON, forms and multipart', async bytes => {
    const json = around(`{"title":"a`, bytes, `b","start_date":"2027-01-01","end_date":"2027-01-01"}`)
    const inJson = await exchange('/events', jsonText(people.administrator.as, json))
    expect([inJson.status, JSON.parse(inJson.text).code]).toEqual([400, 'rest_invalid_json'])
    const raw = await post('/events', around('title=a', bytes, `b&${when}`), FORM)
    expect(raw.status, 'raw bytes in a form').toBe(400)
    const encoded = bytes.map(byte => `%${byte.toString(16)}`).join('')
    expect((await post('/events', `title=a${encoded}b&${when}`, FORM)).status, 'percent-encoded').toBe(400)
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const parts = part('start_date', '2027-01-01') + part('end_date', '2027-01-01')
    const head = `${parts}--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na`
    const multipart = await post(
      '/events',
      around(head, bytes, 'b\r\n--x--\r\n'),
      'multipart/form-data; boundary=x',
    )
    expect(multipart.status, 'multipart').toBe(400)
    const { body } = await send('GET', '/events?search=%EF%BF%BD')
    expect(body.total).toBe(0)
  })

  it('in a query or path are 400 or 404', async () => {
    for (const encoded of ['%ff', '%c3', '%c0%af', '%ed%a0%80', '%', '%zz', '%00', '%e2%82'])
      for (const path of [
        `/events?search=${encoded}`,
        `/events/by-slug/${encoded}`,
        `/events?${encoded}=1`,
        `/tags?slug=a${encoded}`,
      ])
        expect([200, 400, 404], path).toContain((await exchange(path)).status)
  })

  it('such as half a pair of surrogates in JSON are refused or dropped, never stored', async () => {
    for (const half of ['\\ud83c', '\\udfb8', '\\udfb8\\ud83c']) {
      const text = `{"title":"half${half} a pair","start_date":"2027-01-01","end_date":"2027-01-01"}`
      const { status, text: answer } = await exchange('/events', jsonText(people.administrator.as, text))
      expect([201, 400]).toContain(status)
      expect(answer).not.toMatch(/\\ud83c|\\udfb8|\ufffd/i)
    }
  })
})

describe('forms of more than 10,000 parameters', () => {
  it('are refused rather than cut', async () => {
    const many = Array.from({ length: 10_050 }, (_, i) => `p${i}=1`).join('&')
    const inForm = await post('/events', `${many}&title=Last&${when}`, FORM)
    expect([inForm.status, JSON.parse(inForm.text).code]).toEqual([400, 'rest_invalid_param'])
    const form = new FormData()
    for (let i = 0; i < 10_050; i++) form.append(`p${i}`, '1')
    for (const [name, value] of Object.entries(least('events', 'Last'))) form.append(name, String(value))
    const headers = { authorization: people.administrator.as }
    const inParts = await exchange('/events', { method: 'POST', headers, body: form })
    expect(inParts.status).toBe(400)
  })

  it('are refused when a list in them is longer than is read', async () => {
    const tags = Array.from({ length: 1_500 }, (_, i) => `tags[]=t${i}`).join('&')
    expect((await post('/events', `title=Many&${when}&${tags}`, FORM)).status).toBe(400)
    const numbered = Array.from({ length: 300 }, (_, i) => `tags[${i * 50}]=t${i}`).join('&')
    expect((await post('/events', `title=Many&${when}&${numbered}`, FORM)).status).toBe(400)
  })
})

const UNSEEN = [
  '\u200b',
  '\u200c\u200d',
  '\u2060',
  '\ufeff',
  '\u200e\u200f',
  '\u202a\u202e\u202c',
  '\u2066\u2069',
  '\u00ad',
  '\u034f',
  ' \u200b ',
  '\u00a0',
  '\u3000',
  '\u2003\u2002',
  '\u180e',
  '\u{e0041}\u{e007f}',
  '<b></b>',
  '<br>',
  '\u0000\u0001',
  '<!-- x -->',
  '\u061c',
]

describe.each(PLURALS)('a name of nothing visible', plural => {
  it(`is no name of ${plural}, alone or inside an event`, async () => {
    const as = people.administrator.as
    const taken: string[] = []
    const attempt = async (path: string, json: object, name: string, bad: string) => {
      const response = await send('POST', path, { as, json })
      if (response.status !== 400 || !badNames(response).includes(bad))
        taken.push(`${response.status} ${path} ${JSON.stringify(name)}`)
    }
    // One code reads names: those of events meet all of these, each other kind some of its own.
    const turn = PLURALS.indexOf(plural)
    for (const name of UNSEEN.filter((_, i) => turn === 0 || i % 4 === turn % 4)) {
      await attempt(`/${plural}`, least(plural, name), name, NAMED_BY[plural])
      if (plural === 'events') continue
      const field = plural === 'venues' ? 'venue' : plural === 'organizers' ? 'organizer' : plural
      const inner = field === plural ? [name] : { [field]: name }
      await attempt('/events', { ...least('events', 'Outer'), [field]: inner }, name, field)
    }
    expect(taken).toEqual([])
  })

  it(`is not what a name of ${plural} becomes`, async () => {
    const as = people.administrator.as
    const { id } = await create(as, plural, least(plural, 'Visible'))
    for (const name of ['\u200b\u200e', '\u2060 \ufeff'])
      expectRefused(
        await send('PATCH', `/${plural}/${id}`, { as, json: { [NAMED_BY[plural]]: name } }),
        NAMED_BY[plural],
      )
  })
})

describe('coordinates', () => {
  const place = (fields: object) =>
    send('POST', '/venues', { as: people.administrator.as, json: { venue: 'Placed', ...fields } })

  it.each<[unknown]>(
    [
      '0x10',
      '0b1',
      '0o7',
      '1e400',
      'Infinity',
      'NaN',
      '１２',
      '1,5',
      '5°',
      '--5',
      '+-5',
      '1.2.3',
      '١',
      true,
      {},
      [[1]],
      { toString: 1 },
      '90.0000001',
      -91,
      1e308,
    ].map(value => [value]),
  )('are not written %j', async geo_lat => {
    const refused = await place({ geo_lat, geo_lng: 5 })
    expectRefused(refused, 'geo_lat')
    expect(Object.keys(refused.body.data.params)).toEqual(['geo_lat'])
    const query = `geoloc_lat=${encodeURIComponent(String(typeof geo_lat === 'object' ? 'x' : geo_lat))}&geoloc_lng=5`
    expect(await send('GET', `/events?${query}`)).toMatchObject({ status: 400 })
  })

  it('come in pairs, when created, changed or emptied, alone or in an event', async () => {
    expectRefused(await place({ geo_lat: 5 }), 'geo_lat')
    expectRefused(await place({ geo_lng: 5 }), 'geo_lng')
    const as = people.administrator.as
    const { body: bare } = await place({})
    expectRefused(await send('PATCH', `/venues/${bare.id}`, { as, json: { geo_lng: 5 } }), 'geo_lng')
    const { body: placed } = await place({ geo_lat: -0, geo_lng: '5.5' })
    expect([placed.geo_lat, placed.geo_lng]).toEqual([0, 5.5])
    expect(await send('PATCH', `/venues/${placed.id}`, { as, json: { geo_lat: 6 } })).toMatchObject({
      status: 200,
      body: { geo_lat: 6, geo_lng: 5.5 },
    })
    const json = { ...least('events', 'Outer'), venue: { venue: 'Half placed', geo_lat: 5 } }
    expectRefused(await send('POST', '/events', { as, json }), 'venue')
  })
})

describe('JSON-LD', () => {
  it('holds nothing that ends a script, in whatever text', async () => {
    const as = people.administrator.as
    const evil = '</script><script>alert(1)</script><!--'
    const entities = '&lt;/script&gt;&#60;/script>&lt;!--'
    for (const text of [evil, entities, '<</script>/script>', '</SCRIPT >', '\u2028</script\u2029']) {
      const fields = { description: text, website: `https://example.org/?${text}`, phone: `1${text}` }
      const json = {
        ...least('events', `Named ${text}`),
        ...fields,
        excerpt: text,
        cost: `$1 ${text}`,
        venue: { venue: `Hall ${text}`, address: text, city: text, ...fields },
        organizer: { organizer: `Guild ${text}`, ...fields },
        image: `https://example.org/i.png?${text}`,
      }
      const { status, body } = await send('POST', '/events', { as, json })
      expect(status, JSON.stringify(body)).toBe(201)
      for (const path of [
        `/events/${body.id}`,
        `/venues/${body.venue.id}`,
        `/organizers/${body.organizer[0].id}`,
      ]) {
        const { text: raw } = await exchange(path)
        expect(raw, path).not.toMatch(/<\/script|<!--/i)
        expect(raw.slice(raw.indexOf('"json_ld"')), path).not.toMatch(/<\/?\s*script/i)
      }
    }
  })
})
