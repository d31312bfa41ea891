import { describe, expect, it, vi } from 'vitest'
import { countRows, query } from '../../factories.ts'
import { Course } from './course.ts'

const setTime = (time: string): void => void vi.setSystemTime(time)

/** A course on 10 December 2026 with one person on the list, who has been told so. */
const beginCourse = async (event: object = {}, settings: object = {}) => {
  setTime('2026-11-26T10:00:00Z')
  const course = await Course.begin(settings, event)
  await course.join('ann@mail.example')
  await course.cron()
  return course
}

const on = (day: string) => ({ start_date: `${day} 18:00:00`, end_date: `${day} 20:00:00` })

/** The number of people once the cron has erased, which it does every ten minutes. */
const peopleAt = async (course: Course, time: string): Promise<number> => {
  setTime(time)
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
    setTime('2026-11-26T10:10:00Z')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual(['Changed: Bread for beginners'])
    expect(await peopleAt(course, '2026-11-26T10:13:00Z')).toBe(1)
    expect(await peopleAt(course, '2026-12-26T10:03:00Z')).toBe(1)
    // Put right by then, it goes on as if nothing had been.
    await move(text => text)
    expect(await peopleAt(course, '2026-12-26T10:13:00Z')).toBe(1)
    setTime('2026-12-26T10:20:00Z')
    expect((await course.cron())[0]?.text).toContain(
      'New time: 10 December 2026, 18:00 (before: 10 December 2025',
    )
    expect(await peopleAt(course, '2027-01-25T10:13:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-01-25T10:23:00Z')).toBe(0)
  })

  it('are erased some days after they have been told if nobody puts it right', async () => {
    const course = await beginCourse()
    await course.ask('PATCH', `/events/${course.id}`, on('2025-12-10'))
    setTime('2026-11-26T10:10:00Z')
    await course.cron()
    expect(await peopleAt(course, '2026-12-26T10:03:00Z')).toBe(1)
    expect(await peopleAt(course, '2026-12-26T10:13:00Z')).toBe(0)
  })

  it('are not kept longer because of what concerns nobody', async () => {
    const course = await beginCourse()
    setTime('2027-01-08T10:00:00Z')
    await course.ask('PATCH', `/events/${course.id}`, { title: 'Bread', description: 'Thank you all.' })
    expect(await peopleAt(course, '2027-01-09T19:53:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-01-09T20:03:00Z')).toBe(0)
  })
})

describe('people entered by hand', () => {
  const begin = async (fields: object) => {
    setTime('2026-11-26T10:00:00Z')
    const course = await Course.begin({}, fields)
    await course.ask('POST', `${course.path}s/by-hand`, { name: 'Ann' })
    setTime('2027-01-05T10:00:00Z')
    return course
  }

  it('are kept for some days after the year of their draft was mistyped, and after it is published', async () => {
    const course = await begin({ status: 'draft', ...on('2027-03-10') })
    await course.ask('PATCH', `/events/${course.id}`, on('2026-03-10'))
    expect(await peopleAt(course, '2027-01-05T10:03:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-02-04T09:53:00Z')).toBe(1)
    await course.ask('PATCH', `/events/${course.id}`, { status: 'publish' })
    setTime('2027-02-04T10:10:00Z')
    await course.cron()
    expect(await peopleAt(course, '2027-02-04T10:13:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-03-06T10:03:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-03-06T10:13:00Z')).toBe(0)
  })

  it('are erased some days after the last change of a draft that is over', async () => {
    const course = await begin({ status: 'draft', ...on('2026-12-10') })
    expect(await peopleAt(course, '2027-01-09T19:53:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-01-09T20:03:00Z')).toBe(0)
  })

  it('when the event is over are kept for some days', async () => {
    const course = await begin(on('2026-11-20'))
    expect(await peopleAt(course, '2027-01-05T10:03:00Z')).toBe(0)
    await course.ask('POST', `${course.path}s/by-hand`, { name: 'Ben' })
    expect(await peopleAt(course, '2027-02-04T10:03:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-02-04T10:13:00Z')).toBe(0)
  })
})

