import { applyDelta, pageDelta, type PageDelta } from '../content/delta.ts'
import type { PageChange } from '../content/model.ts'
import { homeFirst } from '../content/slugs.ts'
import { touchedPaths } from '../content/touched-paths.ts'
import {
  metadataOf,
  type ChangedParts,
  type LoggedChange,
  type PageRecord,
  type StoredChange,
} from './collections.ts'
import type { ChangedPages, ChangeSet } from './change-set.ts'
import { configRecords, withSettings } from './config-records.ts'
import type { DraftTransaction } from './transaction.ts'

/** Merges a step of a run with the previous step: one record that reverts both, and one log entry. */
export async function mergedStep(
  draft: DraftTransaction,
  earlier: StoredChange,
  { body, metadata }: LoggedChange,
  changeSet: Pick<ChangeSet, 'pages' | 'config' | 'siteConfig'>,
): Promise<LoggedChange> {
  const before = metadataOf(earlier)
  const settings = { ...changeSet.siteConfig, ...(await draft.config()) }
  const formerConfig = withSettings(settings, earlier.body.config, 'before')
  const touched = joinedParts(before, metadata)
  const { slugs, removed, config, renamed } = metadata
  return {
    body: {
      ...body,
      pages: joinedPages(earlier.body.pages, body.pages, changeSet.pages),
      config: configRecords(formerConfig, changeSet.config ?? settings),
      moves: [...(earlier.body.moves ?? []), ...(body.moves ?? [])],
    },
    metadata: {
      ...metadata,
      ...touched,
      slug: touched.removed?.includes(before.slug) ? metadata.slug : before.slug,
      opTypes: [...new Set([...before.opTypes, ...metadata.opTypes])],
      opCount: before.opCount + metadata.opCount,
      step: { slugs, ...(removed && { removed }), ...(config && { config }), ...(renamed && { renamed }) },
    },
  }
}

/** Returns the rest of a record that was merged into another: the facts for events. */
export function remainderOf(earlier: StoredChange): LoggedChange {
  return {
    body: { pages: [], config: [], run: earlier.body.run },
    metadata: { ...metadataOf(earlier), isExtended: true },
  }
}

function joinedParts(earlier: ChangedParts, later: ChangedParts): ChangedParts {
  const removed = [
    ...(earlier.removed ?? []).filter((slug) => !later.slugs.includes(slug)),
    ...(later.removed ?? []),
  ]
  const slugs = new Set([...earlier.slugs, ...later.slugs])
  for (const slug of removed) slugs.delete(slug)
  const config = earlier.config ?? later.config
  const renamed = [...(earlier.renamed ?? []), ...(later.renamed ?? [])]
  return {
    slugs: homeFirst([...slugs]),
    ...(removed.length > 0 && { removed }),
    ...(config && { config }),
    ...(renamed.length > 0 && { renamed }),
  }
}

function joinedPages(
  earlier: readonly PageRecord[],
  later: readonly PageRecord[],
  changed: ChangedPages,
): readonly PageRecord[] {
  const records = new Map(earlier.map((record) => [record.slug, record]))
  for (const record of later) {
    const { slug } = record
    const before = records.get(slug)
    const joined = before ? joinedPage(before, record, changed.get(slug)) : record
    if (joined) records.set(slug, joined)
    else records.delete(slug)
  }
  return [...records.values()]
}

/** Returns `undefined` for a page that was added and removed again. */
function joinedPage(
  earlier: PageRecord,
  later: PageRecord,
  change: PageChange | undefined,
): PageRecord | undefined {
  const delta = change ? joinedDelta(earlier.delta, change) : earlier.delta
  const places = { before: (earlier.rank ?? later.rank)?.before, after: (later.rank ?? earlier.rank)?.after }
  const rank = places.before === places.after ? undefined : places
  if (!delta && !rank) return undefined
  const isChangedBack = !rank && delta && touchedPaths(delta).length === 0
  return { slug: later.slug, delta, rank, ...(isChangedBack && { undo: false }) }
}

function joinedDelta(earlier: PageDelta | undefined, { before, after }: PageChange): PageDelta | undefined {
  const first = earlier ? applyDelta(before, earlier, 'backward') : before
  return first || after ? pageDelta(first, after) : undefined
}
