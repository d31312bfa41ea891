import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { CLIENT, TSC } from './client.ts'

const ROOT = join(import.meta.dirname, '../../..')
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
