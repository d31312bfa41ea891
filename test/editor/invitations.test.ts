import { describe, expect, it, vi } from 'vitest'
import { countRows, query, queryValue, send } from '../factories.ts'
import { TODAY } from '../setup.ts'
import { expectPage } from '../site/pages/page.ts'
import { secretsIn } from './forms.ts'
import { Browser, signedIn, signIn } from './session.ts'

const admin = signedIn('administrator', 'admin')

const invite = async (login: string, fields = {}) => {
  const page = await admin.browser.post('/admin/users/', { login, role: 'author', ...fields })
  const id = Number(await queryValue('SELECT id FROM users WHERE login = ?', login))
  return { page, id, link: secretsIn(page)[0] ?? '' }
}
const endOf = (id: number) => queryValue('SELECT expires_utc FROM sign_in_links WHERE user_id = ?', id)
const HOUR_LATER = '2026-11-20 13:00:00'
const WEEK_LATER = '2026-11-27 12:00:00'

describe('an invitation', () => {
  it('lasts seven days, and can be copied or mailed', async () => {
    const { page, id, link } = await invite('Zoë<b>', { name: ' Ada Lovelace ' })
    expect(link).toMatch(/^https:\/\/calendar\.example\/admin\/link\/[a-z\d]{40}\/$/)
    expect(await endOf(id)).toBe(WEEK_LATER)
    expect(page.text).toContain('Ada Lovelace is invited')
    expect(page.text).toContain('November 27, 2026')
    expect(page.html).toContain(`data-copy="${link}"`)
    const mail = /href="mailto:\?subject=([^&"]+)&amp;body=([^"]+)"/.exec(page.html) ?? []
    expect(decodeURIComponent(mail[1] ?? '')).toBe('Your access to Events')
    expect(decodeURIComponent(mail[2] ?? '')).toContain(`\r\n${link}\r\n`)
    const list = await admin.browser.get('/admin/users/')
    expect(list.text).toContain('Ada Lovelace (Zoë<b>)')
    expect(list.html).not.toContain('<b>')
    const browser = new Browser()
    const shown = await browser.get(link)
    expect(shown.text).toContain('Hello, Ada Lovelace')
    expect(shown.text).toContain('Then you create a passkey')
    expect((await browser.submit(link)).status).toBe(200)
    const account = await browser.get('/admin/account/')
    expect(account.html).toContain('value="Ada Lovelace"')
    expect(account.text).toContain('Zoë<b>, Author')
    expect(await endOf(id)).toBeNull()
  })

  it.each([
    ['a role that may do less', 'role', { role: 'contributor' }],
    ['signing out everywhere', 'sessions/end', {}],
  ])('ends with %s', async (_, part, fields) => {
    const { id, link } = await invite(`ended-${part}`)
    await admin.browser.post(`/admin/users/${id}/${part}/`, fields)
    expect(await endOf(id)).toBeNull()
    expect((await new Browser().get(link)).status).toBe(410)
  })

  it('is what a link is for somebody without credentials; others have an hour', async () => {
    const { id } = await invite('bob')
    const { html } = await admin.browser.post(`/admin/users/${id}/link/`)
    expect(html).toContain('mailto:')
    expect(await endOf(id)).toBe(WEEK_LATER)
    expect(await countRows('sign_in_links WHERE user_id = ?', id)).toBe(1)
    const known = await signIn('author')
    // Once somebody has used the first password.
    await send('GET', '/users/me', { as: known.as })
    await admin.browser.post(`/admin/users/${known.id}/link/`)
    expect(await endOf(known.id)).toBe(HOUR_LATER)
  })
})

it('nobody is invited by an administrator who could not come back', async () => {
  const { browser, id } = await signIn('administrator')
  await query('DELETE FROM passwords WHERE user_id = ?', id)
  const refused = await browser.submit('/admin/users/', { login: 'too-early', role: 'author' })
  expect(refused.text).toContain('First create a passkey or an app password for yourself.')
  expect(await countRows("users WHERE login = 'too-early'")).toBe(0)
})

describe('a name', () => {
  it('is given and taken back by its user', async () => {
    const { browser } = await signIn('author', 'eve')
    const named = await browser.submit('/admin/account/name/', { name: 'Eve <b>' })
    expect(named.text).toContain('Your name is saved.')
    expect(named.html).toContain('Eve &lt;b&gt;')
    expect((await admin.browser.get('/admin/users/')).text).toContain('Eve <b> (eve)')
    await browser.submit('/admin/account/name/', { name: 'x'.repeat(200) })
    expect(await queryValue("SELECT length(name) AS n FROM users WHERE login = 'eve'")).toBe(100)
    expect((await browser.submit('/admin/account/name/', { name: ' ' })).html).not.toContain('xxx')
  })
})

describe('a second proof', () => {
  it('is asked of everybody but those who have no credentials yet', async () => {
    const { link } = await invite('first')
    const browser = new Browser()
    await browser.get(link)
    await browser.submit(link)
    vi.setSystemTime(TODAY.getTime() + 16 * 60_000)
    const made = await browser.post('/admin/account/passwords/', { name: 'First' })
    expect(secretsIn(made)).toHaveLength(1)
    const again = await browser.post('/admin/account/passwords/', { name: 'Second' })
    expectPage(again, 401, 'sign in again')
    vi.setSystemTime(TODAY)
  })
})
