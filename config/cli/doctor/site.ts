import { editorVariables, siteUrlVariable } from '../../public-prefix.ts'
import { siteUrlIn } from '../../site-environment.ts'
import { createRedactor, withLoopbackTwin } from '../../../kernel/index.ts'
import type { SiteContent } from '../../../plugins/content/adapter.ts'
import { toBaseline } from '../../../plugins/content/baseline.ts'
import { parseManifest } from '../../../plugins/content/manifest.ts'
import { namedLocks } from '../../../plugins/content/locked.ts'
import { namesOf } from '../../../plugins/content/read-pages.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import type { Assembly } from '../../assemble.ts'
import { secretValues } from '../../secrets.ts'
import { isLocal, toOrigin } from '../../values.ts'
import { CommandError } from '../shared/command.ts'
import { callHttp, NoAnswer, toJson, type HttpAnswer, type HttpCall } from '../shared/http.ts'
import { ok, unsafe, warn, type CheckResult, type Finding } from './finding.ts'

/** The maximum size of an answer: a large site has a few megabytes of pages. */
const maxBytes = 8 * 1024 * 1024

type CheckedSite = Pick<Assembly, 'env' | 'settings'> & {
  readonly origin: string
  /** Calls an editor route of the site, without following redirects. */
  ask(route: string, call?: Pick<HttpCall, 'method' | 'headers' | 'json'>): Promise<HttpAnswer>
}

type Check = (site: CheckedSite) => CheckResult | Promise<CheckResult>

/** Answers by which a site is recognised; without both of them, it is sent no secret. */
const contentChecks: Readonly<Record<string, Check>> = { pages: checkPages, manifest: checkManifest }
const secretChecks: Readonly<Record<string, Check>> = {
  'draft secret': checkDraftSecret,
  'publish secret': checkPublishSecret,
  editors: checkEditors,
}
const addressChecks: Readonly<Record<string, Check>> = { origin: checkOrigin, address: checkAddress }

/**
 * Compares a running site with this installation, and changes nothing there. Sends secrets only to a server
 * that answers like a site, so a mistyped address does not leak them.
 */
export async function* checkSite(
  origin: string,
  { env, settings }: Pick<Assembly, 'env' | 'settings'>,
  timeoutMs: number,
): AsyncGenerator<Finding> {
  const redact = createRedactor(secretValues(env))
  const site: CheckedSite = {
    env,
    settings,
    origin,
    ask: (route, call) => callHttp(new URL(`/api/editor${route}`, origin), { ...call, timeoutMs, maxBytes }),
  }
  const run = (checks: Readonly<Record<string, Check>>): Promise<readonly Finding[]> =>
    Promise.all(
      Object.entries(checks).map(async ([item, check]) => {
        const { state, says } = await Promise.resolve(site).then(check).catch(problemOf)
        return { item: `Site: ${item}`, state, says: redact(says) }
      }),
    )
  const content = await run(contentChecks)
  yield* content
  if (content.every(({ state }) => state !== 'unsafe')) yield* await run(secretChecks)
  else yield { item: 'Site: secrets', ...warn('No secret was sent; fix the routes named above first.') }
  yield* await run(addressChecks)
}

function problemOf(error: unknown): CheckResult {
  if (error instanceof NoAnswer) return unsafe(`The site ${error.message}; start it, or check the address.`)
  if (error instanceof CommandError) return unsafe(`Nothing was sent: ${error.message}.`)
  throw error
}

async function checkPages({ ask }: CheckedSite): Promise<CheckResult> {
  const answer = await ask('/pages')
  const content = answer.status === 200 ? contentIn(toJson(answer.bytes)) : undefined
  if (!content) return unusable('GET /api/editor/pages', answer)
  const { pages, unreadable = [] } = content
  const locks = namedLocks(pages)
  const count = `${pages.length} published page${pages.length === 1 ? '' : 's'}`
  const isTagged = answer.headers.has('etag')
  const isSentBack = unreadable.some(({ raw }) => raw !== undefined)
  const stays = !isSentBack ? entriesUntouched : isTagged ? mayRefuse : refuses
  const remarks = [
    ...(unreadable.length > 0 ? [`${stays} Correct them on the site: ${namesOf(unreadable)}.`] : []),
    ...(locks.length > 0 ? [`${lockedThere} Correct them on the site: ${namesOf(locks)}.`] : []),
    ...(isTagged ? [] : [untagged]),
  ]
  if (pages.length === 0 && unreadable.length === 0)
    return warn(['It has no published page; its draft starts empty.', ...remarks].join(' '))
  return (remarks.length > 0 ? warn : ok)([`It answers with ${count}.`, ...remarks].join(' '))
}

const entriesUntouched = 'Entries that cannot be used are in no draft, and the site leaves them as they are.'
const lockedThere =
  'Blocks that cannot be used cannot be edited; a publish sends them back as they are, which sites with routes of their own ' +
  'may refuse.'
const mayRefuse =
  'Entries that cannot be used are in no draft; a publish sends them back as they are, which sites with routes of their own ' +
  'may refuse.'
const refuses =
  'Entries that cannot be used are in no draft; a publish sends them back as they are, and an earlier release of this ' +
  'package on the site refuses every publish with them.'
const untagged =
  'Its answer has no ETag, so what is changed on it between the read and the write of a publish is lost: update this ' +
  'package there, or answer an ETag and refuse an If-Match with another one with 412.'

