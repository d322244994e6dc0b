import { BlockList, isIP } from 'node:net'
import { withLoopbackTwin } from '../../kernel/index.ts'

/** Not `ipaddr.js`: the list of blocked networks is easy to review, and Node's `BlockList` does the rest. */

type Range = readonly [network: string, prefix: number]

/** Networks outside of the public internet: this host, private networks, documentation, multicast, reserved. */
const blockedIpv4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** The same for IPv6. Teredo (2001::/32) is blocked completely, because it masks the IPv4 address it carries. */
const blockedIpv6: readonly Range[] = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

/** IPv6 forms with an IPv4 address in their last 32 bits: compatible, mapped, translated, NAT64. */
const carriers: readonly string[] = ['::', '::ffff:', '::ffff:0:', '64:ff9b::']

const blocked = new BlockList()
for (const [network, prefix] of blockedIpv6) blocked.addSubnet(network, prefix, 'ipv6')
for (const [network, prefix] of blockedIpv4) {
  blocked.addSubnet(network, prefix, 'ipv4')
  for (const carrier of carriers) blocked.addSubnet(carrier + network, 96 + prefix, 'ipv6')
  blocked.addSubnet(to6to4(network), 16 + prefix, 'ipv6')
}

/** Returns the 6to4 network of an IPv4 address: `2002:` and its four bytes. */
function to6to4(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`
}

/**
 * True for an address outside of the public internet.
 *
 * An IPv6 address that contains an IPv4 address is checked by the latter. A zone (`fe80::1%eth0`) is ignored.
 * Texts that are not addresses count as blocked.
 */
export function isBlockedAddress(address: string): boolean {
  const family = isIP(address)
  return family === 0 || blocked.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Returns the origin of an http or https address; `undefined` for others, and for one with a login. */
export function toOrigin(address: string | URL): string | undefined {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  return url.username === '' && url.password === '' ? url.origin : undefined
}

/** Returns a set of origins, with the loopback address under both names. Ignores invalid ones. */
export function toOriginSet(addresses: readonly string[]): ReadonlySet<string> {
  const origins = addresses.map(toOrigin).filter((origin) => origin !== undefined)
  return new Set(origins.flatMap(withLoopbackTwin))
}
