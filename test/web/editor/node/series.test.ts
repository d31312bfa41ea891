import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, type Service, startService } from '../../../service.ts'
import { findings } from '../../pages/node/axe.ts'
import { closePages, type OpenPage, openPage } from '../../pages/node/browser.ts'
import { signInOwner } from './owner.ts'

let service: Service
let open: OpenPage
let page: Page
let origin: string

const create = (fields: object) =>
  askAsOwner(service)('POST', '/events', {
    start_date: '2094-06-08 20:00',
    end_date: '2094-06-08 21:00',
    ...fields,
  })

beforeAll(async () => {
  service = await startService()
  // Cookies of a sign-in without TLS are kept for this name only.
  origin = new URL(service.api).origin.replace('127.0.0.1', 'localhost')
  await create({ title: 'Seed swap', status: 'pending', venue: { venue: 'A barn', status: 'pending' } })
  await create({ title: 'Late jazz', status: 'pending', recurrence: 'FREQ=WEEKLY;COUNT=3' })
  open = await openPage()
  page = open.page
  await signInOwner(page, origin, service)
})

afterAll(async () => {
  await closePages()
  await service?.stop()
})

describe('in a browser', { tags: ['browser'] }, () => {
  it('the words of a repetition and its dates follow what is typed', async () => {
    await page.goto(`${origin}/admin/events/new/`)
    await page.fill('[name=title]', 'Class')
    await page.fill('[name=start_date]', '2094-06-08')
    await page.fill('[name=start_date_time]', '20:00')
    await page.selectOption('[name=recurrence]', { label: 'Every month on the second Tuesday' })
    await page.locator('.next-dates', { hasText: 'Tuesday, July 13, 2094' }).waitFor()
    await page.fill('[name=start_date]', '2094-06-25')
    await page.locator('.next-dates', { hasText: 'Friday, July 23, 2094' }).waitFor()
    expect(await page.locator('[name=recurrence] option:checked').textContent()).toBe(
      'Every month on the fourth Friday',
    )
    // What means nothing for a choice is not there, and there is always room for one more date.
    for (const part of ['.own-rule', '.show-dates']) expect(await page.locator(part).isVisible()).toBe(false)
    await page.click('.further-dates summary')
    const dates = page.locator('[name=recurrence_not]')
    await dates.last().fill('2094-07-23')
    await page.locator('.next-dates', { hasNotText: 'July 23' }).waitFor()
    expect(await dates.count()).toBe(3)
    await page.selectOption('[name=recurrence]', 'own')
    await page.locator('.own-days').waitFor()
    expect(await findings(page, 0)).toEqual([])
    await page.selectOption('[name=recurrence]', 'month-nth')
    await page.getByLabel('Never').check()
    await page.click('.editor-side button[value=save]')
    await page.locator('.editor-notice').waitFor()
  })

  it('a change of a date asks which dates it is for, and is made by keyboard alone', async () => {
    await page.fill('[name=title]', 'Class for all')
    await page.press('[name=title]', 'Enter')
    await page.locator('.scopes').waitFor()
    expect(await findings(page, 1)).toEqual([])
    await page.focus('[name=scope]:checked')
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('[name=scope]:checked').getAttribute('value')).not.toBe('this')
    await page.keyboard.press('Enter')
    await page.locator('.editor-notice', { hasText: 'Class for all' }).waitFor()
  })

  it('what waits is sent back with a note, and published', async () => {
    await page.goto(`${origin}/admin/review/`)
    const jazz = page.locator('article', { hasText: 'Late jazz' })
    await jazz.getByText('Send back…').click()
    await jazz.getByLabel('What is missing').fill('When does it end?')
    expect(await findings(page, 0)).toEqual([])
    await jazz.getByRole('button', { name: 'Send back', exact: true }).click()
    await page.locator('.editor-notice', { hasText: 'Late jazz' }).waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).first().click()
    await page.locator('.editor-notice', { hasText: 'Seed swap' }).waitFor()
    for (const [turn, path] of ['venues/', 'categories/', 'venues/1/'].entries()) {
      await page.goto(`${origin}/admin/${path}`)
      expect(await findings(page, turn), path).toEqual([])
    }
    expect(open.complaints).toEqual([])
  })
})
