import type { RequestContext } from '../../kit/context.ts'
import { ApiError, tooOften } from '../../kit/lib/errors.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { LINK } from './spam.ts'

// Checks that everything from visitors has to pass, whatever its words.

/** @throws ApiError if the calendar accepts no submissions */
export function assertOpen({ settings }: Pick<RequestContext, 'settings'>): void {
  if (!settings.submissions.isOn)
    throw new ApiError('rest_no_route', 'This calendar does not accept submissions.')
}

export const tooMany = () =>
  tooOften('We have received a lot today. Please try again tomorrow, or write to us.')

/** The most hosts to which the texts of a submission may link, such as ticket shops and participants. */
const MAX_HOSTS = 5

const PUNCTUATION_AT_END = lazyPattern(String.raw`(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$`, 'u')

/** The host of an address in a text, which may lack a scheme and end with punctuation of a sentence. */
function hostIn(address: string): string {
  const url = /^https?:/i.test(address) ? address : `https://${address}`
  const host = URL.canParse(url) ? new URL(url).hostname : url
  return host.replace(/^www\./, '').replace(PUNCTUATION_AT_END(), '')
}

/**
 * @throws ApiError `rest_submission_refused` for links in places where people don't write any, or to too many hosts: a programme
 *   may link to each of its parts. Words alone never refuse a submission.
 */
export function assertFewLinks(sent: { title: string; name: string; texts: readonly string[] }): void {
  const hosts = new Set(sent.texts.join(' ').match(LINK)?.map(hostIn))
  if (!`${sent.title} ${sent.name}`.match(LINK) && hosts.size <= MAX_HOSTS) return
  throw new ApiError(
    'rest_submission_refused',
    `This was not accepted: there is a link in the title or in the name, or there are links to more than ${MAX_HOSTS} sites. Remove them and send it again, or write to us.`,
  )
}
