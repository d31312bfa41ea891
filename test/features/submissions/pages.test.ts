import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { textsIn } from '../../../src/words/words.ts'
import { by, everyRole } from '../../attacks/people.ts'
import {
  addSubmissions,
  changeForm,
  from,
  latestRow as latest,
  submitEvent,
  visitors,
} from '../../calendar/intake/submit.ts'
import { png } from '../../calendar/media/build.ts'
import { JPEG, PNG } from '../../calendar/media/samples.ts'
import { bytesAt, formOf, upload } from '../../calendar/media/upload.ts'
import { fieldsIn } from '../../editor/forms.ts'
import {
  type Answer,
  countRows,
  makeCategory,
  makeOrganizer,
  makeVenue,
  query,
  SITE,
  send,
} from '../../factories.ts'
import { textOf } from '../../site/pages/page.ts'

const people = everyRole()

const { ask } = visitors()

type Page = { status: number; html: string; text: string; headers: Headers }

const shown = ({ status, headers, text: html }: Answer): Page => ({
  status,
  headers,
  html,
  text: textOf(html),
})

const get = async (path: string): Promise<Page> => shown(await ask('GET', SITE + path))

/** The hidden inputs of a form, as a browser sends them back. */
const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

const FIELDS = {
  title: 'Harvest fair',
  start_date: '2027-09-04',
  start_date_time: '14:00',
  end_date: '2027-09-04',
  end_date_time: '18:00',
  venue_new_venue: 'Market square',
  description: 'Pumpkins, music and cake.',
  name: 'Ann Example',
  email: 'ann@example.org',
}

const post = async (path: string, fields: Record<string, string>): Promise<Page> =>
  // As browsers do from pages without a referrer.
  shown(await ask('POST', SITE + path, { body: new URLSearchParams(fields), headers: { origin: 'null' } }))

/** Lets some seconds pass, as if somebody were typing. */
const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** The ids of the inputs that are marked as wrong. */
const invalidInputs = (html: string): string[] =>
  [...html.matchAll(/<(?:input|textarea)[^>]*? id="([^"]+)"[^>]*aria-invalid/g)].map(([, id]) => String(id))

/** Fills in the form and sends it. */
async function fillIn(fields: Record<string, string> = {}, seconds = 30): Promise<Page> {
  const { html } = await get('/submit/')
  passSeconds(seconds)
  return post('/submit/', { ...hiddenIn(html), ...FIELDS, ...fields })
}

const byTitle = async (title: string) =>
  (await env.DB.prepare('SELECT id AS event_id FROM events WHERE title = ?').bind(title).first<{
    event_id: number
  }>()) ?? { event_id: 0 }

