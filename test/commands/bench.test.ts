import { expect, test } from 'vitest'
import { UsageError } from '../../src/commands/arguments.ts'
import { HELP, readArguments } from '../bench/arguments.ts'
import { run } from './spawn.ts'

const bench = (...args: string[]) => run('bench', args)

test('the benchmark says how to use it', async () => {
  expect(await bench('--help')).toEqual({ code: 0, stdout: `${HELP}\n`, stderr: '' })
})

test('an unknown option ends the benchmark with one line and exit status 2', async () => {
  const { code, stdout, stderr } = await bench('--event', '1000')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^[^\n]*--event'[^\n]*\n$/)
})

test.each([
  [['--events'], '--events'],
  [['--events', 'many'], '--events'],
  [['--events', '999'], '--events'],
  [['--rounds', '0'], '--rounds'],
  [['--scheduled=-1'], '--scheduled'],
  [['1000'], '1000'],
])('the bench refuses %j, and its message names what is wrong', (args, name) => {
  const read = () => readArguments(args)
  expect(read).toThrow(UsageError)
  expect(read).toThrow(name)
})

test('rows are counted without scheduled events and with some, unless a number is asked for', () => {
  expect(readArguments([])).toMatchObject({ events: 10_000, scheduled: [0, 50] })
  expect(readArguments(['--scheduled', '7'])).toMatchObject({ scheduled: [7] })
})

test('the start alone is measured if asked for', () => {
  expect(readArguments([])).toMatchObject({ start: false })
  expect(readArguments(['--start'])).toMatchObject({ start: true })
})
