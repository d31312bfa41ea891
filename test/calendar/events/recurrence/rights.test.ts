import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findDriftIn } from '../../../derived/values.ts'
import { countRows, declareUser, makeEvent, makeUser, query, queryValue, send } from '../../../factories.ts'
import { TODAY } from '../../../setup.ts'
import { deleteEvents, patch, readListed, runCronAt, WEEKLY } from './calendar.ts'

// Nobody can publish through a series without the right to publish: a caller needs the rights to its row and
// to each of its occurrences, and it is only public while one of them is.

const editor = declareUser('editor')
const contributor = declareUser('contributor')

beforeEach(() => deleteEvents('venues', 'organizers'))

afterEach(() => vi.setSystemTime(TODAY))

const statusOfSeries = () => queryValue('SELECT status FROM series')
const idsOf = async (): Promise<number[]> =>
  (await query<{ id: number }>('SELECT id FROM events ORDER BY id')).map(({ id }) => id)

/** A series of the contributor that an editor has given a status. */
async function approved(status: string, fields: object = {}): Promise<number[]> {
  const { id } = await makeEvent(contributor, { ...WEEKLY, ...fields })
  expect((await patch(editor, id, { scope: 'all', status })).status).toBe(200)
  return idsOf()
}

const ENDINGS: [what: string, end: (id: number) => Promise<{ status: number }>][] = [
  ['moved to the trash', id => send('DELETE', `/events/${id}`, { as: editor })],
  ['deleted for good', id => send('DELETE', `/events/${id}?force=true`, { as: editor })],
  ['made a draft', id => patch(editor, id, { status: 'draft' })],
  ['made pending', id => patch(editor, id, { status: 'pending' })],
  ['made private', id => patch(editor, id, { status: 'private' })],
]

const NEW_RULE = { title: 'Spam', recurrence: 'FREQ=DAILY;COUNT=20' }

describe('a public series whose dates are, one by one,', () => {
  it.each(ENDINGS)('%s is public no longer', async (what, end) => {
    const ids = await approved('publish')
    for (const [i, id] of ids.entries()) {
      expect(await statusOfSeries()).toBe('publish')
      // The last one stays for further writes.
      if (what !== 'deleted for good' || i < ids.length - 1) expect((await end(id)).status).toBe(200)
      else expect((await patch(editor, id, { status: 'draft' })).status).toBe(200)
    }
    expect(['draft', 'pending', 'private']).toContain(await statusOfSeries())
    const last = ids.at(-1) ?? 0
    for (const [scope, path] of [
      ['all', `/events/${last}`],
      ['following', `/events/${last}`],
      ['all', `/events/by-slug/${await queryValue(`SELECT slug FROM events WHERE id = ${last}`)}`],
    ])
      await send('PATCH', path ?? '', { as: contributor, json: { ...NEW_RULE, scope } })
    expect(await countRows("events WHERE status IN ('publish', 'future')")).toBe(0)
    expect(await readListed()).toEqual([])
    expect((await send('GET', '/series/1')).status).toBe(403)
  })

  it('moved to the trash is public again with the first that comes back', async () => {
    const ids = await approved('publish')
    for (const id of ids) await send('DELETE', `/events/${id}`, { as: editor })
    expect((await patch(editor, ids[2] ?? 0, { status: 'publish' })).status).toBe(200)
    expect(await statusOfSeries()).toBe('publish')
    expect(await readListed()).toHaveLength(1)
  })

  it('published by an editor becomes public with the last one', async () => {
    await makeEvent(contributor, WEEKLY)
    for (const id of await idsOf()) {
      expect(await statusOfSeries()).toBe('draft')
      await patch(editor, id, { status: 'publish' })
    }
    expect(await statusOfSeries()).toBe('publish')
  })
})

describe('the first part of a divided series', () => {
  it.each([
    ['DELETE', '?scope=following', undefined],
    ['DELETE', '?scope=following&force=true', undefined],
    ['PATCH', '', { scope: 'following', title: 'New' }],
    ['PATCH', '', { scope: 'following', recurrence: '' }],
  ])('is a draft if only drafts are left of it: %s%s %j', async (method, query, json) => {
    const ids = await approved('publish')
    await patch(editor, ids[0] ?? 0, { status: 'draft' })
    await patch(editor, ids[1] ?? 0, { status: 'draft' })
    const { status, text } = await send(method, `/events/${ids[2]}${query}`, {
      as: editor,
      ...(json && { json }),
    })
    expect(status, text).toBe(200)
    expect(await queryValue('SELECT status FROM series WHERE id = 1')).toBe('draft')
  })
})