describe('/submit/', () => {
  it('is marked in the menu', async () => {
    expect((await get('/submit/')).html).toContain('<a href="/submit/" aria-current="true">')
  })

  it('has a no-break space before each colon after a word in French', async () => {
    const inFrench = visitors({ LANGUAGE: 'fr' })
    const { html } = shown(await inFrench.ask('GET', `${SITE}/submit/`))
    const texts = html.replace(/<[^>]*>/g, '')
    expect(texts.match(/[^\s:]+: .*/g)).toBeNull()
    expect(texts).toContain('Lieu\u00a0: ')
  })

  it('says in the language of the page that it must wait, whatever keeps the calendar from taking it', async () => {
    const other = visitors({ SUBMISSIONS_AUTHOR: 'nobody', LANGUAGE: 'de' })
    const { html } = shown(await other.ask('GET', `${SITE}/submit/`))
    passSeconds(30)
    const body = new URLSearchParams({ ...hiddenIn(html), ...FIELDS, title: 'Of nobody' })
    const { status, text } = shown(
      await other.ask('POST', `${SITE}/submit/`, { body, headers: { origin: 'null' } }),
    )
    expect(status).toBe(503)
    expect(text).toContain(textsIn('de').submit.busy)
    expect(text).not.toContain('SUBMISSIONS_AUTHOR')
  })

  it('refuses forms with too many parameters, without showing them again', async () => {
    const headers = { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'venue=1&'.repeat(100_000)
    const form = new FormData()
    for (let i = 0; i < 10_001; i++) form.append('venue', '1')
    for (const sent of [{ body, headers }, { body: form }]) {
      const { status, text } = await ask('POST', `${SITE}/submit/`, sent)
      expect([status, text.length < 10_000]).toEqual([400, true])
    }
  })

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ])('refuses what another site sends: %j', async headers => {
    const { html } = await get('/submit/')
    passSeconds(30)
    const title = `Sent with ${Object.values(headers).map(value => value.length)}`
    const body = new URLSearchParams({ ...hiddenIn(html), ...FIELDS, title })
    const { status, text } = await ask('POST', `${SITE}/submit/`, { body, headers })
    expect([status, text.includes('Another site has sent this form')]).toEqual([403, true])
    expect((await byTitle(title)).event_id).toBe(0)
    const own = await ask('POST', `${SITE}/submit/`, {
      body,
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    })
    expect(own.status).not.toBe(403)
  })

  it('does not exist unless it is switched on', async () => {
    expect((await visitors({ SUBMISSIONS: 'off' }).ask('GET', `${SITE}/submit/`)).status).toBe(404)
  })

  it('stores an event, and redirects to its page', async () => {
    const sent = await fillIn({ website: 'fair.example.org' })
    expect(sent.status).toBe(303)
    const address = sent.headers.get('location') ?? ''
    expect(address).toMatch(/^\/submit\/[\da-f]{32}\/\?sent=1$/)
    const page = await get(address)
    expect(page.text).toContain('Your event has arrived')
    expect(page.text).toContain('Harvest fair')
    expect(page.text).toContain('Market square')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    const event = await send('GET', `/events/${(await latest()).event_id}`, by(people.editor))
    expect(event.body).toMatchObject({
      title: 'Harvest fair',
      status: 'pending',
      start_date: '2027-09-04 14:00:00',
      // An address that was typed without a scheme.
      website: 'https://fair.example.org',
    })
  })

  it.each(['Free', '12', '10 to 25', '€12'])('takes the price %s, which other changes keep', async cost => {
    const { id, path } = await submitEvent({ title: `For ${cost}` }, `192.0.2.${cost.length}`)
    const typedInto = async (fields: Record<string, string>) =>
      (await changeForm(SITE + path, fields)).headers.get('location')
    expect(await typedInto({ cost })).toBe(`${path}?saved=1`)
    const read = async () => (await send('GET', `/events/${id}`, by(people.editor))).body.cost
    const stored = await read()
    expect(stored.match(/\d+/g) ?? [stored]).toEqual(cost.match(/\d+/g) ?? [cost])
    // Browsers empty an input of numbers that holds anything else.
    for (const address of [path, '/submit/'])
      expect((await get(address)).html).toMatch(/<input id="f-cost" name="cost" value="[^"]*" type="text"/)
    expect(await typedInto({ title: `Renamed, for ${cost}` })).toBe(`${path}?saved=1`)
    expect(await read()).toBe(stored)
  })

  it('leads from an error of the address to its input, below all others', async () => {
    const { html } = await fillIn({ email: 'ann@example' })
    expect(html).toMatch(/<li><a href="#f-email">Your e-mail address<\/a>: /)
    expect(html).toMatch(/<input id="f-email"[^>]* autofocus/)
  })

  it('says on the page that follows if the event is over, and offers to change it', async () => {
    const sentTo = async (fields: Record<string, string>) =>
      (await fillIn(fields)).headers.get('location') ?? ''
    const isTold = ({ html, text }: Page) => {
      const isOpen = /<details class="form-fold visitor-change" open>/.test(html)
      expect(text.includes('This is over already: please check the date.')).toBe(isOpen)
      return isOpen
    }
    // The usual mistake of December.
    const address = await sentTo({ title: 'Wrong year', start_date: '2026-01-22', end_date: '' })
    const page = await get(address)
    expect(page.text).toContain('Your event has arrived')
    expect(isTold(page)).toBe(true)
    const fields = {
      ...hiddenIn(page.html),
      ...FIELDS,
      title: 'Wrong year',
      start_date: '2027-01-22',
      end_date: '',
      do: 'save',
    }
    const changed = await post(address.replace(/\?.*/, ''), fields)
    expect(isTold(await get(changed.headers.get('location') ?? ''))).toBe(false)
    // Without an end, it is over once its day is.
    const today = new Date().toISOString().slice(0, 10)
    const begun = { start_date: today, end_date: '', start_date_time: '00:00', end_date_time: '' }
    expect(isTold(await get(await sentTo({ title: 'Has begun', ...begun })))).toBe(false)
    // An exhibition.
    const lasting = { start_date: '2026-01-22', end_date: '2027-03-01' }
    expect(isTold(await get(await sentTo({ title: 'Still on', ...lasting })))).toBe(false)
    const course = { start_date: '2026-10-22', end_date: '', recurrence: 'weekly', recurrence_end: 'never' }
    expect(isTold(await get(await sentTo({ title: 'Every week', ...course })))).toBe(false)
    expect(await countRows("events WHERE title = 'Every week'")).toBeGreaterThan(1)
  })

  it('thanks only until somebody has decided', async () => {
    const address = (await fillIn({ title: 'Kept as it was' })).headers.get('location') ?? ''
    const { event_id } = await latest()
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { status: 'publish' } })
    const { text } = await get(address)
    expect(text).toContain('Kept as it was')
    expect(text).not.toContain('has arrived')
  })

  it('stores a form once, however often it is sent', async () => {
    const { html } = await get('/submit/')
    passSeconds(30)
    const fields = { ...hiddenIn(html), ...FIELDS, title: 'Sent twice' }
    const [one, two] = await Promise.all([post('/submit/', fields), post('/submit/', fields)])
    const three = await post('/submit/', fields)
    expect(new Set([one, two, three].map(({ headers }) => headers.get('location'))).size).toBe(1)
    const count = await countRows("events WHERE title = 'Sent twice'")
    expect(count).toBe(1)
  })

  it('asks again for another event in a form that was sent already', async () => {
    const { html } = await get('/submit/')
    passSeconds(30)
    const ticket = hiddenIn(html)
    expect((await post('/submit/', { ...ticket, ...FIELDS, title: 'Sent first' })).status).toBe(303)
    for (const fields of [
      { title: 'Sent second' },
      { title: 'Sent first', start_date: '2027-09-03' },
      { title: 'Sent first', start_date_time: '15:30' },
    ]) {
      const { status, html: again, text } = await post('/submit/', { ...ticket, ...FIELDS, ...fields })
      expect([status, text.includes('This form has already been used')]).toEqual([422, true])
      passSeconds(30)
      const sent = await post('/submit/', { ...hiddenIn(again), ...FIELDS, ...fields })
      expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringContaining('?sent=1')])
    }
    expect(await countRows("events WHERE title IN ('Sent first', 'Sent second')")).toBe(4)
  })

  it('loses neither of two events in a form that is sent twice at once', async () => {
    const { html } = await get('/submit/')
    passSeconds(30)
    const sent = { ...hiddenIn(html), ...FIELDS }
    const titles = ['Sent at once', 'Sent as well']
    const pages = await Promise.all(titles.map(title => post('/submit/', { ...sent, title })))
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 422])
    const [first] = titles.filter((_, i) => pages[i]?.status === 422)
    expect(pages.find(({ status }) => status === 422)?.html).toContain(`value="${first}"`)
  })

  it('doesn’t change the texts of an existing image, whoever has uploaded it', async () => {
    const file = png(40, 30, 'a poster')
    const uploaded = await upload(people.administrator.as, file, { query: '?alt_text=A%20poster' })
    const { html } = await get('/submit/')
    passSeconds(30)
    const form = formOf({ ...hiddenIn(html), ...FIELDS, title: 'With a known poster', image_alt: 'Buy this' })
    form.append('image_file', new Blob([file]), 'Buy that.png')
    const sent = await ask('POST', `${SITE}/submit/`, { body: form, headers: { origin: 'null' } })
    expect(sent.status).toBe(303)
    const { event_id } = await latest()
    const { body } = await send('GET', `/events/${event_id}`, by(people.editor))
    expect(body.image).toMatchObject({ id: uploaded.body.id, alt_text: 'A poster' })
    const image = await send('GET', `/media/${uploaded.body.id}`, by(people.administrator))
    expect(image.body).toMatchObject({ title: uploaded.body.title, alt_text: 'A poster' })
    // It counts towards the images of the day.
    await query('DELETE FROM submissions WHERE event_id = ?', event_id)
  })

  it('shows everything that was typed, with the errors', async () => {
    const wrong = await fillIn({ title: '', email: 'nobody', description: '<b>"mine"</b>' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('&lt;b&gt;&quot;mine&quot;&lt;/b&gt;')
    expect(wrong.html).toContain('value="nobody"')
    expect(wrong.html).toContain('f-title-error')
    expect(wrong.html).toContain('f-email-error')
    const again = await post('/submit/', { ...hiddenIn(wrong.html), ...FIELDS, title: 'Mended' })
    expect(again.status).toBe(303)
  })

  it('says that an image has to be chosen again, and keeps its description', async () => {
    const { html } = await get('/submit/')
    expect(html).not.toContain('again: browsers')
    passSeconds(30)
    for (const more of [{ do: 'find:venue', venue: 'barn' }, { title: '' }]) {
      const form = formOf({ ...hiddenIn(html), ...FIELDS, image_alt: 'Lanterns', ...more })
      form.append('image_file', new File([PNG], 'poster <1>.png'))
      const { text } = await ask('POST', `${SITE}/submit/`, { body: form, headers: { origin: 'null' } })
      expect(text).toContain('Please choose “poster &lt;1&gt;.png” again')
      expect(text).toMatch(/<details class="form-fold" open>.*(?=Image)/)
      expect(text).toContain('value="Lanterns"')
    }
  })

  it.each([
    ['a PDF', ['%PDF-1.7'], 422, 'Das ist eine Datei der Art PDF'],
    ['an empty file', [], 422, 'Das lässt sich nicht als Bild verwenden.'],
    ['a broken image', [new Uint8Array([255, 216, 255, 224])], 422, 'Dieses Bild ist beschädigt'],
    ['10.1 MB', [new Uint8Array(10.1 * 1024 * 1024)], 422, 'Diese Datei ist zu groß: höchstens 10 MB.'],
    ['13 MB', [new Uint8Array(13 * 1024 * 1024)], 413, 'Bilder dürfen bis zu 10 MB groß sein.'],
  ])('says why %s can’t be its image', async (_, parts, status, reason) => {
    const german = visitors({ LANGUAGE: 'de' })
    const { text: html } = await german.ask('GET', `${SITE}/submit/`)
    passSeconds(30)
    const form = formOf({ ...hiddenIn(html), ...FIELDS, title: `With ${reason}` })
    form.append('image_file', new File(parts, 'poster.png'))
    const answer = await german.ask('POST', `${SITE}/submit/`, { body: form })
    // The page has some reasons for its script, too.
    const shownText = answer.text.replaceAll(/ data-[a-z-]+="[^"]*"/g, '')
    expect([answer.status, shownText.includes(reason)]).toEqual([status, true])
  })

  describe('the fields of a repetition while somebody types', () => {
    const TYPED = { start_date: '2027-01-05', start_date_time: '10:00', recurrence: 'dates' }
    const times = { first: '2027-01-05 10:00:00', date: '2027-01-05 10:00:00', shown: '2027-01-05 10:00:00' }
    const known = (rrule: string) => JSON.stringify({ rrule, rdate: [], exdate: [], ...times })
    const typed = (fields: Record<string, string>, dates = 0): URLSearchParams => {
      const form = new URLSearchParams({ ...TYPED, ...fields })
      for (let i = 0; i < dates; i++)
        form.append('recurrence_also', `2027-02-05T10:${10 + (i % 50)}:${10 + (i % 47)}`)
      return form
    }
    const PATH = `${SITE}/submit/repetition/`
    const shownFor = async (body: URLSearchParams): Promise<Page> => shown(await ask('POST', PATH, { body }))

    it('names the next dates', async () => {
      expect((await shownFor(typed({ recurrence: 'weekly' }))).text).toContain('January 12, 2027')
    })

    it('refuses more dates than visitors may submit, before computing them', async () => {
      expect((await shownFor(typed({}, 111))).text).toContain('more than 110 dates')
      // An end may still make them few.
      const daily = (recurrence_end: string) =>
        shownFor(typed({ recurrence: 'daily', recurrence_end, recurrence_unit: 'day' }))
      expect((await daily('never')).text).toContain('more than 110 dates')
      expect((await daily('')).text).not.toContain('more than 110 dates')
      expect((await shownFor(typed({}, 1_000))).status).toBe(413)
      expect((await shownFor(typed({ recurrence_known: known('x'.repeat(20_000)) }))).status).toBe(413)
    })
  })

  it.each([
    ['/submit/', { LOGIN_LIMIT: env.NARROW_LIMIT }, 422],
    ['/submit/repetition/', { WRITE_LIMIT: env.NARROW_LIMIT }, 200],
  ])('limits forms per minute and network: %s', async (path, limit, status) => {
    const narrow = visitors({}, limit)
    const sent = async (network: string) => {
      const form = { body: new URLSearchParams(FIELDS), headers: from(network) }
      return (await narrow.ask('POST', SITE + path, form)).status
    }
    const statuses: number[] = []
    // The limit is two a minute. If a new minute begins meanwhile, three of five requests are still in the
    // same one.
    for (let i = 0; i < 5; i++) statuses.push(await sent(`192.0.2.${path.length}`))
    expect(statuses).toContain(429)
    expect(await sent(`198.51.100.${path.length}`)).toBe(status)
  })

  it('finds no fault with an end that is empty, however little is filled in', async () => {
    const empty = Object.fromEntries(Object.keys(FIELDS).map(name => [name, '']))
    const { status, html } = await fillIn(empty)
    expect(status).toBe(422)
    expect(invalidInputs(html)).toEqual(['f-title', 'f-start_date', 'f-start_date-time', 'f-email'])
    expect(html).not.toMatch(/<details class="other-day" open/)
  })

  it('requires a time unless the event lasts all day', async () => {
    const timeless = { title: 'Timeless', start_date_time: '', end_date: '', end_date_time: '' }
    const wrong = await fillIn(timeless)
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('f-start_date-error')])
    expect(wrong.text).toContain('Please say at what time')
    // Nothing is wrong with its date.
    expect(wrong.html).toContain('<a href="#f-start_date-time">')
    expect(wrong.html).toMatch(/<label for="f-start_date-time">\w+ <span class="required">/)
    expect(invalidInputs(wrong.html)).toEqual(['f-start_date-time'])
    const lasting = await fillIn({ ...timeless, start_date_time: '15:00', end_date: '2027-09-09' })
    expect(invalidInputs(lasting.html)).toEqual(['f-end_date-time'])
    expect(lasting.html).toContain('<a href="#f-end_date-time">')
    const odd = await fillIn({ ...timeless, start_date: '2027-13-02', start_date_time: '15:00' })
    expect(invalidInputs(odd.html)).toEqual(expect.arrayContaining(['f-start_date', 'f-start_date-time']))
    expect((await fillIn({ ...timeless, all_day: '1' })).status).toBe(303)
  })

  it('asks again for a form that was sent too quickly, is too old or was made up', async () => {
    const quick = await fillIn({ title: 'Quick' }, 1)
    expect([quick.status, /very quick/.test(quick.text)]).toEqual([422, true])
    passSeconds(10)
    expect((await post('/submit/', { ...hiddenIn(quick.html), ...FIELDS, title: 'Quick' })).status).toBe(303)
    const [issued, , digest] = (hiddenIn(quick.html).ticket ?? '').split('.')
    for (const ticket of ['', 'x', `${issued}.${'0'.repeat(24)}.${digest}`]) {
      const made = await fillIn({ title: 'Made up', ticket })
      expect([made.status, /open for a long time/.test(made.text)], ticket).toEqual([422, true])
    }
    // A form of yesterday is still valid.
    vi.setSystemTime(Math.ceil(Date.now() / 86_400_000) * 86_400_000 - 10_000)
    expect((await fillIn({ title: 'At midnight' }, 30)).status).toBe(303)
    const old = await fillIn({ title: 'Old' }, 3 * 86_400)
    expect([old.status, /open for a long time/.test(old.text)]).toEqual([422, true])
  })

  it('refuses forms with the invisible field filled in, and a link as the title, and says what to do', async () => {
    expect((await fillIn({ title: 'Trapped', homepage: 'https://x.example/' })).text).toContain(
      'was not accepted',
    )
    const linked = await fillIn({ title: 'https://pills.example/' })
    expect([linked.status, /Please remove them/.test(linked.text)]).toEqual([422, true])
    expect(linked.html).toContain('value="https://pills.example/"')
  })

  it('finds public venues with and without scripts', async () => {
    await makeVenue(people.administrator.as, 'Findable barn')
    await makeVenue(people.administrator.as, 'Findable but hidden', { status: 'draft' })
    const { html } = await get('/submit/')
    const page = await post('/submit/', {
      ...hiddenIn(html),
      ...FIELDS,
      venue_search: 'findable',
      do: 'find:venue',
    })
    expect(page.text).toContain('Findable barn')
    expect(page.html).not.toContain('but hidden')
    const found = await ask('GET', `${SITE}/submit/find/?field=venue&search=findable`)
    expect(found.headers.get('cache-control')).toBe('no-store')
    expect(found.text).toMatch(/^\[\{"id":\d+,"name":"Findable barn"\}\]$/)
    expect((await ask('GET', `${SITE}/submit/find/?field=tags&search=findable`)).status).toBe(404)
  })

  it('accepts images, up to a limit a day', async () => {
    const sent = async (title: string, file: File): Promise<number> => {
      const { html } = await get('/submit/')
      passSeconds(30)
      const body = new FormData()
      for (const [name, value] of Object.entries({ ...hiddenIn(html), ...FIELDS, title }))
        body.append(name, value)
      body.append('image_file', file)
      return (await ask('POST', `${SITE}/submit/`, { body })).status
    }
    await query('DELETE FROM submissions')
    const image = new File([JPEG], 'poster.jpg')
    expect(await sent('No image', new File(['x'], 'poster.jpg'))).toBe(422)
    expect(await sent('An image', image)).toBe(303)
    const event = await send('GET', `/events/${(await latest()).event_id}`, by(people.editor))
    expect(event.body.image.url).toMatch(/\/media\/[\da-f]{64}\.jpg$/)
    // Its file is public under its name, which nobody can derive from the image.
    const [, file = ''] = event.body.image.url.split('/media/')
    const stored = await bytesAt(`${SITE}/media/${file}`)
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', stored))
    expect((await ask('GET', `${SITE}/media/${file}`)).status).toBe(200)
    expect((await ask('GET', `${SITE}/media/${digest.toHex()}.jpg`)).status).toBe(404)
    await addSubmissions(28)
    expect(await sent('The thirtieth', image)).toBe(303)
    expect(await sent('One too many', new File([PNG], 'one-too-many.png'))).toBe(429)
    expect(await countRows("images WHERE slug = 'one-too-many'")).toBe(0)
    // The value that browsers send for an empty file input.
    expect(await sent('Without one', new File([], ''))).toBe(303)
    await query('DELETE FROM submissions')
  })

  it('offers categories, and creates none', async () => {
    const category = await makeCategory(people.administrator.as, 'Fairs')
    const sent = await fillIn({ title: 'In a category', categories: String(category.id) })
    expect(sent.status).toBe(303)
    const refused = await fillIn({ title: 'In a new category', categories_new_name: 'Mine' })
    expect(refused.status).toBe(422)
  })

  it('does not ask Cloudflare if there are no keys', async () => {
    const { html, headers } = await get('/submit/')
    expect(html + headers.get('content-security-policy')).not.toContain('challenges.cloudflare.com')
    const checked = visitors({ TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET: 'secret' })
    const page = shown(await checked.ask('GET', `${SITE}/submit/`))
    expect(page.html).toContain('data-sitekey="site"')
    expect(page.headers.get('content-security-policy')).toMatch(
      /script-src 'self' https:\/\/challenges\.cloudflare\.com;.* frame-src https:\/\/challenges\.cloudflare\.com$/,
    )
    // The page with the secret address has no foreign script.
    const own = SITE + (await fillIn({ title: 'Of its sender only' })).headers.get('location')
    expect((await checked.ask('GET', own)).text).not.toContain('challenges.cloudflare.com')
    passSeconds(30)
    const body = new URLSearchParams({ ...hiddenIn(page.html), ...FIELDS, title: 'Unchecked' })
    const answer = shown(await checked.ask('POST', `${SITE}/submit/`, { body }))
    expect([answer.status, /not a robot/.test(answer.text)]).toEqual([422, true])
  })
})

