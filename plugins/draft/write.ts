import { pageDelta } from '../content/delta.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { pageBytes } from '../content/page-bytes.ts'
import { sameJson } from '../content/same-json.ts'
import { homeFirst } from '../content/slugs.ts'
import { siteConfigs } from '../sites/port.ts'
import { changes, heads, pages, stacks, versionKey, type ChangeRecord, type ConfigRecord, type Head, type PageRecord, type Stack } from './collections.ts'
import { stackDepth } from './edits/take-back.ts'
import type { Limits } from './limits.ts'
import type { DraftMemory, Loaded, Places } from './memory.ts'
import { blockIdsOf, compare, type OpenDraft } from './open-draft.ts'
import type { Planned } from './planned.ts'
import type { ChangeEvent, CommitRequest } from './port.ts'
import { prune } from './prune.ts'
import { pageTooLarge, tooManyPages, tooManySessions } from './refusals.ts'

/** What was written, for those who have to know once it is durable. */
export interface Written {
  readonly event: ChangeEvent
  readonly head: Head
  readonly pageCount: number
  /** By slug: the pages as they are now. */
  readonly loaded: ReadonlyMap<string, Loaded | undefined>
}

/** Writes a planned change: pages, places, site config, stacks, the change record and the head of the draft. */
export async function write(draft: OpenDraft, planned: Planned, request: CommitRequest, { memory, limits, now }: { readonly memory: DraftMemory; readonly limits: Limits; readonly now: Date }): Promise<Written> {
  const { tx, scope, id, hot } = draft
  const version = draft.head.version + 1
  const at = now.toISOString()
  if (version === 1 && (await tx.of(heads).count(id.siteId)) >= limits.sessionsPerSite) throw tooManySessions(limits.sessionsPerSite)

  const before = await recordPages(draft, planned)
  const loaded = await writePages(draft, planned, limits)
  if (hot.places) hot.places = nextPlaces(hot.places, planned)
  for (const [slug, page] of loaded) memory.stage(scope, hot, slug, page)

  const configBefore = planned.config && (await draft.config())
  if (planned.config) await tx.of(siteConfigs).put(id.siteId, id.session, { body: planned.config, columns: {} })

  const removed = [...planned.pages].filter(([, { after }]) => !after).map(([slug]) => slug)
  const changed = homeFirst([...new Set([...planned.pages.keys(), ...planned.ranks.keys()])].filter((slug) => !removed.includes(slug)))
  const record: ChangeRecord = {
    pages: before,
    config: configBefore && planned.config ? configRecords(configBefore, planned.config) : [],
    actor: request.actor,
    ...(planned.log.ops && { ops: planned.log.ops }),
    ...(request.requestId !== undefined && { requestId: request.requestId }),
  }
  const opTypes = [...new Set(planned.log.ops?.map(({ op }) => op))]
  await tx.of(changes).put(scope, versionKey(version), {
    body: record,
    columns: {
      at,
      source: planned.log.source,
      channel: request.channel,
      slug: planned.log.slug,
      summary: planned.log.summary,
      opTypes: JSON.stringify(opTypes),
      opCount: planned.log.ops?.length ?? 0,
      slugs: JSON.stringify(changed),
      removed: JSON.stringify(removed),
      config: planned.config ? 1 : 0,
      actor: JSON.stringify(request.actor),
    },
  })
  for (const [slug, stack] of await nextStacks(draft, planned, version)) {
    await tx.of(stacks).put(scope, slug, { body: stack, columns: {} })
    hot.stacks.set(slug, stack)
  }

  const pageCount = draft.pageCount + [...planned.pages.values()].reduce((sum, { before, after }) => sum + Number(after !== undefined) - Number(before !== undefined), 0)
  if (pageCount > limits.pagesPerDraft) throw tooManyPages(limits.pagesPerDraft)
  const head: Head = { version, ...(planned.marksRestored ? { restoredAt: at } : draft.head.restoredAt !== undefined && { restoredAt: draft.head.restoredAt }) }
  await tx.of(heads).put(id.siteId, id.session, { body: head, columns: { previewVersion: version, pages: pageCount, changedAt: at } })
  hot.staged = { head, pageCount }
  await prune(draft, version, { kept: limits.changesPerDraft, now })

  return {
    event: {
      siteId: id.siteId,
      session: id.session,
      previewVersion: version,
      source: planned.log.source,
      channel: request.channel,
      slugs: [...changed],
      ...(removed.length > 0 && { removedSlugs: removed }),
      ...(planned.config && { configChanged: true }),
      at,
    },
    head,
    pageCount,
    loaded,
  }
}

