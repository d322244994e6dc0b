import type { PlanningInput } from '../port.ts'
import { declaredType } from '../../content/registry.ts'
import type { Page, Props } from '../../content/model.ts'
import { resolveBlock } from '../../content/operations/target.ts'
import { slugSpellings } from '../../content/slugs.ts'
import type { Words } from './words.ts'

/** The pages, the selection and the block types of a site. */
export type SiteInput = Pick<PlanningInput, 'draft' | 'selection' | 'registry' | 'manifest'>

/** The context for reading a plan: the site, the words of the request, and the fixed time of the run. */
export interface PlanSource {
  readonly input: SiteInput
  readonly words: Words
  readonly now: Date
}

/** Returns the page with a slug, in any spelling. */
export function pageAt({ draft }: Pick<SiteInput, 'draft'>, slug: unknown): Page | undefined {
  if (typeof slug !== 'string') return undefined
  const spellings = new Set(slugSpellings(slug))
  return draft.pages.find((page) => spellings.has(page.slug))
}

/** Returns the block that an operation names, with its type if known. */
export function blockAt(input: SiteInput, op: Props) {
  const page = pageAt(input, op['pageSlug'])
  const id = op['blockId']
  if (!page || typeof id !== 'string') return undefined
  const found = resolveBlock(page.blocks, id, { byType: true })
  return found && { block: found.block, blockType: declaredType(found.block.type, input) }
}
