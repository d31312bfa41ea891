import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { retryConflicts } from '../../../src/kit/db/failures.ts'
import { badNames } from '../../attacks/requests.ts'
import { findDriftIn } from '../../derived/values.ts'
import { countRows, declareUser, eventsBy, makeEvent, makeVenue, query, send, WHEN } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { PNG } from '../media/samples.ts'

// Writes of one request between the reads and the writes of another. Whatever their order, neither may fail
// with 500, and no orphaned rows may stay.

const editor = declareUser('editor')
const author = declareUser('author')

const DATES = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }

const makeId = async (plural: string, fields: object): Promise<number> =>
  Number((await send('POST', `/${plural}`, { as: editor, json: fields })).body.id)

const remove = (path: string) => send('DELETE', path, { as: editor })

/** Sends a write, and runs another right before it reaches the database. */
async function writeAfter(method: string, path: string, fields: object, between: () => Promise<unknown>) {
  const { DB } = faultyD1({ beforeWrite: between })
  const answer = await send(method, path, { as: editor, json: fields, bindings: { DB } })
  return { status: answer.status, code: answer.body.code, params: badNames(answer) }
}

const audited = (kind: string, id: number, action: string) =>
  countRows('audit WHERE kind = ? AND object_id = ? AND action = ?', kind, id, action)

afterEach(async () => {
  expect(await findDriftIn(env.DB)).toEqual([])
})

describe('a write that meets others several times', () => {
  const others = { message: 'version conflict', writesOnly: true, times: 6 }

  it('counts once towards the limit of its caller', async () => {
    const countedIn = async (fault: Parameters<typeof faultyD1>[0]) => {
      let counted = 0
      const limit = async () => ({ success: ++counted > 0 })
      const json = { title: 'Daily', ...DATES, recurrence: { rrule: 'FREQ=DAILY;COUNT=60' } }
      const bindings = { DB: faultyD1(fault).DB, WRITE_LIMIT: { limit } as RateLimit }
      expect((await send('POST', '/events', { as: author, json, bindings })).status).toBe(201)
      return counted
    }
    const once = await countedIn({})
    expect(once).toBeGreaterThan(1)
    expect(await countedIn(others)).toBe(once)
  })

  it('stores its image once', async () => {
    const stored: string[] = []
    const MEDIA = {
      put: (key: string, ...given: [Uint8Array, R2PutOptions]) => {
        stored.push(key)
        return Object(env).MEDIA.put(key, ...given)
      },
      head: (key: string) => Object(env).MEDIA.head(key),
    } as unknown as R2Bucket // The Worker uses nothing else of the binding here.
    const form = new FormData()
    form.append('file', new Blob([PNG]), 'once.png')
    const bindings = { DB: faultyD1(others).DB, MEDIA }
    expect((await send('POST', '/media', { as: author, body: form, bindings })).status).toBe(201)
    expect(stored.length).toBeGreaterThan(0)
    expect(new Set(stored).size).toBe(stored.length)
  })

  it('waits between its attempts, so that the others come to an end', async () => {
    let isOver = false
    setTimeout(() => {
      isOver = true
    }, 20)
    const attempt = async () => {
      if (!isOver) throw new Error('version conflict')
      return 'written'
    }
    expect(await retryConflicts(attempt)).toBe('written')
  })
})

describe.each([
  ['event', 'events', { title: 'Ball', ...DATES }, { title: 'Gala', tags: ['new'] }],
  ['venue', 'venues', { venue: 'Hall' }, { city: 'Rome' }],
  ['organizer', 'organizers', { organizer: 'Choir' }, { phone: '1' }],
  ['tag', 'tags', { name: 'free' }, { description: 'x' }],
])('an %s that another request deletes', (kind, plural, fields, changes) => {
  it('is not found by an update, which leaves nothing in the audit', async () => {
    const id = await makeId(plural, fields)
    const path = `/${plural}/${id}`
    const answer = await writeAfter('PATCH', path, changes, () => remove(`${path}?force=true`))
    expect(answer).toMatchObject({ status: 404, code: `rest-${kind}-not-found` })
    expect(await audited(kind, id, 'update')).toBe(0)
  })

  it('is only deleted once when two requests delete it at the same time', async () => {
    const id = await makeId(plural, fields)
    const path = `/${plural}/${id}?force=true`
    expect((await writeAfter('DELETE', path, {}, () => remove(path))).status).toBe(200)
    expect(await audited(kind, id, 'delete')).toBe(1)
  })
})

