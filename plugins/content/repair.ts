import { imagePlaceholder } from './field-kinds.ts'
import type { Block, Props } from './model.ts'
import { ownValue } from './plain-object.ts'

/**
 * Fills what older versions of a block left out and renderers cannot do without.
 *
 * `declared` tells which props the site declares for the type; props that it does not declare are left alone.
 * The block itself comes back when nothing is missing.
 */
export function repairedBlock(block: Block, slug: string, declared: (prop: string) => boolean): Block {
  const missing = ownValue(repairs, block.type)?.(block.props, slug)
  const wanted = Object.entries(missing ?? {}).filter(([prop]) => declared(prop))
  return wanted.length === 0 ? block : { ...block, props: { ...block.props, ...Object.fromEntries(wanted) } }
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
