import { describe, expect, it } from 'vitest'
import {
  makeAll,
  makeCategory,
  makeOrganizer,
  makeTag,
  makeVenue,
  query,
  SITE,
  send,
  WHEN,
} from '../factories.ts'
import { measure, metricsOf } from '../kit/http/metrics.ts'
import { expectPage } from '../site/pages/page.ts'
import { fieldsIn } from './forms.ts'
import { signedIn, signIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')
const contributor = signedIn('contributor')

const MAKE = { venues: makeVenue, organizers: makeOrganizer, categories: makeCategory, tags: makeTag }
const FIELD = { venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' } as const
const RESOURCES = ['venues', 'organizers', 'categories', 'tags'] as const
const read = async (path: string) => (await send('GET', path, { as: editor.as })).body

describe.each(RESOURCES)('%s', name => {
  const field = FIELD[name]
  const list = `/admin/${name}/`

  it('are listed with the number of their events, and found by name', async () => {
    const made = await MAKE[name](editor.as, `Old & <b>mill</b> ${name}`)
    await MAKE[name](editor.as, `Something else ${name}`)
    const link = { [name === 'venues' ? 'venue' : name === 'organizers' ? 'organizer' : name]: [made.id] }
    const events = ['publish', 'publish', 'draft'].map(status => ({
      title: 'At it',
      ...WHEN,
      status,
      ...link,
    }))
    await makeAll(editor.as, 'events', events)
    const { text, status, links } = await editor.browser.get(list)
    expect(status).toBe(200)
    expect(text).toMatch(new RegExp(`Old & mill ${name} .*2 events`))
    expect(text).toContain('no public events')
    expect(links).toContain(`${list}${made.id}/`)
    const found = await editor.browser.get(`${list}?search=MILL`)
    expect(found.text).toContain(`Old & mill ${name}`)
    expect(found.text).not.toContain('Something else')
    expect((await editor.browser.get(`${list}?search=%27%22%25_nothing`)).text).toContain(
      'Nothing found by that name.',
    )
    expect((await editor.browser.get(`${list}?page=2`)).status).toBe(200)
  })

  it('say that nothing is there only if no filter hides what is', async () => {
    await MAKE[name](editor.as, `There ${name}`)
    const textOf = async (query: string) => (await editor.browser.get(`${list}${query}`)).text
    const hasStatus = name === 'venues' || name === 'organizers'
    for (const query of hasStatus ? ['?status=private', '?status=private&search=there'] : []) {
      const text = await textOf(query)
      expect(text, query).toContain('Nothing matches this selection.')
      expect(text, query).not.toContain('Nothing here yet.')
    }
    for (const query of ['', '?status=', '?search='])
      expect(await textOf(query), query).toContain(`There ${name}`)
  })

  it('say of events that lists don’t show that there are some', async () => {
    const { id } = await MAKE[name](editor.as, `Backstage ${name}`)
    const page = async () => (await editor.browser.get(`${list}${id}/`)).text
    expect(await page()).toContain('no events')
    const link = { [name === 'venues' ? 'venue' : name === 'organizers' ? 'organizer' : name]: [id] }
    const statuses = ['draft', 'pending', 'private', 'trash']
    const events = [...statuses.map(status => ({ status })), { hide_from_listings: true }]
    await makeAll(
      editor.as,
      'events',
      events.map(event => ({ title: 'Behind it', ...WHEN, ...event, ...link })),
    )
    const isTerm = name === 'categories' || name === 'tags'
    // What is hidden from lists counts for terms, as in the API.
    const count = isTerm ? '1 event + 3 not in public lists' : '0 events + 4 not in public lists'
    expect(await page()).toContain(count)
    if (isTerm) expect((await editor.browser.get(`${list}${id}/delete/`)).text).toContain(count)
    else expect((await editor.browser.get(`${list}?search=backstage`)).text).toContain('no public events')
  })

  it('are shown without reading the trash', async () => {
    const { id } = await MAKE[name](editor.as, `Tidy ${name}`)
    const rows = async () => metricsOf(await timed.get(`${list}${id}/`)).rows
    const timed = editor.browser.with({ DEBUG_TIMING: '1' })
    const before = await rows()
    const link = { [name === 'venues' ? 'venue' : name === 'organizers' ? 'organizer' : name]: [id] }
    const trashed = Array.from({ length: 20 }, () => ({ title: 'Gone', ...WHEN, status: 'trash', ...link }))
    await makeAll(editor.as, 'events', trashed)
    expect((await rows()) - before).toBeLessThan(10)
  })

  it('are made once, and changed field by field', async () => {
    const { browser } = editor
    const empty = fieldsIn((await browser.get(`${list}new/`)).html)
    const saved = await browser.submit(`${list}new/`, {
      ...empty,
      [field]: `Tea & more ${name}`,
      description: 'One.',
    })
    expect(saved.text).toContain(`Saved: Tea & more ${name}`)
    // Sending the form again makes no second one.
    await browser.post(`${list}new/`, { ...empty, [field]: `Tea & more ${name}`, description: 'One.' })
    const { [name]: found } = await read(`/${name}?search=tea&hide_empty=false`)
    expect(found).toHaveLength(1)
    const path = `${list}${found[0].id}/`
    expect(fieldsIn((await browser.get(path)).html)[field]).toEqual([`Tea & more ${name}`])
    await browser.save(path, { description: 'Two.' })
    const stored = await read(`/${name}/${found[0].id}`)
    expect(stored.description).toContain('Two.')
    expect((await browser.save(path, {})).text).toContain('There was nothing to save.')
    expect(stored[field]).toBe(`Tea & more ${name}`)
  })

  it('go to the trash, or are deleted after a question', async () => {
    const { browser } = editor
    const { id } = await MAKE[name](editor.as, `Going ${name}`)
    const path = `${list}${id}/`
    if (name === 'venues' || name === 'organizers') {
      expect((await browser.submit(`${path}trash/`)).text).toContain(`“Going ${name}” is in the trash now.`)
      expect((await browser.get(`${list}?status=trash`)).text).toContain(`Going ${name}`)
      expect((await browser.get(list)).text).not.toContain(`Going ${name}`)
      const inTrash = async () => fieldsIn((await browser.get(path)).html, 'in-trash')
      const restored = await browser.submit('/admin/trash/', { ...(await inTrash()), do: 'restore' })
      expect(restored.text).toContain('One item restored.')
      expect((await read(`/${name}/${id}`)).status).toBe('publish')
      await browser.post(`${path}trash/`)
      expect((await browser.get(path)).text).toContain('This is in the trash.')
      await browser.submit('/admin/trash/', { ...(await inTrash()), do: 'delete' })
    } else {
      expect((await browser.get(`${path}delete/`)).text).toContain(`Delete “Going ${name}”?`)
      expect((await browser.submit(`${path}delete/`)).text).toContain(`“Going ${name}” has been deleted.`)
      expect((await browser.post(`${path}delete/`)).status).toBe(404)
    }
    expect((await browser.get(path)).status).toBe(404)
  })

  it('are changed only by users with the right', async () => {
    const { id } = await MAKE[name](
      editor.as,
      `Hidden ${name}`,
      name === 'venues' || name === 'organizers' ? { status: 'draft' } : {},
    )
    const path = `${list}${id}/`
    const form = { ...fieldsIn((await editor.browser.get(path)).html), [field]: 'Stolen' }
    const isPlace = name === 'venues' || name === 'organizers'
    // Contributors and subscribers may do even less than authors.
    const others = name === 'venues' ? [contributor, await signIn('subscriber')] : []
    for (const person of [author, ...others]) {
      if (isPlace) expect((await person.browser.get(list)).text).not.toContain('Hidden')
      for (const [method, to] of [
        ['get', path],
        ['post', path],
        ['post', `${path}${isPlace ? 'trash' : 'delete'}/`],
        ...(isPlace ? [] : [['get', `${path}delete/`]]),
      ] as const) {
        const { browser } = person
        const { status, text } = await (method === 'post'
          ? browser.post(String(to), form)
          : browser.get(String(to)))
        expect([403, 404], `${method} ${to}`).toContain(status)
        // Names of categories are public.
        if (isPlace) expect(text).not.toContain('Hidden')
      }
    }
    expect((await read(`/${name}/${id}`))[field]).toBe(`Hidden ${name}`)
  })
})

// The pages of organizers are those of venues, and the pages of tags those of categories.
describe.each(['venues', 'categories'] as const)('%s', name => {
  const field = FIELD[name]
  const list = `/admin/${name}/`

  it('say at the field what is wrong, and keep the input', async () => {
    const { browser } = editor
    const shown = await browser.save(`${list}new/`, { [field]: '', description: 'Kept <script>' })
    expect(shown.status).toBe(422)
    expect(shown.html).toContain(`id="f-${field}-error"`)
    expect(shown.html).toContain('Kept &lt;script&gt;')
    expect(shown.html).not.toContain('Kept <script>')
  })

  it('are compared if somebody else has changed them', async () => {
    const { id } = await MAKE[name](editor.as, `Both ${name}`)
    const path = `${list}${id}/`
    const form = fieldsIn((await editor.browser.get(path)).html)
    await send('PATCH', `/${name}/${id}`, { as: editor.as, json: { description: 'Theirs' } })
    const shown = await editor.browser.post(path, { ...form, description: 'Mine' })
    expectPage(shown, 412, 'Theirs', 'Mine')
    await editor.browser.submit(path, fieldsIn(shown.html))
    expect((await read(`/${name}/${id}`)).description).toContain('Mine')
  })

  it('take at most two round trips', async () => {
    for (const path of [list, `${list}new/`]) {
      const { trips } = await measure('GET', SITE + path, { headers: { cookie: editor.browser.cookie } })
      expect(trips).toBeLessThanOrEqual(2)
    }
  })
})

describe('the list', () => {
  it('of categories is a tree', async () => {
    const { id: parent } = await makeCategory(editor.as, 'Zoology')
    await makeCategory(editor.as, 'Apes', { parent })
    const { html } = await editor.browser.get('/admin/categories/')
    expect(html.indexOf('Apes')).toBeGreaterThan(html.indexOf('Zoology'))
    expect(html).toMatch(/class="row depth-1">\s*<p class="row-title"><a[^>]*>Apes/)
  })

  it('has pages', async () => {
    const venues = Array.from({ length: 55 }, (_, n) => ({ venue: `Aaa ${n + 10}` }))
    await makeAll(editor.as, 'venues', venues)
    const first = await editor.browser.get('/admin/venues/')
    const onward = first.links.find(link => link.includes('page=2')) ?? ''
    const second = await editor.browser.get(onward)
    const names = [...`${first.text}${second.text}`.matchAll(/Aaa \d+/g)].map(([name]) => name)
    expect(new Set(names).size).toBe(55)
  })

  it('of contributors has their own drafts, which they may edit', async () => {
    const { id } = await makeVenue(contributor.as, 'AA shed')
    const { text, links } = await contributor.browser.get('/admin/venues/')
    expect(text).toContain('AA shed')
    expect(links).toContain(`/admin/venues/${id}/`)
    expect((await author.browser.get('/admin/venues/')).text).not.toContain('AA shed')
    await contributor.browser.save(`/admin/venues/${id}/`, { city: 'Kent', status: 'publish' })
    expect(await read(`/venues/${id}`)).toMatchObject({ city: 'Kent', status: 'pending' })
  })
})

it('the parent of a category stays even if it is beyond those that the form offers', async () => {
  const { id: parent } = await makeCategory(editor.as, 'Zzz')
  const { id } = await makeCategory(editor.as, 'Below', { parent })
  await query(`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 500)
      INSERT INTO terms (taxonomy, name, name_key, sort_name, slug, path)
      SELECT 'event_category', 'A' || n, 'a' || n, 'a' || n, 'a' || n, 'a' || n FROM number`)
  const path = `/admin/categories/${id}/`
  await editor.browser.save(path, { name: 'Still below' })
  expect(await read(`/categories/${id}`)).toMatchObject({ name: 'Still below', parent })
})

it.each([
  ['Rock & Roll,\nat <8 €', 'Rock & Roll,\nat &lt;8 €', 'Rock & Roll,\nat <8 €'],
  ['<em>Rock</em> & Roll', '<em>Rock</em> & Roll', '<em>Rock</em> & Roll'],
  ['Write &lt;em&gt; like this', 'Write &lt;em&gt; like this', 'Write &lt;em&gt; like this'],
])('the description of a category is text or HTML in its form: %j', async (given, description, shown) => {
  const { id } = await makeCategory(editor.as, 'Rocking', { description: given })
  const path = `/admin/categories/${id}/`
  expect(fieldsIn((await editor.browser.get(path)).html).description).toEqual([shown])
  await editor.browser.save(path, { name: 'Rolling' })
  expect(await read(`/categories/${id}`)).toMatchObject({ name: 'Rolling', description })
  await editor.browser.save(path, { description: `${shown}!` })
  expect(await read(`/categories/${id}`)).toMatchObject({ description: `${description}!` })
  await send('DELETE', `/categories/${id}?force=true`, { as: editor.as })
})

it('a stored venue without a name, as imports may bring one, is headed by its number', async () => {
  const { id } = await makeVenue(editor.as, 'Nameless')
  await query(`UPDATE venues SET name = '' WHERE id = ${id}`)
  const { text } = await editor.browser.get(`/admin/venues/${id}/`)
  expect(text).toContain(`#${id}`)
  expect(text).not.toContain('New venue')
})

it('too many categories for a tree have pages by name', async () => {
  const top = await makeCategory(editor.as, '0A top')
  await query(`WITH RECURSIVE many(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM many WHERE n < 2000)
    INSERT INTO terms (taxonomy, parent, name, name_key, sort_name, slug, path)
    SELECT taxonomy, id, '0B ' || n, '0b ' || n, '0b ' || n, '0b-' || n, path || '/0b-' || n
    FROM terms CROSS JOIN many WHERE id = ${top.id}`)
  const list = '/admin/categories/'
  const page = await editor.browser.get(list)
  expect([page.text.match(/0[AB] \w+/g)?.length, page.text.includes('0B 1048')]).toEqual([50, true])
  expect(page.links).toContain(`${list}?page=2`)
  const second = await editor.browser.get(`${list}?page=2`)
  expect(second.text.match(/0[AB] \w+/g)?.slice(0, 2)).toEqual(['0B 1049', '0B 1050'])
  expect(second.links).toContain(`${list}?page=3`)
})
