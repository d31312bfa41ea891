import { requestIdOf, sourceOfRequest } from '../lib/audit-source.ts'
import type { Connection, Row } from '../lib/connection.ts'
import type { DateTime } from '../lib/time.ts'
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

const DEFAULT_LIMIT = '50'

const HELP = `Who changed what, the newest first: users, times and names of fields; contents only with --values.

  npm run audit -- [--since <date>] [--source <name> | --no-imports] [--limit <n>] [--values] [--json]

  --since <date>       only what was changed from then on; a date without an offset is UTC
  --source <name>      only changes by users, import, command-line or clock; or those of one import,
                       by the source that this prints, such as example.org/wp-json/api
  --no-imports         no changes by imports
  --limit <n>          at most so many entries; ${DEFAULT_LIMIT} unless told
${TARGET_HELP}
  --values             also what the fields had before and after, for 400 days; long texts as a digest
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

/** An entry of the audit. `source` names the origin of a change that no user made. */
type Entry = {
  id: number
  at_utc: DateTime
  user_id: number | null
  login: string | null
  request_id: string | null
  source: string | null
  action: string
  kind: string
  object_id: number
  fields: string[]
  /** Values before and after by field, where they are asked for and still known. */
  changed?: Record<string, [unknown, unknown]>
}

// Only imports have a request id without a user. Only the cron publishes without one, and deletes images.
const CLOCKED = `(action = 'publish' OR kind = 'image')`
const IMPORTED = `(user_id IS NULL AND coalesce(request_id, '') LIKE '${requestIdOf('')}%')`
const SOURCES: Readonly<Record<string, string>> = {
  users: 'user_id IS NOT NULL',
  import: IMPORTED,
  clock: `(user_id IS NULL AND request_id IS NULL AND ${CLOCKED})`,
  'command-line': `(user_id IS NULL AND request_id IS NULL AND NOT ${CLOCKED})`,
}

type Filter = {
  since: DateTime | null
  source: string | undefined
  imports: boolean
  limit: number
  values: boolean
}

/** The entries that pass a filter, the newest first. */
async function readEntries(
  db: Connection,
  { since, source, imports, limit, values }: Filter,
): Promise<Entry[]> {
  const known = source === undefined ? 'true' : SOURCES[source]
  const request = known === undefined && source !== undefined ? requestIdOf(source) : null
  const rows = await db.query(
    `SELECT audit.*, users.login FROM audit LEFT JOIN users ON users.id = audit.user_id
     WHERE (? IS NULL OR at_utc >= ?) AND ${known ?? 'user_id IS NULL'} AND (? IS NULL OR request_id = ?)
       AND ${imports ? 'true' : `NOT ${IMPORTED}`}
     ORDER BY audit.id DESC LIMIT ?`,
    since,
    since,
    request,
    request,
    limit,
  )
  return rows.map(row => entryOf(row, values))
}

/** The source of a change that no user made; null for changes by users. */
function sourceOf({ user_id, request_id, action, kind }: Row): string | null {
  if (user_id != null) return null
  if (request_id == null) return action === 'publish' || kind === 'image' ? 'clock' : 'command line'
  const source = sourceOfRequest(String(request_id))
  return source === undefined ? null : `import of ${source}`
}

const text = (value: Row[string] | undefined): string | null => (value == null ? null : String(value))

const entryOf = (row: Row, values: boolean): Entry => ({
  id: Number(row.id),
  at_utc: String(row.at_utc),
  user_id: row.user_id == null ? null : Number(row.user_id),
  login: text(row.login),
  request_id: text(row.request_id),
  source: sourceOf(row),
  action: String(row.action),
  kind: String(row.kind),
  object_id: Number(row.object_id),
  fields: JSON.parse(String(row.fields)),
  ...(values && row.changed != null && { changed: JSON.parse(String(row.changed)) }),
})

function line({
  at_utc,
  user_id,
  login,
  source,
  action,
  kind,
  object_id,
  fields,
  changed = {},
}: Entry): string {
  const who = user_id === null ? (source ?? '-') : (login ?? `user ${user_id}, since removed`)
  const which = fields.length > 0 ? `: ${fields.join(', ')}` : ''
  const values = Object.entries(changed).map(
    ([field, [before, after]]) => `\n    ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
  )
  return `${at_utc}  ${who}  ${action} ${kind} ${object_id}${which}${values.join('')}`
}

/** Prints who changed what. */
export const showAudit = command(HELP, OPTIONS, async values => {
  if (values.source !== undefined && values['no-imports'])
    throw new UsageError('--source and --no-imports exclude each other.')
  const filter = {
    since: dateOption('--since', values.since)?.utc ?? null,
    source: values.source,
    imports: !values['no-imports'],
    limit: positiveInteger('--limit', values.limit ?? DEFAULT_LIMIT),
    values: values.values ?? false,
  }
  const target = targetOf(values)
  // Loaded late, so that help and wrong options don't wait for the database's server.
  const { withDatabase } = await import('./lean-database.ts')
  await withDatabase(target, async ({ db }) => {
    const entries = await readEntries(db, filter)
    const lines = entries.map(line).join('\n') || 'Nothing has been changed.'
    console.log(values.json ? JSON.stringify({ entries }) : lines)
  })
})

if (import.meta.main) await runCommand(showAudit)
