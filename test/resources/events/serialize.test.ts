import { describe, expect, it } from 'vitest'
import { makeOrganizer, makeVenue, send, user, WHEN } from '../../factories.ts'

const admin = user('administrator', 'admin')

const create = (fields: object, as = admin) =>
  send('POST', '/events', { as, json: { title: 'Event', ...WHEN, ...fields } })
const change = (id: unknown, json: object, as = admin) => send('PATCH', `/events/${id}`, { as, json })

describe('an event that was read', () => {
  it('has an empty website when none is set, before and after it is sent back', async () => {
    const { body } = await create({})
    const { body: read } = await send('GET', `/events/${body.id}`)
    const { body: put } = await send('PUT', `/events/${body.id}`, { as: admin, json: read })
    const { body: set } = await change(body.id, { website: 'https://example.org/jazz' })
    const { body: emptied } = await change(body.id, { website: '' })
    expect([body, read, put, set, emptied].map(({ website }) => website)).toEqual([
      '',
      '',
      '',
      'https://example.org/jazz',
      '',
    ])
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
        { '@type': 'Person', name: 'Zed of the map' },
        { name: 'Abe', email: 'abe@example.org' },
      ],
      offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'USD' },
    })
  })
})
