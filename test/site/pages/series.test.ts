import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, API, declareUser, makeEvent, query, SITE, send } from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { canonical, eventMakerFor, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  await makeEvent(admin, {
    title: 'Yoga',
    description: 'Bring a mat.',
    start_date: '2026-11-10 20:00',
    end_date: '2026-11-10 21:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=10' },
  })
  await makeEvent(admin, { title: 'Single' })
})

const yogaDatesIn = (links: string[]): string[] => links.filter(href => href.startsWith('/event/yoga/20'))

describe('a date of a series', () => {
  it('has its own page, with the text of the series and further dates', async () => {
    const { status, text, html, links } = await page('/event/yoga/2026-12-01/')
    expect(status).toBe(200)
    expect(text).toContain('Bring a mat.')
    expect(canonical(html)).toBe(`${SITE}/event/yoga/2026-12-01/`)
    // Today is November 20: only the page of all dates lists past ones.
    expect(yogaDatesIn(links)).toEqual([
      ...['2026-11-24', '2026-12-08', '2026-12-15', '2026-12-22', '2026-12-29', '2027-01-05'].map(
        date => `/event/yoga/${date}/`,
      ),
    ])
    expect(links).toContain('/event/yoga/all/')
  })

  it('keeps its further dates when it gets a slug of its own', async () => {
    const { body } = await send('GET', '/events/by-slug/yoga-2026-12-22')
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { slug: 'midwinter-stretch' } })
    const { status, links } = await page('/event/midwinter-stretch/')
    expect([status, yogaDatesIn(links).length]).toEqual([200, 6])
    expect(links).toContain('/event/yoga/all/')
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { slug: 'yoga-2026-12-22' } })
  })

  it('doesn’t list dates that are not public', async () => {
    const { body } = await send('GET', '/events/by-slug/yoga-2026-12-15')
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { status: 'draft' } })
    for (const path of ['/event/yoga/2026-12-01/', '/event/yoga/2026-12-08/', '/event/yoga/all/'])
      expect((await page(path)).links, path).not.toContain('/event/yoga/2026-12-15/')
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { status: 'publish' } })
  })

  it('has one address', async () => {
    const plain = await page('/event/yoga-2026-12-01/')
    expect([plain.status, plain.headers.get('location')]).toEqual([301, '/event/yoga/2026-12-01/'])
    for (const path of ['/event/yoga/2026-12-02/', '/event/yoga/2026-13-01/', '/event/single/2026-12-01/'])
      expect((await page(path)).status, path).toBe(404)
  })
})

describe('a series', () => {
  it('redirects to its next date', async () => {
    const { status, headers } = await page('/event/Yoga/?ical=1')
    expect([status, headers.get('location')]).toEqual([302, '/event/yoga/2026-11-24/?ical=1'])
    const { body } = await send('GET', '/events/by-slug/yoga-2026-11-24')
    const { headers: next } = await page('/event/yoga/2026-11-24/?ical=1')
    expect(next.get('location')).toBe(`${API}/events/${body.id}.ics?expand=true`)
    const { headers: all } = await page('/event/yoga/all/?ical=1')
    expect(all.get('location')).toBe(`${API}/events.ics?series=${body.series.id}&expand=true`)
  })

  it('names the date that it redirects to, and a date its own, by their addresses in the API', async () => {
    const rootOf = async (path: string) => {
      const { status, headers } = await page(path)
      return [status, headers.get('x-tec-api-root')]
    }
    const { body } = await send('GET', '/events/by-slug/yoga-2026-11-24')
    expect(await rootOf('/event/yoga/')).toEqual([302, body.rest_url])
    expect(await rootOf('/event/yoga-2026-11-24/')).toEqual([301, body.rest_url])
    expect(await rootOf('/event/yoga/2026-11-24/')).toEqual([200, body.rest_url])
  })

  it('has a page of all dates, upcoming ones first', async () => {
    const { status, links, text } = await page('/event/yoga/all/')
    expect(status).toBe(200)
    expect(yogaDatesIn(links)).toHaveLength(10)
    expect(yogaDatesIn(links)[0]).toBe('/event/yoga/2026-11-24/')
    expect(text).toContain('Past events')
    expect((await page('/event/single/all/')).status).toBe(404)
  })

  it('appears in lists, months and the sitemap with the addresses of its dates', async () => {
    for (const path of ['/events/', '/events/2026-12/', '/sitemap.xml'])
      expect((await page(path)).html, path).toContain('/event/yoga/2026-12-01/')
    expect((await page('/event/single/')).links.filter(href => href.includes('/all/'))).toEqual([])
  })
})

