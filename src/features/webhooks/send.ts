import { hmac } from '../../kit/lib/hash.ts'
import { isPrivateHost, toOutgoingUrl } from '../../kit/lib/network.ts'
import { readUpTo } from '../../kit/lib/streams.ts'
import { dropControls } from '../../kit/lib/text.ts'
import { toEpoch } from '../../kit/lib/time.ts'
import { asText, refuse } from '../../kit/lib/values.ts'
import type { Settings } from '../../kit/settings.ts'
import { asError, logError } from '../../kit/work/error-log.ts'
import { WEBHOOK_WORK } from './budgets.ts'
import type { FailureReason } from './tables.ts'

/** Reads the address of a webhook. @throws InvalidValue if it is not valid */
export const toWebhookUrl = (raw: unknown): string =>
  toOutgoingUrl(asText(raw), 'must not contain a login: the signature identifies the sender')

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, version 1.0.0

const SECRET_PREFIX = 'whsec_'
const NEW_SECRET_BYTES = 32
/** The sizes of keys that the standard allows, in bytes. */
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const newWebhookSecret = (): string =>
  SECRET_PREFIX + base64(crypto.getRandomValues(new Uint8Array(NEW_SECRET_BYTES)))

/** A secret that somebody has chosen. @throws InvalidValue if it is too short, too long, or not base64 */
export function checkSecret(text: string): string {
  const reason = `must be new, or ${SECRET_PREFIX} and ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes in base64`
  const encoded = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : ''
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return refuse(reason)
  const { length } = Buffer.from(encoded, 'base64')
  return length >= MIN_SECRET_BYTES && length <= MAX_SECRET_BYTES ? text : refuse(reason)
}

/**
 * The parts of a message that are signed: its id, the time of the try in Unix seconds, and the body as it is
 * sent.
 */
type SignedContent = { id: string; timestamp: number; body: string }

/** The header `webhook-signature`: a signature with each secret. */
async function signaturesOf(secrets: readonly string[], signed: SignedContent): Promise<string> {
  const content = `${signed.id}.${signed.timestamp}.${signed.body}`
  const signatures = secrets.map(
    async secret =>
      `v1,${base64(await hmac(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'), content))}`,
  )
  return (await Promise.all(signatures)).join(' ')
}

/** The most characters of a response that are read. */
const MAX_RESPONSE_LENGTH = 1_000

/** A message as it is sent. Each try has the same id. */
export type Message = { id: string; type: string; objectId: number; body: string }

type Receiver = {
  url: string
  secret: string
  old_secret: string
  /** The time, UTC, until which messages are signed with the old secrets as well. */
  old_secret_until_utc: string
}

/** The former secrets with which messages are still signed, the latest first. */
export const formerSecrets = ({ old_secret, old_secret_until_utc }: Receiver, nowMs: number): string[] =>
  old_secret !== '' && toEpoch(old_secret_until_utc) > nowMs ? old_secret.split(' ') : []

export type SendOutcome = {
  isAccepted: boolean
  /** The status of the response; null if there was none. */
  status: number | null
  /** The first characters of the response. */
  response: string
  reason: FailureReason
}

export type SendContext = { settings: Settings; nowMs: number; patienceMs?: number }

/** Sends a message once. Never throws: every failure is an outcome, and a failure on our side is logged. */
export async function sendMessage(
  receiver: Receiver,
  message: Message,
  context: SendContext,
): Promise<SendOutcome> {
  try {
    return await trySending(receiver, message, context)
  } catch (thrown) {
    logError('webhook', asError(thrown))
    return failedOutcome('internal')
  }
}

async function trySending(
  receiver: Receiver,
  message: Message,
  { settings, nowMs, patienceMs = WEBHOOK_WORK.patienceMs }: SendContext,
): Promise<SendOutcome> {
  if (!settings.allowsPrivateHosts && isPrivateHost(new URL(receiver.url).hostname))
    return failedOutcome('private')
  const timestamp = Math.floor(nowMs / 1000)
  const { url, secret } = receiver
  const secrets = [secret, ...formerSecrets(receiver, nowMs)]
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'event-calendar (webhooks)',
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await signaturesOf(secrets, { ...message, timestamp }),
  }
  const signal = AbortSignal.timeout(patienceMs)
  let response: Response
  try {
    // A signed message must only go to the address that an administrator has entered.
    response = await fetch(url, { method: 'POST', headers, body: message.body, redirect: 'manual', signal })
  } catch {
    return failedOutcome(signal.aborted ? 'timeout' : 'connection')
  }
  return outcomeOf(response.status, await beginningOf(response))
}

const failedOutcome = (reason: FailureReason): SendOutcome => ({
  isAccepted: false,
  status: null,
  response: '',
  reason,
})

const outcomeOf = (status: number, response: string): SendOutcome => ({
  isAccepted: status >= 200 && status < 300,
  status,
  response,
  reason: '',
})

/** The first characters of a body, which may break off earlier. */
async function beginningOf({ body }: Response): Promise<string> {
  const { bytes } = await readUpTo(untilBroken(body ?? []), 4 * MAX_RESPONSE_LENGTH)
  return dropControls(new TextDecoder().decode(bytes).slice(0, MAX_RESPONSE_LENGTH))
}

async function* untilBroken<T>(chunks: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  try {
    yield* chunks
  } catch {
    // The status is known, and is enough.
  }
}
