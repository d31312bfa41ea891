import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../src/kit/lib/errors.ts'
import { LANGUAGES } from '../../src/kit/lib/languages.ts'
import { decodeEntities } from '../../src/kit/lib/text.ts'
import { reasonsOf } from '../../src/site/forms/requests.ts'
import { png } from '../calendar/media/build.ts'
import { makeCategory, makeEvent, makeOrganizer, makeVenue, send } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { expectPage, type ShownPage, textOf } from '../site/pages/page.ts'
import { confirmPublishing, fieldsIn } from './forms.ts'
import { type SignedIn, signedIn } from './session.ts'

const NEW = '/admin/events/new/'
const HOSTILE = `"><script>alert(1)</script>'<img src=x onerror=alert(2)>`

const editor = signedIn('editor')
const author = signedIn('author')
const contributor = signedIn('contributor')

const editPath = (id: number) => `/admin/events/${id}/`

/** The fields of a new form, with some of them filled. */
async function filled({ browser }: SignedIn, fields: Record<string, string | string[]> = {}) {
  const { html } = await browser.get(NEW)
  return {
    ...fieldsIn(html),
    title: 'Jazz',
    start_date: '2027-03-01',
    start_date_time: '20:00',
    do: 'save',
    ...fields,
  }
}

const read = async (id: number) => (await send('GET', `/events/${id}`, { as: editor.as })).body

const searchEvents = async (title: string): Promise<{ id: number }[]> =>
  (await send('GET', `/events?search=${title}`, { as: editor.as })).body.events

/** The id in the address of a redirect. */
const idIn = ({ headers }: ShownPage): number => Number(headers.get('location')?.match(/events\/(\d+)/)?.[1])

