import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import worker from '../src/index.ts'
import type { Bindings } from '../src/kit/env.ts'
import type { Outbox } from './outbox.ts'

/**
 * Runs the cron of a calendar that can send e-mails, and makes sure that no address is in the log.
 *
 * @returns the last line that was logged, or an empty object
 */
export async function runCron(
  { bindings }: Outbox,
  time: string,
  more: Partial<Bindings> = {},
): Promise<Record<string, unknown>> {
  vi.setSystemTime(time)
  const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const failed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(time) }), {
    ...env,
    ...bindings,
    ...more,
  })
  const line = JSON.parse(String(logged.mock.calls.at(-1)?.[0] ?? '{}'))
  expect([...logged.mock.calls, ...failed.mock.calls].flat().join('\n')).not.toMatch(/@\w+\.example/)
  logged.mockRestore()
  failed.mockRestore()
  return line
}
