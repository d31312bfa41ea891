import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Gives this process the variables that it had. */
export function restoreEnvironment(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
}

/** The value of NODE_OPTIONS that makes Node load a file of this folder first. @param name of the file */
export const importOption = (name: string): string =>
  `--import=${pathToFileURL(join(import.meta.dirname, name)).href}`
