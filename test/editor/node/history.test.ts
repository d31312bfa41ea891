import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, dayFromNow, declareService } from '../../service.ts'
import { findings, overflows, resize } from '../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'

// The history, undo, the trash and merging in a browser.

// The service has the real clock.
const DAY = dayFromNow(50)

describe('the history in a browser', { tags: ['browser'] }, () => {
  const server = declareService()
  let page: Page
  let complaints: string[]
  let site: string
  let ask: ReturnType<typeof askAsOwner>
  const pages: Record<string, string> = {}

  const api = (method: string, path: string, json: object) => ask<{ id: number }>(method, path, json)

  beforeAll(async () => {
    ask = askAsOwner(server)
    site = new URL(server.api).origin
    ;({ page, complaints } = await openPage())
    await signInOwner(page, site, server)
    await fill()
  })
  afterAll(closePages)

  /** Makes changes that the pages show. */
  async function fill() {
    const text = `<p>${'Doors open at eight, and there is soup. '.repeat(12)}</p>`
    const old = await api('POST', '/venues', {
      venue: 'The old Barn behind the mill',
      city: 'Kilkenny',
      address: '1 Mill Lane',
      phone: '+353 1 234',
    })
    const stays = await api('POST', '/venues', { venue: 'Barn', website: 'https://barn.example.org/hall' })
    const event = await api('POST', '/events', {
      title: 'Fiddles',
      start_date: `${DAY} 20:00`,
      end_date: `${DAY} 22:00`,
      venue: old.id,
    })
    await api('PATCH', `/events/${event.id}`, {
      title: 'Fiddles and flutes',
      description: text,
      event_status: 'canceled',
      start_date: `${DAY} 21:00`,
      tags: ['step-free', 'outdoors'],
    })
    const series = await api('POST', '/events', {
      title: 'Beginners',
      start_date: `${DAY} 20:00`,
      end_date: `${DAY} 22:00`,
      recurrence: 'FREQ=WEEKLY;COUNT=8',
    })
    await api('PATCH', `/events/${series.id}`, { scope: 'all', recurrence: 'FREQ=WEEKLY;COUNT=5' })
    for (const title of ['Thrown away', 'Also not needed any more, whatever it was']) {
      const { id } = await api('POST', '/events', { title, start_date: DAY, end_date: DAY })
      await api('DELETE', `/events/${id}`, {})
    }
    // With the form, so that it can be undone.
    await page.goto(`${site}/admin/events/${event.id}/`)
    await page.fill('input[name="title"]', 'Fiddles, flutes and feet')
    await page.locator('#editor-form button[value="save"]').last().click()
    await page.waitForSelector('.editor-notice button')
    pages.undo = (await page.getAttribute('#undo', 'action')) ?? ''
    pages.history = '/admin/history/'
    pages['history of one'] = `/admin/history/?kind=event&id=${event.id}`
    pages.trash = '/admin/trash/'
    pages.merge = `/admin/venues/${old.id}/merge/`
    pages.compare = `/admin/venues/${old.id}/merge/?into=${stays.id}`
  }

  it('has no finding of axe-core and fits, light and dark, wide and narrow', async () => {
    for (const [turn, [name, path]] of Object.entries(pages).entries()) {
      await page.goto(site + path)
      expect(await findings(page, turn), name).toEqual([])
      await resize(page, 768)
      expect(await overflows(page), name).toBe(false)
    }
    expect(complaints).toEqual([])
  })
})
