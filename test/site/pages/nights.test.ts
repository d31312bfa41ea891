import { beforeAll, describe, expect, it, vi } from 'vitest'
import { lastExpectedDay, siteTimes } from '../../../src/kit/lib/time.ts'
import { declareUser } from '../../factories.ts'
import { TODAY } from '../../setup.ts'
import { eventMakerFor, page, textOf } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

describe('the last day on which visitors expect an event', () => {
  it.each([
    ['21:00', '2027-06-12 00:30:00', '2027-06-11'],
    ['21:00', '2027-06-12 06:00:00', '2027-06-11'],
    ['21:00', '2027-06-12 06:00:01', '2027-06-12'],
    ['21:00', '2027-06-13 03:00:00', '2027-06-13'],
    ['21:00', '2027-06-13 00:00:00', '2027-06-12'],
    ['00:30', '2027-06-11 04:00:00', '2027-06-11'],
  ])('from %s on June 11 to %s is %s', (clock, end_date, expected) => {
    const start_date = `2027-06-11 ${clock}:00`
    const times = { start_date, end_date, utc_start_date: start_date, utc_end_date: end_date }
    expect(lastExpectedDay(siteTimes({ ...times, all_day: false, timezone: 'UTC' }, 'UTC'))).toBe(expected)
  })

  it('of two whole days is the second', () => {
    const start = '2027-06-11 00:00:00'
    const end = '2027-06-12 23:59:59'
    const days = { firstDay: '2027-06-11', lastDay: '2027-06-12' }
    expect(lastExpectedDay({ start, end, ...days })).toBe('2027-06-12')
  })
})

describe('a concert that ends in the small hours', () => {
  beforeAll(async () => {
    await addEvent('Night of Songs', '2027-06-11 21:00', '2027-06-12 01:00')
    await addEvent('Brunch', '2027-06-12 11:00', '2027-06-12 13:00')
    await addEvent('Two Nights', '2027-06-18 21:00', '2027-06-20 01:00')
  })

  it('is on its first day in a month, and no bar', async () => {
    const { html } = await page('/events/2027-06/')
    const cells = html.match(/<li class="cell-event[^"]*"><a[^>]*>(?:(?!<\/li>)[\s\S])*Night of Songs/g) ?? []
    expect(cells).toHaveLength(1)
    expect(cells[0]).not.toContain('is-long')
    expect(html).toMatch(/class="cell-event[^"]*is-long[^"]*"(?:(?!<\/li>)[\s\S])*Two Nights/)
    const last = /<section id="day-2027-06-20">[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
    expect(textOf(last)).toBe('Sunday, June 20 until 1:00 AM Two Nights')
  })

  it('is on its first day in a week, with both times', async () => {
    const { html, text } = await page('/events/2027-W23/')
    expect(html.match(/class="event-title"[^>]*><a[^>]*>Night of Songs/g)).toHaveLength(1)
    expect(text).toContain('9:00 PM until 1:00 AM Night of Songs')
  })

  it('has both times on its own page', async () => {
    const { text } = await page('/event/night-of-songs/')
    expect(text).toMatch(/Friday, June 11, 2027 9:00 PM – 1:00 AM/)
  })

  it('is not on the page of the next day, where whoever looks in the night sees until when it lasts', async () => {
    const { text } = await page('/events/2027-06-12/')
    expect(text).toContain('11:00 AM until 1:00 PM Brunch')
    expect(text).not.toContain('Night of Songs')
    expect((await page('/events/2027-06-20/')).text).toContain('until 1:00 AM Two Nights')
    vi.setSystemTime(new Date('2027-06-12T00:30:00Z'))
    expect((await page('/events/today/')).text).toContain('until 1:00 AM Night of Songs')
    vi.setSystemTime(new Date('2027-06-12T01:30:00Z'))
    expect((await page('/events/today/')).text).not.toContain('Night of Songs')
    vi.setSystemTime(TODAY)
  })

  it('is in lists from its first day on and, in the night itself, of the next day', async () => {
    await addEvent('Sunrise Yoga', '2027-06-12 05:00', '2027-06-12 06:00')
    const isIn = async (path: string) => (await page(path)).text.includes('Night of Songs')
    expect(await isIn('/events/?date=2027-06-11')).toBe(true)
    expect(await isIn('/events/?date=2027-06-11&past=1')).toBe(false)
    const weekend = await page('/events/?date=2027-06-12&until=2027-06-13')
    expect(weekend.text).toMatch(/ 2 events .* Sunrise Yoga .* Brunch/)
    expect(weekend.text).not.toContain('Night of Songs')
    expect(await isIn('/events/?date=2027-06-12&past=1')).toBe(true)
    for (const [now, isOn] of [
      ['00:30', true],
      ['05:59', true],
      ['06:00', false],
    ] as const) {
      vi.setSystemTime(new Date(`2027-06-12T${now}:00Z`))
      expect([now, await isIn('/events/'), await isIn('/events/?past=1')]).toEqual([now, isOn, !isOn])
    }
  })
})
