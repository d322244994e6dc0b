/** Reads a message as a request: what is asked for, and whether it may be an edit. */
import { fillers, tokensOf, type Tokens, withoutArticles } from './tokens.ts'
import { commandIn } from './topics.ts'

const courtesy =
  /^\s*(?:please|pls|now|ok|okay|alright|hi|hello|hey|oops|sorry|well|also|just|so|((?:can|could|would|will) you|(?:i|we) (?:want|need|would like)(?: you)? to|(?:i|we)'d like(?: you)? to|help (?:me|us) to|go ahead and|let us|let's))\b[\s,!]*(?=[^\s,.!?])/i
const questions = new Set(
  'what which who whose when where why how is are was were am do does did should shall may might has have had can could'.split(
    ' ',
  ),
)
const wishes = new Set('should shall may might can could'.split(' '))
const conditions = new Set("if unless don't dont never not except without instead".split(' '))
const endings: ReadonlySet<string> = new Set(['.', '!', '?', ',', 'please', 'thanks'])

/** Whether a condition sets a text against another one, as in `instead of six` and `seven, not six`. */
const isContrast = (tokens: Tokens, at: number): boolean =>
  tokens[at]?.word === 'instead' ||
  (tokens[at]?.word === 'not' && at > 1 && !fillers.has(tokens[at - 1]?.word ?? ''))

/** Whether a condition is a word of a text without quotes, as in `to We never close`. */
const isInText = (tokens: Tokens, at: number): boolean =>
  /^(?:never|not|don't|dont|without)$/.test(tokens[at]?.word ?? '') &&
  tokens.some(
    ({ word }, before) =>
      before < at && /^(?:to|be|as)$/.test(word) && /^\p{Lu}/u.test(tokens[before + 1]?.text ?? ''),
  )

/** Reads a message, without the courtesies around the request and the final stop. */
export function readRequest(message: string) {
  const folded = message.replace(/[“”„‟«»＂]/g, '"').replace(/[‘’‚‛‹›]/g, "'")
  let [start, isPolite] = [0, false]
  for (let match = courtesy.exec(folded); match; match = courtesy.exec(folded.slice(start))) {
    start += match[0].length
    isPolite ||= match[1] !== undefined
  }
  let tokens = withoutArticles(tokensOf(message, folded, start))
  const first = tokens[0]?.word ?? ''
  const isQuestion = !isPolite && (tokens.at(-1)?.word === '?' || questions.has(first))
  while (tokens.length > 1 && endings.has(tokens.at(-1)?.word ?? '')) tokens = tokens.slice(0, -1)
  const command = commandIn(tokens)
  return {
    tokens,
    /** The offset behind the last token. */
    end: tokens.at(-1)?.end ?? 0,
    /** False for a question other than a polite request, and for what is stated under a condition. */
    isEdit: !isQuestion && !tokens.some(({ word }) => conditions.has(word)),
    /**
     * True also for `could we`, `instead of`, `seven not six`: a sentence near to it may be offered, not
     * done.
     */
    mayBeEdit:
      (!questions.has(first) || wishes.has(first)) &&
      !command.some((token) => {
        const at = tokens.indexOf(token)
        return conditions.has(token.word) && !isContrast(tokens, at) && !isInText(tokens, at)
      }),
  }
}

/** Whether a message is a question and no title such as `What we do`. */
export const isAsked = (message: string, [first, second]: Tokens): boolean =>
  /\?\s*$/.test(message) || (questions.has(first?.word ?? '') && questions.has(second?.word ?? ''))
