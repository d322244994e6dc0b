import type { Clock, Ids } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { bytesWithPages, pageBytes } from '../content/page-bytes.ts'
import type { Actor } from '../draft/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import {
  type ColumnValues,
  defineCollection,
  type Document,
  type Store,
  type Transaction,
  trusted,
} from '../store/port.ts'
import { alreadyPublishing, noSuchScheduled, tooManyScheduled } from './refusals.ts'
import type { Scheduled } from './schemas.ts'
import { afterPin, type Pin, type PinBase } from './site/pin.ts'

/** What a scheduled publish does at its time. */
export interface Planned extends Pick<Scheduled, 'target' | 'slugs' | 'version' | 'commit' | 'changes'> {
  readonly id: DraftId
  readonly siteOrigin: string | undefined
  readonly allowDelete: boolean
  readonly actor: Actor
}

interface Kept extends Planned {
  readonly createdAt: string
  readonly error?: string | undefined
  /** The run that publishes it, while its claim lasts. */
  readonly run?: string | undefined
}

/** A scheduled publish that this process alone carries out, as long as it holds the claim. */
export interface Claimed extends Planned {
  readonly createdAt: string
  readonly key: string
  readonly run: string
  readonly content: SiteContent
  readonly base?: PinBase | undefined
}

const columns = {
  siteId: 'text',
  session: 'text',
  /** Its time, in milliseconds since 1970. */
  due: 'integer',
  /** The end of a claim, in milliseconds since 1970. */
  until: 'integer',
  failed: 'integer',
} as const
export const records = defineCollection('publish_scheduled', trusted<Kept>(), {
  columns,
  indexes: ['due', 'siteId'],
})
export const pinned = defineCollection(
  'publish_pinned',
  trusted<SiteContent & { readonly base?: PinBase }>(),
  { columns: {} },
)

type KeptDocument = Document<Kept, typeof columns>

/** All share a scope, because processes look for the next one of any draft. */
const scope = 'scheduled'
const next = { where: { failed: 0 }, orderBy: 'due' } as const
const maxPerDraft = 20
/** Milliseconds after which others take over a claim that is not held. */
export const leaseMs = 60_000

