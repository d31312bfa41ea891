import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JPEG } from '../../calendar/media/samples.ts'
import { askAsOwner, dayFromNow, type Service, startService } from '../../service.ts'
import { findings } from '../../site/pages/node/axe.ts'
import { closePages, openPage } from '../../site/pages/node/browser.ts'
import { signInOwner } from './owner.ts'

const DAY = dayFromNow(200)

describe('the visual editor of a text', { tags: ['browser'] }, () => {
  let server: Service
  let site: string
  let page: Page
  let api: ReturnType<typeof askAsOwner>

  beforeAll(async () => {
    server = await startService({ SUBMISSIONS: 'on' })
    api = askAsOwner(server)
    site = new URL(server.api).origin
    ;({ page } = await openPage())
    await signInOwner(page, site, server)
  })

  afterAll(async () => {
    await closePages()
    await server?.stop()
  })

  const create = async (description: string): Promise<number> => {
    const body = { title: 'A text', start_date: `${DAY} 20:00:00`, end_date: `${DAY} 22:00:00`, description }
    return (await api<{ id: number }>('POST', '/events', body)).id
  }

  const stored = async (id: number) =>
    (await api<{ description: string }>('GET', `/events/${id}`)).description

  const open = (id?: number) => page.goto(`${site}/admin/events/${id === undefined ? 'new' : id}/`)

  const save = async () => {
    await page.click('.editor-side button[value=save]')
    await page.waitForSelector('.editor-notice')
  }

  const visual = () => page.locator('.writing-page')
  const tool = (name: string) =>
    page.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name, exact: true })
  const written = () => page.inputValue('#f-description')

  /** Pastes HTML at the caret, as other programs offer it. */
  const paste = (html: string) =>
    page.evaluate(
      `(() => {
        const data = new DataTransfer()
        data.setData('text/html', ${JSON.stringify(html)})
        data.setData('text/plain', 'as plain text')
        document.querySelector('.writing-page').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
      })()`,
    )

  it('text becomes bold, a heading, a list or a link, by buttons and by keys', async () => {
    await open(await create(''))
    await visual().click()
    await page.keyboard.type('Programme')
    await tool('Heading').click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Loud and ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('free')
    await page.keyboard.press('Control+b')
    expect(await tool('Bold').getAttribute('aria-pressed')).toBe('false')
    await page.keyboard.press('Enter')
    await tool('List').click()
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    await page.keyboard.type('More')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Address of the link' }).fill('example.org/more')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.writing-dialog', { state: 'detached' })
    await expect
      .poll(written)
      .toBe(
        '<h2>Programme</h2>\n<p>Loud and <strong>free</strong></p>\n' +
          '<ul><li>One</li><li><a href="https://example.org/more">More</a></li></ul>',
      )
    const id = Number(page.url().match(/\d+/g)?.at(-1))
    await save()
    expect(await stored(id)).toBe(
      '<h2>Programme</h2>\n<p>Loud and <strong>free</strong></p>\n' +
        '<ul><li>One</li><li><a href="https://example.org/more">More</a></li></ul>',
    )
  })

  it.each([
    '<p class="wp-block-paragraph" style="text-align: center">A <b>bold</b> <i>start</i> </p>\n<p><img class="alignnone" src="https://example.org/a.jpg" alt="" width="300" height="200" /></p>\n<p>Last.</p>',
    '<p>One.</p>\n<blockquote><p>Two.<br />Three.</p></blockquote>\n<ol start="3">\n<li>Four</li>\n</ol>\n<p>Last.</p>\n<p>&nbsp;</p>',
  ])('a change of one paragraph leaves the others as they were: %s', async before => {
    const id = await create(before)
    const sent = await stored(id)
    await open(id)
    await page.locator('.writing-page p', { hasText: 'Last.' }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(' More.')
    await save()
    const after = await stored(id)
    const plain = (html: string) =>
      html
        .replace(/\s*\n\s*/g, '')
        .replaceAll(' />', '>')
        .replaceAll(' </p>', '</p>')
    expect(plain(after)).toBe(plain(sent).replace('Last.', 'Last. More.'))
  })

  it('what nobody touches is saved as it was, and a table is edited as HTML', async () => {
    const table = '<table class="tickets"><tbody><tr><td>Adults</td><td>10 €</td></tr></tbody></table>'
    const id = await create(table)
    const other = await create('First line\n\nSecond   line <br>')
    const before = await Promise.all([id, other].map(stored))
    await open(id)
    expect(await page.getByText('can only be edited as HTML').isVisible()).toBe(true)
    expect(await written()).toBe(table)
    await page.fill('#f-title', 'Another title')
    await save()
    await open(other)
    expect(await page.getByText('can only be edited as HTML').isVisible()).toBe(false)
    await page.fill('#f-title', 'Another title')
    await save()
    expect(await Promise.all([id, other].map(stored))).toEqual(before)
  })

  it('the button for HTML shows what is stored, and leads back', async () => {
    await open(await create('<p>Loud</p>'))
    await tool('HTML').click()
    expect(await tool('Bold').isVisible()).toBe(false)
    await page.fill('#f-description', 'Loud\n\n<em>Free</em><script>alert(1)</script>')
    await tool('HTML').click()
    await visual().waitFor()
    expect(await visual().innerHTML()).toContain('<i>Free</i>')
    expect(await visual().innerHTML()).not.toContain('script')
    await tool('HTML').click()
    await page.fill('#f-description', '<table><tr><td>1</td></tr></table>')
    await tool('HTML').click()
    await page.getByText('can only be edited as HTML').waitFor()
    expect(await visual().isVisible()).toBe(false)
  })

  const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p {mso-style-name: x}</style></head><body>
<!--StartFragment--><h1>Season<o:p></o:p></h1><p class=MsoNormal style='margin:0cm'>A <b style='mso-bidi-font-weight:normal'>bold</b> and <span style='font-style:italic'>fine</span> <span style='mso-bidi-font-weight:bold'>day</span><o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;</span></span><![endif]>One</p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Two</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.</span>First</p>
<table><tr><td><p class=MsoNormal>6 pm<o:p></o:p></p></td><td><p class=MsoNormal>Doors</p></td></tr></table><!--EndFragment--></body></html>`
  const DOCS = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:700">Bold</span><span style="font-weight:400"> and </span><a href="https://example.org/" style="text-decoration:none"><span style="color:#1155cc">linked</span></a></p><ul style="margin:0"><li dir="ltr" aria-level="1"><p role="presentation"><span style="font-weight:400">Item</span></p></li></ul><p><img src="https://example.org/p.png" width="3" onerror="alert(1)"><a href="javascript:alert(1)">bad</a></p></b>`
  it.each([
    [
      'Word',
      WORD,
      '<h2>Season</h2>\n<p>A <strong>bold</strong> and <em>fine</em> day</p>\n<ul><li>One</li><li>Two</li></ul>\n<ol><li>First</li></ol>\n<p>6 pm Doors</p>',
    ],
    [
      'Google Docs',
      DOCS,
      '<p><strong>Bold</strong> and <a href="https://example.org/">linked</a></p>\n<ul><li>Item</li></ul>\n<p><img src="https://example.org/p.png" alt="">bad</p>',
    ],
  ])('text from %s comes without what only that program needs', async (_, html, clean) => {
    await open()
    await visual().click()
    await paste(html)
    const shown = async () =>
      (await written()).replace(/\s*\n\s*/g, '\n').replace(/<li><p>(.*?)<\/p><\/li>/g, '<li>$1</li>')
    await expect.poll(shown).toBe(clean)
  })

  it('an image of the library is put at the caret, with its text', async () => {
    const response = await fetch(`${server.api}/media?alt_text=A%20cat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.password.replaceAll(' ', '')}`,
        'content-type': 'image/jpeg',
        'content-disposition': 'attachment; filename="cat.jpg"',
      },
      body: JPEG,
    })
    expect(response.status).toBe(201)
    await open(await create('<p>Bring it along.</p>'))
    await visual().click()
    await page.keyboard.press('End')
    await tool('Image from the library').click()
    const dialog = page.getByRole('dialog', { name: 'Image from the library' })
    await dialog.getByRole('button', { name: 'A cat' }).click()
    await expect.poll(written).toMatch(/^<p>Bring it along\.<img src="http[^"]+\.jpe?g" alt="A cat"><\/p>$/)
    await save()
  })

  it('is reached and left by keyboard, in one stop for its buttons, and has no findings', async () => {
    await open()
    expect(await page.getByRole('textbox', { name: 'Description' }).getAttribute('id')).toBe(
      'f-description-page',
    )
    await tool('Bold').focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('HTML')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.id')).toBe('f-description-page')
    await page.keyboard.type('Out')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.id')).not.toBe('f-description-page')
    for (const turn of [0, 1]) expect(await findings(page, turn)).toEqual([])
  })

  it('visitors have fewer buttons, and no HTML', async () => {
    await page.goto(`${site}/submit/`)
    const names = await page.getByRole('toolbar', { name: 'Format' }).getByRole('button').allInnerTexts()
    expect(names.map(name => name.trim())).toEqual(['Bold', 'Italic', 'List', 'Link'])
  })
})
