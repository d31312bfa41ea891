// Budgets of the core that are tuned to the platform, each with the limit that it protects; features keep
// theirs next to their own code. Limits on input from people and other servers hold on every plan, and are in
// the code that reads the input. `npm run bench` and test/node/cron.test.ts measure the use of these budgets.
// CPU times are those of workerd on one core of a small server.

/**
 * Limits of Cloudflare's free plan for an invocation, and for a day.
 * https://developers.cloudflare.com/workers/platform/limits
 */
export const FREE_PLAN = {
  statements: 50,
  /** Requests to other servers, and to the bucket of images. */
  requests: 50,
  cpuMs: 10,
  /** Connections open at the same time. */
  connections: 6,
  rowsWrittenADay: 100_000,
} as const

/**
 * Rows written for a new event with a venue, an organizer, a category and a tag, and for a date of a series
 * (test/bench/requests.ts).
 */
export const ROWS_WRITTEN = { event: 30, date: 14 } as const

/** Limits of D1 on every plan. https://developers.cloudflare.com/d1/platform/limits */
const D1_LIMITS = { valueBytes: 2_000_000, statementBytes: 100_000 } as const

/**
 * The share of an invocation's limits that its work may use. The rest is for a few statements and requests
 * that nobody counts.
 */
export const INVOCATION = {
  statements: FREE_PLAN.statements - 1,
  requests: FREE_PLAN.requests - 2,
  cpuMs: FREE_PLAN.cpuMs,
} as const

/**
 * The limits of a run of the cron, which has an invocation to itself. test/node/cron.test.ts makes everything
 * due at once.
 */
export const CRON = {
  statements: FREE_PLAN.statements,
  /** The time that the steps may take, until the next run begins. */
  ms: 60_000,
} as const

/** Statements that postpone a row which the database refuses (kit/work/leases.ts). */
export const POSTPONING_STATEMENTS = 2

/** The most rows of each kind that a run of the cron changes. Others wait for the next run. */
export const ROWS_PER_RUN = {
  /** Events, venues and organizers whose publication date has come, in one transaction. */
  publications: 10_000,
  sessions: 1_000,
  /** Responses kept for repeated requests. */
  responses: 5_000,
  /** Messages, letters and the like that features have sent. */
  deliveries: 5_000,
  /**
   * Entries of the audit whose values are deleted, and the statements for that: one to find them, two for
   * each of three batch sizes, and one to skip an entry.
   */
  auditValues: 500,
  auditStatements: 8,
  /** Images and files to delete. */
  images: 500,
} as const

/** Looking for duplicates (calendar/imports/duplicates.ts). */
export const DUPLICATE_WORK = {
  /**
   * Milliseconds for an event, and the events that are compared together: as many as fit into the time of an
   * invocation.
   */
  cpuOfEvent: 0.2,
  events: FREE_PLAN.cpuMs / 0.2,
  /** The budget needed to compare these events together, and to compare one event alone. */
  together: { statements: 20, cpuMs: 1 },
  alone: { statements: 18, cpuMs: 1 },
} as const

/**
 * Adding dates to series that reach the horizon (calendar/events/extend-series.ts). The cron adds the rest a
 * minute later.
 */
export const SERIES_WORK = {
  series: 8,
  /** Dates that a series gets in one run, of some 40 rows each. */
  dates: 100,
  /** The budget of a series, for adding dates, or for failing and being postponed. */
  ofSeries: { statements: 10, cpuMs: 1 },
} as const

/** Notices of waiting content (editor/notices.ts). */
export const NOTICE_WORK = {
  /** Statements that find users to notify, and waiting content. */
  toFind: 4,
  /** The budget of a notice: claiming it, and postponing it if the platform refuses it. */
  ofPerson: { statements: 4, requests: 1, cpuMs: 0.1, ms: 15_000 },
} as const

/** Deleting images and their files (calendar/media/removal.ts). */
export const IMAGE_WORK = {
  /** The budget of a step, which may write and read in one batch, then delete files. */
  step: { statements: 8, requests: 10 },
  /**
   * Pages of a thousand files each that a run lists, in one of 256 parts of the bucket. A day of runs covers
   * all parts.
   */
  pages: 20,
  minutesBetween: 5,
} as const

/**
 * Items that one form of the editor changes at once. Its requests to the API share the statements of an
 * invocation.
 */
export const EDITOR_WORK = {
  /** Items that are deleted permanently. Each takes some ten statements, and so do the checks before. */
  deleted: (FREE_PLAN.statements - 10) / 10,
  /** Submissions that an editor decides at once. Each takes a few statements, and a series some dozens. */
  decided: 20,
} as const

