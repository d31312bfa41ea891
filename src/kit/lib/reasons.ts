/**
 * Codes of reasons for refusing a value, each with the values that its texts may name. The message next to a
 * code is for programs; people read the text of the catalogue in their language (`reason` in `src/words`).
 */
export const REASONS = {
  missing: [],
  unticked: [],
  unknown: [],
  taken: [],
  no_date: [],
  ends_early: [],
  opens_late: [],
  closes_late: [],
  no_zone: [],
  no_email: [],
  own_address: [],
  no_url: [],
  no_contact: [],
  no_link: [],
  not_public: [],
  no_tiles: [],
  no_number: ['from', 'to'],
  no_integer: ['from', 'to'],
  too_long: ['n'],
  too_many_items: ['n'],
  too_many_tags: ['n'],
  own_part: [],
  too_deep: ['n'],
  question_changed: [],
  tickets_held: [],
  registered_together: [],
  scope_with_people: [],
  scope_without_end: [],
  no_image: [],
  image_kind: ['kind'],
  image_pixels: ['n', 'most'],
  image_detail: [],
  image_broken: [],
  large_file: [],
  large_upload: [],
  rule_count: [],
  rule_until: [],
  rule_interval: [],
  rule_without_dates: [],
  rule_too_large: ['n'],
  rule_excludes_all: [],
  too_many_dates: ['n', 'most'],
  rule_bad_dates: [],
  rule_fixed: [],
  // Reasons why another calendar could not be read, and why a part of it was skipped.
  source_owner: [],
  source_failed_here: [],
  source_itself: [],
  source_private: [],
  source_refuses: [],
  source_gone: [],
  source_in_trouble: [],
  source_too_large: [],
  source_redirects: [],
  source_slow: [],
  source_no_calendar: [],
  source_silent: [],
  source_no_columns: [],
  source_unclear_columns: [],
  source_too_many_columns: [],
  source_too_many_rows: [],
  source_no_file: [],
  source_workbook: [],
  source_page: [],
  source_json: [],
  source_no_text: [],
  source_lost_file: [],
  half_vanished: ['gone', 'live', 'titles'],
  edited_there: ['there'],
  record_not_all: [],
  record_page: [],
  record_too_much: [],
  record_series: [],
  record_edited: [],
  record_people: [],
  record_broken: [],
  record_no_uid: [],
  record_repaired: [],
  record_deleted: [],
  record_no_dates: [],
  record_no_such_date: [],
  record_ends_early: [],
  record_no_start: [],
  record_no_name: [],
  record_zone: [],
  record_rule: [],
  record_unreadable: [],
  record_here: [],
  record_twice: [],
  record_two_dates: [],
  record_date_unread: [],
  // Values that a reader guessed from the calendar, because the file lacks them, or left out.
  guess_zone: ['text', 'as'],
  guess_value: ['field', 'text', 'as'],
  guess_left_out: ['field', 'text'],
  guess_early: ['field', 'text'],
  guess_hides: ['field', 'text'],
  guess_status: ['field', 'text'],
  guess_days_by_rows: ['text', 'as'],
  guess_days_by_headings: ['text', 'as'],
  guess_half: ['text', 'as'],
  guess_no_title: [],
  guess_skipped: ['text', 'as'],
  guess_year: ['text', 'as'],
  guess_encoding: ['text', 'as'],
  guess_version: ['text'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ReasonCode = keyof typeof REASONS

/** Codes of reasons why a calendar, or a part of it, was not read. */
export type ReadingCode = Extract<ReasonCode, `source_${string}` | `record_${string}`>

/** Codes of values that a reader has guessed. */
export type GuessCode = Extract<ReasonCode, `guess_${string}`>

// Object.keys forgets the type of the keys.
export const REASON_CODES = Object.keys(REASONS) as ReasonCode[]

type ReasonValues<C extends ReasonCode> = Readonly<Record<(typeof REASONS)[C][number], string | number>>

/** A reason that people may read in their language, and its message for programs. */
export type CodedReason = {
  code: ReasonCode
  message: string
  values: Readonly<Record<string, string | number>>
}

/**
 * The reason for refusing a value. Without a code, it has a message for programs only. Messages follow the
 * name of the parameter and a colon, and are sentences of their own or begin with “must” or “needs”.
 */
export type Reason = string | CodedReason

/** A reason with a code. @param values for its texts */
export const codedReason = <C extends ReasonCode>(
  code: C,
  message: string,
  ...[values]: (typeof REASONS)[C] extends readonly [] ? [] : [values: ReasonValues<C>]
): CodedReason => ({ code, message, values: values ?? {} })

export const MISSING = codedReason('missing', 'must not be empty')

export const NO_ZONE = codedReason('no_zone', 'must be a time zone such as Europe/Rome or UTC+2')

/** The message of a reason, for programs. */
export const messageIn = (reason: Reason): string => (typeof reason === 'string' ? reason : reason.message)

/** True for the code of a guessed value; false for the code of something that was skipped. */
export const isGuessCode = (code: unknown): code is GuessCode => /^guess_/.test(String(code))

const isReadingCode = (code: ReasonCode): code is ReadingCode => /^(?:source|record)_/.test(code)

/**
 * Codes of messages of a source and its runs: the reason for a failure, or a remark about a success. An
 * incomplete list may lack events, and the new events of an undone run are in the trash.
 */
export const SOURCE_CODES = [
  '',
  'half_gone',
  'incomplete',
  'half_gone_incomplete',
  'undone',
  ...REASON_CODES.filter(isReadingCode),
] as const

export const isReasonCode = (code: unknown): code is ReasonCode =>
  typeof code === 'string' && Object.hasOwn(REASONS, code)
