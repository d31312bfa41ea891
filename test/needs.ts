import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

// A few tests need more than `npm ci` installs. They say so with a tag, `{ tags: ['browser'] }`, and are
// skipped where it is missing. The run says so at its end.

/**
 * Debian's browsers. The headless shell is Chromium without its windows: it takes a fifth less computing for
 * the same pages.
 */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

async function findChromium(): Promise<string> {
  const path = process.env.CHROMIUM ?? BROWSERS.find(program => existsSync(program))
  if (path !== undefined) return path
  const { chromium } = await import('playwright-core')
  return chromium.executablePath()
}

/** The path of the browser, which need not exist. */
export const CHROMIUM = await findChromium()
/** Debian's, for which its packages are installed. */
export const PYTHON = '/usr/bin/python3'

type Need = { tag: string; description: string; isMet: boolean; install: string[] }

const NEEDS: readonly Need[] = [
  {
    tag: 'browser',
    description: 'a browser (Chromium)',
    isMet: existsSync(CHROMIUM),
    install: [
      'apt-get install chromium-headless-shell',
      'or npx playwright-core install --with-deps chromium',
      'or CHROMIUM=<path of its program> npm test',
    ],
  },
  {
    tag: 'python',
    description: 'Python libraries that read calendars',
    isMet: spawnSync(PYTHON, ['-c', 'import icalendar, recurring_ical_events, vobject']).status === 0,
    install: ['apt-get install python3-icalendar python3-recurring-ical-events python3-vobject'],
  },
]

/** The tags for the configuration. */
export const TAGS = NEEDS.map(({ tag, description, isMet }) => ({ name: tag, description, skip: !isMet }))

/** True if this run decides whether a change is good, as GitHub's and most other services say by `CI`. */
const isDecisive = ![undefined, '', '0', 'false'].includes(process.env.CI)

/**
 * Says at the end of a run which tests were skipped for want of something, and how to install it. With `CI`
 * set the run fails then: it would pass without having looked.
 */
export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')])
    for (const { tag, description, isMet, install } of NEEDS) {
      const count = skipped.filter(test => test.tags.includes(tag)).length
      if (isMet || count === 0) continue
      const skippedTests =
        count === 1 ? '1 test was skipped, which needs' : `${count} tests were skipped, which need`
      console.warn(`${skippedTests} ${description}. To run ${count === 1 ? 'it' : 'them'}:`)
      for (const line of install) console.warn(`  ${line}`)
      if (isDecisive) process.exitCode = 1
    }
  }
}
