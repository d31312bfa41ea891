import { expect, it } from 'vitest'
import { freePort, LONG } from '../commands/spawn.ts'
import { soak } from './soak.ts'

it('a crash during reads and writes loses no acknowledged write and leaves none half done', {
  timeout: LONG,
}, async () => {
  const report = await soak(1, await freePort())
  expect(report.problems).toEqual([])
  // A crash that nobody noticed, or clients that did nothing, would prove nothing.
  expect(report.unanswered).toBeGreaterThan(0)
  expect(report.writes).toBeGreaterThan(20)
})
