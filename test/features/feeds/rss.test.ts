import { beforeAll, describe, expect, it } from 'vitest'
import { decodeEntities } from '../../../src/kit/lib/text.ts'
import { API, declareUser, makeEvent, send } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'

const admin = declareUser('administrator', 'admin')

beforeAll(async () => {
  const evening = {
    start_date: '2026-12-04 18:00',
    end_date: '2026-12-04 20:30',
    timezone: 'Europe/Berlin',
    venue: { venue: 'Hall & Co' },
  }
  await makeEvent(admin, { ...evening, title: 'Takes place', date: '2026-11-19 12:00' })
  for (const event_status of ['canceled', 'postponed', 'rescheduled'])
    await makeEvent(admin, { ...evening, title: `Was ${event_status}`, event_status })
  await makeEvent(admin, {
    title: 'Night',
    start_date: '2026-12-31 22:00',
    end_date: '2027-01-01 04:00',
    timezone: 'UTC+2',
  })
  await makeEvent(admin, { title: 'Moment', start_date: '2026-12-05 18:00', end_date: '2026-12-05 18:00' })
  await makeEvent(admin, { title: 'Day', all_day: true, start_date: '2026-12-06', end_date: '2026-12-06' })
  await makeEvent(admin, { title: 'Days', all_day: true, start_date: '2026-12-30', end_date: '2027-01-02' })
})

const feed = async (LANGUAGE: string): Promise<string> =>
  (await sendWith({ LANGUAGE })('GET', '/events.rss')).text

const elementText = (xml: string, element: string): string =>
  (new RegExp(`<${element}>([^<]*)<`).exec(xml)?.[1] ?? '')
    .replaceAll('\u202f', ' ')
    .replaceAll('\u2009', ' ')

/** The texts of each item, by its title. */
const items = (xml: string): Record<string, string> =>
  Object.fromEntries(
    xml
      .split('<item>')
      .slice(1)
      .map(item => [elementText(item, 'title'), elementText(item, 'description')]),
  )

describe('RSS', () => {
  it('says in words when and where, and which events do not take place as announced', async () => {
    const place = '6:00 – 8:30 PM (Central European Standard Time) · Hall &amp; Co'
    expect(items(await feed('en'))).toEqual({
      'Takes place': `Friday, December 4, 2026, ${place}`,
      'Cancelled: Was canceled': `Cancelled · Friday, December 4, 2026, ${place}`,
      'Postponed: Was postponed': `Postponed · Friday, December 4, 2026, ${place}`,
      'New date: Was rescheduled': `New date · Friday, December 4, 2026, ${place}`,
      Night: 'Thursday, December 31, 2026, 10:00 PM – Friday, January 1, 2027, 4:00 AM (UTC+2)',
      Moment: 'Saturday, December 5, 2026, 6:00 PM (Coordinated Universal Time)',
      Day: 'Sunday, December 6, 2026',
      Days: 'December 30, 2026 – January 2, 2027',
    })
  })

  it('does so in the language of the site, and describes itself', async () => {
    const german = await feed('de')
    expect(Object.keys(items(german))).toContain('Abgesagt: Was canceled')
    expect(items(german)).toMatchObject({
      'Takes place':
        'Freitag, 4. Dezember 2026, 18:00–20:30\u00a0Uhr (Mitteleuropäische Normalzeit) · Hall &amp; Co',
      Day: 'Sonntag, 6. Dezember 2026',
    })
    // What was published last comes first.
    expect(Object.keys(items(german)).at(-1)).toBe('Takes place')
    const [channel = ''] = german.split('<item>')
    expect(elementText(channel, 'description')).toBe('Was läuft, wann und wo.')
    expect(elementText(await feed('en'), 'description')).toBe('What is on, when and where.')
  })

  it('escapes the place in its HTML, and its own address in XML', async () => {
    const venue = { venue: 'Hall &lt;img src=x onerror=alert(1)&gt;' }
    await makeEvent(admin, { title: 'Written', description: '<p>Come</p>', venue })
    const { text: xml } = await send('GET', '/events.rss?search=written&venue=2')
    const html = decodeEntities(xml.match(/<content:encoded>(.*)<\/content:encoded>/s)?.[1] ?? '')
    expect(html).toContain('<p>Come</p>')
    expect(html).not.toContain('<img')
    expect(xml).toContain(`href="${API}/events.rss?search=written&amp;venue=2"`)
  })
})

describe('JSON Feed', () => {
  it('says the same in title and text', async () => {
    await makeEvent(admin, {
      title: 'Described',
      description: 'Bring a cup.',
      event_status: 'canceled',
      all_day: true,
      start_date: '2026-12-08',
      end_date: '2026-12-08',
      venue: { venue: 'Hall & Co' },
    })
    const [item] = JSON.parse((await send('GET', '/events.feed.json?search=described')).text).items
    expect(item.title).toBe('Cancelled: Described')
    expect(item.content_html).toBe(
      '<p>Cancelled · Tuesday, December 8, 2026 · Hall &amp; Co</p><p>Bring a cup.</p>',
    )
  })

  it('names the type of an image by its address, or none', async () => {
    for (const [image, type] of [
      ['https://example.org/a.svg', 'image/svg+xml'],
      ['https://example.org/a.png', 'image/png'],
      ['https://example.org/a', undefined],
    ]) {
      const { id } = await makeEvent(admin, { title: 'Shown', image })
      const { text } = await send('GET', `/events/${id}.ics`)
      const [, parameters] = /^IMAGE;(.*?):https/m.exec(text.replaceAll('\r\n ', '')) ?? []
      expect(/FMTTYPE=(.*)/.exec(parameters ?? '')?.[1], image).toBe(type)
    }
  })
})
