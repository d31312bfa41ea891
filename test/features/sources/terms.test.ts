import { expect, it } from 'vitest'
import { declareUser, makeCategory, makeTag, send } from '../../factories.ts'

const as = declareUser('editor')
const URL = 'https://theatre.example.org/events.ics'

let made = 0
const create = (fields: object) =>
  send('POST', '/sources', {
    as,
    json: { name: 'The theatre', url: `${URL}?${++made}`, every: '', ...fields },
  })

const named = async (path: string, ids: readonly number[]) =>
  Promise.all(ids.map(async id => (await send('GET', `${path}/${id}`, { as })).body.name))

it('a source takes categories and tags by id, name or slug, and makes those that are new', async () => {
  const { id: theatre } = await makeCategory(as, 'Theatre & Dance')
  const { id: folk } = await makeTag(as, 'Folk')
  const { status, body, text } = await create({
    categories: [theatre, 'theatre & dance', 'Opera', 'opera', 'theatre-dance'],
    tags: 'folk, Outdoor',
  })
  expect(status, text).toBe(201)
  expect([body.categories[0], body.tags[0]]).toEqual([theatre, folk])
  expect(await named('/categories', body.categories)).toEqual(['Theatre & Dance', 'Opera'])
  expect(await named('/tags', body.tags)).toEqual(['Folk', 'Outdoor'])
  // Anybody may see them: events are to follow.
  expect((await send('GET', `/tags/${body.tags[1]}`)).status).toBe(200)
  const changed = await send('PATCH', `/sources/${body.id}`, { as, json: { tags: ['Outdoor', 'Late'] } })
  expect(changed.body.categories).toEqual(body.categories)
  expect(await named('/tags', changed.body.tags)).toEqual(['Outdoor', 'Late'])
  const again = await create({ categories: 'Opera', tags: [{ id: folk }] })
  expect([again.body.categories, again.body.tags]).toEqual([[body.categories[1]], [folk]])
  const emptied = await send('PATCH', `/sources/${body.id}`, { as, json: { tags: '', categories: [] } })
  expect([emptied.body.categories, emptied.body.tags]).toEqual([[], []])
})

it('a source with an unknown id, or without a name, makes nothing', async () => {
  const total = async () => (await send('GET', '/tags?hide_empty=false')).body.total
  const before = await total()
  const { status, body } = await create({ tags: ['Brand new', 99_999], categories: [99_998], venue: 99_997 })
  expect([status, Object.keys(body.data.params).sort()]).toEqual([400, ['categories', 'tags', 'venue']])
  expect((await create({ tags: ['Brand new'], name: '' })).status).toBe(400)
  expect(await total()).toBe(before)
})
