import { beforeAll, describe, expect, it } from 'vitest'
import { weekPath } from '../../../src/site/html/addresses.ts'
import { weekIn } from '../../../src/site/html/when.ts'
import { declareUser } from '../../factories.ts'
import { eventMakerFor, linksIn, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  await addEvent('Sunday before', '2027-06-06 10:00', '2027-06-06 11:00')
  await addEvent('Exhibition', '2027-06-01', '2027-07-20', { all_day: true })
  await addEvent('Festival', '2027-06-11 18:00', '2027-06-13 23:00', { categories: ['Music'] })
  await addEvent('Concert', '2027-06-09 20:00', '2027-06-09 22:00', { event_status: 'canceled' })
  await addEvent('Monday after', '2027-06-14 10:00', '2027-06-14 11:00')
})

/** The headings of a week with the times and titles below each. */
const daysIn = (html: string): [string, string[]][] =>
  [...html.matchAll(/<section class="(?:week-day|throughout)[\s\S]*?<\/section>/g)].map(([section]) => {
    const text = (part = '') =>
      part
        .replace(/<span class="(?:hidden|day-number)"[^>]*>.*?<\/span>|<[^>]+>/g, '')
        .replace(/\s+/g, ' ')
        .trim()
    const lines = [...section.matchAll(/<li[\s\S]*?<\/li>/g)].map(([line]) =>
      text(line.replace(/<div class="tile[\s\S]*?<\/div>|<(?:p class="event-place|ul)[\s\S]*/g, '')),
    )
    return [text(section.match(/<h2[\s\S]*?<\/h2>/)?.[0]), lines]
  })

describe('weeks are those of ISO 8601', () => {
  it.each([
    ['2027-06-10', '2027-W23', '2027-06-07'],
    ['2027-01-01', '2026-W53', '2026-12-28'],
    ['2027-01-04', '2027-W01', '2027-01-04'],
    ['2024-12-30', '2025-W01', '2024-12-30'],
    ['2021-01-03', '2020-W53', '2020-12-28'],
  ])('%s is in week %s', (day, week, monday) => {
    expect(weekPath(day)).toBe(`/events/${week}/`)
    expect(weekIn(week)).toBe(`${monday} 00:00:00`)
  })

  it.each(['2027-W00', '2027-W53', '2026-W54', '2027-W', '0000-W01', '9999-W60'])('%s is not a week', week =>
    expect(weekIn(week)).toBe(undefined),
  )
})

