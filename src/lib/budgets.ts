// All budgets that are tuned to the platform, each with what it protects. Limits of what people and other servers may send are
// not among these, but with what reads them: they hold on every plan. `npm run bench` and test/node/cron.test.ts measure what
// is spent; figures of CPU are of workerd on one core of a small server.

/** What Cloudflare's free plan allows an invocation, and a day. https://developers.cloudflare.com/workers/platform/limits */
export const FREE_PLAN = {
  statements: 50,
  /** Requests to other servers, and to the bucket of images. */
  requests: 50,
  cpuMs: 10,
  /** Connections that are open at the same time. */
  connections: 6,
  rowsWrittenADay: 100_000,
} as const

/** What D1 takes on every plan. https://developers.cloudflare.com/d1/platform/limits */
const D1 = { valueBytes: 2_000_000, statementBytes: 100_000 } as const

/** What an invocation may count on: all but a few statements and requests that nobody counts. */
export const INVOCATION = {
  statements: FREE_PLAN.statements - 1,
  requests: FREE_PLAN.requests - 2,
  cpuMs: FREE_PLAN.cpuMs,
} as const

/** A run of the cron, which does nothing else in its invocation. test/node/cron.test.ts makes everything due at once. */
export const CRON = {
  statements: FREE_PLAN.statements,
  /** The time for which steps may be under way: the next run begins then. */
  ms: 60_000,
} as const

/** Statements that put back a row which the database refuses (http/due-rows.ts). */
export const TO_PUT_BACK = 2

/** Rows that a run of the cron changes, of each kind. What is left over waits for the next run. */
export const ROWS_OF_RUN = {
  /** Events, venues and organizers that are published at their date, in one transaction. */
  publications: 10_000,
  sessions: 1_000,
  /** Responses kept for repeated requests. */
  responses: 5_000,
  submissions: 200,
  /** Messages to webhooks. */
  deliveries: 5_000,
  /**
   * Entries of the audit whose values are forgotten, and the statements of that: a look, two for each of three sizes that are
   * tried, one to pass over an entry, and one for what could be undone.
   */
  auditValues: 500,
  auditStatements: 9,
  /** Images and files that are deleted. */
  images: 500,
} as const

/** Reading sources (intake/schedule). A hundred new events with all that they link to are 24 statements. */
export const SOURCE_WORK = {
  /** Requests of all pieces of an invocation: webhooks are told as well. */
  requests: INVOCATION.requests - 8,
  /** What a piece must find when it begins. A server may keep it waiting for 20 seconds. */
  piece: { statements: 30, requests: 30, cpuMs: 1, ms: 20_000 },
  /** Pieces of an invocation, where they are small. */
  pieces: 4,
  /** The time after which no other piece is begun while somebody waits for the response. */
  waitMs: 10_000,
  /** The time for which a run has its source, longer than a piece takes: after it, another takes up what a killed one has left. */
  leaseMs: 90_000,
  /** Records of a piece. Each new event writes some 40 rows, and 200 rows take a millisecond: 50 take all of 10. */
  events: 50,
  records: 150,
  /** Characters of descriptions of a piece. */
  characters: 500_000,
  /** Bytes of pages of a piece: taking 1 MB of HTML apart takes 30 ms, or 1 ms if its JSON-LD is at its beginning. */
  bytes: 500_000,
  /** What a piece has taken, in milliseconds. */
  cpuOf: (bytes: number, rowsWritten: number): number => 1 + bytes / 33_000 + rowsWritten / 200,
  /** The time after which no other page is asked for, and the requests that one may take: it may redirect. */
  pagesMs: 20_000,
  ofPage: 4,
  /** The time after which a document is not read on, and the same for a preview, for which an editor waits. */
  lookMs: 25_000,
  previewMs: 8_000,
  /** Statements that look up what some records concern, as a rule; that write down an outcome; that give a source back. */
  toPlan: 12,
  toWriteDown: 4,
  toRelease: 1,
  /** Statements without which the rest of a piece is left to another one. */
  ofRest: 30,
  /** Rows that go to the trash in one transaction, and its statements, those that write down the outcome among them. */
  trashed: 50,
  ofTrashed: 18,
} as const

