import { describe, expect, it } from 'vitest'
import { declareUser, makeCategory, makeEvent, makeTag, makeVenue, query, send } from '../factories.ts'
import { expectPage, page } from '../site/pages/page.ts'
import { fieldsIn, undoOf } from './forms.ts'
import { signedIn, signIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')
const admin = signedIn('administrator')
const other = declareUser('author', 'other')

/** Merges by the editor's page. @returns the link that undoes it */
async function merge(
  plural: 'venues' | 'organizers' | 'categories' | 'tags',
  from: number,
  into: number,
  text = 'This can be undone for an hour.',
): Promise<string> {
  const path = `/admin/${plural}/${from}/merge/`
  const both = await editor.browser.get(`${path}?into=${into}`)
  expect(both.text).toContain(text)
  const merged = await editor.browser.submit(path, fieldsIn(both.html))
  // Undoing it asks first.
  expect(merged.html).not.toContain('form="undo"')
  return undoOf(merged)
}

const read = async (path: string) => (await send('GET', path, { as: editor.as })).body
const idsOf = (all: { id: number }[] | { id: number }) => [all].flat().map(({ id }) => id)

/** True if the history of something that was merged offers to undo that. */
const offersUndo = async (kind: string, id: number): Promise<boolean> =>
  (await editor.browser.get(`/admin/history/?kind=${kind}&id=${id}`)).html.includes('/admin/undo/?entry=')

describe('a merge', () => {
  it('can be undone: the venue gets back its address, values and events', async () => {
    const description = '<p>With a view.</p>'
    const old = await makeVenue(editor.as, 'Old Barn', { city: 'Kent', description, slug: 'old-barn' })
    const good = await makeVenue(editor.as, 'Barn', { phone: '2' })
    const one = await makeEvent(editor.as, { title: 'One', venue: [old.id] })
    const both = await makeEvent(editor.as, { title: 'Both', venue: [good.id, old.id] })
    const other = await makeEvent(editor.as, { title: 'Other', venue: [good.id] })
    const series = await makeEvent(editor.as, { venue: [old.id], recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const before = await read(`/venues/${old.id}`)
    const undo = await merge('venues', old.id, good.id)
    expect((await author.browser.post(undo)).status).toBe(410)
    expect((await read(`/venues/${good.id}`)).city).toBe('Kent')
    expect((await page('/venue/old-barn/')).status).toBe(301)
    // An event that came to the survivor later stays there.
    const lost = await makeEvent(editor.as, { title: 'Lost', venue: [good.id] })
    expect((await editor.browser.submit(undo)).text).toContain('The change has been undone.')
    const { modified: _, modified_utc: __, ...rest } = before
    expect(await read(`/venues/${old.id}`)).toMatchObject(rest)
    const stays = await read(`/venues/${good.id}`)
    expect([stays.city ?? '', stays.phone]).toEqual(['', '2'])
    const venuesOf = async ({ id }: Record<string, unknown>) => idsOf((await read(`/events/${id}`)).venue)
    expect(await venuesOf(one)).toEqual([old.id])
    expect(await venuesOf(both)).toEqual([good.id, old.id])
    expect(await venuesOf(other)).toEqual([good.id])
    expect(await venuesOf(series)).toEqual([old.id])
    expect(await venuesOf(lost)).toEqual([good.id])
    expect((await page('/venue/old-barn/')).status).toBe(200)
    expect((await read('/venues?search=view')).venues.map(({ id }: { id: number }) => id)).toEqual([old.id])
    const listed = (await read(`/events?venue=${old.id}&start_date=2020-01-01&per_page=50`)).total
    expect(listed).toBe(5)
    // A later change of the restored series keeps its venue.
    await send('PATCH', `/events/${series.id}`, { as: editor.as, json: { title: 'Renamed', scope: 'all' } })
    expect(await venuesOf(series)).toEqual([old.id])
  })

  it('of categories can be undone: with parent, description, events and subcategories', async () => {
    const top = (await makeCategory(editor.as, 'Stage')).id
    const old = (await makeCategory(editor.as, 'Plays', { parent: top, description: 'Spoken.' })).id
    const below = (await makeCategory(editor.as, 'Comedies', { parent: old })).id
    const moved = (await makeCategory(editor.as, 'Tragedies', { parent: old })).id
    const good = (await makeCategory(editor.as, 'Theatre')).id
    const one = await makeEvent(editor.as, { title: 'One', categories: [old] })
    const both = await makeEvent(editor.as, { title: 'Both', categories: [old, good] })
    const series = await makeEvent(editor.as, { categories: [below], recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const before = await read(`/categories/${old}`)
    const undo = await merge('categories', old, good)
    expect(await read(`/categories/${good}`)).toMatchObject({ description: 'Spoken.', count: 2 })
    // A subcategory that has been moved since stays there.
    await send('PATCH', `/categories/${moved}`, { as: editor.as, json: { parent: top } })
    expect((await editor.browser.submit(undo)).text).toContain('The change has been undone.')
    expect(await read(`/categories/${old}`)).toEqual(before)
    expect(await read(`/categories/${good}`)).toMatchObject({ description: '', count: 1 })
    expect((await read(`/categories/${below}`)).url).toContain('/stage/plays/comedies/')
    expect((await read(`/categories/${moved}`)).url).toContain('/stage/tragedies/')
    const categoriesOf = async ({ id }: Record<string, unknown>) =>
      idsOf((await read(`/events/${id}`)).categories).sort((a, b) => a - b)
    expect(await categoriesOf(one)).toEqual([old])
    expect(await categoriesOf(both)).toEqual([old, good])
    expect(await categoriesOf(series)).toEqual([below])
    expect((await page('/events/category/stage/plays/')).status).toBe(200)
    const listed = (await read(`/events?categories=${old}&start_date=2020-01-01&per_page=50`)).total
    expect(listed).toBe(5)
  })

  it.each([
    [
      'its parent is deleted',
      (top: number, _: number) => send('DELETE', `/categories/${top}`, { as: editor.as }),
    ],
    [
      'its parent is below one that it had',
      (top: number, child: number) =>
        send('PATCH', `/categories/${top}`, { as: editor.as, json: { parent: child } }),
    ],
    [
      'its address is that of another',
      () => send('POST', '/categories', { as: editor.as, json: { name: 'New', slug: 'taken-soon' } }),
    ],
  ])('of categories cannot be undone once %s', async (condition, change) => {
    const top = (await makeCategory(editor.as, `Top ${condition}`)).id
    const slug = condition.includes('address') ? 'taken-soon' : undefined
    const old = await makeCategory(editor.as, `Old ${condition}`, { parent: top, slug })
    const child = (await makeCategory(editor.as, `Child ${condition}`, { parent: old.id })).id
    const good = (await makeCategory(editor.as, `Good ${condition}`)).id
    const undo = await merge('categories', old.id, good)
    expect(await offersUndo('category', old.id)).toBe(true)
    expect((await change(top, child)).status).toBeLessThan(300)
    expect(await offersUndo('category', old.id)).toBe(false)
    expect((await editor.browser.post(undo)).status).toBe(409)
    expect((await send('GET', `/categories/${old.id}`)).status).toBe(301)
    expect((await read(`/categories/${child}`)).parent).toBe(good)
  })

  it('is offered to be undone, except before a later one that has moved the same event', async () => {
    const make = (name: string) => makeVenue(editor.as, `${name} hall`)
    const a = await make('A')
    const b = await make('B')
    const c = await make('C')
    const good = await make('Good')
    const event = await makeEvent(editor.as, { venue: [b.id, c.id] })
    for (const { id } of [a, b, c]) await merge('venues', id, good.id)
    const allOffered = async () => Promise.all([a, b, c].map(({ id }) => offersUndo('venue', id)))
    expect(await allOffered()).toEqual([true, false, true])
    const undoFromHistory = async (id: number) => {
      const history = await editor.browser.get(`/admin/history/?kind=venue&id=${id}`)
      const link = history.links.find(href => href.startsWith('/admin/undo/')) ?? expect.fail('no link')
      const { text } = await editor.browser.submit(link, fieldsIn((await editor.browser.get(link)).html))
      expect(text).toContain('The change has been undone.')
    }
    await undoFromHistory(a.id)
    await undoFromHistory(c.id)
    expect(await allOffered()).toEqual([false, true, false])
    await undoFromHistory(b.id)
    expect(idsOf((await read(`/events/${event.id}`)).venue)).toEqual([b.id, c.id])
  })

  it('cannot be undone after a change of the survivor, or if a webhook names the merged one', async () => {
    const old = await makeVenue(editor.as, 'Old inn', { phone: '1' })
    const good = await makeVenue(editor.as, 'Inn')
    const undo = await merge('venues', old.id, good.id)
    await send('PATCH', `/venues/${good.id}`, { as: editor.as, json: { phone: '3' } })
    expect((await editor.browser.get(undo)).status).toBe(409)
    expect((await editor.browser.post(undo)).status).toBe(409)
    expect(await offersUndo('venue', old.id)).toBe(false)
    expect((await send('GET', `/venues/${good.id}`)).body.phone).toBe('3')
    const named = await makeVenue(editor.as, 'Named')
    const other = await makeVenue(editor.as, 'Named as well')
    const filters = { venue: String(named.id) }
    const hook = { url: 'https://hook.example/', active: false, filters }
    expect((await send('POST', '/webhooks', { as: admin.as, json: hook })).status).toBe(201)
    expect(await merge('venues', named.id, other.id, 'This can’t be undone.')).toBe('')
    const { status, body } = await send('POST', `/venues/${named.id}/unmerge`, { as: editor.as })
    expect([status, body.message]).toEqual([
      404,
      expect.stringContaining('or another stored list named the venue'),
    ])
  })
})

describe('merging', () => {
  it('finds the other one by its name, compares both, and merges them', async () => {
    const old = await makeVenue(editor.as, 'The old Barn', { city: 'Kent', phone: '<b>1</b>' })
    const good = await makeVenue(editor.as, 'Barn', { phone: '2' })
    await makeEvent(editor.as, { venue: [old.id, good.id] })
    await makeEvent(editor.as, { venue: old.id, status: 'draft' })
    const path = `/admin/venues/${old.id}/merge/`
    const found = await editor.browser.get(path)
    expect(found.text).toContain('Merge “The old Barn”')
    expect(found.links).toContain(`${path}?into=${good.id}`)
    expect(found.links).toContain(`/admin/venues/${old.id}/`)
    const both = await editor.browser.get(`${path}?into=${good.id}`)
    expect(both.links).toContain(`/admin/venues/${old.id}/`)
    expect(both.text).toMatch(/One event moves\./)
    expect(both.text).toMatch(/Result: Kent/)
    const merged = await editor.browser.submit(path, fieldsIn(both.html))
    expect(merged.text).toContain('“The old Barn” has been merged into “Barn”.')
    expect((await send('GET', `/venues/${good.id}`)).body).toMatchObject({ city: 'Kent', phone: '2' })
    expect((await editor.browser.get(path)).status).toBe(404)
  })

  it('shows the addresses in texts and images that the survivor takes over', async () => {
    const { as } = await signIn('contributor')
    const description = '<p>Mind the <a href="https://steps.example/">steps</a></p>'
    const image = 'https://pictures.example/shed.jpg'
    const draft = await makeVenue(as, 'The Shed', { description, image })
    const good = await makeVenue(editor.as, 'Shed')
    const { text } = await editor.browser.get(`/admin/venues/${draft.id}/merge/?into=${good.id}`)
    expect(text).toContain('Result: Mind the steps https://steps.example/')
    expect(text).toContain(`Result: ${image}`)
  })

  it('is refused if a text that becomes public has changed since it was shown', async () => {
    const image = `https://pictures.example/${crypto.randomUUID()}.jpg`
    const old = await makeVenue(editor.as, 'Old quay', { image, status: 'pending' })
    const good = await makeVenue(editor.as, 'Quay')
    const path = `/admin/venues/${old.id}/merge/`
    const seen = fieldsIn((await editor.browser.get(`${path}?into=${good.id}`)).html)
    await query(`UPDATE images SET alt_text = 'Harmful', version = version + 1 WHERE id = ?`, old.image.id)
    const again = await editor.browser.post(path, seen)
    expectPage(again, 409, 'Harmful')
    expect((await editor.browser.post(path, fieldsIn(again.html))).status).toBe(303)
  })

  it('says why it is refused, and changes nothing', async () => {
    const top = await makeCategory(editor.as, 'Top')
    const low = await makeCategory(editor.as, 'Low', { parent: top.id })
    const path = `/admin/categories/${top.id}/merge/`
    const both = await editor.browser.get(`${path}?into=${low.id}`)
    expect(both.text).toContain('subcategories move too')
    const refused = await editor.browser.post(path, fieldsIn(both.html))
    expectPage(refused, 409, 'below this one')
    // Something has changed since the page was shown.
    const old = await makeCategory(editor.as, 'Old')
    const good = await makeCategory(editor.as, 'Good')
    const seen = await editor.browser.get(`/admin/categories/${old.id}/merge/?into=${good.id}`)
    await send('PATCH', `/categories/${old.id}`, { as: editor.as, json: { description: 'New' } })
    expect(
      (await editor.browser.post(`/admin/categories/${old.id}/merge/`, fieldsIn(seen.html))).status,
    ).toBe(409)
    const again = await editor.browser.get(`/admin/categories/${old.id}/merge/?into=${good.id}`)
    await send('PATCH', `/categories/${good.id}`, { as: editor.as, json: { description: 'New' } })
    const changed = await editor.browser.post(`/admin/categories/${old.id}/merge/`, fieldsIn(again.html))
    expectPage(changed, 409, 'changed while you were looking')
    const shown = await makeVenue(editor.as, 'Shown')
    const hidden = await makeVenue(editor.as, 'Hidden', { status: 'draft' })
    const { text } = await editor.browser.get(`/admin/venues/${shown.id}/merge/?into=${hidden.id}`)
    expect(text).toContain('The one that stays is not public')
    const tag = await makeTag(editor.as, 'tag')
    expect((await editor.browser.get(`/admin/tags/${tag.id}/merge/?into=${tag.id}`)).status).toBe(404)
    expect((await editor.browser.get(`/admin/tags/${tag.id}/merge/?into=${low.id}`)).status).toBe(404)
  })

  it('needs the right to change both', async () => {
    const own = await makeVenue(author.as, 'Own yard')
    const theirs = await makeVenue(other, 'Their yard')
    const { id: trashed } = await makeVenue(author.as, 'Thrown yard')
    await send('DELETE', `/venues/${trashed}`, { as: author.as })
    const { links } = await author.browser.get(`/admin/venues/${own.id}/merge/?search=yard`)
    expect(links.some(link => link.includes('into='))).toBe(false)
    expect((await author.browser.get(`/admin/venues/${own.id}/merge/?into=${theirs.id}`)).status).toBe(403)
    expect((await author.browser.get(`/admin/venues/${theirs.id}/merge/`)).status).toBe(403)
    const forged = await author.browser.post(`/admin/venues/${own.id}/merge/`, {
      into: String(theirs.id),
      version: '1',
    })
    expect(forged.status).toBe(403)
    const tag = await makeTag(editor.as, 'not theirs')
    expect((await author.browser.get(`/admin/tags/${tag.id}/merge/`)).status).toBe(403)
  })
})
