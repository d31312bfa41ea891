import { describe, expect, it } from 'vitest'
import { everyRole, type People } from '../../../attacks/people.ts'
import { makeEvent, query, SITE, send } from '../../../factories.ts'

// Events, series and dates of series have their pages below the same path.

const people = everyRole()

let n = 0
const word = () => `yoga${++n}`

const create = (as: keyof People, fields: object) => makeEvent(people[as].as, fields)
const weekly = (title: string, recurrence: object = { rrule: 'FREQ=WEEKLY;COUNT=3' }) =>
  create('editor', { title, recurrence })
const pageOf = async (path: string) => {
  const { status, headers } = await send('GET', SITE + path)
  return [status, headers.get('location')]
}

const WRITERS = ['administrator', 'editor', 'author', 'contributor'] as const

describe.each(WRITERS)('the slug of an event by an %s', role => {
  it.each(['draft', 'pending', 'trash'])('that is %s is not that of a series', async status => {
    const title = word()
    await weekly(title)
    const event = await create(role, { title, status })
    expect(event.slug).not.toBe(title)
    const restored = await send('PATCH', `/events/${event.id}`, {
      as: people[role].as,
      json: { status: 'draft' },
    })
    expect(restored.body.slug).toBe(`${title}-2`)
    const { body } = await send('PATCH', `/events/${event.id}`, {
      as: people[role].as,
      json: { slug: title },
    })
    expect(body.slug).toBe(`${title}-2`)
    expect(await pageOf(`/event/${title}/`)).toEqual([302, `/event/${title}/2027-01-10/`])
  })

  it('is not that of a date that a series leaves out', async () => {
    const title = word()
    await weekly(title, { rrule: 'FREQ=WEEKLY;COUNT=3', exdate: ['2027-01-17'] })
    for (const slug of [`${title}-2027-01-17`, `${title}-2027-03-01-1930`, `${title}-2027-03-01-193015`]) {
      const event = await create(role, { slug, status: 'draft' })
      expect(event.slug).toBe(`${slug}-2`)
      const { body } = await send('PATCH', `/events/${event.id}`, { as: people[role].as, json: { slug } })
      expect(body.slug).toBe(`${slug}-2`)
    }
    expect(await pageOf(`/event/${title}/2027-01-17/`)).toEqual([404, null])
  })
})

describe('slugs of series', () => {
  it('are not those of other series, or of their dates', async () => {
    const title = word()
    const first = await weekly(title)
    expect((await weekly(title)).slug).toBe(`${title}-2-2027-01-10`)
    expect((await weekly(`${title} 2027-05-01`)).slug).toBe(`${title}-2027-05-01-2-2027-01-10`)
    const single = await create('editor', { title: 'Other' })
    const recurring = { slug: title, recurrence: { rrule: 'FREQ=DAILY;COUNT=2' } }
    const { body } = await send('PATCH', `/events/${single.id}`, { as: people.editor.as, json: recurring })
    expect(body.slug).not.toMatch(new RegExp(`^${title}-2027`))
    expect((await send('GET', `/events/${first.id}`)).body.slug).toBe(`${title}-2027-01-10`)
  })

  it('number dates that come to the slug of another series', async () => {
    const title = word()
    await weekly(`${title} 2027-01-17`)
    const { series } = await weekly(title)
    const { body } = await send('GET', `/events?series=${series.id}`)
    expect(body.events.map(({ slug }: { slug: string }) => slug)).toEqual([
      `${title}-2027-01-10`,
      `${title}-2027-01-17-2`,
      `${title}-2027-01-24`,
    ])
  })

  it('are free for their own dates, and stay with the event that is left of a series', async () => {
    const title = word()
    const first = await weekly(title)
    const path = `/events/${first.id}`
    const as = people.editor.as
    expect((await send('PATCH', path, { as, json: { slug: 'mine' } })).body.slug).toBe('mine')
    expect((await send('PATCH', path, { as, json: { slug: title } })).body.slug).toBe(`${title}-2`)
    const slug = `${title}-2027-01-10`
    expect((await send('PATCH', path, { as, json: { slug } })).body.slug).toBe(slug)
    await send('DELETE', path, { as })
    expect((await send('PATCH', path, { as, json: { status: 'publish' } })).body.slug).toBe(slug)
    const { body: left } = await send('PATCH', path, { as, json: { recurrence: '' } })
    expect([left.slug, left.series]).toEqual([slug, undefined])
    expect((await send('PATCH', path, { as, json: { slug } })).body.slug).toBe(slug)
    await send('DELETE', path, { as })
    expect((await send('PATCH', path, { as, json: { status: 'publish' } })).body.slug).toBe(slug)
  })

  it('of dates that leave a series are free, and are theirs again when they rejoin it', async () => {
    const title = word()
    const other = word()
    const first = await weekly(title)
    const as = people.editor.as
    const change = async (json: object) => {
      const { status, text } = await send('PATCH', `/events/${first.id}`, { as, json })
      expect(status, text).toBe(200)
      const rows = await query<{ slug: string }>(
        'SELECT slug FROM events WHERE series_id = ? ORDER BY occurrence_date',
        first.series.id,
      )
      return rows.map(({ slug }) => slug)
    }
    const days = ['2027-01-10', '2027-01-17', '2027-01-24']
    const live = ''
    const gone = '__trashed'
    const slugs = (base: string, end: string) => days.map((day, i) => `${base}-${day}${i > 0 ? end : live}`)
    const one = { recurrence: 'FREQ=WEEKLY;COUNT=1' }
    const all = { recurrence: 'FREQ=WEEKLY;COUNT=3' }
    expect(await change(one)).toEqual(slugs(title, gone))
    expect(await change(all)).toEqual(slugs(title, live))
    await change(one)
    expect(await change({ slug: other, scope: 'all' })).toEqual(slugs(other, gone))
    expect(await change(all)).toEqual(slugs(other, live))
  })

  it('are unique when series and events are made at once', async () => {
    for (let round = 0; round < 4; round++) {
      const title = word()
      await Promise.all([
        weekly(title),
        create('author', { title }),
        weekly(title),
        create('contributor', { title }),
        create('author', { title: `${title} 2027-01-17` }),
      ])
      const results = await query<{ slug: string }>(
        'SELECT slug FROM events WHERE slug GLOB ?1 AND series_id IS NULL UNION ALL SELECT slug FROM series WHERE slug GLOB ?1',
        `${title}*`,
      )
      expect(new Set(results.map(({ slug }) => slug)).size).toBe(results.length)
    }
  })

  it('lead to their dates even if an older draft has the same slug', async () => {
    const title = word()
    await weekly(title)
    const draft = await create('contributor', { title: 'Draft' })
    await query('UPDATE events SET slug = ?, version = version + 1 WHERE id = ?', title, draft.id)
    expect(await pageOf(`/event/${title}/`)).toEqual([302, `/event/${title}/2027-01-10/`])
  })
})
