import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { selectNewLinks } from '../../../../src/calendar/events/relations/links.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { ics, siteEvent, siteOf, useFeed, vevent } from './feed.ts'

// What a source does not publish itself, and what waits for review, is not public here either.

const feed = await useFeed()
const { calendar } = feed

/** Serves a calendar, and reads it as on the next day. */
async function read(events: string[][]): Promise<void> {
  feed.serve(events)
  feed.passMinutes(25 * 60)
  await feed.runEveryOtherMinute(6)
}

/** What anybody can read of events, venues, organizers and categories. */
async function publicNames() {
  const [events, venues, organizers, categories] = await Promise.all(
    ['/events?per_page=50', '/venues', '/organizers', '/categories?hide_empty=false'].map(calendar.read),
  )
  return {
    events: events?.events.map((event: { title: string }) => event.title).sort() ?? [],
    venues: venues?.venues?.map((venue: { venue: string }) => venue.venue).sort() ?? [],
    organizers: organizers?.organizers?.map((one: { organizer: string }) => one.organizer).sort() ?? [],
    categories: categories?.categories?.map((one: { name: string }) => one.name).sort() ?? [],
  }
}

const NOTHING = { events: [], venues: [], organizers: [], categories: [] }

/** An event with a venue, an organizer and a category of its name. */
const eventNamed = (name: string, more: string[] = [], uid = name) =>
  vevent(uid, name, [
    ...[
      `LOCATION:${name} hall`,
      `ORGANIZER;CN=${name} guild:mailto:${name}@x.example`,
      `CATEGORIES:${name} talks`,
    ],
    ...more,
  ])
const all = (...names: string[]) => ({
  events: names,
  venues: names.map(name => `${name} hall`),
  organizers: names.map(name => `${name} guild`),
  categories: names.map(name => `${name} talks`),
})

