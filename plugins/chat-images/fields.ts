import type { FoundImage, ImageScene, PlannedImage } from '../chat/port.ts'
import { declaredType } from '../content/authority.ts'
import { effectiveItemFields, isDeclaredList } from '../content/fields.ts'
import type { Block, Fields, Page, Props, SiteConfig } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { isPlainObject, ownValue } from '../content/plain-object.ts'

/** A field that receives a new image. */
export interface Target {
  readonly at: PlannedImage['at']
  /** Its owner: a block type, or the slug of a page. */
  readonly type: string
  /** The props next to the image, and those of the enclosing block. */
  readonly props: Props
  readonly around: Props
  readonly address: unknown
  /** Must be unchanged when the image is set: its address, or the complete row (rows are found by index). */
  readonly was: unknown
  /** Returns the operation that sets the image, and description and credit if there are fields for them. */
  setTo(image: FoundImage): Operation
}

/** Returns the field at a place; `undefined` if there is none, or it is not for an image. */
export function targetAt(at: PlannedImage['at'], scene: ImageScene): Target | undefined {
  if (at.kind === 'site') return siteTarget(scene.draft.config)
  const page = scene.draft.pages.find(({ slug }) => slug === at.pageSlug)
  if (!page || at.kind === 'page') return page && pageTarget(page)
  const block = page.blocks.find(({ id }) => id === at.blockId)
  if (!block) return undefined
  return at.kind === 'block' ? ownTarget(page, block, scene, at.field) : rowTarget(page, block, scene, at)
}

/** Returns the image field of a block itself: the named one, or the usual one. */
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

/** Returns the image field of a row. */
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

/** Returns the image fields of all rows of a list, or of all lists of a block. */
export function rowTargets(page: Page, block: Block, scene: ImageScene, list?: string): readonly Target[] {
  const lists = list === undefined ? Object.keys(fieldsOf(block, scene)) : [list]
  const rows = lists.flatMap((listKey) => rowsOf(block, listKey).map((_, index) => ({ listKey, index })))
  return rows.flatMap((row) => rowTarget(page, block, scene, row) ?? [])
}

/** Returns the rows of a list. */
export const rowsOf = (block: Block, listKey: string): readonly unknown[] => {
  const rows = ownValue(block.props, listKey)
  return Array.isArray(rows) ? rows : []
}

/** Returns the field of the link preview image of a page. */
export function pageTarget({ slug: pageSlug, title, meta = {} }: Page): Target {
  const { ogImage: address } = meta
  const props = { title: meta.title, heading: title, description: meta.description }
  return {
    at: { kind: 'page', pageSlug }, type: pageSlug, props, around: props, address, was: address,
    setTo: (found) => ({ op: 'update_page_meta', pageSlug, patch: { ogImage: found.address } }),
  }
}

/** Returns the field of the site logo, which the header shows. */
export function siteTarget({ name = '', logo: address }: SiteConfig): Target {
  const props = { title: `${name} logo` }
  return {
    at: { kind: 'site' }, type: 'SiteHeader', props, around: props, address, was: address,
    setTo: (found) => ({ op: 'update_site_config', patch: { logo: found.address } }),
  }
}

const fieldsOf = ({ type }: Block, scene: ImageScene): Fields => declaredType(type, scene)?.fields ?? {}

/** Finds an image field of a block or row, and its patch; `undefined` if there is none (of that name). */
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
