import { existsSync, readdirSync, statSync } from 'node:fs'
import { dayOf, formatInstant } from '../kit/lib/time.ts'
import { command, runCommand, TARGET_HELP, TARGET_OPTIONS, targetOf, UsageError } from './arguments.ts'
import type { OpenCalendar } from './lean-database.ts'
import { progressLine } from './progress.ts'
import type { Target } from './wrangler.ts'

const OPTIONS = {
  ...TARGET_OPTIONS,
  out: { type: 'string', short: 'o' },
} as const

const HELP = `Writes the calendar into a folder, from which npm run import restores it.

  npm run export -- [--out <dir>]

  --out <dir>          the folder; by default a new one named after the day
${TARGET_HELP}`

/**
 * The folder to write to.
 * @throws UsageError if it is not empty, because files of an older backup would get mixed in
 */
async function folderOf(out: string | undefined): Promise<string> {
  const folder = out ?? `calendar-${dayOf(formatInstant(Date.now()))}`
  if (!existsSync(folder)) return folder
  const files = statSync(folder).isDirectory() ? readdirSync(folder) : ['']
  const { UNFINISHED } = await import('./backup/manifest.ts')
  if (files.includes(UNFINISHED))
    throw new UsageError(
      `--out: ${folder} has an export that was broken off, or is under way. Remove it, or name another folder.`,
    )
  if (files.length > 0) throw new UsageError(`--out: ${folder} already exists and is not an empty folder.`)
  return folder
}

async function run(target: Target, folder: string): Promise<void> {
  // Loaded late, so that help and wrong options don't wait for the database's server.
  const { withCalendar } = await import('./lean-database.ts')
  const { exportCalendar } = await import('./backup/export.ts')
  const { countsIn } = await import('./backup/manifest.ts')
  const progress = progressLine()
  const work = async ({ db, images }: OpenCalendar) => {
    const { manifest, missing } = await exportCalendar(db, {
      folder,
      store: images,
      progress: progress.show,
      now: formatInstant(Date.now()),
    }).finally(progress.stop)
    console.log(countsIn(manifest))
    for (const file of missing) console.log(`missing: image ${file}: the bucket does not have it`)
    const isEmpty = ['users', 'audit'].every(name => manifest.tables[name]?.rows === 0)
    if (isEmpty) console.log('This calendar is empty: nothing was ever written into it. Is it the right one?')
    if (missing.length > 0 || isEmpty) process.exitCode = 1
    console.log(`Written to ${folder}`)
  }
  await withCalendar(target, work, { creates: false })
}

/** Writes the calendar into a folder. */
export const exportCommand = command(HELP, OPTIONS, async values => {
  const target = targetOf(values)
  await run(target, await folderOf(values.out))
})

if (import.meta.main) await runCommand(exportCommand)
