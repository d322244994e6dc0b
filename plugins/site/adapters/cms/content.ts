import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { ContentAdapter } from '../../../content/adapter.ts'
import { toBaseline } from '../../../content/baseline.ts'
import { Page } from '../../../content/page.ts'
import { readPage } from '../../../content/read-pages.ts'
import type { PublishHandler } from '../../port.ts'
import { storingHandler } from '../../publish/storing.ts'

/** A document in a CMS, of the type `editorDocument`: a page, or the site settings under `site-config`. */
export interface CmsDocument {
  /** `page:` and the slug, or `site-config`. */
  readonly key: string
  /** The title in the CMS. */
  readonly title: string
  /** The position of the page. */
  readonly position: number
  /** The complete page or settings. */
  readonly document: unknown
}

/** A document with its id in the CMS. */
export interface CmsRecord extends CmsDocument {
  readonly id: string
}

/** The functions of a CMS that a site needs. Both reject with an Error that names the remedy. */
interface Cms {
  readonly name: string
  read(): Promise<readonly CmsRecord[]>
  write(changes: ReturnType<typeof changesOf>): Promise<void>
}

export interface CmsContentOptions {
  /** The folder for images of a publish; `public/generated-images` by default. */
  readonly assetsDir?: string
  /** Sends requests, for frameworks with a caching `fetch`; the `fetch` of the platform by default. */
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>
}

/** The content of a site in a CMS: its adapter and its publish handler. */
export interface CmsContent {
  readonly adapter: ContentAdapter
  readonly publish: PublishHandler
}

const configKey = 'site-config'
export const documentType = 'editorDocument'

/**
 * Maps the documents of a CMS to the content of a site. A publish writes differences one by one, removals
 * last: a failure in the middle loses nothing.
 */
export function cmsContent(
  cms: Cms,
  { assetsDir = 'public/generated-images' }: CmsContentOptions,
): CmsContent {
  return {
    adapter: { readContent: async () => contentOf(await cms.read(), cms.name) },
    publish: storingHandler({
      source: cms,
      assetsDir,
      async store({ pages, siteConfig }) {
        const before = await cms.read()
        const asBefore = entriesIn(before)
        const wanted = pages.map((document, position): CmsDocument => ({
          ...(asBefore(document) ?? { key: `page:${document.slug}`, title: document.title }),
          position,
          document,
        }))
        const settings = { key: configKey, title: 'Site settings', position: -1, document: siteConfig }
        if (siteConfig) wanted.push(settings)
        await cms.write(changesOf(before, wanted))
        return []
      },
    }),
  }
}

/** Creates a function that finds the key and title of a document that stays as it is, though it is no page. */
function entriesIn(records: readonly CmsRecord[]) {
  const seen = new Set<string>()
  return (entry: unknown): Pick<CmsDocument, 'key' | 'title'> | undefined => {
    const read = readPage(entry, 0)
    const isFirst = 'page' in read && !seen.has(read.page.slug)
    if (isFirst) seen.add(read.page.slug)
    if (isFirst && v.is(Page, entry)) return undefined
    const found = records.find(({ document }) => isDeepStrictEqual(document, entry))
    return found && { key: found.key, title: found.title }
  }
}

function contentOf(records: readonly CmsRecord[], name: string) {
  const pages = records
    .filter(({ key }) => key.startsWith('page:'))
    .toSorted((a, b) => a.position - b.position)
    .map(({ document }) => document)
  const siteConfig = records.find(({ key }) => key === configKey)?.document
  try {
    return toBaseline({ pages, siteConfig }) ?? { pages: [] }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The documents in ${name} cannot be used: ${why}`, { cause: error })
  }
}

function changesOf(before: readonly CmsRecord[], wanted: readonly CmsDocument[]) {
  const byKey = new Map(before.map((record) => [record.key, record]))
  const isSame = ({ title, position, document }: CmsRecord, wanted: CmsDocument): boolean =>
    title === wanted.title &&
    position === wanted.position &&
    isDeepStrictEqual(document, JSON.parse(JSON.stringify(wanted.document)))
  const wantedKeys = new Set(wanted.map(({ key }) => key))
  return {
    created: wanted.filter(({ key }) => !byKey.has(key)),
    updated: wanted.flatMap((document) => {
      const record = byKey.get(document.key)
      return record && !isSame(record, document) ? [{ ...document, id: record.id }] : []
    }),
    // Settings that are not part of a publish are kept, and so are documents that are not pages of ours.
    removed: before.filter(({ key }) => key.startsWith('page:') && !wantedKeys.has(key)),
  }
}
