import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LONG } from '../../commands/spawn.ts'
import { listen } from '../../listen.ts'
import { dayFromNow, type Service, startService } from '../../service.ts'
import { findings } from '../../site/pages/node/axe.ts'
import { closePages, type OpenPage, openPage } from '../../site/pages/node/browser.ts'

// An owner with the address of a theatre, or a spreadsheet, sees their own front page within a few steps.

const CODE = 'five words that nobody guesses'

const EVENTS = Array.from({ length: 14 }, (_, i) => ({
  '@type': 'TheaterEvent',
  '@id': `#${i}`,
  name: `Vorstellung ${i + 1}`,
  startDate: `${dayFromNow(3 + i)}T19:30:00+01:00`,
  endDate: `${dayFromNow(3 + i)}T21:30:00+01:00`,
  location: {
    '@type': 'Place',
    name: 'Stadttheater',
    address: { '@type': 'PostalAddress', addressLocality: 'Tannbach' },
  },
}))

const CSV = [
  'Titel;Datum;Uhrzeit;Ort',
  ...EVENTS.map(({ name }, i) => `${name};${dayFromNow(3 + i)};19:30;Stadttheater`),
].join('\r\n')

describe('the start of a calendar in a browser', { tags: ['browser'] }, () => {
  let server: Service
  let site: string
  let opened: OpenPage
  let theatre: Awaited<ReturnType<typeof listen>>

  beforeEach(async () => {
    server = await startService({ SETUP_CODE: CODE, ALLOW_PRIVATE_HOSTS: 'on' }, { isEmpty: true })
    site = new URL(server.api).origin
    theatre = await listen(() => (_, response) => {
      const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': EVENTS })
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        `<!doctype html><title>Stadttheater</title><script type="application/ld+json">${json}</script>`,
      )
    })
  })
  afterEach(async () => {
    await opened.close()
    await theatre.close()
    await server.stop()
  })
  afterAll(closePages)

  /** Sends a form by the Enter key on its button. */
  const press = async (page: Page, button: string) => {
    await page.focus(button)
    await page.keyboard.press('Enter')
  }

  const expectNoFindings = async (page: Page, name: string) => {
    for (const turn of [0, 1, 2, 3]) expect(await findings(page, turn), `${name} ${turn}`).toEqual([])
  }

  /** Becomes the administrator. */
  async function begin(page: Page): Promise<void> {
    await page.goto(`${site}/admin/setup/`)
    await page.fill('#code', CODE)
    await page.fill('#login', 'berta')
    await press(page, 'main button[type=submit]')
    await page.waitForURL('**/admin/start/')
    await page.fill('#f-name', 'Musikschule Tannbach')
  }

  /** The front page in its frame. */
  const front = (page: Page) => page.frameLocator('.front-page iframe')

  it('begins with a theatre’s address, by keyboard, and is saved and taken back', {
    timeout: LONG,
  }, async () => {
    opened = await openPage({ locale: 'de-AT', timezoneId: 'Europe/Vienna' })
    const { page, complaints } = opened
    await begin(page)
    await expectNoFindings(page, 'chosen')
    // What the browser says, in words.
    expect(await page.textContent('.start-place summary')).toMatch(/Europe\/Vienna, .*Österreich.*, Euro/)
    await page.focus('input[name=accent_color]:checked')
    await page.keyboard.press('ArrowRight')
    await page.fill('#url', theatre.address)
    await page.keyboard.press('Enter')
    await page.locator('[name=shown]').waitFor({ state: 'attached' })
    expect(await front(page).locator('.event-title').count()).toBe(12)
    expect(await front(page).locator('header').first().textContent()).toContain('Musikschule Tannbach')
    expect(await front(page).locator('a[href]').count()).toBe(0)
    await expectNoFindings(page, 'shown')
    const visitor = await (await fetch(`${site}/events/`)).text()
    expect(visitor).not.toMatch(/Musikschule|Vorstellung/)
    await press(page, 'button[value=save]')
    await page.waitForURL('**/admin/')
    expect(await page.textContent('.editor-notice')).toContain(
      'Ihr Kalender steht, bisher mit 14 Veranstaltungen.',
    )
    const saved = await (await fetch(`${site}/events/?x=1`)).text()
    for (const text of ['Musikschule Tannbach', 'Vorstellung 1', 'lang="de-AT"', 'theme-1f5592.css'])
      expect(saved).toContain(text)
    await page.click('.editor-notice a')
    await expectNoFindings(page, 'undo')
    await press(page, 'main button[type=submit]')
    await page.waitForURL('**/admin/')
    expect(await (await fetch(`${site}/events/?x=2`)).text()).not.toContain('Musikschule Tannbach')
    expect(complaints).toEqual([])
  })

  it('fills in the zone of the browser, which may have an old name', { timeout: LONG }, async () => {
    opened = await openPage({ locale: 'de-DE', timezoneId: 'Asia/Calcutta' })
    const { page } = opened
    expect(await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')).toBe('Asia/Calcutta')
    await begin(page)
    await page.locator('[data-choice=f-timezone]', { hasText: 'Asia/Kolkata' }).waitFor()
    expect(await page.inputValue('#f-timezone')).toBe('Asia/Kolkata')
    const first = await page.locator('#f-timezone option').allTextContents()
    expect(first.slice(0, 4)).toEqual(['UTC', 'Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich'])
    expect(first).not.toContain('Asia/Calcutta')
    // Whoever goes on without it announces the first event from the start page.
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${site}/admin/`)
      const parts = await page.locator('form:has(#first-title) > :is(.form-field, button)').all()
      const boxes = await Promise.all(parts.map(part => part.boundingBox()))
      expect(boxes).toHaveLength(5)
      for (const [i, box] of boxes.entries()) {
        const { y = 0, height = 0 } = boxes[i - 1] ?? {}
        const isBelow = i > 0 && (box?.y ?? 0) > y + height / 2
        if (isBelow) expect((box?.y ?? 0) - y - height, `${i} at ${width}`).toBeGreaterThanOrEqual(8)
        expect(box?.width).toBeLessThan(500)
      }
    }
  })

  it('shows the front page from the start, as on a desk, with what saves it in sight', {
    timeout: LONG,
  }, async () => {
    opened = await openPage({ locale: 'de-AT', timezoneId: 'Europe/Vienna' })
    const { page } = opened
    await begin(page)
    const save = page.locator('button[value=save]')
    const bottomOf = async (part: string) => {
      const { y = 0, height = 0 } = (await page.locator(part).first().boundingBox()) ?? {}
      return y + height
    }
    /** The width of the document in the frame, and that of the frame as it is shown. */
    const frameWidths = async () => [
      await front(page)
        .locator('html')
        .evaluate(html => html.clientWidth),
      await page.locator('.front-page').evaluate(frame => frame.clientWidth),
      Math.round((await page.locator('.front-page iframe').boundingBox())?.width ?? 0),
    ]
    const showFrontPage = async () => {
      await page.check('input[value=none]')
      await page.click('.actions button[value=look]')
      await page.locator('[name=shown]').waitFor({ state: 'attached' })
    }
    // What is wrong takes the front page away from nobody, and can't be saved.
    await page.click('.actions button[value=look]')
    await page.locator('#url-error').waitFor()
    expect(await page.locator('[name=shown]').count()).toBe(0)
    expect(await front(page).locator('header').first().textContent()).toContain('Musikschule Tannbach')
    expect(await page.textContent('.start-place summary .small')).toBe('Zone, Sprache, Währung:')
    for (const isShown of [false, true]) {
      if (isShown) await showFrontPage()
      for (const width of [1280, 1600, 960]) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate('scrollTo(0, 0)')
        const [laidOut, column, drawn] = await frameWidths()
        expect([laidOut, drawn]).toEqual([1280, column])
        expect(await bottomOf('.front-page')).toBeLessThan(900)
        expect(await bottomOf('button[value=save]')).toBeLessThan(900)
      }
      // Where the section begins there are letters: it has no outline around them.
      const outline = "getComputedStyle(document.querySelector('#front')).outlineStyle"
      expect(await page.evaluate(outline)).toBe('none')
      await page.setViewportSize({ width: 390, height: 844 })
      const { end } = await page.evaluate<{ end: number }>(
        "({ end: document.querySelector('.start-form').getBoundingClientRect().bottom + scrollY })",
      )
      for (let top = 0; top < end - 844; top += 400) {
        await page.evaluate(`scrollTo(0, ${top})`)
        const { y = -1, height = 0 } = (await save.boundingBox()) ?? {}
        expect(y, `at ${top}`).toBeGreaterThanOrEqual(0)
        expect(y + height, `at ${top}`).toBeLessThanOrEqual(844)
      }
      const [laidOut, column] = await frameWidths()
      expect(laidOut).toBe(column)
    }
    // What was typed since the last look is shown before it is saved.
    await page.fill('#f-name', 'Chor Tannbach')
    await save.click()
    await page.locator('#front [role=status]').waitFor()
    expect(await (await fetch(`${site}/events/`)).text()).not.toContain('Tannbach')
    expect(await front(page).locator('header').first().textContent()).toContain('Chor Tannbach')
    await save.click()
    await page.waitForURL('**/admin/')
    expect(await (await fetch(`${site}/events/?x=1`)).text()).toContain('Chor Tannbach')
  })

  it('begins with a spreadsheet, on a phone, without scripts', {
    timeout: LONG,
  }, async () => {
    opened = await openPage({ locale: 'de', javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    const { page } = opened
    await begin(page)
    await page.check('input[value=file]')
    await page.setInputFiles('#file', {
      name: 'programm.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(CSV),
    })
    await press(page, '.actions button[value=look]')
    await page.locator('[name=shown]').waitFor({ state: 'attached' })
    expect(await front(page).locator('.event-title').count()).toBe(12)
    await press(page, 'button[value=save]')
    await page.waitForURL('**/admin/')
    expect(await page.textContent('.editor-notice')).toContain('bisher mit 14 Veranstaltungen.')
  })
})
