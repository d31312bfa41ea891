import { beforeEach, describe, expect, it, vi } from 'vitest'
import { query, queryValue } from '../../factories.ts'
import { signIn } from '../../web/editor/session.ts'
import { Course } from './course.ts'

beforeEach(() => void vi.setSystemTime('2026-11-26T10:00:00Z'))

/** The page of organizers, and its forms. */
async function opened(course: Course) {
  const { browser } = await signIn('editor')
  const organizer = browser.with(course.outbox.bindings)
  const path = `/admin/registrations/${course.id}/`
  const page = async () => (await organizer.get(path)).html
  await page()
  return {
    page,
    send: async (fields: Record<string, string>, end = '') => {
      const { status } = await organizer.post(path + end, fields)
      return status
    },
  }
}

const SETTINGS = {
  places: '12',
  per_person: '2',
  opens: '',
  closes: '2026-12-09T18:00',
  waiting_list: '1',
  question: 'Why?',
}

describe('the page of organizers', () => {
  it('gives all coming dates of a series the same settings, each for itself', async () => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY;COUNT=4' })
    const { send } = await opened(course)
    const ids = (await query('SELECT id FROM events ORDER BY start_date')).map(({ id }) => Number(id))
    // Another author's date, and one in the trash, keep what they have.
    await query(`UPDATE events SET author_id = (SELECT max(id) FROM users) WHERE id = ${ids[2]}`)
    expect(await send({ ...SETTINGS, scope: 'each' })).toBe(303)
    const of = async (i: number) => (await course.ask('GET', `/events/${ids[i]}/registration`)).body
    expect(await of(0)).toMatchObject({
      places: 12,
      question: 'Why?',
      scope: 'event',
      closes: '2026-12-09 18:00:00',
    })
    expect(await of(1)).toMatchObject({
      places: 12,
      question: 'Why?',
      scope: 'event',
      closes: '2026-12-16 18:00:00',
    })
    expect(await of(2)).toMatchObject({ code: 'rest-registration-not-found' })
    expect(await of(3)).toMatchObject({ places: 12, taken: 0, closes: '2026-12-30 18:00:00' })
    // People of one date are of that date, and a second time changes the settings of all.
    await course.join('ann@mail.example')
    expect(await send({ ...SETTINGS, places: '8', scope: 'each' })).toBe(303)
    expect([(await of(0)).places, (await of(0)).taken, (await of(1)).places, (await of(1)).taken]).toEqual([
      8, 1, 8, 0,
    ])
    await course.cron()
    expect((await course.ask('GET', `/events/${ids[1]}`)).body).toMatchObject({
      ticketed: true,
      ticket_availability: 'available',
    })
    // What the date said before comes back.
    await course.ask('DELETE', `/events/${ids[1]}/registration`)
    expect((await course.ask('GET', `/events/${ids[1]}`)).body.ticketed ?? false).toBe(false)
  })

  it('says who holds up the waiting list', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    await course.join('ann@mail.example', { places: 2 })
    await course.join('ben@mail.example', { places: 2 })
    await course.join('cat@mail.example')
    expect(await course.people()).toEqual(['ann confirmed', 'ben waiting', 'cat waiting'])
    const { page } = await opened(course)
    expect(await page()).toContain('ben waits for 2 places, and 1 left')
  })

  it('says when no more first e-mails are sent today', async () => {
    const course = await Course.begin({}, {}, { REGISTRATION_FIRST_MAILS: '4' })
    const { page } = await opened(course)
    await course.register('ann@mail.example')
    expect(await page()).not.toContain('no more first e-mails')
    await course.register('ben@mail.example')
    expect(await page()).toContain('no more first e-mails')
    vi.setSystemTime('2026-11-27T10:00:00Z')
    expect(await page()).not.toContain('no more first e-mails')
  })

  it.each([
    ['trash', {}, '“Bread for beginners” is no longer there.', '1', 'trash'],
    ['hide', {}, '“Bread for beginners” is no longer public there.', '1', 'private'],
    [
      'move',
      {
        to: {
          start_date: '2026-12-12 18:00:00',
          end_date: '2026-12-12 20:00:00',
          timezone: 'Europe/Dublin',
          all_day: false,
        },
      },
      'has a new time there: 12 December 2026, 18:00.',
      '',
      'publish',
    ],
  ])('asks what a source asks (%s), and does what it is told', async (what, more, text, follow, status) => {
    const course = await Course.begin({})
    await course.join('ann@mail.example')
    await query(
      `UPDATE registrations SET asked = '${JSON.stringify({ [`e${course.id}`]: { what, ...more } })}'`,
    )
    const { page, send } = await opened(course)
    expect(await page()).toContain(text)
    expect(await send({ follow }, 'answer/')).toBe(303)
    expect(await page()).not.toContain(text)
    expect(await queryValue('SELECT status FROM events')).toBe(status)
    expect(await queryValue('SELECT start_date FROM events')).toBe('2026-12-10 18:00:00')
  })
})
