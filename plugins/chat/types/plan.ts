import * as v from 'valibot'
import type { Operation } from '../../content/operations/index.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import { index, optional } from '../../content/operations/shapes.ts'
import { sourceKinds, type SourceKind } from '../../media/port.ts'
import { ChatDebug, Tier } from '../result.ts'

/** A question that the next message may answer. */
export interface OpenQuestion {
  /** The message that the question is about. */
  readonly message: string
  /** State of the planner that asked; JSON, because it is stored. */
  readonly memory?: unknown
}

/** The proposal of a planner. It is untrusted: the pipeline validates, gates and applies it. */
export interface Plan {
  /** One short sentence in the future tense, for people. */
  readonly summary: string
  /** One line for each operation, in the same order, with the values that change. */
  readonly changeLog: readonly string[]
  /** Complete sentences about the plan, such as its omissions. */
  readonly remarks?: readonly string[]
  /** At least one, unless the plan only asks for images; ids and slugs may be unresolved. */
  readonly ops: readonly Operation[]
  /** New images to search, each an unchecked `WantedImage`. */
  readonly images?: readonly unknown[] | undefined
  /** The message asks to see the plan before it is applied. */
  readonly isPlanFirst?: boolean | undefined
  /** Suggested next requests, each a complete message. */
  readonly suggestions?: readonly string[]
}

export type Outcome =
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** Understood; the draft is already as requested. */
  | { readonly kind: 'unchanged'; readonly summary: string }
  /** The action is understood; something is missing, ambiguous, or not allowed. */
  | {
      readonly kind: 'question'
      readonly question: string
      readonly suggestions: readonly string[]
      readonly open?: OpenQuestion
    }
  /** The person asks for information, not for a change. */
  | {
      readonly kind: 'answer'
      readonly status: 'info' | 'advice'
      readonly summary: string
      readonly findings: readonly string[]
      readonly suggestions: readonly string[]
      /** The pages that the person asks to see. */
      readonly opens?: readonly string[]
      /** The page whose last change the person asks to undo; the client does it. */
      readonly undoes?: string
    }
  /** The person asks for alternative contents of the selected block; `isAgain`: for the last ones. */
  | { readonly kind: 'variations'; readonly isAgain: boolean }
  /** This planner cannot do it. */
  | {
      readonly kind: 'unsupported'
      readonly suggestions: readonly string[]
      /** What to say in front of the general explanation, or instead of it. */
      readonly hint?: string
      readonly isHintAll?: boolean
      /** The suggestion that is near to the message. */
      readonly offer?: string
    }

/**
 * The maximum length of a suggestion in characters; editors show it as a button label. The words of the
 * person may be longer.
 */
export const longestSuggestion = 40

/** Separates a request from the answer to its question in a combined message. */
export const answerMark = '\n\n'

/** Returns a message, preceded by the request whose question it answers. */
export const withAnswered = ({
  open,
  message,
}: {
  readonly open?: OpenQuestion | undefined
  readonly message: string
}): string => (open ? `${open.message}${answerMark}${message}` : message)

const string = v.string()

/** One operation of a plan, and its change log line if the planner wrote one. */
export const Step = v.object({
  op: v.custom<Operation>((op) => parseOperations([op]).ok),
  line: v.optional(string),
})
export type Step = Readonly<v.InferOutput<typeof Step>>

/**
 * Omissions of a plan, once per block type. `descriptions`: an image description reads as an instruction.
 * `images`: some were not found; `unfit_images`: some cannot be searched; `no_images`: no source available.
 */
const Note = v.object({
  kind: v.picklist(['unknown_props', 'references', 'descriptions', 'images', 'unfit_images', 'no_images']),
  type: string,
})
export type Note = Readonly<v.InferOutput<typeof Note>>

/** A remark about a plan: an omission, or a sentence of its planner. */
export const Remark = v.variant('kind', [v.object({ kind: v.literal('said'), text: string }), Note])
export type Remark = Readonly<v.InferOutput<typeof Remark>>

const onBlock = { pageSlug: string, blockId: string, field: string }

/** The place of an image, for finding its field in a later draft; `page`: link previews, `site`: the logo. */
const ImagePlace = v.variant('kind', [
  v.object({ kind: v.literal('block'), ...onBlock }),
  v.object({ kind: v.literal('row'), ...onBlock, listKey: string, index: v.number() }),
  v.object({ kind: v.literal('page'), pageSlug: string }),
  v.object({ kind: v.literal('site') }),
])
export type ImagePlace = Readonly<v.InferOutput<typeof ImagePlace>>

