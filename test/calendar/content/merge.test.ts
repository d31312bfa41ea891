import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import {
  type Answer,
  API,
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  query,
  SITE,
  send,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { measure } from '../../kit/http/metrics.ts'
import { TODAY } from '../../setup.ts'

const editor = declareUser('editor')
const author = declareUser('author')
const other = declareUser('author', 'other')
const contributor = declareUser('contributor')
const subscriber = declareUser('subscriber')

const merge = (plural: string, id: number, into: unknown, as: string | undefined = editor): Promise<Answer> =>
  send('POST', `/${plural}/${id}/merge`, { ...(as && { as }), json: { into } })

let n = 0
/** A name that nothing else has. */
const uniqueName = (name: string): string => `${name} ${++n}`

/** Makes a venue of each name. */
async function venues<const N extends readonly string[]>(...names: N) {
  const made: Answer['body'][] = []
  for (const name of names) made.push(await makeVenue(editor, uniqueName(name)))
  // One of each.
  return made as { [K in keyof N]: Answer['body'] }
}

/** The ids of the venues of an event, in their order. */
const venuesOf = async (event: number): Promise<number[]> => {
  const { body } = await send('GET', `/events/${event}`, { as: editor })
  return [body.venue].flat().map(({ id }: { id: number }) => id)
}

describe('a venue that is merged into another', () => {
  it('gives it its events, each once and in its place, and the fields that it lacks', async () => {
    const a = await makeVenue(editor, uniqueName('Barn'), {
      city: 'Kent',
      phone: '1',
      geo_lat: 1,
      geo_lng: 2,
      description: 'Old',
      external_id: 'crm/1',
      image: 'https://img.example/barn.png',
    })
    const b = await makeVenue(editor, uniqueName('The Barn'), { phone: '2', website: 'https://barn.example' })
    const c = await makeVenue(editor, uniqueName('Yard'))
    const only = await makeEvent(editor, { venue: a.id })
    const both = await makeEvent(editor, { venue: [a.id, c.id, b.id] })
    const reversed = await makeEvent(author, { venue: [b.id, c.id, a.id], status: 'draft' })
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    const { status, body } = await merge('venues', a.id, b.id)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      id: b.id,
      modified_utc: '2026-11-20 13:00:00',
      venue: b.venue,
      slug: b.slug,
      city: 'Kent',
      phone: '2',
      website: 'https://barn.example',
      geo_lat: 1,
      geo_lng: 2,
      external_id: 'crm/1',
      image: { url: 'https://img.example/barn.png' },
    })
    expect(await venuesOf(only.id)).toEqual([b.id])
    expect(await venuesOf(both.id)).toEqual([b.id, c.id])
    expect(await venuesOf(reversed.id)).toEqual([b.id, c.id])
    // Searches find it by its new texts, totals count it, and the coordinates locate its events.
    expect((await send('GET', `/venues?search=kent&event=${only.id}`)).body.total).toBe(1)
    expect((await send('GET', `/events?venue=${b.id}`)).body.total).toBe(2)
    expect((await send('GET', `/events?geoloc=true&include=${only.id}`)).body.total).toBe(1)
  })

  it('gives it its series, and the dates that have a venue of their own', async () => {
    const a = await makeVenue(editor, uniqueName('Hall'), { geo_lat: 1, geo_lng: 2 })
    // Zero coordinates are values, not missing ones.
    const b = await makeVenue(editor, uniqueName('The Hall'), { geo_lat: 0, geo_lng: 0 })
    const first = await makeEvent(editor, { venue: a.id, recurrence: 'FREQ=DAILY;COUNT=3' })
    const { body: list } = await send('GET', `/events?series=${first.series.id}`)
    await send('PATCH', `/events/${list.events[1].id}`, { as: editor, json: { venue: [b.id, a.id] } })
    expect(await merge('venues', a.id, b.id)).toMatchObject({ status: 200, body: { geo_lat: 0, geo_lng: 0 } })
    expect((await send('GET', `/events?venue=${b.id}`)).body.total).toBe(3)
    const longer = { recurrence: 'FREQ=DAILY;COUNT=5', scope: 'all' }
    await send('PATCH', `/events/${first.id}`, { as: editor, json: longer })
    expect((await send('GET', `/events?venue=${b.id}`)).body.total).toBe(5)
  })

  it('is gone, and its addresses lead to the other one, even after that is renamed', async () => {
    const [a, b, c] = await venues('First', 'Second', 'Third')
    await makeEvent(editor, { venue: a.id })
    await merge('venues', a.id, b.id)
    await merge('venues', b.id, c.id)
    await send('PATCH', `/venues/${c.id}`, { as: editor, json: { slug: `renamed-${c.id}` } })
    const slug = `renamed-${c.id}`
    for (const { id, slug: former } of [a, b]) {
      const page = await send('GET', `${SITE}/venue/${former}/?past=1`)
      expect([page.status, page.headers.get('location')]).toEqual([301, `/venue/${slug}/?past=1`])
      const bySlug = await send('GET', `/venues/by-slug/${former.toUpperCase()}`)
      expect([bySlug.status, bySlug.headers.get('location')]).toEqual([301, `${API}/venues/by-slug/${slug}`])
      const byId = await send('GET', `/venues/${id}?_fields=venue&x=1`)
      expect(byId).toMatchObject({ status: 301, body: { code: 'rest_moved', data: { id: c.id } } })
      expect(byId.headers.get('location')).toBe(`${API}/venues/${c.id}?_fields=venue`)
      // Subscriptions and bookmarks use its id.
      for (const path of ['/events?', '/events.ics?expand=1&', '/events/changes?']) {
        const { status, headers } = await send('GET', `${path}venue[]=${id}&venue[]=${c.id}&featured=false`)
        expect([status, headers.get('location')?.replace(API, '')]).toEqual([
          301,
          `${path}featured=false&venue=${c.id}`,
        ])
      }
      const list = await send('GET', `${SITE}/events/?venue=${id}`)
      expect([list.status, list.headers.get('location')]).toEqual([301, `/events/?venue=${c.id}`])
      expect((await send('GET', `/events?venue=${id},99999`)).body.data.params.venue).not.toContain(id)
      expect((await send('GET', `/events?venue=${id}&categories=nowhere`)).status).toBe(400)
      expect((await send('GET', `/events?venue=${id}&bbox=1`)).status).toBe(400)
      for (const method of ['PATCH', 'DELETE'])
        expect((await send(method, `/venues/${id}`, { as: editor, json: {} })).status, method).toBe(404)
    }
    const head = await send('HEAD', `${SITE}/venue/${a.slug}/`)
    expect(head.status).toBe(301)
  })

  it('leaves its address to a new venue that takes it', async () => {
    const [a, b] = await venues('Taken', 'Survivor')
    await merge('venues', a.id, b.id)
    const next = await makeVenue(editor, uniqueName('Next'), { slug: a.slug })
    expect(next.slug).toBe(a.slug)
    expect((await send('GET', `/venues/by-slug/${a.slug}`)).body.id).toBe(next.id)
    expect((await send('GET', `${SITE}/venue/${a.slug}/`)).status).toBe(200)
    // A private venue must not be revealed.
    await send('PATCH', `/venues/${next.id}`, { as: editor, json: { status: 'private' } })
    expect((await send('GET', `/venues/by-slug/${a.slug}`)).status).toBe(301)
    expect((await send('GET', `${SITE}/venue/${a.slug}/`)).status).toBe(301)
    expect((await send('GET', `/venues/by-slug/${a.slug}`, { as: editor })).body.id).toBe(next.id)
    // The address leads to the survivor of the last merge of that name.
    await send('PATCH', `/venues/${next.id}`, { as: editor, json: { status: 'publish' } })
    const last = await makeVenue(editor, uniqueName('Last'))
    await merge('venues', next.id, last.id)
    expect((await send('GET', `/venues/by-slug/${a.slug}`)).body.data.id).toBe(last.id)
    for (const [id, into] of [
      [a.id, b.id],
      [next.id, last.id],
    ])
      expect((await send('GET', `/venues/${id}`)).body.data.id).toBe(into)
  })

  it('redirects from the time for which it was scheduled, before the cron has run', async () => {
    const date_utc = '2026-11-20 12:30:00'
    const a = await makeVenue(editor, uniqueName('Soon'), { date_utc })
    const b = await makeVenue(editor, uniqueName('Now'))
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    await merge('venues', a.id, b.id)
    expect((await send('GET', `/venues/${a.id}`)).status).toBe(301)
  })

  it('doesn’t redirect if it was never public, or if the other one is not public', async () => {
    const a = await makeVenue(editor, uniqueName('Secret'), { status: 'draft' })
    const b = await makeVenue(editor, uniqueName('Open'))
    const c = await makeVenue(editor, uniqueName('Private'), { status: 'private' })
    await merge('venues', a.id, b.id)
    expect((await send('GET', `/venues/by-slug/${a.slug}`)).status).toBe(404)
    expect((await send('GET', `/venues/${a.id}`)).status).toBe(404)
    await merge('venues', b.id, c.id)
    expect((await send('GET', `/venues/by-slug/${b.slug}`)).status).toBe(404)
    expect((await send('GET', `${SITE}/venue/${b.slug}/`)).status).toBe(404)
    expect((await send('GET', `/events?venue=${b.id}`)).status).toBe(400)
    expect((await send('GET', `/venues/by-slug/${b.slug}`, { as: editor })).status).toBe(301)
  })
})

