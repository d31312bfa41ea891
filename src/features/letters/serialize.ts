import { shownFields } from '../../calendar/content/fields.ts'
import { restUrl, type SerializeContext } from '../../kit/context.ts'
import { type DateTime, formatInstant, MINUTE_MS, toEpoch } from '../../kit/lib/time.ts'
import { filtersOfLetter, nextSending } from './compose.ts'
import type { LetterDeliveryRow, LetterRow } from './queries.ts'
import { LETTER_FIELDS, type LetterDeliveryResponse, type LetterResponse } from './schema.ts'

export const isConfirmed = ({ to_email, confirmed_email }: LetterRow): boolean => to_email === confirmed_email

export const letterState = (row: LetterRow): LetterResponse['state'] =>
  isConfirmed(row) ? (row.active ? 'active' : 'paused') : 'unconfirmed'

const asShown = shownFields(LETTER_FIELDS)

export function serializeLetter(row: LetterRow, context: SerializeContext): LetterResponse {
  const state = letterState(row)
  return {
    id: row.id,
    rest_url: restUrl(context, 'letters', row.id),
    ...asShown(row),
    to: row.to_email,
    filters: filtersOfLetter(row),
    state,
    ...(row.last_sent_utc !== null && { last_sent: row.last_sent_utc }),
    ...(state === 'active' && { next: nextSending(row, context.clock.now(), context.settings.timezone) }),
    date_utc: row.created_utc,
  }
}

/**
 * The time after which a letter that is still being sent was killed, in milliseconds: a run waits for less
 * than that.
 */
const MAX_SENDING_MS = 5 * MINUTE_MS

/** The last time at which a letter that is still being sent was killed. @param now UTC */
export const killedBefore = (now: DateTime): DateTime => formatInstant(toEpoch(now) - MAX_SENDING_MS)

export const deliveryState = ({ state, at_utc }: LetterDeliveryRow, now: DateTime) =>
  state === 'sending' && at_utc < killedBefore(now) ? 'unknown' : state

export const serializeLetterDelivery = (
  row: LetterDeliveryRow,
  { clock }: Pick<SerializeContext, 'clock'>,
): LetterDeliveryResponse => ({
  id: row.id,
  letter_id: row.letter_id,
  is_test: row.due_utc === null,
  ...(row.due_utc !== null && { due: row.due_utc }),
  state: deliveryState(row, clock.now()),
  tries: row.tries,
  date_utc: row.at_utc,
  ...(row.next_try_utc !== null && { next_try_utc: row.next_try_utc }),
  reason: row.reason,
  events: row.events,
})
