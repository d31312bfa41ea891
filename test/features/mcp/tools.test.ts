import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { responseCache } from '../../../src/kit/http/caching.ts'
import { signedIn } from '../../editor/session.ts'
import { countRows, declareUser, makeAll, makeEvent, makeVenue, send } from '../../factories.ts'
import { callTool, costOf, message, post, resultText } from './agent.ts'

const admin = declareUser('administrator', 'admin')
const ada = declareUser('author', 'ada')
const carl = declareUser('contributor', 'carl')
const reader = declareUser('subscriber', 'reader')
const editor = signedIn('editor')
const ids: Record<string, number> = {}

beforeAll(async () => {
  const make = async (title: string, fields: object, as = admin) => {
    ids[title] = (await makeEvent(as, { title, ...fields })).id
  }
  // Today is Friday, 20 November 2026.
  const on = (day: string) => ({ start_date: `${day} 19:00:00`, end_date: `${day} 21:00:00` })
  const barn = { venue: { venue: 'The Barn', address: '1 Lane', city: 'Kent', country: 'England' } }
  await make('Jazz &amp; more', {
    ...on('2026-11-21'),
    ...barn,
    categories: ['Live Music'],
    organizer: { organizer: 'The Guild' },
    tags: ['outdoor'],
    cost: '10',
    timezone: 'Europe/Dublin',
    description: '<p>Three <b>bands</b>.</p><p>Bring chairs.</p>',
  })
  await make('Market', { start_date: '2026-11-21', end_date: '2026-11-22', all_day: true })
  await make('Canceled talk', {
    ...on('2026-11-22'),
    event_status: 'canceled',
    event_status_reason: 'Illness',
  })
  await make('Next week', { ...on('2026-11-25'), ...barn, cost: 'Free' })
  await make('Over', on('2026-11-10'))
  await make('This morning', { start_date: '2026-11-20 08:00:00', end_date: '2026-11-20 09:00:00' })
  await make('In June', on('2027-06-10'))
  await make('Weekly', { ...on('2027-03-02'), recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } })
  await make('Hidden draft', { ...on('2026-11-21'), status: 'draft' })
  await make('Private', { ...on('2026-11-21'), status: 'private' })
  await make("Ada's draft", { ...on('2026-11-21'), status: 'draft' }, ada)
  await make('Gone', on('2026-11-21'))
  await send('DELETE', `/events/${ids.Gone}`, { as: admin })
  await makeVenue(admin, 'Secret cellar', { status: 'private' })
})

const titles = (result: { structuredContent: { events: { title: string }[] } }) =>
  result.structuredContent.events.map(({ title }) => title)