it.each([
  ['venue', 'venues', makeVenue, 'venue'],
  ['tag', 'tags', makeTag, 'name'],
] as const)(
  'a merged %s passes its imports on to the survivor, and both are in the audit',
  async (kind, plural, make, name) => {
    const description = 'x'.repeat(5_000)
    const makeOne = async (
      name: string,
      fields: object = {},
    ): Promise<{ id: number; name?: string; venue?: string }> => make(editor, name, fields)
    const a = await makeOne(uniqueName('Imported'), { description })
    const b = await makeOne(uniqueName('Own'))
    // Resources of other kinds have the same ids.
    await env.DB.batch([
      env.DB.prepare('DELETE FROM audit'),
      env.DB.prepare('DELETE FROM undo_requests'),
      env.DB.prepare('DELETE FROM imports'),
      env.DB.prepare(
        `INSERT INTO imports (source, kind, external_id, target_id, hash, imported_version) SELECT 'there', value, value, ${a.id}, 'x', '1' FROM json_each('["${kind}","organizer"]')`,
      ),
      env.DB.prepare(
        `INSERT OR REPLACE INTO former_slugs (kind, slug, former_id, target_id) VALUES ('organizer', 'of-another-kind', 99999, ${a.id})`,
      ),
    ])
    await merge(plural, a.id, b.id)
    expect(
      await query('SELECT kind, target_id, imported_version FROM imports ORDER BY kind = ?1', kind),
    ).toEqual([
      { kind: 'organizer', target_id: a.id, imported_version: '1' },
      { kind, target_id: b.id, imported_version: '' },
    ])
    expect(await query(`SELECT target_id FROM former_slugs WHERE former_id = 99999`)).toEqual([
      { target_id: a.id },
    ])
    const entries = await query<{ changed: string }>(
      'SELECT action, object_id, fields, changed FROM audit ORDER BY id',
    )
    expect(entries.map(({ changed, ...entry }) => ({ ...entry, changed: JSON.parse(changed) }))).toEqual([
      {
        action: 'update',
        object_id: b.id,
        fields: '["description"]',
        changed: {
          description: ['', expect.objectContaining({ digest: expect.any(String) })],
          merged: [null, a[name]],
        },
      },
      {
        action: 'merge',
        object_id: a.id,
        fields: '[]',
        changed: { [name]: [a[name], null], into: [null, b.id] },
      },
    ])
  },
)

