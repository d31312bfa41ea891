import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeCategory, makeEvent, makeVenue, query, SITE, send } from '../../factories.ts'
import { dataIn, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const editor = declareUser('editor', 'ed')
const author = declareUser('author', 'ann')
const contributor = declareUser('contributor', 'cora')
let festival: number
let concert: number

const make = (title: string, start: string, fields: object = {}) =>
  makeEvent(admin, { title, start_date: `2027-06-${start}`, end_date: `2027-06-${start}`, ...fields })

beforeAll(async () => {
  const hall = await makeVenue(admin, 'Great hall', { city: 'Kent' })
  const yard = await makeVenue(admin, 'Yard')
  festival = (await make('Festival', '10 10:00', { end_date: '2027-06-12 22:00', venue: hall.id })).id
  const part = { post_parent: festival, venue: hall.id }
  concert = (await make('Opening concert', '10 20:00', { ...part, cost: '$10 - $25' })).id
  await make('Talk', '10 18:00', { ...part, venue: yard.id, cost: '0', ticket_availability: 'few' })
  await make('Only for guests', '11 09:00', { ...part, hide_from_listings: true, room: 'Gallery' })
  await make('Secret part', '11 10:00', { ...part, status: 'draft' })
  await make('Dropped part', '11 11:00', { ...part, event_status: 'canceled', cost: '$5' })
  const gone = await make('Trashed part', '11 12:00', part)
  await send('DELETE', `/events/${gone.id}`, { as: admin })
})

const change = (id: number, json: object) => send('PATCH', `/events/${id}`, { as: admin, json })

describe('the page of an event with parts', () => {
  it('shows its programme by day and time, with rooms and costs, including parts that lists hide', async () => {
    const { html, text } = await page('/event/festival/')
    expect(text).toMatch(
      /Programme Thursday, June 10 Yard Great hall 6:00 PM Talk Few left Yard · Free 8:00 PM Opening concert Great hall · \$10 – \$25 Friday, June 11 Great hall Great hall, Gallery 9:00 AM Only for guests Great hall, Gallery 11:00 AM Dropped part Cancelled Great hall Share/,
    )
    expect(text).not.toMatch(/Secret part|Trashed part/)
    expect(html).toContain('href="/event/opening-concert/"')
    expect((await page('/events/2027-06-11/')).text).not.toContain('Only for guests')
  })

  it('has parts at the same time beside each other, each with its end and a line of text', async () => {
    const { id } = await make('Open day', '20 10:00', {
      end_date: '2027-06-21 18:00',
      venue: { venue: 'Mill' },
    })
    const part = { post_parent: id, venue: { venue: 'Mill' } }
    await make('Tour', '20 11:00', {
      ...part,
      end_date: '2027-06-20 12:00',
      excerpt: 'Mind <b>your</b> head.',
    })
    await make('Baking', '20 11:00', { ...part, end_date: '2027-06-20 13:30', room: 'Cellar' })
    await make('Feast', '21 15:00', { ...part, end_date: '2027-06-21 18:00' })
    const { html, text } = await page('/event/open-day/')
    // All of it is in the event's own venue, which is not repeated.
    expect(text).toContain(
      'Sunday, June 20 11:00 AM Tour 11:00 AM – 12:00 PM Mind your head. Baking Cellar · 11:00 AM – 1:30 PM Monday, June 21 3:00 – 6:00 PM Feast Share',
    )
    expect(html.match(/<ul class="parts">/g)).toHaveLength(2)
  })

  it('has a column for each room of a day, in the same order each day, and a row for each time', async () => {
    const { id } = await make('Room fair', '14 09:00', {
      end_date: '2027-06-15 22:00',
      venue: { venue: 'Mill' },
    })
    const part = { post_parent: id, venue: { venue: 'Mill' } }
    await make('Doors', '14 09:00', part)
    await make('Puppets', '14 09:00', { ...part, room: 'Attic' })
    await make('Baking', '14 10:00', { ...part, room: 'Cellar' })
    await make('Bread', '15 09:00', { ...part, room: 'Cellar' })
    await make('Shadows', '15 10:00', { ...part, room: 'Attic' })
    await make('Farewell', '16 10:00', { ...part, room: 'Attic' })
    const { html } = await page('/event/room-fair/')
    const tables = [...html.matchAll(/<table class="timetable">(.*?)<\/table>/gs)].map(([, table = '']) =>
      [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
        [...row.matchAll(/<t[hd]( colspan="2")?.*?<\/t[hd]>/gs)].map(
          ([cell, isWide]) => (isWide ? 'wide ' : '') + (/[A-Z]\w+(?=<\/(?:a|th)>)/.exec(cell)?.[0] ?? ''),
        ),
      ),
    )
    expect(tables).toEqual([
      [
        ['', 'Attic', 'Cellar'],
        // What is in no room has a row of its own.
        ['', 'wide Doors'],
        ['', 'Puppets', ''],
        ['', '', 'Baking'],
      ],
      [
        ['', 'Attic', 'Cellar'],
        ['', '', 'Bread'],
        ['', 'Shadows', ''],
      ],
    ])
    expect(html).toMatch(/Wednesday, June 16<\/h3>\s*<ol>/)
  })

  it('does not name its own parts as further events, nor parts each other, however many there are', async () => {
    const category = { categories: [(await makeCategory(admin, 'Parade')).id] }
    const at = { venue: { venue: 'Field' }, ...category }
    const { id } = await make('Carnival', '16 09:00', { end_date: '2027-06-18 22:00', ...at })
    for (let i = 10; i < 30; i++) await make(`Float ${i}`, '17 10:00', { ...at, post_parent: id })
    await make('Cattle show', '19 10:00', at)
    const more = async (slug: string) => {
      const { html } = await page(`/event/${slug}/`)
      return [...html.matchAll(/<h3 class="card-title"><a[^>]*>([^<]*)/g)].map(([, title]) => title)
    }
    expect(await more('carnival')).toEqual(['Cattle show'])
    expect(await more('float-12')).toEqual(['Cattle show'])
    expect((await more('cattle-show')).slice(0, 4)).toEqual(['Carnival', 'Float 10', 'Float 11', 'Float 12'])
  })

  it('leads to a calendar of the programme', async () => {
    const { status, headers } = await page('/event/festival/?ical=1')
    expect(status).toBe(302)
    const path = (headers.get('location') ?? '').replace(/^.*\/events\/v1/, '')
    expect(path).toBe(`/events/${festival}.ics?programme=true&expand=true`)
    const { text } = await send('GET', path)
    expect([...text.matchAll(/SUMMARY:(.*)\r/g)].map(([, title]) => title)).toEqual([
      'Talk',
      'Opening concert',
      'Only for guests',
      'Cancelled: Dropped part',
    ])
    // An event without parts has its own calendar.
    expect((await page('/event/talk/?ical=1')).headers.get('location')).toMatch(/\/events\/\d+\.ics$/)
  })

  it('has JSON-LD of its parts, and they have that of their parent', async () => {
    const { subEvent } = dataIn((await page('/event/festival/')).html)
    expect(subEvent).toHaveLength(4)
    expect(subEvent[1]).toEqual({
      '@type': 'Event',
      name: 'Opening concert',
      url: `${SITE}/event/opening-concert/`,
      startDate: '2027-06-10T20:00:00+00:00',
      endDate: '2027-06-10T20:00:00+00:00',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      eventStatus: 'https://schema.org/EventScheduled',
      location: {
        '@type': 'Place',
        name: 'Great hall',
        url: `${SITE}/venue/great-hall/`,
        address: { '@type': 'PostalAddress', addressLocality: 'Kent' },
      },
    })
    const statuses = subEvent.map(({ eventStatus }: { eventStatus: string }) => eventStatus.split('/')[3])
    expect(statuses).toEqual(['EventScheduled', 'EventScheduled', 'EventScheduled', 'EventCancelled'])
    expect(subEvent[0].location).toEqual({ '@type': 'Place', name: 'Yard', address: 'Yard' })
    expect(dataIn((await page('/event/opening-concert/')).html).superEvent).toMatchObject({
      name: 'Festival',
      url: `${SITE}/event/festival/`,
    })
  })
})

describe('the JSON-LD of parts', () => {
  it('says which take place online, and which don’t take place', async () => {
    const hall = await makeVenue(admin, 'Town hall', { address: '1 St', city: 'Kilkenny' })
    const day = { start_date: '2027-06-20 10:00', end_date: '2027-06-20 12:00' }
    const whole = await makeEvent(admin, { title: 'Regatta', ...day, venue: hall.id })
    const part = { ...day, post_parent: whole.id }
    await makeEvent(admin, { title: 'Regatta talk', ...part, event_status: 'postponed' })
    const online = { is_virtual: true, virtual_event_type: 'virtual' }
    await makeEvent(admin, {
      title: 'Regatta stream',
      ...part,
      ...online,
      virtual_url: 'https://meet.example/1',
    })
    const hybrid = { is_virtual: true, virtual_event_type: 'hybrid', venue: hall.id }
    await makeEvent(admin, { title: 'Regatta panel', ...part, ...hybrid })
    await change(whole.id, { event_status: 'canceled' })
    const { location, subEvent } = dataIn((await page('/event/regatta/')).html)
    const type = (name: string) => `https://schema.org/${name}`
    const virtual = (url: string) => ({ '@type': 'VirtualLocation', url })
    expect(subEvent).toMatchObject([
      { name: 'Regatta talk', eventStatus: type('EventPostponed'), location },
      {
        name: 'Regatta stream',
        eventAttendanceMode: type('OnlineEventAttendanceMode'),
        location: virtual('https://meet.example/1'),
      },
      {
        name: 'Regatta panel',
        eventAttendanceMode: type('MixedEventAttendanceMode'),
        location: [location, virtual(`${SITE}/event/regatta-panel/`)],
      },
    ])
    for (const slug of ['regatta-stream', 'regatta-panel']) {
      const { superEvent } = dataIn((await page(`/event/${slug}/`)).html)
      expect(superEvent).toMatchObject({ name: 'Regatta', eventStatus: type('EventCancelled') })
    }
  })
})

describe('the page of a part', () => {
  const partOfText = async () =>
    (await page('/event/opening-concert/')).html.match(/class="part-of">([^<]*)/)?.[1]

  it('names its parent in the language of the page', async () => {
    expect(await partOfText()).toBe('Part of ')
    const { text } = await page('/event/opening-concert/', { vars: { LANGUAGE: 'fr' } })
    expect(text).toContain('Fait partie de Festival')
  })

  it.each([
    ['is a draft', { status: 'draft' }, { status: 'publish' }],
    ['is hidden from lists', { hide_from_listings: true }, { hide_from_listings: false }],
    ['is in the trash', { status: 'trash' }, { status: 'publish' }],
  ])('doesn’t name a parent that %s', async (_, hidden, shown) => {
    if ('status' in hidden && hidden.status === 'trash')
      await send('DELETE', `/events/${festival}`, { as: admin })
    else await change(festival, hidden)
    expect(await partOfText()).toBe(undefined)
    expect(dataIn((await page('/event/opening-concert/')).html)).not.toHaveProperty('superEvent')
    await change(festival, shown)
    expect(await partOfText()).toBe('Part of ')
  })

  it('names a parent that lists hide if that is a part itself', async () => {
    const day = await make('Second day', '11 08:00', { post_parent: festival, hide_from_listings: true })
    await make('Workshop', '11 15:00', { post_parent: day.id })
    expect((await page('/event/workshop/')).text).toContain('Part of Second day')
  })
})

describe('a part that its parent’s editors have not confirmed', () => {
  let fair: number
  const day = (hour: number) => ({ start_date: `2027-08-01 ${hour}:00`, end_date: `2027-08-01 ${hour}:30` })
  const part = (as: string, title: string, fields: object = {}) =>
    makeEvent(as, { title, ...day(12), post_parent: fair, ...fields })

  /** The titles of the fair's parts, wherever it shows them. */
  async function shownPartTitles(): Promise<Record<string, string[]>> {
    const { html, text } = await page('/event/fair/')
    const calendar = await send('GET', `/events/${fair}.ics?programme=true&expand=true`)
    const filtered = `post_parent=${fair}&start_date=2027-01-01`
    const feed = await send('GET', `/events.ics?${filtered}`)
    const list = await send('GET', `/events?${filtered}`)
    const changes = await send('GET', `/events/changes?${filtered}`)
    expect(list.body.total).toBe(list.body.events.length)
    const titles = (events: { title: string }[]) => events.map(({ title }) => title).sort()
    const summaries = (ics: string) =>
      [...ics.matchAll(/SUMMARY:(.*)\r/g)].map(([, title = '']) => title).sort()
    const programme = /Programme(.*?)Share/.exec(text)?.[1] ?? ''
    return {
      page: ['Keynote', 'Intruder', 'Own'].filter(title => programme.includes(title)).sort(),
      data: (dataIn(html).subEvent ?? []).map(({ name }: { name: string }) => name).sort(),
      calendar: summaries(calendar.text),
      feed: summaries(feed.text),
      list: titles(list.body.events),
      changes: titles(changes.body.events),
    }
  }
  const everywhere = (...titles: string[]) =>
    Object.fromEntries(['page', 'data', 'calendar', 'feed', 'list', 'changes'].map(face => [face, titles]))

  beforeAll(async () => {
    fair = (await makeEvent(editor, { title: 'Fair', ...day(10), venue: { venue: 'Fairground' } })).id
    await part(editor, 'Keynote')
  })

  it('is in no programme, and does not name the parent, until an editor confirms it', async () => {
    const { id } = await part(author, 'Intruder')
    expect(await shownPartTitles()).toEqual(everywhere('Keynote'))
    const namesFair = async () => (await page('/event/intruder/')).text.includes('Part of Fair')
    expect(await namesFair()).toBe(false)
    // Naming it again makes no difference to somebody who may not edit the parent.
    await send('PATCH', `/events/${id}`, { as: author, json: { post_parent: fair, cost: '5' } })
    // Nor does any other change by an editor.
    await send('PATCH', `/events/${id}`, { as: editor, json: { cost: '6' } })
    expect(await shownPartTitles()).toEqual(everywhere('Keynote'))
    await send('PATCH', `/events/${id}`, { as: editor, json: { post_parent: fair } })
    expect(await shownPartTitles()).toEqual(everywhere('Intruder', 'Keynote'))
    expect(await namesFair()).toBe(true)
    // It stays confirmed while its author changes the rest, and until the parent changes.
    await send('PATCH', `/events/${id}`, { as: author, json: { post_parent: fair, cost: '7' } })
    expect(await shownPartTitles()).toEqual(everywhere('Intruder', 'Keynote'))
    await send('PATCH', `/events/${id}`, { as: author, json: { post_parent: 0 } })
    await send('PATCH', `/events/${id}`, { as: author, json: { post_parent: fair } })
    expect(await shownPartTitles()).toEqual(everywhere('Keynote'))
    await send('DELETE', `/events/${id}?force=true`, { as: author })
  })

  it('does not displace others, however many there are', async () => {
    const hidden = { ...day(9), post_parent: fair, hide_from_listings: true, title: 'Displacing' }
    const requests = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/events', body: hidden }))
    for (const json of [{ requests }, { requests }, { requests }])
      expect((await send('POST', '/batch', { as: author, json })).status).toBe(207)
    expect(await shownPartTitles()).toEqual(everywhere('Keynote'))
    expect((await page('/event/fair/')).text).not.toContain('Displacing')
  })

  it('is confirmed at once by whoever may edit the parent, whatever their role becomes', async () => {
    const own = await makeEvent(author, { title: 'Own fair', ...day(10) })
    await makeEvent(author, { title: 'Own', ...day(12), post_parent: own.id })
    const drafted = await makeEvent(contributor, { title: 'Drafted', ...day(10) })
    const waiting = await makeEvent(contributor, { title: 'Waiting', ...day(12), post_parent: drafted.id })
    const later = await part(author, 'Intruder')
    await query(`UPDATE users SET role = 'subscriber' WHERE login = 'ann'`)
    for (const { id } of [drafted, waiting])
      await send('PATCH', `/events/${id}`, { as: editor, json: { status: 'publish' } })
    expect((await page('/event/own-fair/')).text).toContain('Programme')
    expect((await page('/event/drafted/')).text).toContain('Waiting')
    // Nor does a later role confirm what somebody set before.
    await query(`UPDATE users SET role = 'editor' WHERE login = 'ann'`)
    expect(await shownPartTitles()).toEqual(everywhere('Keynote'))
    await query(`UPDATE users SET role = 'author' WHERE login = 'ann'`)
    await send('DELETE', `/events/${later.id}?force=true`, { as: editor })
    // The parent is published now, and its author may not edit it any more.
    await makeEvent(contributor, { title: 'Too late', ...day(13), post_parent: drafted.id })
    const [last] = await query(`SELECT parent_confirmed_by AS user FROM events WHERE title = 'Too late'`)
    expect(last).toEqual({ user: null })
  })

  it('may be a series, all of whose dates are confirmed together, those to come included', async () => {
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=3' }
    const first = await part(author, 'Intruder', { recurrence })
    expect((await shownPartTitles()).list).toEqual(['Keynote'])
    await send('PATCH', `/events/${first.id}?scope=all`, { as: editor, json: { post_parent: fair } })
    const all = ['Intruder', 'Intruder', 'Intruder', 'Keynote']
    expect((await shownPartTitles()).list).toEqual(all)
    const json = { recurrence: { rrule: 'FREQ=DAILY;COUNT=4' } }
    await send('PATCH', `/events/${first.id}?scope=all`, { as: author, json })
    expect((await shownPartTitles()).list).toEqual(['Intruder', ...all])
    await send('DELETE', `/events/${first.id}?scope=all&force=true`, { as: editor })
  })
})

describe('circles of parents', () => {
  const errorOf = async (id: number, json: object) => {
    const { status, body } = await change(id, json)
    return [status, body.data?.params?.post_parent]
  }

  it('are rejected, however long', async () => {
    const encore = await make('Encore', '10 23:00', { post_parent: concert })
    const reason = (id: number) => [400, `event ${id} is itself a part of this one`]
    expect(await errorOf(festival, { post_parent: festival })).toEqual([
      400,
      'an event cannot be its own parent',
    ])
    expect(await errorOf(festival, { post_parent: concert })).toEqual(reason(concert))
    expect(await errorOf(festival, { post_parent: encore.id })).toEqual(reason(encore.id))
    expect(await errorOf(encore.id, { post_parent: festival })).toEqual([200, undefined])
  })

  it('are rejected for all dates of a series, although one date may be a part of another', async () => {
    const first = await make('Weekly', '01 10:00', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    const { body } = await send('GET', `/events?series=${first.series.id}`)
    const second = body.events[1].id
    expect(await errorOf(first.id, { post_parent: second, scope: 'all' })).toEqual([
      400,
      `event ${second} is itself a part of this one`,
    ])
    expect(await errorOf(first.id, { post_parent: second })).toEqual([200, undefined])
    expect(await errorOf(second, { post_parent: first.id })).toEqual([
      400,
      `event ${first.id} is itself a part of this one`,
    ])
  })

  it('are rejected between concurrent requests', async () => {
    for (const recurrence of [undefined, { rrule: 'FREQ=WEEKLY;COUNT=2' }]) {
      const one = await make('One', '20 10:00', { recurrence })
      const other = await make('Other', '20 12:00', {})
      const both = await Promise.all([
        change(one.id, { post_parent: other.id, ...(recurrence && { scope: 'all' }) }),
        change(other.id, { post_parent: one.id }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    }
  })

  it('can be ended', async () => {
    expect((await errorOf(festival, { post_parent: 0 }))[0]).toBe(200)
    expect((await page('/event/festival/')).status).toBe(200)
  })
})
