import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, dayFromNow, declareService } from '../../service.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'
import { pixel } from './pixel.ts'

// What is asked before an event is saved, in a browser without scripts: nothing that was typed or chosen gets
// lost on the way.

type Event = { id: number; start_date: string; event_status: string; image: false | { alt_text?: string } }

const POSTER = pixel('poster.png')

// The service has the real clock.
const BEFORE = dayFromNow(100)
const DAY = dayFromNow(107)

describe('without scripts', { tags: ['browser'] }, () => {
  const server = declareService()
  let page: Page
  let site: string
  let ask: ReturnType<typeof askAsOwner>
  let fair: number
  let parts: number[]

  const make = async (title: string, day: string, time: string, fields: object = {}) => {
    const when = { start_date: `${day} ${time}`, end_date: `${day} 23:00` }
    return (await ask<Event>('POST', '/events', { title, ...when, venue: { venue: 'Town hall' }, ...fields }))
      .id
  }
  const read = (id: number) => ask<Event>('GET', `/events/${id}`)
  const states = async () =>
    (await Promise.all([fair, ...parts].map(read))).map(({ start_date, event_status }) =>
      [start_date.slice(0, 16), event_status].join(' '),
    )
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  const heading = () => page.getByRole('heading', { level: 1 }).textContent()
  const save = () => page.click('.editor-side button[value=save]')

  beforeAll(async () => {
    ask = askAsOwner(server)
    site = new URL(server.api).origin
    ;({ page } = await openPage({ javaScriptEnabled: false }))
    await signInOwner(page, site, server)
    await make('A play', DAY, '20:00')
    fair = await make('Fair', BEFORE, '19:00')
    parts = [
      await make('Opening', BEFORE, '19:00', { post_parent: fair }),
      await make('Fireworks', BEFORE, '22:00', { post_parent: fair }),
    ]
  })
  afterAll(closePages)

  it('a move into a taken hall asks about that, then about the programme, and keeps the chosen image', async () => {
    await page.goto(`${site}/admin/events/${fair}/`)
    await page.fill('#f-start_date', DAY)
    await page.locator('input[type=file]').first().setInputFiles(POSTER)
    await page.getByRole('textbox', { name: 'What the image shows' }).fill('Lanterns')
    await page.locator('#f-cost').fill('7')
    await save()
    expect(await heading()).toBe('Something else is on there at that time')
    expect(await page.getByRole('listitem').filter({ hasText: 'A play' }).textContent()).toContain(
      'Town hall',
    )
    await button('Continue editing').click()
    expect(await page.locator('#f-cost').inputValue()).toBe('7')
    expect(await page.inputValue('#f-start_date')).toBe(DAY)
    await save()
    await button('Save anyway').click()
    expect(await heading()).toBe('What should happen to the programme?')
    expect(await page.getByLabel('They move with it').isChecked()).toBe(true)
    await button('Continue editing').click()
    expect(await page.locator('#f-cost').inputValue()).toBe('7')
    await save()
    await button('Save anyway').click()
    await button('Save').click()
    expect(await page.textContent('.editor-notice')).toContain('Saved: Fair')
    expect(await states()).toEqual(['19:00', '19:00', '22:00'].map(time => `${DAY} ${time} scheduled`))
    expect(await read(fair)).toMatchObject({ cost: '$7', image: { alt_text: 'Lanterns' } })
  })

  it('parts stay where they are if that is chosen', async () => {
    await page.fill('#f-start_date', BEFORE)
    await save()
    await page.getByLabel('They stay as they are').check()
    await button('Save').click()
    expect(await page.textContent('.editor-notice')).toContain('Saved: Fair')
    expect(await states()).toEqual(
      [`${BEFORE} 19:00`, `${DAY} 19:00`, `${DAY} 22:00`].map(start => `${start} scheduled`),
    )
  })

  it('they are cancelled with the event by its button, with the reason', async () => {
    await page.click('.event-actions summary:has-text("Cancel event")')
    await page.fill('#cancel-reason', 'Storm')
    await page.click('.event-actions button[value=cancel]')
    expect(await heading()).toBe('What should happen to the programme?')
    await page.getByLabel('They are cancelled as well').check()
    await page.locator('main form button[value=cancel]').click()
    expect(await page.textContent('.editor-notice')).toContain('3 events cancelled.')
    expect((await states()).every(state => state.endsWith(' canceled'))).toBe(true)
    expect(await read(parts[1] ?? 0)).toMatchObject({ event_status_reason: 'Storm' })
  })
})
