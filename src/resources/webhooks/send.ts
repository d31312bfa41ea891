import { WEBHOOK_WORK } from '../../lib/budgets.ts'
import { readUpTo } from '../../lib/streams.ts'
import { dropControls } from '../../lib/text.ts'
import type { Settings } from '../../settings.ts'
import { isPrivate, signaturesOf } from './endpoint.ts'

/** The most characters of a response that are read. */
const MOST_CHARACTERS = 1_000

/** A message as it is sent. Each try has the same id. */
export type Message = { id: string; type: string; objectId: number; body: string }

/** The address of a receiver, and the secrets that sign its messages. */
export type Receiver = {
  url: string
  secret: string
  old_secret: string
  /** The time, UTC, until which messages are signed with the old secret as well. */
  old_secret_until_utc: string
}

/** The reason for having no response; '' if there was one. */
export type Reason = '' | 'private' | 'timeout' | 'connection'

/** The outcome of a try. */
export type SendOutcome = {
  isTaken: boolean
  /** The status of the response; null if there was none. */
  status: number | null
  /** The first characters of the response. */
  response: string
  reason: Reason
}

type Sending = { settings: Settings; nowMs: number; patienceMs?: number }

/** Sends a message once. Never throws: every failure is an outcome. */
export async function send(
  receiver: Receiver,
  message: Message,
  { settings, nowMs, patienceMs = WEBHOOK_WORK.patienceMs }: Sending,
): Promise<SendOutcome> {
  if (!settings.allowsPrivateHosts && isPrivate(receiver.url)) return failed('private')
  const timestamp = Math.floor(nowMs / 1000)
  const { url, secret, old_secret: old } = receiver
  const isBeingReplaced = old !== '' && Date.parse(`${receiver.old_secret_until_utc}Z`) > nowMs
  const secrets = isBeingReplaced ? [secret, old] : [secret]
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), patienceMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'event-calendar (webhooks)',
        'webhook-id': message.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': await signaturesOf(secrets, { ...message, timestamp }),
      },
      body: message.body,
      // A signed message must go nowhere but to the address that an administrator has given.
      redirect: 'manual',
      signal: abort.signal,
    })
    return outcomeOf(response.status, await beginningOf(response))
  } catch {
    return failed(abort.signal.aborted ? 'timeout' : 'connection')
  } finally {
    clearTimeout(timer)
  }
}

const failed = (reason: Reason): SendOutcome => ({ isTaken: false, status: null, response: '', reason })

const outcomeOf = (status: number, response: string): SendOutcome => ({
  isTaken: status >= 200 && status < 300,
  status,
  response,
  reason: '',
})

/** The first characters of a body, which may break off before. */
async function beginningOf({ body }: Response): Promise<string> {
  const { bytes } = await readUpTo(untilBroken(body ?? []), 4 * MOST_CHARACTERS)
  return dropControls(new TextDecoder().decode(bytes).slice(0, MOST_CHARACTERS))
}

async function* untilBroken<T>(chunks: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  try {
    yield* chunks
  } catch {
    // The status is there, and is enough.
  }
}
