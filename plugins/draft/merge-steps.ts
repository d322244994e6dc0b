import { applyDelta, pageDelta, type PageDelta } from '../content/delta.ts'
import type { PageChange } from '../content/model.ts'
import type { SiteConfig } from '../content/page.ts'
import { homeFirst } from '../content/slugs.ts'
import {
  metadataOf,
  type ChangeMetadata,
  type ChangedParts,
  type ChangeRecord,
  type PageRecord,
  type Stack,
  stackDepth,
  type StoredChange,
} from './collections.ts'
import type { ChangedPages } from './change-set.ts'
import { configRecords, withSettings } from './config-records.ts'
import type { DraftTransaction } from './transaction.ts'

/** A change: its record and its log entry. */
export interface LoggedChange {
  readonly body: ChangeRecord
  readonly metadata: ChangeMetadata
}

/**
 * Merges a step of a run with the previous step: one record that reverts both, and one log entry.
 *
 * `changed` has the pages and the settings of the step; those before the run are derived from them.
 */
export function mergedStep(
  earlier: StoredChange,
  { body, metadata }: LoggedChange,
  changed: {
    readonly pages: ChangedPages
    readonly config: Readonly<Record<'before' | 'after', SiteConfig>>
  },
): LoggedChange {
  const before = metadataOf(earlier)
  const formerConfig = withSettings(changed.config.before, earlier.body.config, 'before')
  const touched = joinedParts(before, metadata)
  const { slugs, removed, config, renamed } = metadata
  return {
    body: {
      ...body,
      pages: joinedPages(earlier.body.pages, body.pages, changed.pages),
      config: configRecords(formerConfig, changed.config.after),
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

/** Returns the rest of a record that was merged into another: its operations and the facts for events. */
export function remainderOf(earlier: StoredChange): LoggedChange {
  return {
    body: { ...earlier.body, pages: [], config: [] },
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
  return delta || rank ? { slug: later.slug, delta, rank } : undefined
}

function joinedDelta(earlier: PageDelta | undefined, { before, after }: PageChange): PageDelta | undefined {
  const first = earlier ? applyDelta(before, earlier, 'backward') : before
  return first || after ? pageDelta(first, after) : undefined
}

/** Returns the stacks of all pages of a run: its newest record replaces the previous one. */
export async function mergedStacks(
  draft: DraftTransaction,
  earlier: ChangeRecord,
  entry: ChangeRecord,
): Promise<ReadonlyMap<string, Stack>> {
  const { version } = draft.state.head
  const stays = new Set(entry.pages.map(({ slug }) => slug))
  const next = new Map<string, Stack>()
  for (const { slug } of [...earlier.pages, ...entry.pages]) {
    const { undo } = await draft.stacks.get(slug)
    const below = undo.at(-1) === version ? undo.slice(0, -1) : undo
    next.set(slug, {
      undo: stays.has(slug) ? [...below.slice(1 - stackDepth), version + 1] : below,
      redo: [],
    })
  }
  return next
}
