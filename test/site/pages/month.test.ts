import { beforeAll, describe, expect, it } from 'vitest'
import { siteTimes } from '../../../src/kit/lib/time.ts'
import { weeksOf } from '../../../src/site/html/when.ts'
import { declareUser, query, SITE } from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { eventMakerFor, page, textOf } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  await addEvent('Before', '2027-01-30 10:00', '2027-01-30 11:00')
  await addEvent('Exhibition', '2027-01-10', '2027-03-20', { all_day: true })
  await addEvent('Festival', '2027-02-12 18:00', '2027-02-15 00:00')
  await addEvent('Late in New York', '2027-02-20 22:00', '2027-02-20 23:00', { timezone: 'America/New_York' })
  await addEvent('Holiday in New York', '2027-02-20', '2027-02-20', {
    timezone: 'America/New_York',
    all_day: true,
  })
  for (let n = 1; n <= 9; n++) await addEvent(`Number ${n}`, `2027-02-24 1${n}:00`, `2027-02-24 1${n}:30`)
})

/** The cells of the table: classes, day, titles, and the link to more events. */
function cells(html: string) {
  return [...html.matchAll(/<td class="([^"]*)"[^>]*>([\s\S]*?)<\/td>/g)].map(
    ([, classes = '', inner = '']) => ({
      classes: classes.split(' '),
      day: Number(inner.match(/<b>(\d+)<\/b>/)?.[1]),
      titles: [...inner.matchAll(/class="cell-title">([^<]*)</g)].map(([, title]) => title),
      more: inner.match(/<a class="day-more" href="([^"]*)">([^<]*)/)?.slice(1),
    }),
  )
}

const cellOf = (html: string, day: number) =>
  cells(html).find(cell => cell.day === day && !cell.classes.includes('is-other'))

