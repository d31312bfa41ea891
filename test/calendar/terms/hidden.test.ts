import { describe, expect, it } from 'vitest'
import { by, everyRole, type People } from '../../attacks/people.ts'
import { makeCategory, makeEvent, SITE, send, WHEN } from '../../factories.ts'
import { sendTo } from '../../request.ts'

// The name of a new term may reveal what a draft is about, so people who may not read the draft must not find
// the term.

const people = everyRole()

let n = 0
const word = () => `secret${++n}x`

const KINDS = [
  ['categories', 'category'],
  ['tags', 'tag'],
] as const

const post = (as: keyof People, fields: object) => makeEvent(people[as].as, fields)

const CORE = { CORE_PREFIX: 'wp-json' }

type Term = { id: number; slug: string }

/** The number of terms with its slug that a caller finds. */
const totalOf = async (kind: string, { slug }: Term, as: { as?: string }): Promise<number> =>
  (await send('GET', `/${kind}?hide_empty=false&slug=${slug}`, as)).body.total

/** The responses to a caller that may show a term: all of them, or one of each sort. */
async function traces(kind: string, term: Term, as: { as?: string }, areAll = true) {
  const { id, slug } = term
  const core = async (path: string) => {
    const headers = as.as ? { authorization: as.as } : {}
    return (await sendTo(CORE, `${SITE}/wp-json/wp/v2/${kind}${path}`, { headers })).text()
  }
  const few = [`/${kind}/${id}`, `/${kind}/changes`]
  const lists = [
    `/${kind}?hide_empty=false&per_page=100`,
    `/${kind}?hide_empty=false&search=${slug}`,
    `/${kind}?hide_empty=false&include=${id}`,
    `/${kind}`,
    ...few,
  ]
  const others = ['?per_page=100', `?slug=${slug}`, `?search=${slug}`, `/${id}`]
  const texts = [
    ...(await Promise.all((areAll ? lists : few).map(async path => (await send('GET', path, as)).text))),
    ...(await Promise.all((areAll ? others : others.slice(-1)).map(core))),
  ]
  const filtered = [
    `/events?${kind}=${id}`,
    `/events?${kind}=${slug}`,
    `/events.ics?${kind}=${slug}`,
    `/events/changes?${kind}=${slug}`,
  ]
  const statuses = (areAll ? filtered : filtered.slice(0, 1)).map(
    async path => (await send('GET', path, as)).status,
  )
  return {
    shown: texts.filter(text => text.includes(`"${slug}"`)).length,
    total: await totalOf(kind, term, as),
    filters: [...new Set(await Promise.all(statuses))],
  }
}

const HIDDEN = { shown: 0, total: 0, filters: [400] }

