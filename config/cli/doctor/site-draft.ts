import { randomBytes } from 'node:crypto'
import { withLoopbackTwin } from '../../../kernel/index.ts'
import { accessCookieNames } from '../../../plugins/site/draft/signature.ts'
import { toShownText, type HttpAnswer } from '../shared/http.ts'
import { ok, unsafe, warn, type Finding, type CheckResult } from './finding.ts'
import { said, type Site } from './site-probe.ts'

const fromFrame = { 'sec-fetch-site': 'cross-site' }
/** URLs of another site that some browsers or frameworks mistake for a path. */
const elsewhere = ['//evil.example', '/\\evil.example', 'https://evil.example/']

const sameSecret = 'set DRAFT_MODE_SECRET there and here to the same value'
const noSecret = unsafe(`The site has no draft secret; ${sameSecret}.`)

/** Checks access to the draft mode of a site: who is admitted, with which cookie, and the redirects. */
export async function* checkDraft(site: Site): AsyncGenerator<Finding> {
  const secret = site.env['DRAFT_MODE_SECRET']
  /** Requests access like a frame of the editor. */
  const enter = (secret: string, redirect = '/'): Promise<HttpAnswer> =>
    site.ask(`/draft?${new URLSearchParams({ secret, redirect })}`, { headers: fromFrame })
  let cookies: readonly string[] | undefined

  yield site.check('draft secret', async () => {
    if (secret === undefined) return warn('DRAFT_MODE_SECRET is not set here, so it cannot be compared.')
    const answer = await enter(secret)
    if (isRedirect(answer)) {
      cookies = answer.headers.getSetCookie()
      return ok('It accepts DRAFT_MODE_SECRET.')
    }
    if (answer.status === 401) return unsafe(`DRAFT_MODE_SECRET differs; ${sameSecret}.`)
    if (answer.status === 503) return noSecret
    return unsafe(`With DRAFT_MODE_SECRET, it ${said(answer)} instead of 307.`)
  })
  const admitted = cookies
  const isHttps = site.origin.startsWith('https:')
  if (admitted) yield site.check('draft cookie', () => checkCookie(admitted, isHttps))

  yield site.check('wrong secret', async () => {
    const answer = await enter(randomBytes(16).toString('hex'))
    if (answer.status === 503) return noSecret
    if (isRedirect(answer)) return unsafe('It admits everyone to its drafts; compare the secret there.')
    if (answer.status !== 401) return unsafe(`With a wrong secret, it ${said(answer)} instead of 401.`)
    if (!answer.headers.has('set-cookie')) return ok('It refuses a wrong secret, and sets no cookie.')
    return unsafe('It refuses a wrong secret and sets cookies all the same.')
  })
  yield site.check('redirects', async () => {
    const asked = elsewhere.flatMap((redirect) => [
      site.ask(`/draft/disable?${new URLSearchParams({ redirect })}`),
      ...(admitted && secret !== undefined ? [enter(secret, redirect)] : []),
    ])
    const stray = (await Promise.all(asked)).map((answer) => strayOf(site, answer)).find(Boolean)
    if (stray === undefined) return ok('Its redirects stay on the site.')
    return unsafe(`A link to it redirects to ${stray}; redirect only to paths that begin with one slash.`)
  })
}

const isRedirect = ({ status }: HttpAnswer): boolean => [302, 303, 307].includes(status)

/** Returns the other site to which an answer redirects, if any. */
function strayOf({ origin }: Site, { headers }: HttpAnswer): string | undefined {
  const location = headers.get('location')
  if (location === null) return undefined
  const target = URL.parse(location, `${origin}/api/editor/draft`)?.origin ?? 'nowhere'
  return withLoopbackTwin(origin).includes(target) ? undefined : toShownText(target)
}

const [secureName, plainName] = accessCookieNames
const overHttp = ['HttpOnly', 'Path=/']
/** The attributes that browsers require of a cookie in a cross-site frame. */
const overHttps = [...overHttp, 'Secure', 'SameSite=None', 'Partitioned']

/** Checks the signed cookie of a site in a cross-site request. */
function checkCookie(setCookies: readonly string[], isHttps: boolean): CheckResult {
  const cookies = new Map(setCookies.map(readCookie))
  const [plain, secure] = [cookies.get(plainName), cookies.get(secureName)]
  const attributes = isHttps ? secure : plain
  if (!attributes) {
    const drop = 'which browsers drop over http; name its https address with --site'
    if (secure) return warn(`It sets ${secureName}, ${drop}.`)
    const remedy = 'set NEXT_PUBLIC_SITE_URL there to an address with https'
    if (plain) return unsafe(`It sets ${plainName} over https; ${remedy}.`)
    const names = `neither ${secureName} nor ${plainName}`
    return unsafe(`It sets ${names}, so no browser sees a draft; update the site.`)
  }
  const wanted = isHttps ? overHttps : overHttp
  const missing = wanted.filter((each) => !attributes.includes(each.toLowerCase()))
  if (missing.length > 0) return unsafe(`The signed cookie lacks ${missing.join(', ')}; update the site.`)
  const hasDomain = attributes.some((attribute) => attribute.startsWith('domain='))
  if (isHttps && hasDomain) return unsafe('The signed cookie has a Domain; browsers drop it.')
  return ok('The signed cookie has the required attributes.')
}

/** Parses the name of a cookie, and its attributes in lower case: `path=/`. */
function readCookie(line: string): readonly [name: string, attributes: readonly string[]] {
  const plain = (part: string): string =>
    part
      .split('=')
      .map((side) => side.trim())
      .join('=')
  const [pair = '', ...attributes] = line.split(';').map(plain)
  return [pair.split('=', 1)[0] ?? '', attributes.map((each) => each.toLowerCase())]
}
