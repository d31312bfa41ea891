import { describe, expect, it } from 'vitest'
import type { EventRecord, GuessedValue, SourceItem } from '../../../src/calendar/imports/records.ts'
import { decodedPage, readPage } from '../../../src/readers/html-page.ts'
import { eventItems } from '../../../src/readers/jsonld/events.ts'
import { nodesOf } from '../../../src/readers/jsonld/nodes.ts'
import { CONTEXT } from '../database.ts'

// Slips in pages that have one reading only, and pages with microdata.

const PAGE = 'https://hall.example/events/'

async function read(html: string) {
  const guesses: GuessedValue[] = []
  const page = readPage(html, PAGE)
  const nodes = nodesOf(page.scripts, PAGE)
  const reading = {
    ...CONTEXT,
    timezone: 'Europe/Berlin',
    guess: (guess: GuessedValue) => void guesses.push(guess),
    source: 's',
    base: PAGE,
  }
  const items: SourceItem[] = await Array.fromAsync(eventItems(nodes, reading, new Map()))
  const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
  return {
    events: records.filter((record): record is EventRecord => record.kind === 'event'),
    venues: records.flatMap(record => (record.kind === 'venue' ? [record] : [])),
    failures: [
      ...nodes.failures.map(({ reason }) => reason),
      ...items.flatMap(item => (item.type === 'failed' ? [item.reason] : [])),
    ],
    mended: nodes.mended,
    guesses,
  }
}

const script = (text: string) => `<html><script type="application/ld+json">${text}</script></html>`
const node = (more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: 'Jazz',
  startDate: '2027-04-25T19:00',
  ...more,
})
const ofNode = (more: object) => read(script(JSON.stringify(node(more))))

describe('JSON with a slip', () => {
  const start = '"@type":"Event","startDate":"2027-04-25T19:00","name":'
  it.each([
    ['an apostrophe that is escaped', `{${start}"Jazz\\'s night"}`, ["Jazz's night"]],
    ['a comma before the end', `{${start}"Jazz", "location":["Hall",],}`, ['Jazz']],
    ['comments', `// from our shop\n{/* soon */${start}"Jazz // no comment"} // end`, ['Jazz // no comment']],
    ['a semicolon behind it', `{${start}"Jazz"};`, ['Jazz']],
    ['a byte order mark', `\uFEFF{${start}"Jazz"}`, ['Jazz']],
    ['two values', `{${start}"Jazz"}\n{${start}"Blues"}`, ['Jazz', 'Blues']],
    ['two values with a comma', `{${start}"Jazz"},{${start}"Blues"},`, ['Jazz', 'Blues']],
    ['quotes as entities', `{${start}"Jazz"}`.replaceAll('"', '&quot;'), ['Jazz']],
    ['a line break in a text', `{${start}"Jazz\nnight"}`, ['Jazz night']],
  ])('is mended: %s', async (_, text, names) => {
    const found = await read(script(text))
    expect(found.events.map(({ title }) => title)).toEqual(names)
    expect(found).toMatchObject({ failures: [], mended: [1] })
  })

  it.each([`{${start}"Jazz"`, `{${start}Jazz}`, `{${start}"Ja"zz"}`, `{{${start}"Jazz"}`])(
    'that could be anything fails: %s',
    async text => {
      expect(await read(script(text))).toMatchObject({
        events: [],
        failures: [expect.stringContaining('not JSON')],
        mended: [],
      })
    },
  )

  it('is no matter where there is none: an empty script says nothing', async () => {
    expect(await read(script('\n  ') + script(JSON.stringify(node())))).toMatchObject({
      events: [{ title: 'Jazz' }],
      failures: [],
      mended: [],
    })
  })

  it('is corrected in linear time', () => {
    for (const part of ['"', '{', ',', '/*', "\\'", '&quot;', '{"a":1}'])
      expect(nodesOf([{ text: part.repeat(200_000), line: 1 }], PAGE).events, part).toEqual([])
  })
})

