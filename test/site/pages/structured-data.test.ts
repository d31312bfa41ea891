import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, makeVenue, send } from '../../factories.ts'
import { dataIn, page } from './page.ts'

// JSON-LD of events, by the rules of
// https://developers.google.com/search/docs/appearance/structured-data/event: what is required is an error
// where it is missing, what is recommended a warning. `performer` is left out because a calendar doesn't know
// it.

type Data = Readonly<Record<string, unknown>>

const SCHEMA = 'https://schema.org/'
const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\/./.test(value)
const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isMoment = (value: unknown): boolean =>
  /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?$/.test(String(value))
const isOneOf =
  (...names: string[]) =>
  (value: unknown): boolean =>
    names.some(name => value === SCHEMA + name)

type Rule = { isRight: (value: unknown) => boolean; when?: (data: Data) => boolean }

const isOffered = ({ eventStatus }: Data): boolean => eventStatus !== `${SCHEMA}EventCancelled`

const RULES: Record<string, Record<string, Rule>> = {
  Event: {
    name: { isRight: isText },
    startDate: { isRight: isMoment },
    location: { isRight: value => typeof value === 'object' },
    description: { isRight: isText },
    endDate: { isRight: isMoment },
    eventStatus: {
      isRight: isOneOf('EventScheduled', 'EventCancelled', 'EventPostponed', 'EventRescheduled'),
    },
    image: { isRight: isAddress },
    offers: { isRight: value => typeof value === 'object', when: isOffered },
    organizer: { isRight: value => typeof value === 'object' },
    previousStartDate: {
      isRight: isMoment,
      when: ({ eventStatus }) => eventStatus === `${SCHEMA}EventRescheduled`,
    },
  },
  Offer: {
    availability: { isRight: isOneOf('InStock', 'SoldOut', 'PreOrder', 'LimitedAvailability') },
    price: { isRight: value => /^\d+(?:\.\d+)?$/.test(String(value)) },
    priceCurrency: { isRight: value => /^[A-Z]{3}$/.test(String(value)) },
    validFrom: { isRight: isMoment },
    url: { isRight: isAddress },
  },
  Organization: { name: { isRight: isText }, url: { isRight: isAddress } },
  Place: {
    name: { isRight: isText },
    address: { isRight: value => isText(value) || typeof value === 'object' },
  },
  VirtualLocation: { url: { isRight: isAddress } },
}

/** The errors and warnings that search engines would report for some JSON-LD. */
function problemsIn(data: Data, path = ''): string[] {
  const type = String(data['@type'])
  const own = Object.entries(RULES[type] ?? {}).flatMap(([name, { isRight, when }]) =>
    (when?.(data) ?? true) && !isRight(data[name]) ? [`${path}${name}: ${JSON.stringify(data[name])}`] : [],
  )
  const inner = Object.entries(data).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap(item => (typeof item === 'object' && item ? problemsIn({ ...item }, `${path}${name}.`) : [])),
  )
  return [...own, ...inner]
}

const admin = declareUser('administrator', 'admin')
let venue: number

const WHOLE = {
  start_date: '2027-01-10 20:00:00',
  end_date: '2027-01-10 23:00:00',
  description: 'Three bands.',
  image: 'https://img.example.org/jazz.jpg',
  organizer: { organizer: 'The Guild' },
  cost: '$10 - $25',
}

beforeAll(async () => {
  const access = { wheelchair: 'yes', accessibility: 'Ramp in the yard' }
  venue = (await makeVenue(admin, 'The Hall', { address: '1 Lane', city: 'Kent', ...access })).id
})

/** Makes an event, changes it, and returns the JSON-LD of its page. */
async function dataOf(event: object, change?: object) {
  const { id, url } = await makeEvent(admin, { ...WHOLE, venue, title: 'Jazz', ...event })
  if (change) expect((await send('PATCH', `/events/${id}`, { as: admin, json: change })).status).toBe(200)
  return dataIn((await page(new URL(url).pathname)).html)
}

const MOVED = { event_status: 'rescheduled', start_date: '2027-02-10 20:00', end_date: '2027-02-10 23:00' }

