import { violations } from '../../../content/check-props.ts'
import { parseManifest } from '../../../content/manifest.ts'
import type { BlockType, Manifest } from '../../../content/model.ts'
import type { Block, Page, Props } from '../../../content/page.ts'
import { ownValue, picked } from '../../../content/plain-object.ts'
import { builtinRegistry } from '../../../content/registry.ts'
import { canonicalSlug, titleFromSlug } from '../../../content/slugs.ts'
import type { SiteRun } from '../run/site-run.ts'

/** A page proposed by a model. */
interface Proposed {
  readonly slug: string
  readonly title?: string | undefined
  readonly blocks: readonly { readonly type: string; readonly props: Props }[]
  readonly meta?: Page['meta']
}

/** Prop names used by models, with the props of our blocks to try in order. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  title: ['heading'],
  headline: ['heading', 'title'],
  heading: ['title'],
  subtitle: ['subheading'],
  description: ['subheading', 'body'],
  text: ['body'],
  content: ['body'],
  buttonText: ['ctaText'],
  buttonLabel: ['ctaText'],
  buttonHref: ['ctaHref'],
  buttonUrl: ['ctaHref'],
  buttonLink: ['ctaHref'],
  link: ['ctaHref'],
  href: ['ctaHref'],
  image: ['imageUrl'],
  src: ['imageUrl'],
  alt: ['imageAlt'],
  items: ['cards', 'features', 'images', 'faqs', 'testimonials', 'stats'],
}

/** Converts proposals to pages: drops headers, repeats the first footer, and reports invalid blocks. */
export function toPages(proposed: readonly Proposed[], now: Date, own: Manifest = builtinRegistry) {
  const invalid: (Readonly<Record<'slug' | 'type' | 'reason', string>> & { readonly index: number })[] = []
  const footer = proposed.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'Footer')
  const pages = proposed.flatMap(({ slug: given, title, blocks, meta }): Page[] => {
    const slug = canonicalSlug(given)
    if (slug === undefined) {
      invalid.push({ slug: given, index: -1, type: 'page', reason: 'the slug is invalid' })
      return []
    }
    const name =
      slug === '/'
        ? 'home'
        : slug
            .slice(1)
            .replaceAll(/[^a-z0-9]+/gi, '_')
            .toLowerCase()
    const wanted = [
      ...blocks.filter(({ type }) => type !== 'SiteHeader' && type !== 'Header' && type !== 'Footer'),
      ...(footer ? [footer] : []),
    ]
    const made = wanted.flatMap(({ type, props }, index): Block[] => {
      const blockType = own.get(type) ?? builtinRegistry.get(type)
      const filled = blockType && complete(blockType, props)
      const [problem] = filled ? violations(blockType.propsSchema, filled, '') : []
      if (filled && !problem)
        return [{ id: `b_${type.toLowerCase()}_${name}_${index + 1}`, type, props: filled }]
      const types = own
        .types()
        .map((each) => each.type)
        .join(', ')
      invalid.push({
        slug,
        index,
        type,
        reason: problem
          ? `${problem.path} ${problem.message}`
          : `unknown block type; available types: ${types}`,
      })
      return []
    })
    return [
      {
        id: `p_${name}`,
        slug,
        title: title?.trim() || titleFromSlug(slug),
        updatedAt: now.toISOString(),
        blocks: made,
        ...(meta && { meta }),
      },
    ]
  })
  return { pages, invalid }
}

/** Renames props to those of their type, with defaults for missing required ones. */
function complete({ propsSchema, starter }: BlockType, given: Props): Props {
  const { properties = {}, required = [] } = propsSchema
  const isDeclared = (name: string): boolean => Object.hasOwn(properties, name)
  const named = picked(given, (_, name) => isDeclared(name))
  for (const [name, value] of Object.entries(given)) {
    const others = isDeclared(name) ? [] : (ownValue(aliases, name) ?? [])
    const meant = others.find((each) => isDeclared(each) && !Object.hasOwn(named, each))
    if (meant !== undefined) named[meant] = value
  }
  // Sample rows never become content of a site.
  return { ...picked(starter(), (value, name) => required.includes(name) && !Array.isArray(value)), ...named }
}

const limits = { maxBytes: 2 * 1024 * 1024, timeoutMs: 30_000, followsRedirects: false } as const

/** Reads the block types of a site from its running development server; `undefined` if there are none. */
export async function ownTypes(run: SiteRun, siteId: string): Promise<Manifest | undefined> {
  const { signal, servers, outbound } = run
  const url = servers.running().find((server) => server.siteId === siteId)?.url
  if (url === undefined) return undefined
  try {
    const request = { ...limits, allowOrigins: [url], signal }
    const answer = await outbound.fetch(`${url}/api/editor/blocks`, request)
    const verdict = answer.status === 200 ? parseManifest(answer.json(), builtinRegistry) : undefined
    return verdict?.ok ? verdict.manifest : undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