/** Reads the content of a site; a list without one usable page is probably something else. */
function contentIn(answer: unknown): SiteContent | undefined {
  try {
    const content = toBaseline(answer, 'outside')
    const isOther = content?.pages.length === 0 && content.unreadable?.some(({ raw }) => raw !== undefined)
    return isOther ? undefined : content
  } catch {
    return undefined
  }
}

async function checkManifest({ ask }: CheckedSite): Promise<CheckResult> {
  const answer = await ask('/blocks')
  const content = toJson(answer.bytes)
  const verdict = parseManifest(content, builtinRegistry)
  if (answer.status !== 200 || content === undefined || !verdict.ok)
    return unusable('GET /api/editor/blocks', answer)
  return verdict.manifest
    ? ok(`It declares ${verdict.manifest.types().length} block types.`)
    : warn('It declares no block types; pass blocks to createSiteEditor.')
}

const unusable = (route: string, { status }: HttpAnswer): CheckResult =>
  unsafe(
    status === 200
      ? `${route} answered something else; mount the editor routes before the pages of the site.`
      : `${route} answered ${status}; mount the editor routes there, or see the log of the site.`,
  )

const sameSecret =
  'run npx content-orchestrator register in the website, if it has a secret of its own, or set DRAFT_MODE_SECRET there and here to the same value'

async function checkDraftSecret({ env, ask }: CheckedSite): Promise<CheckResult> {
  const secret = env['DRAFT_MODE_SECRET']
  if (secret === undefined) return warn('DRAFT_MODE_SECRET is not set here, so it cannot be compared.')
  const { status } = await ask(`/draft?${new URLSearchParams({ secret, redirect: '/' })}`)
  if (status === 307) return ok('It accepts DRAFT_MODE_SECRET.')
  if (status === 401) return unsafe(`DRAFT_MODE_SECRET differs; ${sameSecret}.`)
  if (status === 503) return unsafe(`The site has no draft secret; ${sameSecret}.`)
  return unsafe(`With DRAFT_MODE_SECRET, it answered ${status} instead of 307.`)
}

const sameToken = 'set PUBLISH_TOKEN there and here to the same value'

async function checkPublishSecret({ env, origin, settings, ask }: CheckedSite): Promise<CheckResult> {
  const token = env['PUBLISH_TOKEN']
  // Harmless: with the right secret, a site refuses this with 400, because its pages are not a list.
  const publish = (headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
    ask('/publish', { method: 'POST', json: { pages: 'doctor' }, headers })
  const isProduction = settings.nodeEnv.value === 'production' || !isLocal(origin)
  const { status } = await publish({})
  if (status === 400) return (isProduction ? unsafe : warn)(`Everyone may publish to the site; ${sameToken}.`)
  if (status !== 401) return unsafe(`Without a secret, POST /api/editor/publish answered ${status}.`)
  if (token === undefined) return unsafe(`The site requires a publish secret, or is closed; ${sameToken}.`)
  const answer = await publish({ 'x-publish-token': token })
  if (answer.status === 400) return ok('It accepts PUBLISH_TOKEN, and refuses requests without it.')
  return unsafe(`PUBLISH_TOKEN differs, or the site has none; ${sameToken}.`)
}

/** Checks by preflight requests whose pages may call the editor routes: listed editors, and no others. */
async function checkEditors({ env, settings, origin, ask }: CheckedSite): Promise<CheckResult> {
  const editor = editorVariables.map((name) => toOrigin(env[name] ?? '')).find((each) => each !== undefined)
  const others = settings.origins.value.filter((each) => !withLoopbackTwin(each).includes(origin))
  const editors = editor === undefined ? others : [editor]
  const admits = async (page: string): Promise<boolean> => {
    const headers = { origin: page, 'access-control-request-method': 'GET' }
    const answer = await ask('/pages', { method: 'OPTIONS', headers })
    return [page, '*'].includes(answer.headers.get('access-control-allow-origin') ?? '')
  }
  // The top-level domain is reserved, so this origin cannot be listed.
  if (await admits('https://unlisted.invalid'))
    return unsafe('It lets pages of every origin call its editor routes; list only those of editors.')
  if (editors.length === 0) return warn('No editor is known here; set EDITOR_ORIGIN.')
  const admitted = await Promise.all(editors.map(admits))
  const refused = editors.filter((_, at) => !admitted[at])
  if (refused.length === 0) return ok(`Pages of ${editors.join(', ')} may call it, and of no other origin.`)
  const says = `It refuses pages of ${refused.join(', ')}; list editors in EDITOR_CORS_ORIGINS on the site.`
  return (refused.length < editors.length ? warn : unsafe)(says)
}

function checkOrigin({ origin, settings }: CheckedSite): CheckResult {
  if (settings.origins.value.some((each) => withLoopbackTwin(each).includes(origin)))
    return ok('Its origin is among those that may call here and that content is published to.')
  return unsafe(`Add ${origin} to ORCHESTRATOR_CORS_ORIGINS; in production a publish to it is refused.`)
}

function checkAddress({ origin, env }: CheckedSite): CheckResult {
  const { name, value } = siteUrlIn(env) ?? { name: siteUrlVariable }
  const configured = toOrigin(value ?? '')
  if (configured !== undefined && withLoopbackTwin(configured).includes(origin))
    return ok(`${name} is the address that was checked.`)
  return (value === undefined ? warn : unsafe)(`Set ${name} to ${origin}.`)
}
