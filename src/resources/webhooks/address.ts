import { isPrivateHost } from '../../lib/private-hosts.ts'
import { asText, httpUrl, refuse } from '../../lib/values.ts'

/** Ports below this one are those of other services of the system, such as mail: no webhook is there but at these two. */
const FIRST_FREE_PORT = 1024
const WEB_PORTS = ['', '80', '443']

/** Reads the address of a webhook. @throws InvalidValue for what is none */
export function toWebhookUrl(raw: unknown): string {
  const text = httpUrl(asText(raw))
  if (text === '') return refuse('must not be empty')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    refuse('must not hold a login: the signature tells who sends')
  if (!WEB_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT)
    refuse(`must have the port 80, 443, or one from ${FIRST_FREE_PORT} on`)
  url.hash = ''
  return url.href
}

/** Tells if an address leads into a private network, as far as it says itself. Other names are only known to a resolver. */
export const isPrivate = (url: string): boolean => isPrivateHost(new URL(url).hostname)
