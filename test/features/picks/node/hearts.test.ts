import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { askAsOwner, declareService } from '../../../service.ts'
import { findings } from '../../../site/pages/node/axe.ts'
import { closePages, onPage, openPage } from '../../../site/pages/node/browser.ts'

// Hearts in a browser, and the page of what they are on.

// A slow machine is no error.
const SLOW_POLL = { timeout: 100_000 }

describe('hearts', { tags: ['browser'] }, () => {
  const server = declareService()
  const site = () => new URL(server.api).origin

  afterAll(closePages)

  type Stored = { events: Record<string, number | string>; series: number[]; token?: string; key?: string }

  const stored = (page: Page): Promise<Stored> =>
    page.evaluate<Stored>(`JSON.parse(localStorage.getItem('picks') ?? '{}')`)

  const waitForToken = (page: Page) =>
    expect.poll(async () => (await stored(page)).token, SLOW_POLL).toEqual(expect.any(String))

  /** Acts on a page of a browser that has kept nothing. @param expected the complaints in its console */
  async function inNewBrowser(act: (page: Page) => Promise<void>, expected: unknown[] = []): Promise<void> {
    const { page, complaints, close } = await openPage({})
    await page.goto(`${site()}/events/`)
    await act(page)
    await close()
    expect(complaints).toEqual(expected)
  }

  it('keep events in the browser, and show which on every page', () =>
    inNewBrowser(async page => {
      const row = page.locator('li.event[data-event]:visible').first()
      const heart = row.locator('.heart')
      const title = await row.locator('.event-title a').textContent()
      expect(await heart.getAttribute('aria-label')).toBe(`Pick: ${title}`)
      expect(await heart.getAttribute('aria-pressed')).toBe('false')
      await heart.click()
      expect(await heart.getAttribute('aria-pressed')).toBe('true')
      const id = await row.getAttribute('data-event')
      expect(Object.keys((await stored(page)).events)).toEqual([id])
      const link = page.locator('.site-menu a[href^="/picks/"]')
      expect(await link.textContent()).toMatch(/ 1$/)
      await page.reload()
      expect(await page.locator(`li.event[data-event="${id}"] .heart`).getAttribute('aria-pressed')).toBe(
        'true',
      )
      await page.locator(`li.event[data-event="${id}"] .heart`).click()
      expect((await stored(page)).events).toEqual({})
    }))

  it('remember that an event was cancelled already, so that this counts as no change', () =>
    inNewBrowser(async page => {
      const { id, url } = await askAsOwner(server)<{ id: number; url: string }>('POST', '/events', {
        title: 'Called off early',
        start_date: '+3 days 10:00',
        end_date: '+3 days 11:00',
        status: 'publish',
        event_status: 'canceled',
      })
      const shared = `${site()}/picks/?ids=${id}`
      await page.goto(shared)
      expect(await page.title()).toMatch(/^A shared selection · /)
      expect(await page.locator('.picks-changed h2').textContent()).toBe('Moved or cancelled')
      // A badge is as wide as its word, not as its line.
      const [line, badge] = await page
        .locator('.picks-changed li, .picks-changed .badge')
        .evaluateAll(all => all.map(each => each.getBoundingClientRect().width))
      expect(badge).toBeLessThan((line ?? 0) / 2)
      await page.goto(url)
      await page.locator('.heart-button').first().click()
      expect(Object.values((await stored(page)).events)).toEqual([expect.stringMatching(/^\d+-canceled$/)])
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/ids=\d+-\d+-canceled$/)
      expect(await page.locator('.picks-changed').count()).toBe(0)
      await page.goto(shared)
      expect(await page.title()).toMatch(/^Your picks · /)
    }))

  it('work by the keyboard', () =>
    inNewBrowser(async page => {
      await page.locator('li.event .heart:visible').first().focus()
      await page.keyboard.press('Enter')
      expect(Object.keys((await stored(page)).events)).toHaveLength(1)
      expect(new URL(page.url()).pathname).toBe('/events/')
    }))

  it('keep a date, or all dates of a series', () =>
    inNewBrowser(async page => {
      await page.goto(`${site()}/events/?search=story+hour`)
      await page.locator('li.event .event-title a:visible').first().click()
      const buttons = page.locator('.heart-button')
      await buttons.first().waitFor()
      expect(await buttons.allTextContents()).toEqual(['Pick', 'Pick all dates'])
      await buttons.nth(1).click()
      const { events, series } = await stored(page)
      expect([events, series.length]).toEqual([{}, 1])
      // Each of them has its heart on, wherever it is listed.
      await page.goto(`${site()}/events/?search=story+hour`)
      const pressed = page.locator('li.event .heart:visible')
      await pressed.first().waitFor()
      const states = await pressed.evaluateAll(all => all.map(heart => heart.getAttribute('aria-pressed')))
      expect([states.length > 1, [...new Set(states)]]).toEqual([true, ['true']])
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/series=/)
      const row = page.locator('.picks li.event')
      expect(await row.count()).toBe(1)
      // It is there as a date of its series, so its heart is on, and takes the series away.
      expect(await row.locator('.heart').getAttribute('aria-pressed')).toBe('true')
      // Late in the day, the date of today is folded.
      await row.locator('.heart').dispatchEvent('click')
      expect((await stored(page)).series).toEqual([])
    }))

  it('fill a page, which can be subscribed to and follows later hearts', () =>
    inNewBrowser(async page => {
      const hearts = page.locator('li.event .heart:visible')
      await hearts.nth(0).click()
      await hearts.nth(1).click()
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/ids=/)
      expect(await page.locator('h1').textContent()).toBe('Your picks 2')
      await page.locator('.picks-tools summary').click()
      const address = page.locator('.picks-tools .menu-items').getByText('Calendar file')
      await waitForToken(page)
      await expect
        .poll(() => page.locator('.picks-tools').innerHTML(), SLOW_POLL)
        .not.toContain('0'.repeat(32))
      const { token = '', key = '' } = await stored(page)
      const ics = (await address.getAttribute('href')) ?? ''
      expect(ics).toContain(`/picks/${token}.ics`)
      expect(await page.content()).not.toContain(key)
      const countEntries = async () => (await (await fetch(ics)).text()).match(/^SUMMARY:/gm)?.length ?? 0
      expect(await countEntries()).toBe(2)
      // The menu would cover hearts.
      await page.keyboard.press('Escape')
      await Promise.all([
        page.waitForResponse(response => response.request().method() === 'PUT' && response.ok()),
        page.locator('.picks li.event .heart').first().click(),
      ])
      expect(await countEntries()).toBe(1)
      expect(await page.locator('h1').textContent()).toBe('Your picks 1')
      expect(page.url()).not.toContain(',')
    }))

  it('are not lost where the list cannot be reached', () =>
    inNewBrowser(
      async page => {
        await page.locator('li.event .heart:visible').nth(0).click()
        await page.goto(`${site()}/picks/`)
        await page.waitForURL(/ids=/)
        await page.locator('.picks-tools summary').click()
        await waitForToken(page)
        // The list is read before it is written: only what is written fails, or the test would race it.
        const writes = '**/calendar/events/v1/picks/*'
        await page.route(writes, route =>
          route.request().method() === 'PUT' ? route.fulfill({ status: 503 }) : route.continue(),
        )
        await page.goto(`${site()}/events/`)
        await Promise.all([
          page.waitForEvent('console', message => message.text().includes('503')),
          page.locator('li.event .heart[aria-pressed="false"]:visible').first().click(),
        ])
        await page.unroute(writes)
        await Promise.all([
          page.waitForResponse(each => each.request().method() === 'PUT' && each.ok()),
          page.goto(`${site()}/venues/`),
        ])
        const { token } = await stored(page)
        const list = await (await fetch(`${server.api}/picks/${token}`)).json()
        expect(list).toMatchObject({ ids: [expect.any(Number), expect.any(Number)] })
      },
      [expect.stringContaining('503')],
    ))

  it('can be shared, added to others, and forgotten with their list', () =>
    inNewBrowser(async page => {
      await page.locator('li.event .heart:visible').nth(0).click()
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/ids=/)
      const shared = (await page.locator('.picks-tools > [data-copy]').getAttribute('data-copy')) ?? ''
      expect(shared).toMatch(/\/picks\/\?ids=\d+$/)
      await page.locator('.picks-tools summary').click()
      await waitForToken(page)
      const { token } = await stored(page)

      await inNewBrowser(async friend => {
        await friend.goto(shared)
        expect(await friend.locator('h1').textContent()).toBe('A shared selection 1')
        expect(await friend.locator('.picks-tools').isVisible()).toBe(false)
        await friend.locator('[data-picks-add]').click()
        await friend.waitForURL(/ids=\d+-\d+/)
        expect(await friend.locator('h1').textContent()).toBe('Your picks 1')
      })

      // Nothing is lost by one click too many, and the subscription ends when the page is left.
      const before = await stored(page)
      await page.locator('[data-picks-forget]').click()
      await page.waitForURL(/\/picks\/$/)
      expect(await stored(page)).toEqual({})
      // By the keyboard, «Undo» is next.
      await page.locator('[data-picks-forgotten]:focus').waitFor()
      await page.keyboard.press('Tab')
      expect(await page.locator('[data-picks-undo]:focus').count()).toBe(1)
      await page.keyboard.press('Enter')
      await page.waitForURL(/ids=/)
      expect(await stored(page)).toEqual(before)
      expect((await fetch(`${server.api}/picks/${token}`)).status).toBe(200)
      await page.locator('[data-picks-forget]').click()
      await page.waitForURL(/\/picks\/$/)
      await page.locator('.picks a[href="/events/"]').click()
      await page.waitForURL(/\/events\/$/)
      expect(await stored(page)).toEqual({})
      await expect.poll(async () => (await fetch(`${server.api}/picks/${token}`)).status, SLOW_POLL).toBe(404)
      await expect.poll(() => page.evaluate(`localStorage.getItem('picks-forgotten')`), SLOW_POLL).toBeNull()
      await page.goto(`${site()}/picks/`)
      expect(await page.locator('[data-picks-undo]').isVisible()).toBe(false)
    }))

  it('come back with «Undo», whatever other windows show', () =>
    inNewBrowser(async page => {
      await page.locator('li.event .heart:visible').nth(0).click()
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/ids=/)
      await page.locator('.picks-tools summary').click()
      await waitForToken(page)
      const before = await stored(page)
      await page.locator('[data-picks-forget]').click()
      await page.waitForURL(/\/picks\/$/)
      for (const path of ['/events/', '/picks/', '/venues/']) {
        const other = await page.context().newPage()
        await other.goto(site() + path)
        await other.goto(`${site()}/venues/`)
        // Whatever these pages send is there before this.
        await other.evaluate(`fetch('/events/').then(response => response.text())`)
        await other.close()
      }
      await page.locator('[data-picks-undo]').click()
      await page.waitForURL(/ids=/)
      expect(await stored(page)).toMatchObject(before)
      expect((await fetch(`${server.api}/picks/${before.token}`)).status).toBe(200)
    }))

  /** Divides a series in its middle. */
  async function divide(series: number | undefined): Promise<void> {
    const ask = askAsOwner(server)
    const { events } = await ask<{ events: { id: number }[] }>('GET', `/events?series=${series}&per_page=50`)
    const later = events[Math.floor(events.length / 2)]?.id
    await ask('PATCH', `/events/${later}?scope=following`, { title: `Story hour from ${later}` })
  }

  it('keep the later dates of a series that is divided', () =>
    inNewBrowser(async page => {
      await page.goto(`${site()}/events/?search=story+hour`)
      await page.locator('li.event .event-title a:visible').first().click()
      await page.locator('.heart-button').nth(1).click()
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/series=/)
      await page.locator('.picks-tools summary').click()
      await waitForToken(page)
      const { series, token } = await stored(page)
      await divide(series[0])
      const inList = async () => (await askAsOwner(server)<Stored>('GET', `/picks/${token}`)).series
      const both = await inList()
      expect(both).toHaveLength(2)
      await page.goto(`${site()}/events/`)
      await Promise.all([
        page.waitForResponse(each => each.request().method() === 'PUT' && each.ok()),
        page.locator('li.event .heart[aria-pressed="false"]:visible').first().click(),
      ])
      expect(await inList()).toEqual(both)
      expect((await stored(page)).series).toEqual(both)
      // What is taken away stays away.
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/series=\d+,\d+/)
      await Promise.all([
        page.waitForResponse(each => each.request().method() === 'PUT' && each.ok()),
        page.locator(`.picks-series [data-series="${both[1]}"] .heart`).click(),
      ])
      await page.reload()
      await page.evaluate(`fetch('/events/').then(response => response.text())`)
      expect((await stored(page)).series).toEqual(series)
    }))

  it('keep the date that is left of a series that has ended', () =>
    inNewBrowser(async page => {
      const ask = askAsOwner(server)
      const { id, series: ending } = await ask<{ id: number; series: { id: number } }>('POST', '/events', {
        title: 'Ending course',
        start_date: '+3 days 10:00',
        end_date: '+3 days 11:00',
        recurrence: 'FREQ=DAILY;COUNT=3',
      })
      await page.goto(`${site()}/picks/?series=${ending.id}`)
      await page.locator('[data-picks-add]').click()
      await page.locator('.picks-tools summary').click()
      await waitForToken(page)
      const { token } = await stored(page)
      await ask('PATCH', `/events/${id}?scope=all`, { recurrence: '' })
      await page.goto(`${site()}/events/`)
      await Promise.all([
        page.waitForResponse(each => each.request().method() === 'PUT' && each.ok()),
        page.locator('li.event .heart[aria-pressed="false"]:visible').first().click(),
      ])
      expect((await ask<{ ids: number[] }>('GET', `/picks/${token}`)).ids).toContain(id)
      expect(Object.keys((await stored(page)).events)).toContain(String(id))
    }))

  it('keep no more than a list may have when a series is divided', () =>
    inNewBrowser(async page => {
      await page.goto(`${site()}/events/?search=story+hour`)
      await page.locator('li.event .event-title a:visible').first().click()
      await page.locator('.heart-button').nth(1).click()
      await page.evaluate(`{
        const { series } = JSON.parse(localStorage.getItem('picks'))
        const events = Object.fromEntries(Array.from({ length: 499 }, (_, n) => [900_000 + n, 0]))
        localStorage.setItem('picks', JSON.stringify({ events, series }))
      }`)
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/series=/)
      await page.locator('.picks-tools summary').click()
      await waitForToken(page)
      await divide((await stored(page)).series[0])
      await Promise.all([page.waitForResponse(/\/picks\/\w{32}$/), page.reload()])
      await Promise.all([
        page.waitForResponse(each => each.request().method() === 'PUT' && each.ok()),
        page.locator('.picks-series .heart').first().click(),
      ])
      expect((await stored(page)).series).toEqual([])
    }))

  it('say that the browser has no room for them, and leave no list behind', () =>
    inNewBrowser(async page => {
      await page.locator('li.event .heart:visible').first().click()
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/ids=/)
      const fill = `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }`
      await page.evaluate(fill)
      const menu = page.locator('.picks-tools .menu-button')
      const [removal] = await Promise.all([
        page.waitForRequest(each => each.method() === 'DELETE'),
        menu.locator('summary').click(),
      ])
      expect((await removal.response())?.ok()).toBe(true)
      const note = page.locator('[data-picks-note]')
      await expect.poll(() => note.textContent()).toContain('its storage is full or switched off')
      expect(await menu.innerHTML()).not.toContain('undefined')
      expect(await menu.getAttribute('open')).toBe(null)
      await page.locator('[data-picks-forget]').click()
      expect(page.url()).toContain('ids=')
      const { events, token } = await stored(page)
      expect([Object.keys(events).length, token]).toEqual([1, undefined])
    }))

  it('stay on while the browser has no room to store a change', () =>
    inNewBrowser(async page => {
      await page.locator('li.event .heart:visible').first().click()
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/ids=/)
      await page.locator('.picks-tools summary').click()
      await waitForToken(page)
      await page.addInitScript(
        `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }`,
      )
      await page.reload()
      await expect
        .poll(() => page.locator('[data-picks-note]').textContent())
        .toContain('its storage is full or switched off')
      await page.locator('.heart[aria-pressed="true"]').first().click()
      expect(await page.locator('.heart[aria-pressed="true"]').count()).toBeGreaterThan(0)
    }))

  it('are counted on the button of the menu on a phone', () =>
    inNewBrowser(async page => {
      await page.setViewportSize({ width: 390, height: 844 })
      const sign = page.locator('.site-menu > summary .pick-count')
      expect(await sign.isVisible()).toBe(false)
      await page.locator('li.event .heart:visible').first().click()
      expect([await sign.isVisible(), (await sign.innerText()).trim()]).toEqual([true, '1'])
      await page.reload()
      expect(await sign.isVisible()).toBe(true)
    }))

  it.each([true, false])('have one way to be shared: with the sheet of the system %s', async hasSheet => {
    const { page, close } = await openPage({})
    await page.addInitScript(
      hasSheet ? 'navigator.share = () => Promise.resolve()' : 'delete Navigator.prototype.share',
    )
    await page.goto(`${site()}/events/`)
    await page.locator('li.event .heart:visible').first().click()
    await page.goto(`${site()}/picks/`)
    await page.waitForURL(/ids=/)
    const shown = page.locator('.picks-tools > :is([data-share], [data-copy]):visible')
    expect(await shown.allInnerTexts()).toEqual([hasSheet ? 'Share' : 'Copy link'])
    await close()
  })

  it('are absent without scripts, where every link works', async () => {
    await onPage(
      `${site()}/events/`,
      async page => {
        expect(await page.locator('.heart').count()).toBe(0)
        await page.goto(`${site()}/picks/`)
        expect(await page.locator('main').textContent()).toContain('can only be picked with JavaScript')
      },
      { javaScriptEnabled: false },
    )
  })

  it.each([0, 1])('are accessible, and fit, on lists and on their page, in turn %d', turn =>
    inNewBrowser(async page => {
      for (const i of [0, 1, 2]) await page.locator('li.event .heart:visible').nth(i).click()
      expect(await findings(page, turn)).toEqual([])
      await page.goto(`${site()}/picks/`)
      await page.waitForURL(/ids=/)
      await page.locator('.heart[aria-pressed="true"]').first().waitFor()
      expect(await findings(page, turn)).toEqual([])
    }),
  )
})
