import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../listen.ts'
import { dayFromNow, type Service, startService } from '../../service.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { pixel } from './pixel.ts'

// What the owner of a music school's calendar does in the first year, in German, with the keyboard and by the
// names that a screen reader says: on a phone, on a desk, and on a desk without scripts. Passkeys and
// passkeys are in sign-in.test.ts, invitations, review notes and the history in morning.test.ts,
// printing in browser.test.ts of the pages.

const CODE = 'five words that nobody guesses'

const POSTER = pixel('plakat.png')
/** Another one: identical bytes are the same image. */
const PICTURE = pixel(
  'noten.png',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGM4AQAAygDJmcpdfgAAAABJRU5ErkJggg==',
)

// The service has the real clock.
const untilTuesday = 14 + ((9 - new Date().getUTCDay()) % 7)
const tuesday = (weeks: number): string => dayFromNow(untilTuesday + 7 * weeks)
/** A Saturday of the last year. */
const LAST_YEAR = dayFromNow(untilTuesday + 4 - 54 * 7)

const FEED = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Stadtkapelle//DE',
  'BEGIN:VEVENT',
  'UID:1@stadtkapelle.example',
]
  .concat(`DTSTART;VALUE=DATE:${tuesday(3).replaceAll('-', '')}`, 'SUMMARY:Platzkonzert der Stadtkapelle')
  .concat('END:VEVENT', 'END:VCALENDAR', '')
  .join('\r\n')

type Listed = {
  title: string
  start_date: string
  end_date: string
  event_status: string
  venue: { venue: string }
}

/** The calendar in a browser. @property events what the public sees of the events with these words */
type Calendar = {
  page: Page
  site: string
  feed: string
  hasScripts: boolean
  visitor: Page
  events: (words: string) => Promise<Listed[]>
}

const press = async (button: Locator): Promise<void> => {
  await button.focus()
  await button.press('Enter')
}

const save = ({ page }: Calendar) => press(page.locator('.editor-side button[value=save]'))
const waitForNotice = ({ page }: Calendar, text: string) =>
  page.locator('.editor-notice', { hasText: text }).waitFor()

/** Fills in the day and the times of an event. */
async function fillTimes({ page }: Calendar, day: string, from: string, until = ''): Promise<void> {
  await page.getByRole('textbox', { name: 'Datum' }).first().fill(day)
  await page.fill('#f-start_date-time', from)
  if (until) await page.fill('#f-end_date-time', until)
}

/** Finds events by way of the front page. */
async function search({ page, site }: Calendar, words: string): Promise<void> {
  await page.goto(`${site}/admin/`)
  await press(page.getByRole('link', { name: /^Ändern oder absagen/ }))
  await page.waitForURL('**/admin/events/')
  const fold = page.getByRole('search').locator('summary')
  if (await fold.isVisible()) await press(fold)
  const box = page.getByRole('searchbox', { name: 'Suche' })
  await box.fill(words)
  await page.keyboard.press('Enter')
  await page.waitForURL('**search=**')
}

/** Opens the form of the first event in the list. */
async function openFirst({ page }: Calendar, words: string): Promise<void> {
  await press(page.getByRole('main').getByRole('link', { name: words }).first())
  await page.locator('#f-title').waitFor()
}

/** Opens the form of the first event with these words. */
async function open(calendar: Calendar, words: string): Promise<void> {
  await calendar.page.goto(`${calendar.site}/admin/events/?search=${words}`)
  await openFirst(calendar, words)
}

/** Types the name of a venue, and takes the last thing that is offered: to create it. */
async function addVenue({ page, hasScripts }: Calendar, name: string): Promise<void> {
  const box = page.getByRole(hasScripts ? 'combobox' : 'searchbox', { name: 'Ort: Nach Namen suchen' })
  await box.fill(name)
  const create = `„${name}“ anlegen`
  if (!hasScripts) {
    await press(page.locator('button[value="find:venue"]'))
    await page.getByLabel(create).check()
    return
  }
  const list = page.getByRole('listbox', { name: 'Ort: Nach Namen suchen' })
  await list.getByRole('option', { name: create }).waitFor()
  await box.press('ArrowUp')
  await box.press('Enter')
  expect(await page.inputValue('#f-venue-new-venue')).toBe(name)
}