describe('a month', () => {
  it('is a table of whole weeks with headings', async () => {
    const { html } = await page('/events/2027-02/')
    expect(html.match(/<th scope="col">/g)).toHaveLength(7)
    expect(html).toContain('<caption class="hidden">February 2027</caption>')
    const all = cells(html)
    expect(all).toHaveLength(35)
    expect({
      firstDay: all[0]?.day,
      isOfOtherMonth: all[0]?.classes.includes('is-other'),
      secondDay: all[1]?.day,
    }).toEqual({ firstDay: 31, isOfOtherMonth: true, secondDay: 1 })
    // What lasts all month is in no cell, but each day leads to it.
    expect(cellOf(html, 28)?.titles).toEqual([])
    expect(html).toContain('href="/events/2027-02-28/" data-day')
  })

  it.each([
    ['en', 'Sun'],
    ['en-IE', 'Mon'],
    ['de', 'Mo'],
    ['fr-CA', 'dim.'],
  ])('begins on the first day of the week in %s', async (LANGUAGE, weekday) => {
    const { html } = await page('/events/2027-02/', { vars: { LANGUAGE } })
    expect(html.match(/<th scope="col"><span aria-hidden="true">([^<]*)/)?.[1]).toBe(weekday)
  })

  it('shows events on each of their days, but not on the one at whose midnight they end', async () => {
    const { html } = await page('/events/2027-02/')
    const on = (title: string) =>
      cells(html)
        .filter(({ titles, classes }) => titles.includes(title) && !classes.includes('is-other'))
        .map(({ day }) => day)
    expect(on('Festival')).toEqual([12, 13, 14])
    expect(on('Exhibition')).toEqual([])
    expect(on('Before')).toEqual([])
  })

  it('uses days of the calendar’s zone, except for all-day events', async () => {
    const { html } = await page('/events/2027-02/')
    expect(cellOf(html, 20)?.titles).toEqual(['Holiday in New York'])
    expect(cellOf(html, 21)?.titles).toEqual(['Late in New York'])
    const there = await page('/events/2027-02/', { vars: { TIMEZONE: 'America/New_York' } })
    expect(cellOf(there.html, 20)?.titles).toContain('Late in New York')
  })

  it('shows some events of a full day, with a link to all', async () => {
    const { html } = await page('/events/2027-02/?search=number')
    expect(cellOf(html, 24)?.titles).toEqual(Array.from({ length: 6 }, (_, n) => `Number ${n + 1}`))
    expect(cellOf(html, 24)?.more).toEqual(['/events/2027-02-24/?search=number', '3 more'])
    const day = await page('/events/2027-02-24/?search=number')
    expect(day.html.match(/class="event-title"/g)).toHaveLength(9)
  })

  it('names what lasts all month once, above the table', async () => {
    const { html } = await page('/events/2027-02/')
    const [, line = ''] = /<section class="throughout"[^>]*>([\s\S]*?)<\/section>\s*<table/.exec(html) ?? []
    expect(textOf(line)).toBe('All month Exhibition until Sat, Mar 20')
    expect(html.split('<table')[1]?.split('</table>')[0]).not.toContain('Exhibition')
    // In January it begins on the 10th, and in March it ends before the month.
    for (const path of ['/events/2027-01/', '/events/2027-03/'])
      expect((await page(path)).html, path).not.toContain('class="throughout"')
    // It is in the data of search engines, and a month with nothing else is not empty.
    const { html: alone, text } = await page('/events/2027-02/?search=exhibition')
    expect(alone).toContain('"position":1')
    expect(text).not.toContain('No events in this month')
  })

  it('keeps events of several days on one line all week', async () => {
    const { html } = await page('/events/2027-03/')
    expect(cellOf(html, 12)?.titles).toEqual(['Exhibition'])
    expect(html).toContain('class="cell-event is-long is-before is-repeated is-after is-exhibition"')
  })

  it('breaks a bar without a free line all week, on the days that have room for it', async () => {
    for (let n = 1; n <= 10; n++)
      await addEvent(`Fair ${n}`, `2027-05-1${n < 10 ? 0 : 1}`, `2027-05-1${n < 10 ? 1 : 3}`, {
        all_day: true,
      })
    const { html } = await page('/events/2027-05/')
    const classesOf = (title: string) =>
      [
        ...html.matchAll(new RegExp(`<li class="([^"]*)"><a [^>]*><span class="cell-title">${title}<`, 'g')),
      ].map(([, classes]) => classes)
    for (const [day, more] of [
      [10, undefined],
      [11, '2 more'],
      [12, undefined],
      [13, undefined],
    ] as const)
      expect(cellOf(html, day)?.more?.[1], `day ${day}`).toEqual(more)
    // The longest bar of the week has its line, and of the two that have none, the days with room show what
    // they can.
    expect(classesOf('Fair 10')).toEqual([
      'cell-event is-long is-after across-3',
      'cell-event is-long is-before is-repeated is-after',
      'cell-event is-long is-before is-repeated',
    ])
    expect(classesOf('Fair 9')).toEqual(['cell-event is-long is-after'])
  })

  it('keeps room for events of one day beside many exhibitions', async () => {
    for (let n = 1; n <= 8; n++) await addEvent(`Show ${n}`, '2027-07-02', '2027-07-25', { all_day: true })
    for (let n = 1; n <= 2; n++) await addEvent(`Concert ${n}`, `2027-07-06 2${n}:00`, `2027-07-06 2${n}:30`)
    const { html } = await page('/events/2027-07/')
    const shows = (n: number) => Array.from({ length: n }, (_, i) => `Show ${i + 1}`)
    expect(cellOf(html, 6)?.titles).toEqual([...shows(6), 'Concert 1', 'Concert 2'])
    expect(cellOf(html, 6)?.more?.[1]).toBe('2 more')
    // The exhibitions are shown where there is room.
    for (const day of [7, 13]) {
      expect(cellOf(html, day)?.titles).toEqual(shows(8))
      expect(cellOf(html, day)?.more).toBeUndefined()
    }
  })

  it('cuts an event to a line above a bar only if it has no room below', async () => {
    await addEvent('Long show', '2027-08-09', '2027-08-15', { all_day: true })
    await addEvent('Short fair', '2027-08-11', '2027-08-12', { all_day: true })
    for (let n = 1; n <= 6; n++) await addEvent(`Talk ${n}`, `2027-08-12 1${n}:00`, `2027-08-12 1${n}:30`)
    const { html } = await page('/events/2027-08/')
    // Whatever begins first, the longer bar is the upper one.
    expect(cellOf(html, 12)?.titles.slice(0, 3)).toEqual(['Long show', 'Short fair', 'Talk 1'])
    expect(cellOf(html, 12)?.more?.[1]).toBe('2 more')
    expect(cellOf(html, 10)?.titles).toEqual(['Long show'])
  })

  it('shows a festival before exhibitions', async () => {
    for (let n = 1; n <= 6; n++) await addEvent(`Gallery ${n}`, '2027-09-01', '2027-09-29', { all_day: true })
    await addEvent('Fringe', '2027-09-14', '2027-09-16', { all_day: true })
    const { html } = await page('/events/2027-09/')
    expect(cellOf(html, 15)?.titles).toContain('Fringe')
  })

  it('writes the title of a bar across all of its days in a week', async () => {
    const { html } = await page('/events/2027-03/')
    const across = [...html.matchAll(/<li class="([^"]*)"><a [^>]*><span class="cell-title">Exhibition</g)]
      .map(([, classes = '']) => classes.match(/across-\d/)?.[0])
      .filter(Boolean)
    expect(across).toEqual(['across-7', 'across-7', 'across-7'])
    expect((await page('/events/2027-02/')).html).toMatch(
      /across-2"><a [^>]*><span class="cell-title">Festival</,
    )
  })

  it('as a narrow list, shows events of the whole month once, and other exhibitions on their first day', async () => {
    await addEvent('Spring show', '2027-02-20', '2027-03-20', { all_day: true })
    const { html } = await page('/events/2027-02/')
    const sections = [
      ...(html.split('<div class="month-list">')[1] ?? '').matchAll(/<section[^>]*>([\s\S]*?)<\/section>/g),
    ]
    const listed = sections.map(([, inner = '']) => textOf(inner))
    expect(listed[0]).toBe('All month until Sat, Mar 20 Exhibition')
    expect(listed.filter(text => text.includes('Exhibition'))).toHaveLength(1)
    expect(listed.filter(text => text.includes('Spring show'))).toEqual([
      expect.stringMatching(/^Saturday, February 20 /),
    ])
    // A shorter event is on each of its days.
    expect(listed.filter(text => text.includes('Festival')).map(text => text.slice(0, 12))).toEqual([
      'Friday, Febr',
      'Saturday, Fe',
      'Sunday, Febr',
    ])
  })

  it('shows this month as five weeks from this one on, and lists its days from today on', async () => {
    await addEvent('Carols', '2026-12-19 18:00', '2026-12-19 19:00')
    await addEvent('Bonfire', '2026-11-16 18:00', '2026-11-16 19:00')
    await addEvent('Bulbs', '2026-11-09 18:00', '2026-11-09 19:00')
    // Today is November 20, in the week that begins on Sunday, 15.
    for (const path of ['/events/month/', '/events/2026-11/']) {
      const { html, text } = await page(path)
      const all = cells(html)
      expect({ count: all.length, first: all[0]?.day, last: all.at(-1)?.day }).toEqual({
        count: 35,
        first: 15,
        last: 19,
      })
      expect(all.filter(({ classes }) => classes.includes('is-other'))).toEqual([])
      expect(all.filter(({ titles }) => titles.length > 0).map(({ titles }) => titles[0])).toEqual([
        'Bonfire',
        'Carols',
      ])
      expect(text).toMatch(/^November 15 – December 19 Oct/)
      expect(html).toContain('<caption class="hidden">November 15 – December 19</caption>')
      expect(html).toContain('<title>November 15 – December 19, 2026')
      // The narrow list doesn't have what is over.
      expect(html.split('<div class="month-list">')[1]).not.toContain('Bonfire')
      expect(html).toContain('<a href="/events/2026-W46/">Earlier this month</a>')
      expect(html).toMatch(/<b>1<\/b>.*<span class="small" aria-hidden="true">Dec<\/span>/)
    }
    for (const other of ['/events/2027-02/', '/events/2026-12/'])
      expect((await page(other)).html, other).not.toContain('month-earlier')
  })

  it('has three events of a day in the narrow list, and says how many more there are', async () => {
    const { html } = await page('/events/2027-02/?search=number')
    const list = html.split('<div class="month-list">')[1] ?? ''
    expect(list.match(/<li /g)).toHaveLength(3)
    expect(list).toMatch(/<a class="day-more" href="\/events\/2027-02-24\/\?search=number">6 more</)
  })

  it('marks events with the hue of their category and with badges', async () => {
    const dance = { categories: ['Dance'], event_status: 'canceled' }
    await addEvent('Ballet', '2027-10-05 20:00', '2027-10-05 22:00', dance)
    const { html } = await page('/events/2027-10/')
    expect(html).toMatch(
      /<li class="cell-event hue-[a-z]+ is-off"><a [^>]*><span class="cell-time">8:00 PM<\/span> <span class="cell-title">Ballet<\/span> <span class="badge badge-alert">Cancelled</,
    )
  })

  it('has links to the months before and after, and to the present one', async () => {
    const { links, html } = await page('/events/2027-02/')
    expect(links).toEqual(
      expect.arrayContaining(['/events/2027-01/', '/events/2027-03/', '/events/2026-11/']),
    )
    expect(html).toContain('rel="next">')
    // The bar leads to the day, so this link says where it leads, and a day has none.
    const present = async (path: string) =>
      (await page(path)).html.match(/class="pager-today" href="([^"]+)">([^<]+)/)?.slice(1)
    expect(await present('/events/2027-02/')).toEqual(['/events/2026-11/', 'This month'])
    expect(await present('/events/2027-02-10/')).toBe(undefined)
    expect((await page('/events/2031-01/')).html).toContain('rel="next nofollow"')
    for (const [day, rel] of [
      ['2025-11-20', 'prev nofollow'],
      ['2025-11-21', 'prev'],
      ['2027-11-19', 'next'],
      ['2027-11-20', 'next nofollow'],
    ])
      expect((await page(`/events/${day}/`)).html, day).toContain(`rel="${rel}"`)
    expect((await page('/events/9998-12/')).status).toBe(200)
    expect((await page('/events/9998-12/')).links.filter(href => href.includes('9999-01'))).toEqual([])
    for (const end of ['9999-12', '9999-12-31', '0001-01'])
      expect((await page(`/events/${end}/`)).status, end).toBe(404)
  })

  it('says that it has no events, and is then not indexed', async () => {
    const { html, text } = await page('/events/2029-01/')
    expect(text).toContain('No events in this month.')
    expect(html).toContain('noindex')
    expect((await page('/events/2027-02/')).html).not.toContain('noindex')
  })

  it('has the date in the accessible name of each link', async () => {
    const { html } = await page('/events/2027-02/')
    expect(html).toMatch(
      /<span class="cell-title">Number 1<\/span><span class="hidden">, Wednesday, February 24, 2027<\/span><\/a>/,
    )
  })
})

