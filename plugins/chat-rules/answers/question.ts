import type { Outcome } from '../../chat/port.ts'
import { type Noun, nounsAt } from '../frame/nouns.ts'
import type { QuestionKind } from '../language/language.ts'
import type { Request } from '../message/request.ts'
import { findPage } from '../resolve/pages.ts'
import type { Work } from '../work/work.ts'

export type Answer = Extract<Outcome, { kind: 'answer' }>
export type Said = Pick<Answer, 'summary' | 'findings' | 'checks'>

/** What a question names: where it asks about, and the words of the rest. */
export interface Asked {
  readonly where?: Noun
  /** What is counted or listed. */
  readonly thing?: string
  readonly things: readonly Noun[]
  readonly rest?: string
}

/** What a message may ask, by the patterns of the language. */
export function* questionsIn(work: Work, { tokens }: Request): Generator<{ readonly kind: QuestionKind; readonly asked: Asked }> {
  const { ground, language } = work.scene
  const last = tokens.findLastIndex(({ kind, word }) => kind !== 'sign' || !'.!?'.includes(word)) + 1
  const said = tokens.slice(0, last)
  const starts: number[] = []
  let text = ''
  for (const { word, text: quoted } of said) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += word === '' ? `"${quoted}"` : word
  }
  const nounsIn = (span: readonly [number, number] | undefined) => {
    if (!span) return []
    const [start, end] = [starts.indexOf(span[0]), starts.findIndex((at) => at > span[1])]
    return nounsAt(ground, start).filter((noun) => noun.end === (end < 0 ? last : end))
  }
  for (const [kind, pattern] of language.questions) {
    const found = pattern.exec(text)
    if (!found) continue
    const { where, page, thing, rest } = found.groups ?? {}
    const spans = found.indices?.groups
    const [place] = nounsIn(spans?.['where'] ?? spans?.['page']).filter(({ kind: named }) => ['page', 'block', 'section', 'name', 'this'].includes(named))
    if ((where ?? page) !== undefined && !place) continue
    yield { kind, asked: { things: nounsIn(spans?.['thing']), ...(place && { where: place }), ...(thing !== undefined && { thing }), ...(rest !== undefined && { rest }) } }
  }
}

/** The page that a question is about. */
export const slugOf = (work: Work, { where }: Asked): string => (where?.kind === 'page' ? findPage(work, where).slug : work.slug)
