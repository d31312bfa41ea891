import { describe, expect, it } from 'vitest'
import type { AnyRecord, EventRecord, SourceItem } from '../../src/calendar/imports/records.ts'
import { readPage } from '../../src/readers/html-page.ts'
import { eventItems } from '../../src/readers/jsonld/events.ts'
import { nodesOf } from '../../src/readers/jsonld/nodes.ts'
import { readRobots } from '../../src/readers/robots.ts'

const PAGE = 'https://hall.example/events/'

const script = (json: unknown): string =>
  `<script type="application/ld+json">${typeof json === 'string' ? json : JSON.stringify(json).replaceAll('</', '<\\/')}</script>`

/** What is read of a page, as the Worker reads it. */
async function read(html: string, timezone = 'Europe/Berlin') {
  const notes: string[] = []
  const context = {
    timezone,
    nowMs: Date.parse('2026-11-20T12:00:00Z'),
    note: (text: string) => notes.push(text),
  }
  const page = readPage(html, PAGE)
  const nodes = nodesOf(page.scripts, PAGE)
  const items: SourceItem[] = []
  for await (const item of eventItems(nodes, { ...context, source: 's', base: page.base }, new Map()))
    items.push(item)
  const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
  return { page, nodes, items, records, notes, events: records.filter(isEvent) }
}

/** Thousands of events with the same values. */
const referring = (more: object): object[] =>
  Array.from({ length: 4_000 }, (_, i) => event({ name: `Choir ${i}`, ...more }))

const isEvent = (record: AnyRecord): record is EventRecord => record.kind === 'event' && 'title' in record

const event = (more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: 'Choir',
  startDate: '2026-12-05T19:30:00+01:00',
  ...more,
})

async function only(more: object, timezone?: string) {
  const { events, notes } = await read(script(event(more)), timezone)
  const [first] = events
  if (!first || events.length > 1) throw new Error(`${events.length} events`)
  return { ...first, notes }
}