/**
 * Dates of series that one request, such as a batch, may write, and dates that count as one write towards the
 * limit of writes a minute. A date takes at least some ten rows, and the free plan allows 100,000 rows a day.
 */
export const DATES_WRITTEN = {
  administrator: { request: 20_000, write: 100 },
  editor: { request: 20_000, write: 100 },
  author: { request: 4_000, write: 20 },
  contributor: { request: 300, write: 10 },
  subscriber: { request: 1_000, write: 10 },
  anonymous: { request: 1_000, write: 10 },
} as const

/**
 * The most dates of one request that count towards the limit of a minute, so that a change of the largest
 * series fits into it.
 */
export const MAX_DATES_COUNTED = 3_000

/**
 * Limits on submissions of visitors: of one sender in an hour (`hour`) and in a day (`day`, with
 * `senderDates`), and of all senders in a day (`all`, with `allDates`), of which so many may come by e-mail
 * (`mails`) or with an image (`images`). Dates count every time they are written, and each takes twelve to
 * forty rows: `allDates` take a quarter to three quarters of the rows that the free plan allows in a day. A
 * series has at most `dates`: once a week for two years.
 */
export const SUBMISSION_LIMITS = {
  hour: 5,
  day: 10,
  all: 100,
  mails: 50,
  images: 30,
  senderDates: 600,
  allDates: 2_000,
  dates: 110,
} as const

/**
 * Limits on writes of a whole series (calendar/events/recurrence). Each write is one transaction, which
 * blocks the database.
 */
export const SERIES_SIZE = {
  /** Occurrences, including trashed ones. A write of all occurrences sends one JSON text. */
  rows: 6_000,
  /** Links, which take several rows each. Writing this many takes two to three seconds. */
  links: 30_000,
  /**
   * Links times the links of each occurrence: to remove a link, the database reads all other links of its
   * event.
   */
  pairs: 1_500_000,
} as const

/** Sizes of parameters and rows. */
export const SIZES = {
  /** A JSON text of rows, in UTF-16 units of up to three bytes each. */
  jsonUnits: D1_LIMITS.valueBytes / 4,
  /** The same limit for code that counts bytes. */
  jsonBytes: 0.75 * D1_LIMITS.valueBytes,
  /** A text longer than this gets a parameter of its own, in UTF-16 units. */
  longUnits: 50_000,
  /** A list inside a statement, in bytes. A remote database receives each byte as two. */
  listBytes: 0.4 * D1_LIMITS.statementBytes,
  /** A response that is stored for a repeated request, in bytes. */
  responseBytes: D1_LIMITS.valueBytes / 2,
  /** The stored state of a source's pages, in UTF-16 units. */
  pagesUnits: 800_000,
  /** Requests that undo a change, in UTF-16 units. */
  undoUnits: 300_000,
  /**
   * Events and series as they were before a change, for undoing it, in UTF-16 units: at most 2 MB at three
   * bytes a unit.
   */
  undoRowsUnits: 600_000,
} as const

/**
 * The cache of responses in the memory of an instance, which has 128 MB, and its largest response, in bytes
 * of keys, bodies and headers. The largest are feeds and sitemaps, which are requested most often, change
 * least and take longest to compute.
 */
export const RESPONSE_CACHE = { maxBytes: 24_000_000, maxResponseBytes: 8_000_000 } as const

/**
 * Limits on lists of events, in bytes unless noted. They keep responses below about ten megabytes, even if
 * people write the longest texts; a hundred events of an ordinary calendar take a twentieth of that.
 */
export const LIST_SIZE = {
  /**
   * Texts of the events, and the additional and excluded dates of their series, which each occurrence
   * repeats.
   */
  eventTexts: 3_000_000,
  dates: 500_000,
  /** Relations, with their descriptions and without. */
  withDescriptions: 2_500_000,
  related: 4_000_000,
  /**
   * Characters of descriptions and other texts that a list reads from related rows, divided evenly among the
   * rows: thirty rows may have texts of full length.
   */
  descriptionsRead: 2_500_000,
  charactersRead: 1_600_000,
  relatedRows: 4_000,
} as const

/**
 * Limits on other responses: bytes of the texts of a page of changes, and of descriptions in a list of venues
 * or organizers; UTF-16 units of a batch.
 */
export const RESPONSE_SIZE = { changes: 3_000_000, related: 5_000_000, batchUnits: 8_000_000 } as const

/** Limits on feeds. */
export const FEED_SIZE = {
  events: 5_000,
  /** Characters of a description's text, and of the HTML that is read for it. */
  description: 1_500,
  descriptionRead: 6_000,
  /** Bytes of a feed, of its texts and of its named dates. */
  bytes: 9_000_000,
  textBytes: 3_000_000,
  dateBytes: 1_000_000,
} as const
