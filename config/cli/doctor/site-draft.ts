import { randomBytes } from 'node:crypto'
import { withLoopbackTwin } from '../../../kernel/index.ts'
import { accessCookieNames } from '../../../plugins/site/draft/signature.ts'
import { toShownText, type HttpAnswer } from '../shared/http.ts'
import { ok, unsafe, warn, type Finding, type Judgement } from './finding.ts'
import { judged, said, type Site } from './site-probe.ts'

/** Addresses of another site that some browser or framework takes for a path. */
const elsewhere = ['//evil.example', '/\\evil.example', 'https://evil.example/']

const sameSecret = 'set DRAFT_MODE_SECRET there and here to the same value'
const noSecret = unsafe(`The site has no draft secret; ${sameSecret}.`)

/** Checks who is admitted to the draft mode of a site, with what cookie, and where they are redirected. */
export async function checkDraft(site: Site): Promise<readonly Finding[]> {
  const secret = site.env['DRAFT_MODE_SECRET']
  let isAdmitted = false
  let cookies: readonly string[] = []

  const aboutWrong = await judged('wrong secret', async () => {
    const answer = await enter(site, randomBytes(16).toString('hex'))
    if (answer.status === 503) return noSecret
    if (isRedirect(answer)) return unsafe('It admits everyone to its drafts; compare the secret there.')
    if (answer.status !== 401) return unsafe(`With a wrong secret, it ${said(answer)} instead of 401.`)
    if (cookiesOf(answer).length > 0) return unsafe('It refuses a wrong secret and sets cookies all the same.')
    return ok('It refuses a wrong secret, and sets no cookie.')
  })
  const aboutSecret = await judged('draft secret', async () => {
    if (secret === undefined) return warn('DRAFT_MODE_SECRET is not set here, so it cannot be compared.')
    const answer = await enter(site, secret)
    isAdmitted = isRedirect(answer)
    cookies = cookiesOf(answer)
    if (isAdmitted) return ok('It accepts DRAFT_MODE_SECRET.')
    if (answer.status === 401) return unsafe(`DRAFT_MODE_SECRET differs; ${sameSecret}.`)
    return answer.status === 503 ? noSecret : unsafe(`With DRAFT_MODE_SECRET, it ${said(answer)} instead of 307.`)
  })
  const isHttps = site.origin.startsWith('https:')
  const aboutCookie = isAdmitted ? [await judged('draft cookie', async () => judgeCookie(cookies, isHttps))] : []
  const aboutRedirects = await judged('redirects', async () => {
    const asked = elsewhere.flatMap((redirect) => [
      site.ask(`/draft/disable?${new URLSearchParams({ redirect })}`),
      ...(isAdmitted && secret !== undefined ? [enter(site, secret, redirect)] : []),
    ])
    const strays = (await Promise.all(asked)).map((answer) => strayOf(site, answer)).filter(Boolean)
    if (strays.length === 0) return ok('Its redirects stay on the site.')
    return unsafe(`A link to it redirects to ${strays[0]}; redirect only to paths that begin with one slash.`)
  })
  return [aboutSecret, ...aboutCookie, aboutWrong, aboutRedirects]
}

/** Asks to be admitted, as from a frame of the editor. */
const enter = (site: Site, secret: string, redirect = '/'): Promise<HttpAnswer> =>
  site.ask(`/draft?${new URLSearchParams({ secret, redirect })}`, { headers: { 'sec-fetch-site': 'cross-site' } })

const isRedirect = ({ status }: HttpAnswer): boolean => [302, 303, 307].includes(status)
const cookiesOf = ({ headers }: HttpAnswer): readonly string[] => headers.getSetCookie()

/** The other site that an answer redirects to; `undefined` when it stays. */
function strayOf({ origin }: Site, { headers }: HttpAnswer): string | undefined {
  const location = headers.get('location')
  if (location === null) return undefined
  const target = URL.parse(location, `${origin}/api/editor/draft`)?.origin
  if (target !== undefined && withLoopbackTwin(origin).includes(target)) return undefined
  return toShownText(target ?? 'nowhere')
}

const [secureName, plainName] = accessCookieNames
const overHttp = ['HttpOnly', 'Path=/']
/** What a browser requires of a cookie that it sends from a frame of another site. */
const overHttps = [...overHttp, 'Secure', 'SameSite=None', 'Partitioned']

/** Judges the signed cookie among those that a site sets for a browser that comes from another site. */
function judgeCookie(setCookies: readonly string[], isHttps: boolean): Judgement {
  const cookies = new Map(setCookies.map(readCookie))
  const [plain, secure] = [cookies.get(plainName), cookies.get(secureName)]
  if (!plain && !secure) return unsafe(`It sets neither ${secureName} nor ${plainName}, so no browser sees a draft; update the site.`)
  if (isHttps && !secure) return unsafe(`It sets ${plainName} over https; set NEXT_PUBLIC_SITE_URL there to an address with https.`)
  if (!isHttps && !plain) return warn(`It sets ${secureName}, which browsers drop over http; name its https address with --site.`)
  const attributes = (isHttps ? secure : plain) ?? new Map<string, string>()
  const missing = (isHttps ? overHttps : overHttp).filter((wanted) => {
    const [name, value] = readPair(wanted.toLowerCase())
    return attributes.get(name) !== value
  })
  if (missing.length > 0) return unsafe(`The signed cookie lacks ${missing.join(', ')}; update the site.`)
  if (isHttps && attributes.has('domain')) return unsafe('The signed cookie has a Domain; browsers drop it.')
  return ok('The signed cookie has the required attributes.')
}

function readCookie(line: string): readonly [name: string, attributes: ReadonlyMap<string, string>] {
  const [[name] = ['', ''], ...attributes] = line.split(';').map(readPair)
  return [name, new Map(attributes.map(([key, value]) => [key.toLowerCase(), value.toLowerCase()]))]
}

function readPair(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([^=]*)(?:=([^]*))?$/.exec(text) ?? []
  return [name.trim(), value.trim()]
}
