import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getTableName } from 'drizzle-orm'
import { command, runCommand } from '../src/commands/arguments.ts'
import { WITHOUT_ROWID } from '../src/kit/db/tables.ts'
import { readStatements } from './schema.ts'

// `npm run schema` makes the only migration anew, until the first release. The time and the id are always the
// same, so that only changes of the schema change the files.

const MIGRATION = 'drizzle/0000_first_release.sql'

const replaceIn = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

const HELP = `Makes the only migration in drizzle/ anew, from the tables and the SQL of triggers and views.

  npm run schema`

await runCommand(
  command(HELP, {}, async () => {
    rmSync('drizzle', { recursive: true, force: true })
    const { status } = spawnSync('npx', ['drizzle-kit', 'generate', '--name', 'first_release'], {
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error('drizzle-kit generate failed.')
    const names = WITHOUT_ROWID.map(getTableName).join('|')
    const rest = await readStatements()
    replaceIn(MIGRATION, tables =>
      [
        tables
          .trimEnd()
          .replaceAll(new RegExp(`^(CREATE TABLE \`(?:${names})\` \\([^;]*\\));`, 'gm'), '$1 WITHOUT ROWID;'),
        ...rest,
      ]
        .join('\n--> statement-breakpoint\n')
        .concat('\n'),
    )
    replaceIn('drizzle/meta/_journal.json', text => text.replace(/"when": \d+/, '"when": 1798761600000'))
    replaceIn('drizzle/meta/0000_snapshot.json', text =>
      text.replace(/"id": "[^"]+"/, '"id": "00000000-0000-4000-8000-000000000001"'),
    )
  }),
)
