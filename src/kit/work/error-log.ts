import { isDailyLimit, MigrationsMissing } from '../db/failures.ts'

const MAX_MESSAGE = 200

/** The commands to run if this build expects other tables. */
const MIGRATION_HINT =
  'npm run dev applies migrations to a local database, npm run deploy to the one at Cloudflare'

/** Logs that a database lacks migrations. */
export const logMissingMigrations = (requestId: string, migrations: readonly string[]): void =>
  console.error(
    JSON.stringify({ id: requestId, error: 'migrations missing', migrations, hint: MIGRATION_HINT }),
  )

/**
 * Runs a task. Its failure is logged, and doesn't keep other tasks from running.
 *
 * @param name of the work, for the log
 * @param afterError makes the result of failed work, which is otherwise undefined
 * @throws ApiError if the database has reached its daily limit: the other tasks would fail as well
 */
export async function runLogged<T, F = undefined>(
  name: string,
  task: () => Promise<T>,
  afterError?: (error: Error) => F,
): Promise<T | F | undefined> {
  try {
    return await task()
  } catch (thrown) {
    if (isDailyLimit(thrown)) throw thrown
    const error = asError(thrown)
    logError(name, error)
    return afterError?.(error)
  }
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/**
 * Quoted texts, which go up to the end of the message if a quotation is not closed, and apostrophes of
 * contractions, which quote nothing.
 */
const QUOTATIONS = /\w'(?:t|s|d|m|re|ve|ll)\b|"[^"]*(?:"|$)|`[^`]*(?:`|$)|'(?:[^']|'(?=\w))*(?:'|$)/g

/**
 * A message without possible personal data and secrets: quoted texts, addresses, and everything that looks
 * like a token.
 */
const scrubMessage = (message: string): string =>
  message
    .replace(QUOTATIONS, quotation => (/^\w/.test(quotation) ? quotation : `${quotation[0]}…${quotation[0]}`))
    .replace(/\b\w+:\/\/\S+/g, '…')
    .replace(/\S+/g, word => (word.includes('@') ? '…' : word))
    .replace(/\S{20,}/g, word => (/\d/.test(word) ? word.replace(/[\w-]{20,}/g, '…') : word))
    .slice(0, MAX_MESSAGE)

/** The code of a failure, one of ours or of the system; undefined if the error has none. */
const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? scrubMessage(error.code) : undefined

/** How the people who run the calendar can fix an error; undefined if there is no known fix. */
export const remedyFor = (error: Error): string | undefined =>
  error instanceof MigrationsMissing ? `Are migrations missing? ${MIGRATION_HINT}` : undefined

const MAX_FRAMES = 8

/**
 * Where an error was thrown: the calls of its stack, which name functions and places of the script and, after
 * the message, hold no data.
 */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .flatMap(line => /^\s*at (.+)$/.exec(line)?.[1] ?? [])
    .slice(0, MAX_FRAMES)

/**
 * Logs the name, the code, the scrubbed message and the calls of an error. If it has a cause, those of the
 * cause are logged, and the code and message of the error itself are added.
 *
 * @param id of the request, or the name of the work
 */
export function logError(id: string, error: Error): void {
  const cause = error.cause instanceof Error ? error.cause : error
  const { name, message } = cause
  console.error(
    JSON.stringify({
      id,
      error: name,
      code: codeOf(cause),
      message: scrubMessage(message),
      ...(cause !== error && { became: { code: codeOf(error), message: scrubMessage(error.message) } }),
      at: framesOf(cause),
      hint: remedyFor(error),
    }),
  )
}
