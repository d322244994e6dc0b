import { randomBytes } from 'node:crypto'
import { withLoopbackTwin } from '../../../../kernel/index.ts'
import { ok, unsafe, warn, type Finding } from '../finding.ts'
import { toShownText, type HttpAnswer } from '../../shared/http.ts'
import { judgeCookie } from './cookie.ts'
import { judged, said, type Site } from './site.ts'

/** Ways of writing another site's address that some browser or framework takes for a path. */
const elsewhere = ['//evil.example', '/\\evil.example', 'https://evil.example/']

/** Checks who is let into the draft mode of a site, with what cookie, and where to. The check itself lets no visitor in. */
export async function checkDraft(site: Site): Promise<readonly Finding[]> {
  const secret = site.env['DRAFT_MODE_SECRET']
  let isAdmitted = false

  const aboutWrong = await judged('wrong secret', async () => {
    const answer = await enter(site, randomBytes(16).toString('hex'))
    if (answer.status === 503) return unsafe(`The site has no draft secret; ${sameSecret}.`)
    if (isRedirect(answer)) return unsafe('It lets everybody into its drafts; compare the secret there.')
    if (answer.status !== 401) return unsafe(`Asked with a wrong secret, it ${said(answer)} instead of 401.`)
    if (cookiesOf(answer).length > 0) return unsafe('It refuses a wrong secret and sets cookies all the same.')
    return ok('It refuses a wrong secret, and sets no cookie.')
  })

  let cookies: readonly string[] = []
  const aboutSecret = await judged('draft secret', async () => {
    if (secret === undefined) return warn('DRAFT_MODE_SECRET is not set here, so it cannot be compared.')
    const answer = await enter(site, secret)
    isAdmitted = isRedirect(answer)
    cookies = cookiesOf(answer)
    if (isAdmitted) return ok('It accepts DRAFT_MODE_SECRET.')
    if (answer.status === 401) return unsafe(`DRAFT_MODE_SECRET differs; ${sameSecret}.`)
    if (answer.status === 503) return unsafe(`The site has no draft secret; ${sameSecret}.`)
    return unsafe(`Asked with DRAFT_MODE_SECRET, it ${said(answer)} instead of 307.`)
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
    return unsafe(`A link to it leads on to ${strays[0]}; redirect to paths that begin with one slash only.`)
  })
  return [aboutSecret, ...aboutCookie, aboutWrong, aboutRedirects]
}

const sameSecret = 'set DRAFT_MODE_SECRET there and here to the same value'

const enter = (site: Site, secret: string, redirect = '/'): Promise<HttpAnswer> =>
  site.ask(`/draft?${new URLSearchParams({ secret, redirect })}`, {
    // As from a frame of the editor.
    headers: { 'sec-fetch-site': 'cross-site' },
  })

const isRedirect = ({ status }: HttpAnswer): boolean => [302, 303, 307].includes(status)
const cookiesOf = ({ headers }: HttpAnswer): readonly string[] => headers.getSetCookie()

/** Where an answer leads that is another site; nothing when it stays. */
function strayOf({ origin }: Site, { headers }: HttpAnswer): string | undefined {
  const location = headers.get('location')
  if (location === null) return undefined
  const target = URL.parse(location, `${origin}/api/editor/draft`)?.origin
  if (target !== undefined && withLoopbackTwin(origin).includes(target)) return undefined
  return toShownText(target ?? 'nowhere')
}
