import { beforeEach, describe, expect, it } from 'vitest'
import { PNG } from '../calendar/media/samples.ts'
import { makeDatabaseAnew, makeEvent, query, queryValue, send } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { textOf } from '../site/pages/page.ts'
import { fieldsIn, undoOf } from './forms.ts'
import { type Browser, signIn } from './session.ts'

// The start of a calendar: what its owner sees before anything is saved, what is saved then, and that all of
// it goes again.

const START = '/admin/start/'

beforeEach(makeDatabaseAnew)

const CHOSEN = {
  name: 'Musikschule Tannbach',
  timezone: 'Europe/Berlin',
  language: 'de',
  currency: 'EUR',
  accent_color: '#6b3a78',
  image: '0',
  source: '0',
  url: '',
  where: 'none',
}

const YEAR = new Date().getUTCFullYear() + 1
const CSV = [
  'Title,Start date,Start time,Venue,City,Category,Cost',
  ...Array.from(
    { length: 14 },
    (_, i) => `Walk ${i + 1},${YEAR}-03-${String(28 - i).padStart(2, '0')},10:00,Barn,Tannbach,Walks,5`,
  ),
  `Old,2020-01-01,10:00,Barn,Tannbach,Walks,5`,
].join('\n')

const look = (browser: Browser, fields: Record<string, string | File>) =>
  browser.post(START, { ...CHOSEN, do: 'look', ...fields })

/** The front page in the frame of a page. */
const frontOf = (html: string): string =>
  (/srcdoc="([^"]*)"/.exec(html)?.[1] ?? '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Saves what a page shows, as browsers do: they send the form on to the address that reads the events. */
