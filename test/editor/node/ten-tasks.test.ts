import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../listen.ts'
import { askAsOwner, dayFromNow, type Service, startService } from '../../service.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'
import { pixel } from './pixel.ts'

// Ten tasks of an owner, in English and German, as one story: each goes on where the one before it ended. On
// the way nothing is answered with an error, and no script fails.

const PICTURE = pixel('header.png')

const FEED = (day: string) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Band//EN', 'BEGIN:VEVENT', 'UID:1@band.example']
    .concat(`DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`, 'SUMMARY:Band on the green')
    .concat('END:VEVENT', 'END:VCALENDAR', '')
    .join('\r\n')

const WORDS = {
  en: {
    newVenue: 'New venue',
    cancelDate: 'Cancel this date…',
    cancelled: 'One event cancelled.',
    undo: 'Undo',
    undone: 'The change has been undone.',
    save: 'Save',
    copy: 'Copy link',
  },
  de: {
    newVenue: 'Neuer Ort',
    cancelDate: 'Diesen Termin absagen …',
    cancelled: 'Eine Veranstaltung abgesagt.',
    undo: 'Rückgängig machen',
    undone: 'Die Änderung ist rückgängig gemacht.',
    save: 'Speichern',
    copy: 'Link kopieren',
  },
} as const

type Event = {
  id: number
  title: string
  start_date: string
  event_status: string
  venue: { city: string }
  room?: string
}