it('organizers are merged like venues', async () => {
  const a = await makeOrganizer(editor, uniqueName('Guild'), { email: 'a@example.org', phone: '1' })
  const b = await makeOrganizer(editor, uniqueName('The Guild'), { phone: '2' })
  const event = await makeEvent(editor, { organizer: [a.id, b.id] })
  expect((await merge('organizers', a.id, b.id)).body).toMatchObject({ email: 'a@example.org', phone: '2' })
  const { body } = await send('GET', `/events/${event.id}`)
  expect(body.organizer.map(({ id }: { id: number }) => id)).toEqual([b.id])
  const page = await send('GET', `${SITE}/organizer/${a.slug}/`)
  expect([page.status, page.headers.get('location')]).toEqual([301, `/organizer/${b.slug}/`])
  // The venue with the same id as an organizer has nothing to do with it.
  expect((await send('GET', `/venues/${b.id}`)).status).toBe(200)
  expect((await send('GET', `/venues/by-slug/${a.slug}`)).status).toBe(404)
})

describe('a category that is merged into another', () => {
  it('gives it its events and children, and its addresses lead there', async () => {
    const a = await makeCategory(editor, uniqueName('Musik'), { description: 'All of it' })
    const b = await makeCategory(editor, uniqueName('Music'))
    const below = await makeCategory(editor, uniqueName('Jazz'), { parent: a.id })
    const first = await makeEvent(editor, { categories: [a.id, b.id] })
    await makeEvent(editor, { categories: [a.id], recurrence: 'FREQ=DAILY;COUNT=2' })
    await makeEvent(editor, { categories: [below.id] })
    const { status, body } = await merge('categories', a.id, b.id)
    expect([status, body]).toEqual([200, expect.objectContaining({ count: 3, description: 'All of it' })])
    expect((await send('GET', `/categories/${below.id}`)).body).toMatchObject({ parent: b.id })
    const stale = { as: editor, json: { parent: 0 }, headers: { 'if-match': '"x-v1"' } }
    expect((await send('PATCH', `/categories/${below.id}`, stale)).status).toBe(412)
    expect((await send('GET', `/events?categories=${b.id}`)).body.total).toBe(4)
    expect((await send('GET', `/events/${first.id}`)).body.categories).toHaveLength(1)
    for (const [path, location] of [
      [`/events/category/${a.slug}/?past=1`, `/events/category/${b.slug}/?past=1`],
      [`/events/category/${a.slug}/${below.slug}/`, `/events/category/${b.slug}/${below.slug}/`],
    ]) {
      const page = await send('GET', SITE + path)
      expect([page.status, page.headers.get('location')], path).toEqual([301, location])
    }
    for (const name of [a.slug, a.id])
      expect((await send('GET', `/events?categories=${name}`)).headers.get('location')).toBe(
        `${API}/events?categories=${b.id}`,
      )
    expect((await send('GET', `/categories/${a.id}`)).headers.get('location')).toBe(
      `${API}/categories/${b.id}`,
    )
    const feed = await send('GET', `${SITE}/events/category/${a.slug}/feed/`)
    expect((await send('GET', String(new URL(feed.headers.get('location') ?? '', SITE)))).status).toBe(301)
  })

  it('is refused if it would be below itself, or too deep', async () => {
    const top = await makeCategory(editor, uniqueName('Top'))
    const middle = await makeCategory(editor, uniqueName('Middle'), { parent: top.id })
    const low = await makeCategory(editor, uniqueName('Low'), { parent: middle.id })
    for (const { id } of [middle, low])
      expect(await merge('categories', top.id, id)).toMatchObject({
        status: 400,
        body: { data: { params: { into: expect.stringContaining('below') } } },
      })
    // Merging into an ancestor is allowed.
    expect((await merge('categories', middle.id, top.id)).status).toBe(200)
    expect((await send('GET', `/categories/${low.id}`)).body.parent).toBe(top.id)
    let parent = 0
    for (let level = 0; level < 9; level++)
      parent = (await makeCategory(editor, uniqueName('Deep'), { parent })).id
    const deepest = await makeCategory(editor, uniqueName('Deepest'), { parent })
    const beside = await makeCategory(editor, uniqueName('Beside'), { parent })
    expect((await merge('categories', beside.id, deepest.id)).status).toBe(200)
    parent = deepest.id
    expect(await merge('categories', top.id, parent)).toMatchObject({
      status: 400,
      body: { data: { params: { into: expect.stringContaining('levels') } } },
    })
  })

  it('is not merged into a tag, and a tag is merged into a tag', async () => {
    const category = await makeCategory(editor, uniqueName('Kind'))
    const a = await makeTag(editor, uniqueName('open air'))
    const b = await makeTag(editor, uniqueName('outdoor'))
    await makeEvent(editor, { tags: [a.id, b.id] })
    expect((await merge('categories', category.id, a.id)).body.code).toBe('rest_invalid_param')
    expect((await merge('tags', category.id, a.id)).body.code).toBe('rest-tag-not-found')
    expect((await merge('tags', a.id, b.id)).body).toMatchObject({ id: b.id, count: 1 })
    const page = await send('GET', `${SITE}/tag/${a.slug}/`)
    expect([page.status, page.headers.get('location')]).toEqual([301, `/tag/${b.slug}/`])
  })
})

