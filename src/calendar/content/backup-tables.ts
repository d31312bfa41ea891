import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import type { Statement } from '../../kit/db/query.ts'
import { fromFeatures } from '../../kit/lib/started-features.ts'
import { parseJson, refuse } from '../../kit/lib/values.ts'
import { type FieldTable, storedNames } from './fields.ts'

// How backups contain the tables of features. Those of the core are in commands/backup/tables.ts.

/** Checks a stored value as a write does. @returns the value to store @throws InvalidValue */
export type CheckStored = (stored: unknown) => unknown

/** The check of a field's parameter. */
export const checkedBy =
  (schema: z.core.$ZodType): CheckStored =>
  stored => {
    const { success, data, error } = z.safeParse(schema, stored)
    return success ? data : refuse(error.issues[0]?.message ?? 'must be valid')
  }

/** The checks of a table's fields that are stored as sent. */
export const checksOfFields = (table: FieldTable): Record<string, CheckStored> =>
  Object.fromEntries(
    storedNames(table).flatMap(name => (table[name] ? [[name, checkedBy(table[name].param)]] : [])),
  )

/** A check of a value that is stored as JSON. */
export const checkedJson =
  (check: CheckStored): CheckStored =>
  stored =>
    JSON.stringify(check(parseJson(String(stored)) ?? refuse('must be JSON')))

/** A table in backups. `fields` are the names that columns have there, if not their own. */
export type DumpedColumns = { table: SQLiteTable; fields?: Readonly<Record<string, string>> }

type BackupRow = { readonly id: number; readonly [column: string]: unknown }

/** How backups contain the rows of a table `T`. */
export type InBackup<T extends SQLiteTable = SQLiteTable> = Omit<DumpedColumns, 'table'> & {
  /** Columns that backups leave out, each with the reason. */
  omittedColumns?: { readonly [C in keyof T['$inferSelect'] & string]?: string }
  /** The checks of restored values, by field, where the name of the field does not say enough. */
  checks?: Readonly<Record<string, CheckStored>>
  /** The row to insert; by default, the row of the backup. */
  toRow?: (row: BackupRow) => object
  /** Further statements of the transaction that inserts rows. */
  extraStatements?: (context: BaseContext, rows: readonly BackupRow[]) => readonly Statement[]
  endStatements?: () => readonly Statement[]
  /** What somebody who has restored rows should know. */
  note?: string
  /** True if rows show that a calendar has content, so that no backup can be restored into it. */
  isContent?: true
}

/** A table of a feature in backups, or the reason why backups leave it out. */
type StoredTable = { table: SQLiteTable; backup: InBackup | string }

/** The tables of features by the names of their files in backups, in the order of their rows in a restore. */
export const storedByFeatures = fromFeatures(features =>
  features.flatMap(({ tables = {}, backup = {} }) =>
    Object.entries(tables).map(([name, table]): [string, StoredTable] => [
      name,
      { table, backup: backup[name] ?? {} },
    ]),
  ),
)
