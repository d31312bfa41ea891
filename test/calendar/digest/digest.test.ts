import { beforeAll, describe, expect, it } from 'vitest'
import { renderDigest, selectDigest } from '../../../src/calendar/digest/digest.ts'
import { declareUser, makeAll } from '../../factories.ts'
import { contextFor } from '../events/listing/calendar.ts'

const admin = declareUser('administrator', 'admin')
const context = contextFor({ id: 1, role: 'administrator' }, 'Europe/Berlin')

beforeAll(async () => {
  const days = Array.from({ length: 10 }, (_, i) => 20 + i)
  await makeAll(
    admin,
    'events',
    [
      ...days.flatMap(day => [
        [`${day} morning`, `2026-11-${day} 09:00`, `2026-11-${day} 10:00`],
        [`${day} evening`, `2026-11-${day} 17:00`, `2026-11-${day} 20:00`],
      ]),
      ['Began yesterday', '2026-11-19 12:00', '2026-11-21 12:00'],
      ['Over', '2026-11-19 12:00', '2026-11-20 06:00'],
    ].map(([title, start_date, end_date]) => ({ title, start_date, end_date, timezone: 'Europe/Berlin' })),
  )
  await makeAll(admin, 'events', [
    { title: 'Draft', start_date: '2026-11-20 19:00', end_date: '2026-11-20 20:00', status: 'draft' },
  ])
})

const read = (from: string, days: number) =>
  context.db.read(selectDigest(context, { values: { status: ['draft', 'publish'] }, days, from }))

describe('a digest that begins during a day', () => {
  it.each([
    // Berlin is an hour ahead of UTC.
    [
      '2026-11-20 06:00:00',
      2,
      '2026-11-21',
      ['20 morning', '20 evening', '21 morning', '21 evening', 'Began yesterday'],
    ],
    ['2026-11-20 10:59:59', 1, '2026-11-20', ['20 evening', 'Began yesterday']],
    // From noon on, the rest of the day comes on top: else a weekly letter would leave out the mornings of
    // its own weekday.
    ['2026-11-20 11:00:00', 1, '2026-11-21', ['20 evening', '21 morning', '21 evening', 'Began yesterday']],
    ['2026-11-20 17:00:00', 1, '2026-11-21', ['20 evening', '21 morning', '21 evening', 'Began yesterday']],
    ['2026-11-20 19:00:00', 1, '2026-11-21', ['21 morning', '21 evening', 'Began yesterday']],
  ])('has what is still on at %s, and %i whole days', async (from, days, last, titles) => {
    const digest = await read(from, days)
    expect(digest.events.map(({ title }) => title)).toEqual(titles)
    expect([digest.total, digest.days]).toEqual([titles.length, { first: '2026-11-20', last }])
  })

  it('leaves nothing out between two weekly ones', async () => {
    for (const hour of ['12', '18']) {
      const { days } = await read(`2026-11-20 ${hour}:00:00`, 7)
      const next = await read(`2026-11-27 ${hour}:00:00`, 7)
      expect([days?.last, next.days?.first], hour).toEqual(['2026-11-27', '2026-11-27'])
    }
  })
})

describe('a letter', () => {
  it('leaves a whole day of yesterday that is still on further west to its own day', async () => {
    await makeAll(admin, 'events', [
      {
        title: 'Far west',
        start_date: '2027-01-14',
        end_date: '2027-01-14',
        all_day: true,
        timezone: 'America/Los_Angeles',
      },
      {
        title: 'Of the day',
        start_date: '2027-01-15 19:00',
        end_date: '2027-01-15 20:00',
        timezone: 'Europe/Berlin',
      },
    ])
    const { text } = renderDigest(context, await read('2027-01-15 06:00:00', 1), {
      language: 'en',
      intro: '',
    })
    expect(text).toContain('Of the day')
    expect(text).not.toMatch(/Far west|Ongoing|January 14/i)
  })

  it('has the name of the calendar and an opening text, whatever is in them', async () => {
    const named = { ...context, settings: { ...context.settings, siteName: 'Diese\r\nWoche <b>' } }
    const { html, text } = renderDigest(named, await read('2026-11-20 06:00:00', 1), {
      language: 'de',
      intro: 'Guten Tag,\nhier <ist> alles.\n\n\n  Bis bald! ',
    })
    expect(text).toMatch(
      /^Diese Woche <b>\n=+\nFreitag, 20\. November 2026\n\nGuten Tag,\nhier <ist> alles\.\n\nBis bald!\n\n/,
    )
    expect(html).toContain('>Diese Woche &lt;b&gt;</h1>')
    expect(html).toContain('>Guten Tag,<br>hier &lt;ist&gt; alles.</td>')
    expect(html).toContain('<title>Diese Woche &lt;b&gt;</title>')
  })
})
