import { describe, expect, it, vi } from 'vitest'
import { declareUser, makeAll, makeCategory, makeEvent, makeVenue, query, send, WHEN } from '../factories.ts'
import { fieldsIn } from './forms.ts'
import { signedIn, signIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')
const other = declareUser('author', 'other')

const trash = (path: string, as = editor.as, json = {}) => send('DELETE', path, { as, json })
const statusOf = async (path: string) => (await send('GET', path, { as: editor.as })).body.status

describe('the trash', () => {
  it('lists items, and restores them with their former status', async () => {
    const draft = await makeEvent(editor.as, { title: 'A draft', status: 'draft' })
    const venue = await makeVenue(editor.as, 'Old barn')
    const series = await makeEvent(editor.as, { title: 'Class', recurrence: 'FREQ=DAILY;COUNT=5' })
    await trash(`/events/${draft.id}`)
    await trash(`/venues/${venue.id}`)
    await trash(`/events/${series.id}`, editor.as, { scope: 'all' })
    const { text, html } = await editor.browser.get('/admin/trash/')
    expect(text).toMatch(/A draft.*deleted by editor-/s)
    expect(text.match(/Series: Class/g)).toHaveLength(1)
    expect(text).toContain('Old barn')
    expect(html).toContain(`value="series-${series.id}"`)
    const thing = [`event-${draft.id}`, `venue-${venue.id}`, `series-${series.id}`]
    const restored = await editor.browser.submit('/admin/trash/', { thing, do: 'restore' })
    expect(restored.text).toContain('3 items restored.')
    expect(await statusOf(`/events/${draft.id}`)).toBe('draft')
    expect(await statusOf(`/venues/${venue.id}`)).toBe('publish')
    expect((await send('GET', `/events?series=${series.series.id}`)).body.total).toBe(5)
  })

  it('restores as drafts what was public and has been changed in the trash', async () => {
    const { as } = await signIn('contributor')
    const event = await makeEvent(as, { title: 'Harmless' })
    const venue = await makeVenue(as, 'Harmless hall')
    const series = await makeEvent(as, { title: 'Harmless class', recurrence: 'FREQ=DAILY;COUNT=3' })
    const date = await makeEvent(as, { title: 'Harmless course', recurrence: 'FREQ=DAILY;COUNT=3' })
    const paths = [`/events/${event.id}`, `/venues/${venue.id}`]
    for (const path of [...paths, `/events/${series.id}?scope=all`, `/events/${date.id}`]) {
      await send('PATCH', path, { as: editor.as, json: { status: 'publish' } })
      await trash(path)
    }
    for (const path of [...paths, `/events/${series.id}`]) {
      const json = { [path.startsWith('/venues') ? 'venue' : 'title']: 'Harmful' }
      expect((await send('PATCH', path, { as, json })).status, path).toBe(200)
    }
    const thing = [`event-${event.id}`, `venue-${venue.id}`, `series-${series.id}`, `event-${date.id}`]
    const { text } = await editor.browser.submit('/admin/trash/', { thing, do: 'restore' })
    expect(text).toContain('4 items restored. Items that have changed since they were deleted')
    for (const path of [...paths, `/events/${series.id}`]) expect(await statusOf(path), path).toBe('draft')
    expect(await statusOf(`/events/${date.id}`)).toBe('publish')
    // The page of a venue in the trash shows its name alone.
    await trash(`/venues/${venue.id}`)
    await editor.browser.submit('/admin/trash/', { thing: `venue-${venue.id}`, do: 'restore' })
    expect(await statusOf(`/venues/${venue.id}`)).toBe('draft')
  })

  describe('of dates that went there along with others', () => {
    const daily = (title: string) => makeEvent(editor.as, { title, recurrence: 'FREQ=DAILY;COUNT=4' })
    const dateIds = async (first: { series: { id: number } }): Promise<number[]> =>
      (await send('GET', `/events?series=${first.series.id}`)).body.events.map(({ id }: { id: number }) => id)
    const restore = async (...ids: number[]) =>
      (await editor.browser.submit('/admin/trash/', { thing: ids.map(id => `event-${id}`), do: 'restore' }))
        .text

    it('restores them with the status of their series, and names who deleted them', async () => {
      const following = await daily('Left early')
      const ruled = await daily('Shortened')
      const [, second = 0, third = 0] = await dateIds(following)
      await trash(`/events/${second}`, editor.as, { scope: 'following' })
      const [, gap = 0, , last = 0] = await dateIds(ruled)
      const recurrence = { rrule: 'FREQ=DAILY;COUNT=3', exdate: [] as string[] }
      await send('PATCH', `/events/${ruled.id}`, { as: editor.as, json: { scope: 'all', recurrence } })
      const { start_date } = (await send('GET', `/events/${gap}`)).body
      recurrence.exdate.push(start_date)
      await send('PATCH', `/events/${ruled.id}`, { as: editor.as, json: { scope: 'all', recurrence } })
      expect((await editor.browser.get('/admin/trash/')).text).toMatch(/Left early deleted by editor-/)
      for (const id of [second, third, gap, last]) {
        expect(await restore(id)).not.toContain('are drafts now')
        const { body } = await send('GET', `/events/${id}`)
        expect([body.status, body.series?.detached]).toEqual(['publish', []])
      }
    })

    it('restores single dates of a series and then the series, all public again', async () => {
      const first = await daily('Everything')
      const [, second = 0] = await dateIds(first)
      await trash(`/events/${first.id}`, editor.as, { scope: 'all' })
      expect(await restore(second)).not.toContain('are drafts now')
      expect(await statusOf(`/events/${second}`)).toBe('publish')
      const { text } = await editor.browser.submit('/admin/trash/', {
        thing: `series-${first.id}`,
        do: 'restore',
      })
      expect(text).not.toContain('are drafts now')
      expect(await dateIds(first)).toHaveLength(4)
    })

    it('restores as drafts what was changed in the trash, and what had been a draft', async () => {
      const first = await daily('Changed below')
      const [, second = 0, third = 0, fourth = 0] = await dateIds(first)
      await send('PATCH', `/events/${third}`, { as: editor.as, json: { status: 'draft' } })
      await trash(`/events/${second}`, editor.as, { scope: 'following' })
      await send('PATCH', `/events/${fourth}`, { as: editor.as, json: { title: 'Harmful' } })
      expect(await restore(second, third)).not.toContain('are drafts now')
      expect(await restore(fourth)).toContain('are drafts now')
      const statuses = [second, third, fourth].map(id => statusOf(`/events/${id}`))
      expect(await Promise.all(statuses)).toEqual(['publish', 'draft', 'draft'])
    })
  })

  it('says that a left out date is a draft now because its series has changed since', async () => {
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=3', exdate: [] as string[] }
    const first = await makeEvent(editor.as, { title: 'Left out', recurrence })
    const { events } = (await send('GET', `/events?series=${first.series.id}`)).body
    const { id, start_date } = events[1]
    recurrence.exdate.push(start_date)
    for (const json of [{ recurrence }, { title: 'Renamed' }]) {
      vi.setSystemTime(Date.now() + 60_000)
      await send('PATCH', `/events/${first.id}`, { as: editor.as, json: { scope: 'all', ...json } })
    }
    const { text } = await editor.browser.submit('/admin/trash/', { thing: `event-${id}`, do: 'restore' })
    expect([text, await statusOf(`/events/${id}`)]).toEqual([
      expect.stringContaining('are drafts now'),
      'draft',
    ])
  })

  it('restores as a draft what the user may not publish', async () => {
    const contributor = await signIn('contributor')
    const { id } = await makeEvent(contributor.as, { title: 'Published by others' })
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { status: 'publish' } })
    await trash(`/events/${id}`)
    const thing = `event-${id}`
    const { text } = await contributor.browser.submit('/admin/trash/', { thing, do: 'restore' })
    expect([text, await statusOf(`/events/${id}`)]).toEqual([
      expect.stringContaining('One item restored.'),
      'draft',
    ])
  })

  it('asks before it deletes for good, a few items at a time', async () => {
    const events = await makeAll(
      editor.as,
      'events',
      Array.from({ length: 6 }, (_, i) => ({ title: `Rubbish ${i}`, ...WHEN, status: 'trash' })),
    )
    const thing = events.map(({ id }) => `event-${id}`)
    const asked = await editor.browser.post('/admin/trash/', { thing, do: 'ask' })
    expect(asked.text).toMatch(/Delete these for good\?.*Event: Rubbish 0/s)
    const first = await editor.browser.post('/admin/trash/', { thing, do: 'delete' })
    expect(first.text).toMatch(/4 items deleted.*Delete the rest \(2\)/s)
    const left = fieldsIn(first.html).thing
    const second = await editor.browser.submit('/admin/trash/', { thing: left ?? [], do: 'delete' })
    expect(second.text).toContain('2 items deleted.')
    for (const { id } of events)
      expect((await send('GET', `/events/${id}`, { as: editor.as })).status).toBe(404)
  })

  it('ignores items that have been restored since, and those of others', async () => {
    const back = await makeEvent(editor.as, { title: 'Came back', status: 'trash' })
    const foreign = await makeEvent(other, { title: 'Foreign', status: 'trash' })
    await send('PATCH', `/events/${back.id}`, { as: editor.as, json: { status: 'publish' } })
    const thing = [`event-${back.id}`, 'event-99999', 'venue-1;', 'user-1']
    const nothing = await editor.browser.submit('/admin/trash/', { thing, do: 'delete' })
    expect(nothing.html).toMatch(/class="editor-notice is-warning"[^>]*>Select something first\./)
    expect(await statusOf(`/events/${back.id}`)).toBe('publish')
    expect((await author.browser.get('/admin/trash/')).text).not.toContain('Foreign')
    const mine = { thing: [`event-${foreign.id}`], do: 'delete' }
    expect((await author.browser.submit('/admin/trash/', mine)).text).toContain('Select something first.')
    expect((await editor.browser.get('/admin/trash/')).text).toContain('Foreign')
  })

  it('has pages, even of items deleted at the same time', async () => {
    await query(`UPDATE events SET modified_utc = '2026-01-01 00:00:00', version = version + 1`)
    const venues = Array.from({ length: 55 }, (_, i) => ({ venue: `Thrown ${i}`, status: 'trash' }))
    await makeAll(author.as, 'venues', venues)
    const first = await author.browser.get('/admin/trash/')
    const onward = first.links.find(link => link.includes('after=')) ?? ''
    const second = await author.browser.get(onward)
    const all = new Set(
      [...first.html.matchAll(/value="(venue-\d+)"/g), ...second.html.matchAll(/value="(venue-\d+)"/g)].map(
        ([, id]) => id,
      ),
    )
    expect(all.size).toBe(55)
  })
})

