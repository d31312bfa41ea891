import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declareService } from '../../service.ts'
import { findings } from '../../site/pages/node/axe.ts'
import { closePages, onPage, openPage, servePage } from '../../site/pages/node/browser.ts'
import { addDevice, type Device } from './owner.ts'

describe('the sign-in in a browser', { tags: ['browser'] }, () => {
  const server = declareService({ LANGUAGE: 'de' })
  let site: string
  let page: Page
  let complaints: string[]
  let device: Device

  beforeAll(async () => {
    // Passkeys are for hosts with names.
    site = new URL(server.api).origin.replace('127.0.0.1', 'localhost')
    const open = await openPage({ locale: 'de-DE' })
    page = open.page
    complaints = open.complaints
    device = await addDevice(page)
    // The device takes whatever the browser offers, at once and again and again: it offers something where
    // that is looked at.
    await page.addInitScript(`if (!sessionStorage.offers)
      PublicKeyCredential.isConditionalMediationAvailable = async () => false`)
  })

  afterAll(closePages)

  const heading = () => page.textContent('h1')
  const at = (path: string) => page.waitForURL(site + path)

  it('works with the keyboard alone', async () => {
    await page.goto(`${site}/admin/account/`)
    expect(page.url()).toBe(`${site}/admin/sign-in/?to=%2Fadmin%2Faccount%2F`)
    const focus = () =>
      page.evaluate<string>('document.activeElement.name || document.activeElement.textContent')
    const order: string[] = []
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab')
      order.push((await focus()).trim())
      if (order.at(-1) === 'login') break
    }
    expect(order).toEqual([
      'Zum Inhalt springen',
      expect.stringMatching(/^Events/),
      'Kalender ansehen',
      'Mit Passkey anmelden',
      'login',
    ])
    await page.keyboard.type('admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type(server.password)
    await page.keyboard.press('Enter')
    await at('/admin/account/')
    expect(await heading()).toBe('Ihr Konto')
  })

  it('makes a passkey, once for a device, and signs in with it', async () => {
    await page.fill('#passkey-name', 'Mein Handy')
    // The name goes along, so that it is there again if that takes another sign-in.
    const asked = page.waitForRequest(/\/options\/\?name=Mein\+Handy$/)
    await page.click('#passkey-new button')
    await asked
    await page.waitForSelector('.editor-notice')
    expect(await page.textContent('.editor-notice')).toContain('„Mein Handy“ ist angelegt')
    await page.click('#passkey-new button')
    await page.waitForSelector('#passkey-new [data-failed]:not([hidden])')
    expect(await page.textContent('#passkey-new [data-failed]')).toContain('Dieses Gerät hat schon')
    await page.click('.header-links summary')
    await page.click('.header-links .menu-items button')
    await at('/admin/sign-in/')
    await page.click('#passkey-sign-in button')
    await at('/admin/')
    expect(await heading()).toBe('Hallo, admin')
    await page.goto(`${site}/admin/account/`)
    expect(await page.textContent('[aria-labelledby=sessions]')).toContain('mit einem Passkey')
    expect(complaints).toEqual([])
  })

  it('offers a passkey with the logins that the browser knows', async () => {
    await page.evaluate('sessionStorage.offers = 1')
    await page.click('.header-links summary')
    await page.click('.header-links .menu-items button')
    // The device chooses it, as somebody would in the list at the field.
    await at('/admin/')
    expect(await heading()).toBe('Hallo, admin')
    await page.evaluate('delete sessionStorage.offers')
    expect(complaints).toEqual([])
  })

  it('says so if the device does not know the person, and if the passkey was removed', async () => {
    await device.setVerified(false)
    await page.click('.header-links summary')
    await page.click('.header-links .menu-items button')
    await at('/admin/sign-in/')
    await page.click('#passkey-sign-in button')
    await page.waitForSelector('#passkey-sign-in [data-failed]:not([hidden])')
    await device.setVerified(true)
    await page.click('#passkey-sign-in button')
    await at('/admin/')
    await page.goto(`${site}/admin/account/`)
    await page.click('text=Entfernen')
    await page.waitForSelector('.editor-notice')
    await page.click('.header-links summary')
    await page.click('.header-links .menu-items button')
    await at('/admin/sign-in/')
    await page.click('#passkey-sign-in button')
    await page.waitForSelector('#passkey-error')
    expect(await page.textContent('#passkey-error')).toContain('Dieser Passkey gilt hier nicht.')
  })

  it('needs no script but for passkeys, and its pages are in no frame', async () => {
    const plain = async (form: Page) => {
      expect(await form.isVisible('#passkey-sign-in')).toBe(false)
      await form.fill('#login', 'admin')
      await form.fill('#password', server.password)
      await form.click('form[action$="password/"] button')
      expect(await form.textContent('h1')).toBe('Hallo, admin')
      await form.goto(`${site}/admin/account/`)
      expect(await form.textContent('[aria-labelledby=passkeys]')).toContain('braucht es JavaScript')
    }
    await onPage(`${site}/admin/sign-in/`, plain, { javaScriptEnabled: false })
    const around = await servePage(`<iframe src="${site}/admin/sign-in/"></iframe>`, 'default-src *')
    complaints.length = 0
    await page.goto(around.origin)
    expect(complaints.join()).toMatch(/refused to display|frame-ancestors|X-Frame-Options/i)
    await around.stop()
  })

  it('has pages without a finding of axe-core that fit, light and dark, wide and narrow', async () => {
    await page.goto(`${site}/admin/sign-in/?to=/admin/users/`)
    let turn = 0
    const expectNoFindings = async (): Promise<void> => {
      const title = await page.title()
      expect(await findings(page, turn), title).toEqual([])
      turn += 1
      // The menu is one line.
      const lines = await page.evaluate<number>(
        'new Set([...document.querySelectorAll(".editor-menu .menu li")].map(entry => entry.offsetTop)).size',
      )
      expect(lines, title).toBeLessThanOrEqual(1)
    }
    await expectNoFindings()
    await page.fill('#login', 'admin')
    await page.fill('#password', 'guess')
    await page.click('form[action$="password/"] button')
    await page.waitForSelector('#password-error')
    await expectNoFindings()
    await page.fill('#password', server.password)
    await page.click('form[action$="password/"] button')
    await at('/admin/users/')
    await expectNoFindings()
    await page.fill('#login', 'ada')
    await page.click('form[action="/admin/users/"] button')
    await page.waitForSelector('.secrets')
    await expectNoFindings()
    const link = await page.textContent('.secrets code')
    await page.goto(`${site}/admin/users/2/`)
    await expectNoFindings()
    await page.goto(`${site}/admin/account/`)
    await page.fill('#password-name', 'Website')
    await page.click('form[action$="passwords/"] button')
    await page.waitForSelector('.secrets')
    await expectNoFindings()
    for (const path of ['/admin/account/', '/admin/settings/', '/admin/', '/admin/nothing/', String(link)]) {
      await page.goto(new URL(path, site).href)
      await expectNoFindings()
    }
  })
})