describe('the form of a new event', () => {
  it('makes one, and shows it again as it is stored', async () => {
    const form = await filled(editor, {
      title: 'Jazz & <tea>',
      end_date_time: '01:00',
      description: 'One.\n\nTwo & three.',
      venue_new_venue: 'The Barn',
      venue_new_city: 'Kent',
      tags_new_name: 'late, 2027',
    })
    const saved = await editor.browser.submit(NEW, form)
    expectPage(saved, 200, 'Saved: Jazz &')
    const [found] = await searchEvents('jazz')
    expect(found).toMatchObject({
      status: 'publish',
      start_date: '2027-03-01 20:00:00',
      // Earlier on the clock than the start: the next day.
      end_date: '2027-03-02 01:00:00',
      description: '<p>One.</p>\n<p>Two & three.</p>',
      venue: { venue: 'The Barn', city: 'Kent' },
      tags: [{ name: '2027' }, { name: 'late' }],
    })
    const shown = fieldsIn((await editor.browser.get(editPath(Number(found?.id)))).html)
    expect(shown.description).toEqual(['One.\n\nTwo & three.'])
    expect([shown.start_date, shown.start_date_time]).toEqual([['2027-03-01'], ['20:00']])
  })

  it('says what nobody sees yet, what has become public, and what is over', async () => {
    const save = async (path: string, form: Record<string, string | string[]>) =>
      (await editor.browser.submit(path, form)).text
    const title = 'Told'
    const made = await editor.browser.post(NEW, await filled(editor, { title, status: 'draft' }))
    const path = editPath(idIn(made))
    expect((await editor.browser.get(path)).text).toContain('Saved: Told. This is a draft')
    const change = async (fields: Record<string, string>) =>
      save(path, { ...fieldsIn((await editor.browser.get(path)).html), ...fields, do: 'save' })
    expect(await change({ status: 'publish' })).toContain('Saved: Told. It is public now.')
    expect(await change({ start_date: '2020-03-01' })).toContain('Saved: Told. This is over already')
    // Whoever adds a report to a past event knows.
    expect(await change({ cost: '5' })).not.toContain('over already')
    const sent = await contributor.browser.submit(NEW, await filled(contributor, { title: 'Relayed' }))
    expect(sent.text).toContain('Saved: Relayed. It waits for review')
  })

  it('puts the cursor where the time is missing', async () => {
    const { html } = await editor.browser.post(NEW, await filled(editor, { start_date_time: '' }))
    expect(html).toMatch(/<input id="f-start_date-time"[^>]* autofocus/)
    expect(html).not.toMatch(/<input id="f-start_date"[^>]* autofocus/)
  })

  it('takes no year that browsers make of two digits, or of six', async () => {
    const { html } = await editor.browser.get(NEW)
    expect(html).toContain('name="start_date" type="date" min="1000-01-01" max="9999-12-31"')
  })

  it('takes addresses as people type them, which mean https', async () => {
    const urls = { website: 'www.example.org/jazz', virtual_url: ' meet.example.org' }
    await editor.browser.submit(NEW, await filled(editor, { title: 'Typed', ...urls }))
    const [found] = await searchEvents('typed')
    expect(found).toMatchObject({
      website: 'https://www.example.org/jazz',
      virtual_url: 'https://meet.example.org',
    })
    // An address with its protocol stays as it is.
    const { html } = await editor.browser.get(editPath(Number(found?.id)))
    const old = { ...fieldsIn(html), website: 'http://old.example.org/', do: 'save' }
    await editor.browser.post(editPath(Number(found?.id)), old)
    expect(await read(Number(found?.id))).toMatchObject({ website: 'http://old.example.org/' })
  })

  it('says what is missing at its field, and has the focus there', async () => {
    const form = await filled(editor, { title: '', start_date: '', description: 'typed already' })
    const shown = await editor.browser.post(NEW, form)
    expectPage(shown, 422, 'Please check 2 fields')
    expect(shown.html).toMatch(/<input id="f-title"[^>]*aria-describedby="f-title-error"[^>]*autofocus/)
    expect(shown.html).toContain('<p class="field-error" id="f-title-error">Please fill this in.</p>')
    expect(shown.html).toContain('href="#f-start_date"')
    expect(fieldsIn(shown.html).description).toEqual(['typed already'])
  })

  it.each([
    [{ end_date: '2027-02-01', end_date_time: '22:00' }, 'The end is before the start.'],
    [{ start_date_time: '' }, 'Please say at what time'],
    [{ end_date: '2027-03-02' }, 'Please say at what time'],
    [{ website: 'nonsense at all' }, 'Please enter a web address'],
    [{ timezone: 'Middle/Earth' }, 'Please enter a time zone'],
    [{ venue: '99999' }, 'This no longer exists.'],
    [{ venue_new_venue: HOSTILE.repeat(100) }, 'This is too long: at most 2000 characters.'],
    [{ image: '99999' }, 'This no longer exists.'],
    [{ start_date: '2027-02-30' }, 'Please enter a date.'],
    [{ start_date: 'soon-ish' }, 'Please enter a date.'],
    [{ venue_search: 'barn' }, 'Choose one of the results'],
    [{ organizer_new_organizer: ['One', 'Another'] }, 'Only one new one at a time'],
  ])('says in plain words what is wrong: %o', async (fields, reason) => {
    const shown = await editor.browser.post(NEW, await filled(editor, { title: 'Wrong', ...fields }))
    expectPage(shown, 422, reason)
    expect(await searchEvents('wrong')).toEqual([])
  })

  it('needs no time for an all-day event, nor for a missing end', async () => {
    const day = await filled(editor, { title: 'Wholeday', start_date_time: '', all_day: '1' })
    expect((await editor.browser.submit(NEW, { ...day, end_date: '2027-03-02' })).status).toBe(200)
    expect(await searchEvents('wholeday')).toMatchObject([{ all_day: true, end_date: '2027-03-02 23:59:59' }])
    const { id } = (await searchEvents('wholeday'))[0] ?? { id: 0 }
    const { html } = await editor.browser.get(editPath(id))
    const { all_day: _, ...timed } = fieldsIn(html)
    const shown = await editor.browser.post(editPath(id), { ...timed, do: 'save' })
    expectPage(shown, 422, 'Please say at what time')
    expect(await read(id)).toMatchObject({ all_day: true })
  })

  it('publishes a draft venue together with its draft event, but not when a public event is saved', async () => {
    const draft = async (title: string) => {
      const json = { title, start_date: '2027-03-01 20:00', end_date: '2027-03-01 22:00', status: 'draft' }
      const venue = { venue: `Room of ${title}`, status: 'draft' }
      return (await send('POST', '/events', { as: author.as, json: { ...json, venue } })).body
    }
    const save = (id: number, fields: Record<string, string>) => author.browser.save(editPath(id), fields)
    const one = await draft('Form')
    const other = await draft('List')
    await save(one.id, { cost: '5' })
    expect((await read(one.id)).venue.status).toBe('draft')
    const list = { id: String(other.id), do: 'publish' }
    for (const page of [
      await save(one.id, { status: 'publish' }),
      await author.browser.submit('/admin/events/bulk/', list),
    ])
      await confirmPublishing(author.browser, page)
    for (const { id } of [one, other])
      expect(await read(id)).toMatchObject({ status: 'publish', venue: { status: 'publish' } })
    await send('PATCH', `/venues/${one.venue.id}`, { as: author.as, json: { status: 'draft' } })
    await save(one.id, { cost: '6' })
    expect((await read(one.id)).venue.status).toBe('draft')
  })

  it('escapes what is typed into any of its fields', async () => {
    const { html } = await editor.browser.get(NEW)
    const names = Object.keys(fieldsIn(html)).filter(name => !/^was\./.test(name))
    expect(names.length).toBeGreaterThan(45)
    const hostile = Object.fromEntries(names.map(name => [name, HOSTILE]))
    for (const action of ['save', 'edit', 'preview', 'find:venue']) {
      const shown = await editor.browser.post(NEW, { ...hostile, ...wasOf(html), do: action })
      expect(shown.html, action).not.toMatch(/<script>alert|<img src=x/)
    }
  })

  it('is stored once, however often it is sent', async () => {
    const form = await filled(editor, { title: 'Twice' })
    const first = await editor.browser.post(NEW, form)
    const second = await editor.browser.post(NEW, form)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    const three = await filled(editor, { title: 'Thrice' })
    const all = await Promise.all([1, 2, 3].map(() => editor.browser.post(NEW, three)))
    expect(new Set(all.map(idIn)).size).toBe(1)
    expect([(await searchEvents('twice')).length, (await searchEvents('thrice')).length]).toEqual([1, 1])
  })

  it('compares a second submission with other values with the event that the first one made', async () => {
    const form = await filled(editor, { title: 'Sent', description: 'before' })
    const id = idIn(await editor.browser.post(NEW, form))
    const asked = await editor.browser.post(NEW, { ...form, description: 'after' })
    expectPage(asked, 412, 'This has already been saved')
    const done = await editor.browser.post(editPath(id), {
      ...mineIn(asked),
    })
    expect(done.status).toBe(303)
    expect(await read(id)).toMatchObject({ title: 'Sent', description: '<p>after</p>' })
    expect(await searchEvents('sent')).toHaveLength(1)
  })

  it('keeps the input when the database fails, and makes no second event when only the response is lost', async () => {
    const form = await filled(author, { title: 'Lost' })
    const sent = (fault: Parameters<typeof faultyD1>[0]) =>
      author.browser.with(faultyD1(fault)).post(NEW, form)
    const failed = await sent({ message: 'D1_ERROR: internal error', times: 9, writesOnly: true })
    expect([failed.status, fieldsIn(failed.html).title]).toEqual([422, ['Lost']])
    expect(await searchEvents('lost')).toEqual([])
    const lost = await sent({ message: 'Network connection lost.', times: 1, writesOnly: true, late: true })
    expect(lost.status).toBe(422)
    const again = await author.browser.post(NEW, form)
    expect(again.status).toBe(303)
    expect(await searchEvents('lost')).toHaveLength(1)
  })

  it('keeps the input, and logs the reason, when the rest of its page cannot be read', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const browser = author.browser.with(faultyD1({ message: 'D1_ERROR: out of order', times: 9, after: 1 }))
    const shown = await browser.post(NEW, await filled(author, { title: '', excerpt: 'typed already' }))
    const lines = logged.mock.calls.flat().join()
    logged.mockRestore()
    expect([shown.status, fieldsIn(shown.html).excerpt]).toEqual([422, ['typed already']])
    expect(lines).toContain('D1_ERROR: out of order')
  })

  it('is replaced by an error page if an SQL statement is wrong', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const fault = {
      message: 'D1_ERROR: near "x": syntax error at offset 0: SQLITE_ERROR',
      times: 9,
      after: 1,
    }
    const shown = await author.browser
      .with(faultyD1(fault))
      .post(NEW, await filled(author, { title: '', excerpt: 'typed already' }))
    const lines = logged.mock.calls.flat().join()
    logged.mockRestore()
    expect(shown.status).toBe(500)
    expect(lines).toContain('syntax error')
  })
})

