import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { API, makeEvent, makeOrganizer, makeVenue, SITE, send, user } from '../../factories.ts'
import { png } from '../../resources/media/build.ts'
import { upload } from '../../resources/media/upload.ts'
import { canonical, dataIn, meta, page } from './page.ts'

const admin = user('administrator', 'admin')
let jazz: number

beforeAll(async () => {
  const hall = await makeVenue(admin, 'The Hall', {
    address: '1 Lane',
    zip: 'R95',
    city: 'Kent',
    country: 'Ireland',
    geo_lat: 52.65,
    geo_lng: -7.25,
  })
  const bare = await makeVenue(admin, 'Somewhere')
  const guild = await makeOrganizer(admin, 'The Guild')
  const { id } = await makeEvent(admin, {
    title: 'Jazz night',
    start_date: '2026-12-10 20:00',
    end_date: '2026-12-10 23:00',
    timezone: 'America/Halifax',
    description: '<p>Three <strong>bands</strong>.</p>',
    venue: hall.id,
    organizer: guild.id,
    categories: ['Music'],
    tags: ['outdoors'],
    cost: '$10 - $25',
    website: 'https://tickets.example.org/jazz',
    image: { url: 'https://img.example.org/jazz.jpg', width: 1200, height: 800 },
  })
  jazz = id
  await makeEvent(admin, {
    title: 'Fair',
    start_date: '2026-12-11',
    end_date: '2026-12-13',
    all_day: true,
    venue: bare.id,
  })
  await makeEvent(admin, { title: 'Nowhere', start_date: '2026-12-11 10:00', end_date: '2026-12-12 09:00' })
})

