import { between, desc, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, type Query, type Statement } from '../../db/query.ts'
import { events, remarks, submissionKeys, submissions } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import type { DueRows } from '../../http/due-rows.ts'
import { ROWS_OF_RUN } from '../../lib/budgets.ts'
import { hex, hmac, isSameText, randomHex } from '../../lib/digest.ts'
import { addDays, type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'
import { presentEvent } from './queries.ts'

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

/** An issued form: its time, and a nonce that makes it unique. */
export type Ticket = { issuedMs: number; nonce: string; key: Key }

/** Makes the text that a form carries. The text tells when the form was issued, and nobody else can make it. */
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
const waits = sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.id} = ${presentEvent()} AND ${events.status} IN ('pending', 'draft'))`

const most = ROWS_OF_RUN.submissions

/** Makes a function that names due rows of a table. @param what the name of one of its rows */
const dueOf =
  (table: typeof submissions | typeof remarks, what: string) =>
  (name: string, due: SQL, change: (chosen: SQL) => Statement): DueRows => ({
    name: `${what}s: ${name}`,
    rowName: `${what}: ${name}`,
    table,
    due,
    most,
    change: chosen => [change(chosen)],
  })

/**
 * Submissions whose decision the cron records, however it was made, and submissions from which it deletes data: names and addresses
 * 90 days after the decision, the network after two days, and everything after 400. Remarks have no decision, and editors delete
 * them: the cron deletes the same data equally long after they were sent.
 */
export function oldSubmissions(nowMs: number): DueRows[] {
  const now = formatInstant(nowMs)
  const [, yesterday] = keptDays(now)
  const contact = addDays(now, -CONTACT_DAYS)
  const sender = `${yesterday} 00:00:00`
  const page = addDays(now, -PAGE_DAYS)
  const change = build.update(submissions)
  const changeRemark = build.update(remarks)
  const submission = dueOf(submissions, 'submission')
  const remark = dueOf(remarks, 'remark')
  return [
    submission('decision', sql`${submissions.decided_utc} IS NULL AND NOT ${waits}`, chosen =>
      change.set({ decided_utc: now }).where(chosen),
    ),
    submission(
      'contact',
      sql`${submissions.email} <> '' AND ${submissions.decided_utc} < ${contact}`,
      chosen => change.set({ name: '', email: '' }).where(chosen),
    ),
    submission(
      'sender',
      sql`${submissions.sender} <> '' AND ${submissions.created_utc} < ${sender}`,
      chosen => change.set({ sender: '' }).where(chosen),
    ),
    submission(
      'page',
      sql`${submissions.created_utc} < ${page} AND ${submissions.decided_utc} < ${page}`,
      chosen => build.delete(submissions).where(chosen),
    ),
    remark(
      'contact',
      sql`(${remarks.name} <> '' OR ${remarks.email} <> '') AND ${remarks.created_utc} < ${contact}`,
      chosen => changeRemark.set({ name: '', email: '' }).where(chosen),
    ),
    remark('sender', sql`${remarks.sender} <> '' AND ${remarks.created_utc} < ${sender}`, chosen =>
      changeRemark.set({ sender: '' }).where(chosen),
    ),
    remark('all', sql`${remarks.created_utc} < ${page}`, chosen => build.delete(remarks).where(chosen)),
    {
      name: 'keys of submissions',
      rowName: 'key of submissions',
      table: submissionKeys,
      most,
      due: sql`day < ${yesterday}`,
      change: chosen => [build.delete(submissionKeys).where(chosen)],
    },
  ]
}