/** The digests of the original values in a form. */
const wasOf = (html: string) =>
  Object.fromEntries(Object.entries(fieldsIn(html)).filter(([name]) => name.startsWith('was.')))

/** What the button “Keep mine” sends. */
const mineIn = ({ html }: ShownPage) => ({
  ...fieldsIn(html.slice(html.indexOf('class="stack"'))),
  do: 'save',
})

describe('the form of a stored event', () => {
  it('says that somebody has trashed the event, and saves what was typed once it is restored', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Flea market', status: 'publish' })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    await send('DELETE', `/events/${id}`, { as: editor.as })
    const asked = await editor.browser.post(editPath(id), { ...form, room: 'North side', do: 'save' })
    expectPage(asked, 412, 'Somebody else has moved this to the trash', 'Yours North side')
    expect(asked.text).not.toContain('Changed only by the other person')
    const again = await editor.browser.post(editPath(id), mineIn(asked))
    expectPage(again, 412, 'Somebody else has moved this to the trash')
    await editor.browser.submit('/admin/trash/', { thing: `event-${id}`, do: 'restore' })
    const restored = await editor.browser.post(editPath(id), mineIn(again))
    expectPage(restored, 412, 'Somebody else has changed this in the meantime')
    expect(restored.text).not.toContain('Changed only by the other person')
    expect((await editor.browser.post(editPath(id), mineIn(restored))).status).toBe(303)
    expect(await read(id)).toMatchObject({ room: 'North side', status: 'publish' })
  })

  it('shows the times of both versions as pages write them', async () => {
    const { id } = await makeEvent(editor.as, {
      start_date: '2027-01-03 17:00',
      end_date: '2027-01-03 19:00',
    })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    const json = { start_date: '2027-01-03 18:00:15', end_date: '2027-01-03 20:00:00' }
    await send('PATCH', `/events/${id}`, { as: editor.as, json })
    const typed = { start_date_time: '17:30', end_date_time: '21:00', do: 'save' }
    const asked = await editor.browser.post(editPath(id), { ...form, ...typed })
    expectPage(asked, 412, 'Yours January 3, 2027, 5:30 PM', 'Yours 9:00 PM', '8:00 PM')
    // Seconds are part of a difference.
    expect(asked.text).toContain('2027-01-03 18:00:15')
  })

  it('sends only the changed fields, and nothing if there are none', async () => {
    const venue = await makeVenue(editor.as, 'Two venues')
    const other = await makeVenue(editor.as, 'Another venue')
    const music = await makeCategory(editor.as, 'Zither')
    const jazz = await makeCategory(editor.as, 'Accordion')
    const guild = await makeOrganizer(editor.as, 'The Guild')
    const { id } = await makeEvent(editor.as, {
      title: 'All & <everything>',
      start_date: '2027-03-01 20:00:30',
      end_date: '2027-03-03 02:00:00',
      description: '<p>One <strong>and</strong> two</p>\n<p>Three</p>',
      excerpt: 'Short & sweet',
      timezone: 'Europe/Rome',
      cost: '$10 - $25',
      website: 'https://example.org',
      venue: [venue.id, other.id],
      organizer: [guild.id],
      categories: [music.id, jazz.id],
      tags: ['b', 'a'],
      custom_fields: { one: { label: 'One & "1"', value: '<2' }, two: { label: 'Two', value: '' } },
      is_virtual: true,
      image: 'https://img.example/all.png',
      event_status: 'postponed',
      event_status_reason: 'Rain',
      featured: true,
    })
    const stored = await send('GET', `/events/${id}`, { as: editor.as })
    const { html } = await editor.browser.get(editPath(id))
    const form = fieldsIn(html)
    const done = await editor.browser.post(editPath(id), { ...form, do: 'save' })
    expect(done.status).toBe(303)
    const after = await send('GET', `/events/${id}`, { as: editor.as })
    expect(after.body).toEqual(stored.body)
    expect(after.headers.get('etag')).toBe(stored.headers.get('etag'))
    await editor.browser.post(editPath(id), {
      ...form,
      title: 'All',
      tags: [],
      tags_new_name: 'c',
      do: 'save',
    })
    expect(await read(id)).toMatchObject({
      ...Object.fromEntries(
        [
          'description',
          'excerpt',
          'cost',
          'website',
          'venue',
          'organizer',
          'categories',
          'custom_fields',
          'start_date',
        ].map(name => [name, after.body[name]]),
      ),
      title: 'All',
      tags: [{ name: 'c' }],
    })
  })

  it('clears emptied fields and unchecked boxes', async () => {
    const { id } = await makeEvent(editor.as, {
      venue: { venue: 'Emptied' },
      description: 'gone',
      featured: true,
      image: 'https://img.example/gone.png',
      custom_fields: { one: { label: 'One', value: '1' } },
    })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    const { venue: _, featured: __, ...rest } = form
    await editor.browser.post(editPath(id), {
      ...rest,
      description: '',
      image: '',
      custom_fields_label: ['', '', ''],
      custom_fields_value: ['', '', ''],
      do: 'save',
    })
    expect(await read(id)).toMatchObject({
      venue: [],
      description: '',
      featured: false,
      image: false,
      custom_fields: [],
    })
  })

  it('gives each new field a key of its own, whatever its label', async () => {
    const { id } = await makeEvent(editor.as, {
      custom_fields: { note: { label: 'Stage', value: 'left' }, field: { label: 'Old', value: 'kept' } },
    })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    const long = 'a'.repeat(70)
    const rows = [
      ['note', 'Stage', 'left'],
      ['field', 'Old', 'kept'],
      ['', 'Note', 'bring shoes'],
      ['', 'Note', 'no dogs'],
      ['', 'Gebühr', '7'],
      ['', 'Größe', 'L'],
      ['', '***', 'stars'],
      ['', 'Constructor', 'Ann'],
      ['', long, 'one'],
      ['', long, 'two'],
    ]
    const inputs = Object.fromEntries(
      ['key', 'label', 'value'].map((part, i) => [`custom_fields_${part}`, rows.map(row => row[i] ?? '')]),
    )
    expect((await editor.browser.post(editPath(id), { ...form, ...inputs, do: 'save' })).status).toBe(303)
    expect((await read(id)).custom_fields).toEqual({
      note: { label: 'Stage', value: 'left' },
      field: { label: 'Old', value: 'kept' },
      note_2: { label: 'Note', value: 'bring shoes' },
      note_3: { label: 'Note', value: 'no dogs' },
      gebuhr: { label: 'Gebühr', value: '7' },
      grosse: { label: 'Größe', value: 'L' },
      field_2: { label: '***', value: 'stars' },
      constructor_2: { label: 'Constructor', value: 'Ann' },
      ['a'.repeat(64)]: { label: long, value: 'one' },
      [`${'a'.repeat(62)}_2`]: { label: long, value: 'two' },
    })
  })

  it('lists only the start among the changes of somebody else who moved it, and no repetition', async () => {
    const { id } = await makeEvent(editor.as, {
      title: 'Base',
      start_date: '2027-03-01 20:00',
      end_date: '2027-03-01 22:00',
    })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    const theirs = { title: 'Theirs', start_date: '2027-03-01 19:00' }
    await send('PATCH', `/events/${id}`, { as: editor.as, json: theirs })
    const asked = await editor.browser.post(editPath(id), { ...form, title: 'Mine', do: 'save' })
    expect(asked.text).toMatch(/Changed only by the other person, and kept: Starts Keep/)
  })

  it('asks when somebody else has changed the same fields in the meantime', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Base', description: 'base', excerpt: 'base' })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    await send('PATCH', `/events/${id}`, {
      as: editor.as,
      json: { title: 'Theirs', cost: '5', excerpt: 'same' },
    })
    const asked = await editor.browser.post(editPath(id), {
      ...form,
      title: 'Mine',
      description: 'mine',
      excerpt: 'same',
      do: 'save',
    })
    expectPage(asked, 412, 'Somebody else has changed this in the meantime')
    expect(asked.text).toMatch(/Yours Mine .*Saved now Theirs/)
    expect(asked.text).toContain('Changed only by the other person, and kept: Price')
    expect(asked.text).toMatch(/Yours mine Saved now base/)
    expect(asked.text).not.toContain('Summary')
    expect(asked.html).not.toContain('type="radio"')
    expect(await read(id)).toMatchObject({ title: 'Theirs', description: '<p>base</p>' })
    // Taking theirs leads to the form as it is stored.
    expect(asked.links).toContain(editPath(id))
    // Going on with the form shows both changes.
    const edited = fieldsIn((await editor.browser.post(editPath(id), { ...mineIn(asked), do: 'edit' })).html)
    expect(edited).toMatchObject({ title: ['Mine'], description: ['mine'], cost: ['$5'] })
    // After a third change in the meantime it asks again.
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { website: 'https://example.org' } })
    const again = await editor.browser.post(editPath(id), mineIn(asked))
    expect(again.status).toBe(412)
    const done = await editor.browser.post(editPath(id), mineIn(again))
    expect(done.status).toBe(303)
    expect(await read(id)).toMatchObject({
      title: 'Mine',
      description: '<p>mine</p>',
      cost: '$5',
      website: 'https://example.org',
    })
  })

  it('keeps what somebody else changed in other fields of the same form, also from the form again', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Base', excerpt: 'base', tags: ['one'] })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { excerpt: 'theirs', tags: ['two'] } })
    const asked = await editor.browser.post(editPath(id), { ...form, title: 'Mine', do: 'save' })
    const edited = await editor.browser.post(editPath(id), { ...mineIn(asked), do: 'edit' })
    const done = await editor.browser.post(editPath(id), { ...fieldsIn(edited.html), do: 'save' })
    expect(done.status).toBe(303)
    const stored = await read(id)
    expect(stored).toMatchObject({ title: 'Mine', excerpt: '<p>theirs</p>' })
    expect(stored.tags.map(({ name }: { name: string }) => name)).toEqual(['two'])
  })

  it('says so when the same values have already been saved', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Once' })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    const changed = { ...form, title: 'Once more', do: 'save' }
    await editor.browser.post(editPath(id), changed)
    const second = await editor.browser.submit(editPath(id), changed)
    expectPage(second, 200, 'This had already been saved')
  })

  it('searches without scripts, and keeps the input', async () => {
    await makeVenue(editor.as, 'Xanadu Hall', { city: 'Kent' })
    const form = await filled(editor, { title: 'Kept', venue_search: 'xanadu', do: 'find:venue' })
    const shown = await editor.browser.post(NEW, form)
    expect(shown.text).toContain('Xanadu Hall Kent')
    const fields = fieldsIn(shown.html)
    expect([fields.title, fields.venue_search]).toEqual([['Kept'], ['xanadu']])
    const [, venue = ''] = shown.html.match(/name="venue" value="(\d+)"/) ?? []
    const saved = await editor.browser.post(NEW, { ...fields, venue, venue_search: '', do: 'save' })
    expect(await read(idIn(saved))).toMatchObject({ title: 'Kept', venue: { venue: 'Xanadu Hall' } })
  })

  it('shows a preview, and stores nothing', async () => {
    const { id, modified_utc } = await makeEvent(editor.as, { title: 'Stored', venue: { venue: 'Here' } })
    const form = fieldsIn((await editor.browser.get(editPath(id))).html)
    const shown = await editor.browser.post(editPath(id), {
      ...form,
      title: 'Previewed <b>x</b>',
      description: 'Look <script>alert(1)</script>here',
      venue: [],
      venue_new_venue: 'There & now',
      do: 'preview',
    })
    expect(shown.status).toBe(200)
    expect(decodeEntities(shown.text)).toMatch(/Previewed x .*There & now/)
    expect(shown.html).not.toContain('<script>alert')
    expect(await read(id)).toMatchObject({ title: 'Stored', modified_utc })
    const back = await editor.browser.post(editPath(id), {
      ...fieldsIn(shown.html, 'preview-form'),
      do: 'edit',
    })
    expect(fieldsIn(back.html)).toMatchObject({
      title: ['Previewed <b>x</b>'],
      venue_new_venue: ['There & now'],
    })
    const saved = await editor.browser.post(editPath(id), { ...fieldsIn(back.html), do: 'save' })
    expect(saved.status).toBe(303)
    expect(await read(id)).toMatchObject({ title: 'Previewed x', venue: { venue: 'There & now' } })
    const wrong = await editor.browser.post(NEW, await filled(editor, { title: '', do: 'preview' }))
    expectPage(wrong, 422, 'Please fill this in.')
    const fresh = await editor.browser.post(NEW, await filled(editor, { title: 'Fresh', do: 'preview' }))
    expectPage(fresh, 200, 'Fresh')
    expect(await searchEvents('fresh')).toEqual([])
  })

  it('is copied once, goes to the trash, and is restored', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Original' })
    const { html } = await editor.browser.get(editPath(id))
    const [, key = ''] = html.match(/name="key" value="([^"]+)"/) ?? []
    const first = await editor.browser.post(`${editPath(id)}duplicate/`, { key })
    const second = await editor.browser.post(`${editPath(id)}duplicate/`, { key })
    expect([first?.status, idIn(second)]).toEqual([303, idIn(first)])
    expect(await read(idIn(first))).toMatchObject({ title: 'Original', status: 'draft' })
    const gone = await editor.browser.submit(`${editPath(id)}trash/`)
    expect(gone.text).toContain('“Original” is in the trash now.')
    const { html: trashed, text } = await editor.browser.get(editPath(id))
    expect(text).toContain('This event is in the trash.')
    const restored = { ...fieldsIn(trashed, 'in-trash'), do: 'restore' }
    const { headers } = await editor.browser.post('/admin/trash/', restored)
    expect([headers.get('location'), (await read(id)).status]).toEqual([editPath(id), 'publish'])
  })
})