/** What takes the change back: per page its difference, and its places where they changed. */
async function recordPages(draft: OpenDraft, { pages: changed, ranks, stacks }: Planned): Promise<readonly PageRecord[]> {
  const comesOrGoes = [...changed.values()].some(({ before, after }) => !before || !after)
  const known: Places | undefined = comesOrGoes || ranks.size > 0 ? await draft.places() : undefined
  const recorded = 'push' in stacks ? new Set(stacks.push) : undefined
  return [...new Set([...changed.keys(), ...ranks.keys()])].map((slug) => {
    const change = changed.get(slug)
    const before = known?.ranks.get(slug)
    const after = change && !change.after ? undefined : (ranks.get(slug) ?? before)
    return {
      slug,
      ...(change && { delta: pageDelta(change.before, change.after) }),
      ...(before !== after && { rank: { before, after } }),
      ...(recorded && !recorded.has(slug) && { undo: false as const }),
    }
  })
}

async function writePages(draft: OpenDraft, { pages: changed, ranks }: Planned, limits: Limits): Promise<ReadonlyMap<string, Loaded | undefined>> {
  const writer = draft.tx.of(pages)
  const loaded = new Map<string, Loaded | undefined>()
  const untouched = [...draft.initial.keys()].filter((slug) => !changed.has(slug) && !ranks.has(slug))
  for (const [slug, { after }] of changed) {
    if (!after) {
      await writer.remove(draft.scope, slug)
      loaded.set(slug, undefined)
      continue
    }
    loaded.set(slug, await put(slug, after, ranks.get(slug) ?? (await draft.loaded(slug))?.rank ?? ''))
  }
  for (const slug of [...untouched, ...ranks.keys()]) {
    const known = changed.has(slug) ? undefined : await draft.loaded(slug)
    if (known) loaded.set(slug, await put(slug, known.page, ranks.get(slug) ?? known.rank))
  }
  return loaded

  async function put(slug: string, page: Page, rank: string): Promise<Loaded> {
    const bytes = pageBytes(page)
    if (bytes.byteLength > limits.pageBytes) throw pageTooLarge(slug, limits.pageBytes)
    await writer.put(draft.scope, slug, {
      body: page,
      bytes,
      columns: { rank, title: page.title, updatedAt: page.updatedAt, blocks: page.blocks.length, blockIds: blockIdsOf(page) },
    })
    return { page, bytes, rank }
  }
}

function nextPlaces({ ranks: known, order }: Places, { pages: changed, ranks }: Planned): Places {
  const gone = [...changed].filter(([, { after }]) => !after).map(([slug]) => slug)
  if (gone.length === 0 && ranks.size === 0) return { ranks: known, order }
  for (const slug of gone) known.delete(slug)
  for (const [slug, rank] of ranks) known.set(slug, rank)
  const rankOfSlug = (slug: string): string => known.get(slug) ?? ''
  return { ranks: known, order: [...known.keys()].sort((a, b) => compare(rankOfSlug(a), rankOfSlug(b)) || compare(a, b)) }
}

function configRecords(before: SiteConfig, after: SiteConfig): readonly ConfigRecord[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !sameJson(before[key], after[key]))
    .map((key) => ({ key, ...(before[key] !== undefined && { before: before[key] }), ...(after[key] !== undefined && { after: after[key] }) }))
}

async function nextStacks(draft: OpenDraft, { stacks }: Planned, version: number): Promise<ReadonlyMap<string, Stack>> {
  if ('set' in stacks) return stacks.set
  const next = new Map<string, Stack>()
  for (const slug of stacks.push) {
    const { undo } = await draft.stack(slug)
    next.set(slug, { undo: [...undo, version].slice(-stackDepth), redo: [] })
  }
  for (const slug of draft.head.version === 0 ? [] : (stacks.drop ?? [])) {
    const { undo, redo } = await draft.stack(slug)
    if (undo.length + redo.length > 0) next.set(slug, { undo: [], redo: [] })
  }
  return next
}