describe('a time on a page', () => {
  it.each([
    ['2019-9-18T10-10-00-00', '2019-09-18 10:10:00'],
    ['2027-3-5T19:00-5:00', '2027-03-05 19:00:00'],
    ['20270305T190000-0500', '2027-03-05 19:00:00'],
    ['20270305T1900', '2027-03-05 19:00:00'],
    ['2027-03-05T19:00-05:00[America/New_York]', '2027-03-05 19:00:00'],
    ['2027-03-05T19:00[America/New_York]', '2027-03-05 19:00:00'],
  ])('is read from %s', async (startDate, wall) => {
    const { events, failures } = await ofNode({ startDate })
    expect([events[0]?.start.wall, failures]).toEqual([wall, []])
  })

  it.each([
    ['2027-03-05T19:00[Foo/Bar]', [['guess_zone', 'Foo/Bar', 'Europe/Berlin']]],
    ['2027-03-05T19:00+01:00[Foo/Bar]', []],
    ['2027-03-05T19:00[Europe/Berlin]', []],
  ])(
    'in a zone that nobody knows is in that of the calendar, and that is said: %s',
    async (startDate, said) => {
      const { events, guesses } = await ofNode({ startDate })
      expect(events).toMatchObject([{ start: { wall: '2027-03-05 19:00:00', utc: '2027-03-05 18:00:00' } }])
      expect(guesses.map(({ code, text, as }) => [code, text, as])).toEqual(said)
    },
  )

  it('in a named zone is that moment', async () => {
    const { events } = await ofNode({ startDate: '2027-03-05T19:00[America/New_York]' })
    expect(events[0]?.start.utc).toBe('2027-03-06 00:00:00')
  })

  it('from midnight to midnight is whole days', async () => {
    const days = async (endDate: string) => {
      const [event] = (await ofNode({ startDate: '2027-04-25T00:00', endDate })).events
      return [event?.all_day, event?.end.wall.slice(0, 10)]
    }
    expect(await days('2027-04-27T00:00')).toEqual([true, '2027-04-26'])
    expect(await days('2027-04-25T23:59')).toEqual([true, '2027-04-25'])
    expect(await days('2027-04-25T02:00')).toEqual([false, '2027-04-25'])
  })

  it('beside others is read, and the others are said', async () => {
    const { events, guesses } = await ofNode({ startDate: ['2027-04-25T19:00', '2027-04-26T19:00'] })
    expect(events[0]?.start.wall).toBe('2027-04-25 19:00:00')
    expect(guesses).toMatchObject([{ code: 'guess_left_out', field: 'startDate', text: '2027-04-26T19:00' }])
  })
})

describe('offers', () => {
  it.each([
    [[{ availability: 'https://schema.org/SoldOut' }], 'sold_out'],
    [[{ availability: 'SoldOut' }, { availability: 'http://schema.org/InStock' }], 'available'],
    [{ availability: 'schema:LimitedAvailability' }, 'few'],
    [{ availability: 'instock' }, 'available'],
    [{ availability: 'Sold out' }, 'sold_out'],
    // There may be tickets of the kind that doesn't say.
    [[{ availability: 'SoldOut' }, { name: 'Reduced' }], undefined],
    [{ price: '5' }, undefined],
  ])('say what is left: %j', async (offers, left) => {
    expect((await ofNode({ offers })).events[0]?.ticket_availability).toBe(left)
  })

  it('with an unknown availability are reported, and several prices give a range', async () => {
    const { guesses } = await ofNode({ offers: { availability: 'Maybe' } })
    expect(guesses).toMatchObject([{ code: 'guess_left_out', field: 'availability', text: 'Maybe' }])
    const priceSpecification = { minPrice: 5, maxPrice: 12, priceCurrency: 'EUR' }
    expect((await ofNode({ offers: { priceSpecification } })).events[0]?.cost).toBe('5 – 12 EUR')
    const several = [5, 9, 7].map(price => ({ price, priceCurrency: 'EUR' }))
    expect((await ofNode({ offers: { priceSpecification: several } })).events[0]?.cost).toBe('5 – 9 EUR')
  })
})

