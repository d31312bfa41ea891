import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser)
  console.warn(
    `The public pages are not tested in a browser: there is no ${CHROMIUM}. Install Chromium, or set CHROMIUM.`,
  )

// The time-outs of tests and hooks are enough: a slow machine is no error.
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: 0 })

/** Does something with a page of its own, and says what the browser complained of. */
export async function onPage(
  browser: Browser,
  address: string,
  act: (page: Page) => Promise<unknown>,
  options: BrowserContextOptions = {},
): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(0)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  await page.goto(address)
  await act(page)
  await context.close()
  return complaints
}

export type Elsewhere = { origin: string; stop: () => Promise<void> }

/** A page of another origin. @param policy its Content-Security-Policy */
export async function servePage(html: string, policy: string): Promise<Elsewhere> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    response.end(html)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}
