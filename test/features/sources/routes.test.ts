import { describe, expect, it } from 'vitest'
import { declareUser, makeUser, query, SITE, send } from '../../factories.ts'

// What editors do with sources, and what nobody else may. Nobody is at the addresses.

const NOBODY = 'https://nobody.invalid/feed.ics'
const as = declareUser('editor', 'eve')

const json = { name: 'Theatre', url: NOBODY, every: '' }

describe('sources', () => {
  it('are made, read, changed and deleted', async () => {
    const made = await send('POST', '/sources', { as, json: { ...json, rights: { text: 'CC BY', url: '' } } })
    expect(made).toMatchObject({
      status: 201,
      body: { ...json, state: 'new', rights: { text: 'CC BY', url: '' } },
    })
    const path = `/sources/${made.body.id}`
    expect((await send('GET', path, { as })).body).toEqual(made.body)
    expect((await send('GET', '/sources', { as })).body).toMatchObject({ sources: [made.body], total: 1 })
    const changed = await send('PATCH', path, { as, json: { state: 'paused', search: 'jazz' } })
    expect(changed.body).toMatchObject({ state: 'paused', search: 'jazz', url: NOBODY })
    const entries = await query("SELECT action, fields FROM audit WHERE kind = 'source' ORDER BY id")
    expect(entries.slice(-1)).toEqual([{ action: 'update', fields: '["search","state"]' }])
    const stale = await send('PATCH', path, { as, json: { name: 'x' }, headers: { 'if-match': '"-v1"' } })
    expect(stale.status).toBe(412)
    expect((await send('GET', `${path}/runs`, { as })).body).toMatchObject({ runs: [], total: 0 })
    expect((await send('DELETE', path, { as })).status).toBe(200)
    for (const [method, end] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/runs'],
      ['POST', '/sync'],
    ] as const)
      expect(await send(method, path + end, { as })).toMatchObject({
        status: 404,
        body: { code: 'rest-source-not-found' },
      })
  })

  it('are for administrators and editors', async () => {
    const { body } = await send('POST', '/sources', { as, json })
    const path = `/sources/${body.id}`
    for (const role of ['author', 'contributor', 'subscriber'] as const) {
      const other = await makeUser(`an ${role}`, role)
      for (const [method, at] of [
        ...[
          ['GET', '/sources'],
          ['POST', '/sources'],
          ['POST', '/sources/preview'],
          ['GET', path],
          ['PATCH', path],
        ],
        ...[
          ['DELETE', path],
          ['POST', `${path}/sync`],
          ['GET', `${path}/runs`],
        ],
      ] as const)
        expect(
          (await send(String(method), String(at), { as: other })).status,
          `${role} ${method} ${at}`,
        ).toBe(403)
    }
    expect((await send('GET', '/sources')).status).toBe(401)
    await send('DELETE', path, { as })
  })

  it('belong to whoever changes them when their owner may not have them any more', async () => {
    const owner = await makeUser('ona', 'editor')
    const { body } = await send('POST', '/sources', { as: owner, json })
    const change = async () =>
      (await send('PATCH', `/sources/${body.id}`, { as, json: { name: 'Other' } })).body.author
    expect(await change()).toBe(body.author)
    await query("UPDATE users SET role = 'author' WHERE login = 'ona'")
    expect(await change()).not.toBe(body.author)
    const { body: own } = await send('POST', '/sources', { as, json })
    expect(await change()).toBe(own.author)
    for (const { id } of [body, own]) await send('DELETE', `/sources/${id}`, { as })
  })

  it('are 200 at most, without those whose events are on their way to the trash', async () => {
    await query(`INSERT INTO sources (name, url, kind, every, status, author_id, created_utc, is_being_deleted)
        SELECT 'Many', '${NOBODY}', '', '', 'publish', 1, '2026-01-01 00:00:00', value = 1
        FROM json_each('[${Array.from({ length: 200 }, (_, i) => i + 1)}]')`)
    expect((await send('POST', '/sources', { as, json })).status).toBe(201)
    const { body } = await send('POST', '/sources', { as, json })
    expect(body.code).toBe('sources-are-too-many')
    await query('DELETE FROM sources')
  })

  it('say what is wrong', async () => {
    const missing = await send('POST', '/sources', { as, json: {} })
    expect(missing).toMatchObject({ status: 400, body: { data: { params: ['name', 'url'] } } })
    const bad = {
      ...{
        url: 'http://127.0.0.1/',
        every: 'minute',
        status: 'private',
        categories: [99_999],
        tags: [99_999],
        organizer: 99_999,
      },
      ...{
        venue: -1,
        mirror: 'maybe',
        rights: 'CC',
        kind: 'html',
        state: 'asking',
        search: 'x'.repeat(2_000),
      },
    }
    const { status, body } = await send('POST', '/sources', { as, json: { name: 'A', ...bad } })
    expect([status, Object.keys(body.data.params).sort()]).toEqual([400, Object.keys(bad).sort()])
    for (const url of [
      'http://127.0.0.1/',
      'http://[::1]/a',
      'http://0x7f.1/',
      'http://localhost/',
      'ftp://a.example/',
      'https://a:b@c.example/',
      'http://home.arpa/',
      'http://hall.example:22/feed.ics',
      'https://hall.example:587/feed.ics',
      // This calendar, whose events a source would double with each run.
      `${SITE}/events/?ical=1`,
      `${SITE}/calendar/events/v1/events.ics`,
      '',
    ])
      for (const path of ['/sources', '/sources/preview'])
        expect(
          (await send('POST', path, { as, json: { name: 'A', url } })).body.data.params,
          url,
        ).toHaveProperty('url')
    const unknown = await send('POST', '/sources', {
      as,
      json: { ...json, categories: [99_999], venue: 99_999 },
    })
    expect(Object.keys(unknown.body.data.params).sort()).toEqual(['categories', 'venue'])
  })
})
