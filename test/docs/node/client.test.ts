import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const CLIENT = join(ROOT, 'test/client')
const TSC = join(
  dirname(createRequire(join(CLIENT, 'package.json')).resolve('typescript/package.json')),
  'bin/tsc',
)

/** What a command printed, whether it failed or not. */
const run = (command: string, args: string[]): Promise<string> =>
  promisify(execFile)(command, args, { cwd: ROOT }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )

it('the document gives a client the types of the API', async () => {
  expect(await run('npm', ['run', '--silent', 'client:types'])).toContain('api.d.ts')
  expect(await run(process.execPath, [TSC, '--project', CLIENT])).toBe('')
})
