import { afterAll, beforeAll, beforeEach, vi } from 'vitest'

/** When every test of Node's begins that hands the Worker its requests itself. */
export const NOON = '2026-11-20T12:00:00Z'

/** Has the tests of a file live by that clock, which stands still. Timers stay real. */
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
