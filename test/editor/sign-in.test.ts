import { describe, expect, it } from 'vitest'
import { declareUser, query } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { expectPage, textOf } from '../site/pages/page.ts'
import { fieldsIn } from './forms.ts'
import { Browser, signIn, signInAs } from './session.ts'

const LOGIN = { login: 'ada', password: 'password of ada' }

declareUser('editor', 'ada')

describe('the sign-in', () => {
  it('with login and application password leads to where one wanted to go', async () => {
    const browser = new Browser()
    const away = await browser.get('/admin/?a=1')
    expect(away.status).toBe(302)
    expect(away.headers.get('location')).toBe('/admin/sign-in/')
    const shown = await browser.get('/admin/sign-in/?to=/admin/?a=1')
    expect(shown.status).toBe(200)
    const done = await browser.post('/admin/sign-in/password/', { ...LOGIN, to: '/admin/?a=1' })
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe('/admin/?a=1')
    const start = await browser.get('/admin/?a=1')
    expectPage(start, 200, 'Hello, ada')
  })

  it('says what is wrong, and keeps the login', async () => {
    const browser = new Browser()
    await browser.get('/admin/sign-in/')
    const shown = await browser.post('/admin/sign-in/password/', { login: 'ada', password: 'guess' })
    expectPage(shown, 422, 'The login or the password is wrong.')
    expect(shown.html).toContain('value="ada"')
    expect(shown.html).not.toContain('guess')
    expect([...browser.cookies.keys()]).toEqual(['__Host-visit'])
  })

  it.each([
    'https://elsewhere.example/admin/',
    '//elsewhere.example/admin/',
    '/\\elsewhere.example/admin/',
    '/events/',
    '/admin/../events/',
    '/admin//elsewhere.example',
    'javascript:alert(1)//admin/',
    `/admin/${'a'.repeat(3000)}`,
  ])('leads nowhere else: %s', async to => {
    const browser = new Browser()
    await browser.get(`/admin/sign-in/?to=${encodeURIComponent(to)}`)
    const { headers } = await browser.post('/admin/sign-in/password/', { ...LOGIN, to })
    expect(headers.get('location')).toBe('/admin/')
  })

  it('sets a cookie that only this host gets, and no script', async () => {
    const browser = new Browser()
    await browser.get('/admin/sign-in/')
    const { headers } = await browser.post('/admin/sign-in/password/', LOGIN)
    const session = headers.getSetCookie().find(cookie => cookie.startsWith('__Host-session='))
    expect(session).toMatch(
      /^__Host-session=[\da-f]{64}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    const local = await browser.get('http://localhost:8787/admin/sign-in/')
    expect(local.headers.getSetCookie()[0]).toMatch(/^visit=[\da-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  it('stores no secret', async () => {
    const { browser } = await signIn('author')
    const secret = browser.cookies.get('__Host-session') ?? ''
    const results = await query('SELECT * FROM sessions')
    expect(secret).toHaveLength(64)
    expect(JSON.stringify(results)).not.toContain(secret)
  })

  it('gives another secret each time, whatever the browser had', async () => {
    const browser = new Browser()
    const planted = 'a'.repeat(64)
    browser.cookies.set('__Host-session', planted)
    await browser.get('/admin/sign-in/')
    await browser.post('/admin/sign-in/password/', LOGIN)
    const first = browser.cookies.get('__Host-session')
    expect(first).not.toBe(planted)
    const again = await signInAs({ id: 0, as: '' }, 'ada')
    expect(again.browser.cookies.get('__Host-session')).not.toBe(first)
  })
})

describe('signing out', () => {
  it('ends the session, also for whoever has kept its cookie', async () => {
    const { browser } = await signIn('author')
    const cookie = browser.cookie
    const out = await browser.submit('/admin/sign-out/')
    expect(out.text).toContain('You are signed out.')
    const kept = await new Browser().get('/admin/', { cookie })
    expect(kept.status).toBe(302)
    expect(kept.headers.get('location')).toBe('/admin/sign-in/')
  })
})

describe('a form', () => {
  it.each([
    ['of another origin', { headers: { origin: 'https://elsewhere.example' } }, 403],
    ['of a page without an origin', { headers: { origin: 'null' } }, 403],
    ['without a token', { token: undefined }, 409],
    ['with a forged token', { token: 'f'.repeat(64) }, 409],
  ])('%s does nothing', async (_, sending, status) => {
    const { browser } = await signIn('author')
    expect((await browser.post('/admin/sign-out/', {}, sending)).status).toBe(status)
    expect((await browser.get('/admin/')).status).toBe(200)
  })

  it('of another session does nothing', async () => {
    const one = await signIn('author')
    const other = await signIn('author')
    const { status } = await one.browser.post('/admin/sign-out/', {}, { token: other.browser.token })
    expect(status).toBe(409)
    expect((await one.browser.get('/admin/')).status).toBe(200)
  })

  it('that comes after the session has ended is kept, and can be sent after another sign-in', async () => {
    const { browser } = await signIn('author')
    await query('DELETE FROM sessions')
    const ended = await browser.post('/admin/sign-out/', { title: 'Chess <b>', text: 'one\r\ntwo' })
    expect(ended.status).toBe(401)
    expect(ended.html).toContain('name="title" value="Chess &lt;b&gt;"')
    expect(ended.html).toContain('name="text" value="one\r\ntwo"')
    expect(ended.links).toContain('/admin/sign-in/')
    await browser.get('/admin/sign-in/')
    await browser.post('/admin/sign-in/password/', LOGIN)
    const confirm = await browser.post('/admin/sign-out/', { title: 'Chess <b>' }, { token: ended.html })
    expect(confirm.status).toBe(409)
    expect(confirm.html).toContain('name="title" value="Chess &lt;b&gt;"')
    expect((await browser.post('/admin/sign-out/', { title: 'Chess <b>' })).status).toBe(303)
  })
})

describe('what was typed, after the session has ended,', () => {
  it('is named as in the form, without inputs that nobody reads', async () => {
    const { browser } = await signIn('author')
    const { html } = await browser.get('/admin/events/new/')
    await query('DELETE FROM sessions')
    const fields = {
      title: 'Chess',
      start_date: '2027-01-20',
      start_date_time: '19:30',
      venue: '1',
      cost: '5',
    }
    const ended = await browser.post('/admin/events/new/', { ...fieldsIn(html), ...fields })
    const list = textOf(/<details class="typed">.*?<\/details>/s.exec(ended.html)?.[0] ?? '')
    expect(list).toContain('Title Chess Starts 2027-01-20 Starts 19:30')
    expect(list).toContain('Price 5')
    expect(list).toContain('Who can see it Public')
    expect(list).not.toMatch(/_|Venue/)
  })
})

describe('a failure', () => {
  it.each([
    ['of the session’s query', { times: 99 }, 503],
    ['of the write', { times: 99, writesOnly: true }, 503],
  ])('%s loses nothing that was typed', async (_, fault, status) => {
    const { browser } = await signIn('author')
    const { token } = browser
    const broken = browser.with(faultyD1({ message: 'D1_ERROR: Network connection lost.', ...fault }))
    const failed = await broken.post('/admin/account/name/', { title: 'Chess' }, { token })
    expect(failed.status).toBe(status)
    expect(failed.html).toContain('name="title" value="Chess"')
    expect(failed.html).toContain('action="/admin/account/name/"')
    const elsewhere = { token, headers: { origin: 'https://elsewhere.example' } }
    expect((await broken.post('/admin/account/name/', { title: 'Chess' }, elsewhere)).html).not.toContain(
      'Chess',
    )
  })
})

describe('pages of the editor', () => {
  it('are not cached, shown in no frame, and found by no search engine', async () => {
    const { browser } = await signIn('author')
    for (const path of ['/admin/', '/admin/sign-in/', '/admin/nothing/', '/admin']) {
      const { headers } = await browser.get(path)
      expect(headers.get('cache-control'), path).toBe('no-store')
      expect(headers.get('x-frame-options'), path).toBe('DENY')
      expect(headers.get('x-robots-tag'), path).toBe('noindex')
      expect(headers.get('referrer-policy'), path).toBe('same-origin')
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
      expect(headers.get('content-security-policy'), path).toMatch(
        /default-src 'none'.*frame-ancestors 'none'/,
      )
    }
  })

  it('that are not there lead to the sign-in, and then say so', async () => {
    const path = '/admin/nothing/'
    expect((await new Browser().get(path)).headers.get('location')).toBe(
      '/admin/sign-in/?to=%2Fadmin%2Fnothing%2F',
    )
    const { browser } = await signIn('author')
    const { status, text } = await browser.get(path)
    expect(status).toBe(404)
    expect(text).toContain('Nothing here')
  })
})