describe('a price', () => {
  it.each([
    ['8', '8 €'],
    ['8 - 12', '8–12 €'],
    ['7,50', '7,50 €'],
    ['1.234,50 €', '1.234,50 €'],
    // Other texts stay as they are stored.
    ['0', 'Free'],
    ['8 € with a ticket', '8 € with a ticket'],
  ])('is shown in the form as on pages: %s', async (cost, shown) => {
    const browser = editor.browser.with({
      LANGUAGE: 'de',
      CURRENCY_SYMBOL: '€',
      CURRENCY_CODE: 'EUR',
      CURRENCY_POSITION: 'postfix',
    })
    const { id } = await makeEvent(editor.as, { title: 'Priced', cost })
    const { html } = await browser.get(editPath(id))
    const [field = ''] = fieldsIn(html).cost ?? []
    expect(field.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(shown)
    await browser.post(editPath(id), { ...fieldsIn(html), title: 'Renamed', do: 'save' })
    expect(await env.DB.prepare('SELECT title, cost FROM events WHERE id = ?').bind(id).first()).toEqual({
      title: 'Renamed',
      cost,
    })
  })
})

describe('a copy', () => {
  // The clock of the tests says November 20, 2026.
  it.each([
    ['Recital', '2026-12-04 18:00:00', { start_date: '2026-12-11 18:00:00', slug: 'recital-2' }],
    ['Trial lesson', '2026-11-10 16:00:00', { start_date: '2026-12-08 16:00:00' }],
    [
      'Summer fair 2026',
      '2026-06-13 11:00:00',
      { start_date: '2027-06-12 11:00:00', slug: 'summer-fair-2027' },
    ],
    ['Carols & candles', '2020-12-24 17:00:00', { start_date: '2026-12-24 17:00:00' }],
    ['Club 20260 in 2026', '2026-01-05 20:00:00', { title: 'Club 20260 in 2027' }],
  ])(
    'proposes the next plausible date, and a title and address with its year: %s',
    async (title, start, copied) => {
      const { id } = await makeEvent(editor.as, {
        title,
        start_date: start,
        end_date: start.replace(':00:00', ':45:00'),
      })
      const copy = await read(idIn(await editor.browser.post(`${editPath(id)}duplicate/`, {})))
      expect(copy).toMatchObject({ status: 'draft', ...copied })
      expect(copy.end_date).toBe(copy.start_date.replace(':00:00', ':45:00'))
    },
  )
})

describe('images in the form', () => {
  it('are uploaded with their alternative text, also if something else is wrong', async () => {
    const file = new File([png(20, 10, 'form')], 'poster.png', { type: 'image/png' })
    const form = await filled(author, { title: '', image_alt: 'A saxophone' })
    const shown = await author.browser.post(NEW, { ...form, image_file: file })
    expect(shown.status).toBe(422)
    expect(shown.html).toContain('alt="A saxophone"')
    const saved = await author.browser.post(NEW, {
      ...fieldsIn(shown.html),
      title: 'With an image',
      do: 'save',
    })
    expect(await read(idIn(saved))).toMatchObject({ image: { alt_text: 'A saxophone', width: 20 } })
  })

  it('are uploaded by a search without scripts, since the browser would not send them again', async () => {
    const file = new File([png(20, 10, 'found')], 'poster.png', { type: 'image/png' })
    const form = await filled(author, { title: 'Searched', image_alt: 'A harp', venue_search: 'x' })
    const shown = await author.browser.post(NEW, { ...form, image_file: file, do: 'find:venue' })
    expect([shown.status, shown.html.includes('alt="A harp"')]).toEqual([200, true])
  })

  it('must be images of at most 10 MB, from users who may upload', async () => {
    const text = new File(['<svg onload=alert(1)>'], 'poster.svg', { type: 'image/svg+xml' })
    const shown = await author.browser.post(NEW, { ...(await filled(author)), image_file: text })
    expectPage(shown, 422, 'Files of the type SVG can’t be used as images.')
    const empty = await author.browser.post(NEW, {
      ...(await filled(author)),
      image_file: new File([], 'not-loaded.jpg'),
    })
    expectPage(empty, 422, 'This can’t be used as an image.')
    const large = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.png')
    const kept = await author.browser.post(NEW, {
      ...(await filled(author)),
      title: 'Typed with care',
      image_file: large,
    })
    expectPage(kept, 422, 'This file is too large')
    expect(kept.html).toContain('value="Typed with care"')
    expect((await contributor.browser.get(NEW)).html).not.toContain('name="image_file"')
    const file = new File([png(20, 10, 'forbidden')], 'poster.png')
    const refused = await contributor.browser.post(NEW, { ...(await filled(contributor)), image_file: file })
    expectPage(refused, 422, 'Your role doesn’t allow this.')
  })
})

describe('who may do what', () => {
  it('authors change their own events only', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Not theirs' })
    const own = await makeEvent(author.as, { title: 'Theirs' })
    expect((await author.browser.get(editPath(id))).status).toBe(403)
    expect((await author.browser.get(editPath(own.id))).status).toBe(200)
    const form = { ...fieldsIn((await editor.browser.get(editPath(id))).html), title: 'Taken', do: 'save' }
    const refused = await author.browser.post(editPath(id), form)
    expectPage(refused, 403, 'Your role doesn’t allow this.')
    const previewed = await author.browser.post(editPath(id), { ...form, do: 'preview' })
    expect(previewed.text).toContain('Your role doesn’t allow this.')
    const copied = await author.browser.post(`${editPath(id)}duplicate/`, {})
    expect(copied.status).toBe(303)
    expect(await read(id)).toMatchObject({ title: 'Not theirs' })
  })

  it('contributors ask for review, and publish nothing', async () => {
    const { html } = await contributor.browser.get(NEW)
    expect(html).toContain('name="status" value="pending"')
    expect(html).not.toMatch(/name="status" value="(?:publish|future|private)"/)
    expect(html).not.toContain('name="author"')
    const form = await filled(contributor, { title: 'Asked', status: 'pending' })
    const id = idIn(await contributor.browser.post(NEW, form))
    expect(await read(id)).toMatchObject({ status: 'pending' })
    const forced = await filled(contributor, { title: 'Forced', status: 'publish', author: '1' })
    const made = await contributor.browser.post(NEW, { ...forced, 'was.author': 'x' })
    expect(made.status).toBe(403)
    const bulk = await contributor.browser.post('/admin/events/bulk/', { id: String(id), do: 'publish' })
    expect([bulk.status, (await read(id)).status]).toEqual([303, 'pending'])
  })

  it('hidden venues and events are not found, offered or named', async () => {
    const secret = await makeVenue(editor.as, 'Quokka bunker', { status: 'draft' })
    const { id } = await makeEvent(editor.as, { title: 'Quokka gala', status: 'draft' })
    const found = await author.browser.get('/admin/find/?field=venue&search=quokka')
    expect(found.html).toBe('[]')
    expect((await editor.browser.get('/admin/find/?field=venue&search=quokka')).html).toContain(
      'Quokka bunker',
    )
    const asked = await author.browser.post(
      NEW,
      await filled(author, { venue: String(secret.id), do: 'edit' }),
    )
    expect(asked.html).not.toContain('Quokka')
    const previewed = await author.browser.post(
      NEW,
      await filled(author, { venue: String(secret.id), do: 'preview' }),
    )
    expect(previewed.html).not.toContain('Quokka')
    const bulk = await author.browser.post('/admin/events/bulk/', { id: String(id), do: 'toTrash' })
    expect(bulk.status).toBe(409)
    expect(bulk.html).not.toContain('Quokka')
    const copied = await author.browser.post(`${editPath(id)}duplicate/`, {})
    expect(copied.html).not.toContain('Quokka')
  })
})

