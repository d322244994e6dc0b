import * as v from 'valibot'
import { findJsonProblem } from '../../../kernel/index.ts'
import { parseManifest } from '../../../plugins/content/manifest.ts'
import type { Manifest } from '../../../plugins/content/model.ts'
import { Page } from '../../../plugins/content/page.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import { jsonLimits, toShownText } from '../shared/http.ts'
import { ok, warn, type Finding, type CheckResult } from './finding.ts'
import { checkAddress, checkEditors, checkPublish } from './site-access.ts'
import { checkDraft } from './site-draft.ts'
import { readRoute, Unusable, type Site } from './site-probe.ts'

/**
 * Compares a running site with this installation, and changes nothing there. Sends secrets only to a server
 * that answers like a site, so a mistyped address does not leak them.
 */
export async function* checkSite(site: Site): AsyncGenerator<Finding> {
  const isSite = yield* checkContent(site)
  if (isSite) {
    yield* checkDraft(site)
    yield checkPublish(site)
    yield* checkEditors(site)
  } else {
    const says = 'No secret was sent, because it does not answer as a site does; fix that first.'
    yield site.check('secrets', () => warn(says))
  }
  yield* checkAddress(site)
}

const Pages = v.object({ pages: v.array(Page) })
const shownTypes = 10

/** Compares pages and block types of a site; returns true if one of the two routes answered correctly. */
async function* checkContent(site: Site): AsyncGenerator<Finding, boolean> {
  let pages: readonly Page[] | undefined
  let manifest: Manifest | undefined
  let isManifest = false

  yield site.check('pages', async () => {
    const answer = await readRoute(site, '/pages')
    const problem = findJsonProblem(answer, jsonLimits)
    if (problem !== undefined) throw new Unusable(`GET /api/editor/pages cannot be used. ${problem}`)
    // Older sites answer with a plain list.
    const { success, output, issues } = v.safeParse(Pages, Array.isArray(answer) ? { pages: answer } : answer)
    if (!success) throw new Unusable(wrongPages(issues[0]))
    pages = output.pages
    if (pages.length === 0) return warn('It has no published page; its draft starts empty.')
    return ok(`It answers with ${counted(pages.length, 'published page')}.`)
  })
  yield site.check('manifest', async () => {
    const verdict = parseManifest(await readRoute(site, '/blocks'), builtinRegistry)
    if (!verdict.ok) {
      const [place, problem] = [toShownText(verdict.path) || 'its top level', toShownText(verdict.problem)]
      throw new Unusable(`The manifest is invalid at ${place}: ${problem}. Fix it on the site.`)
    }
    isManifest = true
    manifest = verdict.manifest
    if (manifest) return ok(`It declares ${counted(manifest.types().length, 'block type')}.`)
    return warn('It declares no block types; pass blocks to createSiteEditor.')
  })
  if (pages && manifest) {
    const result = compare(pages, manifest)
    yield site.check('block types', () => result)
  }
  return pages !== undefined || isManifest
}

function compare(pages: readonly Page[], manifest: Manifest): CheckResult {
  const used = new Set(pages.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
  const undeclared = [...used].filter((type) => manifest.get(type) === undefined)
  if (undeclared.length === 0) return ok('Every block on a published page has a declared type.')
  const more = undeclared.length > shownTypes ? ` and ${undeclared.length - shownTypes} more` : ''
  const names = undeclared.slice(0, shownTypes).map(toShownText).join(', ')
  return warn(
    `Published pages contain ${names}${more}, which the manifest does not declare; add them to its blocks.`,
  )
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function wrongPages(issue: v.InferIssue<typeof Pages>): string {
  const place = toShownText(v.getDotPath(issue) ?? '')
  const problem = place === '' ? 'has no list named pages' : `is invalid at ${place}`
  return `GET /api/editor/pages ${problem}; each page has id, slug, title, updatedAt and blocks.`
}
