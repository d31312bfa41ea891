import { writeFile } from 'node:fs/promises'
import type { BuildFailure } from 'esbuild'

// Wrangler answers no request from the start of a build to its success: while the source does not compile,
// requests to `npm run dev` would wait without a message. So wrangler serves a module that the build command
// writes before each build: the calendar if the source compiles, and otherwise the errors. This file imports
// nothing of the source, because that may be broken.

/**
 * The variable with which `npm run dev` asks the build command for the module: a {@link DevEntry} as JSON.
 */
export const DEV_ENTRY = 'CALENDAR_DEV_ENTRY'

/**
 * @property file the path to write the module to. @property main the Worker's own module, as wrangler.toml
 *   names it
 */
export type DevEntry = { file: string; main: string }

/** An error of a build, in JSON responses under `data.errors`. */
type BuildError = { file?: string; line?: number; column?: number; message: string }

export const writeCalendar = ({ file, main }: DevEntry): Promise<void> =>
  writeFile(file, `export { default } from ${JSON.stringify(main)}\n`)

/**
 * Writes the module for the next build.
 *
 * @param build the other steps before the calendar can be served
 */
export async function writeEntry(entry: DevEntry, build: () => Promise<void>): Promise<void> {
  const errors = await compileErrors(entry.main)
  if (errors.length === 0) {
    try {
      await build()
    } catch (error) {
      errors.push({ message: error instanceof Error ? error.message : String(error) })
    }
  }
  if (errors.length === 0) return writeCalendar(entry)
  const text = `The calendar does not compile.\n\n${errors.map(lineOf).join('\n\n')}\n`
  console.error(text)
  await writeFile(entry.file, workerOf(text, errors))
}

/** The errors of esbuild for a module and its imports, with the settings of wrangler that affect imports. */
async function compileErrors(main: string): Promise<BuildError[]> {
  const { build } = await import('esbuild')
  try {
    await build({
      entryPoints: [main],
      bundle: true,
      write: false,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      external: ['node:*', 'cloudflare:*'],
      logLevel: 'silent',
    })
    return []
  } catch (error) {
    // esbuild throws no other error.
    return (error as BuildFailure).errors.map(({ location, text }) => ({
      ...(location && { file: location.file, line: location.line, column: location.column + 1 }),
      message: text,
    }))
  }
}

const lineOf = ({ file, line, column, message }: BuildError): string =>
  file === undefined ? message : `${file}:${line}:${column}\n  ${message}`

/**
 * The source of a Worker that responds to every request with the errors: to programs in JSON, and to browsers
 * as a text that reloads until they are fixed.
 */
const workerOf = (text: string, errors: readonly BuildError[]): string => {
  const body = {
    code: 'rest_not_compiled',
    message: text,
    data: { status: 503, errors },
  }
  return `const body = ${JSON.stringify(body)}
const headers = { 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*' }
export default {
  fetch(request) {
    const isPage = request.headers.get('Accept')?.includes('text/html')
    return isPage
      ? new Response(body.message, { status: 503, headers: { ...headers, Refresh: '2' } })
      : Response.json(body, { status: 503, headers })
  },
  scheduled() {},
}
`
}
