import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { addPassword } from '../../src/calendar/users/passwords.ts'
import { Database } from '../../src/kit/db/database.ts'
import { textsIn } from '../../src/words/words.ts'
import { countRows, makeDatabaseAnew, makeEvent, makePerson, query, send } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { expectPage } from '../site/pages/page.ts'
import { fieldsIn, undoOf } from './forms.ts'
import { Browser, signIn } from './session.ts'

const CODE = 'correct horse battery staple'
const SETUP = '/admin/setup/'
const WITH_CODE = { SETUP_CODE: CODE }

const users = () => query('SELECT login, role FROM users')

beforeEach(makeDatabaseAnew)

it('the empty calendar leads whoever made it to the sign-in, until something was public', async () => {
  const isOffered = async () =>
    (await new Browser({}).get('/events/')).text.includes('Is this your calendar?')
  const { as } = await makePerson('ada', 'administrator')
  expect(await isOffered()).toBe(true)
  await makeEvent(as, { start_date: '2020-01-01 20:00:00', end_date: '2020-01-01 21:00:00' })
  expect(await isOffered()).toBe(false)
})

describe('the first steps', () => {
  const steps = async (browser: Browser) =>
    /<section class="card first-steps".*?<\/section>/s.exec((await browser.get('/admin/')).html)?.[0]

  it('tick what is done, and are gone with the last one', async () => {
    const { as, browser } = await signIn('administrator')
    const fresh = await steps(browser)
    expect(fresh?.match(/<li><a /g)).toHaveLength(6)
    expect(fresh).toContain('action="/admin/events/new/"')
    await send('PATCH', '/settings', { as, json: { name: 'Town', timezone: 'Berlin', imprint_text: 'Ada' } })
    const { id } = await makeEvent(as)
    const { browser: colleague } = await signIn('editor')
    const half = await steps(browser)
    for (const done of ['Give the calendar its name', 'Write the imprint', 'Announce the first event'])
      expect(half).toContain(`<li class="is-done">${done}`)
    expect(half?.match(/<li><a /g)).toHaveLength(2)
    expect(half).toContain('5 of 7 done')
    expect(half).not.toContain('<form method="post" action="/admin/events/new/"')
    expect(await steps(colleague)).toBeUndefined()
    const source = await send('POST', '/sources', {
      as,
      json: { name: 'Theatre', url: 'https://theatre.example/a.ics', every: '' },
    })
    expect(source.status).toBe(201)
    await query("INSERT INTO images (url, width, height) VALUES ('https://img.example/logo.png', 1, 1)")
    const [image] = await query('SELECT max(id) AS id FROM images')
    await send('PATCH', '/settings', { as, json: { image: image?.id } })
    expect(await steps(browser)).toBeUndefined()
    // The imprint is missing again.
    await send('PATCH', '/settings', { as, json: { imprint_text: '' } })
    expect(await steps(browser)).toContain('Write the imprint')
    await send('DELETE', `/events/${id}?force=true`, { as })
  })

  it('have the form of the first event in place', async () => {
    const { browser } = await signIn('administrator')
    const { html } = await browser.get('/admin/')
    const typed = { title: 'First concert', start_date: '2027-06-10', start_date_time: '20:00' }
    const fields = { ...fieldsIn(html), ...typed, venue_new_venue: 'Town hall', do: 'save' }
    const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? ''
    for (const sent of [fields, fields]) {
      const { status, text } = await browser.post('/admin/events/new/', { ...sent, key })
      expect([status, text]).toEqual([303, ''])
    }
    expect(await query('SELECT title, status, start_date FROM events')).toEqual([
      { title: 'First concert', status: 'publish', start_date: '2027-06-10 20:00:00' },
    ])
    expect((await send('GET', '/venues')).body.total).toBe(1)
    const without = await browser.post('/admin/events/new/', { ...fields, start_date: '', key: 'another' })
    expect([without.status, without.html.includes('value="First concert"')]).toEqual([422, true])
  })

  it('are hidden by one button, which can be undone', async () => {
    const { browser } = await signIn('administrator')
    expect(await steps(browser)).toContain('Hide this list')
    const hidden = await browser.submit('/admin/settings/first-steps/')
    expect(hidden.text).toContain('The first steps are hidden now.')
    expect(undoOf(hidden)).not.toBe('')
    expect(await steps(browser)).toBeUndefined()
    const { browser: editor } = await signIn('editor')
    expect((await editor.submit('/admin/settings/first-steps/')).status).toBe(403)
  })
})

