import * as v from 'valibot'
import { countOption } from '../../kernel/index.ts'
import type { PageDelta } from '../content/delta.ts'
import type { FormerId } from '../content/merge/index.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, type Document, trusted } from '../store/port.ts'
import type { ChangeEvent, DraftHead, LogEntry } from './port.ts'
import type { Move, PageRename } from './renames.ts'

/** What is stored of a draft besides its content and its history. */
export interface Head {
  readonly version: number
  readonly pageCount: number
  /** The time of the last change; empty before the first. */
  readonly changedAt: string
  readonly sizes: Sizes
  readonly site: SiteKnowledge
}

/** The sizes of what is stored. */
export interface Sizes {
  /** Bytes of all pages. */
  readonly pages: number
  /** Bytes of all change records. */
  readonly records: number
  /** The version of the oldest change record. */
  readonly oldest: number
}

/**
 * What a draft knows of its site. If they have `agreed`, what is not in `bases` is as it was then. `rebased` counts
 * the changes of bases other than new ones: by it a process knows that its cache is stale.
 */
export interface SiteKnowledge extends Pick<
  DraftHead,
  'hasWholeConfig' | 'agreed' | 'rebased' | 'leftOut' | 'locked'
> {
  /** Whether the draft ever had a page. */
  readonly isFilled: boolean
  /** The number of open conflicts when the draft was compared with its site last; absent without any ever. */
  readonly conflicts?: number | undefined
  /** The time of a snapshot restore that the next overwriting bootstrap must not undo. */
  readonly restoredAt?: string | undefined
}

/** The head of a draft that was never changed. */
export const firstHead: Head = {
  version: 0,
  pageCount: 0,
  changedAt: '',
  sizes: { pages: 0, records: 0, oldest: 1 },
  site: { isFilled: false, hasWholeConfig: false, agreed: false, rebased: 0, leftOut: [], locked: [] },
}

/** Heads of drafts under (site id, session); what a list shows is in columns. */
export const heads = defineCollection('draft_heads', trusted<Omit<Head, 'pageCount' | 'changedAt'>>(), {
  columns: { previewVersion: 'integer', pages: 'integer', changedAt: 'text' },
})

/** Site ids that have a draft, all under one scope. */
export const draftSites = defineCollection('draft_sites', trusted<object>(), { columns: {} })
export const everySite = 'sites'

/** The state of a part of the content in which draft and site last agreed: what its key says it is of. */
export interface Base {
  /** `null` for a page that the site does not have. */
  readonly page?: Page | null | undefined
  /** The slug in the base of a renamed page. */
  readonly from?: string | undefined
  /** The former ids of a renamed page that the base lacks. */
  readonly ids?: readonly FormerId[] | undefined
  readonly config?: SiteConfig | undefined
  readonly order?: readonly string[] | undefined
}

/** The bases of what the draft has changed, under (draft, `config`, `order` or the key of a page). */
export const bases = defineCollection('draft_bases', trusted<Base>(), { columns: {} })

/** The key of the base of a page. */
export const pageBase = (slug: string): string => `page ${slug}`
export const slugOfBase = (key: string): string => key.slice(pageBase('').length)

/** The change of one page. */
export interface PageRecord {
  readonly slug: string
  /** Missing if only the place changed. */
  readonly delta?: PageDelta | undefined
  /** False for what no undo changes: a new page of a bootstrap, and a page that its run has changed back. */
  readonly undo?: false | undefined
  /** The places of the page before and after, if the change moved it. */
  readonly rank?: { readonly before: string | undefined; readonly after: string | undefined } | undefined
  /** Of the base of a renamed page: its slugs there before and after, if these differ. */
  readonly from?: { readonly before?: string | undefined; readonly after?: string | undefined } | undefined
}

/** The change of a key of the site config, or of a member of it; a missing side did not exist. */
export interface ConfigRecord {
  readonly key: string
  readonly member?: string | undefined
  readonly before?: unknown
  readonly after?: unknown
}

/** The changes of pages and settings. */
export interface Records {
  readonly pages: readonly PageRecord[]
  readonly config: readonly ConfigRecord[]
}

/** The data for undo and redo of a change; without pages and config if a later step of its run has them. */
export interface ChangeRecord extends Records {
  /**
   * Of a decision of conflicts, and of its undo: the changes of the state in which draft and site agree. Where no
   * base is stored, the content of the draft is its base.
   */
  readonly base?: Records | undefined
  /** The pages that the operations of a change have renamed or added. */
  readonly moves?: readonly Move[] | undefined
  /** The run of the change; its next change extends this record. */
  readonly run?: string | undefined
}

