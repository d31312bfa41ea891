import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SOURCE_WORK, SOURCES_WAITING } from '../../../../src/features/sources/budgets.ts'
import { CRON, INVOCATION } from '../../../../src/kit/lib/budgets.ts'

const { batch, bytes, events, documentMs, pagesMs, requests } = SOURCE_WORK

it('OPERATING.md names what a batch may take', () => {
  const text = readFileSync('.github/OPERATING.md', 'utf8').replaceAll(/\s+/g, ' ')
  for (const sentence of [
    `batches of ${events} events`,
    `at most ${requests} requests, including redirects`,
    `for ${pagesMs / 1000} seconds or ${bytes / 1000} KB per batch`,
  ])
    expect(text).toContain(sentence)
})

it('a batch has room in a run of its own', () => {
  expect(batch.statements).toBeLessThan(INVOCATION.statements)
  expect(batch.cpuMs).toBeLessThan(INVOCATION.cpuMs)
})

it('a lease lasts longer than the work', () => {
  expect(SOURCES_WAITING.leaseMs).toBeGreaterThan(documentMs + batch.ms)
  expect(SOURCES_WAITING.leaseMs).toBeGreaterThan(CRON.ms)
})
