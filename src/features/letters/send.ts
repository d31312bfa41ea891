import { and, eq, inArray, isNotNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { CronRun, MailContext, MailRun } from '../../kit/context.ts'
import { combineQueries, first, literal, many, type Statement } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { backgroundContext } from '../../kit/http/request-context.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { MESSAGE_PAUSES_MS, nextTryAt, type WaitingWork } from '../../kit/lib/retries.ts'
import { type DateTime, formatInstant, HOUR_MS, toEpoch } from '../../kit/lib/time.ts'
import type { Settings } from '../../kit/settings.ts'
import { type Count, countStatements } from '../../kit/work/counts.ts'
import { processByHalving } from '../../kit/work/due-rows.ts'
import { notPostponedSql, postpone, tryRow } from '../../kit/work/leases.ts'
import { type MailOutcome, sendMail } from '../../kit/work/mail.ts'
import { tryToCompose } from './compose.ts'
import {
  type LetterDeliveryRow,
  type LetterRow,
  requireLetterDelivery,
  selectLetterDeliveryById,
} from './queries.ts'
import { killedBefore, nextSending } from './state.ts'
import { letterDeliveries, letters } from './tables.ts'

// The time of a letter becomes a row of letter_deliveries, which exists once. The run that claims that row
// sends the letter; whatever happens then, the letter is not sent again automatically unless the platform has
// said that it did not take it.

const LETTER_WORK = {
  /** Statements that find and plan the letters that are due. */
  toPlan: 13,
  /**
   * The budget of a letter: reading its events, of which there may be a hundred, two writes, and the time
   * that the platform may take.
   */
  ofLetter: { statements: 14, requests: 1, cpuMs: 4, ms: 15_000 },
} as const

export const LETTERS_WAITING = {
  rowName: 'letter',
  atOnce: 5,
  leaseMs: null,
  retries: { pausesMs: MESSAGE_PAUSES_MS, isEndless: false },
} as const satisfies WaitingWork

const MAX_DELAY_MS = 12 * HOUR_MS

const isLate = (due: DateTime, at: DateTime): boolean => toEpoch(at) - toEpoch(due) > MAX_DELAY_MS

const { rowName } = LETTERS_WAITING
const AT_ONCE = literal(LETTERS_WAITING.atOnce)

/** Letters whose time has come, or was computed for another zone. At most `MAX_LETTERS` rows are read. */
const dueLetters = (nowMs: number, zone: string): SQL =>
  sql`${letters} WHERE ${letters.active} AND ${letters.confirmed_email} = ${letters.to_email}
    AND (${letters.zone} <> ${zone} OR ${letters.next_utc} <= ${formatInstant(nowMs)})
    AND ${notPostponedSql(rowName, nowMs, sql`id`)}`

const waitingDeliveries = (nowMs: number): SQL =>
  sql`${letterDeliveries} INDEXED BY letter_deliveries_waiting WHERE ${letterDeliveries.next_try_utc} IS NOT NULL
    AND ${letterDeliveries.next_try_utc} <= ${formatInstant(nowMs)} AND ${notPostponedSql(rowName, nowMs, sql`letter_id`)}`

export const letterDueSql = ({ timezone }: Pick<Settings, 'timezone'>, nowMs: number): SQL =>
  sql`(EXISTS (SELECT 1 FROM ${dueLetters(nowMs, timezone)}) OR EXISTS (SELECT 1 FROM ${waitingDeliveries(nowMs)}))`

export const letterToSuspendSql: SQL = sql`(EXISTS (SELECT 1 FROM ${letters} WHERE ${letters.zone} <> '')
  OR EXISTS (SELECT 1 FROM ${letterDeliveries} INDEXED BY letter_deliveries_waiting
    WHERE ${letterDeliveries.next_try_utc} IS NOT NULL))`

/**
 * The statements that suspend letters while they are switched off: nothing waits, and without a zone, the
 * next time of each is worked out once they are switched on again, from then on.
 */
export const letterSuspensionStatements: readonly Statement[] = [
  build.update(letters).set({ zone: '' }).where(ne(letters.zone, '')),
  build
    .update(letterDeliveries)
    .set({ state: 'failed', next_try_utc: null })
    .where(isNotNull(letterDeliveries.next_try_utc)),
]

/** Sends letters that are due, as far as the allowance permits. Can run twice at the same time. */
export async function sendLetters(run: MailRun): Promise<void> {
  const { db, mailer, nowMs } = run
  const { toPlan, ofLetter } = LETTER_WORK
  if (!db.allowance.allows('letters', { ...ofLetter, statements: toPlan + ofLetter.statements })) return
  await planDeliveries(run)
  const { deliveries, lettersOfDeliveries } = await db.read(selectWaiting(nowMs))
  await db.allowance.forEach('letters', ofLetter, deliveries, async delivery => {
    const letter = lettersOfDeliveries.find(({ id }) => id === delivery.letter_id)
    if (!letter) return
    const context = { ...backgroundContext(letter, run), mailer }
    await tryRow(db, { rowName, id: letter.id, nowMs }, () => sendWaiting(context, letter, delivery))
  })
}

/** Plans the deliveries of letters whose time has come. */
async function planDeliveries({ db, settings: { timezone }, nowMs }: CronRun): Promise<void> {
  const ids = sql`SELECT id FROM ${dueLetters(nowMs, timezone)} ORDER BY next_utc, id LIMIT ${AT_ONCE}`
  const due = await db.read(many(build.select().from(letters).where(sql`${letters.id} IN (${ids})`)))
  const letterStatements = (letter: LetterRow) => deliveryStatements(letter, formatInstant(nowMs), timezone)
  await processByHalving(
    due,
    batch => db.writeIfAllowed('letters', batch.flatMap(letterStatements)),
    ({ id }, error) => postpone(db, { rowName, id, nowMs }, error),
  )
}

function selectWaiting(nowMs: number) {
  const ids = sql`SELECT id FROM ${waitingDeliveries(nowMs)} ORDER BY next_try_utc, id LIMIT ${AT_ONCE}`
  const letterIds = sql`SELECT letter_id FROM ${letterDeliveries} WHERE id IN (${ids})`
  return combineQueries({
    deliveries: many(build.select().from(letterDeliveries).where(sql`${letterDeliveries.id} IN (${ids})`)),
    lettersOfDeliveries: many(build.select().from(letters).where(sql`${letters.id} IN (${letterIds})`)),
  })
}

/**
 * The statements that make the time of a letter a delivery that waits, and move the letter on. They do
 * nothing if another run was first, or the letter was changed. A time that was worked out for another zone
 * only moves.
 */
function deliveryStatements(letter: LetterRow, now: DateTime, zone: string): Statement[] {
  const unchangedLetterSql = sql`id = ${letter.id} AND version = ${letter.version} AND zone = ${letter.zone}
    AND next_utc IS ${letter.next_utc}`
  return [
    sql`INSERT INTO ${letterDeliveries} (letter_id, due_utc, state, tries, at_utc, next_try_utc)
      SELECT id, next_utc, 'waiting', 0, ${now}, next_utc FROM ${letters}
      WHERE ${unchangedLetterSql} AND zone = ${zone} AND next_utc <= ${now} ON CONFLICT DO NOTHING`,
    build
      .update(letters)
      .set({ next_utc: nextSending(letter, now, zone), zone })
      .where(unchangedLetterSql),
  ]
}

/**
 * Claims a delivery for a try.
 *
 * @param condition for the delivery
 * @returns undefined if it is not to be sent, or another run was first
 */
const claimQuery = (id: number, now: DateTime, condition: SQL | undefined) =>
  first(
    build
      .update(letterDeliveries)
      .set({
        state: 'sending',
        at_utc: now,
        next_try_utc: null,
        reason: '',
        tries: sql`${letterDeliveries.tries} + 1`,
      })
      .where(and(eq(letterDeliveries.id, id), condition))
      .returning(),
  )

async function sendWaiting(
  context: MailContext,
  letter: LetterRow,
  { id, due_utc: due, tries }: LetterDeliveryRow,
): Promise<void> {
  const { db, clock } = context
  // Pausing a letter, or changing its address, ends waiting deliveries.
  const dueSql = and(eq(letterDeliveries.state, 'waiting'), lte(letterDeliveries.next_try_utc, clock.now()))
  if (due !== null && isLate(due, clock.now()))
    return db.write([
      build
        .update(letterDeliveries)
        .set({ state: tries === 0 ? 'late' : 'failed', next_try_utc: null })
        .where(and(eq(letterDeliveries.id, id), dueSql)),
    ])
  const claimed = await db.write(claimQuery(id, clock.now(), dueSql))
  if (claimed) await deliver(context, letter, claimed)
}

/**
 * The outcome of a try: as for an e-mail, or `empty` for a letter that has no events and is not to be sent
 * then.
 */
type LetterOutcome = { state: MailOutcome['state'] | 'empty'; reason: string; events: number }

/**
 * Composes a claimed letter, and sends it. One that cannot be composed is refused, like one that the platform
 * doesn't take.
 */
async function sendNow(
  context: MailContext,
  { letter, id, to }: { letter: LetterRow; id: number; to: string | undefined },
): Promise<LetterOutcome> {
  const composed = await tryToCompose(context, letter)
  if ('reason' in composed) return { state: 'refused', reason: composed.reason, events: 0 }
  const { events, ...texts } = composed
  if (events === 0 && letter.empty === 'skip' && to === undefined)
    return { state: 'empty', reason: '', events }
  const outcome = await sendMail(context.mailer, {
    ...texts,
    to: to ?? letter.to_email,
    language: letter.language,
    id: `letter-${letter.id}-${id}`,
    list: `letter-${letter.id}.${new URL(context.site).hostname}`,
  })
  return { ...outcome, events }
}

/** The time of the next try of a refused letter; null for a test, and after its last try or half a day. */
function nextTry({ due_utc: due, tries }: LetterDeliveryRow, now: DateTime): DateTime | null {
  if (due === null) return null
  const next = nextTryAt(LETTERS_WAITING.retries, tries, toEpoch(now))
  return next === null || isLate(due, next) ? null : next
}

/**
 * Sends a claimed letter, and stores the outcome. If storing fails, nobody knows whether the letter was sent.
 *
 * @param to the recipient of a test
 */
async function deliver(
  context: MailContext,
  letter: LetterRow,
  delivery: LetterDeliveryRow,
  to?: string,
): Promise<void> {
  const { db, clock } = context
  const { id, due_utc: due, tries } = delivery
  const { state, reason, events } = await sendNow(context, { letter, id, to })
  const next = state === 'refused' ? nextTry(delivery, clock.now()) : null
  const refusedState = next === null ? 'failed' : 'waiting'
  await db.write([
    build
      .update(letterDeliveries)
      .set({
        state: state === 'refused' ? refusedState : state,
        next_try_utc: next,
        tries: state === 'empty' ? tries - 1 : tries,
        reason,
        events,
      })
      .where(eq(letterDeliveries.id, id)),
    ...(state === 'sent' && due !== null
      ? [build.update(letters).set({ last_sent_utc: clock.now() }).where(eq(letters.id, letter.id))]
      : []),
  ])
}

/** The tests of letters, for the whole calendar. */
export const LETTER_TESTS: Count = { key: 'tests of letters', limit: 10, per: 'hour' }

/** Sends a letter to its editor, at once. @param to the caller's own address */
export async function sendTest(
  context: MailContext,
  { letter, to }: { letter: LetterRow; to: string },
): Promise<LetterDeliveryRow> {
  const { db, clock } = context
  const row = requireLetterDelivery(
    await db.write(
      countStatements(clock, [LETTER_TESTS]),
      first(
        build
          .insert(letterDeliveries)
          .values({ letter_id: letter.id, state: 'sending', tries: 1, at_utc: clock.now() })
          .returning(),
      ),
    ),
  )
  await deliver(context, letter, row, to)
  return requireLetterDelivery(await db.read(selectLetterDeliveryById(letter.id, row.id)))
}

/**
 * Sends a letter again that was not sent, or may not have been.
 *
 * @throws ApiError if it was sent, or is going to be
 */
export async function retryLetter(
  context: MailContext,
  { letter, delivery }: { letter: LetterRow; delivery: LetterDeliveryRow },
): Promise<LetterDeliveryRow> {
  const { db, clock } = context
  const retriableSql = and(
    isNotNull(letterDeliveries.due_utc),
    or(
      inArray(letterDeliveries.state, ['unknown', 'failed']),
      and(
        eq(letterDeliveries.state, 'sending'),
        sql`${letterDeliveries.at_utc} < ${killedBefore(clock.now())}`,
      ),
    ),
  )
  const claimed = await db.write(claimQuery(delivery.id, clock.now(), retriableSql))
  if (!claimed)
    throw new ApiError(
      'rest_letter_cannot_be_sent',
      'This letter has already been sent or queued, or was a test.',
    )
  await deliver(context, letter, claimed)
  return requireLetterDelivery(await db.read(selectLetterDeliveryById(letter.id, delivery.id)))
}
