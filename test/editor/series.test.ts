import { describe, expect, it } from 'vitest'
import { makeEvent, query, send } from '../factories.ts'
import { expectPage, textOf } from '../site/pages/page.ts'
import { fieldsIn, undoOf } from './forms.ts'
import { signedIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')

const TUESDAY = { start_date: '2027-06-08 20:00:00', end_date: '2027-06-08 22:00:00' }
const makeSeries = (rrule: string, fields: object = {}, as = editor) =>
  makeEvent(as.as, { title: 'Class', ...TUESDAY, recurrence: { rrule }, ...fields })

const occurrences = async (id: number) => {
  const { body } = await send('GET', `/events?series=${id}&start_date=2000-01-01&per_page=100`, {
    as: editor.as,
  })
  return body.events
}
/** The starts of all events outside the trash with this id or a later one. */
async function live(from: number): Promise<Map<number, string>> {
  const results = await query<{ id: number; start_date: string }>(
    `SELECT id, start_date FROM events WHERE id >= ? AND status <> 'trash' ORDER BY id`,
    from,
  )
  return new Map(results.map(({ id, start_date }) => [id, start_date]))
}

const startsOf = async (id: number) =>
  (await occurrences(id)).map((event: { start_date: string }) => event.start_date)

const path = (id: number) => `/admin/events/${id}/`
/** The fields of the form of an event, as a browser sends them, with some of them changed. */
const formOf = async (id: number, change: Record<string, string | string[]>, { browser } = editor) => ({
  ...fieldsIn((await browser.get(path(id))).html),
  ...change,
})

describe('a series in the form of events', () => {
  it('is made from the controls', async () => {
    const { browser } = editor
    const saved = await browser.save('/admin/events/new/', {
      title: 'Session',
      start_date: '2027-06-08',
      start_date_time: '20:00',
      recurrence: 'month-nth',
      recurrence_end: 'after',
      recurrence_count: '3',
      recurrence_not: ['2027-07-13', ''],
    })
    expect(saved.status).toBe(200)
    const { body } = await send('GET', '/events?search=session&start_date=2027-01-01', { as: editor.as })
    expect(body.events.map((event: { start_date: string }) => event.start_date)).toEqual([
      '2027-06-08 20:00:00',
      '2027-08-10 20:00:00',
      '2027-09-14 20:00:00',
    ])
    // The number in the form is of dates that take place.
    expect(body.events[0].series.recurrence).toEqual({
      rrule: 'FREQ=MONTHLY;COUNT=4;BYDAY=2TU',
      rdate: [],
      exdate: ['2027-07-13 20:00:00'],
    })
    const { html } = await browser.get(path(body.events[1].id))
    expect(html).toContain('<option value="month-nth" selected>')
    expect(fieldsIn(html)).toMatchObject({ recurrence_end: ['after'], recurrence_count: ['3'] })
    expect(html).toContain('type="checkbox" name="recurrence_not" value="2027-07-13" checked')
  })

  it('changes only the edited date if all others already have the value', async () => {
    const { id } = await makeSeries('FREQ=WEEKLY;COUNT=3')
    const [, second] = await occurrences((await send('GET', `/events/${id}`)).body.series.id)
    await send('PATCH', `/events/${second.id}`, { as: editor.as, json: { title: 'Party' } })
    const { text } = await editor.browser.post(path(second.id), await formOf(second.id, { title: 'Class' }))
    expect(text).toContain('Which dates does this apply to?')
    expect(text).toContain('All dates of the series 1 date gets the change.')
    expect(text).not.toContain('Go to the trash')
  })

  it('updates the dates without scripts, and keeps the input', async () => {
    const { html, text } = await editor.browser.save('/admin/events/new/', {
      title: 'Half typed',
      start_date: '2027-06-08',
      start_date_time: '20:00',
      recurrence: 'weekly',
      do: 'edit',
    })
    expect(text).toContain('Every Tuesday')
    expect(text).toContain('Tuesday, June 15, 2027')
    expect(html).toContain('value="Half typed"')
  })

  it('says what is wrong with its rule at the field', async () => {
    const { status, html } = await editor.browser.save('/admin/events/new/', {
      title: 'Session',
      start_date: '2027-06-08',
      start_date_time: '20:00',
      recurrence: 'own',
      recurrence_interval: '0',
    })
    expect(status).toBe(422)
    expect(html).toContain('id="f-recurrence-error"')
  })
})

describe('a change of one date', () => {
  it('asks which dates it is for, preselects the fewest, and keeps the input', async () => {
    const { id } = await makeSeries('FREQ=WEEKLY;COUNT=5')
    const form = await formOf(id, { title: 'Class <b>&</b> "more"', cost: '5' })
    const asked = await editor.browser.post(path(id), form)
    expectPage(asked, 200, 'Which dates does this apply to?')
    expect(asked.text).not.toContain('This and all following')
    expect(asked.text).toContain('5 dates get the change.')
    expect(asked.html).toMatch(/value="this"[^>]* checked/)
    const carried = fieldsIn(asked.html)
    for (const [name, value] of Object.entries(form))
      if (!['do', 'key'].includes(name)) expect(carried[name], name).toEqual([value].flat())
    expect((await occurrences((await send('GET', `/events/${id}`)).body.series.id))[0].title).toBe('Class')

    const back = await editor.browser.post(path(id), { ...carried, do: 'edit' })
    expect(back.html).toContain('value="Class &lt;b&gt;&amp;&lt;/b&gt; &quot;more&quot;"')

    const saved = await editor.browser.submit(path(id), { ...carried, scope: 'all', do: 'save' })
    expect(saved.text).toContain('Saved')
    const all = await occurrences((await send('GET', `/events/${id}`)).body.series.id)
    expect(all.map((event: { cost: string }) => event.cost)).toEqual(Array(5).fill('$5'))
  })

  it('can be for that date alone', async () => {
    const { id, series: head } = await makeSeries('FREQ=WEEKLY;COUNT=3')
    const asked = await editor.browser.post(path(id), await formOf(id, { title: 'Only here' }))
    await editor.browser.submit(path(id), { ...fieldsIn(asked.html), scope: 'this' })
    expect((await occurrences(head.id)).map((event: { title: string }) => event.title)).toEqual([
      'Only here',
      'Class',
      'Class',
    ])
    // The next question mentions it.
    const other = (await occurrences(head.id))[1].id
    const { text } = await editor.browser.post(path(other), await formOf(other, { title: 'Everywhere' }))
    expect(text).toMatch(/Keep their own changes \(1\) Tuesday, June 8, 2027, 8:00 PM \(Title\)/)
  })

  it('moves that date alone to another day, and leaves the rule as it is', async () => {
    const { id, series: head } = await makeSeries('FREQ=MONTHLY;BYDAY=2TU;COUNT=3', {
      start_date: '2027-06-08 20:00:00',
      end_date: '2027-06-08 21:00:00',
    })
    const before = await startsOf(head.id)
    const asked = await editor.browser.post(path(id), await formOf(id, { start_date: '2027-06-10' }))
    expect(asked.html).toMatch(/value="this"[^>]* checked/)
    expect(asked.html).toContain('value="all"')
    await editor.browser.submit(path(id), { ...fieldsIn(asked.html), scope: 'this' })
    expect(await startsOf(head.id)).toEqual(['2027-06-10 20:00:00', ...before.slice(1)])
    const { body } = await send('GET', `/events/${id}`)
    expect(body.series.recurrence.rrule).toBe('FREQ=MONTHLY;COUNT=3;BYDAY=2TU')
    // The title of dates with a time of their own is still that of the series.
    const [, second, third] = await occurrences(head.id)
    const json = { start_date: '2027-08-11 20:00:00', end_date: '2027-08-11 21:00:00' }
    await send('PATCH', `/events/${third.id}`, { as: editor.as, json })
    const titled = await editor.browser.post(
      path(second.id),
      await formOf(second.id, { title: 'Everywhere' }),
    )
    expect(titled.html).toContain('value="following"')
    expect(titled.text).not.toContain('Keep their own changes')
    // A change of the rule cannot be for one date alone.
    const ruled = await editor.browser.post(path(id), await formOf(id, { recurrence: 'weekly' }))
    expect(ruled.html).toMatch(/value="this"[^>]* disabled/)
    expect(ruled.text).toContain('can’t apply to a single date')
  })

  it('needs no question if nothing changes or the event does not repeat', async () => {
    const { id } = await makeSeries('FREQ=WEEKLY;COUNT=3')
    expect((await editor.browser.post(path(id), await formOf(id, {}))).status).toBe(303)
    const single = await makeEvent(editor.as, TUESDAY)
    expect(
      (await editor.browser.post(path(single.id), await formOf(single.id, { title: 'Other' }))).status,
    ).toBe(303)
  })
})

describe('a change from a date with values of its own', () => {
  /** A series whose third date was moved, with another title. */
  async function moved() {
    const { series: head } = await makeSeries('FREQ=WEEKLY;BYDAY=TU;COUNT=5')
    const third: number = (await occurrences(head.id))[2].id
    const json = { title: 'Party', start_date: '2027-06-23 17:00', end_date: '2027-06-23 19:00' }
    await send('PATCH', `/events/${third}`, { as: editor.as, json })
    return third
  }
  const save = async (id: number, scope: string, change: Record<string, string | string[]>) => {
    const asked = await editor.browser.post(path(id), await formOf(id, change))
    expectPage(asked, 200, 'Which dates does this apply to?')
    const saved = await editor.browser.submit(path(id), { ...fieldsIn(asked.html), scope })
    expect(saved.text).toContain('Saved')
    const { body } = await send('GET', `/events/${id}`)
    return (await occurrences(body.series.id)).map(
      ({ title, start_date }: Record<string, string>) => `${title} ${start_date?.slice(5, 16)}`,
    )
  }

  it('leaves these with that date', async () => {
    expect(await save(await moved(), 'following', { start_date_time: '16:30' })).toEqual([
      'Party 06-23 16:30',
      'Class 06-29 16:30',
      'Class 07-06 16:30',
    ])
    // Its rule names Tuesdays: a day later than before is a Wednesday, and no Thursday.
    expect(await save(await moved(), 'following', { start_date: '2027-06-24' })).toEqual([
      'Party 06-24 17:00',
      'Class 06-30 20:00',
      'Class 07-07 20:00',
    ])
  })

  it('gives them to the others if they are ticked', async () => {
    const id = await moved()
    const { html } = await editor.browser.get(path(id))
    expect(html).toContain('Use for the following dates as well')
    expect(html.match(/type="checkbox" name="spread"/g)).toHaveLength(2)
    expect(await save(id, 'following', { spread: ['title'] })).toEqual([
      'Party 06-23 17:00',
      'Party 06-29 20:00',
      'Party 07-06 20:00',
    ])
    expect(await save(id, 'following', { spread: ['start_date'] })).toEqual([
      'Party 06-23 17:00',
      'Party 06-30 17:00',
      'Party 07-07 17:00',
    ])
    const plain = await editor.browser.get(path(id))
    expect(plain.html).not.toContain('name="spread')
  })

  it('names each date by the day on which it is, before and after', async () => {
    const asks = async (id: number, change: Record<string, string>) =>
      (await editor.browser.post(path(id), await formOf(id, change))).html
    const of = (html: string, scope: string) =>
      textOf(html.split(`id="scope-${scope}-does"`)[1]?.split('</div></div>')[0] ?? '')
    const third = await moved()
    const { body } = await send('GET', `/events/${third}`)
    const [first] = await occurrences(body.series.id)
    // The date that was moved by a day, from Tuesday.
    const later = of(await asks(first.id, { start_date_time: '19:30' }), 'all')
    expect(later).toContain('Moved (4) Tuesday, June 8, 2027, 8:00 PM → 7:30 PM')
    expect(later).toContain('Wednesday, June 23, 2027, 5:00 PM (Start')
    expect(later).not.toContain('June 22')
    // Its own move is one of those that the choice names.
    const own = of(await asks(third, { start_date_time: '16:30' }), 'all')
    expect(own).toContain('5 dates')
    expect(own).toContain('Moved (5)')
    expect(own).toContain('Wednesday, June 23, 2027, 5:00 PM → 4:30 PM')
    const trash = (await editor.browser.post(`${path(third)}trash/`)).html
    expect(of(trash, 'this')).toContain('Go to the trash (1) Wednesday, June 23, 2027, 5:00 PM')
    expect(of(trash, 'all')).not.toContain('June 22')
  })

  it('names no hour of whole days, and the one that they get', async () => {
    const { id } = await makeSeries('FREQ=WEEKLY;COUNT=2', { all_day: true })
    const form = await formOf(id, { start_date_time: '18:00', end_date_time: '19:00' })
    const { all_day: _, ...timed } = form
    const { html } = await editor.browser.post(path(id), timed)
    const said = textOf(html.split('id="scope-all-does"')[1]?.split('</div></div>')[0] ?? '')
    expect(said).toContain('Moved (2) Tuesday, June 8, 2027 → 6:00 PM Tuesday, June 15, 2027 → 6:00 PM')
    await editor.browser.submit(path(id), { ...fieldsIn(html), scope: 'all' })
    const back = await formOf(id, { all_day: 'true' })
    const again = (await editor.browser.post(path(id), back)).html
    expect(textOf(again)).toContain('Tuesday, June 8, 2027, 6:00 PM → Tuesday, June 8, 2027 ')
  })

  it('cancels all dates as a bulk action, too', async () => {
    const { id, series: head } = await makeSeries('FREQ=WEEKLY;COUNT=3')
    const json = { event_status: 'canceled' }
    await send('PATCH', `/events/${id}`, { as: editor.as, json })
    const body = { id: `${id}`, dates: `${id}-3`, do: 'cancel', reason: 'Rain' }
    const asked = await editor.browser.post('/admin/events/bulk/', body)
    expectPage(asked, 200, 'For all of these dates?', 'Your selection covers 3 dates.')
    expect((await occurrences(head.id))[1].event_status).toBe('scheduled')
    const form = asked.html.slice(asked.html.indexOf('class="stack"'))
    const done = await editor.browser.post('/admin/events/bulk/', { ...fieldsIn(form), do: 'cancel' })
    expect(done.status).toBe(303)
    const all = await occurrences(head.id)
    expect(all.map((event: { event_status: string }) => event.event_status)).toEqual(
      Array(3).fill('canceled'),
    )
  })
})

describe('a change of the rule', () => {
  it('announces exactly the dates that are made, moved and dropped', async () => {
    const first = await makeSeries('FREQ=WEEKLY;COUNT=6')
    const all = await occurrences(first.series.id)
    const third = all[2].id
    // Every other week from here on, and a day later.
    const form = await formOf(third, {
      start_date: '2027-06-23',
      recurrence: 'own',
      recurrence_interval: '2',
      recurrence_unit: 'week',
      recurrence_days: ['WE'],
    })
    const asked = await editor.browser.post(path(third), form)
    expect(asked.html).toMatch(/value="this"[^>]* disabled/)
    const [, following = '', whole = ''] = asked.text.split(
      /This and all following dates|All dates of the series/,
    )
    expect(following).toContain('The dates before this one stay as they are')
    expect(following).toMatch(/Moved \(2\) Tuesday, June 22, 2027, 8:00 PM → Wednesday, June 23, 2027/)
    expect(following).toMatch(/Go to the trash \(2\) Tuesday, June 29, 2027, 8:00 PM Tuesday, July 13/)
    expect(following).toMatch(/New \(2\) Wednesday, July 21, 2027, 8:00 PM Wednesday, August 4/)
    expect(whole).toMatch(/Moved \(3\)/)

    await editor.browser.submit(path(third), { ...fieldsIn(asked.html), scope: 'following' })
    expect(await startsOf(first.series.id)).toEqual(['2027-06-08 20:00:00', '2027-06-15 20:00:00'])
    const { body } = await send('GET', `/events/${third}`)
    expect(await startsOf(body.series.id)).toEqual([
      '2027-06-23 20:00:00',
      '2027-07-07 20:00:00',
      '2027-07-21 20:00:00',
      '2027-08-04 20:00:00',
    ])
  })

  it('is not made if a fortnightly series moves to another weekday, with the dates left out', async () => {
    const { id } = await makeSeries('', {
      recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4', exdate: ['2027-06-22'] },
    })
    const form = await formOf(id, { start_date: '2027-06-09' })
    // The box still says Tuesday, which nobody has chosen.
    expect(form).toMatchObject({ recurrence: ['own'], recurrence_days: ['TU'] })
    const asked = await editor.browser.post(path(id), form)
    expect(asked.text).toContain('Moved (3) Tuesday, June 8, 2027, 8:00 PM → Wednesday, June 9, 2027')
    expect(asked.text).not.toContain('Go to the trash')
    await editor.browser.submit(path(id), { ...fieldsIn(asked.html), scope: 'all' })
    const { body } = await send('GET', `/events/${id}`)
    expect(await startsOf(body.series.id)).toEqual([
      '2027-06-09 20:00:00',
      '2027-07-07 20:00:00',
      '2027-07-21 20:00:00',
    ])
  })

  it.each(['FREQ=WEEKLY;COUNT=8', 'FREQ=MONTHLY;BYDAY=2TU;COUNT=5'])(
    'of %s has the announced effects, for following dates and for all',
    async rrule => {
      const changes = [
        { recurrence_end: 'after', recurrence_count: '3' },
        { recurrence_end: 'after', recurrence_count: '15' },
        { recurrence: 'month-date', recurrence_end: 'after', recurrence_count: '4' },
        { start_date_time: '18:30' },
        { cost: '5', recurrence_not: ['2027-06-15', '2027-06-16'] },
        { recurrence: '' },
      ]
      for (const change of changes)
        for (const scope of rrule.includes('WEEKLY') ? ['following', 'all'] : ['following']) {
          const { id } = await makeSeries(rrule)
          const known = await live(id)
          const at = scope === 'all' ? id : [...known.keys()][1]
          if (at === undefined) throw new Error('There is one date only.')
          const asked = await editor.browser.post(path(at), await formOf(at, change))
          if (!asked.html.includes(`id="scope-${scope}"`)) throw new Error(asked.text)
          const said = asked.html.split(`id="scope-${scope}-does"`)[1]?.split('</div></div>')[0] ?? ''
          const count = (word: string) => Number(said.match(new RegExp(`${word} \\((\\d+)\\)`))?.[1] ?? 0)
          const done = await editor.browser.post(path(at), { ...fieldsIn(asked.html), scope })
          expect(done.status, done.text).toBe(303)
          const left = await live(id)
          const made = [...left.keys()].filter(id => !known.has(id))
          const dropped = [...known.keys()].filter(id => !left.has(id))
          const moved = [...known].filter(([id, start]) => left.has(id) && left.get(id) !== start)
          expect(
            {
              made: count('New'),
              back: count('Back from the trash'),
              dropped: count('Go to the trash'),
              moved: count('Moved'),
            },
            JSON.stringify({ change, scope }),
          ).toEqual({ made: made.length, back: 0, dropped: dropped.length, moved: moved.length })
        }
    },
  )
})

describe('a date that goes to the trash', () => {
  it.each(['this', 'following', 'all'])(
    'needs a choice, with exactly the announced effects of %s',
    async scope => {
      const { id } = await makeSeries('FREQ=WEEKLY;COUNT=5')
      const known = [...(await live(id)).keys()]
      const at = known[1] ?? 0
      const asked = await editor.browser.post(`${path(at)}trash/`)
      expect(asked.text).toContain('Nothing is in the trash yet.')
      expect(asked.html).toMatch(/value="this"[^>]* checked/)
      const said = asked.html.split(`id="scope-${scope}-does"`)[1]?.split('</div></div>')[0] ?? ''
      const left = known.length - Number(said.match(/Go to the trash \((\d+)\)/)?.[1])
      expect((await editor.browser.post(`${path(at)}trash/`, { scope })).status).toBe(303)
      expect([...(await live(id)).keys()]).toHaveLength(left)
    },
  )

  it('needs no question without a series, and none reaches users who may not delete it', async () => {
    const { id } = await makeEvent(editor.as, TUESDAY)
    expect((await editor.browser.post(`${path(id)}trash/`)).status).toBe(303)
    const { id: other } = await makeSeries('FREQ=WEEKLY;COUNT=3', { title: 'Surprise', status: 'draft' })
    const { text } = await author.browser.post(`${path(other)}trash/`)
    expect(text).not.toContain('Surprise')
    expect((await live(other)).size).toBe(3)
  })
})

describe('users without the right', () => {
  it('to all dates are offered only their own', async () => {
    const { series: head } = await makeSeries('FREQ=WEEKLY;COUNT=3', {}, author)
    const [first, second] = await occurrences(head.id)
    await send('PATCH', `/events/${second.id}`, { as: editor.as, json: { author: editor.id } })
    const { text, html } = await author.browser.post(
      path(first.id),
      await formOf(first.id, { title: 'Mine' }, author),
    )
    expect(text).toContain('Not possible: some of these dates belong to other people.')
    expect(html).toMatch(/value="all"[^>]* disabled/)
  })

  it('to edit the event learn nothing about it', async () => {
    const { id } = await makeSeries('FREQ=WEEKLY;COUNT=3', { title: 'Surprise', status: 'draft' })
    const form = await formOf(id, { title: 'Mine' })
    const { text, status } = await author.browser.post(path(id), form)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).not.toContain('Surprise')
    expect(text).not.toContain('dates get')
  })

  it('and users with it are not asked before a conflict with another change is resolved', async () => {
    const { id } = await makeSeries('FREQ=WEEKLY;COUNT=3')
    const form = await formOf(id, { title: 'Mine' })
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { title: 'Theirs' } })
    const { status, text } = await editor.browser.post(path(id), form)
    expect(status).toBe(412)
    expect(text).toContain('Theirs')
  })
})

