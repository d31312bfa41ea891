import { describe, expect, it, vi } from 'vitest'
import { DUPLICATES_REQUEST } from '../../src/calendar/duplicates/writes.ts'
import { EVENT_FIELDS } from '../../src/calendar/events/schema.ts'
import { SOURCE_FIELDS } from '../../src/calendar/imports/source-schema.ts'
import { ORGANIZER_FIELDS } from '../../src/calendar/organizers/resource.ts'
import { settingsFields } from '../../src/calendar/settings/schema.ts'
import { VENUE_FIELDS } from '../../src/calendar/venues/schema.ts'
import { featureKinds } from '../../src/editor/history/queries.ts'
import { fieldWords } from '../../src/site/forms/control.ts'
import {
  makeAll,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  query,
  send,
} from '../factories.ts'
import { TODAY } from '../setup.ts'
import { expectPage } from '../site/pages/page.ts'
import { bySubmitting } from './by-submitting.ts'
import { undoOf } from './forms.ts'
import { type SignedIn, signedIn, signIn } from './session.ts'

const admin = signedIn('administrator')
const editor = signedIn('editor', 'ella')
const author = signedIn('author', 'arno')
const other = signedIn('author', 'olga')
const contributor = signedIn('contributor')

const patch = async (as: string, path: string, json: object) => {
  const { status, body } = await send('PATCH', path, { as, json })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const history = (who: SignedIn, query = '') => who.browser.get(`/admin/history/${query}`)

describe('the history', () => {
  it('says who changed what, with the values before and after, in the words of the form', async () => {
    const barn = await makeVenue(editor.as, 'The Barn')
    const hall = await makeVenue(editor.as, 'Town hall')
    const event = await makeEvent(editor.as, { title: 'Fish & chips', venue: barn.id })
    await patch(author.as, `/events/${(await makeEvent(author.as)).id}`, { cost: '7' })
    await patch(editor.as, `/events/${event.id}`, {
      title: 'Chips',
      venue: hall.id,
      featured: true,
      event_status: 'canceled',
      description: '<p>New <b>text</b></p><script>alert(1)</script>',
    })
    const { status, text, html, links } = await history(editor)
    expect(status).toBe(200)
    expect(text).toMatch(/Event Chips changed.*ella.*Title before: Fish & chips.*after: Chips/s)
    expect(text).toMatch(/Venue before: The Barn.*after: Town hall/s)
    expect(text).toMatch(/Cancelled/)
    expect(text).toMatch(/no.*after: yes/s)
    expect(text).toMatch(/arno.*Price/s)
    expect(html).not.toContain('<script>alert')
    expect(links).toContain(`/admin/events/${event.id}/`)
    const one = await history(editor, `?kind=event&id=${event.id}`)
    expect(one.text).toContain('History of “Chips”')
    expect(one.text).not.toContain('arno')
  })

  it('shows no field names, stored values, ids or machine-readable dates, whatever changes', async () => {
    const { as } = editor
    const whole = await makeEvent(as)
    const one = await makeVenue(as, 'One')
    const two = await makeVenue(as, 'Two')
    const first = await makeOrganizer(as, 'First')
    const second = await makeOrganizer(as, 'Second')
    const music = await makeCategory(as, 'Music')
    const dance = await makeCategory(as, 'Dance')
    const common = {
      author: Number(whole.author),
      date: '2026-11-21 09:00',
      slug: 'other-address',
      description: 'Other text',
      external_id: 'crm/4711',
      image: 'https://example.org/poster.png',
    }
    const access = { wheelchair: 'limited', accessibility: 'A ramp' }
    const maps = { show_map: true, show_map_link: true }
    const changes: Record<string, Record<string, unknown>[]> = {
      events: [
        {
          ...common,
          ...access,
          ...maps,
          status: 'draft',
          title: 'Other',
          timezone: 'Europe/Rome',
          cost: '7',
        },
        { status: 'pending', start_date: '2027-02-01 09:00', end_date: '2027-02-01 23:00' },
        { status: 'publish', date_utc: '2026-11-19 09:00', venue: one.id, organizer: [first.id, second.id] },
        {
          status: 'private',
          is_virtual: true,
          virtual_url: 'https://meet.test/',
          virtual_video_source: 'zoom',
        },
        { virtual_event_type: 'hybrid', ticketed: true, ticket_availability: 'sold_out', featured: true },
        { is_virtual: false, hide_from_listings: true, sticky: true, room: 'Hall', excerpt: 'Short' },
        {
          event_status: 'rescheduled',
          event_status_reason: 'Rain',
          custom_fields: { band: { label: 'Price band', value: 'Mid' } },
        },
        {
          post_parent: whole.id,
          categories: [music.id, dance.id],
          tags: ['outdoors'],
          website: 'https://a.test/',
        },
        { all_day: true, start_date: '2027-02-03', end_date: '2027-02-04', venue: two.id },
        { start_date: '2027-02-02' },
        { cost: '8', cost_details: { values: ['8'] } },
        { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } },
        { status: 'trash' },
      ],
      venues: [
        {
          ...common,
          ...access,
          slug: 'elsewhere',
          status: 'draft',
          venue: 'Barn',
          address: '1 Lane',
          city: 'Kent',
        },
        {
          country: 'Ireland',
          province: 'Leinster',
          state: 'MA',
          zip: '02101',
          phone: '+353 1',
          website: 'https://b.test/',
        },
        { stateprovince: 'NY', date_utc: '2026-11-19 09:00', show_map: false, show_map_link: false },
        { geo_lat: 52.5, geo_lng: -7.25, status: 'pending', wheelchair: 'no' },
      ],
      organizers: [
        {
          ...common,
          slug: 'somebody',
          status: 'draft',
          organizer: 'Club',
          phone: '+353 2',
          website: 'https://c.test/',
        },
        { date_utc: '2026-11-19 09:00', email: 'club@example.org', status: 'private', hide_contact: true },
      ],
      categories: [{ name: 'Folk', parent: dance.id, description: 'Fiddles', color: 'teal', slug: 'folk' }],
    }
    const ids = {
      events: (await makeEvent(as)).id,
      venues: one.id,
      organizers: first.id,
      categories: music.id,
    }
    for (const [plural, bodies] of Object.entries(changes))
      for (const body of bodies) await patch(as, `/${plural}/${ids[plural as keyof typeof ids]}`, body)
    const covered = (plural: string) => (changes[plural] ?? []).flatMap(Object.keys)
    // Which dates of a series a request is for is no value of them.
    const notShown = ['scope', 'spread']
    expect(covered('events').concat(notShown)).toEqual(expect.arrayContaining(Object.keys(EVENT_FIELDS)))
    expect(covered('venues')).toEqual(expect.arrayContaining(Object.keys(VENUE_FIELDS)))
    expect(covered('organizers')).toEqual(expect.arrayContaining(Object.keys(ORGANIZER_FIELDS)))
    const ofFeatures = featureKinds().map(([kind]) => [kind, fieldWords('en')[kind]])
    const others = {
      source: SOURCE_FIELDS,
      settings: settingsFields.shape,
      ...Object.fromEntries(ofFeatures),
    }
    for (const [kind, fields] of Object.entries<object>(others))
      await query(
        "INSERT INTO audit (at_utc, action, kind, object_id, fields) VALUES ('2026-11-20 12:00:00', 'update', ?, 1, ?)",
        kind,
        JSON.stringify(Object.keys(fields)),
      )
    await query(`INSERT INTO audit (at_utc, request_id, action, kind, object_id, changed) VALUES
      ('2026-11-20 12:00:00', '${DUPLICATES_REQUEST}', 'update', 'settings', 1, '{"language":["en","de"],"currency":["USD","EUR"]}')`)
    const { html } = await history(admin)
    const inside = (tag: RegExp) => [...html.matchAll(tag)].map(([, text = '']) => text)
    const labels = inside(/<dt>(.*?)<\/dt>/g).concat(
      inside(/<p class="history-fields">Fields: (.*?)<\/p>/g).flatMap(text => text.split(', ')),
    )
    expect(labels.length).toBeGreaterThan(60)
    expect(labels.filter(label => !/^[A-Z]/.test(label) || label.includes('_'))).toEqual([])
    const stored =
      /^(?:[a-z]+_[a-z]+|publish|future|draft|pending|private|trash|scheduled|canceled|rescheduled|few|de|EUR|virtual|hybrid|limited|teal|true|false|null|#?\d+|.*\d{4}-\d\d.*|.*FREQ.*|.*\[object.*|.*:59.*|.*12:00 AM.*)$/
    const numbers = ['7', '8', '02101']
    const values = inside(/<span class="value">(.*?)<\/span>/gs)
    expect(html).not.toContain('Import of sources')
    expect(html).toContain('<p class="history-who">Other calendars, ')
    expect(values).toEqual(expect.arrayContaining(['February 2, 2027', 'Euro', 'Sold out', 'Folk, Dance']))
    expect(values.filter(text => stored.test(text) && !numbers.includes(text))).toEqual([])
  })

  it('says the same of a move to the trash, whichever button made it', async () => {
    const { id } = await makeEvent(editor.as)
    const entry = /Event Event moved to the trash.*?before: Public → after: In the trash/
    for (const path of [`/admin/events/${id}/trash/`, '/admin/events/bulk/']) {
      const posted = await editor.browser.post(path, { id: String(id), do: 'toTrash' })
      expect(posted.status, path).toBe(303)
      expect((await history(editor, `?kind=event&id=${id}`)).text, path).toMatch(entry)
      await patch(editor.as, `/events/${id}`, { status: 'publish' })
      await query('DELETE FROM audit WHERE kind = ? AND object_id = ?', 'event', id)
    }
  })

  it('shows hostile values as text', async () => {
    const evil = '<img src=x onerror=alert(1)> &quot;><svg/onload=alert(2)>'
    const organizer = await makeOrganizer(editor.as, 'Evil')
    await patch(editor.as, `/organizers/${organizer.id}`, { phone: evil, description: evil })
    const event = await makeEvent(editor.as)
    await patch(editor.as, `/events/${event.id}`, { custom_fields: { x: { label: evil, value: evil } } })
    const { html } = await history(editor)
    expect(html).not.toMatch(/<(?:img src=x|svg\/)/)
    const path = `?kind=${encodeURIComponent('"><script>')}&user=${encodeURIComponent('"><script>alert(3)</script>')}&from=x&id=-1&before=x`
    const odd = await history(editor, path)
    expect([odd.status, odd.html.includes('<script>alert(3)')]).toEqual([400, false])
  })

  it('can be filtered by kind and user, and has pages', async () => {
    await makeEvent(author.as)
    const tag = await makeTag(editor.as, 'filtered')
    expect((await history(editor, '?kind=tag')).text).toMatch(/Tag filtered created/)
    expect((await history(editor, '?kind=venue')).text).not.toContain('Tag filtered')
    await send('DELETE', `/tags/${tag.id}`, { as: editor.as })
    expect((await history(editor, '?kind=tag')).text).toMatch(/Tag filtered deleted for good/)
    expect((await history(editor, '?user=ARNO')).text).toContain('arno')
    expect((await history(editor, '?user=ARNO')).text).not.toContain('Tag filtered')
    expect((await history(editor, '?user=nobody')).text).toContain('There is nothing here')
    const tags = Array.from({ length: 45 }, (_, i) => ({ name: `many ${i}` }))
    await makeAll(editor.as, 'tags', tags)
    const first = await history(editor, '?kind=tag')
    expect(first.text).toContain('many 44')
    expect(first.text).not.toContain('many 2 ')
    const next = first.links.find(link => link.includes('before='))
    expect(next).toMatch(/^\/admin\/history\/\?kind=tag&before=\d+$/)
    expect((await editor.browser.get(next ?? '')).text).toContain('many 2 ')
  })

  it('shows authors what they did to content that is theirs, and nothing else', async () => {
    const secret = await makeEvent(other.as, { title: 'Secret of Olga', status: 'draft' })
    await patch(other.as, `/events/${secret.id}`, { description: 'Whispered' })
    const own = await makeEvent(author.as, { title: 'Own' })
    await patch(author.as, `/events/${own.id}`, { cost: '3', venue: { venue: 'Mine' } })
    const seen = await history(author)
    expect(seen.text).toContain('Own')
    for (const query of ['', `?kind=event&id=${secret.id}`, '?user=olga', '?kind=event'])
      expect((await history(author, query)).text, query).not.toMatch(/Secret|Whispered/)
    expect((await history(contributor)).text).not.toMatch(/Secret|Own/)
    // What they may not read is shown by its id instead of its name.
    const hidden = await makeVenue(other.as, 'Hidden hall', { status: 'draft' })
    await patch(editor.as, `/events/${own.id}`, { venue: hidden.id })
    await patch(author.as, `/events/${own.id}`, { venue: '' })
    const mine = await history(author, `?kind=event&id=${own.id}`)
    expect(mine.text).toContain(`#${hidden.id}`)
    expect(mine.text).not.toContain('Hidden hall')
    await patch(editor.as, `/events/${secret.id}`, { author: Number(own.author), status: 'publish' })
    expect((await history(author, `?kind=event&id=${secret.id}`)).text).toContain('There is nothing here')
    await patch(author.as, `/events/${secret.id}`, { cost: '4' })
    const given = await history(author, `?kind=event&id=${secret.id}`)
    expect(given.text).toContain('Price')
    expect(given.text).not.toContain('Whispered')
  })

  it('shows changes of users to administrators only', async () => {
    expect((await history(admin, '?kind=user')).status).toBe(200)
    await query(`INSERT INTO audit (at_utc, action, kind, object_id, fields) VALUES
      ('2026-11-20 12:00:00', 'update', 'user', 1, '["role"]')`)
    expect((await history(admin, '?kind=user')).text).toContain('User')
    expect((await history(editor, '?kind=user')).text).toContain('There is nothing here')
  })
})

const save = ({ browser }: SignedIn, id: number, values: Record<string, string | string[]>) =>
  browser.save(`/admin/events/${id}/`, values)

describe('undo', () => {
  it('restores the former values of an event, with the rights of the user who asks for it', async () => {
    const event = await makeEvent(author.as, { title: 'Before', cost: '5', tags: ['a'] })
    const saved = await save(author, event.id, { title: 'After', cost: '6', event_status: 'canceled' })
    expect(saved.text).toMatch(/Saved: After\s*Undo/)
    expect(saved.html).toContain('type="submit" form="undo">Undo</button>')
    const address = undoOf(saved)
    // Not for strangers, and not for other authors.
    expect((await other.browser.get(address)).status).toBe(410)
    expect((await other.browser.post(address)).status).toBe(410)
    const asked = await author.browser.get(address)
    expect(asked.text).toMatch(/Title before: Before.*after: After/s)
    const undone = await author.browser.submit(address)
    expectPage(undone, 200, 'The change has been undone. Redo')
    expect((await send('GET', `/events/${event.id}`)).body).toMatchObject({
      title: 'Before',
      cost: '$5',
      event_status: 'scheduled',
    })
    // It works once, and can itself be undone.
    expect((await author.browser.get(address)).status).toBe(410)
    const again = await author.browser.submit(undoOf(undone))
    expect(again.text).toContain('The change has been undone.')
    expect((await send('GET', `/events/${event.id}`)).body.title).toBe('After')
  })

  it('is refused if somebody else has changed the event since, and says what they changed', async () => {
    const event = await makeEvent(editor.as, { title: 'First' })
    const address = undoOf(await save(editor, event.id, { title: 'Second' }))
    await patch(admin.as, `/events/${event.id}`, { cost: '9' })
    const { status, text } = await editor.browser.post(address)
    expect([status, text]).toEqual([409, expect.stringMatching(/changed this since.*Price/s)])
    expect((await send('GET', `/events/${event.id}`)).body).toMatchObject({ title: 'Second', cost: '$9' })
  })

  it('says of up to ten events that were changed together what others changed since', async () => {
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.push(String((await makeEvent(editor.as, { title: `Bulk ${n}` })).id))
    const trashed = await editor.browser.submit('/admin/events/bulk/', {
      do: 'toTrash',
      id: ids,
      back: '/admin/events/',
    })
    for (const id of ids) await patch(admin.as, `/events/${id}`, { status: 'draft', cost: '9' })
    const { status, text } = await editor.browser.post(undoOf(trashed))
    expect([status, text.match(/Price/g)?.length]).toEqual([409, ids.length])
  })

  it('ends after an hour', async () => {
    const event = await makeEvent(editor.as)
    const address = undoOf(await save(editor, event.id, { title: 'Late' }))
    vi.setSystemTime(TODAY.getTime() + 61 * 60_000)
    try {
      expect((await editor.browser.post(address)).status).toBe(410)
    } finally {
      vi.setSystemTime(TODAY)
    }
  })

  it('takes one event out of the trash, or several that were moved there together', async () => {
    const events = [
      await makeEvent(editor.as, { title: 'One' }),
      await makeEvent(editor.as, { status: 'draft' }),
    ]
    const ids = events.map(({ id }) => String(id))
    const trashed = await editor.browser.submit('/admin/events/bulk/', {
      do: 'toTrash',
      id: ids,
      back: '/admin/events/',
    })
    const undone = await editor.browser.submit(undoOf(trashed))
    expect(undone.text).toContain('The change has been undone.')
    const responses = await Promise.all(
      events.map(({ id }) => send('GET', `/events/${id}`, { as: editor.as })),
    )
    expect(responses.map(({ body }) => [body.status, body.slug])).toEqual(
      events.map(({ status, slug }) => [status, slug]),
    )
    const single = await editor.browser.submit(`/admin/events/${events[0]?.id}/trash/`)
    await editor.browser.submit(undoOf(single))
    expect((await send('GET', `/events/${events[0]?.id}`)).body.status).toBe('publish')
  })

  it('covers exactly what an action changed, even if it was repeated or had been done in part before', async () => {
    const events = []
    for (const title of ['A', 'B', 'C']) events.push(await makeEvent(editor.as, { title, cost: '5' }))
    const ids = events.map(({ id }) => String(id))
    const cancel = (...id: (string | undefined)[]) =>
      editor.browser.submit('/admin/events/bulk/', {
        do: 'cancel',
        reason: 'Rain',
        id: id.flatMap(one => one ?? []),
        back: '/admin/events/',
      })
    const statuses = () =>
      Promise.all(ids.map(async id => (await send('GET', `/events/${id}`)).body.event_status))
    const first = undoOf(await cancel(ids[0], ids[1]))
    // A second click changes nothing: there is nothing more to undo, and what there was still can be.
    expect(undoOf(await cancel(ids[0], ids[1]))).toBe('')
    const more = undoOf(await cancel(...ids))
    const asked = await editor.browser.get(more)
    expect(asked.text).toMatch(/Event C/)
    expect(asked.text).not.toMatch(/Event [AB]/)
    expect((await editor.browser.submit(more)).text).toContain('The change has been undone.')
    expect(await statuses()).toEqual(['canceled', 'canceled', 'scheduled'])
    expect((await editor.browser.submit(first)).text).toContain('The change has been undone.')
    expect(await statuses()).toEqual(['scheduled', 'scheduled', 'scheduled'])
    // The same goes for a form that is sent twice, and for a series.
    const [single] = events
    const saved = undoOf(await save(editor, single?.id ?? 0, { title: 'A2' }))
    expect(undoOf(await save(editor, single?.id ?? 0, { title: 'A2' }))).toBe('')
    expect((await editor.browser.submit(saved)).text).toContain('The change has been undone.')
    const dates = await makeEvent(editor.as, { title: 'Class', recurrence: 'FREQ=DAILY;COUNT=3' })
    const rename = { method: 'PATCH', path: `/events/${dates.id}`, body: { scope: 'all', title: 'Course' } }
    const renamed = await bySubmitting('ella', [rename])
    expect((await editor.browser.get(await bySubmitting('ella', [rename]))).status).toBe(410)
    expect((await editor.browser.submit(renamed)).text).toContain('The change has been undone.')
    expect((await send('GET', `/events/${dates.id}`)).body.title).toBe('Class')
  })

  it('restores the dates of a series, and keeps the changes of single dates', async () => {
    const first = await makeEvent(editor.as, { title: 'Class', recurrence: 'FREQ=DAILY;COUNT=6' })
    const dates = async () => {
      const { body } = await send(
        'GET',
        `/events?series=${first.series.id}&status=publish,trash&per_page=50`,
        {
          as: editor.as,
        },
      )
      return body.events.map(({ id, status, start_date, title }: Record<string, unknown>) => ({
        id,
        status,
        start_date,
        title,
      }))
    }
    const second = (await dates())[1]
    await patch(editor.as, `/events/${second.id}`, { title: 'Special' })
    const before = await dates()
    const requests = [
      {
        method: 'PATCH',
        path: `/events/${first.id}`,
        body: {
          scope: 'all',
          title: 'Course',
          start_date: '2027-01-10 18:00:00',
          end_date: '2027-01-10 20:00:00',
          recurrence: 'FREQ=DAILY;INTERVAL=2;COUNT=5',
        },
      },
    ]
    const address = await bySubmitting('ella', requests)
    expect((await dates()).filter(({ status }: { status: string }) => status === 'trash')).toHaveLength(3)
    const undone = await editor.browser.submit(address)
    expect(undone.text).toContain('The change has been undone.')
    const after = await dates()
    expect(after.filter(({ status }: { status: string }) => status === 'publish')).toEqual(before)
    // A series leaves the trash with the statuses that its dates had.
    await patch(editor.as, `/events/${second.id}`, { status: 'private' })
    const shown = await send('GET', `/events?series=${first.series.id}`)
    const trashed = await bySubmitting('ella', [
      { method: 'DELETE', path: `/events/${first.id}`, body: { scope: 'all' } },
    ])
    expect((await send('GET', `/events?series=${first.series.id}`)).status).toBe(400)
    expect((await editor.browser.submit(trashed)).text).toContain('The change has been undone.')
    expect((await send('GET', `/events?series=${first.series.id}`)).body.total).toBe(shown.body.total)
    expect((await send('GET', `/events/${second.id}`)).status).toBe(403)
    // If the rest of a series was moved to the trash, its rule brings the dates back.
    const fourth = (await dates()).filter(({ status }: { status: string }) => status === 'publish')[2]
    const following = await bySubmitting('ella', [
      { method: 'DELETE', path: `/events/${fourth.id}`, body: { scope: 'following' } },
    ])
    expect((await send('GET', `/events?series=${first.series.id}`)).body.total).toBe(2)
    expect((await editor.browser.submit(following)).text).toContain('The change has been undone.')
    expect((await send('GET', `/events?series=${first.series.id}`)).body.total).toBe(shown.body.total)
    // Somebody else's change of one date doesn't prevent it; a change of the series does.
    const renamed = await bySubmitting('ella', [
      { method: 'PATCH', path: `/events/${first.id}`, body: { scope: 'all', cost: '5' } },
    ])
    await patch(admin.as, `/events/${first.id}`, { scope: 'all', website: 'https://example.org/' })
    expect((await editor.browser.post(renamed)).status).toBe(409)
  })
})

it('the history says of a divided series what has happened to each part, and undoes both', async () => {
  const first = await makeEvent(editor.as, {
    start_date: '2027-06-08 18:00',
    end_date: '2027-06-08 19:00',
    recurrence: 'FREQ=WEEKLY;COUNT=4',
  })
  const body = { start_date: '2027-06-22 17:00', end_date: '2027-06-22 18:00', scope: 'following' }
  const undo = await bySubmitting('ella', [{ method: 'PATCH', path: `/events/${first.id + 2}`, body }])
  const entriesOf = async (id: number) => (await history(editor, `?kind=event&id=${id}`)).text
  for (const id of [first.id, first.id + 1]) {
    const text = await entriesOf(id)
    expect(text).toContain('Repetition ends: After 4 dates → after: Every week; Repetition ends: On ')
    expect(text).not.toContain('5:00')
  }
  for (const id of [first.id + 2, first.id + 3]) {
    const text = await entriesOf(id)
    expect(text).toMatch(/6:00 PM → after: .*5:00 PM/)
    expect(text).not.toContain('created')
  }
  expect((await editor.browser.submit(undo)).text).toContain('The change has been undone.')
  expect((await send('GET', `/events?series=${first.series.id}`)).body.total).toBe(4)
})

it('the history describes rules in words, and counts only dates with another start as moved', async () => {
  const first = await makeEvent(editor.as, {
    start_date: '2027-06-08 20:00',
    end_date: '2027-06-08 21:00',
    recurrence: 'FREQ=WEEKLY;COUNT=4',
  })
  const after = async (json: object) => {
    await patch(editor.as, `/events/${first.id}`, { scope: 'all', ...json })
    const { text } = await history(editor, `?kind=series&id=${first.series.id}`)
    return text.split('Series')[1] ?? text
  }
  const longer = await after({ recurrence: 'FREQ=WEEKLY;COUNT=6' })
  expect(longer).toContain(
    'before: Every week; Repetition ends: After 4 dates → after: Every week; Repetition ends: After 6 dates',
  )
  expect(longer).not.toContain('FREQ')
  expect(longer).toContain('2 new')
  expect(longer).not.toContain('moved')
  expect(await after({ end_date: '2027-06-08 22:00' })).not.toContain('moved')
  // One in the trash moves as well, but nobody sees that.
  const { body } = await send('GET', `/events?series=${first.series.id}`)
  await send('DELETE', `/events/${body.events[5].id}`, { as: editor.as })
  const later = await after({ start_date: '2027-06-08 20:30', end_date: '2027-06-08 22:00' })
  expect(later).toContain('5 moved')
  const until = await after({ recurrence: 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20270706T203000' })
  expect(until).toMatch(/after: Every 2 weeks; Repetition ends: On .*July 6, 2027,? .*8:30/)
  // This rule can't be described in words.
  expect(await after({ recurrence: 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=2;COUNT=2' })).toContain('BYSETPOS=2')
})

it('undoing makes a repeated event single again, and repeats one again that was made single', async () => {
  const event = await makeEvent(editor.as, { title: 'Once' })
  const repeated = await bySubmitting('ella', [
    {
      method: 'PATCH',
      path: `/events/${event.id}`,
      body: { recurrence: 'FREQ=DAILY;COUNT=3', title: 'Thrice' },
    },
  ])
  const { body: occurrence } = await send('GET', `/events/${event.id}`)
  expect((await editor.browser.submit(repeated)).text).toContain('The change has been undone.')
  const { body } = await send('GET', `/events/${event.id}`)
  expect([body.title, body.series]).toEqual(['Once', undefined])
  expect((await send('GET', `/events?series=${occurrence.series.id}`)).status).toBe(400)
  const series = await makeEvent(editor.as, { recurrence: 'FREQ=DAILY;COUNT=3' })
  const ended = await bySubmitting('ella', [
    { method: 'PATCH', path: `/events/${series.id}`, body: { recurrence: '', title: 'Single' } },
  ])
  expect((await editor.browser.submit(ended)).text).toContain('The change has been undone.')
  const { body: repeatedAgain } = await send(
    'GET',
    `/events?series=${series.series.id}&start_date=2000-01-01`,
  )
  expect(repeatedAgain.events.map(({ title }: { title: string }) => title)).toEqual([
    series.title,
    series.title,
    series.title,
  ])
  expect((await history(editor, `?kind=event&id=${series.id}`)).text).toMatch(
    /Repetition.*before: Every day/s,
  )
})

it('the history says so if a change is too large to be undone', async () => {
  const event = await makeEvent(editor.as, { description: 'x'.repeat(190_000) })
  expect((await save(editor, event.id, { description: 'Short' })).text).toMatch(/Saved: Event\s*Undo/)
  // Quotes take twice as much.
  await patch(editor.as, `/events/${event.id}`, { description: '"'.repeat(190_000) })
  const { text } = await save(editor, event.id, { description: 'Short' })
  expect(text).toContain('It can’t be undone automatically.')
})

describe('names', () => {
  it.each([
    { who: 'a name of their own', name: 'Rosa Luz', shown: 'Rosa Luz' },
    { who: 'the name of somebody else', name: 'Nia', twin: 'nia', shown: 'Nia (rosa-2)' },
    { who: 'the login of somebody else', name: 'ELLA', shown: 'ELLA (rosa-3)' },
    { who: 'what passes for a name with a login', name: 'Ella (ella)', shown: 'Ella (ella) (rosa-4)' },
    { who: 'no name', name: '', shown: 'rosa-5' },
    { who: 'their own login as a name', name: 'Rosa-6', shown: 'Rosa-6' },
  ])('stand for logins where they can mean nobody else: $who', async ({ name, twin, shown }) => {
    people += 1
    const login = `rosa-${people}`
    const rosa = await signIn('author', login)
    const nameUser = (id: number, to: string) => query('UPDATE users SET name = ? WHERE id = ?', to, id)
    await nameUser(rosa.id, name)
    if (twin !== undefined) await nameUser((await signIn('author', `twin-of-${login}`)).id, twin)
    const event = await makeEvent(rosa.as, { title: 'Of Rosa' })
    await patch(rosa.as, `/events/${event.id}`, { title: 'By Rosa' })
    const { html } = await history(editor, `?kind=event&id=${event.id}`)
    expect(html).toContain(`<p class="history-who">${shown}, `)
    const form = await editor.browser.get(`/admin/events/${event.id}/`)
    expect(form.html).toMatch(
      new RegExp(`<option value="${rosa.id}" selected>${RegExp.escape(shown)}</option>`),
    )
    // The history can be searched by both.
    for (const user of [login.toUpperCase(), name || login]) {
      const { text } = await history(editor, `?user=${encodeURIComponent(user)}`)
      expect(text).toContain('By Rosa')
    }
  })
})

let people = 0

it('an undo mentions dates only if there are any', async () => {
  const ofDates = 'All dates of the series become what they were'
  const venue = await makeVenue(editor.as, 'Silo')
  const event = await makeEvent(editor.as, { title: 'Threshing' })
  const moved = await makeEvent(editor.as, { title: 'Milling' })
  const course = await makeEvent(editor.as, { title: 'Baking', recurrence: 'FREQ=DAILY;COUNT=3' })
  for (const [path, field, says] of [
    [`/admin/venues/${venue.id}/`, 'venue', false],
    [`/admin/events/${event.id}/`, 'title', false],
    [`/admin/events/${moved.id}/`, 'start_date', false],
    [`/admin/events/${course.id}/`, 'title', true],
  ] as const) {
    const fields =
      field === 'start_date' ? { start_date: '2027-01-10', start_date_time: '08:30' } : { [field]: 'Renamed' }
    const saved = await editor.browser.save(path, { ...fields, scope: 'all' })
    expect((await editor.browser.get(undoOf(saved))).text.includes(ofDates), path).toBe(says)
  }
})
