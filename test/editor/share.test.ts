import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runCron } from '../../src/cron.ts'
import { countRows, makeEvent, query, send } from '../factories.ts'
import { page } from '../site/pages/page.ts'
import { signedIn } from './session.ts'

const author = signedIn('author')
const other = signedIn('author')
const editor = signedIn('editor')

const sharePath = (id: number): string => `/admin/events/${id}/share/`

/** Makes a link with the button. @returns its path */
async function share({ browser }: typeof author, id: number): Promise<string> {
  const { html } = await browser.submit(sharePath(id), { do: 'make' })
  return /<code>https?:\/\/[^/]+(\/preview\/[\da-f]{32}-\d+\/)<\/code>/.exec(html)?.[1] ?? ''
}

describe('a preview for others', () => {
  it('shows a draft with its public relations, only at its address', async () => {
    const { id } = await makeEvent(author.as, {
      title: 'Surprise party',
      status: 'draft',
      description: '<p>With <strong>cake</strong>.</p>',
      venue: { venue: 'The secret cellar', status: 'draft' },
    })
    const path = await share(author, id)
    const shown = await page(path)
    expect(shown.status).toBe(200)
    expect(shown.html).toContain('<strong>cake</strong>')
    expect(shown.html).toMatch(/<h1>Surprise party<\/h1>/)
    expect(shown.html).not.toContain('secret cellar')
    // No links to addresses that the event does not have yet.
    expect(shown.html).not.toMatch(/ical|data-share|mailto:/)
    expect(
      Object.fromEntries(
        ['cache-control', 'x-robots-tag', 'referrer-policy'].map(name => [name, shown.headers.get(name)]),
      ),
    ).toEqual({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    expect((await page(`/preview/${'0'.repeat(32)}-${author.id}/`)).status).toBe(404)
    // The digest includes the id of the maker.
    expect((await page(path.replace(/\d+\/$/, `${editor.id}/`))).status).toBe(404)
    const results = await query('SELECT * FROM event_previews')
    expect(JSON.stringify(results)).not.toContain(path.split('/')[2])
  })

  it('is made and revoked by its buttons only', async () => {
    const { id } = await makeEvent(author.as, { title: 'Pressed', status: 'draft' })
    const press = (fields: Record<string, string>) => author.browser.post(sharePath(id), fields)
    expect([(await press({})).status, await countRows('event_previews WHERE event_id = ?', id)]).toEqual([
      303, 0,
    ])
    const path = await share(author, id)
    for (const fields of [{}, { do: 'renew' }, { do: '' }])
      expect([(await press(fields)).status, (await page(path)).status]).toEqual([303, 200])
    const { text } = await author.browser.submit(sharePath(id), { do: 'make' })
    const [until] = /until [^.]*\./.exec(text) ?? []
    expect((await author.browser.get(sharePath(id))).text).toContain(until ?? 'no date')
  })

  it('ends when its maker loses the right to edit the event', async () => {
    const { id } = await makeEvent(author.as, { title: 'Handed over', status: 'draft' })
    const path = await share(editor, id)
    const become = (role: string, of = editor.id) => query('UPDATE users SET role = ? WHERE id = ?', role, of)
    const statusAs = async (role: string) => {
      await become(role)
      return (await page(path)).status
    }
    expect([await statusAs('author'), await statusAs('editor')]).toEqual([404, 200])
    await query('UPDATE events SET author_id = ? WHERE id = ?', editor.id, id)
    expect([await statusAs('contributor'), await statusAs('subscriber')]).toEqual([200, 404])
    await become('editor')
  })

  it('ends with its event, by a new link, by revocation, and after seven days', async () => {
    const { id } = await makeEvent(author.as, { title: 'Rehearsed', status: 'draft' })
    const first = await share(author, id)
    const second = await share(editor, id)
    expect([(await page(first)).status, (await page(second)).status]).toEqual([404, 200])
    const revoked = await author.browser.submit(sharePath(id), { do: 'revoke' })
    expect(revoked.text).toContain('The link no longer works.')
    expect((await page(second)).status).toBe(404)
    const third = await share(author, id)
    await send('DELETE', `/events/${id}`, { as: author.as })
    expect((await page(third)).status).toBe(404)
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { status: 'draft' } })
    const fourth = await share(author, id)
    await query("UPDATE event_previews SET expires_utc = '2026-11-01 00:00:00'")
    expect((await page(fourth)).status).toBe(404)
    await runCron(env, Date.now())
    expect(await countRows('event_previews')).toBe(0)
  })

  it('redirects to the page of the event once that is public', async () => {
    const { id } = await makeEvent(author.as, { title: 'Out now', status: 'draft' })
    const path = await share(author, id)
    const { url } = (await send('PATCH', `/events/${id}`, { as: author.as, json: { status: 'publish' } }))
      .body
    const led = await page(path)
    expect([led.status, led.headers.get('location')]).toEqual([302, new URL(url).pathname])
  })

  it('is made only by users who may edit the event', async () => {
    const { id } = await makeEvent(author.as, { title: 'Mine alone', status: 'draft' })
    for (const shown of [
      await other.browser.get(sharePath(id)),
      await other.browser.post(sharePath(id), { do: 'make' }),
    ])
      expect([shown.status, shown.html.includes('Mine alone')]).toEqual([403, false])
    expect((await editor.browser.get(sharePath(id))).text).toContain('Create a link')
  })
})
