import { isDeepStrictEqual } from 'node:util'
import type { ContentAdapter } from '../../../content/adapter.ts'
import { withoutEntries } from '../../../content/carry.ts'
import { parseExactly } from '../../../content/numbers.ts'
import { readPage } from '../../../content/read-pages.ts'
import type { PublishHandler, Publication, PublishContext } from '../../port.ts'
import { storingHandler } from '../../publish/storing.ts'
import {
  configKey,
  pagePrefix,
  readEntries,
  type CmsEntry,
  type CmsRecord,
  type ReadEntries,
} from './entries.ts'
import { positionsOf } from './positions.ts'

/**
 * A document to write to a CMS, of the type `editorDocument`: a page, or the site settings under
 * `site-config`.
 */
export interface CmsDocument {
  /** `page:` and the slug, or `site-config`. */
  readonly key: string
  /** The title in the CMS. */
  readonly title: string
  /** The position of the page; `undefined` stays as it is in the CMS. */
  readonly position: number | undefined
  /** The complete page or settings. */
  readonly document: unknown
}

/** What a publish changes in a CMS. */
interface CmsChanges {
  readonly created: readonly CmsDocument[]
  readonly updated: readonly (CmsDocument & { readonly id: string })[]
  readonly removed: readonly { readonly id: string }[]
}

/** The functions of a CMS that a site needs. Both reject with an Error that names the remedy. */
interface Cms {
  readonly name: string
  /** Resolves with all entries as they came: `readEntries` is what reads them. */
  read(): Promise<readonly CmsEntry[]>
  write(changes: CmsChanges): Promise<void>
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

/** Caches of a CMS have a publish within seconds. */
const readAgainAfterMs = [250, 750, 1_500, 3_000]
export const documentType = 'editorDocument'

/**
 * Maps the entries of a CMS to the content of a site. A publish writes differences one by one, removals last:
 * a failure in the middle loses nothing. It never writes an entry that cannot be read, and deletes one by its
 * name only.
 */
export function cmsContent(
  cms: Cms,
  { assetsDir = 'public/generated-images' }: CmsContentOptions,
): CmsContent {
  const readAll = async () => readEntries(await cms.read())
  const readContent = async () => (await readAll()).content
  return {
    adapter: { readContent },
    publish: storingHandler({
      source: cms,
      assetsDir,
      read: readContent,
      waitsMs: readAgainAfterMs,
      async store(publication, { remove }) {
        const { changes, notes } = changesOf(await readAll(), { ...publication, remove }, cms.name)
        await cms.write(changes)
        return notes
      },
    }),
  }
}

function changesOf(
  before: ReadEntries,
  { pages, siteConfig, remove }: Publication & Pick<PublishContext, 'remove'>,
  name: string,
): { readonly changes: CmsChanges; readonly notes: readonly string[] } {
  const wanted = usableIn(pages)
  const { removed } = withoutEntries(before.content, remove)
  const gone = new Set(removed.flatMap((each) => before.unreadable.get(each)?.id || []))
  const blocked = [...before.unreadable].filter(([, { id }]) => !gone.has(id))
  const order = [...before.pages.keys()]
  const positions = positionsOf(
    [...wanted.keys()].map((slug) => ({
      position: before.pages.get(slug)?.position,
      place: order.indexOf(slug),
    })),
  )
  const created: CmsDocument[] = []
  const updated: (CmsDocument & { readonly id: string })[] = []
  for (const [at, [slug, { title, document }]] of [...wanted].entries()) {
    const own = { key: `${pagePrefix}${slug}`, title, position: positions[at], document }
    const record = before.pages.get(slug)
    const inWay = blocked.find(([, { key }]) => key === own.key && key !== record?.key)
    if (inWay) throw new Error(inTheWay(name, inWay[0]))
    if (!record) created.push(own)
    else if (!isSame(record, own)) updated.push({ ...own, id: record.id })
  }
  const areUnread = blocked.some(([, { key }]) => key === configKey)
  if (siteConfig && !areUnread) {
    const own = { key: configKey, title: 'Site settings', position: -1, document: siteConfig }
    const { settings } = before
    if (!settings) created.push(own)
    else if (!isSame(settings, { ...own, position: settings.position }))
      updated.push({ ...own, id: settings.id })
  }
  // Settings that are not part of a publish stay, and so do documents that are not pages of ours.
  const left = [...before.pages].flatMap(([slug, { id }]) => (wanted.has(slug) ? [] : [{ id }]))
  return {
    changes: { created, updated, removed: [...left, ...[...gone].map((id) => ({ id }))] },
    notes: siteConfig && areUnread ? [settingsNotStored(name)] : [],
  }
}

/** Returns the pages of a publication by slug: it has carried entries as well, which are not written. */
function usableIn(entries: Publication['pages']) {
  const pages = new Map<string, { readonly title: string; readonly document: unknown }>()
  for (const document of entries) {
    const read = readPage(document, 0)
    if (!('page' in read) || pages.has(read.page.slug)) continue
    pages.set(read.page.slug, { title: read.page.title, document })
  }
  return pages
}

/** Whether an entry is as it is to be; its title is for people, and written with the document only. */
const isSame = ({ position, document }: CmsRecord, wanted: CmsDocument): boolean =>
  position === wanted.position && isDeepStrictEqual(document, parseExactly(JSON.stringify(wanted.document)))

const inTheWay = (name: string, { slug, reason }: { readonly slug: string; readonly reason: string }) =>
  `${name} has an entry for ${slug} that cannot be read: ${reason}. Correct it in ${name}, or give the page another slug.`

const settingsNotStored = (name: string): string =>
  `The site settings were not stored, because their entry in ${name} cannot be read. Correct it there, and publish again.`
