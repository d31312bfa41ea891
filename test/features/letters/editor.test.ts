import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser, signedIn, signInAs } from '../../editor/session.ts'
import { makeCategory, makeEvent, makeVenue, query, queryAll, queryValue } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { linkIn, openOutbox } from '../../outbox.ts'
import { TODAY } from '../../setup.ts'
import { expectPage } from '../../site/pages/page.ts'

const outbox = openOutbox()
const editor = signedIn('editor', 'ed')
const browser = new Browser(outbox.bindings)

beforeAll(async () => {
  await signInAs(editor, 'ed', browser)
  await makeEvent(editor.as, {
    title: 'Céilí',
    start_date: '2026-11-22 20:00:00',
    end_date: '2026-11-22 22:00:00',
  })
})

const NEW = '/admin/letters/new/'
const TYPED = { name: 'The week', subject: 'This week', intro: 'Good morning!', to: 'week@lists.example' }

/** Makes a letter by the form. @returns the path of its page */
async function add(fields: object = {}): Promise<string> {
  await queryAll(
    ['letter_deliveries', 'letters', 'email_links', 'limit_counts'].map(name => `DELETE FROM ${name}`),
  )
  const form = fieldsIn((await browser.get(NEW)).html)
  const { status, headers, text } = await browser.post(NEW, { ...form, ...TYPED, ...fields })
  expect([status, text]).toEqual([303, expect.anything()])
  return headers.get('location') ?? ''
}

