import type { PageDelta } from '../content/delta.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Page } from '../content/page.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { defineCollection, type Reader, trusted } from '../store/port.ts'
import type { LogEntry } from './port.ts'

/** The scope of one draft in the store. */
export function scopeOf(id: DraftId): string {
  if (id !== latest.id) latest = { id, scope: draftKey(id) }
  return latest.scope
}

/** Cached, because one draft is often used several times in a row. */
let latest: { readonly id: DraftId | undefined; readonly scope: string } = { id: undefined, scope: '' }

export interface Head {
  readonly version: number
  /** True once it had a page. */
  readonly filled?: true | undefined
  /** Its site config started with that of the site, so it is complete. */
  readonly wholeConfig?: true | undefined
  /** The time of the restore of a snapshot that the next overwriting bootstrap must not undo. */
  readonly restoredAt?: string | undefined
  /** The run of which the newest change is a step. */
  readonly run?: string | undefined
  /** Missing in a draft that an earlier version changed last. */
  readonly kept?: StoredSize | undefined
}

/** The stored size of a draft. */
export interface StoredSize {
  /** Bytes of its pages. */
  readonly pages: number
  /** Bytes of its change records. */
  readonly records: number
  /** The version of the oldest change record. */
  readonly oldest: number
}

/** Heads of drafts under (site id, session). */
export const heads = defineCollection('draft_heads', trusted<Head>(), { columns: { previewVersion: 'integer', pages: 'integer', changedAt: 'text' } })

/** Site ids that have a draft, all under one scope. */
export const draftSites = defineCollection('draft_sites', trusted<object>(), { columns: {} })
export const everySite = 'sites'

/** Pages under (draft, slug). `blockIds` has every block id between line breaks, `pageId` that of the page. */
export const pages = defineCollection('draft_pages', trusted<Page>(), {
  columns: { rank: 'text', title: 'text', updatedAt: 'text', blocks: 'integer', blockIds: 'text', pageId: 'text' },
})

/** The change of one page. */
export interface PageRecord {
  readonly slug: string
  /** Missing if only the place changed. */
  readonly delta?: PageDelta | undefined
  /** False for a new page of a bootstrap, which no undo removes. */
  readonly undo?: false | undefined
  /** The places of the page before and after, if the change moved it. */
  readonly rank?: { readonly before: string | undefined; readonly after: string | undefined } | undefined
  /** For a step of a run: the redo stack that it cleared, which a rollback restores. */
  readonly redo?: readonly number[] | undefined
}

/** The change of one key of the site config; a missing side means that the key did not exist. */
export interface ConfigRecord {
  readonly key: string
  readonly before?: unknown
  readonly after?: unknown
}

/** The data for undo and redo of a change. Without pages and config if a later step of its run has them. */
export interface ChangeRecord {
  readonly pages: readonly PageRecord[]
  readonly config: readonly ConfigRecord[]
  readonly ops?: readonly Operation[]
  readonly requestId?: string | undefined
  /** The run that made it, whose next change extends it. */
  readonly run?: string | undefined
}

/** The parts of a draft that a change touched. */
export interface ChangedParts {
  readonly slugs: readonly string[]
  /** Removed pages. */
  readonly removed?: readonly string[]
  /** Set if the site config changed. */
  readonly config?: true
}

/** The facts of a change for the log and events. */
export interface ChangeAbout extends ChangedParts, Pick<LogEntry, 'slug' | 'summary' | 'opTypes' | 'opCount' | 'at' | 'source' | 'actor' | 'channel'> {
  /** The parts that the newest step of a run touched, if this record has several: events report each separately. */
  readonly step?: ChangedParts
  /** Set if the next change extends this one, so that the log shows only that. */
  readonly isExtended?: true
}

/** Change records under (draft, padded version). The facts for lists of changes are in a column, as JSON. */
export const changes = defineCollection('draft_changes', trusted<ChangeRecord>(), { columns: { about: 'text' } })

/** The facts of a stored change. */
export const aboutOf = ({ columns }: Pick<StoredChange, 'columns'>): ChangeAbout => JSON.parse(columns.about) as ChangeAbout

export type StoredChange = NonNullable<Awaited<ReturnType<Reader<ChangeRecord, (typeof changes)['columns']>['get']>>>

/** Keys of change records sort as their versions do. */
export const versionKey = (version: number): string => String(version).padStart(12, '0')

/** Versions of change records that can be undone and redone, newest last. */
export interface Stack {
  readonly undo: readonly number[]
  readonly redo: readonly number[]
}

/** The maximum number of changes of a page that can be undone. */
export const stackDepth = 50

/** Undo and redo stacks under (draft, slug). */
export const stacks = defineCollection('draft_stacks', trusted<Stack>(), { columns: {} })

/** An answer, with a fingerprint of the request that it answers. */
export interface KeptAnswer {
  readonly fingerprint: string
  readonly answer: unknown
}

/** Answers under (draft, idempotency key). */
export const answers = defineCollection('draft_answers', trusted<KeptAnswer>(), { columns: { at: 'text' }, indexes: ['at'] })

/** The oldest stored change that is within the limits. */
export function oldestKept({ version, oldest }: { readonly version: number; readonly oldest: number }, most: number): number {
  return Math.max(oldest, version - most + 1)
}

/** A stack without changes that are no longer stored. */
export function withoutGone(stack: Stack, oldest: number): Stack {
  const stays = (each: number): boolean => each >= oldest
  if (stack.undo.every(stays) && stack.redo.every(stays)) return stack
  return { undo: stack.undo.filter(stays), redo: stack.redo.filter(stays) }
}

/** The limits of a draft and a site. */
export interface Limits {
  readonly maxPagesPerDraft: number
  readonly maxPageBytes: number
  /** Bytes of all pages of a draft. */
  readonly maxBytesPerDraft: number
  readonly maxSessionsPerSite: number
  /** Site ids that have drafts, registered or not. */
  readonly maxSites: number
  /** The number of stored changes, for undo and for clients that reconnect. */
  readonly keptChangesPerDraft: number
  /** Bytes of the stored changes; the newest one is kept at any size. */
  readonly keptChangeBytesPerDraft: number
  /** The maximum number of concurrent changes of one draft in one transaction. */
  readonly maxChangesPerTransaction: number
}