describe('search_events', () => {
  const find = (args: object, as?: string) => callTool('search_events', args, { as })

  it('finds what is free', async () => {
    expect(titles(await find({ free: true }))).toEqual(['Next week'])
    expect(titles(await find({ free: false }))).toHaveLength(7)
  })

  it('takes null for an argument that was left out', async () => {
    const noArguments = { words: null, when: null, place: null, category: null, free: null, page: null }
    const found = await find(noArguments)
    expect(found.structuredContent).toEqual((await find({})).structuredContent)
  })

  it('finds coming events, names the days and the zone, and shows no draft', async () => {
    const found = await find({})
    expect(titles(found)).toEqual([
      'Market',
      'Jazz & more',
      'Canceled talk',
      'Next week',
      'Weekly',
      'Weekly',
      'In June',
    ])
    expect(found.structuredContent).toMatchObject({
      total: 7,
      shown: 7,
      page: 1,
      pages: 1,
      timezone: 'UTC',
      window: { from: '2026-11-20', to: null },
      left_out: '',
    })
    expect(resultText(found)).toMatch(/^7 events, from 2026-11-20 on \(UTC\)\./)
  })

  it.each([
    [{ when: 'this weekend' }, ['Market', 'Jazz & more', 'Canceled talk']],
    [{ when: 'today' }, ['This morning']],
    [{ when: 'tomorrow' }, ['Market', 'Jazz & more']],
    [{ when: 'next week' }, ['Next week']],
    [{ when: 'June' }, ['In June']],
    [{ when: '2026-11-01/2026-11-15' }, ['Over']],
    [{ when: '2026-11-25' }, ['Next week']],
    [{ words: 'jazz' }, ['Jazz & more']],
    [{ place: 'kent' }, ['Jazz & more', 'Next week']],
    [{ place: 'barn lane', when: 'next week' }, ['Next week']],
    [{ category: 'Live Music' }, ['Jazz & more']],
    [{ category: 'live-music', words: 'market' }, []],
  ])('finds what fits %o', async (args, expected) => {
    expect(titles(await find(args))).toEqual(expected)
  })

  it.each(['tonight', 'this evening', 'Saturday morning '])(
    'says that it has the whole day: %s',
    async when => {
      const found = await find({ when })
      expect(found.structuredContent.window.from).toBe(found.structuredContent.window.to)
      expect(resultText(found)).toMatch(/^\d events?, [^.]+\. Whole days were searched, not parts of them\./)
      expect(resultText(await find({ when: 'today' }))).not.toContain('Whole days')
    },
  )

  it.each(['en', 'de'])('finds a category by its name, whose slug is made in %s', async LANGUAGE => {
    const sending = { as: admin, json: { name: 'Führung' }, bindings: { LANGUAGE } }
    const { body: term } = await send('POST', '/categories', sending)
    await send('PATCH', `/events/${ids['In June']}`, { as: admin, json: { categories: [term.id] } })
    expect(titles(await find({ category: 'Führung' }))).toEqual(['In June'])
    expect(titles(await find({ category: term.slug }))).toEqual(['In June'])
    await send('DELETE', `/categories/${term.id}`, { as: admin })
  })

  it('describes each by the same fields, in lines that have its address', async () => {
    const found = await find({ words: 'jazz' })
    expect(found.structuredContent.events).toEqual([
      {
        id: ids['Jazz &amp; more'],
        title: 'Jazz & more',
        start: '2026-11-21T19:00:00+00:00',
        end: '2026-11-21T21:00:00+00:00',
        timezone: 'Europe/Dublin',
        all_day: false,
        status: 'publish',
        event_status: 'scheduled',
        venues: [{ id: 1, name: 'The Barn', address: '1 Lane, Kent, England' }],
        online: false,
        categories: ['Live Music'],
        cost: '$10',
        url: 'https://calendar.example/event/jazz-more/',
      },
    ])
    expect(resultText(found)).toContain(
      '- Jazz & more · Sat 2026-11-21 19:00 to 21:00 Europe/Dublin · The Barn, 1 Lane, Kent, England · $10 · https://calendar.example/event/jazz-more/',
    )
    const [market, , talk] = resultText(await find({ when: 'this weekend' }))
      .split('\n')
      .slice(3)
    expect(market).toContain('- Market · Sat 2026-11-21 to Sun 2026-11-22 ·')
    expect(talk).toContain('- Canceled talk [canceled] · Sun 2026-11-22 19:00 to 21:00 UTC')
  })

  it('shows at most twenty, says how many there are, and goes on', async () => {
    const day = { start_date: '2028-01-01', end_date: '2028-01-01' }
    const events = Array.from({ length: 23 }, (_, n) => ({ title: `Many ${n}`, ...day }))
    await makeAll(admin, 'events', events)
    const first = await find({ words: 'many' })
    expect(first.structuredContent).toMatchObject({ total: 23, shown: 20, page: 1, pages: 2 })
    expect(first.structuredContent.left_out).toBe('3 of 23 are not on this page. The next are on page 2.')
    expect(resultText(first)).toContain('The next are on page 2.')
    const second = await find({ words: 'many', page: 2 })
    expect(second.structuredContent).toMatchObject({ shown: 3, page: 2 })
    expect(second.structuredContent.left_out).toBe('20 of 23 are not on this page.')
    expect(await find({ words: 'many', page: 3 })).toMatchObject({ isError: true })
  })

  it('shows callers with a login what they may read, and says that it is not public', async () => {
    const own = await find({ when: 'tomorrow' }, ada)
    expect(titles(own)).toEqual(['Market', 'Jazz & more', "Ada's draft"])
    expect(resultText(own)).toContain("- Ada's draft [not public: draft]")
    expect(titles(await find({ when: 'tomorrow' }, carl))).toEqual(['Market', 'Jazz & more'])
    expect(titles(await find({ when: 'tomorrow' }, admin))).toContain('Hidden draft')
  })

  it.each([
    [{ when: 'someday' }, /^when must be a period/],
    [{ when: { from: '2027' } }, /^when must be a period/],
    [{ category: 'nothing' }, /^category: there is no category nothing/],
    [{ category: '!!!' }, /^category: there is no category !!!/],
    [{ words: '' }, /^words: must not be empty/],
    [{ words: ['a', 'b'] }, /^words must be a text/],
    [{ place: { $ne: 1 } }, /^place must be a text/],
    [{ page: 0, category: 'nothing' }, /^page: must be a positive whole number\ncategory: /],
    [{ page: '1e9' }, /^page: /],
    [{ words: 'x'.repeat(5_000) }, /^words: must be at most 1000 characters/],
    [
      { word: 'jazz', wen: 'now' },
      /^Unknown arguments: word, wen\. Known arguments: words, when, place, category, free, page\.$/,
    ],
    [{ __proto__: null, constructor: 'x' }, /^Unknown arguments: constructor/],
  ])('explains the error in %o', async (args, reason) => {
    const found = await find(args)
    expect([found.isError, resultText(found)]).toEqual([true, expect.stringMatching(reason)])
  })
})

