import type { Block, BlockType } from '../../../content/model.ts'
import { navigationOf } from '../../../content/navigation.ts'
import type { Page } from '../../../content/page.ts'
import { homeFirst } from '../../../content/slugs.ts'
import type { PlanningInput } from '../../planners/planner.ts'
import type { Words } from '../words.ts'
import type { Level } from './levels.ts'
import { detailOf, outlined, shownProps } from './outline.ts'
import { referencesIn } from './references.ts'
import { valueAt } from './value-at.ts'

const fewestRoutes = 6
const recentEdits: Readonly<Record<Level, number>> = { full: 3, normal: 3, compact: 3, minimal: 1, bare: 0 }

/** What a model is shown of the draft, at one level of detail. */
export function contextPack(input: PlanningInput, page: Page, words: Words, level: Level): Readonly<Record<string, unknown>> {
  const { draft, selection, recentEdits: edits = [] } = input
  const routes = homeFirst(draft.pages.map(({ slug }) => slug))
  const isSmall = level === 'minimal' || level === 'bare'
  const common = {
    route: page.slug,
    blockCount: page.blocks.length,
    pageRoutes: isSmall ? routes.slice(0, fewestRoutes) : routes,
    pageIntent: intentOf(page),
  }
  if (level === 'bare') return common
  return {
    ...common,
    selected: selectedOf(input, page),
    neighbors: neighborsOf(page, selection.blockId),
    pageOutline: outlineOf(input, page, level),
    pageMeta: page.meta ?? null,
    recentSuccessfulEdits: edits
      .filter(({ slug }) => slug === page.slug)
      .slice(-recentEdits[level])
      .map(({ at, summary, opTypes }) => ({ time: at, summary, ops: opTypes })),
    resolvedReferences: referencesIn(input.message, words, page, selection),
    siteConfig: isSmall ? { name: draft.config.name } : siteConfigOf(input, routes),
  }
}

/** The rules of a block's type, as they hold in this run. */
export function blockTypeOf({ manifest, registry }: Pick<PlanningInput, 'manifest' | 'registry'>, type: string): BlockType | undefined {
  return manifest?.get(type) ?? registry.get(type)
}

function selectedOf(input: PlanningInput, { blocks }: Page): unknown {
  const { blockId, path } = input.selection
  const block = blocks.find(({ id }) => id === blockId)
  if (!block) return null
  const props = shownProps(block.props, blockTypeOf(input, block.type))
  return {
    blockId: block.id,
    blockType: block.type,
    block: { ...block, props },
    ...(path !== undefined && { editablePath: path, value: valueAt(props, path) ?? null }),
  }
}

function neighborsOf({ blocks }: Page, blockId: string | undefined): unknown {
  const at = blocks.findIndex(({ id }) => id === blockId)
  if (at < 0) return null
  const named = (block: Block | undefined) => (block ? { id: block.id, type: block.type } : null)
  return { before: named(blocks[at - 1]), after: named(blocks[at + 1]) }
}

function outlineOf(input: PlanningInput, { blocks }: Page, level: Level): unknown {
  const selectedAt = blocks.findIndex(({ id }) => id === input.selection.blockId)
  const detail = detailOf(level)
  return blocks.flatMap((block, at) => {
    const blockType = blockTypeOf(input, block.type)
    if (at === selectedAt) return [level === 'full' ? outlined(block, blockType, 'full') : { id: block.id, type: block.type, selected: true }]
    if (detail !== undefined) return [outlined(block, blockType, detail)]
    return selectedAt < 0 || Math.abs(at - selectedAt) === 1 ? [{ id: block.id, type: block.type }] : []
  })
}

function intentOf({ slug, blocks }: Page): string {
  const counts = Object.entries(Object.groupBy(blocks, ({ type }) => type)).map(([type, some = []]) => `${some.length} ${type}`)
  const hero = blocks.find(({ type }) => type === 'Hero')?.props['heading']
  const heading = typeof hero === 'string' ? `; "${[...hero].slice(0, 120).join('')}"` : ''
  return `${slug}: ${blocks.length === 1 ? '1 block' : `${blocks.length} blocks`}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}${heading}`
}

function siteConfigOf({ draft: { config }, siteId }: PlanningInput, slugs: readonly string[]): unknown {
  const { name, logo, navLabels, navGroups } = config
  const shown = navigationOf({ slugs, config, siteId }).items.flatMap((item) => ('children' in item ? item.children : [item]))
  const derived = shown.filter(({ slug }) => !navLabels?.[slug]).map(({ slug, label }) => [slug, label])
  return { name, logo, navLabels, navGroups, derivedLabels: Object.fromEntries(derived) }
}
