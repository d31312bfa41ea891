import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { Role } from '../../src/kit/lib/roles.ts'
import { countRows, query, SITE } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { linkIn, openOutbox } from '../outbox.ts'
import { TODAY } from '../setup.ts'
import { expectPage } from '../site/pages/page.ts'
import { Browser, signIn, signInAs } from './session.ts'

const outbox = openOutbox()

let people = 0

/** Somebody with a role who is signed in, where e-mails can be sent. */
async function somebody(role: Role = 'editor') {
  const login = `${role}-${++people}-mail`
  const { id, as } = await signIn(role, login)
  const browser = new Browser(outbox.bindings)
  await signInAs({ id, as }, login, browser)
  return { id, login, browser }
}

const stored = (id: number) =>
  env.DB.prepare('SELECT email, notices FROM users WHERE id = ?')
    .bind(id)
    .first<{ email: string; notices: string }>()

describe('the address of a user', () => {
  it('counts once somebody has opened the link and pressed its button', async () => {
    const { id, login, browser } = await somebody()
    const asked = await browser.submit('/admin/account/email/', { email: 'ada@town.example' })
    expect(asked.text).toContain('We have sent a link to ada@town.example.')
    const mail = outbox.last()
    expect(mail).toMatchObject({
      to: 'ada@town.example',
      from: { email: 'events@town.example', name: 'Town Hall' },
    })
    expect(mail.subject).toBe('Please confirm your address for What’s on in Kilkenny')
    expect(mail.text).toContain(`${login} has entered this address`)
    expect(mail.text).toContain(`${SITE}${linkIn(mail)}`)
    const reader = new Browser(outbox.bindings)
    const page = await reader.get(linkIn(mail))
    expect(page.text).toContain(`${login} will get e-mails at ada@town.example about what is waiting`)
    expect(await stored(id)).toEqual({ email: '', notices: 'never' })
    const done = await reader.submit(linkIn(mail))
    expect(done.text).toContain('The address is confirmed')
    expect(await stored(id)).toEqual({ email: 'ada@town.example', notices: 'never' })
    expect((await browser.get('/admin/account/')).html).toContain('value="ada@town.example"')
    // It works once.
    for (const again of [await reader.get(linkIn(mail)), await reader.post(linkIn(mail))])
      expectPage(again, 410, 'no longer works')
  })

  it('is confirmed once if the button is pressed twice at the same time', async () => {
    const { id, browser } = await somebody()
    await browser.post('/admin/account/email/', { email: 'twice@town.example' })
    const link = linkIn(outbox.last())
    const second = new Browser(outbox.bindings)
    await second.get(link)
    const statuses: number[] = []
    const beforeWrite = async () => void statuses.push((await second.post(link)).status)
    const first = new Browser({ ...outbox.bindings, ...faultyD1({ beforeWrite }) })
    await first.get(link)
    statuses.push((await first.post(link)).status)
    expect(statuses).toEqual([200, 200])
    expect((await stored(id))?.email).toBe('twice@town.example')
    const entries = env.DB.prepare("SELECT count(*) AS n FROM audit WHERE kind = 'user' AND object_id = ?")
    expect(await entries.bind(id).first('n')).toBe(1)
  })

  it('can be confirmed by the newest link only, for a day', async () => {
    const { id, browser } = await somebody()
    await browser.post('/admin/account/email/', { email: 'first@town.example' })
    const first = linkIn(outbox.last())
    await browser.post('/admin/account/email/', { email: 'second@town.example' })
    const second = linkIn(outbox.last())
    const reader = new Browser(outbox.bindings)
    expect((await reader.get(first)).status).toBe(410)
    vi.setSystemTime(TODAY.getTime() + 86_400_000)
    expect((await reader.get(second)).status).toBe(410)
    vi.setSystemTime(TODAY.getTime() + 86_399_000)
    await reader.get(second)
    await reader.post(second)
    expect((await stored(id))?.email).toBe('second@town.example')
  })

  it('is deleted when it is emptied, along with the link for another one', async () => {
    const { id, browser } = await somebody()
    await query("UPDATE users SET email = 'old@town.example' WHERE id = ?", id)
    await browser.post('/admin/account/email/', { email: 'new@town.example' })
    const page = await browser.submit('/admin/account/email/', { email: '' })
    expect(page.text).toContain('Your address has been removed.')
    expect((await stored(id))?.email).toBe('')
    expect((await new Browser(outbox.bindings).get(linkIn(outbox.last()))).status).toBe(410)
  })

  it.each([
    'ada',
    'ada@town.example, eve@evil.example',
    'ada@town.example\r\nBcc: eve@evil.example',
    'Ada <ada@town.example>',
  ])('cannot be %j, which stays in the form', async email => {
    const { browser } = await somebody()
    const before = outbox.mails.length
    const page = await browser.post('/admin/account/email/', { email })
    expectPage(page, 422, 'Please enter one e-mail address')
    expect(outbox.mails).toHaveLength(before)
  })

  it('gets three links a day, whoever asks, and one user ten', async () => {
    const victim = 'victim@town.example'
    const before = outbox.mails.length
    for (let i = 0; i < 4; i++) {
      const { browser } = await somebody()
      const page = await browser.post('/admin/account/email/', {
        email: i === 3 ? 'Victim@town.example' : victim,
      })
      expect(page.status).toBe(i < 3 ? 303 : 422)
    }
    expect(outbox.mails.length - before).toBe(3)
    const { browser } = await somebody()
    for (let i = 0; i < 11; i++) {
      const page = await browser.post('/admin/account/email/', { email: `other-${i}@town.example` })
      expect(page.status).toBe(i < 10 ? 303 : 422)
    }
    vi.setSystemTime(TODAY.getTime() + 86_401_000)
    expect((await (await somebody()).browser.post('/admin/account/email/', { email: victim })).status).toBe(
      303,
    )
  })

  it('can be asked for ten times a day, whatever is emptied in between', async () => {
    const { browser } = await somebody()
    const before = outbox.mails.length
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      statuses.push(
        (await browser.post('/admin/account/email/', { email: `emptied-${i}@town.example` })).status,
      )
      await browser.post('/admin/account/email/', { email: '' })
    }
    expect(statuses).toEqual([...Array(10).fill(303), 422, 422])
    expect(outbox.mails.length - before).toBe(10)
  })

  it('can be asked for ten times a day, however many forms are sent at once', async () => {
    const { browser } = await somebody()
    await browser.get('/admin/account/')
    const before = outbox.mails.length
    const pages = await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        browser.post('/admin/account/email/', { email: `at-once-${i}@town.example` }),
      ),
    )
    expect(pages.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(303),
      ...Array(4).fill(422),
    ])
    expect(outbox.mails.length - before).toBe(10)
  })

  it('gets no link if the platform refuses, and the page says so', async () => {
    const { browser } = await somebody()
    outbox.onSend = async () => {
      throw new Error('E_RECIPIENT_NOT_ALLOWED')
    }
    const page = await browser.submit('/admin/account/email/', { email: 'nobody@town.example' })
    outbox.onSend = async () => {}
    expect(page.text).toContain('The e-mail to nobody@town.example could not be sent.')
  })

  it('is on the page that administrators have of the user, and in no entry of the audit', async () => {
    const { id, browser } = await somebody()
    await browser.post('/admin/account/email/', { email: 'private@town.example' })
    const link = linkIn(outbox.last())
    const reader = new Browser(outbox.bindings)
    await reader.get(link)
    await reader.post(link)
    const admin = await signIn('administrator')
    expect((await admin.browser.get(`/admin/users/${id}/`)).text).toContain('E-mail: private@town.example')
    const results = await query("SELECT fields, changed FROM audit WHERE kind = 'user' AND object_id = ?", id)
    expect(results).toEqual([{ fields: '["email"]', changed: null }])
    // It goes with the user.
    await admin.browser.post(`/admin/users/${id}/remove/`)
    expect(await stored(id)).toBeNull()
    const rows = await countRows('email_links WHERE user_id = ?', id)
    expect(rows).toBe(0)
  })
})

