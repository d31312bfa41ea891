import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, makeOrganizer, makeUser, makeVenue, SITE, send } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'

const CORE = `${SITE}/wp-json`
const sendHere = sendWith({ CORE_PREFIX: 'wp-json' })

const editor = declareUser('editor')
const author = declareUser('author')
const contributor = declareUser('contributor')
const subscriber = declareUser('subscriber')

const call = (method: string, path: string, as?: string, json?: object) =>
  sendHere(method, `${CORE}/wp/v2/${path}`, { ...(as && { as }), json })

const post = (path: string, as: string | undefined, json: object) => call('POST', path, as, json)

const idsIn = ({ body }: { body: unknown }): number[] =>
  Array.isArray(body) ? body.map(({ id }: { id: number }) => id) : []

const venueIds = async (query: string, as?: string) => idsIn(await call('GET', `tribe_venue?${query}`, as))

describe('creating', () => {
  const META = {
    _VenueAddress: '1 Lane',
    _VenueCity: 'Boston',
    _VenueCountry: 'United States',
    _VenueProvince: 'Leinster',
    _VenueState: 'MA',
    _VenueStateProvince: 'MA',
    _VenueZip: '02101',
    _VenuePhone: '+353 1 234',
    _VenueURL: 'https://barn.example.org',
    _VenueLat: 53.27,
    _VenueLng: -9.05,
    _VenueShowMap: '1',
    _VenueShowMapLink: '',
  }

  it('a venue keeps what the plugin stores, and an event may name its id', async () => {
    const { status, headers, body } = await post('tribe_venue', author, {
      title: { raw: 'The Barn' },
      content: '<p>Old</p><script>no</script>',
      status: 'publish',
      slug: 'the-old-barn',
      meta: { ...META, _VenueOrigin: 'events-calendar' },
      acf: {},
    })
    expect([status, headers.get('x-ignored-fields')]).toEqual([201, 'acf, meta._VenueOrigin'])
    const address = `${CORE}/wp/v2/tribe_venue/${body.id}`
    expect(headers.get('location')).toBe(address)
    expect(body).toMatchObject({
      type: 'tribe_venue',
      status: 'publish',
      slug: 'the-old-barn',
      title: { raw: 'The Barn', rendered: 'The Barn' },
      content: { rendered: '<p>Old</p>' },
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      link: `${SITE}/venue/the-old-barn/`,
      featured_media: 0,
      meta: { ...META, _VenueShowMap: true, _VenueShowMapLink: false },
      _links: { self: [{ href: address }], collection: [{ href: `${CORE}/wp/v2/tribe_venue` }] },
    })
    expect((await call('GET', `tribe_venue/${body.id}`)).body).toEqual(body)
    expect((await send('GET', `/venues/${body.id}`)).body).toMatchObject({
      venue: 'The Barn',
      city: 'Boston',
      state: 'MA',
      geo_lat: 53.27,
      show_map: true,
      show_map_link: false,
    })
    const event = await makeEvent(author, { venue: body.id, status: 'publish' })
    expect(event.venue).toMatchObject({ id: body.id, venue: 'The Barn' })
  })

  it('an organizer keeps it, too', async () => {
    const meta = {
      _OrganizerPhone: '+353 1 234',
      _OrganizerEmail: 'guild@example.org',
      _OrganizerWebsite: 'https://guild.example.org',
    }
    const { status, body } = await post('tribe_organizer', author, {
      title: 'The Guild',
      status: 'publish',
      meta,
    })
    expect([status, body]).toMatchObject([
      201,
      { type: 'tribe_organizer', title: { rendered: 'The Guild' }, meta },
    ])
    expect((await send('GET', `/organizers/${body.id}`)).body).toMatchObject({
      organizer: 'The Guild',
      phone: '+353 1 234',
      email: 'guild@example.org',
      website: 'https://guild.example.org',
    })
  })

  it('makes a draft without a status, as WordPress does', async () => {
    const { body } = await post('tribe_venue', author, { title: 'Later' })
    expect(body.status).toBe('draft')
    expect((await call('GET', `tribe_venue/${body.id}`)).status).toBe(403)
  })

  it('has the rights of the API', async () => {
    for (const path of ['tribe_venue', 'tribe_organizer']) {
      expect((await post(path, undefined, { title: 'Rights' })).status, path).toBe(401)
      expect((await post(path, subscriber, { title: 'Rights' })).status, path).toBe(403)
    }
    for (const status of ['publish', 'pending']) {
      const own = await send('POST', '/venues', { as: contributor, json: { venue: 'Rights', status } })
      const other = await post('tribe_venue', contributor, { title: 'Rights', status })
      expect([other.status, other.body.status]).toEqual([own.status, own.body.status])
    }
  })

  it('names what was sent in errors', async () => {
    const { status, body } = await post('tribe_venue', editor, {
      title: 'x'.repeat(2_001),
      featured_media: 'poster.gif',
      meta: { _VenueURL: 'javascript:alert(1)', _VenueLat: 91, _VenueLng: 0 },
    })
    expect({ status, code: body.code, params: Object.keys(body.data.params).sort() }).toEqual({
      status: 400,
      code: 'rest_invalid_param',
      params: ['featured_media', 'meta._VenueLat', 'meta._VenueURL', 'title'],
    })
    expect((await post('tribe_venue', editor, { title: 'X', meta: 'none' })).body.data.params).toHaveProperty(
      'meta',
    )
    for (const nameless of [{}, { title: '' }])
      expect((await post('tribe_venue', editor, { ...nameless, status: 'publish' })).status).toBe(400)
  })
})

