import * as z from 'zod/mini'
import type { BaseContext } from '../context.ts'
import { ApiError } from '../lib/errors.ts'
import { isObject } from '../lib/values.ts'
import { logError } from '../work/error-log.ts'
import * as p from './params.ts'

/** The fields that show that a person has filled in a form. */
export const humanFields = {
  turnstile: z.optional(
    p.line({
      description: 'The token of Cloudflare Turnstile, if the calendar requires it.',
      limit: 2_048,
    }),
  ),
}

const TURNSTILE_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

/** The longest time to wait for Cloudflare's check, in milliseconds. */
const PATIENCE_MS = 8_000

type TurnstileCheck = { secret: string; token: string; requestId: string }

/** The codes of failures that no visitor can do anything about, each with what the owner can do. */
const OWN_FAULTS = {
  'missing-input-secret': 'Set TURNSTILE_SECRET to the secret of the site key.',
  'invalid-input-secret': 'Set TURNSTILE_SECRET to the secret of the site key.',
  'internal-error': 'This is a failure of Cloudflare.',
} as const

/** Logs why everybody is refused, whatever they do. */
function logOwnFaults(requestId: string, verdict: unknown): void {
  const codes = isObject(verdict) ? verdict['error-codes'] : undefined
  if (!Array.isArray(codes)) return
  for (const [code, remedy] of Object.entries(OWN_FAULTS))
    if (codes.includes(code)) logError(requestId, new Error(`Cloudflare Turnstile: ${code}. ${remedy}`))
}

/**
 * Asks Cloudflare Turnstile whether a token belongs to somebody who was checked on one of our pages. During
 * an outage, which is logged, everybody passes, because the other defences remain.
 *
 * @see https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
async function isChecked({ secret, token, requestId }: TurnstileCheck): Promise<boolean> {
  if (token === '') return false
  try {
    const response = await fetch(TURNSTILE_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, response: token }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    // A 400 may say why as well; what isn't JSON says nothing.
    const verdict: unknown = await response.json().catch(() => undefined)
    logOwnFaults(requestId, verdict)
    const { ok, status } = response
    if (ok ? verdict === undefined : status === 429 || status >= 500)
      throw new Error(`Cloudflare Turnstile gave no verdict: HTTP ${status}`)
    return ok && isObject(verdict) && verdict.success === true
  } catch (error) {
    logError(requestId, new Error('Cloudflare Turnstile checks nobody at the moment.', { cause: error }))
    return true
  }
}

/** The requests whose sender was taken for a person. */
const checkedRequests = new WeakSet<BaseContext>()

/**
 * Does the same as {@link assertHuman}, but only once for a request: Cloudflare accepts a token only once,
 * and after a conflict the whole write may start over. A batch must not have two writes that call this.
 */
export async function assertHumanOnce(context: BaseContext, token?: string): Promise<void> {
  if (checkedRequests.has(context)) return
  await assertHuman(context, token)
  checkedRequests.add(context)
}

/** @throws ApiError if Cloudflare Turnstile is set up and does not take the sender for a person */
export async function assertHuman({ settings, requestId }: BaseContext, token = ''): Promise<void> {
  const { turnstile } = settings
  if (!turnstile || (await isChecked({ secret: turnstile.secret, token, requestId }))) return
  throw new ApiError('rest_invalid_param', 'Please tick the box to show that you are not a robot.', {
    params: { turnstile: 'must be ticked' },
  })
}
