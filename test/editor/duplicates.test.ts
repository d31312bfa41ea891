import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { makeEvent, query, queryValue, send } from '../factories.ts'
import { signedIn, signIn } from './session.ts'

// Events of different calendars that may be the same: the queue, and what an event's page says.

const editor = signedIn('editor')

const PATH = '/admin/sources/duplicates/'

/** Makes a pair that waits: an own event, and one of a calendar elsewhere. */
async function ask(title: string, other = title) {
  const own = await makeEvent(editor.as, { title, cost: '5' })
  const theirs = await makeEvent(editor.as, { title: other })
  const { body: source } = await send('POST', '/sources', {
    as: editor.as,
    json: { name: 'Town & Theatre', url: 'https://nobody.invalid/', every: '' },
  })
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO imports (source, kind, external_id, target_id, hash) VALUES (?, 'event', ?, ?, '')`,
    ).bind(`source:${source.id}`, title, theirs.id),
    env.DB.prepare(
      `INSERT INTO twins (first_id, second_id, state, likeness, at_utc) VALUES (?, ?, 'asked', 0.8, '2026-11-20 10:00:00')`,
    ).bind(own.id, theirs.id),
  ])
  const found = await queryValue('SELECT max(id) FROM twins')
  return { own, theirs, path: `${PATH}${found}/` }
}

const read = async (id: number) => (await send('GET', `/events/${id}`, { as: editor.as })).body

describe('events that may be the same', () => {
  it('are still found at the address to which earlier mails link', async () => {
    const response = await editor.browser.get('/admin/sources/twins/?page=2')
    expect([response.status, response.headers.get('location')]).toEqual([303, `${PATH}?page=2`])
  })

  it('are not joined if one was changed since both were shown', async () => {
    const { own, theirs, path } = await ask('Market')
    const form = async () => {
      const { html } = await editor.browser.get(PATH)
      const [, shown = ''] =
        new RegExp(`name="shown" value="([^"]*event\\.${own.id}\\.[^"]*)"`).exec(html) ?? []
      return { same: '1', shown }
    }
    const seen = await form()
    await send('PATCH', `/events/${theirs.id}`, {
      as: editor.as,
      json: { website: 'https://harmful.example/' },
    })
    expect((await editor.browser.submit(path, seen)).text).toContain('changed while you were looking')
    expect((await read(own.id)).website).not.toContain('harmful')
    expect((await editor.browser.submit(path, await form())).text).toContain('Lists now show only')
    expect((await editor.browser.post(`${PATH}999/`, { same: '1' })).status).toBe(404)
  })

  it('are shown side by side, and can be combined and separated', async () => {
    const { own, theirs, path } = await ask('Choir <i>& Band', 'Choir and band')
    const page = await editor.browser.get(PATH)
    expect(page.html).toContain('Choir &amp; Band')
    expect(page.text).toMatch(/Choir & Band and Choir and band.*Entered here Town & Theatre/s)
    expect(page.text).toMatch(/Price \(different\)/)
    expect(page.text).not.toMatch(/When \(different/)
    // The menu says how many wait.
    expect(page.html).toMatch(/Other calendars <span class="tab-count">1</)
    const joined = await editor.browser.submit(path, { same: '1' })
    expect(joined.text).toContain('Lists now show only “Choir & Band”.')
    expect(joined.links).toContain(`${PATH}?view=joined`)
    expect(await read(theirs.id)).toMatchObject({ duplicate_of: own.id })
    expect((await editor.browser.get(`${PATH}?view=joined`)).text).toMatch(/Entered here In lists/)
    const trashed = { as: editor.as, json: { status: 'trash' } }
    await send('PATCH', `/events/${own.id}`, trashed)
    const neither = (await editor.browser.get(`${PATH}?view=joined`)).text
    expect(neither).toContain('The event that lists showed is in the trash.')
    expect(neither).not.toMatch(/neither of the two\. Entered here In lists/)
    expect((await editor.browser.get(`/admin/events/${theirs.id}/`)).text).toContain(
      'showed is in the trash.',
    )
    await send('PATCH', `/events/${own.id}`, { ...trashed, json: { status: 'publish' } })
    const shown = await editor.browser.get(`/admin/events/${own.id}/`)
    expect(shown.text).toMatch(/It also stands in for Choir and band \(Town & Theatre\) ?\./)
    const hidden = await editor.browser.get(`/admin/events/${theirs.id}/`)
    expect(hidden.text).toContain('Lists show Choir & Band instead.')
    const apart = await editor.browser.submit(`/admin/events/${theirs.id}/separate/`, {
      back: String(own.id),
    })
    expect(apart.text).toMatch(/Both are in lists.*Starts/s)
    expect(apart.text).not.toContain('stands in for')
    expect((await read(theirs.id)).duplicate_of ?? null).toBe(null)
    expect((await editor.browser.get(`${PATH}?view=different`)).text).toContain('Combine after all')
    expect((await editor.browser.submit(path, { same: '1' })).text).toContain('Lists now show only')
    expect((await editor.browser.submit(path, { same: '0' })).text).toContain('Both are in lists')
  })

  it('are told to those who may not decide, without a button', async () => {
    const author = await signIn('author')
    const { own, theirs, path } = await ask('Reading')
    await query('UPDATE events SET author_id = (SELECT max(id) FROM users) WHERE id = ?', theirs.id)
    await editor.browser.post(path, { same: '1' })
    const page = await author.browser.get(`/admin/events/${theirs.id}/`)
    expect(page.text).toContain('Lists show Reading instead.')
    expect(page.html).not.toContain('/separate/')
    expect((await author.browser.get('/admin/')).text).not.toContain('Other calendars')
    expect((await read(theirs.id)).duplicate_of).toBe(own.id)
  })

  it('leave the queue when one of them is moved to the trash', async () => {
    const { theirs } = await ask('Thrown away')
    expect((await editor.browser.get(PATH)).text).toContain('Thrown away')
    await send('DELETE', `/events/${theirs.id}`, { as: editor.as })
    expect((await editor.browser.get(PATH)).text).not.toContain('Thrown away')
    for (const query of ['?view=nonsense', '?page=0', '?page=x'])
      expect((await editor.browser.get(PATH + query)).status, query).toBe(400)
    expect((await editor.browser.get(`${PATH}?page=9`)).text).toContain('nothing to decide')
  })
})
