import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')
const NODE = join(PROJECT, 'node_modules/.bin/node')

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
)
const commands = Object.entries(scripts).filter(([, command]) => command.startsWith('node '))

test.each(commands)('npm run %s says in one line that an old Node.js cannot run it', (_, command) => {
  expect(command).toMatch(/\.ts$/)
  const args = command.split(' ').slice(1)
  // Without TypeScript, as versions before 22.18 are.
  const { status, stdout, stderr } = spawnSync(NODE, ['--no-experimental-strip-types', ...args], {
    cwd: PROJECT,
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^Node\.js \d+\.\d+\.\d+ cannot run this\. npm ci, with Node\.js 20 or newer, .*\n$/)
})

test('the Node.js that npm ci brings can', () => {
  const check = join(PROJECT, 'src/cli/node-version.cjs')
  expect(execFileSync(NODE, ['--require', check, '--print', '1'], { encoding: 'utf8' })).toBe('1\n')
})
