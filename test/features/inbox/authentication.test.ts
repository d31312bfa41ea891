import { describe, expect, it } from 'vitest'
import { isAuthentic } from '../../../src/features/inbox/authentication.ts'

/** Tells whether results confirm a sender. */
const confirms = (
  results: string | readonly string[],
  sender = 'ann@club.example',
  envelope = 'ann@club.example',
) =>
  isAuthentic(
    [results]
      .flat()
      .map(value => ({ key: 'authentication-results', originalKey: 'Authentication-Results', value })),
    { sender, envelope },
  )

const ours = (text: string) => `mx.cloudflare.net; ${text}`

describe('isAuthentic', () => {
  it.each([
    'dkim=pass header.d=club.example header.s=a header.b=b',
    'dkim=pass header.i=@club.example',
    'DKIM = Pass (2048-bit key; unprotected) header.d=Club.Example',
    'dkim/1=pass header.d=club.example',
    'dkim=fail header.d=club.example; dkim=pass header.d=club.example',
    'dkim=none; spf=pass (mx.cloudflare.net: domain of ann@club.example; designates 192.0.2.1) smtp.mailfrom=ann@club.example',
    'spf=pass smtp.mailfrom=club.example',
    'dmarc=pass header.from=club.example; dkim=pass header.d=news.club.example',
  ])('believes %s', results => expect(confirms(ours(results))).toBe(true))

  it('believes the domain above that of the sender', () => {
    expect(confirms(ours('dkim=pass header.d=club.example'), 'ann@mail.club.example')).toBe(true)
    expect(confirms(ours('dkim=pass header.d=example'), 'ann@club.example')).toBe(false)
  })

  it.each([
    '',
    'none',
    'dkim=fail header.d=club.example; spf=softfail smtp.mailfrom=club.example',
    'dkim=neutral header.d=club.example',
    'dkim=pass header.d=other.example',
    'dkim=pass header.d=badclub.example',
    'dkim=pass header.d=news.club.example',
    'dmarc=pass header.from=other.example; dkim=pass header.d=news.club.example',
    'dmarc=pass header.from=club.example',
    'spf=pass smtp.helo=club.example',
    'spf=pass smtp.mailfrom=other.example',
    'arc=pass header.d=club.example',
    'x=y (dkim=pass header.d=club.example)',
    'x="; dkim=pass header.d=club.example"',
    'dkim=pass header.d=other.example header.d=club.example',
    'dkim=pass header.d=club.example (never closed',
    'dkim="pass" header.d=club.example',
  ])('does not believe %s', results => expect(confirms(ours(results))).toBe(false))

  it('reads what Cloudflare has written above all else, and nothing that came with the e-mail', () => {
    const good = ours('dkim=pass header.d=club.example')
    const bad = ours('dkim=fail header.d=club.example')
    expect(confirms([])).toBe(false)
    expect(confirms('mx.club.example; dkim=pass header.d=club.example')).toBe(false)
    expect(confirms([bad, good])).toBe(false)
    expect(confirms(['mx.club.example; dkim=pass header.d=club.example', good])).toBe(false)
    // Forged above the real one.
    expect(confirms([good, bad])).toBe(false)
    expect(confirms([good, 'mx.club.example; dkim=fail header.d=club.example'])).toBe(true)
  })

  it.each([
    '"x; dkim=pass header.d=club.example"@evil.example',
    '"x); dkim=pass header.d=club.example; z=(y"@evil.example',
    'x)y@evil.example',
    'x(y@evil.example',
    'x;y@evil.example',
    'x y@evil.example',
    '<ann@club.example>',
    'ann@[192.0.2.1]',
    'ann@club.example@evil.example',
    'ann',
  ])('believes nothing in a header that could be from the envelope %s', envelope => {
    for (const results of [
      'spf=pass smtp.mailfrom=ann@club.example',
      `spf=none (no policy of ${envelope}) smtp.mailfrom=${envelope}; dkim=none`,
      'dmarc=pass header.from=club.example; dkim=pass header.d=club.example',
    ])
      expect(confirms(ours(results), 'ann@club.example', envelope), results).toBe(false)
  })

  it('reads DKIM of an e-mail without an envelope, or with an address with marks', () => {
    for (const envelope of ['', "bounces+a.b=c_d!#$%&'*/?^`{|}~-9@news.club.example"])
      expect(confirms(ours('dkim=pass header.d=club.example'), 'ann@club.example', envelope), envelope).toBe(
        true,
      )
  })
})