/** Looking for twins (intake/twins.ts). */
export const TWIN_WORK = {
  /** Milliseconds of an event, and the events that are looked at together: all of an invocation's. */
  cpuOfEvent: 0.2,
  events: FREE_PLAN.cpuMs / 0.2,
  /** What looking at these must find when it begins, and looking at one of them alone. */
  together: { statements: 20, cpuMs: 1 },
  alone: { statements: 18, cpuMs: 1 },
} as const

/** Adding dates to series that reach the horizon (events/recurrence/extend.ts). What is left over is added a minute later. */
export const SERIES_WORK = {
  series: 8,
  /** Dates that one of these gets: each is some 40 rows. */
  dates: 100,
  /** What a series takes: one that adds dates, or one that tries to and is then put back. */
  ofSeries: { statements: 10, cpuMs: 1 },
} as const

const [SENDING_MS, PATIENCE_MS] = [20_000, 15_000]

/** Telling webhooks. */
export const WEBHOOK_WORK = {
  /** Messages of a run of the cron, and of what follows a write: the cron sends the others. Each is a request. */
  messages: 30,
  messagesAfterWrite: 10,
  /** Milliseconds that signing a message takes. */
  cpuOfMessage: 0.2,
  /** Webhooks that are told at the same time: one connection is left. */
  atOnce: FREE_PLAN.connections - 1,
  /** Statements of a webhook: a look at each of three kinds of resources, and seven that write down what was done. */
  ofWebhook: 3 + 7,
  /** Statements that are left for what else follows a response. */
  kept: 3,
  /** How often a run goes on with what was changed while it was sending. */
  rounds: 4,
  /** Changes of a kind that a run looks at for a webhook, and entries of the audit for the fields that changed. */
  changes: 100,
  entries: 20,
  /** Resources that may wait for a receiver that takes nothing: then no further changes are looked at until it takes one. */
  waiting: 20,
  /** The time after which no message is begun, that for which a receiver is waited for, and the sum of both. */
  sendingMs: SENDING_MS,
  patienceMs: PATIENCE_MS,
  ms: SENDING_MS + PATIENCE_MS,
  /** The time for which a run has its webhooks, longer than it takes: after it, another takes up what a killed one has left. */
  leaseMs: 60_000,
} as const

/** Deleting images and their files (resources/media/removal.ts). */
export const IMAGE_WORK = {
  /** One step: some write and read in one batch, then delete files. */
  step: { statements: 8, requests: 10 },
  /** Pages of a listing of the bucket, of a thousand files each, that a run looks at, in one of 256 parts: in a day of such runs, all of it. */
  pages: 20,
  minutesBetween: 5,
} as const

/** What one form of the editor does at once: its requests share the statements of an invocation. */
export const EDITOR_WORK = {
  /** Things that are deleted for good: each takes some ten statements, and so does what comes before. */
  deleted: (FREE_PLAN.statements - 10) / 10,
  /** Submissions that are decided: each takes a few statements, and a series some dozens. */
  decided: 20,
} as const

/**
 * Dates of series that one request, a batch for instance, writes, and those that count as one write towards the limit of writes
 * a minute. A date is some ten rows at least, of which a day of the free plan has 100,000.
 */
export const DATES_WRITTEN = {
  administrator: { request: 20_000, write: 100 },
  editor: { request: 20_000, write: 100 },
  author: { request: 4_000, write: 20 },
  contributor: { request: 2_000, write: 10 },
  subscriber: { request: 1_000, write: 10 },
  anonymous: { request: 1_000, write: 10 },
} as const

/** The most dates that count towards the limit of a minute at once, so that a change of the largest series fits into one. */
export const MOST_DATES_COUNTED = 3_000

