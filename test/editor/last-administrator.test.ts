import { beforeEach, describe, expect, it } from 'vitest'
import { countRows, query, queryAll, queryValue } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { expectPage } from '../site/pages/page.ts'
import { secretsIn } from './forms.ts'
import { Browser, type SignedIn, signIn } from './session.ts'

let ada: SignedIn
let logins = 0

beforeEach(async () => {
  await queryAll(
    ['sessions', 'sign_in_links', 'passkeys', 'passwords', 'users'].map(name => `DELETE FROM ${name}`),
  )
  ada = await signIn('administrator', `ada-${++logins}`)
})

const roleOf = ({ id }: { id: number }) => queryValue('SELECT role FROM users WHERE id = ?', id)
const passwordsOf = ({ id }: { id: number }) => countRows('passwords WHERE user_id = ?', id)
const passwordId = ({ id }: { id: number }) =>
  queryValue('SELECT max(id) FROM passwords WHERE user_id = ?', id)

const addPasskey = ({ id }: { id: number }) =>
  query(
    `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_utc)
     VALUES (?1, 'of ' || ?1, 'x', 0, '[]', 'Telephone', '2026-01-01 00:00:00') RETURNING id`,
    id,
  ).then(([row]) => row?.id)

/** Somebody with a session, and without anything that would let them in again. */
async function withoutCredentials(role: Parameters<typeof signIn>[0]) {
  const person = await signIn(role, `new-${++logins}`)
  await query('DELETE FROM passwords WHERE user_id = ?', person.id)
  return person
}

const demote = (by: SignedIn, whom: SignedIn) =>
  by.browser.post(`/admin/users/${whom.id}/role/`, { role: 'editor' })
const remove = (by: SignedIn, whom: SignedIn) => by.browser.post(`/admin/users/${whom.id}/remove/`)
const revoke = async (whom: SignedIn) =>
  whom.browser.post(`/admin/account/passwords/${await passwordId(whom)}/revoke/`)

const LAST = 'no administrator could sign in'

