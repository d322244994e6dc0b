import { hash } from 'node:crypto'
import type { FoundImage, ImageScene, PlannedImage } from '../chat/port.ts'
import { declaredType } from '../content/authority.ts'
import { effectiveItemFields, isDeclaredList } from '../content/fields.ts'
import type { Block, FieldKind, Fields, Page, Props, SiteConfig } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { isPlainObject, ownValue } from '../content/plain-object.ts'
import { stableJson } from '../llm/port.ts'

/** A field that receives a new image. */
export interface Target {
  readonly at: PlannedImage['at']
  /** Its owner: a block type, or the slug of a page. */
  readonly type: string
  /** The props next to the image, and those of the enclosing block. */
  readonly props: Props
  readonly around: Props
  readonly address: unknown
  /** A digest of the address, or of the complete row (rows are found by index), to notice changes. */
  readonly was: string
  /** Returns the operation that sets the image, and description and credit if there are fields for them. */
  setTo(image: FoundImage): Operation
}

/** Returns the field at a place; `undefined` if there is none, or it is not for an image. */
function targetAt(at: PlannedImage['at'], scene: ImageScene): Target | undefined {
  if (at.kind === 'site') return siteTarget(scene.draft.config)
  const page = scene.draft.pages.find(({ slug }) => slug === at.pageSlug)
  if (!page || at.kind === 'page') return page && pageTarget(page)
  const block = page.blocks.find(({ id }) => id === at.blockId)
  if (!block) return undefined
  return at.kind === 'block' ? ownTarget(page, block, scene, at.field) : rowTarget(page, block, scene, at)
}

/** Returns the field of a planned image; `undefined` if it has changed since. */
export function unchangedTarget(
  { at, was }: Pick<PlannedImage, 'at' | 'was'>,
  scene: ImageScene,
): Target | undefined {
  const target = targetAt(at, scene)
  return target?.was === was ? target : undefined
}

/** Returns the image field of a block itself: the named one, or the usual one. */
export function ownTarget(
  { slug: pageSlug }: Pick<Page, 'slug'>,
  block: Block,
  scene: ImageScene,
  name?: string,
): Target | undefined {
  const image = imageIn(fieldsOf(block, scene), name)
  if (!image) return undefined
  const { field } = image
  const { id: blockId, type, props } = block
  const address = ownValue(props, field)
  return {
    at: { kind: 'block', pageSlug, blockId, field },
    type,
    props,
    around: props,
    address,
    was: digestOf(address),
    setTo: (found) => ({ op: 'update_props', pageSlug, blockId, patch: image.patch(found) }),
  }
}

/** Returns the image field of a row. */
export function rowTarget(
  { slug: pageSlug }: Page,
  block: Block,
  scene: ImageScene,
  place: { readonly listKey: string; readonly index: number; readonly field?: string | undefined },
): Target | undefined {
  const { listKey, index } = place
  const list = ownValue(fieldsOf(block, scene), listKey)
  const rows = ownValue(block.props, listKey)
  const props = Array.isArray(rows) ? rows[index] : undefined
  if (!list || !isDeclaredList(list) || !isPlainObject(props)) return undefined
  const image = imageIn(effectiveItemFields(list, props), place.field)
  if (!image) return undefined
  const { field } = image
  const { id: blockId, type } = block
  return {
    at: { kind: 'row', pageSlug, blockId, listKey, index, field },
    type,
    props,
    around: block.props,
    address: ownValue(props, field),
    was: digestOf(props),
    setTo: (found) => ({ op: 'update_item', pageSlug, blockId, listKey, index, patch: image.patch(found) }),
  }
}

/** Returns the field of the link preview image of a page. */
export function pageTarget({ slug: pageSlug, title, meta = {} }: Page): Target {
  const { ogImage: address } = meta
  const props = { title: meta.title, heading: title, description: meta.description }
  return {
    at: { kind: 'page', pageSlug },
    type: pageSlug,
    props,
    around: props,
    address,
    was: digestOf(address),
    setTo: (found) => ({ op: 'update_page_meta', pageSlug, patch: { ogImage: found.address } }),
  }
}

/** Returns the field of the site logo, which the header shows. */
export function siteTarget({ name = '', logo: address }: SiteConfig): Target {
  const props = { title: `${name} logo` }
  return {
    at: { kind: 'site' },
    type: 'SiteHeader',
    props,
    around: props,
    address,
    was: digestOf(address),
    setTo: (found) => ({ op: 'update_site_config', patch: { logo: found.address } }),
  }
}

const fieldsOf = ({ type }: Block, scene: ImageScene): Fields => declaredType(type, scene)?.fields ?? {}

/** Finds an image field of a block or row, and its patch; `undefined` if there is none (of that name). */
function imageIn(fields: Fields, wanted?: string) {
  const namesOf = (kind: FieldKind): readonly string[] =>
    Object.keys(fields).filter((name) => fields[name]?.kind === kind && !fields[name].internal)
  const names = namesOf('image')
  const usual = names.find((name) => name === 'imageUrl' || name === 'src') ?? names[0]
  const field = wanted === undefined ? usual : names.find((name) => name === wanted)
  if (field === undefined) return undefined
  const stem = field.replace(/Url$/, '')
  const described = namesOf('imageAlt')
  const text = described.find((name) => name.startsWith(stem)) ?? described[0]
  const whose = [`${stem}Credit`, 'credit'].find((name) => namesOf('text').includes(name))
  return {
    field,
    patch: ({ address, alt, credit }: FoundImage): Props => ({
      [field]: address,
      ...(alt !== undefined && text !== undefined && { [text]: alt }),
      ...(whose !== undefined && { [whose]: credit?.name ?? '' }),
    }),
  }
}

/** A digest, equal for equal values, so that values need not be stored. */
const digestOf = (value: unknown): string => hash('sha256', stableJson(value ?? null)).slice(0, 16)