describe('the page of a week', () => {
  it('lists its events by day, and those of the whole week once', async () => {
    const { html, text } = await page('/events/2027-W23/')
    expect(text).toMatch(/^June 7 – 13, 2027 May 31 This week Jun 14/)
    expect(daysIn(html)).toEqual([
      ['All week', ['Exhibition until Tue, Jul 20']],
      ['Monday, June 7', []],
      ['Tuesday, June 8', []],
      ['Wednesday, June 9', ['8:00 PM until 10:00 PM Concert Cancelled']],
      ['Thursday, June 10', []],
      ['Friday, June 11', ['6:00 PM until Sun, Jun 13 Festival']],
      ['Saturday, June 12', ['until Sun, Jun 13 Festival']],
      ['Sunday, June 13', ['until 11:00 PM Festival']],
    ])
    // What lasts all week is on every day.
    expect(text).not.toContain('Nothing announced')
    const links = linksIn(html)
    for (const link of ['/events/2027-W22/', '/events/2027-W24/', '/events/2027-06-09/'])
      expect(links).toContain(link)
  })

  it('has what begins on a day before what goes on, and what runs for long once', async () => {
    await addEvent('Show', '2027-08-03', '2027-08-24', { all_day: true })
    await addEvent('Fair', '2027-08-06 09:00', '2027-08-08 18:00')
    for (const day of ['2027-08-03', '2027-08-07', '2027-08-24'])
      await addEvent('Play', `${day} 20:00`, `${day} 21:00`)
    const days = async (path: string) =>
      daysIn((await page(path)).html).filter(([, lines]) => lines.length > 0)
    const play = '8:00 PM until 9:00 PM Play'
    // Its first week has the day on which it begins, and no other.
    expect(await days('/events/2027-W31/')).toEqual([
      ['Tuesday, August 3', ['until Tue, Aug 24 Show', play]],
      ['Friday, August 6', ['9:00 AM until Sun, Aug 8 Fair']],
      ['Saturday, August 7', [play, 'until Sun, Aug 8 Fair']],
      ['Sunday, August 8', ['until 6:00 PM Fair']],
    ])
    expect(await days('/events/2027-W32/')).toEqual([['All week', ['Show until Tue, Aug 24']]])
    expect(await days('/events/2027-W34/')).toEqual([
      ['Also running', ['Show until Tue, Aug 24']],
      ['Tuesday, August 24', [play]],
    ])
    // A day on which it runs is not announced as empty.
    expect((await page('/events/2027-W31/')).text.match(/Nothing announced/g)).toHaveLength(1)
  })

  it('accepts all filters, keeps them in links, and has a calendar', async () => {
    const { html } = await page('/events/2027-W23/?categories=music')
    expect(daysIn(html).flatMap(([, lines]) => lines)).toHaveLength(3)
    expect(linksIn(html)).toContain('/events/2027-W24/?categories=music')
    const { status, headers } = await page('/events/2027-W23/?categories=music&ical=1')
    expect([status, headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/events\.ics\?categories=music&happening=2027-06-07%2F2027-06-13&/),
    ])
    expect((await page('/events/2027-W23/?categories=unheard-of')).status).toBe(400)
  })

  it('names days by a small weekday and a large number in columns, today as such', async () => {
    await addEvent('Tea', '2026-11-20 18:00', '2026-11-20 19:00')
    const { html } = await page('/events/week/')
    const names = [...html.matchAll(/<span class="day-number" aria-hidden="true">(.*?)<\/span>/g)]
    expect(names.map(([, name]) => name)).toEqual([
      'Monday <b>16</b>',
      'Tuesday <b>17</b>',
      'Wednesday <b>18</b>',
      'Thursday <b>19</b>',
      'Today <b>20</b>',
      'Saturday <b>21</b>',
      'Sunday <b>22</b>',
    ])
  })

  it('says how many events of a day phones leave out', async () => {
    for (const hour of [10, 11, 12, 13, 14])
      await addEvent('Walk', `2027-10-06 ${hour}:00`, `2027-10-06 ${hour}:30`)
    await addEvent('Talk', '2027-10-07 10:00', '2027-10-07 11:00')
    const { html } = await page('/events/2027-W40/')
    expect(html.match(/class="day-more"[^<]*/g)).toEqual([
      'class="day-more" href="/events/2027-10-06/">2 more',
    ])
  })

  it('has nothing of what ended in the night of the Sunday before', async () => {
    await addEvent('Late', '2028-01-09 21:00', '2028-01-10 01:00')
    const { html, text } = await page('/events/2028-W02/')
    expect(text).toContain('No events in this week.')
    expect(html).not.toMatch(/week-day|Late/)
    expect((await page('/events/2028-W01/')).text).toContain('until 1:00 AM Late')
  })

  it('has its own address for paper', async () => {
    const { html } = await page('/events/2027-W23/?categories=music')
    expect(html).toMatch(/class="paper-link">[^<:]*\/events\/2027-W23\/\?categories=music</)
  })

  it.each([
    ['/events/week/2027-06-10/', '/events/2027-W23/'],
    ['/events/week/2027-06-10/?categories=music', '/events/2027-W23/?categories=music'],
    ['/events/2027-w23/', '/events/2027-W23/'],
    ['/events/2027-W5/', '/events/2027-W05/'],
    ['/events/week/?date=2027-06-10', '/events/2027-W23/'],
    ['/events/category/music/week/', '/events/week/?categories=music'],
  ])('%s leads to %s', async (from, to) => {
    const { status, headers } = await page(from)
    expect([301, 302, 308]).toContain(status)
    expect(headers.get('location')?.replace(/^https?:\/\/[^/]+/, '')).toBe(to)
  })

  it.each(['/events/2027-W54/', '/events/week/2027-02-30/'])('%s is 404', async path => {
    const { status, headers } = await page(path)
    const last = status === 404 ? status : (await page(headers.get('location') ?? '')).status
    expect(last).toBe(404)
  })
})
