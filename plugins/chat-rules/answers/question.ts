import type { Outcome } from '../../chat/port.ts'
import type { Noun } from '../frame/noun.ts'
import { nounsAt } from '../frame/nouns.ts'
import type { QuestionKind } from '../language/language.ts'
import type { Request } from '../message/request.ts'
import { findPage } from '../resolve/pages.ts'
import type { Work } from '../work/work.ts'

export type Answer = Extract<Outcome, { kind: 'answer' }>
export type AnswerContent = Pick<Answer, 'summary' | 'findings' | 'checks'>

/** The captured parts of a question. */
export interface Question {
  /** The page or block that is asked about. */
  readonly where: Noun | undefined
  /** The words for the counted or listed things. */
  readonly thing: string | undefined
  readonly things: readonly Noun[]
  readonly rest: string | undefined
}

/** The questions that a message matches, by the patterns of the language. */
export function* questionsIn(work: Work, { tokens }: Request): Generator<readonly [QuestionKind, Question]> {
  const { parser, language } = work.context
  const last = tokens.findLastIndex(({ kind, word }) => kind !== 'sign' || !'.!?'.includes(word)) + 1
  const body = tokens.slice(0, last)
  const starts: number[] = []
  let text = ''
  for (const { word, text: quoted } of body) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += word === '' ? `"${quoted}"` : word
  }
  const nounsIn = (span: readonly [number, number] | undefined) => {
    if (!span) return []
    const [start, end] = [starts.indexOf(span[0]), starts.findIndex((at) => at > span[1])]
    return nounsAt(parser, start).filter((noun) => noun.end === (end < 0 ? last : end))
  }
  for (const [kind, pattern] of language.questions) {
    const found = pattern.exec(text)
    if (!found) continue
    const { where, page, thing, rest } = found.groups ?? {}
    const spans = found.indices?.groups
    const places = nounsIn(spans?.['where'] ?? spans?.['page'])
      .filter(({ kind: named }) => ['page', 'block', 'section', 'name', 'this'].includes(named))
    const [place] = places.toSorted((a, b) => a.cost - b.cost)
    if ((where ?? page) !== undefined && !place) continue
    yield [kind, { things: nounsIn(spans?.['thing']), where: place, thing, rest }]
  }
}

/** The page that a question is about. */
export const slugOf = (work: Work, { where }: Question): string =>
  (where?.kind === 'page' ? findPage(work, where).slug : work.slug)
