import { beforeAll, describe, expect, it, vi } from 'vitest'
import { clockAt } from '../../../src/kit/lib/clock.ts'
import { pageContextOf } from '../../../src/site/html/page-context.ts'
import { repeatWords } from '../../../src/site/html/when.ts'
import { declareUser, makeEvent, makeVenue, SITE, send } from '../../factories.ts'
import { linksIn, page, textOf } from './page.ts'

const admin = declareUser('administrator', 'admin')
let hall: number

const addEvent = (title: string, day: string, fields: object = {}) =>
  makeEvent(admin, { title, start_date: `${day} 20:00`, end_date: `${day} 21:00`, ...fields })

beforeAll(async () => {
  hall = (await makeVenue(admin, 'Hall', { address: '1 Lane', city: 'Kent' })).id
})

const actions = (html: string): string =>
  html.match(/<div class="actions">[\s\S]*?<aside class="single-side"/)?.[0] ?? ''
/** The texts of the buttons; that of the main one begins with a star. */
const buttons = (html: string): string[] =>
  [...actions(html).matchAll(/class="button( button-quiet)?"[^>]*>([\s\S]*?)<\/(?:a|summary)>/g)].map(
    ([, quiet, inner = '']) => (quiet ? '' : '* ') + textOf(inner),
  )

describe('the main button of an event', () => {
  const website = 'https://tickets.example/x'
  const virtual = { is_virtual: true, virtual_url: 'https://meet.example/x' }

  it.each([
    ['plain', {}, ['* Add to calendar']],
    ['website', { website }, ['* Add to calendar']],
    ['ticketed', { website, ticketed: true }, ['* Tickets', 'Add to calendar']],
    ['ticketed-only', { ticketed: true }, ['* Add to calendar']],
    ['online', virtual, ['* Join online', 'Add to calendar']],
    ['both', { website, ticketed: true, ...virtual }, ['* Tickets', 'Add to calendar']],
    ['cancelled', { website, ticketed: true, event_status: 'canceled' }, []],
    ['postponed', { event_status: 'postponed' }, ['* Add to calendar']],
  ])('depends on what the event offers: %s', async (slug, fields, expected) => {
    await addEvent('Concert', '2026-12-01', { slug, ...fields })
    expect(buttons((await page(`/event/${slug}/`)).html)).toEqual(expected)
  })

  it('is the subscription to the series for a cancelled date', async () => {
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=2' }
    const fields = { website, ticketed: true, event_status: 'canceled', recurrence }
    const { url } = await addEvent('Course', '2026-12-01', fields)
    expect(buttons((await page(String(url))).html)).toEqual(['Subscribe'])
  })
})

it('a venue has links to a map and to directions, unless they are switched off', async () => {
  await addEvent('There', '2026-12-01', { venue: hall })
  for (const path of ['/event/there/', '/venue/hall/'])
    expect((await page(path)).links, path).toEqual(
      expect.arrayContaining([
        'https://www.openstreetmap.org/search?query=1%20Lane%2C%20Kent',
        'https://www.openstreetmap.org/directions?to=1%20Lane%2C%20Kent',
      ]),
    )
  const hidden = await makeVenue(admin, 'Secret', { address: '1 Lane', show_map_link: false })
  await addEvent('Hidden', '2026-12-01', { venue: hidden.id })
  expect((await page('/event/hidden/')).text).not.toContain('Directions')
})

it('a room follows the name of the venue, or several venues', async () => {
  const tent = await makeVenue(admin, 'Tent')
  await addEvent('Upstairs', '2026-12-01', { venue: hall, room: 'Attic' })
  await addEvent('Everywhere', '2026-12-01', { venue: [hall, tent.id], room: 'Attic' })
  await addEvent('Anywhere', '2026-12-01', { venue: [], room: 'Attic' })
  const where = async (slug: string) => (await page(`/event/${slug}/`)).text.match(/Where (.*?Attic)/)?.[1]
  expect(await where('upstairs')).toBe('Hall Attic')
  expect(await where('everywhere')).toMatch(/^Hall 1 Lane.* Tent Attic$/)
  expect(await where('anywhere')).toBe('Attic')
})

