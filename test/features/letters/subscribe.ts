import { vi } from 'vitest'
import { query } from '../../factories.ts'
import type { SentMail } from '../../outbox.ts'

/** The var without which nobody can sign up. */
export const WITH_IMPRINT = { IMPRINT_URL: 'https://town.example/imprint', TIMEZONE: 'Europe/Dublin' }

/** Sets the time. */
export const setTime = (time: string): void => void vi.setSystemTime(time)

/** The path of the subscriber's page in an e-mail. */
export const newsLinkIn = ({ text }: SentMail): string =>
  /https?:\/\/[^/]+(\/news\/[\w-]+\/)/.exec(text)?.[1] ?? ''

type Added = { from?: number; filters?: string; language?: string; next?: string }

/** Adds confirmed subscribers, `p1@people.example` and so on, who chose the same. */
export async function addSubscribers(
  count: number,
  { from = 1, filters = '{}', language = 'en', next = '2026-11-26 07:00:00' }: Added = {},
): Promise<void> {
  await query(
    `INSERT INTO news_choices (filters, language, api) VALUES (?, ?, 'https://calendar.example/calendar/events/v1')`,
    filters,
    language,
  )
  await query(
    `WITH RECURSIVE n (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM n WHERE n < ?)
     INSERT INTO subscribers (email, choice_id, weekday, asked_utc, consented_utc, consent, next_utc)
     SELECT 'p' || CAST(n AS INTEGER) || '@people.example', (SELECT max(id) FROM news_choices), 'thursday', '2026-11-01 12:00:00',
       '2026-11-01 12:00:00', 1, ? FROM n`,
    from,
    from + count - 1,
    next,
  )
}
