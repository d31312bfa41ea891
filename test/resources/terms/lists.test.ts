import { beforeAll, describe, expect, it } from 'vitest'
import { send, user } from '../../factories.ts'

const admin = user('administrator', 'admin')

const create = (name: string, json: object = {}) =>
  send('POST', '/categories', { as: admin, json: { name, ...json } })
const names = async (query: string, plural = 'categories') => {
  const { body } = await send('GET', `/${plural}?per_page=50&hide_empty=0&${query}`)
  return (body[plural] ?? []).map((term: { name: string }) => term.name)
}

describe('lists of terms', () => {
  beforeAll(async () => {
    for (const name of ['élan', 'Zebra', 'apple']) await create(name)
  })

  it('sort by name without regard to case or accents, and as asked', async () => {
    const { body } = await send('GET', '/categories?hide_empty=no&slug=zebra,apple&slug=elan')
    expect(body.categories).toMatchObject([{ name: 'apple' }, { name: 'élan' }, { name: 'Zebra' }])
    const ids = body.categories?.map((term: { id: number }) => term.id) ?? []
    expect(await names(`include=${[...ids].reverse()}&orderby=include`)).toEqual(['Zebra', 'élan', 'apple'])
    expect((await send('GET', '/categories?orderby=password')).status).toBe(400)
  })

  it('filter by roots, and refuse unknown parents', async () => {
    expect(await names('parent=0&search=apple')).toEqual(['apple'])
    expect((await send('GET', '/categories?parent=99999')).status).toBe(400)
  })

  it('search in slugs, too, and take no tag for a category', async () => {
    await send('POST', '/tags', { as: admin, json: { name: 'Shown', slug: 'hidden-word' } })
    expect(await names('search=HIDDEN-', 'tags')).toEqual(['Shown'])
    expect(await names('search=hidden')).toEqual([])
  })
})
