import { afterAll, describe, expect, it } from 'vitest'
import { signInOwner } from '../../../editor/node/owner.ts'
import { answerOf } from '../../../model.ts'
import { serveModel, withAnswers } from '../../../model-server.ts'
import { dayFromNow, declareService } from '../../../service.ts'
import { findings } from '../../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../../site/pages/node/browser.ts'

const day = (n: number) =>
  new Date(dayFromNow(n)).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const QUIZ = 'Pub quiz for beginners'
const SALE = 'Book sale for everybody'
const TEXT = `- ${QUIZ}, ${day(20)}, 8 pm, in the Palace\n- ${SALE}, ${day(21)}, 10 am, €2`

const model = await serveModel((request, response) => {
  // As slow as to be seen
  setTimeout(
    () =>
      withAnswers({
        [QUIZ]: answerOf(
          {
            title: QUIZ,
            date: [day(20), dayFromNow(20)],
            time: ['8 pm', '20:00'],
            venue: ['Palace', 'Palace'],
          },
          { title: SALE, date: [day(21), dayFromNow(21)], time: ['10 am', '10:00'], cost: ['€2', 3] },
        ),
      })(request, response),
    1_000,
  )
})

describe('a pasted text in a browser', { tags: ['browser'] }, () => {
  const server = declareService({ AI_URL: model.url, AI_MODEL: 'stand-in' })

  afterAll(async () => {
    await closePages()
    await model.close()
  })

  it('becomes events that are saved one after the other, each in a tab of its own', async () => {
    const site = new URL(server.api).origin
    const { page, complaints } = await openPage()
    await signInOwner(page, site, server)
    await page.goto(`${site}/admin/events/paste/`)
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
    await page.getByLabel('Text', { exact: true }).fill(TEXT)
    const reading = page.getByText('The language model is reading the text.')
    expect(await reading.isVisible()).toBe(false)
    // The browser holds the form back once, so that the page can be looked at.
    await page.evaluate(
      "document.addEventListener('submit', event => event.preventDefault(), { once: true, capture: true })",
    )
    await page.getByRole('button', { name: 'Fill the form' }).click()
    await reading.waitFor({ state: 'visible' })
    await page.getByRole('button', { name: 'Fill the form' }).click()
    await page.locator('#f-title').waitFor()
    const left = await page.locator('.pasted-text').boundingBox()
    const right = await page.locator('.pasted-form').boundingBox()
    expect(left?.y).toBe(right?.y)
    expect(left?.width).toBeCloseTo(right?.width ?? 0, 0)
    // The words of the field that has the focus are marked, without a script.
    const backgroundOf = (field: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('mark[data-of~="${field}"]')).backgroundColor`,
      )
    const plain = await backgroundOf('start_date')
    await page.locator('#f-title').focus()
    expect([(await backgroundOf('title')) === plain, await backgroundOf('start_date')]).toEqual([
      false,
      plain,
    ])
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
    await page.locator('#f-title').fill(QUIZ)
    const saved = await saveIn()
    await saved.locator('.editor-notice', { hasText: `Saved: ${QUIZ}` }).waitFor()
    await page.setViewportSize({ width: 320, height: 700 })
    await page.locator('.paste-drafts').getByRole('button', { name: SALE }).click()
    await page.getByRole('button', { name: 'Use “3”' }).waitFor()
    expect(await page.locator('#f-title').inputValue()).toBe(SALE)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    // On a phone, it begins with the form.
    expect((await page.locator('.paste-drafts').boundingBox())?.y).toBeLessThan(0)
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('#draft') !== null")).toBe(true)
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
    // A value that was not believed is taken by a button, which keeps what was typed.
    await page.locator('#f-title').fill('Books')
    await page.getByRole('button', { name: 'Use “3”' }).click()
    await page.locator('#f-cost[value="3"]').waitFor()
    expect(await page.locator('#f-title').inputValue()).toBe('Books')
    await (await saveIn()).locator('.editor-notice', { hasText: 'Saved: Books' }).waitFor()
    expect(complaints).toEqual([])
    expect(model.requests).toHaveLength(1)
  })
})
