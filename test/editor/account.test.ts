import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { expiredRows } from '../../src/editor/sessions.ts'
import { Database } from '../../src/kit/db/database.ts'
import { changeDue } from '../../src/kit/work/due-rows.ts'
import { basic, countRows, makePerson, query, queryAll, queryValue, SITE, send } from '../factories.ts'
import { metricsOf } from '../kit/http/metrics.ts'
import { TODAY } from '../setup.ts'
import { expectPage } from '../site/pages/page.ts'
import { secretsIn } from './forms.ts'
import { Browser, signIn, signInAs } from './session.ts'

const AGENTS = {
  'Firefox, Android': 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0',
  'Chrome, Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Edge, Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Safari, iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  'Unknown device': '<script>alert(1)</script>',
}

describe('sessions', () => {
  it('are listed with their device, and can be ended one by one, or all others at once', async () => {
    const { browser } = await signIn('editor', 'ada')
    const others: Browser[] = []
    for (const agent of Object.values(AGENTS)) {
      const other = new Browser()
      await other.get('/admin/sign-in/')
      const fields = { login: 'ada', password: 'password of ada' }
      await other.post('/admin/sign-in/password/', fields, { headers: { 'user-agent': agent } })
      others.push(other)
    }
    const { text, html } = await browser.get('/admin/account/')
    for (const name of Object.keys(AGENTS)) expect(text).toContain(name)
    expect(html).not.toContain('alert(1)')
    expect(text).toContain('This browser · Since November 20, 2026 with an app password')
    const [, end = ''] = /action="(\/admin\/account\/sessions\/\d+\/end\/)"/.exec(html) ?? []
    const stranger = await signIn('administrator')
    await stranger.browser.post(end)
    const alive = async () =>
      (await Promise.all(others.map(other => other.get('/admin/')))).filter(({ status }) => status === 200)
        .length
    expect(await alive()).toBe(5)
    expect((await browser.submit(end)).text).toContain('Signed out there.')
    expect(await alive()).toBe(4)
    await browser.post('/admin/account/sessions/others/end/')
    expect(await alive()).toBe(0)
    expect((await browser.get('/admin/')).status).toBe(200)
  })

  it('end thirty days after their last use, which is stored once an hour', async () => {
    const waiting = new Browser({})
    const { id } = await signInAs(await signIn('author', 'carla'), 'carla', waiting)
    const lastUse = () =>
      queryValue('SELECT last_used_utc FROM sessions WHERE user_id = ? ORDER BY id DESC', id)
    const at = async (minutes: number) => {
      vi.setSystemTime(TODAY.getTime() + minutes * 60_000)
      return (await waiting.get('/admin/')).status
    }
    expect(await at(59)).toBe(200)
    expect(await lastUse()).toBe('2026-11-20 12:00:00')
    expect(await at(61)).toBe(200)
    expect(await lastUse()).toBe('2026-11-20 13:01:00')
    expect(await at(61 + 30 * 24 * 60 - 1)).toBe(200)
    expect(waiting.cookies.get('__Host-session')).toMatch(/^[a-f\d]{64}$/)
    expect(await at(61 + 60 * 24 * 60 - 1)).toBe(302)
    vi.setSystemTime(TODAY)
  })

  it('need a new sign-in before they make keys some time later, and lead there and back', async () => {
    const { browser, id } = await signIn('administrator', 'boss')
    const other = (await makePerson('minion', 'subscriber')).id
    const keys = async () => {
      const counted = [
        'passkeys',
        'passwords',
        'sign_in_links',
        'users',
        "users WHERE role = 'administrator'",
      ]
      return Promise.all(counted.map(table => countRows(table)))
    }
    const before = await keys()
    const again = (path: string) => `/admin/sign-in/?${new URLSearchParams({ again: '1', to: path })}`
    vi.setSystemTime(TODAY.getTime() + 901_000)
    const fields = { name: 'Mine', login: 'mallory', role: 'administrator', response: '{}' }
    for (const [from, path] of [
      ['/admin/account/', '/admin/account/passwords/'],
      ['/admin/account/', '/admin/account/passkeys/'],
      ['/admin/account/', '/admin/account/email/'],
      ['/admin/users/', '/admin/users/'],
      [`/admin/users/${id}/`, `/admin/users/${id}/link/`],
      [`/admin/users/${id}/`, `/admin/users/${id}/passwords/`],
      // A user with more rights counts as another.
      [`/admin/users/${other}/`, `/admin/users/${other}/role/`],
    ] as const) {
      const { status, headers } = await browser.post(path, {}, { headers: { referer: SITE + from } })
      expect([status, headers.get('location')], path).toEqual([303, again(from)])
      // What was typed can be sent after the sign-in.
      const kept = await browser.post(path, fields)
      expect([kept.status, kept.text], path).toEqual([401, expect.stringContaining('sign in again')])
      expect(kept.html).toContain('name="login" value="mallory"')
    }
    const asked = await browser.get('/admin/account/options/')
    expect([asked.status, asked.headers.get('location')]).toEqual([303, again('/admin/account/')])
    const name = '"><b>My phone'
    const named = await browser.get(`/admin/account/options/?${new URLSearchParams({ name })}`)
    const kept = `/admin/account/?${new URLSearchParams({ name })}`
    expect(named.headers.get('location')).toBe(again(kept))
    expect(await keys()).toEqual(before)
    const page = await browser.get(again('/admin/account/'))
    expectPage(page, 200, 'Please sign in again')
    const credentials = { login: 'boss', password: 'password of boss', to: kept }
    const back = await browser.post('/admin/sign-in/password/', credentials)
    expect(back.headers.get('location')).toBe(kept)
    const account = await browser.get(kept)
    expect([account.status, account.html]).toEqual([
      200,
      expect.stringMatching(/<input id="passkey-name" name="name" value="&quot;&gt;&lt;b&gt;My phone"/),
    ])
    expect(secretsIn(await browser.post('/admin/account/passwords/', { name: 'Mine' }))).toHaveLength(1)
    await browser.post('/admin/sign-out/')
    vi.setSystemTime(TODAY)
  })
})