it('a printed event names its own address, and no address twice', async () => {
  const printsAddress = async (slug: string, website: string) => {
    await addEvent('Printed', '2026-12-01', { slug, website })
    const { html } = await page(`/event/${slug}/`)
    expect(html).toMatch(new RegExp(`class="paper-link">[^<:]*/event/${slug}/<`))
    return !html.includes('class="is-host"')
  }
  expect(await printsAddress('host', 'https://www.tickets.example/')).toBe(false)
  expect(await printsAddress('path', 'https://tickets.example/spring')).toBe(true)
  expect(await printsAddress('query', 'https://tickets.example/?show=4')).toBe(true)
})

describe('a date of a series', () => {
  it('shows the rule in words, links to the dates before and after, and a subscription to the series', async () => {
    const { series } = await addEvent('Yoga', '2026-12-01', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=10' } })
    const { text, html } = await page('/event/yoga/2026-12-15/', { vars: { LANGUAGE: 'de' } })
    expect(text).toContain('10 Termine bis 2. Februar')
    expect(text).toContain('Jeden Dienstag, 20:00 Uhr')
    const pagerHtml =
      html.match(/<section class="other-dates">[\s\S]*?<nav class="pager"([\s\S]*?)<\/nav>/)?.[1] ?? ''
    expect(linksIn(pagerHtml)).toEqual(['/event/yoga/2026-12-08/', '/event/yoga/2026-12-22/'])
    expect(buttons(html)).toEqual(['* In den Kalender', 'Abonnieren'])
    expect(textOf(actions(html))).toContain('Yoga: alle Termine, immer aktuell.')
    expect(linksIn(actions(html))).toContain(
      `webcal://calendar.example/calendar/events/v1/events.ics?series=${series.id}`,
    )
    const first = await page('/event/yoga/2026-12-01/')
    expect(first.html).not.toMatch(/rel="prev"/)
  })

  it('says how many dates of a course there are, until when, and on which days there is none', async () => {
    const recurrence = {
      rrule: 'FREQ=WEEKLY;COUNT=13',
      exdate: ['2027-02-09 20:00', '2027-02-16 20:00', '2027-02-10 20:00'],
    }
    await addEvent('Recorder', '2026-12-08', { recurrence })
    const { body } = await send('GET', '/events/by-slug/recorder-2026-12-22')
    await send('PATCH', `/events/${body.id}`, { as: admin, json: { event_status: 'canceled' } })
    const shown = async (LANGUAGE: string) =>
      (await page('/event/recorder/2026-12-15/', { vars: { LANGUAGE } })).text
    expect(await shown('en-GB')).toContain('10 dates until 2 March, not on 22 December, 9 and 16 February')
    expect(await shown('en-US')).toContain('10 dates until March 2, not on December 22, February 9, and 16')
    expect(await shown('de')).toContain('10 Termine bis 2. März, nicht am 22. Dezember, 9. und 16. Februar')
    expect(await shown('es')).toContain(
      '10 fechas hasta el 2 de marzo, salvo los días 22 de diciembre, 9 y 16 de febrero',
    )
    expect(await shown('fr')).toContain('10 dates jusqu’au 2 mars, sauf les 22 décembre, 9 et 16 février')
    await addEvent('Endless', '2026-12-08', { recurrence: 'FREQ=WEEKLY' })
    expect((await page('/event/endless/2026-12-15/')).text).toContain('Every Tuesday, 8:00 PM')
  })

  it('does not say that it repeats if the others, or all, do not take place', async () => {
    const { series } = await addEvent('Lute', '2026-12-01', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
    const { body } = await send('GET', `/events?series=${series.id}`)
    const change = async (n: number, json: object) =>
      expect((await send('PATCH', `/events/${body.events[n].id}`, { as: admin, json })).status).toBe(200)
    const shown = async () => (await page('/event/lute/2026-12-01/')).text
    await change(1, { status: 'trash' })
    await change(2, { event_status: 'canceled' })
    expect(await shown()).toContain('2 dates until December 22')
    await change(3, { event_status: 'canceled' })
    expect(await shown()).not.toMatch(/Every|until/)
    await change(0, { event_status: 'canceled' })
    expect(await shown()).not.toMatch(/Every|until/)
    await change(0, { event_status: 'scheduled' })
    for (const n of [2, 3]) await change(n, { status: 'trash' })
    expect(await shown()).not.toMatch(/Every|until/)
  })

  const site = (language: string) => {
    const settings = { website: { language }, timezone: 'UTC' }
    // Rules in words need nothing else of a request.
    return pageContextOf({
      settings,
      clock: clockAt('2026-11-20 12:00:00'),
      site: SITE,
    } as unknown as Parameters<typeof pageContextOf>[0])
  }

  it.each([
    ['FREQ=DAILY', 'Every day', 'Jeden Tag', 'Tous les jours', 'Todos los días'],
    [
      'FREQ=WEEKLY;UNTIL=20270101T000000Z',
      'Every Tuesday',
      'Jeden Dienstag',
      'Tous les mardis',
      'Todos los martes',
    ],
    [
      'FREQ=WEEKLY;BYDAY=SA,SU',
      'Every Saturday and Sunday',
      'Jeden Samstag und Sonntag',
      'Tous les samedis et dimanches',
      'Todos los sábados y domingos',
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2',
      'Every 2 weeks: Tuesday',
      'Alle 2 Wochen: Dienstag',
      'Toutes les 2 semaines : mardis',
      'Cada 2 semanas: martes',
    ],
    [
      'FREQ=MONTHLY;BYDAY=-1TU',
      'Every last Tuesday of the month',
      'Jeden letzten Dienstag im Monat',
      'Chaque dernier mardi du mois',
      'Cada último martes del mes',
    ],
    [
      'FREQ=MONTHLY',
      'On day 1 of every month',
      'Am 1. jedes Monats',
      'Le 1er de chaque mois',
      'El día 1 de cada mes',
    ],
    ['FREQ=YEARLY', 'Every year', 'Jedes Jahr', 'Chaque année', 'Cada año'],
  ])('puts %s into words', (rule, ...expected) => {
    const said = ['en', 'de', 'fr', 'es'].map(language =>
      repeatWords(site(language), rule, '2026-12-01 20:00:00')?.replaceAll('\u00a0', ' '),
    )
    expect(said).toEqual(expected)
  })

  it.each([
    '',
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2',
    'FREQ=YEARLY;BYMONTH=1,2',
    'nonsense',
  ])('has no words for a rule that is not simple: %s', rule => {
    expect(repeatWords(site('en'), rule, '2026-12-01 20:00:00')).toBeUndefined()
  })

  it('does not say that it is every year on 29 February', () => {
    const leapDay = '2028-02-29 20:00:00'
    const dayBefore = '2028-02-28 20:00:00'
    expect(repeatWords(site('en'), 'FREQ=YEARLY', leapDay)).toBeUndefined()
    expect(repeatWords(site('en'), 'FREQ=YEARLY', dayBefore)).toBe('Every year')
    expect(repeatWords(site('en'), 'FREQ=DAILY', leapDay)).toBe('Every day')
  })
})

it('further events at the venue and in the category are listed, each series once', async () => {
  const venue = (await makeVenue(admin, 'Barn')).id
  const fields = { venue, categories: ['Folk'] }
  await addEvent('Main', '2027-03-01', fields)
  await addEvent('Weekly', '2027-03-02', { ...fields, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=30' } })
  await addEvent('Other', '2027-03-03', { categories: ['Folk'] })
  await addEvent('Gone', '2026-03-03', fields)
  await addEvent('Draft', '2027-03-03', { ...fields, status: 'draft' })
  const { html } = await page('/event/main/')
  const more = [...html.matchAll(/<section class="more">([\s\S]*?)<\/section>/g)].map(([, inner = '']) =>
    textOf(inner),
  )
  expect(more).toEqual([
    // Each once, with the day on a tile.
    'More at this venue 2 Mar Tue, Mar 2, 8:00 PM Weekly Barn',
    'More in this category 3 Mar Wed, Mar 3, 8:00 PM Other',
  ])
  expect((await page('/event/weekly/2027-03-09/')).text).toContain(
    'More at this venue 1 Mar Mon, Mar 1, 8:00 PM Main',
  )
  expect((await page('/event/there/')).text).not.toContain('in this category')
  const cellar = (await makeVenue(admin, 'Cellar', { status: 'draft' })).id
  for (const title of ['Under', 'Below']) await addEvent(title, '2027-03-04', { venue: cellar })
  expect((await page('/event/under/')).text).not.toContain('at this venue')
})

it('the category of further events is the one above the title, the first by name', async () => {
  await addEvent('Stalls', '2027-03-08', { categories: ['Markets'] })
  await addEvent('Puppets', '2027-03-08', { categories: ['Children'] })
  await addEvent('Mixed', '2027-03-07', { categories: ['Markets', 'Children'] })
  const { html } = await page('/event/mixed/')
  expect(textOf(html.match(/<p class="category.*?<\/p>/s)?.[0] ?? '')).toBe('Children')
  expect(textOf(html.split('<section class="more">')[1] ?? '')).toMatch(/More in this category.* Puppets/)
})

it('a series that was split has no common rule, and names the dates of its other part', async () => {
  const venue = (await makeVenue(admin, 'Cabin')).id
  await addEvent('Regulars', '2027-04-06', { venue, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' } })
  const { body } = await send('GET', '/events/by-slug/regulars-2027-04-27')
  const json = { title: 'Latecomers', scope: 'following' }
  await send('PATCH', `/events/${body.id}`, { as: admin, json })
  const { html } = await page('/event/regulars/2027-05-04/')
  const dates = textOf(html.match(/<section class="other-dates">.*?<\/ul>/s)?.[0] ?? '')
  expect(dates).not.toContain('Every Tuesday')
  expect(dates.match(/Regulars/g)).toHaveLength(3)
  expect(dates).not.toContain('Latecomers')
  expect(html).not.toContain('More at this venue')
})

it('dates of one day are told apart by their time in the links to them', async () => {
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=2', rdate: ['2027-06-01 15:00', '2027-06-08 15:00'] }
  await addEvent('Twice', '2027-06-01', { recurrence })
  const { body } = await send('GET', '/events?search=twice&start_date=2027-06-01')
  const { pathname } = new URL(body.events[1].url)
  const pager = /<nav class="pager"[\s\S]*?<\/nav>/.exec((await page(pathname)).html)?.[0] ?? ''
  expect(textOf(pager)).toMatch(/Jun 1, 3:00 PM .*Jun 8, 3:00 PM/)
})

describe('times', () => {
  it('in lists are those of the calendar’s zone, followed by those of the event’s own zone, both named', async () => {
    await addEvent('Far', '2027-04-01', { timezone: 'America/Halifax' })
    const vars = { TIMEZONE: 'Europe/Berlin', LANGUAGE: 'de' }
    const { text } = await page('/events/?date=2027-04-01', { vars })
    expect(text).toMatch(
      /Freitag , 2\. April 01:00 MESZ bis 02:00 Far , [^,]*, 2\. April Do\., 1\. Apr\., 20:00–21:00 Uhr (?:GMT-3|ADT)/,
    )
    // One time is enough if both zones have the same offset.
    await addEvent('Near', '2027-04-10', { timezone: 'Europe/Paris' })
    expect((await page('/events/?date=2027-04-10', { vars })).text).toContain('20:00 bis 21:00 Near')
  })

  it('of several days end on the last day on which it is on', async () => {
    const daysOf = async (slug: string) =>
      textOf((await page(`/event/${slug}/`)).html.match(/<span class="line strong">.*?<\/span>/)?.[0] ?? '')
    for (const [title, start_date, end_date, fields] of [
      ['Till midnight', '2027-01-22 20:00', '2027-01-25 00:00', {}],
      ['From midnight', '2026-12-11 00:00', '2026-12-14 00:00', {}],
      ['Past midnight', '2027-01-22 20:00', '2027-01-25 00:01', {}],
      ['Whole days', '2027-01-22', '2027-01-24', { all_day: true }],
      ['Only to midnight', '2027-01-22 20:00', '2027-01-23 00:00', {}],
    ] as const)
      await makeEvent(admin, { title, start_date, end_date, ...fields })
    expect(await daysOf('till-midnight')).toBe('January 22 – 24, 2027')
    expect(await daysOf('from-midnight')).toBe('December 11 – 13, 2026')
    expect(await daysOf('past-midnight')).toBe('January 22 – 25, 2027')
    expect(await daysOf('whole-days')).toBe('January 22 – 24, 2027')
    expect(await daysOf('only-to-midnight')).toBe('Friday, January 22, 2027')
  })

  it('of all-day events don’t depend on the zone', async () => {
    const day = '2027-05-20'
    for (const [title, timezone] of [
      ['West', 'Pacific/Honolulu'],
      ['East', 'Pacific/Auckland'],
    ])
      await makeEvent(admin, { title, timezone, start_date: day, end_date: day, all_day: true })
    const vars = { TIMEZONE: 'Europe/Rome' }
    const on = async (path: string) =>
      (await page(path, { vars })).html.match(/East(?=<span)|West(?=<span)/g) ?? []
    expect((await on('/events/2027-05-20/')).sort()).toEqual(['East', 'West'])
    for (const other of ['2027-05-19', '2027-05-21']) expect(await on(`/events/${other}/`), other).toEqual([])
    const { html } = await page('/events/?date=2027-05-19', { vars })
    const headings = [...html.matchAll(/<time datetime="(2027-05-\d\d)"><span class="weekday"/g)].map(
      ([, key]) => key,
    )
    expect(headings[0]).toEqual(day)
    // The event is over a day later, although its UTC times overlap with that day.
    const next = await page('/events/?date=2027-05-21', { vars })
    expect(next.html).toContain(`<time datetime="${day}"><span class="weekday"`)
    expect(next.html).not.toContain('<time datetime="2027-05-21"><span class="weekday"')
  })

  it.each([
    ['en', 'until Sat, May 23 Westward', 'Earlier today: 1 event'],
    ['de', 'bis Sa., 23. Mai Westward', 'Heute schon vorbei: 1 Veranstaltung'],
    ['es', 'hasta el sáb, 23 may Westward', 'Hoy, ya terminado: 1 evento'],
    ['fr', 'jusqu’au sam. 23 mai Westward', 'Plus tôt aujourd’hui : 1 événement'],
  ])('of an all-day event that is still on further west are of today: %s', async (LANGUAGE, row, over) => {
    vi.setSystemTime('2026-05-23T12:00:00Z')
    const vars = { TIMEZONE: 'Europe/Rome', LANGUAGE }
    const day = '2026-05-23'
    const timezone = 'Pacific/Honolulu'
    const fields = { title: 'Westward', timezone, start_date: day, end_date: day, all_day: true }
    const { id } = await makeEvent(admin, fields)
    const headings = async (path: string) =>
      [...(await page(path, { vars })).html.matchAll(/<time datetime="([\d-]+)"><span class="weekday"/g)].map(
        ([, key]) => key,
      )
    vi.setSystemTime('2026-05-24T06:00:00Z')
    expect((await headings('/events/'))[0]).toBe('2026-05-24')
    for (const path of ['/events/', '/events/today/', '/embed/frame', '/events/?search=westward'])
      expect((await page(path, { vars })).text, path).toContain(row)
    // It ends at noon in Rome.
    vi.setSystemTime('2026-05-24T11:00:00Z')
    expect((await headings('/events/'))[0]).toBe('2026-05-24')
    expect((await page('/events/', { vars })).text).toContain(over)
    expect((await page('/events/today/', { vars })).text).not.toContain('Westward')
    await send('DELETE', `/events/${id}?force=true`, { as: admin })
  })
})