describe('a button', () => {
  it('is refused if the item has changed since its page was shown', async () => {
    const fresh = async (path: string) => fieldsIn((await editor.browser.get(path)).html)
    const { id: term } = await makeCategory(editor.as, 'Theatre')
    const asked = await fresh(`/admin/categories/${term}/delete/`)
    await send('PATCH', `/categories/${term}`, { as: editor.as, json: { name: 'Opera' } })
    expect((await editor.browser.post(`/admin/categories/${term}/delete/`, asked)).status).toBe(409)
    expect((await send('GET', `/categories/${term}`, { as: editor.as })).status).toBe(200)
    const { id: venue } = await makeVenue(editor.as, 'Pier')
    await send('DELETE', `/venues/${venue}`, { as: editor.as })
    const shown = fieldsIn((await editor.browser.get(`/admin/venues/${venue}/`)).html, 'in-trash')
    await send('PATCH', `/venues/${venue}`, { as: editor.as, json: { city: 'Kent' } })
    for (const action of ['delete', 'restore'])
      expect((await editor.browser.post('/admin/trash/', { ...shown, do: action })).status, action).toBe(409)
    const { id } = await makeEvent(editor.as, { title: 'In the list' })
    const list = await editor.browser.get('/admin/events/?search=In+the+list')
    const [, version = ''] = new RegExp(`name="version" value="(${id}-\\d+)"`).exec(list.html) ?? []
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { title: 'In the lists' } })
    const refused = await editor.browser.post('/admin/events/bulk/', {
      id: String(id),
      version,
      do: 'toTrash',
    })
    expect(refused.status).toBe(409)
    expect((await send('GET', `/events/${id}`, { as: editor.as })).body.title).toBe('In the lists')
  })
})
