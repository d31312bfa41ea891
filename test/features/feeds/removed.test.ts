import { describe, expect, it, vi } from 'vitest'
import { type Answer, declareUser, makeCategory, makeEvent, makeTag, send } from '../../factories.ts'
import { TODAY } from '../../setup.ts'
import { calendar, eventsOf } from './calendar.ts'

// Feeds list removed events as cancelled, in their last public state, so that subscribers' programs remove
// them.

const admin = declareUser('administrator', 'admin')

const change = (id: number, json: object) => send('PATCH', `/events/${id}`, { as: admin, json })
const trash = (id: number, query = '') => send('DELETE', `/events/${id}${query}`, { as: admin })
const uidOf = ({ id }: Answer['body']) => `event-${id}@calendar.example`

describe('an event in the trash', () => {
  it('is cancelled for 90 days, if it was public, with its title and time only', async () => {
    const texts = { description: 'Vanishing text', venue: { venue: 'Vanishing place' } }
    const shown = await makeEvent(admin, { title: 'Vanishing', ...texts })
    const draft = await makeEvent(admin, { title: 'Vanishing draft', status: 'draft' })
    const series = await makeEvent(admin, { title: 'Vanishing too', recurrence: 'FREQ=DAILY;COUNT=3' })
    const unpublished = await makeEvent(admin, { title: 'Vanishing unpublished' })
    await change(unpublished.id, { status: 'draft' })
    const unlisted = await makeEvent(admin, { title: 'Vanishing unlisted', hide_from_listings: true })
    for (const { id } of [shown, draft, unlisted]) await trash(id)
    await trash(series.id, '?scope=all')
    const text = await calendar()
    expect(
      text
        .match(/(?<=SUMMARY:Cancelled: )Vanishing.*/g)
        ?.map(line => line.trim())
        .sort(),
    ).toEqual(['Vanishing', 'Vanishing too'])
    const uid = uidOf(shown)
    expect(eventsOf(text, uid)).toEqual([
      {
        uid,
        status: 'CANCELLED',
        summary: 'Cancelled: Vanishing',
        'x-event-title': 'Vanishing',
        sequence: '2',
        dtstamp: expect.any(String),
        created: expect.any(String),
        'last-modified': expect.any(String),
        dtstart: '2027-01-10T10:00:00Z',
      },
    ])
    expect(eventsOf(text, `series-${series.series.id}@calendar.example`)).toHaveLength(1)
    expect(text).not.toContain(`event-${draft.id}@`)
    expect(text).not.toContain(`event-${unpublished.id}@`)
    expect(await calendar('start_date=2028-01-01')).not.toContain(uid)
    expect((await send('GET', `/events/${shown.id}.ics`)).text).toContain('STATUS:CANCELLED')
    expect((await send('GET', `/events/${draft.id}.ics`)).status).toBe(403)
    vi.setSystemTime(new Date('2027-02-19T00:00:00Z'))
    expect(await calendar()).not.toContain(uid)
    expect((await send('GET', `/events/${shown.id}.ics`)).status).toBe(403)
    vi.setSystemTime(TODAY)
  })

  it('shows its last public state, not changes made while it was hidden', async () => {
    const hidden = { title: 'Hidden words', start_date: '2027-03-03 03:00', end_date: '2027-03-03 04:00' }
    const secret = await makeCategory(admin, 'Hidden category')
    const tag = await makeTag(admin, 'Hidden tag')
    const removed: Answer['body'][] = []
    for (const ways of [
      [{ status: 'draft' }, hidden, { categories: [secret.id], tags: [tag.id] }, { status: 'trash' }],
      [
        { status: 'draft', ...hidden },
        { status: 'trash', venue: { venue: 'Hidden hall' } },
      ],
      [{ status: 'trash', ...hidden, featured: true }],
      [
        { hide_from_listings: true, ...hidden },
        { hide_from_listings: false, status: 'trash' },
      ],
    ]) {
      const event = await makeEvent(admin, { title: 'Public words' })
      for (const json of ways) expect((await change(event.id, json)).status).toBe(200)
      removed.push(event)
    }
    const seen = { summary: 'Cancelled: Public words', dtstart: '2027-01-10T10:00:00Z', status: 'CANCELLED' }
    const whole = await calendar()
    const before = await calendar('end_date=2027-01-31')
    const after = await calendar('start_date=2027-02-01')
    const hiding = ['search=hidden', `categories=${secret.id}`, `tags=${tag.id}`, 'featured=1']
    const filtered = (await Promise.all(hiding.map(query => calendar(query)))).join()
    for (const event of removed) {
      const uid = uidOf(event)
      expect(eventsOf(whole, uid)).toMatchObject([seen])
      expect(eventsOf((await send('GET', `/events/${event.id}.ics`)).text, uid)).toMatchObject([seen])
      expect([before, after, filtered].map(text => text.includes(uid))).toEqual([true, false, false])
    }
  })

  it('keeps its SEQUENCE, which is higher than before, whatever is changed while it is hidden', async () => {
    const sequences = async (uid: string, query: string): Promise<number[]> =>
      eventsOf(await calendar(query), uid).map(({ sequence }) => Number(sequence))
    const edits = [
      { title: 'Changed' },
      { venue: { venue: 'Unseen hall' } },
      { tags: ['Unseen'] },
      { cost: '5' },
    ]
    for (const recurrence of [undefined, 'FREQ=DAILY;COUNT=2'])
      for (const hiding of [
        { status: 'trash' },
        { status: 'trash', title: 'Hidden at once', tags: ['Once'] },
      ])
        for (const query of ['', 'expand=true']) {
          const event = await makeEvent(admin, { title: 'Counted', ...(recurrence && { recurrence }) })
          const scope = recurrence ? { scope: 'all' } : {}
          const one = `event-${event.id}.0@calendar.example`
          const all = `series-${event.series?.id}@calendar.example`
          const uid = recurrence ? (query === '' ? all : one) : uidOf(event)
          const [shown = Number.NaN] = await sequences(uid, query)
          await change(event.id, { ...hiding, ...scope })
          const [hidden = Number.NaN] = await sequences(uid, query)
          expect([hidden >= shown, hidden > 0], `${query} ${recurrence} ${hiding}`).toEqual([true, true])
          for (const json of edits) expect((await change(event.id, { ...json, ...scope })).status).toBe(200)
          expect(await sequences(uid, query)).toEqual([hidden])
          await change(event.id, { status: 'publish', ...scope })
          expect((await sequences(uid, query))[0]).toBeGreaterThanOrEqual(hidden)
        }
  })

  it('is found by the filters that it was found by, unless it was changed since', async () => {
    const event = await makeEvent(admin, { title: 'Sought', tags: ['Sought tag'] })
    await trash(event.id)
    for (const query of ['search=sought', 'tags=sought-tag', `include=${event.id}`])
      expect(eventsOf(await calendar(query), uidOf(event)).length, query).toBe(1)
    // What has the texts of a series, which may have changed, is found by no words.
    const series = await makeEvent(admin, { title: 'Sought too', recurrence: 'FREQ=DAILY;COUNT=2' })
    await trash(series.id, '?scope=all')
    const uid = `series-${series.series.id}@calendar.example`
    expect((await calendar('search=sought')).includes(uid)).toBe(false)
    expect((await calendar()).includes(uid)).toBe(true)
    await change(event.id, { status: 'publish', title: 'Back' })
    expect(eventsOf(await calendar(), uidOf(event))).toMatchObject([{ summary: 'Back', status: 'CONFIRMED' }])
    await trash(event.id)
    expect(eventsOf(await calendar(), uidOf(event))).toMatchObject([
      { summary: 'Cancelled: Back', status: 'CANCELLED' },
    ])
  })

  it('is no event that nobody had, if its series ended and another event has its UID', async () => {
    const first = await makeEvent(admin, { title: 'Fading', recurrence: 'FREQ=DAILY;COUNT=4' })
    await change(first.id, { recurrence: '' })
    const uids = async (): Promise<string[]> =>
      [...(await calendar()).matchAll(/^UID:(.*)\r\n(?:(?!END).*\r\n)*SUMMARY:.*Fading/gm)].map(
        ([, uid = '']) => uid,
      )
    expect(await uids()).toEqual([`series-${first.series.id}@calendar.example`])
    // What comes back is another series to calendars, which then can be called off.
    for (const id of [first.id + 2, first.id + 1]) await change(id, { status: 'publish' })
    const [, uid = ''] = await uids()
    expect(eventsOf(await calendar(), uid)).toMatchObject([{ status: 'CONFIRMED' }])
    await trash(first.id + 1, '?scope=all')
    expect(eventsOf(await calendar(), uid)).toMatchObject([
      { status: 'CANCELLED', dtstart: '2027-01-11T10:00:00Z' },
    ])
  })

  it('is the first date of a series, even if others were removed before', async () => {
    const series = await makeEvent(admin, { title: 'Gone', recurrence: 'FREQ=DAILY;COUNT=4' })
    await trash(series.id)
    await trash(series.id + 2, '?scope=all')
    expect(eventsOf(await calendar(), `series-${series.series.id}@calendar.example`)).toMatchObject([
      { status: 'CANCELLED', dtstart: '2027-01-11T10:00:00Z' },
    ])
  })

  it('changes entity tags when it gets there, also from a draft', async () => {
    const event = await makeEvent(admin, { title: 'From a draft' })
    await change(event.id, { status: 'draft' })
    const { headers } = await send('GET', '/events.ics')
    await trash(event.id)
    const again = await send('GET', '/events.ics', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect([again.status, eventsOf(again.text, uidOf(event)).length]).toEqual([200, 1])
  })
})
