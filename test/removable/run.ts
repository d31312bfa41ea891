import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, runCommand } from '../../src/commands/arguments.ts'

const HELP = `Takes a feature away in a copy of the project: its folders, its lines in the lists, and its tables. Then the compiler
and the tests of the schema must pass, and all other tests for letters and mcp.

  npm run removable -- [name ...]

  --quick  leaves out all other tests`

const OPTIONS = { quick: { type: 'boolean' } } as const

const ROOT = join(import.meta.dirname, '../..')

/** Features without which all other tests pass. Tests of the core may name others. */
const WITHOUT_TRACE = ['letters', 'mcp']

/**
 * Features that can be switched off only: the core has their table, and pages and commands offer what they
 * do.
 */
const ONLY_OFF = ['sources']

const SCHEMA = ['test/kit/db', 'test/commands/backup/node/tables.test.ts']

/** Tests that compare the documentation with the source: pages that name the feature go with it by hand. */
const OF_DOCUMENTATION = [
  'test/node/contributing.test.ts',
  'test/kit/docs/node/readme.test.ts',
  'test/commands/backup/node/documented.test.ts',
]

/**
 * A list of features without one of them: without its import, and without the name that this import gives.
 */
function withoutLine(text: string, feature: string): string {
  const line = new RegExp(`^import \\{ (\\w+) \\} from '\\./features/${feature}/.*\\n`, 'm')
  const [, name] = line.exec(text) ?? []
  return name === undefined ? text : text.replace(line, '').replace(new RegExp(`\\s*\\b${name}\\b,?`), '')
}

/** A copy of the files that Git knows or would add, without the feature. */
function copyWithout(feature: string): string {
  const folder = mkdtempSync(join(tmpdir(), `without-${feature}-`))
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  const isOfFeature = (file: string) => /^(?:src|test)\/features\/([^/]+)\//.exec(file)?.[1] === feature
  for (const file of listed.stdout.split('\0').filter(Boolean))
    if (!isOfFeature(file)) cpSync(join(ROOT, file), join(folder, file))
  // Npm also puts packages into the folders of workspaces.
  for (const modules of ['node_modules', 'test/client/node_modules'])
    if (existsSync(join(ROOT, modules))) symlinkSync(join(ROOT, modules), join(folder, modules))
  for (const list of ['src/features.ts', 'test/features.ts']) {
    const path = join(folder, list)
    writeFileSync(path, withoutLine(readFileSync(path, 'utf8'), feature))
  }
  return folder
}

const run = command(
  HELP,
  OPTIONS,
  async ({ quick = false }, names) => {
    const features = readdirSync(join(ROOT, 'src/features')).filter(name => !ONLY_OFF.includes(name))
    const unknown = names.find(name => !features.includes(name))
    if (unknown !== undefined) throw new Error(`${unknown} is none of ${features.join(', ')}.`)
    const failed: string[] = []
    for (const feature of names.length > 0 ? names : features) {
      const folder = copyWithout(feature)
      const npm = (...args: string[]) => {
        console.log(`Without ${feature}: npm ${args.join(' ')}`)
        const { status } = spawnSync('npm', ['run', '--silent', ...args], { cwd: folder, stdio: 'inherit' })
        if (status !== 0) failed.push(`Without ${feature}: npm run ${args.join(' ')}`)
        return status === 0
      }
      // Styles of its pages are part of a file whose name is a hash.
      const isMade = npm('docs:assets') && npm('schema') && npm('types')
      const isWhole = WITHOUT_TRACE.includes(feature) && !quick
      // Deleted, because Vitest doesn't pass --exclude on to all projects.
      for (const file of OF_DOCUMENTATION) rmSync(join(folder, file))
      if (isMade) npm('test', '--', ...(isWhole ? [] : SCHEMA))
      rmSync(folder, { recursive: true })
    }
    for (const line of failed) console.error(line)
    process.exitCode = failed.length === 0 ? 0 : 1
  },
  { takesOperands: true },
)

await runCommand(run)
