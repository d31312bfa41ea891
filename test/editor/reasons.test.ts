import { describe, expect, it } from 'vitest'
import { makeCategory, makeEvent, SITE } from '../factories.ts'
import { signedIn } from './session.ts'

// What people read in forms is in the language of the page, whatever the API says to programs.

const admin = signedIn('administrator')

/** Saves a form in German. @returns the text of the page */
async function refusalOf(path: string, fields: Record<string, string>): Promise<string> {
  const { status, text } = await admin.browser.with({ LANGUAGE: 'de' }).save(path, fields)
  expect(status).toBe(422)
  return text
}

describe('a form in German says in German', () => {
  it.each([
    ['settings', { map_tiles: 'tiles.example' }, 'Bitte eine https-Adresse angeben, in der {z}, {x} und {y}'],
    ['settings', { events_per_page: '101' }, 'Das muss eine ganze Zahl von 1 bis 100 sein.'],
    [
      'sources/new',
      { url: `${SITE}/events.ics`, do: 'look' },
      'Das ist die Adresse dieses Kalenders selbst.',
    ],
  ])('what is wrong on the page of %s: %o', async (page, fields, reason) => {
    expect(await refusalOf(`/admin/${page}/`, fields)).toContain(reason)
  })

  it('why a category can’t be named or placed so', async () => {
    const { id } = await makeCategory(admin.as, 'Zoology')
    await makeCategory(admin.as, 'Botany')
    const path = `/admin/categories/${id}/`
    expect(await refusalOf(path, { name: 'Botany' })).toContain('Das ist schon vergeben.')
    expect(await refusalOf(path, { parent: String(id) })).toContain('Nichts kann Teil von sich selbst sein.')
    let parent = 0
    for (let level = 1; level <= 10; level++)
      parent = (await makeCategory(admin.as, `Level ${level}`, { parent })).id
    expect(await refusalOf(path, { parent: String(parent) })).toContain('höchstens 10 Ebenen')
  })

  const MB = 1024 * 1024
  it.each([
    ['a text', ['no image'], 'Möglich sind JPEG, PNG'],
    ['an SVG', ['<svg onload=alert(1)>'], 'Dateien vom Typ SVG'],
    ['a PDF', ['%PDF-1.7'], 'Dateien vom Typ PDF'],
    ['a broken JPEG', [new Uint8Array([255, 216, 255, 224])], 'Dieses Bild ist beschädigt'],
    ['10.5 MB', [new Uint8Array(10.5 * MB)], 'Diese Datei ist zu groß: höchstens 10 MB.'],
    ['13 MB', [new Uint8Array(13 * MB)], 'Diese Datei ist zu groß: höchstens 10 MB.'],
  ])('why %s can’t be an image', async (_, parts, reason) => {
    const browser = admin.browser.with({ LANGUAGE: 'de' })
    const shown = await browser.post('/admin/images/', { file: new File(parts, 'x.png'), alt_text: '' })
    expect(shown.text).toContain(reason)
    expect([413, 422]).toContain(shown.status)
  })

  it('why an event can’t be a part of itself', async () => {
    const { id } = await makeEvent(admin.as)
    expect(await refusalOf(`/admin/events/${id}/`, { post_parent: String(id) })).toContain(
      'Nichts kann Teil von sich selbst sein.',
    )
  })
})