describe('the start of an event', () => {
  it('is another one where clocks skip it, and the page says which', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Night walk', timezone: 'Europe/Dublin' })
    const saved = await editor.browser.save(editPath(id), {
      start_date: '2027-03-28',
      start_date_time: '01:30',
      end_date: '2027-03-28',
      end_date_time: '05:00',
    })
    expect(saved.text).toMatch(/skip the time that you gave\. It starts on .*March 28, 2027.*2:30/)
    expect((await editor.browser.save(editPath(id), { start_date_time: '04:30' })).text).not.toContain(
      'skip the',
    )
  })
})

describe('the end of an event', () => {
  const concert = async (fields: object = {}) =>
    (
      await makeEvent(editor.as, {
        title: 'Concert',
        start_date: '2027-06-10 16:00:00',
        end_date: '2027-06-10 17:30:00',
        ...fields,
      })
    ).id
  const save = (id: number, fields: Record<string, string>) => editor.browser.save(editPath(id), fields)

  it('moves with the start, and the page says so', async () => {
    const id = await concert()
    const later = await save(id, { start_date_time: '18:00' })
    expect(later.text).toContain('The end has moved with the start')
    expect(later.text).toContain('7:30')
    expect(await read(id)).toMatchObject({ end_date: '2027-06-10 19:30:00' })
    const earlier = await save(id, { start_date: '2027-06-09', start_date_time: '17:00' })
    expect(earlier.text).toContain('The end has moved')
    expect(await read(id)).toMatchObject({ end_date: '2027-06-09 18:30:00' })
    const both = await save(id, { start_date_time: '15:00', end_date_time: '15:45' })
    expect(both.text).not.toContain('The end has moved')
    expect(await read(id)).toMatchObject({ end_date: '2027-06-09 15:45:00' })
  })

  it('moves over several days and across midnight', async () => {
    const night = await concert({ start_date: '2027-06-10 21:00:00', end_date: '2027-06-11 02:00:00' })
    await save(night, { start_date: '2027-06-30' })
    expect(await read(night)).toMatchObject({ end_date: '2027-07-01 02:00:00' })
    const fair = await concert({ all_day: true, start_date: '2027-06-10', end_date: '2027-06-12' })
    await save(fair, { start_date: '2027-06-30' })
    expect(await read(fair)).toMatchObject({
      start_date: '2027-06-30 00:00:00',
      end_date: '2027-07-02 23:59:59',
    })
    await save(night, { all_day: '1' })
    expect(await read(night)).toMatchObject({
      all_day: true,
      start_date: '2027-06-30 00:00:00',
      end_date: '2027-07-01 23:59:59',
    })
  })

  it('has to be confirmed if the event becomes very long or newly ends on the next day', async () => {
    const id = await concert()
    const asked = await save(id, { end_date_time: '15:00' })
    expectPage(asked, 422, 'press the button once more')
    expect(await read(id)).toMatchObject({ end_date: '2027-06-10 17:30:00' })
    // Another unlikely end has to be confirmed again.
    const other = await editor.browser.submit(editPath(id), {
      ...fieldsIn(asked.html),
      do: 'save',
      end_date_time: '14:00',
    })
    expect(other.status).toBe(422)
    await editor.browser.submit(editPath(id), { ...fieldsIn(other.html), do: 'save' })
    expect(await read(id)).toMatchObject({ end_date: '2027-06-11 14:00:00' })
    const long = await filled(editor, { title: 'Very long', end_date_time: '19:00' })
    expect((await editor.browser.submit(NEW, long)).status).toBe(422)
    const night = await filled(editor, { title: 'Long night', end_date_time: '02:00' })
    expect((await editor.browser.submit(NEW, night)).status).toBe(200)
  })
})