it('a merged tag redirects only if it was public, and then makes the survivor public, too', async () => {
  const withTag = async (status: string) =>
    (await makeEvent(editor, { status, tags: [uniqueName('of an event')] })).tags[0]
  const a = await withTag('draft')
  const b = await withTag('draft')
  const c = await makeTag(editor, uniqueName('open'))
  const d = await withTag('publish')
  const e = await withTag('draft')
  await send('PATCH', `/tags/${c.id}`, { as: editor, json: { description: 'Open' } })
  const statuses = () =>
    Promise.all([a, b, c, d, e].map(async ({ id }) => (await send('GET', `/tags/${id}`)).status))
  await merge('tags', a.id, b.id)
  expect(await statuses()).toEqual([404, 404, 200, 200, 404])
  await merge('tags', c.id, b.id)
  await merge('tags', d.id, e.id)
  expect(await statuses()).toEqual([404, 200, 301, 301, 200])
  expect(await query(`SELECT fields FROM audit WHERE action = 'update' AND object_id = ${e.id}`)).toEqual([
    { fields: '[]' },
  ])
  // It already has a description, and keeps it.
  const last = await makeTag(editor, uniqueName('last'), { description: 'Last' })
  expect((await merge('tags', last.id, b.id)).body.description).toBe('Open')
})

