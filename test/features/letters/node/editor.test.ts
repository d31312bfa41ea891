import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../../../commands/spawn.ts'
import { signInOwner } from '../../../editor/node/owner.ts'
import { askAsOwner, declareService } from '../../../service.ts'
import { findings } from '../../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../../site/pages/node/browser.ts'

// With the stand-in for Cloudflare's service that npm run dev has.

describe('letters of the editor in a browser', { tags: ['browser'] }, () => {
  const server = declareService({ MAIL_FROM: 'Kilkenny <events@town.example>' }, { sendsMail: true })
  let site: string
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    site = new URL(server.api).origin
    ;({ page, complaints } = await openPage())
    await signInOwner(page, site, server)
  })

  afterAll(closePages)

  it('a letter is made by its form, and shown in a frame that can do nothing', {
    timeout: LONG,
  }, async () => {
    await page.goto(`${site}/admin/letters/`)
    expect(await page.locator('.lead').innerText()).toContain('News is different')
    await page.goto(`${site}/admin/letters/new/`)
    expect(await page.locator('.actions button[type=submit]').innerText()).toBe('Save')
    await page.fill('#f-name', 'The week')
    await page.fill('#f-to', 'week@lists.example')
    await page.fill('#f-days', '62')
    await page.fill('#f-intro', 'Good morning!')
    // Which events is chosen by the boxes of news.
    expect(await page.locator('[name=filters], [name=filters_rest]').count()).toBe(0)
    for (const name of ['Music', 'Community', 'Markets', 'Courses', 'Children', 'Stage & Screen'])
      await page.locator('.news-chips').getByLabel(name, { exact: true }).check()
    await page.click('.actions button[type=submit]')
    // The stand-in has taken the link.
    expect(await page.textContent('.editor-notice')).toContain('A link has been sent to week@lists.example')
    const frame = page.frameLocator('iframe.letter')
    expect(await frame.locator('body').textContent()).toContain('Good morning!')
    expect(await frame.locator('h1, h2, h3').first().isVisible()).toBe(true)
    // Between the link to its settings and the first section.
    const gap = await page.evaluate(
      `document.querySelector('.stack .card').getBoundingClientRect().top -
        document.querySelector('a.button[href$="/settings/"]').getBoundingClientRect().bottom`,
    )
    expect(gap).toBeGreaterThan(8)
    const letter = page.url()
    await page.goto(`${letter}settings/`)
    expect(await page.locator('[name=filters_categories]:checked').count()).toBe(6)
    for (const [turn, path] of [
      `${site}/admin/letters/`,
      `${site}/admin/letters/new/`,
      letter,
      `${letter}settings/`,
      `${site}/admin/account/`,
    ].entries()) {
      await page.goto(path)
      await page.evaluate("document.querySelectorAll('details:not([name])').forEach(e => { e.open = true })")
      expect(await findings(page, turn), path).toEqual([])
    }
    expect(complaints).toEqual([])
  })

  it('what the API sends is taken as it is', async () => {
    const api = askAsOwner(server)
    const fields = {
      name: 'Ünïcode „Woche“',
      to: 'two@lists.example',
      weekday: 'friday',
      hour: 18,
      language: 'de',
    }
    expect(await api<{ link_sent: boolean }>('POST', '/letters', fields)).toMatchObject({ link_sent: true })
  })
})
