import { beforeAll, describe, expect, it } from 'vitest'
import type { RequestContext } from '../../../src/context.ts'
import type { ListedEvent } from '../../../src/resources/events/listed.ts'
import type { EventResponse } from '../../../src/resources/events/schema.ts'
import { settingsOf } from '../../../src/settings.ts'
import { eventArticle } from '../../../src/web/html/event-article.ts'
import { dated, eventItem } from '../../../src/web/html/events.ts'
import { feedsOf } from '../../../src/web/html/feeds.ts'
import { html } from '../../../src/web/html/html.ts'
import { eventData } from '../../../src/web/html/json-ld.ts'
import { layout } from '../../../src/web/html/layout.ts'
import { type Site, siteOf } from '../../../src/web/html/site.ts'
import { API, makeEvent, makeUser, SITE, send } from '../../factories.ts'
import { textOf } from './page.ts'

// The fields that an event may have beside the others: its status, its place online, what an owner added.

let event: EventResponse
let site: Site

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  const { id } = await makeEvent(admin, { title: 'Jazz' })
  // The API's own response, as pages get it.
  event = (await send('GET', `/events/${id}`)).body as EventResponse
  // What is left out are headers and the database, which templates don't look at.
  const context = {
    now: '2026-11-20 12:00:00',
    settings: settingsOf({}),
    site: SITE,
    api: API,
  } as RequestContext
  site = siteOf({ ...context, host: new URL(SITE).host })
})

const article = (more: object): string => String(eventArticle(site, { ...event, ...more }, []))
const item = (more: object): string =>
  String(eventItem(site, dated(site, { ...listed(), ...more }), '2027-01-10'))

/** The event as lists have it. */
const listed = (): ListedEvent => ({
  ...event,
  event_status: 'scheduled',
  is_virtual: event.is_virtual ?? false,
  ...{ series: null, image: null, image_id: null, text: '', category: '' },
  venue: { name: '', city: '', count: 0 },
})

describe('an event that does not take place as announced', () => {
  it.each([
    ['canceled', 'This event has been cancelled.', 'Cancelled', true],
    ['postponed', 'This event has been postponed.', 'Postponed', false],
    ['rescheduled', 'This event has been moved to a new date.', 'Rescheduled', false],
  ])('says so before anything else: %s', (event_status, text, word, isOff) => {
    const html = article({ event_status, event_status_reason: 'The hall <b>leaks</b>' })
    expect(html.indexOf(text)).toBeGreaterThan(0)
    expect(html.indexOf(text)).toBeLessThan(html.indexOf('<h1>'))
    expect(html).toContain('The hall &lt;b&gt;leaks&lt;/b&gt;')
    expect(textOf(item({ event_status }))).toContain(word)
    expect(item({ event_status }).includes('is-off')).toBe(isOff)
  })

  it('is none that is scheduled', () => {
    for (const event_status of ['scheduled', '', 'unheard-of'])
      expect(article({ event_status })).toBe(article({}))
  })
})

describe('an event online', () => {
  it('says how to join', () => {
    const html = article({ is_virtual: true, virtual_url: 'https://meet.example.org/?a=1&b="' })
    expect(html).toContain('Online event')
    expect(html).toContain(
      '<a href="https://meet.example.org/?a=1&amp;b=&quot;" rel="nofollow ugc noopener">Join online</a>',
    )
    expect(article({ is_virtual: true, virtual_event_type: 'hybrid' })).toContain('In person and online')
    expect(item({ is_virtual: true })).toContain('Online event')
    expect(item({ is_virtual: false })).not.toContain('Online event')
  })

  it('has a virtual place in the data of search engines', () => {
    const location = { '@type': 'VirtualLocation', url: 'https://meet.example.org/' }
    const json_ld = { '@context': 'https://schema.org' as const, '@type': 'Event', location }
    expect(eventData(site, { ...event, json_ld }, { programme: [], parent: undefined })).toMatchObject({
      location,
    })
  })
})

it('fields of an owner are shown as text', () => {
  const custom_fields: object = {
    doors: { label: 'Doors', value: '<i>19:00</i>' },
    empty: { label: 'No', value: '' },
  }
  const html = article({ custom_fields })
  expect(html).toContain('<span>Doors</span></dt><dd>&lt;i&gt;19:00&lt;/i&gt;</dd>')
  expect(html).not.toContain('<span>No</span>')
})

it('feeds have the filters of the page, and a scheme that calendar programs know', () => {
  const [calendar, rss, json] = feedsOf(site, { search: 'a b', categories: ['music', 'film'] })
  expect(calendar).toMatchObject({
    type: 'text/calendar',
    address: `${API}/events.ics?search=a+b&categories=music,film`,
    subscribe: `${API}/events.ics?search=a+b&categories=music,film`.replace('https:', 'webcal:'),
  })
  expect([rss?.address, json?.address]).toEqual([
    `${API}/events.rss?search=a+b&categories=music,film`,
    `${API}/events.feed.json?search=a+b&categories=music,film`,
  ])
})

it('pages announce their feeds', () => {
  const main = html`<h1>x</h1>`
  const feeds = feedsOf(site, {})
  expect(String(layout(site, { title: 'x', main, feeds }))).toContain(
    `<link rel="alternate" type="text/calendar" title="Subscribe" href="${API}/events.ics">`,
  )
  expect(String(layout(site, { title: 'x', main, feeds }))).toContain('href="webcal://')
  expect(String(layout(site, { title: 'x', main }))).not.toMatch(/webcal:|rss/)
})

it('a date of a series leads to the others', () => {
  const html = article({ url: `${SITE}/event/jazz/2027-01-10/`, series: { id: 1 } })
  expect(html).toContain('<a href="/event/jazz/all/">All dates</a>')
})