describe.each(['en', 'de'] as const)('ten tasks of an owner, in %s', { tags: ['browser'] }, language => {
  const words = WORDS[language]
  let server: Service
  let band: Awaited<ReturnType<typeof listen>>
  let page: Page
  let site: string
  let api: ReturnType<typeof askAsOwner>
  let complaints: string[]
  const refused: string[] = []

  beforeAll(async () => {
    const vars = { LANGUAGE: language, SUBMISSIONS: 'on', ALLOW_PRIVATE_HOSTS: 'on' }
    server = await startService({ ...vars, MAIL_FROM: 'Town <events@town.example>' }, { sendsMail: true })
    band = await listen(() => (_, response) => {
      response.writeHead(200, { 'content-type': 'text/calendar' })
      response.end(FEED(dayFromNow(30)))
    })
    api = askAsOwner(server)
    site = new URL(server.api).origin
    ;({ page, complaints } = await openPage({ locale: language }))
    page.on('response', response => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await signInOwner(page, site, server)
  })
  afterAll(async () => {
    await closePages()
    await server?.stop()
    await band?.close()
  })

  const events = async (title: string) =>
    (await api<{ events: Event[] }>('GET', `/events?search=${title}&per_page=50`)).events
  const save = () => page.locator('.editor-side button[value=save]').click()
  const waitForNotice = (text: string) => page.locator('.editor-notice', { hasText: text }).waitFor()
  const open = async (index: number) => {
    const { id } = (await events('Weaving'))[index] ?? { id: 0 }
    await page.goto(`${site}/admin/events/${id}/`)
  }
  const filledButton = (): Locator => page.locator('main .button:not(.button-quiet):visible')

  it('a new event gets a new place', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-title', 'Weaving')
    await page.fill('#f-start_date', dayFromNow(10))
    await page.fill('#f-start_date-time', '19:00')
    await page.fill('#f-venue', 'Zeughaus')
    await page.press('#f-venue', 'Enter')
    await page.locator('#f-venue-new-city').waitFor()
    expect(await page.textContent('#f-venue-group .in-place > summary')).toBe(words.newVenue)
    await page.fill('#f-venue-new-city', 'Ebene')
    await save()
    await waitForNotice('Weaving')
    expect(await events('Weaving')).toMatchObject([{ venue: { city: 'Ebene' } }])
  })

  it('the event repeats weekly until summer', async () => {
    await open(0)
    await page.locator('select[name=recurrence]').selectOption('weekly')
    await page.locator('[name=recurrence_until]').fill(dayFromNow(10 + 7 * 20))
    await save()
    await waitForNotice('Weaving')
    expect(await events('Weaving')).toHaveLength(21)
  })

  it('one date is cancelled', async () => {
    await open(2)
    await page.getByText(words.cancelDate).click()
    await page.locator('.cancel-form button:visible').click()
    await waitForNotice(words.cancelled)
    expect((await events('Weaving')).filter(({ event_status }) => event_status === 'canceled')).toHaveLength(
      1,
    )
  })

  it('one date is moved', async () => {
    await open(4)
    await page.fill('#f-start_date', dayFromNow(10 + 7 * 4 + 1))
    await save()
    await page.locator('input[name=scope][value=this]').waitFor()
    await filledButton().click()
    await waitForNotice('Weaving')
    expect((await events('Weaving'))[4]?.start_date.slice(0, 10)).toBe(dayFromNow(10 + 7 * 4 + 1))
  })

  it('what a visitor submitted is approved', async () => {
    const { page: visitor } = await openPage({ locale: language })
    await visitor.goto(`${site}/submit/`)
    const shown = Date.now()
    await visitor.fill('#f-title', 'Jumble sale')
    await visitor.fill('#f-start_date', dayFromNow(12))
    await visitor.fill('#f-start_date-time', '10:00')
    await visitor.fill('#f-email', 'visitor@example.org')
    await visitor.fill('#f-venue', 'Remise')
    await expect.poll(() => Date.now() - shown).toBeGreaterThan(3_000)
    await visitor.locator('.actions button[value=save]').click()
    await visitor.waitForURL(/sent=1/)
    await page.goto(`${site}/admin/review/`)
    const article = page.getByRole('article', { name: 'Jumble sale' })
    await article.locator('.button:not(.button-quiet)').first().click()
    await waitForNotice('Jumble sale')
    expect(await events('Jumble')).toHaveLength(1)
  })

  it('another calendar is read', async () => {
    await page.goto(`${site}/admin/sources/new/`)
    await page.fill('#url', `${band.address}/band.ics`)
    await page.press('#url', 'Enter')
    await page.getByText('Band on the green').waitFor()
    // Whatever is required is chosen already.
    const isWithoutChoice = ':is(:required:invalid, [role=radiogroup]:not(:has(:checked)), select:invalid)'
    expect(await page.locator(`.editor-form ${isWithoutChoice}`).count()).toBe(0)
    await page.locator('.editor-form .actions button[value=save]').click()
    await page.waitForURL(/\/admin\/sources\/\d+\//)
  })

  it('a letter is made', async () => {
    await page.goto(`${site}/admin/letters/new/`)
    await page.fill('#f-name', 'Weekly letter')
    await page.fill('#f-to', 'week@lists.example')
    const button = page.locator('.editor-form .actions button[value=save]')
    expect(await button.textContent()).toBe(words.save)
    await button.click()
    await page.waitForURL(/\/admin\/letters\/\d+\//)
  })

  it('the calendar gets a picture in its header', async () => {
    await page.goto(`${site}/admin/settings/`)
    await page.locator('#f-header_image-group input[type=file]').setInputFiles(PICTURE)
    await page.locator('#editor-form .actions button').click()
    await page.locator('.editor-notice').waitFor()
    expect((await api<{ header_image?: unknown }>('GET', '/settings')).header_image).toBeTruthy()
  })

  it('somebody is invited', async () => {
    await page.goto(`${site}/admin/users/`)
    await page.fill('[name=login]', 'grace')
    await page.locator('form:has([name=login]) button[type=submit]').last().click()
    await filledButton().first().waitFor()
    expect(await filledButton().allTextContents()).toEqual([words.copy])
  })

  it('a change is undone', async () => {
    await open(0)
    await page.fill('#f-room', 'Upstairs')
    await save()
    await page.locator('input[name=scope][value=this]').waitFor()
    await filledButton().click()
    await waitForNotice('Weaving')
    expect((await events('Weaving'))[0]?.room).toBe('Upstairs')
    await page.locator('.editor-notice').getByRole('button', { name: words.undo }).click()
    await waitForNotice(words.undone)
    expect((await events('Weaving'))[0]?.room ?? '').toBe('')
  })

  it('no request was refused, and no script failed', () => {
    expect([refused, complaints]).toEqual([[], []])
  })
})
