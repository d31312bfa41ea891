import { describe, expect, it } from 'vitest'
import { badNames, expectRefused } from '../../attacks/requests.ts'
import { declareUser, makeEvent, makeVenue, query, send, WHEN } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')

const place = (fields: object) => send('POST', '/venues', { as: admin, json: { venue: 'Placed', ...fields } })

it('a venue has its state or province as stateprovince too, unless it has another one', async () => {
  const { body } = await place({ province: 'Leinster' })
  expect(body.stateprovince).toBe('Leinster')
  const change = (json: object) => send('PATCH', `/venues/${body.id}`, { as: admin, json })
  expect((await change({ state: 'MA' })).body).toMatchObject({ stateprovince: 'MA', province: 'Leinster' })
  const { body: event } = await send('POST', '/events', {
    as: admin,
    json: { title: 'There', ...WHEN, venue: body.id },
  })
  expect(event.venue.stateprovince).toBe('MA')
  expect((await change({ stateprovince: 'Own' })).body.stateprovince).toBe('Own')
  expect((await change({ stateprovince: '', state: '', province: '' })).body).not.toHaveProperty(
    'stateprovince',
  )
})

describe('the region of a venue that is sent back as it was read', () => {
  const PLACES = [
    [{ province: 'Leinster', country: 'Ireland' }, { province: 'Munster' }],
    [{ state: 'OH', country: 'USA' }, { state: 'WA' }],
  ] as const
  const sending = async (method: string, id: number, json: object) => {
    const { status, body } = await send(method, `/venues/${id}`, { as: admin, json })
    expect(status).toBe(200)
    return body
  }

  it.each(PLACES)('is not stored, and follows the parts of the address: %j', async (address, change) => {
    const { body: made } = await place({ venue: `Read in ${Object.values(address)}`, ...address })
    const [before] = await query('SELECT * FROM venues WHERE id = ?', made.id)
    expect(await sending('PUT', made.id, made)).toEqual(made)
    expect(await query('SELECT * FROM venues WHERE id = ?', made.id)).toEqual([before])
    const [region] = Object.values(change)
    expect((await sending('PUT', made.id, { ...made, ...change })).stateprovince).toBe(region)
    const removed = await sending('PATCH', made.id, { state: '', province: '' })
    expect(removed).not.toHaveProperty('stateprovince')
  })

  it.each(PLACES)('follows them as well where it is stored beside them: %j', async (address, change) => {
    const { id } = await makeVenue(admin, `Stored in ${Object.values(address)}`, address)
    const [region] = Object.values(address)
    await query('UPDATE venues SET stateprovince = ?, version = version + 1 WHERE id = ?', region, id)
    const before = await query('SELECT * FROM venues WHERE id = ?', id)
    await sending('PUT', id, (await send('GET', `/venues/${id}`, { as: admin })).body)
    expect(await query('SELECT * FROM venues WHERE id = ?', id)).toEqual(before)
    expect(await sending('PATCH', id, change)).toMatchObject({ stateprovince: Object.values(change)[0] })
  })

  it('stays if it is another one than the state or the province', async () => {
    const { body } = await place({ venue: 'With a region', province: 'Leinster', stateprovince: 'East' })
    expect(await sending('PUT', body.id, { ...body, province: 'Munster' })).toMatchObject({
      stateprovince: 'East',
    })
    expect(await sending('PATCH', body.id, { stateprovince: 'South' })).toMatchObject({
      stateprovince: 'South',
    })
  })
})

