import { beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../editor/session.ts'
import { API, makeCategory, makeEvent, makeUser, makeVenue, SITE } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { page } from '../../site/pages/page.ts'

// A calendar whose events nobody follows: feeds are switched off.

const OFF = { FEATURES: 'none' }
const FEEDS = /events\.(?:ics|rss|csv|feed\.json)|digest\.(?:html|txt)|webcal:|Subscribe/

let single: string
let weekly: string
let id: number

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  const { id: venue } = await makeVenue(admin, 'The Hall')
  const { slug } = await makeCategory(admin, 'Music')
  const event = await makeEvent(admin, { title: 'Fiddles', venue, categories: [slug], tags: ['Outdoors'] })
  const dates = await makeEvent(admin, { title: 'Weekly', recurrence: 'FREQ=WEEKLY;COUNT=6' })
  id = event.id
  ;[single = '', weekly = ''] = [event, dates].map(({ url }) => url.replace(SITE, ''))
})

describe('without feeds', () => {
  it.each([
    '/events/',
    '/events/?tags=outdoors',
    '/events/2026-12/',
    '/events/2026-W51/',
    '/events/category/music/',
    '/tag/outdoors/',
    '/venues/',
    '/venue/the-hall/',
  ])('%s names none', async path => {
    expect((await page(path)).html).toMatch(FEEDS)
    const { status, html } = await page(path, { vars: OFF })
    expect([status, FEEDS.exec(html)?.[0]]).toEqual([200, undefined])
  })

  it('an event can still be added to a calendar, which is not subscribed to', async () => {
    const { html, links } = await page(single, { vars: OFF })
    expect(FEEDS.exec(html)?.[0]).toBeUndefined()
    const own = `${API}/events/${id}.ics`
    expect(links).toContain(own.replace(SITE, ''))
    const { headers } = await page(`${single}?ical=1`, { vars: OFF })
    expect(headers.get('location')).toBe(own)
    expect((await page(own, { vars: OFF })).html).toContain('SUMMARY:Fiddles')
    const dates = weekly.replace(/[\d-]+\/$/, 'all/')
    for (const path of [weekly, dates])
      expect(FEEDS.exec((await page(path, { vars: OFF })).html)?.[0]).toBeUndefined()
  })

  it('a request for the calendar of a page gets the page', async () => {
    for (const path of ['/events/?ical=1', '/events/2026-12/?ical=1', '/venue/the-hall/?ical=1'])
      expect((await page(path, { vars: OFF })).status, path).toBe(200)
  })

  it('former addresses of feeds and calendars lead nowhere', async () => {
    for (const path of [
      '/events/feed/',
      '/events/ical/',
      '/tag/outdoors/feed/',
      '/events/category/music/feed/',
    ])
      expect((await page(path, { vars: OFF })).status, path).toBe(404)
  })

  it('the editor offers no spreadsheet, and the documents name no feed', async () => {
    const { browser } = await signIn('administrator')
    const [on, off] = [browser, browser.with(OFF)].map(each => each.get('/admin/events/'))
    expect((await on)?.html).toContain('events.csv')
    expect((await off)?.html).not.toContain('events.csv')
    const { body } = await sendWith(OFF)('GET', '/doc')
    expect(Object.keys(body.paths).filter(path => FEEDS.test(path))).toEqual([])
    expect(Object.keys(body.paths)).toContain('/events/{id}.ics')
  })

  it('switched on alone, they are all there', async () => {
    const vars = { FEATURES: 'feeds' }
    expect((await page('/events/', { vars })).html).toMatch(FEEDS)
    expect((await sendWith(vars)('GET', '/events.ics')).text).toContain('BEGIN:VCALENDAR')
    const { headers } = await page('/events/?ical=1', { vars })
    expect(headers.get('location')).toBe(`${API}/events.ics?expand=true`)
  })
})