/** The parts of a draft that a change touched. */
export interface ChangedParts {
  readonly slugs: readonly string[]
  /** Removed pages. */
  readonly removed?: readonly string[]
  /** Set if the site config changed. */
  readonly config?: true
  /** Renamed pages, in the order of their renames. */
  readonly renamed?: readonly PageRename[]
}

/** The facts of a change for the log and events. */
export interface ChangeMetadata
  extends ChangedParts, Omit<LogEntry, 'version' | 'slugs' | 'removedSlugs' | 'configChanged' | 'renamed'> {
  /** The parts touched by the newest step of a run, if the record has several: each has its own event. */
  readonly step?: ChangedParts
  /** Pages on which conflicts were decided, or opened again; for the log only. */
  readonly decided?: readonly string[]
  /** Until when the run of the newest change may go on, unless it ends before. */
  readonly openUntil?: string
  /** Set if the next change extends this one; the log then shows only the next. */
  readonly isExtended?: true
}

/** Change records under (draft, padded version). The facts for lists of changes are in a column, as JSON. */
export const changes = defineCollection('draft_changes', trusted<ChangeRecord>(), {
  columns: { about: 'text' },
})

/** The facts of a stored change. */
export const metadataOf = ({ columns }: Pick<StoredChange, 'columns'>): ChangeMetadata =>
  JSON.parse(columns.about) as ChangeMetadata

export type StoredChange = Document<ChangeRecord, (typeof changes)['columns']>

/** A change: its record and its facts. */
export interface LoggedChange {
  readonly body: ChangeRecord
  readonly metadata: ChangeMetadata
}

/** Returns the document of a change; `json` is that of its record, where it is known. */
export const toDocument = (
  { body, metadata }: LoggedChange,
  json: string | Uint8Array = JSON.stringify(body),
) => ({ body, json, columns: { about: JSON.stringify(metadata) } })

/** Returns the parts that a change touched as clients see them. */
export const shownParts = ({ slugs, removed, config, renamed }: ChangedParts) => ({
  slugs: [...slugs],
  ...(removed && { removedSlugs: [...removed] }),
  ...(renamed && { renamed: [...renamed] }),
  ...(config && { configChanged: true }),
})

/** Returns the event of a change; for merged steps, the event of the newest step. */
export function toChangeEvent(
  { siteId, session }: DraftId,
  previewVersion: number,
  metadata: ChangeMetadata,
): ChangeEvent {
  const { source, channel, at } = metadata
  return { siteId, session, previewVersion, source, channel, ...shownParts(metadata.step ?? metadata), at }
}

/** Returns the key of a change record; keys sort by version. */
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

/** An answer, with the fingerprint of its request. */
interface AnswerBody {
  readonly fingerprint: string
  readonly answer: unknown
}

/** Answers under (draft, idempotency key). */
export type StoredAnswer = Document<AnswerBody, (typeof answers)['columns']>
export const answers = defineCollection('draft_answers', trusted<AnswerBody>(), {
  columns: { at: 'text' },
  indexes: ['at'],
})

/** Returns the version of the oldest stored change within the limits. */
export const oldestRetained = (
  { version, oldest }: Readonly<Record<'version' | 'oldest', number>>,
  most: number,
): number => Math.max(oldest, version - most + 1)

/** Returns a stack without changes that are no longer stored. */
export function withoutPruned(stack: Stack, oldest: number): Stack {
  const isPruned = (version: number): boolean => version < oldest
  if (!stack.undo.some(isPruned) && !stack.redo.some(isPruned)) return stack
  const retained = (versions: readonly number[]) => versions.filter((each) => each >= oldest)
  return { undo: retained(stack.undo), redo: retained(stack.redo) }
}

/** The limits of a draft and a site, which are the options of the plugin. */
export const limitOptions = v.object({
  maxPagesPerBootstrap: countOption(5_000),
  maxPagesPerDraft: countOption(20_000),
  maxPageBytes: countOption(1024 * 1024),
  maxConfigBytes: countOption(256 * 1024),
  /** The maximum number of bytes of all pages of a draft. */
  maxBytesPerDraft: countOption(256 * 1024 * 1024),
  maxSessionsPerSite: countOption(1_000),
  /** The maximum number of site ids with drafts, registered or not. */
  maxSites: countOption(1_000),
  /** The number of stored changes, for undo and for clients that reconnect. */
  keptChangesPerDraft: countOption(10_000),
  /** The maximum number of bytes of stored changes; the newest one stays at any size. */
  keptChangeBytesPerDraft: countOption(256 * 1024 * 1024),
  /** The maximum number of concurrent changes of one draft in one transaction. */
  maxChangesPerTransaction: countOption(64),
})
export type Limits = v.InferOutput<typeof limitOptions>
