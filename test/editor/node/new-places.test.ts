import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, dayFromNow, type Service, startService } from '../../service.ts'
import { findings } from '../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'

// Venues and organizers that a form names before the calendar knows them.

const DAY = dayFromNow(40)

type Linked = {
  venue?: { venue: string; city?: string }
  organizer?: { organizer: string; email?: string }[]
}

describe('a venue or organizer that the calendar does not know', { tags: ['browser'] }, () => {
  let server: Service
  let site: string
  let page: Page
  let api: ReturnType<typeof askAsOwner>
  let complaints: string[]

  beforeAll(async () => {
    server = await startService({ SUBMISSIONS: 'on' })
    api = askAsOwner(server)
    site = new URL(server.api).origin
    ;({ page, complaints } = await openPage())
    await signInOwner(page, site, server)
    await api('POST', '/venues', { venue: 'Alte Mühle', city: 'Kent' })
    await api('POST', '/organizers', { organizer: 'Kulturverein Kent' })
  })
  afterAll(async () => {
    await closePages()
    await server?.stop()
  })

  const fill = async (title: string, path = '/admin/events/new/') => {
    await page.goto(site + path)
    await page.fill('#f-title', title)
    await page.fill('#f-start_date', DAY)
    await page.fill('#f-start_date-time', '20:00')
  }
  const publish = async () => {
    await page.click('.editor-side button[value=save]')
    await page.waitForSelector('.editor-notice')
  }
  const stored = async (title: string) => {
    const { events } = await api<{ events: Linked[] }>(
      'GET',
      `/events?search=${title}&status=publish,pending,draft`,
    )
    return events[0]
  }
  const heading = (name: string) => page.textContent(`#f-${name}-group .in-place > summary`)
  const inside = (name: string, field: string) => page.inputValue(`#f-${name}-new-${field}`)

  for (const [way, go] of [
    ['Tab', () => page.press('#f-venue', 'Tab')],
    ['Enter', () => page.press('#f-venue', 'Enter')],
  ] as const)
    it(`is added by its name and ${way}, with a field for its town`, async () => {
      await fill(`By${way}`)
      await page.fill('#f-venue', `Saal ${way}`)
      await go()
      await expect.poll(() => inside('venue', 'venue')).toBe(`Saal ${way}`)
      expect(await heading('venue'), way).toBe('New venue')
      expect(await findings(page, 1), way).toEqual([])
      await page.fill('#f-venue-new-city', 'Ebene')
      await publish()
      expect(await stored(`By${way}`)).toMatchObject({ venue: { venue: `Saal ${way}`, city: 'Ebene' } })
    })

  it('is new if one publishes right after typing it, and so is an organizer', async () => {
    await fill('Goingon')
    await page.evaluate(`for (const fold of document.querySelectorAll('details.form-fold')) fold.open = true`)
    await page.fill('#f-organizer', 'Verein der Freunde')
    await page.fill('#f-venue', 'Scheune am Bach')
    await publish()
    expect(await stored('Goingon')).toMatchObject({
      venue: { venue: 'Scheune am Bach' },
      organizer: [{ organizer: 'Verein der Freunde' }],
    })
  })

  it('is asked about, with those of similar names, and no input is lost', async () => {
    await fill('Nearly')
    await page.fill('#f-room', 'Upstairs')
    for (const [typed, made] of [
      ['Alte', 'Create “Alte”'],
      ['Alte Mühel', 'Create “Alte Mühel”'],
    ] as const) {
      await page.fill('#f-venue', typed)
      await page.locator('#f-venue-matches [role=option]', { hasText: made }).waitFor()
      expect(await page.locator('#f-venue-matches [role=option]').allTextContents(), typed).toEqual([
        'Alte Mühle, Kent',
        made,
      ])
    }
    await page.click('.editor-side button[value=save]')
    const box = page.locator('.found').getByLabel('Alte Mühle')
    await box.waitFor()
    expect([await page.inputValue('#f-venue'), await page.inputValue('#f-room')]).toEqual([
      'Alte Mühel',
      'Upstairs',
    ])
    await box.check()
    await publish()
    expect(await stored('Nearly')).toMatchObject({ venue: { venue: 'Alte Mühle' } })
  })

  it('replaces another new one with all that was typed of it, and a known one replaces it', async () => {
    await fill('Replaced')
    await page.fill('#f-start_date-time', '10:00')
    await page.fill('#f-venue', 'Erster Saal')
    await page.press('#f-venue', 'Enter')
    await page.fill('#f-venue-new-city', 'Erstadt')
    await page.fill('#f-venue', 'Zweiter Raum')
    await page.press('#f-venue', 'Enter')
    await expect.poll(() => inside('venue', 'venue')).toBe('Zweiter Raum')
    expect(await inside('venue', 'city')).toBe('')
    await page.fill('#f-venue', 'Alte')
    await page.waitForSelector('#f-venue-matches [aria-selected=true]')
    await page.press('#f-venue', 'Enter')
    expect([await inside('venue', 'venue'), await heading('venue')]).toEqual(['', 'Add a new venue'])
    await publish()
    expect(await stored('Replaced')).toMatchObject({ venue: { venue: 'Alte Mühle' } })
  })

  it('a second new organizer does not get what was typed of the first', async () => {
    await fill('Twoofthem')
    await page.evaluate(`for (const fold of document.querySelectorAll('details.form-fold')) fold.open = true`)
    await page.fill('#f-organizer', 'Band Eins')
    await page.press('#f-organizer', 'Enter')
    await page.fill('#f-organizer-new-email', 'eins@example.org')
    await page.fill('#f-organizer', 'Chor Zwei')
    await page.press('#f-organizer', 'Enter')
    await expect
      .poll(() => page.evaluate(`document.querySelector('#f-organizer').validationMessage`))
      .toContain('Only one new one at a time')
    expect([await inside('organizer', 'organizer'), await inside('organizer', 'email')]).toEqual([
      'Band Eins',
      'eins@example.org',
    ])
    await page.fill('#f-organizer', '')
    await publish()
    expect(await stored('Twoofthem')).toMatchObject({ organizer: [{ organizer: 'Band Eins' }] })
    expect(complaints.filter(text => !text.includes('422'))).toEqual([])
  })

  for (const javaScriptEnabled of [true, false])
    it(`waits for review with what a visitor submits, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const open = await openPage({ javaScriptEnabled })
      const visitor = open.page
      const title = javaScriptEnabled ? 'Scripted' : 'Plainly'
      await visitor.goto(`${site}/submit/`)
      const shown = Date.now()
      await visitor.fill('#f-title', title)
      await visitor.fill('#f-start_date', DAY)
      await visitor.fill('#f-start_date-time', '20:00')
      await visitor.fill('#f-email', 'visitor@example.org')
      await visitor.fill('#f-venue', `Neuhaus ${title}`)
      // Faster ones are taken for robots.
      await expect.poll(() => Date.now() - shown).toBeGreaterThan(3_000)
      const send = visitor.locator('.actions button[value=save]')
      await send.click()
      if (!javaScriptEnabled) {
        await visitor.getByText('isn’t known here').first().waitFor()
        expect(await visitor.inputValue('#f-venue-new-venue')).toBe(`Neuhaus ${title}`)
        await visitor.fill('#f-venue-new-city', 'Ebene')
        await send.click()
      }
      await visitor.waitForURL(/sent=1/)
      expect(await stored(title)).toMatchObject({ status: 'pending', venue: { venue: `Neuhaus ${title}` } })
      await open.close()
    })
})