type Task = { name: string; run: (calendar: Calendar) => Promise<void> }

const TASKS: readonly Task[] = [
  {
    name: 'finds the first steps, and goes to one of them',
    run: async ({ page, site }) => {
      await page.goto(`${site}/admin/`)
      const steps = page.getByRole('region', { name: 'Erste Schritte' })
      expect(await steps.getByRole('listitem').count()).toBe(5)
      await press(steps.getByText('1 von 6 erledigt'))
      expect(await steps.getByRole('listitem').count()).toBe(6)
      await press(steps.getByRole('link', { name: 'Das Impressum schreiben' }))
      await page.waitForURL('**/admin/settings/#f-imprint_text')
      await page.goto(`${site}/admin/`)
    },
  },
  {
    name: 'gives the calendar a name, a logo, an imprint and a privacy statement',
    run: async calendar => {
      const { page, site } = calendar
      await press(page.getByRole('link', { name: 'Einstellungen' }))
      await page.getByLabel('Name des Kalenders').fill('Musikschule Lindenhof')
      await page.getByRole('group', { name: 'Logo' }).getByLabel('Bilddatei wählen').setInputFiles(POSTER)
      await page.getByLabel('Text des Impressums').fill('Musikschule Lindenhof, Lindenweg 1')
      await page.getByLabel('Adresse der Datenschutzerklärung').fill('https://schule.example/datenschutz')
      await page.getByLabel('Name des Kalenders').focus()
      await page.keyboard.press('Enter')
      await waitForNotice(calendar, 'Gespeichert: Musikschule Lindenhof')
      await page.goto(`${site}/submit/`)
      await page.getByRole('banner').getByRole('link', { name: 'Musikschule Lindenhof' }).waitFor()
      expect(await page.locator('.logo').getAttribute('src')).toContain('/media/')
      await page.getByRole('contentinfo').getByRole('link', { name: 'Impressum' }).waitFor()
      const privacy = page.getByRole('group', { name: 'Sie' }).getByRole('link')
      expect(await privacy.getAttribute('href')).toBe('https://schule.example/datenschutz')
    },
  },
  {
    name: 'publishes a concert with a poster and a price in a venue that did not exist',
    run: async calendar => {
      const { page, site, hasScripts } = calendar
      await page.goto(`${site}/admin/`)
      await press(page.getByRole('link', { name: /^Neue Veranstaltung/ }))
      await page.getByRole('textbox', { name: 'Titel' }).fill('Sommerkonzert')
      const poster = page.getByRole('group', { name: 'Plakat oder Bild' })
      await poster.getByLabel('Bilddatei wählen').setInputFiles(POSTER)
      if (hasScripts) await poster.getByRole('status').getByText('Neu: plakat.png').waitFor()
      await poster
        .getByRole('textbox', { name: 'Was auf dem Bild zu sehen ist' })
        .fill('Geigen auf rotem Grund')
      await fillTimes(calendar, tuesday(2), '16:00', '17:30')
      await addVenue(calendar, 'Aula')
      await page.getByLabel('Eintritt').fill('8')
      await press(page.getByRole('button', { name: 'Veröffentlichen' }))
      await waitForNotice(calendar, 'Gespeichert: Sommerkonzert')
      await press(page.getByRole('status').getByRole('link', { name: 'Im Kalender ansehen' }))
      await page.getByRole('article').getByRole('img', { name: 'Geigen auf rotem Grund' }).waitFor()
      expect(await page.getByRole('article').textContent()).toMatch(/16:00–17:30\sUhr.*Aula.*8\s€/s)
    },
  },
  {
    name: 'finds it, and moves its start, and its end with it',
    run: async calendar => {
      await search(calendar, 'Sommerkonzert')
      await openFirst(calendar, 'Sommerkonzert')
      await fillTimes(calendar, tuesday(2), '18:00')
      await save(calendar)
      await waitForNotice(
        calendar,
        calendar.hasScripts ? 'Gespeichert' : 'Das Ende ist mit dem Beginn verschoben',
      )
      const [{ end_date } = { end_date: '' }] = await calendar.events('Sommerkonzert')
      expect(end_date).toBe(`${tuesday(2)} 19:30:00`)
    },
  },
  {
    name: 'moves it to a new room, which replaces the former one',
    run: async calendar => {
      await open(calendar, 'Sommerkonzert')
      await addVenue(calendar, 'Kammermusiksaal')
      await save(calendar)
      await waitForNotice(calendar, 'Gespeichert')
      expect(await calendar.events('Sommerkonzert')).toMatchObject([{ venue: { venue: 'Kammermusiksaal' } }])
    },
  },
  {
    name: 'announces a choir every Tuesday until a day, without the holidays',
    run: async calendar => {
      const { page, site, hasScripts } = calendar
      await page.goto(`${site}/admin/events/new/`)
      await page.getByRole('textbox', { name: 'Titel' }).fill('Kinderchor')
      await fillTimes(calendar, tuesday(0), '16:00', '17:00')
      const repetition = page.getByRole('group', { name: 'Wiederholung' })
      if (hasScripts) await repetition.getByRole('combobox').selectOption({ label: 'Jeden Dienstag' })
      else await repetition.getByRole('combobox').selectOption('weekly')
      await repetition.getByLabel('Letzter Tag').fill(tuesday(9))
      if (hasScripts)
        expect(await repetition.getByRole('radio', { name: 'Am', exact: true }).isChecked()).toBe(true)
      await press(repetition.getByText('Weitere und ausgelassene Termine'))
      await repetition.getByLabel('vom', { exact: true }).fill(tuesday(4))
      await repetition.getByLabel('bis zum', { exact: true }).fill(dayFromNow(untilTuesday + 36))
      if (hasScripts) await repetition.getByText('8 Termine, der letzte am').waitFor()
      await save(calendar)
      await waitForNotice(calendar, 'Gespeichert: Kinderchor')
      const weeks = [0, 1, 2, 3, 6, 7, 8, 9]
      expect((await calendar.events('Kinderchor')).map(({ start_date }) => start_date.slice(0, 10))).toEqual(
        weeks.map(tuesday),
      )
    },
  },
  {
    name: 'moves one date of it alone to another day',
    run: async calendar => {
      const { page } = calendar
      await open(calendar, 'Kinderchor')
      await fillTimes(calendar, dayFromNow(untilTuesday + 1), '17:00')
      await save(calendar)
      const only = page.getByRole('radio', { name: 'Nur dieser Termin' })
      await only.waitFor()
      expect(await only.isChecked()).toBe(true)
      await press(page.getByRole('button', { name: 'Speichern' }))
      await waitForNotice(calendar, 'Gespeichert: Kinderchor')
      const [moved, next] = await calendar.events('Kinderchor')
      expect(moved).toMatchObject({ start_date: `${dayFromNow(untilTuesday + 1)} 17:00:00` })
      expect(next).toMatchObject({ start_date: `${tuesday(1)} 16:00:00` })
    },
  },
  {
    name: 'cancels a date, with a reason for everybody to see',
    run: async calendar => {
      const { page } = calendar
      await open(calendar, 'Kinderchor')
      await press(page.getByText('Diesen Termin absagen …'))
      await page.getByRole('textbox', { name: 'Grund (für alle sichtbar)' }).fill('Frau Weber ist krank')
      await page.keyboard.press('Enter')
      await waitForNotice(calendar, 'Eine Veranstaltung abgesagt.')
      const states = (await calendar.events('Kinderchor')).map(({ event_status }) => event_status)
      expect(states.filter(state => state === 'canceled')).toHaveLength(1)
    },
  },
  {
    name: "duplicates last year's concert, which gets a day that is to come",
    run: async calendar => {
      const { page, site } = calendar
      await page.goto(`${site}/admin/events/new/`)
      await page.getByRole('textbox', { name: 'Titel' }).fill('Vorspiel')
      await fillTimes(calendar, LAST_YEAR, '11:00')
      await save(calendar)
      await waitForNotice(calendar, 'Gespeichert: Vorspiel')
      await press(page.getByRole('button', { name: 'Duplizieren' }))
      await waitForNotice(
        calendar,
        'Das ist eine Kopie, als Entwurf gespeichert. Bitte prüfen Sie das Datum.',
      )
      await page.getByRole('radio', { name: 'Öffentlich', exact: true }).press('Space')
      await press(page.getByRole('button', { name: 'Veröffentlichen' }))
      await waitForNotice(calendar, 'Gespeichert: Vorspiel')
      const days = (await calendar.events('Vorspiel')).map(({ start_date }) => start_date.slice(0, 10))
      expect(days).toHaveLength(1)
      expect(new Date(days[0] ?? '').getUTCDay()).toBe(6)
    },
  },
  {
    name: "reads the town band's calendar from now on",
    run: async calendar => {
      const { page, site, feed } = calendar
      await page.goto(`${site}/admin/`)
      await press(page.getByRole('link', { name: 'Andere Kalender' }))
      await press(page.getByRole('link', { name: 'Kalender hinzufügen' }))
      await page.locator('#url').fill(feed)
      await page.keyboard.press('Enter')
      await page.getByText('Platzkonzert der Stadtkapelle').waitFor()
      await page.getByRole('radio', { name: 'Erscheinen sofort' }).press('Space')
      await press(page.locator('.editor-form .actions button[value=save]'))
      await press(page.getByRole('button', { name: 'Jetzt lesen' }))
      await waitForNotice(calendar, 'Der Kalender wurde gelesen')
      expect(await calendar.events('Platzkonzert')).toHaveLength(1)
    },
  },
  {
    name: 'publishes what a visitor has sent in with a picture',
    run: async calendar => {
      const { page, site, visitor, hasScripts } = calendar
      visitor.on('dialog', dialog => dialog.accept())
      await visitor.goto(`${site}/submit/`)
      await visitor.getByRole('textbox', { name: 'Titel' }).fill('Notenflohmarkt')
      await visitor.getByRole('textbox', { name: 'Ihre E-Mail-Adresse' }).fill('uwe@example.org')
      await fillTimes({ ...calendar, page: visitor }, tuesday(5), '10:00')
      const kept = () => visitor.evaluate<string>('JSON.stringify(localStorage)')
      if (hasScripts) {
        // The browser keeps it until it is sent, but not who sends it.
        await visitor.reload()
        expect(await kept()).toContain('Notenflohmarkt')
        expect(await kept()).not.toMatch(/uwe@example|ticket/)
        await press(visitor.getByRole('button', { name: 'Wiederherstellen' }))
        await visitor.waitForSelector('.is-unsaved')
        expect(await visitor.getByRole('textbox', { name: 'Titel' }).inputValue()).toBe('Notenflohmarkt')
      }
      await visitor.locator('summary', { hasText: /^Bild$/ }).click()
      await visitor.locator('input[type=file]').setInputFiles(PICTURE)
      await visitor.getByRole('textbox', { name: 'Was auf dem Bild' }).fill('Noten auf einem Tisch')
      await visitor.getByRole('textbox', { name: 'Ihre E-Mail-Adresse' }).fill('uwe@example.org')
      // Nobody fills it in within three seconds.
      const shown = Date.now()
      await expect.poll(() => Date.now() - shown).toBeGreaterThan(3_000)
      await press(visitor.getByRole('button', { name: 'Einreichen' }))
      await visitor.getByText('Danke! Ihre Veranstaltung ist angekommen.').waitFor()
      // Scripts run before the page is loaded.
      await visitor.waitForLoadState()
      expect(await kept()).toBe('{}')
      await visitor.getByRole('img', { name: 'Noten auf einem Tisch' }).waitFor()
      await page.goto(`${site}/admin/`)
      await press(page.getByRole('link', { name: /^Prüfen 1/ }).first())
      const article = page.getByRole('article', { name: 'Notenflohmarkt' })
      await article.getByRole('img', { name: 'Noten auf einem Tisch' }).waitFor()
      await article.getByText('uwe@example.org').first().waitFor()
      await press(article.getByRole('button', { name: 'Veröffentlichen', exact: true }))
      await waitForNotice(calendar, 'Veröffentlicht: Notenflohmarkt')
      expect(await calendar.events('Notenflohmarkt')).toHaveLength(1)
    },
  },
  {
    name: 'merges two venues, once it has read that there is no way back',
    run: async calendar => {
      const { page } = calendar
      await page.goto(`${calendar.site}/admin/venues/`)
      await press(page.getByRole('link', { name: 'Kammermusiksaal' }))
      await press(page.getByRole('link', { name: 'Zusammenführen …' }))
      await press(page.getByRole('link', { name: 'Mit diesem Ort zusammenführen' }).first())
      await page.getByText('Das lässt sich nicht rückgängig machen.').waitFor()
      await press(page.getByRole('button', { name: 'Zusammenführen' }))
      await waitForNotice(calendar, '„Kammermusiksaal“ wurde mit „Aula“ zusammengeführt.')
      expect(await calendar.events('Sommerkonzert')).toMatchObject([{ venue: { venue: 'Aula' } }])
    },
  },
  {
    name: 'moves a concert to the trash, and brings it back',
    run: async calendar => {
      const { page, site, hasScripts } = calendar
      await page.goto(`${site}/admin/events/?search=sommerkonzert`)
      await page.getByRole('checkbox', { name: '„Sommerkonzert“ auswählen' }).press('Space')
      const selection = page.getByRole('group', { name: 'Ausgewählte Veranstaltungen' })
      if (hasScripts) expect(await selection.getByRole('status').textContent()).toBe('1 ausgewählt')
      await press(selection.getByRole('button', { name: 'In den Papierkorb' }))
      await waitForNotice(calendar, 'Eine Veranstaltung in den Papierkorb gelegt.')
      expect(await calendar.events('Sommerkonzert')).toEqual([])
      await press(page.getByRole('navigation', { name: 'Redaktion' }).getByText('Mehr'))
      await press(page.getByRole('link', { name: 'Papierkorb', exact: true }))
      await page.getByRole('checkbox', { name: '„Sommerkonzert“ auswählen' }).press('Space')
      await press(page.getByRole('button', { name: 'Wiederherstellen' }))
      await page.locator('.editor-notice').waitFor()
      expect(await calendar.events('Sommerkonzert')).toHaveLength(1)
    },
  },
]