describe('what is shown of a series', () => {
  const EDGE = 'cloudflare-cdn-cache-control'
  const vars = { TIMEZONE: 'Europe/Rome' }
  const moment = (time: string): void => void vi.setSystemTime(new Date(`2027-03-27T${time}Z`))
  /** A page with what caches need to know, and as a client gets it that has seen it before. */
  async function seen(path: string, tag?: string) {
    const headers = tag === undefined ? undefined : { 'if-none-match': tag }
    const { status, text, headers: sent } = await page(path, { vars, ...(headers && { headers }) })
    return {
      status,
      text,
      tag: sent.get('etag') ?? '',
      edge: sent.get(EDGE),
      location: sent.get('location'),
      modified: sent.get('last-modified'),
    }
  }
  /** The parts of a page of all dates. */
  const parts = (text: string) => /Upcoming events(.*?)(?:Past events(.*))?$/.exec(text)?.slice(1) ?? []

  beforeAll(async () => {
    // In Rome, clocks go forward in the night from 27 to 28 March 2027.
    const venue = { venue: 'Dance hall' }
    await addEvent('Salsa', '2027-03-27 10:00', '2027-03-27 11:00', {
      timezone: 'Europe/Rome',
      venue,
      recurrence: { rrule: 'FREQ=DAILY;COUNT=2', rdate: ['2027-03-27 20:00'] },
      cost: '10',
    })
    await addEvent('Ball', '2027-03-27 22:00', '2027-03-28 04:00', { timezone: 'Europe/Rome', venue })
  })
  beforeEach(() => query('UPDATE revision SET purges_left = 0'))

  it('moves with the time of day: a page of all dates is kept until the next one ends', async () => {
    const path = '/event/salsa/all/'
    moment('08:59:00')
    const before = await seen(path)
    expect(parts(before.text)[0]).toContain('10:00')
    expect([before.edge, before.modified]).toEqual(['public, max-age=3660', null])
    moment('09:59:50')
    expect((await seen(path, before.tag)).status).toBe(304)
    // At least for a minute.
    expect((await seen(path)).edge).toBe('public, max-age=60')
    moment('10:00:00')
    const after = await seen(path, before.tag)
    expect([after.status, after.tag === before.tag]).toEqual([200, false])
    expect(parts(after.text)[1]).toContain('10:00')
    expect(after.edge).toBe('public, max-age=36000')
    // At eleven in the evening, both of the day are over; the night is an hour shorter than others.
    moment('22:00:00')
    const late = await seen(path, after.tag)
    expect(late.status).toBe(200)
    expect(parts(late.text)[1]).toMatch(/27 .*27 /)
    expect(late.edge).toBe('public, max-age=3600')
    expect(late.modified).not.toBeNull()
    moment('23:00:00')
    expect((await seen(path, late.tag)).edge).toBe('public, max-age=36000')
  })

  it('leads to a date that is not over, and is cached no longer than that is so', async () => {
    const next = async () => {
      const { status, location, edge } = await seen('/event/salsa/')
      return [status, location?.split('/').at(-2), edge]
    }
    moment('08:00:00')
    expect(await next()).toEqual([302, '2027-03-27', 'public, max-age=3600'])
    moment('09:01:00')
    expect(await next()).toEqual([302, '2027-03-27', 'public, max-age=3540'])
    moment('10:00:00')
    const [, evening] = await next()
    expect(evening).toContain('2027-03-27-')
    moment('21:00:00')
    expect((await next()).slice(0, 2)).toEqual([302, '2027-03-28'])
    vi.setSystemTime(new Date('2027-04-27T10:00:00Z'))
    expect((await next()).slice(0, 2)).toEqual([302, '2027-03-28'])
  })

  it('says on the page of a date that it is over, without what is of no use then', async () => {
    const path = '/event/salsa/2027-03-27/'
    moment('08:59:00')
    const before = await page(path, { vars })
    expect(before.text).toContain('Add to calendar')
    expect(before.html).toContain('"offers"')
    expect(before.text).not.toContain('is over')
    moment('10:00:00')
    const tag = before.headers.get('etag') ?? ''
    const after = await page(path, { vars, headers: { 'if-none-match': tag } })
    expect(after.status).toBe(200)
    expect(after.text).toMatch(/This event is over\. Next date: Sat, Mar 27, 8:00/)
    expect(after.text).not.toContain('Add to calendar')
    expect(after.html).not.toContain('"offers"')
    // Over midnight as well.
    const night = '/event/ball/'
    vi.setSystemTime(new Date('2027-03-28T01:59:00Z'))
    const still = await page(night, { vars })
    expect(still.text).not.toContain('is over')
    vi.setSystemTime(new Date('2027-03-28T02:00:00Z'))
    expect((await page(night, { vars })).text).toContain('is over')
  })

  it('names further events at the place only until they begin', async () => {
    const path = '/event/salsa/2027-03-28/'
    moment('20:30:00')
    const before = await seen(path)
    expect([before.text.includes('Ball'), before.edge]).toEqual([true, 'public, max-age=1800'])
    moment('21:00:00')
    expect((await seen(path, before.tag)).text).not.toContain('Ball')
  })

  it('is not over before its day is, if nobody knows when it ends', async () => {
    const path = '/event/open-end/'
    await addEvent('Open end', '2027-03-27 20:00', '2027-03-27 20:00', { timezone: 'Europe/Rome' })
    moment('22:59:59')
    expect((await page(path, { vars })).text).not.toContain('is over')
    moment('23:00:00')
    expect((await page(path, { vars })).text).toContain('is over')
  })
})