it.each([
  ['venue', 'venues'],
  ['organizer', 'organizers'],
])('a %s that an event gets meanwhile is not deleted for good', async (kind, plural) => {
  const id = await makeId(plural, { [kind]: 'Wanted' })
  const answer = await writeAfter('DELETE', `/${plural}/${id}?force=true`, {}, () =>
    makeId('events', { title: 'Ball', ...DATES, [kind]: id }),
  )
  expect(answer).toMatchObject({ status: 409, code: `${kind}-is-in-use` })
  expect((await send('GET', `/${plural}/${id}`)).status).toBe(200)
})

describe('a write reports a linked row that was deleted meanwhile', () => {
  it.each([
    ['venue', 'venues', { venue: 'Barn' }],
    ['organizer', 'organizers', { organizer: 'Band' }],
    ['tags', 'tags', { name: 'outdoor' }],
  ])('as %s', async (parameter, plural, fields) => {
    const event = await makeId('events', { title: 'Fair', ...DATES })
    for (const [method, path] of [
      ['POST', '/events'],
      ['PATCH', `/events/${event}`],
    ] as const) {
      const id = await makeId(plural, fields)
      const answer = await writeAfter(method, path, { title: 'Fair', ...DATES, [parameter]: [id] }, () =>
        remove(`/${plural}/${id}?force=true`),
      )
      expect(answer, method).toEqual({ status: 400, code: 'rest_invalid_param', params: [parameter] })
    }
  })

  it.each(['POST', 'PATCH'])('as parent, by %s', async method => {
    const parent = await makeId('categories', { name: `Parent for ${method}` })
    const child = await makeId('categories', { name: `Child for ${method}` })
    const path = method === 'POST' ? '/categories' : `/categories/${child}`
    const fields = { name: `Of ${method}`, parent }
    const answer = await writeAfter(method, path, fields, () => remove(`/categories/${parent}`))
    expect(answer).toEqual({ status: 400, code: 'rest_invalid_param', params: ['parent'] })
  })
})

it('two categories cannot become each other’s parents at once', async () => {
  const one = await makeId('categories', { name: 'One' })
  const two = await makeId('categories', { name: 'Two' })
  const answer = await writeAfter('PATCH', `/categories/${one}`, { parent: two }, () =>
    send('PATCH', `/categories/${two}`, { as: editor, json: { parent: one } }),
  )
  expect(answer).toEqual({ status: 400, code: 'rest_invalid_param', params: ['parent'] })
})

it('two updates of different fields at once both take effect', async () => {
  const id = await makeId('events', { title: 'Ball', ...DATES })
  const answer = await writeAfter('PATCH', `/events/${id}`, { cost: '5' }, () =>
    send('PATCH', `/events/${id}`, { as: editor, json: { excerpt: 'Short' } }),
  )
  expect(answer.status).toBe(200)
  const { body } = await send('GET', `/events/${id}`)
  expect(body).toMatchObject({ cost: '$5', excerpt: expect.stringContaining('Short') })
  expect(await audited('event', id, 'update')).toBe(2)
})

const ids = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const { create } = eventsBy(editor)

