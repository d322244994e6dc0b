import { withLoopbackTwin } from '../../../../kernel/index.ts'
import { ok, unsafe, warn, type Finding, type Judgement } from '../finding.ts'
import { toOrigin } from '../../../values.ts'
import { judged, type Site } from './site.ts'

/** No page has this origin: the name is reserved never to exist. */
const unlisted = 'https://unlisted.invalid'

/** Compares the address of a site with what is configured here; calls nothing. */
export async function checkAddress(site: Site): Promise<readonly Finding[]> {
  const { origin, origins, env } = site
  const isSame = (other: string): boolean => withLoopbackTwin(other).includes(origin)
  const aboutOrigin = (): Judgement =>
    origins.some(isSame)
      ? ok('Its origin is among those that may call here and that content is published to.')
      : unsafe(`Add ${origin} to ORCHESTRATOR_CORS_ORIGINS; without it nothing is published to the site.`)
  const aboutAddress = (): Judgement => {
    const named = env['NEXT_PUBLIC_SITE_URL']
    if (named === undefined) return warn(`Set NEXT_PUBLIC_SITE_URL to ${origin}.`)
    const known = toOrigin(named)
    if (known === undefined) return unsafe(`NEXT_PUBLIC_SITE_URL is not an origin; set it to ${origin}.`)
    if (isSame(known)) return ok('NEXT_PUBLIC_SITE_URL is the address that was asked.')
    return unsafe(`NEXT_PUBLIC_SITE_URL is ${known}; set it to ${origin}, or ask that one with --site.`)
  }
  return [
    await judged('origin', async () => aboutOrigin()),
    await judged('address', async () => aboutAddress()),
  ]
}

/** Asks a site by preflights whose pages may call its editor routes. */
export async function checkEditors(site: Site): Promise<readonly Finding[]> {
  return [
    await judged('editors', () => judgeEditors(site)),
    await judged('strangers', async () => {
      const { allowed } = await preflight(site, unlisted)
      if (allowed === null) return ok('Pages of unlisted origins may not call it.')
      return unsafe('It lets pages of every origin call its editor routes; list those of editors only.')
    }),
  ]
}

async function judgeEditors(site: Site): Promise<Judgement> {
  const editors = editorsOf(site)
  if (editors.length === 0) return warn('No editor is known here; set NEXT_PUBLIC_EDITOR_ORIGIN to its origin.')
  const asked = await Promise.all(
    editors.map(async (editor) => ({ editor, ...(await preflight(site, editor)) })),
  )
  const isIn = asked.filter(({ editor, allowed, isOk }) => isOk && allowed === editor)
  const isOut = asked.filter((each) => !isIn.includes(each)).map(({ editor }) => editor)
  if (isIn.length === 0) return unsafe(`It refuses pages of ${isOut.join(', ')}; ${listThem}.`)
  const mute = isIn.filter(({ headers }) => !headers.some((name) => name === 'x-publish-token' || name === '*'))
  if (mute.length > 0) {
    return unsafe('Its preflight does not allow x-publish-token; add it to access-control-allow-headers.')
  }
  const names = isIn.map(({ editor }) => editor).join(', ')
  if (isOut.length === 0) return ok(`Pages of ${names} may call it.`)
  return warn(`Pages of ${names} may call it, those of ${isOut.join(', ')} may not; if an editor, ${listThem}.`)
}

const listThem = 'list the editor in EDITOR_CORS_ORIGINS on the site'

/** The editor that is named, else every origin that may call here and is not the site itself. */
function editorsOf({ env, origins, origin }: Site): readonly string[] {
  const named = env['NEXT_PUBLIC_EDITOR_ORIGIN']
  const editor = named === undefined ? undefined : toOrigin(named)
  if (editor !== undefined) return [editor]
  return origins.filter((each) => !withLoopbackTwin(each).includes(origin))
}

async function preflight(site: Site, origin: string) {
  const { status, headers } = await site.ask('/pages', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-publish-token',
    },
  })
  const names = headers.get('access-control-allow-headers') ?? ''
  return {
    isOk: status >= 200 && status < 300,
    allowed: headers.get('access-control-allow-origin'),
    headers: names.split(',').map((name) => name.trim().toLowerCase()),
  }
}
