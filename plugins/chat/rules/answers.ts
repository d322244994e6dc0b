/** Answers to questions about the site, and suggested requests: sentences that the forms understand. */
import { longestSuggestion, type Outcome } from '../port.ts'
import { isDeclaredList, isInternal, isText, labelOf } from '../../content/fields.ts'
import type { Fields } from '../../content/model.ts'
import { linkOf } from './field-changes.ts'
import { singular, typesNamed } from './names.ts'
import { addable } from './new-content.ts'
import { readField } from './field-references.ts'
import { isTitled, listsNamed, pagesNamed, readItem, readPage } from './references.ts'
import { texts } from './texts.ts'
import { readRequest } from './request.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import { withoutNew } from './topics.ts'
import {
  type Item,
  blocksOn,
  filledFields,
  itemsOf,
  labelFor,
  mainFields,
  pagesOf,
  selected,
  textsOf,
  type PlanState,
} from './work.ts'

type SiteAnswer = Omit<Extract<Outcome, { kind: 'answer' }>, 'kind' | 'status' | 'suggestions'> &
  Partial<Pick<Extract<Outcome, { kind: 'answer' }>, 'suggestions'>>

/** An answer that is one sentence, perhaps with what the client can open or undo. */
const sentence = (summary: string, more: Partial<SiteAnswer> = {}): SiteAnswer => ({
  summary,
  findings: [],
  suggestions: [],
  ...more,
})

/**
 * The wordings of questions, without articles and courtesies, and their answers; the groups are what they
 * name.
 */
