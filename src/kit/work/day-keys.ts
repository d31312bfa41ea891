import { between, desc, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { BaseContext, RequestContext } from '../context.ts'
import { many, type Query } from '../db/query.ts'
import { build } from '../db/statements.ts'
import { dayKeys } from '../db/tables.ts'
import { hex, hmac, isSameText, randomHex } from '../lib/hash.ts'
import { type DateTime, type Day, dayOf, daysLater, formatInstant, startOfDay, toEpoch } from '../lib/time.ts'
import type { DueRows } from './due-rows.ts'

// Keys by which the networks of senders are compared and forms recognised. They are deleted after two days:
// from then on, nobody can say from which network a digest was made.

type DayContext = Pick<BaseContext, 'db' | 'clock'>

/** The keys of today and yesterday (UTC), the latest first. */
type Keys = readonly [Key, ...Key[]]
type Key = typeof dayKeys.$inferSelect

/** The days whose keys are still in use. @param now UTC */
const keptDays = (now: DateTime): [Day, Day] => [dayOf(now), daysLater(now, -1)]

const firstKeptDay = (nowMs: number): Day => keptDays(formatInstant(nowMs))[1]

/** The keys that are no longer in use. @param nowMs epoch milliseconds */
export const oldDayKeys = (nowMs: number): DueRows => ({
  name: 'keys of days',
  rowName: 'key of a day',
  table: dayKeys,
  dueSql: sql`day < ${firstKeptDay(nowMs)}`,
  limit: 1_000,
})

/**
 * A condition for rows that have the digest of a network, but are too old for it to count.
 * @param nowMs epoch milliseconds
 */
export const oldNetworkSql = (column: SQLiteColumn, nowMs: number): SQL =>
  sql`${column} <> '' AND created_utc < ${startOfDay(firstKeptDay(nowMs))}`

const selectKeys = ([today, yesterday]: [string, string]): Query<Key[]> =>
  many(
    build
      .select()
      .from(dayKeys)
      .where(between(dayKeys.day, yesterday, today))
      .orderBy(desc(dayKeys.day)),
  )

/** Reads the keys, and makes today's with the first visit of the day. */
async function readDayKeys({ db, clock }: DayContext): Promise<Keys> {
  const days = keptDays(clock.now())
  const [latest, ...otherKeys] = await db.read(selectKeys(days))
  if (latest?.day === days[0]) return [latest, ...otherKeys]
  const key = randomHex(32)
  const insertedRows = await db.write(
    [build.insert(dayKeys).values({ day: days[0], key }).onConflictDoNothing()],
    selectKeys(days),
  )
  const [first, ...otherRows] = insertedRows
  if (!first) throw new Error('no key of today')
  return [first, ...otherRows]
}

/** The keyed digest (HMAC with SHA-256) of a text, 128 bits in hexadecimal. */
export const keyedHash = async ({ key }: Pick<Key, 'key'>, text: string): Promise<string> =>
  hex((await hmac(key, text)).slice(0, 16))

/** Today's keyed digest of the network that a sender's request comes from; '' if the network is unknown. */
export async function senderDigest(context: DayContext & Pick<RequestContext, 'network'>): Promise<string> {
  const { network } = context
  if (network === undefined) return ''
  const [key] = await readDayKeys(context)
  return keyedHash(key, `sender ${network}`)
}

/** An issued form: its time, and a nonce that makes it unique. */
export type Ticket = { issuedMs: number; nonce: string; key: Key }

/**
 * Makes the text that a form carries. The text says when the form was issued, and nobody else can make it.
 */
export async function newTicket(context: DayContext): Promise<string> {
  const [key] = await readDayKeys(context)
  const text = `${toEpoch(context.clock.now()).toString(36)}.${randomHex(12)}`
  return `${text}.${await keyedHash(key, `form ${text}`)}`
}

/** Reads the text of a form; undefined if it was not issued here, or before yesterday. */
export async function readTicket(context: DayContext, text: string): Promise<Ticket | undefined> {
  const [, issued = '', nonce = '', digest = ''] =
    /^([\da-z]{1,10})\.([\da-f]{24})\.([\da-f]{32})$/.exec(text) ?? []
  if (nonce === '') return undefined
  const issuedMs = Number.parseInt(issued, 36)
  const day = dayOf(formatInstant(issuedMs))
  const key = (await readDayKeys(context)).find(known => known.day === day)
  if (!key || !(await isSameText(digest, await keyedHash(key, `form ${issued}.${nonce}`)))) return undefined
  return { issuedMs, nonce, key }
}
