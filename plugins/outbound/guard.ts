/** The reason for a refusal, for the log; callers get the same refusal for all reasons. */
type GuardReason = 'url' | 'scheme' | 'login' | 'port' | 'address' | 'peer' | 'downgrade' | 'redirects'

/** A refusal of the guard, before its conversion to the common one. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
  readonly rule: GuardReason
  /** The host and port; empty for an unreadable address. */
  readonly host: string

  constructor(rule: GuardReason, host: string) {
    super(`outbound fetch blocked: ${rule}`)
    this.rule = rule
    this.host = host
  }
}

/** The usual ports of the web. Servers on other ports are not meant to be called by strangers. */
const openPorts: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

/** Parses an address by the rules of the web, which normalise every spelling of a host. */
export function toUrl(address: string | URL, base?: URL): URL {
  const url = URL.parse(address, base)
  if (!url) throw new Blocked('url', '')
  return url
}

/** Checks an address before its name is looked up. Only trusted origins may use any port. */
export function checkUrl(url: URL, trusted: boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Blocked('scheme', url.host)
  if (url.username !== '' || url.password !== '') throw new Blocked('login', url.host)
  if (!trusted && !openPorts.has(url.port)) throw new Blocked('port', url.host)
}
