import { afterAll, describe, expect, it } from 'vitest'
import { signInOwner } from '../../../editor/node/owner.ts'
import { dayFromNow, declareService } from '../../../service.ts'
import { findings } from '../../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../../site/pages/node/browser.ts'

const TOWN = {
  SUBMISSIONS: 'on',
  INBOX: 'on',
  INBOX_ADDRESS: 'inbox@town.example',
  SITE_URL: 'https://town.example',
}

const PASSED =
  'Authentication-Results: mx.cloudflare.net; dkim=pass header.d=club.example; dmarc=pass header.from=club.example\r\n'
const day = (n: number) =>
  new Date(dayFromNow(n)).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const IN_LINE = 'https://club.example/programme/a-very-long-address-without-any-place-to-break-it/2027/spring'

/** E-mails, from somebody who is confirmed and from nobody in particular. */
const MAILS = [
  {
    headers: PASSED,
    subject: 'For your calendar',
    text: `Dear all,\r\n\r\nSpring concert of the Lakeside Choir\r\n${day(30)}, 8 pm, St Brigid’s Church, Main Street 5, Kilkenny\r\nTickets 12 € / 8 €\r\n${IN_LINE}\r\n\r\nSongs from three centuries, with a supper afterwards. Everybody is welcome.\r\n\r\nOn Monday, Bob Baker <bob@town.example> wrote:\r\n> When is the concert this year? Last year it was on 2 May.\r\n> Bob\r\n\r\n-- \r\nAnn Example\r\nThe Lakeside Choir, 087 123 4567`,
  },
  {
    headers: '',
    subject: 'Barn dance',
    text: `Barn dance with callers and fiddles, beginners welcome, in the town hall on ${day(31)} at 8 pm. Admission 8 euros.`,
  },
]

describe('the review of e-mails in a browser', { tags: ['browser'] }, () => {
  const towns = {
    en: declareService(TOWN, { takesMail: true }),
    de: declareService({ ...TOWN, LANGUAGE: 'de' }, { takesMail: true }),
  }
  afterAll(closePages)

  it.each(['en', 'de'] as const)('has the whole text, folded, in %s', async language => {
    const server = towns[language]
    const site = new URL(server.api).origin
    for (const [n, { headers, subject, text }] of MAILS.entries()) {
      const mail = `${headers}From: Ann Example <ann@club.example>\r\nTo: inbox@town.example\r\nSubject: ${subject}\r\nMessage-ID: <${n}@club.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`
      const { status } = await fetch(
        `${site}/cdn-cgi/local/email?from=ann@club.example&to=inbox@town.example`,
        { method: 'POST', body: mail },
      )
      expect(status).toBe(200)
    }
    const { page, complaints } = await openPage()
    await signInOwner(page, site, server)
    await page.goto(`${site}/admin/review/`)
    const concert = page.getByRole('article', { name: 'For your calendar' })
    const dance = page.getByRole('article', { name: 'Barn dance' })
    expect([await concert.count(), await dance.count()]).toEqual([1, 1])
    // The description has the text already; the rest is a click away.
    const mail = concert.locator('.review-mail')
    const subject = mail.locator('.mail-subject')
    expect(await subject.isVisible()).toBe(false)
    await mail.locator('summary').click()
    expect(await subject.innerText()).toMatch(/^\w+: For your calendar$/)
    const text = await mail.locator('.mail-text').innerText()
    for (const part of ['Spring concert', 'Last year it was on 2 May', '087 123 4567'])
      expect(text).toContain(part)
    expect(await dance.locator('.review-unconfirmed').count()).toBe(1)
    expect(await concert.locator('.review-unconfirmed').count()).toBe(0)
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
    expect(complaints).toEqual([])
  })
})
