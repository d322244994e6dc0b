import { accessCookieNames } from '../../../../plugins/site/cookies.ts'
import { ok, unsafe, warn, type Judgement } from '../finding.ts'

const [secureName, plainName] = accessCookieNames

/** Judges the signed cookie among those that a site sets for a browser that comes from another site. */
export function judgeCookie(setCookies: readonly string[], isHttps: boolean): Judgement {
  const cookies = new Map(setCookies.map(readCookie))
  const plain = cookies.get(plainName)
  const secure = cookies.get(secureName)
  if (!plain && !secure) {
    return unsafe(`It sets neither ${secureName} nor ${plainName}, so no browser sees a draft; update the site.`)
  }
  if (isHttps && !secure) {
    return unsafe(`It sets ${plainName} over https; set NEXT_PUBLIC_SITE_URL there to an address with https.`)
  }
  if (!isHttps && !plain) {
    return warn(`It sets ${secureName}, which browsers drop over http; name its https address with --site.`)
  }
  const attributes = (isHttps ? secure : plain) ?? new Map<string, string>()
  const missing = (isHttps ? overHttps : overHttp).filter((wanted) => !has(attributes, wanted))
  if (missing.length > 0) return unsafe(`The signed cookie lacks ${missing.join(', ')}; update the site.`)
  if (isHttps && attributes.has('domain')) return unsafe('The signed cookie names a Domain; browsers drop it.')
  return ok('The signed cookie has the attributes that it needs.')
}

const overHttp = ['HttpOnly', 'Path=/']
/** What a browser asks of a cookie that it sends from a frame of another site. */
const overHttps = [...overHttp, 'Secure', 'SameSite=None', 'Partitioned']

type Attributes = ReadonlyMap<string, string>

function readCookie(line: string): readonly [name: string, attributes: Attributes] {
  const [[name] = ['', ''], ...attributes] = line.split(';').map(readPair)
  return [name, new Map(attributes.map(([key, value]) => [key.toLowerCase(), value.toLowerCase()]))]
}

function readPair(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return at === -1 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

function has(attributes: Attributes, wanted: string): boolean {
  const [name, value] = readPair(wanted.toLowerCase())
  return attributes.get(name) === value
}