describe('a page', () => {
  it('of a plugin has a list of events, with organizers and places in them', async () => {
    const { records } = await read(
      script([
        {
          ...event({
            url: 'https://hall.example/event/choir/',
            description: '&lt;p&gt;Carols &amp;amp; more&lt;/p&gt;\\n',
          }),
          image: 'https://hall.example/choir.jpg',
          location: {
            '@type': 'Place',
            name: 'Old Hall',
            address: {
              '@type': 'PostalAddress',
              streetAddress: '1 Mill Lane',
              addressLocality: 'Town',
              postalCode: '12345',
            },
            geo: { '@type': 'GeoCoordinates', latitude: 52.5, longitude: '13.4' },
          },
          organizer: { '@type': 'Person', name: 'Ada &#038; Co', email: 'ada@hall.example', url: '' },
          performer: { '@type': 'Person', name: 'A Singer' },
          offers: {
            '@type': 'Offer',
            price: '12',
            priceCurrency: 'EUR',
            url: 'https://hall.example/tickets',
          },
        },
      ]),
    )
    expect(records.map(({ kind, externalId }) => [kind, externalId])).toEqual([
      ['venue', 'Old Hall, 1 Mill Lane, Town'],
      ['organizer', 'Ada & Co'],
      ['event', 'https://hall.example/event/choir/'],
    ])
    expect(records[0]).toMatchObject({ city: 'Town', zip: '12345', geo_lat: 52.5, geo_lng: 13.4 })
    expect(records[2]).toMatchObject({
      title: 'Choir',
      cost: '12 EUR',
      website: 'https://hall.example/event/choir/',
      venues: ['Old Hall, 1 Mill Lane, Town'],
      organizers: ['Ada & Co'],
      image: { url: 'https://hall.example/choir.jpg' },
      start: { wall: '2026-12-05 19:30:00', utc: '2026-12-05 18:30:00' },
      timezone: 'Europe/Berlin',
    })
    expect(String(Object(records[2]).description)).toMatch(/^<p>Carols &amp; more<\/p>/)
  })

  it('of a site builder has a graph whose nodes refer to each other', async () => {
    const { events, records } = await read(
      script({
        '@context': 'http://schema.org',
        '@graph': [
          {
            '@type': 'BreadcrumbList',
            itemListElement: [{ '@type': 'ListItem', item: 'https://hall.example/' }],
          },
          {
            '@type': ['MusicEvent', 'schema:Festival'],
            '@id': '#fair',
            name: 'Fair',
            startDate: '2026-12-01',
            endDate: '2026-12-03',
            location: { '@id': '#place' },
            organizer: { '@id': '#us' },
          },
          { '@type': 'Place', '@id': '#place', name: 'Green', address: 'Town Green' },
          { '@type': 'Organization', '@id': '#us', name: 'Us' },
        ],
      }),
    )
    expect(events[0]).toMatchObject({
      externalId: `${PAGE}#fair`,
      title: 'Fair',
      all_day: true,
      organizers: ['Us'],
      end: { wall: '2026-12-03 23:59:59' },
    })
    expect(records[0]).toMatchObject({ kind: 'venue', name: 'Green', address: 'Town Green' })
  })

  it('made by hand may have JSON-LD in any form', async () => {
    const { events } = await read(
      `<!-- ${script(event({ name: 'in a comment' }))} -->
       <textarea>${script(event({ name: 'in a form' }))}</textarea>
       <SCRIPT id=x TYPE = 'application/ld+json; charset=utf-8'>//<![CDATA[
       ${JSON.stringify(event({ name: 'Tea "&amp; cake"', startDate: '2026-12-5 7:30 pm', location: 'Mill, 2 Lane' }))}
       //]]></SCRIPT>
       ${script(`{"@type":"http://schema.org/TheaterEvent","name":"A line\nbreak","startDate":"20261205T1930"}`)}
       ${script(event({ '@type': 'DeliveryEvent', name: 'a parcel' }))}
       <script>${JSON.stringify(event({ name: 'a script' }))}</script>`,
    )
    expect(events.map(({ title, start }) => [title, start.wall])).toEqual([
      ['Tea "& cake"', '2026-12-05 19:30:00'],
      ['A line break', '2026-12-05 19:30:00'],
    ])
  })

  it('lists a whole event before its parts, and a series not at all', async () => {
    const parts = (day: string) => [event({ name: day, startDate: day, url: `/${day}` })]
    const { events } = await read(
      script([
        event({
          '@type': 'Festival',
          name: 'Week',
          url: '/week',
          subEvent: [...parts('2026-12-01'), parts('2026-12-02')],
        }),
        { '@type': 'EventSeries', name: 'Mondays', subEvents: parts('2026-12-07') },
      ]),
    )
    expect(events.map(({ title, parent }) => [title, parent])).toEqual([
      ['Week', undefined],
      ['2026-12-01', 'https://hall.example/week'],
      ['2026-12-02', 'https://hall.example/week'],
      ['2026-12-07', undefined],
    ])
  })
})

