import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, parse } from 'node:path'
import { build, transform } from 'esbuild'
import { TEMPLATE_PATH } from '../kit/docs/template-path.ts'
import { HUE_RULES, SWATCH_RULES } from '../kit/lib/colour.ts'
import { DEV_ENTRY, writeEntry } from './dev-entry.ts'
import { featureFiles } from './feature-files.ts'

// Collects the static files of the documentation page, the public pages and the editor. Wrangler runs this
// before it serves or deploys (wrangler.toml), and the tests run it as well.

// Files of pages get names with a hash of their content, so that browsers can cache them for ever. Pages take
// the names from src/site/html/assets.ts.

const ROOT = join(import.meta.dirname, '../..')
const PAGES = join(import.meta.dirname, '../site/pages')
const EDITOR = join(import.meta.dirname, '../editor')
const FORMS = join(import.meta.dirname, '../site/forms')
const HASH_LENGTH = 10

/**
 * The files of site.css by layer, in the order of their rules. A rule of a later layer wins over rules of
 * earlier layers with any specificity, and the owner's own stylesheet, which is in no layer, over all layers.
 */
export const LAYERS = {
  base: ['base'],
  blocks: ['blocks', 'frame', 'bar', 'menu', 'list', 'paging'],
  // The pages.css of features belong here, too.
  pages: ['month', 'week', 'map', 'single', 'directory', 'embed'],
  // Everything in editor.css
  editor: [],
  media: ['media'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Bundles scripts into one, in the order in which they run. The names in each script stay private to it. */
async function scriptOf(...paths: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: paths.map(path => `import ${JSON.stringify(path)}\n`).join(''), resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    // The newest syntax that the scripts themselves use: a build must not demand newer browsers.
    target: 'es2022',
    charset: 'utf8',
    minify: true,
    write: false,
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('')
}

const styleOf = async (rules: string): Promise<string> =>
  (await transform(rules, { loader: 'css', charset: 'utf8', minify: true, logLevel: 'silent' })).code

/** The text of files, one after the other. */
const readAll = async (paths: readonly string[]): Promise<string> =>
  (await Promise.all(paths.map(path => readFile(path, 'utf8')))).join('')

/** A script with a library in it, below the library's licence. */
async function withLicence(path: string, script: string | Promise<string>): Promise<string> {
  return `/*!\n${await readFile(path, 'utf8')}*/\n${await script}`
}

const { resolve } = createRequire(import.meta.filename)
const LEAFLET = dirname(resolve('leaflet/package.json'))
const SQUIRE = dirname(resolve('squire-rte/package.json'))
const WEBAUTHN = join(dirname(resolve('@simplewebauthn/browser')), '..')

const writingScript = (): Promise<string> =>
  withLicence(join(SQUIRE, 'LICENSE'), scriptOf(join(FORMS, 'assets/writing.browser.ts')))

const passkeysScript = (): Promise<string> =>
  withLicence(join(WEBAUTHN, 'LICENSE.md'), scriptOf(join(EDITOR, 'sign-in/passkeys.browser.ts')))

/** The script of Leaflet, unchanged except that it lacks the address of its source map. */
async function leafletScript(): Promise<string> {
  const script = await readFile(join(LEAFLET, 'dist/leaflet.js'), 'utf8')
  return withLicence(join(LEAFLET, 'LICENSE'), script.replace(/^\/\/# sourceMappingURL.*\n?/m, ''))
}

/** Leaflet's own CSS rules, and ours for the elements that it makes. */
const leafletStyle = async (): Promise<string> =>
  styleOf(await readAll([join(LEAFLET, 'dist/leaflet.css'), pageAsset('leaflet.css')]))

const pageAsset = (name: string): string => join(PAGES, 'assets', name)

/** All files of a folder of the editor, in the order of their names. */
async function editorFiles(folder: 'assets' | 'styles'): Promise<string[]> {
  const names = await readdir(join(EDITOR, folder))
  return names.sort().map(name => join(EDITOR, folder, name))
}

async function siteStyle(): Promise<string> {
  const layers = Object.entries(LAYERS).map(async ([layer, files]) => {
    const paths = files.map(file => join(PAGES, 'styles', `${file}.css`))
    const rules = await readAll(layer === 'pages' ? [...paths, ...featureFiles('pages.css')] : paths)
    return `@layer ${layer} {\n${layer === 'base' ? HUE_RULES : ''}${rules}}\n`
  })
  return styleOf((await Promise.all(layers)).join(''))
}

async function editorStyle(): Promise<string> {
  const rules = await readAll([...(await editorFiles('styles')), ...featureFiles('editor.css')])
  return styleOf(`@layer editor {\n${SWATCH_RULES}${rules}}\n`)
}

const editorScript = async (): Promise<string> => scriptOf(...(await editorFiles('assets')))

const siteScript = (): Promise<string> =>
  scriptOf(pageAsset('site.browser.ts'), ...featureFiles('pages.browser.ts'))

type PageFile = { file: string; read: () => Promise<string> }

const PAGE_FILES: Readonly<Record<string, PageFile>> = {
  style: { file: 'site.css', read: siteStyle },
  script: { file: 'site.js', read: siteScript },
  embed: { file: 'embed.js', read: () => scriptOf(pageAsset('embed.browser.ts')) },
  framed: { file: 'framed.js', read: () => scriptOf(pageAsset('framed.browser.ts')) },
  map: { file: 'map.js', read: () => scriptOf(pageAsset('map.browser.ts')) },
  leaflet: { file: 'leaflet.js', read: leafletScript },
  leafletStyle: { file: 'leaflet.css', read: leafletStyle },
  icon: { file: 'icon.svg', read: () => readAll([pageAsset('icon.svg')]) },
  editorStyle: { file: 'editor.css', read: editorStyle },
  editorScript: { file: 'editor.js', read: editorScript },
  writing: { file: 'writing.js', read: writingScript },
  passkeys: { file: 'webauthn.js', read: passkeysScript },
}

/** Headers of the static files. Pages that embed the calendar load scripts and styles from another origin. */
const HEADERS = `/_site/*
  Cache-Control: public, max-age=31536000, immutable
  Access-Control-Allow-Origin: *
  Cross-Origin-Resource-Policy: cross-origin
  X-Content-Type-Options: nosniff
`

type HashedFile = { key: string; name: string; text: string }

/** All static files of pages. */
export const hashedFiles = (): Promise<HashedFile[]> =>
  Promise.all(
    Object.entries(PAGE_FILES).map(async ([key, { file, read }]) => {
      const { name, ext } = parse(file)
      const text = await read()
      const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
      return { key, name: `${name}.${hash}${ext}`, text }
    }),
  )

/** The source of src/site/html/assets.ts for the present files. */
export function assetsModule(files: readonly HashedFile[]): string {
  const lines = files.map(({ key, name }) => `  ${key}: '/_site/${name}',\n`)
  const comment =
    '/** The static files of pages, by names that change with what they hold. Written by `npm run docs:assets`. */'
  return `${comment}\nexport const ASSETS = {\n${lines.join('')}} as const\n`
}

/**
 * Writes the static files of pages, and the module with their names if it has changed.
 *
 * @param folder as wrangler.toml names it under `[assets]`
 */
export async function makeSiteAssets(folder: string): Promise<void> {
  const files = await hashedFiles()
  const module = join(PAGES, '../html/assets.ts')
  const source = assetsModule(files)
  if ((await readFile(module, 'utf8').catch(() => '')) !== source) await writeFile(module, source)
  const ownFolder = join(folder, '_site')
  await mkdir(ownFolder, { recursive: true })
  const currentNames = files.map(({ name }) => name)
  await Promise.all(files.map(({ name, text }) => writeFile(join(ownFolder, name), text)))
  const oldNames = (await readdir(ownFolder)).filter(name => !currentNames.includes(name))
  await Promise.all(oldNames.map(name => rm(join(ownFolder, name), { force: true })))
  await writeFile(join(folder, '_headers'), HEADERS)
}

const SWAGGER_UI = dirname(createRequire(import.meta.filename).resolve('swagger-ui-dist/package.json'))
const SWAGGER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']

/** The folder that wrangler.toml names under `[assets]`. */
export const ASSETS_FOLDER = join(ROOT, 'dist/assets')

/**
 * Writes the static files of the documentation page. Another process may do so at the same time: `cp` would
 * remove that process's files, and fail if its own files were removed.
 *
 * @param folder the folder of all static files
 */
async function makeDocsAssets(folder: string): Promise<void> {
  const ownFolder = join(folder, '_docs')
  await mkdir(ownFolder, { recursive: true })
  const page = join(ROOT, 'src/kit/docs/page')
  await Promise.all([
    ...SWAGGER_FILES.map(file => copyFile(join(SWAGGER_UI, file), join(ownFolder, file))),
    writeFile(join(ownFolder, 'page.js'), await scriptOf(join(page, 'page.browser.ts'))),
    writeFile(join(ownFolder, 'page.css'), await styleOf(await readAll([join(page, 'page.css')]))),
  ])
}

/** Writes all static files into a folder, except the template of the API's document. */
export async function makeAssets(folder: string): Promise<void> {
  await Promise.all([makeDocsAssets(folder), makeSiteAssets(folder)])
}

/** Writes the template of the API's document (kit/docs/template.ts). This loads the whole calendar. */
export async function makeTemplate(folder: string): Promise<void> {
  const { templateOfApi } = await import('../app.ts')
  await writeFile(join(folder, TEMPLATE_PATH), templateOfApi())
}

const HELP = `Builds the static files of the documentation page, the public pages and the editor in dist/assets.

  npm run docs:assets`

if (import.meta.main) {
  const make = () => makeAssets(ASSETS_FOLDER)
  const devEntry = process.env[DEV_ENTRY]
  if (devEntry) {
    // The template is only removed: making it again with each change would take half a second each time.
    await rm(join(ASSETS_FOLDER, TEMPLATE_PATH), { force: true })
    await writeEntry(JSON.parse(devEntry), make)
  } else {
    // arguments.ts is not imported above, because it imports source of the calendar, and `npm run dev` also
    // builds while that source is broken.
    const { command, runCommand } = await import('./arguments.ts')
    const makeAll = async () => {
      await make()
      await makeTemplate(ASSETS_FOLDER)
    }
    await runCommand(command(HELP, {}, makeAll))
  }
}
