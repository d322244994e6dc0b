import type { Operation } from '../../content/operations/index.ts'
import { mapValues } from '../../content/plain-object.ts'
import { metaNames, settingNames } from '../../content/setting-names.ts'
import type { DestructiveReason, Note } from '../types/plan.ts'
import type { PlannerFailureDetails, PlannerRemedy } from '../types/planner.ts'
import type { OutdatedPlan } from '../types/run.ts'

type FirstWord<Name> = Name extends `${infer Word}_${string}` ? Word : never
/** The first word of the name of an operation. */
export type Verb = FirstWord<Operation['op']>

const quoted = (text: string): string => `“${text}”`

/** Formats a count and its noun. */
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** The verbs of operations, for planned and for finished changes. */
const verbs: Readonly<Record<Verb, readonly [planned: string, done: string]>> = {
  create: ['Create', 'Created'],
  rename: ['Rename', 'Renamed'],
  remove: ['Remove', 'Removed'],
  move: ['Move', 'Moved'],
  duplicate: ['Duplicate', 'Duplicated'],
  update: ['Change', 'Changed'],
  add: ['Add', 'Added'],
}

/** A label inside a sentence: in lower case, except abbreviations, which begin with two capitals. */
function inSentence(label: string): string {
  return /^\p{Lu}{2}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

/** Display names of site settings and of search engine texts. */
const settings = mapValues({ ...settingNames, ogImage: metaNames.ogImage }, inSentence)

/** Every sentence of the pipeline for people. */
export const texts = {
  applied: ([only = '', ...more]: readonly string[]): string =>
    more.length === 0 ? `${only}.` : `Made ${more.length + 1} changes.`,
  unchanged: () => 'The content is already like that; nothing was changed.',
  /** Follows the planner's own sentence. */
  waits: () => 'Nothing is changed until you approve it.',
  attachmentsUnread: () => 'Your attachments were not read.',
  note: ({ kind, type }: Note) =>
    ({
      references: `A reference of ${type} was left as it is: it is managed in the CMS.`,
      unknown_props: `A part of the plan was left out, because ${type} has no such field.`,
      descriptions: `The description of an image of ${type} was left as it was, because the new one reads as a request.`,
      images: `Some images of ${type} were left as they are: no suitable image was found in time, or the field has changed meanwhile.`,
      unfit_images:
        'Some images of the plan were left out: the field does not exist, the image is requested twice or beyond the limit, or its description is missing or too long.',
      no_images: 'Images were left as they are, because no source of images is available.',
    })[kind],
  /** A line about an image to search once the plan is applied. */
  image: (place: string, query: string) => `Set a new image for ${place}: searching for “${query}”`,
  reason: (reason: DestructiveReason): string => {
    switch (reason.kind) {
      case 'remove_page':
        return `This removes the page ${quoted(reason.title)} (${reason.slug}) with ${counted(reason.blockCount, 'block', 'blocks')}. Undo brings it back.`
      case 'multi_page_plan':
        return `This changes ${reason.slugs.length} pages: ${reason.slugs.slice(0, 10).join(', ')}${reason.slugs.length > 10 ? ', …' : ''}.`
      case 'bulk_remove_blocks':
        return `This removes ${reason.count} blocks.`
      case 'majority_page_wipe':
        return `This removes ${reason.removing} of the ${counted(reason.total, 'block', 'blocks')} on ${reason.slug}.`
    }
  },
  discarded: (had: boolean, wasAsked: boolean): string => {
    if (had) return 'The plan was discarded; nothing was changed.'
    return wasAsked ? 'Nothing was changed.' : 'There was no pending plan; nothing was changed.'
  },
  nothingPending: () =>
    'There is no plan to approve, so nothing was changed. It was applied, dropped, or has expired after an hour. Describe the change again.',
  /** Follows another sentence: the message of a pending plan that a newer request replaces. */
  dropped: (message: string) => `The plan for ${quoted(message)} is no longer pending.`,
  /** Says why a plan has ended. `by` is the name that the other person entered, unverified. */
  outdated: ({ by = 'Somebody else', what }: { readonly by?: string | undefined; readonly what: string }) =>
    `${by} applied a plan that changes the same ${what}; this one is out of date.`,
  askAgain: () => 'Ask for it again.',
  /** Follows another sentence: the plans of others that an applied one has outdated. */
  met: ([{ of = 'somebody else', what }, ...more]: readonly [OutdatedPlan, ...OutdatedPlan[]]) =>
    more.length === 0
      ? `The plan of ${of}, which changes the same ${what}, is out of date now.`
      : `The plans of ${more.length + 1} others, which change the same places, are out of date now.`,
  mismatched: () => 'Another plan is pending now, so nothing was applied. Review it and approve that one.',
  /** Without a model: names the variable that enables one. */
  unsupportedAlone: () =>
    'I did not understand this as a literal edit. Without a language model I can set texts, links and titles, and add, move, copy or remove blocks, rows and pages, when the message says exactly what to change, with new texts in quotes.',
  needsModel: () =>
    'For anything else set ANTHROPIC_API_KEY, or OPENAI_MODEL with OPENAI_API_KEY, in the environment of the server and restart it.',
  unsupported: () =>
    'I did not understand what to change. Name the page or the block, and what it should say.',
  noBlock: () => 'Variations are written for one block: select one and ask again.',
  noModel: () =>
    'Variations are written by a language model, and this server has none. Set ANTHROPIC_API_KEY, or OPENAI_MODEL with OPENAI_API_KEY, in the environment of the server and restart it.',
  blockedStructure: (ops: readonly string[]) =>
    `This site currently does not allow structural edits (${ops.join(', ')}), so nothing was changed. Texts, links and images can be edited.`,
  /** Says where to look up the block types of the site. */
  blockTypes: () => 'GET /api/editor/blocks lists the block types of the site and whether it is ready',
  blockedDemo: () => 'This edit is locked in the public demo, so nothing was changed. Try another edit.',
  invalid: () =>
    'The plan could not be applied, so nothing was changed. Rephrase the request, and name the page and the block.',
  /** An approved plan no longer fits the draft. */
  invalidApproved: (isPlanPending: boolean): string =>
    isPlanPending
      ? 'The accepted part cannot be applied separately, so nothing was changed. The complete plan is still pending.'
      : 'The draft has changed and the plan no longer fits it. Nothing was changed, and the plan was dropped. Ask for it again.',
  approvalFailed: () =>
    'The approved plan could not be applied, so nothing was changed, and the plan was dropped. Ask for it again, or for a part of it.',
  provider: ({ provider = 'The provider of the language model', remedy = 'later' }: PlannerFailureDetails) =>
    `${provider} did not answer the request${remedies[remedy]}. Nothing was changed.`,
  budget: () =>
    'The daily budget for language models is spent, so nothing was changed. Edits that give the exact text still work without a model.',
  refused: () =>
    'The language model declined this request. Nothing was changed; rephrase it, or make the edit by hand.',
  incomplete: () =>
    'The answer of the language model was cut off, so nothing was changed. Ask for less at once.',
  unusable: () =>
    'The planner returned no usable plan, so nothing was changed. Try again, or rephrase the request.',
  broken: () => 'The planner failed. The log has the details under the id of this run.',
  label: inSentence,
  verbs,
  quoted,
  settings,
}

const remedies: Readonly<Record<PlannerRemedy, string>> = {
  later: '; try again in a few minutes',
  wait: ', because the limit of the account is reached; wait a few minutes',
  smaller: ', because it is too large; select one block and ask for a change to it, or choose another model',
  operator: ', because of a configuration problem; see the log of the server',
}
