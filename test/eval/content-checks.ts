import { propOf } from './assertions.ts'
import type { Attempt } from './attempt.ts'
import type { ContentCheck } from './case.ts'

type Answered = Pick<Attempt, 'summary' | 'outcome'>

/** Whether a text passes a check; a missing text fails. */
export function passesCheck(check: ContentCheck, { summary, outcome }: Answered, slug: string): boolean {
  const isAnswer = (check.blockId ?? check.blockType) === undefined
  const text = isAnswer ? summary : propOf(outcome, check, slug)
  if (typeof text !== 'string') return false
  switch (check.type) {
    case 'max_word_count':
      return wordsOf(text).length <= check.maxWords
    case 'no_banned_words': {
      const words = new Set(wordsOf(text.toLowerCase()))
      return !check.bannedWords.some((word) => words.has(word.toLowerCase()))
    }
    case 'matches_regex':
      return new RegExp(check.pattern).test(text)
  }
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}'’-]+/gu) ?? []
