import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeCategory, makeEvent, makeTag, SITE, send, WHEN } from '../../factories.ts'
import { request } from '../../request.ts'

const admin = declareUser('administrator', 'admin')

const create = (name: string, json: object = {}) =>
  send('POST', '/categories', { as: admin, json: { name, ...json } })
const change = (id: unknown, json: object) => send('PATCH', `/categories/${id}`, { as: admin, json })

describe('slugs that addresses of categories end with', () => {
  it.each(['Feed', 'List', 'month', 'page', 'ical', '2026-12', '2026-12-04'])(
    '%s is numbered',
    async name => {
      const slug = `${name.toLowerCase()}-2`
      const { body } = await create(name)
      expect([body.slug, body.name]).toEqual([slug, name])
      expect((await create(`Other ${name}`, { slug: name, parent: body.id })).body.slug).toMatch(
        new RegExp(`^${slug}-`),
      )
      const { body: renamed } = await create(`Third ${name}`)
      expect((await change(renamed.id, { slug: name })).body.slug).toBe(`${slug}-2`)
      const event = await makeEvent(admin, { categories: [`${name}!`], tags: [`${name}?`] })
      expect(event.categories[0].slug).toBe(`${slug}-3`)
      // The addresses of tags go no further.
      expect(event.tags[0].slug).toBe(name.toLowerCase())
    },
  )
})

