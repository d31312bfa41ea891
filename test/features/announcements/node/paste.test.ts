import { afterAll, describe, expect, it } from 'vitest'
import { signInOwner } from '../../../editor/node/owner.ts'
import { dayFromNow, declareService } from '../../../service.ts'
import { findings } from '../../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../../site/pages/node/browser.ts'

describe('several events of a pasted text in a browser', { tags: ['browser'] }, () => {
  const server = declareService()

  afterAll(closePages)

  it('are saved one after the other, each in a tab of its own', async () => {
    const site = new URL(server.api).origin
    const { page, complaints } = await openPage()
    await signInOwner(page, site, server)
    await page.goto(`${site}/admin/events/paste/`)
    const quiz = 'Pub quiz for beginners'
    const sale = 'Book sale for everybody'
    const day = (n: number) =>
      new Date(dayFromNow(n)).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    const text = `- ${quiz}, ${day(20)}, 8 pm\n- ${sale}, ${day(21)}, 10 am`
    await page.getByLabel('Text', { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Fill the form' }).click()
    await page.locator('#f-title').waitFor()
    const left = await page.locator('.pasted-text').boundingBox()
    const right = await page.locator('.pasted-form').boundingBox()
    expect(left?.y).toBe(right?.y)
    expect(left?.width).toBeCloseTo(right?.width ?? 0, 0)
    const saveIn = async () => {
      const opened = page.context().waitForEvent('page')
      await page.locator('.editor-side button[value=save]').click()
      return opened
    }
    // What is wrong is said in the new tab, and can be mended here as well.
    await page.locator('#f-title').fill('')
    await page.evaluate("document.querySelector('#editor-form').noValidate = true")
    const wrong = await saveIn()
    await wrong.locator('.form-errors').waitFor()
    await wrong.close()
    await page.locator('#f-title').fill(quiz)
    const saved = await saveIn()
    await saved.locator('.editor-notice', { hasText: `Saved: ${quiz}` }).waitFor()
    await page.setViewportSize({ width: 390, height: 700 })
    await page.locator('.paste-drafts').getByRole('button', { name: sale }).click()
    await page
      .locator('.paste-drafts')
      .getByRole('button', { name: `Saved: ${quiz}` })
      .waitFor()
    expect(await page.locator('#f-title').inputValue()).toBe(sale)
    // On a phone, it begins with the form.
    expect((await page.locator('#f-title').boundingBox())?.y).toBeLessThan(600)
    expect((await page.locator('.paste-drafts').boundingBox())?.y).toBeLessThan(0)
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('#draft') !== null")).toBe(true)
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
    await (await saveIn()).locator('.editor-notice', { hasText: `Saved: ${sale}` }).waitFor()
    expect(complaints).toEqual([])
  })
})
