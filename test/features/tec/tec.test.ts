import { describe, expect, it } from 'vitest'
import { responseCache } from '../../../src/kit/http/caching.ts'
import {
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  person,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { sendWith } from '../../kit/http/worker.ts'

// What tec/v1 promises besides the recorded cases, which test/conformance plays.

const TEC = `${SITE}/wp-json/tec/v1`
const admin = declareUser('administrator', 'admin')
const author = person('author')
const contributor = declareUser('contributor')
const subscriber = declareUser('subscriber')

const call = (method: string, path: string, as?: string, json?: object) =>
  send(method, TEC + path, { ...(as && { as }), ...(json && { json }) })
const idsOf = ({ body }: { body: object }) => Object.values(body).map(({ id }) => id)
const paramsOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [
  status,
  Object.keys(body.data?.params ?? {}),
]

let n = 0
/** Something that no other test finds. */
const word = () => `word${++n}`

describe('an update', () => {
  const all = { featured: true, sticky: true, all_day: true, cost: '$5', description: '<p>Old</p>' }

  it('leaves what it does not name, whatever it is', async () => {
    const venue = await makeVenue(admin, word())
    const organizer = await makeOrganizer(admin, word())
    const category = await makeCategory(admin, word())
    const tag = await makeTag(admin, word())
    const links = { venue: venue.id, organizer: organizer.id, categories: category.id, tags: tag.id }
    for (const status of ['draft', 'pending', 'private', 'publish']) {
      const { id } = await makeEvent(admin, { ...all, ...links, status, title: word() })
      const before = (await call('GET', `/events/${id}`, admin)).body
      for (const method of ['PUT', 'PATCH']) {
        const { body } = await call(method, `/events/${id}`, admin, { excerpt: method })
        expect(body, method).toEqual({
          ...before,
          excerpt: body.excerpt,
          modified: body.modified,
          modified_gmt: body.modified_gmt,
        })
      }
    }
  })

  it('takes false, an empty list and an empty text as what they are', async () => {
    const { id } = await makeEvent(admin, {
      ...all,
      venue: { venue: word() },
      organizer: { organizer: word() },
      categories: [word()],
      tags: [word()],
      excerpt: 'x',
    })
    const flags = { featured: false, sticky: false, all_day: false }
    expect((await call('PUT', `/events/${id}`, admin, flags)).body).toMatchObject(flags)
    const lists = { venues: [], organizers: [], tags: [], tribe_events_cat: [] }
    expect((await call('PUT', `/events/${id}`, admin, lists)).body).toMatchObject(lists)
    const texts = { content: '', excerpt: '', cost: '' }
    expect((await call('PUT', `/events/${id}`, admin, texts)).body).toMatchObject({
      content: { rendered: '' },
      excerpt: { rendered: '' },
      cost: '',
    })
    expect(paramsOf(await call('PUT', `/events/${id}`, admin, { title: '' }))).toEqual([400, ['title']])
    const organizer = await makeOrganizer(admin, word(), {
      email: 'a@example.org',
      website: 'https://a.example',
    })
    expect(
      (await call('PUT', `/organizers/${organizer.id}`, admin, { email: '', website: '' })).body,
    ).toMatchObject({ email: '', website: '' })
  })

  it('is listed with a list of providers of tickets, too', async () => {
    const title = word()
    await makeEvent(admin, { title, ticketed: true })
    for (const query of ['ticketed[]=woo&ticketed[]=rsvp', 'ticketed=1'])
      expect((await call('GET', `/events?search=${title}&${query}`)).body).toHaveLength(1)
    expect((await call('GET', `/events?search=${title}&ticketed=woo`)).status).toBe(400)
  })

  it('is refused if it contradicts itself or what is stored, and changes nothing', async () => {
    const { id } = await makeEvent(admin, { title: word() })
    const before = (await call('GET', `/events/${id}`)).body
    for (const [fields, names] of [
      [{ start_date: '2027-01-10 13:00:00' }, ['start_date']],
      [{ end_date: '2027-01-09 10:00:00' }, ['end_date']],
      [{ end_date: '2027-01-10 11:00:00', duration: 60 }, ['duration']],
      [{ start_date: '2028-01-10 13:00:00', duration: 'x' }, ['duration']],
      [{ start_date: '2027-02-30 10:00:00', end_date: '2027-03-02 11:00:00' }, ['start_date']],
      [{ status: 'trash' }, ['status']],
      [{ cost: 5 }, ['cost']],
      [{ tags: ['jazz'], organizers: [99999] }, ['organizers', 'tags']],
      [{ venues: [99999], organizers: [99999], tags: [99999] }, ['venues', 'organizers', 'tags']],
      [{ featured_media: 99999 }, ['featured_media']],
      [{ content: 'x'.repeat(200_001) }, ['content']],
    ] as const) {
      const [status, found] = paramsOf(await call('PUT', `/events/${id}`, admin, fields))
      expect([status, [...(found as string[])].sort()], JSON.stringify(fields).slice(0, 99)).toEqual([
        400,
        [...names].sort(),
      ])
    }
    expect((await call('GET', `/events/${id}`)).body).toEqual(before)
  })

  it('sets an end by its duration, over a change of clocks too', async () => {
    const zone = {
      timezone: 'Europe/Rome',
      start_date: '2027-03-27 23:00:00',
      end_date: '2027-03-27 23:30:00',
    }
    const { id } = await makeEvent(admin, { title: word(), ...zone })
    expect((await call('PATCH', `/events/${id}`, admin, { duration: 4 * 3600 })).body).toMatchObject({
      end_date: '2027-03-28 04:00:00',
      duration: 14_400,
      multiday: 2,
    })
    // Clocks show 2:30 twice: two hours later is the second time.
    const autumn = { ...zone, start_date: '2027-10-31 01:30:00', end_date: '2027-10-31 01:45:00' }
    const { id: later } = await makeEvent(admin, { title: word(), ...autumn })
    expect((await call('PATCH', `/events/${later}`, admin, { duration: 2 * 3600 })).body).toMatchObject({
      end_date: '2027-10-31 02:30:00',
      duration: 7200,
    })
    const sent = { title: word(), start_date: WHEN.start_date, duration: 5400 }
    expect((await call('POST', '/events', admin, sent)).body.end_date).toBe('2027-01-10 11:30:00')
  })

  it('takes what was read, but for the shapes of texts', async () => {
    const { id } = await makeEvent(admin, { title: 'A & B', ...all })
    const { body } = await call('GET', `/events/${id}`, admin)
    const texts = { title: 'A & B', content: body.content.rendered, excerpt: '' }
    const sent = { ...body, ...texts, organizers: [], venues: [] }
    const again = await call('PUT', `/events/${id}`, admin, sent)
    expect(again.body).toEqual(body)
    expect(body.title.rendered).toBe('A &#038; B')
  })
})

describe('the trash', () => {
  it.each(['events', 'venues', 'organizers'])(
    'has what was deleted of %s, which is then gone here',
    async plural => {
      const fields = { title: word(), ...WHEN }
      const { id } = (await call('POST', `/${plural}`, author.as, fields)).body
      const path = `/${plural}/${id}`
      expect((await call('DELETE', `${path}?force=false`, author.as)).body).toEqual([])
      expect((await send('GET', path, { as: admin })).status).toBe(403)
      for (const as of [admin, author.as]) {
        expect((await call('GET', path, as)).status).toBe(404)
        expect((await call('PUT', path, as, { status: 'publish' })).status).toBe(404)
      }
      expect((await call('GET', path)).status).toBe(401)
      expect((await call('GET', path, contributor)).status).toBe(403)
      expect((await call('DELETE', path, author.as)).status).toBe(410)
      expect((await call('DELETE', `${path}?force=1`, author.as)).body).toEqual([])
      for (const as of [undefined, subscriber, admin]) expect((await call('GET', path, as)).status).toBe(404)
      expect((await call('PATCH', path, admin, { title: 'x' })).status).toBe(404)
      expect((await call('DELETE', path, admin)).status).toBe(404)
    },
  )
})

describe('rights', () => {
  it('let a contributor publish nothing, and change nothing that is published', async () => {
    for (const status of ['publish', 'future', 'private', undefined]) {
      const fields = { title: word(), ...WHEN, ...(status && { status }) }
      const { body } = await call('POST', '/events', contributor, fields)
      expect(['pending', 'draft'], status).toContain(body.status)
      const changed = await call('PUT', `/events/${body.id}`, contributor, { status: 'publish' })
      expect(changed.body.status).toBe('pending')
      await call('PUT', `/events/${body.id}`, admin, { status: 'publish' })
      expect((await call('PUT', `/events/${body.id}`, contributor, { title: 'x' })).status).toBe(403)
    }
  })

  it('are checked after the fields, and before the rest', async () => {
    const bad = { title: 'x', ...WHEN, status: 'nonsense' }
    for (const as of [undefined, subscriber]) {
      expect(paramsOf(await call('POST', '/events', as, bad))).toEqual([400, ['status']])
      expect((await call('POST', '/events', as, {})).status).toBe(400)
    }
    expect((await call('PUT', '/events/99999', undefined, { title: 'x' })).status).toBe(401)
    expect((await call('DELETE', '/venues/99999', subscriber)).status).toBe(403)
    expect((await call('POST', '/events', 'Basic eDp4', bad)).status).toBe(401)
    const long = { title: 'x', ...WHEN, content: 'x'.repeat(300_000) }
    expect((await call('POST', '/events', undefined, long)).status).toBe(413)
  })

  it('keep what is not public out of public events, lists and totals', async () => {
    const text = word()
    const secret = (kind: string) => ({ [kind]: `Secret ${text}`, status: 'private' })
    const { id } = await makeEvent(author.as, {
      title: text,
      venue: secret('venue'),
      organizer: secret('organizer'),
    })
    await makeEvent(author.as, { title: text, status: 'draft' })
    await makeEvent(admin, { title: text, status: 'draft' })
    const shown = await call('GET', `/events/${id}`)
    expect(shown.body).toMatchObject({ venues: [], organizers: [], organizer_names: [] })
    for (const [as, total] of [
      [undefined, 1],
      [subscriber, 1],
      [contributor, 0],
      [author.as, 1],
      [admin, 2],
    ] as const) {
      const { headers, body } = await call('GET', `/events?search=${text}&status=draft`, as)
      expect([headers.get('x-wp-total'), idsOf({ body }).length]).toEqual([String(total), total])
      const venues = await call('GET', `/venues?search=${text}`, as)
      expect(venues.headers.get('x-wp-total')).toBe('0')
    }
    const both = await call('GET', `/events?search=${text}&status[]=draft&status[]=publish`, author.as)
    expect(both.headers.get('x-wp-total')).toBe('2')
  })
})

describe('lists', () => {
  it('are filtered by terms, venues and organizers, in any form of list', async () => {
    const one = await makeCategory(admin, word())
    const two = await makeCategory(admin, word())
    const below = await makeCategory(admin, word(), { parent: one.id })
    const tag = await makeTag(admin, word())
    const venue = await makeVenue(admin, word())
    const organizer = await makeOrganizer(admin, word())
    const first = await makeEvent(admin, { title: word(), categories: below.id, venue: venue.id })
    const other = await makeEvent(admin, {
      title: word(),
      categories: two.id,
      tags: tag.id,
      organizer: organizer.id,
    })
    const list = async (query: string) => idsOf(await call('GET', `/events?${query}`)).sort()
    expect(await list(`categories=${one.id}`)).toEqual([first.id])
    expect(await list(`categories=${one.id},${two.id}`)).toEqual([first.id, other.id])
    expect(await list(`categories[]=${one.id}&categories[]=${two.id}`)).toEqual([first.id, other.id])
    expect(await list(`tags=${tag.id}`)).toEqual([other.id])
    expect(await list(`venue=${venue.id}`)).toEqual([first.id])
    expect(await list(`organizer[]=${organizer.id}`)).toEqual([other.id])
    expect(await list(`venue=${venue.id}&organizer=${organizer.id}`)).toEqual([])
    for (const name of ['venue', 'organizer', 'categories', 'tags'])
      expect(paramsOf(await call('GET', `/events?${name}=99999`)), name).toEqual([400, [name]])
    for (const plural of ['venues', 'organizers'])
      expect(await call('GET', `/${plural}?event=99999`), plural).toMatchObject({ status: 200, body: [] })
    expect(idsOf(await call('GET', `/venues?event=${first.id}`))).toEqual([venue.id])
    expect(idsOf(await call('GET', `/organizers?event=${first.id}`))).toEqual([])
    // A hidden event has none either, but for people who may read it.
    const draft = await makeEvent(admin, { title: word(), venue: venue.id, status: 'draft' })
    expect(idsOf(await call('GET', `/venues?event=${draft.id}`))).toEqual([])
    expect(idsOf(await call('GET', `/venues?event=${draft.id}`, admin))).toEqual([venue.id])
    expect(idsOf(await call('GET', `/organizers?search=${organizer.organizer}&has_events=0`))).toEqual([])
  })

  it('have totals and links to the neighbours, and refuse what they do not know', async () => {
    const text = word()
    for (const title of ['b', 'a', 'c']) await makeEvent(admin, { title: `${title} ${text}` })
    const page = await call('GET', `/events?search=${text}&per_page=1&page=2&orderby=title&order=DESC`)
    expect(page.body[0].title.rendered).toBe(`b ${text}`)
    const rest = `search=${text}&per_page=1&`
    expect(page.headers.get('link')).toContain(`${TEC}/events?${rest}`)
    expect(page.headers.get('link')).toMatch(/page=3>; rel="next", <.*DESC>; rel="prev"/)
    expect([page.headers.get('x-wp-total'), page.headers.get('x-wp-totalpages')]).toEqual(['3', '3'])
    for (const [query, name] of [
      ['per_page=101', 'per_page'],
      ['orderby=name', 'orderby'],
      ['order=desc', 'order'],
      ['status=trash', 'status'],
      ['start_date=', 'start_date'],
      ['featured=maybe', 'featured'],
      ['venue=x', 'venue'],
    ])
      expect(paramsOf(await call('GET', `/events?${query}`)), query).toEqual([400, [name]])
    for (const plural of ['events', 'venues', 'organizers'])
      expect((await call('GET', `/${plural}?page=9999`)).body.code, plural).toBe(
        'tec_rest_organizers_page_not_found',
      )
    expect(
      (await call('GET', `/events?search=${text}&include=1&slug=x&_fields=id,title.rendered`)).body[0],
    ).toEqual({
      id: expect.any(Number),
      title: { rendered: expect.any(String) },
    })
  })
})

describe('requests as WordPress knows them', () => {
  const found = async (address: string) => (await send('GET', `${SITE}${address}`)).status

  it('reach it by other addresses and methods', async () => {
    const { id } = await makeEvent(admin, { title: word() })
    for (const address of [
      `/wp-json/tec/v1/events/${id}/`,
      `/?rest_route=/tec/v1/events/${id}`,
      `/index.php/wp-json/tec/v1/events/${id}`,
      '/wp-json/tec/v1',
    ])
      expect(await found(address), address).toBe(200)
    expect((await call('HEAD', `/events/${id}`)).status).toBe(200)
    expect((await call('OPTIONS', `/events/${id}`)).headers.get('allow')).toContain('PATCH')
    const override = { as: admin, json: { cost: '$9' }, headers: { 'x-http-method-override': 'PATCH' } }
    expect((await send('POST', `${TEC}/events/${id}`, override)).body.cost).toBe('$9')
    expect((await call('POST', `/events/${id}?_method=DELETE`, admin)).body).toEqual([])
    expect((await call('POST', `/events/${id}`, admin, { title: 'x' })).body.code).toBe('rest_no_route')
  })

  it('may have their fields in the address or in a form, and an envelope', async () => {
    const query = new URLSearchParams({ title: word(), ...WHEN })
    expect((await call('POST', `/events?${query}`, admin)).body.start_date).toBe(WHEN.start_date)
    const body = new URLSearchParams({ title: word(), ...WHEN, featured: 'false' })
    expect((await send('POST', `${TEC}/events`, { as: admin, body })).body.featured).toBe(false)
    const { id } = await makeEvent(admin, { title: word() })
    const { status, body: envelope } = await call('GET', `/events/${id}?_envelope=1`)
    expect({ status, envelopeStatus: envelope.status, id: envelope.body.id }).toEqual({
      status: 200,
      envelopeStatus: 200,
      id,
    })
    const missing = await call('GET', '/events/99999?_envelope')
    expect([missing.status, missing.body.status]).toEqual([200, 404])
    expect(missing.body.body.code).toBe('rest-event-not-found')
    expect(missing.headers.get('cache-control')).toBe('no-store')
  })

  it('are not served where it is switched off, nor shared where the header decides', async () => {
    const off = sendWith({ TEC: 'off' })
    expect((await off('GET', `${TEC}/events`)).status).toBe(404)
    const strict = sendWith({ TEC_EEA: 'on' })
    expect((await strict('GET', `${TEC}/events`)).body.code).toBe(
      'missing_experimental_endpoint_acknowledgement',
    )
    expect((await strict('GET', `${TEC}/docs`)).headers.get('cache-control')).toBe('private, no-cache')
    expect((await strict('OPTIONS', `${TEC}/events`)).status).toBe(200)
    expect((await strict('GET', '/events')).status).toBe(200)
    expect((await sendWith({ CORE_PREFIX: 'cms' })('GET', `${SITE}/cms/tec/v1/events`)).status).toBe(200)
  })

  it('may come from pages of any origin', async () => {
    const asking = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
    const { headers } = await send('OPTIONS', `${TEC}/events`, { headers: asking })
    expect(headers.get('access-control-allow-headers')).toContain('X-TEC-EEA')
    const exposed = (await call('GET', '/events')).headers.get('access-control-expose-headers')
    for (const name of ['X-WP-Total', 'X-WP-TotalPages', 'Link']) expect(exposed).toContain(name)
  })
})

describe('the index of WordPress', () => {
  const ask = sendWith({ NAMESPACE_ALIASES: 'wp-json/tribe/events/v1' })

  it('lists the namespaces that there are, and the methods of each route', async () => {
    for (const address of ['/wp-json/', '/wp-json', '/?rest_route=/']) {
      const { status, body } = await ask('GET', SITE + address)
      expect([status, body.namespaces], address).toEqual([200, ['tribe/events/v1', 'tec/v1']])
      expect(body.routes['/tec/v1/events'], address).toMatchObject({
        namespace: 'tec/v1',
        methods: ['GET', 'POST'],
        _links: { self: [{ href: `${TEC}/events` }] },
      })
      expect(body.routes['/tec/v1/venues/(?P<id>\\d+)'].methods, address).toEqual([
        'GET',
        'PUT',
        'PATCH',
        'DELETE',
      ])
      expect(body.routes['/tribe/events/v1/events'].methods, address).toEqual(['GET', 'POST'])
    }
    expect((await ask('GET', `${SITE}/wp-json/wp/v2/users/me`, { as: admin })).status).toBe(404)
    const none = sendWith({ TEC: 'off', NAMESPACE_ALIASES: '' })
    expect((await none('GET', `${SITE}/wp-json/`)).status).toBe(404)
  })

  it.each(['GET', 'HEAD'])('is named by the redirect of the first page to %s', async method => {
    const { status, headers } = await ask(method, `${SITE}/`)
    expect([status, headers.get('link')]).toEqual([302, `<${SITE}/wp-json/>; rel="https://api.w.org/"`])
  })
})

describe('the two APIs', () => {
  it('see what was changed through the other at once, with a tag each', async () => {
    const { id } = await makeEvent(admin, { title: word() })
    const first = await call('GET', `/events/${id}`)
    const tag = first.headers.get('etag') ?? ''
    const unchanged = () => send('GET', `${TEC}/events/${id}`, { headers: { 'if-none-match': tag } })
    expect((await unchanged()).status).toBe(304)
    await send('PATCH', `/events/${id}`, { as: admin, json: { title: 'From there' } })
    expect((await unchanged()).body.title.rendered).toBe('From there')
    await call('PUT', `/events/${id}`, admin, { title: 'From here' })
    expect((await send('GET', `/events/${id}`)).body.title).toBe('From here')
    const stale = { as: admin, json: { title: 'x' }, headers: { 'if-match': tag } }
    expect((await send('PUT', `${TEC}/events/${id}`, stale)).status).toBe(412)
  })

  it('take as many trips and rows', async () => {
    const links = { venue: { venue: word() }, organizer: { organizer: word() }, categories: [word()] }
    const { id } = await makeEvent(admin, links)
    const window = 'start_date=2026-11-19&end_date=2028-11-20+23:59:59'
    let price = 0
    const change = () => ({ cost: `$${++price}` })
    const one = `/events/${id}`
    for (const [method, theirs, mine, fields] of [
      ['GET', one, one],
      ['GET', '/events?per_page=20', `/events?per_page=20&${window}`],
      ['GET', '/venues', '/venues'],
      ['PATCH', one, one, change],
      ['POST', '/events', '/events', () => ({ title: word(), ...WHEN })],
    ] as const) {
      const cost = async (path: string) => {
        const sending = fields && { as: admin, json: fields() }
        responseCache.clear()
        const { status, trips, rows, written } = await measure(method, path, sending)
        expect(status).toBeLessThan(300)
        return { trips, rows, written }
      }
      // The first of each kind may find something that is not known yet.
      await cost(theirs)
      const wanted = await cost(theirs)
      expect(await cost(TEC + mine), `${method} ${mine}`).toEqual(wanted)
    }
  })
})
