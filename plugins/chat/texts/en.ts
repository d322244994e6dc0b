import type { BlockWords } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { NotVaried, RollbackReason, Unapplied } from '../types/ending.ts'
import type { ImagePlace, Note } from '../types/plan.ts'
import type { PlannerBreak, PlannerRemedy } from '../types/planner.ts'
import { type NewValue, newValues, type Texts } from './texts.ts'

const quoted = (text: string): string => `“${text}”`
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** What the pipeline says in English. */
export const en: Texts = {
  change: ({ op, tense, ...words }) => {
    const { planned, done } = verbs[op.op]
    return `${tense === 'done' ? done : planned} ${objectOf(op, words)}`
  },
  applied: ([only = '', ...more]) => (more.length === 0 ? `${only}.` : `Made ${more.length + 1} changes.`),
  rolledBack: (logLine) => `Rolled back: ${logLine}`,
  rollingBack: (why) => whys[why],
  kept: (slugs) => `Someone else changed ${slugs.join(', ')} meanwhile, so the changes of this request on ${slugs.length === 1 ? 'this page' : 'these pages'} could not be rolled back. Use undo to revert them.`,
  stopped: () => 'Stopped.',
  unchanged: () => 'The content is already like that; nothing was changed.',
  waits: () => 'Nothing is changed until you approve it.',
  checked: ({ error, warning, info }, where) => {
    const place = where === undefined ? 'the site' : `the page ${quoted(where)}`
    if (error + warning + info === 0) return `The checks found no problems on ${place}.`
    return `The checks found ${counted(error, 'error', 'errors')}, ${counted(warning, 'warning', 'warnings')} and ${counted(info, 'hint', 'hints')} on ${place}.`
  },
  fixAll: (isSite) => (isSite ? 'Fix the problems of the site' : 'Fix the problems of this page'),
  fixes: (count) => `I will fix ${counted(count, 'finding', 'findings')} of the checks.`,
  nothingToFix: () => 'None of the findings can be fixed without a text from you.',
  attachmentsUnread: () => 'Your attachments were not read.',
  note: ({ kind, type }) => notes[kind](type),
  image: ({ at, block, field, query }) => `Set a new image for ${imagePlace(at, block, field)}: searching for “${query}”`,
  reason: (reason) => {
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
  refine: (field, block) => ['shorter', 'friendlier'].map((how) => `Make the ${block} ${field.toLowerCase()} ${how}`),
  discarded: (had) => (had ? 'The plan was discarded; nothing was changed.' : 'There was no pending plan; nothing was changed.'),
  nothingPending: () => 'There is no plan to approve, so nothing was changed. It was applied, dropped, or has expired after an hour. Describe the change again.',
  mismatched: () => 'Another plan is pending now, so nothing was applied. Review it and approve that one.',
  unsupportedAlone: () =>
    'I did not understand this as a literal edit. Without a language model I can set texts, links and titles, and add, move, copy or remove blocks, rows and pages, when the message says exactly what to change. For anything else set ANTHROPIC_API_KEY in the environment of the server and restart it.',
  unsupported: () => 'I did not understand what to change. Name the page or the block, and what it should say.',
  varied: (made, { asked, most, isAgain, images }) =>
    [
      `${isAgain ? 'Here again' : 'Here'} ${made === 1 ? 'is 1 variation' : `are ${made} variations`}; nothing is changed until you choose one.`,
      ...(asked > most ? [`At most ${most} can be written at once.`] : !isAgain && made < asked ? ['The others were not usable.'] : []),
      ...(images ? [imageNotes[images]] : []),
    ].join(' '),
  notVaried: (why, alone) => [notVaried[why], ...(alone && why === 'noBlock' ? [notVaried.noModel] : [])].join(' '),
  blockedStructure: (ops) => `This site currently does not allow structural edits (${ops.join(', ')}), so nothing was changed. Texts, links and images can be edited.`,
  blockTypes: () => 'GET /api/editor/blocks lists the block types of the site and whether it is ready',
  blockedDemo: () => 'This edit is locked in the public demo, so nothing was changed. Try another edit.',
  demoAllows: (ops, blockTypes) => `This demo allows ${ops.join(', ')} on blocks of type ${blockTypes.join(', ')}.`,
  invalid: () => 'The plan could not be applied, so nothing was changed. Rephrase the request, and name the page and the block.',
  invalidApproved: (kept) =>
    kept
      ? 'The accepted part cannot be applied separately, so nothing was changed. The complete plan is still pending.'
      : 'The draft has changed and the plan no longer fits it. Nothing was changed, and the plan was dropped. Ask for it again.',
  approvalFailed: () => 'The approved plan could not be applied, so nothing was changed, and the plan was dropped. Ask for it again, or for a part of it.',
  unapplied: (why) => unapplied[why],
  provider: ({ provider = 'The provider of the language model', remedy = 'later' }) => `${provider} did not answer the request${remedies[remedy]}. Nothing was changed.`,
  budget: () => 'The daily budget for language models is spent, so nothing was changed. Edits that give the exact text still work without a model.',
  refused: () => 'The language model declined this request. Nothing was changed; rephrase it, or make the edit by hand.',
  incomplete: () => 'The answer of the language model was cut off, so nothing was changed. Ask for less at once.',
  unusable: () => 'The planner returned no usable plan, so nothing was changed. Try again, or rephrase the request.',
  broken: (how) => broken[how],
}

const unapplied: Readonly<Record<Unapplied, string>> = {
  moving: 'Others keep changing the draft. Try again.',
  too_large: 'The draft or one of its pages would become too large. Ask for less, or shorten the existing content.',
  unfit: 'It does not fit the current draft.',
}

const remedies: Readonly<Record<PlannerRemedy, string>> = {
  later: '; try again in a few minutes',
  wait: ', because the limit of the account is reached; wait a few minutes',
  smaller: ', because it is too large; select one block and ask for a change to it, or choose another model',
  operator: ', because of a configuration problem; see the log of the server',
}

const broken: Readonly<Record<PlannerBreak, string>> = {
  no_plan: 'The answer of the planner is not a plan.',
  broke_off: 'The planner failed. The log has the details under the id of this run.',
}

const notes: Readonly<Record<Note['kind'], (type: string) => string>> = {
  references: (type) => `A reference of ${type} was left as it is: it is managed in the CMS.`,
  unknown_props: (type) => `A part of the plan was left out, because ${type} has no such field.`,
  descriptions: (type) => `The description of an image of ${type} was left as it was, because the new one reads as a request.`,
  images: (type) => `Some images of ${type} were left as they are: no suitable image was found in time, or the field has changed meanwhile.`,
  unfit_images: () => 'Some images of the plan were left out: the field does not exist, the image is requested twice or beyond the limit, or its description is missing or too long.',
  no_images: () => 'Images were left as they are, because no source of images is available.',
}

const imageNotes = {
  'no address': 'Images stay as they are, because no source of images is available; put the address of an image into the message to use it.',
  'not found': 'No suitable image was found in time for some variations: they keep the current one.',
  'no image': 'This block has no image that could be changed.',
}

const notVaried: Readonly<Record<NotVaried, string>> = {
  noBlock: 'Variations are written for one block: select one and ask again.',
  noModel: 'Variations are written by a language model, and this server has none. Set ANTHROPIC_API_KEY in the environment of the server and restart it; texts that you give word for word can be set without one.',
  nothing: 'This block has nothing that variations may change. Select another one, or allow more changes.',
  noImages: 'The variations differ only in their images, and none was found in time. Say what the images should show, or let the texts differ too.',
  tooLong: 'This block and the message are too long for a language model. Split the block, or shorten the message.',
}

const whys: Readonly<Record<RollbackReason, string>> = {
  canceled: 'The run was stopped.',
  again: 'The edit is planned again.',
  unfit: 'One of the changes cannot be applied.',
  held: 'The plan needs approval first.',
  other: 'The complete plan is different.',
  ended: 'The plan could not be applied.',
}

type Verbs = Readonly<Record<Operation['op'], { readonly planned: string; readonly done: string }>>

const verbs: Verbs = {
  create_page: { planned: 'Create', done: 'Created' },
  rename_page: { planned: 'Rename', done: 'Renamed' },
  remove_page: { planned: 'Remove', done: 'Removed' },
  move_page: { planned: 'Move', done: 'Moved' },
  duplicate_page: { planned: 'Duplicate', done: 'Duplicated' },
  update_page_meta: { planned: 'Change', done: 'Changed' },
  update_site_config: { planned: 'Change', done: 'Changed' },
  add_block: { planned: 'Add', done: 'Added' },
  update_props: { planned: 'Change', done: 'Changed' },
  remove_block: { planned: 'Remove', done: 'Removed' },
  move_block: { planned: 'Move', done: 'Moved' },
  duplicate_block: { planned: 'Duplicate', done: 'Duplicated' },
  add_item: { planned: 'Add', done: 'Added' },
  update_item: { planned: 'Change', done: 'Changed' },
  remove_item: { planned: 'Remove', done: 'Removed' },
  move_item: { planned: 'Move', done: 'Moved' },
}

function objectOf(op: Operation, { block = 'block', field }: BlockWords): string {
  switch (op.op) {
    case 'create_page':
      return `page ${quoted(op.page.title ?? op.page.slug)} at ${op.page.slug}`
    case 'rename_page': {
      const to = [op.newPageSlug === op.pageSlug ? undefined : op.newPageSlug, op.newTitle && quoted(op.newTitle)]
      return `page ${op.pageSlug} to ${to.filter(Boolean).join(', ')}`
    }
    case 'remove_page':
      return `page ${op.pageSlug}`
    case 'move_page':
      return `page ${op.pageSlug}${op.afterPageSlug === undefined ? '' : ` after ${op.afterPageSlug}`}`
    case 'duplicate_page':
      return `page ${op.pageSlug}${op.newPageSlug === undefined ? '' : ` as ${op.newPageSlug}`}`
    case 'update_page_meta':
      return `the search engine texts of ${op.pageSlug}: ${values(op.patch, settingName)}`
    case 'update_site_config':
      return `the site settings: ${values(op.patch, settingName)}`
    case 'add_block':
      return `${block} to ${op.pageSlug}`
    case 'update_props':
      return `${block} on ${op.pageSlug}: ${values(op.patch, (name) => inText(field(name)))}`
    case 'remove_block':
    case 'move_block':
      return `${block} on ${op.pageSlug}`
    case 'duplicate_block':
      return `${block} on ${op.pageSlug}${op.toPageSlug && op.toPageSlug !== op.pageSlug ? ` to ${op.toPageSlug}` : ''}`
    case 'add_item':
      return `a row to ${inText(field(op.listKey))} of ${block} on ${op.pageSlug}`
    case 'update_item':
      return `row ${op.index + 1} in ${inText(field(op.listKey))} of ${block} on ${op.pageSlug}: ${values(op.patch, (name) => inText(field(name, op.listKey)))}`
    case 'remove_item':
    case 'move_item':
      return `row ${op.index + 1} in ${inText(field(op.listKey))} of ${block} on ${op.pageSlug}`
  }
}

/** A label in the middle of a sentence; what begins with two capitals is an abbreviation. */
const inText = (label: string): string => (/^\p{Lu}{2}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1))

function imagePlace(at: ImagePlace, block: string, field: BlockWords['field']): string {
  switch (at.kind) {
    case 'block':
      return `${block} on ${at.pageSlug}`
    case 'row':
      return `row ${at.index + 1} in ${inText(field(at.listKey))} of ${block} on ${at.pageSlug}`
    case 'page':
      return `link previews of ${at.pageSlug}`
    case 'site':
      return 'the logo of the site'
  }
}

/** Display names of site settings and of search engine texts. */
const settings: Readonly<Record<string, string>> = { ogImage: 'image for link previews', navLabels: 'names in the menu', navGroups: 'groups of the menu' }

const settingName = (name: string): string => settings[name] ?? name

const values = (...what: Parameters<typeof newValues>): string => newValues(...what).map(valueText).join(', ')

function valueText({ name, value }: NewValue): string {
  if (value === undefined) return name
  return value === null ? `no ${name}` : `${name} to ${quoted(value)}`
}
