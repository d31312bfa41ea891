import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readWrangler } from '../../src/cli/wrangler.ts'
import { quantile } from './measure.ts'

export type Bundle = {
  path: string
  bytes: number
  gzipBytes: number
  /** Milliseconds to parse and run the script's top level, in Node: what a cold start pays before any request. */
  importMs: number
}

const IMPORTS = 5

/** The median of some imports, each in a process of its own. */
function importTime(path: string): number {
  const script =
    'const from = performance.now(); await import(process.argv[1]); console.log(performance.now() - from)'
  const times = Array.from({ length: IMPORTS }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script, path], { encoding: 'utf8' })),
  )
  return quantile(times, 0.5)
}

/** Bundles the Worker as `npm run deploy` would, minified. @returns the path of its script */
export async function bundleWorker(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'))
  await readWrangler(['deploy', '--dry-run', '--minify', '--env', '', '--outdir', dir])
  const name = readdirSync(dir).find(file => file.endsWith('.js'))
  if (!name) throw new Error(`wrangler left no script in ${dir}`)
  return join(dir, name)
}

/** Bundles the Worker, and measures its script. */
export async function buildWorker(): Promise<Bundle> {
  const path = await bundleWorker()
  const code = readFileSync(path)
  return {
    path,
    bytes: code.length,
    gzipBytes: gzipSync(code, { level: 9 }).length,
    importMs: importTime(path),
  }
}
