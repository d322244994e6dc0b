import type { Draft, ErrorCategory, Manifest, Registry } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Playground } from '../../draft/port.ts'

/** One operation of a plan, with the line that announces it where the planner wrote one. */
export interface Step {
  readonly op: Operation
  readonly line?: string | undefined
}

/**
 * What was left out of a plan, told once for each block type. `descriptions`: of an image, and no description. `images`: nothing
 * fitting was found for some of them; `unfit_images`: nobody can look for them as they are asked for; `no_images`: nobody looks.
 */
export interface Note {
  readonly kind: 'unknown_props' | 'references' | 'descriptions' | 'images' | 'unfit_images' | 'no_images'
  readonly type: string
}

/** What people are told beside the changes of a plan: what was left out of it, or what its planner says. */
export type Remark = Note | { readonly kind: 'said'; readonly text: string }

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
  readonly category: ErrorCategory
  /** Each names the operation and what to do instead. */
  readonly problems: readonly string[]
}

/** What a validator makes of a plan: the steps that stay, perhaps smaller, or why none can. */
export type Verdict = { readonly ok: true; readonly steps: readonly Step[]; readonly notes?: readonly Note[] } | Broken

/** One rule that every plan keeps to. Pure. */
export type Validator = (steps: readonly Step[], facts: Facts) => Verdict

export const broken = (category: ErrorCategory, ...problems: readonly string[]): Broken => ({ ok: false, category, problems })
