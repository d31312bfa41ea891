import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A new folder in another that is deleted when this process ends. */
export function folderOfProcess(within = tmpdir()): string {
  const folder = mkdtempSync(join(within, 'calendar-once-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let shared: string | undefined

/**
 * Makes a folder once for all processes of a test run, which find it by the variable TEST_RUN
 * (vitest.config.ts). Without that, and while Vitest watches the source for changes, each process makes its
 * own.
 *
 * @param make fills the empty folder that it gets
 * @returns the folder, filled
 * @throws Error in every process, if one could not fill it
 */
export async function makeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const { TEST_RUN, VITEST_MODE } = process.env
  shared ??= TEST_RUN !== undefined && VITEST_MODE === 'RUN' ? TEST_RUN : folderOfProcess()
  const folder = join(shared, name)
  const ready = `${folder}.ready`
  const failed = `${folder}.failed`
  // Only one of several that try can make it.
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    try {
      await make(folder)
    } catch (error) {
      await writeFile(failed, String(error))
      throw error
    }
    await writeFile(ready, '')
  }
  while (!existsSync(ready)) {
    if (existsSync(failed)) throw new Error(await readFile(failed, 'utf8'))
    await sleep(100)
  }
  return folder
}
