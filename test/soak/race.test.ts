import { expect, it } from 'vitest'
import { freePort, LONG } from '../commands/spawn.ts'
import { race } from './race.ts'

it('two hundred who confirm at once for ten places get ten, in order, whatever is lost', {
  timeout: LONG,
}, async () => {
  const report = await race(200, 10, await freePort())
  expect(report.problems).toEqual([])
  // A crash that nobody noticed would prove nothing.
  expect(report.kills).toBeGreaterThan(0)
  expect(report.lost).toBeGreaterThan(0)
})