/** An image to search once its plan is applied. */
export const PlannedImage = v.object({
  at: ImagePlace,
  type: string,
  query: string,
  source: v.optional(v.picklist(sourceKinds)),
  /** A digest of the field right after the plan is applied. */
  was: string,
})
export type PlannedImage = Readonly<v.InferOutput<typeof PlannedImage>>

/** Why a plan needs approval, with the content that would be lost. */
export const DestructiveReason = v.variant('kind', [
  v.object({ kind: v.literal('remove_page'), slug: string, title: string, blockCount: v.number() }),
  v.object({ kind: v.literal('multi_page_plan'), slugs: v.pipe(v.array(string), v.readonly()) }),
  v.object({ kind: v.literal('bulk_remove_blocks'), count: v.number() }),
  v.object({ kind: v.literal('majority_page_wipe'), slug: string, removing: v.number(), total: v.number() }),
])
export type DestructiveReason = Readonly<v.InferOutput<typeof DestructiveReason>>

/** The image source that the person chose for a session. */
export type ImageChoice = SourceKind | 'any'

const list = <const S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly())

/** The selection in the editor. */
const Selection = v.object({
  /** The page being edited; it is in the draft. */
  slug: string,
  blockId: v.optional(string),
  /** A field of the block, such as `heading`, `cards[1].title` or `right[0].src`. */
  path: v.optional(string),
})
export type Selection = Readonly<v.InferOutput<typeof Selection>>

/** The planner and the model that answered, as named in results. */
const Source = v.object({
  /** `demo` is the planner without a model. */
  plannerSource: string,
  modelUsed: string,
  plannerTier: ChatDebug.entries.plannerTier,
  modelKey: v.optional(Tier),
})
export type Source = Readonly<v.InferOutput<typeof Source>>

/** A stored plan that waits for approval. */
export const PendingPlan = v.object({
  id: string,
  /** ISO times. */
  createdAt: string,
  expiresAt: string,
  promptHash: string,
  /** The first 2,000 characters of the message. */
  message: string,
  /** The page named by the request; the page being edited is in `selection`. */
  requestedSlug: string,
  selection: Selection,
  /** The planner's sentence, in the future tense. */
  summary: string,
  steps: list(Step),
  /** Searched once the operations are applied. */
  images: list(PlannedImage),
  suggestions: list(string),
  /** The pages that the plan affects, including those that it creates. */
  mentionedSlugs: list(string),
  notes: list(Remark),
  reasons: list(DestructiveReason),
  source: Source,
  draftVersion: v.number(),
  /** Whose plan it is, as `personOf` returns it; all who state no browser are one, without it. */
  person: v.optional(string),
  /** The name that the person states. */
  name: v.optional(string),
  /** The run of another plugin whose other changes are applied already; the plan is a step of it. */
  run: v.optional(string),
  /** Set if others may answer it, because its person may not approve. */
  isOpen: v.optional(v.boolean()),
  /** The places in the content that it changes. */
  places: v.optional(list(list(string))),
  /** Set when an applied plan of another person changed the same place. An outdated plan is not pending. */
  outdated: v.optional(v.object({ by: v.optional(string), what: string })),
  /** The block types and the structural switch of the site, as sent with the request. */
  componentsManifest: v.optional(v.unknown()),
  allowStructuralEdits: v.optional(v.boolean()),
})
export type PendingPlan = Readonly<v.InferOutput<typeof PendingPlan>>

/** The maximum number of images of one plan. */
export const mostImages = 20

const text = (description: string) => optional(v.pipe(v.string(), v.description(description)))

/** A new image that a planner asks for in addition to its operations. */
export const WantedImage = v.object({
  pageSlug: text('The page; the one that is worked on where it is missing.'),
  blockId: text(
    'The block, which the operations of this plan may add. Without one field says what is meant.',
  ),
  listKey: text('The list, for the image of a row.'),
  index: optional(index('the position of the row once the operations are applied')),
  field: text(
    'The image field where there are several; without a block ogImage for the image that link previews show of the page, or logo for that of the site.',
  ),
  query: text('What the image should show, in a few plain words.'),
  source: optional(
    v.pipe(
      v.picklist([...sourceKinds, 'describe']),
      v.description(
        'stock for photo libraries, generated for made images, brand for those of the site, where the request names one; describe for a description of the image that is there.',
      ),
    ),
  ),
})
export type WantedImage = v.InferOutput<typeof WantedImage>
