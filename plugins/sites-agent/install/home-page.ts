import { builtinRegistry } from '../../content/registry.ts'
import type { Block, Page } from '../../content/page.ts'

/** The content of a website to begin with: one page, whose blocks say what they are for. */
export function firstContent(now: Date): readonly Page[] {
  const blocks = [toBlock('b_hero_home', 'Hero'), toBlock('b_richtext_home', 'RichText')]
  return [{ id: 'p_home', slug: '/', title: 'Home', updatedAt: now.toISOString(), blocks }]
}

const toBlock = (id: string, type: string): Block => ({ id, type, props: builtinRegistry.get(type)?.starter() ?? {} })
