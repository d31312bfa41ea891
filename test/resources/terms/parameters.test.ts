import { beforeAll, describe, expect, it } from 'vitest'
import { categoryList, type TermListParams, tagList } from '../../../src/resources/terms/schema.ts'
import { makeCategory, makeEvent, makeTag, makeUser, send } from '../../factories.ts'

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  const { id: music } = await makeCategory(admin, 'Music')
  await makeCategory(admin, 'Jazz', { parent: music })
  await makeCategory(admin, 'Unused')
  await makeTag(admin, 'unused')
  for (const categories of [['Jazz'], ['Art'], ['Art']])
    await makeEvent(admin, { categories, tags: categories.map(name => name.toLowerCase()) })
})

/** Queries without a parameter and with it, which must make a difference, for every parameter of the lists. */
const DIFFERENT: Record<keyof TermListParams, [without: string, value: string]> = {
  page: ['per_page=1', '2'],
  per_page: ['', '1'],
  search: ['', 'jazz'],
  exclude: ['hide_empty=0', '{first}'],
  include: ['hide_empty=0', '{first}'],
  order: ['', 'desc'],
  orderby: ['', 'id'],
  hide_empty: ['', '0'],
  post: ['', '1'],
  event: ['', '1'],
  slug: ['', 'jazz'],
  parent: ['', '1'],
}

describe.each([
  ['categories', categoryList],
  ['tags', tagList],
] as const)('the list of %s', (plural, { shape }) => {
  const read = async (query: string) => {
    const { body } = await send('GET', `/${plural}?${query}`)
    return { total: body.total, ids: body[plural]?.map(({ id }: { id: number }) => id) ?? [] }
  }

  it.each(Object.keys(shape))('heeds %s', async name => {
    // The names of a schema are those of its values.
    const [without, value] = DIFFERENT[name as keyof TermListParams]
    const before = await read(without)
    const after = await read(`${without}&${name}=${value.replace('{first}', before.ids[0])}`)
    expect(after.ids.length).toBeGreaterThan(0)
    expect(after).not.toEqual(before)
  })

  it('lists something to choose from', async () => {
    expect((await read('')).ids.length).toBeGreaterThan(1)
  })
})
