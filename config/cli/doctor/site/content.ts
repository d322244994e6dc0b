import * as v from 'valibot'
import { findJsonProblem } from '../../../../kernel/index.ts'
import { parseManifest } from '../../../../plugins/content/manifest.ts'
import type { Manifest } from '../../../../plugins/content/model.ts'
import { Page } from '../../../../plugins/content/page.ts'
import { builtinRegistry } from '../../../../plugins/content/registry.ts'
import { ok, unsafe, warn, type Finding } from '../finding.ts'
import { toShownText } from '../../shared/http.ts'
import { judged, readRoute, type Site } from './site.ts'

/** What the pages and the block types of a site are like. */
export interface Content {
  readonly findings: readonly Finding[]
  /** True when at least one of the two routes answered as the editor routes of a site do. */
  readonly isSite: boolean
}

const Pages = v.object({ pages: v.array(Page) })
/** As much as the largest site has. */
const jsonLimits = { depth: 64, values: 1_000_000 }
const shownTypes = 10

/** Reads the published pages and the block types of a site, and compares them. */
export async function checkContent(site: Site): Promise<Content> {
  let pages: readonly Page[] | undefined
  let manifest: Manifest | undefined
  let isManifest = false

  const aboutPages = await judged('pages', async () => {
    const told = await readRoute(site, '/pages')
    if (!told.ok) return unsafe(told.says)
    const problem = findJsonProblem(told.value, jsonLimits)
    if (problem !== undefined) return unsafe(`GET /api/editor/pages cannot be used. ${problem}`)
    // Older sites answer with the bare list.
    const parsed = v.safeParse(Pages, Array.isArray(told.value) ? { pages: told.value } : told.value)
    if (!parsed.success) return unsafe(wrongPages(parsed.issues[0]))
    pages = parsed.output.pages
    if (pages.length === 0) return warn('It has no published page; a draft of it begins empty.')
    return ok(`It answers with ${counted(pages.length, 'published page')}.`)
  })

  const aboutManifest = await judged('manifest', async () => {
    const told = await readRoute(site, '/blocks')
    if (!told.ok) return unsafe(told.says)
    const verdict = parseManifest(told.value, builtinRegistry)
    if (!verdict.ok) {
      const place = toShownText(verdict.path) || 'its first level'
      return unsafe(`The manifest is wrong at ${place}: ${toShownText(verdict.problem)}. Mend it on the site.`)
    }
    isManifest = true
    manifest = verdict.manifest
    if (!manifest) return warn('It declares no block types; pass blocks to createSiteEditor.')
    return ok(`It declares ${counted(manifest.types().length, 'block type')}.`)
  })

  const types = pages && manifest ? [await judged('block types', compare(pages, manifest))] : []
  return { findings: [aboutPages, aboutManifest, ...types], isSite: pages !== undefined || isManifest }
}

const compare = (pages: readonly Page[], manifest: Manifest) => async () => {
  const used = new Set(pages.flatMap(({ blocks }) => blocks.map(({ type }) => type)))
  const undeclared = [...used].filter((type) => manifest.get(type) === undefined)
  if (undeclared.length === 0) return ok('Every block on a published page is of a declared type.')
  const more = undeclared.length > shownTypes ? ` and ${undeclared.length - shownTypes} more` : ''
  const names = undeclared.slice(0, shownTypes).map(toShownText).join(', ')
  return warn(`Published pages hold ${names}${more}, which the manifest does not declare; add them to its blocks.`)
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function wrongPages(issue: v.InferIssue<typeof Pages>): string {
  const place = toShownText(v.getDotPath(issue) ?? '')
  const what = place === '' ? 'has no list named pages' : `is wrong at ${place}`
  return `GET /api/editor/pages ${what}; each page has id, slug, title, updatedAt and blocks.`
}
