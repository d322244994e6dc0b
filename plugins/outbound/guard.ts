/** Why the guard refuses. It goes to the log; the caller sees the same refusal for all reasons. */
export type Rule = 'url' | 'scheme' | 'login' | 'port' | 'address' | 'peer' | 'downgrade' | 'redirects'

/** A no of the guard, on its way to the one refusal that leaves this plugin. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
  readonly rule: Rule
  /** Host and port; empty where the address could not be read. */
  readonly host: string

  constructor(rule: Rule, host: string) {
    super(`outbound fetch blocked: ${rule}`)
    this.rule = rule
    this.host = host
  }
}

/** The ports of the web. Servers on other ports are not meant to be called by strangers. */
const openPorts: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

/** Reads an address by the rules of the web, which turn every odd spelling of a host into the plain one. */
export function toUrl(address: string | URL, base?: URL): URL {
  const url = URL.parse(address, base)
  if (!url) throw new Blocked('url', '')
  return url
}

/** Judges what an address shows before its name is looked up. Only a trusted origin may use any port. */
export function checkUrl(url: URL, trusted: boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Blocked('scheme', url.host)
  if (url.username !== '' || url.password !== '') throw new Blocked('login', url.host)
  if (!trusted && !openPorts.has(url.port)) throw new Blocked('port', url.host)
}
