import { createKeyedQueue, Refusal } from '../../kernel/index.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { ownHosts } from '../sites/port.ts'
import type { ColumnValues, Store } from '../store/port.ts'
import {
  metadataOf,
  answers,
  changes,
  heads,
  oldestRetained,
  stacks,
  toChangeEvent,
  versionKey,
  withoutPruned,
} from './collections.ts'
import type { EditOf } from './change-set.ts'
import { answerTo, createCommit } from './commit.ts'
import type { DraftsContext } from './context.ts'
import { canBeUndone } from './edits/undo-change.ts'
import { applyDelta } from '../content/delta.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Page } from '../content/page.ts'
import { redirectsOf, settingsOf } from '../content/redirects.ts'
import { joined } from '../content/shown-text.ts'
import { homeFirst, slugSpellings } from '../content/slugs.ts'
import { settingsIn } from './config-records.ts'
import {
  addressNow,
  asOf,
  entriesOf,
  logIn,
  newestEntries,
  ownSteps,
  visitBackwards,
  withFormerSlugs,
} from './log.ts'
import { createHeads, createMatching, createPageReads, type Heads } from './page-reads.ts'
import { type CommitRequest, type Drafts, type DraftSummary, type Edit, runEnded } from './port.ts'
import { endRun } from './runs.ts'
import type { Seeding } from './seeding.ts'
import { findPage } from './stored-pages.ts'
import { withTypedAgain } from './typed-again.ts'
import { slugInHistory } from './slug-in-history.ts'

/** Milliseconds during which a restored snapshot is protected from the next overwriting bootstrap. */
const shieldedForMs = 10 * 60 * 1000

/** Creates the drafts service. Reads see durable state; a draft without changes has its initial pages. */
export function createDrafts(context: DraftsContext, seeding: Seeding): Drafts {
  const { store, clock, bus, log } = context
  const commit = createCommit(context)
  const heads = createHeads(context, seeding, commit)
  const logReads = createLogReads(context, heads)
  const pageReads = createPageReads(context, heads, logReads.changesAfter)
  const { page: readPage, rows } = pageReads
  const storedAnswers = store.of(answers)
  const configReads = createConfigReads(context, heads)
  const { shownConfig, redirects: readRedirects } = configReads
  const pageAtAddress: Drafts['pageAtAddress'] = async (id, address) => {
    for (const slug of slugSpellings(address)) {
      const page = await readPage(id, slug)
      if (page) return page
    }
    return undefined
  }
  return {
    ...logReads,
    ...configReads,
    ...pageReads,
    ...createSummaries(context),
    head: (id) => heads.seeded(id, 'adapter'),
    whyEmpty: heads.whyEmpty,
    pageAtAddress,
    async view(id, address) {
      const [stored, listed, config, redirects = {}] = await Promise.all([
        pageAtAddress(id, address),
        rows(id),
        shownConfig(id),
        readRedirects(id),
      ])
      const slugs = homeFirst(listed.map(({ slug }) => slug))
      return { page: stored?.page, slugs, siteConfig: config, redirects }
    },
    renames: createMatching(context, pageReads.pages),
    answered: async ({ id, idempotency }) =>
      idempotency &&
      answerTo(idempotency, await storedAnswers.get(draftKey(id), idempotency.key), clock.now()),
    commit: withTypedAgain(context, readPage, createSeededCommit({ ...context, seeding }, heads, commit)),
    async endRun(id, run) {
      try {
        const event = await store.transaction(async (tx) => {
          await endRun(tx, draftKey(id), run)
          const prepared = bus.prepare(tx, runEnded, id)
          await prepared.written
          return prepared
        })
        await event.publish()
      } catch (err) {
        log.warn({ err, siteId: id.siteId }, 'the end of a run could not be stored')
      }
    },
  }
}

