import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { countRows, query } from '../factories.ts'
import { TODAY } from '../setup.ts'
import { expectPage } from '../site/pages/page.ts'
import { Authenticator, type Lies } from './authenticator.ts'
import { Browser, type SignedIn, signedIn, signIn } from './session.ts'

/** The options that a page of the editor gives to scripts. */
const optionsOf = async (browser: Browser, path: string) => (await browser.get(path)).html

async function register(
  { browser }: SignedIn,
  { name = 'My phone', lies = {}, id }: { name?: string; lies?: Lies; id?: string } = {},
) {
  const authenticator = await Authenticator.make(id)
  const options = await optionsOf(browser, '/admin/account/options/')
  const response = await authenticator.register(options, lies)
  const answer = await browser.post('/admin/account/passkeys/', { name, response })
  return { authenticator, response, answer, options }
}

/** Signs in with a passkey, in a browser of its own. */
async function signInWith(authenticator: Authenticator, lies: Lies = {}) {
  const browser = new Browser()
  await browser.get('/admin/sign-in/')
  const options = await optionsOf(browser, '/admin/sign-in/options/')
  const response = await authenticator.sign(options, lies)
  const answer = await browser.post('/admin/sign-in/passkey/', { response, to: '/admin/account/' })
  return { browser, options, response, answer }
}

const ada = signedIn('editor', 'ada')