describe('the first visit', () => {
  it('makes the administrator, who is signed in, and is over then', async () => {
    const browser = new Browser(WITH_CODE)
    const sent = await browser.get('/admin/sign-in/')
    expect([sent.status, sent.headers.get('location')]).toEqual([303, SETUP])
    const page = await browser.get(SETUP)
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.html).not.toContain(CODE)
    const done = await browser.submit(SETUP, { code: ` ${CODE} `, login: 'ada' })
    expect(done.text).toContain('Create a passkey now')
    expect(done.text).toContain('This could be yours in a minute')
    expect((await browser.get('/admin/account/')).text).toContain('with the setup code')
    expect(await users()).toEqual([{ login: 'ada', role: 'administrator' }])
    const history = (await browser.get('/admin/history/?kind=user')).text
    expect(history).toContain('ada')
    expect(history).not.toContain('Command line')
    const other = new Browser(WITH_CODE)
    expect((await other.get('/admin/sign-in/')).status).toBe(200)
    expect((await other.get(SETUP)).status).toBe(404)
    expect((await other.post(SETUP, { code: CODE, login: 'eve' })).status).toBe(404)
    expect(await users()).toHaveLength(1)
  })

  it('speaks the language of the browser, without names of variables, and the sign-in does so too', async () => {
    const headers = { 'accept-language': 'xx, fr-CH;q=0.4, de-AT;q=0.9, en;q=0.1' }
    const browser = new Browser(WITH_CODE)
    const { html } = await browser.get(SETUP, headers)
    expect(html).toContain('<html lang="de"')
    expect(html).toContain('Einrichtungscode')
    expect(html).not.toContain('SETUP_CODE')
    const wrong = await browser.post(SETUP, { code: 'x', login: 'ada' }, { headers })
    expectPage(wrong, 422, 'Das ist nicht der Einrichtungscode.')
    // What follows is in the same language, until somebody decides on one.
    await browser.post(SETUP, { code: CODE, login: 'ada' }, { headers })
    expect((await browser.get('/admin/start/', headers)).text).toContain('Legen Sie jetzt einen Passkey an')
    expect((await browser.get('/admin/', headers)).html).toContain('<html lang="de"')
    const form = await browser.get('/admin/settings/', headers)
    const fields = { ...fieldsIn(form.html), language: 'fr', do: 'save' }
    await browser.post('/admin/settings/', fields, { headers })
    const saved = await browser.get('/admin/settings/', headers)
    expect(saved.html).toContain('<html lang="fr"')
    expect(saved.text).toMatch(/Enregistré.*: Events Annuler/)
    await browser.post('/admin/sign-out/', {}, { headers })
    expect((await browser.get('/admin/sign-in/', headers)).text).toContain(textsIn('de').signIn.signedOut)
    await query('DELETE FROM settings')
    const signIn = (await new Browser().get('/admin/sign-in/', headers)).html
    expect(signIn).toContain('<html lang="de"')
    const own = await new Browser({ LANGUAGE: 'de-CH' }).get('/admin/sign-in/', headers)
    expect(own.html).toContain('<html lang="de-CH"')
  })

  it.each([
    ['is unset', {}],
    ['is too short', { SETUP_CODE: 'x'.repeat(19) }],
    ['is too short without blanks', { SETUP_CODE: `  ${'x'.repeat(19)}  ` }],
  ])('is not there if the code %s', async (_, bindings) => {
    const browser = new Browser(bindings)
    expect((await browser.get('/admin/sign-in/')).status).toBe(200)
    expect((await browser.get(SETUP)).status).toBe(404)
    for (const code of ['', 'x'.repeat(19)])
      expect((await browser.post(SETUP, { code, login: 'eve' })).status, code).toBe(404)
    expect(await users()).toEqual([])
  })

  it.each([
    ['a wrong code', { code: `${CODE}r`, login: 'eve' }, 422, 'not the setup code'],
    ['no code', { code: '', login: 'eve' }, 422, 'not the setup code'],
    ['a login that cannot be one', { code: CODE, login: 'a:b' }, 422, 'no colon'],
  ])('makes nobody of %s', async (_, fields, status, reason) => {
    const browser = new Browser(WITH_CODE)
    await browser.get(SETUP)
    const shown = await browser.post(SETUP, fields)
    expectPage(shown, status, reason)
    expect(shown.html).toContain(`value="${fields.login}"`)
    expect(await users()).toEqual([])
  })

  it.each([
    ['another origin', { headers: { origin: 'https://elsewhere.example' } }, 403],
    ['a page without its token', { token: undefined }, 409],
  ])('takes no form of %s', async (_, sending, status) => {
    const browser = new Browser(WITH_CODE)
    await browser.get(SETUP)
    expect((await browser.post(SETUP, { code: CODE, login: 'eve' }, sending)).status).toBe(status)
    expect(await users()).toEqual([])
  })

  it('makes one administrator for two who come at once', async () => {
    const both = [new Browser(WITH_CODE), new Browser(WITH_CODE)]
    for (const browser of both) await browser.get(SETUP)
    // The same login: the second must not get a session of the first one's account.
    const sent = await Promise.all(both.map(browser => browser.post(SETUP, { code: CODE, login: 'ada' })))
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 404])
    expect(await users()).toHaveLength(1)
    expect(await countRows('sessions')).toBe(1)
    expect(await countRows("audit WHERE kind = 'user'")).toBe(1)
  })

  it('is refused to an address with too many wrong codes, and to no other', async () => {
    const narrow = { ...WITH_CODE, NETWORK_LIMIT: env.NARROW_LIMIT }
    const guess = new Browser(narrow)
    await guess.get(SETUP)
    const headers = { 'cf-connecting-ip': '198.51.100.17' }
    const tries = []
    for (let i = 0; i < 4; i++)
      tries.push((await guess.post(SETUP, { code: `guess ${i}`, login: 'eve' }, { headers })).status)
    expect(tries.slice(0, 2)).toEqual([422, 422])
    expect(tries.at(-1)).toBe(429)
    const owner = new Browser(narrow)
    await owner.get(SETUP)
    const elsewhere = { headers: { 'cf-connecting-ip': '203.0.113.9' } }
    expect((await owner.post(SETUP, { code: CODE, login: 'ada' }, elsewhere)).status).toBe(303)
  })

  it('is over in a calendar whose only user is no administrator', async () => {
    await makePerson('sub', 'subscriber')
    expect((await new Browser(WITH_CODE).get(SETUP)).status).toBe(404)
  })
})

