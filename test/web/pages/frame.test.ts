import { beforeAll, expect, it } from 'vitest'
import { makeEvent, makeOrganizer, makeUser, makeVenue } from '../../factories.ts'
import { page } from './page.ts'

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  const venue = await makeVenue(admin, 'Hall')
  const organizer = await makeOrganizer(admin, 'Guild')
  const relations = { venue: venue.id, organizer: organizer.id, categories: ['Music'], tags: ['Outdoors'] }
  await makeEvent(admin, relations)
})

it.each([
  ['/events/', 'List', ''],
  ['/events/2027-01-10/', 'Day', ''],
  ['/events/2027-01/', 'Month', ''],
  ['/events/category/music/', 'List', 'categories=music'],
  ['/tag/outdoors/', 'List', 'tags=outdoors'],
  ['/venue/hall/', 'List', 'venue=1'],
  ['/organizer/guild/', 'List', 'organizer=1'],
])('%s has the frame of all pages of events', async (path, display, filter) => {
  const { html, links } = await page(path)
  expect(html.match(/<nav class="displays"/g)).toHaveLength(1)
  expect(html).toContain(`aria-current="true">${display}</a>`)
  expect(html.match(/<form class="finder"/g)).toHaveLength(1)
  expect(links.find(href => href.startsWith('/events/2027-01/') || href.startsWith('/events/2026-11/'))).toBe(
    `/events/${path.includes('2027') ? '2027-01' : '2026-11'}/${filter && `?${filter}`}`,
  )
  // What the page shows of all events is in its feeds, and in the next search.
  expect(html).toContain(`/events.ics${filter && `?${filter}`}"`)
  const [name, value] = filter.split('=')
  if (name && name !== 'categories')
    expect(html).toContain(`<input type="hidden" name="${name}" value="${value}">`)
})
