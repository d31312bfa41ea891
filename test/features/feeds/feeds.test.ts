import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, API, declareUser, makeCategory, makeEvent, SITE, send, WHEN } from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { calendar, eventsOf } from './calendar.ts'
import { expanded } from './expand.ts'

const admin = declareUser('administrator', 'admin')
const author = declareUser('author')

const lines = (text: string): string[] => text.replace(/\r\n[ \t]/g, '').split('\r\n')

describe('a calendar’s entry of an event', () => {
  it('has the titles and names that a program copies from a WordPress site, as people read them', async () => {
    const { id, title } = await makeEvent(admin, {
      title: 'Rock &#8217;n&#8217; Roll &amp; more',
      venue: { venue: 'Bar &#038; Grill', city: 'Cork' },
      categories: [{ name: 'Food &amp; Drink' }],
    })
    expect(title).toBe('Rock ’n’ Roll & more')
    const { text } = await send('GET', `/events/${id}.ics`)
    expect(eventsOf(text, `event-${id}@calendar.example`)).toMatchObject([
      { summary: 'Rock ’n’ Roll & more', location: 'Bar & Grill, Cork', categories: 'Food & Drink' },
    ])
    const { body } = await send('GET', `/events?search=${encodeURIComponent('rock ’n’ roll &')}`)
    expect(body.events).toMatchObject([{ id }])
  })

  it('has all of its fields, in lines of at most 75 bytes that end between characters', async () => {
    const { id } = await makeEvent(admin, {
      title: 'Ünïcödé 日本語, "quoted"; \\back &lt; 𝄞'.repeat(9),
      description: `<h2>Head</h2><p>One <b>two</b>,<br>three; \\n four</p><ul><li>a</li><li>b</li></ul>${'<p>日本語。</p>'.repeat(99)}`,
      timezone: 'Europe/Rome',
      start_date: '2027-03-27 22:00:00',
      end_date: '2027-03-28 04:00:00',
      venue: { venue: 'The "Hall", 1', address: 'Main St; 1', city: 'Rome', geo_lat: 41.9, geo_lng: 1e-7 },
      organizer: [{ organizer: 'Ann: "A"', email: 'ann@example.org' }, { organizer: 'Bob' }],
      categories: ['Music, live', 'B'],
      image: 'https://example.org/a.png',
      website: 'https://example.org/tickets?a=1;b=2,3',
      is_virtual: true,
      virtual_url: 'https://meet.example.org/x',
      event_status: 'postponed',
      event_status_reason: 'Rain,\nmore rain',
    })
    const { text, headers } = await send('GET', `/events/${id}.ics`)
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const bytes = new TextEncoder()
    const physical = text.split('\r\n')
    for (const line of physical) {
      expect(bytes.encode(line).length, line).toBeLessThanOrEqual(75)
      expect(line.isWellFormed() && !line.includes('\n')).toBe(true)
    }
    expect(physical.at(-1)).toBe('')
    const [event = {}] = eventsOf(text, `event-${id}@calendar.example`)
    const { body } = await send('GET', `/events/${id}`)
    expect(event).toMatchObject({
      summary: `Postponed: ${body.title.replaceAll('&lt;', '<')}`,
      location: 'The "Hall", 1, Main St; 1, Rome',
      geo: '41.9,0',
      organizer: 'mailto:ann@example.org',
      contact: 'Bob',
      categories: 'B',
      url: 'https://example.org/tickets?a=1;b=2,3',
      image: 'https://example.org/a.png',
      conference: 'https://meet.example.org/x',
      status: 'TENTATIVE',
      comment: 'Rain, more rain',
      dtstart: '2027-03-27T22:00:00',
      dtend: '2027-03-28T04:00:00',
      sequence: '1',
    })
    expect(event.description).toMatch(
      /^Head\n\nOne two,\nthree; \\n four\n\n• a\n• b\n\n日本語。\n\n日本語。/,
    )
    // ical.js does not unescape what it does not know.
    const rich = event['x-alt-desc']?.replace(/\\([;,\\])/g, '$1').split('<div class="x-event-notes">')
    expect(rich?.[0]).toBe(body.description.replaceAll('\n', '\\n'))
  })

  it('ends with the room, the tickets that are left and the access, in the language of the site', async () => {
    const { id } = await makeEvent(admin, {
      title: 'Open to all',
      description: '<p>Come.</p>',
      ticket_availability: 'few',
      accessibility: 'Ramp & lift',
      room: 'Great hall',
      venue: { venue: 'Hall with a ramp', wheelchair: 'limited', accessibility: 'Stairs' },
    })
    const text = (await send('GET', `/events/${id}.ics`)).text.replace(/\r\n /g, '')
    const notes = ['Great hall', 'Few left', 'Partly wheelchair accessible', 'Ramp & lift']
    expect(text).toContain(`DESCRIPTION:${['Come.', ...notes].join('\\n')}\r\n`)
    expect(text).toMatch(/X-ALT-DESC.*<p>Come\.<\/p>\s*(?:\\n)?<div class="x-event-notes"><p>Great hall<\/p>/)
    for (const path of ['/events.rss', '/events.feed.json'])
      expect((await send('GET', `${path}?search=open+to+all`)).text, path).toContain(
        'Partly wheelchair accessible',
      )
    await send('PATCH', `/events/${id}`, { as: admin, json: { event_status: 'canceled', description: '' } })
    const canceled = (await send('GET', `/events/${id}.ics`)).text.replace(/\r\n /g, '')
    expect(canceled).toContain(`DESCRIPTION:${[notes[0], ...notes.slice(2)].join('\\n')}\r\n`)
  })

  it('says why it is off, where it is online, and where its own page is', async () => {
    const { id, url } = await makeEvent(admin, {
      title: 'Why and where',
      is_virtual: true,
      virtual_event_type: 'virtual',
      virtual_url: 'https://meet.example.org/1',
      website: 'https://theatre.example.org/1',
      event_status: 'postponed',
      event_status_reason: 'Rain &amp; wind',
    })
    const notes = ['Postponed: Rain & wind', 'Join online: https://meet.example.org/1']
    for (const address of [`/events/${id}.ics`, '/events.ics?search=why']) {
      const text = (await send('GET', address)).text.replace(/\r\n /g, '')
      expect(text).toContain(`DESCRIPTION:${[...notes, url].join('\\n')}\r\n`)
      expect(text).toMatch(/^X-ALT-DESC.*:<div class="x-event-notes"><p>Postponed: Rain &amp\\; wind<\/p>/m)
    }
    expect((await send('GET', '/events.rss?search=why')).text).toContain('Join online: https://meet')
    const [item] = JSON.parse((await send('GET', '/events.feed.json?search=why')).text).items
    expect(item._event).toMatchObject({ status: 'postponed', status_reason: 'Rain & wind' })
    expect(item.content_html).toContain('<p>Postponed: Rain &amp; wind</p>')
    // With a text, whose own page is its URL.
    const plain = await makeEvent(admin, { title: 'Plain', description: '<p>Text</p>' })
    const ics = (await send('GET', `/events/${plain.id}.ics`)).text
    expect(ics.match(/^(?:DESCRIPTION|X-ALT-DESC).*:.*(?=\r)/gm)?.map(line => line.split(':')[1])).toEqual([
      'Text',
      '<p>Text</p>',
    ])
  })

  it('of a date has its own room, tickets and access, which its series has not', async () => {
    const { series, id } = await makeEvent(admin, {
      title: 'Rooms',
      recurrence: 'FREQ=DAILY;COUNT=5',
      room: 'Hall',
    })
    const own = [{ room: 'Cellar' }, { ticket_availability: 'few' }, { accessibility: 'Ramp' }]
    for (const [i, json] of own.entries()) await send('PATCH', `/events/${id + 1 + i}`, { as: admin, json })
    const shown = eventsOf(await calendar(`series=${series.id}`), `series-${series.id}@calendar.example`)
    expect(shown.map(({ description }) => description)).toEqual([
      'Hall',
      'Cellar',
      'Hall\nFew left',
      'Hall\nRamp',
    ])
  })

  it('has no place for an online event, and a reason only if it does not take place', async () => {
    const { id } = await makeEvent(admin, {
      title: 'As announced',
      is_virtual: false,
      virtual_url: 'https://meet.example.org/before',
      event_status_reason: 'It was not clear',
    })
    for (const path of [`/events/${id}.ics`, '/events.rss', '/events.feed.json'])
      expect((await send('GET', path)).text, path).not.toMatch(/meet\.example\.org\/before|not clear/)
  })

  it('has no end if the event has no length, and so has a series', async () => {
    const moment = { start_date: '2027-01-10 10:00', end_date: '2027-01-10 10:00', timezone: 'Europe/Rome' }
    const single = await makeEvent(admin, { title: 'Moment', ...moment })
    await makeEvent(admin, { title: 'Moment', ...moment, recurrence: 'FREQ=DAILY;COUNT=3' })
    const text = await calendar('search=moment')
    expect(text).not.toMatch(/^(DTEND|DURATION)/m)
    expect(expanded(text).map(({ start, end }) => start === end)).toEqual([true, true, true, true])
    await send('PATCH', `/events/${single.id}`, { as: admin, json: { all_day: true } })
    expect(await calendar('search=moment')).toContain('DTEND;VALUE=DATE:20270111')
  })

  it('names the leap day of a yearly rule, which programs take for others', async () => {
    const day = { start_date: '2024-02-29 10:00', end_date: '2024-02-29 11:00', timezone: 'Europe/Rome' }
    for (const recurrence of ['FREQ=YEARLY', 'FREQ=YEARLY;BYMONTH=2'])
      await makeEvent(admin, { title: 'Leapling', ...day, recurrence })
    await makeEvent(admin, { title: 'Leapling', ...day, recurrence: 'FREQ=YEARLY;BYDAY=MO;BYMONTH=1' })
    const text = await calendar('search=leapling&start_date=2024-01-01')
    const rules = lines(text).filter(line => line.startsWith('RRULE:') && line.includes('BYMONTHDAY'))
    expect(rules).toHaveLength(2)
    for (const rule of rules) expect(rule).toMatch(/;BYMONTH=2;BYMONTHDAY=29$/)
  })

  it.each(['en', 'de'])('belongs to a calendar that is named after its filters: %s', async LANGUAGE => {
    const { venue, organizer } = await makeEvent(admin, {
      venue: { venue: 'Town &amp; hall' },
      organizer: { organizer: 'Guild' },
      categories: ['Live music', 'Film'],
      tags: ['outdoor'],
    })
    const sendNamed = sendWith({ SITE_NAME: 'Kells', LANGUAGE })
    const titleAndPath = async (query: string) => {
      const [calendarFeed, rss, json] = await Promise.all(
        ['ics', 'rss', 'feed.json'].map(format => sendNamed('GET', `/events.${format}?${query}`)),
      )
      const { title, home_page_url } = JSON.parse(json?.text ?? '')
      const found = [/<title>(.*?)<.*?<link>(.*?)</s.exec(rss?.text ?? '')].flat().slice(1)
      expect(found.map(text => text?.replaceAll('&amp;', '&'))).toEqual([title, home_page_url])
      const named = lines(calendarFeed?.text ?? '').flatMap(
        line => /^(?:NAME|X-WR-CALNAME):(.*)/.exec(line)?.[1] ?? [],
      )
      expect(named.map(name => name.replaceAll('\\,', ','))).toEqual([title, title])
      return [title, home_page_url.replace(SITE, '')]
    }
    expect(await titleAndPath('')).toEqual(['Kells', '/events/'])
    expect(await titleAndPath('categories=live-music,film')).toEqual([
      'Live music, Film · Kells',
      '/events/?categories=live-music,film',
    ])
    expect(await titleAndPath(`venue=${venue.id}&organizer=${organizer[0].id}&tags=outdoor`)).toEqual([
      'outdoor, Town & hall, Guild · Kells',
      `/events/?tags=outdoor&venue=${venue.id}&organizer=${organizer[0].id}`,
    ])
    const free = LANGUAGE === 'de' ? '„choir“, Eintritt frei · Kells' : '“choir”, Free · Kells'
    expect(await titleAndPath('search=choir&is_free=true')).toEqual([
      free,
      '/events/?search=choir&is_free=true',
    ])
    expect((await titleAndPath(`search=${'x'.repeat(1000)}`))[0]).toMatch(/^.x{99}… · Kells$/)
  })

  it('says how often programs should refresh', async () => {
    const { text } = await sendWith({ CACHE_MAX_AGE: '7200', SITE_NAME: 'A, B' })('GET', '/events.ics')
    expect(lines(text)).toEqual(
      expect.arrayContaining([
        'REFRESH-INTERVAL;VALUE=DURATION:PT120M',
        'X-PUBLISHED-TTL:PT120M',
        'X-WR-CALNAME:A\\, B',
      ]),
    )
  })

  it('stays for 90 days after the event', async () => {
    const past = (date: string) =>
      makeEvent(admin, { title: `Past ${date}`, start_date: date, end_date: date, all_day: true })
    for (const date of ['2026-08-21', '2026-08-22', '2026-11-01']) await past(date)
    expect(expanded(await calendar('search=past')).map(({ title }) => title)).toEqual([
      'Past 2026-08-22',
      'Past 2026-11-01',
    ])
  })

  it('stays while the event runs, and for 90 days after that', async () => {
    const shows = [
      ['2026-01-01', '2026-08-21'],
      ['2026-01-01', '2026-08-22'],
      ['2026-01-01', '2027-02-28'],
      ['2026-11-01', '2035-12-31'],
      ['2028-11-20', '2028-12-31'],
      ['2028-11-21', '2028-12-31'],
    ] as const
    const titleOf = ([from, to]: readonly [string, string]): string => `Show ${from} ${to}`
    for (const show of shows)
      await makeEvent(admin, { title: titleOf(show), start_date: show[0], end_date: show[1], all_day: true })
    const titles = async (query = '') =>
      expanded(await calendar(`search=show${query}`)).map(({ title }) => title)
    expect(await titles()).toEqual(shows.slice(1, -1).map(titleOf))
    expect(await titles('&end_date=2027-12-31')).toEqual(shows.slice(1, 3).map(titleOf))
    expect(await titles('&end_date=2035-12-31')).toEqual(shows.slice(1).map(titleOf))
    expect(await titles('&start_date=2026-08-22')).toEqual([])
    const rss = (await send('GET', '/events.rss?search=show')).text
    expect(rss.match(/Show [\d -]+(?=<\/title>)/g)?.sort()).toEqual(shows.slice(1, -1).map(titleOf).sort())
  })
})

