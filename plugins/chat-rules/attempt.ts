import type { PlanningInput } from '../chat/port.ts'
import { toDraft } from '../content/draft-view.ts'
import type { Page } from '../content/model.ts'
import { namingIn } from '../content/naming.ts'
import { perObject } from '../content/plain-object.ts'
import { answer } from './answers/index.ts'
import type { Answer } from './answers/question.ts'
import { TooManySteps } from './frame/parser.ts'
import { namesOn } from './frame/names.ts'
import { knownTypes, vocabularyFor } from './frame/vocabulary.ts'
import { interpret } from './interpret.ts'
import type { Language } from './language/language.ts'
import { cleanMessage, longestMessage, readRequest, type Request } from './message/request.ts'
import { withoutEnd } from './message/tokens.ts'
import { textsFor } from './texts/index.ts'
import { Ask, type Inquiry, tryTo } from './work/ask.ts'
import type { RulesContext, Work } from './work/work.ts'

/** Result of planning a message in one language. */
export type Attempt =
  | { readonly kind: 'done'; readonly work: Work }
  | { readonly kind: 'asked'; readonly inquiry: Inquiry; readonly work: Work }
  | { readonly kind: 'answered'; readonly answer: Answer; readonly work: Work }
  | { readonly kind: 'failed'; readonly work: Work | undefined }

/** Answers to earlier questions about a message, by question key. */
export type Answers = Readonly<Record<string, string>>

/** Parser steps allowed for one message. */
const mostSteps = 60_000

/** A quotation, a done or struck item of a list, or doubts. */
const crossedOut = /^(?:~|>|\?|[❌✅☑✔🚫👎✗✘])|(?:~|[❌🚫👎🤔])$/u

/** Plans a message in one language, without side effects. */
export function attempt(input: PlanningInput, language: Language, answers: Answers = {}): Attempt {
  const message = cleanMessage(input.message)
  if (!toDraft(input.draft).page(input.selection.slug)) return { kind: 'failed', work: undefined }
  const isTooLong = message.length > longestMessage
  const request = readRequest(isTooLong ? '' : message, language)
  const work = createWork(input, language, request, answers)
  if (isTooLong || crossedOut.test(message)) return { kind: 'failed', work }
  try {
    const done = tryTo(() => planRequest(work, request)) ?? { kind: 'failed', work }
    return done instanceof Ask ? { kind: 'asked', inquiry: done.inquiry, work } : done
  } catch (error) {
    if (error instanceof TooManySteps) return { kind: 'failed', work }
    throw error
  }
}

function planRequest(work: Work, request: Request): Attempt {
  const reply = answer(work, request)
  if (reply && !request.isPolite) return { kind: 'answered', answer: reply, work }
  if (isQuestionOrConditional(request, work.context.language)) return { kind: 'failed', work }
  const done = interpret(work)
  const isQuoted = request.tokens.some(({ kind }) => kind === 'quoted')
  const removes = done.ops.some(({ op }) => op === 'remove_block' || op === 'remove_item' || op === 'remove_page')
  if (!request.isQuestion || (isQuoted && !removes)) return { kind: 'done', work: done }
  const inquiry = { question: work.context.texts.isThatARequest, suggestions: [withoutEndPunctuation(request)] }
  return { kind: 'asked', work, inquiry }
}

/** A question that is not a polite request, or a conditional sentence. */
function isQuestionOrConditional({ tokens, isPolite }: Request, { words }: Language): boolean {
  const isQuestion = !isPolite && words.question.includes(tokens[0]?.word ?? '')
  const text = ` ${tokens.map(({ word }) => word).join(' ')} `
  return isQuestion || words.condition.some((phrase) => text.includes(` ${phrase} `))
}

const withoutEndPunctuation = ({ message, tokens }: Request): string => withoutEnd(message.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end), /[\s?!.]/)

function createWork(input: PlanningInput, language: Language, { message, tokens }: Request, answers: Answers): Work {
  const { draft: snapshot, registry, manifest, selection, locale } = input
  const localize = namingIn(locale)
  const types = knownTypes(registry, manifest).map(localize)
  const vocabulary = vocabularyFor(language, registry, manifest)
  const names = namesOn(snapshot.pages, snapshot.config)
  const parser = { message, tokens, language, vocabulary, names, words: [], budget: { steps: mostSteps } }
  const typesByName = new Map(types.map((type) => [type.type, type]))
  const context: RulesContext = { input, language, parser, answers, types, typesByName, localize, texts: textsFor(locale), now: latestStamp(snapshot.pages) }
  return { context, draft: toDraft(snapshot), slug: selection.slug, ops: [], drafts: [], unchangedTargets: [], requests: 0 }
}

/** The timestamp of a plan: the time of the latest change, so that plans are deterministic. */
const latestStamp = perObject((pages: readonly Page[]) => new Date(pages.reduce((last, page) => Math.max(last, stampOf(page)), 0)))

const stampOf = perObject(({ updatedAt }: Page) => Date.parse(updatedAt) || 0)
