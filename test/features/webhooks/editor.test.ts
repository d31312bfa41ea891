import { describe, expect, it } from 'vitest'
import { fieldsIn, secretsIn } from '../../editor/forms.ts'
import { signedIn } from '../../editor/session.ts'
import { makeCategory, makeEvent, makeVenue, query, send } from '../../factories.ts'
import { expectPage } from '../../site/pages/page.ts'

// The page of webhooks: nobody is at the addresses.

const admin = signedIn('administrator', 'admin')

const HOOK_URL = 'https://chat.invalid/hook?key=K3Y'
const PATH = '/admin/webhooks/'

async function make(fields: object = {}): Promise<number> {
  const { body } = await send('POST', '/webhooks', {
    as: admin.as,
    json: { url: HOOK_URL, active: false, ...fields },
  })
  return body.id
}

describe('webhooks', () => {
  it('are added, and show their secret once', async () => {
    const form = fieldsIn((await admin.browser.get(`${PATH}new/`)).html)
    expect(form).toMatchObject({ events: ['event.published', 'event.canceled'] })
    const made = await admin.browser.post(`${PATH}new/`, {
      ...form,
      url: HOOK_URL,
      events: ['event.published', 'venue.created'],
      filters: 'search=jazz',
    })
    expect(made.status).toBe(200)
    const [secret = ''] = secretsIn(made)
    expect(secret).toMatch(/^whsec_/)
    const path = made.links.find(link => /webhooks\/\d+\/$/.test(link)) ?? ''
    const page = await admin.browser.get(`${path}settings/`)
    expect(page.html).toContain('value="search=jazz"')
    expect(page.html).not.toContain(secret)
    expect(fieldsIn(page.html).events).toEqual(['event.published', 'venue.created'])
    const list = await admin.browser.get(PATH)
    expect(list.text).toContain('chat.invalid')
    // Addresses of chats hold what only these should know.
    expect(list.html).not.toContain('K3Y')
    const [another = ''] = secretsIn(await admin.browser.post(`${path}secret/`))
    expect(another).toMatch(/^whsec_/)
    expect(another).not.toBe(secret)
  })

  it('say that many changes are still to be looked at', async () => {
    const id = await make()
    await query('UPDATE webhook_places SET n = 0, id = 0, public_n = 0 WHERE webhook_id = ?', id)
    await query('UPDATE webhooks SET active = 1 WHERE id = ?', id)
    await makeEvent(admin.as, {})
    expect((await admin.browser.get(`${PATH}${id}/`)).text).not.toContain('changes still to look at')
    const dates = { start_date: '2027-03-01 19:00', end_date: '2027-03-01 20:00' }
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=40' }
    await makeEvent(admin.as, { ...dates, recurrence })
    expect((await admin.browser.get(`${PATH}${id}/`)).text).toMatch(/changes still to look at: [34]\d/)
    await query('UPDATE webhooks SET active = 0 WHERE id = ?', id)
    expect((await admin.browser.get(`${PATH}${id}/`)).text).not.toContain('changes still to look at')
  })

  it('show a form again with everything that was typed', async () => {
    const form = fieldsIn((await admin.browser.get(`${PATH}new/`)).html)
    const typed = { url: 'http://127.0.0.1/"><script>', filters: 'nonsense=<b>', events: [] }
    const refused = await admin.browser.post(`${PATH}new/`, { ...form, ...typed })
    expectPage(refused, 422, 'Notify it when : Please fill this in.')
    const full = await admin.browser.post(`${PATH}new/`, { ...form, ...typed, events: 'event.created' })
    for (const text of ['that everybody can reach', 'These filters don’t work here'])
      expect(full.text).toContain(text)
    expect(refused.html).not.toMatch(/<script>|<b>/)
    expect(refused.html).toContain('value="nonsense=&lt;b&gt;"')
    const id = await make()
    const path = `${PATH}${id}/settings/`
    const mine = { url: 'https://mine.invalid/', events: 'event.created' }
    const before = fieldsIn((await admin.browser.get(path)).html)
    await send('PATCH', `/webhooks/${id}`, { as: admin.as, json: { events: ['event.deleted'] } })
    const late = await admin.browser.post(path, { ...before, ...mine })
    expectPage(late, 412, 'Notify it when')
    expect(late.html).toContain('value="https://mine.invalid/"')
    const saved = await admin.browser.submit(path, {
      ...fieldsIn((await admin.browser.get(path)).html),
      ...mine,
    })
    expect(saved.text).toContain('Saved: https://mine.invalid/')
  })

  it('are tested, paused, switched on and deleted', async () => {
    const id = await make({ active: true })
    const path = `${PATH}${id}/`
    await query(`UPDATE webhooks SET url = 'http://10.0.0.1/' WHERE id = ?`, id)
    const tested = await admin.browser.submit(`${path}test/`)
    expect(tested.text).toContain(
      'The other service has not accepted it. The address leads into a private network.',
    )
    const { body } = await send('GET', `/webhooks/${id}/deliveries`, { as: admin.as })
    const retried = await admin.browser.submit(`${path}deliveries/${body.deliveries[0].id}/retry/`)
    expect(retried.text).toContain('attempts: 2')
    expect((await admin.browser.submit(`${path}pause/`)).text).toContain('It is paused.')
    expect((await admin.browser.submit(`${path}resume/`)).text).toContain('It is on again.')
    expect((await admin.browser.submit(`${path}delete/`)).text).toContain('The service has been removed.')
    for (const gone of [path, `${PATH}999/`]) expect((await admin.browser.get(gone)).status).toBe(404)
  })

  it('say that they send nothing about what is deleted or hidden', async () => {
    const { id: hall } = await makeVenue(admin.as, 'Hall')
    const { id: yard } = await makeVenue(admin.as, 'Yard')
    const { id: category } = await makeCategory(admin.as, 'Kino')
    await makeEvent(admin.as, { categories: [category] })
    const some = await make({ active: true, filters: { venue: `${hall}, ${yard}` } })
    const named = await make({ active: true, filters: { categories: ['Kino'], featured: true } })
    const drafts = await make({ active: true, filters: { venue: hall, status: 'draft' } })
    const states = async () => {
      const { body } = await send('GET', '/webhooks?per_page=50', { as: admin.as })
      return [some, named, drafts].map(
        id => body.webhooks.find((webhook: { id: number }) => webhook.id === id).state,
      )
    }
    expect(await states()).toEqual(['new', 'new', 'new'])
    await send('PATCH', `/venues/${hall}`, { as: admin.as, json: { status: 'private' } })
    expect(await states()).toEqual(['new', 'new', 'new'])
    await send('DELETE', `/venues/${yard}`, { as: admin.as })
    await send('DELETE', `/categories/${category}`, { as: admin.as })
    expect(await states()).toEqual(['filters', 'filters', 'new'])
    const says = 'sends no events: visitors can’t see what it is limited to'
    for (const path of [PATH, `${PATH}${some}/`]) expect((await admin.browser.get(path)).text).toContain(says)
    expect((await admin.browser.get(`${PATH}${drafts}/`)).text).not.toContain(says)
    await send('PATCH', `/venues/${yard}`, { as: admin.as, json: { status: 'publish' } })
    expect(await states()).toEqual(['new', 'filters', 'new'])
  })

  it('show what came back as text', async () => {
    const id = await make()
    const evil = '<img src=x onerror=alert(1)>"\'</pre><script>alert(2)</script>'
    await query(
      `INSERT INTO webhook_deliveries (webhook_id, message_id, type, object_id, body, state, tries, at_utc, status, response, message)
       VALUES (?, 'm', 'event.created', 7, ?, 'failed', 10, '2026-11-20 11:00:00', 500, ?, '')`,
      id,
      JSON.stringify({ type: evil }),
      evil,
    )
    const page = await admin.browser.get(`${PATH}${id}/`)
    expectPage(page, 200, 'It responded with 500.', evil)
    expect(page.html).not.toMatch(/<img src=x|<script>alert|<\/pre><script/)
  })
})
