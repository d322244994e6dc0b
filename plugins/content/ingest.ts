import { pageIdFromSlug } from './block-ids.ts'
import { withRowIds } from './items.ts'
import type { Block, Manifest, Page, Registry } from './model.ts'
import { repairedBlock } from './repair.ts'
import { titleFromSlug } from './slugs.ts'

/** Which block types there are when a page comes in. */
export interface KnownTypes {
  readonly registry: Registry
  readonly manifest?: Manifest | undefined
}

/**
 * Makes a page ready for a draft: older blocks are repaired, and every row gets a key.
 *
 * That is no edit: `updatedAt` stays, and the page itself comes back when there is nothing to do. What a
 * draft is compared with goes through here too, so that none of this ever shows as a change.
 */
export function ingestPage(page: Page, known: KnownTypes): Page {
  const blocks = page.blocks.map((block) => ingestBlock(block, page.slug, known))
  return blocks.every((block, index) => block === page.blocks[index]) ? page : { ...page, blocks }
}

/** Completes a stored page on its way out: sites refuse one without id, slug, title, stamp or blocks. */
export function readablePage(raw: Readonly<Partial<Page>>, slug: string, now: Date): Page {
  return {
    ...raw,
    id: raw.id || pageIdFromSlug(slug),
    slug: raw.slug || slug,
    title: raw.title || titleFromSlug(slug),
    updatedAt: raw.updatedAt || now.toISOString(),
    blocks: raw.blocks ?? [],
  }
}

function ingestBlock(block: Block, slug: string, { registry, manifest }: KnownTypes): Block {
  const declared = manifest?.get(block.type)
  const isDeclared = (prop: string) => !declared || Object.hasOwn(declared.propsSchema.properties ?? {}, prop)
  const fields = (declared ?? registry.get(block.type))?.fields
  const repaired = repairedBlock(block, slug, isDeclared)
  return fields ? withRowIds(repaired, fields) : repaired
}
