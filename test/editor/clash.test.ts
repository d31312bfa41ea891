import { beforeAll, describe, expect, it } from 'vitest'
import { makeEvent, makeVenue, send } from '../factories.ts'
import { metricsOf } from '../kit/http/metrics.ts'
import { fieldsIn } from './forms.ts'
import { signedIn } from './session.ts'

// Before it saves a second event in a hall at the same time, the editor asks. It never refuses the event.

const editor = signedIn('editor')
const contributor = signedIn('contributor')
const NEW = '/admin/events/new/'
const TITLE = 'Something else is on there at that time'

let hall: number
let play: number

const make = (title: string, day: string, fields: object = {}) =>
  makeEvent(editor.as, {
    title,
    start_date: `2027-06-${day} 20:00`,
    end_date: `2027-06-${day} 22:00`,
    venue: hall,
    ...fields,
  })

beforeAll(async () => {
  hall = (await makeVenue(editor.as, 'Town hall')).id
  play = (await make('A play', '10')).id
})

/** Saves a new event at the hall, and says what was asked, or '' if it is saved. */
async function ask(day: string, from: string, until: string, fields: object = {}, { browser } = editor) {
  const form = fieldsIn((await browser.get(NEW)).html)
  const typed = {
    title: 'Another',
    start_date: `2027-06-${day}`,
    start_date_time: from,
    end_date_time: until,
  }
  const page = await browser.post(NEW, { ...form, ...typed, venue: String(hall), ...fields, do: 'save' })
  return page.status === 303 ? '' : page.text
}

