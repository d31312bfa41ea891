import { beforeAll, describe, expect, it } from 'vitest'
import { makeAll, makeEvent, query, queryValue, send } from '../factories.ts'
import { expectPage } from '../site/pages/page.ts'
import { confirmPublishing, fieldsIn, undoOf } from './forms.ts'
import { signedIn } from './session.ts'

// Editors put a programme together by choosing the parent event of a part, or from the parent event.

const editor = signedIn('editor')
const author = signedIn('author')
const contributor = signedIn('contributor')

let festival: number

beforeAll(async () => {
  const whole = { title: 'River & sound festival', all_day: true, venue: { venue: 'The meadow' } }
  festival = (
    await makeEvent(editor.as, { ...whole, start_date: '2027-06-10 00:00', end_date: '2027-06-12 00:00' })
  ).id
  for (const [title, year, status] of [
    ['Last festival', '2020', 'publish'],
    ['Secret festival', '2027', 'draft'],
  ])
    await makeEvent(editor.as, {
      title,
      status,
      start_date: `${year}-06-10 10:00`,
      end_date: `${year}-06-10 12:00`,
    })
})

const NEW = '/admin/events/new/'

describe('the event that another is a part of', () => {
  const find = async ({ browser }: typeof editor, search: string) => {
    const { html } = await browser.get(`/admin/find/?field=post_parent&search=${search}`, {
      accept: 'application/json',
    })
    return JSON.parse(html)
  }

  it('is suggested by its title with its day, unless it is over', async () => {
    const found = [{ id: festival, name: 'River & sound festival', detail: '2027-06-10' }]
    expect(await find(contributor, 'FESTIV')).toEqual(found)
    expect(await find(editor, 'sound%20river')).toEqual(found)
    expect(await find(editor, 'last')).toEqual([])
    expect(await find(editor, '')).toEqual([])
  })

  it('is found without scripts, chosen and removed', async () => {
    const { browser } = editor
    const typed = { title: 'Found', start_date: '2027-06-11', start_date_time: '20:00' }
    const form = { ...fieldsIn((await browser.get(NEW)).html), ...typed }
    const asked = await browser.post(NEW, { ...form, post_parent_search: 'sound', do: 'find:post_parent' })
    expect(asked.html).toContain(`name="post_parent" value="${festival}"`)
    expect(fieldsIn(asked.html)).toMatchObject({ title: ['Found'], post_parent: ['0'] })
    // A search text without a choice is an error.
    const unclear = await browser.post(NEW, { ...fieldsIn(asked.html), do: 'save' })
    expectPage(unclear, 422, 'Choose one of the results')
    const chosen = { ...fieldsIn(asked.html), post_parent: String(festival), post_parent_search: '' }
    expect((await browser.post(NEW, { ...chosen, do: 'save' })).status).toBe(303)
    const parts = async () =>
      (await send('GET', `/events?post_parent=${festival}&start_date=2027-01-01`)).body.events
    const [part] = await parts()
    expect(part).toMatchObject({ title: 'Found', start_date: '2027-06-11 20:00:00' })
    const path = `/admin/events/${part.id}/`
    const { html, text } = await browser.get(path)
    expect(fieldsIn(html)).toMatchObject({ post_parent: [String(festival)] })
    expect(text).toContain('River & sound festival')
    await browser.post(path, { ...fieldsIn(html), post_parent: '0', do: 'save' })
    expect(await parts()).toEqual([])
  })

  it('cannot be one of its own parts, and the field says so', async () => {
    const { browser } = editor
    const day = { start_date: '2027-06-11 10:00', end_date: '2027-06-11 11:00' }
    const part = await makeEvent(editor.as, { title: 'A part', ...day, post_parent: festival })
    const path = `/admin/events/${festival}/`
    const { status, html } = await browser.save(path, { post_parent: String(part.id) })
    expect(status).toBe(422)
    expect(html).toMatch(/id="f-post_parent-error">[^<]*part/i)
  })
})