/** Creates the store of scheduled publishes and their content. */
export function createScheduled(context: {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly scope: Pick<Scope, 'key'>
}) {
  const { store, clock, ids } = context
  const now = (): number => clock.now().getTime()

  const toScheduled = ({ key, body, columns }: Pick<KeptDocument, 'key' | 'body' | 'columns'>): Scheduled => {
    const { id, siteOrigin: _, allowDelete: __, run: ___, ...facts } = body
    const { due, until, failed } = columns
    const status = failed === 1 ? 'failed' : until > now() ? 'publishing' : 'scheduled'
    const at = new Date(due).toISOString()
    return { ...facts, id: key, status, session: context.scope.key(id), siteId: id.siteId, at }
  }

  const rewrite = async (
    tx: Transaction,
    { key, version, ...found }: KeptDocument,
    body: Kept,
    changed: Partial<ColumnValues<typeof columns>>,
  ): Promise<Scheduled> => {
    const document = { body, columns: { ...found.columns, ...changed } }
    await tx.of(records).put(scope, key, document, { expect: version })
    return toScheduled({ key, ...document })
  }

  const remove = async (tx: Transaction, key: string): Promise<void> => {
    await tx.of(records).remove(scope, key)
    await tx.of(pinned).remove(scope, key)
  }

  /** Finds one of a draft that is not being published. */
  const free = async (tx: Transaction, { siteId, session }: DraftId, key: string): Promise<KeptDocument> => {
    const found = await tx.of(records).get(scope, key)
    if (found?.columns.siteId !== siteId || found.columns.session !== session) throw noSuchScheduled(key)
    if (found.columns.until > now()) throw alreadyPublishing()
    return found
  }

  const held = async (tx: Transaction, { key, run }: Claimed): Promise<KeptDocument | undefined> => {
    const found = await tx.of(records).get(scope, key)
    return found?.body.run === run ? found : undefined
  }

  return {
    /** Stores a publish with its content. Refuses the 21st of a draft with 409 `too_many_scheduled`. */
    add: (planned: Planned, pin: PinContent, at: Date): Promise<Scheduled> =>
      store.transaction(async (tx) => {
        const { siteId, session } = planned.id
        if ((await tx.of(records).count(scope, { siteId, session })) >= maxPerDraft)
          throw tooManyScheduled(maxPerDraft)
        const key = ids.uuid()
        const body = { ...planned, createdAt: clock.now().toISOString() }
        const document = { body, columns: { siteId, session, due: at.getTime(), until: 0, failed: 0 } }
        await tx.of(records).put(scope, key, document)
        await tx.of(pinned).put(scope, key, toPinned(pin))
        return toScheduled({ key, ...document })
      }),
    /** Lists those of a draft, the next one first. */
    async list({ siteId, session }: DraftId): Promise<Scheduled[]> {
      const found = await store.of(records).list(scope, { where: { siteId, session }, orderBy: 'due' })
      return found.map(toScheduled)
    },
    /** Sets another time. */
    move: (id: DraftId, key: string, at: Date): Promise<Scheduled> =>
      store.transaction(async (tx) => {
        const found = await free(tx, id, key)
        const { error: _, run: __, ...body } = found.body
        return rewrite(tx, found, body, { due: at.getTime(), failed: 0 })
      }),
    cancel: (id: DraftId, key: string): Promise<void> =>
      store.transaction(async (tx) => remove(tx, (await free(tx, id, key)).key)),
    /**
     * Claims those that are due, of each site the earliest one and none beside it; `next` is the time of the
     * first one that is not due.
     */
    async claim(): Promise<{ readonly claimed: readonly Claimed[]; readonly next: number | undefined }> {
      const [first] = await store.of(records).rows(scope, { ...next, limit: 1 })
      if (!first || first.columns.due > now()) return { claimed: [], next: first?.columns.due }
      return store.transaction(async (tx) => {
        const waiting = await tx.of(records).rows(scope, next)
        const due = waiting.filter(({ columns }) => columns.due <= now())
        const claimed: Claimed[] = []
        for (const [, [earliest]] of Map.groupBy(due, ({ columns }) => columns.siteId)) {
          if (!earliest || earliest.columns.until > now()) continue
          const found = await tx.of(records).get(scope, earliest.key)
          const content = await tx.of(pinned).get(scope, earliest.key)
          if (!found || !content) continue
          const body = { ...found.body, run: ids.uuid() }
          await rewrite(tx, found, body, { until: now() + leaseMs })
          const { base, ...site } = content.body
          claimed.push({ ...body, key: found.key, content: site, base })
        }
        return { claimed, next: waiting[due.length]?.columns.due }
      })
    },
    /**
     * Returns what moves the bases of the publishes of a draft that were scheduled after this one, when it is published.
     * One that was scheduled before has older content.
     */
    async pinMoves({ id: { siteId, session }, key: own, createdAt, content, base }: Claimed) {
      const moves: { readonly key: string; readonly version: number; readonly pin: PinContent }[] = []
      const others = base ? await store.of(records).list(scope, { where: { siteId, session } }) : []
      for (const { key, body } of others) {
        const found = await store.of(pinned).get(scope, key)
        if (!base || !found?.body.base || key === own || body.createdAt < createdAt) continue
        const { base: before, ...later } = found.body
        const pin = await afterPin({ content: later, base: before }, { content, base })
        moves.push({ key, version: found.version, pin })
      }
      return async (tx: Transaction): Promise<void> => {
        for (const { key, version, pin } of moves)
          if ((await tx.of(pinned).get(scope, key))?.version === version)
            await tx.of(pinned).put(scope, key, toPinned(pin))
      }
    },
    /** Prolongs a claim. */
    hold: (claim: Claimed): Promise<void> =>
      store.transaction(async (tx) => {
        const found = await held(tx, claim)
        if (found) await rewrite(tx, found, found.body, { until: now() + leaseMs })
      }),
    /** Ends a claim: the publish is done, has failed with an error, or waits for the next start. */
    async end(tx: Transaction, claim: Claimed, how: 'done' | 'later' | { readonly error: string }) {
      const found = await held(tx, claim)
      if (!found) return
      if (how === 'done') return remove(tx, claim.key)
      const { run: _, ...body } = found.body
      if (how === 'later') await rewrite(tx, found, body, { until: 0 })
      else await rewrite(tx, found, { ...body, ...how }, { until: 0, failed: 1 })
    },
  }
}

/** What a scheduled publish will publish, with the state of the site that it changes. */
type PinContent = Pick<Pin, 'content'> & { readonly base?: PinBase | undefined }

function toPinned({ content: { pages, siteConfig }, base }: PinContent) {
  const rest = { siteConfig, ...(base && { base }) }
  return { body: { pages, ...rest }, json: bytesWithPages(pages.map(pageBytes), rest), columns: {} }
}

export type ScheduledPublishes = ReturnType<typeof createScheduled>