describe('a date of a series that was moved', () => {
  const ROME = { timezone: 'Europe/Rome' }
  const vars = { TIMEZONE: 'Europe/Rome' }
  let moved: Answer['body']

  beforeAll(async () => {
    await addEvent('Canon', '2026-12-01 18:00', '2026-12-01 19:00', {
      ...ROME,
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    })
    const { body } = await send('GET', '/events/by-slug/canon-2026-12-08')
    const times = { start_date: '2026-12-09 17:00', end_date: '2026-12-09 18:00' }
    moved = (await send('PATCH', `/events/${body.id}`, { as: admin, json: times })).body
  })

  it('says when it is and when it was to be, and not how the series repeats', async () => {
    const path = '/event/canon/2026-12-08/'
    const { text } = await page(path, { vars })
    expect(text).toMatch(
      /Canon New date \(was Tue, Dec 8, 6:00 PM\) .*Wednesday, December 9, 2026 5:00 – 6:00 PM/,
    )
    expect(text).not.toContain('Every')
    expect((await page('/event/canon/2026-12-01/', { vars })).text).toContain('Every Tuesday, 6:00 PM')
    for (const [language, words] of [
      ['de', 'statt Di., 8. Dez., 18:00 Uhr'],
      ['es', 'antes: mar, 8 dic, 18:00'],
      ['fr', 'initialement mar. 8 déc., 18:00'],
    ] as const)
      expect((await page(path, { vars: { ...vars, LANGUAGE: language } })).text, language).toContain(words)
  })

  it('says so in lists, weeks and among the dates of the series, in the zone of the calendar', async () => {
    for (const path of [
      '/events/?date=2026-12-09',
      '/events/2026-12-09/',
      '/events/2026-W50/',
      '/event/canon/2026-12-01/',
      '/event/canon/all/',
    ]) {
      const { text } = await page(path, { vars })
      expect(text.match(/was Tue, Dec 8, 6:00 PM/g), path).toHaveLength(1)
    }
    const { text } = await page('/events/2026-12-09/', { vars: { TIMEZONE: 'America/Halifax' } })
    expect(text).toContain('was Tue, Dec 8, 1:00 PM')
  })

  it('says so in feeds, letters and JSON-LD', async () => {
    const bindings = { TIMEZONE: 'Europe/Rome' }
    const read = async (path: string) => (await send('GET', path, { bindings })).text
    const said = 'was Tue\\, Dec 8\\, 6:00 PM'
    const calendar = (await read(`/events.ics?series=${moved.series.id}`)).replaceAll('\r\n ', '')
    const [, ...entries] = calendar.split('BEGIN:VEVENT')
    // A calendar that reads it here has the date of the rule, and no words of ours in its description.
    expect(entries.map(text => [text.includes('RECURRENCE-ID'), text.includes(said)])).toEqual([
      [false, false],
      [true, false],
    ])
    for (const path of [
      `/events.rss?series=${moved.series.id}`,
      `/events.feed.json?series=${moved.series.id}`,
      '/events/digest.txt?start_date=2026-12-09&days=1',
    ])
      expect((await read(path)).match(/was Tue, Dec 8, 6:00/g)?.length, path).toBeGreaterThan(0)
    const { body } = await send('GET', `/events/${moved.id}`)
    expect(body.json_ld).toMatchObject({
      eventStatus: 'https://schema.org/EventRescheduled',
      startDate: '2026-12-09T17:00:00+01:00',
      previousStartDate: '2026-12-08T18:00:00+01:00',
    })
    expect(body.event_status).toBe('scheduled')
    const { body: other } = await send('GET', '/events/by-slug/canon-2026-12-15')
    expect(other.json_ld.eventStatus).toBe('https://schema.org/EventScheduled')
    expect(other.json_ld).not.toHaveProperty('previousStartDate')
  })

  describe('and whose series was moved later', () => {
    let ids: number[]
    const change = async (id: number | undefined, json: object) =>
      expect((await send('PATCH', `/events/${id}`, { as: admin, json })).status).toBe(200)
    const dataOf = async (id: number | undefined) => (await send('GET', `/events/${id}`)).body.json_ld

    beforeEach(async () => {
      const { series } = await addEvent('Class', '2027-05-05 18:00', '2027-05-05 19:00', {
        ...ROME,
        recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' },
      })
      const { body } = await send('GET', `/events?series=${series.id}`)
      ids = body.events.map(({ id }: Answer['body']) => id)
    })

    afterEach(() => send('DELETE', `/events/${ids[0]}?scope=all&force=true`, { as: admin }))

    it('says the time that was announced, not that of the rule', async () => {
      const was = 'was Wed, May 19, 6:00 PM'
      const saturday = { start_date: '2027-05-22 18:00', end_date: '2027-05-22 19:00' }
      await change(ids[2], saturday)
      await change(ids[0], {
        scope: 'all',
        start_date: '2027-05-04 17:00',
        end_date: '2027-05-04 18:00',
      })
      const { url } = (await send('GET', `/events/${ids[2]}`)).body
      const own = new URL(url).pathname
      for (const path of [own, `${own.slice(0, -11)}all/`, '/events/?date=2027-05-22', '/events/2027-05-22/'])
        expect((await page(path, { vars })).text, path).toContain(was)
      const former = { previousStartDate: '2027-05-19T18:00:00+02:00' }
      expect(await dataOf(ids[2])).toMatchObject(former)
      // Also after it was moved once more, and if it is postponed, which schema.org expects as well.
      await change(ids[2], { start_date: '2027-05-23 18:00', end_date: '2027-05-23 19:00' })
      expect(await dataOf(ids[2])).toMatchObject(former)
      await change(ids[2], { event_status: 'postponed' })
      expect(await dataOf(ids[2])).toMatchObject(former)
      expect((await page(own, { vars })).text).toContain(was)
      await change(ids[2], {
        event_status: 'scheduled',
        start_date: '2027-05-19 18:00',
        end_date: '2027-05-19 19:00',
      })
      expect(await dataOf(ids[2])).not.toHaveProperty('previousStartDate')
      expect((await page(own, { vars })).text).not.toMatch(/was |Every/)
    })

    it('says so of a date that was imported with its own start', async () => {
      await change(ids[2], { start_date: '2027-05-22 18:00', end_date: '2027-05-22 19:00' })
      await query(`UPDATE events SET previous_utc_start_date = '' WHERE id = ${ids[2]}`)
      const former = { previousStartDate: '2027-05-19T18:00:00+02:00' }
      expect(await dataOf(ids[2])).toMatchObject(former)
      for (const hour of [17, 16])
        await change(ids[0], {
          scope: 'all',
          start_date: `2027-05-04 ${hour}:00`,
          end_date: `2027-05-04 ${hour + 1}:00`,
        })
      expect(await dataOf(ids[2])).toMatchObject(former)
    })

    it('was not moved if only its end was changed, or it only became a whole day', async () => {
      await change(ids[1], { end_date: '2027-05-12 20:00' })
      await change(ids[2], { all_day: true })
      await change(ids[0], {
        scope: 'all',
        start_date: '2027-05-04 17:00',
        end_date: '2027-05-04 18:00',
      })
      for (const [id, start] of [
        [ids[1], '2027-05-12T18:00:00+02:00'],
        [ids[2], '2027-05-19T00:00:00+02:00'],
      ] as const) {
        const { url, json_ld } = (await send('GET', `/events/${id}`)).body
        expect(json_ld).toMatchObject({ startDate: start, eventStatus: 'https://schema.org/EventScheduled' })
        expect(json_ld).not.toHaveProperty('previousStartDate')
        // The rule has another time, so it is not shown either.
        expect((await page(new URL(url).pathname, { vars })).text.split('Other dates')[0]).not.toMatch(
          /was |Every/,
        )
      }
      const { text } = await page('/events/?date=2027-05-12', { vars })
      expect(text).toContain('Class')
      expect(text).not.toContain('New date')
    })
  })

  it('does not count as moved if only a clock change moved it', async () => {
    const night = { timezone: 'Europe/Rome', recurrence: { rrule: 'FREQ=DAILY;COUNT=2' } }
    // There is no half past two on this day.
    await addEvent('Night watch', '2027-03-27 02:30', '2027-03-27 03:30', night)
    const { text } = await page('/event/night-watch/2027-03-28/', { vars })
    expect(text).not.toContain('was ')
    expect(text).toMatch(/3:30 – 4:30 AM.*Every day, 2:30 AM/)
  })

  it('names days only if it lasts for whole days', async () => {
    await addEvent('Camp', '2027-02-01', '2027-02-01', {
      all_day: true,
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
    })
    const { body } = await send('GET', '/events/by-slug/camp-2027-02-08')
    await send('PATCH', `/events/${body.id}`, {
      as: admin,
      json: { start_date: '2027-02-10', end_date: '2027-02-10' },
    })
    expect((await page('/event/camp/2027-02-08/', { vars })).text).toMatch(
      /^Events Camp New date \(was Mon, Feb 8\)/,
    )
    expect((await page('/event/camp/2027-02-01/', { vars })).text).toContain(
      'February 10, 2027 New date (was Mon, Feb 8)',
    )
  })
})

