import { and, desc, eq, getTableColumns, gte, inArray, isNull, not, type SQL, sql } from 'drizzle-orm'
import {
  byVisitorSql,
  CALENDAR_REQUEST,
  importRequestId,
  SUBMITTED_KINDS,
  sourceOfRequest,
} from '../kit/db/audit.ts'
import type { Database } from '../kit/db/database.ts'
import { many } from '../kit/db/query.ts'
import { build } from '../kit/db/statements.ts'
import { audit, users } from '../kit/db/tables.ts'
import type { DateTime } from '../kit/lib/time.ts'
import { storedJson } from '../kit/lib/values.ts'
import {
  command,
  dateOption,
  positiveInteger,
  runCommand,
  TARGET_HELP,
  TARGET_OPTIONS,
  targetOf,
  UsageError,
} from './arguments.ts'
import type { OpenCalendar } from './lean-database.ts'

const DEFAULT_LIMIT = '50'

const HELP = `Lists who changed what, the newest first: users, times and names of fields; values only with --values.

  npm run audit -- [--since <date>] [--source <name> | --no-imports] [--limit <n>] [--values] [--json]

  --since <date>       only changes since this date; without an offset, it is UTC
  --source <name>      only changes by users, visitors, import, command-line, clock or calendar (what it
                       writes by itself); or those of one import, by its source as printed here, such as
                       example.org/wp-json/api
  --no-imports         no changes by imports
  --limit <n>          at most this many entries; ${DEFAULT_LIMIT} by default
${TARGET_HELP}
  --values             also the values before and after, for 400 days; long texts as a digest
  --json               print one JSON object`

const OPTIONS = {
  ...TARGET_OPTIONS,
  since: { type: 'string' },
  source: { type: 'string' },
  'no-imports': { type: 'boolean' },
  limit: { type: 'string' },
  values: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

// Among changes without a user, only those of the cron publish events or delete images.
const byCronSql = sql`(${audit.action} = 'publish' OR ${audit.kind} = 'image')`
const byImportSql = sql`(${audit.user_id} IS NULL AND coalesce(${audit.request_id}, '') LIKE ${`${importRequestId('')}%`})`
const withoutRequestSql = and(isNull(audit.user_id), isNull(audit.request_id))
const SOURCES: Readonly<Record<string, SQL | undefined>> = {
  users: sql`${audit.user_id} IS NOT NULL`,
  visitors: and(inArray(audit.kind, [...SUBMITTED_KINDS]), byVisitorSql),
  import: byImportSql,
  clock: and(withoutRequestSql, byCronSql),
  calendar: eq(audit.request_id, CALENDAR_REQUEST),
  'command-line': and(withoutRequestSql, not(byCronSql)),
}

type Filter = {
  since: DateTime | undefined
  source: string | undefined
  imports: boolean
  limit: number
  values: boolean
}

/** The entries that pass a filter, newest first. */
async function readEntries(db: Database, { since, source, imports, limit, values }: Filter) {
  const fromSourceSql =
    source === undefined
      ? undefined
      : (SOURCES[source] ?? and(isNull(audit.user_id), eq(audit.request_id, importRequestId(source))))
  const rows = await db.read(
    many(
      build
        .select({ ...getTableColumns(audit), login: users.login })
        .from(audit)
        .leftJoin(users, eq(users.id, audit.user_id))
        .where(
          and(
            since === undefined ? undefined : gte(audit.at_utc, since),
            fromSourceSql,
            imports ? undefined : not(byImportSql),
          ),
        )
        .orderBy(desc(audit.id))
        .limit(limit),
    ),
  )
  return rows.map(({ changed, ...row }) => ({
    ...row,
    source: sourceOf({ ...row, changed }),
    fields: namesIn(row.fields),
    ...(values &&
      changed !== null && {
        changed: storedJson<Record<string, [before: unknown, after: unknown]>>(changed),
      }),
  }))
}

type Entry = Awaited<ReturnType<typeof readEntries>>[number]

// The service writes both columns of the audit.
const namesIn = (json: string) => storedJson<string[]>(json)
/** The source of a change without a user; null for changes by users. */
function sourceOf(row: typeof audit.$inferSelect): string | null {
  const { user_id, request_id, action, kind } = row
  if (user_id !== null) return null
  if (request_id === null) return action === 'publish' || kind === 'image' ? 'clock' : 'command line'
  if (request_id === CALENDAR_REQUEST) return 'calendar'
  const source = sourceOfRequest(request_id)
  if (source !== undefined) return `import of ${source}`
  return SUBMITTED_KINDS.includes(kind) ? 'visitor' : null
}

function entryLine({ user_id, login, source, fields, changed = {}, ...entry }: Entry): string {
  const author = user_id === null ? (source ?? '-') : (login ?? `user ${user_id}, since removed`)
  const fieldList = fields.length > 0 ? `: ${fields.join(', ')}` : ''
  const values = Object.entries(changed).map(
    ([field, [before, after]]) => `\n    ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  )
  return `${entry.at_utc}  ${author}  ${entry.action} ${entry.kind} ${entry.object_id}${fieldList}${values.join('')}`
}

/** Prints who changed which rows. */
export const showAudit = command(HELP, OPTIONS, async values => {
  if (values.source !== undefined && values['no-imports'])
    throw new UsageError('--source and --no-imports cannot be combined.')
  const filter = {
    since: values.since === undefined ? undefined : dateOption('--since', values.since).utc,
    source: values.source,
    imports: !values['no-imports'],
    limit: positiveInteger('--limit', values.limit ?? DEFAULT_LIMIT),
    values: values.values ?? false,
  }
  const target = targetOf(values)
  // Loaded late, so that help and wrong options don't wait for the database's server.
  const { withCalendar } = await import('./lean-database.ts')
  const work = async ({ db }: OpenCalendar) => {
    const entries = await readEntries(db, filter)
    const emptyText =
      values.source === undefined ? 'Nothing has been changed.' : `No changes by ${values.source}.`
    const lines = entries.map(entryLine).join('\n') || emptyText
    console.log(values.json ? JSON.stringify({ entries }) : lines)
  }
  await withCalendar(target, work, { creates: false })
})

if (import.meta.main) await runCommand(showAudit)