describe('lists', () => {
  const ids: number[] = []
  beforeAll(async () => {
    for (const name of ['Mill One', 'Mill Two', 'Mill Three']) ids.push((await makeVenue(editor, name)).id)
  })

  it('find by name, slug and id', async () => {
    const [one = 0, two = 0, three = 0] = ids
    expect(await venueIds('search=mill')).toEqual([three, two, one])
    expect(await venueIds('search=Mill%20Two')).toEqual([two])
    for (const query of ['slug=mill-two', 'slug=Mill-Two', 'slug[]=mill-two', `include=${two}`])
      expect(await venueIds(query), query).toEqual([two])
    expect(await venueIds(`include[]=${one}&include[]=${three}`)).toEqual([three, one])
    expect(await venueIds(`include=${one}&slug=mill-two`)).toEqual([])
    for (const unknown of ['slug=mill', 'slug=mill-two-2', 'search=nothing', 'include=999999'])
      expect(await venueIds(unknown), unknown).toEqual([])
  })

  it('have pages, totals and links, and take parameters of WordPress as they come', async () => {
    const { headers, body } = await call('GET', 'tribe_venue?search=mill&per_page=1&page=2')
    expect(body).toMatchObject([{ id: ids[1], title: { rendered: 'Mill Two' } }])
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['3', '3'])
    expect(headers.get('link')).toContain('page=3>; rel="next"')
    const last = await call('GET', 'tribe_venue?search=mill&per_page=2&page=3')
    expect([last.status, last.body.code]).toEqual([400, 'rest_post_invalid_page_number'])
    for (const query of [
      'search=',
      'slug=',
      'include=',
      'orderby=title&order=asc',
      '_fields=id',
      'context=edit',
    ])
      expect((await call('GET', `tribe_venue?${query}`)).status, query).toBe(200)
    expect((await call('GET', 'tribe_venue?status=whatever')).status).toBe(400)
  })

  it('show what is published, and other statuses to those who may read them', async () => {
    const own = (await makeVenue(author, 'Hidden own', { status: 'draft' })).id
    const theirs = (await makeVenue(editor, 'Hidden theirs', { status: 'private' })).id
    const { id: trashed } = await makeVenue(author, 'Hidden trashed')
    await send('DELETE', `/venues/${trashed}`, { as: author })
    const stranger = await makeUser('stranger', 'author')
    for (const as of [undefined, subscriber, stranger, author, editor])
      expect(await venueIds('search=hidden', as)).toEqual([])
    for (const as of [undefined, subscriber, contributor, stranger])
      for (const query of ['status=any', 'status=draft,private', 'slug=hidden-own&status=any'])
        expect(await venueIds(`search=hidden&${query}`, as), query).toEqual([])
    expect(await venueIds('search=hidden&status=any', author)).toEqual([own])
    expect(await venueIds('search=hidden&status=any', editor)).toEqual([theirs, own])
    expect(await venueIds('search=hidden&status=draft', editor)).toEqual([own])
    expect((await call('GET', 'tribe_venue?status=trash', editor)).status).toBe(400)
    const seen = async (id: number, as?: string) => (await call('GET', `tribe_venue/${id}`, as)).status
    for (const as of [undefined, subscriber, stranger])
      expect({
        own: await seen(own, as),
        theirs: await seen(theirs, as),
        trashed: await seen(trashed, as),
      }).toEqual({ own: 403, theirs: 403, trashed: 403 })
    expect({
      ownByAuthor: await seen(own, author),
      theirsByAuthor: await seen(theirs, author),
      theirsByEditor: await seen(theirs, editor),
    }).toEqual({ ownByAuthor: 200, theirsByAuthor: 403, theirsByEditor: 200 })
    expect([await seen(trashed, editor), await seen(999_999)]).toEqual([403, 404])
  })
})

it('hidden contacts of organizers are shown to those who may edit them', async () => {
  const { id } = await makeOrganizer(author, 'Discreet', {
    email: 'discreet@example.org',
    phone: '+353 1 999',
    hide_contact: true,
  })
  const contactsFor = async (as?: string) => {
    const one = await call('GET', `tribe_organizer/${id}`, as)
    const all = await call('GET', `tribe_organizer?include=${id}`, as)
    expect(all.body).toEqual([one.body])
    const { _OrganizerEmail, _OrganizerPhone } = one.body.meta
    return [_OrganizerEmail, _OrganizerPhone]
  }
  for (const as of [undefined, subscriber, contributor]) expect(await contactsFor(as)).toEqual(['', ''])
  expect(await contactsFor(author)).toEqual(['discreet@example.org', '+353 1 999'])
  expect(await venueIds('search=discreet%40example.org')).toEqual([])
})

it('a merged venue redirects to the one that remains', async () => {
  const { id } = await makeVenue(editor, 'Twice')
  const { id: into } = await makeVenue(editor, 'Once')
  await send('POST', `/venues/${id}/merge`, { as: editor, json: { into } })
  const { status, headers } = await call('GET', `tribe_venue/${id}`)
  expect([status, headers.get('location')]).toEqual([301, `${CORE}/wp/v2/tribe_venue/${into}`])
})

it('without the var there are no such routes', async () => {
  expect((await send('GET', `${CORE}/wp/v2/tribe_venue`)).status).toBe(404)
})