describe('application passwords', () => {
  it('are made with a name and shown once, work for the API, and are revoked', async () => {
    const { browser } = await signIn('author', 'dora')
    const unnamed = await browser.post('/admin/account/passwords/', { name: ' ' })
    expect([unnamed.status, unnamed.text.includes('Please give it a name.')]).toEqual([422, true])
    const made = await browser.post('/admin/account/passwords/', { name: '"><script>x</script>' })
    const [password = ''] = secretsIn(made)
    const reads = async () => (await send('GET', '/events', { as: basic('dora', password) })).status
    expect(await reads()).toBe(200)
    const account = await browser.get('/admin/account/')
    expect(account.html).not.toContain('<script>x')
    expect(account.html).not.toContain(password)
    expect(account.text).toContain('"><script>x</script>')
    const revoke = [...account.html.matchAll(/\/admin\/account\/passwords\/\d+\/revoke\//g)].at(-1)?.[0] ?? ''
    const stranger = await signIn('administrator')
    await stranger.browser.post(revoke)
    expect(await reads()).toBe(200)
    expect((await browser.submit(revoke)).text).toContain('The password no longer works.')
    expect(await reads()).toBe(401)
    expect((await browser.get('/admin/')).status).toBe(200)
    expect((await browser.post(revoke)).status).toBe(303)
  })

  it('are at most fifty', async () => {
    const { browser, id } = await signIn('author')
    expect((await browser.get('/admin/account/')).text).toContain('A user may have 50.')
    await query(
      `INSERT INTO passwords (user_id, digest, created_utc)
       SELECT ?, 'full ' || value, '2026-01-01 00:00:00' FROM json_each(?)`,
      id,
      JSON.stringify(Array.from({ length: 49 }, (_, i) => i)),
    )
    const { text } = await browser.get('/admin/account/')
    expect(text).toContain('There are 50 already, which is the maximum')
    const { browser: administrator } = await signIn('administrator')
    expect((await administrator.get(`/admin/users/${id}/`)).text).toContain('There are 50 already')
    expect((await browser.post('/admin/account/passwords/', { name: 'one more' })).status).toBe(422)
  })

  it('are in the audit with all other means to sign in, without their secrets', async () => {
    const { browser, id } = await signIn('author')
    const [secret] = secretsIn(await browser.post('/admin/account/passwords/', { name: 'x' }))
    const results = await query('SELECT * FROM audit WHERE object_id = ? AND user_id = ?', id, id)
    expect(results.map(({ kind, action, fields }) => [kind, action, fields])).toEqual([
      ['user', 'update', '["password"]'],
    ])
    expect(results.every(({ request_id }) => request_id)).toBe(true)
    expect(JSON.stringify(results)).not.toContain(secret)
  })
})

it('the cron deletes what has expired', async () => {
  await signIn('author')
  const [one] = await queryAll([
    'SELECT count(*) AS n FROM sessions',
    `INSERT INTO sign_in_links (digest, user_id, expires_utc) VALUES ('x', 1, '2026-11-20 13:00:00')`,
    `INSERT INTO used_challenges (challenge, expires_utc) VALUES ('x', '2026-11-20 12:05:00')`,
  ])
  expect(one).not.toEqual([{ n: 0 }])
  const left = async (time: number) => {
    for (const rows of expiredRows(time)) await changeDue(new Database(env.DB), rows, time)
    const tables = ['sessions', 'sign_in_links', 'used_challenges']
    const counts = tables.map(table => countRows(table))
    return (await Promise.all(counts)).map(count => count !== 0)
  }
  expect(await left(TODAY.getTime())).toEqual([true, true, true])
  expect(await left(TODAY.getTime() + 3_600_000)).toEqual([true, false, false])
  expect(await left(TODAY.getTime() + 100 * 86_400_000)).toEqual([false, false, false])
})

it('a page takes two round trips and reads few rows, for the session and for the page', async () => {
  const counted = new Browser({ DEBUG_TIMING: '1' })
  await signInAs(await signIn('author', 'emil'), 'emil', counted)
  const { trips, rows } = metricsOf(await counted.get('/admin/account/'))
  expect(trips).toBeLessThanOrEqual(2)
  expect(rows).toBeLessThan(20)
})
