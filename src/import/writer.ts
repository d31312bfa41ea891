import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, inline, type Statement } from '../cli/database.ts'
import { runD1, type Target } from '../cli/wrangler.ts'

/** Takes many rows at a time. */
export interface Writer {
  /** How long the JSON text of one statement may be. */
  readonly maxBytes: number
  /** How many records to write at once. */
  readonly records: number
  /** One transaction. */
  write(statements: readonly Statement[]): Promise<void>
}

/** D1 takes parameters of 2 MB, but it and we need several times their size in memory. */
export const localWriter = (db: Connection): Writer => ({
  maxBytes: 250_000,
  records: 200,
  write: async statements => {
    await db.batch(statements)
  },
})

/**
 * D1 takes statements of 100 KB, parameters included, in which a text counts twice, for it is written in
 * hexadecimal. Wrangler sends a file of them as one import, which D1 undoes as a whole if any part fails.
 */
export const remoteWriter = (target: Target, run: typeof runD1 = runD1): Writer => ({
  maxBytes: 40_000,
  records: 2_000,
  write: async statements => {
    const folder = await mkdtemp(join(tmpdir(), 'calendar-import-'))
    try {
      const file = join(folder, 'statements.sql')
      await writeFile(file, `${statements.map(inline).join(';\n')};\n`, { mode: 0o600 })
      await run(target, ['execute', 'DB', '--yes', '--file', file])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
})
