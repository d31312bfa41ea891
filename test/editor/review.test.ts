import { beforeEach, describe, expect, it } from 'vitest'
import { makeAll, makeEvent, makeVenue, query, queryValue, SITE, send, WHEN } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { measure } from '../kit/http/metrics.ts'
import { expectPage } from '../site/pages/page.ts'
import { fieldsIn } from './forms.ts'
import { signedIn, signIn } from './session.ts'

const PAGE = '/admin/review/'

const editor = signedIn('editor', 'ed')
const contributor = signedIn('contributor', 'cora')
const another = signedIn('contributor', 'otto')

beforeEach(async () => {
  await query(`DELETE FROM review_notes`)
  await query(`UPDATE events SET status = 'draft' WHERE status = 'pending'`)
})

const pending = (fields: object = {}) => makeEvent(contributor.as, { status: 'pending', ...fields })
/** Makes several events that wait for review. */
const allPending = (count: number, fields: (n: number) => object) =>
  makeAll(
    contributor.as,
    'events',
    Array.from({ length: count }, (_, n) => ({ ...WHEN, status: 'pending', ...fields(n) })),
  )
const read = async (id: number) => (await send('GET', `/events/${id}`, { as: editor.as })).body
/**
 * The value by which the page names an event: with the versions of all that it shows, or with its own if the
 * page doesn't show it.
 */
const nameOf = async (id: number) => {
  const { html } = await editor.browser.get(PAGE)
  const version = await queryValue<number>('SELECT version FROM events WHERE id = ?', id)
  return (
    new RegExp(`name="event" value="(event\\.${id}\\.[^"]*)"`).exec(html)?.[1] ?? `event.${id}.${version}`
  )
}
const decide = async (decision: string, ids: number[], fields = {}, as = editor) => {
  return as.browser.post(PAGE, { decision, event: await Promise.all(ids.map(nameOf)), ...fields })
}
const notes = () => query('SELECT * FROM review_notes')

