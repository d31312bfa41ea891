import { beforeAll, describe, expect, it } from 'vitest'
import { decodeEntities } from '../../../src/kit/lib/text.ts'
import { filterList } from '../../../src/site/html/filters.ts'
import { declareUser, makeEvent, SITE, send } from '../../factories.ts'
import { eventMakerFor, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  for (let n = 1; n <= 9; n++)
    await addEvent(`Session ${n}`, `2026-11-2${n} 20:00`, `2026-11-2${n} 23:00`, {
      ...(n === 1 && { categories: ['Music'], image: 'https://img.example.org/a.jpg' }),
    })
})

describe('the fragment for other sites', () => {
  it('has events with absolute links, without the frame of a page', async () => {
    const { status, headers, html, links } = await page('/embed/fragment')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(html).toMatch(
      /^<link rel="stylesheet" href="\/_site\/site\.[\da-f]+\.css">\n<div class="embed" lang="en" dir="ltr">/,
    )
    expect(html).not.toMatch(/<html|<header|<script|<form/)
    expect(html.match(/class="event-title"/g)).toHaveLength(6)
    for (const link of links) expect(link).toMatch(new RegExp(`^${SITE}/`))
  })

  it('accepts filters, a limit, a language and an accent colour', async () => {
    const filtered = await page('/embed/fragment?categories=music')
    expect(filtered.html.match(/class="event-title"/g)).toHaveLength(1)
    expect((await page('/embed/fragment?limit=8')).html.match(/class="event-title"/g)).toHaveLength(8)
    expect((await page('/embed/fragment?limit=5000')).html.match(/class="event-title"/g)).toHaveLength(9)
    const { id } = await makeEvent(admin, { title: 'Daily', recurrence: 'FREQ=DAILY;COUNT=60' })
    expect((await page('/embed/fragment?limit=5000')).html.match(/class="event-title"/g)).toHaveLength(50)
    await send('DELETE', `/events/${id}?scope=all&force=true`, { as: admin })
    const german = await page('/embed/fragment?language=de&accent=ffe600')
    expect(german.html).toContain('lang="de"')
    expect(german.html).toContain('Samstag')
    expect(german.html).toMatch(/data-accent="light-dark\(#\w{6}, #\w{6}\)"/)
  })

  it('counts what takes place with a time, not what runs for months or is cancelled', async () => {
    const made = [
      await addEvent('Exhibition 1', '2026-08-01 10:00', '2027-03-01 18:00'),
      await addEvent('Exhibition 2', '2026-08-02 10:00', '2027-03-01 18:00'),
      await addEvent('Cancelled', '2026-11-20 19:00', '2026-11-20 21:00', { event_status: 'canceled' }),
      await addEvent('Late', '2026-11-20 22:00', '2026-11-20 23:00'),
    ]
    const { html } = await page('/embed/fragment?limit=2')
    const titles = [...html.matchAll(/<h3[^>]*><a[^>]*>([^<]*)</g)].map(([, title]) => title)
    expect(titles).toEqual(['Cancelled', 'Late', 'Exhibition 1', 'Exhibition 2', 'Session 1'])
    for (const { id } of made) await send('DELETE', `/events/${id}?force=true`, { as: admin })
  })

  it('has the accent colour of the calendar unless another is requested', async () => {
    const vars = { ACCENT_COLOR: '#a00' }
    expect((await page('/embed/fragment', { vars })).html).toContain('data-accent="light-dark(#aa0000')
    const other = (await page('/embed/fragment?accent=%23004400', { vars })).html
    expect(other).toContain('data-accent="light-dark(#004400')
    expect((await page('/embed/fragment')).html).not.toContain('data-accent')
  })

  it.each(['fragment', 'frame'])(
    'takes the names of the attributes, and refuses other values: %s',
    async name => {
      for (const query of ['view=month', 'view=Month', 'display=month', 'view=month&display=list'])
        expect((await page(`/embed/${name}?${query}`)).html, query).toContain('<table class="month">')
      expect((await page(`/embed/${name}?view=list`)).html).not.toContain('<table class="month">')
      expect((await page(`/embed/${name}?view=week`)).status).toBe(400)
    },
  )

  it('can be a month', async () => {
    const { html, links } = await page('/embed/fragment?view=month&search=session')
    expect(html).toContain('<table class="month">')
    expect(html.match(/class="cell-title"/g)).toHaveLength(9)
    for (const link of links) expect(link).toMatch(new RegExp(`^${SITE}/`))
    expect(links).toContain(`${SITE}/events/2026-11-21/?search=session`)
  })

  it('accepts a language with a region, but keeps the region of the calendar', async () => {
    expect((await page('/embed/fragment?language=de-AT')).html).toContain('lang="de"')
    const vars = { LANGUAGE: 'en-GB' }
    expect((await page('/embed/fragment?language=en-US', { vars })).html).toContain('lang="en-GB"')
    expect((await page('/embed/fragment?language=fr-CA', { vars })).html).toContain('lang="fr"')
  })

  it('names invalid parameters to the script', async () => {
    const { status, headers, html } = await page('/embed/fragment?limit=many&language=xx')
    expect([status, headers.get('access-control-allow-origin')]).toEqual([400, '*'])
    expect(Object.keys(JSON.parse(html).data.params)).toEqual(['limit', 'language'])
  })

  it.each(['categories=none', 'display=year', 'limit=0', 'accent=red', 'language=xx'])(
    'rejects %s',
    async query => {
      expect((await page(`/embed/fragment?${query}`)).status).toBe(400)
    },
  )

  it('says that there are no events', async () => {
    const { text, links } = await page('/embed/fragment?search=xylophone')
    expect(text).toContain('No events found')
    // Both are absolute.
    expect(links).toEqual([`${SITE}/events/?search=xylophone&past=1`, `${SITE}/events/`])
  })
})

