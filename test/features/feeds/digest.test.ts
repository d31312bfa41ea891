import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { API, declareUser, makeAll, makeCategory, makeEvent, makeVenue, SITE, send } from '../../factories.ts'
import { request } from '../../request.ts'

// Now is Friday, 20 November 2026, 12:00 UTC.

const admin = declareUser('administrator', 'admin')

const digest = (query = '', form = 'txt') => send('GET', `/events/digest.${form}${query}`)

async function digestText(query: string): Promise<string> {
  const { status, text } = await digest(query)
  expect(status, text).toBe(200)
  return text
}

/** The titles in the plain form below each heading: a title is the line after the time. */
async function titlesBelow(query: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  let heading = ''
  for (const block of (await digestText(query)).split('\n\n')) {
    const [first = '', second = ''] = block.split('\n')
    if (/^-+$/.test(second)) heading = first
    else if (/\/event\//.test(block)) found[heading] = [...(found[heading] ?? []), second]
  }
  return found
}

const at = (start_date: string, end_date: string) => ({ start_date, end_date })

beforeAll(async () => {
  const { id } = await makeVenue(admin, 'Cleere’s Theatre', { city: 'Kilkenny' })
  const { id: session } = await makeCategory(admin, 'Session')
  await makeEvent(admin, {
    title: 'Session & songs',
    ...at('2026-11-20 20:30', '2026-11-20 23:00'),
    venue: id,
    cost: '10',
    ticket_availability: 'few',
    excerpt: 'Bring an instrument.',
    categories: [session],
    image: 'https://images.example/fiddle.jpg?a=1&b=2',
  })
  await makeAll(admin, 'events', [
    { title: 'Breakfast', ...at('2026-11-20 08:00', '2026-11-20 09:00') },
    { title: 'Called off', ...at('2026-11-21 20:00', '2026-11-21 22:00'), event_status: 'canceled' },
    { title: 'Festival', ...at('2026-11-21 18:00', '2026-11-24 02:00') },
    { title: 'Exhibition', ...at('2026-10-01', '2026-12-31'), all_day: true },
    { title: 'Last second', ...at('2026-11-26 23:59:59', '2026-11-27 01:00') },
    { title: 'Next week', ...at('2026-11-27 00:00', '2026-11-27 01:00') },
    { title: 'Is over', ...at('2026-11-19 20:00', '2026-11-20 00:00') },
    {
      title: 'From New York',
      ...at('2026-11-24 19:00', '2026-11-24 20:30'),
      timezone: 'America/New_York',
      is_virtual: true,
      virtual_url: 'https://stream.example/',
    },
  ])
})

describe('the plain form', () => {
  it('reads like a letter', async () => {
    const { text, headers } = await digest('?days=1')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toBe(`Events
======
Friday, November 20, 2026

Friday, November 20
-------------------

8:00 – 9:00 AM
Breakfast
https://calendar.example/event/breakfast/

8:30 – 11:00 PM
Session & songs
Cleere’s Theatre, Kilkenny
$10 · Few left
Bring an instrument.
https://calendar.example/event/session-songs/

Ongoing
-------

Until Thu, Dec 31
Exhibition
https://calendar.example/event/exhibition/

--------

See all upcoming events
https://calendar.example/events/
`)
  })

  it('has events by day, each once, those that began before at the end', async () => {
    expect(await titlesBelow('')).toEqual({
      'Friday, November 20': ['Breakfast', 'Session & songs'],
      'Saturday, November 21': ['Festival', 'CANCELLED: Called off'],
      'Wednesday, November 25': ['From New York'],
      'Thursday, November 26': ['Last second'],
      Ongoing: ['Exhibition'],
    })
    const text = await digestText('')
    expect(text).toContain('6:00 PM, until Tue, Nov 24\nFestival')
    expect(text).toContain(
      '12:00 – 1:30 AM UTC · Tue, Nov 24, 7:00 – 8:30 PM EST\nFrom New York\nOnline event',
    )
  })

  it('leaves what ends in the small hours, and whole days further west, to the day before', async () => {
    const { id: nights } = await makeCategory(admin, 'Nights')
    const made = { categories: [nights] }
    const { id } = await makeEvent(admin, {
      title: 'Till two',
      ...at('2028-05-04 22:00', '2028-05-05 02:00'),
      ...made,
    })
    const west = { ...at('2028-05-04', '2028-05-04'), all_day: true, timezone: 'America/Los_Angeles' }
    await makeAll(admin, 'events', [
      { title: 'Till six', ...at('2028-05-04 22:30', '2028-05-05 06:00'), ...made },
      { title: 'Till breakfast', ...at('2028-05-04 23:00', '2028-05-05 06:30'), ...made },
      { title: 'Two nights', ...at('2028-05-03 22:00', '2028-05-05 03:00'), ...made },
      { title: 'Next night', ...at('2028-05-05 22:00', '2028-05-06 02:00'), ...made },
      { title: 'West', ...west, ...made },
      { title: 'Show', ...at('2028-04-01', '2028-05-05'), all_day: true, ...made },
    ])
    for (const days of ['start_date=2028-05-05&days=2', 'happening=2028-05-05/2028-05-06']) {
      expect(await titlesBelow(`?categories=nights&${days}`)).toEqual({
        'Friday, May 5': ['Next night'],
        Ongoing: ['Show', 'Two nights', 'Till breakfast'],
      })
      expect((await digest(`?categories=nights&${days}`)).headers.get('x-shortened')).toBeNull()
    }
    expect(await titlesBelow('?categories=nights&start_date=2028-05-04&days=1')).toEqual({
      'Thursday, May 4': ['West', 'Till two', 'Till six', 'Till breakfast'],
      Ongoing: ['Show', 'Two nights'],
    })
    expect(Object.values(await titlesBelow(`?include=${id}`)).flat()).toEqual(['Till two'])
  })

  it.each([
    ['en', 'November 20 – 26, 2026', 'Saturday, November 21', 'CANCELLED: ', 'Ongoing'],
    ['de', '20.–26. November 2026', 'Samstag, 21. November', 'ABGESAGT: ', 'Läuft weiterhin'],
    ['es', '20–26 de noviembre de 2026', 'Sábado, 21 de noviembre', 'CANCELADO: ', 'En curso'],
    ['fr', '20–26 novembre 2026', 'Samedi 21 novembre', 'ANNULÉ\u00a0: ', 'Toujours en cours'],
  ])('has the words and dates of %s', async (language, days, day, cancelled, ongoing) => {
    const text = await digestText(`?language=${language}-CH`.replace('en-CH', 'en-GB'))
    for (const words of [days, `${day}\n---`, `${cancelled}Called off`, `${ongoing}\n---`])
      expect(text).toContain(words)
  })
})

describe('the page', () => {
  it('is a letter that loads nothing but images', async () => {
    const { text, headers } = await digest('?days=1&language=de', 'html')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; img-src https: http:; style-src 'unsafe-inline'(?!.*script)/,
    )
    expect(text).toContain('<html lang="de" dir="ltr">')
    expect(text).toContain('Session &amp; songs</a>')
    expect(text).toContain('<img src="https://images.example/fiddle.jpg?a=1&amp;b=2" alt="" width="80"')
    expect(text).not.toMatch(/<script|<link|<form|display: ?(flex|grid)|var\(|class="[^"]*"[^>]*class=/)
  })

  it('has the name, colour and links of the calendar', async () => {
    const bindings = {
      ...env,
      SITE_NAME: 'What’s on in Kilkenny',
      ACCENT_COLOR: '#b00020',
      FOOTER_TEXT: 'Made by <b>volunteers</b>',
      IMPRINT_URL: '/imprint',
    }
    const texts = await Promise.all(
      ['html', 'txt'].map(async form => (await request(`${API}/events/digest.${form}`, {}, bindings)).text()),
    )
    for (const text of texts)
      for (const part of ['What’s on in Kilkenny', 'Made by volunteers', `${SITE}/imprint`])
        expect(text).toContain(part)
    expect(texts[0]).toContain('background:#b00020')
  })
})

describe('the days', () => {
  it.each([
    ['days=1', 3],
    ['days=8', 8],
    ['days=62', 8],
    ['start_date=2026-11-21&days=1', 3],
    ['start_date=tomorrow&days=2', 3],
    ['happening=2026-11-27', 2],
    ['happening=this weekend', 3],
    ['ends_before=2026-11-20', 2],
    ['include=2,6&days=1', 2],
    ['categories=session', 1],
    ['venue=1&search=songs', 1],
    ['event_status=canceled', 1],
    ['order=desc&per_page=1&page=9', 7],
  ])('and filters apply: %s', async (query, count) => {
    expect(Object.values(await titlesBelow(`?${query}`)).flat()).toHaveLength(count)
  })

  it('are those of the list with `happening`', async () => {
    const { body } = await send('GET', '/events?happening=2026-11-20/2026-11-26&per_page=100')
    expect(Object.values(await titlesBelow('')).flat()).toHaveLength(body.total)
  })

  it.each([
    [
      '2027-03-28',
      ['2027-03-27 23:59', '2027-03-28 00:00', '2027-03-28 03:30', '2027-03-28 23:59', '2027-03-29 00:00'],
    ],
    [
      '2027-10-31',
      ['2027-10-30 23:59', '2027-10-31 00:00', '2027-10-31 02:30', '2027-10-31 23:59', '2027-11-01 00:00'],
    ],
  ])('are whole in the zone of the calendar when clocks change: %s', async (day, starts) => {
    const { id } = await makeCategory(admin, day)
    const times = starts.map(start => ({
      title: start,
      ...at(start, start),
      timezone: 'Europe/Berlin',
      categories: [id],
    }))
    await makeAll(admin, 'events', times)
    const address = `${API}/events/digest.txt?start_date=${day}&days=1&categories=${id}`
    const text = await (
      await request(address, {}, { ...env, TIMEZONE: 'Europe/Berlin', LANGUAGE: 'de' })
    ).text()
    expect(text.match(/^.*\u00a0Uhr$/gm)).toEqual(
      starts.slice(1, 4).map(start => `${start.slice(11)}\u00a0Uhr`),
    )
  })

  it.each(['days=0', 'days=63', 'days=x', 'language=xx', 'happening=never', 'categories=none', 'venue=999'])(
    'and filters with invalid values are errors: %s',
    async query => {
      const { status, body } = await digest(`?${query}`)
      expect([status, body.code]).toEqual([400, 'rest_invalid_param'])
      expect(Object.keys(body.data.params)).toEqual([query.split('=')[0]])
    },
  )

  it('without events say so', async () => {
    for (const form of ['txt', 'html'])
      expect((await digest('?start_date=2030-01-01', form)).text, form).toContain(
        'Nothing is announced for these days.',
      )
  })
})

describe('hostile texts', () => {
  it('add no markup, lines or directions', async () => {
    const title =
      '</a><script>alert(1)</script>&lt;img src=x onerror=alert(1)&gt; &#10;Bcc: all@example.org \u202eevil&#x202e;'
    const { id } = await makeEvent(admin, {
      title,
      ...at('2028-01-01 10:00', '2028-01-01 11:00'),
      website: 'https://example.org/',
      cost: '<b>1</b>',
      excerpt: '<p onclick="x()">One<script>two</script> &lt;script&gt;three</p>',
      venue: { venue: '"><svg onload=alert(1)>&#10;Hall', city: '&#x2028;Kilkenny' },
    })
    const [html, text] = await Promise.all(
      ['html', 'txt'].map(async form => (await digest(`?include=${id}`, form)).text),
    )
    expect(
      html?.match(
        /<(?!\/?(?:html|head|meta|title|style|body|div|table|tr|td|h[12]|a|br|span|strong)\b|!)[^>]*/g,
      ),
    ).toBeNull()
    expect(html).not.toMatch(/\son\w+="|javascript:/)
    expect(text).toContain('Bcc: all@example.org')
    for (const form of [html, text]) {
      expect(form).not.toMatch(/[\u202a-\u202e\u2028]/)
      expect(form).not.toMatch(/^Bcc/m)
    }
  })

  it('are cut between characters, and don’t move what is beside them', async () => {
    const { id } = await makeEvent(admin, {
      title: '🎻'.repeat(150),
      ...at('2028-01-01 10:00', '2028-01-01 11:00'),
      cost: '10',
      venue: { venue: 'مسرح', city: 'بيروت' },
    })
    const [html, text] = await Promise.all(
      ['html', 'txt'].map(async form => (await digest(`?include=${id}`, form)).text),
    )
    for (const form of [html, text]) expect(form).toMatch(/🎻…/u)
    for (const form of [html, text]) expect(form).not.toContain('\ufffd')
    expect(html).toContain('<span dir="auto">مسرح, بيروت</span> · ')
  })

  it('of any length leave lines and pages readable', async () => {
    const { id } = await makeEvent(admin, {
      title: `${'word '.repeat(390)}`,
      ...at('2028-01-01 10:00', '2028-01-01 11:00'),
    })
    const text = await digestText(`?include=${id}`)
    expect(
      Math.max(
        ...text
          .split('\n')
          .filter(line => !line.includes('://'))
          .map(line => line.length),
      ),
    ).toBeLessThan(73)
    expect(text).toMatch(/word…$/m)
    // Each of these is unknown to some mail programs.
    const { text: html } = await digest(`?include=${id}`, 'html')
    for (const style of ['word-break:break-word', 'word-wrap:break-word', 'table-layout:fixed'])
      expect(html).toContain(style)
  })
})

describe('a thousand events', () => {
  const GRADE = { grade: { label: 'Grade', value: '6' } }

  it('are fifty, and a link to all', async () => {
    const many = (n: number, fields: (i: number) => object) =>
      Array.from({ length: n }, (_, i) => ({ ...at('2029-05-01 10:00', '2029-05-01 11:00'), ...fields(i) }))
    for (let i = 0; i < 10; i++)
      await makeAll(
        admin,
        'events',
        many(100, n => ({ title: `Small ${i} ${n}`, categories: ['Small'], custom_fields: GRADE })),
      )
    const query = '?start_date=2029-05-01&days=2&categories=small&custom_fields[grade]=6'
    const { text, headers } = await digest(query)
    expect(headers.get('x-shortened')).toBe('true')
    expect(text.match(/^Small/gm)).toHaveLength(50)
    const more = `${SITE}/events/?categories=small&custom_fields%5Bgrade%5D=6&date=2029-05-01&until=2029-05-02`
    expect(text).toContain(`And 950 more events\n${more}\n`)
    const page = await request(more)
    expect(await page.text()).toContain('<span></span>1,000<span> events</span>')
    const long = (i: number) => ({
      title: `${i} ${'Größe & '.repeat(40)}`,
      excerpt: 'Ganz lang. '.repeat(30),
      venue: { venue: `${'Ü'.repeat(90)} ${i}`, city: '&'.repeat(100) },
      categories: ['Large'],
    })
    await makeAll(admin, 'events', many(60, long))
    const { text: html } = await digest('?start_date=2029-05-01&categories=large', 'html')
    expect(html.match(/\/event\//g)).toHaveLength(50)
    expect(html).toContain('And 10 more events</a>')
    expect(Buffer.byteLength(html)).toBeLessThan(102_000)
    const plain = await digestText('?start_date=2029-05-01&categories=large')
    expect(plain.match(/\/event\//g)).toHaveLength(50)
  })
})
