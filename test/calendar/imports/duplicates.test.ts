import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { selectDuplicateCount } from '../../../src/calendar/duplicates/queries.ts'
import { Database } from '../../../src/kit/db/database.ts'
import {
  countRows,
  declareUser,
  makeDatabaseAnew,
  makeEvent,
  makeSource,
  makeUser,
  makeVenue,
  query,
  queryAll,
  SITE,
  send,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { findAllDuplicates, findNewDuplicates, hiddenBehind, makeSourced } from './duplicates.ts'

// Events of different origin that are the same show as one, and nobody's are hidden by what is not public
// itself.

const admin = declareUser('administrator', 'ada')
const as = declareUser('editor', 'eve')
const author = declareUser('author', 'art')
const contributor = declareUser('contributor', 'con')
let fields: Record<string, unknown>
beforeAll(async () => {
  const venue = await makeVenue(admin, 'Town hall', { geo_lat: 53.27, geo_lng: -9.05 })
  fields = {
    title: 'Jazz of the harbour with the Quay Sisters',
    start_date: '2027-03-01 20:00:00',
    end_date: '2027-03-01 22:00:00',
    venue: venue.id,
    categories: ['Music'],
    tags: ['jazz'],
  }
})

beforeEach(() =>
  queryAll(
    [
      ...['twins', 'imports', 'source_runs', 'sources', 'event_terms', 'event_venues', 'event_organizers'],
      ...['events', 'series_terms', 'series_venues', 'series_organizers', 'series', 'audit'],
    ].map(table => `DELETE FROM ${table}`),
  ),
)

const own = async (more: object = {}, by = as) => Number((await makeEvent(by, { ...fields, ...more })).id)
const sourced = (name: string, more: object = {}) => makeSourced(as, name, { ...fields, ...more })
/** An own event, and the one of a source that it hides. */
async function joined(more: object = {}): Promise<[shown: number, hidden: number]> {
  const shown = await own(more)
  const hidden = await sourced('Theatre')
  await findAllDuplicates()
  return [shown, hidden]
}
const SIMILAR = { title: 'Harbour jazz: the Quay Sisters and friends' }
const edit = (id: number, json: object, by = as) => send('PATCH', `/events/${id}`, { as: by, json })
const separate = (id: number, by = as) => send('POST', `/events/${id}/separate`, { as: by })
const decide = (id: number, same: boolean) => send('POST', `/duplicates/${id}`, { as, json: { same } })
const duplicates = async (query = '') => (await send('GET', `/duplicates${query}`, { as })).body.duplicates

/** Everything that is stored of events, and derived of it. */
const stored = () =>
  Promise.all(
    [
      'SELECT * FROM events ORDER BY id',
      'SELECT * FROM event_venues ORDER BY 1, 2',
      'SELECT * FROM event_terms ORDER BY 1, 2',
      'SELECT * FROM listings ORDER BY 1, 2, 3, 4',
      'SELECT * FROM listing_counts WHERE count > 0 ORDER BY 1, 2, 3',
      'SELECT rowid, listed, unlisted FROM events_search ORDER BY rowid',
      'SELECT * FROM imports ORDER BY 1, 2, 3',
      'SELECT id, count FROM terms ORDER BY id',
    ].map(sql => query(sql)),
  )

describe('an own event and that of a source', () => {
  it('are joined, show as one everywhere, and are what they were when they are taken apart', async () => {
    const shown = await own()
    const hidden = await sourced('Theatre')
    const other = await own({ title: 'Something else entirely' })
    const before = await stored()
    await findAllDuplicates()
    expect(await hiddenBehind(shown, hidden, other)).toEqual([0, shown, 0])
    const window = 'start_date=2027-01-01'
    const list = (await send('GET', `/events?${window}`)).body
    expect([list.total, list.events.map((event: { id: number }) => event.id)]).toEqual([2, [shown, other]])
    expect((await send('GET', `/events?${window}`, { as })).body.total).toBe(2)
    expect((await send('GET', `/events?include=${shown},${hidden}`, { as })).body.total).toBe(1)
    expect((await send('GET', `/events?${window}&search=harbour`)).body.total).toBe(1)
    expect((await send('GET', `/events?${window}&categories=music&orderby=title`)).body.total).toBe(2)
    expect((await send('GET', '/categories')).body.categories[0].count).toBe(2)
    expect((await send('GET', `/events.geojson?${window}`)).body.features).toHaveLength(2)
    for (const feed of ['events.ics', 'events.rss', 'events.feed.json'])
      expect((await send('GET', `/${feed}`)).text.match(/Jazz of the harbour/g)?.length, feed).toBeLessThan(3)
    expect((await send('GET', '/events.ics')).text.match(/BEGIN:VEVENT/g)).toHaveLength(2)
    const copy = (await send('GET', '/events/changes')).body
    expect([copy.events.length, copy.deleted]).toEqual([2, []])
    const map = (await send('GET', `${SITE}/sitemap.xml`)).text
    expect(map.match(/\/event\/jazz/g)).toHaveLength(1)
    // Each of these pages names an event by the link to it.
    const link = '/event/jazz-of-the-harbour-with-the-quay-sisters/"'
    for (const page of [
      '/events/?date=2027-03-01',
      '/events/2027-03/',
      '/venue/town-hall/',
      '/events/2027-03-01/',
    ]) {
      const { text } = await send('GET', SITE + page)
      expect([text.includes(link), text.includes('quay-sisters-2')], page).toEqual([true, false])
    }
    await separate(hidden)
    expect(await stored()).toEqual(before)
    expect(await duplicates('?state=different')).toMatchObject([{ state: 'different', shown: 0 }])
    await findAllDuplicates()
    expect(await hiddenBehind(shown, hidden)).toEqual([0, 0])
  })

  it('lead to the one that is shown, but for those who may edit', async () => {
    const shown = await own()
    const hidden = await sourced('Theatre', { slug: 'of-the-theatre' })
    await findAllDuplicates()
    for (const [path, to] of [
      [`/events/${hidden}`, `/events/${shown}`],
      ['/events/by-slug/of-the-theatre?_fields=id', `/events/${shown}?_fields=id`],
      [`/events/${hidden}.ics`, `/events/${shown}.ics`],
    ]) {
      const { status, headers } = await send('GET', String(path))
      expect([status, headers.get('location')], path).toEqual([301, `${SITE}/calendar/events/v1${to}`])
    }
    const page = await send('GET', `${SITE}/event/of-the-theatre/`)
    expect([page.status, page.headers.get('location')]).toEqual([
      301,
      '/event/jazz-of-the-harbour-with-the-quay-sisters/',
    ])
    expect((await send('GET', `/events/${hidden}`, { as })).body).toMatchObject({
      id: hidden,
      duplicate_of: shown,
    })
    expect((await send('GET', `/events/${hidden}`, { as: author })).status).toBe(301)
    // A copy would show what only they see.
    const copy = (by: string) => send('POST', `/events/${hidden}/duplicate`, { as: by, json: {} })
    expect([(await copy(author)).status, (await copy(as)).status]).toEqual([403, 201])
    expect((await send('GET', `/events/${shown}`)).body.duplicate_of).toBeUndefined()
    // Writes are of the one that they name.
    await edit(hidden, { excerpt: 'By hand' })
    expect((await send('GET', `/events/${hidden}`, { as })).body.excerpt).toContain('By hand')
    expect((await send('GET', `/events/${shown}`, { as })).body.excerpt).not.toContain('By hand')
  })

  it('are reported as an event that left the lists, and counted in the run of its source', async () => {
    const shown = await own()
    const { next } = (await send('GET', '/events/changes')).body
    const hidden = await sourced('Theatre')
    await query(
      `INSERT INTO source_runs (source_id, started_utc, state) SELECT id, '2026-11-20 12:00:00', 'done' FROM sources`,
    )
    const { next: then } = (await send('GET', `/events/changes?since=${next}`)).body
    await findAllDuplicates()
    const after = (await send('GET', `/events/changes?since=${then}`)).body
    // What is shown names the other's source as well.
    expect([after.events.map(({ id }: { id: number }) => id), after.deleted]).toEqual([[shown], [hidden]])
    expect(await query('SELECT joined, asked FROM source_runs')).toEqual([{ joined: 1, asked: 0 }])
    expect(await query('SELECT object_id, changed FROM audit WHERE fields = \'["duplicate_of"]\'')).toEqual([
      { object_id: hidden, changed: `{"duplicate_of":[0,${shown}]}` },
    ])
    await findAllDuplicates()
    expect(await query('SELECT joined, asked FROM source_runs')).toEqual([{ joined: 1, asked: 0 }])
  })
})

describe('nothing is hidden', () => {
  it.each(['draft', 'pending', 'private', 'future'])(
    'by an own event that is %s, nor is that',
    async status => {
      const date = status === 'future' ? { date: '2028-01-01 00:00:00' } : {}
      const draft = await own({ status, ...date })
      const hidden = await sourced('Theatre')
      await findAllDuplicates()
      expect(await hiddenBehind(draft, hidden)).toEqual([0, 0])
      expect(await duplicates()).toEqual([])
      await edit(draft, { status: 'publish', date: '2026-01-01 00:00:00' })
      await findNewDuplicates()
      expect(await hiddenBehind(draft, hidden)).toEqual([0, draft])
    },
  )

  it.each([
    ['becomes a draft', 'PATCH', '', { status: 'draft' }],
    ['is hidden from lists', 'PATCH', '', { hide_from_listings: true }],
    ['is deleted for good', 'DELETE', '?force=true', undefined],
  ])('by an event that %s', async (_, method, query, json) => {
    const shown = await own()
    const one = await sourced('Theatre')
    const two = await sourced('Church')
    await findAllDuplicates()
    expect(await hiddenBehind(one, two)).toEqual([shown, shown])
    await send(method, `/events/${shown}${query}`, { as, json })
    // The older source comes next, and hides the other.
    expect(await hiddenBehind(one, two)).toEqual([0, one])
    expect((await send('GET', '/events?start_date=2027-01-01')).body.total).toBe(1)
    await findNewDuplicates()
    expect(await hiddenBehind(one, two)).toEqual([0, one])
  })

  it('by a copy that an author makes of somebody else’s event, before an editor agrees', async () => {
    const copy = await own({ website: 'https://touts.example/' }, author)
    const theirs = await sourced('Theatre')
    await findAllDuplicates()
    expect(await hiddenBehind(copy, theirs)).toEqual([0, 0])
    const [pair, ...more] = await duplicates()
    expect({ state: pair.state, likeness: pair.likeness, more }).toEqual({
      state: 'asked',
      likeness: 1,
      more: [],
    })
    // Whoever may change both may hide one.
    await query(
      'UPDATE events SET author_id = (SELECT author_id FROM events WHERE id = ?) WHERE id = ?',
      copy,
      theirs,
    )
    await findAllDuplicates()
    expect(await hiddenBehind(copy, theirs)).toEqual([0, copy])
  })

  it('by an author who overwrites or removes it', async () => {
    const shown = await own({}, author)
    const hidden = await sourced('Theatre')
    await findAllDuplicates()
    const agree = async () => {
      const [{ id }] = await duplicates()
      await decide(id, true)
    }
    await agree()
    expect(await hiddenBehind(hidden)).toEqual([shown])
    await edit(shown, { title: 'Buy my book' }, author)
    await findNewDuplicates()
    expect(await hiddenBehind(hidden)).toEqual([0])
    await edit(shown, { title: fields.title }, author)
    await findNewDuplicates()
    await agree()
    expect(await hiddenBehind(hidden)).toEqual([shown])
    // An author may not trash what is somebody else's, nor by a copy of it.
    await send('DELETE', `/events/${shown}`, { as: author })
    expect(await hiddenBehind(hidden)).toEqual([0])
    expect((await send('GET', `/events/${hidden}`)).status).toBe(200)
  })

  it('by a contributor, whose event nobody has published', async () => {
    const event = await own({ status: 'publish' }, contributor)
    const hidden = await sourced('Theatre', { status: 'pending' })
    await findAllDuplicates()
    expect(await hiddenBehind(event, hidden)).toEqual([0, 0])
  })

  it('of the same source, nor two by one', async () => {
    const one = await sourced('Theatre')
    const two = await sourced('Theatre')
    await findAllDuplicates()
    expect(await hiddenBehind(one, two)).toEqual([0, 0])
    const shown = await own()
    await findAllDuplicates()
    expect((await hiddenBehind(one, two)).sort()).toEqual([0, shown].sort())
  })
})

describe('an editor who trashes the one that is shown', () => {
  it('trashes its duplicates too, and restores them joined', async () => {
    const [shown, hidden] = await joined()
    const before = await stored()
    await send('DELETE', `/events/${shown}`, { as })
    expect((await send('GET', '/events?start_date=2027-01-01')).body.total).toBe(0)
    expect((await send('GET', `/events/${hidden}`)).status).toBe(301)
    await findAllDuplicates()
    expect(await hiddenBehind(hidden)).toEqual([shown])
    expect((await send('GET', '/events.ics')).text).not.toContain('BEGIN:VEVENT')
    await edit(shown, { status: 'publish' })
    expect(await hiddenBehind(hidden)).toEqual([shown])
    const again = await stored()
    expect(again.slice(1)).toEqual(before.slice(1))
    await edit(shown, { status: 'draft' })
    expect(await hiddenBehind(hidden)).toEqual([0])
  })

  it('trashes the duplicates of all dates of a series, too', async () => {
    const [shown, hidden] = await joined({ recurrence: 'FREQ=WEEKLY;COUNT=3' })
    expect(await hiddenBehind(hidden)).toEqual([shown])
    await send('DELETE', `/events/${shown}?scope=all`, { as })
    expect((await send('GET', '/events?start_date=2027-01-01')).body.total).toBe(0)
  })

  it('finds the other one in the trash once the shown one is deleted for good', async () => {
    const [shown, hidden] = await joined()
    await edit(shown, { status: 'trash' })
    expect((await send('GET', `/events/${hidden}`, { as })).body.status).toBe('publish')
    await send('DELETE', `/events/${shown}?force=true`, { as })
    expect(await query('SELECT id, status, duplicate_of FROM events')).toEqual([
      { id: hidden, status: 'trash', duplicate_of: null },
    ])
    await edit(hidden, { status: 'publish' })
    expect((await send('GET', '/events?start_date=2027-01-01')).body.total).toBe(1)
  })
})

describe('groups', () => {
  it('of three and more lead to one, own before sources, older before newer', async () => {
    const late = await sourced('Theatre')
    const church = await sourced('Church')
    await findAllDuplicates()
    expect(await hiddenBehind(late, church)).toEqual([0, late])
    const first = await own()
    await findNewDuplicates()
    expect(await hiddenBehind(first, late, church)).toEqual([0, first, first])
    await separate(church)
    expect(await hiddenBehind(first, late, church)).toEqual([0, first, 0])
    await findAllDuplicates()
    expect(await hiddenBehind(first, late, church)).toEqual([0, first, 0])
    await separate(first)
    await findAllDuplicates()
    expect(await hiddenBehind(first, late, church)).toEqual([0, 0, 0])
  })

  it('go on to show the same when the source of the others is deleted, and these are own events', async () => {
    const left = await sourced('Theatre')
    const shown = await own()
    await findAllDuplicates()
    expect(await hiddenBehind(left, shown)).toEqual([shown, 0])
    const [source] = await query('SELECT id FROM sources')
    await send('DELETE', `/sources/${source?.id}`, { as })
    await edit(left, { excerpt: 'Left over' })
    await findAllDuplicates()
    expect(await hiddenBehind(left, shown)).toEqual([shown, 0])
  })

  it('include new events in place of trashed ones, from the same source or from a deleted one', async () => {
    const shown = await own()
    for (const forget of [false, true]) {
      const former = await sourced('Theatre')
      await findAllDuplicates()
      expect(await hiddenBehind(former)).toEqual([shown])
      await send('DELETE', `/events/${former}`, { as })
      if (forget) await query('DELETE FROM imports WHERE target_id = ?', former)
    }
    const present = await sourced('Theatre')
    await findNewDuplicates()
    expect(await hiddenBehind(shown, present)).toEqual([0, shown])
    expect(await duplicates()).toEqual([])
  })

  it('are judged again when one of them changes', async () => {
    const [shown, hidden] = await joined()
    await edit(hidden, { start_date: '2027-04-01 20:00:00', end_date: '2027-04-01 22:00:00' })
    await findNewDuplicates()
    expect(await hiddenBehind(shown, hidden)).toEqual([0, 0])
    expect(await query('SELECT id FROM twins')).toEqual([])
  })
})

describe('what is not sure', () => {
  it('is asked, and what is said is remembered and can be undone', async () => {
    const one = await own()
    const two = await sourced('Theatre', SIMILAR)
    await findAllDuplicates()
    expect(await hiddenBehind(one, two)).toEqual([0, 0])
    const [pair, ...more] = await duplicates()
    expect(more).toEqual([])
    expect(pair).toMatchObject({ state: 'asked', shown: 0, author: '' })
    expect(pair.events.map(({ id }: { id: number }) => id)).toEqual([one, two])
    const yes = await decide(pair.id, true)
    expect(yes).toMatchObject({ status: 200, body: { state: 'joined', shown: one } })
    expect(await hiddenBehind(one, two)).toEqual([0, one])
    await findAllDuplicates()
    expect(await hiddenBehind(one, two)).toEqual([0, one])
    expect((await decide(pair.id, false)).body).toMatchObject({ state: 'different', shown: 0 })
    expect(await hiddenBehind(one, two)).toEqual([0, 0])
    await findAllDuplicates()
    expect([await duplicates(), await duplicates(`?event=${one}`)]).toMatchObject([
      [],
      [{ state: 'different' }],
    ])
  })

  it('is listed without reading the trash', async () => {
    await own()
    await sourced('Theatre', SIMILAR)
    await findAllDuplicates()
    for (let i = 0; i < 15; i++) await send('DELETE', `/events/${await own({ title: `Gone ${i}` })}`, { as })
    const db = new Database(env.DB)
    expect(await db.read(selectDuplicateCount())).toBe(1)
    expect(db.metrics.rowsRead).toBeLessThan(10)
  })

  it('leaves the queue when one is trashed or becomes something else', async () => {
    const one = await own()
    const two = await sourced('Theatre', SIMILAR)
    await findAllDuplicates()
    await send('DELETE', `/events/${two}`, { as })
    expect(await duplicates()).toEqual([])
    await findNewDuplicates()
    expect(await query('SELECT * FROM twins')).toEqual([])
    await edit(two, { status: 'publish' })
    await findNewDuplicates()
    expect(await duplicates()).toHaveLength(1)
    await edit(one, { title: 'Knitting' })
    await findNewDuplicates()
    expect(await duplicates()).toEqual([])
  })

  it('shows the public one if the other is a draft', async () => {
    const draft = await own({ status: 'pending', ...SIMILAR })
    const open = await sourced('Theatre')
    await findAllDuplicates()
    const [pair] = await duplicates()
    await decide(pair.id, true)
    expect(await hiddenBehind(draft, open)).toEqual([open, 0])
    expect((await send('GET', '/events?status=pending', { as })).body.total).toBe(0)
    await separate(open)
    expect((await send('GET', '/events?status=pending&start_date=2027-01-01', { as })).body.total).toBe(1)
  })

  it('is for editors to say', async () => {
    const one = await own()
    await sourced('Theatre', SIMILAR)
    await findAllDuplicates()
    const [{ id }] = await duplicates()
    for (const by of [author, contributor]) {
      expect((await send('GET', '/duplicates', { as: by })).status).toBe(403)
      expect((await send('POST', `/duplicates/${id}`, { as: by, json: { same: true } })).status).toBe(403)
      expect((await separate(one, by)).status).toBe(403)
    }
    expect((await send('GET', '/duplicates')).status).toBe(401)
    const bad = await send('GET', '/duplicates?state=maybe&event=one', { as })
    expect([bad.status, Object.keys(bad.body.data.params)]).toEqual([400, ['state', 'event']])
    expect((await send('POST', `/duplicates/${id}`, { as, json: {} })).status).toBe(400)
    expect((await send('POST', `/duplicates/${id}`, { as, json: { same: 'maybe' } })).status).toBe(400)
    expect((await send('POST', '/duplicates/99999', { as, json: { same: true } })).status).toBe(404)
    expect((await separate(99_999)).status).toBe(404)
    expect((await separate(one)).body).toMatchObject({ id: one })
  })
})

describe('series', () => {
  it('are joined date by date, and their calendar entry leaves the others out', async () => {
    const series = await makeEvent(as, { ...fields, recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const dates = await query(
      'SELECT id FROM events WHERE series_id = ? ORDER BY utc_start_date',
      series.series.id,
    )
    const ids = dates.map(({ id }) => Number(id))
    await makeSource('Theatre', { series: [series.series.id] })
    const shown = await own({ start_date: '2027-03-08 20:00:00', end_date: '2027-03-08 22:00:00' })
    await findAllDuplicates()
    expect(await hiddenBehind(...ids)).toEqual([0, shown, 0])
    const { text } = await send('GET', '/events.ics')
    expect(text).toContain('EXDATE:20270308T200000Z')
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2)
    expect((await send('GET', `/events?start_date=2027-01-01&series=${series.series.id}`)).body.total).toBe(2)
    // Trashed by an editor along with the series, it is the date that is hidden.
    await send('DELETE', `/events/${shown}?force=true`, { as })
    expect(await hiddenBehind(...ids)).toEqual([0, 0, 0])
  })
})

describe('whoever wants to hide what others see', () => {
  it('cannot say so in a request', async () => {
    const theirs = await own()
    const mine = await own({ title: 'Mine', duplicate_of: theirs }, author)
    await edit(mine, { duplicate_of: theirs }, author)
    await edit(theirs, { duplicate_of: mine })
    expect(await hiddenBehind(mine, theirs)).toEqual([0, 0])
  })

  it('does not take an own event by a source that lists it as something else later', async () => {
    const [shown, hidden] = await joined()
    await edit(hidden, { title: 'Buy pills', website: 'https://pills.example/' })
    await findNewDuplicates()
    expect(await hiddenBehind(shown, hidden)).toEqual([0, 0])
    expect((await send('GET', `/events/${shown}`)).body.website).toBe('')
  })

  it('does not keep by a later change what an editor has joined', async () => {
    const waiting = await own({ status: 'pending', ...SIMILAR }, contributor)
    const open = await sourced('Theatre')
    await findAllDuplicates()
    const [pair] = await duplicates()
    await decide(pair.id, true)
    expect(await hiddenBehind(waiting, open)).toEqual([open, 0])
    // What waits for review comes back as soon as it is another event.
    await edit(waiting, { start_date: '2027-05-01', end_date: '2027-05-01' }, contributor)
    await findNewDuplicates()
    expect(await hiddenBehind(waiting, open)).toEqual([0, 0])
    expect((await send('GET', `/events/${waiting}`, { as: contributor })).status).toBe(200)
  })

  it('floods nobody with questions', async () => {
    await own()
    for (let i = 0; i < 12; i++)
      await sourced(`Source ${i}`, { title: `Harbour jazz: the Quay Sisters and ${'abcdefghijkl'[i]}nna` })
    await findAllDuplicates()
    await findAllDuplicates()
    expect((await send('GET', '/duplicates?per_page=100', { as })).body.total).toBeLessThan(40)
    for (const { id } of await query('SELECT id FROM events'))
      expect(await countRows("twins WHERE state = 'asked' AND ? IN (first_id, second_id)", id)).toBeLessThan(
        10,
      )
  })

  it('learns nothing about a hidden or unpublished event', async () => {
    const shown = await own()
    const hidden = await sourced('Theatre', { status: 'pending', slug: 'secret' })
    await findAllDuplicates()
    expect(await hiddenBehind(hidden)).toEqual([shown])
    expect((await send('GET', `/events/${hidden}`)).status).toBe(403)
    expect((await send('GET', '/events/by-slug/secret')).status).toBe(404)
    expect((await send('GET', `${SITE}/event/secret/`)).status).toBe(404)
    expect((await send('GET', `/events/${hidden}.ics`)).status).toBe(403)
    expect((await send('GET', `/events/${shown}`)).text).not.toContain('Theatre')
  })
})

describe('two at once, and failures', () => {
  it('are decisions of editors, which all succeed and leave one pair', async () => {
    const one = await own(SIMILAR)
    const two = await sourced('Theatre')
    await findAllDuplicates()
    const [pair] = await duplicates()
    const answers = await Promise.all([
      decide(pair.id, true),
      decide(pair.id, true),
      separate(one),
      decide(pair.id, true),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [hider] = await hiddenBehind(two)
    expect([0, one]).toContain(hider)
    expect(await countRows('twins')).toBe(1)
  })

  it('are joined once, and a run that fails does nothing', async () => {
    const shown = await own()
    const hidden = await sourced('Theatre')
    const before = await stored()
    const { DB } = faultyD1({ message: 'D1_ERROR: out of order', writesOnly: true, times: 9 })
    await expect(findAllDuplicates(DB)).rejects.toThrow('cannot be reached')
    expect(await stored()).toEqual(before)
    const { DB: late } = faultyD1({ message: 'D1_ERROR: lost', writesOnly: true, late: true })
    await expect(findNewDuplicates(late)).rejects.toThrow()
    expect(await hiddenBehind(shown, hidden)).toEqual([0, shown])
    await findAllDuplicates()
    expect(await countRows('audit WHERE fields = \'["duplicate_of"]\'')).toBe(1)
    await separate(shown)
    await query('DELETE FROM twins')
    await Promise.all([findAllDuplicates(), findAllDuplicates()])
    expect(await hiddenBehind(shown, hidden)).toEqual([0, shown])
  })

  it.each([
    ['is trashed', (id: number) => send('DELETE', `/events/${id}`, { as })],
    ['becomes a draft', (id: number) => edit(id, { status: 'draft' })],
    ['is deleted', (id: number) => send('DELETE', `/events/${id}?force=true`, { as })],
    ['is retitled', (id: number) => edit(id, { title: 'Other' })],
  ])('hide nothing where what would show %s between the look and the write', async (_, change) => {
    const shown = await own()
    const hidden = await sourced('Theatre')
    const { DB } = faultyD1({ beforeWrite: () => change(shown) })
    await findAllDuplicates(DB)
    expect(await hiddenBehind(hidden)).toEqual([0])
    await findNewDuplicates()
    expect(await hiddenBehind(hidden)).toEqual([0])
  })

  it('a «no» that comes between the look and the write stands', async () => {
    const one = await own({ title: `${fields.title} and friends` })
    const two = await sourced('Theatre')
    await findAllDuplicates()
    const [pair] = await duplicates()
    await edit(one, { title: fields.title })
    const { DB } = faultyD1({
      beforeWrite: () => decide(pair.id, false),
    })
    await findNewDuplicates(DB)
    await findNewDuplicates()
    expect(await hiddenBehind(one, two)).toEqual([0, 0])
  })
})

describe('one event', () => {
  /** Own events, each with a duplicate; something is wrong with the second duplicate. */
  async function pairs(): Promise<[shown: number, hidden: number][]> {
    const made: [number, number][] = []
    for (const [i, title] of ['Choir of the mill', 'Ferry races', 'Night of the owls', 'Pottery'].entries()) {
      const times = {
        title,
        start_date: `2027-04-0${i + 1} 20:00:00`,
        end_date: `2027-04-0${i + 1} 22:00:00`,
      }
      made.push([await own(times), await sourced('Theatre', times)])
    }
    return made
  }

  const expectOthersJoined = async (made: readonly [number, number][], ticks: number) => {
    for (let i = 0; i < ticks; i++) await findNewDuplicates().catch(() => undefined)
    const found = await hiddenBehind(...made.map(([, hidden]) => hidden))
    expect(found).toEqual(made.map(([shown], i) => (i === 1 ? 0 : shown)))
  }

  it('whose write is refused does not keep others from being found, and is looked at again once it changes', async () => {
    const made = await pairs()
    const [, [, bad] = [0, 0]] = made
    await query(`CREATE TRIGGER refused BEFORE UPDATE OF duplicate_of ON events WHEN OLD.id = ${bad}
        BEGIN SELECT RAISE(ABORT, 'refused'); END`)
    try {
      await findAllDuplicates()
      await expectOthersJoined(made, 5)
    } finally {
      await query('DROP TRIGGER refused')
    }
    await edit(bad, { cost: '$3' })
    await findNewDuplicates()
    expect(await hiddenBehind(bad)).toEqual([made[1]?.[0]])
  })
})

it('a database without sources has nothing to look for', async () => {
  await makeDatabaseAnew()
  const by = await makeUser('eve', 'editor')
  await makeEvent(by, { title: 'A' })
  await findNewDuplicates()
  expect(await query('SELECT n, id FROM twins_place')).toEqual([{ n: 1, id: 0 }])
})
