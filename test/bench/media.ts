import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { applyMigrations, PROJECT_CONFIG } from '../../src/cli/wrangler.ts'
import { digestOf } from '../../src/lib/digest.ts'
import { bytes, chunk, header, PNG_START } from '../resources/media/build.ts'
import { ADMINISTRATOR, API, authorizationOf, passwordOf } from './api.ts'
import { bundleWorker } from './build.ts'
import { quantile } from './measure.ts'
import { startService } from './servers.ts'

// What uploads and images cost: trips to the database, milliseconds, and the memory of the runtime at its peak. The local
// runtime holds the database and the bucket in the same process, so that its peak is an upper bound. Miniflare decodes
// and encodes in this process, which is not measured: Cloudflare does that outside of the Worker as well.
//
//   node test/bench/media.ts [--check]

const MB = 1024 * 1024
const SIZES = [1, 5, 9]
const ROUNDS = 8

/** What an upload of five megabytes, and an image that is served, may cost. */
const BUDGET = { uploadTrips: 2, uploadMegabytes: 30, servedTrips: 0 }

const WIDTH = 1_000

/** An image of about some bytes, different each time: a PNG of noise, which no encoder makes smaller. */
function image(size: number, n: number): Uint8Array<ArrayBuffer> {
  const height = Math.floor(size / (3 * WIDTH + 1)) - 1
  const rows = new Uint8Array(height * (3 * WIDTH + 1))
  let state = n
  for (let at = 0; at < rows.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // Each row begins with its filter: none.
    if (at % (3 * WIDTH + 1) > 0) rows[at] = state >>> 24
  }
  const pixels = chunk('IDAT', deflateSync(rows, { level: 0 }))
  return bytes(PNG_START, header(WIDTH, height), pixels, chunk('IEND'))
}

/** The processes of the runtime that this process has started. */
const runtimes = (): string[] =>
  readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return /^Name:\s*workerd/m.test(status) && status.includes(`PPid:\t${process.pid}\n`)
    } catch {
      // It has ended meanwhile.
      return false
    }
  })

/** Megabytes of the runtime, now (`VmRSS`) or at the peak since it was last asked to forget it (`VmHWM`). */
const memory = (field: 'VmRSS' | 'VmHWM'): number =>
  runtimes().reduce((sum, pid) => {
    const [, kilobytes] =
      readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`${field}:\\s*(\\d+)`)) ?? []
    return sum + Number(kilobytes) / 1024
  }, 0)

const forgetPeak = (): void => {
  for (const pid of runtimes()) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

const folder = await mkdtemp(join(tmpdir(), 'bench-media-'))
await applyMigrations({ remote: false, persistTo: folder, environment: undefined, config: PROJECT_CONFIG })
const service = startService(await bundleWorker(), folder)
let isOver = false

try {
  const base = await service.ready
  const db = await service.getD1Database('DB', 'service')
  await db.batch([
    db.prepare(
      `INSERT INTO users (login, role, created_utc) VALUES ('${ADMINISTRATOR}', 'administrator', '2026-01-01 00:00:00')`,
    ),
    db
      .prepare(
        `INSERT INTO passwords (user_id, digest, created_utc, last_used_utc) VALUES (1, ?, '2026-01-01 00:00:00', '2999-01-01 00:00:00')`,
      )
      .bind(await digestOf(passwordOf(ADMINISTRATOR))),
  ])
  const authorization = authorizationOf(ADMINISTRATOR)
  const tripsOf = ({ headers }: Response) =>
    Number(headers.get('server-timing')?.match(/trips;desc="(\d+)"/)?.[1])

  const uploadBytes = (body: Uint8Array<ArrayBuffer>) =>
    fetch(new URL(`${API}/media`, base), {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="x.png"',
      },
      body,
    })
  const uploadForm = (file: Uint8Array<ArrayBuffer>) => {
    const body = new FormData()
    body.append('file', new Blob([file]), 'x.png')
    return fetch(new URL(`${API}/media`, base), { method: 'POST', headers: { authorization }, body })
  }

  let n = 0
  for (const [name, upload] of [
    ['bytes', uploadBytes],
    ['form', uploadForm],
  ] as const) {
    for (const size of SIZES) {
      const peaks: number[] = []
      const times: number[] = []
      const trips = new Set<number>()
      for (let round = 0; round < ROUNDS; round++) {
        const body = image(size * MB, ++n)
        forgetPeak()
        const before = memory('VmRSS')
        const from = performance.now()
        const response = await upload(body)
        times.push(performance.now() - from)
        if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
        trips.add(tripsOf(response))
        const { url } = (await response.json()) as { url: string }
        peaks.push(memory('VmHWM') - before)
        const served = await fetch(new URL(new URL(url).pathname, base))
        await served.arrayBuffer()
        if (tripsOf(served) > BUDGET.servedTrips) isOver = true
      }
      const peak = quantile(peaks, 0.5)
      console.log(
        `${name.padEnd(6)}${String(size).padStart(2)} MB  trips ${[...trips].join()}  ${quantile(times, 0.5).toFixed(0).padStart(5)} ms  ` +
          `memory +${peak.toFixed(1)} MB (most +${Math.max(...peaks).toFixed(1)})`,
      )
      if ([...trips].some(count => count > BUDGET.uploadTrips)) isOver = true
      if (size === 5 && peak > BUDGET.uploadMegabytes) isOver = true
    }
  }
} finally {
  await service.dispose()
  await rm(folder, { recursive: true })
}
if (isOver) console.error('Over budget.')
if (isOver && process.argv.includes('--check')) process.exitCode = 1
