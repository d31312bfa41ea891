import { describe, expect, it } from 'vitest'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue, send } from '../../factories.ts'
import { page } from '../pages/page.ts'
import { fieldsIn } from './forms.ts'
import { signedIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')
const admin = signedIn('administrator')

/** Merges as the editor does. @returns the link that undoes it */
async function merge(
  plural: 'venues' | 'organizers' | 'categories' | 'tags',
  from: number,
  into: number,
  text = 'This can be undone for an hour.',
): Promise<string> {
  const path = `/admin/${plural}/${from}/merge/`
  const both = await editor.browser.get(`${path}?into=${into}`)
  expect(both.text).toContain(text)
  const { html } = await editor.browser.submit(path, fieldsIn(both.html))
  return /href="(\/admin\/undo\/\?request=[^"]+)"/.exec(html)?.[1] ?? ''
}

const read = async (path: string) => (await send('GET', path, { as: editor.as })).body
const idsOf = (all: { id: number }[] | { id: number }) => [all].flat().map(({ id }) => id)

describe('a merge', () => {
  it('can be undone: the venue is there again with its address, its values and its events', async () => {
    const description = '<p>With a view.</p>'
    const old = await makeVenue(editor.as, 'Old Barn', { city: 'Kent', description, slug: 'old-barn' })
    const good = await makeVenue(editor.as, 'Barn', { phone: '2' })
    const [one, both, other] = [
      await makeEvent(editor.as, { title: 'One', venue: [old.id] }),
      await makeEvent(editor.as, { title: 'Both', venue: [good.id, old.id] }),
      await makeEvent(editor.as, { title: 'Other', venue: [good.id] }),
    ]
    const series = await makeEvent(editor.as, { venue: [old.id], recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const before = await read(`/venues/${old.id}`)
    const undo = await merge('venues', old.id, good.id)
    expect((await read(`/venues/${good.id}`)).city).toBe('Kent')
    expect((await page('/venue/old-barn/')).status).toBe(301)
    // An event that the survivor has lost since stays without both.
    const lost = await makeEvent(editor.as, { title: 'Lost', venue: [good.id] })
    expect((await editor.browser.submit(undo)).text).toContain('Undone.')
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
    // A change of the restored series goes on with its venue.
    await send('PATCH', `/events/${series.id}`, { as: editor.as, json: { title: 'Renamed', scope: 'all' } })
    expect(await venuesOf(series)).toEqual([old.id])
  })

  it('of categories can be undone: with its place, its description, its events and those below it', async () => {
    const top = (await makeCategory(editor.as, 'Stage')).id
    const old = (await makeCategory(editor.as, 'Plays', { parent: top, description: 'Spoken.' })).id
    const [below, moved] = [
      (await makeCategory(editor.as, 'Comedies', { parent: old })).id,
      (await makeCategory(editor.as, 'Tragedies', { parent: old })).id,
    ]
    const good = (await makeCategory(editor.as, 'Theatre')).id
    const one = await makeEvent(editor.as, { title: 'One', categories: [old] })
    const both = await makeEvent(editor.as, { title: 'Both', categories: [old, good] })
    const series = await makeEvent(editor.as, { categories: [below], recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const before = await read(`/categories/${old}`)
    const undo = await merge('categories', old, good)
    expect(await read(`/categories/${good}`)).toMatchObject({ description: 'Spoken.', count: 2 })
    // One that somebody has moved since stays where it is.
    await send('PATCH', `/categories/${moved}`, { as: editor.as, json: { parent: top } })
    expect((await editor.browser.submit(undo)).text).toContain('Undone.')
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

  it('of tags can be undone', async () => {
    const [old, good] = [(await makeTag(editor.as, 'oud')).id, (await makeTag(editor.as, 'lute')).id]
    const { id } = await makeEvent(editor.as, { tags: [old] })
    const undo = await merge('tags', old, good)
    expect(idsOf((await read(`/events/${id}`)).tags)).toEqual([good])
    expect((await editor.browser.submit(undo)).text).toContain('Undone.')
    expect(idsOf((await read(`/events/${id}`)).tags)).toEqual([old])
    expect((await read(`/tags/${old}`)).name).toBe('oud')
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
  ])('of categories cannot be undone once %s', async (_, change) => {
    const top = (await makeCategory(editor.as, `Top ${_}`)).id
    const { body: old } = await send('POST', '/categories', {
      as: editor.as,
      json: { name: `Old ${_}`, parent: top, slug: _.includes('address') ? 'taken-soon' : undefined },
    })
    const child = (await makeCategory(editor.as, `Child ${_}`, { parent: old.id })).id
    const good = (await makeCategory(editor.as, `Good ${_}`)).id
    const undo = await merge('categories', old.id, good)
    expect((await change(top, child)).status).toBeLessThan(300)
    expect((await editor.browser.post(undo)).status).toBe(409)
    expect((await send('GET', `/categories/${old.id}`)).status).toBe(301)
    expect((await read(`/categories/${child}`)).parent).toBe(good)
  })

  it('of organizers can be undone once, and not by others', async () => {
    const old = await makeOrganizer(editor.as, 'Old choir')
    const good = await makeOrganizer(editor.as, 'Choir')
    const { id } = await makeEvent(editor.as, { organizer: [old.id] })
    const undo = await merge('organizers', old.id, good.id)
    expect((await author.browser.post(undo)).status).toBe(410)
    expect((await editor.browser.submit(undo)).text).toContain('Undone.')
    expect(idsOf((await read(`/events/${id}`)).organizer)).toEqual([old.id])
    expect((await editor.browser.post(undo)).status).toBe(410)
  })

  it('cannot be undone over changes of what stayed, or what names the merged one', async () => {
    const [old, good] = [await makeVenue(editor.as, 'Old inn'), await makeVenue(editor.as, 'Inn')]
    const undo = await merge('venues', old.id, good.id)
    await send('PATCH', `/venues/${good.id}`, { as: editor.as, json: { phone: '3' } })
    expect((await editor.browser.post(undo)).status).toBe(409)
    expect((await send('GET', `/venues/${good.id}`)).body.phone).toBe('3')
    const [named, other] = [await makeVenue(editor.as, 'Named'), await makeVenue(editor.as, 'Named as well')]
    const filters = { venue: String(named.id) }
    const hook = { url: 'https://hook.example/', active: false, filters }
    expect((await send('POST', '/webhooks', { as: admin.as, json: hook })).status).toBe(201)
    expect(await merge('venues', named.id, other.id, 'This can’t be undone.')).toBe('')
  })
})