describe.each([
  { look: 'on a phone', width: 360, hasScripts: true },
  { look: 'on a desk', width: 1280, hasScripts: true },
  { look: 'on a desk without scripts', width: 1280, hasScripts: false },
])('$look, the owner', { tags: ['browser'] }, ({ width, hasScripts }) => {
  let server: Service
  let band: Awaited<ReturnType<typeof listen>>
  let calendar: Calendar
  let complaints: string[]

  beforeAll(async () => {
    const vars = { SETUP_CODE: CODE, LANGUAGE: 'de', TIMEZONE: 'Europe/Berlin', SUBMISSIONS: 'on' }
    server = await startService({ ...vars, ALLOW_PRIVATE_HOSTS: 'on' }, { isEmpty: true })
    band = await listen(() => (_, response) => {
      response.writeHead(200, { 'content-type': 'text/calendar' })
      response.end(FEED)
    })
    const site = new URL(server.api).origin.replace('127.0.0.1', 'localhost')
    const looks = { viewport: { width, height: 800 }, javaScriptEnabled: hasScripts, locale: 'de-DE' }
    const { page, ...own } = await openPage(looks)
    complaints = own.complaints
    const { page: visitor } = await openPage(looks)
    const events = async (words: string) => {
      const found = await fetch(`${server.api}/events?search=${words}&per_page=50`)
      return ((await found.json()) as { events: Listed[] }).events
    }
    calendar = { page, site, feed: `${band.address}/band.ics`, hasScripts, visitor, events }
    await page.goto(`${site}/admin/`)
    await page.getByLabel('Einrichtungscode').fill(CODE)
    await page.getByLabel('Anmeldename').fill('ada')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site}/admin/start/`)
  })

  afterAll(async () => {
    await closePages()
    await server?.stop()
    await band?.close()
  })

  it.each(TASKS)('$name', ({ run }) => run(calendar))

  it('meets no error of a script', () => expect(complaints).toEqual([]))
})
