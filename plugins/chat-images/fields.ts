import type { FoundImage, ImageScene, PlannedImage } from '../chat/port.ts'
import { effectiveItemFields, isDeclaredList } from '../content/fields.ts'
import type { Block, Fields, Page, Props, SiteConfig } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { isPlainObject, ownValue } from '../content/plain-object.ts'

/** A field that gets another image. */
export interface Target {
  readonly at: PlannedImage['at']
  /** What it belongs to: a type of blocks, or the slug of a page. */
  readonly type: string
  /** What stands next to it, and around that. */
  readonly props: Props
  readonly around: Props
  readonly address: unknown
  /** What must be unchanged when the image comes: its address, or a complete row, because rows are found by their place. */
  readonly was: unknown
  /** The operation that sets the image, with its description and who made it where the contract has fields for them. */
  setTo(image: FoundImage): Operation
}

/** The field at a place; `undefined` where there is none, or it is for no image. */
export function targetAt(at: PlannedImage['at'], scene: ImageScene): Target | undefined {
  if (at.kind === 'site') return siteTarget(scene.draft.config)
  const page = scene.draft.pages.find(({ slug }) => slug === at.pageSlug)
  if (!page || at.kind === 'page') return page && pageTarget(page)
  const block = page.blocks.find(({ id }) => id === at.blockId)
  if (!block) return undefined
  return at.kind === 'block' ? ownTarget(page, block, scene, at.field) : rowTarget(page, block, scene, at)
}

/** The image of a block itself: the one of that name, or the usual one where none is named. */
export function ownTarget(
  { slug: pageSlug }: Pick<Page, 'slug'>, block: Block, scene: ImageScene, name?: string,
): Target | undefined {
  const image = imageIn(fieldsOf(block, scene), name)
  if (!image) return undefined
  const { field } = image
  const { id: blockId, type, props } = block
  const address = ownValue(props, field)
  return {
    at: { kind: 'block', pageSlug, blockId, field }, type, props, around: props, address, was: address,
    setTo: (found) => ({ op: 'update_props', pageSlug, blockId, patch: image.patch(found) }),
  }
}

/** The image of a row. */
export function rowTarget(
  { slug: pageSlug }: Page, block: Block, scene: ImageScene,
  { listKey, index, field: name }: { readonly listKey: string; readonly index: number; readonly field?: string | undefined },
): Target | undefined {
  const list = ownValue(fieldsOf(block, scene), listKey)
  const props = rowsOf(block, listKey)[index]
  if (!list || !isDeclaredList(list) || !isPlainObject(props)) return undefined
  const image = imageIn(effectiveItemFields(list, props), name)
  if (!image) return undefined
  const { field } = image
  const { id: blockId, type } = block
  return {
    at: { kind: 'row', pageSlug, blockId, listKey, index, field },
    type, props, around: block.props, address: ownValue(props, field), was: props,
    setTo: (found) => ({ op: 'update_item', pageSlug, blockId, listKey, index, patch: image.patch(found) }),
  }
}

/** The images of all rows of a list, or of all lists of a block. */
export function rowTargets(page: Page, block: Block, scene: ImageScene, list?: string): readonly Target[] {
  const lists = list === undefined ? Object.keys(fieldsOf(block, scene)) : [list]
  const rows = lists.flatMap((listKey) => rowsOf(block, listKey).map((_, index) => ({ listKey, index })))
  return rows.flatMap((row) => rowTarget(page, block, scene, row) ?? [])
}

/** How many rows a list has. */
export const rowsOf = (block: Block, listKey: string): readonly unknown[] => {
  const rows = ownValue(block.props, listKey)
  return Array.isArray(rows) ? rows : []
}

/** The image that link previews show of a page. */
export function pageTarget({ slug: pageSlug, title, meta = {} }: Page): Target {
  const { ogImage: address } = meta
  const props = { title: meta.title, heading: title, description: meta.description }
  return {
    at: { kind: 'page', pageSlug }, type: pageSlug, props, around: props, address, was: address,
    setTo: (found) => ({ op: 'update_page_meta', pageSlug, patch: { ogImage: found.address } }),
  }
}

/** The logo of the site, which its header shows. */
export function siteTarget({ name = '', logo: address }: SiteConfig): Target {
  const props = { title: `${name} logo` }
  return {
    at: { kind: 'site' }, type: 'SiteHeader', props, around: props, address, was: address,
    setTo: (found) => ({ op: 'update_site_config', patch: { logo: found.address } }),
  }
}

function fieldsOf({ type }: Block, { registry, manifest }: ImageScene): Fields {
  return (manifest?.get(type) ?? registry.get(type))?.fields ?? {}
}

/** An image among the fields of a block or a row, and what sets it; `undefined` where they have none, or none of that name. */
function imageIn(fields: Fields, wanted?: string): { readonly field: string; patch(found: FoundImage): Props } | undefined {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'image' && !fields[name].internal)
  const usual = names.find((name) => name === 'imageUrl' || name === 'src') ?? names[0]
  const field = wanted === undefined ? usual : names.find((name) => name === wanted)
  if (field === undefined) return undefined
  const stem = field.replace(/Url$/, '')
  const described = Object.keys(fields).filter((name) => fields[name]?.kind === 'imageAlt')
  const text = described.find((name) => name.startsWith(stem)) ?? described[0]
  const whose = [`${stem}Credit`, 'credit'].find((name) => fields[name]?.kind === 'text' && !fields[name].internal)
  return {
    field,
    patch: ({ address, alt, credit }) => ({
      [field]: address,
      ...(alt !== undefined && text !== undefined && { [text]: alt }),
      ...(whose !== undefined && { [whose]: credit?.name ?? '' }),
    }),
  }
}