describe('two events in one hall at one time', () => {
  it('are said with a link and what is typed, and saved if that is wanted', async () => {
    const form = fieldsIn((await editor.browser.get(NEW)).html)
    const typed = {
      title: 'Concert',
      start_date: '2027-06-10',
      start_date_time: '21:00',
      end_date_time: '23:00',
    }
    const asked = await editor.browser.post(NEW, {
      ...form,
      ...typed,
      venue: String(hall),
      cost: '7',
      do: 'save',
    })
    expect(asked.text).toContain(
      `${TITLE} At the same place and time, the calendar has: A play Thursday, June 10, 2027, 8:00 PM · Town hall`,
    )
    expect(asked.links).toContain(`/admin/events/${play}/`)
    const action = /<form method="post" action="([^"]*)" class="stack"[\s\S]*?<\/form>/.exec(asked.html)
    const carried = fieldsIn(action?.[0] ?? '')
    const back = await editor.browser.post(NEW, { ...carried, do: 'edit' })
    expect(fieldsIn(back.html)).toMatchObject({ title: ['Concert'], cost: ['7'] })
    const again = await editor.browser.post(NEW, { ...fieldsIn(back.html), do: 'save' })
    expect(again.text).toContain(TITLE)
    expect((await editor.browser.post(NEW, { ...carried, do: 'save' })).status).toBe(303)
    const { body } = await send('GET', '/events?search=concert&start_date=2027-06-10', { as: editor.as })
    expect(body.events).toHaveLength(1)
    await send('DELETE', `/events/${body.events[0].id}?force=true`, { as: editor.as })
  })

  it('overlap; one after the other is fine, and so are other rooms, other places and cancelled events', async () => {
    expect(await ask('10', '22:00', '23:00')).toBe('')
    expect(await ask('10', '18:00', '20:00')).toBe('')
    expect(await ask('10', '19:00', '20:01')).toContain('A play')
    expect(await ask('10', '20:30', '')).toContain('A play')
    expect(await ask('10', '20:30', '', { venue: [] })).toBe('')
    await make('In the cellar', '11', { room: 'Cellar' })
    expect(await ask('11', '20:30', '', { room: 'Attic' })).toBe('')
    expect(await ask('11', '20:30', '', { room: 'cellar' })).toContain('In the cellar')
    expect(await ask('11', '20:45', '')).toContain('In the cellar')
    await make('Off', '12', { event_status: 'canceled' })
    expect(await ask('12', '20:30', '21:00')).toBe('')
  })

  it('may be drafts or hidden, but nobody learns of what they may not read', async () => {
    await make('Secret draft', '13', { status: 'draft' })
    await make('Hidden party', '14', { hide_from_listings: true })
    expect(await ask('13', '20:30', '')).toContain('Secret draft')
    expect(await ask('14', '20:30', '')).toContain('Hidden party')
    expect(await ask('13', '20:30', '21:00', {}, contributor)).toBe('')
  })

  it('are not parts of one event, nor dates of one series, and exhibitions do not count', async () => {
    const fair = await make('Fair', '15')
    expect(await ask('15', '20:30', '21:00', { post_parent: String(fair.id) })).toBe('')
    await make('Exhibition', '16', { end_date: '2027-06-20 22:00' })
    expect(await ask('18', '12:00', '13:00')).toBe('')
    // The part and the series of another event don't matter to it.
    const path = `/admin/events/${fair.id}/`
    expect(
      (
        await editor.browser.post(path, {
          ...fieldsIn((await editor.browser.get(path)).html),
          end_date_time: '22:30',
          do: 'save',
        })
      ).status,
    ).toBe(303)
  })

  it('are found for every date of a course, by few rows', async () => {
    for (let day = 1; day <= 28; day++)
      await make(`Evening ${day}`, String(day).padStart(2, '0'), {
        start_date: `2028-06-${day} 20:00`,
        end_date: `2028-06-${day} 22:00`,
      })
    const weekly = { recurrence: 'weekly', recurrence_end: 'after', recurrence_count: '5' }
    const asked = await ask('23', '21:00', '22:00', { ...weekly, start_date: '2028-05-23' })
    expect(asked).toContain('Evening 6')
    expect(asked).toContain('Evening 13')
    expect(asked).not.toContain('Evening 7')
    const plain = fieldsIn((await editor.browser.get(NEW)).html)
    const typed = { title: 'One', start_date: '2028-06-10', start_date_time: '21:00', venue: String(hall) }
    const page = await editor.browser
      .with({ DEBUG_TIMING: '1' })
      .post(NEW, { ...plain, ...typed, do: 'save' })
    expect(page.text).toContain('Evening 10')
    expect(metricsOf(page).rows).toBeLessThan(200)
  })

  it('are found among many in other rooms, and counted where they are too many to name', async () => {
    const house = (await makeVenue(editor.as, 'House of many rooms')).id
    const at = { start_date: '2027-09-01 19:00', end_date: '2027-09-01 22:00', venue: house }
    for (let n = 1; n <= 21; n++) await makeEvent(editor.as, { ...at, title: `Course ${n}`, room: 'Attic' })
    const late = { ...at, start_date: '2027-09-01 20:00' }
    await makeEvent(editor.as, { ...late, title: 'Puppets', room: 'Cellar' })
    const typed = { start_date: '2027-09-01', venue: String(house) }
    const inCellar = await ask('01', '20:30', '21:00', { ...typed, room: 'cellar' })
    expect(inCellar).toContain('Puppets')
    expect(inCellar).not.toMatch(/Course|more/)
    expect(await ask('01', '20:30', '21:00', { ...typed, room: 'Stairs' })).toBe('')
    const anywhere = await ask('01', '20:30', '21:00', typed)
    expect(anywhere).toMatch(/Course 10 .*and 13 more/)
    expect(anywhere).not.toContain('Course 11')
  })

  it('are asked about only if the place or the time changes', async () => {
    const { id } = await make('Late', '10', { start_date: '2027-06-10 21:00' })
    const path = `/admin/events/${id}/`
    const save = async (change: object) =>
      (
        await editor.browser.post(path, {
          ...fieldsIn((await editor.browser.get(path)).html),
          ...change,
          do: 'save',
        })
      ).text
    expect(await save({ cost: '5' })).not.toContain(TITLE)
    expect(await save({ start_date_time: '21:30' })).toContain('A play')
  })

  it('are asked about for the dates that a series will have, wherever its rule would have others', async () => {
    const room = (await makeVenue(editor.as, 'Reading room')).id
    const weekly = (title: string, start: string, count: number) =>
      makeEvent(editor.as, {
        title,
        start_date: `${start} 20:00`,
        end_date: `${start} 21:00`,
        venue: room,
        recurrence: `FREQ=WEEKLY;COUNT=${count}`,
      })
    const save = async (id: number, change: object) => {
      const path = `/admin/events/${id}/`
      const form = fieldsIn((await editor.browser.get(path)).html)
      return editor.browser.post(path, { ...form, ...change, scope: 'all', do: 'save' })
    }
    // The later half of a series keeps its own times.
    const split = await weekly('Readings', '2028-03-02', 6)
    const dates = (await send('GET', `/events?series=${split.series.id}`)).body.events
    await send('PATCH', `/events/${dates[3].id}`, {
      as: editor.as,
      json: { scope: 'following', start_date: '2028-03-23 19:30', end_date: '2028-03-23 20:30' },
    })
    expect((await save(split.id, { start_date_time: '19:00' })).status).toBe(303)
    // A moved date is where it was moved to.
    const moved = await weekly('Stories', '2028-09-04', 3)
    const json = { start_date: '2028-09-06 20:00', end_date: '2028-09-06 21:00' }
    await send('PATCH', `/events/${moved.id}`, { as: editor.as, json })
    const at = (day: string) => ({ start_date: `${day} 20:00`, end_date: `${day} 21:00`, venue: room })
    await makeEvent(editor.as, { title: 'On the former day', ...at('2028-09-04') })
    expect((await save(moved.id, { recurrence_count: '4' })).status).toBe(303)
    await makeEvent(editor.as, { title: 'On the fifth', ...at('2028-10-02') })
    expect((await save(moved.id, { recurrence_count: '5' })).text).toContain('On the fifth')
  })
})
