import { Guesses } from './guesses.ts'
import { COLLECTIONS, RECORD_KINDS, type RecordKind } from './records.ts'

const OUTCOMES = ['created', 'updated', 'unchanged', 'skipped', 'failed', 'trashed'] as const
type RecordOutcome = (typeof OUTCOMES)[number]

const SUBJECTS = [...RECORD_KINDS, 'page', 'image'] as const
type Subject = (typeof SUBJECTS)[number]

type SkipReason = { kind: Subject; outcome: 'skipped' | 'failed'; what: string; reason: string }

// A report that printed more of these would hide what matters.
const MAX_NOTES = 10
const MAX_REASONS = 100

/**
 * The outcome of an import: numbers of records by kind, and the reasons for those that were skipped or
 * failed.
 */
export class Report {
  readonly #counts = new Map<string, number>()
  readonly #reasons: SkipReason[] = []
  readonly #totals = new Map<RecordKind, { read: number; listed: number }>()
  readonly notes = new Set<string>()
  /** What readers took from the calendar instead of the files, or left out. */
  readonly guesses = new Guesses()
  /** The question that somebody has to answer with yes before the rest is done. */
  question: string | undefined
  count(kind: Subject, outcome: RecordOutcome, by = 1): void {
    this.#counts.set(`${kind} ${outcome}`, this.countOf(kind, outcome) + by)
  }

  countOf(kind: Subject, outcome: RecordOutcome): number {
    return this.#counts.get(`${kind} ${outcome}`) ?? 0
  }

  /** Counts a record that was skipped or failed. @param what its id or name */
  explain(kind: Subject, outcome: 'skipped' | 'failed', what: string, reason: string): void {
    this.count(kind, outcome)
    this.#reasons.push({ kind, outcome, what, reason })
  }

  /** One line for each record that was skipped or failed. */
  get reasons(): string[] {
    return this.#reasons.map(({ kind, outcome, what, reason }) => `${outcome}: ${kind} ${what}: ${reason}`)
  }

  /** Adds a note. Equal notes are kept once. */
  note = (text: string): void => {
    this.notes.add(text)
  }

  /** Records how many items of a list were read, and how many it has by its own account. */
  compare(kind: RecordKind, read: number, listed: number): void {
    const before = this.#totals.get(kind) ?? { read: 0, listed: 0 }
    this.#totals.set(kind, { read: before.read + read, listed: before.listed + listed })
  }

  /** The exit status of a command: 3 if it asks, 1 if something failed. */
  get exitCode(): number {
    if (this.question !== undefined) return 3
    return this.total('failed') > 0 ? 1 : 0
  }

  total(outcome: RecordOutcome): number {
    return SUBJECTS.reduce((sum, kind) => sum + this.countOf(kind, outcome), 0)
  }

  /** Notes and reasons, a table of counts, and a comparison with the totals of the source. */
  text({ verbose }: { verbose: boolean }): string {
    const notes = [...this.notes]
    const shownNotes = verbose ? notes : notes.slice(0, MAX_NOTES)
    const hiddenCount = notes.length - shownNotes.length
    const guesses = this.guesses.lines.map(line => `guess: ${line}`)
    return [
      ...shownNotes.map(note => `note: ${note}`),
      ...(hiddenCount > 0 ? [`note: ${hiddenCount} more notes; --verbose shows them`] : []),
      ...(verbose ? guesses : firstOf('guess', guesses)),
      ...(verbose ? this.reasons : this.#summary()),
      ...this.#table(),
      ...this.#comparison(),
      ...(this.question === undefined ? [] : [this.question]),
    ].join('\n')
  }

  /** Failures one by one, and skipped records counted by reason. */
  #summary(): string[] {
    const skippedReasons = this.#reasons.filter(({ outcome }) => outcome === 'skipped')
    const groups = Map.groupBy(skippedReasons, ({ kind, reason }) => `${kind}: ${reason}`)
    const failures = this.reasons.filter((_, i) => this.#reasons[i]?.outcome === 'failed')
    return [
      ...firstOf('failed', failures),
      ...firstOf(
        'skipped',
        [...groups].map(([reason, { length }]) => `skipped: ${length} × ${reason}`),
      ),
      ...(skippedReasons.length > 0 ? ['Use --verbose to see which ones.'] : []),
    ]
  }

  #table(): string[] {
    const kinds = SUBJECTS.filter(kind => OUTCOMES.some(outcome => this.countOf(kind, outcome) > 0))
    if (kinds.length === 0) return ['There was nothing to import.']
    const outcomes = OUTCOMES.filter(outcome => outcome !== 'trashed' || this.total('trashed') > 0)
    const rows = [
      ['', ...outcomes],
      ...kinds.map(kind => [kind, ...outcomes.map(outcome => String(this.countOf(kind, outcome)))]),
    ]
    return rows.map(([kind = '', ...cells]) =>
      [kind.padEnd(9), ...cells.map((cell, i) => cell.padStart((outcomes[i]?.length ?? 0) + 2))].join(''),
    )
  }

  #comparison(): string[] {
    const parts = [...this.#totals].map(
      ([kind, { read, listed }]) => `${COLLECTIONS[kind]} ${read} of ${listed}`,
    )
    return parts.length === 0 ? [] : [`Read, compared with the totals of the source: ${parts.join(', ')}.`]
  }
}

/** The first of some lines, and the number of the others. */
const firstOf = (outcome: SkipReason['outcome'] | 'guess', lines: readonly string[]): string[] =>
  lines.length <= MAX_REASONS
    ? [...lines]
    : [...lines.slice(0, MAX_REASONS), `${outcome}: ${lines.length - MAX_REASONS} more; --verbose shows them`]

/** The note about an event that a source may neither move nor remove. */
export const PEOPLE_ASKED =
  'people have registered, so its organizer decides, on the page of the event, whether it is moved or removed'
