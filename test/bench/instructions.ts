import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertCallgrind, type Counter, counterOf, wrapper } from './callgrind.ts'
import { isFailed, makeAgent, type Sample, send } from './measure.ts'
import { markdown } from './report.ts'
import { type BenchRequest, REQUESTS } from './requests.ts'
import { shooter } from './rounds.ts'
import { startFloor, startService } from './servers.ts'
import { instructionsOfStart, WORKERD } from './start.ts'

/** The instructions of something, in millions, and in multiples of what the floor takes. */
type Counted = { name: string; millions: number; times: number; allowed: number }

/**
 * The most instructions that starting may take, in multiples of what a Worker that does nothing takes. One
 * multiple is some 83 million.
 */
const START_BUDGET = { evaluated: 12.65, responded: 15.7 }

// The first requests are not counted: V8 compiles while it handles them.
const WARM_UP = 12
const BATCHES = 2
// Where the least of these is over its budget, because V8 was still optimizing, there are more.
const MAX_BATCHES = 12
const OF_BATCH = 6

/** Requests with a budget of instructions: each kind that visitors and programs send most. */
const budgeted = ({ only, events }: { only: string; events: number }): readonly BenchRequest[] =>
  REQUESTS.filter(
    ({ name, instructions, minEvents = 0 }) =>
      instructions !== undefined && name.includes(only) && events >= minEvents,
  )

async function shoot(send: () => Promise<Sample>, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const sample = await send()
    if (isFailed(sample)) throw new Error(`${sample.status} ${sample.text.slice(0, 300)}`)
  }
}

/**
 * Millions of instructions of one request: the least of some batches, because collecting garbage and
 * compiling only add to it.
 *
 * @param enough what needs no further batches
 */
async function ofRequest(counter: Counter, send: () => Promise<Sample>, enough = Infinity): Promise<number> {
  await shoot(send, WARM_UP)
  let least = Infinity
  for (let batch = 0; batch < BATCHES || (batch < MAX_BATCHES && least > enough); batch++) {
    const before = await counter()
    await shoot(send, OF_BATCH)
    least = Math.min(least, ((await counter()) - before) / OF_BATCH / 1e6)
  }
  return least
}

/**
 * Counts the instructions of starts and of requests with a budget.
 *
 * @param script the Worker's path
 * @param state the folder of a database that has been filled
 * @param trashed how many events earlier runs have deleted
 * @throws Error where Valgrind is not installed
 */
export async function countInstructions(
  script: string,
  { state, trashed, ...chosen }: { state: string; trashed: number; only: string; events: number },
  progress: (done: number, what: string) => void,
): Promise<Counted[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-callgrind-'))
  const { path, started } = await wrapper(folder, WORKERD)
  const requests = budgeted(chosen)
  process.env.MINIFLARE_WORKERD_PATH = path
  // One after the other, so that the ids are known.
  const service = startService(script, state)
  const base = await service.ready
  const floor = await startFloor()
  const floorUrl = await floor.ready
  try {
    const [ofService, ofFloor] = (await started()).map(counterOf)
    if (!ofService || !ofFloor) throw new Error('Valgrind started no runtime.')
    const floorAgent = makeAgent(1)
    const least = await ofRequest(ofFloor, () => send(floorAgent, floorUrl))
    const counted: Counted[] = []
    for (const [i, request] of requests.entries()) {
      progress(i / requests.length, request.name)
      const { first } = await shooter(base, request, trashed)
      if (!first) continue
      const allowed = request.instructions ?? 0
      const millions = await ofRequest(ofService, first, allowed * least)
      counted.push({ name: request.name, millions, times: millions / least, allowed })
    }
    return counted
  } finally {
    await Promise.all([service.dispose(), floor.dispose()])
    await rm(folder, { recursive: true })
  }
}

/** Counts the instructions of a start. @throws Error where Valgrind is not installed */
export async function countStart(script: string): Promise<Counted[]> {
  assertCallgrind()
  const { service, floor } = await instructionsOfStart(script)
  return (['evaluated', 'responded'] as const).map(what => ({
    name: `start, ${what}`,
    millions: service[what] / 1e6,
    times: service[what] / floor[what],
    allowed: START_BUDGET[what],
  }))
}

/** A Markdown table of instructions. */
export const instructionTable = (counted: readonly Counted[]): string =>
  markdown([
    ['request', 'millions of instructions', '× floor', 'allowed'],
    ...counted.map(({ name, millions, times, allowed }) => [
      name,
      millions.toFixed(1),
      times.toFixed(2),
      String(allowed),
    ]),
  ])

/** A line for each figure that exceeds its budget. */
export const overInstructions = (counted: readonly Counted[]): string[] =>
  counted.flatMap(({ name, times, allowed }) =>
    times > allowed
      ? [`${name}: ${times.toFixed(2)} × the instructions of the floor, ${allowed} allowed`]
      : [],
  )
