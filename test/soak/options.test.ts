import { expect, it } from 'vitest'
import { run } from '../cli/spawn.ts'

const soak = (...args: string[]) => run('soak', args)

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
