import type { Email, Header } from 'postal-mime'
import { Refused } from './limits.ts'

/** The parser of e-mails, loaded for the first one: few of the requests to a calendar are e-mails. */
const importParser = () => import('postal-mime')

/** What an e-mail consists of; an e-mail within it is an attachment. @throws Refused if it is broken */
export async function parseMail(bytes: ArrayBuffer): Promise<Email> {
  const { default: PostalMime } = await importParser()
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true })
  } catch (error) {
    throw new Refused('unreadable', 'This e-mail cannot be read: its structure is broken.', { cause: error })
  }
}

/** The values of headers of a name, from the top. @param key in lower case */
export const headerValues = (headers: readonly Header[], key: string): string[] =>
  headers.filter(header => header.key === key).map(({ value }) => value)

export async function mailboxesOf(values: readonly string[]): Promise<{ name: string; address: string }[]> {
  const { addressParser } = await importParser()
  return values
    .flatMap(value => addressParser(value, { flatten: true }))
    .map(({ name, address = '' }) => ({ name, address }))
}
