import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runCron } from '../../../src/cron.ts'
import { from, visitors } from '../../calendar/intake/submit.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { signedIn } from '../../editor/session.ts'
import { countRows, makeEvent, query, SITE, send } from '../../factories.ts'
import { page, textOf } from '../../site/pages/page.ts'

const editor = signedIn('editor')
const author = signedIn('author')
const { ask } = visitors()

const SAID = { text: 'It begins at eight & not at nine.', name: 'Ann', email: 'ann@example.org' }

const tell = (json: object, network?: string, asked = ask) =>
  asked('POST', '/submissions', { json, headers: from(network) })

const stored = () => query('SELECT * FROM remarks ORDER BY id')
let event: Awaited<ReturnType<typeof makeEvent>>

beforeEach(async () => {
  await query('DELETE FROM remarks')
  await query('DELETE FROM limit_counts')
  event = await makeEvent(editor.as, { title: 'Jazz night' })
})

describe('a remark on an event', () => {
  it('waits in the review with a link to its event, and changes nothing', async () => {
    const before = (await send('GET', `/events/${event.id}`)).body
    const { status, body } = await tell({ ...SAID, about: event.id, title: 'Ignored', status: 'trash' })
    expect([status, body.state]).toEqual([201, 'pending'])
    expect((await send('GET', `/events/${event.id}`)).body).toEqual(before)
    const { html, text } = await editor.browser.get('/admin/review/')
    expect(text).toMatch(
      /Remarks from visitors Jazz night It begins at eight & not at nine\. Submitted by Ann/,
    )
    expect(html).toContain(`href="/admin/events/${event.id}/"`)
    expect((await author.browser.get('/admin/review/')).status).toBe(403)
    const [{ id } = {}] = await stored()
    const dealWith = async (id: unknown) =>
      (await editor.browser.submit('/admin/review/remark/', { id: String(id) })).text
    expect(await dealWith('')).toContain('This remark had already been deleted.')
    expect(await stored()).toHaveLength(1)
    expect(await dealWith(id)).toContain('The remark was deleted, along with its sender’s address.')
    expect(await stored()).toEqual([])
    const again = await dealWith(id)
    expect(again).toContain('This remark had already been deleted.')
    expect(again).not.toContain('The remark was deleted')
  })

  it('can only be about an event that everybody may see', async () => {
    const draft = await makeEvent(editor.as, { title: 'Secret', status: 'draft' })
    for (const about of [draft.id, 9_999]) {
      const { status, body } = await tell({ ...SAID, about })
      expect([status, body.message]).toEqual([400, `Invalid parameter(s): about: there is no event ${about}`])
      expect(body.data.params).toEqual({ about: `there is no event ${about}` })
    }
    expect((await ask('GET', `${SITE}/submit/about/${draft.id}/`)).status).toBe(404)
  })

  it('needs a text and an address, and an event needs its own fields', async () => {
    expect((await tell({ about: event.id })).body.data.params).toEqual(['text', 'email'])
    expect((await tell({ text: 'About nothing' })).body.data.params).toEqual([
      'title',
      'start_date',
      'end_date',
      'email',
    ])
    const long = await tell({ ...SAID, about: event.id, text: 'x'.repeat(2_001) })
    expect(Object.keys(long.body.data.params)).toEqual(['text'])
  })

  it('keeps to the limits and rules of submissions', async () => {
    const sendFrom = (network: string) => tell({ ...SAID, about: event.id }, network)
    for (let n = 0; n < 5; n++) expect((await sendFrom('192.0.2.1')).status).toBe(201)
    expect((await sendFrom('192.0.2.1')).status).toBe(429)
    expect((await sendFrom('198.51.100.1')).status).toBe(201)
    const ofHome = []
    for (let n = 0; n < 20; n++) ofHome.push((await sendFrom(`2001:db8:1:1${n % 5}::1`)).status)
    expect(ofHome.filter(status => status === 201)).toHaveLength(15)
    const links = Array.from({ length: 6 }, (_, n) => `https://shop-${n}.example/`).join(' ')
    expect((await tell({ ...SAID, about: event.id, text: links }, '203.0.113.1')).status).toBe(422)
    const closed = visitors({ SUBMISSIONS: 'off' })
    expect((await tell({ ...SAID, about: event.id }, undefined, closed.ask)).status).toBe(404)
  })

  it('is sent by a form, linked on the page of each event, which accepts it once', async () => {
    const path = `/submit/about/${event.id}/`
    const on = await page(`/event/${event.slug}/`, { vars: { SUBMISSIONS: 'on' } })
    expect(on.links).toContain(path)
    expect((await page(`/event/${event.slug}/`)).links).not.toContain(path)
    const { text: html } = await ask('GET', SITE + path)
    expect(textOf(html)).toContain('Is anything about “Jazz night” wrong or missing?')
    const form = (fields: object) => {
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries({ ...fieldsIn(html), ...fields }))
        body.append(name, String(value))
      return ask('POST', SITE + path, { body, headers: { origin: 'null' } })
    }
    expect((await form(SAID)).status).toBe(422)
    vi.setSystemTime(Date.now() + 30_000)
    const again = await form({ ...SAID, email: 'nowhere' })
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('at eight &amp; not at nine')])
    for (let n = 0; n < 2; n++) {
      const sent = await form(SAID)
      expect([sent.status, textOf(sent.text)]).toEqual([200, expect.stringContaining('Thank you!')])
    }
    expect(await stored()).toHaveLength(1)
    // Somebody goes back and writes something else.
    await form({ ...SAID, text: 'And it is in the cellar.' })
    expect((await stored()).map(({ text }) => text)).toEqual([SAID.text, 'And it is in the cellar.'])
  })

  it('without a text gets the form back with the focus where it is missing', async () => {
    const about = `${SITE}/submit/about/${event.id}/`
    const form = fieldsIn((await ask('GET', about)).text)
    vi.setSystemTime(Date.now() + 10_000)
    const markedFieldsAfter = async (fields: object) => {
      const body = new URLSearchParams({ ...form, ...SAID, ...fields })
      const { status, text } = await ask('POST', about, { body })
      expect(status).toBe(422)
      return [
        ...text.matchAll(/<(?:input|textarea) id="f-(\w+)"[^>]* aria-invalid="true"[^>]* autofocus/g),
      ].map(([, name]) => name)
    }
    expect(await markedFieldsAfter({ text: '  \n ' })).toEqual(['text'])
    expect(await markedFieldsAfter({ email: 'nobody' })).toEqual(['email'])
    expect(await markedFieldsAfter({ text: '', email: '' })).toEqual(['text', 'email'])
  })

  it('that nobody deals with loses its sender after the same time as a submission, and is deleted later', async () => {
    expect((await tell({ ...SAID, about: event.id }, '192.0.2.9')).status).toBe(201)
    const [{ created_utc = '' } = {}] = await stored()
    const rowAfter = async (days: number) => {
      await runCron(env, Date.parse(`${created_utc}Z`) + days * 86_400_000)
      const [row] = await stored()
      return row && [row.name, row.email, row.text]
    }
    expect(await countRows('limit_counts')).toBe(3)
    expect(await rowAfter(3)).toEqual([SAID.name, SAID.email, SAID.text])
    // Nothing tells which network it came from.
    expect(await countRows('limit_counts')).toBe(0)
    expect(await rowAfter(89)).toEqual([SAID.name, SAID.email, SAID.text])
    expect(await rowAfter(91)).toEqual(['', '', SAID.text])
    expect(await rowAfter(399)).toBeDefined()
    expect(await rowAfter(401)).toBeUndefined()
  })
})
