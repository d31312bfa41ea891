import { sql } from 'drizzle-orm'
import { conflictIf, isConflict } from '../../db/conflicts.ts'
import type { Database } from '../../db/database.ts'
import {
  first,
  inList,
  literal,
  many,
  mapped,
  type Query,
  type RawRow,
  settled,
  together,
} from '../../db/query.ts'
import {
  eventOrganizers,
  events,
  eventVenues,
  organizers,
  series,
  spamCounts,
  submissions,
  venues,
} from '../../db/schema.ts'
import { isNotPutBack, takeDue } from '../../http/due-rows.ts'
import { proseIn } from '../../lib/html.ts'
import { htmlToText } from '../../lib/text.ts'
import {
  decodeCounts,
  encodeCounts,
  learn,
  noCounts,
  SPAM_ABOVE,
  type SpamCounts,
  type SubmittedText,
} from './spam.ts'

type Learned = { counts: SpamCounts; version: number }

/** A query of what this calendar has learned from the decisions of its editors. */
export const selectLearned: Query<Learned> = mapped(
  first(sql`SELECT version, events, spam, counts FROM ${spamCounts}`, row => ({
    counts: decodeCounts(Number(row.events), Number(row.spam), String(row.counts)),
    version: Number(row.version),
  })),
  learned => learned ?? { counts: noCounts(), version: 0 },
)

/** Submissions whose decision is known, and has not taught anything so far, in SQL from FROM on. */
const toLearn = sql`FROM ${submissions} INDEXED BY submissions_to_learn`
const isToLearn = sql`${submissions.decided_utc} IS NOT NULL AND NOT ${submissions.is_learned}`

const ONE = 'decision of a submission'

/** A condition for those that are not put back. */
const isNext = (nowMs: number) => sql`${isToLearn} AND ${isNotPutBack(ONE, nowMs, sql`${submissions.id}`)}`

/** A condition that is true if there are any. */
export const hasDecisions = (nowMs: number) => sql`EXISTS (SELECT 1 ${toLearn} WHERE ${isNext(nowMs)})`

/** Submissions that one run learns from: each takes a millisecond or two. */
const MOST = 2

/** The statements of a run. */
export const OF_LEARNING = { statements: 6, cpuMs: 4 }

type Decided = {
  id: number
  /** Undefined if nothing is to be learned. */
  isSpam: boolean | undefined
  text: SubmittedText
}

/**
 * What was published is no spam. Spam is what an editor has called so, or has moved to the trash when it was marked. What else was
 * refused or withdrawn may be a true event, such as one that was sent in twice.
 */
function verdictOf({ status, is_spam, likeness, is_withdrawn }: RawRow): boolean | undefined {
  if (status === 'publish' || status === 'future') return false
  const isRefused = status === 'trash' && is_withdrawn === 0
  return isRefused && (is_spam === 1 || Number(likeness) > SPAM_ABOVE) ? true : undefined
}

const namesOf = (
  table: typeof venues | typeof organizers,
  links: typeof eventVenues | typeof eventOrganizers,
) =>
  sql`(SELECT group_concat(${table.name}, ' ') FROM ${links} CROSS JOIN ${table} ON ${table.id} = ${links.target_id}
    WHERE ${links.event_id} = ${events.id})`

const selectDecided = (nowMs: number): Query<Decided[]> =>
  many(
    sql`SELECT ${submissions.id} AS id, ${submissions.is_spam} AS is_spam,
      ${submissions.likeness} AS likeness, ${submissions.is_withdrawn} AS is_withdrawn, ${events.status} AS status, ${events.title} AS title,
      coalesce(${events.description}, ${series.description}, '') AS description, ${events.cost} AS cost, ${events.website} AS website,
      ${namesOf(venues, eventVenues)} AS venues, ${namesOf(organizers, eventOrganizers)} AS organizers
    ${toLearn} LEFT JOIN ${events} ON ${events.id} = ${submissions.event_id}
      LEFT JOIN ${series} ON ${series.id} = ${events.series_id}
    WHERE ${isNext(nowMs)} ORDER BY ${submissions.id} LIMIT ${literal(MOST)}`,
    row => ({
      id: Number(row.id),
      isSpam: verdictOf(row),
      text: readableText({
        title: String(row.title ?? ''),
        description: String(row.description),
        others: [row.venues, row.organizers, row.website, row.cost].map(value => String(value ?? '')),
      }),
    }),
  )

/** The text of an event as the classifier reads it. @param others everything else that would be public, as plain text */
export const readableText = ({
  title,
  description,
  others,
}: {
  title: string
  description: string
  others: readonly string[]
}): SubmittedText => ({ title: htmlToText(title), rest: [proseIn(description), ...others].join(' \n ') })

/**
 * Learns from submissions that editors have decided since, by whatever door. Of two runs at the same time, one does it.
 */
export async function learnFromDecisions(db: Database, nowMs: number): Promise<void> {
  if (!db.allowance.begin('spam', OF_LEARNING)) return
  const { learned, decided } = await db.get(
    together({ learned: selectLearned, decided: selectDecided(nowMs) }),
  )
  const [next] = decided
  if (!next) return
  await takeDue(db, { one: ONE, nowMs, next: settled(next.id) }, () => write(db, learned, decided))
}

async function write(db: Database, learned: Learned, decided: readonly Decided[]): Promise<void> {
  let { counts } = learned
  for (const { isSpam, text } of decided) if (isSpam !== undefined) counts = learn(counts, text, isSpam)
  const { events: ofEvents, spam } = counts
  const ids = decided.map(({ id }) => id)
  const version = sql`coalesce((SELECT version FROM ${spamCounts}), 0)`
  try {
    await db.change([
      conflictIf(sql`${version} <> ${learned.version}`),
      sql`INSERT INTO ${spamCounts} (id, version, events, spam, counts)
        VALUES (1, ${learned.version + 1}, ${ofEvents}, ${spam}, ${encodeCounts(counts)})
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, events = excluded.events, spam = excluded.spam, counts = excluded.counts`,
      sql`UPDATE ${submissions} SET is_learned = 1 WHERE ${submissions.id} IN ${inList(ids)}`,
    ])
  } catch (error) {
    // Another run has done it.
    if (!isConflict(error)) throw error
  }
}
