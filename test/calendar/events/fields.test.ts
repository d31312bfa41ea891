import { describe, expect, it } from 'vitest'
import { badNames } from '../../attacks/requests.ts'
import { declareUser, eventsBy, makeOrganizer, makeVenue, send } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')
const { create, change } = eventsBy(admin)

describe('dates', () => {
  it.each([
    ['June 10, 2027 4pm', 'America/New_York', '2027-06-10 16:00:00', '2027-06-10 20:00:00'],
    [1_812_628_800, 'UTC', '2027-06-10 12:00:00', '2027-06-10 12:00:00'],
    ['2027-10-31T02:30:00+01:00', 'Europe/Rome', '2027-10-31 02:30:00', '2027-10-31 01:30:00'],
  ])('like %s in %s are understood', async (start_date, timezone, local, utc) => {
    const { body } = await create({ start_date, end_date: '2027-12-01', timezone })
    expect([body.start_date, body.utc_start_date]).toEqual([local, utc])
  })

  it.each([[''], [' '], [[]]])('keep the stored zone if the request names %j', async timezone => {
    const made = await create({ timezone })
    expect([made.status, made.body.timezone]).toEqual([201, 'UTC'])
    const { body } = await create({ timezone: 'Europe/Rome' })
    const { status, headers, body: after } = await change(body.id, { timezone, title: 'New' })
    const { title, timezone: kept, utc_start_date } = after
    expect({ status, title, timezone: kept, utc_start_date }).toEqual({
      status: 200,
      title: 'New',
      timezone: 'Europe/Rome',
      utc_start_date: body.utc_start_date,
    })
    expect(headers.get('X-Ignored-Fields')).toBe('timezone')
  })

  it('keep local times when only the zone changes, and whole days whole', async () => {
    const { body } = await create({ all_day: true, start_date: '2027-07-01', end_date: '2027-07-02' })
    const { body: moved } = await change(body.id, { timezone: 'Asia/Tokyo' })
    expect(moved).toMatchObject({
      start_date: '2027-07-01 00:00:00',
      utc_start_date: '2027-06-30 15:00:00',
      utc_end_date: '2027-07-02 14:59:59',
      timezone_abbr: 'JST',
    })
  })

  it('may not end before they start, whichever of them an update names', async () => {
    const { body } = await create({})
    expect(badNames(await change(body.id, { start_date: '2027-02-01' }))).toEqual(['start_date'])
    expect(badNames(await change(body.id, { end_date: '2027-01-01' }))).toEqual(['end_date'])
    expect((await change(body.id, { start_date: '2027-02-01', end_date: '2027-02-01' })).status).toBe(200)
  })
})

describe('all bad fields', () => {
  it('of a write are named in one response, including those that only the database can tell', async () => {
    const { status, body } = await create({
      start_date: '2027-02-30',
      timezone: 'Mars/Olympus',
      venue: 999,
      organizer: { organizer: 'X', email: 'nope' },
      tags: [998],
      categories: '997',
      author: 996,
      image: 995,
      post_parent: 994,
      featured: 'perhaps',
      website: 'not a url',
    })
    expect(status).toBe(400)
    expect(badNames({ body }).sort().join()).toBe(
      'author,categories,featured,image,organizer,post_parent,start_date,tags,timezone,venue,website',
    )
  })

  it('of a list are named in one response', async () => {
    const { body } = await send(
      'GET',
      '/events?page=0&venue=999&categories=none&status=draft&geoloc_lat=1&start_date=soon&tags=1&order=up',
    )
    expect(badNames({ body }).sort().join()).toBe(
      'categories,geoloc_lat,order,page,start_date,status,tags,venue',
    )
  })

  it.each([
    ['/events?geoloc_lat=91&geoloc_lng=0', ['geoloc_lat']],
    ['/events/changes?geoloc_lat=0&geoloc_lng=east', ['geoloc_lng']],
    ['/events.ics?geoloc_lng=0', ['geoloc_lng']],
  ])('do not blame the other coordinate: %s', async (path, bad) => {
    expect(badNames(await send('GET', path))).toEqual(bad)
  })
})

describe('an event that was read', () => {
  it('has an empty website when none is set, before and after it is sent back', async () => {
    const { body } = await create({})
    const { body: read } = await send('GET', `/events/${body.id}`)
    const { body: put } = await send('PUT', `/events/${body.id}`, { as: admin, json: read })
    const { body: set } = await change(body.id, { website: 'https://example.org/jazz' })
    const { body: emptied } = await change(body.id, { website: '' })
    for (const { website } of [body, read, put, emptied]) expect(website).toBe('')
    expect(set.website).toBe('https://example.org/jazz')
  })

  it('shows several venues as a list, one as an object, none as an empty list', async () => {
    const { id: one } = await makeVenue(admin, 'Hall one')
    const { id: two } = await makeVenue(admin, 'Hall two')
    const { body } = await create({ venue: `${one},${two}` })
    expect(body.venue).toMatchObject([{ venue: 'Hall one' }, { venue: 'Hall two' }])
    expect((await change(body.id, { venue: two })).body.venue).toMatchObject({ venue: 'Hall two', id: two })
    expect((await change(body.id, { venue: [] })).body.venue).toEqual([])
    expect((await change(body.id, { venue: `${two},${one}` })).body.venue).toMatchObject([
      { id: two },
      { id: one },
    ])
    expect((await change(body.id, { venue: '' })).body.venue).toEqual([])
  })

  it('has JSON-LD with its place, organizer and offer', async () => {
    const venue = await makeVenue(admin, 'Hall on the map', { geo_lat: 10.5, geo_lng: -9 })
    const zed = await makeOrganizer(admin, 'Zed of the map')
    const abe = await makeOrganizer(admin, 'Abe', { email: 'abe@example.org' })
    const { body } = await create({ cost: '$12.50', venue: venue.id, organizer: [zed.id, abe.id] })
    const { body: read } = await send('GET', `/events/${body.id}`)
    expect(read.json_ld).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Event',
      startDate: '2027-01-10T10:00:00+00:00',
      location: {
        '@type': 'Place',
        name: 'Hall on the map',
        geo: { latitude: 10.5, longitude: -9 },
        address: { '@type': 'PostalAddress' },
      },
      organizer: [
        { '@type': 'Organization', name: 'Zed of the map' },
        { name: 'Abe', email: 'abe@example.org' },
      ],
      offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'USD' },
    })
    // Those of the venue and the organizers are the ones of their own addresses.
    const own = async (path: string) => (await send('GET', path)).body.json_ld
    expect(read.venue.json_ld).toEqual(await own(`/venues/${venue.id}`))
    expect(read.organizer[1].json_ld).toEqual(await own(`/organizers/${abe.id}`))
    expect((await send('GET', `/events?include=${body.id}`)).body.events[0].venue).not.toHaveProperty(
      'json_ld',
    )
  })
})
