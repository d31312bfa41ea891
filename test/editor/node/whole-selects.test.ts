import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { isoWeekday } from '../../../src/kit/lib/time.ts'
import { askAsOwner, declareService } from '../../service.ts'
import { resize } from '../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'

/**
 * A day at the end of a month with a long name that is the fourth and the last of its weekday.
 * @param weekday 1 is Monday
 */
const dayWith = (weekday: number): string =>
  [24, 25, 26, 27, 28, 29, 30]
    .map(day => `2094-09-${day}`)
    .find(day => isoWeekday(`${day} 00:00:00`) === weekday) ?? ''

/** The weekdays with the longest names: Wednesday, but Thursday in German. */
const LONGEST = { en: 3, de: 4, es: 3, fr: 3 }

/** Lists with more options are not checked: theirs are names of any length. */
const MOST = 20

/** Notes how wide each option is by itself. */
const NOTE_WIDTHS = `{
  const alone = [...document.querySelectorAll('#editor-form select')].flatMap(list =>
    list.length > ${MOST} ? [] : [...list.options].map(option => {
      const one = list.cloneNode(false)
      one.style.cssText = 'position:absolute;width:max-content;max-width:none'
      one.append(option.cloneNode(true))
      list.after(one)
      return { option, one }
    }))
  for (const { option, one } of alone) option.dataset.wide = one.offsetWidth
  for (const { one } of alone) one.remove()
}`

/** The options that are wider than their list, each of them chosen in turn. */
const CUT = `[...document.querySelectorAll('#editor-form select:has([data-wide])')].flatMap(list => {
  const { value } = list
  const cut = [...list.options].flatMap(option => {
    list.value = option.value
    const lacking = option.dataset.wide - list.offsetWidth
    return list.offsetWidth > 0 && lacking > 0 ? [option.text + ': ' + lacking + ' px'] : []
  })
  list.value = value
  return cut
})`

describe('lists in the form of an event', { tags: ['browser'] }, () => {
  const server = declareService()
  let page: Page
  let site: string

  beforeAll(async () => {
    site = new URL(server.api).origin
    ;({ page } = await openPage())
    await signInOwner(page, site, server)
  })
  afterAll(closePages)

  it.each(LANGUAGES)('show what is chosen whole: %s', async language => {
    await askAsOwner(server)('PATCH', '/settings', { language })
    await page.goto(`${site}/admin/events/new/`)
    const options = page.locator('#f-recurrence option')
    const before = await options.allTextContents()
    await page.fill('#f-start_date', dayWith(LONGEST[language]))
    await page.fill('#f-start_date-time', '20:00')
    await expect.poll(() => options.allTextContents()).not.toEqual(before)
    await page.selectOption('#f-recurrence', 'own')
    await page.selectOption('[name=recurrence_unit]', 'month')
    await page.evaluate("document.querySelectorAll('#editor-form details').forEach(e => { e.open = true })")
    await page.evaluate(NOTE_WIDTHS)
    for (const width of [320, 360, 390, 768, 1280, 1600]) {
      await resize(page, width)
      expect(await page.evaluate(CUT), `${width} px`).toEqual([])
    }
    // Those above lists, too.
    const there = (code: string) => code.replaceAll('#editor-form', '.admin-finder')
    await page.goto(`${site}/admin/venues/`)
    await page.evaluate(there(NOTE_WIDTHS))
    for (const width of [1600, 1280, 768, 390, 360, 320]) {
      await resize(page, width)
      expect(await page.evaluate(there(CUT)), `${width} px`).toEqual([])
    }
  })
})
