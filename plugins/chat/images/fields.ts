import { hash } from 'node:crypto'
import type { ImageScene, PlannedImage } from '../port.ts'
import type { FoundImage } from '../../media/port.ts'
import { declaredType } from '../../content/registry.ts'
import { effectiveItemFields, isDeclaredList } from '../../content/fields.ts'
import type { Block, FieldKind, Fields, Page, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import { stableJson } from '../../models/port.ts'

/** A field that receives a new image. */
export interface ImageField {
  readonly at: PlannedImage['at']
  /** Its owner: a block type, or the slug of a page. */
  readonly type: string
  readonly address: unknown
  /** A digest of the address, or of the complete row (rows are found by index), to notice changes. */
  readonly was: string
  /** Returns the operation that sets the image, and description and credit if there are fields for them. */
  setTo(image: FoundImage): Operation
}

/** A place whose image field may be left to the contract of the block. */
type ImagePlace =
  | Extract<PlannedImage['at'], { kind: 'page' | 'site' }>
  | {
      readonly kind: 'block' | 'row'
      readonly pageSlug: string
      readonly blockId: string
      readonly listKey?: string | undefined
      readonly index?: number | undefined
      readonly field?: string | undefined
    }

/** Returns the field at a place; `undefined` if there is none, or it is not for an image. */
export function fieldAt(at: ImagePlace, scene: ImageScene): ImageField | undefined {
  const { pages, config } = scene.draft
  if (at.kind === 'site') {
    const setTo = ({ address }: FoundImage): Operation => ({
      op: 'update_site_config',
      patch: { logo: address },
    })
    return { at, type: 'SiteHeader', address: config.logo, was: digestOf(config.logo), setTo }
  }
  const { pageSlug } = at
  const page = pages.find(({ slug }) => slug === pageSlug)
  if (!page) return undefined
  if (at.kind === 'page') {
    const address = page.meta?.ogImage
    const setTo = (found: FoundImage): Operation => ({
      op: 'update_page_meta',
      pageSlug,
      patch: { ogImage: found.address },
    })
    return { at, type: pageSlug, address, was: digestOf(address), setTo }
  }
  const block = page.blocks.find(({ id }) => id === at.blockId)
  if (!block) return undefined
  return at.kind === 'block' ? blockField(page, block, scene, at.field) : rowField(page, block, scene, at)
}

/** Returns the field of a planned image; `undefined` if it has changed since. */
export function unchangedField(
  { at, was }: Pick<PlannedImage, 'at' | 'was'>,
  scene: ImageScene,
): ImageField | undefined {
  const field = fieldAt(at, scene)
  return field?.was === was ? field : undefined
}

/** Returns the image field of a block itself: the named one, or the usual one. */
export function blockField(
  { slug: pageSlug }: Pick<Page, 'slug'>,
  { id: blockId, type, props }: Block,
  scene: ImageScene,
  name?: string,
): ImageField | undefined {
  const image = imageIn(declaredType(type, scene)?.fields ?? {}, name)
  if (!image) return undefined
  const { field } = image
  const address = ownValue(props, field)
  return {
    at: { kind: 'block', pageSlug, blockId, field },
    type,
    address,
    was: digestOf(address),
    setTo: (found) => ({ op: 'update_props', pageSlug, blockId, patch: image.patch(found) }),
  }
}

/** Returns the image field of a row. */
function rowField(
  { slug: pageSlug }: Page,
  { id: blockId, type, props }: Block,
  scene: ImageScene,
  { listKey = '', index = -1, field: name }: Exclude<ImagePlace, { kind: 'page' | 'site' }>,
): ImageField | undefined {
  const list = ownValue(declaredType(type, scene)?.fields ?? {}, listKey)
  const rows = ownValue(props, listKey)
  const row: unknown = Array.isArray(rows) ? rows[index] : undefined
  if (!list || !isDeclaredList(list) || !isPlainObject(row)) return undefined
  const image = imageIn(effectiveItemFields(list, row), name)
  if (!image) return undefined
  const { field } = image
  return {
    at: { kind: 'row', pageSlug, blockId, listKey, index, field },
    type,
    address: ownValue(row, field),
    was: digestOf(row),
    setTo: (found) => ({ op: 'update_item', pageSlug, blockId, listKey, index, patch: image.patch(found) }),
  }
}

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
