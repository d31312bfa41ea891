import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { notInBackups } from '../../../../src/commands/backup/tables.ts'

it('IMPORTING.md shows what is left out', async () => {
  const text = await readFile('.github/IMPORTING.md', 'utf8')
  const reasons = Map.groupBy(Object.entries(notInBackups()), ([, reason]) => reason)
  const rows = [...reasons].map(
    ([reason, entries]) => `| ${entries.map(([key]) => `\`${key}\``).join(', ')} | ${reason} |`,
  )
  for (const row of rows) expect(text).toContain(row)
})
