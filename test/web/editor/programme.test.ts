import { beforeAll, describe, expect, it } from 'vitest'
import { makeEvent, send } from '../../factories.ts'
import { expectPage } from '../pages/page.ts'
import { fieldsIn } from './forms.ts'
import { signedIn } from './session.ts'

// Editors put a programme together by choosing the parent event of a part, or from the parent event.

const editor = signedIn('editor')
const author = signedIn('author')
const contributor = signedIn('contributor')

let festival: number

beforeAll(async () => {
  const whole = { title: 'River & sound festival', all_day: true, venue: { venue: 'The meadow' } }
  festival = (
    await makeEvent(editor.as, { ...whole, start_date: '2027-06-10 00:00', end_date: '2027-06-12 00:00' })
  ).id
  for (const [title, year, status] of [
    ['Last festival', '2020', 'publish'],
    ['Secret festival', '2027', 'draft'],
  ])
    await makeEvent(editor.as, {
      title,
      status,
      start_date: `${year}-06-10 10:00`,
      end_date: `${year}-06-10 12:00`,
    })
})

const NEW = '/admin/events/new/'

describe('the event that another is a part of', () => {
  const find = async ({ browser }: typeof editor, search: string) => {
    const { html } = await browser.get(`/admin/find/?field=post_parent&search=${search}`, {
      accept: 'application/json',
    })
    return JSON.parse(html)
  }

  it('is suggested by its title with its day, unless it is over', async () => {
    const found = [{ id: festival, name: 'River & sound festival', detail: '2027-06-10' }]
    expect(await find(contributor, 'FESTIV')).toEqual(found)
    expect(await find(editor, 'sound%20river')).toEqual(found)
    expect(await find(editor, 'last')).toEqual([])
    expect(await find(editor, '')).toEqual([])
  })

  it('is found without scripts, chosen and removed', async () => {
    const { browser } = editor
    const typed = { title: 'Found', start_date: '2027-06-11', start_date_time: '20:00' }
    const form = { ...fieldsIn((await browser.get(NEW)).html), ...typed }
    const asked = await browser.post(NEW, { ...form, post_parent_search: 'sound', do: 'find:post_parent' })
    expect(asked.html).toContain(`name="post_parent" value="${festival}"`)
    expect(fieldsIn(asked.html)).toMatchObject({ title: ['Found'], post_parent: ['0'] })
    // A search text without a choice is an error.
    const unclear = await browser.post(NEW, { ...fieldsIn(asked.html), do: 'save' })
    expectPage(unclear, 422, 'Choose one of the results')
    const chosen = { ...fieldsIn(asked.html), post_parent: String(festival), post_parent_search: '' }
    expect((await browser.post(NEW, { ...chosen, do: 'save' })).status).toBe(303)
    const parts = async () =>
      (await send('GET', `/events?post_parent=${festival}&start_date=2027-01-01`)).body.events
    const [part] = await parts()
    expect(part).toMatchObject({ title: 'Found', start_date: '2027-06-11 20:00:00' })
    const path = `/admin/events/${part.id}/`
    const { html, text } = await browser.get(path)
    expect(fieldsIn(html)).toMatchObject({ post_parent: [String(festival)] })
    expect(text).toContain('River & sound festival')
    await browser.post(path, { ...fieldsIn(html), post_parent: '0', do: 'save' })
    expect(await parts()).toEqual([])
  })

  it('cannot be one of its own parts, and the field says so', async () => {
    const { browser } = editor
    const day = { start_date: '2027-06-11 10:00', end_date: '2027-06-11 11:00' }
    const part = await makeEvent(editor.as, { title: 'A part', ...day, post_parent: festival })
    const path = `/admin/events/${festival}/`
    const { status, html } = await browser.save(path, { post_parent: String(part.id) })
    expect(status).toBe(422)
    expect(html).toMatch(/id="f-post_parent-error">[^<]*part/i)
  })
})