describe('times', () => {
  it.each([
    ['2026-07-01T20:00', undefined, '2026-07-01 20:00:00', '2026-07-01 18:00:00', 'Europe/Berlin'],
    ['2026-07-01T20:00:00.000Z', undefined, '2026-07-01 22:00:00', '2026-07-01 20:00:00', 'Europe/Berlin'],
    ['2026-07-01T20:00-0500', undefined, '2026-07-01 20:00:00', '2026-07-02 01:00:00', 'UTC-5'],
    ['2026-07-01T20:00+02:00', '2026-07-01', '2026-07-01 20:00:00', '2026-07-01 18:00:00', 'Europe/Berlin'],
    ['2026-07-01T20:00', '2026-06-01T20:00', '2026-07-01 20:00:00', '2026-07-01 18:00:00', 'Europe/Berlin'],
    ['2026-07-01T20:00', 'soon', '2026-07-01 20:00:00', '2026-07-01 18:00:00', 'Europe/Berlin'],
  ])('%s until %s', async (startDate, endDate, wall, end, zone) => {
    const found = await only({ startDate, endDate })
    expect({
      startWall: found.start.wall,
      endUtc: found.end.utc,
      timezone: found.timezone,
      all_day: found.all_day,
    }).toEqual({ startWall: wall, endUtc: end, timezone: zone, all_day: false })
  })

  it.each([
    ['2026-12-01', undefined, '2026-12-01 23:59:59'],
    ['2026-12-01', '2026-12-02T00:00', '2026-12-01 23:59:59'],
    ['2026-12-01', '2026-12-02T15:00', '2026-12-02 23:59:59'],
    ['2026-12-01T00:00:00-05:00', '2026-12-02T23:59:59-05:00', '2026-12-02 23:59:59'],
  ])('%s until %s are whole days', async (startDate, endDate, last) => {
    const found = await only({ startDate, endDate })
    expect({ all_day: found.all_day, start: found.start.wall, end: found.end.wall }).toEqual({
      all_day: true,
      start: '2026-12-01 00:00:00',
      end: last,
    })
  })

  it('may have a duration', async () => {
    expect((await only({ duration: 'PT1H30M' })).end.wall).toBe('2026-12-05 21:00:00')
  })

  it.each([
    ['P3D', undefined, '2026-12-07'],
    ['P1W', undefined, '2026-12-11'],
    ['P1D', undefined, '2026-12-05'],
    ['PT2H', undefined, '2026-12-05'],
    ['PT36H', undefined, '2026-12-06'],
    ['P0D', undefined, '2026-12-05'],
    ['', undefined, '2026-12-05'],
    ['P3D', '2026-12-06', '2026-12-06'],
    ['P3D', '2026-12-04', '2026-12-07'],
  ])('of whole days lasts for a duration of %j, until %s: to %s', async (duration, endDate, last) => {
    const { all_day, start, end, notes } = await only({ startDate: '2026-12-05', endDate, duration })
    expect([all_day, start.wall, end.wall, notes]).toEqual([
      true,
      '2026-12-05 00:00:00',
      `${last} 23:59:59`,
      [],
    ])
  })

  it.each(['PT1.5H', 'P1M', '90 min', '-PT1H'])(
    'says if a duration is not understood: %s',
    async duration => {
      const remark = `Choir: duration cannot be understood, left out: ${JSON.stringify(duration)}`
      const timed = await only({ duration })
      expect([timed.end, timed.notes]).toEqual([timed.start, [remark]])
      const whole = await only({ duration, startDate: '2026-12-05' })
      expect([whole.end.wall, whole.notes]).toEqual(['2026-12-05 23:59:59', [remark]])
      // Nobody misses one where an end is given.
      const ended = await only({ duration, endDate: '2026-12-05T21:00:00+01:00' })
      expect([ended.end.wall, ended.notes]).toEqual(['2026-12-05 21:00:00', []])
    },
  )

  it.each(['', 'tomorrow', '2026-02-30', '2026-12', '+1 week', '1e9'])(
    '%j is not a date',
    async startDate => {
      const { items } = await read(`\n\n${script(event({ startDate, url: PAGE }))}`)
      expect(items).toMatchObject([{ type: 'failed', kind: 'event', what: PAGE, title: 'Choir', line: 3 }])
    },
  )
})

