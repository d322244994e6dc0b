import { BlockList, isIP, isIPv6 } from 'node:net'
import * as v from 'valibot'
import type { Call, GateRequest } from '../../kernel/index.ts'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** The shortest prefix of a private network is that of 10.0.0.0/8, and of fc00::/7. */
function fewestBits(address: string): number {
  if (!isIPv6(address)) return 8
  // ::ffff:0:0/96 holds every IPv4 address.
  const isMapped = new BlockList()
  isMapped.addSubnet('::', 32, 'ipv6')
  return isMapped.check(address, 'ipv6') ? 104 : 7
}

/** Parses a comma-separated list of addresses and networks, such as `10.0.0.7, 192.168.0.0/16, ::1`. */
export const TrustedProxies = v.pipe(
  v.string(),
  v.rawTransform<string, BlockList>(({ dataset, addIssue, NEVER }) => {
    const list = new BlockList()
    for (const entry of dataset.value.split(',').map((part) => part.trim())) {
      const [address = '', bits, ...rest] = entry.split('/')
      const most = isIPv6(address) ? 128 : 32
      const isNetwork = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most
      if (isIP(address) === 0 || rest.length > 0 || !(bits === undefined || isNetwork)) {
        addIssue({ message: 'must list addresses or networks of proxies, such as 10.0.0.7, 192.168.0.0/16' })
        return NEVER
      }
      if (isNetwork && Number(bits) < fewestBits(address)) {
        addIssue({
          message: `must name the proxies themselves: ${entry} holds most addresses, and each of them could claim to be any client`,
        })
        return NEVER
      }
      if (bits === undefined) list.addAddress(address, familyOf(address))
      else list.addSubnet(address, Number(bits), familyOf(address))
    }
    return list
  }),
)
export type TrustedProxies = v.InferOutput<typeof TrustedProxies>

/**
 * Returns the client address of a request; `undefined` if the transport does not know it.
 *
 * Usually the address of the peer, because any client can send a forwarding header. `X-Forwarded-For` counts
 * only from a trusted proxy as peer: from its end, where proxies append, to the first untrusted address.
 */
export function clientAddress(
  request: Pick<GateRequest, 'remote' | 'header'>,
  trusted: TrustedProxies | undefined,
): string | undefined {
  if (request.remote === undefined) return undefined
  let address = unmapped(request.remote)
  if (trusted === undefined) return address
  const hops = (request.header('x-forwarded-for') ?? '').split(',').map((hop) => unmapped(hop.trim()))
  while (trusted.check(address, familyOf(address))) {
    const before = hops.pop()
    if (before === undefined || isIP(before) === 0) return address
    address = before
  }
  return address
}

const unmapped = (address: string): string =>
  /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address

/**
 * Returns the network that a limit applies to: an IPv4 address, or the first 64 bits of an IPv6 address.
 *
 * A client with one IPv6 address usually has 2^64 of them.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const behind = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - behind.length
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...behind]
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Returns the holder of a share: the caller's token, else its network; `undefined` if both are unknown. */
export function shareHolder(
  call: Pick<Call, 'caller' | 'remote' | 'header'>,
  trusted: TrustedProxies | undefined,
): string | undefined {
  const { id } = call.caller
  if (id !== undefined) return `caller ${id}`
  const address = clientAddress(call, trusted)
  return address === undefined ? undefined : `network ${networkOf(address)}`
}

/** The variable of plugins with limits per caller. */
export const ProxyVariables = v.object({ TRUST_PROXY: v.optional(TrustedProxies) })