describe('JSON-LD of an event', () => {
  it.each<[string, object, object?, change?: object]>([
    ['at a venue', {}, { offers: { price: '10', availability: `${SCHEMA}InStock` } }],
    ['of whole days', { all_day: true }, { startDate: '2027-01-10' }],
    ['online', { virtual_event_type: 'virtual', virtual_url: 'https://meet.example.org/', venue: [] }],
    ['at both', { virtual_event_type: 'hybrid' }],
    ['that is free', { cost: 'Free' }, { offers: { price: '0' } }],
    [
      'with few tickets',
      { ticket_availability: 'few' },
      { offers: { availability: `${SCHEMA}LimitedAvailability` } },
    ],
    [
      'that is sold out',
      { ticket_availability: 'sold_out' },
      { offers: { availability: `${SCHEMA}SoldOut` } },
    ],
    ['that is postponed', { event_status: 'postponed' }, { eventStatus: `${SCHEMA}EventPostponed` }],
    ['that was moved', {}, { previousStartDate: '2027-01-10T20:00:00+00:00' }, MOVED],
    ['that was moved, of whole days', { all_day: true }, { previousStartDate: '2027-01-10' }, MOVED],
    [
      'that is a moved date',
      { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } },
      { previousStartDate: '2027-01-10T20:00:00+00:00' },
      MOVED,
    ],
    [
      'that is cancelled',
      { event_status: 'canceled', ticket_availability: 'few' },
      { eventStatus: `${SCHEMA}EventCancelled` },
    ],
  ])('%s meets the rules of search engines', async (_, event, shown = {}, change) => {
    const data = await dataOf(event, change)
    expect(problemsIn(data)).toEqual([])
    expect(data).toMatchObject(shown)
  })

  it('has offers and a former start only where they are known', async () => {
    for (const event of [{ event_status: 'canceled' }, { cost: '' }, { cost: 'Pay what you like' }])
      expect(await dataOf(event)).not.toHaveProperty('offers')
    expect(await dataOf({ event_status: 'rescheduled' })).not.toHaveProperty('previousStartDate')
  })

  it('has texts as people read them', async () => {
    const { name, location } = await dataOf({ title: 'Tea < coffee', venue: { venue: 'Café' } })
    expect([name, location]).toMatchObject(['Tea < coffee', { name: 'Café', address: 'Café' }])
  })

  it('leads to the tickets, with the lowest price in the currency of the calendar', async () => {
    const { offers } = await dataOf({ website: 'https://tickets.example.org/jazz' })
    expect(offers).toMatchObject({
      price: '10',
      priceCurrency: 'USD',
      url: 'https://tickets.example.org/jazz',
    })
  })

  it.each([
    ['€10', 'EUR'],
    ['10 €', 'EUR'],
    ['£8 / £5', 'GBP'],
    ['120 zł', 'PLN'],
    ['CHF 20', 'CHF'],
    ['$10', 'USD'],
    ['10', 'USD'],
    ['¥900', undefined],
    ['150 kr', undefined],
    ['A$30', 'AUD'],
  ])('of a cost of %s is in the currency of its symbol, or says none', async (cost, code) => {
    expect((await dataOf({ cost })).offers.priceCurrency).toBe(code)
  })

  it('is left out without a place, which search engines require', async () => {
    expect(await dataOf({ venue: [] })).toBeUndefined()
  })

  it('is that of the API for venues and organizers', async () => {
    for (const [path, plural] of [
      ['/venue/the-hall/', 'venues'],
      ['/organizer/the-guild/', 'organizers'],
    ]) {
      const { body } = await send('GET', `/${plural}/by-slug/${path?.split('/')[2]}`)
      expect(dataIn((await page(String(path))).html), path).toEqual(body.json_ld)
    }
  })

  it('has the access of the event, or else that of the venue', async () => {
    expect(await dataOf({})).toMatchObject({
      accessibilityFeature: 'Ramp in the yard',
      location: { amenityFeature: { '@type': 'LocationFeatureSpecification', value: true } },
    })
    expect(await dataOf({ wheelchair: 'no', accessibility: 'Stairs' })).toMatchObject({
      accessibilityFeature: 'Stairs',
      location: { amenityFeature: { value: false } },
    })
  })

  it('is checked: the rules report what is missing', () => {
    const data = { '@type': 'Event', name: 'Jazz', offers: { '@type': 'Offer', price: 'ten' } }
    expect(problemsIn(data).map(report => report.split(':')[0])).toEqual(
      expect.arrayContaining(['startDate', 'location', 'offers.price', 'offers.availability']),
    )
  })
})

describe('tickets and access', () => {
  it('are shown on the pages of the event and its venue, and in lists beside the title', async () => {
    await makeEvent(admin, { ...WHOLE, title: 'Few seats', venue, ticket_availability: 'few' })
    const { text } = await page('/event/few-seats/')
    // Once, though lists have it, too.
    expect(text).toMatch(
      /Few seats Few left When (?:(?!Few left)[\s\S])*\$10 – \$25 (?:(?!Few left)[\s\S])*Accessibility Wheelchair accessible Ramp in the yard/,
    )
    expect((await page('/venue/the-hall/')).text).toMatch(
      /Accessibility Wheelchair accessible Ramp in the yard/,
    )
    expect((await page('/events/?search=few+seats')).text).toMatch(/Few seats ,[^$]*Few left[^$]*\$10 – \$25/)
    await send('PATCH', '/events/by-slug/few-seats', {
      as: admin,
      json: { event_status: 'canceled', wheelchair: 'no' },
    })
    expect((await page('/event/few-seats/')).text).not.toContain('Few left')
    expect((await page('/event/few-seats/')).text).toContain('Not wheelchair accessible')
  })

  it('filter lists, by a checkbox and by address', async () => {
    await makeEvent(admin, {
      ...WHOLE,
      title: 'Upstairs',
      wheelchair: 'limited',
      ticket_availability: 'waitlist',
    })
    const shown = await page('/events/?wheelchair=limited&ticket_availability=waitlist,sold_out')
    expect(shown.text).toMatch(/Remove filter Waiting list.*Remove filter Partly wheelchair accessible/)
    expect(shown.text).toContain('1 event')
    expect((await page('/events/?wheelchair=yes')).html).toMatch(/name="wheelchair" value="yes" checked/)
    expect((await page('/events/2027-01/?wheelchair=limited')).text).toContain('Upstairs')
    expect((await page('/events/?wheelchair=maybe')).status).toBe(400)
  })

  it('don’t reveal the access of a venue that is not public', async () => {
    const hidden = await makeVenue(admin, 'Cellar', { status: 'private', wheelchair: 'limited' })
    await makeEvent(admin, { ...WHOLE, title: 'Below', venue: hidden.id })
    const titles = async (as?: string) =>
      (await send('GET', '/events?wheelchair=limited', as ? { as } : {})).body.events.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles()).not.toContain('Below')
    expect(await titles(admin)).toContain('Below')
    expect((await page('/event/below/')).text).not.toContain('wheelchair accessible')
  })
})
