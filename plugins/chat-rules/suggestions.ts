/** Next requests: sentences that the forms understand, with the names of this page. */
import { longestSuggestion } from '../chat/port.ts'
import { authorityOf } from '../content/authority.ts'
import { isInternal, labelOf } from '../content/fields.ts'
import { type BlockAt, blocksOn, type Work } from './work.ts'

const most = 4

/** Section types that most pages have. */
const standardTypes = ['FAQAccordion', 'Testimonials', 'CTA', 'Stats']

const short = (suggestions: readonly string[]): readonly string[] =>
  [...new Set(suggestions)].filter((each) => each.length <= longestSuggestion).slice(0, most)

/** Blocks that their type alone names on the page, and that a public demo allows to edit. */
function namedByType(work: Work): readonly BlockAt[] {
  const all = blocksOn(work, work.slug)
  const allowed = work.input.playground?.blockTypes
  const byType = Map.groupBy(all, ({ block: { type } }) => type)
  return all.filter(
    ({ block: { type }, type: known }) =>
      known && (!allowed || allowed.has(type)) && byType.get(type)?.length === 1,
  )
}

const nameOf = ({ type }: BlockAt): string => type?.displayName ?? ''

/** Edits of the text fields of a block, but for those in `except`. Each leads to the question for the new text. */
function fieldEdits(at: BlockAt, except: readonly string[] = []): readonly string[] {
  const texts = Object.entries(at.type?.fields ?? {}).filter(
    ([name, meta]) =>
      (meta.kind === 'text' || meta.kind === 'richtext') && !isInternal(name, meta) && !except.includes(name),
  )
  return texts.map(([name, meta]) => `Change the ${nameOf(at)} ${labelOf(name, meta).toLowerCase()}`)
}

/** Whether blocks and pages may be added and moved. */
const isOpen = ({ input: { allowStructuralEdits, playground } }: Work): boolean =>
  allowStructuralEdits !== false && !playground

function additions(work: Work): readonly string[] {
  if (!isOpen(work)) return []
  const { names } = work
  const types = new Set(blocksOn(work, work.slug).map(({ block }) => block.type))
  const missing = standardTypes.filter((type) => !types.has(type) && authorityOf(type, work.input).ok)
  return missing.map((type) => `Add a ${names.types.get(type)?.displayName ?? type} section`)
}

/** Literal edits that fit the page. */
export function examplesFor(work: Work): readonly string[] {
  const blocks = namedByType(work)
  const [first, ...others] = blocksOn(work, work.slug).filter(({ type }) => !type?.chrome)
  const movable = others.find(({ block }) => blocks.some((each) => each.block === block))
  return short([
    ...blocks.slice(0, 2).flatMap((at) => fieldEdits(at).slice(0, isOpen(work) ? 1 : 2)),
    ...(isOpen(work) && first && movable ? [`Move the ${nameOf(movable)} section to the top`] : []),
    ...additions(work).slice(0, 1),
    ...(isOpen(work) ? ['Create a page called "News"'] : []),
  ])
}

/** After an edit of a block: its other texts, then missing sections; none after a page is gone. */
export function followUps(work: Work): readonly string[] {
  const { ops } = work
  if (ops.some(({ op }) => op === 'remove_page')) return []
  const last = ops.at(-1)
  const edited =
    last?.op === 'update_props' ? namedByType(work).find(({ block }) => block.id === last.blockId) : undefined
  const set = last?.op === 'update_props' ? Object.keys(last.patch) : []
  return short([...(edited ? fieldEdits(edited, set) : []), ...additions(work)])
}