describe('the frame for other sites', () => {
  const ancestors = async (path: string) =>
    /frame-ancestors [^;]+/.exec((await page(path)).headers.get('content-security-policy') ?? '')?.[0]

  it('is the only page that may be framed, has no form, and opens links elsewhere', async () => {
    const { status, html, links } = await page('/embed/frame?limit=3&theme=dark&accent=%23ffe600&language=de')
    expect(status).toBe(200)
    expect(html).toContain('<html class="framed is-dark" lang="de"')
    expect(html.match(/class="event-title"/g)).toHaveLength(3)
    expect(html).toContain('/_site/theme-ffe600.css')
    expect(html).toContain('<base target="_blank">')
    expect(html).toContain('content="noindex, follow"')
    expect(html).not.toMatch(/<form|<input|<button/)
    for (const link of links.filter(link => !link.startsWith('/_site/')))
      expect(link).toMatch(new RegExp(`^${SITE}/`))
    const optionsOf = async (path: string) => (await page(path)).headers.get('x-frame-options')
    expect([await optionsOf('/embed/frame'), await optionsOf('/embed')]).toEqual([null, 'SAMEORIGIN'])
    expect(await ancestors('/embed/frame')).toBe('frame-ancestors *')
    for (const path of ['/events/', '/embed', '/embed/fragment', '/submit/', '/admin/'])
      expect([path, await ancestors(path)]).not.toEqual([path, 'frame-ancestors *'])
  })

  it.each([
    ['theme=red', 'theme: must be one of auto, light, dark', 'This address does not work', ''],
    ['categories=none', 'categories: there is no category none', 'This address does not work', ''],
    [
      'limit=0&language=de',
      'limit: must be a positive whole number',
      'Diese Adresse funktioniert nicht',
      'de',
    ],
  ])(
    'is shown by browsers without events, too, and leads to them: %s',
    async (query, reason, text, language) => {
      const path = `/embed/frame?${query}`
      const { status, html, headers, links } = await page(path)
      expect([status, headers.get('x-frame-options'), await ancestors(path)]).toEqual([
        400,
        null,
        'frame-ancestors *',
      ])
      expect(html).toContain(`data-reason="Invalid parameter(s): ${reason}"`)
      expect(html).toContain(text)
      expect(html).toContain(`lang="${language || 'en'}"`)
      expect(html).not.toMatch(/<form|<input|<button/)
      expect(links).toContain(`${SITE}/events/`)
    },
  )
})

describe('the script', () => {
  it('has a permanent address and imports a file with a hash in its name', async () => {
    const { headers, html } = await page('/embed.js')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(html).toMatch(/^import '\/_site\/embed\.[\da-f]{10}\.js'\n$/)
  })
})

describe('the page that generates the code', () => {
  it('shows the code for the chosen options', async () => {
    const { text, html } = await page('/embed?view=month&categories=music&theme=dark&accent=%23ff0')
    expect(text).toContain(`<script type="module" src="${SITE}/embed.js"></script>`)
    expect(text).toContain('<event-calendar view="month" categories="music" theme="dark" accent="#ff0"')
    expect(text).toContain(`<a href="${SITE}/events/?categories=music">Events</a>`)
    expect(html).toContain('<option value="music" selected>Music</option>')
    expect(html).toContain('<event-calendar view="month" categories="music"')
    expect(text).toContain(`<iframe src="${SITE}/embed/frame?categories=music&amp;view=month&amp;theme=dark`)
  })
  it('keeps several chosen categories in its form', async () => {
    const { html } = await page('/embed?categories=music,none')
    expect(html).toContain('<option value="music,none" selected>')
    expect((await page('/embed?categories=music')).html.match(/<option value="music/g)).toHaveLength(1)
  })

  it('has every filter of its address in all of the code, and in the preview', async () => {
    const filters: Record<string, string> = {
      categories: 'music',
      tags: '3,4',
      venue: '5',
      organizer: '6',
      search: 'tango & "waltz", <slow>',
      featured: 'true',
      is_free: 'false',
      ticket_availability: 'available,few',
      wheelchair: 'yes',
      near: '53.27,-9.05,20',
    }
    expect(Object.keys(filters).sort()).toEqual(Object.keys(filterList.shape).sort())
    const { status, html } = await page(`/embed?${new URLSearchParams(filters)}`)
    expect(status).toBe(200)
    const given = (query: string): object =>
      Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => name in filters))
    const attributes = (tag: string): object =>
      Object.fromEntries(
        [...tag.matchAll(/([\w-]+)="([^"]*)"/g)]
          .map(([, name = '', value = '']) => [name, decodeEntities(value)] as const)
          .filter(([name]) => name in filters),
      )
    const codes = [...html.matchAll(/<code>([\s\S]*?)<\/code>/g)].map(([, code = '']) => decodeEntities(code))
    const preview = /<div class="preview">(<event-calendar[^>]*>)/.exec(html)?.[1] ?? ''
    const [script = '', framed = ''] = codes
    expect(attributes(/<event-calendar[^>]*>/.exec(script)?.[0] ?? '')).toEqual(filters)
    expect(attributes(preview)).toEqual(filters)
    const linkIn = (code: string) =>
      decodeEntities(/\?([^"]*)"/.exec(code.slice(code.search(/<a |<iframe /)))?.[1] ?? '')
    expect([given(linkIn(script)), given(linkIn(framed))]).toEqual([filters, filters])
  })
})
