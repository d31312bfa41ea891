import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentAt } from '../../../../src/app.ts'
import { declareService } from '../../../service.ts'
import { overflows, resize } from '../../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../../site/pages/node/browser.ts'

describe('the documentation page in a browser', { tags: ['browser'] }, () => {
  const server = declareService()
  let page: Page
  /** What the browser complained of, and what it asked others for. */
  let complaints: string[]

  beforeAll(async () => {
    ;({ page, complaints } = await openPage())
    page.on('requestfailed', request => complaints.push(`failed: ${request.url()}`))
    page.on('request', request => {
      const { protocol, origin } = new URL(request.url())
      if (protocol !== 'data:' && origin !== new URL(server.api).origin) complaints.push(request.url())
    })
    // The page takes some seconds to make, so it is opened once: where its address leads, with the other
    // operations below.
    await page.goto(`${server.api}/doc#/venues/getVenues`)
    await page.locator('#operations-venues-getVenues .execute').waitFor()
  })

  afterAll(closePages)

  it('tries a GET, with what was typed and nothing else', async () => {
    const list = page.locator('#operations-venues-getVenues')
    await list.locator('[data-param-name="per_page"] input').fill('2')
    await list.locator('.execute').click()
    const answer = list.locator('.live-responses-table tbody .response')
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/)
    expect(await answer.locator('.response-col_description').innerText()).toContain('"venues"')
    expect(await list.locator('.request-url pre').innerText()).toBe(`${server.api}/venues?per_page=2`)
  })

  it('shows an open operation, with its responses, no wider than a phone', async () => {
    await page.locator('#operations-venues-getVenues .responses-table').first().waitFor()
    await resize(page, 360)
    expect(await overflows(page)).toBe(false)
    await resize(page, 1280)
  })

  it('shows every operation', async () => {
    const operations = Object.values(Object(documentAt('https://calendar.example.org').paths)).flatMap(path =>
      Object.keys(Object(path)),
    )
    await page.evaluate('scrollTo(0, 0)')
    // Swagger UI only keeps the operations that are in sight in the page.
    const found = new Set<string>()
    for (let isEnd = false; !isEnd; ) {
      for (const id of await page.locator('.opblock').evaluateAll(all => all.map(({ id }) => id)))
        found.add(id)
      isEnd = await page.evaluate('innerHeight + scrollY >= document.documentElement.scrollHeight - 1')
      await page.evaluate(`new Promise(resolve => {
        scrollBy(0, innerHeight / 2)
        requestAnimationFrame(() => setTimeout(resolve))
      })`)
    }
    expect(found.size).toBe(operations.length)
    expect(await page.locator('.info .title').innerText()).toContain('calendar API')
  })

  it('loads nothing from elsewhere and breaks no rule of its policy', () => {
    expect(complaints).toEqual([])
  })
})