describe('the dates in the form of a series', () => {
  const listed = (html: string) =>
    textOf(/<fieldset class="series-dates">.*?<\/ol>/s.exec(html)?.[0] ?? '').replaceAll(
      / Leave out: [^0-9]* \d+, \d{4}, [\d:]+ [AP]M/g,
      ';',
    )
  const course = async () => {
    const {
      id,
      series: { id: of },
    } = await makeSeries('FREQ=WEEKLY;COUNT=14')
    return { id, of, dates: await occurrences(of) }
  }

  it('are the next ten with their changes, each with its form, and all of them if that is wanted', async () => {
    const { id, dates } = await course()
    const change = (i: number, json: object) =>
      send('PATCH', `/events/${dates[i].id}`, { as: editor.as, json })
    await change(1, { start_date: '2027-06-16 18:00:00', end_date: '2027-06-16 20:00:00' })
    await change(2, { event_status: 'canceled' })
    await change(3, { venue: { venue: 'Other hall' }, cost: '5' })
    const { html, links } = await editor.browser.get(path(id))
    expect(listed(html)).toContain('Tuesday, June 15, 2027, 8:00 PM Moved to Wed, Jun 16, 6:00 PM')
    expect(listed(html)).toContain('Tuesday, June 22, 2027, 8:00 PM Cancelled')
    expect(listed(html)).toMatch(/June 29, 2027, 8:00 PM (Price, Venue|Venue, Price)/)
    expect(listed(html)).toContain('Tuesday, August 10, 2027')
    expect(listed(html)).not.toContain('Tuesday, August 17, 2027')
    expect(links).toContain(path(dates[1].id))
    const all = await editor.browser.post(path(id), { ...fieldsIn(html), title: 'Typed', do: 'all_dates' })
    expect(listed(all.html)).toContain('Tuesday, September 7, 2027')
    expect(fieldsIn(all.html)).toMatchObject({ title: ['Typed'], all_dates: ['1'] })
  })

  it('are left out by their boxes without a question, and come back', async () => {
    const { id, of } = await course()
    const left = { recurrence_not: ['2027-06-15', '2027-06-29', '', ''] }
    const saved = await editor.browser.save(path(id), left)
    expect((await startsOf(of)).slice(0, 3)).toEqual([
      '2027-06-08 20:00:00',
      '2027-06-22 20:00:00',
      '2027-07-06 20:00:00',
    ])
    const { html } = await editor.browser.get(path(id))
    expect(html).toContain('value="2027-06-15" checked')
    expect(fieldsIn(html).recurrence_not).toEqual(['', '', '2027-06-15', '2027-06-29'])
    await editor.browser.submit(undoOf(saved))
    expect(await startsOf(of)).toHaveLength(14)
    await editor.browser.save(path(id), left)
    await editor.browser.save(path(id), { recurrence_not: ['', '', '2027-06-29'] })
    expect(await startsOf(of)).toHaveLength(13)
  })

  it('are left out by a break, after which there are as many as before', async () => {
    const { id, of } = await course()
    const months = { recurrence_from: '2027-07-01', recurrence_to: '2027-07-31' }
    const asked = await editor.browser.post(path(id), await formOf(id, months))
    await editor.browser.post(path(id), { ...fieldsIn(asked.html), scope: 'all' })
    expect((await startsOf(of)).filter((start: string) => start.startsWith('2027-07'))).toEqual([])
    expect(await startsOf(of)).toHaveLength(14)
    expect(fieldsIn((await editor.browser.get(path(id))).html).recurrence_count).toEqual(['14'])
  })

  it('reveal nothing about dates of other users', async () => {
    const { id, dates } = await course()
    const mine = await makeSeries('FREQ=WEEKLY;COUNT=3', { title: 'Mine' }, author)
    await send('PATCH', `/events/${dates[2].id}`, { as: editor.as, json: { status: 'draft' } })
    expect((await author.browser.get(path(id))).status).toBe(403)
    const [, second] = await occurrences(mine.series.id)
    await send('PATCH', `/events/${second.id}`, { as: editor.as, json: { author: 1, status: 'draft' } })
    expect(listed((await author.browser.get(path(mine.id))).html)).not.toContain('June 15')
  })
})
