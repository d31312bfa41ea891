import { describe, expect, it } from 'vitest'
import { SITE, send } from '../factories.ts'
import { measure } from '../kit/http/metrics.ts'
import { expectPage } from '../site/pages/page.ts'
import { signedIn } from './session.ts'

const PATH = '/admin/repetition/'
const NEW = '/admin/events/new/'
const START = { start_date: '2027-06-08', start_date_time: '20:00' }

const contributor = signedIn('contributor')
const editor = signedIn('editor')

const fields = (form: Record<string, string | string[]>) =>
  contributor.browser.post(PATH, { ...START, recurrence_end: 'never', ...form })
const datesIn = (html: string) => [...html.matchAll(/<time datetime="([^"]*)"/g)].map(([, date]) => date)

describe('the fields of a repetition', () => {
  it('have labels based on the start, and the next five dates', async () => {
    const { status, text, html } = await fields({ recurrence: 'month-nth' })
    expect(status).toBe(200)
    expect(text).toContain('Monthly, second Tuesday')
    expect(html).toContain('<option value="month-nth" selected>')
    expect(html).not.toContain('<!doctype')
    expect(datesIn(html)).toEqual([
      '2027-06-08T20:00:00',
      '2027-07-13T20:00:00',
      '2027-08-10T20:00:00',
      '2027-09-14T20:00:00',
      '2027-10-12T20:00:00',
    ])
    expect(text).toContain('Tuesday, July 13, 2027, 8:00 PM')
  })

  it('name no day before there is a start', async () => {
    const options = (html: string, name: string) =>
      (html.split(`name="${name}"`)[1]?.split('</select>')[0] ?? '').matchAll(/<option[^>]*>([^<]*)</g)
    const { html } = await contributor.browser.get(NEW)
    expect([...options(html, 'recurrence')].map(([, label]) => label)).toEqual([
      ...['Does not repeat', 'Every week', 'Every month', 'Every year', 'Every day', 'Monday to Friday'],
      ...['Custom rule…', 'On dates of your choice'],
    ])
    expect([...options(html, 'recurrence_way')]).toHaveLength(1)
  })

  it.each([
    [{ recurrence: '' }, []],
    // Some of these dates are only made later.
    [{ recurrence: 'yearly', all_day: '1' }, [2027, 2028, 2029, 2030, 2031].map(year => `${year}-06-08`)],
    [
      { recurrence: 'weekly', recurrence_end: 'after', recurrence_count: '2' },
      ['2027-06-08T20:00:00', '2027-06-15T20:00:00'],
    ],
    [
      {
        recurrence: 'weekly',
        recurrence_end: 'on',
        recurrence_until: '2027-06-15',
        recurrence_not: '2027-06-08',
      },
      ['2027-06-15T20:00:00'],
    ],
    // A break leaves out its first and last day, and all between.
    [
      {
        recurrence: 'weekly',
        recurrence_end: 'after',
        recurrence_count: '5',
        recurrence_from: '2027-06-15',
        recurrence_to: '2027-06-29',
      },
      // Five dates that take place.
      [
        '2027-06-08T20:00:00',
        '2027-07-06T20:00:00',
        '2027-07-13T20:00:00',
        '2027-07-20T20:00:00',
        '2027-07-27T20:00:00',
      ],
    ],
    [
      {
        recurrence: 'weekly',
        recurrence_end: 'after',
        recurrence_count: '2',
        recurrence_from: '2027-06-15',
      },
      ['2027-06-08T20:00:00', '2027-06-15T20:00:00'],
    ],
    [
      { recurrence: 'dates', recurrence_also: ['2027-06-09T18:30', ''] },
      ['2027-06-08T20:00:00', '2027-06-09T18:30:00'],
    ],
    [
      { recurrence: 'yearly', all_day: '1', recurrence_end: 'after', recurrence_count: '2' },
      ['2027-06-08', '2028-06-08'],
    ],
    [
      {
        recurrence: 'own',
        recurrence_interval: '2',
        recurrence_unit: 'week',
        recurrence_days: ['TU', 'SA'],
        recurrence_end: 'after',
        recurrence_count: '3',
      },
      ['2027-06-08T20:00:00', '2027-06-12T20:00:00', '2027-06-22T20:00:00'],
    ],
  ])('show the dates of %j', async (form, dates) => {
    expect(datesIn((await fields(form)).html)).toEqual(dates)
  })

  it('say the number of dates', async () => {
    const weeks = (count: string) =>
      fields({ recurrence: 'weekly', recurrence_end: 'after', recurrence_count: count })
    expect((await weeks('1')).text).toContain(' 1 date, on June 8, 2027.')
    expect((await weeks('50')).text).toContain(' 50 dates, the last on May 16, 2028.')
    // Up to two years from now.
    const { text } = await fields({ recurrence: 'daily' })
    const [, total] = /(\d+) dates for now. More are added/.exec(text) ?? []
    const answer = await send('POST', '/events', {
      as: editor.as,
      json: {
        title: 'Daily',
        start_date: '2027-06-08 20:00',
        end_date: '2027-06-08 21:00',
        recurrence: 'FREQ=DAILY',
      },
    })
    expect(answer.headers.get('x-series-dates')).toBe(total)
  })

  it('say no number before an end is chosen', async () => {
    const { html, text } = await fields({ recurrence: 'daily', recurrence_end: '' })
    expect(datesIn(html)).toHaveLength(5)
    expect(text).not.toMatch(/\d+ dates/)
  })

  it.each([
    ['en', 'your role may make 300 at a time. Let the repetition end earlier'],
    ['de', 'mit Ihrer Rolle gehen 300 auf einmal. Lassen Sie die Wiederholung früher enden'],
    ['es', 'su rol permite 300 de una vez. Haga que la repetición termine antes'],
    ['fr', 'votre rôle en permet 300 à la fois. Faites finir la répétition plus tôt'],
  ])('say what to do about more dates than a contributor may make: %s', async (language, shown) => {
    const form = { title: 'Daily', ...START, recurrence: 'daily', recurrence_end: 'never' }
    const { status, text } = await contributor.browser.with({ LANGUAGE: language }).save(NEW, form)
    expect([status, text]).toEqual([422, expect.stringContaining(shown)])
  })

  it('count the dates of a series from its first, and move with the event', async () => {
    const known = {
      rrule: 'FREQ=WEEKLY;COUNT=4',
      rdate: [],
      exdate: ['2027-06-15 20:00:00'],
      first: '2027-06-01 20:00:00',
      date: '2027-06-08 20:00:00',
      shown: '2027-06-08 20:00:00',
    }
    const form = {
      recurrence: 'weekly',
      recurrence_end: 'after',
      recurrence_count: '4',
      recurrence_not: '2027-06-15',
      recurrence_known: JSON.stringify(known),
    }
    expect(datesIn((await fields(form)).html)).toEqual([
      '2027-06-01T20:00:00',
      '2027-06-08T20:00:00',
      '2027-06-22T20:00:00',
      '2027-06-29T20:00:00',
    ])
    const moved = await fields({ ...form, start_date: '2027-06-09' })
    expect(moved.text).toContain('Every Wednesday')
    expect(datesIn(moved.html)).toEqual([
      '2027-06-02T20:00:00',
      '2027-06-09T20:00:00',
      '2027-06-23T20:00:00',
      '2027-06-30T20:00:00',
    ])
  })

  it('end before the later dates that a change has split off, also at another hour', async () => {
    const first = '2027-06-08 20:00:00'
    const rrule = 'FREQ=WEEKLY;UNTIL=20270622T195959'
    const form = {
      ...{ recurrence: 'weekly', recurrence_end: 'on', recurrence_until: '2027-06-21' },
      recurrence_known: JSON.stringify({ rrule, rdate: [], exdate: [], first, date: first, shown: first }),
    }
    for (const time of ['20:00', '18:00', '21:00'])
      expect(datesIn((await fields({ ...form, start_date_time: time })).html)).toEqual(
        ['08', '15'].map(day => `2027-06-${day}T${time}:00`),
      )
  })

  it('choose an end as soon as it is typed', async () => {
    const until = await fields({ recurrence: 'weekly', recurrence_until: '2027-06-22' })
    expect(until.text).toContain('3 dates, the last on June 22, 2027.')
    expect(until.html).toMatch(/value="on" checked/)
    const count = await fields({ recurrence: 'weekly', recurrence_count: '2' })
    expect(count.text).toContain('2 dates, the last on June 15, 2027.')
  })

  it('need an end, or the choice that there is none', async () => {
    const form = { ...START, title: 'Endless', recurrence: 'weekly' }
    const { status, text } = await contributor.browser.save(NEW, form)
    expectPage({ status, text }, 422, 'say when the repetition ends')
    expect((await contributor.browser.save(NEW, { ...form, recurrence_end: 'never' })).status).toBe(200)
  })

  it('leave out a break, which needs both of its days', async () => {
    const form = {
      ...START,
      title: 'With holidays',
      recurrence: 'daily',
      recurrence_end: 'after',
      recurrence_count: '6',
      recurrence_from: '2027-06-10',
    }
    const save = (recurrence_to: string) => contributor.browser.save(NEW, { ...form, recurrence_to })
    for (const to of ['', '2027-06-09']) {
      const { status, text, html } = await save(to)
      expectPage({ status, text }, 422, 'the last day of the break')
      expect(html, to).toContain('name="recurrence_from" value="2027-06-10"')
    }
    const saved = await save('2027-06-11')
    expect(saved.status).toBe(200)
    const { body } = await send('GET', '/events?search=holidays&status=draft,pending&start_date=2027-06-01', {
      as: contributor.as,
    })
    expect(body.events.map((event: { start_date: string }) => event.start_date.slice(8, 10))).toEqual([
      '08',
      '09',
      '12',
      '13',
      '14',
      '15',
    ])
    const { rrule, exdate } = body.events[0].series.recurrence
    expect([rrule, exdate]).toEqual(['FREQ=DAILY;COUNT=8', ['2027-06-10 20:00:00', '2027-06-11 20:00:00']])
  })

  it('show a rule without a label as it is', async () => {
    const known = {
      rrule: 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
      rdate: [],
      exdate: [],
      first: '2027-06-29 20:00:00',
      date: '2027-06-29 20:00:00',
      shown: '2027-06-29 20:00:00',
    }
    const { text, html } = await fields({
      start_date: '2027-06-29',
      recurrence: 'kept',
      recurrence_known: JSON.stringify(known),
    })
    expect(text).toContain('FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1')
    expect(datesIn(html)[1]).toBe('2027-07-27T20:00:00')
  })

  it.each([
    [
      { recurrence: 'weekly', recurrence_end: 'after', recurrence_count: '' },
      /number of dates must be a whole number/,
    ],
    [{ recurrence: 'own', recurrence_interval: 'often' }, /How often it repeats must be/],
    [{ recurrence: 'daily', recurrence_not: 'someday' }, /is not a valid date/],
    [{ recurrence: 'weekly', start_date: '2027-02-30' }, /Enter a start first/],
    [{ recurrence: 'weekly', start_date: '' }, /Enter a start first/],
  ])('say what is wrong with %j', async (form, reason) => {
    expect((await fields(form)).text).toMatch(reason)
  })
})

