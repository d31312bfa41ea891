import { describe, expect, it } from 'vitest'
import { badNames } from '../../attacks/requests.ts'
import { API, countRows, declareUser, makeEvent, makeVenue, query, send, WHEN } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'

const editor = declareUser('editor')
const author = declareUser('author')
const contributor = declareUser('contributor')
const subscriber = declareUser('subscriber')

// Organizers are defined like venues (`defineRelated`), and have their routes.
const KINDS = [
  ['events', 'event', { title: 'Ball', ...WHEN }, { title: 'Gala' }],
  ['venues', 'venue', { venue: 'Hall' }, { venue: 'Barn' }],
] as const

let n = 0
const newId = () => `uid-${n++}/1@example.org`
const at = (plural: string, id: string) => `/${plural}/by-external-id/${encodeURIComponent(id)}`

const count = (plural: string, id: string) => countRows(`${plural} WHERE external_id = ?`, id)

describe.each(KINDS)('%s by external id', (plural, singular, fields, change) => {
  const put = (id: string, json: object, as = editor, headers = {}) =>
    send('PUT', at(plural, id), { as, json, headers })

  it('are changed by a batch that names rows in different ways', async () => {
    const ids = [newId(), newId()]
    const made = await Promise.all(ids.map(async id => (await put(id, fields)).body))
    const [first, second] = ids.map(id => at(plural, id))
    for (const paths of [
      [first, second],
      [first, `/${plural}/${made[1]?.id}`],
    ]) {
      const requests = paths.map((path, i) => ({
        method: 'PATCH',
        path,
        body: { website: `https://b.example/${i}` },
      }))
      const { body } = await send('POST', '/batch', { as: editor, json: { requests } })
      const changed = body.responses.map((response: { body: { id: number } }) => response.body.id)
      expect(changed).toEqual(made.map(({ id }) => id))
    }
  })

  it('are created by PUT, then changed, read, and deleted', async () => {
    const id = newId()
    const made = await put(id, fields)
    expect([made.status, made.body.external_id]).toEqual([201, id])
    const again = await put(id, change)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ id: made.body.id, external_id: id, ...change })
    for (const method of ['POST', 'PATCH']) {
      const { status, body } = await send(method, at(plural, id), { as: editor, json: { slug: 'moved' } })
      expect({ status, id: body.id, external_id: body.external_id }, method).toEqual({
        status: 200,
        id: made.body.id,
        external_id: id,
      })
    }
    const read = await send('GET', at(plural, id))
    expect([read.status, read.body.id]).toEqual([200, made.body.id])
    expect(read.body.json_ld).toBeTruthy()
    expect((await send('DELETE', at(plural, id), { as: editor })).body.status).toBe('trash')
    expect((await send('DELETE', at(plural, id), { as: editor })).status).toBe(410)
    expect((await send('GET', at(plural, id))).status).toBe(404)
    expect((await send('GET', at(plural, id), { as: editor })).status).toBe(403)
    expect((await send('DELETE', `${at(plural, id)}?force=1`, { as: editor })).status).toBe(200)
    expect((await send('GET', at(plural, id))).status).toBe(404)
  })

  it('are not created by other methods', async () => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const json = method === 'GET' ? undefined : fields
      const { status, body } = await send(method, at(plural, newId()), { as: editor, json })
      expect([status, body.code], method).toEqual([404, `rest-${singular}-not-found`])
    }
  })

  it('need the required fields when they create', async () => {
    const id = newId()
    const { status, body } = await put(id, { slug: 'x' })
    expect([status, body.code]).toEqual([400, 'rest_missing_callback_param'])
    expect(body.data.params).toEqual(Object.keys(fields))
    const bad = await put(id, { ...fields, status: 'nonsense' })
    expect([bad.status, Object.keys(bad.body.data.params)]).toEqual([400, ['status']])
    const invalid = await send('PUT', at(plural, id), {
      as: editor,
      body: '{"',
      headers: { 'content-type': 'application/json' },
    })
    expect([invalid.status, invalid.body.code]).toEqual([400, 'rest_invalid_json'])
    expect(await count(plural, id)).toBe(0)
  })

  // How ids are read from addresses does not depend on the resource.
  const names = [
    'abc/1@example.org',
    'a:b:c',
    'with blanks in it',
    'ünïcödé 日本語 🎷',
    '100% & more?#x=1;y',
    'a%2Fb',
    'quote\'s "and" <tags>',
    '..%2F..',
    'a//b/',
    'x'.repeat(255),
  ]
  it.each(plural === 'events' ? names : names.slice(0, 2))('may be called %s', async id => {
    const made = await put(id, fields)
    expect([made.status, made.body.external_id]).toEqual([201, id])
    expect((await put(id, change)).body.id).toBe(made.body.id)
    expect((await send('GET', at(plural, id))).body.id).toBe(made.body.id)
  })

  it('may have slashes that a proxy has decoded', async () => {
    const made = await put('decoded/slash/1', fields)
    expect((await send('GET', `/${plural}/by-external-id/decoded/slash/1`)).body.id).toBe(made.body.id)
    expect((await send('GET', `/${plural}/by-external-id/decoded/slash/1/`)).body.id).toBe(made.body.id)
  })

  it('distinguish capitals, and drop blanks at their ends', async () => {
    const lower = await put('case', fields)
    const upper = await put('CASE', fields)
    expect(upper.body.id).not.toBe(lower.body.id)
    expect((await put(' case ', fields)).body.id).toBe(lower.body.id)
  })

  it('are refused when they are too long, even in combining marks, have control characters, or are empty', async () => {
    for (const id of ['x'.repeat(256), `a${'\u0301'.repeat(120)}`, ' ', '\u0000']) {
      const { status, body } = await put(id, fields)
      expect([status, Object.keys(body.data.params ?? {})], id).toEqual([400, ['external_id']])
      expect((await send('GET', at(plural, id))).status, id).toBe(404)
    }
  })

  it('make one row when several requests create it at once, in several rounds', async () => {
    for (let round = 0; round < 2; round++) {
      const id = newId()
      const responses = await Promise.all(
        Array.from({ length: 5 }, (_, i) => put(id, { ...fields, slug: `of-${round}-${i}` })),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
      expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
      expect(await count(plural, id)).toBe(1)
    }
  })

  it('are found by a request that has read before another one wrote', async () => {
    const id = newId()
    const { DB } = faultyD1({ beforeWrite: () => put(id, fields) })
    const sent = { as: editor, json: { ...fields, ...change } }
    expect((await send('PUT', at(plural, id), { ...sent, bindings: { DB } })).status).toBe(200)
    expect(await count(plural, id)).toBe(1)
    const other = newId()
    const bindings = { DB: faultyD1({ beforeWrite: () => put(other, fields) }).DB }
    const json = { ...sent.json, external_id: other }
    const refused = await send('POST', `/${plural}`, { as: editor, json, bindings })
    expect([refused.status, badNames(refused)]).toEqual([400, ['external_id']])
  })

  it('obey If-Match and If-None-Match', async () => {
    const id = newId()
    expect((await put(id, fields, editor, { 'if-match': '*' })).status).toBe(412)
    expect(await count(plural, id)).toBe(0)
    const made = await put(id, fields, editor, { 'if-none-match': '*' })
    expect(made.status).toBe(201)
    expect((await put(id, change, editor, { 'if-none-match': '*' })).status).toBe(412)
    const tag = (await send('GET', at(plural, id), { as: editor })).headers.get('etag') ?? ''
    expect((await put(id, change, editor, { 'if-none-match': tag })).status).toBe(412)
    expect((await put(id, change, editor, { 'if-match': tag })).status).toBe(200)
    expect((await put(id, fields, editor, { 'if-match': tag })).status).toBe(412)
  })

  it('are unique, also when they are changed', async () => {
    const a = newId()
    const b = newId()
    const first = await put(a, fields)
    const second = await put(b, fields)
    const responses = [
      await send('POST', `/${plural}`, { as: editor, json: { ...fields, ...change, external_id: a } }),
      await send('PATCH', `/${plural}/${second.body.id}`, { as: editor, json: { external_id: a } }),
      await put(b, { external_id: a }),
    ]
    for (const { status, body } of responses)
      expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, ['external_id']])
    expect((await put(newId(), { ...fields, external_id: 'another' })).body.data.params).toHaveProperty(
      'external_id',
    )
    // Sends it back unchanged, frees it, and gives it to another.
    expect((await put(a, { external_id: a })).status).toBe(200)
    expect((await put(a, { external_id: '' })).body.external_id).toBe(a)
    const empty = await put(newId(), { ...fields, slug: 'empty', external_id: '' })
    expect([empty.status, empty.body.external_id]).toEqual([201, `uid-${n - 1}/1@example.org`])
    const freed = await send('PATCH', at(plural, a), { as: editor, json: { external_id: '' } })
    expect(freed.status).toBe(200)
    expect((await put(b, { external_id: a })).body).toMatchObject({ id: second.body.id, external_id: a })
    expect((await send('GET', `/${plural}/${first.body.id}`)).body.external_id ?? '').toBe('')
  })

  it('stay with resources in the trash, which updates leave there', async () => {
    const id = newId()
    const made = await put(id, fields)
    await send('DELETE', at(plural, id), { as: editor })
    const changed = await put(id, change)
    expect({ status: changed.status, id: changed.body.id, eventStatus: changed.body.status }).toEqual({
      status: 200,
      id: made.body.id,
      eventStatus: 'trash',
    })
    expect((await put(id, { status: 'publish' })).body.status).toBe('publish')
  })

  it('of others are only changed by editors, and only created by those who may', async () => {
    const id = newId()
    await put(id, fields)
    expect((await put(id, change, author)).status).toBe(403)
    expect((await put(id, change, subscriber)).status).toBe(403)
    expect((await send('PUT', at(plural, id), { json: change })).status).toBe(401)
    expect((await send('PUT', at(plural, newId()), { json: fields })).status).toBe(401)
    expect((await put(newId(), fields, subscriber)).status).toBe(403)
    const own = newId()
    expect((await put(own, { ...fields, author: 1 }, author)).status).toBe(403)
    expect(await count(plural, own)).toBe(0)
    expect((await put(own, fields, author)).status).toBe(201)
    expect((await put(own, change, author)).status).toBe(200)
    expect((await put(newId(), fields, contributor)).body.status).toBe('draft')
  })

  it.each(plural === 'events' ? ['draft', 'private', 'future', 'trash'] : ['draft', 'trash'])(
    'and slugs of %s content do not reveal to others that it exists',
    async status => {
      const id = newId()
      const date = status === 'future' ? { date: '2030-01-01 10:00:00' } : {}
      const { body } = await put(id, { ...fields, ...date, status })
      const unknown = newId()
      const named = [at(plural, id), `/${plural}/by-slug/${body.slug}`]
      if (plural === 'events') named.push(`/events/by-slug/${body.slug}.ics`)
      for (const as of [undefined, subscriber, contributor, author]) {
        const sent = as === undefined ? {} : { as }
        const none = await send('GET', at(plural, unknown), sent)
        for (const path of named) {
          const { status: found, body: error } = await send('GET', path, sent)
          expect([found, error.code], path).toEqual([404, `rest-${singular}-not-found`])
          expect(error.message).toBe(none.body.message)
        }
      }
      for (const as of [contributor, author]) {
        const changes = named
          .slice(0, 2)
          .flatMap(path => ['POST', 'PATCH', 'DELETE'].map(method => ({ method, path, body: {} })))
        const taken = [
          { method: 'PUT', path: at(plural, id), body: fields },
          { method: 'PUT', path: at(plural, id), body: { ...fields, external_id: id } },
          { path: `/${plural}`, body: { ...fields, ...change, external_id: id } },
        ]
        const { body: told } = await send('POST', '/batch', {
          as,
          json: { requests: [...changes, ...taken] },
        })
        for (const [i, { status: refused, body: error }] of told.responses.entries()) {
          if (i < changes.length) expect(refused).toBe(404)
          else expect([refused, Object.keys(error.data.params)]).toEqual([400, ['external_id']])
          expect(JSON.stringify(error)).not.toMatch(/another \w+ has/)
        }
      }
      expect((await send('GET', at(plural, id), { as: editor })).status).toBe(status === 'trash' ? 403 : 200)
      expect((await put(id, change)).status).toBe(200)
    },
  )

  it('are audited with their field', async () => {
    const id = newId()
    const { body } = await put(id, fields)
    const [entry] = await query<{ action: string; fields: string }>(
      'SELECT action, fields FROM audit WHERE kind = ? AND object_id = ? ORDER BY id',
      singular,
      body.id,
    )
    expect(entry?.action).toBe('create')
    expect(JSON.parse(entry?.fields ?? '[]')).toContain('external_id')
  })

  it('work the same in forms', async () => {
    const id = newId()
    const body = new URLSearchParams(Object.entries(fields))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const made = await send('PUT', at(plural, id), { as: editor, body: body.toString(), headers })
    expect([made.status, made.body.external_id]).toEqual([201, id])
  })
})

