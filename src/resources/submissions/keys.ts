import { between, desc, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, type Query, type Statement } from '../../db/query.ts'
import { events, remarks, submissionKeys, submissions } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import type { DueRows } from '../../http/due-rows.ts'
import { ROWS_OF_RUN } from '../../lib/budgets.ts'
import { hex, hmac, isSameText, randomHex } from '../../lib/digest.ts'
import { addDays, type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'

/** The keys of today and yesterday (UTC), the latest first. */
type Keys = readonly [Key, ...Key[]]
type Key = typeof submissionKeys.$inferSelect

/** The days whose keys are still in use. @param now UTC */
const keptDays = (now: DateTime): [string, string] => [now.slice(0, 10), addDays(now, -1).slice(0, 10)]

const selectKeys = ([today, yesterday]: [string, string]): Query<Key[]> =>
  many(
    build
      .select()
      .from(submissionKeys)
      .where(between(submissionKeys.day, yesterday, today))
      .orderBy(desc(submissionKeys.day)),
  )

/** Reads the keys, and makes today's with the first visit of the day. */
export async function keysOf({ db, now }: Pick<RequestContext, 'db' | 'now'>): Promise<Keys> {
  const days = keptDays(now)
  const [latest, ...others] = await db.get(selectKeys(days))
  if (latest?.day === days[0]) return [latest, ...others]
  const key = randomHex(32)
  const made = await db.change(
    [build.insert(submissionKeys).values({ day: days[0], key }).onConflictDoNothing()],
    selectKeys(days),
  )
  const [first, ...rest] = made
  if (!first) throw new Error('no key of today')
  return [first, ...rest]
}

/** The keyed digest (HMAC with SHA-256) of a text, 128 bits in hexadecimal. */
export const keyed = async ({ key }: Key, text: string): Promise<string> =>
  hex((await hmac(key, text)).slice(0, 16))

/** An issued form: the time, and what makes it unique. */
export type Ticket = { issuedMs: number; nonce: string; key: Key }

/** Makes the text that a form carries. It tells when the form was issued, and nobody else can make one. */
export async function newTicket([key]: Keys, now: DateTime): Promise<string> {
  const text = `${toEpoch(now).toString(36)}.${randomHex(12)}`
  return `${text}.${await keyed(key, `form ${text}`)}`
}

/** Reads the text of a form; undefined if it was not issued here, or before yesterday. */
export async function readTicket(keys: Keys, text: string): Promise<Ticket | undefined> {
  const [, issued = '', nonce = '', digest = ''] =
    /^([\da-z]{1,10})\.([\da-f]{24})\.([\da-f]{32})$/.exec(text) ?? []
  if (nonce === '') return undefined
  const issuedMs = Number.parseInt(issued, 36)
  const day = formatInstant(issuedMs).slice(0, 10)
  const key = keys.find(known => known.day === day)
  if (!key || !(await isSameText(digest, await keyed(key, `form ${issued}.${nonce}`)))) return undefined
  return { issuedMs, nonce, key }
}

/** Days after a decision for which an editor can contact the sender, and for which the submission's page exists. */
const CONTACT_DAYS = 90
const PAGE_DAYS = 400

/** True for an event that waits, or that was sent back and may be changed. */
const waits = sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${submissions.event_id} AND ${events.status} IN ('pending', 'draft'))`

const most = ROWS_OF_RUN.submissions

/**
 * Submissions whose decision the cron notes, however it was made, and those from which it deletes data: names and
 * addresses 90 days after the decision, the network after two days, and everything after 400. Of remarks, which nobody
 * decides but which editors delete, the same data go with as much time after they were sent.
 */
export function oldSubmissions(nowMs: number): DueRows[] {
  const now = formatInstant(nowMs)
  const [, yesterday] = keptDays(now)
  const set = (values: Partial<typeof submissions.$inferInsert>) => (chosen: SQL) => [
    build.update(submissions).set(values).where(chosen),
  ]
  const of = (name: string, due: SQL, change: DueRows['change']): DueRows => ({
    ...{
      name: `submissions: ${name}`,
      one: `submission: ${name}`,
      table: submissions,
      most,
      due,
      change,
    },
  })
  const page = addDays(now, -PAGE_DAYS)
  return [
    of('decision', sql`${submissions.decided_utc} IS NULL AND NOT ${waits}`, set({ decided_utc: now })),
    of(
      'contact',
      sql`${submissions.email} <> '' AND ${submissions.decided_utc} < ${addDays(now, -CONTACT_DAYS)}`,
      set({ name: '', email: '' }),
    ),
    of(
      'sender',
      sql`${submissions.sender} <> '' AND ${submissions.created_utc} < ${`${yesterday} 00:00:00`}`,
      set({ sender: '' }),
    ),
    of('page', sql`${submissions.created_utc} < ${page} AND ${submissions.decided_utc} < ${page}`, chosen => [
      build.delete(submissions).where(chosen),
    ]),
    ...oldRemarks({ contact: addDays(now, -CONTACT_DAYS), sender: `${yesterday} 00:00:00`, all: page }),
    {
      ...{
        name: 'keys of submissions',
        one: 'key of submissions',
        table: submissionKeys,
        most,
      },
      due: sql`day < ${yesterday}`,
      change: chosen => [build.delete(submissionKeys).where(chosen)],
    },
  ]
}

/** Remarks that nobody has dealt with, from which data or which are deleted. @param before the times, UTC */
function oldRemarks(before: { contact: string; sender: string; all: string }): DueRows[] {
  const of = (name: string, due: SQL, change: (chosen: SQL) => Statement): DueRows => ({
    ...{ name: `remarks: ${name}`, one: `remark: ${name}`, table: remarks, most, due },
    change: chosen => [change(chosen)],
  })
  const update = build.update(remarks)
  const { created_utc, name, email, sender } = remarks
  return [
    of('contact', sql`(${name} <> '' OR ${email} <> '') AND ${created_utc} < ${before.contact}`, chosen =>
      update.set({ name: '', email: '' }).where(chosen),
    ),
    of('sender', sql`${sender} <> '' AND ${created_utc} < ${before.sender}`, chosen =>
      update.set({ sender: '' }).where(chosen),
    ),
    of('all', sql`${created_utc} < ${before.all}`, chosen => build.delete(remarks).where(chosen)),
  ]
}
