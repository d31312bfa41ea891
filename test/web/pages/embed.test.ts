import { beforeAll, describe, expect, it } from 'vitest'
import { makeEvent, SITE, send, user } from '../../factories.ts'
import { page } from './page.ts'

const admin = user('administrator', 'admin')

beforeAll(async () => {
  for (let n = 1; n <= 9; n++)
    await makeEvent(admin, {
      title: `Session ${n}`,
      start_date: `2026-11-2${n} 20:00`,
      end_date: `2026-11-2${n} 23:00`,
      ...(n === 1 && { categories: ['Music'], image: 'https://img.example.org/a.jpg' }),
    })
})

describe('a fragment for pages elsewhere', () => {
  it('has events with whole addresses, and nothing of the page around them', async () => {
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

  it('takes every filter, a limit, a language and an accent', async () => {
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

  it('can be a month', async () => {
    const { html, links } = await page('/embed/fragment?display=month&search=session')
    expect(html).toContain('<table class="month">')
    expect(html.match(/class="cell-title"/g)).toHaveLength(9)
    for (const link of links) expect(link).toMatch(new RegExp(`^${SITE}/`))
    expect(links).toContain(`${SITE}/events/2026-11-21/?search=session`)
  })

  it('takes a language with a region, as pages have it; the region is that of the site', async () => {
    expect((await page('/embed/fragment?language=de-AT')).html).toContain('lang="de"')
    const vars = { LANGUAGE: 'en-GB' }
    expect((await page('/embed/fragment?language=en-US', { vars })).html).toContain('lang="en-GB"')
    expect((await page('/embed/fragment?language=fr-CA', { vars })).html).toContain('lang="fr"')
  })

  it('says why it is refused, to the script that asks for it', async () => {
    const { status, headers, html } = await page('/embed/fragment?limit=many&language=xx')
    expect([status, headers.get('access-control-allow-origin')]).toEqual([400, '*'])
    expect(Object.keys(JSON.parse(html).data.params)).toEqual(['limit', 'language'])
  })

  it.each(['categories=none', 'display=year', 'limit=0', 'accent=red', 'language=xx'])(
    'is refused with %s',
    async query => {
      expect((await page(`/embed/fragment?${query}`)).status).toBe(400)
    },
  )

  it('says if nothing is on', async () => {
    const { text, links } = await page('/embed/fragment?search=xylophone')
    expect(text).toContain('No events found')
    // Each leads to the calendar, and somewhere else.
    expect(links).toEqual([`${SITE}/events/?search=xylophone&past=1`, `${SITE}/events/`])
  })
})

describe('the script', () => {
  it('has one address, and imports a file that never changes', async () => {
    const { headers, html } = await page('/embed.js')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(html).toMatch(/^import '\/_site\/embed\.[\da-f]{10}\.js'\n$/)
  })
})

describe('the page to put it together', () => {
  it('has the code for what was chosen', async () => {
    const { text, html } = await page('/embed?display=month&categories=music&theme=dark&accent=%23ff0')
    expect(text).toContain(`<script type="module" src="${SITE}/embed.js"></script>`)
    expect(text).toContain('<event-calendar view="month" categories="music" theme="dark" accent="#ff0"')
    expect(text).toContain(`<a href="${SITE}/events/?categories=music">Events</a>`)
    expect(html).toContain('<option value="music" selected>Music</option>')
    expect(html).toContain('<event-calendar view="month" categories="music"')
  })
})