describe('a contributor', () => {
  const WIDE = [
    ['PATCH', '', { ...NEW_RULE, scope: 'all' }],
    ['PUT', '', { ...NEW_RULE, scope: 'following' }],
    ['POST', '', { description: 'Spam', scope: 'all' }],
    ['PATCH', '', { recurrence: '' }],
    ['DELETE', '?scope=all', undefined],
    ['DELETE', '?scope=following&force=true', undefined],
  ] as const

  it.each(['publish', 'private', 'future'])(
    'may not write to a series that is %s, whatever its occurrences are',
    async status => {
      await approved(status, { ...(status === 'future' && { date: '2027-01-01 00:00:00' }) })
      await query("UPDATE events SET status = 'draft'")
      for (const [method, query, json] of WIDE) {
        const { status, body } = await send(method, `/events/2${query}`, {
          as: contributor,
          ...(json && { json }),
        })
        expect([status, body.code], `${method} ${JSON.stringify(json)}`).toEqual([403, 'rest_forbidden'])
      }
      const external = await send('PUT', '/events/by-external-id/x', {
        as: contributor,
        json: { external_id: 'x' },
      })
      expect(external.status).toBe(400)
    },
  )

  it('may write to a series of drafts, and makes drafts', async () => {
    const { id } = await makeEvent(contributor, WEEKLY)
    expect((await patch(contributor, id, { ...NEW_RULE, scope: 'all', status: 'publish' })).status).toBe(200)
    expect(await queryValue("SELECT group_concat(DISTINCT status) FROM events WHERE status <> 'trash'")).toBe(
      'pending',
    )
  })

  it('publishes nothing through the cron', async () => {
    const ids = await approved('publish', { recurrence: 'FREQ=MONTHLY' })
    for (const id of ids) await patch(editor, id, { status: 'draft' })
    await patch(contributor, ids[0] ?? 0, { title: 'Spam', scope: 'all' })
    await runCronAt('2027-09-01T00:00:00Z')
    expect(await countRows('events')).toBeGreaterThan(ids.length)
    expect(await queryValue('SELECT group_concat(DISTINCT status) FROM events')).toBe('draft')
  })
})

describe('a series of which one occurrence with values of its own is public', () => {
  const OWN = {
    title: 'Open day',
    description: 'All welcome',
    excerpt: 'Open',
    cost: '$1',
    website: 'https://open.example',
  }

  it.each(['draft', 'private', 'pending'])('shows its values while the others are %s', async status => {
    const { id } = await makeEvent(editor, {
      ...WEEKLY,
      description: 'Secret',
      excerpt: 'Secret',
      title: 'Secret',
      cost: 'Secret',
      website: 'https://secret.example',
      custom_fields: { a: { label: 'Secret', value: 'Secret' } },
      venue: { venue: 'Secret' },
      organizer: { organizer: 'Secret' },
      tags: ['Secret'],
      image: { url: 'https://secret.example/a.jpg' },
      slug: 'hours',
    })
    const own = { ...OWN, venue: [], organizer: [], tags: [], image: '', custom_fields: { a: null } }
    expect((await patch(editor, id + 1, own)).status).toBe(200)
    for (const other of await idsOf()) if (other !== id + 1) await patch(editor, other, { status })
    for (const as of [undefined, contributor]) {
      const { status: code, text, body } = await send('GET', '/series/1', as === undefined ? {} : { as })
      expect(code).toBe(200)
      expect(text.toLowerCase()).not.toContain('secret')
      expect(body).toMatchObject({ id: 1, title: 'Open day', total: 1, recurrence: WEEKLY.recurrence })
    }
    expect((await send('GET', '/series/1', { as: editor })).body).toMatchObject({ title: 'Secret', total: 5 })
  })

  it('shows the shared values as long as a public date has them', async () => {
    const { id } = await makeEvent(editor, WEEKLY)
    await patch(editor, id, OWN)
    expect((await send('GET', '/series/1')).body).toMatchObject({
      title: 'Yoga',
      description: WEEKLY.description,
    })
  })
})

describe('a series of others', () => {
  it('can only be changed by callers who may change every occurrence', async () => {
    const author = await makeUser('author', 'author')
    const other = await makeUser('other', 'author')
    const { id: editors } = await makeEvent(editor, WEEKLY)
    const { id: own } = await makeEvent(author, { ...WEEKLY, title: 'Own' })
    const mine = (await readListed('&search=own')).map(event => event.id)
    const all = { title: 'Mine', scope: 'all' }
    expect((await patch(other, own, all)).status).toBe(403)
    expect((await patch(author, own, all)).status).toBe(200)
    expect((await patch(author, editors, all)).status).toBe(403)
    // The editor takes one of them over.
    await patch(editor, mine[2], { author: 1 })
    expect((await patch(author, own, all)).status).toBe(403)
    expect((await patch(author, own, { cost: '$1' })).status).toBe(200)
    expect((await send('DELETE', `/events/${own}?scope=all`, { as: author })).status).toBe(403)
    expect((await send('DELETE', `/events/${own}?scope=all&force=1`, { as: author })).status).toBe(403)
    expect((await patch(author, own, { recurrence: '' })).status).toBe(403)
    const draft = await makeEvent(contributor, { ...WEEKLY, title: 'Draft' })
    expect(draft.status).toBe('draft')
    expect((await patch(contributor, draft.id, all)).status).toBe(200)
    const drafts = await readListed('&status=draft', editor)
    await patch(editor, drafts[1]?.id, { status: 'publish' })
    expect((await patch(contributor, draft.id, all)).status).toBe(403)
    expect((await patch(contributor, draft.id, { cost: '$1' })).status).toBe(200)
    for (const caller of [undefined, await makeUser('reader', 'subscriber')])
      expect([401, 403]).toContain((await patch(caller ?? '', own, all)).status)
    expect(await findDriftIn(env.DB)).toEqual([])
  })

  it('can be changed although one of its occurrences is in the trash', async () => {
    const author = await makeUser('writer', 'author')
    const { id: own } = await makeEvent(author, { ...WEEKLY, title: 'Own' })
    const [, second] = await readListed('&search=own')
    await send('DELETE', `/events/${second?.id}`, { as: author })
    expect((await patch(author, own, { title: 'Mine', scope: 'all' })).status).toBe(200)
  })
})
