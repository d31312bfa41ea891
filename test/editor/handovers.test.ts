import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { removeUser } from '../../src/calendar/users/users.ts'
import { Database } from '../../src/kit/db/database.ts'
import { JPEG } from '../calendar/media/samples.ts'
import { upload } from '../calendar/media/upload.ts'
import { type Answer, makeAll, makeEvent, makeOrganizer, makeVenue, query, send } from '../factories.ts'
import { bySubmitting } from './by-submitting.ts'
import { type SignedIn, signedIn, signIn } from './session.ts'

// A new owner reads nothing of what others did to a thing. Editors read all of its history.

const admin = signedIn('administrator', 'admin')
const editor = signedIn('editor', 'ella')
const heir = signedIn('author', 'hanna')
const contributor = signedIn('contributor', 'carl')
const owner = signedIn('author', 'olga')

const patch = async (as: string, path: string, json: object): Promise<Answer['body']> => {
  const { status, body } = await send('PATCH', path, { as, json })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** All that the history shows somebody, of everything or of one thing. */
async function historyOf({ browser }: SignedIn, query = ''): Promise<string> {
  let text = ''
  for (let path: string | undefined = `/admin/history/${query}`; path; ) {
    const page = await browser.get(path)
    expect(page.status).toBe(200)
    // Words for screen readers and addresses as well.
    text += page.html
    path = page.links.find(link => link.includes('before='))
  }
  return text
}

const SECRET = /Whisper|Murmur/

/** A private draft, with a history that only its owner and editors may read. */
async function makeSecret(as: string, fields: object = {}): Promise<Answer['body']> {
  const event = await makeEvent(as, { title: 'Whisper', status: 'draft', ...fields })
  await patch(as, `/events/${event.id}?scope=all`, { title: 'Open', description: 'Murmur' })
  await patch(as, `/events/${event.id}?scope=all`, { description: 'Plain' })
  return event
}

/** The ids of the dates of a series, in order. */
const dateIds = async (id: number): Promise<number[]> =>
  (
    await send('GET', `/events?series=${id}&status=publish,draft&per_page=50`, { as: admin.as })
  ).body.events.map((date: Answer['body']) => date.id)

/** Looks at the history of things, and of everything, as somebody who must not see what was secret. */
async function expectNoSecret(who: SignedIn, things: readonly (readonly [kind: string, id: number])[]) {
  for (const query of [
    '',
    '?kind=event',
    '?kind=series',
    '?user=olga',
    ...things.map(([kind, id]) => `?kind=${kind}&id=${id}`),
  ])
    expect(await historyOf(who, query), `${query} ${who.id}`).not.toMatch(SECRET)
}

describe('of what was given to somebody else, they read what they do themselves', () => {
  it('and not what the request that gave it changed', async () => {
    const event = await makeSecret(owner.as)
    await patch(owner.as, `/events/${event.id}`, { title: 'Whisper once more' })
    await patch(editor.as, `/events/${event.id}`, { author: heir.id, title: 'For Hanna', description: '' })
    await expectNoSecret(heir, [['event', event.id]])
    expect(await historyOf(heir, `?kind=event&id=${event.id}`)).toContain('There is nothing here')
    await patch(heir.as, `/events/${event.id}`, { title: 'Mine' })
    expect(await historyOf(heir, `?kind=event&id=${event.id}`)).toMatch(/For Hanna.*Mine/s)
    // Editors see all of it.
    for (const who of [admin, editor])
      expect(await historyOf(who, `?kind=event&id=${event.id}`)).toMatch(
        /Whisper once more.*For Hanna.*Murmur/s,
      )
  })

  it.each(['all', 'following', 'this'])('for each date of a series, with the scope %s', async scope => {
    const first = await makeSecret(owner.as, { recurrence: 'FREQ=DAILY;COUNT=4' })
    const before = await dateIds(first.series.id)
    const [, second = 0, third = 0] = before
    for (const id of [second, third]) await patch(owner.as, `/events/${id}`, { excerpt: 'Murmur', cost: '7' })
    await patch(owner.as, `/events/${second}?scope=all`, { website: 'https://example.org/Whisper' })
    const given = await patch(editor.as, `/events/${second}?scope=${scope}`, {
      author: heir.id,
      excerpt: 'New',
    })
    const { series } = given
    await expectNoSecret(heir, [
      ['series', first.series.id],
      ['series', series.id],
      ...before.map(id => ['event', id] as const),
    ])
    await patch(heir.as, `/events/${second}`, { cost: '9' })
    expect(await historyOf(heir, `?kind=event&id=${second}`)).toMatch(/>7<.*>9</s)
    // What the others have of it is theirs.
    const rest = await historyOf(owner, `?kind=event&id=${first.id}`)
    if (scope === 'all') expect(rest).not.toMatch(SECRET)
    else expect(rest).toMatch(/Whisper/)
    expect(rest).not.toMatch(/>New</)
  })

  it('also if it is given back, given once more, by a batch, and by undoing', async () => {
    const events = [await makeSecret(owner.as), await makeSecret(owner.as)]
    const give = (author: number, extra: object = {}) =>
      send('POST', '/batch', {
        as: editor.as,
        json: {
          requests: events.map(({ id }) => ({
            method: 'PATCH',
            path: `/events/${id}`,
            body: { author, ...extra },
          })),
        },
      })
    const things = events.map(({ id }) => ['event', id] as const)
    await give(heir.id, { title: 'Given' })
    await expectNoSecret(heir, things)
    for (const [, id] of things) await patch(heir.as, `/events/${id}`, { title: 'Hush of the heir' })
    await give(owner.id, { title: 'Given back' })
    await expectNoSecret(heir, things)
    for (const [, id] of things)
      expect(await historyOf(owner, `?kind=event&id=${id}`)).not.toMatch(/of the heir/)
    await give(heir.id)
    await expectNoSecret(heir, things)
    // By undoing, it is given as well.
    const [one] = events
    await patch(editor.as, `/events/${one?.id}`, { author: owner.id, title: 'Whisper at Olga’s' })
    const address = await bySubmitting('ella', [
      { method: 'PATCH', path: `/events/${one?.id}`, body: { author: heir.id, title: 'Clean' } },
    ])
    await patch(heir.as, `/events/${one?.id}`, {})
    expect((await editor.browser.submit(address)).text).toContain('The change has been undone.')
    await patch(owner.as, `/events/${one?.id}`, { title: 'Open' })
    await patch(editor.as, `/events/${one?.id}`, { author: heir.id })
    await expectNoSecret(heir, things)
  })

  it('for venues, organizers and images as well', async () => {
    const venue = await makeVenue(owner.as, 'Whisper hall', { status: 'draft', city: 'Murmur' })
    const organizer = await makeOrganizer(owner.as, 'Whisper choir', { status: 'draft', phone: 'Murmur' })
    await patch(owner.as, `/venues/${venue.id}`, { venue: 'Hall', city: 'Kent' })
    await patch(owner.as, `/organizers/${organizer.id}`, { organizer: 'Choir', phone: '1' })
    await patch(editor.as, `/venues/${venue.id}`, { author: heir.id })
    await patch(editor.as, `/organizers/${organizer.id}`, { author: heir.id })
    const { body: image } = await upload(owner.as, JPEG, { name: 'Whisper.jpg' })
    await patch(owner.as, `/media/${image.id}`, { title: 'Cat' })
    await query('UPDATE images SET author_id = ?, version = version + 1 WHERE id = ?', heir.id, image.id)
    await expectNoSecret(heir, [
      ['venue', venue.id],
      ['organizer', organizer.id],
      ['image', image.id],
    ])
  })
})

describe('what a removed user had', () => {
  const remove = {
    'by the editor': async (login: string, id: number, to: string) => {
      const { status } = await admin.browser.post(`/admin/users/${id}/remove/`, { heir: to })
      expect(status, login).toBe(303)
    },
    'by the command': async (login: string, _: number, to: string) => {
      await removeUser(new Database(env.DB), login, { heir: to })
    },
  }

  it.each(Object.entries(remove))('goes to the heir without its history, %s', async (how, removeBy) => {
    const login = `leaving ${how}`
    const leaving = await signIn('author', login)
    const event = await makeSecret(leaving.as)
    const stranger = await signIn('author')
    const other = await makeSecret(stranger.as)
    const first = await makeSecret(leaving.as, { recurrence: 'FREQ=DAILY;COUNT=3' })
    const venue = await makeVenue(leaving.as, `Whisper ${how}`, { status: 'draft' })
    await patch(leaving.as, `/venues/${venue.id}`, { venue: 'Hall' })
    await removeBy(login, leaving.id, 'carl')
    const dates = await dateIds(first.series.id)
    const things = [
      ['event', event.id],
      ['venue', venue.id],
      ['series', first.series.id],
      ...dates.map(id => ['event', id] as const),
    ] as const
    await expectNoSecret(contributor, things)
    // That it was given is told to editors, with all that was before.
    for (const [kind, id] of things)
      expect(await historyOf(admin, `?kind=${kind}&id=${id}`), kind).toMatch(/Author.*carl/s)
    expect(await historyOf(editor, `?kind=event&id=${event.id}`)).toMatch(SECRET)
    expect(await historyOf(stranger, `?kind=event&id=${other.id}`)).toMatch(SECRET)
    const results = await query(
      `SELECT kind, count(*) AS n, min(user_id) AS user FROM audit
        WHERE fields = '["author"]' AND json_extract(changed, '$.author[0]') = ? GROUP BY kind ORDER BY kind`,
      leaving.id,
    )
    const user = how === 'by the editor' ? admin.id : null
    expect(results).toEqual([
      { kind: 'event', n: 4, user },
      { kind: 'series', n: 1, user },
      { kind: 'venue', n: 1, user },
    ])
    await patch(contributor.as, `/events/${event.id}`, { title: 'Mine by now' })
    expect(await historyOf(contributor, `?kind=event&id=${event.id}`)).toMatch(/Open.*Mine by now/s)
  })
})

describe('the new owner does not learn', () => {
  it('the name of what an editor has merged with something', async () => {
    const own = await makeVenue(heir.as, 'Barn', { status: 'draft' })
    const secret = await makeVenue(owner.as, 'Whisper barn', { status: 'draft' })
    const merge = await send('POST', `/venues/${secret.id}/merge`, { as: editor.as, json: { into: own.id } })
    expect(merge.status).toBe(200)
    await expectNoSecret(heir, [
      ['venue', own.id],
      ['venue', secret.id],
    ])
    expect(await historyOf(editor, `?kind=venue&id=${own.id}`)).toMatch(/Whisper barn/)
    const [one, two] = await makeAll(heir.as, 'venues', [{ venue: 'Twin one' }, { venue: 'Twin two' }])
    await send('POST', `/venues/${one?.id}/merge`, { as: heir.as, json: { into: two?.id } })
    expect(await historyOf(heir, `?kind=venue&id=${two?.id}`)).toMatch(/Twin one/)
  })

  it('who put it into the trash, or what an editor wrote to the owner before', async () => {
    const trashed = await makeEvent(owner.as, { title: 'Thrown away' })
    await send('DELETE', `/events/${trashed.id}`, { as: owner.as })
    expect((await owner.browser.get('/admin/trash/')).text).toMatch(/Thrown away.*olga/s)
    await patch(editor.as, `/events/${trashed.id}`, { author: heir.id })
    const seen = await heir.browser.get('/admin/trash/')
    expect(seen.text).toMatch(/Thrown away/)
    expect(seen.text).not.toMatch(/olga/)
    const sent = await makeEvent(owner.as, { title: 'Sent back', status: 'pending' })
    const dates = await makeEvent(owner.as, {
      title: 'Dates',
      status: 'pending',
      recurrence: 'FREQ=DAILY;COUNT=2',
    })
    for (const { id } of [sent, dates]) {
      const decided = await editor.browser.post('/admin/review/', {
        event: `event.${id}.1`,
        note: 'Murmur to Olga',
        decision: 'return',
      })
      expect(decided.status).toBe(303)
      expect((await owner.browser.get(`/admin/events/${id}/`)).text).toMatch(/Murmur to Olga/)
      await patch(editor.as, `/events/${id}`, { author: heir.id })
      const page = await heir.browser.get(`/admin/events/${id}/`)
      expect([page.status, page.text.includes('Murmur')]).toEqual([200, false])
      expect((await heir.browser.get('/admin/events/?view=draft')).text).not.toMatch(/Murmur/)
    }
    await patch(heir.as, `/events/${sent.id}`, { status: 'pending' })
    const version = (await send('GET', `/events/${sent.id}`, { as: editor.as })).headers.get('etag')
    await editor.browser.post('/admin/review/', {
      event: `event.${sent.id}.${version?.match(/v(\d+)"$/)?.[1]}`,
      note: 'To Hanna',
      decision: 'return',
    })
    expect((await heir.browser.get(`/admin/events/${sent.id}/`)).text).toMatch(/To Hanna/)
  })
})
