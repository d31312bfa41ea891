import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../../commands/spawn.ts'
import { declareService } from '../../service.ts'
import { findings } from '../../site/pages/node/axe.ts'
import { closePages, type OpenPage, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'

describe('a file of events in a browser', { tags: ['browser'] }, () => {
  const server = declareService()
  let site: string
  let opened: OpenPage

  beforeAll(async () => {
    site = new URL(server.api).origin
    opened = await openPage()
    await signInOwner(opened.page, site, server)
  })

  afterAll(closePages)

  it('is chosen, looked at, imported by itself and undone, by keyboard', { timeout: LONG }, async () => {
    const { page, complaints } = opened
    const rows = Array.from(
      { length: 130 },
      (_, i) => `Walk ${i + 1};Sat, Dec 12;${8 + (i % 9)}:00;Hill ${i % 5};x`,
    )
    const text = ['Title;When;Time;Place;Kick', ...rows, 'Odd;soon;;;', 'Two ways;5/6/2027;;;'].join('\r\n')
    const expectNoFindings = async (path: string, turn: number) => {
      await page.evaluate("document.querySelectorAll('details:not([name])').forEach(e => { e.open = true })")
      expect(await findings(page, turn), path).toEqual([])
    }
    await page.goto(`${site}/admin/sources/file/`)
    await expectNoFindings('choose', 0)
    await page.setInputFiles('#file', { name: 'walks.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.focus('.editor-main button[type=submit], main button[type=submit]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#events')
    for (const turn of [0, 1, 2, 3]) await expectNoFindings('preview', turn)
    // Enter in a field shows the choices, and imports nothing.
    await page.focus('#dates')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=131 events can be')
    await page.check('#leave-out')
    await page.focus('button[value=import]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#runs')
    // The page goes on by itself.
    await page.waitForSelector('text=131 new, 1 skipped')
    await expectNoFindings('imported', 1)
    await page.click('a[href$="/undo/"]')
    expect(await page.textContent('h1 + p')).toContain('131 events of walks.csv')
    await expectNoFindings('undo', 2)
    expect(complaints).toEqual([])
  })
})
