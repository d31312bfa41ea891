import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { lean } from './site-assets.ts'

// The stylesheet and the script of the editor. Their names don't change: browsers ask whether their copy still holds, so
// that they never belong to another version than the pages.

/** What browsers have of the library for passkeys, as one file. */
const WEBAUTHN = join(
  dirname(createRequire(import.meta.filename).resolve('@simplewebauthn/browser')),
  '../dist/bundle/index.umd.min.js',
)
const ADMIN = join(import.meta.dirname, '../web/editor')

/** The files of a folder, in the order of their names, as the site's are without comments. */
async function sourcesIn(folder: string, type: '.css' | '.js'): Promise<string[]> {
  const names = (await readdir(join(ADMIN, folder))).filter(name => name.endsWith(type)).sort()
  const texts = await Promise.all(names.map(name => readFile(join(ADMIN, folder, name), 'utf8')))
  return texts.map(text => lean(text, type))
}

/**
 * Writes the stylesheet and the script of the editor: all that is in `styles` and `assets`. Each script is a block of its own,
 * so that it shares no names with others.
 *
 * @param folder the one that wrangler.toml names under `[assets]`
 */
export async function makeAdminAssets(folder: string): Promise<void> {
  const own = join(folder, '_admin')
  await mkdir(own, { recursive: true })
  const [styles, scripts] = await Promise.all([sourcesIn('styles', '.css'), sourcesIn('assets', '.js')])
  await writeFile(join(own, 'editor.css'), styles.join(''))
  await copyFile(WEBAUTHN, join(own, 'webauthn.js'))
  await writeFile(join(own, 'editor.js'), scripts.map(script => `{\n${script}}\n`).join(''))
}