describe('the page of an event', () => {
  it('says when it is, at the site first and then where it is', async () => {
    const { text, html } = await page('/event/jazz-night/', {
      vars: { TIMEZONE: 'Europe/Dublin', LANGUAGE: 'en-IE' },
    })
    expect(text).toContain('Friday 11 December 2026 00:00–03:00 Greenwich Mean Time')
    expect(text).toContain('Thursday 10 December 2026, 20:00–23:00 in Atlantic Standard Time')
    expect(html).toContain('<time datetime="2026-12-10T20:00:00-04:00">')
    const own = await page('/event/jazz-night/', { vars: { TIMEZONE: 'America/Halifax' } })
    expect(own.text).not.toContain('Standard Time')
    // Those who share it elsewhere are in yet another zone.
    expect(meta(html, 'description')).toMatch(
      /^Friday 11 December 2026 00:00–03:00 \(Greenwich Mean Time\) · The Hall, Kent · /,
    )
  })

  it('says it of an evening that ends at midnight, in lists and feeds too', async () => {
    const { id } = await makeEvent(admin, {
      title: 'Late',
      start_date: '2026-11-24 21:30',
      end_date: '2026-11-25 00:00',
    })
    const vars = { LANGUAGE: 'de' }
    expect((await page('/event/late/', { vars })).text).toContain(
      'Dienstag, 24. November 2026 21:30–00:00 Uhr',
    )
    expect((await page('/events/', { vars })).text).toMatch(/ 21:30–00:00 Uhr Late/)
    const { html: feed } = await page(`${API}/events.rss`, { vars })
    expect(feed).toContain('Dienstag, 24. November 2026, 21:30–00:00 Uhr (Koordinierte Weltzeit)')
    await send('DELETE', `/events/${id}`, { as: admin })
  })

  it('says it of whole days and of nights', async () => {
    expect((await page('/event/fair/')).text).toContain('December 11 – 13, 2026 All day')
    expect((await page('/event/nowhere/')).text).toContain(
      'December 11 – 12, 2026 Fri, Dec 11, 10:00 AM – Sat, Dec 12, 9:00 AM',
    )
  })

  it('says where it is, who makes it, what it costs, and shows all that belongs to it', async () => {
    const { text, html, links } = await page('/event/jazz-night/')
    expect(text).toContain('The Hall 1 Lane R95 Kent Ireland Show on a map')
    expect(text).toContain('Organizer The Guild Cost $10 – $25 Website tickets.example.org')
    expect(html).toContain('<p>Three <strong>bands</strong>.</p>')
    expect(html).toContain('src="https://img.example.org/jazz.jpg"')
    expect(links).toEqual(
      expect.arrayContaining([
        '/venue/the-hall/',
        '/organizer/the-guild/',
        '/events/category/music/',
        '/tag/outdoors/',
        'https://www.openstreetmap.org/?mlat=52.65&mlon=-7.25#map=17/52.65/-7.25',
        'https://tickets.example.org/jazz',
      ]),
    )
  })

  it('offers to add it to calendars', async () => {
    const { links } = await page('/event/jazz-night/')
    const google = new URL(links.find(href => href.startsWith('https://calendar.google.com/')) ?? '')
    expect(google.searchParams.get('dates')).toBe('20261211T000000Z/20261211T030000Z')
    expect(google.searchParams.get('location')).toBe('The Hall, 1 Lane, R95, Kent, Ireland')
    const outlook = new URL(links.find(href => href.startsWith('https://outlook.live.com/')) ?? '')
    expect(outlook.searchParams.get('startdt')).toBe('2026-12-11T00:00:00Z')
    expect(links).toContain(`/calendar/events/v1/events/${jazz}.ics`)
    const whole = (await page('/event/fair/')).links.find(href =>
      href.startsWith('https://calendar.google.com/'),
    )
    expect(new URL(whole ?? '').searchParams.get('dates')).toBe('20261211/20261214')
  })

  it('ends in calendars after its last day', async () => {
    const { html } = await page('/event/fair/')
    for (const end of ['20261211%2F20261214', 'enddt=2026-12-14']) expect(html).toContain(end)
  })

  it('leads to the API’s calendar of it', async () => {
    const { status, headers } = await page('/event/jazz-night/?ical=1')
    expect([status, headers.get('location')]).toEqual([302, `${API}/events/${jazz}.ics`])
    expect((await page(`${API}/events/${jazz}.ics`)).html).toContain('SUMMARY:Jazz night')
    const hidden = await makeEvent(admin, { title: 'Draft', status: 'draft' })
    expect((await page(`/event/${hidden.slug}/?ical=1`)).status).toBe(404)
  })

  it('says what its image shows, as lists do', async () => {
    const { body } = await upload(admin, png(40, 30), {
      query: `?alt_text=${encodeURIComponent('A lamb & "its" piano')}`,
    })
    const image = { id: body.id }
    await makeEvent(admin, {
      title: 'Lamb',
      image,
      start_date: '2026-12-14 10:00',
      end_date: '2026-12-14 11:00',
    })
    await makeVenue(admin, 'The lamb', { image })
    const alt = 'alt="A lamb &amp; &quot;its&quot; piano"'
    const { html } = await page('/event/lamb/')
    expect(html).toContain(alt)
    expect(meta(html, 'og:image:alt')).toBe('A lamb & "its" piano')
    for (const path of ['/events/list/?start_date=2026-12-14', '/venue/the-lamb/', '/venues/'])
      expect((await page(path)).html, path).toContain(alt)
    // Without a text it is decorative.
    expect((await page('/event/jazz-night/')).html).toMatch(/jazz\.jpg"[^>]* alt=""/)
  })

  it('can be shared: a title, a description, an image and one address', async () => {
    const SITE_URL = 'https://www.example.org'
    const { html, links } = await page('/event/jazz-night/', { vars: { SITE_URL, SITE_NAME: 'What’s on' } })
    const url = `${SITE_URL}/event/jazz-night/`
    expect(html).toContain('<title>Jazz night · What’s on</title>')
    expect([meta(html, 'og:title'), meta(html, 'og:url'), meta(html, 'og:site_name')]).toEqual([
      'Jazz night',
      url,
      'What’s on',
    ])
    expect(meta(html, 'og:locale')).toBe('en_US')
    expect(meta((await page('/events/', { vars: { LANGUAGE: 'de-AT' } })).html, 'og:locale')).toBe('de_AT')
    expect(meta(html, 'og:image')).toBe('https://img.example.org/jazz.jpg')
    expect(meta(html, 'description')).toMatch(
      /^Friday, December 11, 2026 .* · The Hall, Kent · Three bands\.$/,
    )
    expect(canonical(html)).toBe(url)
    expect(links).toContain(`mailto:?subject=Jazz%20night&body=${encodeURIComponent(url)}`)
    expect(html).toContain(
      `<link rel="alternate" type="application/json" href="${SITE}/calendar/events/v1/events/`,
    )
  })
})

describe('JSON-LD', () => {
  /** The rules of https://developers.google.com/search/docs/appearance/structured-data/event */
  function expectValid(data: ReturnType<typeof dataIn>) {
    expect(data['@context']).toBe('https://schema.org')
    expect(data['@type']).toBe('Event')
    expect(data.name).toMatch(/\S/)
    const iso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?$/
    expect(data.startDate).toMatch(iso)
    expect(data.endDate).toMatch(iso)
    expect(data.eventStatus).toMatch(
      /^https:\/\/schema\.org\/Event(Scheduled|Cancelled|Postponed|Rescheduled)$/,
    )
    for (const place of [data.location].flat()) {
      expect(['Place', 'VirtualLocation']).toContain(place['@type'])
      expect(place['@type'] === 'Place' ? place.address : place.url).toBeTruthy()
    }
    for (const image of [data.image ?? []].flat()) expect(URL.canParse(image)).toBe(true)
    for (const offer of [data.offers ?? []].flat()) {
      expect(Number(offer.price)).toBeGreaterThanOrEqual(0)
      expect(offer.priceCurrency).toMatch(/^[A-Z]{3}$/)
      expect(URL.canParse(offer.url)).toBe(true)
    }
  }

  it('meets the rules for events', async () => {
    const data = dataIn((await page('/event/jazz-night/')).html)
    expectValid(data)
    expect(data).toMatchObject({
      startDate: '2026-12-10T20:00:00-04:00',
      location: {
        '@type': 'Place',
        name: 'The Hall',
        address: { streetAddress: '1 Lane', postalCode: 'R95' },
      },
      organizer: { name: 'The Guild' },
      offers: { price: '10', priceCurrency: 'USD', url: 'https://tickets.example.org/jazz' },
    })
  })

  it('has texts as they are', async () => {
    await makeEvent(admin, { title: 'Tea < coffee', slug: 'tea', venue: { venue: 'Café' } })
    expect(dataIn((await page('/event/tea/')).html).name).toBe('Tea < coffee')
  })

  it('has days without times for what lasts whole days, and an address for every place', async () => {
    const data = dataIn((await page('/event/fair/')).html)
    expectValid(data)
    expect(data).toMatchObject({
      startDate: '2026-12-11',
      endDate: '2026-12-13',
      location: { address: 'Somewhere' },
    })
  })

  it('is left out where there is no place, for search engines want one', async () => {
    expect(dataIn((await page('/event/nowhere/')).html)).toBeUndefined()
  })

  it('is there for venues and organizers', async () => {
    expect(dataIn((await page('/venue/the-hall/')).html)).toMatchObject({
      '@type': 'Place',
      name: 'The Hall',
    })
    expect(dataIn((await page('/organizer/the-guild/')).html)['@type']).toMatch(/Person|Organization/)
  })
})

describe('hostile titles and descriptions', () => {
  const HOSTILE =
    '"><img src=x onerror=alert(1)>&lt;script&gt;alert(2)&lt;/script&gt;</script><!--\u2028{{x}}'

  it('stay text everywhere', async () => {
    const fields = {
      description: HOSTILE,
      excerpt: HOSTILE,
      slug: 'hostile',
      cost: HOSTILE,
      tags: [HOSTILE],
      categories: [HOSTILE],
    }
    const venue = await makeVenue(admin, `Venue ${HOSTILE}`, {
      slug: 'hostile',
      address: HOSTILE,
      city: HOSTILE,
      phone: HOSTILE,
      description: HOSTILE,
    })
    const organizer = await makeOrganizer(admin, `Guild ${HOSTILE}`, {
      slug: 'hostile',
      phone: HOSTILE,
      description: HOSTILE,
    })
    await makeEvent(admin, { title: `Event ${HOSTILE}`, venue: venue.id, organizer: organizer.id, ...fields })
    const { body } = await send('GET', '/categories')
    const paths = ['/event/hostile/', '/venue/hostile/', '/organizer/hostile/', '/venues/', '/organizers/']
    const lists = [
      '/events/2027-01/',
      '/events/2027-01-10/',
      `/events/?search=${encodeURIComponent(HOSTILE)}`,
    ]
    const category = body.categories.find(({ name }: { name: string }) => name.includes('alert')).url
    for (const path of [
      ...paths,
      ...lists,
      category,
      '/embed/fragment',
      '/embed?categories=%22%3E%3Cimg%20onerror%3D1%3E',
    ]) {
      const { status, html } = await page(path)
      expect([path, status < 500]).toEqual([path, true])
      const elements = html.replace(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
      expect([path, elements.match(/<[^>"]*(?:"[^"]*"[^>"]*)*\bonerror=(?![^"]*"[^>]*>)/)]).toEqual([
        path,
        null,
      ])
      expect(elements).not.toMatch(/<script(?! type="module" src="\/)/)
      expect(html).not.toMatch(/<!--/)
    }
    const { html } = await page('/event/hostile/')
    expect(dataIn(html)['@type']).toBe('Event')
  })

  it('of the footer have no tags', async () => {
    const vars = { FOOTER_TEXT: '<b>Town &amp; country</b><br>5 < 6 <script>x</script>' }
    expect((await page('/events/', { vars })).html).toContain(
      '<p class="footer-text">Town &amp; country 5 &lt; 6</p>',
    )
  })

  it('of vars stay text', async () => {
    const { html } = await page('/events/', {
      vars: { SITE_NAME: HOSTILE, FOOTER_TEXT: HOSTILE, SITE_LOGO: 'https://x.example/"><b>' },
    })
    expect(html).not.toMatch(/<img src=x|<b>|<script>alert/)
  })

  it('have no styles and no classes left, a text for images, and no second heading of the page', async () => {
    const description =
      '<h1>Big</h1><p style="color: red" title="a class=" class="b">x</p><img src="https://a.example/a.png"><h6>Small</h6>' +
      // The page's own class for a link that is as large as what it is in.
      '<h3 class="event-title"><a href="https://elsewhere.example/">Anything</a></h3>'
    await makeEvent(admin, { title: 'Styled', description })
    const { html } = await page('/event/styled/')
    const rich = html.match(/<div class="rich">([\s\S]*?)<\/div>/)?.[1] ?? ''
    expect(rich).toContain('<h2>Big</h2>')
    expect(rich).toContain('<p title="a class=">x</p>')
    expect(rich).toMatch(/<img alt="" loading="lazy" src="https:\/\/a\.example\/a\.png">/)
    expect(rich).toContain('<h4><a href="https://elsewhere.example/">')
    expect(html.match(/<h1/g)).toHaveLength(1)
  })
})

it('reads what is scheduled once its time has come', async () => {
  await makeEvent(admin, { title: 'Soon', date: '2026-11-21 12:00:00' })
  expect((await page('/event/soon/')).status).toBe(404)
  await env.DB.prepare(
    `UPDATE events SET date_utc = '2026-11-20 11:00:00', version = version + 1 WHERE slug = 'soon'`,
  ).run()
  expect((await page('/event/soon/')).status).toBe(200)
})