describe('a part that is not confirmed', () => {
  const when = { start_date: '2027-06-11 10:00', end_date: '2027-06-11 11:00' }
  const countConfirmed = async (title: string) =>
    (await send('GET', `/events?post_parent=${festival}&start_date=2027-01-01&search=${title}`)).body.total

  it('says so in its form, where an editor confirms it', async () => {
    const { id } = await makeEvent(author.as, { title: 'Hopeful', ...when, post_parent: festival })
    const path = `/admin/events/${id}/`
    const note = '“River & sound festival” doesn’t show this in its programme yet.'
    const own = await author.browser.get(path)
    expect(own.text).toContain(`${note} An editor, or somebody who may change that event, has to confirm it.`)
    expect(own.text).not.toContain('Show in the programme')
    const { text, html } = await editor.browser.get(path)
    expect(text).toContain(`${note} Show in the programme`)
    const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? ''
    const sent = { parent: String(festival), version }
    // Saving other fields confirms nothing, nor does a form of an earlier version of the event.
    await editor.browser.save(path, { cost: '5' })
    expect((await editor.browser.post(`${path}part/`, sent)).status).toBe(409)
    expect(await countConfirmed('hopeful')).toBe(0)
    const fresh = await editor.browser.post(`${path}part/`, { ...sent, version: '2' })
    expect(fresh.status).toBe(303)
    expect(await countConfirmed('hopeful')).toBe(1)
    expect((await author.browser.get(path)).text).not.toContain('programme yet')
  })

  it('is confirmed by an editor who publishes it, having seen the title of the parent', async () => {
    const { id } = await makeEvent(contributor.as, { title: 'Applicant', ...when, post_parent: festival })
    const shown = await editor.browser.save(`/admin/events/${id}/`, { status: 'publish' })
    expect(shown.text).toContain('Part of another event River & sound festival')
    await editor.browser.post(`/admin/publish/?event=${id}`, fieldsIn(shown.html))
    expect(await countConfirmed('applicant')).toBe(1)
  })
})

describe('«Add to the programme»', () => {
  it('opens a new event on the day and at the venue of the whole, without a time', async () => {
    const { browser } = editor
    const { links } = await browser.get(`/admin/events/${festival}/`)
    const address = `${NEW}?part_of=${festival}`
    expect(links).toContain(address)
    const { html, text } = await browser.get(address)
    expect(text).toContain('Part of River & sound festival')
    const form = fieldsIn(html)
    expect(form).toMatchObject({ title: [''], start_date: ['2027-06-10'], start_date_time: [''] })
    const saved = await browser.post(NEW, { ...form, title: 'Opening', start_date_time: '19:30', do: 'save' })
    expect(saved.status).toBe(303)
    const { body } = await send('GET', `/events?post_parent=${festival}&search=opening&start_date=2027-01-01`)
    expect(body.events).toMatchObject([
      { start_date: '2027-06-10 19:30:00', all_day: false, venue: { venue: 'The meadow' } },
    ])
  })

  it('takes over the time of an event that has one', async () => {
    const day = { start_date: '2027-07-01 20:15', end_date: '2027-07-01 22:00' }
    const { id } = await makeEvent(editor.as, { title: 'Evening', ...day })
    const { html } = await editor.browser.get(`${NEW}?part_of=${id}`)
    expect(fieldsIn(html)).toMatchObject({ start_date: ['2027-07-01'], start_date_time: ['20:15'] })
  })

  it('reveals nothing about an event that the user may not read', async () => {
    const secret = await makeEvent(editor.as, {
      title: 'Hidden whole',
      status: 'draft',
      start_date: '2027-08-01 10:00',
      end_date: '2027-08-01 11:00',
    })
    const { html, status } = await contributor.browser.get(`${NEW}?part_of=${secret.id}`)
    expect([status, fieldsIn(html).start_date]).toEqual([200, ['']])
    expect(html).not.toContain('Hidden whole')
  })
})

