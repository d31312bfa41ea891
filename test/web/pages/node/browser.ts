import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { listen } from '../../../listen.ts'
import { CHROMIUM } from '../../../needs.ts'

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

let browser: Promise<Browser> | undefined

/**
 * The browser, which files of one process share: a start takes three seconds of computing. It ends with the process. Time-outs
 * of tests and hooks are enough: a slow machine is no error.
 */
function launch(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: 0 })
  return browser
}

/** A page of its own. @property complaints what the browser has complained of */
export type OpenPage = { page: Page; complaints: string[]; close: () => Promise<void> }

const WIDE = { width: 1280, height: 900 }

/**
 * Without motion from the start, unless said otherwise: colours that are still changing would be measured as they are then.
 * To ask for less motion later does not end what has begun.
 */
const STILL = 'reduce'

/** Opens an empty page, with nothing from before. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await (await launch()).newContext({ viewport: WIDE, reducedMotion: STILL, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(0)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, complaints, close: () => context.close() }
}

/** Pages that nobody uses now, by whether they run scripts. Each is a process, which takes longer to start than most tests. */
const unused = new Map<boolean, OpenPage>()

/** Closes all pages of a file, with whatever they hold. */
export async function closePages(): Promise<void> {
  unused.clear()
  await Promise.all((await browser)?.contexts().map(context => context.close()) ?? [])
}

type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>
const NO_MEDIA: Media = { media: null, colorScheme: null, reducedMotion: STILL, forcedColors: null }

/** How a page is shown: wide, with scripts and as the browser does it unless said otherwise. */
type Shown = Media & Pick<BrowserContextOptions, 'viewport' | 'javaScriptEnabled'>

/**
 * Does something with a page that has no cookie, nothing intercepted, and only addresses in its history that others have been to.
 *
 * @returns what the browser complained of
 */
export async function onPage(
  address: string,
  act: (page: Page, complaints: readonly string[]) => Promise<unknown>,
  { viewport, javaScriptEnabled = true, ...media }: Shown = {},
): Promise<string[]> {
  const open = unused.get(javaScriptEnabled) ?? (await openPage({ javaScriptEnabled }))
  // One with which something fails is not used again.
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

export type Elsewhere = { origin: string; stop: () => Promise<void> }

/** A page of another origin. @param policy its Content-Security-Policy */
export async function servePage(html: string, policy: string): Promise<Elsewhere> {
  const { address, close } = await listen(() => (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    response.end(html)
  })
  return { origin: address, stop: close }
}
