import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentAt } from '../../../src/cli/client-document.ts'
import { type Service, startService } from '../../service.ts'
import { CHROMIUM, closePages, hasBrowser, launch } from '../../site/node/browser.ts'

describe.skipIf(!hasBrowser)(`the documentation page in a browser (needs ${CHROMIUM})`, () => {
  let server: Service
  let browser: Browser
  let page: Page
  /** What the browser complained of, and what it asked others for. */
  const complaints: string[] = []

  beforeAll(async () => {
    server = await startService()
    browser = await launch()
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(0)
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    page.on('requestfailed', request => complaints.push(`failed: ${request.url()}`))
    page.on('request', request => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== new URL(server.api).origin) complaints.push(request.url())
    })
    await page.goto(`${server.api}/doc`)
    await page.waitForSelector('.opblock')
  })

  afterAll(async () => {
    await closePages(browser)
    await server?.stop()
  })

  it('shows every operation', async () => {
    const operations = Object.values(Object(documentAt('https://calendar.example.org').paths)).flatMap(path =>
      Object.keys(Object(path)),
    )
    expect(await page.locator('.opblock').count()).toBe(operations.length)
    expect(await page.locator('.info .title').innerText()).toContain('calendar API')
  })

  it('tries a GET, with what was typed and nothing else', async () => {
    const list = page.locator('#operations-events-getEvents')
    await list.locator('.opblock-summary-control').click()
    await list.locator('[data-param-name="per_page"] input').fill('2')
    await list.locator('.execute').click()
    const answer = list.locator('.live-responses-table tbody .response')
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/)
    expect(await answer.locator('.response-col_description').innerText()).toContain('"events"')
    expect(await list.locator('.request-url pre').innerText()).toBe(`${server.api}/events?per_page=2`)
  })

  it('loads nothing from elsewhere and breaks no rule of its policy', () => {
    expect(complaints).toEqual([])
  })
})
