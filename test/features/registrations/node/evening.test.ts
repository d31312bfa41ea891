import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textsIn } from '../../../../src/words/words.ts'
import { fieldsIn } from '../../../editor/forms.ts'
import { signInOwner } from '../../../editor/node/owner.ts'
import { askAsOwner, dayFromNow, declareService } from '../../../service.ts'
import { findings } from '../../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../../site/pages/node/browser.ts'

// An evening of a course of twelve in a browser: visitors without scripts, on a phone; the organizer at a
// desk and at the door.

const PHONE = { width: 360, height: 740 }
const DAY = dayFromNow(60)

describe.each(['en', 'de', 'fr', 'es'])('a course in %s', { tags: ['browser'] }, LANGUAGE => {
  const server = declareService(
    {
      MAIL_FROM: 'Mill <events@town.example>',
      IMPRINT_URL: 'https://town.example/imprint',
      PRIVACY_URL: 'https://town.example/privacy',
      TIMEZONE: 'UTC',
      LANGUAGE,
    },
    { sendsMail: true },
  )
  const words = textsIn(LANGUAGE).registration
  const { colon } = textsIn(LANGUAGE).pages
  let site: string
  let visitor: Page
  let organizer: Page
  let event: number
  let complaints: string[]

  beforeAll(async () => {
    site = new URL(server.api).origin
    const api = askAsOwner(server)
    const made = await api<{ id: number }>('POST', '/events', {
      title: 'Bread for beginners',
      start_date: `${DAY} 18:00:00`,
      end_date: `${DAY} 20:00:00`,
    })
    event = made.id
    visitor = (await openPage({ locale: LANGUAGE, javaScriptEnabled: false, viewport: PHONE })).page
    const desk = await openPage({ locale: LANGUAGE })
    organizer = desk.page
    complaints = desk.complaints
    await signInOwner(organizer, site, server)
  })

  afterAll(closePages)

  const PEOPLE = 'Ann Ben Cat Dan Eve Fay Gus Hal Ida Jim Kay Lea Max Nia'.split(' ')
  const addressOf = (name: string) => `${name.toLowerCase()}@people.example`
  const mailsTo = async (name: string) =>
    (await server.mails()).filter(({ to }) => String(to).includes(addressOf(name)))

  /**
   * Registers somebody by the API and confirms by the form of the page.
   * @param before looks at the page before
   * @returns its address
   */
  async function registerByApi(
    name: string,
    before: (address: string) => Promise<void> = async () => {},
  ): Promise<string> {
    const json = { name, email: addressOf(name), consent: true, language: LANGUAGE }
    const asked = await fetch(`${server.api}/events/${event}/registrations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    expect(asked.status).toBe(202)
    const address = await linkOf(name)
    await before(address)
    const fields = new URLSearchParams({ ...fieldsIn(await (await fetch(address)).text()), do: 'confirm' })
    const done = await fetch(address, {
      method: 'POST',
      body: fields,
      headers: { origin: site },
      redirect: 'manual',
    })
    expect(done.headers.get('location')).toContain('?confirmed=1')
    return address
  }

  const own = () => `${site}/admin/registrations/${event}/`
  const expectNoFindings = async () => {
    for (const turn of [0, 1]) expect(await findings(organizer, turn)).toEqual([])
  }
  /** Looks at a person's own page with somebody's heading. */
  const expectNoFindingsAt = async (address: string, heading: string, turn: number) => {
    await organizer.goto(address)
    expect(await organizer.locator('h1').textContent()).toBe(heading)
    expect(await findings(organizer, turn)).toEqual([])
  }
  /** The address of the own page in the first e-mail. */
  const linkOf = async (name: string) =>
    /http\S+\/registrations\/\S+/.exec((await mailsTo(name))[0]?.text ?? '')?.[0] ?? ''
  /** A text with the title, as the subject of an e-mail has it: without spaces that don't break. */
  const plain = (text: string) => text.replaceAll('\u00a0', ' ').replace('{{title}}', 'Bread for beginners')

  async function register(name: string): Promise<string> {
    await visitor.goto(`${site}/register/${event}/`)
    await visitor.locator('#f-name').fill(name)
    await visitor.locator('#f-email').fill(addressOf(name))
    await visitor.locator('#f-consent').check()
    await visitor.locator('.register-form button').click()
    await visitor.getByText(words.lookTitle).first().waitFor()
    const address = await linkOf(name)
    await visitor.goto(address)
    await visitor.getByRole('button', { name: words.confirm, exact: true }).click()
    await visitor.waitForURL(/\?(?:confirmed|waiting)=1/)
    return address
  }

  it('is opened for twelve people', async () => {
    await organizer.goto(`${site}/admin/events/${event}/`)
    await organizer.goto(own())
    await expectNoFindings()
    await organizer.locator('#f-places').fill('12')
    await organizer.getByRole('button', { name: words.begin }).click()
    await organizer.getByText(words.saved).first().waitFor()
    await expectNoFindings()
    await organizer.goto(`${site}/events/`)
    await organizer.goto(`${site}/register/${event}/`)
    await expectNoFindings()
  })

  it('takes fourteen people in order: two wait, and the next one moves up and is told', async () => {
    const ann = await registerByApi('Ann', address => expectNoFindingsAt(address, words.confirmTitle, 0))
    await expectNoFindingsAt(ann, words.yoursPlace, 1)
    for (const name of PEOPLE.slice(1, 11)) await registerByApi(name)
    for (const name of PEOPLE.slice(11)) await register(name)
    expect(await visitor.locator('h1').textContent()).toBe(words.yoursWaiting)
    expect(await visitor.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
    await expectNoFindingsAt(await linkOf('Nia'), words.yoursWaiting, 0)
    await visitor.goto(`${site}/register/${event}/`)
    expect(await visitor.locator('h1').textContent()).toBe(words.join)
    await visitor.goto(ann)
    await visitor.getByRole('button', { name: words.giveBack }).click()
    await visitor.getByText(words.givenText).waitFor()
    await server.cron(Date.now())
    const subject = plain(words.mail.moved_up_subject)
    expect((await mailsTo('Max')).map(mail => mail.subject)).toContain(subject)
    expect((await mailsTo('Nia')).map(mail => mail.subject)).not.toContain(subject)
  })

  it('moves to another date, and everybody on the list is told once', async () => {
    const other = dayFromNow(61)
    const times = { start_date: `${other} 18:00:00`, end_date: `${other} 20:00:00` }
    await askAsOwner(server)('PATCH', `/events/${event}`, times)
    const before = (await server.mails()).length
    // The cron looks every fifth minute, ten minutes after the last change.
    const at = Math.ceil(Date.now() / 300_000) * 300_000 + 900_000
    for (const minutes of [0, 1, 2, 3, 15, 16]) await server.cron(at + minutes * 60_000)
    const told = (await server.mails()).slice(before)
    expect(told.map(({ to }) => String(to).split('@')[0]).sort()).toEqual(
      PEOPLE.slice(1).map(name => name.toLowerCase()),
    )
    for (const { subject, text } of told) {
      expect(subject).toBe(plain(words.mail.changed_subject))
      expect(plain(text)).toContain(plain(words.mail.change_moved).split('{{')[0])
    }
  })

  it('is kept at the door: who has come, somebody by telephone, and the end', async () => {
    await organizer.goto(own())
    await expectNoFindings()
    expect(await organizer.locator('.registrant strong').allTextContents()).toEqual(PEOPLE.slice(1))
    for (const name of PEOPLE.slice(1, 7)) {
      await organizer.getByRole('button', { name: `${words.came}${colon}${name}` }).click()
      await organizer.getByRole('button', { name: `${words.hasCome}${colon}${name}` }).waitFor()
    }
    expect(await organizer.locator('.has-come').count()).toBe(6)
    await organizer.locator('#e-name').fill('Zoe')
    await organizer.getByRole('button', { name: words.enter, exact: true }).click()
    await organizer.getByText(words.notFree).waitFor()
    expect(await organizer.locator('#e-name').inputValue()).toBe('Zoe')
    await organizer.locator('#e-over').check()
    await organizer.getByRole('button', { name: words.enter, exact: true }).click()
    await organizer.getByText(words.entered).waitFor()
    await organizer.setViewportSize(PHONE)
    await expectNoFindings()
    const person = organizer.locator('.registrant').first()
    await person.locator('summary').click()
    const [menu, field] = await Promise.all(
      ['.menu-items', '.menu-items input[type=number]'].map(part => person.locator(part).boundingBox()),
    )
    expect((field?.x ?? 0) - (menu?.x ?? 0)).toBeGreaterThan(8)
    await person.locator('summary').click()
    await organizer.emulateMedia({ media: 'print' })
    expect(await organizer.locator('.registrant-acts').first().isVisible()).toBe(false)
    for (const name of [...PEOPLE.slice(1), 'Zoe'])
      expect(await organizer.locator('.registrant', { hasText: name }).isVisible()).toBe(true)
    for (const other of ['.no-print', '.site-header', '.editor-menu'])
      expect(await organizer.locator(other).first().isVisible(), other).toBe(false)
    // A box to tick beside each name, ticked for those who have come.
    const marks = await organizer.evaluate(
      `[...document.querySelectorAll('.registrant')].map(row => getComputedStyle(row, '::before').content)`,
    )
    expect(marks).toEqual([...Array(6).fill('"✓"'), ...Array(8).fill('""')])
    await organizer.emulateMedia({ media: null })
    await organizer.getByRole('link', { name: words.end }).click()
    await expectNoFindings()
    await organizer.getByRole('button', { name: words.end, exact: true }).click()
    await organizer.getByText(words.ended_by_organizer).waitFor()
    // The browser names the status of the form that was refused.
    expect(complaints.filter(text => !text.includes('422'))).toEqual([])
  })
})
