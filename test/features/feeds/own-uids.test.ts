import { describe, expect, it } from 'vitest'
import { everyRole, type People } from '../../attacks/people.ts'
import { queryValue, send, WHEN } from '../../factories.ts'

// No event gets the UID of another: subscribers would see it in place of the other, or lose both together.

const HOST = 'calendar.example'
const people = everyRole()

const post = (as: keyof People, fields: object = {}) =>
  send('POST', '/events', { as: people[as].as, json: { title: 'Event', ...WHEN, ...fields } })

const uidsIn = (ics: string) => [...ics.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid)
const uidOf = async (id: unknown) => uidsIn((await send('GET', `/events/${id}.ics`)).text)[0]

const insert = (id: string) =>
  queryValue<number>(
    `INSERT INTO events (author_id, status, slug, date, date_utc, modified, modified_utc, title, start_date, end_date, timezone,
      utc_start_date, utc_end_date, timezone_abbr, external_id)
     SELECT author_id, 'publish', slug || '-' || ?1, date, date_utc, modified, modified_utc, title, start_date, end_date, timezone,
      utc_start_date, utc_end_date, timezone_abbr, ?1 FROM events ORDER BY id LIMIT 1 RETURNING id`,
    id,
  )

describe.each(['administrator', 'contributor'] as const)('an external id by an %s', role => {
  it('may not have the form of this calendar’s own UIDs', async () => {
    const { body: victim } = await post('editor')
    const { body: series } = await post('editor', { recurrence: 'FREQ=DAILY;COUNT=2' })
    const event = victim.id
    const other = series.series.id
    const ids = [
      `event-${event}@`,
      `event-${event}@${HOST}`,
      `EVENT-${event}@Calendar.Example`,
      `series-${other}@`,
      `series-${other}.3@${HOST}`,
      'event-9999@',
    ]
    const { body: own } = await post(role, { status: 'draft' })
    for (const external_id of ids) {
      const path = `/events/by-external-id/${encodeURIComponent(external_id)}`
      const answers = [
        await post(role, { external_id }),
        await post(role, { external_id, recurrence: 'FREQ=DAILY;COUNT=2' }),
        await send('PATCH', `/events/${own.id}`, { as: people[role].as, json: { external_id } }),
        await send('PUT', path, { as: people[role].as, json: { title: 'Event', ...WHEN } }),
      ]
      for (const { status, body } of answers)
        expect([status, Object.keys(body.data?.params ?? {})], external_id).toEqual([400, ['external_id']])
    }
  })

  it('of another calendar may have that form, and anything else', async () => {
    for (const id of [`event-1@${role}.example`, `event-x@${HOST}`, `event-1@${HOST}.${role}`]) {
      const external_id = `${id}`.replace('event-x', `event-x${role}`)
      const { status, body } = await post(role, { external_id })
      expect([status, body.external_id], id).toEqual([201, external_id])
      if (body.status === 'publish') expect(await uidOf(body.id), id).toBe(external_id)
    }
  })
})

