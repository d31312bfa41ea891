import { beforeAll, describe, expect, it } from 'vitest'
import { png } from '../../calendar/media/build.ts'
import { upload } from '../../calendar/media/upload.ts'
import { API, declareUser, makeEvent, makeOrganizer, makeVenue, query, SITE, send } from '../../factories.ts'
import { canonical, dataIn, eventMakerFor, meta, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)
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
  const { id } = await addEvent('Jazz night', '2026-12-10 20:00', '2026-12-10 23:00', {
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
  await addEvent('Fair', '2026-12-11', '2026-12-13', { all_day: true, venue: bare.id })
  await addEvent('Nowhere', '2026-12-11 10:00', '2026-12-12 09:00')
})

describe('the page of an event', () => {
  it('shows the time in the calendar’s zone, then in the event’s own', async () => {
    const { text, html } = await page('/event/jazz-night/', {
      vars: { TIMEZONE: 'Europe/Dublin', LANGUAGE: 'en-IE' },
    })
    expect(text).toContain('Friday 11 December 2026 00:00–03:00 Greenwich Mean Time')
    expect(text).toContain('Thursday 10 December 2026, 20:00–23:00 in Atlantic Standard Time')
    expect(html).toContain('<time datetime="2026-12-10T20:00:00-04:00">')
    const own = await page('/event/jazz-night/', { vars: { TIMEZONE: 'America/Halifax' } })
    expect(own.text).not.toContain('Standard Time')
    // People who see a shared link may be in another zone.
    expect(meta(html, 'description')).toMatch(
      /^Friday 11 December 2026 00:00–03:00 \(Greenwich Mean Time\) · The Hall, Kent · /,
    )
  })

  it('shows an evening that ends at midnight as one day, as lists and feeds do', async () => {
    const { id } = await addEvent('Late', '2026-11-24 21:30', '2026-11-25 00:00')
    const vars = { LANGUAGE: 'de' }
    expect((await page('/event/late/', { vars })).text).toContain(
      'Dienstag, 24. November 2026 21:30–00:00 Uhr',
    )
    expect((await page('/events/', { vars })).text).toMatch(/ 21:30 bis 00:00 Late/)
    const { html: feed } = await page(`${API}/events.rss`, { vars })
    expect(feed).toContain('Dienstag, 24. November 2026, 21:30–00:00\u00a0Uhr (Koordinierte Weltzeit)')
    await send('DELETE', `/events/${id}`, { as: admin })
  })

  it('shows all-day events and events overnight', async () => {
    expect((await page('/event/fair/')).text).toContain('December 11 – 13, 2026 All day')
    expect((await page('/event/nowhere/')).text).toContain(
      'December 11 – 12, 2026 Fri, Dec 11, 10:00 AM – Sat, Dec 12, 9:00 AM',
    )
  })

  it('shows venue, organizer, cost, website, description, image, categories and tags', async () => {
    const { text, html, links } = await page('/event/jazz-night/')
    expect(text).toContain('The Hall 1 Lane, R95 Kent, Ireland Show on a map')
    expect(text).toContain('Price $10 – $25')
    expect(text).toContain('Organizer The Guild Website tickets.example.org')
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

  it('has links that add the event to calendars', async () => {
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

  it('gives calendars the day after the last one as the end of an all-day event', async () => {
    const { html } = await page('/event/fair/')
    for (const end of ['20261211%2F20261214', 'enddt=2026-12-14']) expect(html).toContain(end)
  })

  it('redirects ?ical=1 to the API’s calendar of the event', async () => {
    const { status, headers } = await page('/event/jazz-night/?ical=1')
    expect([status, headers.get('location')]).toEqual([302, `${API}/events/${jazz}.ics`])
    expect((await page(`${API}/events/${jazz}.ics`)).html).toContain('SUMMARY:Jazz night')
    const hidden = await makeEvent(admin, { title: 'Draft', status: 'draft' })
    expect((await page(`/event/${hidden.slug}/?ical=1`)).status).toBe(404)
  })

  it('has the alternative text of the image, as lists do', async () => {
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
    // An image without a text is decorative.
    expect((await page('/event/jazz-night/')).html).toMatch(/jazz\.jpg"[^>]* alt=""/)
  })

  it('has a title, a description, an image and a canonical address for sharing', async () => {
    const SITE_URL = 'https://www.example.org'
    const { html, links } = await page('/event/jazz-night/', { vars: { SITE_URL, SITE_NAME: 'What’s on' } })
    const url = `${SITE_URL}/event/jazz-night/`
    expect(html).toContain('<title>Jazz night · What’s on</title>')
    expect({
      title: meta(html, 'og:title'),
      url: meta(html, 'og:url'),
      site_name: meta(html, 'og:site_name'),
    }).toEqual({ title: 'Jazz night', url, site_name: 'What’s on' })
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

describe('an event that does not take place as announced', () => {
  it.each([
    ['canceled', 'This event has been cancelled.', 'Cancelled'],
    ['postponed', 'This event has been postponed.', 'Postponed'],
    ['rescheduled', 'This event has been moved to a new date.', 'New date'],
  ])('says so before the heading: %s', async (event_status, text, word) => {
    const fields = { slug: event_status, event_status, event_status_reason: 'The hall <b>leaks</b>' }
    await addEvent('Changed', '2026-12-20 10:00', '2026-12-20 11:00', fields)
    const { html } = await page(`/event/${event_status}/`)
    expect(html.indexOf(text)).toBeGreaterThan(0)
    expect(html.indexOf(text)).toBeLessThan(html.indexOf('<h1>'))
    expect(html).toContain('The hall leaks')
    const list = await page(`/events/2026-12-20/?search=changed`)
    const item = list.html
      .split('<li class="event')
      .slice(1)
      .find(part => part.includes(`/event/${event_status}/`))
    expect(item).toMatch(new RegExp(`</a> <span class="badge badge-(alert|warn)">${word}</span></h2>`))
    expect(/^[^"]* is-off"/.test(item ?? '')).toBe(event_status === 'canceled')
  })
})

it('an online event says how to join it, also in lists and in JSON-LD', async () => {
  const virtual_url = 'https://meet.example.org/?a=1&b='
  const online = { virtual_event_type: 'virtual', virtual_url }
  await addEvent('Meeting', '2026-12-21 10:00', '2026-12-21 11:00', online)
  await addEvent('Meeting there', '2026-12-21 10:00', '2026-12-21 11:00', {
    ...online,
    virtual_event_type: 'hybrid',
  })
  const { html, text } = await page('/event/meeting/')
  expect(text).toContain('Online event')
  // The button leads there, and what says where it is doesn't say the same.
  const joining = (page: string) => page.match(/<[^>]+>Join online<[^>]+>/g)
  expect(joining(html)).toEqual(['<span>Join online</span>'])
  expect(html).toContain('<dd>meet.example.org</dd>')
  // Where the button is for something else, there is a link.
  const ticketed = { ...online, ticketed: true, website: 'https://tickets.example.org/' }
  await addEvent('Meeting with tickets', '2026-12-20 10:00', '2026-12-20 11:00', ticketed)
  await addEvent('Meeting that was', '2026-01-20 10:00', '2026-01-20 11:00', online)
  for (const path of ['/event/meeting-with-tickets/', '/event/meeting-that-was/'])
    expect(joining((await page(path)).html)).toEqual([
      '<a href="https://meet.example.org/?a=1&amp;b=" rel="nofollow ugc noopener">Join online</a>',
    ])
  expect(dataIn(html).location).toEqual({ '@type': 'VirtualLocation', url: virtual_url })
  expect((await page('/event/meeting-there/')).text).toContain('In person and online')
  expect((await page('/events/2026-12-21/')).text.match(/Online event/g)).toHaveLength(2)
})

it('custom fields are shown as text, without empty ones', async () => {
  const custom_fields = {
    doors: { label: 'Doors', value: '<i>at</i> 19:00 < 20:00' },
    empty: { label: 'No', value: '' },
  }
  await addEvent('Customised', '2026-12-22 10:00', '2026-12-22 11:00', { custom_fields })
  const { html } = await page('/event/customised/')
  expect(html).toContain('<span>Doors</span></dt><dd>at 19:00 &lt; 20:00</dd>')
  expect(html).not.toContain('<span>No</span>')
})

describe('hostile titles and descriptions', () => {
  const HOSTILE =
    '"><img src=x onerror=alert(1)>&lt;script&gt;alert(2)&lt;/script&gt;</script><!--\u2028{{x}}'

  it('are escaped on every page', async () => {
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
      expect(status < 500, path).toBe(true)
      const elements = html.replace(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
      expect(elements.match(/<[^>"]*(?:"[^"]*"[^>"]*)*\bonerror=(?![^"]*"[^>]*>)/), path).toBe(null)
      expect(elements).not.toMatch(/<script(?! type="module" src="\/)/)
      expect(html).not.toMatch(/<!--/)
    }
    const { html } = await page('/event/hostile/')
    expect(dataIn(html)['@type']).toBe('Event')
  })

  it('in the footer lose their tags', async () => {
    const vars = { FOOTER_TEXT: '<b>Town &amp; country</b><br>5 < 6 <script>x</script>' }
    expect((await page('/events/', { vars })).html).toContain('<p>Town &amp; country 5 &lt; 6</p>')
  })

  it('in vars are escaped', async () => {
    const { html } = await page('/events/', {
      vars: { SITE_NAME: HOSTILE, FOOTER_TEXT: HOSTILE, SITE_LOGO: 'https://x.example/"><b>' },
    })
    expect(html).not.toMatch(/<img src=x|<b>|<script>alert/)
  })

  it('lose styles and classes, get alternative texts, and have no second <h1>', async () => {
    const description =
      '<h1>Big</h1><p style="color: red" title="a class=" class="b">x</p><img src="https://a.example/a.png"><h6>Small</h6>' +
      // A class of the page that stretches a link over the whole box.
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

  it.each(['h2', 'h3', 'h6'])(
    'have headings right below the title if they are written as %s',
    async level => {
      const description = `<${level}>First</${level}><p>x</p><${level}>Next</${level}>`
      const { slug } = await makeEvent(admin, { title: `Headed ${level}`, description })
      const { html } = await page(`/event/${slug}/`)
      expect(html).toMatch(/<h2>First<\/h2>\s*<p>x<\/p>\s*<h2>Next<\/h2>/)
    },
  )
})

it('a scheduled event has a page once it is due', async () => {
  await makeEvent(admin, { title: 'Soon', date: '2026-11-21 12:00:00' })
  expect((await page('/event/soon/')).status).toBe(404)
  await query(`UPDATE events SET date_utc = '2026-11-20 11:00:00', version = version + 1 WHERE slug = 'soon'`)
  expect((await page('/event/soon/')).status).toBe(200)
})
