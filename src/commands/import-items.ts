import { ImportBatch } from '../calendar/imports/batch.ts'
import type { PlannedRecord } from '../calendar/imports/decisions.ts'
import { planBatch } from '../calendar/imports/plan.ts'
import {
  type AnyRecord,
  COLLECTIONS,
  hiddenText,
  importKey,
  isRecordKind,
  keyOfRecord,
  recordLength,
  recordName,
  type SourceItem,
} from '../calendar/imports/records.ts'
import { PEOPLE_ASKED, Report } from '../calendar/imports/report.ts'
import {
  type CompleteItem,
  countVanished,
  type GoneRecord,
  isHalfOrMore,
  MIN_QUESTIONABLE,
  type SourceKeys,
  trashingsOfVanished,
} from '../calendar/imports/vanished.ts'
import { selectAuthorId } from '../calendar/users/records.ts'
import type { BaseContext } from '../kit/context.ts'
import { importRequestId } from '../kit/db/audit.ts'
import { isDailyLimit, isDiskFailure } from '../kit/db/failures.ts'
import type { Statement } from '../kit/db/query.ts'
import { asOneChange, build } from '../kit/db/statements.ts'
import { users } from '../kit/db/tables.ts'
import { ApiError, messageOf } from '../kit/lib/errors.ts'
import { decodeEntities } from '../kit/lib/text.ts'
import { batchesWithin, requirePresent } from '../kit/lib/values.ts'
import { processByHalving } from '../kit/work/due-rows.ts'

export type ImportOptions = {
  /** Makes everything as it is at the source, and undoes edits made here. */
  mirror: boolean
  /** True if half or more of a list may vanish without a question. */
  agrees: boolean
  dryRun: boolean
  /** Login of the author of imported content; the first administrator by default. */
  author?: string | undefined
  /** Number of records in one transaction. */
  batchSize: number
  /** Takes a line for each change that a dry run would make. */
  say: (line: string) => void
  /** Ends the import after the transaction that is under way, with an error. */
  signal?: AbortSignal | undefined
  /** Called after each transaction, with numbers of records. */
  progress: (done: number, expected?: number) => void
  /** Called before the first transaction, and again whenever more records are expected. */
  expecting?: ((records: number) => void) | undefined
}

// A batch is one transaction. It ends after this number of characters of descriptions.
const MAX_CHARACTERS = 4_000_000

const DISK_FULL =
  'The disk is full or read-only. What the table counts has been written; run the same command again once there is room.'

/** The error of D1's free plan, which every further write of the day would meet as well. */
const DAILY_LIMIT_REACHED =
  'D1 has reached its daily limit: the free plan allows 100,000 rows written a day, until midnight UTC. What was imported so far is kept. Run the same command again after midnight to continue.'

/** One import by a command: reads items of a source, plans and writes them. */
export class Import {
  readonly report = new Report()
  readonly #context: BaseContext
  readonly #options: ImportOptions
  #authorId = 0
  #records: AnyRecord[] = []
  #characters = 0
  #done = 0
  #expected = 0
  #announced = 0
  /** The batch of a dry run, with what it would have written so far. */
  #simulated: ImportBatch | undefined
  readonly #seen = new Set<string>()
  readonly #unread = new Set<string>()
  readonly #created = new Set<string>()
  readonly #incomplete = new Map<string, AnyRecord>()
  readonly #completes: CompleteItem[] = []
  readonly #gaps: Extract<SourceItem, { type: 'incomplete' }>[] = []

  /** @param context its caller is nobody: changes by imports have no user */
  constructor(context: BaseContext, options: ImportOptions) {
    this.#context = context
    this.#options = options
  }

  /**
   * Imports all items.
   * @throws Error that says what to do, if the free plan allows no more today, or the disk is full
   */
  async run(items: AsyncIterable<SourceItem> | Iterable<SourceItem>): Promise<Report> {
    try {
      return await this.#run(items)
    } catch (error) {
      if (isDailyLimit(error)) throw new Error(DAILY_LIMIT_REACHED, { cause: error })
      if (error instanceof ApiError && isDiskFailure(error.cause))
        throw new Error(DISK_FULL, { cause: error })
      throw error
    }
  }

