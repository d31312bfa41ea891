import { describe, expect, it, vi } from 'vitest'
import { everyRole } from '../../attacks/people.ts'
import { visitors } from '../../calendar/intake/submit.ts'

// The stand-in for Cloudflare (`outboundService` in vitest.config.ts) responds with the status and the text
// of the token.

everyRole()

const { send } = visitors({ TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET: 'secret' })

const sent = async (turnstile: string) => {
  const { status, body } = await send({ title: `With the token ${turnstile}`, turnstile })
  return [status, ...Object.keys(body.data?.params ?? {})]
}

describe("with Cloudflare's check", () => {
  it.each([
    '',
    '200 {"success":false,"error-codes":["timeout-or-duplicate"]}',
    '200 {"success":"true"}',
    '200 null',
    '400 {"success":false,"error-codes":["invalid-input-response"]}',
    // A firewall in front of the check has refused the token, which anybody may have written.
    '403 <h1>Forbidden</h1>',
    '403 {"success":true}',
    'without a status',
  ])('nothing is accepted with the token %j', async token => {
    expect(await sent(token)).toEqual([400, 'turnstile'])
  })

  it.each([
    '200 {"success":true,"hostname":"calendar.example"}',
    // Cloudflare cannot be asked: nobody is turned away for that.
    '429 {"success":false}',
    '500 {"success":false}',
    '503 <h1>Service Unavailable</h1>',
    '200 <h1>Maintenance</h1>',
  ])('an event is taken with the token %j', async token => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    expect(await sent(token)).toEqual([201])
    expect(logged.mock.calls.flat().join('\n').includes('checks nobody')).toBe(!token.startsWith('200 {'))
    logged.mockRestore()
  })

  it.each([
    ['200 {"success":false,"error-codes":["invalid-input-secret"]}', 'Set TURNSTILE_SECRET'],
    ['400 {"success":false,"error-codes":["missing-input-secret"]}', 'Set TURNSTILE_SECRET'],
    ['200 {"success":false,"error-codes":["internal-error"]}', 'This is a failure of Cloudflare'],
  ])('a fault of the owner or of Cloudflare is logged: %s', async (token, remedy) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    expect(await sent(token)).toEqual([400, 'turnstile'])
    expect(logged.mock.calls.flat().join('\n')).toContain(remedy)
    logged.mockClear()
    await sent('200 {"success":false,"error-codes":["timeout-or-duplicate"]}')
    expect(logged).not.toHaveBeenCalled()
    logged.mockRestore()
  })
})
