import type { Draft, ErrorCategory, Manifest, Registry } from '../../content/model.ts'
import type { Playground } from '../../draft/port.ts'
import type { Note, Step } from '../types/plan.ts'

/** What plans are checked against. */
export interface Facts {
  readonly draft: Draft
  readonly registry: Registry
  readonly manifest: Manifest | undefined
  readonly playground: Playground | undefined
  readonly now: Date
  /** The page that is worked on. */
  readonly slug: string
  readonly maxOperations: number
}

/** Why a plan cannot be applied. */
export interface Broken {
  readonly ok: false
  readonly kind: 'broken'
  readonly category: ErrorCategory
  /** Each names the operation and what to do instead. */
  readonly problems: readonly string[]
}

/** The steps that are left, or why the plan cannot be applied. */
export type Verdict = { readonly ok: true; readonly steps: readonly Step[]; readonly notes?: readonly Note[] } | Broken

/** One rule for every plan. Pure. */
export type Validator = (steps: readonly Step[], facts: Facts) => Verdict

export const broken = (category: ErrorCategory, ...problems: readonly string[]): Broken =>
  ({ ok: false, kind: 'broken', category, problems })