describe('values', () => {
  it.each([
    ['EventCancelled', 'canceled', ''],
    ['https://schema.org/EventPostponed', 'postponed', ''],
    ['schema:EventRescheduled', 'rescheduled', ''],
    ['http://schema.org/EventMovedOnline', 'scheduled', 'virtual'],
    ['toString', 'scheduled', ''],
  ])('of eventStatus may be %s', async (eventStatus, event_status, virtual_event_type) => {
    expect(await only({ eventStatus })).toMatchObject({ event_status, virtual_event_type })
  })

  const online = { '@type': 'VirtualLocation', url: 'https://meet.example/1' }
  it.each([
    [{ location: online }, 'virtual', 0],
    [{ location: ['Hall', online] }, 'hybrid', 1],
    [
      { location: [online, { '@type': 'PostalAddress', streetAddress: '1 Lane', addressLocality: 'Town' }] },
      'hybrid',
      1,
    ],
    [{ location: 'Hall', eventAttendanceMode: 'https://schema.org/MixedEventAttendanceMode' }, 'hybrid', 1],
    [{ eventAttendanceMode: 'OnlineEventAttendanceMode' }, 'virtual', 0],
    [{ location: 'Hall', eventAttendanceMode: 'OfflineEventAttendanceMode' }, '', 1],
    [{ location: { '@type': 'Place', name: 'Online' } }, 'virtual', 0],
    [{ location: { '@type': 'Place', name: 'Online', address: { addressCountry: 'DE' } } }, 'virtual', 0],
    [{ location: { '@type': 'Place', name: 'Online', address: 'Online' } }, 'virtual', 0],
    [{ location: ['Hall', 'Webinar'] }, 'hybrid', 1],
    [{ location: { '@type': 'Place', name: 'Zoom', address: 'Carl-Benz-Straße 21' } }, '', 1],
    [{ location: { '@type': 'Place', name: 'Online', geo: { latitude: 53.27, longitude: -9.05 } } }, '', 1],
    [{ location: 'Online-Café' }, '', 1],
    [{ location: 'https://www.example.org/hall' }, '', 0],
  ])('of places may be %j', async (more, type, places) => {
    const found = await only(more)
    expect([found.virtual_event_type, found.venues.length]).toEqual([type, places])
  })

  it.each([
    [{ offers: [{ price: 10 }, { price: '25.50', priceCurrency: '' }] }, '10 – 25.50'],
    [
      { offers: { '@type': 'AggregateOffer', lowPrice: '10', highPrice: '30', priceCurrency: 'USD' } },
      '10 – 30 USD',
    ],
    [
      {
        offers: [
          { price: 10, priceCurrency: 'USD' },
          { price: 9, priceCurrency: 'EUR' },
        ],
      },
      '10 USD, 9 EUR',
    ],
    [{ offers: { priceSpecification: { price: '8,50', priceCurrency: 'EUR' } } }, '8,50 EUR'],
    [{ offers: { price: 'pay what you want <script>x</script>' } }, 'pay what you want'],
    [{ offers: { price: 0, priceCurrency: 'EUR' } }, '0'],
    [{ isAccessibleForFree: true }, '0'],
    [{ offers: { url: 'https://hall.example/t' } }, ''],
  ])('of offers may be %j', async (more, cost) => {
    expect((await only(more)).cost).toBe(cost)
  })

  it.each([
    ['/a.jpg', 'https://hall.example/a.jpg'],
    [['', 'b.png', 'c.png'], 'https://hall.example/events/b.png'],
    [
      { '@type': 'ImageObject', contentUrl: 'https://x.example/c.png', width: 800, height: '600px' },
      'https://x.example/c.png',
    ],
    ['data:image/png;base64,AAAA', undefined],
    ['javascript:alert(1)', undefined],
  ])('of images may be %j', async (image, url) => {
    expect((await only({ image })).image?.url).toBe(url)
  })

  it('are cleaned as if an author had sent them', async () => {
    const { notes, ...found } = await only({
      name: '<b>Bold</b> <script>x</script>&lt;img src=x onerror=y&gt;',
      description: '&lt;p onclick="x"&gt;Hi&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;<',
      url: 'javascript:alert(1)',
      location: { name: '<i>Hall</i>', url: 'file:///etc/passwd' },
    })
    expect(notes.length).toBeGreaterThan(0)
    expect(JSON.stringify(found)).not.toMatch(/<script|<img|onclick=|javascript:|file:/)
    expect({ title: found.title, description: found.description, website: found.website }).toEqual({
      title: 'Bold &lt;img src=x onerror=y>',
      description: '<p>Hi</p>\n<p>&lt;</p>',
      website: null,
    })
  })
})

