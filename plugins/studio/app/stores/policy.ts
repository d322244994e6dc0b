/**
 * The rest of the policy of this page: which sites it may frame, and which pictures it may show. The header leaves
 * both open, because it is sent before anybody has signed in, and may not name the sites to others.
 */
const meta = (name: string): readonly string[] =>
  document.querySelector(`meta[name=${name}]`)?.getAttribute('content')?.split(' ').filter(Boolean) ?? []

/** Where pictures may come from besides the service itself. */
export const pictureOrigins = new Set(meta('pictures'))

let isSet = false

/** Narrows the policy to the sites that are known now. A site that is registered later needs a new load. */
export function narrowPolicy(addresses: readonly (string | undefined)[]): void {
  if (isSet) return
  isSet = true
  const sites = new Set(addresses.flatMap((address) => originOf(address) ?? []))
  for (const origin of sites) pictureOrigins.add(origin)
  const policy = document.createElement('meta')
  policy.httpEquiv = 'content-security-policy'
  policy.content = [
    ["frame-src 'self'", ...sites].join(' '),
    ["img-src 'self' blob: data:", ...pictureOrigins].join(' '),
  ].join('; ')
  document.head.append(policy)
}

function originOf(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address)
  // Other characters are possible in a host name, and would end the directive.
  return url && /^https?:\/\/[\w.:[\]-]+$/.test(url.origin) ? url.origin : undefined
}
