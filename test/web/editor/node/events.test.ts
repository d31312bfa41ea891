import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../../../cli/spawn.ts'
import { askAsOwner, dayFromNow, type Service, startService } from '../../../service.ts'
import { findings } from '../../pages/node/axe.ts'
import { closePages, openPage } from '../../pages/node/browser.ts'
import { signInOwner } from './owner.ts'

type Event = { id: number; title: string; venue: { venue: string } | []; start_date: string }

// The service has the real clock.
const DAY = dayFromNow(200)

describe('events of the editor in a browser', { tags: ['browser'] }, () => {
  let server: Service
  let site: string
  let page: Page
  let complaints: string[]
  let api: ReturnType<typeof askAsOwner>

  beforeAll(async () => {
    server = await startService()
    api = askAsOwner(server)
    site = new URL(server.api).origin
    ;({ page, complaints } = await openPage())
    await signInOwner(page, site, server)
  })

  afterAll(async () => {
    await closePages()
    await server?.stop()
  })

  const events = async (search: string) =>
    (await api<{ events: Event[] }>('GET', `/events?search=${search}`)).events

  const focused = () => page.evaluate<string>('document.activeElement.id')

  it('an event is made with the keyboard alone, its venue found as one types', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.focus('#f-title')
    await page.keyboard.type('Typed in')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('f-start_date')
    await page.keyboard.type(`${DAY.slice(5, 7)}${DAY.slice(8)}${DAY.slice(0, 4)}`)
    await page.fill('#f-start_date-time', '20:00')
    await page.focus('#f-venue')
    await page.keyboard.type('nore')
    await page.waitForSelector('#f-venue-matches [aria-selected=true]')
    expect(await page.getAttribute('#f-venue', 'aria-expanded')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await page.textContent('[data-picked]')).toContain('Nore Meadow')
    expect(await page.inputValue('#f-venue')).toBe('')
    await page.focus('#f-title')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.editor-notice')
    expect(await page.textContent('.editor-notice')).toContain('Saved: Typed in')
    const [made] = await events('typed')
    expect(made).toMatchObject({ start_date: `${DAY} 20:00:00`, venue: { venue: 'Nore Meadow' } })
    expect(complaints).toEqual([])
  })

  it('nothing is chosen by Escape, and what is not found can be made', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-organizer', 'xylophone')
    await page.waitForSelector('#f-organizer-matches [aria-selected=true]')
    expect(await page.textContent('#f-organizer-matches')).toBe('Add “xylophone” as new')
    await page.press('#f-organizer', 'Escape')
    expect(await page.isVisible('#f-organizer-matches')).toBe(false)
    await page.press('#f-organizer', 'Enter')
    await page.waitForSelector('#f-organizer-matches [aria-selected=true]')
    await page.press('#f-organizer', 'Enter')
    expect(await focused()).toBe('f-organizer-new-organizer')
    expect(await page.inputValue('#f-organizer-new-organizer')).toBe('xylophone')
    expect(await page.inputValue('#f-organizer')).toBe('')
    await page.fill('#f-organizer-new-organizer', '')
  })

  it('a venue replaces the former one, and recent ones are offered before anything is typed', async () => {
    const [event] = await events('typed')
    await page.goto(`${site}/admin/events/${event?.id}/`)
    await page.focus('#f-venue')
    await page.waitForSelector('#f-venue-matches [role=option]')
    expect(await page.textContent('#f-venue-matches')).toContain('Nore Meadow')
    const chosen = () => page.locator('[name=venue]:checked ~ label').allTextContents()
    const choose = async (name: string) => {
      await page.fill('#f-venue', name)
      await page.waitForSelector(`#f-venue-matches [aria-selected=true]:has-text("${name}")`)
      await page.press('#f-venue', 'Enter')
    }
    await choose('The Old Brewhouse')
    expect((await chosen()).map(text => text.split(',')[0])).toEqual(['The Old Brewhouse'])
    await page.check('#f-venue-several')
    await choose('Nore Meadow')
    expect(await chosen()).toHaveLength(2)
  })

  it('the end moves with the start, and a typed end of a repetition is chosen', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-start_date', DAY)
    await page.fill('#f-start_date-time', '16:00')
    await page.fill('#f-end_date-time', '17:30')
    await page.locator('#f-end_date-time').blur()
    await page.fill('#f-start_date-time', '18:00')
    await page.locator('#f-start_date-time').blur()
    expect(await page.inputValue('#f-end_date-time')).toBe('19:30')
    expect(await page.inputValue('#f-end_date')).toBe('')
    await page.selectOption('#f-recurrence', 'weekly')
    await page.fill('[name=recurrence_until]', dayFromNow(221))
    expect(await page.isChecked('#f-recurrence-end-on')).toBe(true)
    await page.waitForSelector('.next-dates:has-text("4 dates, the last on")')
    await page.check('#f-recurrence-end-never')
    expect(await page.inputValue('[name=recurrence_until]')).toBe('')
  })

  it('what is found after its field was left does not cover the next one', async () => {
    await page.goto(`${site}/admin/events/new/`)
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    await page.route('**/admin/find/**', route => left.then(() => route.continue()))
    const asked = page.waitForRequest('**/admin/find/**')
    await page.fill('#f-venue', 'nore')
    await asked
    await page.focus('#f-title')
    // Longer than a click in the list may take.
    await page.waitForTimeout(300)
    const answered = page.waitForResponse('**/admin/find/**')
    leave()
    await answered
    await page.evaluate('fetch("/admin/find/?field=venue&search=nore").then(response => response.text())')
    expect(await page.isVisible('#f-venue-matches')).toBe(false)
    await page.unroute('**/admin/find/**')
    await page.fill('#f-venue', '')
  })

  it('what was typed is not left behind without a question', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.locator('#f-title').pressSequentially('Almost lost')
    const asked = new Promise<string>(resolve =>
      page.once('dialog', async dialog => {
        resolve(dialog.type())
        await dialog.accept()
      }),
    )
    await page.click('.site-name')
    expect(await asked).toBe('beforeunload')
    await page.waitForURL(`${site}/admin/`)
  })

  it('the first thing that is wrong has the focus, and nothing is lost', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-title', 'Wrong')
    await page.fill('#f-start_date', DAY)
    await page.fill('#f-start_date-time', '20:00')
    await page.fill('#f-end_date', dayFromNow(190))
    await page.click('.editor-side button[value=save]')
    await page.waitForSelector('.form-errors')
    await page.waitForLoadState()
    expect(await focused()).toBe('f-end_date')
    expect(await page.inputValue('#f-title')).toBe('Wrong')
  })

  it('both versions are there, when somebody else saved meanwhile', async () => {
    const [event] = await events('typed')
    const id = event?.id ?? 0
    await page.goto(`${site}/admin/events/${id}/`)
    await api('PATCH', `/events/${id}`, { title: 'Of somebody else' })
    await page.fill('#f-title', 'Of mine')
    await page.click('.editor-side button[value=save]')
    await page.waitForSelector('.versus')
    expect(await findings(page, 0)).toEqual([])
    await page.getByLabel('Saved now Of somebody else').check()
    await page.click('main form.stack button[type=submit]')
    await page.waitForURL(`${site}/admin/events/${id}/`)
    expect(await page.inputValue('#f-title')).toBe('Of somebody else')
  })

  it('all of it works without scripts', async () => {
    const cookies = await page.context().cookies()
    const { page: plain, close } = await openPage({ javaScriptEnabled: false })
    await plain.context().addCookies(cookies)
    await plain.goto(`${site}/admin/events/new/`)
    await plain.fill('#f-title', 'Without scripts')
    await plain.fill('#f-start_date', DAY)
    await plain.fill('#f-start_date-time', '20:00')
    await plain.fill('#f-venue', 'brewhouse')
    await plain.click('button[value="find:venue"]')
    await plain.getByLabel('The Old Brewhouse').check()
    await plain.click('.editor-side button[value=preview]')
    expect(await plain.textContent('.preview h1')).toBe('Without scripts')
    await plain.click('.preview-bar button[value=edit]')
    await plain.click('.editor-side button[value=save]')
    expect(await plain.textContent('.editor-notice')).toContain('Saved: Without scripts')
    await plain.goto(`${site}/admin/events/?search=without+scripts`)
    await plain.getByLabel('Select “Without scripts”').check()
    await plain.click('button[value=toTrash]')
    expect(await plain.textContent('.editor-notice')).toContain('One event moved to the trash.')
    await close()
    expect(await events('scripts')).toEqual([])
  })

  it('no page has a finding of axe-core, light and dark, and all fit', { timeout: LONG }, async () => {
    const [{ id }] = (await events('fiddles')) as [Event]
    // Nobody is there, which the page of the webhook says.
    const url = 'https://nobody.invalid/'
    const { id: webhook } = await api<Event>('POST', '/webhooks', { url, active: false })
    await api('POST', `/webhooks/${webhook}/test`)
    const { id: source } = await api<Event>('POST', '/sources', { name: 'Nobody', url, every: '' })
    await api('POST', `/sources/${source}/sync`)
    const paths = [
      '/admin/',
      '/admin/events/',
      '/admin/events/?search=xylophone',
      '/admin/events/new/',
      `/admin/events/${id}/`,
      '/admin/images/',
      '/admin/images/1/',
      '/admin/webhooks/',
      `/admin/webhooks/${webhook}/`,
      '/admin/sources/',
      `/admin/sources/${source}/`,
      `/admin/sources/${source}/settings/`,
    ]
    // Of the forms that were refused above.
    complaints.length = 0
    for (const [turn, path] of paths.entries()) {
      await page.goto(site + path)
      await page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
      expect([path, await findings(page, turn)]).toEqual([path, []])
    }
    expect(complaints).toEqual([])
  })
})