async function save(browser: Browser, html: string) {
  const fields = { ...fieldsIn(html), do: 'save' }
  const saved = await browser.post(START, fields)
  const to = saved.headers.get('location') ?? expect.fail(saved.text)
  expect([saved.status, to]).toEqual([307, expect.stringMatching(/^\/admin\/start\/events\//)])
  return browser.submit(to, fields)
}

/** Everything that the start could write. */
const counts = async () =>
  Promise.all(
    ['events', 'settings', 'venues', 'images'].map(table => queryValue(`SELECT count(*) FROM ${table}`)),
  )

const choose = async (browser: Browser) => {
  await browser.get(START)
  return look(browser, { where: 'file', file: new File([CSV], 'walks.csv') })
}

describe('the start of a calendar', () => {
  it('shows the front page with the next twelve events of a file, and saves nothing', async () => {
    const { browser } = await signIn('administrator')
    const { html, status } = await choose(browser)
    expect(status).toBe(200)
    const front = frontOf(html)
    expect(front).toContain('<html lang="de"')
    for (const text of ['Musikschule Tannbach', 'theme-6b3a78.css', 'Barn', 'Walks'])
      expect(front).toContain(text)
    expect(front.match(/<h3 class="event-title">/g)).toHaveLength(12)
    expect(front).toContain('Walk 14')
    expect(front).not.toContain('Walk 2<')
    expect(front).not.toMatch(/<script|<a [^>]*href/)
    expect(await counts()).toEqual([0, 0, 0, 0])
    const visitor = await send('GET', '/events')
    expect(visitor.body.total).toBe(0)
  })

  it('saves what was shown, and one click takes all of it back', async () => {
    const { browser } = await signIn('administrator')
    const { html } = await choose(browser)
    const saved = await save(browser, html)
    expect(saved.html).toContain('<html lang="de"')
    expect(saved.text).toContain('Ihr Kalender steht, bisher mit 15 Veranstaltungen.')
    expect((await send('GET', '/events?per_page=50&start_date=2000-01-01')).body.total).toBe(15)
    expect((await browser.get('/events/')).html).toContain('Musikschule Tannbach')
    const first = await query('SELECT title FROM events ORDER BY id LIMIT 1')
    expect(first).toEqual([{ title: 'Walk 14' }])
    expect((await browser.get(START)).headers.get('location')).toBe('/admin/')
    const link = saved.links.find(link => link.includes('/start/undo/')) ?? expect.fail()
    expect((await browser.get(link)).text).toContain('Alles zurücknehmen')
    // A link that leads to a source that is older than this removes nothing.
    await query("UPDATE sources SET created_utc = '2020-01-01 00:00:00'")
    await browser.get(link)
    expect((await browser.post('/admin/start/undo/?source=1')).status).toBe(410)
    expect(await query('SELECT is_being_deleted FROM sources')).toEqual([{ is_being_deleted: 0 }])
    await query('UPDATE sources SET created_utc = (SELECT max(at_utc) FROM audit)')
    await browser.get(link)
    const undone = await browser.submit(link)
    // The next page is in the language of before, and so is what it says.
    expect(undone.html).toContain('<html lang="en"')
    expect(undone.text).toContain('The settings are as they were')
    expect(await queryValue('SELECT vars FROM settings')).toBe('{}')
    expect(await query('SELECT is_being_deleted FROM sources')).toEqual([{ is_being_deleted: 1 }])
  })

  it('says in the language that settings have then that a change of them was undone', async () => {
    const { browser } = await signIn('administrator')
    const saved = await browser.save('/admin/settings/', { language: 'de' })
    expect(saved.html).toContain('<html lang="de"')
    const undone = await browser.submit(undoOf(saved))
    expect(undone.html).toContain('<html lang="en"')
    expect(undone.text).toContain('The change has been undone. Redo')
  })

  it('shows what was changed since before it saves it', async () => {
    const { browser } = await signIn('administrator')
    const { html } = await choose(browser)
    const changed = await browser.post(START, { ...fieldsIn(html), do: 'save', name: 'Other' })
    expect(changed.status).toBe(200)
    expect(frontOf(changed.html)).toContain('Other')
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  it.each([
    ['Europe/Berlin', 'de', 'EUR'],
    ['America/New_York', 'en', 'USD'],
    ['Asia/Tokyo', 'de', 'JPY'],
  ])('shows what visitors will see in %s, %s and %s', async (timezone, language, currency) => {
    const instant = `${YEAR}0310T180000Z`
    const ics = [
      ...[
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Tannbach//EN',
        'BEGIN:VEVENT',
        'UID:1@tannbach.example',
      ],
      ...[`DTSTAMP:${instant}`, `DTSTART:${instant}`, `DTEND:${YEAR}0310T200000Z`, 'SUMMARY:Recital'],
      ...['LOCATION:Barn', 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n')
    const csv = `Title,Start date,Start time,End time,Venue,Cost\nRecital,${YEAR}-03-10,19:00,21:00,Barn,5`
    for (const file of [new File([ics], 'recital.ics'), new File([csv], 'recital.csv')]) {
      const { browser } = await signIn('administrator')
      await browser.get(START)
      const chosen = { timezone, language, currency, where: 'file', file }
      const { html } = await look(browser, chosen)
      const front = frontOf(html)
      await save(browser, html)
      const page = await browser.get('/events/')
      expect(textOf(front)).toContain('Recital')
      expect(textOf(front)).toBe(textOf(page.html))
      await makeDatabaseAnew()
    }
  })

  it('is for administrators, until there is an event or the first steps are hidden', async () => {
    const { browser, as } = await signIn('administrator')
    expect((await browser.get('/admin/')).links).toContain(START)
    for (const role of ['editor', 'author', 'subscriber'] as const) {
      const { browser: other } = await signIn(role)
      expect((await other.get(START)).status, role).toBe(403)
      expect((await other.post(START, { ...CHOSEN, do: 'save' })).status, role).toBe(403)
    }
    await makeEvent(as)
    expect((await browser.post(START, { ...CHOSEN, do: 'save', shown: '' })).headers.get('location')).toBe(
      '/admin/',
    )
    await query('DELETE FROM events')
    expect((await browser.get(START)).status).toBe(200)
    await send('PATCH', '/settings', { as, json: { first_steps: false } })
    expect((await browser.get(START)).status).toBe(303)
  })

  it.each([
    'http://127.0.0.1/a.ics',
    'http://10.1.2.3/',
    'http://[::1]/',
    'https://ada:secret@example.org/',
    'ftp://example.org/',
    'http://example.org:22/',
    'javascript:alert(1)',
  ])('asks for nothing at %s', async url => {
    const { browser } = await signIn('administrator')
    await browser.get(START)
    const { status, html } = await look(browser, { where: 'address', url })
    // The front page is that of what was chosen alone, and can't be saved.
    expect([status, html.includes('name="shown"')]).toEqual([422, false])
    expect(frontOf(html)).not.toContain('event-title')
    expect(html).toContain('id="url-error"')
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  it('refuses drawings with scripts, files that are too large, and what is no choice', async () => {
    const { browser } = await signIn('administrator')
    await browser.get(START)
    const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], 'a.svg')
    const drawn = await look(browser, { picture: svg })
    expect([drawn.status, drawn.html.includes('id="picture-error"')]).toEqual([422, true])
    const huge = await look(browser, { where: 'file', file: new File(['x'.repeat(2_200_000)], 'a.csv') })
    expect([huge.status, huge.html.includes('id="file-error"')]).toEqual([422, true])
    const odd = await look(browser, { timezone: 'Mars/Olympus', language: 'xx', currency: 'ZZZ', name: '' })
    expect(odd.status).toBe(422)
    for (const field of ['f-name', 'f-timezone', 'f-language', 'f-currency'])
      expect(odd.html).toContain(`id="${field}-error"`)
    const formless = await look(browser, { language: '!!', currency: 'x' })
    expect(formless.status).toBe(422)
    for (const field of ['f-language', 'f-currency']) expect(formless.html).toContain(`id="${field}-error"`)
    // Without a choice, it stays as it was deployed.
    expect((await look(browser, { timezone: '', language: '', currency: '' })).status).toBe(200)
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  it('shows markup as text, in names and in what was found', async () => {
    const { browser } = await signIn('administrator')
    await browser.get(START)
    const evil = '"><img src=x onerror=alert(1)>'
    const csv = `Title,Start date,Venue\n"${evil.replaceAll('"', '""')} A",${YEAR}-01-01,"<script>alert(2)</script>Hall"`
    const { html } = await look(browser, {
      name: `Town & ${evil}`,
      where: 'file',
      file: new File([csv], 'a.csv'),
    })
    expect(html).not.toMatch(/<img src=x|<script>alert/)
    expect(frontOf(html)).not.toMatch(/<img src=x|<script>alert/)
    expect(frontOf(html)).toContain('Town &amp;')
  })

  it('shows nothing that will stay private', async () => {
    const { browser } = await signIn('administrator')
    await browser.get(START)
    const csv = `Betreff,Beginnt am,Privat\nArzt,13.01.${YEAR},Ein\nZahnarzt,14.01.${YEAR},Jein\nChor,15.01.${YEAR},Aus`
    const { html } = await look(browser, { where: 'file', file: new File([csv], 'outlook.csv') })
    expect(frontOf(html)).toContain('Chor')
    expect(frontOf(html)).not.toMatch(/arzt/i)
  })

  it('goes on where it stopped if the database fails in the middle', async () => {
    const { browser } = await signIn('administrator')
    const { html } = await choose(browser)
    const fields = { ...fieldsIn(html), do: 'save' }
    for (let after = 0; after < 3; after++) {
      const { DB } = faultyD1({
        message: 'D1_ERROR: Network connection lost.',
        times: 100,
        writesOnly: true,
        after,
      })
      const failed = await browser.with({ DB }).post(START, fields)
      expect(failed.status).not.toBe(200)
    }
    await save(browser, html)
    expect(await queryValue('SELECT count(*) FROM sources')).toBe(1)
    expect((await send('GET', '/events?per_page=50&start_date=2000-01-01')).body.total).toBe(15)
  })

  it('keeps a picture only if it is confirmed', async () => {
    const { browser } = await signIn('administrator')
    await browser.get(START)
    const picture = new File([PNG], 'roofs.png')
    const chosen = await look(browser, { picture })
    expect(frontOf(chosen.html)).toContain('class="header-image"')
    expect(await queryValue('SELECT count(*) FROM images')).toBe(1)
    const without = await browser.post(START, { ...fieldsIn(chosen.html), do: 'look', without: '1' })
    expect(without.status).toBe(200)
    expect(await queryValue('SELECT count(*) FROM images')).toBe(0)
    const again = await look(browser, { picture })
    await browser.post(START, { ...fieldsIn(again.html), do: 'later' })
    expect(await counts()).toEqual([0, 0, 0, 0])
  })
})

it('a colour that is none is said where colours are chosen, with the settings still folded', async () => {
  const { browser } = await signIn('administrator')
  const { html, status } = await look(browser, { accent_color: 'reddish' })
  expect(status).toBe(422)
  expect(html).toMatch(/<fieldset[^>]*has-error[^>]*id="colour-group"/)
  expect(html).not.toMatch(/<details class="start-place" open/)
})
