import { builtinBlocks as builtins } from '../content/blocks/index.ts'
import type { BlockTypeInput, Registry } from '../content/model.ts'
import { createRegistry } from '../content/registry.ts'

/** A block type of a site, with the component that renders it. */
export interface SiteBlock extends Omit<BlockTypeInput, 'type'> {
  /** The component that renders the block; only the site uses it. */
  readonly component?: unknown
}

/** The component registry of a site: its block types by name. */
export type SiteBlocks = Readonly<Record<string, SiteBlock>>

/** Keeps the type of every component: the site can render from the same registry that the editor reads. */
export function defineBlocks<const B extends SiteBlocks>(blocks: B): B {
  return blocks
}

/** The built-in block types, for sites that use them besides their own. */
export const builtinBlocks: SiteBlocks = Object.fromEntries(
  builtins.map(({ type, ...block }) => [type, block]),
)

/** Creates the registry of block types. Throws an Error that names an invalid type and the remedy. */
export function toRegistry(blocks: SiteBlocks): Registry {
  return createRegistry(
    Object.entries(blocks).map(([type, { component: _component, ...block }]) => ({ type, ...block })),
  )
}