describe('a series that was split', () => {
  it('looks like one series on pages', async () => {
    const first = await addEvent('Tango', '2026-11-03 20:00', '2026-11-03 21:00', {
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=8' },
    })
    const { body: named } = await send('GET', '/events/by-slug/tango-2026-11-24')
    const change = { title: 'Tango for two', scope: 'following' }
    const { body: later } = await send('PATCH', `/events/${named.id}`, { as: admin, json: change })
    expect(later.series.id).not.toBe(first.series.id)

    const next = '/event/tango/2026-11-24/'
    expect((await page('/event/tango/')).headers.get('location')).toBe(next)
    const all = await page('/event/tango/all/')
    expect(all.links.filter(href => href.startsWith('/event/tango/20'))).toHaveLength(8)
    expect(all.text).toContain('Tango for two: All dates')
    expect((await page('/event/tango/2026-11-03/')).links).toContain(next)
    // Each date lists the next dates and those right before and after it, also those of the other part.
    const { body: last } = await send('GET', '/events/by-slug/tango-2026-12-15')
    await send('PATCH', `/events/${last.id}`, {
      as: admin,
      json: { website: 'https://a.example', scope: 'following' },
    })
    const linkedDates = async (date: string) =>
      (await page(`/event/tango/${date}/`)).links.flatMap(href => /tango\/(\d.*)\//.exec(href)?.[1] ?? [])
    const [on, ...others] = ['2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15', '2026-12-22']
    expect(await linkedDates('2026-12-22')).toEqual([on, ...others.slice(0, 3)])
    // From a date to come, nobody is led to one that is over; between past dates there are links.
    expect(await linkedDates('2026-11-24')).toEqual(others)
    expect(await linkedDates('2026-11-17')).toEqual([on, ...others, '2026-11-10'])
    const { headers } = await page('/event/tango/all/?ical=1')
    expect(headers.get('location')).toBe(
      `${API}/events.ics?series=${last.series.id + 1},${later.series.id},${first.series.id}&expand=true`,
    )
    const { body: both } = await send(
      'GET',
      `/events?series=${first.series.id},${later.series.id}&happening=2026-11-01/..`,
    )
    expect(both.total).toBe(6)

    await send('DELETE', `/events/${first.id}?scope=all`, { as: admin })
    expect((await page('/event/tango/')).headers.get('location')).toBe(next)
    expect(
      (await page('/event/tango/all/')).links.filter(href => href.startsWith('/event/tango/20')),
    ).toHaveLength(5)
  })
})

describe('a long series', () => {
  const rowsOf = async (path: string): Promise<number> => (await measure('GET', SITE + path)).rows

  beforeAll(async () => {
    await addEvent('Choir', '2024-11-21 20:00', '2024-11-22 01:00', {
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=150' },
    })
  })

  it('shows a date that has begun and is not over', async () => {
    const { links } = await page('/event/choir/2024-11-21/')
    const next = links.filter(href => href.startsWith('/event/choir/20'))
    expect([next.length, next[0]]).toEqual([7, '/event/choir/2026-11-26/'])
    // The link to the following date comes last.
    expect(next[6]).toBe('/event/choir/2024-11-28/')
  })

  it('reads only the dates that it shows', async () => {
    for (const path of ['2024-11-21/', '2026-11-26/', '2027-09-02/', ''])
      expect(await rowsOf(`/event/choir/${path}`), path).toBeLessThan(300)
  })

  it('shows its dates by start, including those that were moved', async () => {
    const move = async (date: string, start: string): Promise<void> => {
      const { body } = await send('GET', `/events/by-slug/choir-${date}`)
      const json = { start_date: `${start} 20:00`, end_date: `${start} 21:00` }
      const { status } = await send('PATCH', `/events/${body.id}`, { as: admin, json })
      expect(status).toBe(200)
    }
    await move('2027-03-18', '2026-11-27')
    await move('2026-11-26', '2027-01-01')
    const { links } = await page('/event/choir/2027-01-07/')
    const next = links.filter(href => href.startsWith('/event/choir/20'))
    expect(next.slice(0, 6)).toEqual(
      ['2027-03-18', '2026-12-03', '2026-12-10', '2026-12-17', '2026-12-24', '2026-12-31'].map(
        date => `/event/choir/${date}/`,
      ),
    )
    const { links: around } = await page('/event/choir/2026-12-31/')
    expect(around).toContain('/event/choir/2026-11-26/')

    const { body } = await send('GET', '/events/by-slug/choir-2026-11-19')
    const longer = { end_date: '2026-11-21 01:00' }
    await send('PATCH', `/events/${body.id}`, { as: admin, json: longer })
    const { headers } = await page('/event/choir/')
    expect(headers.get('location')).toBe('/event/choir/2026-11-19/')
  })
})