describe('get_event', () => {
  const get = (id: unknown, as?: string) => callTool('get_event', { id }, { as })

  it('shows all of it as plain text', async () => {
    const found = await get(ids['Jazz &amp; more'])
    expect(found.structuredContent).toMatchObject({
      title: 'Jazz & more',
      description: expect.stringMatching(/^Three bands\.\s+Bring chairs\.$/),
      description_cut: false,
      organizers: ['The Guild'],
      tags: ['outdoor'],
      repeats: '',
    })
    expect(resultText(found)).toContain('in the time zone Europe/Dublin; that of the calendar is UTC')
    expect(resultText(found)).toContain('\nCategories: Live Music\nTags: outdoor\n')
    expect(resultText(found)).not.toMatch(/<\/?p>/)
    expect((await get(ids.Weekly)).structuredContent.repeats).toContain('FREQ=WEEKLY')
    expect(resultText(await get(ids['Canceled talk']))).toContain('Reason: Illness')
  })

  it('says whether there are places, where to take part, and what else the page says', async () => {
    const { id, venue } = await makeEvent(admin, {
      title: 'Full festival',
      start_date: '2027-05-01 10:00',
      end_date: '2027-05-01 22:00',
      excerpt: '<p>Two stages.</p>',
      room: 'Great hall',
      virtual_url: 'https://meet.example.org/full',
      is_virtual: true,
      tags: ['loud'],
      ticket_availability: 'sold_out',
      venue: { venue: 'Accessible barn', wheelchair: 'limited', accessibility: 'Ring at the side door' },
      custom_fields: { age: { label: 'Age', value: 'from 12' } },
    })
    const part = { title: 'First set', start_date: '2027-05-01 11:00', end_date: '2027-05-01 12:00' }
    const { id: first } = await makeEvent(admin, { ...part, post_parent: id })
    await makeEvent(admin, { ...part, title: 'Secret set', post_parent: id, status: 'draft' })
    const read = await get(id)
    expect(read.structuredContent).toMatchObject({
      excerpt: 'Two stages.',
      room: 'Great hall',
      online_url: 'https://meet.example.org/full',
      ticket_availability: 'sold_out',
      wheelchair: 'limited',
      accessibility: 'Ring at the side door',
      custom_fields: [{ label: 'Age', value: 'from 12' }],
      programme: [{ id: first, title: 'First set', start: '2027-05-01T11:00:00+00:00' }],
    })
    for (const line of [
      'Tickets: sold out',
      'Room: Great hall',
      'Online: https://meet.example.org/full',
      'Access: by wheelchair: limited; Ring at the side door',
      'Tags: loud',
      'Age: from 12',
      'Two stages.',
      'Programme:\n- First set · Sat 2027-05-01 11:00',
    ])
      expect(resultText(read)).toContain(`\n${line}`)
    for (const made of [`events/${first}`, `events/${id}`, `venues/${venue.id}`])
      await send('DELETE', `/${made}`, { as: admin })
  })

  it('says of a moved date what it was, and not its rule; and which dates are left out', async () => {
    const on = { start_date: '2027-08-03 18:00', end_date: '2027-08-03 19:00' }
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=4', exdate: ['2027-08-17 18:00:00'] }
    const { series } = await makeEvent(admin, { title: 'Course', ...on, recurrence })
    const { body } = await send('GET', `/events?series=${series.id}`)
    const [tuesday, moved] = body.events
    const json = { start_date: '2027-08-12 17:00', end_date: '2027-08-12 18:00' }
    await send('PATCH', `/events/${moved.id}`, { as: admin, json })
    const read = await get(moved.id)
    expect(read.structuredContent).toMatchObject({
      start: '2027-08-12T17:00:00+00:00',
      moved_from: '2027-08-10T18:00:00+00:00',
      repeats: '',
      left_out: [],
    })
    expect(resultText(read)).toContain('\nMoved from: Tue 2027-08-10 18:00')
    expect(resultText(read)).not.toContain('Repeats:')
    const other = await get(tuesday.id)
    expect(other.structuredContent).toMatchObject({ moved_from: '', left_out: ['2027-08-17 18:00:00'] })
    expect(resultText(other)).toContain('\nNot on: Tue 2027-08-17 18:00')
    const single = await makeEvent(admin, { title: 'Talk', ...on })
    const later = { ...json, event_status: 'rescheduled' }
    await send('PATCH', `/events/${single.id}`, { as: admin, json: later })
    expect(resultText(await get(single.id))).toContain('\nMoved from: Tue 2027-08-03 18:00')
  })

  it.each(['Hidden draft', 'Private', "Ada's draft", 'Gone'])(
    'does not show %s to strangers',
    async title => {
      for (const as of [undefined, reader, carl]) {
        const found = await get(ids[title], as)
        expect(found.isError).toBe(true)
        expect(JSON.stringify(found)).not.toContain(title)
      }
    },
  )

  it.each([0, -1, 1.5, 9e99, 'x', '1/../2', '1?status=draft', null, undefined, {}, [1, 2], true])(
    'refuses %o as an id',
    async id => {
      const found = await get(id)
      expect([found.isError, resultText(found)]).toEqual([
        true,
        expect.stringMatching(/^(id must be|No event)/),
      ])
    },
  )
})

