import { env } from 'cloudflare:workers'
import { watchedD1 } from './watched-d1.ts'

// Plans of the statements that the Worker sends, with statistics of calendars in which something is missing
// so far. SQLite takes an index without rows, or a table with one, for the shortest way, and goes on to do
// so when there are thousands.

type Index = { tbl: string; idx: string; columns: number; partial: number; unique: number }
type Row = [tbl: string, idx: string | null, stat: string]

const MANY = 10_000

const TABLES = `(SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'
  AND name NOT GLOB 'sqlite_*' AND sql NOT LIKE 'CREATE VIRTUAL%') AS t`
const INDEXES = `SELECT t.name AS tbl, i.name AS idx, (SELECT count(*) FROM pragma_index_info(i.name)) AS columns,
  i.partial, i."unique" FROM ${TABLES} CROSS JOIN pragma_index_list(t.name) AS i`
const WITHOUT_WHOLE_INDEX = `SELECT name FROM ${TABLES}
  WHERE NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) WHERE NOT partial)`

/** What `ANALYZE` says of an index over so many rows: each value of its first column is in ten of them. */
const statOf = ({ columns, unique }: Index, rows: number): string =>
  [
    rows,
    ...Array.from({ length: columns }, (_, i) =>
      unique === 1 && i === columns - 1 ? Math.min(rows, 1) : Math.min(rows, [10, 3, 1][i] ?? 1),
    ),
  ].join(' ')

/** The statistics that `ANALYZE` writes: of a table without rows, it has the partial indexes only. */
async function statisticsOf(rowsOf: (names: string) => number): Promise<Row[]> {
  const { results: indexes } = await env.DB.prepare(INDEXES).all<Index>()
  const { results: others } = await env.DB.prepare(WITHOUT_WHOLE_INDEX).all<{ name: string }>()
  return [
    ...indexes.flatMap((index): Row[] => {
      const rows = rowsOf(`${index.tbl} ${index.idx}`)
      return rows === 0 && index.partial === 0 ? [] : [[index.tbl, index.idx, statOf(index, rows)]]
    }),
    ...others.flatMap(({ name }): Row[] => {
      const rows = rowsOf(name)
      return rows === 0 ? [] : [[name, null, String(rows)]]
    }),
  ]
}

const without =
  (names: RegExp, rows = 0) =>
  (name: string): number =>
    names.test(name) ? rows : MANY

/**
 * How many rows tables and indexes have, by their names. Whole calendars of a few dozen rows are not among
 * them: with their statistics, SQLite reads small tables from end to end, which hardly any statement can
 * prevent.
 */
const CALENDARS: Readonly<Record<string, (names: string) => number>> = {
  empty: () => 0,
  'without series': without(/series|occurrence/),
  'without venues and organizers': without(/venue|organizer|latitude/),
  'with one registration': without(/^registrations/, 1),
  'with everything': () => MANY,
}

/** The plans of statements under the statistics that the database has now. */
async function plansNow(texts: readonly string[]): Promise<string[]> {
  const plans: string[] = []
  for (let i = 0; i < texts.length; i += 100) {
    const statements = texts.slice(i, i + 100).map(text => {
      // Numbered parameters; what they are bound to doesn't matter.
      const most = Math.max(0, ...Array.from(text.matchAll(/\?(\d+)/g), ([, n]) => Number(n)))
      return env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...Array.from({ length: most }, () => 1))
    })
    const results = await env.DB.batch<{ detail: string }>(statements)
    plans.push(...results.map(plan => plan.results.map(({ detail }) => detail).join('\n')))
  }
  return plans
}

/** The statements whose plans statistics change, each with the first step that differs. */
export async function plansThatDiffer(texts: readonly string[]): Promise<string[]> {
  const usual = await plansNow(texts)
  const different: string[] = []
  for (const [calendar, rowsOf] of Object.entries(CALENDARS)) {
    const statistics = JSON.stringify(await statisticsOf(rowsOf))
    await env.DB.batch([
      // Makes the table.
      env.DB.prepare('ANALYZE revision'),
      env.DB.prepare('DELETE FROM sqlite_stat1'),
      env.DB.prepare(
        `INSERT INTO sqlite_stat1 SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
      ).bind(statistics),
      env.DB.prepare('ANALYZE sqlite_schema'),
    ])
    for (const [i, plan] of (await plansNow(texts)).entries()) {
      if (plan === usual[i]) continue
      const steps = (usual[i] ?? '').split('\n')
      const at = plan.split('\n').findIndex((step, n) => step !== steps[n])
      different.push(
        `${calendar}: ${steps[at]} => ${plan.split('\n')[at]}\n${texts[i]?.replace(/\s+/g, ' ')}`,
      )
    }
  }
  await env.DB.batch([env.DB.prepare('DELETE FROM sqlite_stat1'), env.DB.prepare('ANALYZE sqlite_schema')])
  return different
}

/** A database that notes the text of each statement. */
export function notingD1(): { DB: D1Database; texts: Set<string> } {
  const texts = new Set<string>()
  return { texts, DB: watchedD1(env.DB, { prepare: text => void texts.add(text) }) }
}
