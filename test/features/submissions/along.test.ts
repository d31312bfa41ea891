import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { changeForm, latestRow, submitEvent as submit, visitors } from '../../calendar/intake/submit.ts'
import { confirmPublishing, fieldsIn, reviewForm, undoOf } from '../../editor/forms.ts'
import { signedIn } from '../../editor/session.ts'
import {
  makeEvent,
  makeOrganizer,
  makeSource,
  makeVenue,
  query,
  queryValue,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { answering, answerOf } from '../../model.ts'

// The venues and organizers that become public with an event that an editor publishes.

const administrator = signedIn('administrator')
const editor = signedIn('editor')
const contributor = signedIn('contributor')
const author = signedIn('author')

const read = async (path: string) => (await send('GET', path, { as: administrator.as })).body
const patchAsAdministrator = (path: string, json: object) =>
  send('PATCH', path, { as: administrator.as, json })
const httpStatusOf = async (path: string): Promise<number> => (await send('GET', path)).status

/** The fields of the review's button that publishes an event. */
async function buttonOf(id: number) {
  const { html } = await editor.browser.get('/admin/review/')
  return { ...reviewForm(html, id), decision: 'publish' }
}

/** Publishes an event with the button of the review. */
const publish = async (id: number) => editor.browser.submit('/admin/review/', await buttonOf(id))

/** Sends the form on the page of a sender with some fields changed. */
const changeOwn = (path: string, fields: Readonly<Record<string, string[]>>) =>
  changeForm(SITE + path, fields)

type Door = { title: string; publish: (id: number) => Promise<unknown> }

const DOORS: Door[] = [
  { title: 'the review', publish },
  {
    title: 'the form',
    publish: async id => {
      const { html } = await editor.browser.get(`/admin/events/${id}/`)
      const form = { ...fieldsIn(html), status: 'publish' }
      return confirmPublishing(editor.browser, await editor.browser.submit(`/admin/events/${id}/`, form))
    },
  },
  {
    title: 'the list',
    publish: async id => {
      const { html } = await editor.browser.get('/admin/events/?view=pending')
      const form = { ...fieldsIn(html), id: String(id), do: 'publish' }
      return confirmPublishing(editor.browser, await editor.browser.submit('/admin/events/bulk/', form))
    },
  },
  {
    title: 'the API',
    publish: async id => {
      const row = env.DB.prepare('SELECT id FROM submissions WHERE event_id = ?').bind(id)
      const sending = { as: editor.as, json: { state: 'published' } }
      return visitors().ask('PATCH', `/submissions/${await row.first('id')}`, sending)
    },
  },
  {
    title: 'a program',
    publish: id => send('PATCH', `/events/${id}`, { as: editor.as, json: { status: 'publish' } }),
  },
]

describe.each(DOORS)('publishing in $title', ({ title, publish }) => {
  it('publishes venues and organizers that came with the submission, and none of an editor or of another visitor', async () => {
    const venue = { venue: `Barn of ${title}` }
    const { id } = await submit({ title: `Dance in ${title}`, venue, organizer: { organizer: 'Dancers' } })
    const other = await submit({ title: `Play in ${title}`, venue: { venue: `Other barn of ${title}` } })
    const own = await read(`/events/${id}`)
    const theirs = await read(`/events/${other.id}`)
    // An editor and the administrator, to whom all submissions belong, have not published these yet.
    const { id: secret } = await makeVenue(administrator.as, `Secret bunker of ${title}`, { status: 'draft' })
    const { id: hidden } = await makeOrganizer(editor.as, `Secret people of ${title}`, { status: 'pending' })
    await patchAsAdministrator(`/events/${id}`, {
      venue: [own.venue.id, secret, theirs.venue.id],
      organizer: [own.organizer[0].id, hidden],
    })
    await publish(id)
    expect((await send('GET', `/events/${id}`)).body).toMatchObject({
      status: 'publish',
      venue: { venue: venue.venue, status: 'publish' },
      organizer: [{ organizer: 'Dancers', status: 'publish' }],
    })
    expect(await httpStatusOf(`/venues/${secret}`)).toBe(403)
    expect(await httpStatusOf(`/organizers/${hidden}`)).toBe(403)
    expect(await httpStatusOf(`/venues/${theirs.venue.id}`)).toBe(403)
    // Rows that came with another submission become public with that one, and then show in this one as well.
    await publish(other.id)
    expect((await send('GET', `/events/${id}`)).body.venue).toHaveLength(2)
  })
})

describe('what is published along with an event', () => {
  it('includes rows that came with a series', async () => {
    const { id } = await submit({
      title: 'Weekly',
      recurrence: 'FREQ=WEEKLY;COUNT=3',
      venue: { venue: 'Gym' },
    })
    await publish(id)
    const { body } = await send('GET', `/events?include=${id}`)
    expect(body.events[0].venue).toMatchObject({ venue: 'Gym', status: 'publish' })
  })

  it('includes rows that a sender adds on their page', async () => {
    const { id, path } = await submit({ title: 'Moved by its sender', venue: { venue: 'Too small' } })
    const saved = await changeOwn(path, { venue: [], venue_new_venue: ['Large hall'] })
    expect(saved.headers.get('location')).toBe(`${path}?saved=1`)
    await publish(id)
    expect((await send('GET', `/events/${id}`)).body.venue).toMatchObject({ venue: 'Large hall' })
    const small = await queryValue("SELECT status FROM venues WHERE name = 'Too small'")
    expect(small).toBe('draft')
  })

  it('is the same after publishing was undone', async () => {
    const { id } = await submit({ title: 'Twice published', venue: { venue: 'Pavilion' } })
    const { id: venue } = (await read(`/events/${id}`)).venue
    const done = await publish(id)
    expect(await httpStatusOf(`/venues/${venue}`)).toBe(200)
    const undone = await editor.browser.submit(undoOf(done))
    expect([await httpStatusOf(`/events/${id}`), await httpStatusOf(`/venues/${venue}`)]).toEqual([403, 403])
    const redone = await editor.browser.submit(undoOf(undone))
    expect([await httpStatusOf(`/events/${id}`), await httpStatusOf(`/venues/${venue}`)]).toEqual([200, 200])
    await editor.browser.submit(undoOf(redone))
    await publish(id)
    expect([await httpStatusOf(`/events/${id}`), await httpStatusOf(`/venues/${venue}`)]).toEqual([200, 200])
  })

  it('does not include rows that an editor adds to a submission and hides later', async () => {
    const { id } = await submit({ title: 'With another place', venue: { venue: 'First place' } })
    const { venue } = await read(`/events/${id}`)
    await patchAsAdministrator(`/events/${id}`, { venue: [venue.id, { venue: 'Place of the editors' }] })
    await patchAsAdministrator(`/events/${id}`, {
      organizer: { organizer: 'Drafted people', status: 'draft' },
    })
    const { venue: places, organizer } = await read(`/events/${id}`)
    expect(places[1].status).toBe('draft')
    for (const status of ['private', 'draft'])
      await patchAsAdministrator(`/venues/${places[1].id}`, { status })
    await publish(id)
    expect((await send('GET', `/events/${id}`)).body).toMatchObject({
      venue: { venue: 'First place' },
      organizer: [],
    })
    expect(await httpStatusOf(`/organizers/${organizer[0].id}`)).toBe(403)
  })

  it('does not include rows that an editor keeps private', async () => {
    const { id } = await submit({
      title: 'At somebody’s home',
      venue: { venue: 'A home', address: '1 Lane' },
    })
    const { venue } = await read(`/events/${id}`)
    await patchAsAdministrator(`/venues/${venue.id}`, { status: 'private' })
    await patchAsAdministrator(`/venues/${venue.id}`, { status: 'draft' })
    await publish(id)
    expect(await httpStatusOf(`/venues/${venue.id}`)).toBe(403)
  })

  it('does not depend on the ids that clients give to their requests', async () => {
    const headers = { 'x-request-id': 'always-the-same' }
    const json = { venue: 'Editor’s plan' }
    const made = await send('POST', '/venues', { as: contributor.as, json, headers })
    await patchAsAdministrator(`/venues/${made.body.id}`, { author: administrator.id })
    await query("UPDATE audit SET at_utc = '2026-01-01 00:00:00' WHERE kind = 'venue'")
    const event = { ...WHEN, title: 'Guessed id', email: 'eve@example.org' }
    const sent = await visitors().ask('POST', '/submissions', { json: event, headers })
    expect(sent.status).toBe(201)
    const id = Number((await latestRow()).event_id)
    await patchAsAdministrator(`/events/${id}`, { venue: made.body.id })
    await publish(id)
    expect(await httpStatusOf(`/venues/${made.body.id}`)).toBe(403)
  })

  it('includes rows of a contributor, but none of an editor', async () => {
    const { id: venue } = await makeVenue(contributor.as, 'Own hall')
    const event = await makeEvent(contributor.as, { title: 'In the own hall', status: 'pending', venue })
    await publish(event.id)
    expect(await httpStatusOf(`/venues/${venue}`)).toBe(200)
    const { id: plan } = await makeVenue(editor.as, 'Hall of next year', { status: 'draft' })
    const own = await makeEvent(editor.as, { title: 'Of next year', status: 'pending', venue: plan })
    await publish(own.id)
    expect([await httpStatusOf(`/events/${own.id}`), await httpStatusOf(`/venues/${plan}`)]).toEqual([
      200, 403,
    ])
  })

  it('includes rows from the same source as the event, but none that were here before', async () => {
    const { id: brought } = await makeVenue(editor.as, 'Hall of a source', { status: 'pending' })
    const { id: joined } = await makeVenue(editor.as, 'Hall of the editors', { status: 'draft' })
    const event = await makeEvent(editor.as, { status: 'pending', venue: [brought, joined] })
    const source = await makeSource('Elsewhere', { events: [event.id] })
    const mapping = env.DB.prepare(
      "INSERT INTO imports (source, kind, external_id, target_id, hash, imported_version) VALUES (?, 'venue', ?, ?, '', ?)",
    )
    await env.DB.batch([
      mapping.bind(`source:${source}`, 'brought', brought, '1'),
      mapping.bind(`source:${source}`, 'joined', joined, null),
    ])
    await publish(event.id)
    expect([await httpStatusOf(`/venues/${brought}`), await httpStatusOf(`/venues/${joined}`)]).toEqual([
      200, 403,
    ])
  })
})

describe('what is published along by a program', () => {
  const WAITING = { venue: { venue: 'Waiting hall' }, organizer: { organizer: 'Waiting people' } }
  const statuses = async (id: number) => {
    const { status, venue, organizer } = await read(`/events/${id}`)
    return [status, venue.status, organizer[0].status]
  }
  const makeWaiting = (fields: object = {}) =>
    makeEvent(contributor.as, { title: 'Waiting', status: 'pending', ...WAITING, ...fields })

  it('is what a contributor has sent, for each date of a series as well', async () => {
    const { id } = await makeWaiting({ recurrence: 'FREQ=WEEKLY;COUNT=3' })
    await patchAsAdministrator(`/events/${id}?scope=all`, { status: 'publish' })
    expect(await statuses(id)).toEqual(['publish', 'publish', 'publish'])
    const { body } = await send('GET', `/events?series=${(await read(`/events/${id}`)).series.id}`)
    expect(body.events).toMatchObject(Array(3).fill({ venue: { venue: 'Waiting hall' } }))
  })

  it('is not what the same request takes from the event, nor what its author may not publish', async () => {
    const { id, venue } = await makeWaiting({ venue: { venue: 'Hall that is left' } })
    await patchAsAdministrator(`/events/${id}`, { status: 'publish', venue: [] })
    expect(await httpStatusOf(`/venues/${venue.id}`)).toBe(403)
    const other = await makeWaiting({
      venue: { venue: 'Hall of a contributor' },
      organizer: { organizer: 'People of a contributor' },
    })
    await send('PATCH', `/events/${other.id}`, { as: contributor.as, json: { status: 'publish' } })
    expect(await statuses(other.id)).toEqual(['pending', 'draft', 'draft'])
  })

  it('is shared by events of a batch', async () => {
    const one = await makeWaiting({ venue: { venue: 'Shared hall' }, organizer: [] })
    const two = await makeWaiting({ venue: one.venue.id, organizer: [] })
    const publish = ({ id }: { id: number }) => ({
      method: 'PATCH',
      path: `/events/${id}`,
      body: { status: 'publish' },
    })
    const json = { requests: [publish(one), publish(two)] }
    expect((await send('POST', '/batch', { as: editor.as, json })).status).toBe(207)
    expect((await send('GET', `/events/${two.id}`)).body).toMatchObject({
      status: 'publish',
      venue: { status: 'publish' },
    })
  })

  it('becomes public at the time of the event, and follows it until then', async () => {
    const { id } = await makeWaiting({
      venue: { venue: 'Hall of December' },
      organizer: { organizer: 'People of December' },
    })
    const { venue, organizer } = await read(`/events/${id}`)
    const dates = async () =>
      [
        await read(`/events/${id}`),
        await read(`/venues/${venue.id}`),
        await read(`/organizers/${organizer[0].id}`),
      ].map(({ status, date }) => `${status} ${date}`)
    await patchAsAdministrator(`/events/${id}`, { status: 'publish', date: '2026-12-24 10:00:00' })
    expect(await dates()).toEqual(Array(3).fill('future 2026-12-24 10:00:00'))
    expect(await httpStatusOf(`/venues/${venue.id}`)).toBe(403)
    // A contributor can't change it any more: it has been looked at.
    const renamed = await send('PATCH', `/venues/${venue.id}`, {
      as: contributor.as,
      json: { venue: 'Other' },
    })
    expect(renamed.status).toBe(403)
    await patchAsAdministrator(`/events/${id}`, { date: '2026-12-31 10:00:00' })
    expect(await dates()).toEqual(Array(3).fill('future 2026-12-31 10:00:00'))
    await patchAsAdministrator(`/events/${id}`, { status: 'draft' })
    expect(await statuses(id)).toEqual(['draft', 'draft', 'draft'])
    await patchAsAdministrator(`/events/${id}`, { status: 'publish' })
    expect(await dates()).toEqual(Array(3).fill('future 2026-12-31 10:00:00'))
    // Another event that shows it earlier brings it forward.
    const earlier = await makeEvent(contributor.as, { title: 'Earlier', status: 'pending', venue: venue.id })
    await patchAsAdministrator(`/events/${earlier.id}`, { status: 'publish' })
    expect(await httpStatusOf(`/venues/${venue.id}`)).toBe(200)
    expect(await httpStatusOf(`/organizers/${organizer[0].id}`)).toBe(403)
  })
})

describe('a name that waits with somebody else’s event', () => {
  const WAITING = { venue: { venue: 'Scout Den' }, organizer: { organizer: 'Scouts' } }
  const namedBy = async (as: typeof editor.as) => {
    const event = await makeEvent(as, { title: 'Quiz', ...WAITING })
    const shown = (await send('GET', `/events/${event.id}`)).body
    return { status: event.status, ids: [event.venue.id, event.organizer[0].id], shown }
  }
  const renameAll = () =>
    query("UPDATE venues SET name = 'Other'").then(() => query("UPDATE organizers SET name = 'Other'"))

  it.each([
    ['a visitor', async () => (await submit({ title: 'Jumble sale', ...WAITING })).id],
    ['a contributor', async () => (await makeEvent(contributor.as, { status: 'pending', ...WAITING })).id],
  ])('is made anew if %s has sent it', async (_, sent) => {
    const waiting = await read(`/events/${await sent()}`)
    const { ids, shown } = await namedBy(editor.as)
    expect(ids).not.toContain(waiting.venue.id)
    expect(shown).toMatchObject({ venue: { status: 'publish' }, organizer: [{ status: 'publish' }] })
    // Next time, both are there.
    expect((await namedBy(editor.as)).ids).toEqual(ids)
    expect(await httpStatusOf(`/venues/${waiting.venue.id}`)).toBe(403)
    await renameAll()
  })

  it('is made anew if an author keeps it private', async () => {
    const hidden = await makeVenue(author.as, 'Scout Den', { status: 'private' })
    const { ids, shown } = await namedBy(editor.as)
    expect(ids[0]).not.toBe(hidden.id)
    expect(shown).toMatchObject({ venue: { status: 'publish' } })
    expect((await makeEvent(author.as, { status: 'private', ...WAITING })).venue.id).toBe(hidden.id)
    await renameAll()
  })

  it('is not proposed for a pasted text', async () => {
    const waiting = await read(`/events/${(await submit({ title: 'Knots', ...WAITING })).id}`)
    const text = 'Knots for beginners, Saturday 9 January 2027, 3pm, Scout Den'
    const answer = answerOf({
      title: 'Knots for beginners',
      date: ['Saturday 9 January 2027', '2027-01-09'],
      venue: ['Scout Den', 'Scout Den'],
    })
    const bindings = { AI: answering({ Knots: answer }).AI }
    const drafted = async () =>
      (await send('POST', '/events/draft', { as: editor.as, json: { text }, bindings })).body.drafts[0].venue
    expect((await drafted())?.id).not.toBe(waiting.venue.id)
    await publish(waiting.id)
    expect((await drafted()).id).toBe(waiting.venue.id)
    await renameAll()
  })

  it('is reused by another event of the same contributor', async () => {
    const one = await makeEvent(contributor.as, { status: 'pending', ...WAITING })
    const two = await makeEvent(contributor.as, { status: 'pending', ...WAITING })
    expect(two.venue.id).toBe(one.venue.id)
    await renameAll()
  })

  it('is reused if an administrator made it, hidden or with a draft, or if it is due', async () => {
    const hidden = await makeVenue(administrator.as, 'Scout Den', { status: 'private' })
    expect((await namedBy(editor.as)).ids[0]).toBe(hidden.id)
    await renameAll()
    const draft = await makeEvent(administrator.as, { status: 'draft', ...WAITING })
    expect((await namedBy(editor.as)).ids[0]).toBe(draft.venue.id)
    await renameAll()
    const { id } = await submit({ title: 'Planned sale', ...WAITING })
    const { venue } = await read(`/events/${id}`)
    await query(
      "UPDATE venues SET status = 'future', date_utc = '2020-01-01 00:00:00' WHERE id = ?",
      venue.id,
    )
    expect((await namedBy(editor.as)).ids[0]).toBe(venue.id)
    await renameAll()
  })
})

describe('the page of a sender', () => {
  it.each([undefined, 'FREQ=WEEKLY;COUNT=3'])(
    'changes what an editor has looked at, whose button then publishes nothing; recurrence: %s',
    async recurrence => {
      const title = `Looked at ${recurrence}`
      const { id, path } = await submit({
        title,
        ...(recurrence && { recurrence }),
        venue: { venue: 'Seen' },
      })
      for (const change of [
        { venue: [], venue_new_venue: ['Unseen'] },
        { organizer_new_organizer: ['Unseen'], organizer_new_email: ['unseen@example.org'] },
        { organizer: [] },
      ]) {
        const button = await buttonOf(id)
        expect((await changeOwn(path, change)).headers.get('location')).toBe(`${path}?saved=1`)
        expect((await editor.browser.post('/admin/review/', button)).status).toBe(422)
        expect((await read(`/events/${id}`)).status).toBe('pending')
      }
      const places = env.DB.prepare(
        "SELECT count(*) AS n FROM venues WHERE name = 'Unseen' AND status = 'publish'",
      )
      expect(await places.first('n')).toBe(0)
    },
  )

  it('can withdraw an event while an editor is looking at it', async () => {
    const { id, path } = await submit({ title: 'Withdrawn meanwhile', venue: { venue: 'Withdrawn hall' } })
    const { id: venue } = (await read(`/events/${id}`)).venue
    const button = await buttonOf(id)
    const { html } = await editor.browser.get(`/admin/events/${id}/`)
    const body = new URLSearchParams({ do: 'withdraw' })
    expect((await visitors().ask('POST', SITE + path, { body, headers: { origin: 'null' } })).status).toBe(
      303,
    )
    await editor.browser.submit('/admin/review/', button)
    await editor.browser.submit(`/admin/events/${id}/`, { ...fieldsIn(html), status: 'publish' })
    const bulk = { back: '/admin/events/', id: String(id), do: 'publish' }
    await confirmPublishing(editor.browser, await editor.browser.submit('/admin/events/bulk/', bulk))
    expect([await httpStatusOf(`/events/${id}`), await httpStatusOf(`/venues/${venue}`)]).toEqual([403, 403])
  })

  it('does not confuse the ids of venues and organizers', async () => {
    const { id, path } = await submit({
      title: 'With its own people',
      venue: { venue: 'Own place' },
      organizer: { organizer: 'Own people' },
    })
    const { venue, organizer } = await read(`/events/${id}`)
    // Hidden ones of the administrator, to whom submissions belong, with the ids of what came along.
    const secrets = {
      venue: (await makeVenue(administrator.as, 'Secret place', { status: 'draft' })).id,
      organizer: (await makeOrganizer(administrator.as, 'Secret people', { status: 'draft' })).id,
    }
    const wanted = { venue: organizer[0].id + 500, organizer: venue.id + 700 }
    // The ids of both kinds differ, so that neither exists in the other kind.
    await env.DB.batch([
      env.DB.prepare('PRAGMA defer_foreign_keys = on'),
      env.DB.prepare('UPDATE organizers SET id = id + 500 WHERE id = ?').bind(organizer[0].id),
      env.DB.prepare('UPDATE event_organizers SET target_id = target_id + 500 WHERE event_id = ?').bind(id),
      env.DB.prepare('UPDATE venues SET id = id + 700 WHERE id = ?').bind(venue.id),
      env.DB.prepare('UPDATE event_venues SET target_id = target_id + 700 WHERE event_id = ?').bind(id),
      env.DB.prepare(
        "UPDATE audit SET object_id = object_id + 500 WHERE kind = 'organizer' AND object_id = ?",
      ).bind(organizer[0].id),
      env.DB.prepare(
        "UPDATE audit SET object_id = object_id + 700 WHERE kind = 'venue' AND object_id = ?",
      ).bind(venue.id),
      env.DB.prepare('UPDATE venues SET id = ? WHERE id = ?').bind(wanted.venue, secrets.venue),
      env.DB.prepare('UPDATE organizers SET id = ? WHERE id = ?').bind(wanted.organizer, secrets.organizer),
    ])
    const { ask } = visitors()
    const html = (await ask('GET', SITE + path)).text
    expect(html).toContain('Own place')
    expect(html).toContain('Own people')
    for (const named of [{ organizer: [String(wanted.organizer)] }, { venue: [String(wanted.venue)] }]) {
      const answer = await changeOwn(path, named)
      expect([answer.status, answer.text]).toEqual([422, expect.not.stringContaining('Secret')])
    }
    await publish(id)
    expect((await send('GET', `/events/${id}`)).body).toMatchObject({
      venue: { venue: 'Own place' },
      organizer: [{ organizer: 'Own people' }],
    })
    expect(await httpStatusOf(`/organizers/${wanted.organizer}`)).toBe(403)
    expect(await httpStatusOf(`/venues/${wanted.venue}`)).toBe(403)
  })
})