  async #run(items: AsyncIterable<SourceItem> | Iterable<SourceItem>): Promise<Report> {
    for await (const item of items) await this.#take(item)
    await this.#flush()
    // Records that refer to later ones are planned again.
    const incomplete = [...this.#incomplete.values()]
    this.#incomplete.clear()
    for (const records of Map.groupBy(incomplete, ({ source }) => source).values())
      for (const batch of batchesWithin(records, this.#options.batchSize, () => 1))
        await this.#sync(batch, { isSecondTry: true })
    if (this.#options.mirror) await this.#trashVanished()
    return this.report
  }

  async #take(item: SourceItem): Promise<void> {
    const { report } = this
    if (item.type === 'record') await this.#add(item.record)
    else if (item.type === 'note') report.note(item.text)
    else if (item.type === 'expect') this.#expected += item.count
    else if (item.type === 'total') report.compare(item.kind, item.read, item.listed)
    else if (item.type === 'incomplete') this.#gaps.push(item)
    else if (item.type === 'unread') this.#unread.add(importKey(item.source, item.kind, item.what))
    else if (item.type === 'complete') this.#completes.push(item)
    // This item only matters for finding vanished records, which only a mirror looks for.
    else if (item.code === 'record_no_uid' && !this.#options.mirror) return
    else {
      const { type, kind, source, what, title, line, reason } = item
      const details = [title, line && `line ${line}`].filter(Boolean).join(', ')
      report.explain(kind, type, details ? `${what} (${details})` : what, reason)
      // The record is still there at the source, although it cannot be imported.
      if (isRecordKind(kind) && source) this.#unread.add(importKey(source, kind, what))
    }
  }

  /**
   * Adds a record to the batch. Of two records with the same id, the first counts: lists come before embedded
   * records.
   */
  async #add(record: AnyRecord): Promise<void> {
    const key = keyOfRecord(record)
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    if (this.#records[0]?.source !== record.source) await this.#flush()
    this.#records.push(record)
    this.#characters += recordLength(record)
    if (this.#records.length >= this.#options.batchSize || this.#characters > MAX_CHARACTERS)
      await this.#flush()
  }

  async #flush(): Promise<void> {
    this.#options.signal?.throwIfAborted()
    const records = this.#records
    this.#records = []
    this.#characters = 0
    if (records.length === 0) return
    const expected = Math.max(this.#expected, this.#done + records.length)
    if (expected > this.#announced) this.#options.expecting?.(expected)
    this.#announced = Math.max(this.#announced, expected)
    await this.#assertAuthor()
    await this.#sync(records)
    this.#done += records.length
    this.#options.progress(this.#done, this.#expected > this.#done ? this.#expected : undefined)
  }

  /**
   * Plans and writes records. If that fails, each half is tried separately: this gets past a concurrent
   * change by somebody else, and narrows the search for a bad record.
   *
   * @throws ApiError if the database cannot be reached, or its daily limit is reached; Error if the fault is
   *   in the program
   */
  #sync(records: readonly AnyRecord[], { isSecondTry = false } = {}): Promise<void> {
    return processByHalving(
      records,
      batch => this.#writeRecords(batch, isSecondTry),
      async (record, error) => {
        this.#options.signal?.throwIfAborted()
        if (error instanceof TypeError || error instanceof ReferenceError)
          throw new Error(`${describe(record)}: ${error.message}`, { cause: error })
        this.report.explain(record.kind, 'failed', describe(record), messageOf(error))
      },
    )
  }

  async #writeRecords(records: readonly AnyRecord[], isSecondTry: boolean): Promise<void> {
    const { mirror, dryRun } = this.#options
    const source = records[0]?.source ?? ''
    const batch =
      this.#simulated ?? new ImportBatch(this.#context, { source, mirror, authorId: this.#authorId })
    batch.source = source
    if (dryRun) this.#simulated = batch
    const { planned, partStatements } = await planBatch(this.#context, { records }, batch)
    if (!dryRun) await this.#write(partStatements(planned))
    for (const plannedRecord of planned) this.#reportOutcome(plannedRecord, isSecondTry)
  }

  async #write(statements: readonly Statement[]): Promise<void> {
    if (!this.#options.dryRun && statements.length > 0) await this.#context.db.write(statements)
  }

  #reportOutcome(planned: PlannedRecord, isSecondTry: boolean): void {
    const { action, record, id, incomplete, note, trashed = [], questions = [] } = planned
    for (const { id, isNew } of questions) if (isNew) this.#reportAsked(id, shownName(record))
    for (const { content } of trashed) this.#reportGone({ kind: 'event', outcome: 'trashed', id: content.id })
    if (note !== undefined) this.report.note(note)
    if (incomplete && !isSecondTry) this.#incomplete.set(keyOfRecord(record), record)
    if (isSecondTry) return
    if (planned.action === 'skip')
      this.report.explain(record.kind, 'skipped', describe(record), planned.reason)
    else this.report.count(record.kind, OUTCOME[planned.action])
    if (action === 'create') this.#created.add(keyOfRecord(record))
    if (this.#options.dryRun && (action === 'create' || action === 'update'))
      this.#options.say(`would ${action} ${record.kind} ${id}: ${shownName(record)}${hiddenText(record)}`)
  }

  async #assertAuthor(): Promise<void> {
    if (this.#authorId > 0) return
    const { author, dryRun } = this.#options
    const { db, clock } = this.#context
    const knownAuthor = await db.read(selectAuthorId(author))
    if (knownAuthor !== undefined) this.#authorId = knownAuthor
    else if (author !== undefined) throw new Error(`--author: there is no user ${author}.`)
    else if (dryRun) this.#authorId = 1
    else {
      await this.#write([
        build.insert(users).values({ login: 'admin', role: 'administrator', created_utc: clock.now() }),
      ])
      this.#authorId = requirePresent(await db.read(selectAuthorId(author)), 'the new administrator')
      this.report.note(
        'There was no administrator, so "admin" was created as the author of imported content. For a password: npm run user -- password admin',
      )
    }
  }

  /**
   * Moves content that has vanished from complete lists to the trash, unless somebody has to be asked before.
   */
  async #trashVanished(): Promise<void> {
    const sourceKeys = { read: this.#seen, unread: this.#unread, created: this.#created }
    for (const { source, kind, reason } of this.#gaps) {
      const complete = { type: 'complete' as const, source, kind }
      if ((await countVanished(this.#context, { complete, presentKeys: sourceKeys })).gone > 0)
        this.report.note(
          `The ${COLLECTIONS[kind]} of ${source} are incomplete, so none of them counts as vanished: ${reason}.`,
        )
    }
    // An event that is missing in one file of a calendar may be in another file that breaks off.
    const completes = this.#completes.filter(
      item => !this.#gaps.some(({ source, kind }) => source === item.source && kind === item.kind),
    )
    this.report.question = await this.#questionOf(completes, sourceKeys)
    if (this.report.question !== undefined && !this.#options.dryRun) return
    for (const complete of completes) await this.#trash(complete, sourceKeys)
  }

  /**
   * The question before half or more of a list, or of its upcoming events, goes to the trash; undefined if
   * less than half would go.
   */
  async #questionOf(completes: readonly CompleteItem[], sourceKeys: SourceKeys): Promise<string | undefined> {
    const { clock } = this.#context
    const losses: string[] = []
    // The question begins with the numbers that made it necessary.
    const reasons: string[] = []
    for (const complete of completes) {
      const { kind, source, from = clock.now() } = complete
      const textOf = ({ gone, live }: { gone: number; live: number }, which = '') =>
        `${gone} of ${live} ${which}${COLLECTIONS[kind]} of ${source}`
      const allCounts = await countVanished(this.#context, { complete, presentKeys: sourceKeys })
      if (allCounts.gone > 0) losses.push(textOf(allCounts))
      if (isHalfOrMore(allCounts) && (kind === 'event' || allCounts.live >= MIN_QUESTIONABLE))
        reasons.push(textOf(allCounts))
      else if (kind === 'event') {
        const period = { ...complete, from: from > clock.now() ? from : clock.now() }
        const comingCounts = await countVanished(this.#context, { complete: period, presentKeys: sourceKeys })
        if (isHalfOrMore(comingCounts)) reasons.push(textOf(comingCounts, 'upcoming '))
      }
    }
    if (reasons.length === 0 || this.#options.agrees) return undefined
    return `Half or more has vanished: ${reasons.join(', ')}. ${losses.join(', ')} would go to the trash, so nothing was trashed. If that is right, add --yes.`
  }

  /**
   * Trashes content that has vanished at the source, and deletes vanished terms that are not used any more.
   */
  async #trash(complete: CompleteItem, sourceKeys: SourceKeys): Promise<void> {
    const context = { ...this.#context, requestId: importRequestId(complete.source) }
    const vanishing = { complete, presentKeys: sourceKeys, size: this.#options.batchSize }
    for await (const { statements, gone, keptEvents = [] } of trashingsOfVanished(context, vanishing)) {
      await this.#write(asOneChange(statements))
      for (const { id, title } of keptEvents) this.#reportAsked(id, title)
      for (const goneRecord of gone) this.#reportGone(goneRecord)
    }
  }

  #reportAsked(id: number, title: string): void {
    this.report.note(`event ${id} (${title}): ${PEOPLE_ASKED}.`)
  }

  #reportGone({ kind, outcome, id }: GoneRecord): void {
    this.report.count(kind, outcome)
    if (this.#options.dryRun && outcome === 'trashed') this.#options.say(`would trash ${kind} ${id}`)
  }
}

const OUTCOME = {
  create: 'created',
  update: 'updated',
  link: 'unchanged',
  unchanged: 'unchanged',
} as const satisfies Record<Exclude<PlannedRecord['action'], 'skip'>, string>

/**
 * The name of a record, decoded because titles are stored as HTML. A record that a fault has spoilt is named
 * as well as possible.
 */
const shownName = (record: AnyRecord): string => decodeEntities(String(recordName(record)))

const describe = (record: AnyRecord): string => `${record.externalId} (${shownName(record)})`