describe('list_venues and list_categories', () => {
  it('list what everybody may see', async () => {
    const venues = await callTool('list_venues')
    expect(venues.structuredContent).toMatchObject({
      total: 1,
      venues: [{ name: 'The Barn', address: '1 Lane, Kent, England', latitude: null }],
    })
    expect(resultText(venues)).toContain(
      '- The Barn, 1 Lane, Kent, England · https://calendar.example/venue/the-barn/',
    )
    expect((await callTool('list_venues', { words: 'cellar' })).structuredContent.total).toBe(0)
    expect((await callTool('list_venues', {}, { as: admin })).structuredContent.total).toBe(2)
    const categories = await callTool('list_categories')
    expect(categories.structuredContent.categories).toMatchObject([
      { name: 'Live Music', slug: 'live-music' },
    ])
    expect(resultText(await callTool('list_categories', { page: 'x' }))).toMatch(/^page: must be/)
  })
})

describe('create_draft and update_event', () => {
  const draft = (args: object, as?: string) => callTool('create_draft', { ...args }, { as })
  const when = { start_date: '2027-08-01 20:00', end_date: '2027-08-01 22:00' }

  it('are shown to those who may write', async () => {
    const names = async (as?: string) => {
      const response = await post(message('tools/list', {}, { as }))
      const { result } = (await response.json()) as { result: { tools: { name: string }[] } }
      return result.tools.map(({ name }) => name)
    }
    const reads = ['search_events', 'get_event', 'list_venues', 'list_categories']
    expect(await names()).toEqual(reads)
    expect(await names(reader)).toEqual(reads)
    expect(await names(carl)).toEqual([...reads, 'create_draft', 'update_event'])
  })

  it.each(['create_draft', 'update_event'])('%s needs a login, and a role that may', async name => {
    const args = name === 'update_event' ? { id: ids.Market, title: 'Taken' } : { title: 'x', ...when }
    expect(resultText(await callTool(name, args))).toMatch(/^\w+ needs a login: an Authorization header/)
    expect(resultText(await callTool(name, args, { as: reader }))).toBe(
      'The role subscriber may not do this.',
    )
  })

  it('make a draft that nobody else sees, and change only the named fields', async () => {
    const made = await draft(
      { title: 'Plan', ...when, venue: { venue: 'Attic', city: 'Kells' }, tags: ['new'] },
      ada,
    )
    const { id, status } = made.structuredContent
    expect(status).toBe('draft')
    expect(resultText(made)).toMatch(
      /^Draft \d+ was created\. It is not public until .* Drafts, not under Review\./,
    )
    expect((await send('GET', `/events/${id}`)).status).toBe(403)
    const changed = await callTool('update_event', { id, cost: '0', timezone: 'Europe/Rome' }, { as: ada })
    expect(changed.structuredContent).toMatchObject({
      title: 'Plan',
      cost: 'Free',
      start: '2027-08-01T20:00:00+02:00',
    })
    const { body } = await send('GET', `/events/${id}`, { as: ada })
    expect(body).toMatchObject({ title: 'Plan', cost: 'Free', tags: [{ name: 'new' }], author: '2' })
    const audit = await countRows('audit WHERE user_id = 2 AND kind = ?', 'event')
    expect(audit).toBeGreaterThanOrEqual(2)
  })

  it('say what is stored, and not that it was changed', async () => {
    const change = (args: object) =>
      callTool('update_event', { id: ids["Ada's draft"], ...args }, { as: ada })
    const first = await change({ cost: '7' })
    const second = await change({ cost: '7' })
    expect(first.structuredContent.modified).toBe(second.structuredContent.modified)
    for (const result of [first, second])
      expect(resultText(result)).toMatch(/^Event \d+ has these values now\./)
    for (const args of [{}, { scope: 'all' }]) {
      const nothing = await change(args)
      expect([nothing.isError, resultText(nothing)]).toEqual([
        true,
        expect.stringMatching(/^Nothing to change: give at least one of title, start_date,/),
      ])
    }
  })

  it('publish nothing along with a draft, until that is published', async () => {
    const named = (venue: object) => ({
      title: 'Attic plan',
      ...when,
      venue,
      organizer: { organizer: 'Attic people' },
    })
    const made = await draft(named({ venue: 'Hidden attic', status: 'publish' }), ada)
    const { id } = made.structuredContent
    const { body } = await send('GET', `/events/${id}`, { as: ada })
    expect([body.venue.status, body.organizer[0].status]).toEqual(['draft', 'draft'])
    expect((await send('GET', `/venues/${body.venue.id}`)).status).toBe(403)
    // What is public already is taken.
    const { body: known } = await send('POST', '/venues', { as: ada, json: { venue: 'Known attic' } })
    const other = await draft(named({ venue: 'Known attic' }), ada)
    const { body: atKnown } = await send('GET', `/events/${other.structuredContent.id}`, { as: ada })
    expect(atKnown.venue.id).toBe(known.id)
  })

  it('can be undone in the history, a date of a series as well', async () => {
    for (const recurrence of ['', 'FREQ=WEEKLY;COUNT=2']) {
      const { id, series } = await makeEvent(admin, {
        title: 'As it was',
        ...when,
        ...(recurrence && { recurrence }),
      })
      await callTool('update_event', { id, title: 'As an agent has it', scope: 'all' }, { as: admin })
      const object = recurrence ? `kind=series&id=${series.id}` : `kind=event&id=${id}`
      const { html } = await editor.browser.get(`/admin/history/?${object}`)
      await editor.browser.submit(/\/admin\/undo\/\?entry=\d+/.exec(html)?.[0] ?? '')
      expect((await send('GET', `/events/${id}`)).body.title).toBe('As it was')
      await send('DELETE', `/events/${id}?scope=all`, { as: admin })
    }
  })

  it('never publish', async () => {
    for (const args of [{ status: 'publish' }, { Status: 'publish' }, { post_status: 'publish' }]) {
      const made = await draft({ title: 'Sneaky', ...when, ...args }, admin)
      expect(resultText(made)).toMatch(/^Unknown arguments: /)
    }
    const { body } = await send('GET', '/events?search=sneaky', { as: admin })
    expect(body.total).toBe(0)
  })

  it('follow the rights of the caller', async () => {
    const foreign = await callTool('update_event', { id: ids.Market, title: 'Taken' }, { as: ada })
    expect(foreign.isError).toBe(true)
    const unpublished = await callTool(
      'update_event',
      { id: ids["Ada's draft"], title: 'Taken' },
      { as: carl },
    )
    expect(unpublished.isError).toBe(true)
    expect(JSON.stringify(unpublished)).not.toContain("Ada's draft")
    const newTerm = await draft({ title: 'x', ...when, categories: ['Brand new'] }, carl)
    expect(newTerm.isError).toBe(true)
    expect((await send('GET', `/events/${ids.Market}`)).body.title).toBe('Market')
  })

  it.each([
    [{ title: 'x' }, /^Missing: start_date, end_date$/],
    [
      { title: '', start_date: 'never', end_date: '2027-02-30', website: 'x' },
      /title: .*\n.*start_date: .*\n.*end_date: .*\n.*website: /s,
    ],
    [{ title: 'x', start_date: '2027-08-02', end_date: '2027-08-01' }, /^end_date: the end/],
    [{ title: 'x', start_date: '2027-08-02', end_date: '2027-08-03', venue: 999 }, /^venue: /],
    [{ title: { a: 1 }, start_date: [], end_date: 7 }, /title: must be text/],
  ])('explain the error in %o, and write nothing', async (args, reason) => {
    const count = () => countRows('events')
    const before = await count()
    const made = await draft(args, admin)
    expect([made.isError, resultText(made)]).toEqual([true, expect.stringMatching(reason)])
    expect(await count()).toBe(before)
  })

  it('change one date of a series, or all', async () => {
    const change = (args: object) => callTool('update_event', { id: ids.Weekly, ...args }, { as: admin })
    await change({ title: 'Once' })
    const dates = async () => {
      const { body } = await send('GET', '/events?series=1&per_page=10')
      return body.events.map(({ title }: { title: string }) => title)
    }
    expect(await dates()).toEqual(['Once', 'Weekly'])
    await change({ cost: '5', scope: 'all' })
    expect(await dates()).toEqual(['Once', 'Weekly'])
    expect(resultText(await change({ cost: '5', scope: 'some' }))).toMatch(/^scope: must be one of/)
  })
})

describe('what a call costs', () => {
  beforeEach(() => {
    responseCache.clear()
  })

  it.each([
    ['search_events', { when: 'this weekend', place: 'kent' }, 150],
    ['search_events', { words: 'jazz', category: 'Live Music' }, 150],
    ['list_venues', {}, 40],
    ['list_categories', {}, 40],
  ])('%s %o is one trip, and one row when nothing has changed', async (name, args, most) => {
    const first = await costOf(name, args)
    expect(first.trips).toBe(1)
    expect(first.rows).toBeLessThanOrEqual(most)
    expect(await costOf(name, args)).toMatchObject({ trips: 1, rows: 1 })
  })

  it('get_event takes two trips at the same time, one for the programme', async () => {
    const first = await costOf('get_event', { id: 1 })
    expect(first.trips).toBe(2)
    expect(first.rows).toBeLessThanOrEqual(80)
    expect(await costOf('get_event', { id: 1 })).toMatchObject({ trips: 2, rows: 2 })
  })

  it('a draft takes no more trips than through the API', async () => {
    const args = { title: 'Costly', start_date: '2027-09-01', end_date: '2027-09-02' }
    expect((await costOf('create_draft', args, { as: admin })).trips).toBeLessThanOrEqual(3)
  })
})
