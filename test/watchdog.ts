import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

// A test whose loop never ends blocks its process: neither its time-out nor its last reports get through, and a run waits for ever. This
// process only waits, so it keeps the time. Reports are sent ten times a second at most, and don't tell which test it is. So the file is
// run once more, and there each test says that it begins before it does (test/setup.ts, test/node/setup.ts), which would take two
// milliseconds of every test.

/** The variable of a run in which tests say that they begin. */
export const WATCHED = 'WATCHED'

/** Where the Worker's tests say that they begin. */
export const WATCHDOG = 'watchdog.test'

/** Beginnings of the names of files in TEST_RUN that end with the number of a process of Node's, and may hold the id of its test. */
export const RUNNING = 'running-'

/** Milliseconds of silence beyond the longest time-out in a file after which its process is considered blocked. */
const PATIENCE_MS = 60_000

/** Ends a run in which a loop never ends, and names the test that has it. */
export class Watchdog implements Reporter {
  readonly #patienceMs: number
  /** The time of the last report from each file that is running. */
  readonly #reported = new Map<TestModule, number>()
  #begun = ''
  #timer: NodeJS.Timeout | undefined

  constructor(patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs
  }

  /** Notes that a test begins. @param id of the test */
  begins(id: string): void {
    this.#begun = id
  }

  onInit(vitest: Vitest): void {
    this.#timer = setInterval(() => this.#look(vitest), this.#patienceMs / 10).unref()
  }

  onTestModuleStart(file: TestModule): void {
    this.#reported.set(file, performance.now())
  }

  onTestCaseReady({ module }: TestCase): void {
    this.#hear(module)
  }

  onTestCaseResult({ module }: TestCase): void {
    this.#hear(module)
  }

  /** Notes a report. Vitest passes reports on while earlier ones still wait, so a test may be reported after the end of its file. */
  #hear(file: TestModule): void {
    if (this.#reported.has(file)) this.#reported.set(file, performance.now())
  }

  onTestModuleEnd(file: TestModule): void {
    this.#reported.delete(file)
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer)
  }

  #look(vitest: Vitest): void {
    for (const [file, sinceMs] of this.#reported) {
      const { testTimeout, hookTimeout } = file.project.config
      const timeouts = [...file.children.allTests()].map(({ options }) => options.timeout ?? testTimeout)
      const ms = performance.now() - sinceMs
      if (ms < Math.max(hookTimeout, ...timeouts) + this.#patienceMs) continue
      this.#end(vitest, file, `has not reported for ${Math.round(ms / 1000)} seconds`)
    }
  }

  #end(vitest: Vitest, file: TestModule, silence: string): never {
    const processes = processesOfNode()
    const id = processes.map(({ test }) => test).find(test => test !== '') ?? this.#begun
    const test = vitest.state.getReportedEntityById(id)
    const name = file.relativeModuleId
    if (process.env[WATCHED] === undefined)
      console.error(`\n${name} ${silence}. It is run again, to see which test of it never ends.`)
    else if (test?.type === 'test') console.error(`\nA loop never ends: ${name} > ${test.fullName}`)
    else console.error(`\nA loop never ends: ${name}, before its tests`)
    // A blocked process doesn't notice the end of this one.
    for (const { pid } of processes) kill(pid)
    if (process.env[WATCHED] === undefined)
      spawnSync(process.execPath, [process.argv[1] ?? '', 'run', file.moduleId, ...ownOptions()], {
        stdio: 'inherit',
        env: { ...process.env, [WATCHED]: '1', TEST_RUN: undefined },
      })
    process.exit(1)
  }
}

/** Kills a process, which may have ended by itself. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The option of this run that names another configuration. */
const ownOptions = (): string[] => process.argv.filter(option => option.startsWith('--config='))

/** The processes that run tests of Node's, and the id of the test that each has begun; empty if it doesn't say. */
function processesOfNode(): { pid: number; test: string }[] {
  const folder = process.env.TEST_RUN
  if (folder === undefined || !existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.startsWith(RUNNING))
    .map(name => ({
      pid: Number(name.slice(RUNNING.length)),
      test: readFileSync(join(folder, name), 'utf8'),
    }))
}