describe('the list', () => {
  it('shows what waits for review, the next date first, with author, time and new venues', async () => {
    await pending({ title: 'Later', start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' })
    await pending({
      title: 'Sooner & <b>louder</b>',
      description: '<p>Bring a chair.</p>',
      venue: { venue: 'The new Barn' },
      categories: [],
    })
    await makeEvent(contributor.as, { title: 'Not yet', status: 'draft' })
    const { text, html, status } = await editor.browser.get(PAGE)
    expect(status).toBe(200)
    expect(text.indexOf('Sooner & louder')).toBeGreaterThan(0)
    expect(text.indexOf('Later')).toBeGreaterThan(text.indexOf('Sooner & louder'))
    expect(text).not.toContain('Not yet')
    expect(text).toContain('From cora, last changed')
    expect(text).toContain('Bring a chair.')
    expect(text).toContain('New venue, published along with it: The new Barn')
    expect(html).not.toContain('<b>louder')
    expect((await editor.browser.get('/admin/')).text).toMatch(/Review 2 .* 2 for review/)
  })

  it('reads as much of a large calendar as of a small one', async () => {
    const times = { start_date: '2027-09-01 10:00', end_date: '2027-09-01 12:00' }
    await allPending(5, n => ({ title: `Waits ${n}`, ...times }))
    const headers = { cookie: editor.browser.cookie }
    const rowsRead = async () => (await measure('GET', SITE + PAGE, { headers })).rows
    const small = await rowsRead()
    await query(`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 500)
       INSERT INTO events (author_id, status, slug, date, date_utc, modified, modified_utc, title, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr)
       SELECT author_id, 'publish', 'many-' || n, date, date_utc, modified, modified_utc, 'Many', at, at, at, at, 'UTC', 'UTC'
       FROM number, (SELECT *, '2027-10-01 10:00:00' AS at FROM events LIMIT 1)`)
    expect(await rowsRead()).toBeLessThan(small + 20)
    await query("DELETE FROM events WHERE title = 'Many'")
  })

  it('is counted in the menu of each page, for few rows, even if a series has many dates', async () => {
    await makeEvent(editor.as, { title: 'Daily', recurrence: 'FREQ=DAILY;COUNT=365', status: 'pending' })
    const times = { start_date: '2029-01-10 10:00', end_date: '2029-01-10 12:00' }
    await allPending(5, n => ({ title: `Single ${n}.`, ...times }))
    const { text } = await editor.browser.get(PAGE)
    expect((await editor.browser.get('/admin/')).text).toMatch(/Review 6 .* 6 for review/)
    expect(text.match(/Single \d\./g)).toHaveLength(5)
    const { rows } = await measure('GET', `${SITE}/admin/tags/`, {
      headers: { cookie: editor.browser.cookie },
    })
    expect(rows).toBeLessThan(40)
  })

  it('shows a series once, and an occurrence by itself if only that one waits', async () => {
    const { id } = await pending({ title: 'Class', recurrence: 'FREQ=WEEKLY;COUNT=5' })
    const published = await makeEvent(editor.as, { title: 'Club', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    await send('PATCH', `/events/${published.id}`, { as: editor.as, json: { status: 'pending' } })
    const { html, text } = await editor.browser.get(PAGE)
    expect(html.match(/<article/g)).toHaveLength(2)
    expect(text).toContain('All dates of a series: Every Sunday')
    await decide('publish', [id, published.id])
    const { body } = await send('GET', `/events?series=${(await read(id)).series.id}&status=publish`, {
      as: editor.as,
    })
    expect(body.total).toBe(5)
    expect((await read(published.id)).status).toBe('publish')
    expect((await editor.browser.get(PAGE)).text).toContain('You’re all caught up.')
  })

  it('continues on a second page', async () => {
    await allPending(23, n => ({ title: `Event ${n}.` }))
    const first = await editor.browser.get(PAGE)
    const onward = first.links.find(link => link.startsWith(`${PAGE}?after=`)) ?? ''
    const second = await editor.browser.get(onward.replaceAll('&amp;', '&'))
    const titles = [...`${first.text}${second.text}`.matchAll(/Event \d+\./g)].map(([title]) => title)
    expect(new Set(titles).size).toBe(23)
    expect(second.links).toContain(PAGE)
  })

  it('stays short, whatever contributors write', async () => {
    const description = `<p>${'A long text. '.repeat(2_000)}</p>`
    await allPending(20, n => ({ title: `Long ${n}`, description }))
    const { html } = await editor.browser.get(PAGE)
    // An event that is too long for the list is read and published on a page of its own.
    expect(html.match(/<a class="button" href="\/admin\/publish\/[^>]*>See everything/g)).toHaveLength(20)
    expect(html).not.toMatch(/<article(?:(?!<\/article>).)*value="publish"/s)
    expect(html.length).toBeLessThan(100_000)
  })
})

describe('a decision', () => {
  it('publishes an event with the venue and organizer that came with it, and none of other users', async () => {
    const { id, venue, organizer } = await pending({
      title: 'Premiere',
      venue: { venue: 'A stage of its own' },
      organizer: { organizer: 'A troupe' },
    })
    expect([venue.status, organizer[0].status]).toEqual(['draft', 'draft'])
    const { id: secret } = await makeVenue(editor.as, 'Secret', { status: 'draft' })
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { venue: [venue.id, secret] } })
    const done = await decide('publish', [id])
    expect(done.status).toBe(303)
    expect((await editor.browser.get(PAGE)).text).toContain('Published: Premiere')
    const { body } = await send('GET', `/events/${id}`)
    expect([body.status, body.venue.status, body.organizer[0].status]).toEqual(Array(3).fill('publish'))
    expect((await send('GET', `/venues/${secret}`)).status).toBe(403)
  })

  it('sends back with a note, which the author sees until the event is published', async () => {
    const { id } = await pending({ title: 'Half a plan' })
    await send('PATCH', `/events/${id}`, { as: contributor.as, json: { cost: '5' } })
    await decide('return', [id], { note: 'When does it <i>end</i>?\r\nAnd where?' })
    expect((await read(id)).status).toBe('draft')
    expect(await notes()).toMatchObject([
      { kind: 'event', object_id: id, note: 'When does it <i>end</i>?\nAnd where?', user_id: editor.id },
    ])
    const start = await contributor.browser.get('/admin/')
    expect(start.text).toContain('Sent back to you Half a plan')

    for (const path of [`/admin/events/${id}/`, '/admin/events/?view=draft'])
      for (const { browser } of [contributor, editor]) {
        const { html, text } = await browser.get(path)
        expect(text, path).toContain('ed sent this back on')
        expect(html).toContain('When does it &lt;i&gt;end&lt;/i&gt;?\nAnd where?')
      }

    // The event is shown again with the note and the changes made since.
    await send('PATCH', `/events/${id}`, { as: contributor.as, json: { title: 'A plan', status: 'pending' } })
    // A field that was sent with the same value has not changed.
    await send('PATCH', `/events/${id}`, { as: contributor.as, json: { title: 'A plan', cost: '5' } })
    const { text, html } = await editor.browser.get(PAGE)
    expect(text).toContain('Sent back by ed on')
    expect(html).toContain('When does it &lt;i&gt;end&lt;/i&gt;?')
    // All of this happens within one second. Changes from before the note are not listed.
    expect(text).toContain('Changed since then: Title, Address of the page.')
    await decide('publish', [id])
    expect(await notes()).toEqual([])
  })

  it('is on the start page of the author, the last first, even if there are many', async () => {
    const json = { ...WHEN, status: 'draft' }
    const events = Array.from({ length: 12 }, (_, n) => ({ ...json, title: `Returned ${n};` }))
    const made = await makeAll(another.as, 'events', events)
    // Neither in the order of the events nor in that of the notes.
    for (const [n, { id }] of made.entries())
      await query(
        `INSERT INTO review_notes (kind, object_id, note, user_id, at_utc) VALUES ('event', ?, 'Why?', 1, ?)`,
        id,
        `2026-11-${10 + ((n * 5) % 12)} 12:00:00`,
      )
    const { text } = await another.browser.get('/admin/')
    const shown = [...text.matchAll(/Returned (\d+);/g)].map(([, n]) => (Number(n) * 5) % 12)
    expect(shown).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  })

  it('is followed by a form that sends the event again, for whoever may not publish it', async () => {
    const { id } = await pending({ title: 'Whose plan?' })
    const path = `/admin/events/${id}/`
    const chosenIn = (html: string) => fieldsIn(html).status
    await decide('return', [id], { note: 'Whose?' })
    const { html, text } = await contributor.browser.get(path)
    expect(chosenIn(html)).toEqual(['pending'])
    expect(html).toContain('<span data-status="pending" class="is-initial">Send for review</span>')
    expect(text).toContain('send it for review again')
    expect(chosenIn((await editor.browser.get(path)).html)).toEqual(['draft'])
    // What somebody has chosen stays chosen when the form is shown again.
    const refused = await contributor.browser.save(path, { title: '', status: 'draft' })
    expect([refused.status, chosenIn(refused.html)]).toEqual([422, ['draft']])
    await contributor.browser.save(path, { title: 'Our plan' })
    expect(await read(id)).toMatchObject({ title: 'Our plan', status: 'pending' })
    // Drafts that nobody has sent back stay drafts.
    const draft = await makeEvent(contributor.as, { status: 'draft' })
    expect(chosenIn((await contributor.browser.get(`/admin/events/${draft.id}/`)).html)).toEqual(['draft'])
  })

  it('sends back a series as a whole', async () => {
    const { id, series } = await pending({ recurrence: 'FREQ=DAILY;COUNT=3' })
    await decide('return', [id], { note: 'Every day?' })
    expect(await notes()).toMatchObject([{ kind: 'series', object_id: series.id }])
    const { body } = await send('GET', `/events?series=${series.id}&status=draft`, { as: editor.as })
    expect(body.total).toBe(3)
    expect((await contributor.browser.get('/admin/')).text).toContain('Sent back to you Event')
    const json = { cost: '5', status: 'pending' }
    await send('PATCH', `/events/${id}?scope=all`, { as: contributor.as, json })
    expect((await editor.browser.get(PAGE)).text).toMatch(/Changed since then: Price\./)
  })

  it('is audited without the text of the note', async () => {
    const { id } = await pending()
    await decide('return', [id], { note: 'Too short' })
    const results = await query(
      `SELECT user_id, fields FROM audit WHERE kind = 'event' AND object_id = ? AND fields LIKE '%review_note%'`,
      id,
    )
    expect(results).toEqual([{ user_id: editor.id, fields: '["review_note"]' }])
  })

  it('requires a note to send an event back, and keeps what was typed', async () => {
    const { id } = await pending()
    const empty = await decide('return', [id], { note: '  ' })
    expectPage(empty, 422, 'Say what needs to change')
    const long = await decide('return', [id], { note: 'x'.repeat(2_001) })
    expect(long.html).toContain('x'.repeat(2_001))
    expect((await read(id)).status).toBe('pending')
    expect(await notes()).toEqual([])
  })

  it('applies only to the version that the editor saw', async () => {
    const { id } = await pending({ title: 'Harmless' })
    const event = await nameOf(id)
    await send('PATCH', `/events/${id}`, { as: contributor.as, json: { title: 'Harmful' } })
    for (const decision of ['publish', 'return', 'trash']) {
      const { status, text, html } = await editor.browser.post(PAGE, {
        decision,
        event,
        note: 'Typed with care',
      })
      expect(status, decision).toBe(422)
      expect(text, decision).toContain('This was changed while you were looking at it.')
      if (decision === 'return') expect(html, decision).toContain('Typed with care')
    }
    expect((await read(id)).status).toBe('pending')
  })

  it('can be made about several events at once, and names those that failed', async () => {
    const a = await pending({ title: 'A' })
    const b = await pending({ title: 'B' })
    const c = await pending({ title: 'C' })
    const names = await Promise.all([a.id, b.id].map(nameOf))
    await send('PATCH', `/events/${b.id}`, { as: contributor.as, json: { cost: '5' } })
    const { status, text } = await editor.browser.post(PAGE, { decision: 'trash', event: names })
    expect(status).toBe(422)
    expect(text).toContain('This was changed')
    expect([(await read(b.id)).status, (await read(c.id)).status]).toEqual(['pending', 'pending'])
    expect((await send('GET', `/events/${a.id}`, { as: editor.as })).body.code).toBe(
      'event-no-longer-available',
    )
    const stale = await Promise.all([b.id, c.id].map(nameOf))
    await send('PATCH', `/events/${b.id}`, { as: contributor.as, json: { cost: '6' } })
    await editor.browser.post(PAGE, { decision: 'return', event: stale, note: 'Only the other one' })
    expect(await notes()).toMatchObject([{ object_id: c.id }])
    expect([(await read(b.id)).status, (await read(c.id)).status]).toEqual(['pending', 'draft'])
    await send('PATCH', `/events/${c.id}`, { as: contributor.as, json: { status: 'pending' } })
    await decide('return', [b.id, c.id], { note: 'Both again' })
    expect(await notes()).toHaveLength(2)
    expect([(await read(b.id)).status, (await read(c.id)).status]).toEqual(['draft', 'draft'])
  })

  it('says what is done of a selection, with its undo, and names what is no longer waiting', async () => {
    const a = await pending({ title: 'Alphorn' })
    const b = await pending({ title: 'Bagpipe' })
    const names = await Promise.all([a.id, b.id].map(nameOf))
    await send('PATCH', `/events/${b.id}`, { as: editor.as, json: { status: 'publish' } })
    const shown = await editor.browser.post(PAGE, { decision: 'publish', event: names })
    expectPage(shown, 422, 'Some of it was not possible.', '“Bagpipe” is no longer waiting')
    expect(shown.text).not.toContain('This was not possible')
    expect(shown.text).toMatch(/Published: Alphorn\s*Undo/)
    const [undo = ''] = /(?<=action=")\/admin\/undo\/[^"]*/.exec(shown.html) ?? []
    expectPage(await editor.browser.submit(undo), 200, 'The change has been undone.')
    expect([(await read(a.id)).status, (await read(b.id)).status]).toEqual(['pending', 'publish'])
    // Nothing done: no undo of what was done before.
    const again = await editor.browser.post(PAGE, { decision: 'publish', event: names[1] ?? '' })
    expectPage(again, 422, 'This was not possible.')
    expect(again.html).not.toContain('form="undo"')
  })

  it('has no effect on an event that is not waiting', async () => {
    const { id } = await makeEvent(contributor.as, { status: 'draft' })
    const shown = await decide('publish', [id, 999_999])
    expect(shown.status).toBe(422)
    expect((await read(id)).status).toBe('draft')
    expect((await editor.browser.post(PAGE, { decision: 'publish' })).text).toContain(
      'Select at least one event',
    )
  })

  it('shows its note to nobody but the author at that time, and editors', async () => {
    const { id } = await pending()
    const author = await signIn('author')
    await decide('return', [id], { note: 'Between us' })
    for (const person of [another, author]) {
      expect((await person.browser.get('/admin/')).text).not.toContain('Sent back to you')
      for (const path of [`/admin/events/${id}/`, '/admin/events/?view=draft'])
        expect((await person.browser.get(path)).text, path).not.toContain('Between us')
    }
    // The note was meant for the author that the event had then.
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { author: another.id } })
    expect((await another.browser.get(`/admin/events/${id}/`)).text).not.toContain('Between us')
    expect((await editor.browser.get(`/admin/events/${id}/`)).text).toContain('Between us')
    expect((await contributor.browser.get('/admin/')).text).not.toContain('Sent back to you')
    const { text } = await send('GET', `/events/${id}`, { as: editor.as })
    expect(text).not.toContain('Between us')
  })

  it('takes few statements, however many events it is about', async () => {
    await allPending(20, n => ({ title: `Event ${n}`, venue: { venue: `Hall ${n}` } }))
    const form = new URLSearchParams({ _token: editor.browser.token, decision: 'publish' })
    for (const [, name] of (await editor.browser.get(PAGE)).html.matchAll(
      /type="checkbox" name="event" value="([^"]*)"/g,
    ))
      form.append('event', name ?? '')
    const headers = { cookie: editor.browser.cookie, origin: SITE }
    // The free plan allows 50 statements.
    expect(await measure('POST', SITE + PAGE, { body: form, headers })).toMatchObject({
      status: 303,
      statements: 25,
      trips: 6,
    })
  })
})

