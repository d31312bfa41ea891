import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NODE, PROJECT, SCRIPTS } from './spawn.ts'

test.each([...SCRIPTS])('npm run %s says in one line that an old Node.js cannot run it', (_, args) => {
  expect(args.at(-1)).toMatch(/\.ts$/)
  // Without TypeScript, as versions before 22.18 are.
  const { status, stdout, stderr } = spawnSync(NODE, ['--no-experimental-strip-types', ...args], {
    cwd: PROJECT,
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^Node\.js \d+\.\d+\.\d+ cannot run this\. npm ci, with Node\.js 20 or newer, .*\n$/)
})

test('the Node.js that npm ci brings can, and keeps what it compiles, for what a command starts as well', () => {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const kept = "[process.env.NODE_COMPILE_CACHE, require('node:module').getCompileCacheDir()]"
  const args = ['--require', join(PROJECT, 'src/cli/start.cjs'), '--print', `JSON.stringify(${kept})`]
  const folder = join(PROJECT, 'node_modules/.cache/compiled')
  const printed = JSON.parse(execFileSync(NODE, args, { encoding: 'utf8', env }))
  expect(printed).toEqual([folder, expect.stringContaining(folder)])
})
