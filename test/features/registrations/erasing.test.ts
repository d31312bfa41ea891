import { describe, expect, it, vi } from 'vitest'
import { countRows, query } from '../../factories.ts'
import { Course } from './course.ts'

const at = (time: string): void => void vi.setSystemTime(time)

/** A course on 10 December 2026 with one person on the list, who has been told so. */
const beginCourse = async (event: object = {}, settings: object = {}) => {
  at('2026-11-26T10:00:00Z')
  const course = await Course.begin(settings, event)
  await course.join('ann@mail.example')
  await course.cron()
  return course
}

const on = (day: string) => ({ start_date: `${day} 18:00:00`, end_date: `${day} 20:00:00` })

/** The number of people once the cron has erased, which it does every ten minutes. */
const peopleAt = async (course: Course, time: string): Promise<number> => {
  at(time)
  await course.cron()
  return countRows('registrants')
}

describe('people of an event with a mistyped date', () => {
  it.each([
    ['one event', {}, {}],
    ['all dates of a series', { recurrence: 'FREQ=WEEKLY;COUNT=2' }, { scope: 'series' }],
  ])('are kept until they have been told, and for some days after: %s', async (_, event, settings) => {
    const course = await beginCourse(event, settings)
    const dates = await query('SELECT id, start_date, end_date FROM events ORDER BY id')
    const move = async (change: (text: string) => string) => {
      for (const { id, start_date, end_date } of dates)
        await course.ask('PATCH', `/events/${id}`, {
          start_date: change(String(start_date)),
          end_date: change(String(end_date)),
        })
    }
    await move(text => text.replace('2026', '2025'))
    expect(await peopleAt(course, '2026-11-26T10:03:00Z')).toBe(1)
    at('2026-11-26T10:10:00Z')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual(['Changed: Bread for beginners'])
    expect(await peopleAt(course, '2026-11-26T10:13:00Z')).toBe(1)
    expect(await peopleAt(course, '2026-12-26T10:03:00Z')).toBe(1)
    // Put right by then, it goes on as if nothing had been.
    await move(text => text)
    expect(await peopleAt(course, '2026-12-26T10:13:00Z')).toBe(1)
    at('2026-12-26T10:20:00Z')
    expect((await course.cron())[0]?.text).toContain(
      'New time: 10 December 2026, 18:00 (before: 10 December 2025',
    )
    expect(await peopleAt(course, '2027-01-25T10:13:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-01-25T10:23:00Z')).toBe(0)
  })

  it('are erased some days after they have been told if nobody puts it right', async () => {
    const course = await beginCourse()
    await course.ask('PATCH', `/events/${course.id}`, on('2025-12-10'))
    at('2026-11-26T10:10:00Z')
    await course.cron()
    expect(await peopleAt(course, '2026-12-26T10:03:00Z')).toBe(1)
    expect(await peopleAt(course, '2026-12-26T10:13:00Z')).toBe(0)
  })

  it('are not kept longer because of what concerns nobody', async () => {
    const course = await beginCourse()
    at('2027-01-08T10:00:00Z')
    await course.ask('PATCH', `/events/${course.id}`, { title: 'Bread', description: 'Thank you all.' })
    expect(await peopleAt(course, '2027-01-09T19:53:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-01-09T20:03:00Z')).toBe(0)
  })
})
