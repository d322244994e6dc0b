import { builtinRegistry } from '../../content/registry.ts'
import { readManifest } from '../../draft/port.ts'
import type { PlannedImage } from '../images/wanted.ts'
import type { Selection } from '../planners/planner.ts'
import type { Source } from '../planners/source.ts'
import type { DeclaredSite } from '../run/run.ts'
import type { DestructiveReason } from '../stages/destructive.ts'
import type { Remark, Step } from '../validate/step.ts'

/** A plan that waits for a person to approve it, as it is stored: JSON, so that nobody changes it meanwhile. */
export interface PendingPlan {
  readonly id: string
  /** ISO times. */
  readonly createdAt: string
  readonly expiresAt: string
  readonly promptHash: string
  /** At most 2,000 characters of it. */
  readonly message: string
  /** The language of its texts. */
  readonly locale: string
  /** The page that the request named; that of the selection is the one that is worked on. */
  readonly requestedSlug: string
  readonly selection: Selection
  /** The planner's sentence, in the future tense. */
  readonly summary: string
  readonly steps: readonly Step[]
  /** Looked for once the operations are applied. */
  readonly images?: readonly PlannedImage[] | undefined
  readonly suggestions: readonly string[]
  /** The pages that it is about, with those that it makes. */
  readonly mentionedSlugs: readonly string[]
  readonly notes: readonly Remark[]
  readonly reasons: readonly DestructiveReason[]
  readonly source: Source
  readonly draftVersion: number
  /** The block types and the switch of the site as they were sent with the request. */
  readonly componentsManifest?: unknown
  readonly allowStructuralEdits?: boolean | undefined
}

/** What the site declares now, or declared when the plan was made. */
export function siteOf({ componentsManifest, allowStructuralEdits }: PendingPlan, now: DeclaredSite = nothingDeclared): DeclaredSite {
  return {
    manifest: now.manifest ?? readManifest(componentsManifest, builtinRegistry),
    allowStructuralEdits: now.allowStructuralEdits ?? allowStructuralEdits,
  }
}

const nothingDeclared: DeclaredSite = { manifest: undefined, allowStructuralEdits: undefined }
