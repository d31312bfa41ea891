import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { command, runCommand } from './arguments.ts'
import { makeAdminAssets, makeSiteAssets } from './site-assets.ts'

// Collects the static files of the documentation page, of the public pages and of the editor. Wrangler runs this before it serves or deploys (wrangler.toml),
// and so do the tests.

const ROOT = join(import.meta.dirname, '../..')
const SWAGGER_UI = dirname(createRequire(import.meta.filename).resolve('swagger-ui-dist/package.json'))
const SWAGGER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']

/** The folder that wrangler.toml names under `[assets]`. */
export const ASSETS_FOLDER = join(ROOT, 'dist/assets')

/**
 * Writes the static files of the documentation page. Another process may do so at the same time: `cp` would remove that
 * process's files, and fail where it finds its own removed.
 *
 * @param folder the folder of all static files
 */
async function makeDocsAssets(folder: string): Promise<void> {
  const own = join(folder, '_docs')
  await mkdir(own, { recursive: true })
  const copyFrom = (from: string, files: string[]) =>
    files.map(file => copyFile(join(from, file), join(own, file)))
  const page = join(ROOT, 'src/api/docs/page')
  await Promise.all([...copyFrom(page, await readdir(page)), ...copyFrom(SWAGGER_UI, SWAGGER_FILES)])
}

/** Writes all static files into a folder. */
export async function makeAssets(folder: string): Promise<void> {
  await Promise.all([makeDocsAssets(folder), makeSiteAssets(folder), makeAdminAssets(folder)])
}

const HELP = `Builds the static files of the documentation page, the public pages and the editor in dist/assets.

  npm run docs:assets`

if (import.meta.main) await runCommand(command(HELP, {}, () => makeAssets(ASSETS_FOLDER)))
