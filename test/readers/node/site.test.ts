import { afterEach, describe, expect, it } from 'vitest'
import { addressItems } from '../../../src/readers/addresses.ts'
import { itemsSince } from '../../../src/readers/files.ts'
import { sameSite } from '../../../src/readers/site.ts'
import { CONTEXT, countsOf, emptyDatabase, importInto, WINDOW } from '../database.ts'
import {
  CLIENT,
  emptySite,
  event,
  type Mischief,
  type Site,
  serveSite,
  venue,
  withStableHost,
} from '../site-server.ts'

const db = emptyDatabase()

let stop = async () => {}
afterEach(async () => {
  await stop()
  stop = async () => {}
})

/** How long the client wanted to wait, in milliseconds; nobody does. */
const waits: number[] = []

async function importSite(
  site: Site,
  mischief?: Mischief,
  options: { mirror?: boolean; namespace?: string; after?: string } = {},
) {
  waits.length = 0
  const server = await serveSite(site, mischief)
  stop = server.close
  const sleep = async (ms: number) => void waits.push(ms)
  const clientOptions = { ...CLIENT, sleep, random: () => 0, pauseMs: 7, attempts: 4 }
  const notes: string[] = []
  const context = { ...CONTEXT, note: (text: string) => notes.push(text) }
  const { namespace, after, ...given } = options
  const reading = { window: WINDOW, client: clientOptions, namespace, since: after }
  const items = itemsSince(addressItems(server.address, reading, context), after)
  const report = await importInto(db, withStableHost(items, server.address), given)
  return { report, server, notes }
}

const town = (): Site => ({
  events: [1, 2, 3, 4, 5, 6, 7].map(id =>
    event(id, {
      title: id === 1 ? 'Rock &#038; Roll &#8211; live' : `Concert ${id}`,
      venue: id === 1 ? venue(20) : id === 2 ? [venue(20), venue(21)] : id === 3 ? false : [],
      organizer: id === 2 ? { id: 30, organizer: 'The Guild', slug: 'the-guild' } : [],
      categories: id < 3 ? [{ id: 6, name: 'Jazz', slug: 'jazz', parent: 5, taxonomy: 'acme_cat' }] : [],
      tags: id === 4 ? [{ id: 9, name: 'open air', slug: 'open-air', taxonomy: 'post_tag' }] : [],
      image:
        id === 5 ? { url: 'https://site.example/a.jpg', id: '77', width: 10, height: 5, sizes: {} } : false,
    }),
  ),
  venues: [venue(20, { geo_lat: 41.9, geo_lng: 12.5 }), venue(21), venue(22), { id: 23, slug: 'nameless' }],
  organizers: [],
  categories: [
    { id: 6, name: 'Jazz', slug: 'jazz', parent: 5 },
    { id: 5, name: 'Music', slug: 'music', parent: 0 },
  ],
  tags: [],
})