describe('a UID', () => {
  it('stored by an import is not used for another event', async () => {
    const { body: victim } = await post('editor')
    const { body: whole } = await post('editor', { external_id: 'whole@' })
    expect(await uidOf(whole.id)).toBe(`event-${whole.id}@${HOST}`)
    for (const external of [`event-${victim.id}@`, `event-${victim.id}@${HOST}`]) {
      const id = await insert(external)
      expect(await uidOf(id), external).toBe(`event-${id}@${HOST}`)
    }
    const uids = uidsIn((await send('GET', '/events.ics')).text)
    expect(new Set(uids).size).toBe(uids.length)
  })

  it('of another calendar is kept; one of this calendar that is still free is kept too, and reserved', async () => {
    const { body: known } = await post('editor')
    const other = await insert(`event-${known.id}@another.example`)
    expect(await uidOf(other)).toBe(`event-${known.id}@another.example`)
    const next = Number(other) + 2
    const early = await insert(`event-${next}@${HOST}`)
    expect(await uidOf(early)).toBe(`event-${next}@${HOST}`)
    const { body: late } = await post('editor')
    expect([late.id, await uidOf(late.id)]).toEqual([next, `event-${next}.1@${HOST}`])
    const coming = await queryValue<number>('SELECT max(id) + 1 AS id FROM series')
    await insert(`series-${coming}@${HOST}`)
    const { body: first } = await post('editor', { recurrence: 'FREQ=DAILY;COUNT=2' })
    const ics = (await send('GET', `/events.ics?series=${first.series.id}`)).text
    expect([first.series.id, uidsIn(ics)]).toEqual([coming, [`series-${coming}.1@${HOST}`]])
  })

  it('of a series stays its own when its first date gives the external id away', async () => {
    const external_id = 'crm-1@elsewhere'
    const { body: first } = await post('editor', { external_id, recurrence: 'FREQ=DAILY;COUNT=3' })
    expect(uidsIn((await send('GET', `/events.ics?series=${first.series.id}`)).text)).toEqual([external_id])
    await send('DELETE', `/events/${first.id}?force=true`, { as: people.editor.as })
    const { body: other } = await post('author', { external_id })
    expect(other.external_id).toBe(external_id)
    expect(await uidOf(other.id)).toBe(`event-${other.id}@${HOST}`)
    const again = await post('author', { external_id: 'crm-2@elsewhere' })
    await send('PATCH', `/events/${again.body.id}`, { as: people.author.as, json: { external_id: '' } })
    const { body: repeated } = await post('author', {
      external_id: 'crm-2@elsewhere',
      recurrence: 'FREQ=DAILY;COUNT=2',
    })
    const ics = (await send('GET', `/events.ics?series=${repeated.series.id}`)).text
    expect(uidsIn(ics)).toEqual([`series-${repeated.series.id}@${HOST}`])
  })

  it('of a date, where each is an event of its own, stays through every change of its series', async () => {
    const { body: first } = await post('editor', { timezone: 'Europe/Dublin', title: 'Ceilidh' })
    const change = (id: unknown, json: object) =>
      send('PATCH', `/events/${id}`, { as: people.editor.as, json })
    const filter = 'search=ceilidh&start_date=2000-01-01&end_date=2100-01-01'
    const known = new Map<string, number>()
    /** The UIDs of all dates. Checks that no date has a new UID or a lower SEQUENCE. */
    const checkUids = async () => {
      const { text } = await send('GET', `/events.ics?${filter}&expand=true`)
      const uids = uidsIn(text).sort()
      const sequences = [...text.matchAll(/^SEQUENCE:(\d+)/gm)].map(([, n]) => Number(n))
      for (const [i, uid] of uidsIn(text).entries()) {
        expect(sequences[i], uid).toBeGreaterThanOrEqual(known.get(uid ?? '') ?? 0)
        known.set(uid ?? '', sequences[i] ?? 0)
      }
      const feed = JSON.parse((await send('GET', `/events.feed.json?${filter}`)).text)
      expect(feed.items.map(({ id }: { id: string }) => id).sort()).toEqual(uids)
      return uids
    }
    const [single] = await checkUids()
    await change(first.id, { recurrence: 'FREQ=DAILY;COUNT=5' })
    const uids = await checkUids()
    expect(uids).toHaveLength(5)
    expect(uids).toContain(single)
    expect(new Set(uids).size).toBe(5)
    const day = String(first.start_date).slice(0, 10)
    const times = { start_date: `${day} 11:15`, end_date: `${day} 12:15` }
    for (const [n, json] of [
      [0, { ...times, scope: 'all' }],
      [2, { title: 'Great ceilidh', scope: 'following' }],
      [3, { website: 'https://example.org', scope: 'following' }],
      [1, { title: 'Small ceilidh' }],
    ] as const) {
      const { body } = await send('GET', `/events?${filter}`)
      expect((await change(body.events[n].id, json)).status).toBe(200)
      expect(await checkUids(), JSON.stringify(json)).toEqual(uids)
    }

    // What is left of a series has its UID, which was that of another date.
    for (const cost of ['1', '2', '3']) await change(first.id, { cost })
    await checkUids()
    const { body } = await send('GET', `/events?${filter}`)
    expect((await change(body.events[1].id, { recurrence: '' })).status).toBe(200)
    expect(await checkUids()).toContain(single)
  })
})
