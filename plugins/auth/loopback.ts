import { BlockList, isIP } from 'node:net'
import { withLoopbackTwin, type GateRequest } from '../../kernel/index.ts'

const addresses = new BlockList()
addresses.addSubnet('127.0.0.0', 8, 'ipv4')
addresses.addAddress('::1', 'ipv6')

/** True for `localhost` and every form of a loopback address, without brackets and port. */
export function isLoopback(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return /^localhost\.?$/i.test(host)
  // An IPv4 address mapped into IPv6 is compared as an IPv4 address.
  return family === 4 ? addresses.check(host) : addresses.check(host.replace(/%.*/, ''), 'ipv6')
}

/** The same for a Host header, which may have a port and brackets. */
export const isLoopbackHost = (header = ''): boolean =>
  isLoopback(header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'))

/**
 * Distinguishes programs and pages on this machine from all other callers.
 *
 * The peer address is not enough: a proxy on this machine forwards remote clients, a remote name that
 * resolves to 127.0.0.1 makes a browser here call this service, and any page here can send requests. So: no
 * proxy header, a loopback Host, and a listed Origin, or none and no page of another origin. An unknown address
 * is not local, nor is HTTP/1.0: a proxy without any settings speaks it, and sends no header that shows it.
 */
export function isLocalCaller(request: GateRequest, origins: readonly string[]): boolean {
  if (request.remote === undefined || !isLoopback(request.remote)) return false
  if (request.httpVersion === '1.0' || !isLoopbackHost(request.header('host'))) return false
  for (const name of request.headers.keys()) if (forwardingHeader.test(name)) return false
  const origin = request.header('origin')
  if (origin === undefined) return /^(?:none|same-origin)$/.test(request.header('sec-fetch-site') ?? 'none')
  return origins.some((listed) => withLoopbackTwin(listed).includes(origin))
}

/** `Forwarded`, `X-Forwarded-*`, `Via`, and what names the address of a client, such as `CF-Connecting-IP`. */
const forwardingHeader = /forwarded|^via$|-(?:ip|ipv6|clientip)$/
