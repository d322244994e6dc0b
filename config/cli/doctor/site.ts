import * as v from 'valibot'
import { createRedactor, findJsonProblem } from '../../../kernel/index.ts'
import { parseManifest } from '../../../plugins/content/manifest.ts'
import type { Manifest } from '../../../plugins/content/model.ts'
import { Page } from '../../../plugins/content/page.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import type { Assembly } from '../../assemble.ts'
import { secretValues } from '../../secrets.ts'
import { isLocal } from '../../values.ts'
import { jsonLimits, toShownText } from '../shared/http.ts'
import { ok, unsafe, warn, type Finding, type Judgement } from './finding.ts'
import { checkAddress, checkEditors, checkPublish } from './site-access.ts'
import { checkDraft } from './site-draft.ts'
import { createSite, judged, readRoute, type Site } from './site-probe.ts'

/**
 * Compares a running site with this installation, and changes nothing there. Secrets are sent only to a server that answers
 * as a site does, so that a mistyped address does not leak them; no finding contains one.
 */
export async function checkSite(origin: string, { env, settings }: Pick<Assembly, 'env' | 'settings'>, timeoutMs: number): Promise<readonly Finding[]> {
  const isProduction = settings.nodeEnv.value === 'production' || !isLocal(origin)
  const site = createSite({ origin, env, origins: settings.origins.value, isProduction }, timeoutMs)
  const { findings, isSite } = await checkContent(site)
  const others = isSite
    ? [...(await checkDraft(site)), await checkPublish(site), ...(await checkEditors(site))]
    : [await judged('secrets', async () => warn('No secret was sent, because it does not answer as a site does; fix that first.'))]
  const redact = createRedactor(secretValues(env))
  return [...findings, ...others, ...(await checkAddress(site))].map((finding) => ({ ...finding, says: redact(finding.says) }))
}

const Pages = v.object({ pages: v.array(Page) })
const shownTypes = 10

/** Compares the published pages with the block types of a site; `isSite` is true if one of the two routes answered correctly. */
async function checkContent(site: Site): Promise<{ readonly findings: readonly Finding[]; readonly isSite: boolean }> {
  let pages: readonly Page[] | undefined
  let manifest: Manifest | undefined
  let isManifest = false

  const aboutPages = await judged('pages', async () => {
    const answer = await readRoute(site, '/pages')
    if (!answer.ok) return unsafe(answer.says)
    const problem = findJsonProblem(answer.value, jsonLimits)
    if (problem !== undefined) return unsafe(`GET /api/editor/pages cannot be used. ${problem}`)
    // Older sites answer with the bare list.
    const parsed = v.safeParse(Pages, Array.isArray(answer.value) ? { pages: answer.value } : answer.value)
    if (!parsed.success) return unsafe(wrongPages(parsed.issues[0]))
    pages = parsed.output.pages
    return pages.length === 0 ? warn('It has no published page; its draft starts empty.') : ok(`It answers with ${counted(pages.length, 'published page')}.`)
  })

  const aboutManifest = await judged('manifest', async () => {
    const answer = await readRoute(site, '/blocks')
    if (!answer.ok) return unsafe(answer.says)
    const verdict = parseManifest(answer.value, builtinRegistry)
    if (!verdict.ok) {
      const place = toShownText(verdict.path) || 'its top level'
      return unsafe(`The manifest is invalid at ${place}: ${toShownText(verdict.problem)}. Fix it on the site.`)
    }
    isManifest = true
    manifest = verdict.manifest
    return manifest ? ok(`It declares ${counted(manifest.types().length, 'block type')}.`) : warn('It declares no block types; pass blocks to createSiteEditor.')
  })

  const types = pages && manifest ? [await judged('block types', compare(pages, manifest))] : []
  return { findings: [aboutPages, aboutManifest, ...types], isSite: pages !== undefined || isManifest }
}

const compare = (pages: readonly Page[], manifest: Manifest) => async (): Promise<Judgement> => {
  const used = new Set(pages.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
  const undeclared = [...used].filter((type) => manifest.get(type) === undefined)
  if (undeclared.length === 0) return ok('Every block on a published page has a declared type.')
  const more = undeclared.length > shownTypes ? ` and ${undeclared.length - shownTypes} more` : ''
  const names = undeclared.slice(0, shownTypes).map(toShownText).join(', ')
  return warn(`Published pages contain ${names}${more}, which the manifest does not declare; add them to its blocks.`)
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function wrongPages(issue: v.InferIssue<typeof Pages>): string {
  const place = toShownText(v.getDotPath(issue) ?? '')
  return `GET /api/editor/pages ${place === '' ? 'has no list named pages' : `is invalid at ${place}`}; each page has id, slug, title, updatedAt and blocks.`
}
