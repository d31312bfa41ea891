import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeCategory, makeVenue } from '../../factories.ts'
import { eventMakerFor, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)
const TODAY = '2026-11-20'

describe('what runs for weeks', () => {
  beforeAll(async () => {
    const venue = (await makeVenue(admin, 'Small Museum')).id
    const museum = await makeCategory(admin, 'Museum')
    const hours = await makeCategory(admin, 'Hours')
    await addEvent('Closing show', '2026-11-01 10:00', `${TODAY} 18:00`, {
      venue,
      categories: [museum.id, hours.id],
    })
    await addEvent('Curator talk', '2027-01-22 18:00', '2027-01-22 20:00', { venue, categories: [museum.id] })
    await addEvent('Closed show', '2026-11-01 10:00', `${TODAY} 09:00`, { categories: [hours.id] })
    await addEvent('Other talk', `${TODAY} 19:00`, `${TODAY} 20:00`, { categories: [hours.id] })
  })

  it.each([
    '/events/?categories=museum',
    '/events/category/museum/',
    '/venue/small-museum/',
    '/embed/fragment?categories=museum',
  ])('stands before a later day, by which it has closed: %s', async path => {
    const { text } = await page(path)
    expect(text).toMatch(/Also running C Closing show until 6:00 PM .*Friday , January 22 .*Curator talk/)
  })

  it.each(['/events/?categories=hours', '/events/today/?categories=hours'])(
    'says on its last day at what time it closes, and is over then: %s',
    async path => {
      const { text, html } = await page(path)
      const ongoing = html.match(/<section class="ongoing"[\s\S]*?<\/section>/)?.[0] ?? ''
      expect(ongoing).toContain('<p>until 6:00 PM</p>')
      expect(ongoing).not.toContain('Closed show')
      expect(text).toMatch(/Earlier today: 1 event until 9:00 AM Closed show/)
      // On any other day it runs on.
      const before = await page('/events/2026-11-19/?categories=hours')
      expect(before.text).toMatch(/Closing show.*Closed show/)
    },
  )
})