function createConfigReads(
  { store, sites }: DraftsContext,
  { seeded, seed }: Heads,
): Pick<Drafts, 'config' | 'shownConfig' | 'redirects'> {
  const storedConfig = (id: DraftId) => sites.draftConfig(store, id)
  const seededConfig = async (id: DraftId) => {
    const { hasWholeConfig } = await seeded(id)
    if (!hasWholeConfig) await seed(id, 'anywhere')
    return (await storedConfig(id)) ?? {}
  }
  return {
    async config(id, published) {
      const { hasWholeConfig } = await seeded(id)
      const config = await storedConfig(id)
      if (hasWholeConfig || !config) return config
      return Object.keys(config).length > 0 ? { ...published, ...config } : undefined
    },
    shownConfig: async (id) => settingsOf(await seededConfig(id)),
    redirects: async (id) => redirectsOf(await seededConfig(id)),
  }
}

/** Reads the version log and the undo stacks of drafts. */
function createLogReads(
  { store, limits }: DraftsContext,
  { head }: Heads,
): Pick<Drafts, 'steps' | 'log' | 'pageAt' | 'changesBack' | 'changesAfter'> {
  const records = store.of(changes)
  const logOf = (id: DraftId) => logIn(store, draftKey(id))
  const undoStacks = store.of(stacks)
  const stackOf = async (id: DraftId, slug: string) => {
    const stored = (await undoStacks.get(draftKey(id), slug))?.body
    return stored && withoutPruned(stored, oldestRetained(await head(id), limits.keptChangesPerDraft))
  }
  const spelled = (id: DraftId, slug: string, from: Pick<Store, 'of'> = store) =>
    slugInHistory(slug, {
      pages: { get: async (each) => (await findPage(from, id, each))?.page },
      stacks: { get: async (each) => (await from.of(stacks).get(draftKey(id), each))?.body },
    })
  const summaryOf = async (id: DraftId, version: number | undefined) => {
    const record = version === undefined ? undefined : await records.get(draftKey(id), versionKey(version))
    return record && metadataOf(record).summary
  }
  return {
    async steps(id, named, { names = false, mine } = {}) {
      const slug = await spelled(id, named)
      const stack = await stackOf(id, slug)
      const request = mine && { slug, undo: stack?.undo ?? [], mine }
      const own = request && (await ownSteps(logOf(id), request))
      const [undo, redo] = own
        ? [own.undo[0], own.redo[0]].map((entry) => entry?.of?.[0] ?? entry?.version)
        : [stack?.undo.at(-1), stack?.redo.at(-1)]
      const possible = { canUndo: undo !== undefined, canRedo: redo !== undefined }
      return names
        ? { ...possible, undo: await summaryOf(id, undo), redo: await summaryOf(id, redo) }
        : possible
    },
    async log(id, { slug, limit }) {
      const newest = await newestEntries(logOf(id))
      return (slug === undefined ? newest : entriesOf(newest, await spelled(id, slug)))
        .slice(0, limit)
        .toReversed()
    },
    pageAt: (id, named, version) =>
      store.transaction(async (tx) => {
        const scope = draftKey(id)
        const slug = await spelled(id, named, tx)
        const log = logIn(tx, scope)
        const entry = (await newestEntries(log)).find((each) => each.version === version)
        if (!entry) return undefined
        const today = (await findPage(tx, id, slug))?.page
        const { page } = await asOf(log, version, { slug, today })
        const change = await log.records.get(scope, versionKey(version))
        const delta = change?.body.pages.find((each) => each.slug === slug)?.delta
        const slugNow = await addressNow(log, version, slug)
        return {
          entry,
          page,
          now: slugNow === slug ? today : (await findPage(tx, id, slugNow))?.page,
          before: delta ? applyDelta(page, delta, 'backward') : page,
          config: settingsIn(change?.body.config ?? []),
          canUndo: change !== undefined && canBeUndone(change),
        }
      }),
    changesBack: (id, { since, slugs }, visit) =>
      store.transaction(async (tx) => {
        const log = logIn(tx, draftKey(id))
        const now = new Map<string, Page | undefined>()
        for (const slug of await withFormerSlugs(log, { since, slugs }))
          now.set(slug, (await findPage(tx, id, slug))?.page)
        await visitBackwards(log, { since, pages: now }, visit)
      }),
    async changesAfter(id, version) {
      const now = await head(id)
      if (version === now.version) return []
      const oldest = oldestRetained(now, limits.keptChangesPerDraft)
      if (version > now.version || version < oldest - 1) return undefined
      const rows = await records.rows(draftKey(id), { after: versionKey(version) })
      return rows.map((row) => toChangeEvent(id, Number(row.key), metadataOf(row)))
    },
  }
}

