/** Answers to questions about the site, and suggested requests: sentences that the forms understand. */
import { longestSuggestion, type Outcome } from '../port.ts'
import { isDeclaredList, isInternal, labelOf } from '../../content/fields.ts'
import type { Fields } from '../../content/model.ts'
import { addable } from './changes.ts'
import { texts } from './texts.ts'
import { type Item, blocksOn, labelFor, pagesOf, selected, type PlanState } from './work.ts'

type SiteAnswer = Pick<Extract<Outcome, { kind: 'answer' }>, 'summary' | 'findings'>

/** The wordings of questions, without articles and courtesies, and their answers. */
const questions: readonly (readonly [RegExp, (work: PlanState) => SiteAnswer])[] = [
  [
    /^(?:(?:what|which)(?: kinds? of| types? of)? (?:blocks?|sections?)(?: types?)? can i add|list (?:all )?(?:block|section) types)\b[\w ]*$/,
    blockCatalogue,
  ],
  [/^what can i (?:change|edit)(?: here| on this page)?$/, editableFields],
  [
    /^(?:(?:list|show)(?: me)?(?: all)? pages|(?:what|which) pages (?:are there|do (?:i|we) have))$/,
    pageList,
  ],
  [/^(?:help|what can you do|hello|hi|hey)$/, () => ({ summary: texts.help, findings: [] })],
  [/^(?:undo|redo)\b/, () => ({ summary: texts.history, findings: [] })],
  [/^publish\b/, () => ({ summary: texts.publishing, findings: [] })],
  [
    /^(?:do not|don't|dont|never)\b|^(?:no|nothing|cancel|stop|wait|(?:forget|leave|keep) it)(?: as it is| please)?$/,
    () => ({ summary: texts.negated, findings: [] }),
  ],
]

/** The answer to a question about the site or this planner; `undefined` for other messages. */
export const answerTo = (work: PlanState, phrase: string): SiteAnswer | undefined =>
  questions.find(([pattern]) => pattern.test(phrase))?.[1](work)

function blockCatalogue(work: PlanState): SiteAnswer {
  const types = addable(work)
  const findings = types.map(({ displayName, description }) =>
    description === undefined ? displayName : `${displayName}: ${description}`,
  )
  return { summary: texts.addable(types.length), findings }
}

function pageList(work: PlanState): SiteAnswer {
  const pages = pagesOf(work)
  const findings = pages.map(({ slug, name }) =>
    texts.pageLine(
      slug,
      name,
      blocksOn(work, slug).map((block) => block.name),
    ),
  )
  return { summary: texts.pages(pages.length), findings }
}

/** The fields of the selected row or block, or of each block type on the page. */
function editableFields(work: PlanState): SiteAnswer {
  const { block, row } = selected(work)
  const item = row ?? block
  if (item) return { summary: texts.fieldsOf(labelFor(item)), findings: labelsOf(item.fields) }
  const items = new Map(blocksOn(work, work.slug).map((each) => [each.name, each]))
  const findings = [...items].map(([name, { fields }]) => texts.fieldList(name, labelsOf(fields)))
  return { summary: texts.fieldsOf(work.draft.page(work.slug)?.title ?? work.slug), findings }
}

const labelsOf = (fields: Fields): readonly string[] =>
  Object.entries(fields)
    .filter(([name, meta]) => !isInternal(name, meta))
    .map(([name, meta]) => {
      const parts = isDeclaredList(meta) ? labelsOf(meta.itemFields ?? {}) : (meta.options ?? [])
      return parts.length > 0 ? `${labelOf(name, meta)} (${parts.join(', ')})` : labelOf(name, meta)
    })

export const mostSuggestions = 4
const short = (suggestions: readonly string[]): readonly string[] =>
  [...new Set(suggestions)].filter((each) => each.length <= longestSuggestion).slice(0, mostSuggestions)

/** Edits of the texts of a block that its type alone names and a demo allows. Each leads to the question for the text. */
function textEdits(work: PlanState, { id, name: block, type, fields }: Item) {
  const { playground } = work.input
  const isAllowed = type && (!playground || playground.blockTypes.has(type.type))
  const isNamed = blocksOn(work, work.slug).every((other) => other.id === id || other.name !== block)
  const named = isAllowed && isNamed ? Object.entries(fields) : []
  return named
    .filter(([name, meta]) => /^(?:rich)?text$/.test(meta.kind) && !isInternal(name, meta))
    .map(([name, meta]) => ({ name, message: `Change the ${block} ${labelOf(name, meta).toLowerCase()}` }))
}

/** Section types that most pages have. */
const standardTypes = ['FAQAccordion', 'Testimonials', 'CTA', 'Stats']

/** Whether blocks and pages may be added. */
const isOpen = ({ input: { allowStructuralEdits, playground } }: PlanState): boolean =>
  allowStructuralEdits !== false && !playground

function additions(work: PlanState): readonly string[] {
  if (!isOpen(work)) return []
  const present = new Set(blocksOn(work, work.slug).map(({ type }) => type?.type))
  return addable(work)
    .filter(({ type }) => standardTypes.includes(type) && !present.has(type))
    .map(({ displayName }) => `Add a ${displayName} section`)
}

/** Literal edits that fit the page. */
export function examplesFor(work: PlanState): readonly string[] {
  const blocks = blocksOn(work, work.slug).map((block) =>
    textEdits(work, block).map(({ message }) => message),
  )
  if (!isOpen(work)) return short(blocks.flat())
  const firsts = blocks.flatMap((edits) => edits.slice(0, 1)).slice(0, 2)
  return short([...firsts, ...additions(work).slice(0, 1), 'Create a page called "News"'])
}

/** After an edit of a block: its other texts, then missing sections; none after a page is gone. */
export function followUps(work: PlanState): readonly string[] {
  const last = work.ops.at(-1)
  if (work.ops.some(({ op }) => op === 'remove_page')) return []
  if (last?.op !== 'update_props') return short(additions(work))
  const block = blocksOn(work, work.slug).find(({ id }) => id === last.blockId)
  const edits = block ? textEdits(work, block) : []
  const others = edits.filter(({ name }) => !Object.hasOwn(last.patch, name))
  return short([...others.map(({ message }) => message), ...additions(work)])
}
