import { expect, it } from 'vitest'
import type { RequestContext } from '../../../src/kit/context.ts'
import { clockAt } from '../../../src/kit/lib/clock.ts'

it('a copy of a context asks nothing of the clock, and what it asks later counts for the response', () => {
  const context = {
    clock: clockAt('2026-11-20 12:00:30'),
    site: 'https://calendar.example',
  } as RequestContext
  const copy = { ...context, site: 'https://other.example' }
  expect(context.clock.until).toBeUndefined()
  expect(copy.clock.hasPassed('2026-11-20 18:00:00')).toBe(false)
  expect(context.clock.until).toBe('2026-11-20 18:00:00')
  expect(copy.clock.now()).toBe('2026-11-20 12:00:30')
  expect(context.clock.until).toBe('2026-11-20 12:01:00')
})

it('a clock notes the first of the moments that are to come, and none that have passed', () => {
  const clock = clockAt('2026-11-20 12:00:30')
  expect(clock.hasPassed('2026-11-20 12:00:30')).toBe(true)
  expect(clock.until).toBeUndefined()
  expect(clock.hasPassed('2026-11-21 00:00:00')).toBe(false)
  expect(clock.hasPassed('2026-11-20 13:00:00')).toBe(false)
  expect(clock.hasPassed('2026-11-20 14:00:00')).toBe(false)
  for (const moment of ['2026-11-20 12:00:00', '2026-11-20 15:00:00']) clock.changesAt(moment)
  expect(clock.until).toBe('2026-11-20 13:00:00')
  clock.changesAt('2026-11-20 12:30:00')
  expect(clock.until).toBe('2026-11-20 12:30:00')
  expect(clock.secondsUntil('2026-11-20 12:01:00')).toBe(30)
})

it('a clock that counts minutes tells equal requests of a minute the same time', () => {
  const clock = clockAt('2026-11-20 12:00:30')
  clock.countsMinutes = true
  expect([clock.now(), clock.untrackedTime]).toEqual(['2026-11-20 12:00:00', '2026-11-20 12:00:30'])
  clock.endWithMinute()
  expect(clock.until).toBe('2026-11-20 12:01:00')
})