describe.each(KINDS)('a new name among the %s of an event', (kind, singular) => {
  const pages = (slug: string) =>
    kind === 'tags'
      ? [`/tag/${slug}/`, `/events/tag/${slug}/`]
      : ['', '?ical=1', 'feed/', 'list/', '2026-12/'].map(end => `/events/category/${slug}/${end}`)

  it.each(['draft', 'pending', 'private', 'future', 'trash'])(
    'is visible only to those who may read the event, which is %s',
    async status => {
      const name = word()
      const date = status === 'future' ? { date: '2030-01-01 10:00:00' } : {}
      const event = await post('author', { status, ...date, [kind]: [name] })
      const [term] = event[kind]
      // Whichever way it is asked for, the same is asked of its events.
      const areAll = status === 'draft'
      for (const role of ['another', 'contributor', 'subscriber'] as const)
        expect(await traces(kind, term, by(people[role]), areAll), role).toEqual(HIDDEN)
      expect(await traces(kind, term, {}, areAll)).toEqual(HIDDEN)
      for (const path of areAll ? pages(name) : pages(name).slice(0, 1)) {
        const unknown = await send('GET', SITE + path.replace(name, `${name}y`))
        expect(unknown.status, path).toBeGreaterThanOrEqual(301)
        expect((await send('GET', SITE + path)).status, path).toEqual(unknown.status)
      }
      for (const path of ['/sitemap.xml', '/events/'])
        expect((await send('GET', SITE + path)).text, path).not.toContain(name)
      for (const role of ['administrator', 'editor'] as const)
        expect(await totalOf(kind, term, by(people[role])), role).toBe(1)
      if (status !== 'trash') expect(await totalOf(kind, term, by(people.author))).toBe(1)
    },
  )

  it('is in the changes for editors only, until it is public', async () => {
    const callers = [{}, by(people.author), by(people.another), by(people.editor)]
    const changesOf = async (query: string, who: object) =>
      (await send('GET', `/${kind}/changes?${query}`, who)).body
    const before = await Promise.all(callers.map(who => changesOf('limit=500', who)))
    const event = await post('author', { status: 'draft', [kind]: [word()] })
    const found = () =>
      Promise.all(
        callers.map(async (who, i) => {
          const { deleted, [kind]: terms } = await changesOf(`since=${before[i]?.next}`, who)
          return [terms.map(({ id }: { id: number }) => id), deleted]
        }),
      )
    const none = [[], []]
    const own = [[event[kind][0].id], []]
    expect(await found()).toEqual([none, none, none, own])
    await send('PATCH', `/events/${event.id}`, { as: people.author.as, json: { status: 'publish' } })
    expect(await found()).toEqual([own, own, own, own])
  })

  it('is visible to everybody once a public event has it', async () => {
    const name = word()
    const event = await post('author', { status: 'draft', [kind]: [name] })
    const [term] = event[kind]
    await send('PATCH', `/events/${event.id}`, { as: people.author.as, json: { status: 'publish' } })
    expect(await traces(kind, term, {})).toMatchObject({ total: 1, filters: [200] })
    expect((await send('GET', SITE + pages(name)[0])).status).toBe(200)
    const { text } = await send('GET', `/${kind}/${term.id}`)
    expect(text).toContain(name)
  })

  it('does not exist for others, who may create it under the same name', async () => {
    const name = word()
    const event = await post('author', { status: 'draft', [kind]: [name] })
    const [{ id }] = event[kind]
    for (const given of [id, String(id), { id }, { slug: name }]) {
      const json = { title: 'Event', ...WHEN, [kind]: [given] }
      const { status, body } = await send('POST', '/events', { as: people.another.as, json })
      expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [kind]])
    }
    const contributed = await send('POST', '/events', {
      as: people.contributor.as,
      json: { title: 'Event', ...WHEN, [kind]: [name] },
    })
    expect(contributed.status).toBe(403)
    expect((await post('another', { status: 'draft', [kind]: [name.toUpperCase()] }))[kind]).toEqual([
      expect.objectContaining({ id, name }),
    ])
    expect(await traces(kind, { id, slug: name }, {})).toEqual(HIDDEN)
    expect(await totalOf(kind, { id, slug: name }, by(people.another))).toBe(1)
  })

  it('may come from a series, or from a change of an event', async () => {
    const name = word()
    await post('author', { status: 'draft', [kind]: [name] })
    const recurring = { status: 'draft', recurrence: { rrule: 'FREQ=DAILY;COUNT=3' }, [kind]: [name] }
    const series = await post('another', recurring)
    const [{ id }] = series[kind]
    const event = await post('another', {})
    const changed = await send('PUT', `/events/${event.id}`, {
      as: people.another.as,
      json: { ...WHEN, title: 'Event', [kind]: [word(), name, name] },
    })
    expect(changed.body[kind]).toEqual(expect.arrayContaining([expect.objectContaining({ id, name })]))
    expect(changed.body[kind]).toHaveLength(2)
    expect(await totalOf(kind, { id, slug: name }, {})).toBe(1)
    const hidden = word()
    const [term] = (await post('another', { ...recurring, [kind]: [hidden] }))[kind]
    expect(await traces(kind, term, {})).toEqual(HIDDEN)
    expect(await traces(kind, term, by(people.author))).toEqual(HIDDEN)
  })

  it('leaves the entity tag of anonymous callers unchanged', async () => {
    const tagOf = async () => (await send('GET', `/${kind}?hide_empty=false`)).headers.get('etag')
    const before = await tagOf()
    const name = word()
    const event = await post('author', { status: 'draft', [kind]: [name] })
    await send('PATCH', `/events/${event.id}`, { as: people.author.as, json: { [kind]: [name, word()] } })
    expect(await tagOf()).toBe(before)
  })

  it('is visible to everybody if it is created or changed by its own route', async () => {
    const own = word()
    const made = await send('POST', `/${kind}`, { as: people.editor.as, json: { name: own } })
    expect(made.status).toBe(201)
    expect(await totalOf(kind, { id: made.body.id, slug: own }, {})).toBe(1)
    const name = word()
    const [term] = (await post('author', { status: 'draft', [kind]: [name] }))[kind]
    const path = `/${kind}/${term.id}`
    const again = await send('POST', `/${kind}`, { as: people.editor.as, json: { name } })
    expect([again.status, again.body.code]).toEqual([400, 'term_exists'])
    await send('PATCH', path, { as: people.editor.as, json: { description: `A ${singular}.` } })
    expect(await totalOf(kind, term, {})).toBe(1)
  })
})

describe('a hidden category', () => {
  it('becomes the category of an author who creates one of its name, and cannot be a parent before', async () => {
    const name = word()
    const [{ id }] = (await post('author', { status: 'draft', categories: [name] })).categories
    const make = (json: object) => send('POST', '/categories', { as: people.another.as, json })
    expect((await make({ name: word(), parent: id })).body.data.params).toHaveProperty('parent')
    expect((await send('GET', `/categories?parent=${id}`, by(people.another))).status).toBe(400)
    const { status, body } = await make({ name: name.toUpperCase(), description: 'Ours' })
    expect([status, body]).toMatchObject([201, { id, slug: name, description: 'Ours' }])
    expect(await totalOf('categories', { id, slug: name }, {})).toBe(1)
    expect((await make({ name })).body.code).toBe('term_exists')
  })

  it('is visible to everybody once it is the parent of a visible one', async () => {
    const name = word()
    const [term] = (await post('author', { status: 'draft', categories: [name] })).categories
    await makeCategory(people.editor.as, word(), { parent: term.id })
    expect(await totalOf('categories', term, {})).toBe(1)
  })
})
