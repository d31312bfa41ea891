import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, send, WHEN } from '../../factories.ts'

const as = declareUser('editor')

const create = (fields: object) => send('POST', '/events', { as, json: { title: 'E', ...WHEN, ...fields } })

/** The reason why a value is refused. */
async function reasonFor(name: string, value: unknown) {
  const { status, body } = await create({ [name]: value })
  expect(status, JSON.stringify(value)).toBe(400)
  return Object(body.data).params[name]
}

describe('the error for a value of the wrong form has an example of the right one', () => {
  it.each([
    ['venue', 'Aula', '{"venue":"Aula"}, in forms venue[venue]=Aula'],
    ['venue', 'Aula, Mensa', '{"venue":"Aula"}'],
    ['venue', true, '{"venue":"The Barn"}'],
    ['venue', { name: 'Aula' }, 'A new one is {"venue":"Aula"}'],
    ['venue', [{ city: 'Kent' }], 'A new one is {"venue":"The Barn"}'],
    ['recurrence', 'weekly', '{"rrule": "FREQ=WEEKLY;COUNT=10"}'],
    ['recurrence', { rrule: 'daily' }, '{"rrule": "FREQ=DAILY;COUNT=10"}'],
    ['recurrence', 'every second Tuesday', '{"rrule": "FREQ=WEEKLY;COUNT=10"}'],
    ['organizer', 'Ada', '{"organizer":"Ada"}, in forms organizer[organizer]=Ada'],
    ['tags', [true], '[3, "Music"]'],
    ['categories', { nothing: 1 }, '[3, "Music"]'],
    ['custom_fields', 'x', '{"price_band": {"label": "Price band", "value": "Mid"}}'],
    ['custom_fields', { price: 'x' }, '{"label": "Price band", "value": "Mid"}'],
    ['recurrence', [1], '{"rrule": "FREQ=WEEKLY;COUNT=10"}'],
    ['image', 'an image', 'https://example.org/poster.jpg'],
    ['website', 'no address', 'https://example.org'],
  ])('%s: %j', async (name, value, example) => {
    expect(await reasonFor(name, value)).toContain(example)
  })

  it('such as an e-mail address', async () => {
    const { body } = await send('POST', '/organizers', { as, json: { organizer: 'O', email: 'ada' } })
    expect(Object(body.data).params.email).toContain('info@example.org')
  })
})

describe('an invalid host', () => {
  let event = 0
  beforeAll(async () => {
    event = (await create({ image: 'https://example.org/good.gif' })).body.id
  })

  it.each([
    'poster.gif',
    'http://poster.gif',
    'https://poster.JPG/',
    'poster.jpeg?x=1',
    'http://a..b/x.png',
    'http://-/x.png',
    'http://a!b/x.png',
    'page.html',
  ])('is refused, and replaces nothing: %s', async address => {
    const json = { image: address, website: address, virtual_url: address }
    const { status, body } = await send('PATCH', `/events/${event}`, { as, json })
    expect([status, Object.keys(body.data.params).sort()]).toEqual([400, Object.keys(json).sort()])
    const { body: read } = await send('GET', `/events/${event}`)
    expect(read.image).toMatchObject({ url: 'https://example.org/good.gif' })
  })

  it.each([
    ['/venues', { venue: 'V', image: 'poster.gif' }, 'image'],
    ['/organizers', { organizer: 'O', website: 'page.html' }, 'website'],
  ])('is refused where something is sent to %s', async (path, json, name) => {
    const { status, body } = await send('POST', path, { as, json })
    expect([status, Object.keys(body.data.params)]).toEqual([400, [name]])
  })

  it('gets a hint about sending a file if it looks like a file name', async () => {
    expect(await reasonFor('image', 'poster.gif')).toContain('-F image=@')
  })

  it.each([
    'example.org',
    'https://example.org/poster.gif',
    'http://localhost:8787/x.png',
    'http://[::1]/x.png',
    'http://192.0.2.1/x.png',
    'https://bücher.example/x',
    'https://a_b.example.org./x',
    'https://my.zip',
  ])('does not include %s', async address => {
    expect((await create({ image: address, website: address })).status).toBe(201)
  })
})

describe('a day that does not exist', () => {
  it.each([
    ['2027-02-30', '30 February'],
    ['2027-02-30 10:00', '30 February'],
    ['February 30, 2027 4pm', '30 February'],
    ['31.4.2027', '31 April'],
    ['2027-02-29', '29 February 2027'],
    ['1900-02-29', '29 February 1900'],
  ])('is named: %s', async (date, day) => {
    expect(await reasonFor('start_date', date)).toMatch(new RegExp(`there is no ${day}$`))
    const list = await send('GET', `/events?start_date=${encodeURIComponent(date)}`)
    expect(Object(list.body.data).params.start_date).toContain(`there is no ${day}`)
  })

  it.each(['2027-13-01', 'soon', '2027-02-28 25:00'])('is not blamed for %s', async date => {
    expect(await reasonFor('start_date', date)).toMatch(/^must be a date such as [^:]*:00:00$/)
  })
})

describe('a day before a month, with slashes', () => {
  it.each([
    ['31/12/2027', '12/31/2027'],
    ['13/1/2027 20:00', '1/13/2027'],
  ])('gets a hint about the order: %s', async (date, right) => {
    expect(await reasonFor('start_date', date)).toMatch(
      new RegExp(`^must be a date such as .*: with slashes the month comes first, as in ${right}$`),
    )
  })

  it('is not blamed for a wrong year', async () => {
    expect(await reasonFor('start_date', '31/12/20271')).not.toContain('slashes')
  })
})

describe('cancelled', () => {
  it('means canceled in fields and in filters', async () => {
    const { status, body } = await create({ event_status: 'Cancelled' })
    expect([status, body.event_status]).toEqual([201, 'canceled'])
    const total = async (query: string) => (await send('GET', `/events?${query}`)).body.total
    expect(await total('event_status=cancelled')).toBe(1)
    expect(await total('event_status[]=CANCELLED&event_status[]=postponed')).toBe(1)
  })

  it('is not accepted in any other list', async () => {
    expect((await create({ status: 'cancelled' })).status).toBe(400)
  })
})