describe('a very full month', () => {
  it('shows as many events as it can, and says that there are more', async () => {
    await query(
      `INSERT INTO events (author_id, status, slug, date, date_utc, modified, modified_utc, title, all_day,
          start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr, sticky)
        SELECT 1, 'publish', 'full-' || value, '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01', 'Full ' || value, 1,
          '2028-05-01 00:00:00', '2028-05-31 23:59:59', '2028-05-01 00:00:00', '2028-05-31 23:59:59', 'UTC', 'UTC', 0
        FROM json_each(?)`,
      JSON.stringify(Array.from({ length: 1_100 }, (_, n) => n)),
    )
    const { text, html } = await page('/events/2028-05/')
    expect(text).toContain('There is more on than fits here.')
    expect(cellOf(html, 31)?.titles).toHaveLength(8)
    expect(cellOf(html, 31)?.more).toEqual(['/events/2028-05-31/', '972 more'])
    expect(html.length).toBeLessThan(300_000)
    expect((await page('/events/2028-05-31/?page=22')).html.match(/class="event-title"/g)).toHaveLength(50)
  })

  it('shows sticky events first', async () => {
    await addEvent('Noon', '2028-07-01 12:00', '2028-07-01 13:00', { sticky: true })
    await addEvent('Dawn', '2028-07-01 06:00', '2028-07-01 07:00')
    expect(cellOf((await page('/events/2028-07/')).html, 1)?.titles).toEqual(['Noon', 'Dawn'])
  })
})

