import { beforeAll, describe, expect, it } from 'vitest'
import type { RelatedListParams } from '../../../src/calendar/content/related/resource.ts'
import { type MediaListParams, mediaList } from '../../../src/calendar/media/schema.ts'
import { categoryList, type TermListParams, tagList } from '../../../src/calendar/terms/schema.ts'
import {
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  send,
} from '../../factories.ts'
import { JPEG, PNG, WEBP } from '../media/samples.ts'
import { upload } from '../media/upload.ts'

// The parameters of every list except that of events (events/listing/filters.test.ts).

const admin = declareUser('administrator', 'admin')

beforeAll(async () => {
  const { id: music } = await makeCategory(admin, 'Music')
  await makeCategory(admin, 'Jazz', { parent: music })
  await makeCategory(admin, 'Unused')
  await makeTag(admin, 'unused')
  const { body: image } = await upload(admin, JPEG, { name: 'Folk' })
  await upload(admin, PNG, { name: 'Jazz' })
  await upload(admin, WEBP, { name: 'Folk' })
  const related = (name: string) => ({ venue: { venue: name }, organizer: { organizer: name } })
  await makeEvent(admin, { ...related('Coming'), categories: ['Jazz'], tags: ['jazz'], image: image.id })
  await makeEvent(admin, { start_date: '2025-01-01', end_date: '2025-01-02', ...related('Over') })
  for (let n = 0; n < 2; n++) await makeEvent(admin, { categories: ['Art'], tags: ['art'] })
  await makeVenue(admin, 'Unused')
  await makeOrganizer(admin, 'Unused')
  await makeVenue(admin, 'Draft', { status: 'draft' })
  await makeOrganizer(admin, 'Draft', { status: 'draft' })
})

describe('a refused value', () => {
  it('has a code with values, beside the message', async () => {
    const json = {
      title: 'x'.repeat(2001),
      start_date: 'soon',
      end_date: '2027-03-01',
      timezone: 'Nowhere',
      website: 'no address',
      status: 'open',
      venue: { venue: 'Hall', website: 'none' },
    }
    const { status, body } = await send('POST', '/events', { as: admin, json })
    expect([status, body.data.params.status]).toEqual([400, expect.stringMatching(/^must be one of/)])
    expect(body.data.details).toEqual({
      title: { code: 'too_long', message: body.data.params.title, data: { n: 2000 } },
      start_date: { code: 'no_date', message: body.data.params.start_date, data: {} },
      timezone: { code: 'no_zone', message: body.data.params.timezone, data: {} },
      website: { code: 'no_url', message: body.data.params.website, data: {} },
      venue: { code: 'no_url', message: body.data.params.venue, data: {} },
    })
    const none = await send('GET', '/events?per_page=none')
    expect(none.body.data).toEqual({ status: 400, params: { per_page: expect.any(String) } })
  })

  it.each([
    [{ recurrence: 'FREQ=DAILY;COUNT=0' }, 'recurrence', 'rule_count'],
    [{ recurrence: 'FREQ=DAILY;UNTIL=soon' }, 'recurrence', 'rule_until'],
    [{ recurrence: 'FREQ=DAILY;INTERVAL=x' }, 'recurrence', 'rule_interval'],
    [{ recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'recurrence', 'rule_without_dates'],
    [{ recurrence: { rrule: 'FREQ=DAILY;COUNT=2', rdate: ['never'] } }, 'recurrence', 'rule_bad_dates'],
    [{ end_date: '2026-01-01' }, 'end_date', 'ends_early'],
    [{ author: 99 }, 'author', 'unknown'],
    [{ image: 99 }, 'image', 'unknown'],
    [{ venue: [99] }, 'venue', 'unknown'],
    [{ post_parent: 99 }, 'post_parent', 'unknown'],
    [{ organizer: { organizer: '' } }, 'organizer', 'missing'],
    [{ external_id: 'one' }, 'external_id', 'taken'],
  ])('%o: the code of %s is %s', async (fields, name, code) => {
    const event = { title: 'One', start_date: '2027-03-01', end_date: '2027-03-02' }
    await send('PUT', '/events/by-external-id/one', { as: admin, json: event })
    const { body } = await send('POST', '/events', { as: admin, json: { ...event, ...fields } })
    expect(body.data).toMatchObject({ status: 400, details: { [name]: { code } } })
  })
})

/**
 * Queries without a parameter and with it, whose results must differ, and the names that the second one
 * finds.
 */
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