describe('a site', () => {
  it('is found by its index and read page by page', async () => {
    const { report, server } = await importSite(town())
    expect(countsOf(report)).toEqual([
      'category created 2',
      'tag created 1',
      'venue created 4',
      'organizer created 1',
      'event created 7',
    ])
    expect(
      server.requests.some(({ url }) => url.includes('start_date=1970') && url.includes('per_page=50')),
    ).toBe(true)
    expect(server.requests.every(({ userAgent }) => userAgent?.startsWith('event-calendar-import/'))).toBe(
      true,
    )
    expect(new Set(waits)).toEqual(new Set([7]))
  })

  it('keeps ids, titles, links in order, images and the tree of categories', async () => {
    await importSite(town())
    const events = await db.query(
      'SELECT id, title, slug, timezone_abbr, website, image_id FROM events ORDER BY id',
    )
    expect(events[0]).toMatchObject({
      id: 1,
      title: 'Rock & Roll – live',
      slug: 'concert-1',
      timezone_abbr: 'CET',
      website: '',
    })
    expect(events[4]).toMatchObject({ id: 5, image_id: 77 })
    expect(await db.query('SELECT event_id, target_id, position FROM event_venues ORDER BY 1, 3')).toEqual([
      { event_id: 1, target_id: 20, position: 0 },
      { event_id: 2, target_id: 20, position: 0 },
      { event_id: 2, target_id: 21, position: 1 },
    ])
    expect(await db.query('SELECT id, parent, path, count FROM terms ORDER BY id')).toEqual([
      { id: 5, parent: 0, path: 'music', count: 0 },
      { id: 6, parent: 5, path: 'music/jazz', count: 2 },
      { id: 9, parent: 0, path: 'open-air', count: 1 },
    ])
    // The list of venues says more than what events embed.
    expect(await db.query('SELECT geo_lat FROM venues WHERE id = 20')).toEqual([{ geo_lat: 41.9 }])
  })

  it('keeps the alternative texts of images, except where the calendar has another one', async () => {
    const site = emptySite()
    const image = { url: 'https://site.example/a.jpg', alt_text: 'A choir &amp; a <b>piano</b>' }
    site.events = [event(1, { image }), event(2, { image: 'https://site.example/b.jpg' })]
    await importSite(site)
    await stop()
    const texts = () => db.query('SELECT alt_text, search_text FROM images ORDER BY url')
    const none = { alt_text: '', search_text: '' }
    expect(await texts()).toEqual([{ alt_text: 'A choir & a piano', search_text: 'a choir & a piano' }, none])
    await db.query("UPDATE images SET alt_text = 'Our choir', search_text = 'our choir' WHERE alt_text <> ''")
    site.events = [
      event(1, { title: 'Changed', image: { ...image, width: 40, height: 30 } }),
      ...site.events.slice(1),
    ]
    await importSite(site)
    expect(await texts()).toEqual([{ alt_text: 'Our choir', search_text: 'our choir' }, none])
  })

  it('gives images their sizes, also from their copies, and if they become known later', async () => {
    const site = emptySite()
    const url = (name: string) => `https://site.example/${name}.jpg`
    const sizes = {
      small: { url: url('s'), width: 1, height: 1 },
      full: { url: url('b'), width: 20, height: 10 },
    }
    site.events = [event(1, { image: url('a') }), event(2, { image: { url: url('b'), id: 5, sizes } })]
    await importSite(site)
    await stop()
    const told = { url: url('a'), width: 40, height: 30 }
    site.events = [event(1, { title: 'Changed', image: told }), ...site.events.slice(1)]
    await importSite(site)
    expect(await db.query('SELECT url, width, height FROM images ORDER BY url')).toEqual([
      told,
      { url: url('b'), width: 20, height: 10 },
    ])
  })

  it('is named by --namespace if no index names it', async () => {
    const hidden: Mischief = (url, response) => {
      if (url.pathname !== '/wp-json/') return false
      response.writeHead(403).end()
      return true
    }
    await expect(importSite(town(), hidden)).rejects.toThrow('--namespace')
    await stop()
    const { report } = await importSite(town(), hidden, { namespace: '/acme/events/v1/' })
    expect(report.countOf('event', 'created')).toBe(7)
  })

  it.each([
    '/wp-json/acme/events/v1/',
    '/wp-json/acme/events/v1/events/12',
    '/wp-json/acme/events/v1/categories/3/',
    '/wp-json/acme/events/v1/events/by-slug/jazz',
    '/wp-json/acme/events/v1/events/?categories=music',
    '/wp-json/acme/events/v1/events?tags=outdoor',
  ])('is found by the header of its pages if no index names it: %s', async root => {
    const { report } = await importSite(town(), (url, response) => {
      if (url.pathname === '/wp-json/') response.writeHead(403).end()
      else if (url.pathname !== '/') return false
      else
        response
          .writeHead(200, { 'content-type': 'text/html', 'x-tec-api-root': root })
          .end('<!doctype html><title>What is on</title>')
      return true
    })
    expect(report.countOf('event', 'created')).toBe(7)
  })

  it('is asked again after 429, 500 and a dropped connection', async () => {
    const troubles = ['429', '500', 'drop']
    const { report } = await importSite(town(), (url, response) => {
      if (!url.pathname.endsWith('/events') || url.searchParams.get('page') !== '2') return false
      const trouble = troubles.shift()
      if (trouble === '429') response.writeHead(429, { 'retry-after': '17' }).end()
      else if (trouble === '500') response.writeHead(500).end()
      else if (trouble === 'drop') response.destroy()
      return trouble !== undefined
    })
    expect(report.countOf('event', 'created')).toBe(7)
    expect(report.total('failed')).toBe(0)
    // What the server asked for, then twice as long as the time before.
    expect(waits.filter(ms => ms !== 7)).toEqual([17_000, 2_000, 4_000])
  })

  it('is asked again after a pause of its own if the server names none, or one that is over', async () => {
    const asked = ['0', 'Fri, 20 Nov 2026 11:00:00 GMT', '-5']
    const { report } = await importSite(emptySite(), (url, response) => {
      const wait = url.pathname.endsWith('/events') ? asked.shift() : undefined
      if (wait !== undefined) response.writeHead(503, { 'retry-after': wait }).end()
      return wait !== undefined
    })
    expect(report.total('failed')).toBe(0)
    expect(waits.filter(ms => ms !== 7)).toEqual([1_000, 2_000, 4_000])
  })

  it('never waits longer than it was allowed to', async () => {
    let asked = 0
    await importSite(emptySite(), (url, response) => {
      if (!url.pathname.endsWith('/events') || asked++ > 0) return false
      response.writeHead(503, { 'retry-after': '86400' }).end()
      return true
    })
    expect(Math.max(...waits)).toBe(60_000)
  })

  it('is read on after a page that cannot be fetched, which is reported', async () => {
    const { report } = await importSite(
      town(),
      (url, response) => {
        if (!url.pathname.endsWith('/events') || url.searchParams.get('page') !== '2') return false
        response.writeHead(500).end()
        return true
      },
      { mirror: true },
    )
    expect(report.countOf('event', 'created')).toBe(4)
    expect(report.countOf('page', 'failed')).toBe(1)
    expect(report.text({ verbose: false })).toMatch(/failed: page events: http.*page=2.*HTTP 500, 4 times/)
  })

  it('may hold malformed records, which do not stop the rest', async () => {
    const site = town()
    site.events.splice(
      2,
      0,
      { id: 90, title: 'No date' },
      { title: 'No id' },
      event(91, { end_date: '2027-02-01 00:00:00', utc_end_date: '2027-02-01 00:00:00' }),
    )
    site.venues.unshift({ venue: 'No id' })
    const { report } = await importSite(site)
    expect(report.countOf('event', 'created')).toBe(7)
    expect(report.reasons).toEqual([
      'failed: venue item 1: it has no id',
      'failed: event 90: it has no start date',
      'failed: event item 1: it has no id',
      'failed: event 91: its end, 2027-02-01 00:00:00, is before its start, 2027-03-01 20:00:00',
    ])
  })

  it('is mirrored from an instant that is on the day before in its zone', async () => {
    const evening = {
      start_date: '2026-12-31 20:00:00',
      end_date: '2026-12-31 21:00:00',
      utc_start_date: '2027-01-01 04:00:00',
      utc_end_date: '2027-01-01 05:00:00',
      timezone: 'America/Los_Angeles',
    }
    const all = [event(1, evening), event(2)]
    const site = emptySite()
    /** Lists what begins from a time on by its own clock, as such sites do. */
    const byOwnClock: Mischief = ({ searchParams }) => {
      site.events = all.filter(one => String(one.start_date) >= (searchParams.get('start_date') ?? ''))
      return false
    }
    await importSite(site, byOwnClock)
    await stop()
    const { report } = await importSite(site, byOwnClock, { mirror: true, after: '2027-01-01 00:00:00' })
    expect(countsOf(report)).toEqual(['event unchanged 2'])
  })

  it('changes nothing the second time, and the third time only what has changed in between', async () => {
    const site = town()
    await importSite(site)
    const before = await db.query('SELECT * FROM events')
    await stop()
    const second = await importSite(site)
    expect(second.report.total('created') + second.report.total('updated')).toBe(0)
    expect(await db.query('SELECT * FROM events')).toEqual(before)
    await stop()
    Object.assign(site.events[3] ?? {}, {
      title: 'Postponed',
      start_date: '2027-04-01 20:00:00',
      utc_start_date: '2027-04-01 18:00:00',
      end_date: '2027-04-01 21:00:00',
      utc_end_date: '2027-04-01 19:00:00',
    })
    const third = await importSite(site)
    expect(third.report.countOf('event', 'updated')).toBe(1)
    expect(await db.query('SELECT title, version, start_date FROM events WHERE id = 4')).toEqual([
      { title: 'Postponed', version: 2, start_date: '2027-04-01 20:00:00' },
    ])
    expect(
      await db.query(`SELECT rowid FROM events_search WHERE events_search MATCH '"postponed"'`),
    ).toHaveLength(1)
  })
})

