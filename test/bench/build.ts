import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readWrangler } from '../../src/commands/wrangler.ts'
import { makeOnce } from '../once.ts'

/** Bundles the Worker as `npm run deploy` would, minified, once in a run. @returns the path of its script */
export async function bundleWorker(): Promise<string> {
  const dir = await makeOnce('bundle', async folder => {
    await readWrangler(['deploy', '--dry-run', '--minify', '--env', '', '--outdir', folder])
  })
  const name = readdirSync(dir).find(file => file.endsWith('.js'))
  if (!name) throw new Error(`wrangler left no script in ${dir}`)
  return join(dir, name)
}
