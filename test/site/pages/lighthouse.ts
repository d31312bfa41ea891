import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHROMIUM } from '../../needs.ts'
import { startService } from '../../service.ts'

// Lighthouse's scores for the main pages of the sample calendar:
//
//   npx node test/site/pages/lighthouse.ts [command of Lighthouse, `npx --yes lighthouse@12.8.2` by default]
//
// Exits with 1 if a score is below 95. Lighthouse is not a dependency of the project, because it would double
// its size.

const WANTED = 95
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const PAGES = { list: '/events/', month: '/events/month/', event: '/event/weekend-of-fiddles/' } as const
const FLAGS = '--headless=new --no-sandbox --disable-gpu --disable-background-networking'

type Report = {
  categories: Record<(typeof CATEGORIES)[number], { score: number | null }>
  audits: Record<string, { title: string; score: number | null; scoreDisplayMode: string }>
}

/** Lighthouse sometimes misses the beginning of a page on a busy machine. */
const ATTEMPTS = 4

/** Runs Lighthouse on a page. @throws Error if it fails again and again */
async function reportOf(command: readonly string[], address: string, folder: string): Promise<Report> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const report = await attemptReport(command, address, folder).catch(() => undefined)
    if (report) return report
  }
  return attemptReport(command, address, folder)
}

async function attemptReport(command: readonly string[], address: string, folder: string): Promise<Report> {
  const path = join(folder, 'report.json')
  const [program = 'npx', ...rest] = command
  const args = [
    ...rest,
    address,
    '--quiet',
    '--output=json',
    `--output-path=${path}`,
    `--chrome-flags=${FLAGS}`,
    `--only-categories=${CATEGORIES.join(',')}`,
  ]
  const child = spawn(program, args, {
    env: { ...process.env, CHROME_PATH: CHROMIUM },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const status = await new Promise(resolve => child.once('exit', resolve))
  if (status !== 0) throw new Error(`Lighthouse ended with ${status}.`)
  return JSON.parse(await readFile(path, 'utf8'))
}

const given = process.argv.slice(2)
const command = given.length > 0 ? given : ['npx', '--yes', 'lighthouse@12.8.2']
const server = await startService()
const folder = await mkdtemp(join(tmpdir(), 'lighthouse-'))
try {
  console.log(`| page | ${CATEGORIES.join(' | ')} |\n|---|${CATEGORIES.map(() => '---:|').join('')}`)
  for (const [name, path] of Object.entries(PAGES)) {
    const { categories, audits } = await reportOf(command, new URL(path, server.api).href, folder)
    const marks = CATEGORIES.map(category => Math.round((categories[category].score ?? 0) * 100))
    console.log(`| ${name} | ${marks.join(' | ')} |`)
    if (marks.every(mark => mark >= WANTED)) continue
    process.exitCode = 1
    for (const { title, score } of Object.values(audits))
      if (score !== null && score < 0.9) console.error(`  ${name}: ${title} (${score})`)
  }
} finally {
  await server.stop()
  await rm(folder, { recursive: true })
}
