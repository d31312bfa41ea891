import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SOURCE_WORK } from '../../../../src/features/sources/budgets.ts'
import { WEBHOOK_WORK, WEBHOOKS_WAITING } from '../../../../src/features/webhooks/budgets.ts'
import { FREE_PLAN, INVOCATION } from '../../../../src/kit/lib/budgets.ts'

const { cpuOfMessage, forOtherWork, messages, messagesAfterWrite, ms, ofWebhook } = WEBHOOK_WORK

it('the messages of a run fit into an invocation', () => {
  expect(forOtherWork + 2 + ofWebhook).toBeLessThan(INVOCATION.statements)
  expect(messages * cpuOfMessage).toBeLessThanOrEqual(FREE_PLAN.cpuMs)
  // A write may read a source and send messages.
  expect(SOURCE_WORK.requests + messagesAfterWrite).toBeLessThanOrEqual(FREE_PLAN.requests)
})

it('a lease lasts longer than the work', () => {
  expect(WEBHOOKS_WAITING.leaseMs).toBeGreaterThan(ms)
})

it('OPERATING.md names the messages of a minute', () => {
  expect(readFileSync('.github/OPERATING.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    `up to about ${messages} messages a minute`,
  )
})
