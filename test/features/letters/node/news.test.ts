import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textsIn } from '../../../../src/words/words.ts'
import { declareService } from '../../../service.ts'
import { findings } from '../../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../../site/pages/node/browser.ts'

// The pages of news in a browser, in the widths and colours of `findings`.

describe.each(['en', 'de'])('pages of news in %s', { tags: ['browser'] }, LANGUAGE => {
  const server = declareService(
    {
      MAIL_FROM: 'Kilkenny <events@town.example>',
      IMPRINT_URL: 'https://town.example/imprint',
      TIMEZONE: 'UTC',
      LANGUAGE,
    },
    { sendsMail: true },
  )
  const words = textsIn(LANGUAGE).news
  let site: string
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    site = new URL(server.api).origin
    ;({ page, complaints } = await openPage({ locale: LANGUAGE }))
  })

  afterAll(closePages)

  const expectNoFindings = async () => {
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
  }

  it('are accessible, and fit: the form with its sample, and with an error', async () => {
    await page.goto(`${site}/news/`)
    expect(await page.locator('.news-sample li').count()).toBe(5)
    await page.evaluate("document.querySelectorAll('details.form-fold').forEach(e => { e.open = true })")
    await expectNoFindings()
    await page.evaluate("document.querySelector('.news-form').noValidate = true")
    await page.getByLabel(words.email).fill('nobody')
    await page.getByRole('button', { name: words.send }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await expectNoFindings()
  })

  it('are accessible, and fit: to confirm, to change, and to leave', async () => {
    await page.goto(`${site}/news/`)
    await page.locator('[name=categories]').first().check()
    await page.getByLabel(words.email).fill('ann@people.example')
    await page.getByRole('button', { name: words.send }).click()
    await page.getByText(words.lookTitle).waitFor()
    await expectNoFindings()
    const [mail] = await server.mails()
    await page.goto(/http\S+\/news\/\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    await expectNoFindings()
    await page.getByRole('button', { name: words.confirm }).click()
    await page.waitForURL('**confirmed**')
    expect(await page.locator('[name=categories]').first().isChecked()).toBe(true)
    await expectNoFindings()
    await page.locator('#leave button').click()
    await page.getByText(words.leftText).waitFor()
    await expectNoFindings()
    await page.goBack()
    await page.reload()
    await page.getByText(words.endedText).waitFor()
    expect(complaints.filter(text => !/42[0-9]|410/.test(text))).toEqual([])
  })
})