describe('people of a postponed event', () => {
  it('are kept for its new date, and told of it', async () => {
    const course = await beginCourse()
    const change = (fields: object) => course.ask('PATCH', `/events/${course.id}`, fields)
    await change({ event_status: 'postponed' })
    setTime('2026-11-26T10:10:00Z')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual(['Postponed: Bread for beginners'])
    expect(await peopleAt(course, '2027-03-01T10:03:00Z')).toBe(1)
    // The status first, and the date a moment later.
    await change({ event_status: 'scheduled' })
    expect(await peopleAt(course, '2027-03-01T10:13:00Z')).toBe(1)
    await change(on('2027-05-01'))
    setTime('2027-03-01T10:30:00Z')
    expect((await course.cron())[0]?.text).toContain('New time: 1 May 2027, 18:00 (before: 10 December 2026')
    expect(await peopleAt(course, '2027-05-31T18:53:00Z')).toBe(1)
    expect(await peopleAt(course, '2027-05-31T19:03:00Z')).toBe(0)
  })

  it.each([
    ['of which one is postponed', { event_status: 'postponed' }, 1],
    ['of which one is cancelled', { event_status: 'canceled' }, 0],
  ])('are those of a course %s', async (_, fields, people) => {
    const course = await beginCourse({ recurrence: 'FREQ=WEEKLY;COUNT=2' }, { scope: 'series' })
    await course.ask('PATCH', `/events/${course.id}`, fields)
    setTime('2026-11-26T10:10:00Z')
    await course.cron()
    expect(await peopleAt(course, '2027-01-16T20:03:00Z')).toBe(people)
  })

  it('are erased like those of another once it is cancelled or in the trash', async () => {
    for (const end of [
      (course: Course) => course.ask('PATCH', `/events/${course.id}`, { event_status: 'canceled' }),
      (course: Course) => course.ask('DELETE', `/events/${course.id}`),
    ]) {
      const course = await beginCourse()
      await course.ask('PATCH', `/events/${course.id}`, { event_status: 'postponed' })
      setTime('2026-11-26T10:10:00Z')
      await course.cron()
      setTime('2027-03-01T10:00:00Z')
      await end(course)
      expect(await peopleAt(course, '2027-03-01T10:03:00Z')).toBe(1)
      setTime('2027-03-01T10:10:00Z')
      expect((await course.cron()).map(({ subject }) => subject)).toEqual(['Cancelled: Bread for beginners'])
      expect(await peopleAt(course, '2027-03-31T10:03:00Z')).toBe(1)
      expect(await peopleAt(course, '2027-03-31T10:13:00Z')).toBe(0)
    }
  })
})

describe('people who registered more than 400 days ago', () => {
  const NEXT_YEAR = on('2028-02-01')

  it.each([
    ['one event', NEXT_YEAR, {}],
    [
      'the last date of a course',
      { ...on('2026-12-10'), recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2', rdate: ['2028-02-01 18:00:00'] } },
      { scope: 'series' },
    ],
  ])('are kept until some days after the end: %s', async (_, event, settings) => {
    const course = await beginCourse(event, settings)
    expect(await peopleAt(course, '2028-02-01T18:03:00Z')).toBe(1)
    expect(await peopleAt(course, '2028-03-02T19:53:00Z')).toBe(1)
    expect(await peopleAt(course, '2028-03-02T20:03:00Z')).toBe(0)
  })

  it('are erased if the event is still postponed without a new date', async () => {
    for (const event of [{}, NEXT_YEAR]) {
      const course = await beginCourse(event)
      await course.ask('PATCH', `/events/${course.id}`, { event_status: 'postponed' })
      setTime('2026-11-26T10:10:00Z')
      await course.cron()
      expect(await peopleAt(course, '2027-12-31T09:53:00Z')).toBe(1)
      expect(await peopleAt(course, '2027-12-31T10:03:00Z')).toBe(0)
    }
  })

  it('are told that it is postponed before they are erased', async () => {
    const course = await beginCourse(NEXT_YEAR)
    setTime('2028-01-10T10:00:00Z')
    await course.ask('PATCH', `/events/${course.id}`, { event_status: 'postponed' })
    expect(await peopleAt(course, '2028-01-10T10:03:00Z')).toBe(1)
    setTime('2028-01-10T10:10:00Z')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual(['Postponed: Bread for beginners'])
    expect(await peopleAt(course, '2028-02-09T10:03:00Z')).toBe(1)
    expect(await peopleAt(course, '2028-02-09T10:13:00Z')).toBe(0)
  })

  it('are erased if their registration is gone', async () => {
    const course = await beginCourse(NEXT_YEAR)
    await query('DELETE FROM registrations')
    expect(await peopleAt(course, '2027-12-31T10:03:00Z')).toBe(0)
  })
})
