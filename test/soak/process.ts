import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '../..')

// The project's own Node, whatever runs this: the server is TypeScript.
const NODE = join(PROJECT, 'node_modules/.bin/node')

/** A server in a process group of its own, so that nothing of it survives. */
export class ServerProcess {
  readonly #args: readonly string[]
  #process: ChildProcess | undefined

  /** @param file the program, beside this one */
  constructor(script: string, folder: string, port: number, file = 'worker.ts') {
    this.#args = [join(import.meta.dirname, file), script, folder, String(port)]
  }

  /** @returns milliseconds until it was ready */
  async start(): Promise<number> {
    const began = performance.now()
    const server = spawn(NODE, this.#args, {
      cwd: PROJECT,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#process = server
    const ended = once(server, 'exit').then(() => {
      throw new Error('The server ended before it was ready.')
    })
    await Promise.race([once(server.stdout, 'data'), ended])
    ended.catch(() => {})
    return performance.now() - began
  }

  /** SIGKILL, to all of it at once. */
  async kill(): Promise<void> {
    const server = this.#process
    this.#process = undefined
    if (server?.pid === undefined || server.exitCode !== null) return
    const ended = once(server, 'exit')
    process.kill(-server.pid, 'SIGKILL')
    await ended
  }
}
