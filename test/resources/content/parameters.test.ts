import { beforeAll, describe, expect, it } from 'vitest'
import type { RelatedListParams } from '../../../src/resources/content/related/resource.ts'
import { type MediaListParams, mediaList } from '../../../src/resources/media/schema.ts'
import { categoryList, type TermListParams, tagList } from '../../../src/resources/terms/schema.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue, send, user } from '../../factories.ts'
import { JPEG, PNG, WEBP } from '../media/samples.ts'
import { upload } from '../media/upload.ts'

// The parameters of every list except that of events (events/listing/filters.test.ts).

const admin = user('administrator', 'admin')

beforeAll(async () => {
  const { id: music } = await makeCategory(admin, 'Music')
  await makeCategory(admin, 'Jazz', { parent: music })
  await makeCategory(admin, 'Unused')
  await makeTag(admin, 'unused')
  const [{ body: image }] = [
    await upload(admin, JPEG, { name: 'Folk' }),
    await upload(admin, PNG, { name: 'Jazz' }),
    await upload(admin, WEBP, { name: 'Folk' }),
  ]
  const related = (name: string) => ({ venue: { venue: name }, organizer: { organizer: name } })
  await makeEvent(admin, { ...related('Coming'), categories: ['Jazz'], tags: ['jazz'], image: image.id })
  await makeEvent(admin, { start_date: '2025-01-01', end_date: '2025-01-02', ...related('Over') })
  for (let n = 0; n < 2; n++) await makeEvent(admin, { categories: ['Art'], tags: ['art'] })
  await makeVenue(admin, 'Unused')
  await makeOrganizer(admin, 'Unused')
  await makeVenue(admin, 'Draft', { status: 'draft' })
  await makeOrganizer(admin, 'Draft', { status: 'draft' })
})

/** Queries without a parameter and with it, whose results must differ, and the names that the second one finds. */
type Different = readonly [without: string, value: string, names?: readonly string[]]

const MEDIA: Record<keyof MediaListParams, Different> = {
  page: ['per_page=1', '2'],
  per_page: ['', '1'],
  search: ['', 'jazz'],
  include: ['', '2'],
  slug: ['', 'folk'],
  unused: ['', 'true'],
}

const TERMS: Record<keyof TermListParams, Different> = {
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

const RELATED: Record<Exclude<keyof RelatedListParams, 'bbox'>, Different> = {
  page: ['per_page=1', '2', ['Unused']],
  per_page: ['', '1', ['Draft']],
  search: ['', 'com', ['Coming']],
  event: ['', '1', ['Coming']],
  has_events: ['', '1', ['Over', 'Coming']],
  only_with_upcoming: ['', '1', ['Coming']],
  status: ['', 'publish', ['Unused', 'Over', 'Coming']],
}

const LISTS: [plural: string, names: string[], different: Record<string, Different>][] = [
  ['media', Object.keys(mediaList.shape), MEDIA],
  ['categories', Object.keys(categoryList.shape), TERMS],
  ['tags', Object.keys(tagList.shape), TERMS],
  ['venues', Object.keys(RELATED), RELATED],
  ['organizers', Object.keys(RELATED), RELATED],
]

describe.each(LISTS)('the list of %s', (plural, parameters, different) => {
  const read = async (query: string) => {
    const { body } = await send('GET', `/${plural}?${query}`, { as: admin })
    const items: Record<string, unknown>[] = body[plural] ?? []
    return {
      total: body.total,
      ids: items.map(({ id }) => id),
      names: items.map(one => one.venue ?? one.organizer),
    }
  }

  it.each(parameters)('heeds %s', async name => {
    const [without = '', value = '', names] = different[name] ?? []
    const before = await read(without)
    const after = await read(`${without}&${name}=${value.replace('{first}', String(before.ids[0]))}`)
    expect(after.ids.length).toBeGreaterThan(0)
    expect(after).not.toEqual(before)
    if (names) expect(after.names).toEqual(names)
  })

  it('lists something to choose from', async () => {
    expect((await read('')).ids.length).toBeGreaterThan(1)
  })
})

it('the list of media refuses values that no parameter takes', async () => {
  for (const query of ['page=0', 'per_page=x', 'search=', 'include=x', 'unused=perhaps'])
    expect((await send('GET', `/media?${query}`, { as: admin })).status, query).toBe(400)
})
