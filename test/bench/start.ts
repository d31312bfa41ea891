import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { COMPATIBILITY_DATE } from '../../src/commands/wrangler.ts'
import { API } from './api.ts'
import { counterOf, inCallgrind } from './callgrind.ts'
import { cpuOf, hasCpu, quantile } from './measure.ts'
import { FLOOR } from './servers.ts'

/** What the runtime takes to start in all its threads, in milliseconds of CPU or in instructions. */
type Start = {
  /** Until it listens: it has parsed and evaluated the script. */
  evaluated: number
  /** Until it has responded to its first request, that of an event which is not there. */
  responded: number
}

/** The start of the service, and of a Worker that does nothing but ask D1. */
export type Starts = { service: Start; floor: Start }

// Lower quartiles of this many pairs of starts, one after the other: CPU is steadier than time, but grows
// with what else the machine does.
const PAIRS = 15
// Counts of the same script differ by 0.01 %.
const COUNTED_PAIRS = 2

// D1 with nothing in it, so that what is measured is the script's own.
const ENTRY = `import worker from 'worker.js'
const nothing = { results: [], meta: {} }
const statement = { bind: () => statement, all: async () => nothing }
const session = { prepare: () => statement, batch: async all => all.map(() => nothing), getBookmark: () => null }
const DB = { ...session, withSession: () => session }
export default { fetch: (request, env, context) => worker.fetch(request, { DB }, context) }`

// Whether garbage is collected once more or less before the first response changes the count by 0.7 floors,
// with no change of the script. With this much room for new objects, in megabytes, the young generation isn't
// collected until then. What V8 does in other threads depends on how busy the machine is, which adds up to 4
// %, so it has one thread.
const STEADY = 'v8Flags = ["--min-semi-space-size=32", "--max-semi-space-size=64", "--single-threaded"],'

const configuration = (instructions: boolean): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  ${instructions ? STEADY : ''}
  services = [(name = "main", worker = (
    modules = [(name = "entry.js", esModule = embed "entry.js"), (name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "${COMPATIBILITY_DATE}",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`

// The package that miniflare runs, with the path of its binary.
const miniflare = createRequire(import.meta.resolve('miniflare'))
export const { default: WORKERD }: { default: string } = miniflare('workerd')

/** Waits for the message that the runtime writes when it listens. @throws Error if it ends before */
async function portOf(control: Readable): Promise<number> {
  let text = ''
  for await (const chunk of control) {
    text += chunk
    const port = /"port":(\d+)/.exec(text)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error(`workerd did not start: ${text}`)
}

const waitForExit = (child: ChildProcess): Promise<unknown> =>
  new Promise(resolve => child.once('exit', resolve))

async function startOnce(folder: string, path: string, instructions: boolean): Promise<Start> {
  const args = ['serve', '--control-fd=3', join(folder, 'config.capnp')]
  const child = spawn(...(instructions ? inCallgrind(WORKERD, args) : ([WORKERD, args] as const)), {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const pid = child.pid ?? 0
  const taken = instructions ? counterOf(pid) : async () => cpuOf(pid)
  const gone = waitForExit(child)
  try {
    // The fourth of `stdio` is a pipe, which Node reads.
    const port = await portOf(child.stdio[3] as Readable)
    const evaluated = await taken()
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${response.status} ${text}`)
    return { evaluated, responded: await taken() }
  } finally {
    child.kill('SIGKILL')
    await gone
  }
}

async function folderOf(instructions: boolean, prepare: (script: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'))
  await writeFile(join(folder, 'config.capnp'), configuration(instructions))
  await writeFile(join(folder, 'entry.js'), ENTRY)
  await prepare(join(folder, 'worker.js'))
  return folder
}

const quartile = (starts: readonly Start[], figure: keyof Start): number =>
  quantile(
    starts.map(start => start[figure]),
    0.25,
  )

const ofMost = (starts: readonly Start[]): Start => ({
  evaluated: quartile(starts, 'evaluated'),
  responded: quartile(starts, 'responded'),
})

/** Measures pairs of starts, the floor's and the service's. */
async function measurePairs(script: string, pairs: number, instructions: boolean): Promise<Starts> {
  const service = await folderOf(instructions, to => copyFile(script, to))
  const floor = await folderOf(instructions, to => writeFile(to, FLOOR))
  const starts: { service: Start[]; floor: Start[] } = { service: [], floor: [] }
  try {
    for (let pair = 0; pair < pairs; pair++) {
      starts.floor.push(await startOnce(floor, '/', instructions))
      starts.service.push(await startOnce(service, `${API}/events/1`, instructions))
    }
  } finally {
    for (const folder of [service, floor]) await rm(folder, { recursive: true })
  }
  return { service: ofMost(starts.service), floor: ofMost(starts.floor) }
}

/**
 * Measures the CPU of starts of a script in workerd by Linux's accounts of the process; undefined on other
 * systems.
 */
export const measureStart = async (script: string): Promise<Starts | undefined> =>
  hasCpu ? measurePairs(script, PAIRS, false) : undefined

/** Counts the instructions of a start of a script in workerd. Collecting garbage is not in them. */
export const instructionsOfStart = (script: string): Promise<Starts> =>
  measurePairs(script, COUNTED_PAIRS, true)
