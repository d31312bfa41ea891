import { ApiError } from '../lib/errors.ts'

// https://developers.cloudflare.com/d1/observability/debug-d1/#error-list

/** Errors of batches that D1 has not begun: they may be sent again. */
const NOT_BEGUN = [/D1 DB is overloaded/, /Cannot resolve D1 DB due to transient issue/]

/** Errors after which a batch may have happened or not: reads may be sent again, writes may not. */
const INTERRUPTED = [
  /Network connection lost/,
  /caused object to be reset/,
  /D1 DB reset because its code was updated/,
  /D1 DB exceeded its .* limit and was reset/,
  /Internal error/,
]

/** The purpose of a batch, which determines the failures after which it may be sent again. */
export type Purpose = 'read' | 'write'

const ATTEMPTS = 3
const FIRST_PAUSE_MS = 50

const matches = (error: unknown, patterns: readonly RegExp[]): boolean =>
  error instanceof Error && patterns.some(pattern => pattern.test(error.message))

/**
 * Sends a batch again after transient failures of D1, unless that could run a write twice.
 *
 * @throws ApiError `rest_service_unavailable` if D1 keeps failing, or a write may have been interrupted
 */
export async function withRetries<T>(purpose: Purpose, send: () => Promise<T>): Promise<T> {
  const retried = purpose === 'read' ? [...NOT_BEGUN, ...INTERRUPTED] : NOT_BEGUN
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!matches(error, [...NOT_BEGUN, ...INTERRUPTED])) throw error
      if (attempt === ATTEMPTS || !matches(error, retried)) throw unavailable(purpose)
      await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}

const unavailable = (purpose: Purpose): ApiError =>
  new ApiError(
    'rest_service_unavailable',
    purpose === 'read'
      ? 'The database cannot be reached. Please try again in a few seconds.'
      : 'The database cannot be reached. The change was made as a whole or not at all: please look before you try again.',
  )

/** Waits for half of the time plus a random part of the other half, so that failed requests don't all retry at once. */
const pause = (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))