describe('a part that is not confirmed', () => {
  const when = { start_date: '2027-06-11 10:00', end_date: '2027-06-11 11:00' }
  const confirmed = async (title: string) =>
    (await send('GET', `/events?post_parent=${festival}&start_date=2027-01-01&search=${title}`)).body.total

  it('says so in its form, where an editor confirms it', async () => {
    const { id } = await makeEvent(author.as, { title: 'Hopeful', ...when, post_parent: festival })
    const path = `/admin/events/${id}/`
    const note = '“River & sound festival” doesn’t show this in its programme yet.'
    const own = await author.browser.get(path)
    expect(own.text).toContain(`${note} An editor, or somebody who may change that event, has to confirm it.`)
    expect(own.text).not.toContain('Show in the programme')
    const { text, html } = await editor.browser.get(path)
    expect(text).toContain(`${note} Show in the programme`)
    const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? ''
    const sent = { parent: String(festival), version }
    // Saving other fields confirms nothing, nor does a form of an earlier version.
    await editor.browser.save(path, { cost: '5' })
    expect((await editor.browser.post(`${path}part/`, sent)).status).toBe(409)
    expect(await confirmed('hopeful')).toBe(0)
    const fresh = await editor.browser.post(`${path}part/`, { ...sent, version: '2' })
    expect(fresh.status).toBe(303)
    expect(await confirmed('hopeful')).toBe(1)
    expect((await author.browser.get(path)).text).not.toContain('programme yet')
  })

  it('is confirmed by an editor who publishes it, having seen the title of the parent', async () => {
    const { id } = await makeEvent(contributor.as, { title: 'Applicant', ...when, post_parent: festival })
    const shown = await editor.browser.save(`/admin/events/${id}/`, { status: 'publish' })
    expect(shown.text).toContain('Part of another event River & sound festival')
    await editor.browser.post(`/admin/publish/?event=${id}`, fieldsIn(shown.html))
    expect(await confirmed('applicant')).toBe(1)
  })
})

describe('«Add to the programme»', () => {
  it('opens a new event on the day and at the venue of the whole, without a time', async () => {
    const { browser } = editor
    const { links } = await browser.get(`/admin/events/${festival}/`)
    const address = `${NEW}?part_of=${festival}`
    expect(links).toContain(address)
    const { html, text } = await browser.get(address)
    expect(text).toContain('Part of River & sound festival')
    const form = fieldsIn(html)
    expect(form).toMatchObject({ title: [''], start_date: ['2027-06-10'], start_date_time: [''] })
    const saved = await browser.post(NEW, { ...form, title: 'Opening', start_date_time: '19:30', do: 'save' })
    expect(saved.status).toBe(303)
    const { body } = await send('GET', `/events?post_parent=${festival}&search=opening&start_date=2027-01-01`)
    expect(body.events).toMatchObject([
      { start_date: '2027-06-10 19:30:00', all_day: false, venue: { venue: 'The meadow' } },
    ])
  })

  it('takes over the time of an event that has one', async () => {
    const day = { start_date: '2027-07-01 20:15', end_date: '2027-07-01 22:00' }
    const { id } = await makeEvent(editor.as, { title: 'Evening', ...day })
    const { html } = await editor.browser.get(`${NEW}?part_of=${id}`)
    expect(fieldsIn(html)).toMatchObject({ start_date: ['2027-07-01'], start_date_time: ['20:15'] })
  })

  it('reveals nothing about an event that the user may not read', async () => {
    const secret = await makeEvent(editor.as, {
      title: 'Hidden whole',
      status: 'draft',
      start_date: '2027-08-01 10:00',
      end_date: '2027-08-01 11:00',
    })
    const { html, status } = await contributor.browser.get(`${NEW}?part_of=${secret.id}`)
    expect([status, fieldsIn(html).start_date]).toEqual([200, ['']])
    expect(html).not.toContain('Hidden whole')
  })
})
