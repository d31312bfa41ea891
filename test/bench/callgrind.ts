import { spawnSync } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Instructions are counted by Callgrind, a tool of Valgrind
// (https://valgrind.org/docs/manual/cl-manual.html). Unlike time and CPU, they don't depend on what else the
// machine does. It runs the runtime some fifty times slower. V8 writes code while it runs, which Valgrind
// notices with --smc-check.
const ARGUMENTS = ['--tool=callgrind', '--callgrind-out-file=/dev/null', '--smc-check=all-non-file', '-q']

/** Counts what a process has executed so far, in all of its threads. */
export type Counter = () => Promise<number>

/** @throws Error where Valgrind is not installed */
export function assertCallgrind(): void {
  if (spawnSync('valgrind', ['--version']).status !== 0)
    throw new Error('--instructions needs Valgrind, which most systems have as a package: valgrind.')
}

/** The command that runs a program in Callgrind. */
export const inCallgrind = (program: string, args: readonly string[]): [string, string[]] => [
  'valgrind',
  [...ARGUMENTS, program, ...args],
]

/**
 * A program that runs another in Callgrind and notes its process id.
 *
 * @param folder where it is written
 * @returns its path, and the ids of those that have been started, in that order
 */
export async function wrapper(folder: string, program: string) {
  const path = join(folder, 'in-callgrind')
  const ids = join(folder, 'ids')
  const [command, args] = inCallgrind(program, [])
  const line = [command, ...args].map(word => `'${word}'`).join(' ')
  await writeFile(path, `#!/bin/sh\necho $$ >> '${ids}'\nexec ${line} "$@"\n`)
  await chmod(path, 0o755)
  return { path, started: async () => (await readFile(ids, 'utf8')).trim().split('\n').map(Number) }
}

/** Instructions of a process so far. Its threads are lines such as `events-2: 4711`. */
function countOf(pid: number): number {
  const { stdout, stderr, status } = spawnSync('vgdb', [`--pid=${pid}`, 'status', 'internal'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`vgdb: ${stderr}`)
  const threads = [...stdout.matchAll(/^x?events-\d+: (\d+)$/gm)]
  if (threads.length === 0) throw new Error(`vgdb printed no counts: ${stdout.slice(0, 300)}`)
  return threads.reduce((sum, [, events]) => sum + Number(events), 0)
}

/** What a process that waits executes between two counts: timers. */
const IDLE = 200_000

/** Counts once a process has finished what it did beside its response, such as compiling. */
export const counterOf =
  (pid: number): Counter =>
  async () => {
    for (let before = countOf(pid); ; ) {
      await sleep(100)
      const count = countOf(pid)
      if (count - before < IDLE) return count
      before = count
    }
  }
