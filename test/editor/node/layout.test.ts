import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, dayFromNow, declareService } from '../../service.ts'
import { findings, resize, smallTargets } from '../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'

// Where things stand in the pages of the editor, measured in a browser.

/** One of each kind of page: lists, forms with and without a side, and narrow ones. */
const PAGES = [
  '/admin/',
  '/admin/events/',
  '/admin/events/new/',
  '/admin/venues/',
  '/admin/venues/new/',
  '/admin/organizers/new/',
  '/admin/categories/',
  '/admin/images/',
  '/admin/sources/',
  '/admin/sources/new/',
  '/admin/letters/',
  '/admin/webhooks/',
  '/admin/history/',
  '/admin/trash/',
  '/admin/users/',
  '/admin/account/',
  '/admin/settings/',
]

describe('the editor, measured', { tags: ['browser'] }, () => {
  const server = declareService()
  let page: Page
  let site: string

  beforeAll(async () => {
    site = new URL(server.api).origin
    ;({ page } = await openPage())
    await signInOwner(page, site, server)
  })
  afterAll(closePages)

  it('every heading begins at the same edge', async () => {
    const edges = new Map<string, number | undefined>()
    for (const path of PAGES) {
      await page.goto(site + path)
      edges.set(path, (await page.locator('main h1').boundingBox())?.x)
    }
    const first = edges.get('/admin/')
    expect(first).toBeGreaterThan(0)
    expect(Object.fromEntries(edges)).toEqual(Object.fromEntries(PAGES.map(path => [path, first])))
  })

  it('on a phone nothing that has the focus is below the buttons of a form', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(`${site}/admin/events/new/`)
    await page.waitForSelector('.writing-page')
    const hidden: string[] = []
    const seen = new Set<string>()
    // A date takes the key several times, and the last one leaves the page.
    for (let presses = 0; presses < 100; presses++) {
      await page.keyboard.press('Tab')
      // The page has scrolled to what has the focus.
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const [id = '', isBelow = false] = await page.evaluate<[string, boolean] | []>(`(() => {
        const field = document.activeElement
        const buttons = document.querySelector('.in-sight')
        if (!field.closest('.editor-form') || buttons.contains(field)) return []
        const { top, height } = field.getBoundingClientRect()
        return [field.id || field.outerHTML.slice(0, 80), top + Math.min(height, 20) > buttons.getBoundingClientRect().top]
      })()`)
      if (isBelow) hidden.push(id)
      seen.add(id)
    }
    expect(seen).toContain('f-description-page')
    expect(hidden).toEqual([])
    await resize(page, 1280)
  })

  it('links that stand alone are as high as a fingertip', async () => {
    await askAsOwner(server)('POST', '/events', {
      title: 'Links',
      start_date: `${dayFromNow(2)} 19:00`,
      end_date: `${dayFromNow(2)} 21:00`,
      website: 'https://club.example.org/',
    })
    await resize(page, 320)
    for (const path of [...PAGES, '/event/links/', '/nothing/']) {
      await page.goto(site + path)
      expect(await smallTargets(page, true), path).toEqual([])
    }
    await resize(page, 1280)
  })

  it('a date that is cancelled stays struck through, and one that is left out vanishes, each in its words', async () => {
    const first = dayFromNow(60)
    const { id } = await askAsOwner(server)<{ id: number }>('POST', '/events', {
      title: 'Clay',
      start_date: `${first} 19:00`,
      end_date: `${first} 21:00`,
      recurrence: 'FREQ=WEEKLY;COUNT=4',
    })
    // The list of the dates has a sentence for each, and its boxes and links have the same words.
    await page.goto(`${site}/admin/events/${id}/`)
    const dates = page.getByRole('group', { name: 'The dates' })
    await dates
      .getByText('A date that is left out vanishes. One that is cancelled on its own page stays')
      .waitFor()
    await dates.getByRole('link').first().click()
    // So has the form of the date to which it leads.
    await page.getByText('Cancel this date…').click()
    const form = page.locator('.cancel-form')
    await form.getByText('What you cancel stays in the calendar, marked as cancelled.').waitFor()
    await form.getByRole('button', { name: 'Cancel this date', exact: true }).click()
    await page.locator('.editor-notice', { hasText: 'One event cancelled.' }).waitFor()
    await page.goto(`${site}/admin/events/${id}/`)
    await dates.getByLabel('Leave out').nth(2).check()
    await page.locator('.editor-side button[value=save]').click()
    await page.locator('.editor-notice', { hasText: 'Clay' }).waitFor()
    await page.goto(`${site}/admin/events/?search=Clay`)
    const linesOf =
      "[...document.querySelectorAll('.row-title a')].map(a => getComputedStyle(a).textDecorationLine)"
    expect(await page.evaluate(linesOf)).toEqual([
      expect.not.stringContaining('line-through'),
      expect.stringContaining('line-through'),
      expect.not.stringContaining('line-through'),
    ])
  })

  it('the name of the user is cut before that of the calendar, the link to the start page', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(`${site}/admin/`)
    await page.locator('.account-name').evaluate(name => {
      name.textContent = 'Anna O’Neill-Müller'
    })
    const end = async (part: string) => {
      const box = await page.locator(part).boundingBox()
      return (box?.x ?? Number.NaN) + (box?.width ?? 0)
    }
    expect((await page.locator('.site-name').boundingBox())?.width).toBeGreaterThan(40)
    expect(await end('.header-links summary')).toBeLessThanOrEqual(320 - 8)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  it('a repetition ends under a name of its own', async () => {
    await page.goto(`${site}/admin/events/new/`)
    await page.selectOption('select[name=recurrence]', 'weekly')
    expect(await page.getByText('Repetition ends', { exact: true }).count()).toBe(1)
  })

  it('the settings have headings, and choices of what has names', async () => {
    await page.goto(`${site}/admin/settings/`)
    expect(await page.locator('#editor-form h2').count()).toBeGreaterThanOrEqual(5)
    for (const name of ['timezone', 'language', 'currency'])
      expect(await page.locator(`select#f-${name}`).count(), name).toBe(1)
    // UTC can be chosen again after another.
    for (const zone of ['Europe/Berlin', 'UTC']) {
      await page.selectOption('#f-timezone', zone)
      await page.locator('#editor-form .actions button').click()
      await page.locator('.editor-notice').waitFor()
      expect(await page.inputValue('#f-timezone')).toBe(zone)
    }
    expect(await findings(page, 1)).toEqual([])
  })

  it('the point of the header image that stays visible is set by a click on the image', async () => {
    const ask = askAsOwner(server)
    type WithImage = { image: { id: number } | false }
    const { events } = await ask<{ events: WithImage[] }>('GET', '/events?per_page=20')
    const [image] = events.flatMap(({ image }) => (image ? [image.id] : []))
    await ask('PATCH', '/settings', { header_image: image })
    await page.goto(`${site}/admin/settings/`)
    const picture = page.locator('.focus')
    await picture.scrollIntoViewIfNeeded()
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    await picture.click({ position: { x: width / 4, y: (3 * height) / 4 } })
    expect(await page.inputValue('#f-header_focus')).toBe('25 75')
    await page.locator('#editor-form .actions button').click()
    await page.locator('.editor-notice').waitFor()
    expect(await ask('GET', '/settings')).toMatchObject({ header_focus: '25 75' })
    await ask('PATCH', '/settings', { header_image: 0 })
  })

  it('the settings are saved from wherever one is in their form', async () => {
    for (const width of [390, 1280]) {
      await resize(page, width)
      await page.goto(`${site}/admin/settings/`)
      const save = page.locator('#editor-form .actions button')
      const { innerHeight, formEnd } = await page.evaluate<{ innerHeight: number; formEnd: number }>(
        `({ innerHeight, formEnd: document.querySelector('#editor-form').getBoundingClientRect().bottom })`,
      )
      expect(formEnd).toBeGreaterThan(2 * innerHeight)
      for (let top = 0; top < formEnd - innerHeight; top += innerHeight / 2) {
        await page.evaluate(`scrollTo(0, ${top})`)
        const box = await save.boundingBox()
        expect(box?.y, `at ${top} of ${width}`).toBeGreaterThanOrEqual(0)
        expect((box?.y ?? 0) + (box?.height ?? 0), `at ${top} of ${width}`).toBeLessThanOrEqual(innerHeight)
      }
    }
    await resize(page, 1280)
  })

  it('the buttons next to a form have no background of their own', async () => {
    await page.goto(`${site}/admin/events/new/`)
    const ground = await page.evaluate(
      `getComputedStyle(document.querySelector('.editor-side .actions')).backgroundColor`,
    )
    expect(ground).toBe('rgba(0, 0, 0, 0)')
  })

  it('on a phone a new event is near the top of the start page, and what is done is folded', async () => {
    await resize(page, 390)
    await page.goto(`${site}/admin/`)
    const { y = 999 } =
      (await page.locator('.start-actions a[href="/admin/events/new/"]').boundingBox()) ?? {}
    expect(y).toBeLessThanOrEqual(300)
    const folded = page.locator('.first-steps details')
    expect(await folded.locator('summary').textContent()).toMatch(/^\d of 7 done$/)
    expect(await folded.locator('li').first().isVisible()).toBe(false)
    expect(await page.locator('.first-steps .is-done:visible').count()).toBe(0)
    expect(await findings(page, 1)).toEqual([])
    await resize(page, 1280)
  })

  it('the large links of the start page fill their rows at every width, in the longest language, too', async () => {
    const speak = (language: string) => askAsOwner(server)('PATCH', '/settings', { language })
    for (const language of ['de', 'en']) {
      await speak(language)
      await page.goto(`${site}/admin/`)
      for (const width of [320, 640, 768, 1024, 1280]) {
        await resize(page, width)
        const last = await page.locator('.start-actions li:last-child a').boundingBox()
        const list = await page.locator('.start-actions').boundingBox()
        const [end, right] = [last, list].map(box => box && Math.round(box.x + box.width))
        expect(end, `${language} at ${width}`).toBe(right)
      }
    }
    await resize(page, 1280)
  })

  it('a cancelled event of the coming week is struck through on the start page, and no other is', async () => {
    const ask = askAsOwner(server)
    const day = dayFromNow(1)
    for (const [title, event_status] of [
      ['Gravel', 'canceled'],
      ['Sand', 'scheduled'],
    ])
      await ask('POST', '/events', {
        title,
        event_status,
        start_date: `${day} 09:00`,
        end_date: `${day} 10:00`,
      })
    await page.goto(`${site}/admin/`)
    const lines = await page.evaluate<Record<string, string>>(
      "Object.fromEntries([...document.querySelectorAll('.coming a')].map(a => [a.textContent, getComputedStyle(a).textDecorationLine]))",
    )
    expect(lines).toMatchObject({ Gravel: 'line-through', Sand: 'none' })
  })

  it.each([
    ['/admin/events/', 2],
    ['/admin/events/?view=draft', 1],
  ])('the first row of %s is near the top', async (path, least) => {
    for (const [width, most] of [
      [320, 400],
      [390, 400],
      [768, 400],
      [1280, 320],
      [1600, 320],
    ] as const) {
      await resize(page, width)
      await page.goto(site + path)
      expect(await page.locator('.events-rows .row').count()).toBeGreaterThanOrEqual(least)
      const { y = 999 } = (await page.locator('.events-rows .row').first().boundingBox()) ?? {}
      expect(y, `at ${width}`).toBeLessThanOrEqual(most)
      const { scrollWidth } = await page.evaluate<{ scrollWidth: number }>(
        '({ scrollWidth: document.documentElement.scrollWidth })',
      )
      expect(scrollWidth).toBeLessThanOrEqual(width)
    }
    await resize(page, 1280)
    expect(await findings(page, 0)).toEqual([])
    // The search is there, folded.
    await page.locator('.find summary').click()
    expect(await page.locator('.find [name=search]').isVisible()).toBe(true)
  })

  it('the first row of events is near the top in German, too, whose buttons are the longest', async () => {
    const speak = (language: string) => askAsOwner(server)('PATCH', '/settings', { language })
    await speak('de')
    for (const width of [360, 390]) {
      await resize(page, width)
      await page.goto(`${site}/admin/events/`)
      const { y = 999 } = (await page.locator('.events-rows .row').first().boundingBox()) ?? {}
      expect(y, `at ${width}`).toBeLessThanOrEqual(400)
    }
    await resize(page, 1280)
    await speak('en')
  })

  it('an empty list blames the search only if there was one', async () => {
    const sorry = page.getByText('Try other words', { exact: false })
    await page.goto(`${site}/admin/events/?view=pending`)
    expect([await page.locator('.empty').count(), await sorry.count()]).toEqual([1, 0])
    await page.goto(`${site}/admin/events/?search=xylophone`)
    expect([await page.locator('.empty').count(), await sorry.count()]).toEqual([1, 1])
  })

  it('the link of an invitation is copied by the filled button', async () => {
    await page.goto(`${site}/admin/users/`)
    await page.getByText('Invite', { exact: false }).first().waitFor()
    const help = await page.locator('.form-field:has([name=login]) .field-help').innerText()
    const [use, limit] = ['signing in', 'changed'].map(words => help.indexOf(words))
    expect(use).toBeGreaterThanOrEqual(0)
    expect(limit).toBeGreaterThan(use ?? 0)
    await page.fill('[name=login]', 'grace')
    await page.locator('form:has([name=login]) button[type=submit]').last().click()
    const filled = page.locator('main .button:not(.button-quiet):visible')
    await filled.first().waitFor()
    expect(await filled.allTextContents()).toEqual(['Copy link'])
  })
})