describe('the venue of an event', () => {
  const save = (id: number, fields: Record<string, string | string[]>) =>
    editor.browser.save(editPath(id), fields)
  const venuesOf = async (id: number): Promise<string[]> =>
    [(await read(id)).venue].flat().map(({ venue }: { venue: string }) => venue)

  it('is replaced by another choice, unless the box for several venues is ticked', async () => {
    const aula = await makeVenue(editor.as, 'Aula of change')
    const hall = await makeVenue(editor.as, 'Hall of change')
    const { id } = await makeEvent(editor.as, { venue: aula.id })
    const both = [String(aula.id), String(hall.id)]
    await save(id, { venue: both })
    expect(await venuesOf(id)).toEqual(['Hall of change'])
    await save(id, { venue_new_venue: 'Barn of change' })
    expect(await venuesOf(id)).toEqual(['Barn of change'])
    const [barn] = [(await read(id)).venue].flat()
    await save(id, { venue: [String(barn.id), String(hall.id)], venue_several: '1' })
    expect((await venuesOf(id)).sort()).toEqual(['Barn of change', 'Hall of change'])
    // A change of another field keeps both, and one can be removed.
    await save(id, { title: 'Still at both' })
    expect(await venuesOf(id)).toHaveLength(2)
    await save(id, { venue: String(hall.id) })
    expect(await venuesOf(id)).toEqual(['Hall of change'])
  })

  it('is taken from the text in the search field if that can only mean one venue', async () => {
    const typed = await makeVenue(editor.as, 'Kulturscheune', { address: '1 Lane', city: 'Kent' })
    const { id } = await makeEvent(editor.as)
    await save(id, { venue_search: ' KULTURSCHEUNE' })
    expect([(await read(id)).venue].flat()[0].id).toBe(typed.id)
    await save(id, { venue: [] })
    await save(id, { venue_new_venue: 'kulturSCHEUNE' })
    expect([(await read(id)).venue].flat()[0].id).toBe(typed.id)
    // Otherwise the user is asked, and the input is kept: a misspelled name makes no venue.
    expectPage(
      await save(id, { venue_search: 'Kulturscheuen' }),
      422,
      '1 Lane, Kent',
      'Create “Kulturscheuen”',
    )
    await save(id, { venue: [] })
    const asked = await save(id, { venue_search: 'kultur' })
    expectPage(asked, 422, '1 Lane, Kent', 'Create “kultur”')
    const fields = fieldsIn(asked.html)
    const chosen = await editor.browser.submit(editPath(id), {
      ...fields,
      venue: [...(fields.venue ?? []), String(typed.id)],
      do: 'save',
    })
    expect(chosen.status).toBe(200)
    expect(await venuesOf(id)).toEqual(['Kulturscheune'])
    const { html } = await editor.browser.get(editPath(id))
    expect(html).toContain('Kulturscheune <span class="small">1 Lane, Kent</span>')
    await editor.browser.submit(editPath(id), {
      ...fieldsIn((await save(id, { venue_search: 'kultur' })).html),
      venue_new_venue: 'kultur',
      do: 'save',
    })
    expect(await venuesOf(id)).toEqual(['kultur'])
  })

  it('is asked for if several have the name of a new one, which an address makes a new one', async () => {
    const upper = await makeVenue(editor.as, 'Gymnasium', { address: '3 School Lane' })
    const lower = await makeVenue(editor.as, 'Gymnasium', { address: '9 Mill Lane' })
    const { id } = await makeEvent(editor.as)
    const asked = await save(id, { venue_new_venue: 'gymnasium' })
    expectPage(asked, 422, '“gymnasium” is here several times.', '3 School Lane', '9 Mill Lane')
    expect(await venuesOf(id)).toEqual([])
    const fields = fieldsIn(asked.html)
    expect([fields.venue_search, fields.venue_new_venue]).toEqual([['gymnasium'], ['']])
    await editor.browser.submit(editPath(id), { ...fields, venue: String(lower.id), do: 'save' })
    expect([(await read(id)).venue].flat()[0].id).toBe(lower.id)
    await save(id, { venue: [], venue_new_venue: 'Gymnasium', venue_new_address: '1 New Lane' })
    const [made] = [(await read(id)).venue].flat()
    expect(made).toMatchObject({ venue: 'Gymnasium', address: '1 New Lane' })
    expect([upper.id, lower.id]).not.toContain(made.id)
  })

  it('is created from an unknown name only after the form has shown it as a new venue', async () => {
    const { id } = await makeEvent(editor.as)
    const asked = await save(id, { venue_search: 'Zeughaus of nowhere' })
    expectPage(asked, 422, '“Zeughaus of nowhere” isn’t known here')
    expect(asked.html).toContain('>New venue</summary>')
    expect(await venuesOf(id)).toEqual([])
    const fields = fieldsIn(asked.html)
    expect([fields.venue_search, fields.venue_new_venue]).toEqual([[''], ['Zeughaus of nowhere']])
    await editor.browser.submit(editPath(id), { ...fields, venue_new_city: 'Kent', do: 'save' })
    expect([(await read(id)).venue].flat()).toMatchObject([{ venue: 'Zeughaus of nowhere', city: 'Kent' }])
  })

  it('keeps what was typed of a new organizer if another one is ticked beside it', async () => {
    const { id } = await makeEvent(editor.as)
    const typed = { organizer_new_organizer: ['Ticked', 'First'], organizer_new_email: 'first@example.org' }
    const asked = await save(id, typed)
    expectPage(asked, 422, 'Only one new one at a time')
    expect(fieldsIn(asked.html).organizer_new_organizer).toEqual(['First'])
  })

  it('is suggested from the newest events that the user may read', async () => {
    const venue = await makeVenue(editor.as, 'Suggested shed', { city: 'Kent' })
    const hidden = await makeVenue(editor.as, 'Hidden shed', { status: 'draft' })
    for (const { id } of [venue, hidden]) await makeEvent(editor.as, { venue: id })
    const { html } = await author.browser.get('/admin/find/?field=venue&search=')
    expect(JSON.parse(html)[0]).toEqual({ id: venue.id, name: 'Suggested shed', detail: 'Kent' })
    expect(html).not.toContain('Hidden shed')
  })
})