describe('venues and organizers in an event', () => {
  it('are linked unchanged if the external id exists', async () => {
    const venue = await makeVenue(editor, 'Opera', { external_id: 'v-1', phone: '1' })
    const event = await makeEvent(editor, {
      venue: { venue: 'Opera House', external_id: 'v-1', phone: '2' },
      organizer: [
        { organizer: 'New', external_id: 'o-1' },
        { organizer: 'Same', external_id: 'o-1' },
      ],
    })
    expect(event.venue).toMatchObject({ id: venue.id, venue: 'Opera', phone: '1', external_id: 'v-1' })
    expect(event.organizer).toMatchObject([{ organizer: 'New', external_id: 'o-1' }])
    const sentBack = await send('PUT', `/events/${event.id}`, { as: editor, json: event })
    expect(sentBack.status).toBe(200)
    expect(sentBack.body.venue.id).toBe(venue.id)
  })

  it('are refused with the external id of a venue that the caller may not read', async () => {
    await makeVenue(editor, 'Secret', { external_id: 'v-secret', status: 'private' })
    const json = { title: 'X', ...WHEN, venue: { venue: 'Mine', external_id: 'v-secret' } }
    const { status, body } = await send('POST', '/events', { as: author, json })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['venue']])
    const trashed = { ...json, venue: { ...json.venue, status: 'trash' } }
    expect((await send('POST', '/events', { as: author, json: trashed })).status).toBe(400)
    expect((await send('POST', '/events', { as: editor, json })).body.venue.venue).toBe('Secret')
  })

  it('are ignored in favour of a known id', async () => {
    const known = await makeVenue(editor, 'Known')
    await makeVenue(editor, 'Other', { external_id: 'v-other', status: 'private' })
    const json = { title: 'X', ...WHEN, venue: { id: known.id, venue: 'Known', external_id: 'v-other' } }
    const { status, body } = await send('POST', '/events', { as: author, json })
    expect([status, body.venue.id]).toEqual([201, known.id])
  })
})

it('a venue that is posted again with its external id is the same, and with other fields is refused', async () => {
  const json = { venue: 'Twice', external_id: 'v-twice', city: 'Kent' }
  const first = await send('POST', '/venues', { as: editor, json })
  const again = await send('POST', '/venues', { as: editor, json })
  expect([again.status, again.body.id]).toEqual([201, first.body.id])
  const other = await send('POST', '/venues', { as: editor, json: { ...json, city: 'Rome' } })
  expect(other.status).toBe(400)
})

it('links in responses lead to the id, whatever the address', async () => {
  const { body } = await send('PUT', at('events', 'linked'), { as: editor, json: { title: 'L', ...WHEN } })
  expect(body.rest_url).toBe(`${API}/events/${body.id}`)
})