describe('the code', () => {
  const fields = { code: CODE, login: 'ada' }
  const NEW_CODE = { SETUP_CODE: 'another five words nobody guesses' }

  /** A browser that sends the form, and never sees the answer with its cookies. */
  async function lost(): Promise<Browser> {
    const browser = new Browser(WITH_CODE)
    await browser.get(SETUP)
    const cookies = new Map(browser.cookies)
    expect((await browser.post(SETUP, fields)).status).toBe(303)
    browser.cookies.clear()
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    return browser
  }

  /** The administrator's browser, once the code is used up. */
  async function setUp(): Promise<Browser> {
    const browser = new Browser(WITH_CODE)
    await browser.get(SETUP)
    await browser.post(SETUP, fields)
    expect((await browser.get('/admin/')).status).toBe(200)
    return browser
  }
  const statusWith = async (bindings: { SETUP_CODE?: string }) =>
    (await new Browser(bindings).get(SETUP)).status

  /** Enters a code in a new browser. */
  async function enter(bindings: { SETUP_CODE: string }, code = bindings.SETUP_CODE) {
    const browser = new Browser(bindings)
    await browser.get(SETUP)
    return { browser, sent: await browser.post(SETUP, { code }) }
  }

  it('begins again for the same user if the answer was lost, in any browser, until a page is opened', async () => {
    const browser = await lost()
    const sent = await browser.get('/admin/sign-in/')
    expect([sent.status, sent.headers.get('location')]).toEqual([303, SETUP])
    expect((await browser.get(SETUP)).html).not.toContain('name="login"')
    expectPage((await enter(WITH_CODE, 'guess')).sent, 422, 'not the setup code')
    const { browser: other, sent: again } = await enter(WITH_CODE)
    expect([again.status, again.headers.get('location')]).toEqual([303, '/admin/account/'])
    expect((await other.get('/admin/account/')).text).toContain('Create a passkey now')
    expect(await users()).toEqual([{ login: 'ada', role: 'administrator' }])
    expect(await countRows('sessions')).toBe(1)
    expect(await countRows("audit WHERE kind = 'user' AND action = 'update'")).toBe(1)
    expect(await statusWith(WITH_CODE)).toBe(404)
    expect((await browser.post(SETUP, fields)).status).toBe(404)
  })

  it('is sent again by two browsers at once: one user, one session', async () => {
    await lost()
    await Promise.all([enter(WITH_CODE), enter(WITH_CODE)])
    expect([(await users()).length, await countRows('sessions')]).toEqual([1, 1])
  })

  it.each([
    ['failed', false],
    ['happened, but whose response is lost', true],
  ])('leaves a way in, and one administrator, after each batch of D1 that %s', async (_, late) => {
    for (let after = 0; ; after++) {
      await makeDatabaseAnew()
      const { DB, seen } = faultyD1({ message: 'D1_ERROR: Network connection lost.', after, late })
      const browser = new Browser(WITH_CODE)
      await browser.get(SETUP)
      const failing = browser.with({ ...WITH_CODE, DB })
      const sent = await failing.post(SETUP, fields)
      expect((await users()).length).toBeLessThanOrEqual(1)
      if (seen.failed === 0) {
        expect([after > 0, sent.status]).toEqual([true, 303])
        break
      }
      // Some failures change nothing about the answer. Otherwise, the form is sent again by a browser that
      // has got no session.
      const hasCome = sent.status === 303
      const next = hasCome ? failing.with(WITH_CODE) : browser
      if (!hasCome) expect((await browser.post(SETUP, fields)).status, String(after)).toBe(303)
      expect((await next.get('/admin/')).status).toBe(200)
      expect(await users()).toEqual([{ login: 'ada', role: 'administrator' }])
      expect(await countRows('sessions')).toBe(1)
    }
  })

  it('that is another one signs in the same administrator, ends all other sessions, and works once', async () => {
    const before = await setUp()
    await addPassword(new Database(env.DB), 'ada', null)
    const colleague = await signIn('editor')
    // Everybody else signs in as always.
    expect((await new Browser(NEW_CODE).get('/admin/sign-in/')).status).toBe(200)
    expectPage((await enter(NEW_CODE, CODE)).sent, 422, 'not the setup code')
    expect((await before.get('/admin/')).status).toBe(200)
    const { browser, sent } = await enter(NEW_CODE)
    expect(sent.status).toBe(303)
    expect((await before.get('/admin/')).status).toBe(302)
    expect((await colleague.browser.get('/admin/')).status).toBe(200)
    expect(await statusWith(NEW_CODE)).toBe(200)
    expect((await browser.get('/admin/account/')).text).toContain('ada, Administrator')
    expect(await statusWith(NEW_CODE)).toBe(404)
    expect(await countRows("audit WHERE kind = 'user' AND fields = '[\"session\"]'")).toBe(1)
    expect((await users()).filter(({ role }) => role === 'administrator')).toHaveLength(1)
  })

  it.each([
    ['was made by a restore or by command', 'UPDATE users SET setup_code = NULL'],
    ['is no administrator any more', "UPDATE users SET role = 'editor'"],
  ])('opens nothing for a user who %s', async (_, statement) => {
    await setUp()
    await query(statement)
    expect([await statusWith(NEW_CODE), await statusWith(WITH_CODE)]).toEqual([404, 404])
  })

  it.each([
    ['has ended', "UPDATE sessions SET expires_utc = '2026-11-01 10:00:01'"],
    ['was revoked', 'DELETE FROM sessions'],
  ])('that was used opens nothing when its session %s', async (_, statement) => {
    await setUp()
    await query(statement)
    expect(await statusWith(WITH_CODE)).toBe(404)
  })

  it('begins no session over http, whatever is posted', async () => {
    const browser = new Browser(WITH_CODE)
    const insecure = `http://calendar.example${SETUP}`
    await browser.get(SETUP)
    const sent = await browser.post(insecure, fields, { headers: { origin: 'http://calendar.example' } })
    expectPage(sent, 403, 'https')
    expect(sent.headers.getSetCookie().filter(set => set.includes('session='))).toEqual([])
    expect([await users(), await countRows('sessions')]).toEqual([[], 0])
  })
})