describe('callers without the right, or refused merges', () => {
  it.each(['venues', 'tags'])('%s: each bad request gets an error that names the field', async plural => {
    const makers = { venues: makeVenue, organizers: makeOrganizer, categories: makeCategory, tags: makeTag }
    const make = makers[plural as keyof typeof makers]
    const a = await make(editor, uniqueName('A'))
    const b = await make(editor, uniqueName('B'))
    expect((await merge(plural, a.id, a.id)).body.data.params.into).toMatch('another')
    expect((await merge(plural, a.id, 99_999)).body.data.params.into).toMatch('there is no')
    expect((await merge(plural, a.id, 'x')).body.data.params.into).toMatch('must be')
    expect((await merge(plural, a.id, undefined)).body).toMatchObject({ data: { params: ['into'] } })
    expect((await merge(plural, 99_999, b.id)).status).toBe(404)
    expect((await send('POST', `/${plural}/${a.id}/merge`, { json: { into: b.id } })).status).toBe(401)
    expect((await merge(plural, a.id, b.id, subscriber)).status).toBe(403)
    expect((await merge(plural, a.id, b.id, contributor)).status).toBe(403)
    const sent = { as: editor, json: { into: b.id }, headers: { 'if-match': '"x-v9"' } }
    expect((await send('POST', `/${plural}/${a.id}/merge`, sent)).status).toBe(412)
    expect((await send('GET', `/${plural}/${a.id}`)).status).toBe(200)
    // `If-Match` names a version of the merged one, whatever version the survivor has.
    await send('PATCH', `/${plural}/${b.id}`, { as: editor, json: { description: 'Changed' } })
    sent.headers['if-match'] = '"x-v1"'
    expect((await send('POST', `/${plural}/${a.id}/merge`, sent)).status).toBe(200)
  })

  it('authors merge their own into their own', async () => {
    const own = await makeVenue(author, uniqueName('Own'))
    const mine = await makeVenue(author, uniqueName('Mine'))
    const theirs = await makeVenue(other, uniqueName('Theirs'))
    const hidden = await makeVenue(other, uniqueName('Hidden'), { status: 'draft' })
    expect((await merge('venues', own.id, theirs.id, author)).body.code).toBe('rest_forbidden')
    expect((await merge('venues', theirs.id, own.id, author)).body.code).toBe('rest_forbidden')
    const unknown = await merge('venues', own.id, 99_999, author)
    const secret = await merge('venues', own.id, hidden.id, author)
    expect([secret.status, secret.body.code]).toEqual([unknown.status, unknown.body.code])
    expect(secret.body.message.replace(hidden.id, 99_999)).toBe(unknown.body.message)
    expect((await merge('venues', own.id, mine.id, author)).status).toBe(200)
  })

  it('nothing is merged from the trash, or into it', async () => {
    const [a, b] = await venues('A', 'B')
    await send('DELETE', `/venues/${b.id}`, { as: editor })
    expect((await merge('venues', a.id, b.id)).body.data.params.into).toMatch('trash')
    const { status, body } = await merge('venues', b.id, a.id)
    expect([status, body.code]).toEqual([410, 'venue-is-in-trash'])
  })
})

