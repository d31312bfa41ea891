import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { countRows, makeEvent, makeOrganizer, query, queryValue, send } from '../factories.ts'
import { expectPage } from '../site/pages/page.ts'
import { fieldsIn, secretsIn } from './forms.ts'
import { Browser, signedIn, signIn, signInAs } from './session.ts'

const admin = signedIn('administrator', 'admin')

const roleOf = (id: number) => queryValue('SELECT role FROM users WHERE id = ?', id)

describe('users', () => {
  it('are linked from the settings, on several pages if there are many', async () => {
    expect((await admin.browser.get('/admin/settings/')).links).toContain('/admin/users/')
    await signIn('contributor', 'zora')
    const page = await admin.browser.get('/admin/users/?after=zo')
    expect({
      status: page.status,
      namesZora: page.text.includes('zora'),
      namesAdmin: page.text.includes('admin · '),
    }).toEqual({ status: 200, namesZora: true, namesAdmin: false })
  })

  it.each([
    ['ADMIN', 'editor', 'already'],
    ['a:b', 'editor', 'no colon'],
    ['', 'editor', 'no colon'],
    ['x'.repeat(61), 'editor', 'no colon'],
    ['somebody', 'boss', 'Please choose a role.'],
  ])('are not invited as %.10j with the role %s', async (login, role, reason) => {
    const shown = await admin.browser.post('/admin/users/', { login, role })
    expectPage(shown, 422, reason)
    expect(shown.html).toContain(`value="${login}"`)
  })

  it('get another role, and are signed out by that', async () => {
    const { browser, ...rita } = await signIn('editor', 'rita')
    const { id } = rita
    const changed = await admin.browser.submit(`/admin/users/${id}/role/`, { role: 'author' })
    expect(changed.text).toContain('rita now has the role Author')
    expect(await roleOf(id)).toBe('author')
    expect((await browser.get('/admin/')).status).toBe(302)
    const again = await signInAs(rita, 'rita')
    const same = await admin.browser.post(`/admin/users/${id}/role/`, { role: 'author' })
    expect([same.status, (await again.browser.get('/admin/')).status]).toEqual([303, 200])
    const refused = await admin.browser.post(`/admin/users/${id}/role/`, { role: 'king' })
    expect(refused.status).toBe(422)
    expect(refused.html).toMatch(/<fieldset[^>]* aria-describedby="role-error".*id="role-error"/s)
  })

  it('are signed out, get links and passwords, which can be revoked', async () => {
    const { browser, id } = await signIn('editor', 'sven')
    expect(secretsIn(await admin.browser.post(`/admin/users/${id}/link/`))[0]).toContain('/admin/link/')
    await admin.browser.post(`/admin/users/${id}/sessions/end/`)
    expect((await browser.get('/admin/')).status).toBe(302)
    // With no session left, there is nothing to end.
    await admin.browser.post(`/admin/users/${id}/sessions/end/`)
    const ended = `audit WHERE kind = 'user' AND action = 'revoke' AND fields = '["session"]' AND object_id = ?`
    expect(await countRows(ended, id)).toBe(1)
    const made = await admin.browser.post(`/admin/users/${id}/passwords/`, { name: 'Website' })
    const as = `Bearer ${secretsIn(made)[0]?.replaceAll(' ', '')}`
    expect((await send('GET', '/events', { as })).status).toBe(200)
    const page = await admin.browser.get(`/admin/users/${id}/`)
    const revokes = [...page.html.matchAll(/\/admin\/users\/\d+\/passwords\/\d+\/revoke\//g)]
    for (const [path] of revokes) expect((await admin.browser.post(path)).status).toBe(303)
    expect((await send('GET', '/events', { as })).status).toBe(401)
    expect((await admin.browser.get('/admin/')).status).toBe(200)
  })

  it('are removed with all that lets them in, and what they own goes to another', async () => {
    const { browser, id, as } = await signIn('author', 'tom')
    const event = await makeEvent(as)
    const organizer = await makeOrganizer(as, 'Quartet')
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_utc)
        VALUES (?, 'of tom', 'x', 0, '[]', 'Telephone', '2026-01-01 00:00:00')`).bind(id),
    ])
    const ofOne = await signIn('author', 'bert')
    await makeEvent(ofOne.as)
    expect((await admin.browser.get(`/admin/users/${ofOne.id}/remove/`)).text).toContain(
      'One event, venue, organizer or image belongs to bert.',
    )
    const remove = `/admin/users/${id}/remove/`
    const page = await admin.browser.get(`/admin/users/${id}/`)
    expect(page.links).toContain(remove)
    expect(page.html).not.toContain(`action="${remove}"`)
    const asked = await admin.browser.get(remove)
    expectPage(asked, 200, 'Remove tom?')
    expect(asked.text).toMatch(/can’t be undone.*2 events, venues, organizers and images belong to tom\./s)
    expect(fieldsIn(asked.html)).toMatchObject({ heir: [''] })
    for (const someone of [browser, ofOne.browser])
      expect([(await someone.get(remove)).status, (await someone.post(remove)).status]).toEqual([403, 403])
    expect((await new Browser().get(remove)).headers.get('location')).toContain('/admin/sign-in/')
    expect((await admin.browser.get('/admin/users/9999/remove/')).status).toBe(404)
    for (const heir of ['', 'nobody', 'tom']) {
      const refused = await admin.browser.post(`/admin/users/${id}/remove/`, { heir })
      expectPage(refused, 422, 'Please choose who gets it.')
    }
    expect((await browser.get('/admin/')).status).toBe(200)
    const gone = await admin.browser.submit(`/admin/users/${id}/remove/`, { heir: 'admin' })
    expect(gone.text).toContain('tom has been removed.')
    expect((await browser.get('/admin/')).status).toBe(302)
    expect((await send('GET', '/events', { as })).status).toBe(401)
    for (const path of [`/events/${event.id}`, `/organizers/${organizer.id}`])
      expect((await send('GET', path)).body.author, path).toBe(String(admin.id))
    expect((await admin.browser.get(`/admin/users/${id}/`)).status).toBe(404)
    const results = await query(
      `SELECT action, user_id FROM audit WHERE kind = 'user' AND object_id = ? ORDER BY id`,
      id,
    )
    expect(results).toEqual([{ action: 'delete', user_id: admin.id }])
  })
})
