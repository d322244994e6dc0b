import { imagePlaceholder } from './fields.ts'
import { withRowIds } from './items.ts'
import type { Block, AvailableTypes, Page, Props } from './model.ts'
import { ownValue } from './plain-object.ts'

/**
 * The last result of each page: pages are immutable, and those of a site are prepared at each comparison.
 * None for the page itself, which would stay in memory until the next full collection.
 */
const prepared = new WeakMap<Page, AvailableTypes & { readonly result: Page | undefined }>()

/**
 * Prepares a page for a draft: older blocks are repaired, and every row gets a key.
 *
 * This is not an edit: `updatedAt` stays, and an unchanged page is returned as the same object. The baseline
 * of a draft is prepared the same way, so repairs are not reported as changes.
 */
export function ingestPage(page: Page, { registry, manifest }: AvailableTypes): Page {
  const last = prepared.get(page)
  if (last?.registry === registry && last.manifest === manifest) return last.result ?? page
  const blocks = page.blocks.map((block) => ingestBlock(block, page.slug, { registry, manifest }))
  const isSame = blocks.every((block, index) => block === page.blocks[index])
  const result = isSame ? undefined : { ...page, blocks }
  prepared.set(page, { registry, manifest, result })
  return result ?? page
}

/** Fills props that renderers require and older blocks lack, unless the site does not declare them. */
function ingestBlock(block: Block, slug: string, { registry, manifest }: AvailableTypes): Block {
  const declared = manifest?.get(block.type)
  const isDeclared = (prop: string) => !declared || Object.hasOwn(declared.propsSchema.properties ?? {}, prop)
  const missing = Object.entries(ownValue(repairs, block.type)?.(block.props, slug) ?? {}).filter(([prop]) =>
    isDeclared(prop),
  )
  const repaired =
    missing.length === 0 ? block : { ...block, props: { ...block.props, ...Object.fromEntries(missing) } }
  const fields = (declared ?? registry.get(block.type))?.fields
  return fields ? withRowIds(repaired, fields) : repaired
}

const repairs: Readonly<Record<string, (props: Props, slug: string) => Props>> = {
  Hero: ({ imageUrl, imageAlt, carouselImages }, slug) => ({
    ...(isBlank(imageUrl) && isBlankList(carouselImages) && { imageUrl: imagePlaceholder }),
    ...(isBlank(imageAlt) && { imageAlt: genericAlt(slug) }),
  }),
  TwoColumn: ({ left, right, variant, heading, title, body, description, imageUrl, imageAlt }, slug) => ({
    ...(isBlankList(left) && {
      left: [
        { type: 'heading', text: firstText(heading, title) },
        { type: 'paragraph', text: firstText(body, description) },
      ],
    }),
    ...(isBlankList(right) && {
      right: [
        {
          type: 'image',
          src: firstText(imageUrl) || imagePlaceholder,
          alt: firstText(imageAlt) || genericAlt(slug),
        },
      ],
    }),
    ...(variant !== undefined && variant !== 'default' && variant !== 'accent' && { variant: 'default' }),
  }),
}

const genericAlt = (slug: string) =>
  slug === '/pricing' ? 'Illustration of our prices' : 'Illustration for this page'

const firstText = (...values: readonly unknown[]) =>
  values.find((value) => typeof value === 'string' && value !== '') ?? ''

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const isBlankList = (value: unknown) => !Array.isArray(value) || value.length === 0
