import { countsIn, readManifest } from '../backup/manifest.ts'
import { restoreCalendar } from '../backup/restore.ts'
import { importContext } from '../intake/sync/run.ts'
import { formatInstant } from '../lib/time.ts'
import { settingsOf } from '../settings.ts'
import { openLean } from './lean-database.ts'
import { progressLine, rowsNotice } from './progress.ts'
import type { Target } from './wrangler.ts'

/** The number of rows in a transaction: large for Cloudflare, where each one takes seconds. */
const pieceSizeOf = ({ remote }: Target): number => (remote ? 2_000 : 200)

/** Restores a backup. @throws Error */
export async function restoreBackup(folder: string, dryRun: boolean, target: Target): Promise<void> {
  const { db, vars, images, close } = await openLean(target)
  const progress = progressLine()
  try {
    if (target.remote && !dryRun) {
      const { tables } = await readManifest(folder)
      console.log(rowsNotice(tables.events?.rows ?? 0))
    }
    const context = importContext(db, settingsOf(vars), formatInstant(Date.now()))
    const manifest = await restoreCalendar(context, {
      ...{ folder, store: images, dryRun },
      ...{ pieceSize: pieceSizeOf(target), progress: progress.show },
    }).finally(progress.stop)
    console.log(countsIn(manifest))
    if (dryRun) return console.log('Dry run: the backup is whole, and nothing was written.')
    console.log('Restored. Users have no passwords yet: npm run user -- password <login>')
    if ((manifest.tables.webhooks?.rows ?? 0) > 0)
      console.log('Webhooks are switched off, and have new secrets, which their receivers must be given.')
  } finally {
    progress.stop()
    await close()
  }
}
