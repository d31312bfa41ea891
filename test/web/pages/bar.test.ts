import { beforeAll, expect, it } from 'vitest'
import { makeCategory, makeVenue, send, user } from '../../factories.ts'
import { metricsOf } from '../../http/metrics.ts'
import { eventsOf, page } from './page.ts'

const admin = user('administrator', 'admin')
const at = eventsOf(admin)

/** The chips of the bar: their texts with their addresses, `*` for those that are chosen. */
async function chips(path: string): Promise<Record<string, string>> {
  const { html } = await page(path)
  return Object.fromEntries(
    [...html.matchAll(/<a class="chip[^"]*" href="([^"]*)"( aria-current="true")?>([^<]*)</g)].map(
      ([, href = '', isChosen, name]) => [`${isChosen ? '*' : ''}${name}`, href.replaceAll('&amp;', '&')],
    ),
  )
}

beforeAll(async () => {
  const parent = await makeCategory(admin, 'Ages')
  await at('For nobody', '2027-02-01 10:00', '2027-02-01 11:00', { categories: [parent.id] })
  await at('Long over', '2026-02-01 10:00', '2026-02-01 11:00', { tags: ['Kids'], wheelchair: 'yes' })
  await at('Draft', '2027-02-01 10:00', '2027-02-01 11:00', {
    status: 'draft',
    tags: ['Kids'],
    wheelchair: 'yes',
  })
})

it('offers only what some event to come has', async () => {
  expect(Object.keys(await chips('/events/'))).toEqual([
    'Today',
    'Tomorrow',
    'This weekend',
    'Next week',
    'Ages',
  ])
})

it('offers access by wheelchair, and what is for children', async () => {
  const hall = await makeVenue(admin, 'Hall', { wheelchair: 'yes' })
  const { body } = await send('GET', '/categories')
  const ages = body.categories[0].id
  const children = await makeCategory(admin, 'Für Kinder', { slug: 'kinder', parent: ages })
  await at('Puppets', '2027-02-02 10:00', '2027-02-02 11:00', {
    venue: hall.id,
    tags: ['Jeune public'],
    categories: [children.id],
  })
  const all = await chips('/events/')
  expect(all).toMatchObject({
    'Für Kinder': '/events/category/ages/kinder/',
    'Jeune public': '/events/?tags=jeune-public',
    'Wheelchair accessible': '/events/?wheelchair=yes',
  })
  // Chosen ones end the filter, and all keep the others and the display.
  const chosen = await chips('/events/2027-02/?wheelchair=yes&tags=jeune-public&search=pup')
  expect(chosen).toMatchObject({
    '*Jeune public': '/events/2027-02/?search=pup&wheelchair=yes',
    '*Wheelchair accessible': '/events/2027-02/?search=pup&tags=jeune-public',
    'Für Kinder': '/events/2027-02/?search=pup&tags=jeune-public&wheelchair=yes&categories=kinder',
  })
  const { text, headers } = await page(all['Wheelchair accessible'] ?? '', { vars: { DEBUG_TIMING: '1' } })
  expect(text).toContain('Puppets')
  expect(text).not.toContain('For nobody')
  expect(metricsOf({ headers }).trips).toBe(1)
})