describe('at once', () => {
  const appWith = (fault: Parameters<typeof faultyD1>[0], method: string, path: string, fields: object) =>
    send(method, path, { as: editor, json: fields, bindings: { DB: faultyD1(fault).DB } })

  it('each into the other: one of them wins completely', async () => {
    const [a, b] = await venues('A', 'B')
    const event = await makeEvent(editor, { venue: [a.id, b.id] })
    const beforeWrite = async () => expect((await merge('venues', b.id, a.id)).status).toBe(200)
    expect((await appWith({ beforeWrite }, 'POST', `/venues/${a.id}/merge`, { into: b.id })).status).toBe(400)
    expect((await send('GET', `/events/${event.id}`)).body.venue.id).toBe(a.id)
    const c = await makeTag(editor, uniqueName('c'))
    const d = await makeTag(editor, uniqueName('d'))
    const answers = await Promise.all([merge('tags', c.id, d.id), merge('tags', d.id, c.id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await query(`SELECT id FROM terms WHERE id IN (${c.id}, ${d.id})`)).length).toBe(1)
  })

  it('while an event is saved with the old venue: it gets the new one, or an error', async () => {
    const [a, b, c, d] = await venues('A', 'B', 'C', 'D')
    const event = await makeEvent(editor, { venue: c.id })
    const beforeMerge = () => send('PATCH', `/events/${event.id}`, { as: editor, json: { venue: a.id } })
    await appWith({ beforeWrite: beforeMerge }, 'POST', `/venues/${a.id}/merge`, { into: b.id })
    expect(await venuesOf(event.id)).toEqual([b.id])
    const beforeWrite = () => merge('venues', b.id, c.id)
    const response = await appWith({ beforeWrite }, 'PATCH', `/events/${event.id}`, {
      venue: b.id,
      title: 'Kept',
    })
    expect([response.status, response.body.venue.id]).toEqual([200, c.id])
    const { body } = await send('GET', `/events/${event.id}`)
    expect([body.venue.id, body.title]).toEqual([c.id, 'Kept'])
    const another = await makeEvent(editor, { venue: d.id })
    const beforeMove = () => merge('venues', c.id, d.id)
    const moved = await appWith({ beforeWrite: beforeMove }, 'PATCH', `/events/${another.id}`, {
      venue: c.id,
      title: 'Lost',
    })
    expect(moved.status).toBe(400)
    expect((await send('GET', `/events/${another.id}`)).body.title).toBe('Event')
  })

  it.each([
    ['venues', makeVenue, 'city'],
    ['tags', makeTag, 'description'],
  ] as const)('while one of two %s is changed: both are kept', async (plural, make, field) => {
    for (const which of [0, 1]) {
      const both = [
        await make(editor, uniqueName('A'), { [field]: 'Rome' }),
        await make(editor, uniqueName('B')),
      ]
      const [a, b] = both
      const beforeWrite = () =>
        send('PATCH', `/${plural}/${both[which]?.id}`, { as: editor, json: { [field]: 'Oslo' } })
      const merged = await appWith({ beforeWrite }, 'POST', `/${plural}/${a?.id}/merge`, { into: b?.id })
      expect(merged.status).toBe(200)
      expect((await send('GET', `/${plural}/${b?.id}`)).body[field]).toBe('Oslo')
    }
  })

  it('a failure half-way leaves everything as it was', async () => {
    const [a, b] = await venues('A', 'B')
    const event = await makeEvent(editor, { venue: a.id })
    await query(`CREATE TRIGGER spoilt BEFORE DELETE ON venues BEGIN SELECT RAISE(ABORT, 'spoilt'); END`)
    expect((await merge('venues', a.id, b.id)).status).toBe(500)
    await query('DROP TRIGGER spoilt')
    expect((await send('GET', `/events/${event.id}`)).body.venue.id).toBe(a.id)
    expect(await query(`SELECT 1 FROM former_slugs WHERE former_id = ${a.id}`)).toEqual([])
  })
})

it('a merge takes as many statements for a hundred events as for none, and works in a batch', async () => {
  const statements = async (events: number) => {
    const [a, b] = await venues('A', 'B')
    if (events > 1) await makeEvent(editor, { venue: a.id, recurrence: `FREQ=DAILY;COUNT=${events}` })
    const merged = await measure('POST', `/venues/${a.id}/merge`, { as: editor, json: { into: b.id } })
    return merged.statements
  }
  const one = await statements(1)
  // Two of them change the filters of letters and of news.
  expect(one).toBeLessThan(29)
  expect(await statements(100)).toBe(one)
  const a = await makeTag(editor, uniqueName('a'))
  const b = await makeTag(editor, uniqueName('b'))
  const requests = [{ method: 'POST', path: `/tags/${a.id}/merge`, body: { into: b.id } }]
  const { body } = await send('POST', '/batch', { as: editor, json: { requests } })
  expect(body.responses[0]).toMatchObject({ status: 200, body: { id: b.id } })
})