describe('the last administrator who can sign in', () => {
  it.each([
    ['no other user', undefined],
    ['an administrator without credentials', {}],
    ['an administrator whose password has expired', { expires: '2026-11-20 12:00:00' }],
    ['an editor with a password', { role: 'editor', expires: null }],
  ] as const)('is neither demoted nor removed, with %s', async (_, other) => {
    if (other) {
      const person = await withoutCredentials('role' in other ? other.role : 'administrator')
      if ('expires' in other)
        await query(
          `INSERT INTO passwords (user_id, digest, created_utc, expires_utc) VALUES (?, 'of other', '2026-01-01 00:00:00', ?)`,
          person.id,
          other.expires,
        )
    }
    const page = await ada.browser.get(`/admin/users/${ada.id}/`)
    expect(page.text.split(LAST)).toHaveLength(4)
    expect(page.html).not.toMatch(/\/(role|remove)\/"/)
    for (const refused of [await demote(ada, ada), await remove(ada, ada)]) expectPage(refused, 422, LAST)
    expectPage(await revoke(ada), 409, LAST)
    expect([await roleOf(ada), await passwordsOf(ada)]).toEqual(['administrator', 1])
  })

  it('is whoever is left when two do it at the same time', async () => {
    for (const [first, second] of [
      [demote, demote],
      [remove, remove],
      [demote, remove],
    ] as const) {
      const bob = await signIn('administrator', `bob-${++logins}`)
      const current = ada
      await Promise.all([first(current, bob), second(bob, current)])
      const left = await query("SELECT id FROM users WHERE role = 'administrator'")
      expect(left).toHaveLength(1)
      ada = left[0]?.id === bob.id ? bob : current
    }
  })

  it('is whoever is left when one goes while the other loses the last password', async () => {
    const bob = await signIn('administrator', `bob-${++logins}`)
    const [gone, revoked] = await Promise.all([remove(ada, ada), revoke(bob)])
    expect([gone.status, revoked.status].toSorted()).not.toEqual([303, 303])
    expect(
      await countRows("passwords JOIN users ON users.id = user_id WHERE role = 'administrator'"),
    ).toBeGreaterThan(0)
  })

  it('can remove others without credentials, and be removed once another has some', async () => {
    const bob = await withoutCredentials('administrator')
    expect((await remove(ada, bob)).status).toBe(303)
    const eve = await withoutCredentials('administrator')
    expectPage(await remove(eve, ada), 422, LAST)
    await addPasskey(eve)
    expect((await remove(eve, ada)).status).toBe(303)
  })

  it('cannot demote or remove themselves even if they have only a session', async () => {
    await query('DELETE FROM passwords WHERE user_id = ?', ada.id)
    const bob = await withoutCredentials('administrator')
    for (const refused of [await demote(ada, ada), await remove(ada, ada)]) expectPage(refused, 422, LAST)
    expect((await demote(ada, bob)).status).toBe(303)
  })
})

describe('the last credential of the last administrator', () => {
  it('cannot be removed, and has no button', async () => {
    const passkey = await addPasskey(ada)
    const both = await ada.browser.get('/admin/account/')
    expect(both.html).toContain(`/passkeys/${passkey}/remove/`)
    expect((await revoke(ada)).status).toBe(303)
    const one = await ada.browser.get('/admin/account/')
    expect(one.html).not.toContain(`/passkeys/${passkey}/remove/`)
    expect(one.text).toContain(LAST)
    expectPage(await ada.browser.post(`/admin/account/passkeys/${passkey}/remove/`), 409, LAST)
    expect(await countRows('passkeys WHERE user_id = ?', ada.id)).toBe(1)
    // Neither a passkey that is not theirs nor a password that is gone is refused: nothing happens.
    expect((await ada.browser.post('/admin/account/passkeys/99999/remove/')).status).toBe(303)
    expect((await ada.browser.post('/admin/account/passwords/99999/revoke/')).status).toBe(303)
  })

  it.each(['passkey', 'password'] as const)(
    'cannot be removed if the %s was removed while the request ran',
    async gone => {
      const passkey = await addPasskey(ada)
      const paths = {
        passkey: `/admin/account/passkeys/${passkey}/remove/`,
        password: `/admin/account/passwords/${await passwordId(ada)}/revoke/`,
      }
      let first = 0
      const beforeWrite = async () => {
        first ||= (await ada.browser.post(paths[gone])).status
      }
      const other = ada.browser.with(faultyD1({ beforeWrite }))
      const second = await other.post(paths[gone === 'passkey' ? 'password' : 'passkey'])
      expectPage(second, 409, LAST)
      expect(first).toBe(303)
    },
  )

  it('cannot be revoked by another administrator, who has none', async () => {
    const bob = await withoutCredentials('administrator')
    const path = `/admin/users/${ada.id}/passwords/${await passwordId(ada)}/revoke/`
    const page = await bob.browser.get(`/admin/users/${ada.id}/`)
    expect(page.html).not.toContain(path)
    expectPage(await bob.browser.post(path), 409, LAST)
    expect(await passwordsOf(ada)).toBe(1)
  })

  it('is the only protected one: an editor can remove theirs', async () => {
    const editor = await signIn('editor', `ed-${++logins}`)
    expect((await revoke(editor)).status).toBe(303)
    expect(await passwordsOf(editor)).toBe(0)
  })
})

describe('a promotion', () => {
  it('ends no session and no invitation; a demotion ends both', async () => {
    const invited = await ada.browser.post('/admin/users/', { login: 'nora', role: 'author' })
    const link = secretsIn(invited)[0] ?? ''
    const nora = Number(await queryValue("SELECT id FROM users WHERE login = 'nora'"))
    const bob = await signIn('editor', `bob-${++logins}`)
    const begun = () => queryValue('SELECT created_utc FROM sessions WHERE user_id = ?', bob.id)
    const before = await begun()
    for (const id of [nora, bob.id])
      await ada.browser.post(`/admin/users/${id}/role/`, { role: 'administrator' })
    expect((await bob.browser.get('/admin/users/')).status).toBe(200)
    expect(await begun()).toBe(before)
    expect((await new Browser().get(link)).status).toBe(200)
    for (const id of [nora, bob.id]) await ada.browser.post(`/admin/users/${id}/role/`, { role: 'author' })
    expect((await bob.browser.get('/admin/')).status).toBe(302)
    expect((await new Browser().get(link)).status).toBe(410)
  })
})

describe('a demotion', () => {
  it.each([
    ['author', 0],
    ['contributor', 1],
  ] as const)('reads the role again if it is changed to %s meanwhile', async (role, sessions) => {
    const bob = await signIn('editor', `bob-${++logins}`)
    const beforeWrite = () => query('UPDATE users SET role = ? WHERE id = ?', role, bob.id)
    const browser = ada.browser.with(faultyD1({ beforeWrite }))
    const to = role === 'author' ? 'contributor' : 'author'
    expect((await browser.post(`/admin/users/${bob.id}/role/`, { role: to })).status).toBe(303)
    expect(await roleOf(bob)).toBe(to)
    // What has become a promotion by then ends no session.
    expect(await countRows('sessions WHERE user_id = ?', bob.id)).toBe(sessions)
  })
})

describe('removing oneself', () => {
  it('asks in words of its own, unless nobody else could sign in', async () => {
    const path = `/admin/users/${ada.id}/remove/`
    const last = await ada.browser.get(path)
    expectPage(last, 200, LAST)
    expect(last.html).not.toContain(`action="${path}"`)
    await signIn('administrator', `bob-${++logins}`)
    const asked = await ada.browser.get(path)
    expectPage(asked, 200, 'Remove your own account?')
    expect(asked.html).toContain(`action="${path}"`)
    expect((await remove(ada, ada)).status).toBe(303)
    expect(await roleOf(ada)).toBeNull()
  })
})