it('an address that is removed takes its own link along, and nobody else’s', async () => {
  const one = await somebody()
  const other = await somebody()
  for (const { login, browser } of [one, other])
    await browser.post('/admin/account/email/', { email: `${login}@town.example` })
  await one.browser.post('/admin/account/email/', { email: '' })
  const links = await query('SELECT user_id FROM email_links WHERE user_id IN (?, ?)', one.id, other.id)
  expect(links).toEqual([{ user_id: other.id }])
})

describe('notices', () => {
  it('are chosen on the same page', async () => {
    const { id, browser } = await somebody()
    expect((await browser.get('/admin/account/')).text).toContain(
      'Notices are sent once your address is confirmed.',
    )
    await browser.submit('/admin/account/notices/', { notices: 'day' })
    expect((await stored(id))?.notices).toBe('day')
    await browser.submit('/admin/account/notices/', { notices: 'hourly' })
    expect((await stored(id))?.notices).toBe('day')
  })

  it.each(['author', 'contributor', 'subscriber'] as const)(
    'are not offered with the role %s',
    async role => {
      const { browser } = await somebody(role)
      expect((await browser.get('/admin/account/')).text).not.toContain('E-mail and notices')
      for (const path of ['email', 'notices'])
        expect(
          (await browser.post(`/admin/account/${path}/`, { email: 'a@town.example' })).status,
          path,
        ).toBe(403)
    },
  )

  it('end with the role, and the address can still be removed', async () => {
    const { id, browser } = await somebody('author')
    await query("UPDATE users SET email = 'former@town.example', notices = 'now' WHERE id = ?", id)
    const page = await browser.get('/admin/account/')
    expect(page.html).toContain('value="former@town.example"')
    expect(page.html).not.toContain('/admin/account/notices/')
    await browser.submit('/admin/account/email/', { email: '' })
    expect((await stored(id))?.email).toBe('')
    expect((await browser.get('/admin/account/')).text).not.toContain('E-mail and notices')
  })

  it('are not offered where no e-mails can be sent', async () => {
    const { browser } = await signIn('editor')
    const { text } = await browser.get('/admin/account/')
    expect(text).toContain('can’t send e-mails yet')
    expect(text).not.toContain('Save address')
    for (const [path, fields] of Object.entries({
      email: { email: 'a@town.example' },
      notices: { notices: 'day' },
    })) {
      const page = await browser.post(`/admin/account/${path}/`, fields)
      expect([page.status, page.text], path).toEqual([501, expect.stringContaining('can’t send e-mails yet')])
      expect(page.html, path).not.toContain('a@town.example')
    }
  })
})
