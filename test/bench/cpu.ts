import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** True where the system tells what a process has taken. */
export const hasCpu = existsSync('/proc/self/schedstat')

/** Milliseconds of CPU that a process has taken, by its threads' accounts in nanoseconds. */
export const cpuOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, id) => sum + ofThread(`/proc/${pid}/task/${id}/schedstat`), 0)

function ofThread(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/** The ids of the runtimes that this process has started, in that order. */
export const runtimes = (): number[] =>
  !hasCpu
    ? []
    : readdirSync('/proc')
        .filter(name => /^\d+$/.test(name) && isRuntime(name))
        .map(Number)
        .sort((a, b) => a - b)

function isRuntime(pid: string): boolean {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name === 'workerd' && Number(parent) === process.pid
  } catch {
    return false
  }
}
