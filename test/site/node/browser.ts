import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { listen } from '../../listen.ts'

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

// What a browser has around pages. It opens two more of its own in every window, for suggestions below its address bar, and a
// process that the next page may need: a third of all its computing. It heeds the last such list only, so some of
// Playwright's are said again.
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join(',')}`,
]

export const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser)
  console.warn(`No page is tested in a browser: there is no ${CHROMIUM}. Install Chromium, or set CHROMIUM.`)

let browser: Promise<Browser> | undefined

/**
 * The browser, which files of one process share: a start takes three seconds of computing. It ends with the process. Time-outs
 * of tests and hooks are enough: a slow machine is no error.
 */
export function launch(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: 0 })
  return browser
}

/** Closes all pages of a file, with whatever they hold. */
export const closePages = (browser: Browser | undefined): Promise<unknown> =>
  Promise.all(browser?.contexts().map(context => context.close()) ?? [])

/** A page of its own. @property complaints what the browser has complained of */
export type OpenPage = { page: Page; complaints: string[]; close: () => Promise<void> }

/** Opens an empty page, with nothing from before. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(0)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, complaints, close: () => context.close() }
}

/** Does something with a page of its own, and says what the browser complained of. */
export async function onPage(
  browser: Browser,
  address: string,
  act: (page: Page) => Promise<unknown>,
  options: BrowserContextOptions = {},
): Promise<string[]> {
  const { page, complaints, close } = await openPage(browser, options)
  await page.goto(address)
  await act(page)
  await close()
  return complaints
}

export type Elsewhere = { origin: string; stop: () => Promise<void> }

/** A page of another origin. @param policy its Content-Security-Policy */
export async function servePage(html: string, policy: string): Promise<Elsewhere> {
  const { address, close } = await listen(() => (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    response.end(html)
  })
  return { origin: address, stop: close }
}
