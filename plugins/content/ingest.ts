import { imagePlaceholder } from './fields.ts'
import { withRowIds } from './items.ts'
import type { Block, KnownTypes, Page, Props } from './model.ts'
import { ownValue } from './plain-object.ts'

/**
 * Makes a page ready for a draft: older blocks are repaired, and every row gets a key.
 *
 * That is not an edit: `updatedAt` stays, and the page itself comes back when there is nothing to do. What a
 * draft is compared with goes through here too, so that none of this ever shows as a change.
 */
export function ingestPage(page: Page, known: KnownTypes): Page {
  const blocks = page.blocks.map((block) => ingestBlock(block, page.slug, known))
  return blocks.every((block, index) => block === page.blocks[index]) ? page : { ...page, blocks }
}

/** Fills what older versions of a block left out and renderers cannot do without, unless its site does not declare the prop. */
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
