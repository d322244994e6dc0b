/** Addresses on this machine, which has several names. */

/** Whether an address is on this machine, which a browser asks about before it frames it. */
export function isLoopback(address: string | undefined): boolean {
  const { hostname = '' } = URL.parse(address ?? '') ?? {}
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** What a frame on this machine needs, so that its page may ask this machine for more. */
export const permission = { allow: 'local-network-access; loopback-network' } as const

/** The address of the studio under the loopback name of the site, whose cookies a browser keeps apart by name. */
export function underSameName(studio: string, siteAddress: string | undefined): string | undefined {
  const [here, there] = [URL.parse(studio), URL.parse(siteAddress ?? '')]
  if (!here || !there || here.hostname === there.hostname) return undefined
  if (!isLoopback(studio) || !isLoopback(siteAddress)) return undefined
  here.hostname = there.hostname
  return here.href
}
