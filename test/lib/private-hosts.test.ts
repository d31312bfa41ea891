import { expect, it } from 'vitest'
import { isPrivateHost } from '../../src/lib/private-hosts.ts'

const hostOf = (address: string) => new URL(address).hostname

it.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://１２７.0.0.1/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://169.254.169.254/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:a00:1::]/',
  'http://[2001:0:1::]/',
  'http://[2001:db8::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://x.localhost/',
  'http://printer.local/',
  'http://db.internal/',
  'http://router.home.arpa/',
])('%s leads to a private host', address => {
  expect(isPrivateHost(hostOf(address))).toBe(true)
})

it.each([
  'http://example.org/',
  'http://localhost.example.org/',
  'http://local.example.org/',
  'http://1.1.1.1/',
  'http://11.0.0.1/',
  'http://100.128.0.1/',
  'http://172.32.0.1/',
  'http://192.169.0.1/',
  'http://223.255.255.255/',
  'http://[2606:4700::1111]/',
  'http://[2a00:1450::1]/',
  'http://[::ffff:1.1.1.1]/',
  'http://[64:ff9b::1.1.1.1]/',
  'http://[2002:101:101::]/',
])('%s does not', address => {
  expect(isPrivateHost(hostOf(address))).toBe(false)
})
