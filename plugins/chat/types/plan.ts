import * as v from 'valibot'
import type { Operation } from '../../content/operations/index.ts'
import { index, optional } from '../../content/operations/shapes.ts'

/** An action that was understood and lacks something, kept so that the next message can fill it in. */
export interface OpenQuestion {
  /** The message that was asked about. */
  readonly message: string
  /** What the planner that asked needs to go on; JSON, because it is stored. */
  readonly memory?: unknown
}

/** What a planner proposes to do to a draft: data, which others check, hold, apply and undo. */
export interface Plan {
  /** One short sentence in the future tense, for people. */
  readonly summary: string
  /** One line for each operation, in the same order, with the values that change. */
  readonly changeLog: readonly string[]
  /** What people should know beside the changes, such as what was left out; whole sentences. */
  readonly remarks?: readonly string[]
  /** At least one, unless it asks for images alone; ids and slugs may still be as people wrote them. */
  readonly ops: readonly Operation[]
  /** New images that are to be looked for: each a `WantedImage`, read like anything from outside. */
  readonly images?: readonly unknown[] | undefined
  /** What the person may ask next, each a whole message. */
  readonly suggestions?: readonly string[]
}

/** Wants what the checks find on a page, or on the site where `slug` is missing; to hear it, or to have put right what can be. */
export interface ChecksWish {
  readonly slug?: string | undefined
  readonly fixes: boolean
}

/** What a planner made of a message. */
export type Outcome =
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** Understood, and everything is so already. */
  | { readonly kind: 'unchanged'; readonly summary: string }
  /** The action is understood; something is missing, ambiguous, or not allowed. */
  | { readonly kind: 'question'; readonly question: string; readonly suggestions: readonly string[]; readonly open?: OpenQuestion }
  /** Nothing is to be changed; the person wants to know something. */
  | { readonly kind: 'answer'; readonly status: 'info' | 'advice'; readonly summary: string; readonly findings: readonly string[]; readonly suggestions: readonly string[]; readonly checks?: ChecksWish }
  /** This planner cannot do it. */
  | { readonly kind: 'unsupported'; readonly suggestions: readonly string[] }

export const suggestionsIn = (outcome: Outcome): readonly string[] => ('suggestions' in outcome ? outcome.suggestions : [])

/** What the person may ask next, where nothing is planned. */
/** Characters that a suggestion has at most: editors show it as the label of a button. */
export const longestSuggestion = 40

/** Stands between a request and an answer to what was asked about it, where they are one message. */
export const answerMark = '\n\n'

/** A message, after the one that it answers where it is an answer. */
export const withAnswered = ({ open, message }: { readonly open?: OpenQuestion | undefined; readonly message: string }): string =>
  open ? `${open.message}${answerMark}${message}` : message

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

export type SourceKind = (typeof sourceKinds)[number]

/** Where images come from: a photo library, a model that makes them, or what belongs to the site. */
export const sourceKinds = ['stock', 'generated', 'brand'] as const

/** Where an image stands: data by which its field is found again in a later draft. */
export type ImagePlace =
  | { readonly kind: 'block'; readonly pageSlug: string; readonly blockId: string; readonly field: string }
  | { readonly kind: 'row'; readonly pageSlug: string; readonly blockId: string; readonly listKey: string; readonly index: number; readonly field: string }
  /** What link previews show of a page. */
  | { readonly kind: 'page'; readonly pageSlug: string }
  /** The logo in the header of the site. */
  | { readonly kind: 'site' }

/** An image that will be looked for once its plan is applied; JSON, because it waits with the plan. */
export interface PlannedImage {
  readonly at: ImagePlace
  readonly type: string
  readonly query: string
  readonly source?: SourceKind | undefined
  /** A digest of what is there once the plan is applied. */
  readonly was: string
}

/** Why a plan waits for a person, with what would be lost. */
export type DestructiveReason =
  | { readonly kind: 'remove_page'; readonly slug: string; readonly title: string; readonly blockCount: number }
  | { readonly kind: 'multi_page_plan'; readonly slugs: readonly string[] }
  | { readonly kind: 'bulk_remove_blocks'; readonly count: number }
  | { readonly kind: 'majority_page_wipe'; readonly slug: string; readonly removing: number; readonly total: number }

/** Where the images of a session come from, as the person chose. */
export type ImageChoice = SourceKind | 'any'

/** So many images are looked for in one plan. */
export const mostImages = 20

const text = (description: string) => optional(v.pipe(v.string(), v.description(description)))

/** A new image that a planner asks for beside its operations. */
export const WantedImage = v.object({
  pageSlug: text('The page; the one that is worked on where it is missing.'),
  blockId: text('The block, which the operations of this plan may add. Without one field says what is meant.'),
  listKey: text('The list, for the image of a row.'),
  index: optional(index('the position of the row once the operations are applied')),
  field: text('The image field where there are several; without a block ogImage for the image that link previews show of the page, or logo for that of the site.'),
  query: text('What the image should show, in a few plain words.'),
  source: optional(v.pipe(v.picklist(sourceKinds), v.description('Only where the request names one: stock for photo libraries, generated for made images, brand for those of the site.'))),
})
export type WantedImage = v.InferOutput<typeof WantedImage>
