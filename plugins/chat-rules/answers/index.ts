import type { QuestionKind } from '../language/language.ts'
import { type Courtesy, courtesyIn } from '../message/replies.ts'
import { cleanMessage, type Request } from '../message/request.ts'
import { valueOf } from '../resolve/block-fields.ts'
import { focusedField } from '../resolve/fields.ts'
import type { Work } from '../work/work.ts'
import { advice, blockCatalogue, editableFields, inventory, pageList } from './page-facts.ts'
import { type Answer, type AnswerContent, type Question, questionsIn, slugOf } from './question.ts'

/** The answer to a question or a courtesy; `undefined` for every other message. */
export function answer(work: Work, request: Request): Answer | undefined {
  const { input, language } = work.context
  const courtesy = courtesyIn(cleanMessage(input.message), language)
  if (courtesy) return { kind: 'answer', status: 'info', summary: courtesies[courtesy](work), findings: [], suggestions: [] }
  for (const [kind, question] of questionsIn(work, request)) {
    const content = answerTo(work, kind, question)
    if (content) return { kind: 'answer', status: kind === 'advice' ? 'advice' : 'info', ...content, suggestions: [] }
  }
  return undefined
}

function answerTo(work: Work, kind: QuestionKind, question: Question): AnswerContent | undefined {
  const { texts } = work.context
  const textOnly = (summary: string): AnswerContent => ({ summary, findings: [] })
  const runChecks = (fixes: boolean, isWholeSite: boolean): AnswerContent => ({ summary: texts.noChecks, findings: [], checks: { fixes, ...(!isWholeSite && { slug: slugOf(work, question) }) } })
  switch (kind) {
    case 'blockCatalogue': return blockCatalogue(work)
    case 'editableFields': return editableFields(work, question)
    case 'pageList': return pageList(work)
    case 'inventory': return inventory(work, question)
    case 'advice': return advice(work, question)
    case 'image': return selectedImage(work)
    case 'help': return textOnly(help(work))
    case 'negated': return textOnly(texts.unchangedByNegation)
    case 'history': return textOnly(texts.history)
    case 'publishing': return textOnly(texts.publishing)
    case 'checkPage': return runChecks(false, false)
    case 'checkSite': return runChecks(false, true)
    case 'fixPage': return runChecks(true, false)
    case 'fixSite': return runChecks(true, true)
  }
}

const courtesies: Readonly<Record<Courtesy, (work: Work) => string>> = {
  thanks: ({ context }) => context.texts.thanks,
  greeting: (work) => `${work.context.texts.greeting} ${help(work)}`,
  farewell: ({ context }) => context.texts.farewell,
}

/** The supported requests; without a model, also the variable that enables one. */
const help = ({ context: { texts, input } }: Work): string => `${texts.help} ${input.hasModel ? texts.helpWithModel : texts.helpAlone}`

/** The address of the selected image. */
function selectedImage(work: Work): AnswerContent | undefined {
  const field = focusedField(work)
  if (field?.meta.kind !== 'image') return undefined
  const address = valueOf(work, field)
  const { texts } = work.context
  return typeof address === 'string' && address !== '' ? { summary: texts.imageAt, findings: [address] } : { summary: texts.noImage, findings: [] }
}
