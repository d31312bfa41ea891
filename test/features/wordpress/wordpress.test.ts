import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { wordpressRoutes } from '../../../src/features/wordpress/index.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { bytes, png } from '../../calendar/media/build.ts'
import { JPEG, PNG } from '../../calendar/media/samples.ts'
import { formOf } from '../../calendar/media/upload.ts'
import {
  declareUser,
  makeAll,
  makeCategory,
  makeEvent,
  makeTag,
  makeUser,
  query,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { sendWith } from '../../kit/http/worker.ts'

const VARS = {
  CORE_PREFIX: 'wp-json',
  NAMESPACE_ALIASES: 'wp-json/tribe/events/v1',
  SITE_NAME: "What's on",
  SITE_TAGLINE: 'Concerts & markets',
  TIMEZONE: 'Europe/Dublin',
  IMAGE_SIZES: 'medium:8',
  DEBUG_TIMING: '1',
}
const CORE = `${SITE}/wp-json`

const editor = declareUser('editor')
const author = declareUser('author', 'Author')
const contributor = declareUser('contributor')
const subscriber = declareUser('subscriber')

const sendHere = sendWith(VARS)

const call = (method: string, path: string, as?: string, json?: object) =>
  sendHere(method, CORE + path, { ...(as && { as }), json })

let made = 0
const fresh = () => png(20, 10, `wordpress ${++made}`)

const uploadAs = (as: string, body = fresh(), query = '') =>
  sendHere('POST', `${CORE}/wp/v2/media${query}`, {
    as,
    body,
    headers: { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="night.png"' },
  })

describe('the index', () => {
  it('says what clients look for, with and without a slash', async () => {
    for (const path of ['', '/']) {
      const { status, headers, body } = await call('GET', path)
      expect(headers.get('link'), path).toBe(`<${SITE}/wp-json/>; rel="https://api.w.org/"`)
      expect([status, body], path).toMatchObject([
        200,
        {
          name: "What's on",
          description: 'Concerts & markets',
          url: SITE,
          home: SITE,
          timezone_string: 'Europe/Dublin',
          gmt_offset: 0,
          namespaces: ['tribe/events/v1', 'tec/v1', 'wp/v2'],
        },
      ])
    }
  })

  it('lists the routes of all namespaces, from which clients build their methods', async () => {
    const { body } = await call('GET', '/')
    expect(Object.keys(body.routes)).toEqual(
      expect.arrayContaining([
        '/tribe/events/v1',
        '/tribe/events/v1/events/(?P<id>\\d+)',
        '/wp/v2/users/me',
        '/wp/v2/tribe_events/(?P<id>\\d+)',
      ]),
    )
    expect(body.routes['/tribe/events/v1/events']).toMatchObject({
      namespace: 'tribe/events/v1',
      methods: ['GET', 'POST'],
      endpoints: [{ methods: ['GET'] }, { methods: ['POST'] }],
      _links: { self: [{ href: `${CORE}/tribe/events/v1/events` }] },
    })
    expect(body.routes['/wp/v2/tags']).toMatchObject({
      namespace: 'wp/v2',
      _links: { self: [{ href: `${CORE}/wp/v2/tags` }] },
    })
  })
})

describe('the caller', () => {
  it('is shown with the role and what it may', async () => {
    const { body } = await call('GET', '/wp/v2/users/me', author)
    expect(body).toMatchObject({
      id: 2,
      name: 'Author',
      slug: 'author',
      roles: ['author'],
      capabilities: {
        upload_files: true,
        edit_posts: true,
        publish_posts: true,
        edit_others_posts: false,
        manage_categories: false,
      },
    })
    expect((await call('GET', '/wp/v2/users/me', contributor)).body.capabilities).toMatchObject({
      edit_posts: true,
      publish_posts: false,
      upload_files: false,
    })
    expect((await call('GET', '/wp/v2/users/me', subscriber)).body.roles).toEqual(['subscriber'])
    const { headers } = await call('GET', '/wp/v2/users/me', subscriber)
    expect(headers.get('cache-control')).toBe('private, no-store')
    await env.DB.exec("UPDATE users SET name = 'Ann Other' WHERE id = 2")
    expect((await call('GET', '/wp/v2/users/me', author)).body).toMatchObject({
      name: 'Ann Other',
      username: 'Author',
      slug: 'author',
    })
    await env.DB.exec("UPDATE users SET name = '' WHERE id = 2")
  })

  it('without credentials is nobody, and with wrong ones is refused', async () => {
    expect((await call('GET', '/wp/v2/users/me')).status).toBe(401)
    const wrong = `Basic ${btoa('editor:wrong')}`
    for (const path of ['', '/wp/v2/users/me', '/wp/v2/tags'])
      expect((await call('GET', path, wrong)).body.code, path).toBe('incorrect_password')
  })
})

describe('terms', () => {
  it('are found by name and by slug, used or not', async () => {
    const tag = await makeTag(editor, 'Blühende Wiese')
    const tags = async (query: string) => (await call('GET', `/wp/v2/tags?${query}`)).body
    for (const query of [
      'search=bluhende',
      'search=Wiese%20Bl%C3%BChende',
      'slug=bluhende-wiese',
      'slug[]=bluhende-wiese',
      'slug=Bl%C3%BChende%20Wiese',
      `include=${tag.id}`,
    ])
      expect(await tags(query), query).toMatchObject([
        { id: tag.id, name: 'Blühende Wiese', count: 0, taxonomy: 'post_tag' },
      ])
    for (const more of ['hide_empty=true', `exclude=${tag.id}`])
      expect(await tags(`slug=bluhende-wiese&${more}`), more).toEqual([])
    expect((await tags('slug=bluhende-wiese'))[0]).not.toHaveProperty('parent')
    expect((await call('GET', `/wp/v2/tags/${tag.id}`)).body).toEqual((await tags(`include=${tag.id}`))[0])
    expect((await call('GET', '/wp/v2/tags/999999')).status).toBe(404)
  })

  it('take parameters of WordPress as they come', async () => {
    const queries = [
      'search=',
      'include=',
      'slug=',
      'exclude=',
      'orderby=term_order',
      'order=DESC',
      '_fields=id,name',
      'context=edit',
      'per_page=300',
      'page=50',
    ]
    for (const query of queries) {
      const { status, body } = await call('GET', `/wp/v2/categories?${query}`)
      expect([status, Array.isArray(body)], query).toEqual([200, true])
    }
    const beyond = await call('GET', '/wp/v2/tags?page=50')
    expect(beyond.body).toEqual([])
    // As in WordPress, it leads back to the last page.
    const lastPage = Math.max(1, Number(beyond.headers.get('x-wp-totalpages')))
    expect(beyond.headers.get('link')).toBe(`<${CORE}/wp/v2/tags?page=${lastPage}>; rel="prev"`)
    expect((await call('GET', '/wp/v2/tags?page=0')).status).toBe(400)
  })

  it('have totals and links', async () => {
    for (const name of ['Page A', 'Page B', 'Page C']) await makeTag(editor, name)
    const { headers, body } = await call('GET', '/wp/v2/tags?search=page&per_page=1&page=2')
    expect(body).toMatchObject([{ name: 'Page B' }])
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['3', '3'])
    expect(headers.get('link')).toBe(
      `<${CORE}/wp/v2/tags?search=page&per_page=1&page=1>; rel="prev", <${CORE}/wp/v2/tags?search=page&per_page=1&page=3>; rel="next"`,
    )
    expect((await call('GET', '/wp/v2/tags?search=page')).headers.get('link')).toBeNull()
  })

  it('are made with the rights of this interface, and audited', async () => {
    for (const [as, status] of [
      [undefined, 401],
      [subscriber, 403],
      [contributor, 403],
      [author, 403],
      [editor, 201],
    ] as const)
      expect((await call('POST', '/wp/v2/tags', as, { name: 'Rights' })).status).toBe(status)
    expect((await call('POST', '/wp/v2/categories', author, { name: 'By an author' })).status).toBe(201)
    const form = await sendHere('POST', `${CORE}/wp/v2/categories`, {
      as: editor,
      body: new URLSearchParams({ name: 'Open Air', slug: 'open-air', parent: '0' }),
    })
    expect(form.body).toMatchObject({
      name: 'Open Air',
      slug: 'open-air',
      taxonomy: 'category',
      parent: 0,
      meta: [],
    })
    const parent = await makeCategory(editor, 'Above')
    const { body, headers } = await call('POST', '/wp/v2/categories', editor, {
      name: 'Below',
      parent: parent.id,
      description: 'Deep',
    })
    expect(body).toMatchObject({
      parent: parent.id,
      description: 'Deep',
      _links: { self: [{ href: headers.get('location') }] },
    })
    const twice = await call('POST', '/wp/v2/categories', editor, { name: 'below', parent: parent.id })
    expect([twice.status, twice.body]).toMatchObject([
      400,
      { code: 'term_exists', data: { term_id: body.id } },
    ])
    const entries = await query("SELECT action FROM audit WHERE kind = 'category' AND object_id = ?", body.id)
    expect(entries).toEqual([{ action: 'create' }])
    expect((await call('POST', '/wp/v2/tags', editor, {})).body.code).toBe('rest_missing_callback_param')
  })
})

describe('media', () => {
  it('are uploaded with the rights of this interface', async () => {
    for (const [as, status] of [
      [subscriber, 403],
      [contributor, 403],
      [author, 201],
    ] as const)
      expect((await uploadAs(as)).status).toBe(status)
    expect((await call('GET', '/wp/v2/media')).status).toBe(200)
    const { body } = await uploadAs(author)
    expect((await call('GET', `/wp/v2/media/${body.id}`, contributor)).status).toBe(404)
    expect((await call('GET', '/wp/v2/media?per_page=100', contributor)).body).not.toContainEqual(body)
    expect((await call('GET', '/wp/v2/media?per_page=100', author)).body).toContainEqual(body)
  })

  it('are shown in the shape of WordPress', async () => {
    const { body, headers, status } = await uploadAs(author, JPEG, '?alt_text=Words&caption=Below')
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${CORE}/wp/v2/media/${body.id}`)
    const url = expect.stringMatching(new RegExp(`^${SITE}/media/\\w{64}\\.jpg$`))
    const text = (of: string) => ({ raw: of, rendered: of })
    expect(body).toMatchObject({
      id: expect.any(Number),
      date: '2026-11-20T12:00:00',
      date_gmt: '2026-11-20T12:00:00',
      author: 2,
      title: text('night'),
      caption: text('Below'),
      alt_text: 'Words',
      source_url: url,
      guid: { rendered: url },
      type: 'attachment',
      status: 'inherit',
      mime_type: 'image/jpeg',
      media_type: 'image',
      media_details: {
        width: 16,
        height: 24,
        sizes: { full: { width: 16, height: 24 }, medium: { width: 8, height: 12 } },
      },
      post: null,
      meta: [],
    })
    expect((await uploadAs(author, JPEG)).body.id).toBe(body.id)
    const event = await makeEvent(author, { image: body.id })
    expect(event.image).toMatchObject({ id: body.id, url: body.source_url, alt_text: 'Words' })
  })

  it('are uploaded by forms, with their texts beside them', async () => {
    const form = formOf({ file: PNG, title: 'By form', alt_text: 'From a form' })
    const { status, body } = await sendHere('POST', `${CORE}/wp/v2/media`, { as: author, body: form })
    expect([status, body]).toMatchObject([
      201,
      { alt_text: 'From a form', title: { rendered: 'By form', raw: 'By form' } },
    ])
  })

  it('end with an error after the last page, by which clients know that they have everything', async () => {
    await uploadAs(author)
    const page = (n: number) =>
      call('GET', `/wp/v2/media?per_page=1&page=${n}&media_type=image&orderby=date`, author)
    const pages = Number((await page(1)).headers.get('x-wp-totalpages'))
    expect([(await page(pages)).status, pages > 1]).toEqual([200, true])
    const { status, body } = await page(pages + 1)
    expect([status, body.code]).toEqual([400, 'rest_post_invalid_page_number'])
  })

  it('are found by slug, and an unknown one finds none: clients take the first of what they get', async () => {
    const { body: one } = await uploadAs(author)
    const { body: two } = await uploadAs(author)
    const ids = async (query: string) =>
      (await call('GET', `/wp/v2/media?${query}`, author)).body.map(({ id }: { id: number }) => id)
    for (const { slug } of [one, two]) expect(slug).toMatch(/^night(-\d)?$/)
    expect(one.slug).not.toBe(two.slug)
    expect(await ids(`slug=${one.slug}`)).toEqual([one.id])
    expect(await ids(`slug[]=${one.slug}&slug[]=${two.slug}`)).toEqual([two.id, one.id])
    for (const unknown of ['nigh', 'media-', 'media-999999', `${one.slug}x`, 'media-9e99', '-1'])
      expect(await ids(`slug=${unknown}`), unknown).toEqual([])
    expect(await ids(`slug=${one.slug}&include=${two.id}`)).toEqual([])
    expect(await ids(`slug=${one.slug}&include=${one.id},${two.id}`)).toEqual([one.id])
    expect(await ids('slug=')).toEqual(await ids(''))
  })

  it('are changed and deleted', async () => {
    const { body } = await uploadAs(author)
    const path = `/wp/v2/media/${body.id}`
    const changed = await call('POST', path, author, {
      alt_text: 'A',
      title: { raw: 'B' },
      caption: 'C',
      description: 'D',
    })
    expect(changed.body).toMatchObject({
      alt_text: 'A',
      title: { rendered: 'B' },
      caption: { rendered: 'C' },
    })
    const { id } = await makeEvent(author, { image: body.id })
    for (const [as, status] of [
      [undefined, 401],
      [subscriber, 403],
      [contributor, 403],
      [await makeUser('stranger', 'author'), 403],
    ] as const)
      for (const method of ['POST', 'DELETE'])
        expect((await call(method, path, as, { alt_text: 'Not mine' })).status, method).toBe(status)
    expect((await call('DELETE', `${path}?force=true`, author)).status).toBe(409)
    await send('DELETE', `/events/${id}?force=true`, { as: author })
    const deleted = await call('DELETE', `${path}?force=true`, author)
    expect([deleted.status, deleted.body]).toMatchObject([200, { deleted: true, previous: { id: body.id } }])
    expect((await call('GET', path, author)).status).toBe(404)
  })

  it('say what is wrong with a file, as this interface does', async () => {
    const { status, body } = await uploadAs(author, bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect([status, body.code, body.data.params.file]).toMatchObject([
      400,
      'rest_invalid_param',
      expect.stringContaining('SVG'),
    ])
  })
})

describe('costs', () => {
  it('are those of this interface: one trip, with a login that was right before', async () => {
    const trips = async (path: string) => metricsOf(await sendHere('GET', SITE + path, { as: editor })).trips
    expect(await trips('/wp-json/wp/v2/users/me')).toBe(2)
    for (const path of [
      '/wp-json/wp/v2/tags',
      '/wp-json/wp/v2/media',
      '/wp-json/tribe/events/v1/events',
      '/wp-json/tribe/events/v1/tags',
    ])
      expect(await trips(path), path).toBe(1)
    expect(metricsOf(await uploadAs(editor)).trips).toBe(2)
  })
})

describe('the document', () => {
  const read = async (vars: object) => (await sendWith(vars)('GET', '/doc')).body

  it('has these routes where they are, and nowhere else', async () => {
    const { paths } = await read(VARS)
    const expected = wordpressRoutes({ routes: [], otherNamespaces: {} }).map(({ path }) => `/wp-json${path}`)
    expect(Object.keys(paths).filter(path => path.startsWith('/wp-json'))).toEqual([...new Set(expected)])
    expect(paths['/wp-json/wp/v2/media'].servers).toEqual([{ url: SITE }])
    expect(Object.keys(paths['/wp-json/wp/v2/media'].post.requestBody.content)).toEqual([
      'multipart/form-data',
    ])
    expect(JSON.stringify((await read({})).paths)).not.toContain('wp/v2')
  })

  it('names each operation once', async () => {
    const { paths } = await read(VARS)
    const ids = Object.values<Record<string, { operationId?: string }>>(paths).flatMap(methods =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('events', () => {
  const path = (id: number) => `/wp/v2/tribe_events/${id}`

  it('that were created here are completed, with the fields of WordPress', async () => {
    const { id } = await makeEvent(author, { title: 'Plain', cost: '5' })
    const image = (await uploadAs(author)).body.id
    const { id: folk } = await makeTag(editor, 'Folk')
    const { id: music } = await makeCategory(editor, 'Music')
    const { status, body, headers } = await call('POST', path(id), author, {
      title: { raw: 'Completed' },
      content: '<p>All of it</p><script>no</script>',
      status: 'draft',
      tags: [folk],
      tribe_events_cat: [music, 'Dance'],
      featured_media: image,
      meta: {
        _EventCost: '12',
        _EventURL: 'https://example.org/x',
        _yoast_wpseo_title: 'X',
        _EventShowMap: '',
      },
      categories: [3],
    })
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'categories, meta._yoast_wpseo_title'])
    expect(body).toMatchObject({
      id,
      type: 'tribe_events',
      status: 'draft',
      title: { rendered: 'Completed' },
      content: { rendered: '<p>All of it</p>' },
      featured_media: image,
      tags: [folk],
      tribe_events_cat: [expect.any(Number), music],
      meta: { _EventURL: 'https://example.org/x', _EventShowMap: false, _EventVenueID: [] },
    })
    expect(body._links).toEqual({
      self: [{ href: CORE + path(id) }],
      collection: [{ href: `${CORE}/wp/v2/tribe_events` }],
    })
    const { body: event } = await send('GET', `/events/${id}`, { as: author })
    expect({ title: event.title, cost: event.cost, image: event.image.id }).toEqual({
      title: 'Completed',
      cost: '$12',
      image,
    })
    expect((await call('GET', path(id), author)).body).toEqual(body)
    expect((await call('GET', path(id))).status).toBe(403)
    expect((await call('PUT', path(id), author, { tags: [], featured_media: 0 })).body).toMatchObject({
      tags: [],
      featured_media: 0,
      tribe_events_cat: body.tribe_events_cat,
    })
  })

  it('are written with the rights of the API, and its errors name what was sent', async () => {
    const { id } = await makeEvent(editor, { title: 'Not theirs' })
    const json = { title: 'Changed' }
    for (const [as, expected] of [
      [undefined, 401],
      [subscriber, 403],
      [contributor, 403],
      [author, 403],
    ] as const) {
      expect((await call('POST', path(id), as, json)).status).toBe(expected)
      expect((await call('DELETE', path(id), as)).status).toBe(expected)
    }
    expect((await call('POST', path(99_999), editor, json)).body.code).toBe('rest-event-not-found')
    const wrong = {
      ...json,
      tribe_events_cat: [99_999],
      featured_media: 'poster.gif',
      meta: { _EventStartDate: 'soon' },
    }
    const { status, body } = await call('POST', path(id), editor, wrong)
    expect({ status, code: body.code, params: Object.keys(body.data.params).sort() }).toEqual({
      status: 400,
      code: 'rest_invalid_param',
      params: ['featured_media', 'meta._EventStartDate', 'tribe_events_cat'],
    })
    expect(body.message).toContain('tribe_events_cat')
    expect((await call('GET', path(id))).body.title.rendered).toBe('Not theirs')
  })

  describe('in lists', () => {
    const ids: number[] = []
    const list = async (query: string, as?: string) => {
      const { status, headers, body } = await call('GET', `/wp/v2/tribe_events?${query}`, as)
      expect(status, query).toBe(200)
      const found: number[] = body.map(({ id }: { id: number }) => id)
      return { ids: found, headers, body }
    }
    const idsOf = async (query: string, as?: string) => (await list(query, as)).ids

    beforeAll(async () => {
      for (const [title, start_date] of [
        ['Reel Three', '2031-03-01 20:00:00'],
        ['Reel One', '2011-03-01 20:00:00'],
        ['Reel Two', '2027-03-01 20:00:00'],
      ])
        ids.push((await makeEvent(editor, { title, start_date, end_date: start_date, status: 'publish' })).id)
    })

    it('are all of them, the newest first, in pages with totals', async () => {
      const [three = 0, one = 0, two = 0] = ids
      expect(await idsOf('search=reel')).toEqual([two, one, three])
      expect((await idsOf('per_page=3')).slice(0, 3)).toEqual([two, one, three])
      const { ids: second, headers } = await list('search=reel&per_page=2&page=2')
      expect(second).toEqual([three])
      expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['3', '2'])
      expect(headers.get('link')).toBe(
        `<${CORE}/wp/v2/tribe_events?search=reel&per_page=2&page=1>; rel="prev"`,
      )
      const all = await list('per_page=100')
      expect(all.headers.get('x-wp-total')).toBe(String(all.ids.length))
      const after = await call('GET', '/wp/v2/tribe_events?search=reel&page=2')
      expect([after.status, after.body.code]).toEqual([400, 'rest_post_invalid_page_number'])
    })

    it('are those of a search, slug or ids, in the order that was asked for', async () => {
      const [three = 0, one = 0, two = 0] = ids
      expect(await idsOf('slug=reel-two')).toEqual([two])
      expect(await idsOf('slug[]=reel-two&slug[]=reel-one&order=asc')).toEqual([one, two])
      expect(await idsOf(`include=${one},${three}`)).toEqual([one, three])
      expect(await idsOf(`include=${one}&slug=reel-two`)).toEqual([])
      for (const orderby of ['event_date', 'event_date_utc', 'title'])
        expect(await idsOf(`search=reel&order=asc&orderby=${orderby}`), orderby).toEqual(
          orderby === 'title' ? [one, three, two] : [one, two, three],
        )
      for (const query of ['slug=reel', 'include=999999', 'search=nothing%20here'])
        expect(await idsOf(query), query).toEqual([])
      for (const query of ['search=', 'slug=', 'include=', 'orderby=relevance', 'context=edit', '_embed='])
        expect((await idsOf(query)).length, query).toBeGreaterThan(2)
    })

    it('have the order of the dates by the names of the plugin, in its own API as well', async () => {
      const [three = 0, one = 0, two = 0] = ids
      for (const orderby of ['event_date', 'event_date_utc']) {
        const query = `search=reel&start_date=2001-01-01&end_date=2040-01-01&order=desc&orderby=${orderby}`
        const { body } = await send('GET', `/events?${query}`)
        expect(body.events.map(({ id }: { id: number }) => id)).toEqual([three, two, one])
      }
    })

    it('read few rows, however many there are', async () => {
      await makeAll(
        editor,
        'events',
        Array.from({ length: 90 }, (_, n) => ({ title: `Many ${n}`, ...WHEN })),
      )
      for (const query of ['', '&slug=reel-one', '&orderby=event_date', `&include=${ids[0]}`]) {
        const { headers, ids: found } = await list(`per_page=1${query}`)
        expect(found, query).toHaveLength(1)
        expect(metricsOf({ headers }).rows, query).toBeLessThan(60)
      }
    })

    it('are as they are alone, or with some fields', async () => {
      const [three = 0] = ids
      const { body } = await list(`include=${three}`)
      expect(body).toEqual([(await call('GET', path(three))).body])
      expect(body[0]).toMatchObject({
        id: three,
        type: 'tribe_events',
        slug: 'reel-three',
        status: 'publish',
        link: `${SITE}/event/reel-three/`,
        guid: { rendered: `${SITE}/event/reel-three/` },
        title: { rendered: 'Reel Three' },
        tribe_events_cat: [],
        meta: { _EventStartDate: '2031-03-01 20:00:00' },
      })
      expect((await list('slug=reel-three&_fields=id,title.rendered')).body).toEqual([
        { id: three, title: { rendered: 'Reel Three' } },
      ])
    })

    it('show what is published and listed, and other statuses to those who may read them', async () => {
      const make = async (title: string, more: object) => (await makeEvent(editor, { title, ...more })).id
      const draft = await make('Hush draft', { status: 'draft' })
      const own = (await makeEvent(author, { title: 'Hush own', status: 'draft' })).id
      const unlisted = await make('Hush unlisted', { status: 'publish', hide_from_listings: true })
      const trashed = await make('Hush trashed', { status: 'publish' })
      await send('DELETE', `/events/${trashed}`, { as: editor })
      const every = [draft, own, unlisted, trashed]
      const queries = [
        'search=hush',
        `include=${every}`,
        'slug=hush-draft,hush-own,hush-unlisted,hush-trashed,hush-trashed__trashed',
      ]
      for (const query of queries)
        for (const as of [undefined, subscriber, contributor, author, editor])
          expect(await idsOf(query, as), query).toEqual([])
      for (const query of queries) {
        for (const status of ['any', 'draft', 'draft,private,publish'])
          for (const as of [undefined, subscriber, contributor])
            expect(await idsOf(`${query}&status=${status}`, as), query).toEqual([])
        expect(await idsOf(`${query}&status=any`, author), query).toEqual([own])
        expect(await idsOf(`${query}&status=draft`, editor), query).toEqual([own, draft])
      }
      for (const as of [undefined, contributor])
        expect(await idsOf('status=any&per_page=100', as)).not.toEqual(expect.arrayContaining([draft]))
      expect(await idsOf('status=any&per_page=100', editor)).toEqual(expect.arrayContaining([draft, own]))
      expect((await call('GET', '/wp/v2/tribe_events?status=trash', editor)).status).toBe(400)
    })
  })

  it('go to the trash, and for good', async () => {
    const { id } = await makeEvent(author, { title: 'To go' })
    const trashed = await call('DELETE', path(id), author)
    expect([trashed.status, trashed.body.status]).toEqual([200, 'trash'])
    expect((await call('DELETE', path(id), author)).status).toBe(410)
    const { body } = await call('DELETE', `${path(id)}?force=true`, author)
    expect(body).toMatchObject({ deleted: true, previous: { id } })
    expect((await call('GET', path(id), author)).status).toBe(404)
  })

  it('are not changed by somebody who has read another version', async () => {
    const { id } = await makeEvent(editor, { title: 'Guarded' })
    const headers = { 'if-match': '"none"' }
    const sending = { as: editor, json: { title: 'X' }, headers }
    expect((await sendHere('POST', CORE + path(id), sending)).status).toBe(412)
  })
})

it('without the var there are no such routes, and a wrong one is refused', async () => {
  for (const path of ['/wp/v2/users/me', '/wp/v2/tags']) {
    expect((await send('GET', CORE + path)).status, path).toBe(404)
  }
  for (const wrong of ['wp json', '../x', 'a/{id}', '*', 'wp-json/:x'])
    expect(() => settingsOf({ CORE_PREFIX: wrong }), wrong).toThrow(/CORE_PREFIX/)
  expect(settingsOf({ CORE_PREFIX: '/wp-json/' }).corePrefix).toBe('wp-json')
})
