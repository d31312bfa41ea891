import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { listen } from '../../../listen.ts'
import { CHROMIUM } from '../../../needs.ts'

// Features of the browser that tests don't need, such as pages of its own in every window for suggestions, a
// spare process, and a new frame for each page that is opened (RenderDocument): half of its CPU time. Only
// the last such list counts, so it repeats some of Playwright's.
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
  'RenderDocument',
]

// Each page runs its scripts, and axe-core, once or twice: optimized code for them costs more than it saves,
// a fifth of all that the browser computes.
const UNOPTIMIZED = '--no-maglev --no-turbofan'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join(',')}`,
  `--js-flags=${UNOPTIMIZED}`,
]

let browser: Promise<Browser> | undefined

/**
 * The browser, which files of one process share: a start takes three seconds of computing. It ends with the
 * process. Time-outs of tests and hooks are enough: a slow machine is no error.
 */
function launch(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: 0 })
  return browser
}

/** A page in a context of its own. @property complaints errors and warnings in its console */
export type OpenPage = { page: Page; complaints: string[]; close: () => Promise<void> }

const WIDE = { width: 1280, height: 900 }

/**
 * Reduced motion from the start by default: colours would be measured during transitions, and asking for it
 * later doesn't end those that have begun.
 */
const STILL = 'reduce'

/**
 * The longest wait for one step, in milliseconds: less than a test may take, so that a failure says what it
 * waited for.
 */
const STEP_TIMEOUT = 90_000

/** Opens an empty page in a new context. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await (await launch()).newContext({ viewport: WIDE, reducedMotion: STILL, ...options })
  context.setDefaultTimeout(STEP_TIMEOUT)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, complaints, close: () => context.close() }
}

/**
 * Unused pages, by whether they run scripts. Each is a process, which takes longer to start than most tests.
 */
const unused = new Map<boolean, OpenPage>()

/** Closes all pages of a test file. */
export async function closePages(): Promise<void> {
  unused.clear()
  await Promise.all((await browser)?.contexts().map(context => context.close()) ?? [])
}

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>
const NO_MEDIA: Media = { media: null, colorScheme: null, reducedMotion: STILL, forcedColors: null }

/** Options of a page: wide and with scripts by default. */
type Shown = Media & Pick<BrowserContextOptions, 'viewport' | 'javaScriptEnabled'>

/**
 * Acts on a page without cookies and interceptions. Its history may have addresses of earlier tests.
 *
 * @returns the errors and warnings in its console
 */
export async function onPage(
  address: string,
  act: (page: Page, complaints: readonly string[]) => Promise<unknown>,
  { viewport, javaScriptEnabled = true, ...media }: Shown = {},
): Promise<string[]> {
  const open = unused.get(javaScriptEnabled) ?? (await openPage({ javaScriptEnabled }))
  // A page is not used again after a failure.
  unused.delete(javaScriptEnabled)
  const { page } = open
  await page.unrouteAll()
  await page.context().clearCookies()
  await page.setViewportSize(viewport ?? WIDE)
  await page.emulateMedia({ ...NO_MEDIA, ...media })
  open.complaints.length = 0
  await page.goto(address)
  await act(page, open.complaints)
  unused.set(javaScriptEnabled, open)
  return [...open.complaints]
}

type Elsewhere = { origin: string; stop: () => Promise<void> }

/** A page of another origin. @param policy its Content-Security-Policy */
export async function servePage(html: string, policy: string): Promise<Elsewhere> {
  const { address, close } = await listen(() => (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    response.end(html)
  })
  return { origin: address, stop: close }
}
