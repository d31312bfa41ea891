import { existsSync, readdirSync, statSync } from 'node:fs'
import { formatInstant } from '../lib/time.ts'
import { settingsOf } from '../settings.ts'
import { command, runCommand, TARGET_HELP, TARGET_OPTIONS, targetOf, UsageError } from './arguments.ts'
import { progressBar } from './progress.ts'
import type { Target } from './wrangler.ts'

const OPTIONS = {
  ...TARGET_OPTIONS,
  out: { type: 'string', short: 'o' },
  site: { type: 'string' },
} as const

const HELP = `Writes the calendar into a folder, from which npm run import restores it.

  npm run export -- [--out <dir>] [--site <address>]

  --out <dir>          the folder; by default a new one named after the day
  --site <address>     the address of the calendar, used in links; SITE_URL by default
${TARGET_HELP}`

/** The folder to write to. @throws UsageError if it is not empty: pages of an older backup would get mixed in */
function folderOf(out: string | undefined): string {
  const folder = out ?? `calendar-${formatInstant(Date.now()).slice(0, 10)}`
  if (existsSync(folder) && !(statSync(folder).isDirectory() && readdirSync(folder).length === 0))
    throw new UsageError(`--out: ${folder} already exists and is not an empty folder.`)
  return folder
}

async function run(target: Target, folder: string, site: string | undefined): Promise<void> {
  // Loaded late, so that help and wrong options don't wait for the database's server.
  const { withCalendar } = await import('./lean-database.ts')
  const { exportCalendar } = await import('../backup/run.ts')
  const { exportImageFiles } = await import('../backup/run.ts')
  const { ownId } = await import('../intake/schedule/look.ts')
  const { commandContext } = await import('../intake/sync/run.ts')
  const bar = progressBar()
  await withCalendar(target, async ({ db, vars, images }) => {
    const settings = settingsOf(site === undefined ? vars : { ...vars, SITE_URL: site })
    const calendarId = await ownId(db, settings)
    const context = { ...commandContext(settings, formatInstant(Date.now())), calendarId }
    let copied = { written: 0, missing: [] as string[] }
    const exported = await exportCalendar(db, context, folder, bar.show, async () => {
      bar.stop()
      copied = await exportImageFiles(db, images, folder, bar.show)
    }).finally(bar.stop)
    const { written, missing } = copied
    for (const [plural, count] of Object.entries({ ...exported, 'image files': written }))
      console.log(`${plural.padEnd(12)}${String(count).padStart(8)}`)
    if (settings.siteUrl === undefined)
      console.log(
        `Addresses begin with ${context.site}, because SITE_URL is not set; use --site for another one.`,
      )
    for (const file of missing) console.log(`missing: image ${file}: the bucket does not have it`)
    if (missing.length > 0) process.exitCode = 1
    console.log(`Written to ${folder}`)
  })
}

/** Writes the calendar into a folder. */
export const exportCommand = command(HELP, OPTIONS, async values => {
  const { site } = values
  if (site !== undefined && !/^https?:\/\/[^/]/.test(URL.canParse(site) ? site : ''))
    throw new UsageError(`--site must be an http or https address, not ${JSON.stringify(site)}.`)
  const target = targetOf(values)
  await run(target, folderOf(values.out), site)
})

if (import.meta.main) await runCommand(exportCommand)