describe('schedules', () => {
  const times = (event: EventRecord | undefined) => [event?.start.wall, event?.end.wall]

  it.each([
    [{ '@type': 'Schedule', repeatFrequency: 'P1W' }, '"P1W"'],
    [
      {
        '@type': 'Schedule',
        startDate: '2026-12-05',
        endDate: '2027-01-30',
        repeatFrequency: 'P1W',
        byDay: ['https://schema.org/Monday', 'https://schema.org/Friday'],
        startTime: '19:30',
      },
      '"2026-12-05 2027-01-30 19:30 P1W Monday Friday"',
    ],
    [{ startDate: '2026-12-12', startTime: '20:00' }, '"2026-12-12 20:00"'],
    ['every Monday', '"every Monday"'],
  ])('are said with their dates: %j', async (eventSchedule, text) => {
    const { notes, title } = await only({ eventSchedule })
    expect([title, notes]).toEqual([
      'Choir',
      [`Choir: eventSchedule cannot be understood, left out: ${text}`],
    ])
  })

  it('say nothing more than the event does', async () => {
    const { notes } = await only({ eventSchedule: [{ startDate: '2026-12-05', startTime: '19:30' }] })
    expect(notes).toEqual([])
  })

  it('have the first date of an event without one', async () => {
    const eventSchedule = {
      '@type': 'Schedule',
      startDate: '2027-01-08',
      startTime: '19:30',
      endTime: '21:00',
      repeatFrequency: 'P1W',
      scheduleTimezone: 'America/New_York',
    }
    const { events, notes } = await read(
      script(event({ startDate: undefined, endDate: undefined, eventSchedule })),
    )
    expect(events.map(one => one.start.utc)).toEqual(['2027-01-09 00:30:00'])
    expect(events.map(one => one.end.utc)).toEqual(['2027-01-09 02:00:00'])
    expect(notes).toEqual([
      'Choir: eventSchedule cannot be understood, left out: "2027-01-08 19:30 21:00 P1W"',
    ])
  })

  it('are dates of their own as parts of an event or a series, with its name and place', async () => {
    const dates = [
      { '@type': 'Event', startDate: '2027-01-08T19:30', endDate: '2027-01-08T21:00' },
      { '@type': 'Event', startDate: '2027-01-15T19:30' },
    ]
    for (const type of ['Event', 'EventSeries']) {
      const whole = event({ '@type': type, location: { '@type': 'Place', name: 'Hall' }, subEvent: dates })
      const { events } = await read(script(whole))
      const parts = events.slice(type === 'Event' ? 1 : 0)
      expect(
        parts.map(({ title }) => title),
        type,
      ).toEqual(['Choir', 'Choir'])
      expect(parts.map(times), type).toEqual([
        ['2027-01-08 19:30:00', '2027-01-08 21:00:00'],
        ['2027-01-15 19:30:00', '2027-01-15 19:30:00'],
      ])
      expect(
        parts.every(({ venues }) => venues.length === 1),
        type,
      ).toBe(true)
    }
  })

  it('may be on pages of their own', async () => {
    const { nodes } = await read(script(event({ subEvent: ['https://choir.example/1', '/2'] })))
    expect(nodes.listed).toEqual(['https://choir.example/1', '/2'])
  })
})

describe('the identity of an event', () => {
  const idsOf = async (...events: object[]) =>
    (await read(script(events))).events.map(({ externalId }) => externalId)

  it('is its address, also if it moves', async () => {
    const url = 'https://hall.example/1'
    expect(await idsOf(event({ url }))).toEqual(await idsOf(event({ url, startDate: '2027-01-01' })))
  })

  it('is name, start and place without an address, or with one that others have too', async () => {
    const [first, second, ...more] = await idsOf(
      event({ url: '/list' }),
      event({ url: '/list', startDate: '2026-12-06' }),
      event({ '@id': '_:b1', location: 'Hall' }),
      event({ location: 'Hall' }),
    )
    expect(new Set([first, second, ...more])).toHaveLength(3)
    expect(first).toMatch(/^[\da-f]{64}$/)
    expect(first).toBe((await idsOf(event()))[0])
  })
})