describe('microdata', () => {
  const event = `<div itemscope itemtype="https://schema.org/MusicEvent">
    <h2 itemprop="name">Jazz &amp; <b>Blues</b></h2>
    <meta itemprop="startDate" content="2027-04-25T19:00">
    <time itemprop="endDate" datetime="2027-04-25T22:00">ten</time>
    <a itemprop="url" href="/events/jazz/">More</a><img itemprop="image" src="/jazz.jpg" alt="">
    <div itemprop="location" itemscope itemtype="http://schema.org/Place"><span itemprop="name">Old Mill</span>
      <p itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="streetAddress">1 Mill Lane</span>, <span itemprop="addressLocality">Kilkenny</span></p></div>
    <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="12.50">€12.50</span><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="http://schema.org/SoldOut"></div>
    <p itemprop="description">An evening.</p>
  </div>`

  it('is read as JSON-LD is', async () => {
    const { events, venues, failures } = await read(`<html><body>${event}</body></html>`)
    expect(failures).toEqual([])
    expect(events).toMatchObject([
      {
        title: 'Jazz & Blues',
        start: { wall: '2027-04-25 19:00:00' },
        end: { wall: '2027-04-25 22:00:00' },
        website: 'https://hall.example/events/jazz/',
        image: { url: 'https://hall.example/jazz.jpg' },
        cost: '12.50 EUR',
        ticket_availability: 'sold_out',
      },
    ])
    expect(events[0]?.description).toContain('An evening.')
    expect(venues).toMatchObject([{ name: 'Old Mill', address: '1 Mill Lane', city: 'Kilkenny' }])
  })

  it('has several events, one within another item, and one whose end is missing', async () => {
    const list = `<ul itemscope itemtype="https://schema.org/ItemList"><li itemprop="itemListElement" itemscope itemtype="https://schema.org/Event"><b itemprop="name">First<i itemprop="startDate" content="2027-04-25">`
    const { events } = await read(`<html>${event}${list}`)
    expect(events.map(({ title }) => title)).toEqual(['Jazz & Blues', 'First'])
  })

  it('that a page repeats in JSON-LD counts once', async () => {
    const { events } = await read(`${script(JSON.stringify(node()))}${event}`)
    expect(events.map(({ title }) => title)).toEqual(['Jazz'])
  })

  it.each([
    { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', item: 'https://hall.example/' }] },
    { '@type': 'WebSite', description: 'Events have a startDate here.' },
    { '@type': 'EducationalOccupationalProgram', name: 'Jazz school', startDate: '2027-09-01' },
    { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', url: 'https://hall.example/news/' }] },
  ])('is read beside JSON-LD of something else: %j', async other => {
    const { events } = await read(`${script(JSON.stringify(other))}${event}`)
    expect(events.map(({ title }) => title)).toEqual(['Jazz & Blues'])
  })

  it('of other vocabularies is none', async () => {
    const other = event.replace('https://schema.org/MusicEvent', 'https://vocabulary.example/Event')
    expect((await read(other.replaceAll('http://schema.org/', 'http://vocabulary.example/'))).events).toEqual(
      [],
    )
  })
})

it('microdata are read in one pass, however deep the page nests', async () => {
  const [open, close] = ['<div>x', '</div>'].map(text => text.repeat(300_000))
  const item = `<div itemscope itemtype="https://schema.org/Event"><meta itemprop="startDate" content="2027-04-25T19:00"><b itemprop="name">Jazz</b>${open}${close}</div>`
  expect((await read(item)).events).toMatchObject([{ title: 'Jazz' }])
})

it('microdata may have a property very often', async () => {
  const images = '<link itemprop="image" href="/a.png">'.repeat(200_000)
  const item = `<div itemscope itemtype="https://schema.org/Event"><meta itemprop="startDate" content="2027-04-25T19:00"><b itemprop="name">Jazz</b>${images}</div>`
  expect((await read(item)).events).toMatchObject([{ title: 'Jazz' }])
})

it.each([
  ['an element without an end', '<ul><li itemprop="name">Jazz<li itemprop="startDate">2027-04-25T19:00</ul>'],
  [
    'void elements',
    '<br><meta itemprop="startDate" content="2027-04-25T19:00"><img><b itemprop="name">Jazz</b>',
  ],
  [
    'an end too many',
    '</p></i><b itemprop="name">Jazz</b><time itemprop="startDate" datetime="2027-04-25T19:00">soon</time>',
  ],
  ['entities', '<b itemprop="name">J&#97;zz</b><meta itemprop="startDate" content="2027-04-25T19&#58;00">'],
  [
    'elements within',
    '<div itemprop="name"><div>Ja</div><div>zz</div></div><meta itemprop="startDate" content="2027-04-25T19:00">',
  ],
])('microdata may have %s', async (_, inside) => {
  const item = `<div itemscope itemtype="https://schema.org/Event">${inside}</div>`
  const other =
    '<div itemscope itemtype="https://schema.org/Event"><meta itemprop="startDate" content="2027-04-26T19:00"><b itemprop="name">Other</b></div>'
  const { events } = await read(item + other)
  expect(events.map(({ title, start }) => [title, start.wall])).toEqual([
    ['Jazz', '2027-04-25 19:00:00'],
    ['Other', '2027-04-26 19:00:00'],
  ])
})

describe('the type of an event', () => {
  it.each(['event', 'MUSICEVENT', 'https://schema.org/musicEvent', ['Thing', 'festival']])(
    'is one in any case: %j',
    async type => {
      expect(await ofNode({ '@type': type })).toMatchObject({ events: [{ title: 'Jazz' }], failures: [] })
    },
  )

  it.each(['Evnet', 'MusicEvnt', undefined])(
    'that is unknown is reported if all else is there, so that the page is incomplete: %j',
    async type => {
      const { events, failures } = await ofNode({ '@type': type, location: 'Hall' })
      expect(events).toEqual([])
      expect(failures).toEqual([expect.stringContaining(`but not its @type: "${type ?? ''}"`)])
    },
  )

  it('is no matter for what is not like an event', async () => {
    const schedule = { '@type': 'Schedule', location: undefined }
    const broadcast = { '@type': 'BroadcastEvent', location: 'Hall' }
    for (const more of [schedule, broadcast])
      expect(await ofNode(more)).toMatchObject({ events: [], failures: [] })
  })
})

describe('the status of an event', () => {
  it.each<[given: unknown, status: string, event_status: string]>([
    [undefined, 'publish', 'scheduled'],
    ['', 'publish', 'scheduled'],
    ['https://schema.org/EventCancelled', 'publish', 'canceled'],
    ['http://schema.org/EventScheduled ', 'publish', 'scheduled'],
    ['EventMovedOnline', 'publish', 'scheduled'],
    ['eventcancelled', 'publish', 'canceled'],
    ['Canceled', 'publish', 'canceled'],
    ['Abgesagt', 'publish', 'canceled'],
    ['Draft', 'draft', 'scheduled'],
    [['EventCancelled', 'EventScheduled'], 'publish', 'canceled'],
    [['EventScheduled', 'https://schema.org/EventPostponed'], 'publish', 'postponed'],
    ['EventVague', 'pending', 'scheduled'],
    [['EventCancelled', 'EventVague'], 'pending', 'canceled'],
  ])('is never taken for one that is better: %j', async (eventStatus, status, event_status) => {
    const found = await ofNode({ eventStatus, location: { '@type': 'Place', name: 'Hall' } })
    expect(found.events).toMatchObject([{ status, event_status }])
    // A place that only a hidden event names is hidden with it.
    expect(found.venues.map(venue => venue.status ?? 'publish')).toEqual([
      status === 'draft' ? 'private' : status,
    ])
    const codes = found.guesses.map(({ code, text }) => [code, text])
    expect(codes).toEqual(status === 'pending' ? [['guess_status', 'EventVague']] : [])
  })
})

describe('a key with a slip', () => {
  const readWithGuesses = async (text: string) => {
    const page = readPage(script(text), PAGE)
    const said: GuessedValue[] = []
    const reading = {
      ...CONTEXT,
      guess: (guess: GuessedValue) => void said.push(guess),
      source: 's',
      base: PAGE,
    }
    const items = await Array.fromAsync(eventItems(nodesOf(page.scripts, PAGE), reading, new Map()))
    const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
    return { records, said: said.map(({ field, text, as, line }) => [field, text, as, line]) }
  }
  const WHOLE = JSON.stringify({
    '@type': 'Event',
    name: 'Jazz',
    startDate: '2027-04-25T19:00',
    endDate: '2027-04-25T21:00',
    url: '/jazz/',
    eventStatus: 'https://schema.org/EventCancelled',
    location: { '@type': 'Place', name: 'Mill', address: 'Mill Lane' },
  })

  it.each([
    ['startDate', 'STARTDATE'],
    ['startDate', 'satrtDate'],
    ['endDate', 'endDte'],
    ['name', 'NAME'],
    ['name', 'nqme'],
    ['name', 'nam'],
    ['eventStatus', 'eventtStatus'],
    ['location', 'locatio'],
    ['address', 'adddress'],
  ])('is read as %s, which is said: %s', async (key, slip) => {
    const good = await readWithGuesses(WHOLE)
    expect(good.said).toEqual([])
    const { records, said } = await readWithGuesses(WHOLE.replace(`"${key}"`, `"${slip}"`))
    expect(records).toEqual(good.records)
    expect(said).toEqual([['JSON-LD', slip, key, 1]])
  })

  it.each(['performer', 'nome', 'startTime', 'sameAs', 'images2'])('is not any other: %s', async key => {
    const { records, said } = await readWithGuesses(WHOLE.replace('{', `{"${key}":"x",`))
    expect([records, said]).toEqual([(await readWithGuesses(WHOLE)).records, []])
  })

  it('of a start leaves an event, and no link, if it cannot be understood', async () => {
    const { failures } = await read(script(WHOLE.replace('startDate', 'begin')))
    expect(failures).toEqual(['it has no startDate'])
  })
})

it.each(['type="aplication/ld+json"', 'type="application/ld-json"', 'type=""application/ld+json"'])(
  'a script with %s is JSON-LD, which is said',
  async type => {
    const { events, mended } = await read(`<script ${type}>${JSON.stringify(node())}</script>`)
    expect([events.map(({ title }) => title), mended]).toEqual([['Jazz'], [1]])
  },
)

it.each(['scripq', 'sscript', 'csript'])(
  'an element %s with that type is a script, which is said',
  async name => {
    const { events, mended } = await read(
      `<p>\n<${name} type="application/ld+json">${JSON.stringify(node())}</${name}>`,
    )
    expect([events.map(({ title }) => title), mended]).toEqual([['Jazz'], [2]])
  },
)

it('a script of another type is none', async () => {
  expect((await read(`<script type="application/json">${JSON.stringify(node())}</script>`)).events).toEqual(
    [],
  )
})

it('a page with an invalid byte keeps its other letters', () => {
  const bytes = Uint8Array.from([...Buffer.from('Süd, Süd, süß <b>J'), 0xe4, ...Buffer.from('zz</b>')])
  expect(decodedPage({ headers: new Headers(), bytes })).toEqual({
    text: 'Süd, Süd, süß <b>Jäzz</b>',
    foreign: expect.stringContaining('Jäzz'),
  })
})
