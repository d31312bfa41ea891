import { beforeAll, describe, expect, it } from 'vitest'
import { makeUser, send, WHEN } from '../factories.ts'

let admin: string

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
})

const ids = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const create = (fields: object, as = admin) =>
  send('POST', '/events', { as, json: { title: 'Event', ...WHEN, ...fields } })

describe('long lists', () => {
  it('take 500 ids and refuse 501', async () => {
    expect(await send('GET', `/events?include=${ids(500)}`)).toMatchObject({ status: 200 })
    const { status, body } = await send('GET', `/events?include=${ids(501)}`)
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, ['include']])
    const brackets = ids(500).map(id => `include[]=${id}`)
    expect(await send('GET', `/events?${brackets.join('&')}`)).toMatchObject({ status: 200 })
  })

  it('link 200 organizers in their order and refuse 201', async () => {
    const organizer = ids(200).map(n => ({ organizer: `Organizer ${n}` }))
    const { status, body } = await create({ organizer })
    expect(status).toBe(201)
    const answered: { organizer: string }[] = body.organizer ?? []
    expect(answered.map(item => item.organizer)).toEqual(organizer.map(item => item.organizer))
    expect(await create({ organizer: [...organizer, { organizer: 'One more' }] })).toMatchObject({
      status: 400,
    })
  })
})

describe('numbers beyond 2^53', () => {
  it.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
    'in the path of %s name nothing',
    async plural => {
      expect(await send('GET', `/${plural}/99999999999999999999`)).toMatchObject({ status: 404 })
    },
  )

  it.each(['page', 'per_page', 'venue', 'include', 'post_parent', 'categories'])(
    'in %s are refused',
    async name => {
      const { status, body } = await send('GET', `/events?${name}=99999999999999999999`)
      expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [name]])
    },
  )

  it('are fine as a page up to there', async () => {
    expect(await send('GET', '/events?page=9007199254740991')).toMatchObject({ status: 404 })
  })
})

describe('length limits', () => {
  it.each([
    ['title', 70_000],
    ['slug', 70_000],
    ['excerpt', 20_001],
    ['description', 200_001],
    ['cost', 1_001],
    ['website', 2_100],
  ])('refuse a %s of %i letters', async (name, length) => {
    const value = name === 'website' ? `https://example.org/${'x'.repeat(length)}` : 'x'.repeat(length)
    const { status, body } = await create({ [name]: value })
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [name]])
  })

  it('take the longest that they allow, in any script', async () => {
    const { status } = await create({ title: '語'.repeat(2000), description: '語'.repeat(200_000) })
    expect(status).toBe(201)
  })
})
