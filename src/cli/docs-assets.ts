import { cp, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseStrictly, refuseOperands, runCommand } from './arguments.ts'

// Puts together the static files of the documentation page, which the Worker serves beside itself.
// wrangler runs this before it serves or deploys (wrangler.toml), and so do the tests.

const ROOT = join(import.meta.dirname, '../..')
const VIEWER = dirname(createRequire(import.meta.filename).resolve('swagger-ui-dist/package.json'))
const VIEWER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']

/** The folder that wrangler.toml names under `[assets]`; all of it is made here. */
const ASSETS = join(ROOT, 'dist/assets')

/** Makes the folder of static files anew. */
export async function makeDocsAssets(): Promise<void> {
  const folder = join(ASSETS, '_docs')
  await mkdir(folder, { recursive: true })
  await cp(join(ROOT, 'src/docs/page'), folder, { recursive: true })
  await Promise.all(VIEWER_FILES.map(file => cp(join(VIEWER, file), join(folder, file))))
}

const HELP = `Puts together the static files of the documentation page, in dist/assets.

  npm run docs:assets`

const OPTIONS = { help: { type: 'boolean', short: 'h' } } as const

if (import.meta.main)
  await runCommand(async () => {
    const { values, positionals } = parseStrictly(process.argv.slice(2), OPTIONS)
    if (values.help) return console.log(HELP)
    refuseOperands(positionals, HELP)
    await makeDocsAssets()
  })
