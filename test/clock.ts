import { afterAll, beforeAll, beforeEach, vi } from 'vitest'

/** The time at which tests that run the Worker inside Node begin. */
export const NOON = '2026-11-20T12:00:00Z'

/** Makes the tests of a file use that clock, which stands still. Timers stay real. */
export function beginAtNoon(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOON) })
  })
  beforeEach(() => {
    vi.setSystemTime(NOON)
  })
  afterAll(() => {
    vi.useRealTimers()
  })
}