it.each([
  [{ state: 'Wicklow' }, 'Wicklow'],
  [{ province: 'Wicklow' }, 'Wicklow'],
  [{ stateprovince: 'Wicklow', state: 'Oregon', province: 'Oregon' }, 'Wicklow'],
  [{ country: 'United States', state: 'Wicklow', province: 'Oregon' }, 'Wicklow'],
  [{ country: 'USA', province: 'Wicklow' }, 'Wicklow'],
  [{ country: 'Vereinigte Staaten', state: 'Wicklow' }, 'Wicklow'],
  [{ country: 'France', province: 'Wicklow', state: 'Oregon' }, 'Wicklow'],
  [{ country: 'Germany', state: 'Oregon', stateprovince: 'Wicklow' }, 'Wicklow'],
  // What the plugin's form leaves behind.
  [{ country: 'France', state: 'Oregon' }, undefined],
])('a venue with the address %j has the region %s in every output', async (address, region) => {
  const title = `In the ${Object.keys(address).join(' and ')}`
  const venue = { venue: `Hall in ${title}`, city: 'Kent', ...address, geo_lat: 53, geo_lng: -6 }
  const { id, url, venue: made } = await makeEvent(admin, { title, venue })
  expect(made.stateprovince).toBe(region)
  const { body } = await send('GET', `/events/${id}`)
  expect(body.json_ld.location.address.addressRegion).toBe(region)
  const feeds = ['events.csv', 'events.rss', 'events.feed.json', 'events.geojson', 'events.ics']
  for (const path of [...feeds.map(feed => `/${feed}?venue=${made.id}`), url, made.url]) {
    // iCalendar folds long lines.
    const text = (await send('GET', path)).text.replaceAll('\r\n ', '')
    if (region) expect(text, path).toContain(region)
    expect(text, path).not.toContain('Oregon')
  }
})

describe('the place of a venue', () => {
  it('is a pair of numbers, new or changed, alone or in an event', async () => {
    expectRefused(await place({ geo_lat: 5 }), 'geo_lat')
    expectRefused(await place({ geo_lng: 5 }), 'geo_lng')
    expect(badNames(await place({ geo_lat: 91, geo_lng: 'x' }))).toEqual(['geo_lat', 'geo_lng'])
    const { body: bare } = await place({})
    expectRefused(await send('PATCH', `/venues/${bare.id}`, { as: admin, json: { geo_lng: 5 } }), 'geo_lng')
    const { body: placed } = await place({ geo_lat: -0, geo_lng: '5.5' })
    expect(placed).toMatchObject({ geo_lat: 0, geo_lng: 5.5 })
    const { body: moved } = await send('PATCH', `/venues/${placed.id}`, { as: admin, json: { geo_lat: 6 } })
    expect(moved).toMatchObject({ geo_lat: 6, geo_lng: 5.5 })
    for (const venue of [
      { venue: 'Half placed', geo_lat: 5 },
      { venue: 'Half empty', geo_lat: 1, geo_lng: '' },
    ])
      expectRefused(
        await send('POST', '/events', { as: admin, json: { title: 'E', ...WHEN, venue } }),
        'venue',
      )
  })

  it.each([[''], [[]]])('is removed by emptying both numbers (%j)', async none => {
    const venue = await makeVenue(admin, 'Removed', { geo_lat: 53.5, geo_lng: -9 })
    const patch = (json: object) => send('PATCH', `/venues/${venue.id}`, { as: admin, json })
    expectRefused(await patch({ geo_lat: none }), 'geo_lng')
    expectRefused(await patch({ geo_lng: none }), 'geo_lat')
    expect((await patch({ geo_lat: null, geo_lng: null })).body).toMatchObject({ geo_lat: 53.5, geo_lng: -9 })
    const { status, body } = await patch({ geo_lat: none, geo_lng: none })
    expect({ status, hasLatitude: 'geo_lat' in body, hasLongitude: 'geo_lng' in body }).toEqual({
      status: 200,
      hasLatitude: false,
      hasLongitude: false,
    })
    expect((await patch({ geo_lat: 0, geo_lng: '-0' })).body).toMatchObject({ geo_lat: 0, geo_lng: 0 })
  })

  it('may be left empty where it is made, alone and inside an event', async () => {
    const venue = { venue: 'Nowhere', geo_lat: '', geo_lng: '' }
    const { id } = (await place(venue)).body
    expect((await makeEvent(admin, { venue })).venue).toMatchObject({ id })
  })
})

describe('a venue', () => {
  it('keeps its map flags when it moves, and changes those that are named', async () => {
    const body = await makeVenue(admin, 'Map', { city: 'Kent', show_map: 'no', show_map_link: 'no' })
    const change = async (json: object) =>
      (await send('PATCH', `/venues/${body.id}`, { as: admin, json })).body
    expect(await change({ phone: '1', city: 'Kent' })).toMatchObject({
      show_map: false,
      show_map_link: false,
    })
    expect(await change({ city: 'Cork' })).toMatchObject({
      show_map: false,
      show_map_link: false,
    })
    expect(await change({ show_map: true })).toMatchObject({ show_map: true, show_map_link: false })
  })
})
