/** Questions that are answered without a model. */
import type { Outcome } from '../chat/port.ts'
import { pagesIn } from '../content/draft-view.ts'
import { isDeclaredList, isInternal, labelOf } from '../content/fields.ts'
import type { Fields } from '../content/model.ts'
import { addableTypes } from '../content/registry.ts'
import { choiceFor, fieldsOf, selectedBlock, selectedRow } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, type Request } from './tokens.ts'
import { blocksOn, type Work } from './work.ts'

type Answer = Pick<Extract<Outcome, { kind: 'answer' }>, 'summary' | 'findings'>

const only = (summary: string): Answer => ({ summary, findings: [] })

/** The wordings of questions, without articles and courtesies, and their answers. */
const rows: readonly (readonly [RegExp, (work: Work) => Answer])[] = [
  [
    /^(?:(?:what|which)(?: kinds? of| types? of)? (?:blocks?|sections?)(?: types?)? can i add|list (?:all )?(?:block|section) types)\b[\w ]*$/,
    blockCatalogue,
  ],
  [/^what can i (?:change|edit)(?: here| on this page)?$/, editableFields],
  [
    /^(?:(?:list|show)(?: me)?(?: all)? pages|(?:what|which) pages (?:are there|do (?:i|we) have))$/,
    pageList,
  ],
  [/^(?:help|what can you do|hello|hi|hey)$/, () => only(texts.help)],
  [/^(?:undo|redo)\b/, () => only(texts.history)],
  [/^publish\b/, () => only(texts.publishing)],
  [/^(?:do not|don't|dont|never)\b/, () => only(texts.negated)],
]

/** The answer to a question about the site or this planner; `undefined` for other messages. */
export function answerTo(work: Work, { tokens }: Request): Answer | undefined {
  const phrase = phraseOf(tokens)
  return rows.find(([pattern]) => pattern.test(phrase))?.[1](work)
}

function blockCatalogue({ input: { registry, manifest } }: Work): Answer {
  const types = manifest?.types().filter(({ chrome }) => !chrome) ?? addableTypes(registry)
  const findings = types.map(({ displayName, description }) =>
    description === undefined ? displayName : `${displayName}: ${description}`,
  )
  return { summary: texts.addable(types.length), findings }
}

function pageList(work: Work): Answer {
  const pages = pagesIn(work.draft)
  const nameOf = (type: string) => work.names.types.get(type)?.displayName ?? type
  return {
    summary: texts.pages(pages.length),
    findings: pages.map(({ slug, title, blocks }) =>
      texts.pageLine(
        slug,
        title,
        blocks.map(({ type }) => nameOf(type)),
      ),
    ),
  }
}

/** The fields of the selected row or block, or of each block type on the page. */
function editableFields(work: Work): Answer {
  const selected = selectedRow(work) ?? selectedBlock(work)
  if (selected)
    return { summary: texts.fieldsOf(choiceFor(selected).label), findings: labelsOf(fieldsOf(selected)) }
  const types = new Map(blocksOn(work, work.slug).map(({ block, type }) => [block.type, type]))
  const findings = [...types].map(([name, type]) =>
    texts.fieldList(type?.displayName ?? name, labelsOf(type?.fields ?? {})),
  )
  return { summary: texts.fieldsOf(work.draft.page(work.slug)?.title ?? work.slug), findings }
}

const labelsOf = (fields: Fields): readonly string[] =>
  Object.entries(fields)
    .filter(([name, meta]) => !isInternal(name, meta))
    .map(([name, meta]) => {
      const parts = isDeclaredList(meta) ? labelsOf(meta.itemFields ?? {}) : (meta.options ?? [])
      return parts.length > 0 ? `${labelOf(name, meta)} (${parts.join(', ')})` : labelOf(name, meta)
    })