const questions: readonly (readonly [
  RegExp,
  (work: PlanState, ...named: string[]) => SiteAnswer | undefined,
])[] = [
  [
    /^(?:(?:what|which)(?: kinds? of| types? of)? (?:blocks?|sections?)(?: types?)? can i add|list (?:all )?(?:block|section) types)\b[\w ]*$/,
    blockCatalogue,
  ],
  [/^what can i (?:change|edit)(?: here| on this page)?$/, editableFields],
  [
    /^(?:(?:list|show|tell)(?: me)?(?: all)?|what|which|what are(?: all)?) pages(?: are there| (?:do|have|does) (?:i|we|site|this site|website)(?: have| got)?| are (?:on|in) (?:this )?\w+| exist)?$/,
    pageList,
  ],
  [/^what(?: is|'s| 's) (?:on|in) (?:menu|navigation)$/, pageList],
  [
    /^what(?: is|'s| 's) on ((?:this )?page|.+ page|\/\S*)$/,
    (work, page = '') => countOf(work, 'sections', `on ${page}`),
  ],
  [/^(?:what|which) (.+?) (?:are|is|do|does)\b(.*)$/, countOf],
  [/^(?:list(?: all)?|what are(?: all)?) (.+?)(?: (?:on|in|of)\b(.*))?$/, countOf],
  [/^how many (.+?)(?: (?:are|is|do|does|did|have|has|on|in)\b(.*))?$/, countOf],
  [/^(?:what (?:do|does|did) )(.+?) (?:say|read)(?: now| currently| right now| at moment)?$/, textsIn],
  [/^(?:what (?:is|are|was|'s)|tell me|read me) (.+?)(?: now| currently| right now| at moment)?$/, textsIn],
  [
    /^where (?:do|does|did) (.+?) (?:go|lead|link|point)(?: to)?(?: now| currently| right now| at moment)?$/,
    targetOfLink,
  ],
  [/^(?:help|what can you do|hello|hi|hey)$/, () => ({ summary: texts.help, findings: [] })],
  [/^(?:how (?:do|can) (?:i|we) )?redo\b/, () => sentence(texts.history)],
  [
    /^(?:go|return|restore|bring|get|give|take|put|use|open|load|show)\b.*\b(?:earlier|older|previous|yesterday|last (?:week|month|year))\b.*\bversions?\b/,
    () => sentence(texts.earlier),
  ],
  [
    /^(?:how (?:do|can) (?:i|we) )?(?:undo|revert|roll ?back|go back|restore)\b|^(?:cancel|reverse|take back|discard|reset)\b.*\b(?:last|latest|previous|that)\b.*\b(?:edit|change|step)s?$|^(?:i made mistake|that was (?:wrong|mistake)|(?:go )?(?:one step back|back one step))\b|^(?:take|(?:change|put)(?!.* (?:to|as) )|bring|get|want|i want|give me) .+ back(?: again)?$|^(?:put|change|bring|set|turn|make) (?:it|this|that|everything|all|page)(?: back)? (?:how|(?:to )?(?:way|what|how)|as|like) it (?:was|used)\b/,
    ({ slug }) => sentence(texts.history, { undoes: slug }),
  ],
  [
    /^(?:how (?:do|can) (?:i|we) )?(?:publish|go live)\b|^(?:make|put|get|bring|take|set)(?!.* (?:to|say|as|called|named|read|with) ) .*\b(?:live|online|public)(?: (?:on|at|by|tomorrow|tonight|now|today|next|this)\b.*)?$|^(?:i'm|i am|we're|we are|everything is|all) (?:done|ready|finished)\b.*\b(?:publish|live|online)\b|^(?:is|are|was|were) .*\b(?:live|online|public|published)\b/,
    () => sentence(texts.publishing),
  ],
  [
    /^(?:(?:can|could|may|how (?:can|do)) \w+ (?:preview|review|approve)\b|(?:can|could|should|may) \w+ (?:check|see|look|proofread)\b.*\b(?:before|first|live|online|publish\w*|draft)|(?:send|share|show|submit|ask)\b.* (?:for|to) (?:review|approval|approve|(?:my |our )?(?:boss|colleagues?|team|client|friend|editor))\b|(?:review|approve)(?: (?:it|this|changes|page|draft|everything|site))?$)/,
    () => sentence(texts.review),
  ],
  [
    /^(?:what|show(?: me)?)\b.*(?:(?:i|we|you) (?:have )?changed|did \w+ change|changes$|history$)/,
    () => sentence(texts.past),
  ],
  [/^(?:who|when)\b.*\b(?:changed?|edited|wrote|updated|published)\b/, () => sentence(texts.past)],
  [/^save\b/, () => sentence(texts.saved)],
  [/^(?:thanks|thank you|perfect|great|well done)(?: so much| very much)?$/, () => sentence(texts.thanks)],
  [
    /^(?:do not|don't|dont|never)\b|^(?:no|nothing|cancel|stop|wait|(?:forget|leave|keep) it)(?: as it is| please)?$/,
    () => sentence(texts.negated),
  ],
  [
    /^(?:(?:can|may|could) (?:i|we) )?(?:open|show(?: me)?|(?:have |take )?(?:a )?(?:see|view|look at|look)|visit|(?:go|jump|navigate|switch|get|move on) (?:back )?to|(?:take|bring) me to|(?:bring|pull|call) up|edit|work on|where is|where's|how do i get to) (.+)$/,
    pageNamed,
  ],
  [
    /^(?:(?:is|are) there(?: any)?|(?:do|does) (?:i|we|site) have(?: any)?|(?:what|which) page has|where is|where are) (.+)$/,
    whereIs,
  ],
  [/^how (?:do|can|should) (?:i|we)\b/, () => ({ summary: texts.help, findings: [] })],
]

/** The answer to a question about the site or this planner; `undefined` for other messages. */
export function answerTo(work: PlanState, tokens: Tokens): SiteAnswer | undefined {
  const phrase = phraseOf(tokens)
  // The question is in the words outside of quotes and topics: `change the headline to "Welcome back"` asks nothing.
  const wording = phraseOf(
    withoutNew(tokens).map((token) => (token.kind === 'quoted' ? { ...token, text: '""' } : token)),
  )
  for (const [pattern, answer] of questions) {
    const [found, ...named] = pattern.exec(phrase) ?? []
    const answered = found === undefined || !pattern.test(wording) ? undefined : answer(work, ...named)
    if (answered) return answered
  }
  return undefined
}

const tokensOf = (words: string): Tokens => readRequest(words).tokens

/** The pages that words name; `page` is the current one. */
function pagesIn(work: PlanState, words: string): readonly Item[] {
  if (/^(?:(?:this )?page|here)$/.test(words)) return pagesOf(work).filter(({ slug }) => slug === work.slug)
  return readPage(work, tokensOf(words))?.candidates ?? pagesNamed(work, words)
}

function pageNamed(work: PlanState, words: string): SiteAnswer | undefined {
  const pages = pagesIn(work, words)
  if (pages.length === 0 && words.endsWith(' page'))
    return { ...pageList(work), summary: texts.noPage(pagesOf(work).length), suggestions: [] }
  const opens = pages.map(({ slug }) => slug)
  return pages.length > 0
    ? sentence(pages.map(({ slug, name }) => texts.pageAt(slug, name)).join(' '), { opens })
    : undefined
}

/** Counts pages, sections, and blocks or rows of a kind: `questions are on the FAQ page`. */
function countOf(work: PlanState, noun: string, where = ''): SiteAnswer | undefined {
  if (/^(?:web)?pages?$/.test(noun)) return pageList(work)
  const place = where
    .replace(/^.*\b(?:on|in|of) /, '')
    .replace(/ (?:have|has|contain)$/, '')
    .trim()
  const isHere = /^(?:there|i|we|here)?$/.test(place)
  const [page] = isHere || /page$|^\//.test(place) ? pagesIn(work, isHere ? 'here' : place) : []
  const [section, ...others] = page ? [] : everywhere(work, place).filter(({ kind }) => kind === 'block')
  const scope = page ?? (others.length === 0 ? section : undefined)
  if (!scope) return undefined
  const blocks = section ? [section] : blocksOn(work, scope.slug)
  const types = typesNamed(work.names, noun)
  const lists = listsNamed(work, singular(noun), blocks)
  const rows = lists?.flatMap(({ item, listKey }) => itemsOf(item, listKey))
  const isAny = /^(?:section|block)s?$/.test(noun)
  if (!rows && !types && !isAny) return undefined
  const counted = rows?.length ? rows : blocks.filter(({ type }) => isAny || types?.has(type?.type ?? ''))
  return {
    summary: texts.counted(counted.length, counted.length === 1 ? singular(noun) : noun, scope.name),
    findings: counted.map(labelFor),
    suggestions: [],
  }
}

/** What words mean on the pages of the site. */
const everywhere = (work: PlanState, words: string): readonly Item[] =>
  work.draft.order.flatMap((slug) => readItem({ ...work, slug }, tokensOf(words))?.candidates ?? [])

/**
 * The present text of the only section or row that words name, here or else on the site: what is under a
 * title that they are.
 */
function mainTextOf(work: PlanState, words: string): readonly string[] {
  const here = readItem(work, tokensOf(words))?.candidates ?? []
  const [only, ...others] = here.length > 0 ? here : everywhere(work, words)
  if (!only || others.length > 0) return []
  const isTitle = isTitled(only, phraseOf(tokensOf(words)))
  const names = isTitle
    ? filledFields(only).flatMap(([name, meta]) => (isText(meta) ? [name] : []))
    : mainFields
  const text = names
    .map((name) => only.props[name])
    .find((each) => typeof each === 'string' && !(isTitle && textsOf(only).includes(each)))
  return typeof text === 'string' ? [texts.says(labelFor(only), text)] : []
}

/** The present texts of the fields, or of the section or row, that words name. */
function textsIn(work: PlanState, words: string): SiteAnswer | undefined {
  const fields = readField(work, tokensOf(words))?.candidates ?? []
  const sentences = fields.flatMap((field) => {
    const value = field.item.props[field.name]
    return typeof value === 'string' || (value === undefined && isText(field.meta))
      ? [texts.says(labelFor(field), value ?? '')]
      : []
  })
  const all = sentences.length > 0 ? sentences : mainTextOf(work, words)
  return all.length > 0 ? sentence(all.slice(0, mostSuggestions).join(' ')) : undefined
}

/** Where the links lead that words name, or those of the buttons. */
function targetOfLink(work: PlanState, words: string): SiteAnswer | undefined {
  const links = (readField(work, tokensOf(words))?.candidates ?? []).flatMap((field) => linkOf(field) ?? [])
  const sentences = links.flatMap((link) => {
    const to = link.item.props[link.name]
    return typeof to === 'string' ? [texts.says(labelFor(link), to)] : []
  })
  return sentences.length > 0 ? sentence(sentences.slice(0, mostSuggestions).join(' ')) : undefined
}

/** The page or section of the site that words name, and where it is. */
function whereIs(work: PlanState, words: string): SiteAnswer | undefined {
  const named = pageNamed(work, words.replace(/^page (?:about|for|called|named|with|on) /, ''))
  if (named) return named
  const items = everywhere(work, words)
  const [first] = items
  const there = items.slice(0, mostSuggestions).map((item) => texts.isOn(labelFor(item), item.slug))
  return first && sentence(there.join(' '), { opens: [first.slug] })
}

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

/**
 * Edits of the texts of a block that its type alone names and a demo allows. Each leads to the question for
 * the text.
 */
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
