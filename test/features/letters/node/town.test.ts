import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInOwner } from '../../../editor/node/owner.ts'
import { answeredEvent, answerOf } from '../../../model.ts'
import { serveModel, withAnswers } from '../../../model-server.ts'
import { dayFromNow, declareService, type ServiceMail } from '../../../service.ts'
import { closePages, type OpenPage, openPage } from '../../../site/pages/node/browser.ts'

// A week of a town: what somebody announces, others keep, and a third person gets by e-mail, each in a
// browser of their own.

const DAY_MS = 86_400_000
const ZONE = { timeZone: 'UTC' } as const

// The service has the real clock. Texts name days that are to come.
const NOW = Date.now()
const words = (n: number, language: string, options: Intl.DateTimeFormatOptions): string =>
  new Date(NOW + n * DAY_MS).toLocaleDateString(language, { ...ZONE, ...options })
const long = (n: number, language: string): string =>
  words(n, language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const compact = (n: number): string => dayFromNow(n).replaceAll('-', '')
const LONG_DAY = { weekday: 'long', month: 'long', day: 'numeric' } as const
const SHORT_DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const
const numericDay = (n: number): string =>
  words(n, 'de', { day: 'numeric', month: 'numeric', year: 'numeric' })

/** The morning on which the news come. */
const LETTER = Date.parse(`${dayFromNow(2)}T07:00:00Z`)
const STORIES = 3
const FILM = 4
const CHOIR = 5

const TITLES = {
  film: 'Film night',
  choir: 'Adventskonzert des Kirchenchors',
  stories: 'Fireside tales for grown-ups',
}
const slug = 'fireside-tales-for-grown-ups'
const READER = 'rita@people.example'

const ANNOUNCEMENTS = [
  `Film night: The Third Man

${long(FILM, 'en-GB')}, 8 pm to 10 pm
Old Dairy, 3 Mill Lane, Kilkenny
Admission €7`,
  `Liebe Redaktion,

der Chor lädt ein: Adventskonzert des Kirchenchors
am ${long(CHOIR, 'de-DE')}, 18:00 bis 19:30 Uhr, im Gemeindehaus, Lindenweg 4. Eintritt frei.`,
  `Fireside tales for grown-ups, on ${[0, 7, 14].map(more => numericDay(STORIES + more)).join(', ')}, each at 19:30, Old Dairy`,
]

const dates = [0, 7, 14].map(more => STORIES + more)
const model = await serveModel(
  withAnswers({
    [TITLES.film]: answerOf({
      title: 'Film night: The Third Man',
      date: [long(FILM, 'en-GB'), dayFromNow(FILM)],
      time: ['8 pm', '20:00'],
      until: ['10 pm', '22:00'],
      venue: ['Old Dairy', 'Old Dairy'],
      cost: ['€7', 7],
    }),
    [TITLES.choir]: answerOf({
      title: TITLES.choir,
      date: [long(CHOIR, 'de-DE'), dayFromNow(CHOIR)],
      time: ['18:00', '18:00'],
      until: ['19:30 Uhr', '19:30'],
      venue: ['Gemeindehaus', 'Gemeindehaus'],
      cost: ['Eintritt frei', 0],
    }),
    [TITLES.stories]: {
      events: [
        answeredEvent(
          {
            title: TITLES.stories,
            date: [numericDay(STORIES), dayFromNow(STORIES)],
            time: ['19:30', '19:30'],
            venue: ['Old Dairy', 'Old Dairy'],
          },
          { further: { quote: dates.map(numericDay).join(', '), dates: dates.slice(1).map(dayFromNow) } },
        ),
      ],
    },
  }),
)

describe('a week of a town in a browser', { tags: ['browser'] }, () => {
  const vars = { MAIL_FROM: 'Kilkenny <events@town.example>', IMPRINT_URL: 'https://town.example/imprint' }
  const server = declareService(
    { ...vars, TIMEZONE: 'UTC', AI_URL: model.url, AI_MODEL: 'stand-in' },
    { sendsMail: true },
  )
  let site: string
  let editor: OpenPage
  let visitor: OpenPage
  let reader: OpenPage
  /** The address of the calendar that the visitor subscribes to. */
  let feed = ''

  beforeAll(async () => {
    site = new URL(server.api).origin
    ;[editor, visitor, reader] = await Promise.all([openPage(), openPage(), openPage()])
    await signInOwner(editor.page, site, server)
  })

  afterAll(async () => {
    await closePages()
    await model.close()
  })

  const waitForNotice = (text: string) => editor.page.locator('.editor-notice', { hasText: text }).waitFor()
  const save = () => editor.page.locator('.editor-side button[value=save]').click()

  /** Opens the form of an event by way of the list. */
  async function openEvent(title: string): Promise<void> {
    const { page } = editor
    await page.goto(`${site}/admin/events/?search=${encodeURIComponent(title)}`)
    await page.getByRole('main').getByRole('link', { name: title }).first().click()
    await page.locator('#f-title').waitFor()
  }

  /** Keeps one of the events that a search of the visitor finds. */
  async function keep(title: string, nth: number): Promise<void> {
    const { page } = visitor
    await page.goto(`${site}/events/?search=${encodeURIComponent(title)}`)
    await page.locator('li.event', { hasText: title }).nth(nth).locator('.heart').click()
  }

  /** The e-mails to the reader so far. */
  const mails = async () => (await server.mails()).filter(({ to }) => to.includes(READER))

  /** The link to the reader's own page in an e-mail. */
  const ownLink = (mail: ServiceMail | undefined): string =>
    /http\S+\/news\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''

  /** The calendar that the visitor has subscribed to: its events, each as its lines. */
  const feedEvents = async (): Promise<string[]> => {
    const text = await (await fetch(feed)).text()
    return text.replace(/\r\n /g, '').split('BEGIN:VEVENT').slice(1)
  }

  it('begins with texts that the editor pastes, and publishes', async () => {
    const { page } = editor
    for (const text of ANNOUNCEMENTS) {
      await page.goto(`${site}/admin/events/`)
      await page.getByRole('link', { name: 'Paste a text' }).click()
      await page.getByLabel('Text', { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Fill the form' }).click()
      await save()
      await waitForNotice('Saved')
    }
    for (const [title, place] of [
      [TITLES.film, 'Old Dairy'],
      [TITLES.choir, 'Gemeindehaus'],
    ] as const) {
      await page.goto(`${site}/events/?search=${encodeURIComponent(title)}`)
      expect(await page.locator('li.event', { hasText: title }).allInnerTexts()).toEqual([
        expect.stringContaining(place),
      ])
    }
    // It is at the same hall, which is there by now.
    await page.goto(`${site}/admin/venues/?search=Old+Dairy`)
    expect(await page.getByRole('main').getByRole('link', { name: 'Old Dairy' }).count()).toBe(1)
  })

  it('a visitor keeps four of them, and subscribes', async () => {
    const { page } = visitor
    await keep(TITLES.film, 0)
    await keep(TITLES.choir, 0)
    await keep(TITLES.stories, 1)
    await page.goto(`${site}/events/`)
    // One that was there before, whatever day it is.
    await page
      .locator('li.event')
      .filter({ hasNotText: /Film|Advent|Fireside/ })
      .last()
      .locator('.heart')
      .click()
    await page.locator('.site-menu a[href^="/picks/"]').click()
    await page.waitForURL(/ids=/)
    expect(await page.locator('.picks li.event').count()).toBe(4)
    await page.locator('.picks-tools summary').click()
    const file = page.locator('.picks-tools .menu-items').getByText('Calendar file')
    await expect.poll(() => file.getAttribute('href')).not.toContain('0'.repeat(32))
    feed = (await file.getAttribute('href')) ?? ''
    const events = await feedEvents()
    expect(events).toHaveLength(4)
    expect(events.join()).not.toContain('CANCELLED')
    const tales = events.filter(event => event.includes(TITLES.stories))
    expect(tales).toEqual([expect.stringMatching(`DTSTART[^\n]*:${compact(STORIES + 7)}T193000`)])
  })

  it('a reader signs up to news, and confirms by the button', async () => {
    const { page } = reader
    await page.goto(`${site}/events/`)
    await page.locator('.news-line a').click()
    await page.getByLabel('Your e-mail address').fill(READER)
    await page.getByLabel('On which day').selectOption({ label: words(2, 'en', { weekday: 'long' }) })
    await page.getByRole('button', { name: 'Send me the confirmation e-mail' }).click()
    await page.getByText('Check your e-mail').waitFor()
    // Nothing else comes before the button was pressed.
    await server.cron(LETTER)
    const [first, ...others] = await mails()
    expect(others).toEqual([])
    await page.goto(ownLink(first))
    await page.getByRole('button', { name: 'Yes, send me news' }).click()
    await page.getByRole('status').getByText('Confirmed').waitFor()
  })

  it('one event is moved, and one is cancelled', async () => {
    const { page } = editor
    await openEvent(TITLES.film)
    await page.locator('#f-start_date').fill(dayFromNow(FILM + 1))
    await page.getByText('Cancelled, postponed or moved').click()
    await page.getByLabel('Does it take place?').selectOption({ label: 'New date' })
    await save()
    await waitForNotice('Saved')
    await openEvent(TITLES.choir)
    await page.getByText('Cancel event…').click()
    await page.getByRole('textbox', { name: 'Reason (shown to everybody)' }).fill('The organ is broken')
    await page.getByRole('button', { name: 'Cancel event' }).click()
    await waitForNotice('cancelled')
  })

  it('the news say so', async () => {
    await server.cron(LETTER)
    const [, letter, ...others] = await mails()
    const film = `NEW DATE: ${TITLES.film}`
    const choir = `CANCELLED: ${TITLES.choir}`
    const text = letter?.text ?? ''
    const [, after = ''] = text.split(`\n${words(FILM + 1, 'en', LONG_DAY)}\n`)
    const [ofDay = ''] = after.split(/\n-{4,}\n/)
    for (const line of [film, choir, `was ${words(FILM, 'en', SHORT_DAY)}, 8:00 PM`])
      expect(ofDay).toContain(line)
    expect(text.match(/Film night|Adventskonzert/g)).toHaveLength(2)
    for (const day of [STORIES, STORIES + 7]) expect(text).toContain(`${slug}/${dayFromNow(day)}/`)
    expect(others).toEqual([])
  })

  it('the page and the calendar of the visitor say so', async () => {
    const { page } = visitor
    await page.reload()
    const changed = page.locator('.picks-changed')
    expect(await changed.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('Cancelled'),
      expect.stringContaining(`New date (was ${words(FILM, 'en', SHORT_DAY)}, 8:00 PM)`),
    ])
    expect(await page.locator('.picks li.event').count()).toBe(4)
    const events = await feedEvents()
    const lines = (title: string) => events.find(event => event.includes(title))?.split(/\r?\n/)
    expect(lines(TITLES.film)).toEqual(
      expect.arrayContaining([`DTSTART:${compact(FILM + 1)}T200000Z`, 'STATUS:CONFIRMED']),
    )
    expect(lines(TITLES.choir)).toEqual(
      expect.arrayContaining([`DTSTART:${compact(CHOIR)}T180000Z`, 'STATUS:CANCELLED']),
    )
    expect(lines(TITLES.stories)).toContain('STATUS:CONFIRMED')
  })

  it('the reader leaves, and gets nothing the week after', async () => {
    const { page } = reader
    await page.goto(ownLink((await mails()).at(-1)))
    await page.locator('#leave button').click()
    await page.getByText('You have unsubscribed').waitFor()
    await server.cron(LETTER + 7 * DAY_MS)
    expect(await mails()).toHaveLength(2)
  })

  it('meets no error of a script', () => {
    expect([editor, visitor, reader].map(({ complaints }) => complaints)).toEqual([[], [], []])
  })
})
