import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetSettings } from '../../../src/kit/http/stored-settings.ts'
import { undoOf } from '../../editor/forms.ts'
import { signIn } from '../../editor/session.ts'
import {
  API,
  countRows,
  makeEvent,
  makePerson,
  type Person,
  query,
  queryValue,
  SITE,
  send,
} from '../../factories.ts'
import { jsonRequest } from '../../kit/http/worker.ts'
import { request, sendTo } from '../../request.ts'

let admin: Person
beforeAll(async () => {
  admin = await makePerson('admin', 'administrator')
})
beforeEach(async () => {
  await query('DELETE FROM settings')
})
afterEach(forgetSettings)

const path = '/settings'
const change = (body: object, headers: Record<string, string> = {}) =>
  request(API + path, jsonRequest('PATCH', body, { authorization: admin.as, ...headers }))
const read = async () =>
  (await request(API + path, { headers: { authorization: admin.as } })).json<Record<string, unknown>>()
const page = async (address: string, bindings = {}) => (await sendTo(bindings, SITE + address)).text()

describe('the settings of a calendar', () => {
  it('are those of the vars until somebody sets others, and again when these are emptied', async () => {
    const before = await read()
    expect(before).toMatchObject({ name: 'Events', timezone: 'UTC', events_per_page: 24, image: 0, set: [] })
    const changed = await change({
      name: 'Musikschule <Nord>',
      timezone: 'europe/berlin',
      events_per_page: 12,
    })
    expect(changed.status).toBe(200)
    expect(await changed.json()).toMatchObject({
      name: 'Musikschule <Nord>',
      timezone: 'Europe/Berlin',
      events_per_page: 12,
      set: ['name', 'timezone', 'events_per_page'],
      defaults: { name: 'Events', timezone: 'UTC', events_per_page: 24 },
    })
    expect(await read()).toMatchObject({ name: 'Musikschule <Nord>', timezone: 'Europe/Berlin' })
    expect(await page('/events/')).toContain('<span>Musikschule &lt;Nord&gt;</span>')
    await change({ name: '', timezone: '', events_per_page: '' })
    expect(await read()).toEqual(before)
  })

  it.each(['editor', 'author', 'contributor', 'subscriber'] as const)(
    'are closed to the role %s',
    async role => {
      const { as } = await makePerson(`some-${role}`, role)
      expect((await request(API + path, { headers: { authorization: as } })).status).toBe(403)
      expect(
        (await request(API + path, jsonRequest('PATCH', { name: 'x' }, { authorization: as }))).status,
      ).toBe(403)
      expect((await request(API + path)).status).toBe(401)
      expect(await read()).toMatchObject({ set: [] })
    },
  )

  it.each([
    ['timezone', 'Mars/Olympus'],
    ['language', 'tlh'],
    ['currency', 'EUROS'],
    ['currency', '$'],
    ['language', 'Latin'],
    ['accent_color', 'red'],
    ['accent_color', 'url(x)'],
    ['imprint', 'javascript:alert(1)'],
    ['privacy', '//elsewhere.example'],
    ['accessibility', '/\\elsewhere.example'],
    ['events_per_page', 101],
    ['events_per_page', 0],
    ['submissions', 'maybe'],
    ['image', 999],
    ['header_image', 999],
    ['typeface', 'comic'],
    ['name', 'x'.repeat(201)],
    ['tagline', 'x'.repeat(121)],
    ['header_focus', '50'],
    ['header_focus', '50 101'],
    ['contact', 'events@'],
    ['contact', 'javascript:alert(1)'],
  ])('refuse %s = %j, and name it', async (name, value) => {
    const refused = await change({ name: 'Other', [name]: value })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ data: { params: { [name]: expect.any(String) } } })
    expect(await read()).toMatchObject({ set: [] })
  })

  it.each(['info@', 'info@@x', 'not an address'])(
    'say of the contact %j that it may be either address',
    async contact => {
      const { data } = await (await change({ contact })).json<{ data: Record<string, unknown> }>()
      expect(data).toMatchObject({
        params: { contact: expect.stringMatching(/e-mail address or the .* address of a page/) },
        details: { contact: { code: 'no_contact' } },
      })
    },
  )

  it.each([
    ['timezone', ' berlin ', 'Europe/Berlin'],
    ['timezone', 'New York', 'America/New_York'],
    ['timezone', 'Sao Paulo', 'America/Sao_Paulo'],
    ['timezone', 'kolkata', 'Asia/Kolkata'],
    ['timezone', 'Calcutta', 'Asia/Kolkata'],
    ['timezone', 'Kiev', 'Europe/Kyiv'],
    ['timezone', 'Kyiv', 'Europe/Kyiv'],
    ['timezone', 'Asia/Calcutta', 'Asia/Calcutta'],
    ['language', 'Deutsch', 'de'],
    ['language', 'allemand (Autriche)', 'de-AT'],
    ['language', 'British English', 'en-GB'],
    ['currency', 'euro', 'EUR'],
    ['currency', 'Schweizer Franken', 'CHF'],
    ['currency', '€', 'EUR'],
    ['header_focus', ' 050% 30% ', '50 30'],
    ['contact', ' events@example.org ', 'events@example.org'],
  ])('understand %s = %j', async (name, value, understood) => {
    expect((await change({ [name]: value })).status).toBe(200)
    expect(await read()).toMatchObject({ [name]: understood })
  })

  it('are proposed as the browser has them, until somebody decides', async () => {
    const { browser } = await signIn('administrator')
    const proposed = async (zone = 'Europe/Zurich') => {
      const query = `zone=${zone}&language=de-CH`
      return JSON.parse((await browser.get(`/admin/settings/browser/?${query}`)).html)
    }
    expect(await proposed()).toMatchObject([
      { name: 'timezone', value: 'Europe/Zurich' },
      { name: 'language', value: 'de-CH', text: expect.stringContaining('weeks that begin on Monday') },
      { name: 'currency', value: 'CHF', text: 'Use Swiss Franc, as in this browser' },
    ])
    // Chrome has this name, which the choice hasn't.
    expect(await proposed('Asia/Calcutta')).toMatchObject([{ value: 'Asia/Kolkata' }, {}, {}])
    expect(await read()).toMatchObject({ set: [] })
    await change({ timezone: 'Europe/Berlin', currency: 'CHF' })
    expect(await proposed()).toMatchObject([{ name: 'language' }])
  })

  it('have an imprint and a privacy policy that are written here, or elsewhere', async () => {
    const shown = (name: string) => request(`${SITE}/${name}/`)
    expect((await shown('imprint')).status).toBe(404)
    const text = '<p onclick="x()">Ada <b>Lovelace</b></p><script>x()</script>'
    const { browser } = await signIn('administrator')
    const form = await browser.get('/admin/settings/')
    const saved = await browser.submit('/admin/settings/', { ...formFields(form.html), imprint_text: text })
    expect(saved.status).toBe(200)
    expect(await read()).toMatchObject({
      imprint: '/imprint/',
      imprint_text: expect.stringMatching(/^<p>Ada <(b|strong)>Lovelace<\/\1><\/p>$/),
      privacy: '',
      privacy_text: '',
    })
    const html = await (await shown('imprint')).text()
    expect(html).toMatch(/<h1>Imprint<\/h1>.*Ada <(b|strong)>Lovelace/s)
    expect(html).not.toContain('x()')
    expect(html).toContain('<li><a href="/imprint/">Imprint</a></li>')
    expect(await page('/sitemap.xml')).toContain('/imprint/</loc>')
    expect(await page('/sitemap.xml')).not.toContain('/privacy/</loc>')
    // What every request reads does not grow with it.
    expect(await queryValue('SELECT settings FROM revision')).not.toContain('Lovelace')
    await change({ imprint: 'https://elsewhere.example/' })
    expect(await page('/events/')).toContain('<li><a href="https://elsewhere.example/">Imprint</a></li>')
    expect(await page('/sitemap.xml')).not.toContain('/imprint/</loc>')
    await change({ imprint: '' })
    expect(await read()).toMatchObject({ imprint: '/imprint/' })
    await change({ imprint_text: '' })
    expect(await read()).toMatchObject({ imprint: '', imprint_text: '', set: [] })
    expect((await shown('imprint')).status).toBe(404)
    expect((await change({ privacy_text: 'x'.repeat(100_001) })).status).toBe(400)
  })

  it('take no secret, and nothing that opens the calendar to others', async () => {
    const sent = {
      ALLOWED_ORIGINS: 'https://evil.example',
      ALLOW_PRIVATE_HOSTS: 'on',
      TURNSTILE_SECRET: 'x',
      vars: { ALLOW_PRIVATE_HOSTS: 'on' },
      stylesheet: 'https://evil.example/x.css',
    }
    const reply = await change({ name: 'Plain', ...sent })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-ignored-fields')?.split(', ').sort()).toEqual(Object.keys(sent).sort())
    expect(await queryValue('SELECT vars FROM settings')).toBe('{"SITE_NAME":"Plain"}')
  })

  it('are not changed over a change that somebody has not seen', async () => {
    const tag =
      (await request(API + path, { headers: { authorization: admin.as } })).headers.get('etag') ?? ''
    expect((await change({ name: 'First' }, { 'if-match': tag })).status).toBe(200)
    expect((await change({ name: 'Second' }, { 'if-match': tag })).status).toBe(412)
    expect(await read()).toMatchObject({ name: 'First' })
  })

  it('keep what two set at the same time', async () => {
    const [one, other] = await Promise.all([change({ name: 'Both' }), change({ language: 'de' })])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(await read()).toMatchObject({ name: 'Both', language: 'de' })
  })
})