describe('an event that its calendar does not publish', () => {
  it.each([
    'CLASS:PRIVATE',
    'CLASS:CONFIDENTIAL',
    'class:private',
    'CLASS;X-BY=me: Private ',
    'CLASS:X-BOARD-ONLY',
    'CLASS:PUBLIC\r\nCLASS:PRIVATE',
  ])('is not public, nor is what only it names: %s', async line => {
    await feed.add()
    await read([eventNamed('Board', [line]), eventNamed('Choir', ['CLASS:PUBLIC']), eventNamed('Dance')])
    expect(await publicNames()).toEqual(all('Choir', 'Dance'))
    expect(await feed.titles('private')).toEqual(['Board'])
  })

  it.each(['pending', 'draft'])('is private, though its source is %s', async status => {
    await feed.add({ status })
    await read([eventNamed('Board', ['CLASS:PRIVATE']), eventNamed('Choir')])
    expect(await publicNames()).toEqual(NOTHING)
    expect([await feed.titles('private'), await feed.titles(status)]).toEqual([['Board'], ['Choir']])
    for (const table of ['venues', 'organizers'])
      expect(await calendar.rows(`SELECT status FROM ${table} ORDER BY name`), table).toEqual([
        { status: 'private' },
        { status },
      ])
  })

  it('shows a venue and an organizer that another one names, whichever comes first', async () => {
    const shared = ['LOCATION:Green', 'ORGANIZER;CN=Guild:mailto:g@x.example']
    for (const order of [1, -1]) {
      const id = await feed.add()
      await read(
        [vevent('board', 'Board', [...shared, 'CLASS:PRIVATE']), vevent('choir', 'Choir', shared)]
          .slice()
          .sort(() => order),
      )
      expect(await publicNames()).toMatchObject({
        events: ['Choir'],
        venues: ['Green'],
        organizers: ['Guild'],
      })
      await calendar.must('DELETE', `/sources/${id}`)
      await calendar.clear()
    }
  })

  it('was public, and is not any more, and then is again', async () => {
    const id = await feed.add()
    await read([eventNamed('Board'), eventNamed('Choir')])
    expect(await publicNames()).toEqual(all('Board', 'Choir'))
    await read([eventNamed('Board', ['CLASS:PRIVATE']), eventNamed('Choir')])
    const now = await publicNames()
    // A category that was public stays so: bookmarks and subscriptions name it.
    expect({ ...now, categories: [] }).toEqual({ ...all('Choir'), categories: [] })
    await read([eventNamed('Board'), eventNamed('Choir')])
    expect(await publicNames()).toEqual(all('Board', 'Choir'))
    expect((await feed.runs(id)).flatMap(({ skipped }: { skipped: object[] }) => skipped)).toEqual([])
  })

  it('waits for review when it is public again, if everything of its calendar does', async () => {
    await feed.add({ status: 'pending' })
    await read([eventNamed('Board', ['CLASS:PRIVATE'])])
    await read([eventNamed('Board')])
    expect(await publicNames()).toEqual(NOTHING)
    expect(await feed.titles('pending')).toEqual(['Board'])
    expect(await calendar.rows('SELECT status FROM venues')).toEqual([{ status: 'pending' }])
  })

  it('was approved here before', async () => {
    await feed.add({ status: 'pending' })
    await read([eventNamed('Board')])
    const [event] = await calendar.rows('SELECT id FROM events')
    await calendar.must('PATCH', `/events/${event?.id}`, { status: 'publish' })
    expect((await publicNames()).events).toEqual(['Board'])
    await read([eventNamed('Board', ['CLASS:PRIVATE'])])
    expect((await publicNames()).events).toEqual([])
  })

  it('was edited here: it keeps the edit, and an editor can publish it again', async () => {
    await feed.add()
    await read([eventNamed('Board')])
    const [event] = await calendar.rows('SELECT id FROM events')
    await calendar.must('PATCH', `/events/${event?.id}`, { title: 'Boards' })
    const withdrawn = [eventNamed('Board', ['CLASS:PRIVATE'])]
    await read(withdrawn)
    expect((await publicNames()).events).toEqual([])
    expect(await feed.titles('private')).toEqual(['Boards'])
    await calendar.must('PATCH', `/events/${event?.id}`, { status: 'publish' })
    await read([...withdrawn, eventNamed('Choir')])
    expect((await publicNames()).events).toEqual(['Boards', 'Choir'])
  })

  it('leaves a venue public that an event of this calendar is at', async () => {
    await feed.add()
    await read([eventNamed('Board')])
    const [venue] = await calendar.rows('SELECT id FROM venues')
    const times = { start_date: '2027-03-02 19:00:00', end_date: '2027-03-02 21:00:00' }
    await calendar.must('POST', '/events', { title: 'Ours', venue: venue?.id, ...times })
    await read([eventNamed('Board', ['CLASS:PRIVATE'])])
    expect(await publicNames()).toMatchObject({ events: ['Ours'], venues: ['Board hall'], organizers: [] })
  })

  it('is among the dates of a series', async () => {
    const weekly = vevent('yoga', 'Yoga', ['RRULE:FREQ=WEEKLY;COUNT=3'])
    const one = (more: string[]) => [
      ...['BEGIN:VEVENT', 'UID:yoga', 'RECURRENCE-ID:20270308T190000Z', 'DTSTART:20270308T190000Z'],
      ...['DTEND:20270308T210000Z', 'SUMMARY:Board of Yoga', 'LOCATION:Attic', ...more, 'END:VEVENT'],
    ]
    await feed.add()
    await read([weekly, one(['CLASS:CONFIDENTIAL'])])
    expect(await publicNames()).toMatchObject({ events: ['Yoga', 'Yoga'], venues: [] })
    await read([weekly, one([])])
    expect(await publicNames()).toMatchObject({
      events: ['Board of Yoga', 'Yoga', 'Yoga'],
      venues: ['Attic'],
    })
  })

  it('is a series: all of its dates, those without a class of their own among them', async () => {
    const weekly = (more: string[]) => vevent('yoga', 'Yoga', ['RRULE:FREQ=WEEKLY;COUNT=3', ...more])
    const one = (more: string[]) => [
      ...['BEGIN:VEVENT', 'UID:yoga', 'RECURRENCE-ID:20270308T190000Z', 'DTSTART:20270308T180000Z'],
      ...['DTEND:20270308T210000Z', 'SUMMARY:Open day', ...more, 'END:VEVENT'],
    ]
    await feed.add()
    await read([weekly(['CLASS:PRIVATE']), one([])])
    expect(await publicNames()).toEqual(NOTHING)
    await read([weekly(['CLASS:PRIVATE']), one(['CLASS:PUBLIC'])])
    expect((await publicNames()).events).toEqual(['Open day'])
    await read([weekly([]), one([])])
    expect((await publicNames()).events).toEqual(['Open day', 'Yoga', 'Yoga'])
    await read([weekly(['CLASS:PRIVATE']), one([])])
    expect(await publicNames()).toEqual(NOTHING)
  })

  it('is a series that was edited here', async () => {
    const weekly = (more: string[]) => [vevent('yoga', 'Yoga', ['RRULE:FREQ=WEEKLY;COUNT=3', ...more])]
    await feed.add()
    await read(weekly([]))
    const [date] = await calendar.rows('SELECT id FROM events')
    await calendar.must('PATCH', `/events/${date?.id}`, { title: 'Pilates', scope: 'all' })
    await read(weekly(['CLASS:PRIVATE']))
    expect((await publicNames()).events).toEqual([])
    expect(await calendar.rows('SELECT title, status FROM series')).toEqual([
      { title: 'Pilates', status: 'private' },
    ])
  })

  it('is all that follows a date of a series, and so are the dates that are made later', async () => {
    const weekly = vevent('yoga', 'Yoga', ['RRULE:FREQ=WEEKLY'])
    const following = [
      ...['BEGIN:VEVENT', 'UID:yoga', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270315T190000Z'],
      ...[
        'DTSTART:20270315T190000Z',
        'DTEND:20270315T210000Z',
        'SUMMARY:Board',
        'CLASS:PRIVATE',
        'END:VEVENT',
      ],
    ]
    await feed.add()
    await read([weekly, following])
    expect(await feed.titles()).toEqual(['Yoga', 'Yoga'])
    expect(await calendar.rows('SELECT status FROM series')).toEqual([{ status: 'private' }])
    feed.answer(response => void response.writeHead(304).end())
    for (let week = 0; week < 4; week++) {
      feed.passMinutes(7 * 24 * 60 + 1)
      await calendar.tick()
    }
    expect(await feed.titles()).toEqual(['Yoga', 'Yoga'])
  })

  const PLACE = 'LOCATION:Harbour hall\\, Quay 1\\, 24103 Kiel'

  it('hides no duplicate, and passes no details on to one', async () => {
    const times = { start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' }
    const { id: venue } = await calendar.must('POST', '/venues', {
      venue: 'Harbour hall',
      address: 'Quay 1',
      city: 'Kiel',
    })
    await calendar.must('POST', '/events', { title: 'Jazz of the quay', venue, ...times })
    const jazz = (more: string[]) => [
      vevent('a', 'Jazz of the quay', [PLACE, 'URL:https://members.example/', ...more]),
    ]
    await feed.add()
    const own = async () => (await calendar.read('/events')).events
    await read(jazz([]))
    expect(await own()).toMatchObject([{ title: 'Jazz of the quay', website: '' }])
    await read(jazz(['CLASS:PRIVATE']))
    for (let minute = 0; minute < 3; minute++) {
      feed.passMinutes(1)
      await calendar.tick()
    }
    const [event] = await own()
    expect(JSON.stringify(event)).not.toContain('members.example')
  })

  it('no longer hides another event', async () => {
    const jazz = (more: string[]) => [vevent('a', 'Jazz of the quay', [PLACE, ...more])]
    feed.serve(jazz([]))
    await feed.add()
    await feed.runEveryOtherMinute(4)
    await feed.add({ name: 'Church', url: `${feed.address}/church.ics` })
    await feed.runEveryOtherMinute(6)
    expect((await publicNames()).events).toEqual(['Jazz of the quay'])
    feed.answer((response, url) => {
      response.writeHead(200, { 'content-type': 'text/calendar' })
      response.end(ics(jazz(url === '/feed.ics' ? ['CLASS:PRIVATE'] : [])))
    })
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(6)
    const { events } = await calendar.read('/events')
    expect(events.map((event: { source: { name: string } }) => event.source.name)).toEqual(['Church'])
  })

  it('comes from a site that marks it as private', async () => {
    const event = (id: number, status: string) =>
      siteEvent(id, {
        status,
        venue: { id, venue: `Hall ${id}`, slug: `h${id}` },
        organizer: [{ id, organizer: `Guild ${id}`, slug: `g${id}` }],
        categories: [{ id, name: `Talks ${id}`, slug: `t${id}` }],
      })
    const statuses = ['publish', 'private', 'draft', 'pending', 'password', 'trash']
    feed.answer(siteOf({ events: statuses.map((status, i) => event(i + 1, status)) }))
    await feed.add({ url: `${feed.address}/` })
    await feed.runEveryOtherMinute(6)
    expect(await publicNames()).toEqual({
      events: ['Event 1'],
      venues: ['Hall 1'],
      organizers: ['Guild 1'],
      categories: ['Talks 1'],
    })
  })
})

describe('a source whose events wait for review', () => {
  it.each(['pending', 'draft'])(
    'publishes none of their venues, organizers and categories: %s',
    async status => {
      await feed.add({ status })
      await read([eventNamed('Choir'), eventNamed('Yoga', ['RRULE:FREQ=WEEKLY;COUNT=2'])])
      expect(await publicNames()).toEqual(NOTHING)
      await read([
        eventNamed('Choir', ['DESCRIPTION:News']),
        eventNamed('Yoga', ['RRULE:FREQ=WEEKLY;COUNT=2']),
      ])
      expect(await publicNames()).toEqual(NOTHING)
    },
  )

  it('shows events that an editor has published, and keeps updating them', async () => {
    await feed.add({ status: 'pending' })
    await read([eventNamed('Choir')])
    const { events } = await calendar.must('GET', '/events?status=pending')
    const [{ id, venue, organizer }] = events
    const newLinks = await new Database(calendar.DB).read(selectNewLinks(sql`SELECT ${id}`))
    expect(newLinks.get(id)).toEqual({ venue: new Set([venue.id]), organizer: new Set([organizer[0].id]) })
    await calendar.must('PATCH', `/events/${id}`, { status: 'publish' })
    await calendar.must('PATCH', `/venues/${venue.id}`, { status: 'publish' })
    await calendar.must('PATCH', `/organizers/${organizer[0].id}`, { status: 'publish' })
    expect(await publicNames()).toEqual(all('Choir'))
    await read([eventNamed('Choir', ['DESCRIPTION:News']), vevent('new', 'New', ['LOCATION:Choir hall'])])
    expect(await publicNames()).toEqual(all('Choir'))
    expect((await calendar.read(`/events/${id}`)).description).toContain('News')
  })

  it('brings the categories of a site, which show with its events', async () => {
    const categories = [
      { id: 1, name: 'Pills', slug: 'pills', parent: 0 },
      { id: 2, name: 'Cheap pills', slug: 'cheap', parent: 1 },
      { id: 3, name: 'Cheapest pills', slug: 'cheapest', parent: 2 },
    ]
    const events = [siteEvent(1, { categories: categories.slice(1, 2) })]
    feed.answer(siteOf({ events, categories, venues: [{ id: 9, venue: 'Attic', slug: 'attic' }] }))
    await feed.add({ url: `${feed.address}/`, status: 'pending' })
    await feed.runEveryOtherMinute(6)
    expect(await publicNames()).toEqual(NOTHING)
    const [waiting] = (await calendar.must('GET', '/events?status=pending')).events
    await calendar.must('PATCH', `/events/${waiting.id}`, { status: 'publish' })
    // Its address has the slug of the one above it.
    expect((await publicNames()).categories).toEqual(['Cheap pills', 'Pills'])
  })
})

describe('a source whose events are published from now on', () => {
  const weekly = (more: string[] = []) => vevent('yoga', 'Yoga', ['RRULE:FREQ=WEEKLY;COUNT=2', ...more])
  const publishFrom = async (id: number) => calendar.must('PATCH', `/sources/${id}`, { status: 'publish' })
  const titlesSeen = async () => (await publicNames()).events

  it.each([
    { status: 'pending', mirror: false },
    { status: 'pending', mirror: true },
    { status: 'draft', mirror: true },
  ])('publishes only what is new, not what waited: %o', async fields => {
    const id = await feed.add(fields)
    await read([eventNamed('Choir'), weekly()])
    await publishFrom(id)
    await read([eventNamed('Choir'), weekly()])
    expect(await publicNames()).toEqual(NOTHING)
    await read([eventNamed('Choir', ['DESCRIPTION:News']), weekly(['DESCRIPTION:News']), eventNamed('Dance')])
    expect(await publicNames()).toEqual(all('Dance'))
    expect(await feed.titles(fields.status)).toEqual(['Choir', 'Yoga', 'Yoga'])
    for (const { id: event } of await calendar.rows('SELECT min(id) AS id FROM events GROUP BY title'))
      await calendar.must('PATCH', `/events/${event}`, { status: 'publish', scope: 'all' })
    await read([
      eventNamed('Choir', ['DESCRIPTION:Others']),
      weekly(['DESCRIPTION:Others']),
      eventNamed('Dance'),
    ])
    // The venue is published with the event that names it, now that the event is public.
    expect(await publicNames()).toEqual({
      ...all('Choir', 'Dance'),
      events: ['Choir', 'Dance', 'Yoga', 'Yoga'],
    })
    const texts = await calendar.rows("SELECT DISTINCT description FROM events WHERE title = 'Choir'")
    expect(texts).toEqual([{ description: '<p>Others</p>' }])
  })

  it('does not publish what was edited while it waited, nor what was put back', async () => {
    for (const mirror of [false, true]) {
      const id = await feed.add({ status: 'pending', mirror })
      await read([eventNamed('Choir'), eventNamed('Dance')])
      const rows = await calendar.rows("SELECT id, title FROM events WHERE status = 'pending'")
      for (const { id: event } of rows) await calendar.must('PATCH', `/events/${event}`, { title: 'Edited' })
      const choir = rows.find(({ title }) => title === 'Choir')?.id
      await calendar.must('PATCH', `/events/${choir}`, { title: 'Choir' })
      await publishFrom(id)
      await read([eventNamed('Choir', ['COMMENT:1']), eventNamed('Dance')])
      await read([eventNamed('Choir', ['COMMENT:2']), eventNamed('Dance', ['DESCRIPTION:News'])])
      expect(await titlesSeen()).toEqual([])
      await calendar.must('DELETE', `/sources/${id}`)
      await calendar.clear()
    }
  })

  it('does not publish dates of a series that waits, nor what it becomes', async () => {
    const id = await feed.add({ status: 'pending' })
    await read([weekly(), vevent('choir', 'Choir')])
    await publishFrom(id)
    await read([weekly(['RDATE:20270310T190000Z']), vevent('choir', 'Choir', ['RRULE:FREQ=WEEKLY;COUNT=4'])])
    expect(await titlesSeen()).toEqual([])
    await read([vevent('yoga', 'Yoga'), vevent('choir', 'Choir', ['RRULE:FREQ=WEEKLY;COUNT=4'])])
    expect(await titlesSeen()).toEqual([])
    expect(await feed.titles('pending')).toEqual(['Choir', 'Choir', 'Choir', 'Choir', 'Yoga'])
  })

  it('shows the venue that waited with an event, once a new event is there', async () => {
    const at = (uid: string) => vevent(uid, uid, ['LOCATION:Green'])
    const id = await feed.add({ status: 'pending' })
    await read([at('Choir')])
    await publishFrom(id)
    await read([at('Choir'), at('Dance')])
    await read([at('Choir'), at('Dance'), vevent('other')])
    expect(await publicNames()).toMatchObject({ events: ['Concert other', 'Dance'], venues: ['Green'] })
  })

  it('leaves a category that waited out of sight, though its description changes', async () => {
    const siteWith = (description: string) => {
      const categories = [{ id: 1, name: 'Pills', slug: 'pills', parent: 0, description }]
      return siteOf({ events: [siteEvent(1, { categories })], categories })
    }
    feed.answer(siteWith('Old'))
    const id = await feed.add({ url: `${feed.address}/`, status: 'pending' })
    await feed.runEveryOtherMinute(6)
    await publishFrom(id)
    feed.answer(siteWith('<b>New</b>\r\n<u>and</u> old &amp; dear'))
    feed.passMinutes(25 * 60)
    await feed.runEveryOtherMinute(6)
    expect(await calendar.rows('SELECT description FROM terms')).toEqual([
      { description: '<strong>New</strong>\nand old &amp; dear' },
    ])
    expect(await publicNames()).toEqual(NOTHING)
  })
})