describe('weeks', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('that begin on weekday %i contain every day of a month once', first => {
    for (let month = 1; month <= 12; month++) {
      const name = `2028-${String(month).padStart(2, '0')}`
      const days = weeksOf(`${name}-01 00:00:00`, first).flat()
      const own = days.filter(day => day.startsWith(name))
      expect(new Set(days).size).toBe(days.length)
      expect(own).toHaveLength(new Date(Date.UTC(2028, month, 0)).getUTCDate())
      expect(days.length % 7).toBe(0)
      expect(days.length - own.length).toBeLessThan(13)
    }
  })
})

describe('times in the calendar’s zone', () => {
  it('belong to the day before if they end at midnight', () => {
    const event = {
      all_day: false,
      start_date: '2027-01-01 22:00:00',
      end_date: '2027-01-02 00:00:00',
      utc_start_date: '2027-01-01 22:00:00',
      utc_end_date: '2027-01-02 00:00:00',
      timezone: 'UTC',
    }
    expect(siteTimes(event, 'UTC')).toMatchObject({ firstDay: '2027-01-01', lastDay: '2027-01-01' })
    expect(siteTimes({ ...event, start_date: event.end_date }, 'UTC').lastDay).toBe('2027-01-02')
    expect(siteTimes(event, 'Asia/Tokyo')).toMatchObject({
      start: '2027-01-02 07:00:00',
      lastDay: '2027-01-02',
    })
  })
})

describe('a full month', () => {
  // A daily class at three times of day, the latest of which was created first.
  beforeAll(async () => {
    for (const hour of ['18', '12', '09'])
      await addEvent(`At ${hour}`, `2028-03-01 ${hour}:00`, `2028-03-01 ${hour}:30`, {
        recurrence: { rrule: 'FREQ=DAILY;COUNT=31' },
      })
  })

  it('reads at most 4.5 rows for each event, and has the events by start', async () => {
    const { html } = await page('/events/2028-03/')
    for (const day of [1, 16, 31]) expect(cellOf(html, day)?.titles).toEqual(['At 09', 'At 12', 'At 18'])
    const { rows } = await measure('GET', `${SITE}/events/2028-03/`)
    // The bar has as many rows for any month.
    expect(rows).toBeLessThan(4.5 * 93 + 40)
  })
})