describe('a hostile page', () => {
  it('reports invalid JSON with its line, and continues', async () => {
    const { nodes, events } = await read(
      `<p>\n${script('{"@type": "Event",\n"name": oops}')}\n${script(event())}`,
    )
    expect(nodes.failures).toMatchObject([{ line: 3 }])
    expect(nodes.failures[0]?.reason).toMatch(/^its JSON-LD is not JSON: /)
    expect(events).toHaveLength(1)
  })

  it('ends a script where a browser does', async () => {
    const { nodes, events } = await read(
      script(JSON.stringify(event({ name: 'a</script><script>alert(1)</script>' }))),
    )
    expect([nodes.failures.length, events.length]).toEqual([1, 0])
  })

  it('nests as deep as it likes', async () => {
    const deep = '{"@graph":['.repeat(50_000) + JSON.stringify(event()) + ']}'.repeat(50_000)
    const { nodes, events } = await read(script(deep) + script(event()))
    expect([nodes.isCut, events.length]).toEqual([true, 1])
  })

  it('has nodes that refer to themselves', async () => {
    const { events } = await read(
      script({
        '@graph': [
          {
            ...event(),
            '@id': '#a',
            location: { '@id': '#a' },
            organizer: { '@id': '#b' },
            image: { '@id': '#b' },
          },
          { '@id': '#b', '@type': 'Person', image: { '@id': '#b' }, name: { '@id': '#b' } },
        ],
      }),
    )
    expect(events).toHaveLength(1)
  })

  it.each([null, 7, 'x', [], {}, [[null]], { '@type': {} }, true])('has %j for values', async value => {
    const names = [
      ...['@id', 'url', 'endDate', 'duration', 'location', 'organizer', 'offers', 'image', 'description'],
      ...['subEvent', 'eventStatus', 'eventAttendanceMode', 'isAccessibleForFree'],
    ]
    const { events } = await read(script(event(Object.fromEntries(names.map(name => [name, value])))))
    expect(events.map(({ title }) => title)).toEqual(['Choir'])
  })

  it('has 10,000 events and more', async () => {
    const many = Array.from({ length: 10_001 }, (_, i) => event({ url: i % 2 ? '/same' : `/${i}` }))
    const { nodes, events } = await read(script(many))
    expect([nodes.isCut, events.length]).toEqual([true, 5_001])
  })

  it.each<[string, () => string]>([
    ['10 MB of JSON-LD', () => script({ a: 'x'.repeat(10_000_000) })],
    ['300,000 nodes', () => script(Array.from({ length: 300_000 }, () => ({ '@type': 'Thing' })))],
    ['millions of lists', () => script(`[${'[],'.repeat(1_500_000)}[]]`)],
    ['lists within lists', () => script(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`)],
    ['5,000 scripts', () => script({}).repeat(5_000)],
    ['5,000 scripts that are no JSON', () => script('{').repeat(5_000)],
    ['a million tags', () => '<b>'.repeat(1_000_000)],
  ])('has %s, which are read in part only', async (_, html) => {
    const choir = script(event())
    const { nodes, page, events } = await read(choir + html() + choir.repeat(2))
    expect(nodes.isCut || page.isCut).toBe(true)
    expect(events.map(({ title }) => title)).toEqual(['Choir'])
  })

  it.each<[string, () => string]>([
    ['blanks before what is no JSON', () => script(`${' '.repeat(1_000_000)}x`)],
    ['lines before what is no JSON', () => script(`//${'\n'.repeat(1_000_000)}x`)],
    [
      'scripts in one line',
      () => `${script({}).repeat(900)}${' '.repeat(5_000_000)}${script({}).repeat(90)}`,
    ],
    [
      'a name of lists',
      () =>
        script(
          `{"@type": "Event", "startDate": "2027-01-01", "name": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        ),
    ],
    [
      'nodes of one id',
      () => {
        const long = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key-${i}`, 1]))
        return script([{ '@id': '#a', ...long }, ...Array.from({ length: 50_000 }, () => ({ '@id': '#a' }))])
      },
    ],
    [
      'a node of many types',
      () =>
        script([
          { '@id': '#a', '@type': Array(500_000).fill('Place'), name: 'A' },
          ...referring({ location: { '@id': '#a' } }),
        ]),
    ],
    [
      'a place with long texts',
      () =>
        script([
          {
            '@id': '#a',
            name: 'A'.repeat(1_000_000),
            description: '<b>'.repeat(500_000),
            telephone: '<'.repeat(1_000_000),
          },
          ...referring({ location: { '@id': '#a' } }),
        ]),
    ],
    [
      'an organizer with long texts',
      () =>
        script([
          {
            '@id': '#a',
            name: '&amp;'.repeat(200_000),
            email: 'a@'.repeat(500_000),
            url: 'a/'.repeat(500_000),
          },
          ...referring({ organizer: { '@id': '#a' } }),
        ]),
    ],
    [
      'an image with many addresses',
      () => script([{ '@id': '#a', url: Array(300_000).fill('') }, ...referring({ image: { '@id': '#a' } })]),
    ],
    [
      'an offer with many keys and prices',
      () => {
        const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key-${i}`, 1]))
        const price = Array(300_000).fill('')
        return script([
          { '@id': '#a', ...keys, price, url: 'a'.repeat(500_000), priceSpecification: price },
          ...referring({ offers: { '@id': '#a' } }),
        ])
      },
    ],
    [
      'dates of a schedule',
      () => script(event({ eventSchedule: Array(5_000).fill({ repeatFrequency: 'PT1S' }) })),
    ],
    ['events that are parts of one', () => script(event({ url: PAGE, subEvent: referring({}) }))],
  ])('has %s, to which each event may refer', async (_, html) => {
    const { events } = await read(script(event({ name: 'Last', startDate: '2027-05-05' })) + html())
    expect(events.map(({ title }) => title)).toContain('Last')
  })

  it('lets others have their turn between events of long texts', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 0)
    const description = '<b>a</b> '.repeat(3_000)
    const long = (i: number) => event({ url: `https://hall.example/long/${i}`, description })
    await read(script(Array.from({ length: 20 }, (_, i) => long(i)))).finally(() => clearInterval(timer))
    expect(turns).toBeGreaterThan(15)
  })

  it('lets others have their turn while it has thousands of events', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 0)
    await read(script(referring({}))).finally(() => clearInterval(timer))
    expect(turns).toBeGreaterThan(20)
  })

  it.each([
    ...['<a ', '<script', '<!--', '<a href="', '<base href=x>', '</script'],
    '<script type="application/ld+json">{',
  ])('repeats %s a million times', batch => {
    expect(readPage(batch.repeat(1_000_000 / batch.length), PAGE).links.length).toBeLessThan(2)
  })
})

