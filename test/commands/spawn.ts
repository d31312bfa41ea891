import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'node:util'
import { onTestFinished, vi } from 'vitest'
import { runCommand } from '../../src/commands/arguments.ts'
import { restoreEnvironment } from '../environment.ts'

export const PROJECT = join(import.meta.dirname, '../..')

/** The project's own Node, whatever runs the tests: the commands are TypeScript. */
export const NODE = join(PROJECT, 'node_modules/.bin/node')

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
)

/**
 * Milliseconds for a test that starts commands which take ten seconds or more: ten minutes, as a machine may
 * be slow.
 */
export const LONG = 600_000

/** What `npm run` starts that is written in TypeScript: names, and the arguments that Node gets. */
export const SCRIPTS: ReadonlyMap<string, string[]> = new Map(
  Object.entries(scripts)
    .map(([name, line]) => [name, line.split(' ')] as const)
    .flatMap(([name, [program, ...args]]) => (program === 'node' ? [[name, args] as const] : [])),
)

/**
 * Makes a folder.
 * @param atEnd `afterAll`, `afterEach` or `onTestFinished`, where it is deleted.
 * @returns its path
 */
export function temporaryFolder(atEnd: (remove: () => Promise<void>) => void): string {
  const path = mkdtempSync(join(tmpdir(), 'calendar-'))
  atEnd(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

export type Running = { process: ChildProcess; stdout: string; stderr: string }

/**
 * Starts what `npm run` does, without npm's own third of a second. What it leaves behind at the end of the
 * test is killed.
 *
 * @param cwd the project, or a copy of it
 */
export function start(
  script: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  cwd = PROJECT,
): Running {
  const child = spawn(NODE, [...(SCRIPTS.get(script) ?? []), ...args], {
    cwd,
    env: { ...process.env, ...variables },
    // A group of its own, so that its children can be killed with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => killGroup(child))
  const running: Running = { process: child, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    running.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    running.stderr += text
  })
  return running
}

/** Kills a process and all that it has started. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended, as it should.
  }
}

/** Waits for the end of a process and of its output; returns the exit status, null after a signal. */
export async function ended({ process }: Running): Promise<number | null> {
  const [code] = await once(process, 'close')
  return code
}

/** Runs what `npm run` does to its end. */
export async function run(script: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const running = start(script, args, variables)
  const code = await ended(running)
  return { code, stdout: running.stdout, stderr: running.stderr }
}

/**
 * Runs a command within this process, where it takes none of the second in which Node reads what it consists
 * of. What a process adds (exit status, streams, signals) is what {@link run} is for.
 *
 * @param variables of the environment, while it runs
 */
export async function runHere(
  command: (args: string[]) => Promise<void>,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
) {
  const printed = { stdout: '', stderr: '' }
  const spies = (['log', 'warn', 'error'] as const).map(method =>
    vi.spyOn(console, method).mockImplementation((...values) => {
      printed[method === 'log' ? 'stdout' : 'stderr'] += `${format(...values)}\n`
    }),
  )
  const before = process.exitCode
  const environment = { ...process.env }
  process.exitCode = 0
  Object.assign(process.env, variables)
  try {
    await runCommand(command, args)
    return { code: process.exitCode, ...printed }
  } finally {
    process.exitCode = before
    restoreEnvironment(environment)
    for (const spy of spies) spy.mockRestore()
  }
}

/**
 * A port that nobody listens on at the moment. It is below those that systems hand out by themselves, of
 * which another process could be given the same one before it is used here, and above those that `fetch`
 * refuses.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(11_000, 32_768)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isFree ? port : freePort()
}
