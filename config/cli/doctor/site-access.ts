import { withLoopbackTwin } from '../../../kernel/index.ts'
import { toOrigin } from '../../values.ts'
import type { HttpAnswer } from '../shared/http.ts'
import { ok, unsafe, warn, type Finding, type CheckResult } from './finding.ts'
import { said, type Site } from './site-probe.ts'

/** An origin that cannot exist: the top-level domain is reserved. */
const unlisted = 'https://unlisted.invalid'

const meanwhile = 'until then a registered site may call here and is published to, without PUBLISH_TOKEN'

/** Compares the address of a site with the configuration; sends no request. */
export async function* checkAddress(site: Site): AsyncGenerator<Finding> {
  const { origin, origins, env, isProduction } = site
  const isSame = (other: string): boolean => withLoopbackTwin(other).includes(origin)
  const add = `Add ${origin} to ORCHESTRATOR_CORS_ORIGINS`
  yield site.check('origin', () =>
    origins.some(isSame)
      ? ok('Its origin is among those that may call here and that content is published to.')
      : isProduction
        ? unsafe(`${add}; in production an unlisted site may not call here, and a publish to it is refused.`)
        : warn(`${add} for production; ${meanwhile}.`),
  )
  yield site.check('address', () => {
    const address = env['NEXT_PUBLIC_SITE_URL']
    if (address === undefined) return warn(`Set NEXT_PUBLIC_SITE_URL to ${origin}.`)
    const known = toOrigin(address)
    if (known === undefined) return unsafe(`NEXT_PUBLIC_SITE_URL is not an origin; set it to ${origin}.`)
    if (isSame(known)) return ok('NEXT_PUBLIC_SITE_URL is the address that was checked.')
    return unsafe(`NEXT_PUBLIC_SITE_URL is ${known}; set it to ${origin}, or check that one with --site.`)
  })
}

/** Checks by preflight requests whose pages may call the editor routes of a site. */
export async function* checkEditors(site: Site): AsyncGenerator<Finding> {
  yield site.check('editors', () => checkListedOrigins(site))
  yield site.check('strangers', async () => {
    const { allowed } = await preflight(site, unlisted)
    if (allowed === null) return ok('Pages of unlisted origins may not call it.')
    return unsafe('It lets pages of every origin call its editor routes; list only those of editors.')
  })
}

async function checkListedOrigins(site: Site): Promise<CheckResult> {
  const editors = editorsOf(site)
  if (editors.length === 0)
    return warn('No editor is known here; set NEXT_PUBLIC_EDITOR_ORIGIN to its origin.')
  const asked = await Promise.all(
    editors.map(async (editor) => ({ editor, ...(await preflight(site, editor)) })),
  )
  const admitted = asked.filter(({ editor, allowed, isOk }) => isOk && allowed === editor)
  const names = admitted.map(({ editor }) => editor)
  const refused = editors.filter((editor) => !names.includes(editor)).join(', ')
  const remedy = 'list the editor in EDITOR_CORS_ORIGINS on the site'
  if (admitted.length === 0) return unsafe(`It refuses pages of ${refused}; ${remedy}.`)
  if (admitted.some(({ headers }) => !headers.includes('x-publish-token') && !headers.includes('*'))) {
    return unsafe('Its preflight does not allow x-publish-token; add it to access-control-allow-headers.')
  }
  const may = `Pages of ${names.join(', ')} may call it`
  if (refused === '') return ok(`${may}.`)
  return warn(`${may}, those of ${refused} may not; if an editor, ${remedy}.`)
}

/** Returns the configured editor, else every origin that may call here except the site itself. */
function editorsOf({ env, origins, origin }: Site): readonly string[] {
  const editor = toOrigin(env['NEXT_PUBLIC_EDITOR_ORIGIN'] ?? '')
  return editor === undefined ? origins.filter((each) => !withLoopbackTwin(each).includes(origin)) : [editor]
}

async function preflight(site: Site, origin: string) {
  const asked = {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-publish-token',
  }
  const { status, headers } = await site.ask('/pages', { method: 'OPTIONS', headers: asked })
  const names = headers.get('access-control-allow-headers') ?? ''
  return {
    isOk: status >= 200 && status < 300,
    allowed: headers.get('access-control-allow-origin'),
    headers: names.split(',').map((name) => name.trim().toLowerCase()),
  }
}

const sameToken = 'set PUBLISH_TOKEN there and here to the same value'

/** Compares the publish secret with that of a site, without publishing anything. */
export function checkPublish(site: Site): Promise<Finding> {
  const token = site.env['PUBLISH_TOKEN']
  // Harmless: with the right secret, a site refuses this with 400, because its pages are not a list.
  const post = (headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
    site.ask('/publish', { method: 'POST', json: { pages: 'doctor' }, headers })
  return site.check('publish secret', async () => {
    const bare = await post({})
    if (bare.status === 400)
      return (site.isProduction ? unsafe : warn)(`Everyone may publish to the site; ${sameToken}.`)
    if (bare.status !== 401) return unexpected('Without a secret', bare)
    if (token === undefined) return unsafe(`The site requires a publish secret, or is closed; ${sameToken}.`)
    const answer = await post({ 'x-publish-token': token })
    if (answer.status === 400) return ok('It accepts PUBLISH_TOKEN, and refuses requests without it.')
    if (answer.status === 401) return unsafe(`PUBLISH_TOKEN differs, or the site has none; ${sameToken}.`)
    return unexpected('With PUBLISH_TOKEN', answer)
  })
}

function unexpected(how: string, answer: HttpAnswer): CheckResult {
  if (answer.status < 300) return unsafe(`${how}, it accepted a publish without pages; update the site.`)
  const remedy = answer.status === 404 ? 'mount the editor routes there' : 'see the log of the site'
  return unsafe(`${how}, POST /api/editor/publish ${said(answer)}; ${remedy}.`)
}