describe('robots.txt', () => {
  const TEXT = `# all
User-agent: *
Disallow: /private
Allow: /private/open$
Disallow: /*.php
Disallow: /caf%c3%a9

User-Agent: other
User-agent: Event-Calendar-Import
Disallow: /mine*x
Disallow:
Crawl-delay: 5
Allow: /mine/1x`
  it.each([
    ['any', '/', true],
    ['any', '/private/x', false],
    ['any', '/private/open', true],
    ['any', '/private/opened', false],
    ['any', '/a.php?x', false],
    ['any', '/café', false],
    ['any', '/mine/x', true],
    ['event-calendar-import', '/private', true],
    ['event-calendar-import', '/mine/2x', false],
    ['event-calendar-import', '/mine/1x', true],
    ['other', '/mine/2x', false],
    ['any', '/robots.txt', true],
  ])('for %s says of %s whether it may be read', (agent, path, expected) => {
    expect(readRobots(TEXT, agent)(path)).toBe(expected)
  })

  it.each(['', '<!doctype html><p>404', 'Disallow: /', 'User-agent: x\nDisallow: /', '\uFEFFfoo: bar'])(
    'that names no rules forbids nothing: %s',
    text => expect(readRobots(text, 'any')('/')).toBe(true),
  )

  it('may have groups for any number of programs', () => {
    const agents = Array.from({ length: 20_000 }, (_, i) => `User-agent: a${i}`)
    const text = [...agents, 'User-agent: any', 'Disallow: /', ...Array(20_000).fill('Allow: /x')].join('\n')
    expect(readRobots(text, 'any')('/y')).toBe(false)
    expect(readRobots(text, 'other')('/y')).toBe(true)
  })

  it('takes patterns of any length', () => {
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(100_000)}$`
    expect(readRobots(text, 'any')(`/${'a'.repeat(2_000)}`)).toBe(true)
  })
})
