import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const soak = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const node = join(ROOT, 'node_modules/.bin/node')
    execFile(node, [join(ROOT, 'test/soak/run.ts'), ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })

it('npm run soak -- --help prints one line and starts nothing', async () => {
  expect(await soak('--help')).toEqual({
    code: 0,
    stdout: 'npm run soak -- [--seconds 60] [--port 8799]\n',
    stderr: '',
  })
})

it.each([['--frob'], ['--seconds', '1'], ['--port', 'x']])('npm run soak refuses %j %j', async (...args) => {
  const { code, stderr } = await soak(...args.filter(Boolean))
  expect(code).toBe(2)
  expect(stderr).toContain(args[0])
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