describe('the address of the next page', () => {
  const current = new URL('https://site.example/wp-json/x/events?per_page=50')
  it('is taken as it is on the same server', () => {
    expect(sameSite('https://site.example/other?page=2', current)?.href).toBe(
      'https://site.example/other?page=2',
    )
  })
  it('has only its query used if it is on another server, and is ignored if it is invalid', () => {
    expect(sameSite('http://localhost:80/y?page=2', current)?.href).toBe(
      'https://site.example/wp-json/x/events?page=2',
    )
    expect(sameSite('http://[', current)).toBeUndefined()
  })
})

describe('the address of a filtered page of a site', () => {
  const NAMESPACE = '/wp-json/acme/events/v1'
  const place = (id: number) => ({ id, venue: `Venue ${id}`, slug: `venue-${id}` })

  /** A site whose list of events knows filters, with a page that may name its own in the API. */
  const filtered =
    (linked = ''): Mischief =>
    (url, response) => {
      const json = (body: unknown) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return true
      }
      if (url.pathname === `${NAMESPACE}/venues/by-slug/venue-20`) return json(place(20))
      if (url.pathname === `${NAMESPACE}/events`) {
        const { searchParams: wanted } = url
        const events = town().events.filter(
          ({ id }) =>
            (wanted.get('categories') !== 'jazz' || Number(id) < 3) &&
            (wanted.get('tags') !== 'open-air' || id === 4) &&
            (wanted.get('venue') !== '20' || Number(id) < 3) &&
            (wanted.get('search') !== 'Concert 5' || id === 5),
        )
        return json({ events, total: events.length, total_pages: 1 })
      }
      if (url.pathname.startsWith('/wp-json/')) return false
      const root = `<link rel="https://api.w.org/" href="${url.origin}/wp-json/">`
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><head>${root}${linked && `<link rel="alternate" href="${url.origin}${linked}">`}</head>`,
        )
      return true
    }

  const read = async (path: string, linked?: string) => {
    const server = await serveSite(town(), filtered(linked))
    stop = server.close
    const items = addressItems(server.address + path, { window: WINDOW, client: CLIENT }, CONTEXT)
    const all = []
    for await (const item of items) all.push(item)
    return {
      events: all.flatMap(item =>
        item.type === 'record' && item.record.kind === 'event' ? [Number(item.record.externalId)] : [],
      ),
      kinds: new Set(all.flatMap(item => (item.type === 'record' ? [item.record.kind] : []))),
      completes: all.flatMap(item => (item.type === 'complete' ? [item.kind] : [])),
    }
  }

  it.each([
    ['/events/category/music/jazz/', [1, 2]],
    ['/events/category/jazz/list/page/2/', [1, 2]],
    ['/events/?categories=jazz', [1, 2]],
    ['/events/?tribe_events_cat%5B0%5D=jazz', [1, 2]],
    ['/events/month/?tribe-bar-search=Concert+5', [5]],
    ['/tag/open-air/', [4]],
    ['/events/tag/open-air/', [4]],
    ['/venue/venue-20/', [1, 2]],
    ['/', [1, 2, 3, 4, 5, 6, 7]],
    ['/events/list/?utm_source=x', [1, 2, 3, 4, 5, 6, 7]],
  ])('leads to the events of that page: %s', async (path, events) => {
    const found = await read(path)
    expect(found.events).toEqual(events)
    // Events of the site that are not on this page do not count as deleted.
    expect(found.completes.includes('event')).toBe(events.length === 7)
  })

  it.each([
    ['/agenda/rubrik/blaues/', `${NAMESPACE}/events/?categories=jazz`, [1, 2]],
    ['/agenda/?x=1', `${NAMESPACE}/events/?search=Concert+5&amp;per_page=1`, [5]],
    ['/ort/halle/', `${NAMESPACE}/venues/20`, [1, 2]],
    ['/events/', `${NAMESPACE}/`, [1, 2, 3, 4, 5, 6, 7]],
    ['/event/one/', `${NAMESPACE}/events/1`, [1, 2, 3, 4, 5, 6, 7]],
  ])('has those that the page names in the API: %s', async (path, linked, events) => {
    expect((await read(path, linked)).events).toEqual(events)
  })

  it('also gives the places and categories of its events', async () => {
    expect((await read('/events/category/jazz/')).kinds).toEqual(
      new Set(['category', 'venue', 'organizer', 'event']),
    )
  })

  it('leaves the rest of a mirrored site alone', async () => {
    const mirrorFrom = async (path: string) => {
      const server = await serveSite(town(), filtered())
      stop = server.close
      const items = addressItems(server.address + path, { window: WINDOW, client: CLIENT }, CONTEXT)
      const report = await importInto(db, withStableHost(items, server.address), { mirror: true })
      await stop()
      return report
    }
    expect((await mirrorFrom('/')).countOf('event', 'created')).toBe(7)
    await mirrorFrom('/events/category/jazz/')
    expect(await db.query("SELECT count(*) AS n FROM events WHERE status = 'publish'")).toEqual([{ n: 7 }])
  })
})
