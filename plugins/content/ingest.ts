import { imagePlaceholder } from './fields.ts'
import { withRowIds } from './items.ts'
import type { Block, KnownTypes, Page, Props } from './model.ts'
import { ownValue } from './plain-object.ts'

/**
 * Prepares a page for a draft: older blocks are repaired, and every row gets a key.
 *
 * That is not an edit: `updatedAt` stays, and an unchanged page is returned as the same object. What a
 * draft is compared with is prepared the same way, so that none of this is reported as a change.
 */
export function ingestPage(page: Page, known: KnownTypes): Page {
  const blocks = page.blocks.map((block) => ingestBlock(block, page.slug, known))
  return blocks.every((block, index) => block === page.blocks[index]) ? page : { ...page, blocks }
}

/** Fills props that renderers require and older versions of a block lack, unless its site does not declare them. */
function ingestBlock(block: Block, slug: string, { registry, manifest }: KnownTypes): Block {
  const declared = manifest?.get(block.type)
  const isDeclared = (prop: string) => !declared || Object.hasOwn(declared.propsSchema.properties ?? {}, prop)
  const missing = Object.entries(ownValue(repairs, block.type)?.(block.props, slug) ?? {}).filter(([prop]) => isDeclared(prop))
  const repaired = missing.length === 0 ? block : { ...block, props: { ...block.props, ...Object.fromEntries(missing) } }
  const fields = (declared ?? registry.get(block.type))?.fields
  return fields ? withRowIds(repaired, fields) : repaired
}

const repairs: Readonly<Record<string, (props: Props, slug: string) => Props>> = {
  Hero: ({ imageUrl, imageAlt, carouselImages }, slug) => ({
    ...(isBlank(imageUrl) && isBlankList(carouselImages) && { imageUrl: imagePlaceholder }),
    ...(isBlank(imageAlt) && { imageAlt: genericAlt(slug) }),
  }),
  TwoColumn: ({ left, right, variant, ...legacy }, slug) => ({
    ...(isBlankList(left) && { left: legacyText(legacy) }),
    ...(isBlankList(right) && { right: [legacyImage(legacy, slug)] }),
    ...(variant !== undefined && variant !== 'default' && variant !== 'accent' && { variant: 'default' }),
  }),
}

function legacyText({ heading, title, body, description }: Props): readonly Props[] {
  return [
    { type: 'heading', text: firstText(heading, title) },
    { type: 'paragraph', text: firstText(body, description) },
  ]
}

function legacyImage({ imageUrl, imageAlt }: Props, slug: string): Props {
  const src = firstText(imageUrl) || imagePlaceholder
  return { type: 'image', src, alt: firstText(imageAlt) || genericAlt(slug) }
}

const genericAlt = (slug: string) =>
  slug === '/pricing' ? 'Illustration of our prices' : 'Illustration for this page'

const firstText = (...values: readonly unknown[]) =>
  values.find((value) => typeof value === 'string' && value !== '') ?? ''

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const isBlankList = (value: unknown) => !Array.isArray(value) || value.length === 0