describe('a passkey', () => {
  it('is asked for with user verification, without a login and without attestation', async () => {
    const options = JSON.parse(await optionsOf(ada.browser, '/admin/account/options/'))
    expect(options).toMatchObject({
      rp: { id: 'calendar.example', name: 'Events' },
      user: { name: 'ada' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const asked = JSON.parse(await optionsOf(new Browser(), '/admin/sign-in/options/'))
    expect(asked).toMatchObject({ rpId: 'calendar.example', userVerification: 'required' })
    expect(asked.allowCredentials ?? []).toEqual([])
  })

  it('is made, listed, and signs in without a login', async () => {
    const { authenticator, answer } = await register(ada, { name: '<img src=x onerror=alert(1)>' })
    expect(answer.status).toBe(303)
    const account = await ada.browser.get('/admin/account/')
    expect(account.text).toContain('The passkey “<img src=x onerror=alert(1)>” has been created.')
    expect(account.html).not.toContain('<img')
    const { browser, answer: signInAnswer } = await signInWith(authenticator)
    expect(signInAnswer.headers.get('location')).toBe('/admin/account/')
    const shown = await browser.get('/admin/account/')
    expect(shown.text).toContain('ada, Editor')
    expect(shown.text).toContain('with a passkey')
    const next = JSON.parse(await optionsOf(browser, '/admin/account/options/'))
    expect(next.excludeCredentials).toEqual([{ id: authenticator.id, type: 'public-key' }])
  })

  it('that is removed signs nobody in', async () => {
    const { authenticator } = await register(ada, { name: 'Lost' })
    const { html } = await ada.browser.get('/admin/account/')
    const path = [...html.matchAll(/\/admin\/account\/passkeys\/\d+\/remove\//g)].at(-1)?.[0] ?? ''
    const bert = await signIn('editor')
    await bert.browser.post(path)
    expect((await signInWith(authenticator)).answer.status).toBe(303)
    expect((await ada.browser.submit(path)).text).toContain('“Lost” has been removed')
    expect((await signInWith(authenticator)).answer.status).toBe(422)
  })

  it('that is removed ends the other sessions that it started, and it says what else goes on', async () => {
    const dora = await signIn('author', 'dora')
    const { authenticator: lost } = await register(dora, { name: 'Lost' })
    const { authenticator: laptop } = await register(dora, { name: 'Laptop' })
    const { browser: thief } = await signInWith(lost)
    const { browser: own } = await signInWith(lost)
    const { browser: withLaptop } = await signInWith(laptop)
    const startPageStatuses = async () =>
      Promise.all(
        [thief, own, withLaptop, dora.browser].map(async browser => (await browser.get('/admin/')).status),
      )
    const { html } = await own.get('/admin/account/')
    const [ofLost = '', ofLaptop = ''] = html.match(/\/admin\/account\/passkeys\/\d+\/remove\//g) ?? []
    await (await signIn('administrator')).browser.post(ofLost)
    expect(await startPageStatuses()).toEqual([200, 200, 200, 200])
    // The browser from which it is removed stays, whatever let it in.
    const removed = await own.submit(ofLost)
    expect(removed.text).toContain('“Lost” has been removed, and whoever signed in with it elsewhere is')
    expect(await startPageStatuses()).toEqual([302, 200, 200, 200])
    expect((await thief.post('/admin/account/passkeys/', { name: 'Mine', response: '{}' })).status).toBe(401)
    expect(removed.text).toContain('Other browsers are still signed in.')
    const endOthers = '/admin/account/sessions/others/end/'
    expect(removed.html).toContain(`<form method="post" action="${endOthers}" id="undo">`)
    await own.post(endOthers)
    expect(await startPageStatuses()).toEqual([302, 200, 302, 302])
    const last = await own.submit(ofLaptop)
    expect(last.text).toContain('“Laptop” has been removed')
    expect(last.text).not.toContain('Other browsers')
  })

  const lies: Record<string, Lies> = {
    'another origin': { origin: 'https://elsewhere.example' },
    'another host': { rpId: 'elsewhere.example' },
    'no user verification': { isVerified: false },
    'the other kind of response': { type: 'webauthn.other' },
    'a challenge of its own': { challenge: Buffer.from('a challenge').toString('base64url') },
  }

  it.each(Object.entries(lies))('is not made with %s', async (_, told) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const before = await countRows('passkeys')
    const { answer } = await register(ada, { lies: told })
    expectPage(answer, 422, 'The passkey was not created.')
    expect(await countRows('passkeys')).toBe(before)
    // The log has what is wrong with the answer to a challenge of ours.
    const { type, challenge } = told
    expect(logged).toHaveBeenCalledTimes(type || challenge ? 0 : 1)
    logged.mockRestore()
  })

  it.each(Object.entries<Lies>({ ...lies, 'a counter that has not moved': { counter: 1 } }))(
    'does not sign in with %s',
    async (_, told) => {
      const { authenticator } = await register(ada)
      const logged = vi.spyOn(console, 'error').mockReturnValue()
      const { answer } = await signInWith(authenticator, told)
      expect(answer.status).toBe(422)
      const { type, challenge } = told
      expect(logged).toHaveBeenCalledTimes(type || challenge ? 0 : 1)
      logged.mockRestore()
      expect(answer.headers.getSetCookie().join()).not.toContain('session')
    },
  )

  it('of somebody else does not sign in as another', async () => {
    const { authenticator } = await register(await signIn('contributor'))
    const userHandle = Buffer.from(String(ada.id)).toString('base64url')
    expect((await signInWith(authenticator, { userHandle })).answer.status).toBe(422)
  })

  it('with the id of another one is neither made nor taken for it', async () => {
    const { authenticator } = await register(ada)
    const thief = await signIn('contributor')
    expect((await register(thief, { id: authenticator.id })).answer.status).toBe(422)
    const forged = await Authenticator.make(authenticator.id)
    await forged.register(await optionsOf(ada.browser, '/admin/account/options/'))
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    expect((await signInWith(forged)).answer.status).toBe(422)
    // Its signature is wrong, which anybody can send.
    expect(logged).not.toHaveBeenCalled()
    logged.mockRestore()
    expect((await signInWith(authenticator)).answer.status).toBe(303)
  })

  it('that was copied signs in one of two at once, and its counter never goes back', async () => {
    const carla = await signIn('author')
    const { authenticator } = await register(carla)
    const asked = async (counter: number) => {
      const browser = new Browser()
      await browser.get('/admin/sign-in/')
      const options = await optionsOf(browser, '/admin/sign-in/options/')
      return { browser, response: await authenticator.sign(options, { counter }) }
    }
    const tries = [await asked(7), await asked(7), await asked(6)]
    const answers = await Promise.all(
      tries.map(({ browser, response }) => browser.post('/admin/sign-in/passkey/', { response })),
    )
    expect(answers.map(({ status }) => status)).toEqual([303, 422, 422])
    const stored = env.DB.prepare('SELECT counter FROM passkeys WHERE user_id = ?').bind(carla.id)
    expect(await stored.first('counter')).toBe(7)
  })

  it('of which no uses are counted signs in again and again', async () => {
    const { authenticator } = await register(await signIn('author'), { lies: { counter: 0 } })
    for (let i = 0; i < 2; i++)
      expect((await signInWith(authenticator, { counter: 0 })).answer.status).toBe(303)
  })

  it('is not stored with more than an authenticator says', async () => {
    const before = await countRows('passkeys')
    const { browser } = await signIn('subscriber')
    const authenticator = await Authenticator.make()
    const answer = JSON.parse(
      await authenticator.register(await optionsOf(browser, '/admin/account/options/')),
    )
    answer.response.transports = ['x'.repeat(1_000_000)]
    const response = JSON.stringify(answer)
    expect((await browser.post('/admin/account/passkeys/', { name: 'Large', response })).status).toBe(422)
    expect(await countRows('passkeys')).toBe(before)
  })

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"id":1}',
    '{"id":"a","response":{"userHandle":"MQ"}}',
    'x'.repeat(9000),
  ])('is not accepted in a form that no browser sends: %.30s', async response => {
    const browser = new Browser()
    await browser.get('/admin/sign-in/')
    expect((await browser.post('/admin/sign-in/passkey/', { response })).status).toBe(422)
    expect((await ada.browser.post('/admin/account/passkeys/', { response, name: 'x' })).status).toBe(422)
  })
})

describe('a response', () => {
  it('that signed in does not sign in again', async () => {
    const { authenticator } = await register(ada)
    const browser = new Browser()
    await browser.get('/admin/sign-in/')
    const visit = browser.cookie
    const options = await optionsOf(browser, '/admin/sign-in/options/')
    const response = await authenticator.sign(options)
    const { token } = browser
    const again = { cookie: visit }
    // Both at once, then once more.
    const both = await Promise.all(
      [0, 1].map(() =>
        new Browser().post('/admin/sign-in/passkey/', { response }, { token, headers: again }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([303, 422])
    const later = await new Browser().post('/admin/sign-in/passkey/', { response }, { token, headers: again })
    expect(later.status).toBe(422)
  })

  it('that made a passkey makes none again', async () => {
    const { answer, response } = await register(ada)
    expect(answer.status).toBe(303)
    await query('DELETE FROM passkeys')
    expect((await ada.browser.post('/admin/account/passkeys/', { name: 'x', response })).status).toBe(422)
    expect(await countRows('passkeys')).toBe(0)
  })

  it('of another browser, or to the options of something else, does not hold', async () => {
    const { authenticator } = await register(ada)
    const { response } = await signInWith(authenticator, { counter: 50 })
    const thief = new Browser()
    await thief.get('/admin/sign-in/')
    expect((await thief.post('/admin/sign-in/passkey/', { response })).status).toBe(422)
    const options = await optionsOf(ada.browser, '/admin/account/options/')
    const mixed = await authenticator.sign(options, { counter: 60 })
    expect((await thief.post('/admin/sign-in/passkey/', { response: mixed })).status).toBe(422)
  })

  it('of a page that was open while one signed in elsewhere signs in when it is sent again, and is not shown', async () => {
    const { authenticator } = await register(ada)
    const browser = new Browser()
    await browser.get('/admin/sign-in/')
    const { token } = browser
    browser.cookies.clear()
    const response = await authenticator.sign(await optionsOf(browser, '/admin/sign-in/options/'))
    const fields = { response, to: '/admin/account/' }
    const { status, html } = await browser.post('/admin/sign-in/passkey/', fields, { token })
    expect([status, html.includes('class="typed"')]).toEqual([409, false])
    const sent = await browser.post('/admin/sign-in/passkey/', fields)
    expect(sent.headers.get('location')).toBe('/admin/account/')
  })

  it('that comes after five minutes does not hold', async () => {
    const { authenticator } = await register(ada)
    const browser = new Browser()
    await browser.get('/admin/sign-in/')
    const response = await authenticator.sign(await optionsOf(browser, '/admin/sign-in/options/'))
    vi.setSystemTime(TODAY.getTime() + 301_000)
    expect((await browser.post('/admin/sign-in/passkey/', { response })).status).toBe(422)
    vi.setSystemTime(TODAY)
    expect((await browser.post('/admin/sign-in/passkey/', { response })).status).toBe(303)
  })
})

it('nobody fills the database by asking for challenges', async () => {
  const before = await countRows('used_challenges')
  const browser = new Browser()
  for (let i = 0; i < 20; i++) await browser.get('/admin/sign-in/options/')
  expect(await countRows('used_challenges')).toBe(before)
})