describe('the first visit in a browser', { tags: ['browser'] }, () => {
  const code = 'five words that nobody guesses'
  const server = declareService({ SETUP_CODE: code }, { isEmpty: true })
  let site: string

  beforeAll(() => {
    site = new URL(server.api).origin.replace('127.0.0.1', 'localhost')
  })

  afterAll(closePages)

  it('leads from the code to a passkey and a password, and back in with the passkey', async () => {
    const { page, complaints } = await openPage()
    await addDevice(page)
    await page.goto(`${site}/admin/`)
    expect(page.url()).toBe(`${site}/admin/setup/`)
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
    await page.fill('#code', code)
    await page.fill('#login', 'ada')
    await page.press('#login', 'Enter')
    await page.waitForURL(`${site}/admin/start/`)
    await page.goto(`${site}/admin/account/`)
    await page.fill('#passkey-name', 'Laptop')
    await page.click('#passkey-new button')
    await page.waitForSelector('text=The passkey “Laptop” has been created')
    await page.waitForSelector('text=Now create an app password as well')
    await page.fill('#password-name', 'Paper')
    await page.click('form[action$="passwords/"] button')
    await page.waitForSelector('.secrets')
    expect(await page.locator('.secrets code').count()).toBe(1)
    await page.click('.header-links summary')
    await page.click('.header-links .menu-items button')
    // The device chooses the passkey, as somebody would in the list at the field.
    await page.waitForURL(`${site}/admin/`)
    expect(await page.textContent('h1')).toBe('Hello, ada')
    expect(complaints).toEqual([])
    expect((await page.goto(`${site}/admin/setup/`))?.status()).toBe(404)
  })
})