describe('attacks', () => {
  const kept = (rrule: string, more = {}) => ({
    recurrence: 'kept',
    recurrence_known: JSON.stringify({
      rrule,
      rdate: [],
      exdate: [],
      first: '2027-06-08 20:00:00',
      date: '2027-06-08 20:00:00',
      shown: '2027-06-08 20:00:00',
      ...more,
    }),
  })

  it('with scripts are escaped', async () => {
    const script = '"><script>alert(1)</script>'
    const names = [
      'recurrence',
      'recurrence_interval',
      'recurrence_unit',
      'recurrence_until',
      'recurrence_count',
      'recurrence_also',
      'recurrence_not',
      'recurrence_way',
    ]
    const { html, status } = await fields({
      ...Object.fromEntries(names.map(name => [name, script])),
      ...kept(script),
    })
    expect(status).toBe(200)
    expect(html).not.toContain('<script')
  })

  const ALWAYS = { recurrence_from: '0001-01-01', recurrence_to: '9999-12-31' }
  it.each([
    kept('FREQ=SECONDLY'),
    kept('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=999999999', { first: '0001-01-01 00:00:00' }),
    kept('FREQ=YEARLY;INTERVAL=999999999;BYMONTH=2;BYDAY=1MO'),
    kept('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'),
    kept('FREQ=WEEKLY;BYDAY=MO;BYMONTH=2;BYSETPOS=5', { first: '0001-01-01 00:00:00' }),
    kept('FREQ=DAILY', { first: '9999-12-31 23:59:59', shown: '0001-01-01 00:00:00' }),
    {
      recurrence: 'daily',
      recurrence_not: Array.from({ length: 3_000 }, (_, n) => `2027-06-08T20:00:${n % 60}`),
    },
    { recurrence: 'dates', recurrence_also: Array.from({ length: 3_000 }, () => 'next monday 3 weeks ago') },
    { recurrence: 'daily', recurrence_known: `{"rrule":${'['.repeat(10_000)}` },
    { recurrence: 'own', recurrence_interval: '999999999', recurrence_unit: 'year', recurrence_way: 'nth' },
    { recurrence: 'daily', ...ALWAYS },
    { ...kept('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', { first: '0001-01-01 00:00:00' }), ...ALWAYS },
    { ...kept('FREQ=DAILY', { first: '9999-12-31 23:59:59', shown: '0001-01-01 00:00:00' }), ...ALWAYS },
  ])('with expensive rules cost no more than in the API, and read nothing: %#', async form => {
    const body = new URLSearchParams({ _token: contributor.browser.token, ...START })
    for (const [name, values] of Object.entries(form))
      for (const value of [values].flat()) body.append(name, value)
    const headers = { cookie: contributor.browser.cookie, origin: SITE }
    const { status, trips, text } = await measure('POST', SITE + PATH, { body, headers })
    // The only trip is that for the session.
    expect([status, trips]).toEqual([200, 1])
    expect(text.length).toBeLessThan(400_000)
  })
})
