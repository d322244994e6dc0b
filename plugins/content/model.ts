/** The types shared by the parts of the content model. No behaviour. */
import type { FieldKind, FieldMeta, Fields } from './field-schema.ts'
import type { Block, Page, Props, SiteConfig } from './page.ts'

/** The supported JSON Schema keywords; others are ignored. `pattern` is never run. */
export interface PropsSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, PropsSchema>>
  readonly required?: readonly string[]
  readonly items?: PropsSchema | readonly PropsSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly additionalProperties?: boolean | PropsSchema
  readonly anyOf?: readonly PropsSchema[]
  readonly oneOf?: readonly PropsSchema[]
  readonly allOf?: readonly PropsSchema[]
  readonly default?: unknown
  readonly [keyword: string]: unknown
}

export type BlockCategory = 'content' | 'media' | 'navigation' | 'conversion' | 'layout'

/** A block type: built in, registered, or declared by a site's manifest. */
export interface BlockType {
  readonly type: string
  readonly displayName: string
  readonly description?: string
  readonly category?: BlockCategory
  /** Pinned: never added, moved, duplicated or removed; its props stay editable. */
  readonly chrome: boolean
  /** Whether its blocks are copied, and none is created. */
  readonly copiedOnly?: boolean
  /** Scalar props and lists alike. */
  readonly fields: Fields
  readonly propsSchema: PropsSchema
  /** Returns the props of a block added without content. */
  readonly starter: () => Props
}

/** The registration of a block type. */
export interface BlockTypeInput {
  readonly type: string
  readonly propsSchema: PropsSchema
  readonly meta: BlockMeta
  /** The props of a block added without content; by default the defaults of its required fields. */
  readonly starter?: Props
}

/** The description of a block type for people and planners. */
export interface BlockMeta {
  readonly displayName: string
  readonly description?: string
  readonly category?: BlockCategory
  /** Pins the type: never added, moved, copied or removed; its props stay editable. */
  readonly chrome?: boolean
  /** Whether editors copy its blocks, and are offered no new one. */
  readonly copiedOnly?: boolean
  readonly fields?: Fields
  /** Lists by prop name; the same as an entry of `fields` of kind `list`. */
  readonly listFields?: Readonly<Record<string, Omit<FieldMeta, 'kind'>>>
}

/** Block types that are built in or registered with this process. */
export interface Registry {
  get(type: string): BlockType | undefined
  /** Every type, chrome included, in registration order. */
  types(): readonly BlockType[]
}

/** Block types that a site declares, parsed and ready to enforce. */
export type Manifest = Registry

/** The available block types. */
export interface AvailableTypes {
  readonly registry: Registry
  /** The block types that the site declares, if any. */
  readonly manifest?: Manifest | undefined
}

/** The author of a batch, for validation only. */
export type Source = 'direct' | 'planner' | 'system'

/** A draft as a batch reads it: an ordered map from slug to page, and one site config. Never mutated. */
export interface Draft {
  /** Slugs in stored order. */
  readonly order: readonly string[]
  page(slug: string): Page | undefined
  readonly config: SiteConfig
  /** True if any page of the draft has a block with this id. */
  hasBlockId(id: string): boolean
  /** True if any page of the draft has this id. */
  hasPageId(id: string): boolean
}

/** The parts of a draft that a batch reads; everything else may stay unloaded. */
export interface Reads {
  /** Pages by slug, or all of them. */
  readonly pages: ReadonlySet<string> | 'all'
  readonly order: boolean
  readonly config: boolean
  readonly blockIds: boolean
  readonly pageIds: boolean
}

export type ErrorCategory =
  | 'schema_violation'
  | 'not_found'
  | 'no_effective_change'
  | 'operation_failed'
  | 'planner_refusal'
  | 'ambiguity'
  | 'incomplete_output'
  | 'malformed_output'
  | 'internal_error'
  | 'canceled'

/** The category of an error, for programs. */
export type ViolationKind =
  | 'unknown key'
  | 'missing required'
  | 'type mismatch'
  | 'invalid enum'
  | 'out of range'
  | 'string constraint'
  | 'unknown'

/** The reason why a batch was refused; no operation was applied. */
export interface BatchFailure {
  readonly ok: false
  readonly category: ErrorCategory
  /** Begins with `ops[i]` and the path inside the operation, if any, and states the expected value. */
  readonly message: string
  readonly index?: number
  readonly path?: string
  /** The closed set of values that would have been accepted. */
  readonly admissible?: readonly string[]
  /** The violation of the schema of the block type, if any. */
  readonly violation?: ViolationKind
  /** Set if the page does not exist. */
  readonly missingPage?: string
  /** For `no_effective_change`: why each operation did nothing. */
  readonly skippedOps?: readonly Skip[]
}

export type SkipReason =
  'empty_patch' | 'unchanged_value' | 'reference_only' | 'unchanged_page' | 'unchanged_meta'

export interface Skip {
  /** 1-based. */
  readonly index: number
  readonly op: string
  readonly reason: SkipReason
  readonly pageSlug?: string
  readonly blockId?: string
}

export interface FuzzyMatch {
  readonly requestedId: string
  readonly resolvedId: string
  /** The position of the block on its page, from 0. */
  readonly resolvedIndex: number
  readonly strategy: 'strip_copy_suffix' | 'append_copy_suffix' | 'type_prefix'
}

export interface PageCopy {
  readonly slug: string
  readonly blockIdMap: Readonly<Record<string, string>>
}

/** A page before and after a change; `undefined` if it did not exist. */
export interface PageChange {
  readonly before: Page | undefined
  readonly after: Page | undefined
}

/** The changes of a batch, with structure shared between before and after. */
export interface DraftChange {
  /** By slug: every page whose document changed. */
  readonly pages: ReadonlyMap<string, PageChange>
  /** The stored order after the batch, only when it changed. */
  readonly order?: readonly string[]
  /** The slugs whose position was set by this batch: created, copied and moved pages. */
  readonly placed: readonly string[]
  /** The site config after the batch, only when it changed. */
  readonly config?: SiteConfig
}

/** The results of an applied batch for clients. */
export interface BatchResults {
  readonly focusBlockId?: string
  readonly updatedSlug?: string
  readonly mentionedSlugs: readonly string[]
  readonly duplicatedPages: readonly PageCopy[]
  readonly appliedCount: number
  readonly skippedOps: readonly Skip[]
  readonly fuzzyMatches: readonly FuzzyMatch[]
  readonly notes: readonly string[]
}

export type { Block, FieldKind, FieldMeta, Fields, Page, Props, SiteConfig }
