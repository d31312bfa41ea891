import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readWrangler } from '../../src/cli/wrangler.ts'

/** Bundles the Worker as `npm run deploy` would, minified. @returns the path of its script */
export async function bundleWorker(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'))
  await readWrangler(['deploy', '--dry-run', '--minify', '--env', '', '--outdir', dir])
  const name = readdirSync(dir).find(file => file.endsWith('.js'))
  if (!name) throw new Error(`wrangler left no script in ${dir}`)
  return join(dir, name)
}

let bundle: Promise<string> | undefined

/** As {@link bundleWorker}, once for all of a process; the script is deleted with that. */
export async function bundleOnce(): Promise<string> {
  bundle ??= bundleWorker().then(path => {
    process.once('exit', () => rmSync(dirname(path), { recursive: true, force: true }))
    return path
  })
  return bundle
}
