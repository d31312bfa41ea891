import { describe, expect, it } from 'vitest'
import { Client, type Transport } from '../../src/readers/http.ts'

// Redirects of a public site, which cannot be on this machine: its answers are given here.

const NOWHERE: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {},
}

/** A network in which every address leads on along a chain. */
function chain(...locations: string[]) {
  const sent: string[] = []
  const transport: Transport = async url => {
    const location = locations[sent.push(url.href) - 1]
    const headers = new Headers(location === undefined ? {} : { location })
    return { status: location === undefined ? 200 : 302, headers, chunks: NOWHERE, cancel: () => {} }
  }
  const client = new Client({ transport, attempts: 1, allowsPrivate: false })
  return { sent, get: () => client.get('https://hall.example/') }
}

describe('a redirect into a private network', () => {
  it.each([
    ...['http://127.0.0.1/', 'http://2130706433/', 'http://0177.1/', 'http://0x7f000001/', 'http://0/'],
    ...['http://[::ffff:7f00:1]/', 'http://[64:ff9b::169.254.169.254]/', 'http://[::1]:22/'],
    ...['http://localhost./', 'http://hall.example@10.0.0.1/', '//192.168.0.1/', 'http://router/'],
  ])('is not followed: %s', async location => {
    const { sent, get } = chain('/on', location)
    await expect(get()).rejects.toThrow('private network')
    expect(sent).toEqual(['https://hall.example/', 'https://hall.example/on'])
  })

  it.each(['http://hall.example:22/', 'https://mail.example:993/'])(
    'is not followed to other services either: %s',
    async location => {
      const { sent, get } = chain(location)
      await expect(get()).rejects.toThrow('must have the port 80, 443, or one from 1024 on')
      expect(sent).toHaveLength(1)
    },
  )

  it.each([
    ...['file:///etc/passwd', 'ftp://hall.example/', 'data:text/calendar,BEGIN:VCALENDAR', 'javascript:1'],
  ])('is not followed to other schemes either: %s', async location => {
    const { sent, get } = chain(location)
    await expect(get()).rejects.toThrow('neither http nor https')
    expect(sent).toHaveLength(1)
  })
})
