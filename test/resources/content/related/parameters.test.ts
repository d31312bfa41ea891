import { beforeAll, describe, expect, it } from 'vitest'
import type { RelatedListParams } from '../../../../src/resources/content/related/resource.ts'
import { makeEvent, makeOrganizer, makeVenue, send, user } from '../../../factories.ts'

const admin = user('administrator', 'admin')

beforeAll(async () => {
  const related = (name: string) => ({ venue: { venue: name }, organizer: { organizer: name } })
  await makeEvent(admin, related('Coming'))
  await makeEvent(admin, { start_date: '2025-01-01', end_date: '2025-01-02', ...related('Over') })
  await makeVenue(admin, 'Unused')
  await makeOrganizer(admin, 'Unused')
  await makeVenue(admin, 'Draft', { status: 'draft' })
  await makeOrganizer(admin, 'Draft', { status: 'draft' })
})

/** Queries without a parameter and with it, which must make a difference, for every parameter of the lists. */
const DIFFERENT: Record<
  Exclude<keyof RelatedListParams, 'bbox'>,
  [without: string, value: string, names: string[]]
> = {
  page: ['per_page=1', '2', ['Unused']],
  per_page: ['', '1', ['Draft']],
  search: ['', 'com', ['Coming']],
  event: ['', '1', ['Coming']],
  has_events: ['', '1', ['Over', 'Coming']],
  only_with_upcoming: ['', '1', ['Coming']],
  status: ['', 'publish', ['Unused', 'Over', 'Coming']],
}

describe.each([
  ['venues', 'venue'],
  ['organizers', 'organizer'],
])('the list of %s', (plural, singular) => {
  const read = async (query: string): Promise<string[]> => {
    const { body } = await send('GET', `/${plural}?${query}`, { as: admin })
    return body[plural].map((item: Record<string, string>) => item[singular])
  }

  it.each(Object.entries(DIFFERENT))('heeds %s', async (name, [without, value, names]) => {
    expect(await read(without)).not.toEqual(names)
    expect(await read(`${without}&${name}=${value}`)).toEqual(names)
  })
})
