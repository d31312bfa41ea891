import { describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, expectRefused, least } from './requests.ts'

// Categories may be nested, but not so deep that reading or moving them becomes expensive.

/** The number of levels may be ten or so. */
const FEWEST = 5
const MOST = 20

const people = everyRole()

const post = (fields: object) => send('POST', '/categories', { as: people.administrator.as, json: fields })
const patch = (id: number, fields: object) =>
  send('PATCH', `/categories/${id}`, { as: people.administrator.as, json: fields })

/** Makes a chain as deep as is allowed, from the root down. */
async function chain(name: string, most = MOST + 1): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < most) {
    const response = await post({ name: `${name} ${ids.length}`, parent: ids.at(-1) ?? 0 })
    if (response.status !== 201) {
      expectRefused(response, 'parent')
      return ids
    }
    ids.push(Number(response.body.id))
  }
  return ids
}

describe('a chain of categories', () => {
  it('has a limit, and the error names the parameter', async () => {
    const ids = await chain('Deep')
    expect(ids.length).toBeGreaterThanOrEqual(FEWEST)
    expect(ids.length).toBeLessThanOrEqual(MOST)
  })

  it('cannot be made deeper by moving a subtree', async () => {
    const long = await chain('Long')
    const short = await chain('Short', 3)
    const [root = 0, second = 0] = short
    expectRefused(await patch(root, { parent: long.at(-1) }), 'parent')
    expectRefused(await patch(root, { parent: long.at(-2) }), 'parent')
    expectRefused(await patch(second, { parent: long.at(-1), name: 'Renamed' }), 'parent')
    expect(await patch(root, { parent: long[0] })).toMatchObject({ status: 200, body: { parent: long[0] } })
    expect((await send('GET', `/categories/${second}`)).body).toMatchObject({ parent: root, name: 'Short 1' })
  })

  it('cannot be made too deep by several moves at once', async () => {
    const upper = await chain('Upper', 4)
    const lower = await chain('Lower', 4)
    const spare = await chain('Spare')
    const moves = await Promise.all([
      patch(upper[0] ?? 0, { parent: lower.at(-1) }),
      patch(lower[0] ?? 0, { parent: upper.at(-1) }),
      patch(lower[0] ?? 0, { parent: spare.at(-5) }),
    ])
    for (const { status } of moves) expect([200, 400]).toContain(status)
    // Whatever happened first, nobody is their own ancestor, and nothing lies too deep.
    for (const start of [upper.at(-1), lower.at(-1)]) {
      const line: number[] = []
      for (let id = Number(start); id !== 0; ) {
        expect(line).not.toContain(id)
        line.push(id)
        id = Number((await send('GET', `/categories/${id}`)).body.parent)
      }
      expect(line.length).toBeLessThanOrEqual(spare.length)
    }
  })

  it('of the longest slugs leaves lists and events small', async () => {
    const ids: number[] = []
    for (let i = 0; i <= MOST; i++) {
      const name = `${String(i).padStart(2, '0')}${'語'.repeat(188)}`
      const response = await post({ name, slug: name, parent: ids.at(-1) ?? 0 })
      if (response.status !== 201) break
      ids.push(Number(response.body.id))
    }
    const event = await create(people.administrator.as, 'events', {
      ...least('events', 'Deep'),
      categories: ids,
    })
    for (const path of [
      '/categories?hide_empty=0&per_page=100',
      `/events/${event.id}`,
      '/events?per_page=100',
    ])
      expect((await send('GET', path)).text.length, path).toBeLessThan(500_000)
  })

  it('comes closer to the root when one in between is deleted, and may grow again', async () => {
    const ids = await chain('Shrinking')
    const as = people.administrator.as
    expect(await send('DELETE', `/categories/${ids[1]}`, { as })).toMatchObject({ status: 200 })
    expect(await send('GET', `/categories/${ids[2]}`)).toMatchObject({ body: { parent: ids[0] } })
    expect(await post({ name: 'Grown again', parent: ids.at(-1) })).toMatchObject({ status: 201 })
    expectRefused(
      await post({
        name: 'Grown too far',
        parent: (await send('GET', '/categories?search=grown+again&hide_empty=0')).body.categories[0].id,
      }),
      'parent',
    )
  })
})

describe('a parent', () => {
  it.each([
    -1,
    1.5,
    '1e1',
    '0x1',
    'x',
    99_999_999,
    2 ** 53,
    '99999999999999999999',
    {},
    { id: 1 },
    true,
    [1, 'x'],
  ])('is not %j', async parent => {
    const { body } = await post({ name: `Child of ${JSON.stringify(parent)}`, parent: 0 })
    expectRefused(await post({ name: `Other ${JSON.stringify(parent)}`, parent }), 'parent')
    expectRefused(await patch(body.id, { parent }), 'parent')
  })

  it('is neither the category itself, nor below it, nor a tag', async () => {
    const [root = 0, middle = 0, leaf] = await chain('Circle', 3)
    for (const parent of [root, middle, leaf]) expectRefused(await patch(root, { parent }), 'parent')
    const tag = await create(people.administrator.as, 'tags', { name: 'no category' })
    expectRefused(await patch(root, { parent: tag.id }), 'parent')
    expectRefused(await post({ name: 'Below a tag', parent: tag.id }), 'parent')
    for (const none of ['', []]) {
      expect(await patch(middle, { parent: none })).toMatchObject({ status: 200, body: { parent: 0 } })
      expect(await patch(middle, { parent: root })).toMatchObject({ status: 200, body: { parent: root } })
    }
  })
})

describe('names of categories', () => {
  it('stay unique below their parent when three categories take one name at once', async () => {
    const made = await Promise.all(['One', 'Two', 'Three'].map(name => post({ name: `Name ${name}` })))
    const responses = await Promise.all(made.map(({ body }) => patch(body.id, { name: 'Taken' })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    for (const { status, body } of responses) if (status === 400) expect(body.code).toBe('term_exists')
  })
})