describe('at the same time', () => {
  /** Sends an event back, on a database that fails. */
  async function sendBack(id: number, fault: Parameters<typeof faultyD1>[0]) {
    const fields = { decision: 'return', event: await nameOf(id), note: 'Typed with care' }
    return editor.browser.with(faultyD1(fault)).post(PAGE, fields)
  }
  /** The status of an event, and how many notes there are. */
  const stateOf = async (id: number) => [(await read(id)).status, (await notes()).length]

  it('a note and the decision are written together, or not at all', async () => {
    const message = 'D1_ERROR: Network connection lost.'
    const { id } = await pending()
    const failed = await sendBack(id, { message, times: 20, writesOnly: true })
    expect(failed.status).toBeGreaterThanOrEqual(422)
    expect(failed.text).toMatch(/Typed with care|Nothing|number/i)
    expect(await stateOf(id)).toEqual(['pending', 0])

    await sendBack(id, { message, writesOnly: true, late: true })
    expect(await stateOf(id)).toEqual(['draft', 1])
  })

  /** Decides on two series, of which the first alone is written. */
  async function decideOnTwo(fields: { decision: string; note?: string }) {
    const series = { recurrence: 'FREQ=DAILY;COUNT=3' }
    const first = await pending({ title: 'First', ...series })
    const second = await pending({ title: 'Second', ...series })
    const event = await Promise.all([first.id, second.id].map(nameOf))
    const fault = { message: 'D1_ERROR: Network connection lost.', times: 20, writesOnly: true, after: 1 }
    const failed = await editor.browser.with(faultyD1(fault)).post(PAGE, { ...fields, event })
    return { first, second, failed }
  }

  it('each note goes with its own decision, if only the first of several writes succeeds', async () => {
    const { first, second, failed } = await decideOnTwo({ decision: 'return', note: 'Typed with care' })
    expect([(await read(first.id)).status, (await read(second.id)).status]).toEqual(['draft', 'pending'])
    expect(await notes()).toMatchObject([{ kind: 'series', object_id: first.series.id }])
    expect(failed.status).toBe(422)
    expect(failed.text).toContain('Typed with care')
    expect(failed.text).toContain('Sent back: First')
  })

  it('the page says what was published, if only the first of several writes succeeds', async () => {
    const { first, second, failed } = await decideOnTwo({ decision: 'publish' })
    expect([(await read(first.id)).status, (await read(second.id)).status]).toEqual(['publish', 'pending'])
    expectPage(failed, 422, 'Published: First')
    expect(failed.text).toContain('This couldn’t be done just now.')
  })

  it('an event that its author changes between the read and the write is not sent back unseen', async () => {
    const { id } = await pending()
    const change = () => send('PATCH', `/events/${id}`, { as: contributor.as, json: { title: 'Other' } })
    const answer = await sendBack(id, { beforeWrite: change })
    expect(answer.status).toBe(422)
    expect(answer.html).toContain('Typed with care')
    expect(await stateOf(id)).toEqual(['pending', 0])
  })

  it('only one of two decisions takes effect', async () => {
    const second = await signIn('editor')
    for (let n = 0; n < 3; n++) {
      const { id } = await pending()
      const event = await nameOf(id)
      const [published, returned] = await Promise.all([
        editor.browser.post(PAGE, { decision: 'publish', event }),
        second.browser.post(PAGE, { decision: 'return', event, note: 'No' }),
      ])
      expect([published.status, returned.status].sort()).toEqual([303, 422])
      expect(await stateOf(id)).toEqual(published.status === 303 ? ['publish', 0] : ['draft', 1])
      await query('DELETE FROM review_notes')
    }
  })
})

it('a contributor’s form proposes to send an event for review', async () => {
  const { html } = await contributor.browser.get('/admin/events/new/')
  expect(html).toMatch(/<input[^>]* name="status" value="pending"[^>]* checked/)
  expect(html).toMatch(/data-status="pending" class="is-initial"/)
})