describe('the tree of categories', () => {
  it('is in the addresses of all below a category that moves', async () => {
    const { body: top } = await create('Top')
    const { body: mid } = await create('Mid', { parent: top.id })
    const { body: low } = await create('Low', { parent: mid.id })
    expect(low.url).toBe(`${SITE}/events/category/top/mid/low/`)
    await change(top.id, { slug: 'summit' })
    const url = async (id: unknown) => (await send('GET', `/categories/${id}`)).body.url
    expect(await url(low.id)).toBe(`${SITE}/events/category/summit/mid/low/`)
    await send('DELETE', `/categories/${mid.id}`, { as: admin })
    expect(await url(low.id)).toBe(`${SITE}/events/category/summit/low/`)
    expect((await send('GET', `/categories/${low.id}`)).body).toMatchObject({
      parent: top.id,
      urls: { up: expect.stringContaining(`/categories/${top.id}`) },
    })
  })

  it('decides what events a category lists, and keeps a category with a used one below', async () => {
    const { body: root } = await create('Root')
    const { body: branch } = await create('Branch', { parent: root.id })
    const { body: leaf } = await create('Leaf', { parent: branch.id })
    await makeEvent(admin, { categories: [leaf.id, root.id] })
    const total = async (category: unknown) =>
      (await send('GET', `/events?categories=${category}`)).body.total
    expect({ root: await total('root'), branch: await total(branch.id), leaf: await total('leaf') }).toEqual({
      root: 1,
      branch: 1,
      leaf: 1,
    })
    const { body } = await send('GET', '/categories?search=branch')
    expect(body).toMatchObject({ total: 1, categories: [{ count: 0 }] })
    await change(branch.id, { parent: 0 })
    expect([await total('root'), await total('branch')]).toEqual([1, 1])
    await change(leaf.id, { parent: 0 })
    expect({ root: await total('root'), branch: await total('branch'), leaf: await total('leaf') }).toEqual({
      root: 1,
      branch: 0,
      leaf: 1,
    })
  })

  it('keeps the lines, emphasis and links of its description, which its page shows', async () => {
    const description = 'Music <strong>loud</strong>\nand <a href="https://band.example/">live</a>, R&amp;B'
    const { body } = await create('Described', { description: `${description}<img src="x">` })
    expect(body.description).toBe(description)
    expect((await change(body.id, { description: body.description })).body.description).toBe(description)
    const { text } = await send('GET', `${SITE}/events/category/described/`)
    expect(text).toContain(
      '<p>Music <strong>loud</strong><br />\nand <a href="https://band.example/">live</a>, R&amp;B</p>',
    )
    expect(text).toContain('<meta name="description" content="Music loud and live, R&amp;B">')
  })

  it('takes one name once below a parent, in any case', async () => {
    const { body: a } = await create('Named')
    const { status, body } = await create('NAMED')
    expect({ status, code: body.code, term_id: body.data?.term_id }).toEqual({
      status: 400,
      code: 'term_exists',
      term_id: a.id,
    })
    const { body: b } = await create('named', { parent: a.id })
    expect((await change(b.id, { parent: 0 })).body.code).toBe('term_exists')
    expect((await change(b.id, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      slug: 'named-named',
    })
  })
})

const names = async (query: string, plural = 'categories') => {
  const { body } = await send('GET', `/${plural}?per_page=50&hide_empty=0&${query}`)
  return (body[plural] ?? []).map((term: { name: string }) => term.name)
}

describe('lists of terms', () => {
  beforeAll(async () => {
    await create('élan', { description: 'c' })
    await create('Zebra', { description: 'B' })
    await create('apple', { description: 'a' })
  })

  it('sort by name without regard to case or accents, and as asked', async () => {
    const { body } = await send('GET', '/categories?hide_empty=no&slug=zebra,apple&slug=elan')
    expect(body.categories).toMatchObject([{ name: 'apple' }, { name: 'élan' }, { name: 'Zebra' }])
    const ids = body.categories?.map((term: { id: number }) => term.id) ?? []
    expect(await names(`include=${[...ids].reverse()}&orderby=include`)).toEqual(['Zebra', 'élan', 'apple'])
    const slugs = 'slug=zebra,apple,elan&orderby='
    expect(await names(`${slugs}description`)).toEqual(['apple', 'Zebra', 'élan'])
    expect(await names(`${slugs}term_group&order=desc`)).toEqual(['apple', 'Zebra', 'élan'])
    expect((await send('GET', '/categories?orderby=password')).status).toBe(400)
  })

  it.each([
    ['categories', makeCategory],
    ['tags', makeTag],
  ] as const)(
    'leave out %s without events, unless they are asked for with hide_empty',
    async (plural, make) => {
      const empty = await make(admin, `Empty ${plural}`)
      const used = await make(admin, `Used ${plural}`)
      await makeEvent(admin, { [plural]: [used.id] })
      const shown = async (query: string) => {
        const { body } = await send('GET', `/${plural}?include=${empty.id},${used.id}&${query}`)
        return body[plural].map(({ id }: { id: number }) => id)
      }
      expect([await shown(''), await shown('hide_empty=true')]).toEqual([[used.id], [used.id]])
      expect((await shown('hide_empty=false')).sort()).toEqual([empty.id, used.id].sort())
    },
  )

  it('filter by roots, and refuse unknown parents', async () => {
    expect(await names('parent=0&search=apple')).toEqual(['apple'])
    expect((await send('GET', '/categories?parent=99999')).status).toBe(400)
  })

  it('refuse ids that name no term of theirs, and follow deletions all the same', async () => {
    const { body: known } = await create('Known by its id')
    const { body: tag } = await send('POST', '/tags', { as: admin, json: { name: 'A tag' } })
    const { body: gone } = await create('Gone from lists')
    const { body: copy } = await send('GET', `/categories/changes?include=${gone.id},${known.id}`)
    await send('DELETE', `/categories/${gone.id}`, { as: admin })
    for (const name of ['include', 'exclude']) {
      for (const id of [gone.id, tag.id, 99_999]) {
        const { status, body } = await send('GET', `/categories?hide_empty=0&${name}=${known.id},${id}`)
        expect([status, Object.keys(body.data?.params ?? {})], `${name} ${id}`).toEqual([400, [name]])
      }
      expect((await send('GET', `/tags?${name}=${tag.id}`)).status).toBe(200)
    }
    const path = `/categories/changes?include=${gone.id},${known.id}&since=${copy.next}`
    expect((await send('GET', path)).body.deleted).toEqual([gone.id])
  })

  it('are those of `event` if `post` names another one', async () => {
    const [first, second] = await Promise.all(
      ['Of the first', 'Of the second'].map(category =>
        send('POST', '/events', { as: admin, json: { title: category, ...WHEN, categories: [category] } }),
      ),
    )
    const post = first?.body.id
    const event = second?.body.id
    expect(await names(`post=${post}`)).toEqual(['Of the first'])
    expect(await names(`post=${post}&event=${event}`)).toEqual(['Of the second'])
    expect(await names(`post=99999&event=${event}`)).toEqual(['Of the second'])
    expect((await send('GET', `/categories?post=${post}&event=99999`)).status).toBe(400)
  })

  it('search in slugs, too, and take no tag for a category', async () => {
    await send('POST', '/tags', { as: admin, json: { name: 'Shown', slug: 'hidden-word' } })
    expect(await names('search=HIDDEN-', 'tags')).toEqual(['Shown'])
    expect(await names('search=hidden')).toEqual([])
  })
})

describe('the colour of a category', () => {
  it('is a name or a colour, and shown wherever the category is', async () => {
    const { id } = await makeCategory(admin, 'Hued', { color: ' #1A6B54 ' })
    const of = async () => (await send('GET', `/categories/${id}`)).body.color
    expect(await of()).toBe('#1a6b54')
    const event = await makeEvent(admin, { title: 'In colour', categories: [id], tags: ['plain'] })
    expect(event.categories[0].color).toBe('#1a6b54')
    expect(event.tags[0]).not.toHaveProperty('color')
    const text = await (await request(`${SITE}/events/`)).text()
    expect(text).toMatch(/class="chip category hue-[a-z]+"[^>]*>(?:<span[^>]*>)?Hued/)
    expect(text).toMatch(
      /<li class="event hue-teal"[^>]*>(?:(?!<li class="event)[\s\S])*<li class="category">Hued<\/li>/,
    )
    await change(id, { color: 'violet' })
    expect(await of()).toBe('violet')
    await change(id, { name: 'Hued still' })
    expect(await of()).toBe('violet')
    await change(id, { color: '' })
    expect(await of()).toBeUndefined()
  })

  it.each(['crimson', '#12', '1a6b54', 'red;', '<b>', 7])('is not %s', async color => {
    const { status, body } = await create('Wrong', { color })
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, ['color']])
  })
})