describe('letters in the editor', () => {
  it('are created, confirmed, previewed, tested, changed, paused and deleted', async () => {
    expect((await browser.get('/admin/')).links).toContain('/admin/letters/')
    expect((await browser.get('/admin/letters/')).text).toContain('There is no newsletter yet.')
    const path = await add()
    const made = await browser.get(path)
    expect(made.text).toContain('A link has been sent to week@lists.example')
    expect(made.text).toContain('waiting for confirmation')
    expect(made.text).toContain('Céilí')
    expect(made.html).toContain(`<iframe class="letter" src="${path}preview/" title="Preview" sandbox`)
    // Nobody has confirmed it yet, so it can be asked for again.
    await browser.submit(`${path}ask/`)
    const reader = new Browser(outbox.bindings)
    const link = linkIn(outbox.last())
    expect((await reader.get(link)).text).toContain(
      'sends the newsletter “The week” to week@lists.example once a week',
    )
    await reader.post(link)
    expect((await browser.get(path)).text).toContain('next: Thu, Nov 26, 7:00 AM')
    expect((await browser.get(path)).links).toContain('/admin/account/#email')
    await env.DB.exec("UPDATE users SET email = 'ed@town.example' WHERE login = 'ed'")
    const tested = await browser.submit(`${path}test/`)
    expect(tested.text).toContain('It is on its way to you.')
    expect(outbox.last().to).toBe('ed@town.example')
    const before = outbox.mails.length
    const form = fieldsIn((await browser.get(`${path}settings/`)).html)
    expect(form).toMatchObject({ name: ['The week'], weekday: ['thursday'], hour: ['7'], days: ['7'] })
    const changed = await browser.submit(`${path}settings/`, { ...form, name: 'Our week', hour: '18' })
    expect(changed.text).toContain('Saved: Our week')
    expect(changed.text).toContain('next: Thu, Nov 26, 6:00 PM')
    expect(outbox.mails).toHaveLength(before)
    const history = await browser.get('/admin/history/')
    expect([history.text, history.links]).toEqual([
      expect.stringContaining('Our week'),
      expect.arrayContaining([path]),
    ])
    const late = await browser.post(`${path}settings/`, { ...form, name: 'Their week' })
    expect([late.status, late.html]).toEqual([412, expect.stringContaining('value="Their week"')])
    expect((await browser.submit(`${path}pause/`)).text).toContain('It is paused.')
    expect((await browser.submit(`${path}resume/`)).text).toContain('It is on again.')
    expect((await browser.submit(`${path}delete/`)).text).toContain('The newsletter has been removed.')
    expect((await browser.get(path)).status).toBe(404)
    expect((await browser.get('/admin/history/?kind=letter')).text).toContain('Our week deleted for good')
  })

  it('are shown in a frame that can do nothing', async () => {
    const path = await add({ intro: '<script>alert(1)</script>' })
    const { headers, html } = await browser.get(`${path}preview/`)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "frame-ancestors 'self'", "form-action 'none'", 'sandbox'])
      expect(policy).toContain(part)
    expect(policy).not.toContain('script-src')
    expect(html).toContain('Céilí')
    expect(html).not.toContain('<script>alert')
    const page = await browser.get(path)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.html).not.toContain('<script>alert')
  })

  it('that cannot be composed say so, and can still be changed', async () => {
    const path = await add()
    const { DB } = faultyD1({ refused: /utc_start_date/ })
    const own = new Browser({ ...outbox.bindings, DB })
    await signInAs(editor, 'ed', own)
    const page = await own.get(path)
    expectPage(page, 200, 'The newsletter could not be composed.')
    expect(page.links).toContain(`${path}settings/`)
    expect(page.html).not.toContain('<iframe')
    expect(await own.get(`${path}preview/`)).toMatchObject({
      status: 200,
      text: 'The newsletter could not be composed.',
    })
  })

  it('show a language that is no code with its error', async () => {
    const form = fieldsIn((await browser.get(NEW)).html)
    const page = await browser.post(NEW, { ...form, ...TYPED, language: '!!' })
    expect([page.status, page.html.includes('id="f-language-error"')]).toEqual([422, true])
  })

  it('keep what was typed, with errors at their fields', async () => {
    const form = fieldsIn((await browser.get(NEW)).html)
    const wrong = { to: 'a@b, c@d', days: '99', filters_rest: 'nonsense=1' }
    const page = await browser.post(NEW, { ...form, ...TYPED, ...wrong })
    expect(page.status).toBe(422)
    expect(page.html).toContain('value="a@b, c@d"')
    for (const text of [
      'Please enter an e-mail address',
      'This must be a whole number from 1 to 62.',
      'These filters don’t work here: must be parameters of the list of events',
    ])
      expect(page.text).toContain(text)
  })

  describe('the form in which events are chosen by boxes', () => {
    const stored = async () => JSON.parse(String(await queryValue('SELECT filters FROM letters')))
    const change = async (path: string, fields: object = {}) => {
      const { html } = await browser.get(`${path}settings/`)
      return browser.post(`${path}settings/`, { ...fieldsIn(html), ...fields })
    }
    const set = (filters: object) => query('UPDATE letters SET filters = ?', JSON.stringify(filters))
    /** The labels of the ticked boxes. */
    const ticked = async (path: string) =>
      [
        ...(await browser.get(`${path}settings/`)).html.matchAll(
          /name="filters_[^>]* checked><span>([^<]*)</g,
        ),
      ].map(([, label]) => label)
    let music: number
    let hall: number
    let club: number

    beforeAll(async () => {
      music = (await makeCategory(editor.as, 'Musik')).id
      hall = (await makeVenue(editor.as, 'Hall & Bar')).id
      club = (await makeVenue(editor.as, 'Club without events')).id
      await makeEvent(editor.as, {
        title: 'Session',
        start_date: '2026-11-23 20:00:00',
        end_date: '2026-11-23 22:00:00',
        categories: [music],
        venue: [hall],
      })
    })

    it('stores what is ticked, and all without any', async () => {
      const path = await add()
      expect(await stored()).toEqual({})
      const form = fieldsIn((await browser.get(NEW)).html)
      expect(Object.keys(form).filter(name => name.startsWith('filters'))).toEqual([])
      expect((await browser.get(NEW)).text).not.toContain('categories=')
      expect(
        (await change(path, { filters_categories: String(music), filters_venues: [String(hall)] })).status,
      ).toBe(303)
      expect(await stored()).toEqual({ categories: String(music), venue: String(hall) })
      expect(await ticked(path)).toEqual(['Musik', 'Hall &amp; Bar'])
      expect((await browser.get(`${path}preview/`)).html).toContain('Session')
      expect((await browser.get(`${path}preview/`)).html).not.toContain('Céilí')
      await change(path, { filters_categories: [], filters_venues: [] })
      expect(await stored()).toEqual({})
    })

    it.each([
      ['a slug', () => ({ categories: 'musik' }), ['Musik']],
      ['a list of slugs', () => ({ categories: ['musik'] }), ['Musik']],
      ['ids in a text', () => ({ venue: `${club}, ${hall}` }), ['Club without events', 'Hall &amp; Bar']],
      ['a list of ids', () => ({ venue: [club] }), ['Club without events']],
      ['a text of an id', () => ({ venue: [String(club)] }), ['Club without events']],
      ['what is gone', () => ({ organizer: '999', categories: 'gone' }), ['gone', '#999']],
      ['other parameters', () => ({ featured: 'true', categories: ['musik'] }), ['Musik']],
      ['another shape', () => ({ venue: { a: '1' } }), []],
    ])('shows what a program has set, and keeps it: %s', async (_, filters, labels) => {
      const path = await add()
      await set(filters())
      expect(await ticked(path)).toEqual(labels)
      expect((await change(path, { name: 'Other name' })).status).toBe(303)
      expect(await stored()).toEqual(filters())
    })

    it('keeps other parameters beside what is ticked, until their field is emptied', async () => {
      const path = await add()
      await set({ featured: 'true', search: 'fiddle & bow', categories: 'musik' })
      const form = fieldsIn((await browser.get(`${path}settings/`)).html)
      expect(form).toMatchObject({
        filters_rest: ['featured=true&search=fiddle+%26+bow'],
        filters_categories: ['musik'],
      })
      await change(path, { filters_venues: [String(hall)] })
      expect(await stored()).toEqual({
        categories: 'musik',
        venue: String(hall),
        featured: 'true',
        search: 'fiddle & bow',
      })
      await change(path, { filters_rest: '' })
      expect(await stored()).toEqual({ categories: 'musik', venue: String(hall) })
    })

    it('refuses what no longer exists until it is unticked', async () => {
      const path = await add()
      await set({ venue: `${hall},999` })
      expect((await change(path, { filters_categories: String(music) })).status).toBe(422)
      expect((await change(path, { filters_venues: [String(hall)] })).status).toBe(303)
      expect(await stored()).toEqual({ venue: String(hall) })
    })

    it('compares what two people chose by names', async () => {
      const path = await add()
      const form = fieldsIn((await browser.get(`${path}settings/`)).html)
      await change(path, { filters_venues: [String(hall)] })
      const late = await browser.post(`${path}settings/`, { ...form, filters_venues: [String(club)] })
      expect(late.status).toBe(412)
      expect(late.text).toContain('Hall & Bar')
      expect(late.text).toContain('Club without events')
    })
  })

  it('can be sent again only if nobody knows whether they were sent', async () => {
    const path = await add()
    const [, id] = /(\d+)/.exec(path) ?? []
    const insert = (state: string, at: string) =>
      query(
        'INSERT INTO letter_deliveries (letter_id, due_utc, state, tries, at_utc) VALUES (?, ?, ?, 1, ?)',
        id,
        at,
        state,
        at,
      )
    await insert('sent', '2026-10-29 07:00:00')
    await insert('late', '2026-11-05 07:00:00')
    await insert('sending', '2026-11-12 07:00:00')
    await query('UPDATE letters SET confirmed_email = to_email WHERE id = ?', id)
    vi.setSystemTime(TODAY)
    const page = await browser.get(path)
    expect(page.text).toContain('may or may not have been sent')
    expect(page.text).toContain('not sent: it would have been too late')
    const buttons = page.html.match(/action="[^"]*\/retry\/"/g) ?? []
    expect(buttons).toHaveLength(1)
    const [, action = ''] = /action="([^"]*\/retry\/)"/.exec(page.html) ?? []
    const before = outbox.mails.length
    expect((await browser.submit(action)).text).toContain('It was sent.')
    expect(outbox.mails).toHaveLength(before + 1)
    expect((await browser.get(path)).html).not.toContain('/retry/')
  })

  it('have one of the languages of the calendar, or the one that a program has set', async () => {
    const tagsIn = (html: string) => {
      const [, options = ''] = /<select id="[^"]*" name="language"[^>]*>(.*?)<\/select>/s.exec(html) ?? []
      return {
        all: [...options.matchAll(/value="([^"]*)"/g)].map(([, tag]) => tag),
        chosen: /value="([^"]*)" selected/.exec(options)?.[1],
      }
    }
    const fresh = tagsIn((await browser.get(NEW)).html)
    expect(fresh.chosen).toBe('en')
    expect(fresh.all).toEqual(expect.arrayContaining([...LANGUAGES]))
    const path = await add({ language: 'fr' })
    const stored = () => env.DB.prepare('SELECT name, language FROM letters').first()
    expect(await stored()).toMatchObject({ language: 'fr' })
    await env.DB.exec("UPDATE letters SET language = 'de-LI'")
    const edit = `${path}settings/`
    const { html } = await browser.get(edit)
    expect(tagsIn(html).chosen).toBe('de-LI')
    expect((await browser.post(edit, { ...fieldsIn(html), name: 'Other name' })).status).toBe(303)
    expect(await stored()).toEqual({ name: 'Other name', language: 'de-LI' })
  })

  it.each(LANGUAGES)('speak the language of the calendar: %s', async LANGUAGE => {
    const own = new Browser({ ...outbox.bindings, LANGUAGE })
    await signInAs(editor, 'ed', own)
    const path = await add()
    for (const address of ['/admin/letters/', NEW, path, `${path}settings/`, '/admin/account/']) {
      const { status, html, text } = await own.get(address)
      expect([status, html]).toEqual([200, expect.stringContaining(`<html lang="${LANGUAGE}"`)])
      expect(text).not.toMatch(/\{\{\w+\}\}/)
    }
  })

  it('say what is missing where no e-mails can be sent', async () => {
    expect((await editor.browser.get('/admin/')).links).toContain('/admin/letters/')
    const { text, links } = await editor.browser.get('/admin/letters/')
    expect(text).toContain('can’t send e-mails yet')
    expect(links).not.toContain(NEW)
    const form = fieldsIn((await editor.browser.get(NEW)).html)
    expect((await editor.browser.post(NEW, { ...form, ...TYPED })).status).toBe(422)
  })
})