/**
 * Submissions of visitors: of one sender in an hour and a day, and of all in a day. Dates count each time that they are written,
 * each as twelve to forty rows: those of all are a quarter to three quarters of what a day of the free plan may write. A series has
 * at most `dates` of them: once a week for two years.
 */
export const SUBMISSIONS = {
  hour: 5,
  day: 10,
  all: 100,
  images: 30,
  senderDates: 600,
  allDates: 2_000,
  dates: 110,
} as const

/** Learning from decided submissions: a run takes a few, a millisecond or two each. */
export const SPAM_LEARNING = { texts: 2, work: { statements: 6, cpuMs: 4 } } as const

/** Steps of recurrence rules, a tenth of a microsecond each (lib/recurrence). A thousand dates take some thousand steps. */
export const RULE_STEPS = {
  /** One check or one expansion: ten to fifteen milliseconds, for rules such as every second of a day. */
  most: 90_000,
  /** The same for visitors, and for what is only looked at: some three milliseconds. */
  few: 20_000,
  /** The rules of all series of a feed together. */
  feed: 3_000_000,
} as const

/** Writes of a whole series (events/recurrence), which the database does in one transaction and nothing else meanwhile. */
export const SERIES_SIZE = {
  /** Occurrences, those in the trash included: a write of all sends them as one JSON text. */
  rows: 6_000,
  /** Links, each of which is several rows: so many take two to three seconds. */
  links: 30_000,
  /** Links times the links of each occurrence: one that goes makes the database read all others of its event. */
  pairs: 1_500_000,
} as const

/** Sizes of parameters and rows. */
export const SIZES = {
  /** A JSON text of rows, in UTF-16 units, of which each takes up to three bytes; and of a text that gets a parameter of its own. */
  jsonUnits: D1.valueBytes / 4,
  longUnits: 50_000,
  /** A list inside a statement, in bytes: a remote database gets each as two. */
  listBytes: 0.4 * D1.statementBytes,
  /** A response that is kept for a repeated request, in bytes. */
  responseBytes: D1.valueBytes / 2,
  /** What is stored of the pages of a source, in UTF-16 units. */
  pagesUnits: 800_000,
  /** Requests that undo a change, in UTF-16 units. */
  undoUnits: 300_000,
} as const

/**
 * The cache of responses in the memory of an instance, which has 128 MB, and its largest response, in bytes of keys, bodies and
 * headers. The largest are feeds and sitemaps, which are asked for most often, change least and take the longest to work out.
 */
export const RESPONSE_CACHE = { most: 24_000_000, largest: 8_000_000 } as const

/**
 * Sizes of lists of events, in bytes where nothing else is said: responses stay below about ten megabytes, whatever is stored. A
 * hundred events of ordinary calendars take a twentieth of that.
 */
export const LIST_SIZE = {
  /** Texts of the events, and dates that their series add and leave out, which each occurrence shows. */
  own: 3_000_000,
  dates: 500_000,
  /** Relations: while their descriptions are shown, and without these. */
  withDescriptions: 2_500_000,
  related: 4_000_000,
  /** Descriptions and other texts (characters) of related rows that are read, divided evenly among these: thirty may have the longest. */
  descriptionsRead: 2_500_000,
  charactersRead: 1_600_000,
  relatedRows: 4_000,
} as const

/** Other responses: bytes of the texts of a page of changes, and of descriptions in a list of venues or organizers; UTF-16 units of a batch. */
export const RESPONSE_SIZE = { changes: 3_000_000, related: 5_000_000, batchUnits: 8_000_000 } as const

/** Feeds: events, and those that are told of as removed; bytes of a feed, of its texts and of its named dates. */
export const FEED_SIZE = {
  events: 5_000,
  removed: 1_000,
  bytes: 9_000_000,
  textBytes: 3_000_000,
  dateBytes: 1_000_000,
} as const
