import { afterEach, expect, test, vi } from 'vitest'
import { runCommand, UsageError } from '../../src/commands/arguments.ts'

afterEach(() => {
  process.exitCode = 0
})

test.each<[name: string, error: Error, exitCode: number, hasStack: boolean]>([
  ['wrong arguments', new UsageError('No such option.'), 2, false],
  ['a failure', new Error('No such file.'), 1, false],
  ['a failure of the platform', new TypeError('fetch failed', { cause: new Error('refused') }), 1, false],
  [
    'a code of the platform',
    Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' }),
    1,
    false,
  ],
  ['a fault of the command', new TypeError('x is not a function'), 1, true],
])('%s is reported, and only a fault with its stack', async (_, error, exitCode, hasStack) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await runCommand(() => Promise.reject(error), [])
  expect(log.mock.calls).toEqual([[hasStack ? error.stack : error.message]])
  expect(process.exitCode).toBe(exitCode)
  log.mockRestore()
})
