import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { addLink } from '../../src/calendar/users/passwords.ts'
import { Database } from '../../src/kit/db/database.ts'
import { declareUser, makePerson, query } from '../factories.ts'
import { TODAY } from '../setup.ts'
import { expectPage } from '../site/pages/page.ts'
import { Browser, signIn } from './session.ts'

const db = () => new Database(env.DB)
const linkFor = async (login: string) => (await addLink(db(), login)).path

declareUser('editor', 'ada')

describe('a link', () => {
  it('signs in by its button, once', async () => {
    const path = await linkFor('ada')
    const browser = new Browser()
    expect((await browser.get(path)).text).toContain('Sign in as ada')
    const { status, headers } = await browser.post(path)
    expect([status, headers.get('location')]).toEqual([303, '/admin/'])
    const start = await browser.get('/admin/')
    expect(start.text).toContain('Hello, ada')
    expect(start.text).toContain('Create a passkey')
    const again = new Browser()
    expect((await again.get(path)).status).toBe(410)
    const replayed = await again.post(path, {}, { token: browser.token })
    expect(replayed.status).not.toBe(303)
  })

  it('is used up neither by opening it nor by sending its form without the page', async () => {
    const path = await linkFor('ada')
    const sessions = () => query('SELECT * FROM sessions ORDER BY id')
    const before = await sessions()
    // A program that looks through mails: it keeps no cookies, and may send what it finds.
    const scanner = new Browser()
    const { html } = await scanner.get(path)
    expect(html).toContain('method="post"')
    scanner.cookies.clear()
    expect((await scanner.post(path)).status).toBe(409)
    expect((await new Browser().post(path, {}, { token: undefined })).status).toBe(409)
    const elsewhere = await scanner.post(path, {}, { headers: { origin: 'https://mail.example' } })
    expect(elsewhere.status).toBe(403)
    expect(await sessions()).toEqual(before)
    const browser = new Browser()
    await browser.get(path)
    expect((await browser.post(path)).status).toBe(303)
  })

  it('signs in one of two who press its button at once', async () => {
    const path = await linkFor('ada')
    const browsers = [new Browser(), new Browser()]
    for (const browser of browsers) await browser.get(path)
    const answers = await Promise.all(browsers.map(browser => browser.post(path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410])
  })

  it('works for an hour if its user has used credentials, and until a newer link is made', async () => {
    await query("UPDATE passwords SET last_used_utc = '2026-11-01 12:00:00'")
    const earlier = await linkFor('ada')
    const path = await linkFor('ada')
    const browser = new Browser()
    expect((await browser.get(earlier)).status).toBe(410)
    expect((await browser.get(path)).status).toBe(200)
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    expect((await browser.get(path)).status).toBe(410)
    expect((await browser.post(path)).status).toBe(410)
    vi.setSystemTime(TODAY)
  })

  it('is stored as a digest only', async () => {
    const secret = (await linkFor('ada')).split('/').at(-2) ?? ''
    expect(secret).toHaveLength(40)
    const results = await query('SELECT * FROM sign_in_links')
    expect(JSON.stringify(results)).not.toContain(secret)
  })

  it('ends the session that the browser had', async () => {
    const { browser } = await signIn('author')
    const { cookie } = browser
    const path = await linkFor('ada')
    await browser.get(path)
    expect((await browser.post(path)).status).toBe(303)
    expect((await new Browser().get('/admin/', { cookie })).status).toBe(302)
  })

  it('that holds no longer leaves the session that the browser had', async () => {
    const { browser } = await signIn('author')
    const path = await linkFor('ada')
    await browser.get(path)
    await linkFor('ada')
    expect((await browser.post(path)).status).toBe(410)
    expect((await browser.get('/admin/account/')).status).toBe(200)
  })
})

describe('tries to sign in', () => {
  it('that fail leave the session that the browser had', async () => {
    const { browser } = await signIn('author')
    for (const [way, fields] of [
      ['password', { login: 'ada', password: 'wrong' }],
      ['passkey', { response: '{}' }],
    ] as const) {
      await browser.get('/admin/sign-in/?again=1')
      expect((await browser.post(`/admin/sign-in/${way}/`, fields)).status, way).toBe(422)
      expect((await browser.get('/admin/account/')).status, way).toBe(200)
    }
  })

  it('that fail are limited by network and login, which leaves others at the same network alone', async () => {
    await makePerson('cleo', 'author')
    const browser = new Browser({ LOGIN_LIMIT: env.NARROW_LIMIT })
    const headers = { 'cf-connecting-ip': '198.51.100.9' }
    const attempt = async (way: string, fields: Record<string, string>) =>
      (await browser.post(`/admin/sign-in/${way}/`, fields, { headers })).status
    await browser.get('/admin/sign-in/')
    const guess = { login: 'ada', password: 'guess' }
    const statuses: number[] = []
    // If a new minute begins meanwhile, three of five are still in the same one.
    for (let i = 0; i < 5; i++) statuses.push(await attempt('password', guess))
    expect(statuses).toContain(429)
    expect(await attempt('password', { login: 'Ada', password: 'password of ada' })).toBe(429)
    expect(await attempt('password', { login: 'cleo', password: 'password of cleo' })).toBe(303)
  })

  it('are limited for a network, all ways together', async () => {
    const browser = new Browser({ NETWORK_LIMIT: env.NARROW_LIMIT })
    const headers = { 'cf-connecting-ip': '198.51.100.7' }
    const guess = (way: string, fields: Record<string, string>) =>
      browser.post(`/admin/sign-in/${way}/`, fields, { headers })
    await browser.get('/admin/sign-in/')
    const statuses = [
      await guess('password', { login: 'ada', password: 'guess' }),
      await guess('passkey', { response: '{}' }),
      await guess('passkey', { response: '{}' }),
      await guess('password', { login: 'ada', password: 'password of ada' }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([422, 422, 429, 429])
    const path = await linkFor('ada')
    await browser.get(path)
    expect((await browser.post(path, {}, { headers })).status).toBe(429)
    const other = { 'cf-connecting-ip': '198.51.100.8' }
    expect((await browser.post(path, {}, { headers: other })).status).toBe(303)
  })

  it('that succeed leave at most fifty sessions of one user', async () => {
    const { id } = await makePerson('berta', 'author')
    const at = '2026-11-20 12:00:00'
    await query(
      `INSERT INTO sessions (user_id, digest, method, device, created_utc, expires_utc, last_used_utc)
       SELECT ?1, value, 'password', '', ?2, '2026-12-01 00:00:00', ?2 FROM json_each(?3)`,
      id,
      at,
      JSON.stringify(Array.from({ length: 80 }, (_, i) => `digest ${i}`)),
    )
    const browser = new Browser()
    await browser.get('/admin/sign-in/')
    await browser.post('/admin/sign-in/password/', { login: 'berta', password: 'password of berta' })
    expect((await browser.get('/admin/')).status).toBe(200)
    const count = env.DB.prepare('SELECT count(*) AS n FROM sessions WHERE user_id = ?').bind(id)
    expect(await count.first('n')).toBe(50)
  })
})

it('nobody signs in where the cookie would get lost', async () => {
  const browser = new Browser()
  const shown = await browser.get('http://calendar.example/admin/sign-in/')
  expectPage(shown, 403, 'https')
})