function createSummaries({
  store,
  cache,
  clock,
  initialPages,
}: DraftsContext): Pick<Drafts, 'summary' | 'list' | 'spendRestoredMark'> {
  const stored = store.of(heads)
  return {
    async summary(id) {
      const found = await stored.get(id.siteId, id.session)
      return toSummary(
        id,
        found?.columns ?? { previewVersion: 0, pages: initialPages(id).size, changedAt: '' },
      )
    },
    async list() {
      const rows = await stored.everywhere()
      return rows.map(({ scope, key, columns }) => toSummary({ siteId: scope, session: key }, columns))
    },
    spendRestoredMark: (id) =>
      store.transaction(async (tx) => {
        const found = await tx.of(heads).get(id.siteId, id.session)
        const restoredAt = found?.body.site.restoredAt
        if (!found || restoredAt === undefined) return false
        const body = { ...found.body, site: { ...found.body.site, restoredAt: undefined } }
        await tx.of(heads).put(id.siteId, id.session, { body, columns: found.columns })
        cache.forget(draftKey(id))
        return Date.parse(restoredAt) + shieldedForMs > clock.now().getTime()
      }),
  }
}

const toSummary = (
  id: DraftId,
  { previewVersion, pages, changedAt }: ColumnValues<(typeof heads)['columns']>,
): DraftSummary => ({
  id,
  version: previewVersion,
  pageCount: pages,
  lastMutatedAt: changedAt === '' ? null : changedAt,
})

/**
 * Seeds a draft that never had a page from its site before its first change, and reads what changes need to
 * know of their site: a transaction waits for nothing else.
 */
function createSeededCommit(
  { store, cache, sites, seeding }: DraftsContext & { readonly seeding: Seeding },
  { seeded, whyEmpty }: Heads,
  commit: Drafts['commit'],
): Drafts['commit'] {
  /** Changes that wait until their draft is seeded; later changes wait as well, to keep the order. */
  const waiting = createKeyedQueue()

  /** Once it had a page it stays seeded, also if other processes change it. */
  const isSeeded = (scope: string): boolean => (cache.peek(scope)?.visible?.pageCount ?? 0) > 0

  /**
   * Seeds the draft, and adds the config of the site to a change of the config, and its hosts to a rename.
   */
  const ready = async ({ id, edit: given }: CommitRequest): Promise<Edit> => {
    const { hasWholeConfig } = await seeded(id, given.kind === 'pages' ? 'adapter' : 'anywhere')
    const edit = has(given, 'rename_page') ? { ...given, ownHosts: await ownHosts(id, sites) } : given
    if (!changesConfig(edit) || (hasWholeConfig && (await sites.draftConfig(store, id)))) return edit
    return { ...edit, siteConfig: await seeding.siteConfig(id) }
  }

  /** Adds the reason why a draft is empty to the 404 refusal of a change. */
  const explained = async (error: unknown, id: DraftId): Promise<unknown> => {
    if (!(error instanceof Refusal && error.status === 404)) return error
    const notice = await whyEmpty(id)
    if (notice === undefined) return error
    const reason = joined([error.reason, notice])
    return new Refusal({ ...error, reason, error: reason })
  }

  return async (request, toAnswer) => {
    const { id, edit } = request
    const scope = draftKey(id)
    const isReady = isSeeded(scope) && !changesConfig(edit) && !has(edit, 'rename_page')
    if (isReady && !waiting.has(scope)) return commit(request, toAnswer)
    return waiting
      .run(scope, () => ready(request))
      .then((edit) => commit({ ...request, edit }, toAnswer))
      .catch(async (error: unknown) => {
        throw await explained(error, id)
      })
  }
}

const has = (edit: Edit, name: Operation['op']): edit is EditOf<'operations'> =>
  edit.kind === 'operations' && edit.ops.some(({ op }) => op === name)

const changesConfig = (edit: Edit): edit is EditOf<'config' | 'operations'> =>
  edit.kind === 'config' ? Object.keys(edit.patch).length > 0 : has(edit, 'update_site_config')