describe('the page of a submission', () => {
  const submit = async (title: string): Promise<string> => {
    const sent = await fillIn({ title })
    return (sent.headers.get('location') ?? '').replace(/\?.*/, '')
  }

  it('allows changes until there is a decision', async () => {
    const path = await submit('To be changed')
    const { html } = await get(path)
    const timeless = await post(path, { ...hiddenIn(html), ...FIELDS, start_date_time: '' })
    expect([timeless.status, timeless.html]).toEqual([422, expect.stringContaining('f-start_date-error')])
    const saved = await post(path, { ...hiddenIn(html), ...FIELDS, title: 'Changed', venue: '' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${path}?saved=1`])
    const { event_id } = await latest()
    const event = await send('GET', `/events/${event_id}`, by(people.editor))
    expect(event.body).toMatchObject({ title: 'Changed', status: 'pending' })
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { status: 'publish' } })
    expect((await get(path)).text).toContain('It is in the calendar')
  })

  it.each(['publish', 'draft'])('doesn’t change an event that editors have decided on: %s', async status => {
    const path = await submit(`Decided as ${status}`)
    const { html } = await get(path)
    const { event_id } = await latest()
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { status } })
    expect((await get(path)).html).not.toContain('name="title"')
    const typed = { title: 'Too late', description: 'Cake & <b>tea</b>' }
    const late = await post(path, { ...hiddenIn(html), ...FIELDS, ...typed })
    expect(late.status).toBe(409)
    expect(late.text).toContain(textsIn('en').submit.late)
    expect(late.html).toMatch(/<dd>Too late<\/dd>[\s\S]*<dd>Cake &amp; &lt;b&gt;tea/)
    const withdrawn = await post(path, { do: 'withdraw' })
    expect([withdrawn.status, withdrawn.text]).toEqual([
      409,
      expect.stringContaining(textsIn('en').submit.late),
    ])
    // Only events that visitors can see have remarks, and this one begins with what was sent.
    const { text = '' } = hiddenIn(late.html)
    expect(text === '').toBe(status !== 'publish')
    if (text) {
      const about = await get(`/submit/about/${event_id}/?${new URLSearchParams({ text })}`)
      expect(about.html).toMatch(/<textarea[^>]*>\s*Title: Too late;\n/)
    }
    const { body } = await send('GET', `/events/${event_id}`, by(people.editor))
    expect(body).toMatchObject({ title: `Decided as ${status}`, status })
  })

  it.each(['find:venue', 'edit'])(
    'shows the form again for a button that saves nothing: %s',
    async button => {
      const path = await submit(`Not saved by ${button}`)
      const { id } = await makeVenue(people.administrator.as, `Hall of ${button}`)
      const { html } = await get(path)
      const typed = { ...hiddenIn(html), ...FIELDS, title: 'Typed', venue: String(id), venue_new_venue: '' }
      const again = await post(path, { ...typed, do: button })
      expect([again.status, /<form class="[^"]* is-unsaved"/.test(again.html)]).toEqual([200, true])
      expect(fieldsIn(again.html)).toMatchObject({ title: ['Typed'], venue: [String(id)] })
      expect(again.text).toContain(`Hall of ${button}`)
      expect((await byTitle('Typed')).event_id).toBe(0)
    },
  )

  it('shows the image, accepts other ones a few times, and offers its address for copying', async () => {
    await query('DELETE FROM submissions')
    const path = await submit('Pictured')
    const id = Number((await latest()).event_id)
    const change = async (name: string, file: Blob, at = path, title = 'Pictured'): Promise<number> => {
      const { html } = await get(at)
      const body = new FormData()
      for (const [field, value] of Object.entries({ ...hiddenIn(html), ...FIELDS, title }))
        if (!['name', 'email'].includes(field)) body.append(field, value)
      body.append('image_file', new File([file], name))
      return (await ask('POST', SITE + at, { body })).status
    }
    const image = async () =>
      (await send('GET', `/events/${id}`, by(people.editor))).body.image as { url: string } | false
    expect(await image()).toBe(false)
    expect((await get(path)).html).not.toContain('visitor-image')
    expect((await get(path)).html).toContain(`data-copy="${SITE}${path}"`)
    expect(await change('no.jpg', new Blob(['x']))).toBe(422)
    expect(await change('poster.jpg', new Blob([JPEG]))).toBe(303)
    const first = await image()
    expect((await get(path)).html).toMatch(/<img class="visitor-image" src="[^"]*\/media\//)
    expect((await latest()).has_image).toBe(1)
    expect(await change('other.png', new Blob([PNG]))).toBe(303)
    expect(await image()).not.toEqual(first)
    // A fourth image is too many for this event; after that, the limit of the day is reached.
    expect(await change('again.jpg', new Blob([JPEG]))).toBe(303)
    expect(await change('once-more.png', new Blob([PNG]))).toBe(429)
    await addSubmissions(29)
    const other = await submit('Not pictured')
    expect(await change('late.jpg', new Blob([JPEG]), other, 'Not pictured')).toBe(429)
    await query('DELETE FROM submissions')
  })

  it('names no hidden venues and organizers except those that came with the submission', async () => {
    const path = await submit('With a place of its own')
    const own = await get(path)
    expect(own.text).toContain('Market square')
    expect((await changeForm(SITE + path, { title: 'At its own place' })).status).toBe(303)
    const { body: series } = await visitors().send({ title: 'Weekly', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    expect((await get(new URL(series.url).pathname)).text).toContain('The Barn')
    const { event_id } = await byTitle('At its own place')
    // Submissions belong to an administrator, who may read all of these.
    const { id: venue } = await makeVenue(people.administrator.as, 'Secret bunker', { status: 'draft' })
    const group = await makeOrganizer(people.administrator.as, 'Secret people', { status: 'draft' })
    const json = { venue, organizer: group.id }
    const { status } = await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json })
    expect(status).toBe(200)
    const { html } = await get(path)
    expect(html).not.toMatch(/Secret/)
    // Unchanged ones stay, but their ids are not accepted.
    const named = await changeForm(SITE + path, { venue: String(venue) })
    expect([named.status, /Secret/.test(named.text)]).toEqual([422, false])
    expect((await changeForm(SITE + path, { title: 'Changed' })).status).toBe(303)
    const { body } = await send('GET', `/events/${event_id}`, by(people.editor))
    expect({ title: body.title, venue: body.venue.id, organizer: body.organizer[0].id }).toEqual({
      title: 'Changed',
      venue,
      organizer: group.id,
    })
  })

  it('allows no more organizers than a new submission, but keeps those of an editor', async () => {
    const path = await submit('Of many')
    const ids = []
    for (let i = 0; i < 4; i++) ids.push((await makeOrganizer(people.editor.as, `Choir ${i}`)).id)
    const { html } = await get(path)
    const { event_id } = await latest()
    const own = { ...hiddenIn(html), ...FIELDS, title: 'Of many', venue_new_venue: '' }
    const refused = await post(path, { ...own, organizer: ids.join() })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('at most 3')])
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { organizer: ids } })
    const saved = await changeForm(SITE + path, { title: 'Renamed' })
    expect(saved.headers.get('location')).toBe(`${path}?saved=1`)
    const { body } = await send('GET', `/events/${event_id}`, by(people.editor))
    expect([body.title, body.organizer.length]).toEqual(['Renamed', 4])
  })

  it('keeps both of two changes that are sent at once', async () => {
    const path = await submit('Two tabs')
    const { html } = await get(path)
    const sent = { ...hiddenIn(html), ...FIELDS, venue_new_venue: '', venue: '' }
    const answers = await Promise.all(
      ['In one tab', 'In another'].map(title => post(path, { ...sent, title })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 412])
    const lost = answers.find(({ status }) => status === 412)?.text
    expect(lost).toMatch(/In one tab[\s\S]*In another|In another[\s\S]*In one tab/)
  })

  it('keeps changes that an editor has made in the meantime', async () => {
    const path = await submit('Two at once')
    const { html } = await get(path)
    const { event_id } = await latest()
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { cost: '5' } })
    const mine = { ...hiddenIn(html), ...FIELDS, title: 'Mine' }
    const page = await post(path, mine)
    expect([page.status, page.text]).toEqual([412, expect.stringContaining(textsIn('en').form.conflict)])
    expect((await send('GET', `/events/${event_id}`, by(people.editor))).body.title).toBe('Two at once')
    // The page has both versions, and saves the sender's with what the editor has changed.
    const kept = new URLSearchParams()
    for (const [name, values] of Object.entries(fieldsIn(page.html)))
      for (const value of [values].flat()) kept.append(name, value)
    const { status } = await ask('POST', SITE + path, { body: kept, headers: { origin: 'null' } })
    expect(status).toBe(303)
    const { body } = await send('GET', `/events/${event_id}`, by(people.editor))
    expect(body).toMatchObject({ title: 'Mine', cost: '$5' })
    // Sent once more, it changes nothing.
    expect((await post(path, mine)).headers.get('location')).toBe(`${path}?saved=1`)
  })

  it('limits the number of changes', async () => {
    const path = await submit('To be changed a lot')
    const { event_id } = await latest()
    const again = env.DB.prepare('UPDATE events SET version = version + 1 WHERE id = ?').bind(event_id)
    await env.DB.batch(new Array(30).fill(again))
    const { html } = await get(path)
    const refused = await post(path, { ...hiddenIn(html), ...FIELDS, title: 'Once more', venue: '' })
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('this here 30 times')])
    expect(fieldsIn(refused.html)).toMatchObject({ title: ['Once more'] })
    const withdrawn = await post(path, { do: 'withdraw' })
    expect([withdrawn.status, withdrawn.headers.get('location')]).toEqual([303, path])
  })

  it('applies the rules of submissions to changes, and checks these for spam', async () => {
    const path = await submit('Harmless')
    const change = async (fields: object) => {
      const { html } = await get(path)
      return post(path, { ...hiddenIn(html), ...FIELDS, title: 'Harmless', ...fields })
    }
    const refused = await change({ title: 'https://pills.example/' })
    expect([refused.status, /was not accepted/.test(refused.text)]).toEqual([422, true])
    expect((await send('GET', `/events/${(await latest()).event_id}`, by(people.editor))).body.title).toBe(
      'Harmless',
    )
    expect(
      (await change({ title: 'Cheap viagra', description: 'Buy now https://pills.example/' })).status,
    ).toBe(303)
    expect(Number((await latest()).likeness)).toBeGreaterThan(0.5)
  })

  it('withdraws the event', async () => {
    const path = await submit('Withdrawn')
    expect((await post(path, { do: 'withdraw' })).status).toBe(303)
    expect((await get(path)).text).toContain('You have withdrawn it')
    const { event_id, decided_utc } = await latest()
    expect(decided_utc).not.toBeNull()
    expect((await send('GET', `/events/${event_id}`, by(people.editor))).status).toBe(403)
    // An editor can publish it all the same.
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { status: 'publish' } })
    const { text } = await get(path)
    expect(text).toContain('It is in the calendar.')
    expect(text).not.toContain('You have withdrawn it')
  })

  it('withdraws the event once, whoever presses the button twice', async () => {
    const path = await submit('Withdrawn twice')
    const answers = await Promise.all([1, 2].map(() => post(path, { do: 'withdraw' })))
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, path],
      [303, path],
    ])
  })

  it('forgets who sent it', async () => {
    const path = await submit('Forgotten')
    const contactOf = (of: unknown) =>
      env.DB.prepare('SELECT name, email FROM submissions WHERE id = ?').bind(of).first()
    const { id } = await latest()
    await submit('Of somebody else')
    expect((await post(path, { do: 'forget' })).headers.get('location')).toBe(`${path}?forgotten=1`)
    expect(await contactOf(id)).toEqual({ name: '', email: '' })
    expect(await contactOf((await latest()).id)).toEqual({ name: FIELDS.name, email: FIELDS.email })
  })

  it('asks before it withdraws or deletes anything', async () => {
    const { html } = await get(await submit('Not by one tap'))
    for (const [action, label] of [
      ['withdraw', 'Withdraw it'],
      ['forget', 'Delete my name and address'],
    ])
      expect(html).toMatch(
        new RegExp(
          `<details class="visitor-other"><summary>${label}</summary><form [^>]*><p>[^<]*cannot be undone\\.</p>\\s*<button [^>]*value="${action}"`,
        ),
      )
  })

  it('says that the event was refused, but only its title', async () => {
    const path = await submit('Refused')
    const { event_id } = await latest()
    await send('DELETE', `/events/${event_id}`, by(people.editor))
    const { text } = await get(path)
    expect(text).toContain('It was not accepted')
    expect(text).not.toContain('Market square')
    await send('DELETE', `/events/${event_id}?force=true`, by(people.editor))
    expect((await get(path)).text).toContain('It was not accepted')
  })

  it.each([
    ['published', { status: 'publish' }, 'It is in the calendar.'],
    [
      'to appear later',
      { status: 'publish', date: '2031-01-01 10:00:00' },
      'It was accepted, and will appear in the calendar.',
    ],
    ['a draft', { status: 'draft' }, 'An editor is working on it.'],
  ])('says what has become of an event that is %s', async (title, json, said) => {
    const path = await submit(`Decided: ${title}`)
    const { event_id } = await latest()
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json })
    const { text } = await get(path)
    expect(text).toContain(said)
    expect(text).toContain('Market square')
  })

  const HIDDEN = 'It is saved, but does not appear in the public calendar.'
  it.each([
    ['private', 'private', 'pending', HIDDEN],
    ['private after it was public', 'private', 'publish', HIDDEN],
    ['a draft after it was public', 'draft', 'publish', 'An editor is working on it.'],
  ])('shows nothing of an event that is %s', async (title, status, before, said) => {
    const path = await submit(`Hidden: ${title}`)
    const { event_id } = await latest()
    for (const json of [{ status: before }, { status, title: 'Internal', start_date: '2027-09-04 15:00:00' }])
      await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json })
    const { text } = await get(path)
    expect(text).toContain(said)
    expect(text).not.toMatch(/Internal|September|3:00|Market square/)
  })

  it('follows a series of which the first date is in the trash', async () => {
    const { body } = await visitors().send({ title: 'Course', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const path = new URL(body.url).pathname
    const { event_id } = await latest()
    await send('DELETE', `/events/${event_id}`, by(people.editor))
    const waiting = await get(path)
    expect(waiting.text).toContain('Waiting for an editor.')
    expect(waiting.text).toContain('June 17, 2027')
    expect(waiting.text).toContain('The Barn')
    const { body: list } = await send(
      'GET',
      '/events?status=pending&start_date=2027-06-01&search=course',
      by(people.editor),
    )
    const [{ id }] = list.events
    const json = { status: 'publish', scope: 'all' }
    await send('PATCH', `/events/${id}`, { ...by(people.editor), json })
    expect((await get(path)).text).toContain('It is in the calendar.')
    await send('DELETE', `/events/${id}?scope=all`, by(people.editor))
    expect((await get(path)).text).not.toContain('It is in the calendar.')
  })

  it('says that an event was in the calendar, and no longer is', async () => {
    const path = await submit('Removed')
    const { event_id } = await latest()
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { status: 'publish' } })
    for (const query of ['', '?force=true']) {
      await send('DELETE', `/events/${event_id}${query}`, by(people.editor))
      const { text } = await get(path)
      expect(text, query).toContain('It was in the calendar, and is no longer there.')
      expect(text, query).not.toMatch(/was not accepted|Market square/)
    }
  })

  it.each([undefined, 'FREQ=WEEKLY;COUNT=3'])(
    'says that an event was not accepted if it was published by mistake before, with %s',
    async recurrence => {
      const { body } = await visitors().send({ title: 'Mistaken', ...(recurrence && { recurrence }) })
      const path = new URL(body.url).pathname
      const { event_id } = await latest()
      const scope = recurrence && { scope: 'all' }
      for (const status of ['publish', 'pending'])
        await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { status, ...scope } })
      expect((await get(path)).text).toContain('Waiting for an editor.')
      await send('DELETE', `/events/${event_id}?${new URLSearchParams(scope)}`, by(people.editor))
      const { text } = await get(path)
      expect(text).toContain('It was not accepted.')
      expect(text).not.toMatch(/was in the calendar|The Barn/)
    },
  )

  it('is found only by its complete token', async () => {
    const path = await submit('Found')
    const digest = String((await latest()).token_digest).slice(0, 32)
    for (const token of [digest, '0'.repeat(32), path.slice(8, 39), path.slice(8, 40).toUpperCase()])
      expect((await get(`/submit/${token}/`)).status).toBe(404)
  })
})
