import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textsIn } from '../../../../src/words/words.ts'
import { askAsOwner, dayFromNow, declareService } from '../../../service.ts'
import { signInOwner } from '../../../web/editor/node/owner.ts'
import { findings } from '../../../web/pages/node/axe.ts'
import { closePages, openPage } from '../../../web/pages/node/browser.ts'

// An evening of a course in a browser: visitors without scripts, on a phone; the organizer at a desk and at the door.

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

  const own = () => `${site}/admin/registrations/${event}/`
  const isFine = async () => {
    for (const turn of [0, 1]) expect(await findings(organizer, turn)).toEqual([])
  }
  /** The address of the own page in the last e-mail. */
  const link = async () =>
    /http\S+\/registrations\/\S+/.exec((await server.mails()).at(-1)?.text ?? '')?.[0] ?? ''

  async function register(name: string): Promise<string> {
    await visitor.goto(`${site}/register/${event}/`)
    await visitor.locator('#f-name').fill(name)
    await visitor.locator('#f-email').fill(`${name.toLowerCase()}@people.example`)
    await visitor.locator('#f-consent').check()
    await visitor.locator('.register-form button').click()
    await visitor.getByText(words.lookTitle).first().waitFor()
    const address = await link()
    await visitor.goto(address)
    await visitor.getByRole('button', { name: words.confirm, exact: true }).click()
    await visitor.waitForURL(/\?(?:confirmed|waiting)=1/)
    return address
  }

  it('is opened for twelve beside the event', async () => {
    await organizer.goto(`${site}/admin/events/${event}/`)
    await organizer.goto(own())
    await isFine()
    await organizer.locator('#f-places').fill('2')
    await organizer.getByRole('button', { name: words.begin }).click()
    await organizer.getByText(words.saved).first().waitFor()
    await isFine()
    await organizer.goto(`${site}/events/`)
    await organizer.goto(`${site}/register/${event}/`)
    await isFine()
  })

  it('takes people in order, and the next one moves up', async () => {
    const ann = await register('Ann')
    await register('Ben')
    await register('Cat')
    expect(await visitor.locator('h1').textContent()).toBe(words.yoursWaiting)
    expect(await visitor.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
    await visitor.goto(ann)
    await visitor.getByRole('button', { name: words.giveBack }).click()
    await visitor.getByText(words.givenText).waitFor()
    await server.cron(Date.now())
    const told = (await server.mails())
      .filter(({ to }) => String(to).includes('cat@'))
      .map(({ subject }) => subject)
    expect(told.at(-1)).toContain('Bread for beginners')
  })

  it('is kept at the door: who has come, somebody by telephone, and the end', async () => {
    await organizer.goto(own())
    await isFine()
    expect(await organizer.locator('.registrant').count()).toBe(2)
    await organizer.getByRole('button', { name: `${words.came}: Ben` }).click()
    await organizer.getByRole('button', { name: `${words.hasCome}: Ben` }).waitFor()
    await organizer.locator('#e-name').fill('Dan')
    await organizer.getByRole('button', { name: words.enter, exact: true }).click()
    await organizer.getByText(words.notFree).waitFor()
    await organizer.locator('#e-name').fill('Dan')
    await organizer.locator('#e-over').check()
    await organizer.getByRole('button', { name: words.enter, exact: true }).click()
    await organizer.getByText(words.entered).waitFor()
    await organizer.setViewportSize(PHONE)
    await isFine()
    await organizer.emulateMedia({ media: 'print' })
    expect(await organizer.locator('.registrant-acts').first().isVisible()).toBe(false)
    expect(await organizer.getByText('Dan').first().isVisible()).toBe(true)
    await organizer.emulateMedia({ media: null })
    await organizer.getByRole('button', { name: words.end, exact: true }).click()
    await organizer.getByText(words.ended_by_organizer).waitFor()
    expect(complaints).toEqual([])
  })
})
