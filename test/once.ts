import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A new folder that is deleted when this process ends. */
export function folderOfProcess(): string {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-once-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let shared: string | undefined

/**
 * Makes a folder once for all processes of a test run, which find it by the variable TEST_RUN (vitest.config.ts). Without that, and
 * while Vitest watches the source for changes, each process makes its own.
 *
 * @param make fills the empty folder that it gets
 * @returns the folder, filled
 */
export async function makeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const { TEST_RUN, VITEST_MODE } = process.env
  shared ??= TEST_RUN !== undefined && VITEST_MODE === 'RUN' ? TEST_RUN : folderOfProcess()
  const folder = join(shared, name)
  const ready = `${folder}.ready`
  // Only one of several that try can make it.
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await make(folder)
    await writeFile(ready, '')
  }
  while (!existsSync(ready)) await sleep(100)
  return folder
}