describe('a change of the settings', () => {
  it('takes effect at once in other instances of the Worker, without another round trip', async () => {
    const elsewhere = { DEBUG_TIMING: '1' }
    const trips = async () => {
      const { headers } = await sendTo(elsewhere, `${SITE}/events/`)
      return headers.get('server-timing')?.match(/trips;desc="(\d+)"/)?.[1]
    }
    expect(await page('/events/', elsewhere)).toContain('<span>Events</span>')
    expect(await page('/events/', elsewhere)).toContain('<span>Events</span>')
    await change({ name: 'Musikschule', language: 'de', accent_color: '#b00020', privacy: '/datenschutz/' })
    const shown = await page('/events/', elsewhere)
    expect(shown).toContain('Musikschule')
    expect(shown).toContain('<html lang="de"')
    expect(shown).toContain('/_site/theme-b00020.css')
    expect(shown).toContain('<a href="/datenschutz/">Datenschutz</a>')
    expect(await trips()).toBe('1')
    await query('DELETE FROM settings')
    expect(await page('/events/', elsewhere)).toContain('<html lang="en"')
  })

  it('takes effect for writes, batches and the editor of other instances', async () => {
    const elsewhere = { MCP: 'off' }
    const event = (title: string) => ({ title, start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' })
    const post = async (address: string, json: object) =>
      (await send('POST', address, { as: admin.as, json, bindings: elsewhere })).body
    expect((await post('/events', event('One'))).timezone).toBe('UTC')
    await change({ timezone: 'Europe/Berlin' })
    expect((await post('/events', event('Two'))).timezone).toBe('Europe/Berlin')
    await change({ timezone: 'Europe/Rome' })
    const { responses } = await post('/batch', { requests: [{ path: '/events', body: event('Three') }] })
    expect(responses[0]).toMatchObject({ status: 201, body: { timezone: 'Europe/Rome' } })
    const { browser } = await signIn('administrator')
    const editor = browser.with(elsewhere)
    await change({ name: 'Later' })
    expect((await editor.get('/admin/')).html).toContain('Later')
  })

  it('does not make a form that another instance gets store its event twice', async () => {
    const elsewhere = { SITE_LOGO: '' }
    const { browser } = await signIn('administrator')
    const editor = browser.with(elsewhere)
    await editor.get('/admin/settings/')
    await change({ timezone: 'Europe/Madrid' })
    const saved = await editor.post('/admin/events/new/', {
      title: 'Four',
      start_date: '2027-05-01',
      start_date_time: '10:00',
      do: 'save',
    })
    expect(saved.status).toBeLessThan(500)
    const made = await countRows("events WHERE title = 'Four'")
    expect(Number(made)).toBeLessThan(2)
  })

  it('is purged from shared caches', async () => {
    await query('UPDATE revision SET purges_left = 0')
    await change({ name: 'Purged' })
    expect(await queryValue('SELECT purges_left FROM revision')).toBe(2)
  })

  it('gives a currency its own sign and place, whatever the vars say of another', async () => {
    const francs = { CURRENCY_CODE: 'EUR', CURRENCY_SYMBOL: '€', CURRENCY_POSITION: 'prefix' }
    const made = await makeEvent(admin.as, { cost: '8' })
    const cost = async () =>
      (await (await sendTo(francs, `/events/${made.id}`)).json<{ cost_details: object }>()).cost_details
    expect(await cost()).toMatchObject({ currency_symbol: '€', currency_code: 'EUR' })
    await change({ currency: 'chf', language: 'de' })
    expect(await cost()).toMatchObject({ currency_code: 'CHF', currency_symbol: 'CHF' })
  })

  it('opens and closes the form for visitors', async () => {
    const status = async () => (await sendTo({}, `${SITE}/submit/`)).status
    expect(await status()).toBe(404)
    await change({ submissions: true, privacy: 'https://example.org/privacy' })
    expect(await status()).toBe(200)
    expect(await page('/submit/')).toContain('href="https://example.org/privacy" target="_blank"')
    expect(await page('/events/')).toContain('href="/submit/"')
    await change({ submissions: false })
    expect(await status()).toBe(404)
  })

  it('shows an image of the library behind name and menu, at its focus', async () => {
    const [header] = await query<{ id: number }>(
      "INSERT INTO images (url, width, height, alt_text) VALUES ('https://img.example/river.jpg', 1600, 400, 'The river') RETURNING id",
    )
    const id = header?.id
    expect(await (await change({ header_image: id, header_focus: '40 75' })).json()).toMatchObject({
      header_image: id,
      header_focus: '40 75',
      set: ['header_focus', 'header_image'],
    })
    // It is decoration: nobody wants to hear of it on every page.
    const image =
      /<header class="site-header masthead has-image">\s*<img class="header-image" src="https:\/\/img.example\/river.jpg" alt=""/
    for (const path of ['/events/', '/venues/']) expect(await page(path), path).toMatch(image)
    expect(await page('/events/')).toContain('property="og:image" content="https://img.example/river.jpg"')
    const theme = async () => {
      const [, path] = /href="(\/_site\/theme-[^"]*)"/.exec(await page('/events/')) ?? []
      return [path, path && (await page(path))]
    }
    expect(await theme()).toEqual(['/_site/theme-40-75.css', ':root{--focus:40% 75%}'])
    await change({ accent_color: '#102030' })
    expect(await theme()).toEqual([
      '/_site/theme-102030-40-75.css',
      expect.stringMatching(/^:root\{--focus:40% 75%\}:root\{--accent:#102030;.*--brand:#102030/),
    ])
    expect((await send('DELETE', `/media/${id}`, { as: admin.as })).status).toBe(409)
    const { browser } = await signIn('administrator')
    expect((await browser.get('/admin/settings/')).html).toContain(
      `name="header_image" value="${id}" checked><img src="https://img.example/river.jpg"`,
    )
    await change({ header_image: 0, header_focus: '', accent_color: '' })
    expect(await read()).toMatchObject({ header_image: 0, set: [] })
    expect(await page('/events/')).not.toContain('header-image')
    expect(await theme()).toEqual([undefined, undefined])
  })

  it('has a line about the calendar and a contact at the top and bottom of each page', async () => {
    await change({ name: 'Town', tagline: 'Concerts & markets', contact: 'events@example.org' })
    for (const path of ['/events/', '/venues/']) {
      const html = await page(path)
      expect(html, path).toContain('<span>Town <small>Concerts &amp; markets</small></span>')
      expect(html, path).toMatch(/<footer[\s\S]*<p>Concerts &amp; markets<\/p>/)
      expect(html, path).toContain('<a href="mailto:events@example.org">Contact</a>')
    }
    await change({ contact: '/contact/' })
    expect(await page('/events/')).toContain('<a href="/contact/">Contact</a>')
    await change({ name: '', tagline: '', contact: '' })
    expect(await page('/events/')).not.toContain('Contact</a>')
  })

  it('sets pages with serifs', async () => {
    expect(await page('/events/')).toContain('<html lang="en" dir="ltr">')
    await change({ typeface: 'serif' })
    expect(await page('/events/')).toContain('<html lang="en" dir="ltr" class="serif">')
  })

  it('shows a logo of the library, which is in use then', async () => {
    const results = await query<{ id: number }>(
      "INSERT INTO images (url, title) VALUES ('https://img.example/logo.png', 'Logo') RETURNING id",
    )
    const image = results[0]?.id
    expect(await (await change({ image })).json()).toMatchObject({
      image,
      logo: 'https://img.example/logo.png',
    })
    expect(await page('/events/')).toContain('src="https://img.example/logo.png"')
    const refused = await send('DELETE', `/media/${image}?force=true`, { as: admin.as })
    expect(refused.status).toBe(409)
    const { browser } = await signIn('administrator')
    const form = await browser.get('/admin/settings/')
    expect(form.html).toContain(
      `name="image" value="${image}" checked><img src="https://img.example/logo.png"`,
    )
    const wrong = await browser.submit('/admin/settings/', {
      ...formFields(form.html),
      image: '',
      timezone: 'Mars/Olympus',
    })
    expect([wrong.status, wrong.html.includes('has-error')]).toEqual([422, true])
    await change({ image: 0 })
    expect(await read()).toMatchObject({ image: 0, logo: '' })
  })

  it('leaves the calendar readable if a later version no longer knows a value, and logs why', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    await query(
      `INSERT INTO settings (id, version, vars) VALUES (1, 2, '{"SITE_NAME":"Old","LANGUAGE":"tlh"}')`,
    )
    expect(await page('/events/')).toContain('<span>Events</span>')
    await query(`UPDATE settings SET vars = '{'`)
    expect(await page('/events/')).toContain('<span>Events</span>')
    const lines = logged.mock.calls.map(([line]) => JSON.parse(line))
    logged.mockRestore()
    expect(lines.map(({ id, error }) => [id, error])).toEqual([
      ['settings', 'Error'],
      ['settings', 'SyntaxError'],
    ])
    await query(`UPDATE settings SET vars = '{"SITE_NAME":"Old","LANGUAGE":"tlh"}'`)
    expect((await change({ language: '' })).status).toBe(200)
    expect(await read()).toMatchObject({ name: 'Old', language: 'en' })
  })
})

describe('the page of the settings', () => {
  it('saves what was changed, says so, and offers to undo it', async () => {
    const { browser } = await signIn('administrator')
    const shown = await browser.get('/admin/settings/')
    expect(shown.status).toBe(200)
    expect(shown.html).toContain('value="Events"')
    expect(shown.text).toContain('all-day events keep their dates')
    const fields = formFields(shown.html)
    const saved = await browser.submit('/admin/settings/', {
      ...fields,
      name: 'Musikschule',
      imprint: 'school.example.org/imprint',
      privacy: '/privacy/',
      submissions: '1',
    })
    expect(saved.text).toContain('Saved: Musikschule')
    expect(await queryValue('SELECT vars FROM settings')).toBe(
      '{"SITE_NAME":"Musikschule","IMPRINT_URL":"https://school.example.org/imprint","PRIVACY_URL":"/privacy/","SUBMISSIONS":"on"}',
    )
    const history = await browser.get('/admin/history/?kind=settings')
    expect(history.text).toMatch(/Settings changed .*Name of the calendar\s+before: Events/s)
    const undo = undoOf(saved)
    await browser.get(undo.replaceAll('&amp;', '&'))
    await browser.submit(undo.replaceAll('&amp;', '&'))
    expect(await read()).toMatchObject({ name: 'Events', submissions: false, set: [] })
  })

  it('keeps what was typed beside its errors, and shows what somebody else has set meanwhile', async () => {
    const { browser } = await signIn('administrator')
    const fields = formFields((await browser.get('/admin/settings/')).html)
    const wrong = await browser.post('/admin/settings/', { ...fields, name: 'Typed', timezone: 'Nowhere' })
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('value="Typed"')])
    await change({ name: 'Theirs' })
    const conflict = await browser.post('/admin/settings/', { ...fields, name: 'Mine' })
    expect(conflict.status).toBe(412)
    expect(conflict.text).toContain('Theirs')
    expect(conflict.html).toContain('Mine')
  })

  it('has a history for administrators only', async () => {
    for (const name of ['Musikschule', 'Theatre']) expect((await change({ name })).status).toBe(200)
    const { browser } = await signIn('editor')
    expect((await browser.get('/admin/history/?kind=settings')).text).not.toContain('Musikschule')
  })
})

/** The fields of the form of a page, as a browser would send them. */
function formFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
    const name = attribute('name')
    const isBox = /type="(?:checkbox|radio)"/.test(tag)
    if (name === undefined || name === '_token' || /type="file"/.test(tag)) continue
    if (!isBox || / checked/.test(tag)) fields[name] = attribute('value') ?? ''
  }
  return fields
}
