/** Drafts, and block types that a site declares, for tests of content. */
import { generateManifest, parseManifest } from '../../plugins/content/manifest.ts'
import type {
  Block,
  Draft,
  DraftChange,
  Manifest,
  Page,
  Reads,
  SiteConfig,
} from '../../plugins/content/model.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'

/** A block type with a polymorphic list, a reference in a row, a reference next to it and an internal prop. */
export const teamWall = {
  type: 'TeamWall',
  displayName: 'Team wall',
  propsSchema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      office: {},
      _rev: { type: 'string' },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kind: { type: 'string' },
            name: { type: 'string' },
            text: { type: 'string' },
            profile: {},
          },
        },
      },
    },
    required: ['title'],
  },
  defaultProps: { title: 'Who we are', rows: [] },
  fields: {
    title: { kind: 'text', label: 'Title', required: true, localized: true },
    office: { kind: 'reference', label: 'Office', referenceLabelKey: 'name', panelOnly: true },
    _rev: { kind: 'text', internal: true },
    rows: {
      kind: 'list',
      label: 'Wall',
      itemFields: { kind: { kind: 'text', label: 'Row type', required: true } },
      discriminator: 'kind',
      itemFieldsByType: {
        person: { name: { kind: 'text', label: 'Name' }, profile: { kind: 'reference', label: 'Profile' } },
        note: { text: { kind: 'text', label: 'Text', multiline: true } },
      },
    },
  },
}

/** A block type with kinds that no built-in has, a list inside a list, rows with ids of their own, and limits. */
export const article = {
  type: 'Article',
  displayName: 'Article',
  propsSchema: {
    type: 'object',
    properties: {
      heading: { type: 'string', minLength: 1, maxLength: 60 },
      body: {},
      teaser: { type: 'string' },
      more: { type: 'object' },
      tone: { type: ['string', 'null'] },
      photos: { type: 'array', items: { type: 'string' } },
      sources: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, url: { type: 'string' } },
          additionalProperties: false,
        },
      },
      chapters: {
        type: 'array',
        maxItems: 4,
        items: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            notes: {
              type: 'array',
              items: { type: 'object', properties: { text: { type: 'string' }, source: {} } },
            },
          },
        },
      },
    },
    required: ['heading'],
  },
  fields: {
    heading: { kind: 'text', required: true },
    body: { kind: 'richtext' },
    teaser: { kind: 'html' },
    more: { kind: 'link' },
    tone: { kind: 'text' },
    photos: { kind: 'imageList' },
    sources: { kind: 'list', itemFields: { id: { kind: 'text' }, url: { kind: 'url' } } },
    chapters: {
      kind: 'list',
      itemFields: {
        title: { kind: 'text' },
        notes: { kind: 'list', itemFields: { text: { kind: 'text' }, source: { kind: 'reference' } } },
      },
    },
  },
}

/** A manifest with the built-in types as they are generated, and the two above. */
export const siteManifest: Manifest = manifestOf([
  ...generateManifest(builtinRegistry).blocks,
  teamWall,
  article,
])

/** Reads a manifest from its entries. */
export function manifestOf(blocks: readonly unknown[]): Manifest {
  const verdict = parseManifest({ version: 1, blocks }, builtinRegistry)
  if (!verdict.ok) throw new Error(`${verdict.path}: ${verdict.problem}`)
  if (!verdict.manifest) throw new Error('the manifest has no blocks')
  return verdict.manifest
}

/** A page with some blocks; id and title follow from the slug. */
export function pageOf(slug: string, blocks: readonly Block[] = [], more: Partial<Page> = {}): Page {
  const id = slug === '/' ? 'p_home' : `p_${slug.slice(1).replaceAll(/\W+/g, '_')}`
  return {
    id,
    slug,
    title: slug === '/' ? 'Home' : slug.slice(1),
    updatedAt: '2026-01-01T00:00:00.000Z',
    blocks,
    ...more,
  }
}

/** A draft with these pages in this order. */
export function draftOf(pages: readonly Page[], config: SiteConfig = {}): Draft {
  const bySlug = new Map(pages.map((page) => [page.slug, page]))
  const ids = new Set(pages.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  return {
    order: [...bySlug.keys()],
    page: (slug) => bySlug.get(slug),
    config,
    hasBlockId: (id) => ids.has(id),
    hasPageId: (id) => pages.some((page) => page.id === id),
  }
}

/** The same draft, which throws on any read that was not announced. */
export function guarded(draft: Draft, reads: Reads): Draft {
  const refuse = (what: string): never => {
    throw new Error(`${what} was read without being announced`)
  }
  return {
    get order() {
      return reads.order ? draft.order : refuse('the order')
    },
    page: (slug) =>
      reads.pages === 'all' || reads.pages.has(slug) ? draft.page(slug) : refuse(`page ${slug}`),
    get config() {
      return reads.config ? draft.config : refuse('the site config')
    },
    hasBlockId: (id) => (reads.blockIds ? draft.hasBlockId(id) : refuse('a block id')),
    hasPageId: (id) => (reads.pageIds ? draft.hasPageId(id) : refuse('a page id')),
  }
}

/** The pages of a draft, in stored order. */
export function pagesOf(draft: Draft): readonly Page[] {
  return draft.order.map((slug) => draft.page(slug)).filter((page) => page !== undefined)
}

/** The draft after a change. Block ids that are gone count as used, as they do within one batch. */
export function changed(
  draft: Draft,
  { pages, order = draft.order, config = draft.config }: DraftChange,
): Draft {
  const now = order
    .map((slug) => (pages.has(slug) ? pages.get(slug)?.after : draft.page(slug)))
    .filter((page) => page !== undefined)
  const after = draftOf(now, config)
  return { ...after, hasBlockId: (id) => after.hasBlockId(id) || draft.hasBlockId(id) }
}

/** The content of a draft for comparison, without timestamps. */
export function contentOf(draft: Draft): unknown {
  const pages = pagesOf(draft).map(({ updatedAt: _stamp, ...page }) => page)
  return structuredClone({ pages, config: draft.config })
}
