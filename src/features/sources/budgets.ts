import { INVOCATION } from '../../kit/lib/budgets.ts'
import { doublingPauses, type WaitingWork } from '../../kit/lib/retries.ts'
import { DAY_MS, MINUTE_MS } from '../../kit/lib/time.ts'

/** The most uploaded files that a run of the cron deletes because nobody has imported them. */
export const UPLOADS_OF_RUN = 50

/**
 * Reading sources (schedule). A hundred new events with their venues, organizers, terms and images take 27
 * statements.
 */
export const SOURCE_WORK = {
  /** Requests of all batches of an invocation. The rest is for messages about changes. */
  requests: INVOCATION.requests - 8,
  /** The budget that a batch needs to begin. A server may take 20 seconds to respond. */
  batch: { statements: 30, requests: 30, cpuMs: 1, ms: 20_000 },
  /** The most batches of an invocation, if they are small. */
  batches: 4,
  /** The time after which no further batch begins while somebody waits for the response. */
  waitMs: 10_000,
  /**
   * Events and other records of a batch. A new event writes some 40 rows, and 200 rows take a millisecond, so
   * 50 events use up all 10.
   */
  events: 50,
  records: 150,
  /** Characters of descriptions in a batch. */
  characters: 500_000,
  /** Bytes of pages in a batch. Parsing 1 MB of HTML takes 30 ms, or 1 ms if its JSON-LD comes first. */
  bytes: 500_000,
  /**
   * Limits on documents that wait to be written: records of a row, characters of a row and of a document (10
   * MB of iCalendar become at most some 25 million), JSON texts of a round trip, and rows of all sources,
   * which take at most 100 MB.
   */
  document: { records: 200, units: 200_000, allUnits: 32_000_000, texts: 4, rows: 500 },
  /** The CPU time that a batch has used, in milliseconds. */
  cpuOf: (bytes: number, rowsWritten: number): number => 1 + bytes / 33_000 + rowsWritten / 200,
  /**
   * The time after which no further page is requested, and the requests that one page may take, redirects
   * included.
   */
  pagesMs: 20_000,
  ofPage: 4,
  /**
   * The time after which reading a document stops, and the shorter time for a preview, while an editor waits.
   */
  documentMs: 25_000,
  previewMs: 8_000,
  /** Statements that usually look up the rows for records, store an outcome, and release a source. */
  toPlan: 12,
  toStoreOutcome: 4,
  toRelease: 1,
  /**
   * Statements that store a document along with the outcome of a batch. A document that takes more has a
   * batch to itself.
   */
  toStore: 2,
  /** Statements that the rest of a batch needs. If fewer are left, another batch does the rest. */
  ofRest: 30,
  /**
   * Rows that one transaction moves to the trash, and its statements, including the statements that store the
   * outcome.
   */
  trashed: 50,
  ofTrashed: 18,
} as const

/** Calendars to read. A second try costs the other side one more request. */
export const SOURCES_WAITING = {
  rowName: 'source',
  atOnce: 1,
  leaseMs: 90_000,
  retries: { pausesMs: doublingPauses(5 * MINUTE_MS, DAY_MS), isEndless: true },
} as const satisfies WaitingWork
