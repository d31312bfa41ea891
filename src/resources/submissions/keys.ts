import { between, desc } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { many, type Query } from '../../db/query.ts'
import { submissionKeys } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { hex, hmac, isSameText, randomHex } from '../../lib/digest.ts'
import { addDays, type DateTime, formatInstant, toEpoch } from '../../lib/time.ts'

/** The keys of today and yesterday (UTC), the latest first. */
type Keys = readonly [Key, ...Key[]]
type Key = typeof submissionKeys.$inferSelect

/** The days whose keys are still in use. @param now UTC */
export const keptDays = (now: DateTime): [string, string] => [now.slice(0, 10), addDays(now, -1).slice(0, 10)]

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