it('folded groups say what is in them', async () => {
  const summaries = (html: string) =>
    [
      ...html.matchAll(/<span class="fold-name">([^<]*)<\/span>(?: <span class="small">([^<]*)<\/span>)?/g),
    ].map(([, name, contents]) => [name, contents])
  const { id } = await makeEvent(editor.as, { title: 'Folded', website: 'https://folded.example/' })
  const { html } = await editor.browser.get(editPath(id))
  expect(Object.fromEntries(summaries(html))).toMatchObject({
    Details: 'Website: https://folded.example/',
    Online: undefined,
  })
  expect(summaries((await editor.browser.get(NEW)).html)).toContainEqual(['Details', undefined])
})

it('Enter shows a preview of a new event, and saves a stored one', async () => {
  // Enter presses the first button of a form.
  const first = (html: string) => /id="editor-form".*?<button[^>]*value="(\w+)"/s.exec(html)?.[1]
  const form = await filled(editor, { title: 'Not yet' })
  const { html } = await editor.browser.get(NEW)
  expect(first(html)).toBe('preview')
  const shown = await editor.browser.post(NEW, { ...form, do: 'preview' })
  expect([shown.status, await searchEvents('yet')]).toEqual([200, []])
  const { id } = await makeEvent(editor.as, { title: 'Stored' })
  expect(first((await editor.browser.get(editPath(id))).html)).toBe('save')
})

it('a form that is too large is refused with the status and the reason', async () => {
  const form = await filled(editor, { description: 'x'.repeat(11_000_000) })
  const { status, html } = await editor.browser.post(NEW, form)
  expect(status).toBe(413)
  expect(textOf(html)).toMatch(/Not done.*too much for one form/s)
})

it.each(['rest_payload_too_large', 'rest_precondition_failed', 'rest_event_protected'] as const)(
  'a form that is refused with %s says why in the language of the page, not in that of the API',
  code => {
    const texts = LANGUAGES.map(language =>
      reasonsOf({ language }, { body: new ApiError(code, 'Of the API.') }),
    )
    expect(new Set(texts).size).toBe(LANGUAGES.length)
    expect(texts.join()).not.toContain('Of the API')
  },
)