describe('a feed is the same for everybody', () => {
  it('without unpublished and hidden events, even for their authors', async () => {
    const { id: category } = await makeCategory(admin, 'Secret')
    for (const status of ['draft', 'pending', 'private'])
      await makeEvent(author, { title: `Secret ${status}`, status, categories: [category] })
    await makeEvent(author, { title: 'Secret scheduled', date: '2027-01-01', categories: [category] })
    await makeEvent(author, { title: 'Secret unlisted', hide_from_listings: true, categories: [category] })
    const venue = { venue: 'Secret hall', status: 'draft' }
    await makeEvent(author, {
      title: 'Seen',
      venue,
      organizer: { organizer: 'Secret people', status: 'draft' },
      categories: [category],
    })
    const digests = ['/events/digest.html', '/events/digest.txt']
    for (const path of ['/events.ics', '/events.rss', '/events.feed.json', '/events.csv', ...digests]) {
      const query = `${path}?categories=secret&days=62`
      const plain = await send('GET', query)
      const own = await send('GET', query, { as: author })
      expect(plain.text.match(/Secret (?!<)\w+/g) ?? [], path).toEqual([])
      expect(plain.text).toContain('Seen')
      expect(own.text).toBe(plain.text)
      expect(own.headers.get('etag')).toBe(plain.headers.get('etag'))
    }
    const draft = await makeEvent(author, { title: 'Draft', status: 'draft' })
    expect((await send('GET', `/events/${draft.id}.ics`, { as: author })).status).toBe(403)
    expect((await send('GET', '/events.ics', { headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
  })

  it('filters that name unknown or hidden things are errors', async () => {
    const { id } = await makeEvent(admin, { title: 'Parent', status: 'draft' })
    for (const query of [
      'venue=9999',
      'categories=nothing',
      `post_parent=${id}`,
      'start_date=never',
      'geoloc_lat=1',
    ])
      for (const as of ['', admin])
        expect((await send('GET', `/events.ics?${query}`, as === '' ? {} : { as })).status, query).toBe(400)
    const { headers } = await send('GET', '/events.ics?status=draft&page=2&per_page=1&order=desc', {
      as: admin,
    })
    expect(headers.get('x-ignored-fields')).toBe('status, page, per_page, order')
  })
})

describe('the order of a feed', () => {
  it('is that of starts or, in feeds of news, of publication, and of ids where these are equal', async () => {
    // One on each side of now, so that the feed is read in both directions.
    const days = [
      '2027-02-02',
      '2026-11-01',
      '2027-02-02',
      '2027-02-01',
      '2026-11-01',
      '2027-02-02',
      '2027-02-03',
    ]
    const made: { title: string; day: string }[] = []
    for (const [i, day] of days.entries()) {
      const title = `Ordered ${'gfedcba'.charAt(i)}`
      await makeEvent(admin, { title, start_date: `${day} 20:00:00`, end_date: `${day} 21:00:00` })
      made.push({ title, day })
    }
    const titles = async (format: string) =>
      lines((await send('GET', `/events.${format}?search=ordered&start_date=2026-10-01`)).text)
        .join('\n')
        .match(/(?<=SUMMARY:|<title>|"title":"|^"?)Ordered [a-g]/gm)
    const byStart = made.toSorted((a, b) => a.day.localeCompare(b.day)).map(({ title }) => title)
    for (const format of ['ics', 'csv']) expect(await titles(format), format).toEqual(byStart)
    // All were published at the same time.
    const newest = made.toReversed().map(({ title }) => title)
    for (const format of ['rss', 'feed.json']) expect(await titles(format), format).toEqual(newest)
  })
})

describe('an edit', () => {
  const sequenceOf = async (id: number, uid: string): Promise<number> => {
    const found = eventsOf((await send('GET', `/events/${id}.ics`)).text, uid)
    expect(found, uid).toHaveLength(1)
    return Number(found[0]?.sequence)
  }

  it('of a rule raises the SEQUENCE of every date, where each is an event of its own', async () => {
    const { id, series } = await makeEvent(admin, { title: 'Numbered', recurrence: 'FREQ=DAILY;COUNT=2' })
    for (const n of [3, 4, 5])
      await send('PATCH', `/events/${id}`, {
        as: admin,
        json: { recurrence: `FREQ=DAILY;COUNT=${n}`, scope: 'all' },
      })
    const sequences = async (query: string) =>
      [...(await calendar(`series=${series.id}${query}`)).matchAll(/^SEQUENCE:(\d+)/gm)].map(([, n]) =>
        Number(n),
      )
    const [ofSeries = 0] = await sequences('')
    expect(ofSeries).toBeGreaterThanOrEqual(3)
    expect(Math.min(...(await sequences('&expand=true')))).toBeGreaterThanOrEqual(ofSeries)
  })

  it('never changes the UID, nor lowers SEQUENCE', async () => {
    const edits: ((n: number) => object)[] = [
      n => ({ title: `Title ${n}` }),
      n => ({ start_date: `2027-02-${10 + (n % 9)} 10:00`, end_date: `2027-02-${10 + (n % 9)} 11:00` }),
      n => ({ external_id: n % 2 ? `external ${n}` : '' }),
      () => ({ slug: 'other' }),
      () => ({ timezone: 'Europe/Rome' }),
      () => ({ status: 'trash' }),
      () => ({ status: 'publish' }),
      () => ({ recurrence: 'FREQ=DAILY;COUNT=4' }),
      n => ({ title: `All ${n}`, scope: 'all' }),
      () => ({ recurrence: '' }),
      () => ({ event_status: 'canceled' }),
    ]
    const plans = fc.sample(fc.array(fc.nat(edits.length - 1), { minLength: 5, maxLength: 12 }), {
      numRuns: 6,
      seed: 3,
    })
    for (const [n, plan] of plans.entries()) {
      const external = n % 3 === 0 ? `imported-${n}@elsewhere` : ''
      const event = await makeEvent(admin, { title: 'Edited', external_id: external })
      const uid = external || `event-${event.id}@calendar.example`
      let before = await sequenceOf(event.id, uid)
      for (const [step, edit] of plan.entries()) {
        const { status, body } = await send('PATCH', `/events/${event.id}`, {
          as: admin,
          json: edits[edit]?.(n * 20 + step),
        })
        expect(status, JSON.stringify([plan, step, body])).toBe(200)
        // What is in the trash is in no calendar.
        if (body.status === 'trash') continue
        const after = await sequenceOf(event.id, uid)
        expect(after, JSON.stringify([plan, step])).toBeGreaterThanOrEqual(before)
        before = after
      }
    }
  })

  it('that ends a series leaves the event that is left', async () => {
    const first = await makeEvent(admin, { title: 'Ending' })
    await send('PATCH', `/events/${first.id}`, { as: admin, json: { recurrence: 'FREQ=DAILY;COUNT=3' } })
    const uid = `event-${first.id}@calendar.example`
    expect(eventsOf(await calendar(), uid)).toMatchObject([{ summary: 'Ending', sequence: '3' }])
    await send('PATCH', `/events/${first.id}`, { as: admin, json: { recurrence: '' } })
    const left = eventsOf(await calendar(), uid)
    expect(left).toMatchObject([{ summary: 'Ending', status: 'CONFIRMED' }])
    expect(left[0]).not.toHaveProperty('rrule')
    expect(Number(left[0]?.sequence)).toBeGreaterThan(3)
  })

  it('with an external id that another one had leaves both their UIDs', async () => {
    const first = await makeEvent(admin, { external_id: 'same' })
    await send('PATCH', `/events/${first.id}`, { as: admin, json: { external_id: '' } })
    const { body: second } = await send('PUT', '/events/by-external-id/same', {
      as: admin,
      json: { title: 'Second', ...WHEN },
    })
    const uids = [first.id, second.id].map(
      async id => /^UID:(.*)$/m.exec((await send('GET', `/events/${id}.ics`)).text)?.[1],
    )
    expect(await Promise.all(uids)).toEqual(['same', `event-${second.id}@calendar.example`])
  })
})

describe('a feed is read like a list', () => {
  it.each([
    '/events.ics',
    '/events.rss',
    '/events.feed.json',
    '/events.csv',
    '/events/digest.html',
    '/events/digest.txt?days=62',
    '/events.ics?categories=music&search=a',
    '/events/1.ics',
  ])('%s takes one round trip, and a row if nothing has changed', async path => {
    await makeEvent(admin, { categories: ['Music'], title: 'A' })
    const first = await measure('GET', path)
    expect(first).toMatchObject({ status: 200, trips: 1 })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect(await measure('GET', path, { headers })).toMatchObject({ status: 304, trips: 1, rows: 1 })
    expect(first.headers.get('cache-control')).toMatch(/^public/)
    await makeEvent(admin, { title: 'Another' })
    expect((await measure('GET', path, { headers })).status).toBe(200)
    expect((await send('HEAD', path)).status).toBe(200)
  })
})

describe('JSON Feed 1.1', () => {
  it('keeps its rules', async () => {
    await makeEvent(admin, {
      title: 'Whole',
      ...WHEN,
      organizer: { organizer: 'Cy', website: 'https://example.org/cy' },
      categories: ['Music'],
      website: 'https://example.org/whole',
      image: 'https://example.org/a.png',
    })
    await makeEvent(admin, {
      title: 'Series',
      recurrence: 'FREQ=DAILY;COUNT=3',
      image: 'https://example.org/b.png',
    })
    const { text, headers } = await send('GET', '/events.feed.json?is_virtual=0')
    expect(headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
    const feed: Answer['body'] = JSON.parse(text)
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Events',
      home_page_url: expect.stringMatching(/^https:/),
      feed_url: `${API}/events.feed.json?is_virtual=0`,
    })
    const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/
    expect(feed.items).not.toEqual([])
    for (const item of feed.items) {
      expect(typeof item.id === 'string' && item.id !== '').toBe(true)
      expect(item.content_html ?? item.content_text, JSON.stringify(item)).toMatch(/./)
      for (const name of ['url', 'external_url', 'image'])
        if (name in item) expect(URL.canParse(item[name]), name).toBe(true)
      expect(item.date_published).toMatch(RFC_3339)
      expect(item.date_modified).toMatch(RFC_3339)
      expect((item.tags ?? []).every((tag: unknown) => typeof tag === 'string')).toBe(true)
      expect((item.authors ?? []).every((one: object) => 'name' in one || 'url' in one)).toBe(true)
      expect(item._event).toMatchObject({
        start: expect.any(String),
        end: expect.any(String),
        status: expect.any(String),
      })
    }
    expect(feed.items.find(({ title }: Answer['body']) => title === 'Whole')).toMatchObject({
      url: expect.any(String),
      external_url: 'https://example.org/whole',
      image: 'https://example.org/a.png',
      tags: ['Music'],
      authors: [{ name: 'Cy', url: 'https://example.org/cy' }],
    })
    const ids = feed.items.map((item: Answer['body']) => item.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(3)
  })
})
