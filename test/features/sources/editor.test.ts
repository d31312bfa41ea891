import { describe, expect, it } from 'vitest'
import { fieldsIn, reviewForm } from '../../editor/forms.ts'
import { signedIn, signIn } from '../../editor/session.ts'
import { elsewhere, makeCategory, makeOrganizer, makeTag, makeVenue, query, send } from '../../factories.ts'
import { expectPage } from '../../site/pages/page.ts'

// Calendars elsewhere, for editors who have never heard of iCalendar.

const editor = signedIn('editor')

const PATH = '/admin/sources/'
const NEW = `${PATH}new/`

const vevent = (n: number, summary = `Play ${n}`) =>
  `BEGIN:VEVENT\r\nUID:${n}\r\nDTSTART:202702${10 + n}T190000Z\r\nSUMMARY:${summary}\r\nEND:VEVENT\r\n`
const feedUrl = (events: readonly string[]) =>
  elsewhere(
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Town & Theatre\r\n${events.join('')}END:VCALENDAR\r\n`,
  )
const FEED = feedUrl([1, 2, 3, 4, 5, 6].map(n => vevent(n)))

const previewAddress = (url: string) => editor.browser.post(NEW, { url, do: 'look' })
const read = async (path: string) => (await send('GET', path, { as: editor.as })).body
const countPublished = async () => (await query(`SELECT title FROM events WHERE status = 'publish'`)).length

/** Adds a calendar by its two pages. */
async function add(url: string, fields: Record<string, string | string[]> = {}) {
  const { html } = await previewAddress(url)
  const shown = await editor.browser.submit(NEW, { ...fieldsIn(html), status: 'publish', ...fields })
  const id = Number(/sources\/(\d+)\/settings/.exec(shown.html)?.[1])
  return { id, path: `${PATH}${id}/`, shown, html }
}

describe('calendars elsewhere', () => {
  it('that are not there have no pages', async () => {
    for (const path of ['999/', '999/settings/', '999/delete/'])
      expect((await editor.browser.get(PATH + path)).status, path).toBe(404)
    for (const part of ['sync', 'pause', 'resume', 'delete'])
      expect((await editor.browser.post(`${PATH}999/${part}/`)).status, part).toBe(404)
  })

  it('are looked at before anything is written, added once, and read', async () => {
    await makeCategory(editor.as, 'Stage')
    const venue = await makeVenue(editor.as, 'The Yard')
    const before = (await read('/sources')).total
    const found = await previewAddress(FEED.replace('https:', 'webcal:'))
    expect(found.status).toBe(200)
    expect(found.text).toMatch(/6 events\. The next ones:.*Play 1.*Thursday, February 11, 2027.*Play 6/s)
    expect((await read('/sources')).total).toBe(before)
    const over = await previewAddress(feedUrl([2, 3].map(n => vevent(n).replace('2027', '2024'))))
    expect(over.text).toContain('2 events, all of them over: Play 2')
    const fields = fieldsIn(found.html)
    // A search without scripts keeps what was typed, and what was found.
    const searched = await editor.browser.post(NEW, {
      ...fields,
      name: 'Ours',
      venue_search: 'yard',
      do: 'find:venue',
    })
    expect(searched.text).toContain('Play 5')
    expect(searched.html).toMatch(new RegExp(`type="radio" name="venue" value="${venue.id}"`))
    const typed = {
      ...fieldsIn(searched.html),
      venue: String(venue.id),
      venue_search: '',
      every: '6 hours',
      status: 'publish',
      rights_text: 'CC BY',
      rights_url: 'rights.example.org/by',
    }
    const made = await editor.browser.submit(NEW, typed)
    expect(made.text).toContain('Saved: Ours')
    expect(made.text).toContain('is being read for the first time')
    // Sent again, it is the same one.
    await editor.browser.post(NEW, typed)
    const { sources, total } = await read('/sources')
    expect(total).toBe(before + 1)
    expect(sources[0]).toMatchObject({
      name: 'Ours',
      url: FEED,
      every: '6 hours',
      status: 'publish',
      venue: venue.id,
      rights: { text: 'CC BY', url: 'https://rights.example.org/by' },
    })
    const had = await countPublished()
    const path = `${PATH}${sources[0].id}/`
    expect((await editor.browser.submit(`${path}sync/`)).text).toMatch(/It was read: 6 new\..*up to date/s)
    expect(await countPublished()).toBe(had + 6)
    // Its events say where they are from, and what becomes of changes.
    const here = `/admin/events/?source=${sources[0].id}`
    expect((await editor.browser.get(path)).links).toContain(here)
    const own = await editor.browser.get(here)
    expect(own.text).toMatch(/From Ours.*6 events/s)
    const event = await editor.browser.get(own.links.find(link => /events\/\d+\/$/.test(link)) ?? '')
    expect(event.text).toMatch(/From Ours ?\. Your changes here stay\./)
    await send('PATCH', `/sources/${sources[0].id}`, { as: editor.as, json: { mirror: true } })
    expect(
      (await editor.browser.get(own.links.find(link => /events\/\d+\/$/.test(link)) ?? '')).text,
    ).toContain('your changes here are overwritten')
    const { browser } = await signIn('author')
    expect((await browser.get(here)).text).not.toContain('Ours')
    const list = await editor.browser.get(PATH)
    expect(list.text).toMatch(/Ours.*theatre\.test · every six hours.*6 new/s)
  })

  it('have events that wait for review unless somebody says that the calendar is their own', async () => {
    const { html } = await previewAddress(feedUrl([vevent(8)]))
    expect(fieldsIn(html).status).toEqual(['pending'])
    const { id } = await add(feedUrl([vevent(8)]), { status: 'pending' })
    expect(await read(`/sources/${id}`)).toMatchObject({ status: 'pending' })
  })

  it('say in review which of them an event is from, and show nothing there that nobody judges', async () => {
    const repeated = (uid: string, more: string) =>
      vevent(5, `Reviewed ${uid}`)
        .replace('UID:5', `UID:${uid}`)
        .replace('END:VEVENT', `LOCATION:Barn\r\n${more}\r\nEND:VEVENT`)
    const events = [
      repeated('weekly@t', 'RRULE:FREQ=WEEKLY;COUNT=3'),
      repeated('once@t', 'URL:https://barn.example/once'),
    ]
    const { path } = await add(feedUrl(events), { status: 'pending', name: 'Barn & Co' })
    await editor.browser.submit(`${path}sync/`)
    const { text, html, links } = await editor.browser.get('/admin/review/')
    expect(text).toMatch(/Reviewed weekly@t.*3 dates.*From Barn & Co \(another calendar\), last changed/s)
    expect(links).toContain('https://barn.example/once')
    expect(text).not.toMatch(/differ from the others|External ID|Show a (link to a )?map/)
    const [event] = (await query(`SELECT id FROM events WHERE title = 'Reviewed weekly@t' ORDER BY id`)) as {
      id: number
    }[]
    const answer = await editor.browser.post('/admin/review/', {
      ...reviewForm(html, Number(event?.id)),
      decision: 'publish',
    })
    expect(answer.status).toBe(303)
    const [{ n } = {}] = await query(
      `SELECT count(*) AS n FROM events WHERE title = 'Reviewed weekly@t' AND status = 'publish'`,
    )
    expect(n).toBe(3)
  })

  it('whose events wait or become drafts are saved without waiting themselves', async () => {
    for (const status of ['publish', 'pending', 'draft']) {
      const { shown, path } = await add(feedUrl([vevent(12)]), { status, name: `Sort ${status}` })
      expect(shown.text, status).toContain(`Saved: Sort ${status}`)
      expect(shown.text, status).not.toMatch(/not public yet|View event/)
      const { html } = await editor.browser.get(`${path}settings/`)
      const next = status === 'publish' ? 'pending' : 'publish'
      const changed = await editor.browser.submit(`${path}settings/`, { ...fieldsIn(html), status: next })
      expect(changed.text, status).not.toMatch(/It waits for review|It is public now/)
    }
  })

  it('name the tags, the venue and the organizer of their events in their settings', async () => {
    const [tag, venue, organizer] = await Promise.all([
      makeTag(editor.as, 'Free Entry'),
      makeVenue(editor.as, 'Named Hall'),
      makeOrganizer(editor.as, 'Named Club'),
    ])
    const given = { tags: [tag.id], venue: venue.id, organizer: organizer.id }
    const json = { name: 'Named', url: feedUrl([7].map(n => vevent(n))), ...given }
    const { body } = await send('POST', '/sources', { as: editor.as, json })
    const path = `${PATH}${body.id}/settings/`
    const { html, text } = await editor.browser.get(path)
    for (const name of ['Free Entry', 'Named Hall', 'Named Club']) expect(text).toContain(name)
    await editor.browser.submit(path, { ...fieldsIn(html), name: 'Renamed' })
    expect(await read(`/sources/${body.id}`)).toMatchObject({ name: 'Renamed', ...given })
  })

  it('that cannot be read say why, in words, with what was typed', async () => {
    for (const [url, reason] of [
      ['theatre.invalid/events', 'has a problem at the moment'],
      ['http://127.0.0.1/"><script>', 'that everybody can reach'],
      [elsewhere('<p>Nothing'), 'No calendar was found'],
      ['', 'Please fill this in.'],
      ['javascript:alert(1)', ''],
    ] as const) {
      const { status, text, html } = await previewAddress(url)
      expectPage({ status, text }, 422, reason)
      expect(fieldsIn(html, 'none').url, reason).toEqual([url])
      expect(html, reason).not.toMatch(/<script>|<p>Nothing/)
    }
    const bad = await editor.browser.post(NEW, { ...fieldsIn((await previewAddress(FEED)).html), name: '' })
    expectPage(bad, 422, 'Please fill this in.')
    expect(bad.text).toContain('Play 5')
    // What is carried on is shown to whoever has sent it, and is text.
    const start_date = '2027-01-01 10:00:00'
    const events = [
      { title: '<img src=x>', start_date },
      { title: 'Yoga &lt;12 Jahre', start_date },
    ]
    const filters = { categories: '<b>music' }
    const kept = await editor.browser.post(NEW, {
      found: JSON.stringify({ events, total: 1, filters }),
      url: 'x',
    })
    expect(kept.text).toContain('Only such events are read: Categories: <b>music')
    expect(kept.html).not.toContain('<b>music')
    // Titles of events are stored with entities.
    expect(kept.text).toContain('Yoga <12 Jahre')
    for (const given of [
      JSON.stringify({ events, total: 1 }),
      '[]',
      '{',
      '{"events":[{"start_date":"x"}]}',
    ]) {
      const again = await editor.browser.post(NEW, { found: given, name: 'A', url: 'x', 'was.url': 'y' })
      expect(again.status).toBe(422)
      expect(again.html).not.toContain('<img src=x>')
    }
  })

  it('say why a run failed in words, or by its message if that has no code', async () => {
    const { path, id } = await add(FEED)
    const insertRun = (message: string, code: string, state = 'failed') =>
      query(
        `INSERT INTO source_runs (source_id, started_utc, ended_utc, state, message, code, skipped)
         VALUES (?, '2026-11-01 12:00:00', '2026-11-01 12:00:00', ?, ?, ?, ?)`,
        id,
        state,
        message,
        code,
        JSON.stringify([
          { what: 'Old', why: 'it was <old>' },
          { what: 'New', why: 'x', code: 'record_edited' },
        ]),
      )
    await insertRun('It was HTTP 404.', '')
    await insertRun('Nothing here.', 'source_gone')
    await insertRun('Half of it all.', 'half_gone', 'done')
    const { text } = await editor.browser.get(path)
    for (const words of ['It was HTTP 404.', 'There is nothing at this address.', 'at least half was gone'])
      expect(text).toContain(words)
    expect(text).toMatch(/Old it was <old>.*New It was changed here, and stays/)
    expect(text).not.toContain('Half of it all.')
  })

  it('have settings, and keep both of two changes', async () => {
    const { path, id } = await add(FEED)
    const mine = fieldsIn((await editor.browser.get(`${path}settings/`)).html)
    const saved = await editor.browser.submit(`${path}settings/`, { ...mine, search: 'jazz', mirror: '1' })
    expect(saved.text).toContain('Saved: Town & Theatre')
    expect(await read(`/sources/${id}`)).toMatchObject({ search: 'jazz', mirror: true, every: 'day' })
    const late = await editor.browser.post(`${path}settings/`, { ...mine, search: 'blues' })
    expectPage(late, 412, 'jazz', 'blues')
  })

  it('pause and resume, and say why an event was skipped', async () => {
    const { path } = await add(
      feedUrl([vevent(9, 'Lecture'), 'BEGIN:VEVENT\r\nUID:x\r\nSUMMARY:Some day\r\nEND:VEVENT\r\n']),
    )
    expect((await editor.browser.submit(`${path}pause/`)).text).toMatch(/It is paused.*Resume/s)
    expect((await editor.browser.submit(`${path}resume/`)).text).toMatch(/It is active again.*Pause/s)
    const { text } = await editor.browser.submit(`${path}sync/`)
    expect(text).toContain('1 new, 1 skipped')
    expect(text).toContain('Some day It doesn’t say when it begins.')
  })

  it('ask before much of them is gone, and say what', async () => {
    const { path, id } = await add(feedUrl([11, 12, 13, 14, 15].map(n => vevent(n, `Gone ${n}`))))
    await editor.browser.submit(`${path}sync/`)
    const short = feedUrl([vevent(11, 'Gone 11')])
    await query('UPDATE sources SET url = ? WHERE id = ?', short, id)
    const asked = await editor.browser.submit(`${path}sync/`)
    expect(asked.text).toContain('4 of 5 upcoming events are gone there: Gone 12, Gone 13, Gone 14, Gone 15')
    expect(asked.text).not.toContain('{{')
    expect(asked.text).toMatch(/Has the other calendar been cleared out\?.*stay here/s)
    expect(asked.text).toContain('It was read: at least half was gone, so nothing was changed.')
    expect(asked.text).not.toMatch(/nothing new|Events there/)
    expect((await editor.browser.get('/admin/')).text).toContain('One thing is waiting for your decision.')
    const agreed = await editor.browser.submit(`${path}resume/`)
    expect(agreed.text).not.toContain('cleared out')
    expect(agreed.text).toContain('is about to be read')
    expect(agreed.text).not.toContain('up to date')
    expect((await editor.browser.submit(`${path}sync/`)).text).toContain('up to date')
  })

  it('say what was cancelled or moved there of the events that were edited here', async () => {
    const shown = [11, 12, 13, 14].map(n => vevent(n, `Opera ${n}`))
    const { path, id } = await add(feedUrl(shown))
    await editor.browser.submit(`${path}sync/`)
    const rows = await query<{ id: number }>(
      "SELECT id FROM events WHERE title LIKE 'Opera 1%' ORDER BY start_date",
    )
    for (const row of rows) await send('PATCH', `/events/${row.id}`, { as: editor.as, json: { cost: '5' } })
    const off = shown.map((text, i) =>
      i === 0
        ? text.replace('END:VEVENT', 'STATUS:CANCELLED\r\nEND:VEVENT')
        : i === 1
          ? text.replace('T190000Z', 'T173000Z')
          : text.replace('Opera 13', 'Gala'),
    )
    await query('UPDATE sources SET url = ? WHERE id = ?', feedUrl(off), id)
    const { text, links } = await editor.browser.submit(`${path}sync/`)
    expect(text).toMatch(/Opera 11 It was changed here, and stays as it is here\. There: Cancell?ed\./)
    expect(text).toMatch(/Opera 12 It was changed here.*There: [^.]*(17|5):30/)
    expect(text).toContain('Gala It was changed here, and stays as it is here.')
    expect(text.match(/There:/g)).toHaveLength(2)
    expect(links).toEqual(expect.arrayContaining(rows.slice(0, 2).map(row => `/admin/events/${row.id}/`)))
    expect((await read(`/sources/${id}/runs`)).runs[0].skipped).toContainEqual({
      what: 'Opera 11',
      why: 'it was edited here; there, it is canceled',
      code: 'edited_there',
      values: { event: rows[0]?.id, status: 'canceled' },
    })
  })

  it('name some dates of a series that are gone by its title, once', async () => {
    const weekly = (count: number) =>
      feedUrl([vevent(3, 'Choir').replace('END:VEVENT', `RRULE:FREQ=WEEKLY;COUNT=${count}\r\nEND:VEVENT`)])
    const { path, id } = await add(weekly(14), { mirror: '1' })
    // An exact copy looks for what has vanished in a batch of its own.
    for (const _ of [1, 2]) await editor.browser.submit(`${path}sync/`)
    await query('UPDATE sources SET url = ? WHERE id = ?', weekly(7), id)
    const asked = await editor.browser.submit(`${path}sync/`)
    expect(asked.text).toMatch(/7 of 14 upcoming events are gone there: Choir ….*go to the trash here/s)
  })

  it('name what is wrong while they cannot be read', async () => {
    const { path, id } = await add(FEED)
    await query('UPDATE sources SET url = ? WHERE id = ?', 'https://a.invalid/', id)
    const failed = await editor.browser.submit(`${path}sync/`)
    expect(failed.text).toMatch(/It can’t be read\. The other site has a problem.*HTTP 502/s)
    expect((await editor.browser.get('/admin/')).text).toContain('Can’t be read: Town & Theatre')
    await query(`UPDATE sources SET message = '<i>x' WHERE id = ?`, id)
    expect((await editor.browser.get(path)).html).not.toContain('<i>x')
  })

  it('are named in the history of what they have changed', async () => {
    const { path, id } = await add(feedUrl([vevent(18, 'First title')]), { name: 'Choir & Co', mirror: '1' })
    await editor.browser.submit(`${path}sync/`)
    expect((await editor.browser.get(`/admin/history/?kind=source&id=${id}`)).text).toMatch(/Choir & Co/)
    const { events } = await read(`/events?source=${id}`)
    const url = feedUrl([vevent(18, 'Second title')])
    await query('UPDATE sources SET url = ? WHERE id = ?', url, id)
    await editor.browser.submit(`${path}sync/`)
    const history = `/admin/history/?kind=event&id=${events[0].id}`
    expect((await editor.browser.get(history)).text).toContain('From Choir & Co,')
  })

  it('are deleted, with their events or without', async () => {
    const { path, id } = await add(FEED, { name: 'Us & <Them>' })
    await editor.browser.submit(`${path}sync/`)
    const had = await countPublished()
    expect((await editor.browser.get(`${path}delete/`)).text).toContain('What should happen to the events')
    expect((await editor.browser.submit(`${path}delete/`, { events: 'keep' })).text).toContain(
      'has been deleted.',
    )
    expect(await countPublished()).toBe(had)
    expect((await editor.browser.get(path)).status).toBe(404)
    // Its name and its address, with which it can be added again, are only in the history now.
    const history = async () => (await editor.browser.get('/admin/history/?kind=source')).text
    expect(await history()).toContain('Other calendar Us & <Them> deleted for good')
    expect(await history()).toContain(FEED)
    const other = await add(FEED)
    await editor.browser.submit(`${other.path}delete/`, { events: 'trash' })
    expect(await history()).toContain('Other calendar Town & Theatre deleted for good')
    expect(await query('SELECT id FROM sources WHERE id >= ?', id)).toEqual([])
    expect(await countPublished()).toBe(had)
  })

  it('are limited in number, which the form says in the words of the page', async () => {
    await query(
      `INSERT INTO sources (name, url, kind, every, status, author_id, created_utc)
       SELECT 'one of many', 'https://many.invalid/' || value, '', '', 'draft', 1, '2026-11-20 10:00:00'
       FROM json_each(?)`,
      JSON.stringify(Array.from({ length: 200 }, (_, i) => i)),
    )
    expect((await add(FEED)).shown.text).toContain('The maximum number has been reached.')
    await query(`DELETE FROM sources WHERE name = 'one of many'`)
  })
})
