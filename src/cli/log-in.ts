import { readWrangler, runWrangler } from './wrangler.ts'

const NEEDED = `Not logged in to Cloudflare, and there is no terminal to log in from. Either set CLOUDFLARE_API_TOKEN (a token
that may edit Workers and D1, https://dash.cloudflare.com/profile/api-tokens) and, if it reaches several accounts,
CLOUDFLARE_ACCOUNT_ID; or run npx wrangler login once in a terminal beside a browser.`

/**
 * Sees to it that wrangler may use an account: asks on a terminal, where there is one. Whether a given token works shows
 * in what is done with it.
 *
 * @throws Error that says what is needed, if nobody is there to be asked
 */
export async function logIn(): Promise<void> {
  if (process.env.CLOUDFLARE_API_TOKEN) return
  const known = await readWrangler(['whoami', '--json']).catch(() => undefined)
  if (known !== undefined) return
  // Wrangler would wait for a browser, for ever.
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Error(NEEDED)
  await runWrangler(['login'])
}
