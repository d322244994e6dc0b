import type * as v from 'valibot'
import { pace, paced } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { carryingOf } from '../content/carry.ts'
import { pageBytes } from '../content/page-bytes.ts'
import type { SiteConfig } from '../content/page.ts'
import type { Unreadable } from '../content/read-pages.ts'
import { headerToSend, redirectsOf, toListed } from '../content/redirects.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts, StoredPage } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { PublishContext } from './context.ts'
import { unknownPublication } from './refusals.ts'
import type { Content } from './schemas.ts'
import type { Snapshot } from './snapshots.ts'

/** Complete content, whose pages are read one by one. */
interface Complete {
  readonly siteConfig: SiteConfig | undefined
  /** Home first. */
  readonly slugs: readonly string[]
  readonly skipped: readonly Unreadable[]
  page(slug: string): Promise<Pick<StoredPage, 'page' | 'bytes'> | undefined> | undefined
}

export async function contentOfDraft(drafts: Drafts, id: DraftId): Promise<Complete> {
  // Fills an empty draft from its site.
  const siteConfig = await drafts.config(id)
  const slugs = homeFirst((await drafts.rows(id)).map(({ slug }) => slug))
  const { leftOut: skipped } = await drafts.head(id)
  return { siteConfig, slugs, skipped, page: (slug) => drafts.page(id, slug) }
}

/** Returns what a draft has published, or is about to. */
async function contentOfPublish(
  drafts: Pick<Drafts, 'head'>,
  { content, ...id }: Snapshot,
): Promise<Complete> {
  const pages = new Map(content.pages.map((page) => [page.slug, page]))
  const slugs = homeFirst([...pages.keys()])
  const { leftOut: skipped } = await drafts.head(id)
  return {
    siteConfig: content.siteConfig,
    slugs,
    skipped,
    async page(slug) {
      const page = pages.get(slug)
      return page && { page, bytes: pageBytes(page) }
    },
  }
}

/** The number of publishes among which one that is under way is searched. */
const searched = 50

/**
 * Returns what a build of the site gets: what the named publish sent, else what the newest publish of the
 * draft sent that is under way, else the draft itself. Refuses a publish whose content is not stored with 404
 * `not_found`.
 */
export async function contentOfBuild(context: PublishContext, id: DraftId, publication?: string) {
  const { snapshots, drafts, reader, clock } = context
  const sent =
    publication === undefined ? await underWay(context, id) : await snapshots.sentBy(id.siteId, publication)
  if (!sent && publication !== undefined) throw unknownPublication(publication)
  const { session } = sent ?? id
  const metadata = { session, generatedAt: clock.now().toISOString() }
  const { content: site } = await reader.read(sent ?? id, {})
  const content = await (sent ? contentOfPublish(drafts, sent) : contentOfDraft(drafts, id))
  return completeContent(content, metadata, site)
}

async function underWay(
  { snapshots, publishLog, status, clock, deploymentMs }: PublishContext,
  id: DraftId,
): Promise<Snapshot | undefined> {
  const isOver = ({ at }: { readonly at: string }): boolean =>
    clock.now().getTime() - Date.parse(at) >= deploymentMs
  // A process that ends while it publishes leaves it behind.
  const ahead = await snapshots.ahead(id)
  if (ahead && !isOver({ at: ahead.committedAt })) return ahead
  await status(id)
  const rows = await publishLog.list(id, searched)
  const newest = rows.findLast((row) => row.status !== 'failed')
  if (newest?.status !== 'triggered') return undefined
  // Only the newest publish is followed to its end.
  return newest === rows.at(-1) || !isOver(newest) ? snapshots.sentBy(id.siteId, newest.id) : undefined
}

type ContentFacts = Pick<v.InferOutput<typeof Content>, 'session' | 'generatedAt'>

/** The maximum size in bytes of an answer that is not streamed. */
const readAheadBytes = 4 * 1024 * 1024

/** Returns `Content` as UTF-8 JSON, with what its site carries; a large one is streamed as it is read. */
export async function completeContent(
  content: Complete,
  metadata: ContentFacts,
  site?: SiteContent,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const parts = jsonPartsOf(content, metadata, site)
  const ahead: Uint8Array[] = []
  let size = 0
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    ahead.push(part.value)
    size += part.value.byteLength
    if (size > readAheadBytes) return continued(ahead, parts)
  }
  return Buffer.concat(ahead)
}

async function* jsonPartsOf(
  { siteConfig, slugs, skipped, page: read }: Complete,
  metadata: ContentFacts,
  site?: SiteContent,
): AsyncGenerator<Uint8Array, void> {
  const listed = redirectsOf(siteConfig)
  const redirects = listed && toListed(listed, { before: site?.redirects ?? [], slugs })
  const head = { ...metadata, slugs, siteConfig: headerToSend(siteConfig) ?? {}, redirects }
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"pages":[`)
  const { after, stored } = carryingOf(slugs, site, skipped)
  let isFirst = true
  const separated = function* (entry: Uint8Array) {
    if (!isFirst) yield comma
    isFirst = false
    yield entry
  }
  const carried = async function* (at: number) {
    for await (const entry of paced(after(at))) yield* separated(toJson(entry))
  }
  yield* carried(-1)
  for (const [at, slug] of slugs.entries()) {
    const page = await read(slug)
    await pace()
    const entry = page && stored(page.page)
    if (page) yield* separated(entry === page.page ? page.bytes : toJson(entry))
    yield* carried(at)
  }
  yield Buffer.from(']}')
}

const comma = Buffer.from(',')
const toJson = (entry: unknown): Uint8Array => Buffer.from(JSON.stringify(entry))

async function* continued(
  ahead: readonly Uint8Array[],
  parts: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array> {
  yield* ahead
  yield* parts
}
