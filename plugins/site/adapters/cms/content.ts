import { isDeepStrictEqual } from 'node:util'
import type { ContentAdapter } from '../../../content/adapter.ts'
import { toBaseline } from '../../../content/baseline.ts'
import { assetProblem, writeAssets } from '../../publish/assets.ts'
import { inTurn } from '../../files/queue.ts'
import type { PublishHandler } from '../../port.ts'

/** What a CMS keeps of a site: a page, or under the key `site-config` its settings. All are of one type, `editorDocument`. */
export interface CmsDocument {
  /** `page:` and the slug, or `site-config`. */
  readonly key: string
  /** For people who look for it in the CMS. */
  readonly title: string
  /** Where the page stands among the others. */
  readonly position: number
  /** The complete page or settings. */
  readonly document: unknown
}

/** A document under the id that its CMS gave it. */
export interface CmsRecord extends CmsDocument {
  readonly id: string
}

/** What a publish changes. */
export interface CmsChanges {
  readonly created: readonly CmsDocument[]
  readonly updated: readonly CmsRecord[]
  readonly removed: readonly CmsRecord[]
}

/** A CMS, as far as a site needs it. Both reject with an Error whose sentence says what would help. */
export interface Cms {
  readonly name: string
  read(): Promise<readonly CmsRecord[]>
  write(changes: CmsChanges): Promise<void>
}

export interface CmsContentOptions {
  /** Where images that travel with a publish are written; `public/generated-images` without it. */
  readonly assetsDir?: string
  /** What sends requests, for frameworks whose `fetch` caches; the `fetch` of the platform without it. */
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>
}

/** The content of a site that lies in a CMS: how it is read, and how it is published. */
export interface CmsContent {
  readonly adapter: ContentAdapter
  readonly publish: PublishHandler
}

const configKey = 'site-config'
export const documentType = 'editorDocument'

/**
 * Makes the content of a site out of the documents of a CMS. A publish writes what differs from what the CMS has, one after
 * the other, and removes last, so that a failure in the middle loses nothing.
 */
export function cmsContent(cms: Cms, { assetsDir = 'public/generated-images' }: CmsContentOptions): CmsContent {
  return {
    adapter: { readContent: async () => contentOf(await cms.read(), cms.name) },
    publish: ({ pages, siteConfig, assets = {} }) => inTurn(cms, async () => {
      const problem = assetProblem(assets)
      if (problem !== undefined) return { ok: false, slugs: [], error: 'asset_refused', reason: problem }
      const wanted: readonly CmsDocument[] = [
        ...pages.map((page, position) => ({ key: `page:${page.slug}`, title: page.title, position, document: page })),
        ...(siteConfig ? [{ key: configKey, title: 'Site settings', position: -1, document: siteConfig }] : []),
      ]
      try {
        const before = await cms.read()
        await writeAssets(assetsDir, assets)
        await cms.write(changesOf(before, wanted))
        return { ok: true, slugs: pages.map(({ slug }) => slug) }
      } catch (error) {
        return { ok: false, slugs: [], error: 'write_failed', reason: error instanceof Error ? error.message : String(error) }
      }
    }),
  }
}

function contentOf(records: readonly CmsRecord[], name: string) {
  const pages = records.filter(({ key }) => key.startsWith('page:')).toSorted((a, b) => a.position - b.position).map(({ document }) => document)
  const config = records.find(({ key }) => key === configKey)?.document
  try {
    return toBaseline({ pages, ...(config !== undefined && { siteConfig: config }) }) ?? { pages: [] }
  } catch (error) {
    throw new Error(`The documents in ${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function changesOf(before: readonly CmsRecord[], wanted: readonly CmsDocument[]): CmsChanges {
  const known = new Map(before.map((record) => [record.key, record]))
  const isSame = ({ title, position, document }: CmsRecord, wanted: CmsDocument): boolean =>
    title === wanted.title && position === wanted.position && isDeepStrictEqual(document, toJson(wanted.document))
  const kept = new Set(wanted.map(({ key }) => key))
  return {
    created: wanted.filter(({ key }) => !known.has(key)),
    updated: wanted.flatMap((document) => {
      const record = known.get(document.key)
      return record && !isSame(record, document) ? [{ ...document, id: record.id }] : []
    }),
    // Settings that are not part of a publish stay, and so do documents that are not pages of ours.
    removed: before.filter(({ key }) => key.startsWith('page:') && !kept.has(key)),
  }
}

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
