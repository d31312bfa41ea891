import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { conflictIf, isConflict } from '../../db/failures.ts'
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
import { build } from '../../db/statements.ts'
import { isNotPutBack, takeDue } from '../../http/due-rows.ts'
import { SPAM_LEARNING } from '../../lib/budgets.ts'
import { proseIn } from '../../lib/html.ts'
import { htmlToText } from '../../lib/text.ts'
import { presentEvent } from './queries.ts'
import {
  decodeCounts,
  encodeCounts,
  learn,
  likenessToSpam,
  noCounts,
  SPAM_ABOVE,
  type SpamCounts,
  type SubmittedText,
} from './spam.ts'

type Learned = { counts: SpamCounts; version: number }

/** A query for the counts that this calendar has learned from its editors' decisions. */
export const selectLearned: Query<Learned> = mapped(first(build.select().from(spamCounts)), row =>
  row
    ? { counts: decodeCounts(row.events, row.spam, row.counts), version: row.version }
    : { counts: noCounts(), version: 0 },
)

/** The FROM clause for decided submissions that have not been learned from. */
const toLearn = sql`FROM ${submissions} INDEXED BY submissions_to_learn`
const isToLearn = sql`${submissions.decided_utc} IS NOT NULL AND NOT ${submissions.is_learned}`

const ONE = 'decision of a submission'

/** A condition for those that are not postponed after a failure. */
const isNext = (nowMs: number) => sql`${isToLearn} AND ${isNotPutBack(ONE, nowMs, sql`${submissions.id}`)}`

/** A condition that is true if any submissions are left to learn from. */
export const hasDecisions = (nowMs: number) => sql`EXISTS (SELECT 1 ${toLearn} WHERE ${isNext(nowMs)})`

type Decided = {
  id: number
  /** Undefined if there is nothing to learn. */
  isSpam: boolean | undefined
  text: SubmittedText
}

/**
 * The verdict to learn from a decision. Published events are not spam. Events are spam if an editor marked them as
 * spam, or moved them to the trash while they were flagged. Other refused or withdrawn events may be genuine, such as
 * one that was sent twice.
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
    ${toLearn} LEFT JOIN ${events} ON ${events.id} = ${presentEvent()}
      LEFT JOIN ${series} ON ${series.id} = ${events.series_id}
    WHERE ${isNext(nowMs)} ORDER BY ${submissions.id} LIMIT ${literal(SPAM_LEARNING.texts)}`,
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
 * Adds a decision to the counts if the submission was misjudged. Learning from all decisions would associate the
 * calendar's language, in which nearly all events are genuine, with genuine events: then 14 instead of 9 out of 100
 * pieces of spam in that language are missed.
 */
const corrected = (counts: SpamCounts, { isSpam, text }: Decided): SpamCounts =>
  isSpam === undefined || likenessToSpam(text, counts) > SPAM_ABOVE === isSpam
    ? counts
    : learn(counts, text, isSpam)

/** Learns from newly decided submissions that were misjudged. If two runs collide, one of them does it. */
export async function learnFromDecisions(db: Database, nowMs: number): Promise<void> {
  if (!db.allowance.begin('spam', SPAM_LEARNING.work)) return
  const { learned, decided } = await db.get(
    together({ learned: selectLearned, decided: selectDecided(nowMs) }),
  )
  const [next] = decided
  if (!next) return
  await takeDue(db, { one: ONE, nowMs, next: settled(next.id) }, () => write(db, learned, decided))
}

function storing(counts: SpamCounts, version: number) {
  const row = { version, events: counts.events, spam: counts.spam, counts: encodeCounts(counts) }
  return build
    .insert(spamCounts)
    .values({ id: 1, ...row })
    .onConflictDoUpdate({ target: spamCounts.id, set: row })
}

async function write(db: Database, learned: Learned, decided: readonly Decided[]): Promise<void> {
  const counts = decided.reduce(corrected, learned.counts)
  const ids = decided.map(({ id }) => id)
  try {
    await db.change([
      conflictIf(sql`coalesce((SELECT version FROM ${spamCounts}), 0) <> ${learned.version}`),
      // The counts are a row of 64 KB, which is not written if nothing was learned.
      ...(counts === learned.counts ? [] : [storing(counts, learned.version + 1)]),
      build
        .update(submissions)
        .set({ is_learned: true })
        .where(sql`${submissions.id} IN ${inList(ids)}`),
    ])
  } catch (error) {
    // Another run has done it.
    if (!isConflict(error)) throw error
  }
}
