import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { LONG, temporaryFolder } from '../../commands/spawn.ts'
import { listen } from '../../listen.ts'
import { askAsOwner, dayFromNow, type Service, startService } from '../../service.ts'
import { findings, findingsOfWords } from '../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'

type Event = { id: number; title: string; venue: { venue: string } | []; start_date: string }

// The service has the real clock.
const DAY = dayFromNow(200)

describe('events of the editor in a browser', { tags: ['browser'] }, () => {
  let server: Service
  let geocoder: Awaited<ReturnType<typeof listen>>
  let site: string
  let page: Page
  let complaints: string[]
  let api: ReturnType<typeof askAsOwner>

  beforeAll(async () => {
    // Every address is in the same two places.
    geocoder = await listen(() => (_, response) => {
      const places = [
        { display_name: 'The Barn, 1 Lane, Kent', lat: '52.5271', lon: '-7.1372' },
        { display_name: 'Barn Lane, Cork', lat: '51.9', lon: '-8.47' },
      ]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(places))
    })
    const vars = { GEOCODER: `${geocoder.address}/search`, ALLOW_PRIVATE_HOSTS: 'on' }
    server = await startService(vars)
    api = askAsOwner(server)
    site = new URL(server.api).origin
    ;({ page, complaints } = await openPage())
    await signInOwner(page, site, server)
  })

  afterAll(async () => {
    await closePages()
    await server?.stop()
    await geocoder?.close()
  })

  const events = async (search: string) =>
    (await api<{ events: Event[] }>('GET', `/events?search=${search}`)).events

  /** A new page focuses its field only once it is drawn. */
  const waitForFocus = (id: string) => page.waitForSelector(`#${id}:focus`)

  /** Enters a value just as a script reads its next response. */
  const enterWhileReading = (method: 'json' | 'text', field: string, value: string) =>
    page.evaluate(`(() => {
      const read = Response.prototype.${method}
      const input = document.querySelector('${field}')
      Response.prototype.${method} = async function () {
        const body = await read.call(this)
        Response.prototype.${method} = read
        input.value = '${value}'
        input.dispatchEvent(new Event('input', { bubbles: true }))
        return body
      }
    })()`)

  /**
   * Drops or pastes an image. It is a transfer of the browser, as the mouse or the keyboard makes it; a
   * canvas has its pixels.
   */
  const transfer = (type: 'drop' | 'paste', name: string, kind = 'image/png') =>
    page.evaluate(
      `(async () => {
        const pixels = await new Promise(done => document.createElement('canvas').toBlob(done))
        const data = new DataTransfer()
        data.items.add(new File([pixels], ${JSON.stringify(name)}, { type: ${JSON.stringify(kind)} }))
        const event = ${JSON.stringify(type)} === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        document.querySelector(${JSON.stringify(type === 'drop' ? '[data-poster]' : '#f-title')}).dispatchEvent(event)
      })()`,
    )

  it('an event is made by keyboard alone, with a suggested venue', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.focus('#f-title')
    await page.keyboard.type('Typed in')
    await page.keyboard.press('Tab')
    await waitForFocus('f-image')
    await page.focus('#f-start_date')
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
    // Enter shows what would be published.
    await page.keyboard.press('Enter')
    await page.waitForSelector('button[value=edit]')
    await page.click('.actions button[value=save]')
    await page.waitForSelector('.editor-notice')
    expect(await page.textContent('.editor-notice')).toContain('Saved: Typed in')
    const [made] = await events('typed')
    expect(made).toMatchObject({ start_date: `${DAY} 20:00:00`, venue: { venue: 'Nore Meadow' } })
    expect(complaints).toEqual([])
  })

  it('the date, the times and the repetition are in one line', async () => {
    await page.goto(`${site}/admin/events/new/`)
    const boxes = ['start_date', 'start_date-time', 'end_date-time', 'recurrence'].map(name =>
      page.locator(`#f-${name}`).boundingBox(),
    )
    expect(new Set((await Promise.all(boxes)).map(box => Math.round(box?.y ?? 0))).size).toBe(1)
  })

  it('the parent event is suggested while typing', async () => {
    const days = { start_date: DAY, end_date: DAY, all_day: true }
    const { id } = await api<Event>('POST', '/events', { title: 'Zither fair', ...days })
    await page.goto(`${site}/admin/events/${id}/`)
    await page.click('.event-actions summary:has-text("More")')
    await page.click('.event-actions a:has-text("Add to the programme")')
    await page.waitForURL('**/?part_of=*')
    expect(await page.textContent('.page-head')).toContain('Part of Zither fair')
    await page.goto(`${site}/admin/events/new/`)
    await page.click('summary:has(.fold-name:text-is("Details"))')
    await page.fill('#f-post_parent', 'zith')
    await page.waitForSelector('#f-post_parent-matches [aria-selected=true]')
    await page.press('#f-post_parent', 'Enter')
    expect(await page.isChecked(`[name=post_parent][value="${id}"]`)).toBe(true)
  })

  it('the position of a venue is found on the map, chosen and stored', async () => {
    await page.goto(`${site}/admin/venues/new/`)
    await page.fill('[name=venue]', 'The Barn')
    await page.fill('[name=address]', '1 Lane')
    await page.click('button[value=locate]')
    await page.waitForSelector('text=© OpenStreetMap contributors')
    expect(await page.inputValue('[name=address]')).toBe('1 Lane')
    await waitForFocus('f-geo_lat-found-0')
    expect(await findings(page, 1)).toEqual([])
    await page.press('#f-geo_lat-found-0', 'Space')
    await page.click('.actions button[value=save]')
    await page.waitForSelector('.editor-notice')
    const { venues } = await api<{ venues: object[] }>('GET', '/venues?search=barn')
    expect(venues).toMatchObject([{ venue: 'The Barn', geo_lat: 52.5271, geo_lng: -7.1372 }])
    expect(complaints).toEqual([])
  })

  it('Escape chooses nothing, and Enter takes the only offer: a new venue', async () => {
    const choices = page.locator('#f-venue-matches [role=option]')
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-venue', 'xylophone')
    // Before these, all venues are offered for a moment.
    await choices.filter({ hasText: 'Create “xylophone”' }).waitFor()
    expect(await choices.count()).toBe(1)
    await page.press('#f-venue', 'Escape')
    expect(await page.isVisible('#f-venue-matches')).toBe(false)
    expect(await page.inputValue('#f-venue-new-venue')).toBe('')
    await page.press('#f-venue', 'Enter')
    await waitForFocus('f-venue-new-city')
    expect(await page.inputValue('#f-venue-new-venue')).toBe('xylophone')
    expect(await page.inputValue('#f-venue')).toBe('')
    await page.fill('#f-venue-new-venue', '')
  })

  it('the arrow keys begin at the first result, and equal names have their streets', async () => {
    const one = { venue: 'Twice Hall', address: '1 Low Street', city: 'Kent' }
    const other = { venue: 'Twice Hall', address: '2 High Street', city: 'Kent' }
    await api('POST', '/venues', one)
    const { id } = await api<Event>('POST', '/venues', other)
    const chosen = () => page.locator('[name=venue]:checked ~ label').allTextContents()
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-title', 'At one of two')
    await page.fill('#f-start_date', DAY)
    await page.fill('#f-start_date-time', '20:00')
    for (const [keys, street] of [
      [['Enter'], '1 Low Street'],
      [['ArrowDown', 'Enter'], '1 Low Street'],
      [['ArrowDown', 'ArrowDown', 'Enter'], '2 High Street'],
    ] as const) {
      await page.fill('#f-venue', 'twice')
      await page.waitForSelector('#f-venue-matches [aria-selected=true]')
      for (const key of keys) await page.press('#f-venue', key)
      expect(await chosen()).toEqual([`Twice Hall, ${street}, Kent`])
    }
    // Rendered by the server, they have them as well.
    await page.click('.editor-side button[value=preview]')
    await page.click('.preview-bar button[value=edit]')
    expect(await page.locator(`label[for="f-venue-${id}"]`).textContent()).toBe(
      'Twice Hall 2 High Street, Kent',
    )
  })

  it('recent venues are suggested, and a choice replaces the former one', async () => {
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
    const further = page.locator('.further-dates')
    expect(await further.getAttribute('open')).toBeNull()
    await page.selectOption('#f-recurrence', 'dates')
    expect(await further.getAttribute('open')).toBe('')
    await page.selectOption('#f-recurrence', 'weekly')
    await page.fill('[name=recurrence_until]', dayFromNow(221))
    expect(await page.isChecked('#f-recurrence-end-on')).toBe(true)
    await page.waitForSelector('.next-dates:has-text("4 dates, the last on")')
    await page.check('#f-recurrence-end-never')
    expect(await page.inputValue('[name=recurrence_until]')).toBe('')
  })

  it('the words of a repetition and its dates follow what is typed', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-title', 'Class')
    await page.fill('#f-start_date', '2094-06-08')
    await page.fill('#f-start_date-time', '20:00')
    await page.selectOption('#f-recurrence', { label: 'Monthly, second Tuesday' })
    await page.locator('.next-dates', { hasText: 'Tuesday, July 13, 2094' }).waitFor()
    await page.fill('#f-start_date', '2094-06-25')
    await page.locator('.next-dates', { hasText: 'Friday, July 23, 2094' }).waitFor()
    expect(await page.locator('#f-recurrence option:checked').textContent()).toBe('Monthly, fourth Friday')
    // Inputs that do not apply to a choice are hidden, and there is always room for one more date.
    for (const part of ['.own-rule', '.show-dates'])
      expect(await page.locator(part).isVisible(), part).toBe(false)
    await page.click('.further-dates summary')
    const dates = page.locator('[name=recurrence_not]')
    await dates.last().fill('2094-07-23')
    await page.locator('.next-dates', { hasNotText: 'July 23' }).waitFor()
    expect(await dates.count()).toBe(3)
    await page.selectOption('#f-recurrence', 'own')
    await page.locator('.own-days').waitFor()
    await page.selectOption('#f-recurrence', 'month-nth')
    await page.getByLabel('Never').check()
    await page.click('.editor-side button[value=save]')
    await page.locator('.editor-notice').waitFor()
  })

  it('a change of a date asks which dates it is for, and is made by keyboard alone', async () => {
    await page.fill('#f-title', 'Class for all')
    await page.press('#f-title', 'Enter')
    await page.locator('.scopes').waitFor()
    expect(await findings(page, 1)).toEqual([])
    await page.focus('[name=scope]:checked')
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('[name=scope]:checked').getAttribute('value')).not.toBe('this')
    await page.keyboard.press('Enter')
    await page.locator('.editor-notice', { hasText: 'Class for all' }).waitFor()
  })

  it('suggestions that arrive after the field has lost the focus do not cover the next one', async () => {
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

  it('a name typed while suggestions arrive is searched for', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.route(/search=$/, route => route.fulfill({ json: [] }))
    await enterWhileReading('json', '#f-venue', 'Quokkaville')
    await page.focus('#f-venue')
    await page.locator('#f-venue-matches [role=option]', { hasText: 'Quokkaville' }).waitFor()
    await page.unroute(/search=$/)
    await page.fill('#f-venue', '')
  })

  it('a repetition chosen while the next dates arrive stays', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await enterWhileReading('text', '#f-recurrence', 'weekly')
    await page.fill('#f-start_date', DAY)
    await page.locator('.next-dates li').first().waitFor()
    expect(await page.inputValue('#f-recurrence')).toBe('weekly')
    await page.selectOption('#f-recurrence', '')
  })

  it('the browser asks before it leaves unsaved input', async () => {
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

  it('the first field with an error has the focus, and the input is kept', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.fill('#f-title', 'Wrong')
    await page.fill('#f-start_date', DAY)
    await page.fill('#f-start_date-time', '20:00')
    const target = await page.locator('.other-day summary').boundingBox()
    // WCAG 2.2, 2.5.8: in CSS pixels.
    expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(24)
    await page.click('.other-day summary')
    await page.fill('#f-end_date', dayFromNow(190))
    await page.click('.editor-side button[value=save]')
    await page.waitForSelector('.form-errors')
    await waitForFocus('f-end_date-time')
    expect(await page.inputValue('#f-title')).toBe('Wrong')
  })

  it('a poster is dropped or pasted, shown, and described', async () => {
    await page.goto(`${site}/admin/events/new/`)
    expect(await page.isVisible('#f-image-alt')).toBe(false)
    await transfer('drop', 'dropped.png')
    expect(await page.textContent('.poster-new')).toBe('New: dropped.png')
    await page.waitForFunction('document.querySelector(".poster-new img").naturalWidth > 0')
    await transfer('paste', 'pasted.png')
    expect(await page.textContent('.poster-new')).toBe('New: pasted.png')
    await page.fill('#f-image-alt', 'Nothing at all')
    // One that is too large would take everything typed along with it: it is not even sent.
    const huge = join(temporaryFolder(onTestFinished), 'huge.png')
    await writeFile(huge, Buffer.alloc(10 * 1024 * 1024 + 1))
    await page.setInputFiles('#f-image', huge)
    expect(await page.textContent('.poster-new')).toBe('This file is too large: at most 10 MB.')
    await transfer('drop', 'dropped.pdf', 'application/pdf')
    expect(await page.textContent('.poster-new')).toContain('This can’t be used as an image.')
    expect(await page.inputValue('#f-image')).toBe('')
    expect(await page.isVisible('#f-image-alt')).toBe(false)
  })

  it('a form with all parts that open or appear has no findings', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.evaluate("document.querySelectorAll('details:not([name])').forEach(e => { e.open = true })")
    await page.fill('#f-post_parent', 'zith')
    await page.waitForSelector('#f-post_parent-matches [aria-selected=true]')
    await page.press('#f-post_parent', 'Enter')
    await page.fill('#f-start_date', '2094-06-25')
    await page.fill('#f-start_date-time', '20:00')
    await page.selectOption('#f-recurrence', 'own')
    await page.locator('.next-dates li').first().waitFor()
    await page.locator('.own-days').waitFor()
    await transfer('drop', 'dropped.png')
    await page.fill('#f-image-alt', 'Nothing at all')
    await page.locator('.writing-page').fill('First')
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
  })

  it('the button is named after the chosen status, and Ctrl+S presses it', async () => {
    await page.goto(`${site}/admin/events/new/`)
    const button = page.locator('.editor-side button[value=save]')
    const name = async () => (await button.innerText()).trim()
    expect(await name()).toBe('Publish')
    await page.getByLabel('For review').check()
    expect(await name()).toBe('Send for review')
    await page.getByLabel('Draft').check()
    expect(await name()).toBe('Save draft')
    expect(await page.getByRole('button', { name: 'Save draft' }).count()).toBe(1)
    await page.fill('#f-title', 'By the keyboard')
    await page.fill('#f-start_date', DAY)
    await page.fill('#f-start_date-time', '20:00')
    await page.keyboard.press('Control+s')
    await page.waitForSelector('.editor-notice')
    expect(await page.textContent('.editor-notice')).toContain('Saved: By the keyboard')
    // Until styles have arrived, it has all its names.
    await page.getByRole('button', { name: 'Save draft', exact: true }).waitFor()
  })

  it('on a phone the button stays in sight, below a low header', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${site}/admin/events/new/`)
    const top = await page.evaluate('document.querySelector("main").getBoundingClientRect().top')
    expect(top).toBeLessThan(110)
    const box = await page.locator('.editor-side button[value=save]').boundingBox()
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(740)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('on a phone the menus of an event are wholly in sight', async () => {
    const { id } = await api<Event>('POST', '/events', {
      title: 'Menus',
      start_date: DAY,
      end_date: DAY,
      all_day: true,
    })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${site}/admin/events/${id}/`)
    for (const name of ['More', 'Cancel event…']) {
      await page.locator('.event-actions summary', { hasText: name }).click()
      const box = await page.locator('.event-actions [open] > .menu-items').boundingBox()
      expect(box?.x, name).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(360)
    }
    await page.keyboard.press('Escape')
    await page.waitForSelector('.event-actions summary:focus')
    expect(await page.locator('.event-actions [open]').count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('on a phone suggestions are not below the button that stays in sight', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${site}/admin/events/new/`)
    // The field is right above the button.
    await page.evaluate(`{
      const bottom = id => document.querySelector(id).getBoundingClientRect().bottom
      scrollBy(0, bottom('#f-venue') - 650)
    }`)
    await page.fill('#f-venue', 'nore')
    await page.waitForSelector('#f-venue-matches [aria-selected=true]')
    const list = await page.locator('#f-venue-matches').boundingBox()
    const bar = await page.locator('.editor-columns .actions').boundingBox()
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  describe('drafts', () => {
    let page: Page
    let close: () => Promise<void>
    const notice = () => page.locator('[data-drafts]')
    const kept = () => page.evaluate<string[]>('Object.keys(localStorage)')
    // The scripts of a page may run later than its first lines are found.
    const noneKept = () => expect.poll(kept).toEqual([])

    beforeAll(async () => {
      ;({ page, close } = await openPage())
      // The browser asks before it leaves what was typed.
      page.on('dialog', dialog => dialog.accept())
      await signInOwner(page, site, server)
    })

    afterAll(() => close())

    it('unsaved input is offered again after a reload', async () => {
      await page.goto(`${site}/admin/events/new/`)
      expect(await notice().isVisible()).toBe(false)
      await page.locator('#f-title').pressSequentially('Kept by the browser')
      await page.fill('#f-start_date', DAY)
      await page.fill('#f-start_date-time', '20:00')
      await page.fill('#f-venue', 'brewhouse')
      await page.waitForSelector('#f-venue-matches [aria-selected=true]')
      await page.press('#f-venue', 'Enter')
      await page.reload()
      expect(await page.inputValue('#f-title')).toBe('')
      expect(await notice().getByRole('status').textContent()).toBe(
        'This browser still has something you typed here and didn’t save.',
      )
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('_token')
      expect(await findings(page, 0)).toEqual([])
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.waitForSelector('.is-unsaved')
      expect(await page.inputValue('#f-title')).toBe('Kept by the browser')
      expect(await page.locator('[name=venue]:checked ~ label').textContent()).toContain('The Old Brewhouse')
      await page.reload()
      expect(await kept()).toHaveLength(1)
      await page.click('.editor-side button[value=save]')
      await page.waitForSelector('[data-saved]')
      await noneKept()
      await page.goto(`${site}/admin/events/new/`)
      expect(await notice().isVisible()).toBe(false)
    })

    it('two windows with new events keep a draft each', async () => {
      const other = await page.context().newPage()
      other.on('dialog', dialog => dialog.accept())
      for (const [window, title] of [
        [page, 'In the first window'],
        [other, 'In the second window'],
      ] as const) {
        await window.goto(`${site}/admin/events/new/`)
        await window.fill('#f-title', title)
        await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain(title)
      }
      await other.fill('#f-start_date', DAY)
      await other.fill('#f-start_date-time', '20:00')
      await other.click('.editor-side button[value=save]')
      await other.waitForSelector('[data-saved]')
      await expect.poll(kept).toHaveLength(1)
      await other.close()
      await page.reload()
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.waitForSelector('.is-unsaved')
      expect(await page.inputValue('#f-title')).toBe('In the first window')
      await page.goto(`${site}/admin/events/new/`)
      await page.getByRole('button', { name: 'Discard' }).click()
      await noneKept()
    })

    it('two windows with the same event keep a draft each', async () => {
      const [event] = await events('kept+by')
      const path = `${site}/admin/events/${event?.id}/`
      const other = await page.context().newPage()
      other.on('dialog', dialog => dialog.accept())
      const windows = [
        [page, 'Typed in the first'],
        [other, 'Typed in the second'],
      ] as const
      for (const [window] of windows) await window.goto(path)
      for (const [window, title] of windows) {
        await window.fill('#f-title', title)
        await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain(title)
      }
      for (const [window, title] of windows) {
        await window.reload()
        await window.getByRole('button', { name: 'Restore' }).click()
        await window.waitForSelector('.is-unsaved')
        expect(await window.inputValue('#f-title')).toBe(title)
      }
      await other.goto(path)
      await other.getByRole('button', { name: 'Discard' }).click()
      await expect.poll(kept).toHaveLength(1)
      // What a window that is gone has kept becomes that of the one that restores it.
      await other.close()
      const third = await page.context().newPage()
      await third.goto(path)
      await third.getByRole('button', { name: 'Restore' }).click()
      await third.waitForSelector('.is-unsaved')
      expect(await third.inputValue('#f-title')).toBe('Typed in the first')
      expect(await kept()).toHaveLength(1)
      await third.close()
      await page.goto(path)
      await page.getByRole('button', { name: 'Discard' }).click()
      await noneKept()
    })

    it('a draft over an older version opens the comparison', async () => {
      const [event] = await events('kept+by')
      const path = `/admin/events/${event?.id}/`
      await page.goto(site + path)
      await page.locator('#f-title').pressSequentially('!')
      await page.goto(`${site}/admin/`)
      await api('PATCH', `/events/${event?.id}`, { title: 'Kept by somebody else' })
      await page.goto(site + path)
      expect(await notice().getByRole('status').textContent()).toContain('A newer version has been saved')
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.waitForSelector('.is-unsaved')
      await page.click('.editor-side button[value=save]')
      await page.waitForSelector('.versus')
      expect(await findings(page, 0)).toEqual([])
      await page.getByRole('link', { name: 'Take what is saved' }).click()
      await page.waitForSelector('#editor-form')
      expect(await page.inputValue('#f-title')).toBe('Kept by somebody else')
      await noneKept()
    })

    it('nothing is sent offline', async () => {
      await page.goto(`${site}/admin/venues/new/`)
      await page.fill('#f-venue', 'Offline')
      await page.context().setOffline(true)
      await page.click('.editor-form .actions button[value=save]')
      expect(await notice().getByRole('status').textContent()).toContain('You are offline.')
      expect(await page.inputValue('#f-venue')).toBe('Offline')
      await page.context().setOffline(false)
      await notice().waitFor({ state: 'hidden' })
      await page.reload()
      await page.getByRole('button', { name: 'Discard' }).click()
      expect(await notice().isVisible()).toBe(false)
      await noneKept()
    })

    it('drafts are deleted after seven days, and when the user signs out', async () => {
      await page.goto(`${site}/admin/events/new/`)
      await page.fill('#f-title', 'Of another day')
      await page.reload()
      expect(await notice().isVisible()).toBe(true)
      const turnBack = (days: number) =>
        page.evaluate(
          `for (const [key, text] of Object.entries(localStorage)) {
            const draft = JSON.parse(text)
            localStorage.setItem(key, JSON.stringify({ ...draft, at: draft.at - ${days} * 86_400_000 }))
          }`,
        )
      await turnBack(6)
      await page.reload()
      expect(await notice().isVisible()).toBe(true)
      await turnBack(1)
      await page.reload()
      expect(await notice().isVisible()).toBe(false)
      await noneKept()
      await page.fill('#f-title', 'Of this day')
      await page.reload()
      expect(await kept()).toHaveLength(1)
      await page.click('.header-links summary')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/admin/sign-in/')
      await noneKept()
    })
  })

  it('a festival is built in the form with a thumb, and with the keyboard', async () => {
    const day = dayFromNow(90)
    const { page: phone, close } = await openPage({ viewport: { width: 360, height: 740 }, hasTouch: true })
    await signInOwner(phone, site, server)
    await phone.goto(`${site}/admin/events/new/`)
    await phone.fill('#f-title', 'Fiddle festival')
    await phone.fill('#f-start_date', day)
    await phone.fill('#f-start_date-time', '10:00')
    const programme = phone.locator('#programme')
    await programme.locator('summary').tap()
    const add = programme.getByRole('button', { name: 'Add an item' })
    await add.tap()
    await phone.waitForSelector('#part-n1-start_date_time:focus')
    expect(await phone.inputValue('#part-n1-start_date')).toBe(day)
    await phone.keyboard.type('0600PM')
    await phone.fill('#part-n1-end_date_time', '19:00')
    await phone.fill('#part-n1-title', 'Opening')
    await phone.fill('#part-n1-room', 'Barn')
    await add.press('Enter')
    await phone.waitForSelector('#part-n2-start_date_time:focus')
    // It goes on where the last one ends.
    expect(await phone.inputValue('#part-n2-start_date_time')).toBe('19:00')
    expect(await phone.inputValue('#part-n2-room')).toBe('Barn')
    await phone.fill('#part-n2-title', 'Session')
    expect(await findingsOfWords(phone)).toEqual([])
    // What was typed in the programme is offered again as well.
    await phone.waitForTimeout(400)
    phone.on('dialog', dialog => dialog.accept())
    await phone.reload()
    await phone.click('[data-restore]')
    await phone.waitForSelector('#part-n2-title')
    expect(await phone.inputValue('#part-n2-title')).toBe('Session')
    await phone.click('.editor-side button[value=save]')
    await phone.locator('.editor-notice', { hasText: 'Fiddle festival' }).waitFor()
    const [whole] = await events('fiddle+festival')
    const parts = async () =>
      (await api<{ events: Event[] }>('GET', `/events?post_parent=${whole?.id}&start_date=${day}`)).events
    expect((await parts()).map(({ title, start_date }) => `${title} ${start_date}`)).toEqual([
      `Opening ${day} 18:00:00`,
      `Session ${day} 19:00:00`,
    ])
    await programme.getByLabel('Remove: Session').tap()
    await phone.click('.editor-side button[value=save]')
    await phone.locator('.editor-notice', { hasText: 'The programme is saved.' }).waitFor()
    expect(await parts()).toHaveLength(1)
    await close()
  })

  it('a course gets a break, and a date is left out by its box', async () => {
    const [first, second, third, fourth] = [0, 7, 14, 21].map(days => dayFromNow(100 + days))
    const { id, series } = await api<{ id: number; series: { id: number } }>('POST', '/events', {
      title: 'Pottery course',
      start_date: `${first} 19:00`,
      end_date: `${first} 21:00`,
      recurrence: 'FREQ=WEEKLY;COUNT=12',
    })
    const { page: phone, close } = await openPage({ viewport: { width: 360, height: 740 }, hasTouch: true })
    await signInOwner(phone, site, server)
    await phone.goto(`${site}/admin/events/${id}/`)
    const dates = phone.getByRole('group', { name: 'The dates' })
    expect(await dates.locator('li').count()).toBe(10)
    await dates.getByLabel('Leave out').nth(1).tap()
    expect(await findingsOfWords(phone)).toEqual([])
    await dates.getByLabel('from').fill(third ?? '')
    await dates.getByLabel('to', { exact: true }).fill(fourth ?? '')
    await phone.click('.editor-side button[value=save]')
    // As many dates as before take place, so the course ends later, and the form asks.
    await phone.getByText('12 dates get the change.').waitFor()
    await phone.getByRole('button', { name: 'Save', exact: true }).click()
    await phone.locator('.editor-notice', { hasText: 'Pottery course' }).waitFor()
    const starts = async () =>
      (
        await api<{ events: Event[] }>('GET', `/events?series=${series.id}&start_date=${first}&per_page=50`)
      ).events.map(({ start_date }) => start_date.slice(0, 10))
    expect(await starts()).toHaveLength(12)
    expect((await starts()).at(-1)).toBe(dayFromNow(100 + 14 * 7))
    for (const day of [second, third, fourth]) expect(await starts()).not.toContain(day)
    // One click: nothing asks.
    await phone.locator('.editor-notice').getByRole('button', { name: 'Undo' }).click()
    await phone.locator('.editor-notice', { hasText: 'The change has been undone.' }).waitFor()
    expect(await findingsOfWords(phone)).toEqual([])
    expect(await starts()).toHaveLength(12)
    expect(await starts()).toContain(second)
    await close()
  })

  it('a selection shows its size and its actions above the list', async () => {
    await page.goto(`${site}/admin/events/?search=fiddles`)
    expect(await page.isVisible('.bulk .actions')).toBe(false)
    const all = page.getByLabel('Select all')
    await all.check()
    const n = await page.locator('[name=id]:checked').count()
    expect(n).toBeGreaterThan(0)
    expect(await page.getByRole('status').textContent()).toBe(`${n} selected`)
    expect(await page.isVisible('.bulk button[value=toTrash]')).toBe(true)
    await page.locator('[name=id]').first().uncheck()
    expect(await page.getByRole('status').textContent()).toBe(n > 1 ? `${n - 1} selected` : '')
  })

  it('everything works without scripts', async () => {
    const cookies = await page.context().cookies()
    const { page: plain, close } = await openPage({ javaScriptEnabled: false })
    await plain.context().addCookies(cookies)
    await plain.goto(`${site}/admin/events/new/`)
    await plain.fill('#f-title', 'Without scripts')
    await plain.fill('#f-start_date', DAY)
    await plain.fill('#f-start_date-time', '05:00')
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
    await plain.click('.bulk summary')
    await plain.fill('#bulk-reason', 'Nobody came')
    await plain.click('button[value=cancel]')
    expect(await plain.textContent('.editor-notice')).toContain('One event cancelled.')
    await plain.getByRole('link', { name: 'Without scripts' }).click()
    await plain.getByRole('button', { name: 'Restore' }).click()
    expect(await plain.textContent('.editor-notice')).toContain('One event restored.')
    await plain.click('.event-actions summary:has-text("Cancel event")')
    const style = "getComputedStyle(document.querySelector('.event-actions button[value=cancel]'))"
    expect(await plain.evaluate(`${style}.color`)).not.toBe(await plain.evaluate(`${style}.backgroundColor`))
    await plain.click('.event-actions button[value=cancel]')
    expect(await plain.locator('.badge-alert').textContent()).toBe('Cancelled')
    await plain.click('.event-actions summary:has-text("More")')
    await plain.click('.trash-form button')
    await plain.locator('.editor-notice', { hasText: 'is in the trash now' }).waitFor()
    await close()
    expect(await events('scripts')).toEqual([])
  })

  it('axe-core finds nothing on any page, light or dark', { timeout: LONG }, async () => {
    const [{ id }] = (await events('fiddles')) as [Event]
    // Nobody is there, which the page of the webhook says.
    const url = 'https://nobody.invalid/'
    const { id: webhook } = await api<Event>('POST', '/webhooks', { url, active: false })
    await api('POST', `/webhooks/${webhook}/test`)
    const { id: source } = await api<Event>('POST', '/sources', { name: 'Nobody', url, every: '' })
    await api('POST', `/sources/${source}/sync`)
    await api('POST', '/events', { title: 'Waiting', start_date: DAY, end_date: DAY, status: 'pending' })
    const paths = [
      '/admin/',
      '/admin/review/',
      '/admin/venues/',
      '/admin/venues/1/',
      '/admin/categories/',
      '/admin/events/',
      '/admin/events/?search=xylophone',
      `/admin/events/${id}/`,
      '/admin/images/',
      '/admin/images/1/',
      '/admin/webhooks/',
      `/admin/webhooks/${webhook}/`,
      `/admin/webhooks/${webhook}/settings/`,
      '/admin/sources/',
      `/admin/sources/${source}/`,
      `/admin/sources/${source}/settings/`,
    ]
    // Of the forms that were refused above.
    complaints.length = 0
    for (const [turn, path] of paths.entries()) {
      await page.goto(site + path)
      // Menus cover what is below them; those of the first page are looked at by themselves.
      const folded = path === '/admin/' ? 'details' : 'details:not([name])'
      await page.evaluate(`document.querySelectorAll('${folded}').forEach(e => { e.open = true })`)
      expect(await findings(page, turn), path).toEqual([])
    }
    expect(complaints).toEqual([])
  })
})