describe('the programme in the form of an event', () => {
  const formFieldsOf = async (id: number) => fieldsIn((await editor.browser.get(`/admin/events/${id}/`)).html)
  const partsOf = async (id: number) =>
    (
      await send('GET', `/events?post_parent=${id}&start_date=2027-01-01&status=publish,draft,pending`, {
        as: editor.as,
      })
    ).body.events
  const row = (key: string | number, fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [`part.${key}.${name}`, text]))
  const opening = {
    start_date: '2027-09-10',
    start_date_time: '19:30',
    end_date_time: '21:00',
    title: 'Opening',
    room: 'Great hall',
    excerpt: 'With music',
  }
  let fair: number

  beforeAll(async () => {
    const whole = {
      title: 'Book fair',
      venue: { venue: 'Fair hall' },
      categories: ['Books'],
      timezone: 'Europe/Rome',
    }
    fair = (
      await makeEvent(editor.as, { ...whole, start_date: '2027-09-10 10:00', end_date: '2027-09-12 18:00' })
    ).id
  })

  it('gets further rows without scripts, which keep what is typed and go on where the last one ends', async () => {
    const path = `/admin/events/${fair}/`
    const first = await editor.browser.post(path, {
      ...fieldsIn((await editor.browser.get(path)).html),
      title: 'Fair of books',
      do: 'part',
    })
    const key = 'n1'
    expect(fieldsIn(first.html)).toMatchObject({
      title: ['Fair of books'],
      'part.n1.start_date': ['2027-09-10'],
    })
    const second = await editor.browser.post(path, {
      ...fieldsIn(first.html),
      ...row(key, opening),
      do: 'part',
    })
    expect(fieldsIn(second.html)).toMatchObject({
      ...Object.fromEntries(Object.entries(row(key, opening)).map(([name, text]) => [name, [text]])),
      'part.n2.start_date_time': ['21:00'],
      'part.n2.room': ['Great hall'],
    })
    expect(await partsOf(fair)).toEqual([])
  })

  it('is saved with the event, whose place and categories its parts get', async () => {
    const saved = await editor.browser.save(`/admin/events/${fair}/`, {
      ...row('n1', opening),
      ...row('n2', {
        start_date: '2027-09-11',
        start_date_time: '23:00',
        end_date_time: '01:00',
        title: 'Night & day',
      }),
      ...row('n3', { start_date: '2027-09-11', title: '' }),
    })
    expect(saved.text).toContain('The programme is saved.')
    expect(await partsOf(fair)).toMatchObject([
      {
        ...{
          title: 'Opening',
          start_date: '2027-09-10 19:30:00',
          end_date: '2027-09-10 21:00:00',
          room: 'Great hall',
        },
        ...{ excerpt: expect.stringContaining('With music'), timezone: 'Europe/Rome', status: 'publish' },
        ...{ venue: { venue: 'Fair hall' }, categories: [{ name: 'Books' }] },
      },
      {
        title: 'Night & day',
        start_date: '2027-09-11 23:00:00',
        end_date: '2027-09-12 01:00:00',
        room: '',
      },
    ])
  })

  it('changes and removes parts, and leaves alone what nobody touched', async () => {
    const [first, second] = await partsOf(fair)
    await send('PATCH', `/events/${second.id}`, { as: editor.as, json: { description: 'Changed elsewhere' } })
    const path = `/admin/events/${fair}/`
    const moved = { start_date_time: '20:00' }
    await editor.browser.save(path, row(first.id, moved))
    // The end has moved along.
    expect((await partsOf(fair))[0]).toMatchObject({
      start_date: '2027-09-10 20:00:00',
      end_date: '2027-09-10 21:30:00',
      excerpt: first.excerpt,
    })
    const removed = await editor.browser.save(path, row(second.id, { remove: '1' }))
    expect(await partsOf(fair)).toHaveLength(1)
    await editor.browser.submit(undoOf(removed))
    expect(await partsOf(fair)).toHaveLength(2)
  })

  it('loses nothing that is typed if a row is wrong, or somebody else has changed its part', async () => {
    const path = `/admin/events/${fair}/`
    const before = await formFieldsOf(fair)
    const [first] = await partsOf(fair)
    const wrong = await editor.browser.post(path, {
      ...before,
      ...row('n1', { ...opening, start_date_time: '' }),
      cost: '5',
      do: 'save',
    })
    expectPage(wrong, 422, 'Please say at what time')
    expect(fieldsIn(wrong.html)).toMatchObject({ 'part.n1.title': ['Opening'], cost: ['5'] })
    await send('PATCH', `/events/${first.id}`, { as: editor.as, json: { title: 'Grand opening' } })
    const mine = { ...row(first.id, { room: 'Stage' }), ...row('n1', { ...opening, title: 'Party' }) }
    const late = await editor.browser.post(path, { ...before, ...mine, cost: '7', do: 'save' })
    expectPage(
      late,
      422,
      'Somebody else has changed this in the meantime. It is now: Fri, Sep 10, 8:00 PM, Grand opening, Great hall',
    )
    // Nothing of the programme is saved, the event is.
    expect(late.text).toContain('The event itself is saved. Nothing of its programme is saved yet.')
    expect(wrong.text).not.toContain('The event itself is saved')
    expect(await partsOf(fair)).toHaveLength(2)
    expect(fieldsIn(late.html)).toMatchObject({
      [`part.${first.id}.room`]: ['Stage'],
      'part.n1.title': ['Party'],
      cost: ['$7'],
    })
  })

  it('is typed on in the form of a new event that is saved without it', async () => {
    const typed = { title: 'Lone fair', start_date: '2027-10-05', start_date_time: '10:00' }
    const added = { ...opening, start_date: '2027-10-05', room: 'long'.repeat(300) }
    const form = fieldsIn((await editor.browser.get(NEW)).html)
    const refused = await editor.browser.post(NEW, { ...form, ...typed, ...row('n1', added), do: 'save' })
    expectPage(refused, 422, 'The event itself is saved. Nothing of its programme is saved yet.')
    const found = async () => (await send('GET', '/events?search=lone+fair&start_date=2027-01-01')).body
    const { id } = (await found()).events[0]
    expect(refused.html).toContain(`action="/admin/events/${id}/"`)
    expect(await partsOf(id)).toEqual([])
    const mended = { ...fieldsIn(refused.html), ...row('n1', { room: 'Great hall' }), do: 'save' }
    expect((await editor.browser.submit(`/admin/events/${id}/`, mended)).text).toContain(
      'The programme is saved.',
    )
    expect((await found()).total).toBe(1)
    expect(await partsOf(id)).toMatchObject([{ title: 'Opening', room: 'Great hall' }])
  })

  it('belongs to a new event as well, and keeps parts out of lists if that is wanted', async () => {
    const typed = { title: 'Small fair', start_date: '2027-10-01', start_date_time: '10:00', status: 'draft' }
    const form = fieldsIn((await editor.browser.get(NEW)).html)
    const saved = await editor.browser.submit(NEW, {
      ...form,
      ...typed,
      ...row('n1', { ...opening, start_date: '2027-10-01' }),
      parts_only_here: '1',
      do: 'save',
    })
    expect(saved.status).toBe(200)
    const { body } = await send('GET', '/events?search=small+fair&status=draft', { as: editor.as })
    const { id } = body.events[0]
    const own = Object.keys(fieldsIn(saved.html)).flatMap(
      name => /^part\.(\d+)\.title$/.exec(name)?.[1] ?? [],
    )
    const partNow = async () => (await send('GET', `/events/${own[0]}`, { as: editor.as })).body
    expect(await partNow()).toMatchObject({ title: 'Opening', status: 'draft', hide_from_listings: true })
    // Publishing the whole shows its parts, too, and publishes them together.
    const shown = await editor.browser.save(`/admin/events/${id}/`, { status: 'publish' })
    expect(shown.text).toContain('With music')
    expect((await confirmPublishing(editor.browser, shown)).status).toBe(200)
    expect(await partNow()).toMatchObject({ status: 'publish' })
  })

  it('is made once, even if the form of its new event is sent twice', async () => {
    const form = {
      ...fieldsIn((await editor.browser.get(NEW)).html),
      ...{ title: 'Twice a fair', start_date: '2027-10-02', start_date_time: '10:00', status: 'draft' },
      ...row('n1', { ...opening, start_date: '2027-10-02' }),
      do: 'save',
    }
    const submitForm = async (path: string, sent: Record<string, string>) =>
      expect((await editor.browser.submit(path, sent)).status).toBe(200)
    await submitForm(NEW, form)
    await submitForm(NEW, form)
    const { body } = await send('GET', '/events?search=twice+a+fair&status=draft', { as: editor.as })
    expect(body.total).toBe(1)
    const { id } = body.events[0]
    expect(await partsOf(id)).toHaveLength(1)
    // Neither is what is added later, but what is typed after going back is.
    const path = `/admin/events/${id}/`
    const stored = { ...fieldsIn((await editor.browser.get(path)).html), do: 'save' }
    const dance = row('n5', { ...opening, title: 'Dance', start_date: '2027-10-02' })
    await submitForm(path, { ...stored, ...dance })
    await submitForm(path, { ...stored, ...dance })
    expect(await partsOf(id)).toHaveLength(2)
    await submitForm(path, {
      ...stored,
      ...row('n5', { ...opening, title: 'Songs', start_date: '2027-10-02' }),
    })
    expect(await partsOf(id)).toHaveLength(3)
  })

  it('is made by contributors within their rights', async () => {
    const own = await makeEvent(contributor.as, {
      title: 'Own fair',
      start_date: '2027-10-02 10:00',
      end_date: '2027-10-02 12:00',
    })
    await makeEvent(editor.as, {
      title: 'Theirs',
      start_date: '2027-10-02 10:30',
      end_date: '2027-10-02 11:00',
      post_parent: own.id,
    })
    const path = `/admin/events/${own.id}/`
    await contributor.browser.save(path, row('n1', { ...opening, start_date: '2027-10-02' }))
    const shown = await contributor.browser.get(path)
    expect(shown.text).toContain('Theirs')
    expect(shown.html).not.toContain('value="Theirs"')
    const { body } = await send('GET', `/events?post_parent=${own.id}&start_date=2027-01-01&status=draft`, {
      as: editor.as,
    })
    expect(body.events).toMatchObject([{ title: 'Opening', status: 'draft' }])
    // The part leads to the whole, and lists name it.
    const list = await contributor.browser.get('/admin/events/?view=draft')
    expect(list.text).toMatch(/Opening Sat, Oct 2 2027, 7:30 PM Draft Part of Own fair/)
    expect((await contributor.browser.get(`/admin/events/${body.events[0].id}/`)).html).toContain(
      `Part of <a href="${path}">Own fair</a>`,
    )
  })

  it('is copied with the event, as drafts that are published together', async () => {
    const { browser } = editor
    const copy = await browser.submit(`/admin/events/${fair}/duplicate/`, { key: crypto.randomUUID() })
    expect(copy.text).toContain('2 items are not public yet. Publish with a preview')
    const [, id] = /action="\/admin\/events\/(\d+)\/duplicate\/"/.exec(copy.html) ?? []
    const shown = await browser.save(`/admin/events/${id}/`, { status: 'publish' })
    await confirmPublishing(browser, shown)
    const { body } = await send('GET', `/events?post_parent=${id}&start_date=2027-01-01`)
    expect(body.total).toBe(2)
  })

  describe('moves and is cancelled with the event if that is wanted', () => {
    let path: string
    let id: number
    const starts = async () =>
      (await partsOf(id)).map((part: Record<string, string>) =>
        [part.start_date, part.event_status].join(' '),
      )
    const answer = async (change: Record<string, string>, follow: string) => {
      const asked = await editor.browser.save(path, change)
      expect(asked.text).toContain('What should happen to the programme? The programme has 2 items.')
      const form =
        /<form method="post" action="[^"]*" class="stack"[\s\S]*?<\/form>/.exec(asked.html)?.[0] ?? ''
      return editor.browser.submit(path, { ...fieldsIn(form), parts_follow: follow, do: 'save' })
    }

    beforeAll(async () => {
      const whole = { title: 'Moving fair', start_date: '2027-12-01 10:00', end_date: '2027-12-02 18:00' }
      id = (await makeEvent(editor.as, whole)).id
      path = `/admin/events/${id}/`
      for (const day of ['01', '02']) {
        const when = { start_date: `2027-12-${day} 19:00`, end_date: `2027-12-${day} 20:00` }
        await makeEvent(editor.as, { title: `Part ${day}`, ...when, post_parent: id })
      }
    })

    it('moves by days, with what is typed, and all of it is undone at once', async () => {
      const before = await starts()
      const saved = await answer({ start_date: '2027-12-08', cost: '5' }, '1')
      const moved = ['2027-12-08 19:00:00 scheduled', '2027-12-09 19:00:00 scheduled']
      expect(await starts()).toEqual(moved)
      await editor.browser.submit(undoOf(saved))
      expect(await starts()).toEqual(before)
      expect((await send('GET', `/events/${id}`)).body).toMatchObject({
        start_date: '2027-12-01 10:00:00',
        cost: '',
      })
    })

    it('stays where it is otherwise', async () => {
      const before = await starts()
      await answer({ start_date: '2027-11-30' }, '0')
      expect(await starts()).toEqual(before)
    })

    it('moves and is cancelled by the button as well', async () => {
      const bulk = '/admin/events/bulk/'
      const asked = await editor.browser.post(bulk, {
        id: String(id),
        back: path,
        reason: 'Storm',
        do: 'cancel',
      })
      expect(asked.text).toContain('They are cancelled as well')
      const form =
        /<form method="post" action="\/admin\/events\/bulk\/" class="stack"[\s\S]*?<\/form>/.exec(
          asked.html,
        )?.[0] ?? ''
      await editor.browser.submit(bulk, { ...fieldsIn(form), do: 'cancel' })
      expect((await starts()).join()).toMatch(/canceled,.*canceled$/)
      expect((await partsOf(id))[0]).toMatchObject({ event_status_reason: 'Storm' })
      await answer({ event_status: 'scheduled' }, '1')
      expect((await starts()).join()).toMatch(/scheduled,.*scheduled$/)
    })
  })

  describe('goes to the trash with the event if that is wanted', () => {
    const bulk = '/admin/events/bulk/'
    const make = async (title: string) => {
      const day = { start_date: '2027-12-20 10:00', end_date: '2027-12-20 18:00' }
      const { id } = await makeEvent(editor.as, { title, ...day })
      const part = await makeEvent(editor.as, { title: `Part of ${title}`, ...day, post_parent: id })
      return { id, part: part.id }
    }
    const statusOf = (id: number) => queryValue('SELECT status FROM events WHERE id = ?', id)

    it.each([
      ['form', '1', 'trash'],
      ['form', '0', 'publish'],
      ['list', '1', 'trash'],
      ['list', '0', 'publish'],
    ])('by the %s, with the answer %s: its part is %s', async (from, follow, status) => {
      const { id, part } = await make(`Trashed by ${from} ${follow}`)
      const asked =
        from === 'form'
          ? await editor.browser.post(`/admin/events/${id}/trash/`)
          : await editor.browser.post(bulk, { id: String(id), do: 'toTrash' })
      expect(asked.text).toContain('They go to the trash as well')
      expect(await statusOf(id)).toBe('publish')
      const form =
        /<form method="post" action="\/admin\/events\/bulk\/" class="stack"[\s\S]*?<\/form>/.exec(
          asked.html,
        )?.[0] ?? ''
      const answered = { ...fieldsIn(form), parts_follow: follow, do: 'toTrash' }
      const trashed = await editor.browser.submit(bulk, answered)
      expect([await statusOf(id), await statusOf(part)]).toEqual(['trash', status])
      await editor.browser.submit(undoOf(trashed))
      expect([await statusOf(id), await statusOf(part)]).toEqual(['publish', 'publish'])
    })

    it('also with a later date of a series, whose row in the list stands for all dates', async () => {
      const day = { start_date: '2027-12-21 10:00', end_date: '2027-12-21 18:00' }
      const { id, series } = await makeEvent(editor.as, {
        title: 'Weekly',
        ...day,
        recurrence: 'FREQ=WEEKLY;COUNT=3',
      })
      const last = await queryValue('SELECT max(id) FROM events WHERE series_id = ?', series.id)
      const part = await makeEvent(editor.as, { title: 'Part of the last', ...day, post_parent: last })
      const sent = { id: String(id), dates: `${id}-3`, do: 'toTrash' }
      const asked = await editor.browser.post(bulk, sent)
      expect(asked.text).toContain('The programme has one item.')
      await editor.browser.submit(bulk, { ...sent, parts_follow: '1' })
      expect({
        firstDate: await statusOf(id),
        lastDate: await statusOf(Number(last)),
        part: await statusOf(part.id),
      }).toEqual({ firstDate: 'trash', lastDate: 'trash', part: 'trash' })
      // Nothing is asked about a series without parts.
      const { id: single } = await makeEvent(editor.as, {
        title: 'Alone',
        ...day,
        recurrence: 'FREQ=WEEKLY;COUNT=2',
      })
      expect((await editor.browser.post(bulk, { id: String(single), do: 'cancel' })).status).toBe(303)
    })

    it.each([
      ['this', ['publish', 'trash', 'publish'], 1],
      ['following', ['publish', 'trash', 'trash'], 2],
      ['all', ['trash', 'trash', 'trash'], 3],
    ])('from the form of a date, with the parts of the dates that go: %s', async (scope, expected, n) => {
      const day = { start_date: '2027-12-22 10:00', end_date: '2027-12-22 18:00' }
      const title = `Series ${scope}`
      const { series } = await makeEvent(editor.as, { title, ...day, recurrence: 'FREQ=WEEKLY;COUNT=3' })
      const dates = (
        await query('SELECT id FROM events WHERE series_id = ? ORDER BY occurrence_date', series.id)
      ).map(row => Number(row.id))
      const parts = []
      for (const id of dates)
        parts.push((await makeEvent(editor.as, { title: `Part of ${id}`, ...day, post_parent: id })).id)
      const path = `/admin/events/${dates[1]}/trash/`
      // Which dates are meant is asked first.
      expect((await editor.browser.post(path)).html).toContain('name="scope"')
      const asked = await editor.browser.post(path, { scope })
      expect(asked.text).toContain(n === 1 ? 'The programme has one item.' : `The programme has ${n} items.`)
      const form =
        /<form method="post" action="\/admin\/events\/bulk\/" class="stack"[\s\S]*?<\/form>/.exec(
          asked.html,
        )?.[0] ?? ''
      const trashed = await editor.browser.submit(bulk, { ...fieldsIn(form), do: 'toTrash' })
      const statuses = (ids: readonly number[]) => Promise.all(ids.map(statusOf))
      expect([await statuses(dates), await statuses(parts)]).toEqual([expected, expected])
      expect(trashed.text).toMatch(new RegExp(`(?<!\\d)${2 * n} events moved to the trash`))
      await editor.browser.submit(undoOf(trashed))
      const all = ['publish', 'publish', 'publish']
      expect([await statuses(dates), await statuses(parts)]).toEqual([all, all])
    })

    it('nothing is asked about what belongs to somebody else', async () => {
      const own = await makeEvent(author.as, { title: 'Own whole' })
      await makeEvent(editor.as, { title: 'Not theirs', post_parent: own.id })
      expect((await author.browser.post(`/admin/events/${own.id}/trash/`)).status).toBe(303)
    })
  })

  it('may have two hundred parts', async () => {
    const whole = await makeEvent(editor.as, {
      title: 'Congress',
      start_date: '2027-11-01 09:00',
      end_date: '2027-11-03 18:00',
    })
    const rows = Array.from({ length: 200 }, (_, i) =>
      row(`n${i + 1}`, {
        start_date: '2027-11-01',
        start_date_time: `${10 + (i % 9)}:00`,
        title: `Talk ${i}`,
        room: `Room ${i % 20}`,
      }),
    )
    const path = `/admin/events/${whole.id}/`
    const saved = await editor.browser.save(path, Object.assign({}, ...rows))
    expect(saved.status).toBe(200)
    expect(saved.text).toContain('200 items')
    const form = fieldsIn(saved.html)
    const inputs = Object.keys(form).filter(name => /^part\.\d+\.title$/.test(name))
    expect(inputs).toHaveLength(200)
    // All of them move at once.
    const later = inputs.map(name => row(name.split('.')[1] ?? '', { start_date: '2027-11-02' }))
    expect(
      (await editor.browser.submit(path, { ...form, ...Object.assign({}, ...later), do: 'save' })).status,
    ).toBe(200)
    const { body } = await send('GET', `/events?post_parent=${whole.id}&start_date=2027-11-02`)
    expect(body.total).toBe(200)
  })

  it('of long texts is shown from its beginning, so that its form can be sent back', async () => {
    const when = { start_date: '2027-11-01 09:00', end_date: '2027-11-03 18:00' }
    const whole = await makeEvent(editor.as, { title: 'Anthology', ...when })
    const excerpt = '"'.repeat(19_900)
    const parts = Array.from({ length: 40 }, (_, i) => ({ title: `Tale ${i}`, excerpt, ...when }))
    await makeAll(
      editor.as,
      'events',
      parts.map(part => ({ ...part, post_parent: whole.id })),
    )
    const path = `/admin/events/${whole.id}/`
    const { html, text } = await editor.browser.get(path)
    expect(html.length).toBeLessThan(5_000_000)
    expect(text).toContain('Only the first 25 items are shown here.')
    // Those that are not shown stay as they are.
    const saved = await editor.browser.save(path, { title: 'Anthologies' })
    expect(saved.status).toBe(200)
    const { body } = await send('GET', `/events?post_parent=${whole.id}&start_date=2027-11-01`)
    expect(body.total).toBe(40)
  })
})