describe('requests at once', () => {
  it('get different slugs when they create the same title', async () => {
    const answers = await Promise.all(ids(5).map(() => create({ title: 'The same again' })))
    const slugs = answers.map(({ body }) => body.slug)
    expect(slugs.sort()).toEqual(['the-same-again', ...[2, 3, 4, 5].map(n => `the-same-again-${n}`)])
  })

  it('make one venue, not two, from the same data', async () => {
    const venue = { venue: 'Twin hall', city: 'Cork' }
    const answers = await Promise.all([
      ...ids(3).map(() => send('POST', '/venues', { as: editor, json: venue })),
      ...ids(3).map(() => create({ venue })),
    ])
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { body } = await send('GET', '/venues?search=twin')
    expect(body.total).toBe(1)
  })

  it('make one category, not two, for the same name', async () => {
    const answers = await Promise.all(
      ids(4).map(() => create({ categories: ['Brand new'], tags: ['fresh'] })),
    )
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.categories?.[0]?.id))).size).toBe(1)
    const { body } = await send('GET', '/categories?search=brand')
    expect(body).toMatchObject({ total: 1, categories: [{ count: 4 }] })
    const names = await Promise.all(
      ids(3).map(() => send('POST', '/tags', { as: editor, json: { name: 'raced' } })),
    )
    expect(names.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  it('that delete, trash, restore and change one event leave it in one state', async () => {
    const { id } = await makeEvent(author, {
      title: 'Contested',
      venue: { venue: 'Contested hall' },
      tags: ['contested'],
    })
    const responses = await Promise.all([
      ...['A', 'B', 'C'].map(title =>
        send('PATCH', `/events/${id}`, { as: author, json: { title, tags: [`tag ${title}`] } }),
      ),
      send('DELETE', `/events/${id}`, { as: author }),
      send('DELETE', `/events/${id}?force=1`, { as: author }),
      send('DELETE', `/events/${id}?force=1`, { as: author }),
      send('PUT', `/events/${id}`, { as: author, json: { ...WHEN, status: 'publish' } }),
    ])
    for (const { status } of responses) expect([200, 404, 410]).toContain(status)
    expect(responses.slice(4, 6).some(({ status }) => status === 200)).toBe(true)
    expect(await send('GET', `/events/${id}`)).toMatchObject({ status: 404 })
  })

  it('that link and delete a venue leave no links to the deleted venue', async () => {
    const venue = await makeVenue(editor, 'Vanishing')
    const responses = await Promise.all([
      ...['A', 'B', 'C'].map(title => create({ title, venue: venue.id })),
      send('DELETE', `/venues/${venue.id}?force=1&detach=1`, { as: editor }),
      ...['D', 'E'].map(title => create({ title, venue: venue.id })),
    ])
    for (const { status } of responses) expect([200, 201, 400]).toContain(status)
    const results = await query('SELECT event_id FROM event_venues WHERE target_id = ?', venue.id)
    expect(results).toEqual([])
  })
})

describe('a write that fails', () => {
  it('leaves nothing behind, not even a new venue', async () => {
    const { status, body } = await create({
      venue: { venue: 'Ghost hall' },
      organizer: [{ organizer: 'Ghost' }, 99999],
      categories: ['Ghosts'],
      image: 'https://example.org/ghost.jpg',
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { organizer: expect.any(String) } },
    })
    for (const list of ['venues', 'organizers', 'categories', 'events'])
      expect(await send('GET', `/${list}?search=ghost&hide_empty=0`), list).toMatchObject({
        body: { total: 0 },
      })
    expect(await countRows("images WHERE url LIKE '%ghost%'")).toBe(0)
  })

  it('leaves nothing behind when the database fails half-way', async () => {
    await env.DB.exec(
      `CREATE TRIGGER breaking BEFORE INSERT ON event_terms BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    )
    const { status, body } = await create({ title: 'Half', venue: { venue: 'Half hall' }, tags: ['half'] })
    await env.DB.exec('DROP TRIGGER breaking')
    expect([status, body.code]).toEqual([500, 'rest_internal_error'])
    expect(JSON.stringify(body)).not.toMatch(/broken|SQL/i)
    for (const list of ['events', 'venues', 'tags'])
      expect(await send('GET', `/${list}?search=half&hide_empty=0`), list).toMatchObject({
        body: { total: 0 },
      })
  })
})
