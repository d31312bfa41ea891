import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentAt } from '../../../../src/cli/client-document.ts'
import { type Service, startService } from '../../../service.ts'
import { closePages, openPage } from '../../../web/pages/node/browser.ts'

describe('the documentation page in a browser', { tags: ['browser'] }, () => {
  let server: Service
  let page: Page
  /** What the browser complained of, and what it asked others for. */
  let complaints: string[]

  beforeAll(async () => {
    server = await startService()
    ;({ page, complaints } = await openPage())
    page.on('requestfailed', request => complaints.push(`failed: ${request.url()}`))
    page.on('request', request => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== new URL(server.api).origin) complaints.push(request.url())
    })
    await page.goto(`${server.api}/doc`)
    await page.waitForSelector('.opblock')
  })

  afterAll(async () => {
    await closePages()
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
    const list = page.locator('#operations-venues-getVenues')
    await list.locator('.opblock-summary-control').click()
    await list.locator('[data-param-name="per_page"] input').fill('2')
    await list.locator('.execute').click()
    const answer = list.locator('.live-responses-table tbody .response')
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/)
    expect(await answer.locator('.response-col_description').innerText()).toContain('"venues"')
    expect(await list.locator('.request-url pre').innerText()).toBe(`${server.api}/venues?per_page=2`)
  })

  it('loads nothing from elsewhere and breaks no rule of its policy', () => {
    expect(complaints).toEqual([])
  })
})
