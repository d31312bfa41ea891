import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeCategory, makeVenue, send } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { eventMakerFor, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

/** The chips of the bar: their texts with their addresses, `*` for those that are chosen. */
async function chips(path: string): Promise<Record<string, string>> {
  const { html } = await page(path)
  return Object.fromEntries(
    [...html.matchAll(/<a class="chip[^"]*" href="([^"]*)"( aria-current="true")?>(?:<span>)?([^<]*)</g)].map(
      ([, href = '', isChosen, name]) => [`${isChosen ? '*' : ''}${name}`, href.replaceAll('&amp;', '&')],
    ),
  )
}

beforeAll(async () => {
  const parent = await makeCategory(admin, 'Ages')
  await addEvent('For nobody', '2027-02-01 10:00', '2027-02-01 11:00', { categories: [parent.id] })
  const offers = { tags: ['Kids'], wheelchair: 'yes', cost: 'Free' }
  await addEvent('Long over', '2026-02-01 10:00', '2026-02-01 11:00', offers)
  await addEvent('Draft', '2027-02-01 10:00', '2027-02-01 11:00', { status: 'draft', ...offers })
  await addEvent('Ticketed', '2027-02-01 10:00', '2027-02-01 11:00', { cost: '5' })
})

it('the bar offers only filters that match some event to come', async () => {
  expect(Object.keys(await chips('/events/'))).toEqual(['Today', 'Weekend', 'Ages'])
})

it('the bar offers free events', async () => {
  const free = await addEvent('Open air', '2027-02-03 10:00', '2027-02-03 11:00', { cost: 'Eintritt frei' })
  const { Free: address = '' } = await chips('/events/?search=a')
  expect(address).toBe('/events/?search=a&is_free=true')
  const { text } = await page(address)
  expect(text).toMatch(/Remove filter Free.*Open air/s)
  expect(text).not.toContain('For nobody')
  expect(await chips(address)).toMatchObject({ '*Free': '/events/?search=a' })
  expect((await page('/events/2027-02/?is_free=true')).text).toContain('Open air')
  expect((await page('/events/?is_free=no')).text).toMatch(/Remove filter Not free.*Ticketed/s)
  // With the last one, the chip goes, but from the page that it filters.
  await send('DELETE', `/events/${free.id}`, { as: admin })
  expect(await chips('/events/')).not.toHaveProperty('Free')
  expect(await chips(address)).toHaveProperty('*Free')
})

it('the bar offers events with access by wheelchair, and events for children', async () => {
  const hall = await makeVenue(admin, 'Hall', { wheelchair: 'yes' })
  const { body } = await send('GET', '/categories')
  const ages = body.categories[0].id
  const children = await makeCategory(admin, 'Für Kinder', { slug: 'kinder', parent: ages })
  await addEvent('Puppets', '2027-02-02 10:00', '2027-02-02 11:00', {
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

describe('what is near', () => {
  const GALWAY = { geo_lat: 53.27, geo_lng: -9.05 }
  const NEAR = 'near=53.2,-9.05'

  it('has a button as soon as an event to come has a position', async () => {
    const dark = await makeVenue(admin, 'Dark', GALWAY)
    await addEvent('Over in Galway', '2026-02-03 10:00', '2026-02-03 11:00', { venue: dark.id })
    const hidden = await makeVenue(admin, 'Secret', { ...GALWAY, status: 'private' })
    await addEvent('Where nobody knows', '2027-02-03 10:00', '2027-02-03 11:00', { venue: hidden.id })
    expect((await page('/events/')).html).not.toContain('data-near')
    const harbour = await makeVenue(admin, 'Harbour', GALWAY)
    await addEvent('Boats', '2027-02-04 10:00', '2027-02-04 11:00', { venue: harbour.id })
    const { html } = await page('/events/?search=boats&date=2027-02-01')
    expect(html).toMatch(
      /data-near="\/events\/\?search=boats&amp;date=2027-02-01"[^>]* hidden>.*<span class="hidden">Near me</,
    )
    expect((await page(`/events/?venue=${harbour.id}`)).html).not.toContain('data-near')
    expect((await page('/venue/harbour/')).html).not.toContain('data-near')
    expect(html).toContain('role="status" data-near-note="Your position could not be found."')
  })

  it('shows what is within ten kilometres, or as far as asked', async () => {
    const cork = await makeVenue(admin, 'Quay', { geo_lat: 51.9, geo_lng: -8.47 })
    await addEvent('Ships', '2027-02-05 10:00', '2027-02-05 11:00', { venue: cork.id })
    const { text, html, headers } = await page(`/events/?${NEAR}`, { vars: { DEBUG_TIMING: '1' } })
    expect(text).toContain('Boats')
    expect(text).not.toMatch(/Ships|Puppets|Where nobody knows/)
    expect(text).toContain('Remove filter Near you, within 10 km')
    expect(html).toContain('<meta name="robots" content="noindex')
    expect(html).not.toContain('data-near=')
    expect(metricsOf({ headers }).trips).toBe(1)
    expect((await page(`/events/?${NEAR},5`)).text).toContain('Left out: Near you, within 5 km')
    expect((await page(`/events/?${NEAR},300`)).text).toMatch(/Boats.*Ships/)
    expect((await page(`/events/2027-02/?${NEAR}`)).text).not.toContain('Ships')
  })

  it('stays over other filters, displays and feeds', async () => {
    const { html, links } = await page(`/events/?${NEAR}&wheelchair=no,limited`)
    expect(html).toContain('<input type="hidden" name="near" value="53.2,-9.05">')
    expect(links).toContain(`/events/?wheelchair=no,limited`)
    expect(await chips(`/events/?${NEAR}`)).toMatchObject({
      Today: `/events/today/?${NEAR}`,
      'Wheelchair accessible': `/events/?${NEAR}&wheelchair=yes`,
    })
    const feed = links.find(link => link.includes('events.rss'))
    expect(feed).toContain('geoloc_lat=53.2&geoloc_lng=-9.05&geoloc_radius=10')
    expect(feed).not.toContain('near=')
    const { headers } = await page(`/events/?${NEAR}&ical=1`)
    expect(headers.get('location')).toContain('events.ics?geoloc_lat=53.2&geoloc_lng=-9.05&geoloc_radius=10')
    const { text } = await page(headers.get('location') ?? '')
    expect(text).toContain('SUMMARY:Boats')
    expect(text).not.toContain('Ships')
  })

  it('says that an invalid date does not exist', async () => {
    const { status, text } = await page('/events/?date=2026-99-99')
    expect([status, text]).toEqual([400, expect.stringContaining('A filter or a date in it doesn’t exist.')])
  })

  it.each(['here', '53.2', '91,0', '0,181', '53.2,-9.05,0', '53.2,-9.05,9999'])('refuses %s', async value => {
    const { status, text } = await page(`/events/?near=${value}`)
    expect(status).toBe(400)
    expect(text).toContain('A filter or a date in it doesn’t exist.')
  })
})
